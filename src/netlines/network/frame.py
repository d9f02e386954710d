"""Where the columns of a table begin and in which powers of two they count, so that no digit is lost.

1. A column far from 0 for its spread, such as time stamps, is counted from its smallest value: the
   differences are exact.
2. Each column is divided by a power of two, which is exact too: the one that makes its values whole numbers
   or decimals as people write them, mostly 1, else one near its largest value. Training sees these numbers
   alone: multiplying a column by a power of two changes nothing of it.
3. The weights go back to the user's units with the origin beside them: `Network.origin`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.frozen import Frozen
from netlines.network.weights import normalised

MOST_DECIMALS = 8  # of values as people write them
MANY = 20_000  # rows above which decimals are not looked for
TINY = 1e-190  # a value that may vanish beside large ones
NO_BIT = 10**6
TOGETHER = 64  # rows whose smallest values are found at once
FAR = 2.0**20  # a column counts from its smallest value if its values are this many times its range
LOWEST = -900  # exponent of the smallest number inside; of very wide columns large ones are larger
LARGEST_EXPONENT, SMALLEST_EXPONENT = 490, -960  # of weights: squares of their products stay finite

_ENDS: ContextVar[NDArray | None] = ContextVar("ends", default=None)


@dataclass(frozen=True, eq=False)
class Frame(Frozen):
    """The coordinates in which a network is trained: (x - origin)/unit.

    Attributes
    ----------
    origin : array of shape (N,)
        0, or the smallest value of a column that is far from 0 for its spread.
    unit : array of shape (N,)
        Powers of two.
    largest : array of shape (N,) or None
        How far the rows that the network will see are from the origin at most, if that is known.

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
    largest: NDArray | None = None

    def __post_init__(self) -> None:
        self._freeze("origin", "unit", "largest", dtype=float)

    @classmethod
    def of(cls, X: NDArray, ends: NDArray | None = None) -> Frame:
        """Return the frame of rows (n, N), given their `ends_of` if known; their order does not matter.

        Within `among` it has the origin of all of them.
        """
        own = ends_of(X) if ends is None else ends
        every = _ENDS.get()
        every = own if every is None else every
        origin = _origin_of(*every)
        unit = np.ldexp(1.0, _exponents(X, origin, own - origin))
        return cls(origin, unit, np.abs(every - origin).max(axis=0))

    @classmethod
    def plain(cls, n_features: int) -> Frame:
        """Return the frame that changes nothing."""
        return cls(np.zeros(n_features), np.ones(n_features))

    @property
    def changes_nothing(self) -> bool:
        """Whether the coordinates are those of the user."""
        return not self.origin.any() and bool((self.unit == 1).all())

    @property
    def is_ordinary(self) -> bool:
        """Whether a value may be multiplied by 1/unit instead of being divided."""
        return bool((np.abs(np.frexp(self.unit)[1]) < 1000).all())

    def inside(self, rows: NDArray) -> NDArray:
        """Return rows (n, N) in these coordinates, in single precision if theirs is and nothing is lost."""
        if self.changes_nothing:
            return rows
        inside = np.asarray((rows.astype(float, copy=False) - self.origin) / self.unit)
        if rows.dtype != np.float32:
            return inside
        with np.errstate(over="ignore", under="ignore"):
            single = inside.astype(np.float32)
        return single if (single == inside).all() else inside

    def column(self, X: NDArray, rows: NDArray, i: int) -> NDArray[np.float64]:
        """Return a column of some rows in these coordinates."""
        column = X[rows, i].astype(float)
        if self.origin[i] or self.unit[i] != 1:
            column = (column - self.origin[i]) / self.unit[i]
        return np.asarray(column)

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
        _, size = np.frexp(np.append(1.0, self.unit if self.largest is None else self.largest))
        unit = np.concatenate([[0], np.frexp(self.unit)[1] - 1])
        reach = np.where(mantissa != 0, exponent + size - unit, -(10**6)).max(axis=1, keepdims=True)
        exponent = exponent - unit
        there = mantissa != 0
        top = np.where(there, exponent, -(10**6)).max(axis=1, keepdims=True)
        bottom = np.where(there, exponent, 10**6).min(axis=1, keepdims=True)
        shift = np.where(there.any(axis=1, keepdims=True), -top, 0)
        odd = (there & (exponent + shift < SMALLEST_EXPONENT)).any() or (
            np.abs(shift) > LARGEST_EXPONENT
        ).any()
        if exact or odd:  # as far up as the smallest weight, or the smallest sums, need it
            up = np.maximum(np.maximum(SMALLEST_EXPONENT - (bottom + shift), -shift), 0)
            shift = np.minimum(shift + up, LARGEST_EXPONENT - np.maximum(top, reach))
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


def ends_of(X: NDArray) -> NDArray[np.float64]:
    """Return the smallest and the largest values of the columns of rows, shape (2, N)."""
    found = [X[len(X) - len(X) % TOGETHER :]]
    if len(X) >= TOGETHER and X.flags.c_contiguous:  # short rows are slow one by one
        for start in range(0, len(X) - TOGETHER + 1, TOGETHER**2):
            block = X[start : start + TOGETHER**2]
            wide = block[: len(block) - len(block) % TOGETHER].reshape(-1, TOGETHER * X.shape[1])
            found += [one.reshape(TOGETHER, -1) for one in (wide.min(axis=0), wide.max(axis=0))]
        X = np.concatenate(found)
    return np.array([X.min(axis=0), X.max(axis=0)], dtype=float)


@contextmanager
def among(ends: NDArray | None) -> Iterator[None]:
    """Make the frames in the block those of some of the rows with these ends; with None of rows alone.

    Networks that decide together see all rows and learn some of them: they count from one origin, and no
    row is beyond their weights.
    """
    token = _ENDS.set(ends)
    try:
        yield
    finally:
        _ENDS.reset(token)


def _origin_of(low: NDArray, high: NDArray) -> NDArray[np.float64]:
    """Return from where columns count, shape (N,), given their smallest and largest values."""
    largest = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(invalid="ignore", over="ignore"):  # of values that will be refused
        return np.where((high > low) & ((high - low) * FAR <= largest), low, 0.0)


def _exponents(X: NDArray, origin: NDArray, ends: NDArray) -> NDArray[np.int64]:
    """Return the exponents of the units of all columns; 0 of a constant one.

    `ends` (2, N) are the smallest and largest values, counted from the origin. A column times a power of two
    has that many times the unit.
    """
    exponent, left = np.zeros(X.shape[1], dtype=np.int64), np.flatnonzero(ends[0] < ends[1])
    single = X.dtype == np.float32
    for decimals in range(MOST_DECIMALS + 1) if len(X) <= MANY else ():
        some = left[_lowest_bits(ends[:, left], decimals, single) != NO_BIT]
        if len(some):
            bits = _lowest_bits(X[:, some].astype(float) - origin[some], decimals, single)
            exponent[some] = bits
            left = np.setdiff1d(left, some[bits != NO_BIT])
        if not len(left):
            break
    wide = len(left) > 0 and (len(X) <= MANY or _has_tiny(X))
    for i in left:
        _, top = np.frexp(np.abs(ends[:, i]).max())
        if top > -1074 - LOWEST and wide:  # else nothing can vanish beside the largest value
            sizes = np.abs(X[:, i].astype(float) - origin[i])
            top = min(top, np.frexp(sizes[sizes > 0].min())[1] - LOWEST)
        exponent[i] = top - 2  # the largest value is at least 2 and below 4
    return exponent


def _has_tiny(X: NDArray) -> bool:
    """Tell whether a value may vanish beside large ones; looks at blocks that stay in the cache."""
    if X.dtype == np.float32:  # its smallest one does not
        return False
    for start in range(0, len(X), TOGETHER * TOGETHER):
        sizes = np.abs(X[start : start + TOGETHER * TOGETHER])
        if sizes.min() < TINY and ((sizes < TINY) & (sizes != 0)).any():
            return True
    return False


def _lowest_bits(values: NDArray, decimals: int, single: bool) -> NDArray[np.int64]:
    """Return of each column t if its values/2^t have so many decimals, one odd in the last; else `NO_BIT`."""
    digits, most = (18, 2.0**14) if single else (45, 2.0**31)
    factor = 10.0**decimals
    mantissa, exponent = np.frexp(values * factor)
    whole = np.rint(np.ldexp(mantissa, digits)).astype(np.int64)
    _, zeros = np.frexp((whole & -whole).astype(float))
    bits = np.where(values == 0, NO_BIT, exponent - digits + zeros - 1).min(axis=0)
    with np.errstate(over="ignore"):
        values = np.ldexp(values, -bits)
        small = np.abs(values).max(axis=0) * factor < most
        short = np.rint(values * factor) / factor
        short = short.astype(np.float32) if single else short
    return np.where(small & (values == short).all(axis=0), bits, NO_BIT)
