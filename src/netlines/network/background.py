"""What a network remembers of the rows it was trained on, so that its answers can be explained without them.

numpy only: centre, spread and range of each input, which inputs are integers, and how they go together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame, ends_of
from netlines.network.frozen import Frozen

COLDEST = 1e-9  # temperature
TEMPERATURE = 0.3  # at which hidden units are in doubt, in standardised units, where nothing is known
MOST_ROWS = 10_000  # of which means, spreads and correlations are taken
ROUNDED = 8e-4  # how negative rounding may make the smallest eigenvalue of correlations
FIRST = 100  # rows in which most properties fail already
MOST_INPUTS = 100  # up to which their correlations are remembered
LARGEST_INTEGER = 2.0**53
LOOSE = 0.05  # share of independence that is mixed with correlations, so that distances never explode

SMALLEST = float(np.finfo(float).smallest_subnormal)  # spread
FURTHEST = 1e150  # in standardised units: from there on rows are equally far

_EACH = ("mean", "scale", "low", "high", "integer", "two")


@dataclass(frozen=True, eq=False)
class Background(Frozen):
    """The training rows in a few numbers.

    Attributes
    ----------
    mean, scale : arrays of shape (N,)
        The standardisation of the inputs: (x - mean)/scale. A constant input has the scale 1.
    low, high : arrays of shape (N,)
        The smallest and the largest value of each input.
    integer : array of bool, shape (N,)
        Whether all values of an input are integers, none above 2^53, from where on all numbers are.
    two : array of bool, shape (N,)
        Whether an input has no other values than `low` and `high`.
    groups : tuple of tuples of int
        Neighbouring inputs of two values of which exactly one is high in each row: a text column that was
        one-hot encoded.
    correlation : array of shape (N, N) or None
        How the inputs go together; None for more than 100 of them, which then count as independent.
    temperature : float
        The temperature, in standardised units, at which hidden units are in doubt about a row.
    farthest : float or None
        How far the farthest training row is from the middle of the others, see `distances`; None: unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.background import describe
    >>> about = describe(np.array([[1.0, 0.5], [3.0, 2.5]]))
    >>> about.mean.tolist(), about.scale.tolist(), about.integer.tolist()
    ([2.0, 1.5], [1.0, 1.0], [True, False])
    >>> describe(np.array([[5.0, 0, 0, 1], [6.5, 1, 0, 0], [7.0, 0, 1, 0]])).groups
    ((1, 2, 3),)
    """

    mean: NDArray
    scale: NDArray
    low: NDArray
    high: NDArray
    integer: NDArray
    two: NDArray
    groups: tuple[tuple[int, ...], ...] = ()
    correlation: NDArray | None = None
    temperature: float = TEMPERATURE
    farthest: float | None = None

    def __post_init__(self) -> None:
        self._freeze("mean", "scale", "low", "high", "correlation", dtype=float)
        self._freeze("integer", "two", dtype=bool)
        object.__setattr__(self, "groups", tuple(tuple(map(int, group)) for group in self.groups))
        n = len(self.mean)
        members = [i for group in self.groups for i in group]
        if len(set(members)) < len(members) or not set(members) <= set(range(n)):
            raise ValueError(
                f"background.groups must be of inputs from 0 to {n - 1}, each once, got {self.groups}"
            )
        shapes = {name: (n,) for name in _EACH}
        for name, shape in {**shapes, "correlation": (n, n)}.items():
            found = getattr(self, name)
            if found is not None and found.shape != shape:
                raise ValueError(f"background.{name} must have shape {shape}, got {found.shape}")
        self._check("scale", self.scale > 0, "positive")
        if not COLDEST <= self.temperature < np.inf:
            raise ValueError(
                f"background.temperature must be positive, at least {COLDEST:g}, got {self.temperature!r}"
            )
        if self.farthest is not None and not 0 <= self.farthest < np.inf:
            raise ValueError(f"background.farthest must be at least 0, or None, got {self.farthest!r}")
        self._check("low", self.low <= self.high, "at most background.high")
        # The mean of values that are all alike may differ from them by rounding.
        size = np.maximum(np.abs(self.low), np.abs(self.high))
        slack = 1e-9 * (self.high - self.low) + 1e-12 * size
        within = (self.mean >= self.low - slack) & (self.mean <= self.high + slack)
        self._check("mean", within, "between background.low and background.high")
        for name in ("low", "high"):
            ends = getattr(self, name)
            whole = (ends == np.rint(ends)) & (np.abs(ends) <= LARGEST_INTEGER)
            self._check(name, whole | ~self.integer, "integers up to 2^53 where background.integer is true")
        if not all(map(self._is_one_hot, self.groups)):
            raise ValueError(
                "background.groups must be of neighbouring inputs of two values, the same two, "
                f"got {self.groups}"
            )
        if self.correlation is not None and not _is_correlation(self.correlation):
            raise ValueError(
                "background.correlation must be a correlation: symmetric, 1 on the diagonal, and of no "
                "combination of inputs with a negative spread"
            )

    def _check(self, name: str, holds: NDArray, wanted: str) -> None:
        """Raise an error that names the first input of which a number is not what is wanted."""
        if not holds.all():
            i = int(holds.argmin())
            raise ValueError(
                f"background.{name} must be {wanted}, got {float(getattr(self, name)[i])!r} for input {i}"
            )

    def _is_one_hot(self, group: tuple[int, ...]) -> bool:
        """Tell whether inputs may be one text column that was one-hot encoded: see `_one_hot`."""
        if len(group) < 2 or group != tuple(range(group[0], group[-1] + 1)):
            return False
        own = slice(group[0], group[-1] + 1)
        bottom, top, highs = self.low[group[0]], self.high[own].max(), self.high[own]
        same = (self.low[own] == bottom) & ((highs == bottom) | (highs == top))
        return bool((self.two[own] & same).all() and bottom < top)

    @property
    def binary(self) -> NDArray:
        """Whether an input has only the values 0 and 1, shape (N,)."""
        return np.asarray(self.two & np.isin(self.low, (0, 1)) & np.isin(self.high, (0, 1)))

    def inside(self, frame: Frame) -> Background:
        """Return the background of rows inside a frame."""
        mean, low, high = ((one - frame.origin) / frame.unit for one in (self.mean, self.low, self.high))
        mean = np.clip(mean, low, high)
        whole = (low == np.rint(low)) & (high == np.rint(high))
        integer = self.integer & whole & (np.maximum(np.abs(low), np.abs(high)) <= LARGEST_INTEGER)
        return replace(self, mean=mean, low=low, high=high, scale=self.scale / frame.unit, integer=integer)

    def standardised(self, X: NDArray) -> NDArray:
        """Return rows in standardised units."""
        with np.errstate(over="ignore"):
            z = np.asarray(X - self.mean)
            z /= self.scale
        return np.clip(z, -FURTHEST, FURTHEST, out=z)

    def distances(self, X: NDArray) -> NDArray:
        """Return how far complete rows are from the middle of the training rows, shape (n,).

        It is Mahalanobis' distance: in standard deviations, and less in directions in which inputs usually
        go together. A row whose values are all usual, but not together, is far away.
        """
        return np.sqrt(_squared_distances(self.standardised(X.astype(float, copy=False)), self.correlation))


def _squared_distances(z: NDArray, correlation: NDArray | None) -> NDArray:
    """Return the squares of Mahalanobis' distances of standardised rows."""
    if correlation is None:
        return np.asarray((z**2).sum(axis=1))
    loose = (1 - LOOSE) * correlation + LOOSE * np.eye(z.shape[1])
    return np.maximum(np.einsum("ij,ij->i", z @ np.linalg.inv(loose), z), 0.0)


def unknown(n_features: int) -> Background:
    """Return the background of a network that remembers nothing: inputs as if they were standardised."""
    zeros, ones = np.zeros(n_features), np.ones(n_features)
    return Background(zeros, ones, -np.inf * ones, np.inf * ones, zeros, zeros)


def describe(X: NDArray, weights: NDArray | None = None) -> Background:
    """Return the background that rows make; those of weight 0 do not count.

    Of more than 10,000 rows so many, evenly spread, give means, spreads and correlations.
    """
    share = np.ones(len(X)) if weights is None else weights
    rows = X
    if not (share > 0).all():
        rows, share = X[share > 0], share[share > 0]
    low, high = ends_of(rows)
    some = slice(None, None, -(-len(rows) // MOST_ROWS))
    few, share = rows[some].astype(float), share[some] / share[some].sum()
    integer = np.maximum(np.abs(low), np.abs(high)) <= LARGEST_INTEGER
    integer[integer] = _hold(rows, few, integer, lambda part, _: part == np.rint(part))
    two = _hold(
        rows, few, np.ones_like(integer), lambda part, which: (part == low[which]) | (part == high[which])
    )
    mean = np.clip(low + share @ (few - low), low, high)
    # Dividing by the range first keeps the squares from overflowing or vanishing.
    span = np.where(high > low, high - low, 1.0)
    apart = (few - mean) / span
    deviation = np.sqrt(share @ apart**2)
    constant = ~(deviation > 1e-12)
    correlation = None
    if few.shape[1] <= MOST_INPUTS:
        z = apart / np.where(constant, 1.0, deviation)
        correlation = np.where(constant[:, None] | constant, 0.0, (z * share[:, None]).T @ z)
        np.fill_diagonal(correlation, 1.0)
        short = correlation.round(4)  # model files stay short
        correlation = short if _is_correlation(short) else correlation
    spread = np.maximum(deviation * span, SMALLEST)
    scale, groups = np.where(constant, 1.0, spread), _one_hot(rows, low, high, two)
    about = Background(mean, scale, low, high, integer, two, groups, correlation)
    return replace(about, farthest=_farthest(about, few))


def _farthest(about: Background, rows: NDArray) -> float:
    """Return the largest distance of a row from the others, as if it had not been among them.

    Each row draws the middle and the correlations to itself, of few rows with many inputs a great deal.
    """
    squares, n = about.distances(rows) ** 2, max(len(rows), 2)
    if about.correlation is not None:
        squares = squares / np.maximum(1 - (1 - LOOSE) * squares / (n - 1), LOOSE)
    return float(np.sqrt(squares.max() * n / (n - 1)) * (1 + 1e-9))


def _is_correlation(matrix: NDArray) -> bool:
    """Tell whether a matrix is a correlation but for what rounding to 4 digits may do to it."""
    if not (np.abs(matrix - matrix.T) <= 2e-4).all() or not (np.abs(np.diag(matrix) - 1.0) <= 1e-9).all():
        return False
    return bool(np.abs(matrix).max() <= 1.001 and np.linalg.eigvalsh(matrix)[0] > -ROUNDED)


def _hold(
    rows: NDArray, few: NDArray, columns: NDArray, holds: Callable[[NDArray, NDArray], NDArray]
) -> NDArray:
    """Tell for which of some columns a property holds in all rows; most fail in a few of them already."""
    which = np.flatnonzero(columns)
    for some in (few[:FIRST], few, rows):
        which = which[holds(some[:, which], which).all(axis=0)]
    return np.isin(np.flatnonzero(columns), which)


def _one_hot(rows: NDArray, low: NDArray, high: NDArray, two: NDArray) -> tuple[tuple[int, ...], ...]:
    """Return the runs of inputs of two values, the same two, of which exactly one is high in each row."""
    groups, start, n = [], 0, len(two)
    while start < n:
        if not two[start]:
            start += 1
            continue
        count, stop = np.zeros(len(rows), dtype=np.int64), start
        # A category that no row has is always low.
        while stop < n and two[stop] and low[stop] == low[start] and high[stop] in (low[start], high[start]):
            count += rows[:, stop] == high[start]
            stop += 1
            if count.max() > 1 or count.min() == 1:
                break
        if stop > start + 1 and low[start] < high[start] and count.min() == count.max() == 1:
            groups.append(tuple(range(start, stop)))
            start = stop
        else:
            start += 1
    return tuple(groups)
