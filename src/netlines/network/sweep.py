"""One pass over many rows, in blocks that stay in the cache: what a classifier is asked of plain arrays.

1. The largest value of a block, or its norm, bounds all its values, and is no number if one of them is none:
   then nothing is said here, and whoever asked looks closer.
2. The weighted sums of a block are one matrix product; where only their signs count, of single precision for
   such rows. Rows with a sum that rounding could have given another sign, by the same bound, are asked about
   again in the careful way of `sums`: answers do not depend on blocks or precision.
3. Of few hidden units the answers to all their codes are known before; a code is a number then.
4. Blocks are written where they belong in the result. Nothing else is as large as the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import EDGE, expit, most_probable
from netlines.network.sums import compared_sums

if TYPE_CHECKING:
    from netlines.network.protocol import AnyNetwork

CELLS = 130_000  # numbers of a block, with its sums: about a megabyte
MOST_UNITS = 12  # whose codes are all asked about before
LARGEST = 1e100  # of the bound of a block
SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
EPS = {kind: float(np.finfo(kind).eps) for kind in (SINGLE, DOUBLE)}


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
    n, width = X.shape
    step = max(256, CELLS * 8 // X.itemsize // (width + 2 * network.n_hidden))
    careful: Callable[[NDArray], NDArray] = getattr(network, what)
    single = X.dtype == SINGLE and what == "predict" and not network.moved
    whole = None if network.scheme else _Pass(network, min(step, n), n, single=single)
    found, again = None, []
    for start in range(0, n, step):
        rows = X[start : start + step]
        bound = _bound(rows)
        if not bound < LARGEST:
            return None
        near = None
        if whole is None:
            own = careful(rows)
        else:
            sums, near = whole.sums(rows, bound)
            own = getattr(whole, what)(sums)
            if near is not None:
                again.append(start + near)
        if found is None:
            found = own if len(own) == n else np.empty((n, *own.shape[1:]), dtype=own.dtype)
        if found is not own:
            found[start : start + step] = own
    if again and found is not None:
        some = np.concatenate(again)
        found[some] = careful(X[some])
    return found


def _bound(rows: NDArray) -> float:
    """Return a bound of all absolute values, NaN if one is: their norm, or the largest."""
    if rows.dtype == SINGLE:  # of which the norm would be a bound too wide
        return max(float(rows.max()), -float(rows.min()))
    flat = rows.reshape(-1)
    return 1.001 * sqrt(flat @ flat)


class _Pass:
    """What the blocks of one network share."""

    def __init__(self, network: Any, n_block: int, n_rows: int, *, single: bool) -> None:
        self.network, self.n_rows = network, n_rows
        weights = network.hidden_weights
        sizes = np.abs(weights).sum(axis=1)
        self.size = float(sizes.max())
        # Beyond these sizes single precision would overflow, or lose what matters.
        single = single and network.origin is None and sizes.min() > 1e-18 and self.size < 1e18
        self.kind = SINGLE if single else DOUBLE
        own = weights.astype(self.kind, copy=False)
        self.slopes, self.bias = own[:, 1:].T, own[:, 0]
        self.steepness, self.shift = None, np.zeros(1)
        if network.calibration is not None:
            self.steepness = network.calibration.steepness
            self.shift = network.calibration.shift
        self.moved = bool(self.shift.any())
        if n_block > 1:  # arrays of one shape are faster than a short one for each row
            self.bias = np.tile(self.bias, (n_block, 1))
            if self.steepness is not None:
                self.steepness = np.tile(self.steepness, (n_block, 1))

    def sums(self, rows: NDArray, bound: float) -> tuple[NDArray, NDArray | None]:
        """Return the weighted sums (n, H) of a block, and the rows where a sign may be wrong, if any."""
        if self.network.origin is not None:
            rows = rows - self.network.origin
            bound = max(float(rows.max()), -float(rows.min()))
        bound = self.size * max(bound, 1.0)
        if self.kind == SINGLE and bound > 1e37:  # it would overflow
            return np.zeros((len(rows), self.network.n_hidden)), np.arange(len(rows))
        found = rows.astype(self.kind, copy=False) @ self.slopes
        found += self.bias[: len(found)] if self.bias.ndim > 1 else self.bias
        far = np.abs(found) > (len(self.slopes) + 3) * EPS[self.kind] * bound
        if np.count_nonzero(far) == far.size:
            return found, None
        return found, np.unique(np.flatnonzero(~far) // far.shape[1])

    @cached_property
    def all_outputs(self) -> NDArray | None:
        """What the outputs say to each code, shape (2^H, K); None where that are too many."""
        n = self.network.n_hidden
        if n > MOST_UNITS or 4 << n > self.n_rows:
            return None
        bits = np.arange(1 << n)[:, None] >> np.arange(n) & 1
        return compared_sums(2.0 * bits - 1.0, self.network.output_weights)

    @cached_property
    def all_answers(self) -> NDArray[np.intp]:
        """The number of the class of each code."""
        return most_probable(np.asarray(self.all_outputs))

    @cached_property
    def _powers(self) -> NDArray:
        return np.ldexp(np.float32(1.0), np.arange(self.network.n_hidden))

    def _codes(self, sums: NDArray) -> NDArray[np.intp]:
        """Return the states as the numbers of codes."""
        return ((sums >= 0).astype(np.float32) @ self._powers).astype(np.intp)

    def outputs(self, sums: NDArray) -> NDArray:
        """Return what the outputs say, shape (n, K)."""
        if self.network.passes_on:
            return sums
        if self.all_outputs is not None:
            return self.all_outputs[self._codes(sums)]
        weights = self.network.output_weights
        found = (sums >= 0).astype(float) @ (2.0 * weights[:, 1:].T)
        found += weights[:, 0] - weights[:, 1:].sum(axis=1)
        if len(weights) == 1:
            least = np.abs(found[:, 0])
        else:
            first, second = np.partition(found, -2, axis=1)[:, -2:].T[::-1]
            least = first - second
        bound = 8 * weights.shape[1] * EPS[DOUBLE] * float(np.abs(weights).sum(axis=1).max())
        close = np.flatnonzero(least <= bound)
        if len(close):
            found[close] = compared_sums(2.0 * (sums[close] >= 0) - 1.0, weights)
        return found

    def answers(self, sums: NDArray) -> NDArray[np.intp]:
        """Return the numbers of the classes, before a shift of the priors."""
        if self.network.passes_on:
            return (sums[:, 0] >= 0).astype(np.intp)
        if self.all_outputs is not None:
            return self.all_answers.take(self._codes(sums))
        return most_probable(self.outputs(sums))

    def predict(self, sums: NDArray) -> NDArray:
        """Return the classes."""
        network = self.network
        if self.moved:
            return network.classes.take(most_probable(self.scores(sums)))
        return network.classes.take(self.answers(sums))

    def scores(self, sums: NDArray) -> NDArray:
        """Return what speaks for the classes."""
        network = self.network
        if network.calibration is None:
            return network.readout.flat(self.outputs(sums)).astype(float)
        if network.n_classes == 2:
            return self._log_odds(sums)
        return self._calibrated(sums).scores

    def probability(self, sums: NDArray) -> NDArray:
        """Return the probabilities of the classes."""
        if self.network.n_classes > 2:
            return self._calibrated(sums).probability
        scores = self._log_odds(sums)
        found = np.empty((len(scores), 2))
        found[:, 0], found[:, 1] = expit(-scores), expit(scores)
        return found

    def _calibrated(self, sums: NDArray) -> Any:
        return self.network.readout.calibrated(self._calibration(sums), self.answers(sums), self.shift)

    def _calibration(self, sums: NDArray) -> NDArray:
        steepness = self.steepness if len(sums) == 1 else self.steepness[: len(sums)]  # type: ignore[index]
        return self.network.calibration.scores(sums, steepness)

    def _log_odds(self, sums: NDArray) -> NDArray:
        """Return the log-odds of the second of two classes, on the side of the answers."""
        side = 2.0 * self.answers(sums) - 1.0
        scores = self._calibration(sums)[:, 0] * side
        np.maximum(scores, EDGE, out=scores)
        scores *= side
        return scores + self.shift if self.moved else scores
