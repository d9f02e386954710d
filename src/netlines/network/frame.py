"""Where the columns of a table begin and in which powers of two they count, so that no digit is lost.

1. A column far from 0 for its spread, such as time stamps, is counted from its smallest value: the
   differences are exact.
2. Each column is divided by a power of two, which is exact too: the one that makes its values whole numbers
   or decimals as people write them, mostly 1, else one near its largest value. Training sees these numbers
   alone: multiplying a column by a power of two changes nothing of it.
3. The weights go back to the user's units with the origin beside them: `Network.origin`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.frozen import Frozen
from netlines.network.weights import normalised

MOST_DECIMALS = 8  # of values as people write them
MANY = 20_000  # rows above which no decimals are looked for
FAR = 2.0**20  # a column counts from its smallest value if its values are this many times its range
LOWEST = -900  # exponent of the smallest number inside; of very wide columns large ones are larger
LARGEST_EXPONENT, SMALLEST_EXPONENT = 490, -960  # of weights: squares of their products stay finite


@dataclass(frozen=True, eq=False)
class Frame(Frozen):
    """The coordinates in which a network is trained: (x - origin)/unit.

    Attributes
    ----------
    origin : array of shape (N,)
        0, or the smallest value of a column that is far from 0 for its spread.
    unit : array of shape (N,)
        Powers of two.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.frame import Frame
    >>> frame = Frame.of(np.array([[1e15, 3.0], [1e15 + 2, -5.0]]))
    >>> frame.origin.tolist(), frame.unit.tolist()
    ([1000000000000000.0, 0.0], [2.0, 1.0])
    >>> frame.inside(np.array([[1e15 + 2, 3.0]])).tolist()
    [[1.0, 3.0]]
    """

    origin: NDArray
    unit: NDArray

    def __post_init__(self) -> None:
        self._freeze("origin", "unit", dtype=float)

    @classmethod
    def of(cls, X: NDArray) -> Frame:
        """Return the frame of rows, shape (n, N); it does not depend on their order."""
        low, high = X.min(axis=0).astype(float), X.max(axis=0).astype(float)
        largest = np.maximum(np.abs(low), np.abs(high))
        origin = np.where((high > low) & ((high - low) * FAR <= largest), low, 0.0)
        exponent = np.zeros(len(low), dtype=int)
        for i in np.flatnonzero(high > low):
            ends = np.array([low[i], high[i]]) - origin[i]
            exponent[i] = _exponent(X[:, i], origin[i], ends)
        return cls(origin, np.ldexp(1.0, exponent))

    @classmethod
    def plain(cls, n_features: int) -> Frame:
        """Return the frame that changes nothing."""
        return cls(np.zeros(n_features), np.ones(n_features))

    def inside(self, rows: NDArray) -> NDArray:
        """Return rows (n, N) in these coordinates, in single precision if theirs is and nothing is lost."""
        inside = np.asarray((rows.astype(float, copy=False) - self.origin) / self.unit)
        if rows.dtype != np.float32:
            return inside
        with np.errstate(over="ignore", under="ignore"):
            single = inside.astype(np.float32)
        return single if (single == inside).all() else inside

    def column(self, X: NDArray, rows: NDArray, i: int) -> NDArray[np.float64]:
        """Return a column of some rows in these coordinates."""
        return np.asarray((X[rows, i].astype(float) - self.origin[i]) / self.unit[i])

    def outside(self, weights: NDArray, *, exact: bool = False) -> tuple[NDArray, NDArray]:
        """Return weights (H, N + 1) for rows inside as weights in the user's units, about the origin.

        Their norm is √(N + 1), unless that would lose small weights, or `exact` asks for weights that are the
        same but for powers of two: what rounding could change does not change then.

        Returns
        -------
        (weights of shape (H, N + 1); by what the weighted sums are multiplied, shape (H,))
        """
        if (self.unit == 1).all() and not exact:
            return weights, np.ones(len(weights))
        mantissa, exponent = np.frexp(np.asarray(weights, dtype=float))
        exponent = exponent - np.concatenate([[0], np.frexp(self.unit)[1] - 1])
        there = mantissa != 0
        top = np.where(there, exponent, -(10**6)).max(axis=1, keepdims=True)
        bottom = np.where(there, exponent, 10**6).min(axis=1, keepdims=True)
        shift = np.where(there.any(axis=1, keepdims=True), -top, 0)
        odd = (there & (exponent + shift < SMALLEST_EXPONENT)).any() or (
            np.abs(shift) > LARGEST_EXPONENT
        ).any()
        if exact or odd:  # as far up as the smallest weight, or the smallest sums, need it
            up = np.maximum(np.maximum(SMALLEST_EXPONENT - (bottom + shift), -shift), 0)
            shift = np.minimum(shift + up, LARGEST_EXPONENT - top)
            return np.ldexp(mantissa, exponent + shift), np.ldexp(1.0, shift[:, 0])
        moved = np.ldexp(mantissa, exponent + shift)
        found = normalised(moved)
        largest = np.abs(moved).argmax(axis=1)[:, None]
        before, after = (np.take_along_axis(one, largest, 1)[:, 0] for one in (moved, found))
        factor = np.divide(after, before, out=np.ones_like(after), where=before != 0)
        return found, np.ldexp(factor, shift[:, 0])

    @property
    def offset(self) -> NDArray | None:
        """The origin; None if it is 0 in all columns, as in most tables."""
        return self.origin if self.origin.any() else None


def _exponent(column: NDArray, origin: float, ends: NDArray) -> int:
    """Return the exponent of the unit of a column that is not constant.

    `ends` are its smallest and largest value, counted from the origin. A column times a power of two has that
    many times the unit.
    """
    single = column.dtype == np.float32
    for decimals in range(MOST_DECIMALS + 1) if len(column) <= MANY else ():
        if _lowest_bit(ends, decimals, single) is not None:
            bit = _lowest_bit(column.astype(float) - origin, decimals, single)
            if bit is not None:
                return bit
    _, exponent = np.frexp(np.abs(ends).max())
    if exponent > LOWEST + 1074:  # else nothing can vanish beside the largest value
        sizes = np.abs(column.astype(float) - origin)
        _, least = np.frexp(sizes[sizes > 0].min())
        exponent = min(exponent, least - LOWEST)
    return int(exponent) - 2  # the largest value is at least 2 and below 4


def _lowest_bit(values: NDArray, decimals: int, single: bool) -> int | None:
    """Return t if values/2^t are numbers with so many decimals, one of them odd in the last; else None."""
    digits, most = (18, 2.0**14) if single else (45, 2.0**31)
    values = values[values != 0]
    shifted = values * 10.0**decimals
    mantissa, exponent = np.frexp(shifted)
    whole = np.rint(np.ldexp(mantissa, digits)).astype(np.int64)
    _, zeros = np.frexp((whole & -whole).astype(float))
    bit = int((exponent - digits + zeros - 1).min())
    if np.abs(np.ldexp(shifted, -bit)).max() >= most:
        return None
    values = np.ldexp(values, -bit)
    short = np.rint(values * 10.0**decimals) / 10.0**decimals
    return bit if (values == (short.astype(np.float32) if single else short)).all() else None
