"""What may get points: conditions on single columns with round thresholds, and columns in whole steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

THRESHOLDS = 10  # of a column, at most
AROUND = 0.02  # the share of the rows on each side of a quantile within which a threshold may be rounded
CLOSE = 0.003  # the same where a single threshold tells most
LEAST = 0.01  # the share of the rows that a condition holds for at least, or does not
FEW = 10.0  # the range up to which a column of integers counts in steps of 1
ROUND = (1.0, 2.0, 5.0)


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms that may get points, and their values on rows.

    Attributes
    ----------
    column : array (m,), the input of each
    start, step : arrays (m,)
        Of a condition [x ≥ start] the step is 0, else the term is (x - start)/step.
    """

    column: NDArray
    start: NDArray
    step: NDArray

    def of(self, rows: NDArray) -> NDArray:
        """Return the values (m, n) of the terms on rows (n, N)."""
        values = rows.T[self.column]
        return np.where(
            self.step[:, None] == 0,
            values >= self.start[:, None],
            (values - self.start[:, None]) / np.where(self.step == 0, 1.0, self.step)[:, None],
        ).astype(float)

    def where(self, some: NDArray) -> Terms:
        """Return some of the terms."""
        return Terms(self.column[some], self.start[some], self.step[some])


def conditions(rows: NDArray, share: NDArray, p: NDArray) -> Terms:
    """Return the conditions [x ≥ t] on the columns of rows (n, N).

    Parameters
    ----------
    rows : array (n, N)
    share, p : arrays (n,), weights with the sum 1, and the share of the second class
    """
    found = [(i, t, 0.0) for i in range(rows.shape[1]) for t in thresholds(rows[:, i], share, p)]
    return _terms(found)


def whole_steps(rows: NDArray) -> Terms:
    """Return each column in whole steps as a term; one of two values counts from the lower."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    found = []
    for i in np.flatnonzero(high > low).tolist():
        values = rows[:, i]
        two = bool(((values == low[i]) | (values == high[i])).all())
        if two:
            found.append((i, float(low[i]), float(high[i] - low[i])))
        elif high[i] - low[i] <= FEW and (values == np.rint(values)).all():
            found.append((i, 0.0, 1.0))
        else:
            found.append((i, 0.0, nearest_round(float(values.std()))))
    return _terms(found)


def _terms(found: list[tuple[int, float, float]]) -> Terms:
    column, start, step = zip(*found, strict=True) if found else ((), (), ())
    return Terms(np.array(column, dtype=int), np.array(start, dtype=float), np.array(step, dtype=float))


def nearest_round(size: float) -> float:
    """Return the number among 1, 2 and 5 times powers of ten that is nearest to a positive one, by ratio.

    Examples
    --------
    >>> from netlines.selection.points.conditions import nearest_round
    >>> nearest_round(32.0), nearest_round(0.0012)
    (50.0, 0.001)
    """
    power = np.floor(np.log10(size))
    every = [float(f"{one:g}e{int(power + more):d}") for more in (0, 1) for one in ROUND]
    return min(every, key=lambda one: abs(np.log(one / size)))


def thresholds(values: NDArray, share: NDArray, p: NDArray) -> list[float]:
    """Return few round numbers that split the values of a column, in increasing order.

    Where there are few distinct values there is one between each two neighbours; else they lie near
    quantiles, and where a single one tells the classes apart best. The parameters are those of `conditions`.
    """
    distinct, group = np.unique(values, return_inverse=True)
    integer = bool((distinct == np.rint(distinct)).all())
    weight = np.bincount(group.ravel(), share)
    below = np.cumsum(weight)[:-1]  # the share up to each distinct value
    inner = np.flatnonzero((below >= LEAST) & (below <= 1.0 - LEAST))
    if len(inner) == 0:
        inner = np.arange(len(below))[:THRESHOLDS]
    if len(inner) <= THRESHOLDS:
        return [roundest(distinct[k], distinct[k + 1], integer) for k in inner]
    second = np.cumsum(np.bincount(group.ravel(), share * p))[:-1]
    lead = (second - below * float(share @ p)) ** 2 / (below * (1.0 - below))  # what a split gains in purity
    best = inner[int(lead[inner].argmax())]
    places = [(q, AROUND) for q in np.linspace(0, 1, THRESHOLDS + 2)[1:-1]] + [(float(below[best]), CLOSE)]
    found = []
    for q, around in places:
        low, high = (int(np.searchsorted(below, q + side)) for side in (-around, around))
        low, high = max(min(low, len(distinct) - 2), 0), min(max(high, low + 1), len(distinct) - 1)
        found.append(roundest(distinct[low], distinct[high], integer))
    return sorted(set(found))


def roundest(low: float, high: float, integer: bool = False) -> float:
    """Return the number with the fewest digits in the middle half between two, of several the most central.

    Of integers close to each other it is one above `low` and up to `high`.

    Examples
    --------
    >>> from netlines.selection.points.conditions import roundest
    >>> roundest(136.0, 143.0, integer=True), roundest(0.83, 0.87), roundest(1.0, 2.0, integer=True)
    (140.0, 0.85, 2.0)
    """
    middle, quarter = low + (high - low) / 2, 0.0 if integer and high - low <= 4 else (high - low) / 4
    first_allowed, last_allowed = low + quarter, high - quarter
    power = int(np.floor(np.log10(max(abs(low), abs(high), high - low)))) + 1
    for exponent in range(power, power - 18, -1):
        for digit in (10, 5):  # multiples of ten, then of five
            unit = digit * 10.0 ** (exponent - 1)
            first, last = int(np.floor(first_allowed / unit)) + 1, int(np.floor(last_allowed / unit))
            if first <= last:
                k = min(max(int(np.rint(middle / unit)), first), last)
                number = _decimal(k * digit, exponent - 1)
                if low < number <= high:
                    return number
    return float(high)


def _decimal(digits: int, exponent: int) -> float:
    """Return digits · 10^exponent, the nearest number to what a person would write."""
    return float(f"{digits}e{exponent}")
