"""One pass over many rows, in blocks that stay in the cache: what a classifier is asked of plain arrays.

1. The norm of a block, or its largest value, bounds all its values, and is no number if one of them is none:
   then nothing is said here, and whoever asked looks closer. It is asked first: so the block is read from
   memory in one stream, and the product finds it in the cache.
2. The weighted sums of a block are one matrix product for all units of all parts; where only their signs
   count, of single precision for such rows. Rows with a sum that rounding could have given another sign, by
   the same bound, are asked about again in the careful way of `sums`: answers do not depend on blocks or
   precision.
3. What follows from the sums is asked of the `layers`, for several blocks at once.
4. It is written where it belongs in the result. Nothing else is as large as the rows.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.layers import DOUBLE, SINGLE, Layer, Planes

if TYPE_CHECKING:
    from netlines.network.protocol import AnyNetwork

BLOCK = 500_000  # bytes of a block of rows
PRODUCTS = 1_000_000  # of numbers in a block: up to here matrix products need no copies
HELD = 80_000  # sums held at once, with two numbers a row more
LARGEST = 1e100  # of the bound of a block
LARGEST_FIELD = {SINGLE: 1e37, DOUBLE: 1e290}  # that nothing made of it overflows


def sweep(network: AnyNetwork, X: NDArray, what: str) -> NDArray | None:
    """Return the classes, the scores or the probabilities of rows; None if a value is NaN or huge.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N) of float64 or float32, n > 0
    what : {"predict", "scores", "probability"}
        The question, one of a network; those after probabilities need a calibration.

    Returns
    -------
    array of shape (n,) or (n, C), or None

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.network.sweep import sweep
    >>> warm = Network([[-20.0, 1.0]], PASS_ON, ["cold", "warm"])
    >>> sweep(warm, np.array([[25.0], [15.0]]), "predict").tolist()
    ['warm', 'cold']
    """
    layer = network.layer
    if layer is None:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        return _swept(network, layer, X, what)


def _swept(network: AnyNetwork, layer: Any, X: NDArray, what: str) -> NDArray | None:
    n, one = len(X), _Pass(layer, X, only_signs=what == "predict" and not layer.moved)
    ask, careful = getattr(layer, what), getattr(network, what)
    found, again = None, []
    for start in range(0, n, one.held):
        rows = X[start : start + one.held]
        bound = one.fill(rows)
        if bound is None:
            return None
        if bound * layer.reach < LARGEST_FIELD[one.kind]:
            sums, near = one.sums[: len(rows)], one.near(len(rows), bound)
            own = ask(sums)
            if near is not None:
                again.append(start + near)
        else:
            own = careful(rows)
        if found is None:
            if len(own) == n:
                found = own
                break
            found = np.empty((n, *own.shape[1:]), dtype=own.dtype)
        found[start : start + one.held] = own
    if again and found is not None:
        some = np.unique(np.concatenate(again))
        found[some] = careful(X[some])
    return found


class _Pass:
    """The weighted sums of some rows, and what the blocks need for them.

    Attributes
    ----------
    held : int
        Rows whose sums are held at once, in `sums` (held, H).
    """

    def __init__(self, layer: Layer, X: NDArray, *, only_signs: bool) -> None:
        (n, width), single = X.shape, X.dtype == SINGLE and only_signs and layer.single is not None
        self.planes: Planes = layer.single if single and layer.single is not None else layer.double
        self.kind, self.origin, self.largest = self.planes.kind, layer.origin, 0.0
        hidden = len(self.planes.bias)
        self.held = min(n, max(256, HELD // (hidden + 2)))
        self.block = max(16, min(self.held, BLOCK // (8 * width), PRODUCTS // (width * hidden)))
        self.sums = np.empty((self.held, hidden), dtype=self.kind)
        self.sizes = np.empty_like(self.sums)
        self.rows = np.empty((self.block, width)) if X.dtype != self.kind else None
        self.bias = np.empty_like(self.sums)  # arrays of one shape are faster than a short one for each row
        self.bias[:] = self.planes.bias

    def fill(self, rows: NDArray) -> float | None:
        """Find the sums of rows; return a bound of what was multiplied, None if a value is none or huge."""
        largest = 0.0
        for start in range(0, len(rows), self.block):
            own = rows[start : start + self.block]
            if self.rows is not None:
                np.copyto(self.rows[: len(own)], own)
                own = self.rows[: len(own)]
            bound = _bound(own)
            if not bound < LARGEST:
                return None
            if self.origin is not None:
                own = own - self.origin
                bound = _bound(own)
            np.matmul(own, self.planes.slopes, out=self.sums[start : start + len(own)])
            largest = max(largest, bound)
        self.sums[: len(rows)] += self.bias[: len(rows)]
        return largest

    def near(self, n: int, bound: float) -> NDArray[np.intp] | None:
        """Return the rows with sums whose signs may be wrong, once for each, None if there are none."""
        sizes, wrong = np.abs(self.sums[:n], out=self.sizes[:n]), self.planes.rounding * max(bound, 1.0)
        if np.minimum.reduce(sizes, axis=None) > wrong:
            return None
        return np.flatnonzero(sizes <= wrong) // sizes.shape[1]


def _bound(rows: NDArray) -> float:
    """Return a bound of all absolute values, NaN if one is: their norm, or the largest."""
    if rows.dtype == SINGLE:  # of which the norm would be a bound too wide
        return max(float(rows.max()), -float(rows.min()))
    flat = rows.reshape(-1)
    return 1.001 * sqrt(np.dot(flat, flat))
