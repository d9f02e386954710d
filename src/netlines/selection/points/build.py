"""From rows of two classes to points scores of growing size.

1. Conditions [x ≥ t], or columns in whole steps, are searched for the best few of each size.
2. Their weights become integers, and the log-odds a line of the total.
3. The answer changes at the total from which on the second class is more probable.
4. Of columns with few values, totals of which only some values count are tried too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.selection.points.card import Card
from netlines.selection.points.conditions import Terms, conditions, whole_steps
from netlines.selection.points.rounding import line_of, rounded
from netlines.selection.points.search import Search
from netlines.selection.points.steps import CUTS, countable, stepped

MOST_ROWS = 5000  # that are searched
MOST_COLUMNS = 60
BLOCK = 500  # columns of which conditions are made at a time, when there are many
LARGEST = {"conditions": 10, "sum": 20}  # integers
TWO_DIGITS = 99
LARGEST_INTEGER = 2.0**40  # up to which halves are told apart with ease
NEXT_TO = 2.0**-50  # of the gap below a threshold
OFF = 0.1  # log-odds by which rounding may move the cut of a total of real numbers
SMOOTH = 0.5  # rows of each class that are added to a step

KINDS = ("conditions", "sum")


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows of two classes, each distinct one once.

    Attributes
    ----------
    rows : array (n, N)
    share : array (n,), their weights with the sum 1
    p : array (n,), the share of the second class in the weight of each
    effective : float, how many rows there are, by their weights
    """

    rows: NDArray
    share: NDArray
    p: NDArray
    effective: float

    @classmethod
    def of(cls, rows: NDArray, pattern: NDArray, second: NDArray, weights: NDArray) -> Problem:
        """Put together examples: their patterns among the rows (P, N), whether second class, and weights."""
        if len(pattern) > MOST_ROWS:  # patterns have an order that has nothing to do with their values
            some = slice(None, None, -(-len(pattern) // MOST_ROWS))
            pattern, second, weights = pattern[some], second[some], weights[some]
        total = np.bincount(pattern, weights, len(rows))
        used = np.flatnonzero(total > 0)
        positive = np.bincount(pattern, weights * second, len(rows))[used]
        share = total[used] / total[used].sum()
        effective = float(weights.sum() ** 2 / (weights**2).sum())
        return cls(rows[used], share, np.clip(positive / total[used], 0.0, 1.0), effective)

    @property
    def mean(self) -> float:
        """The share of the second class."""
        return float(self.share @ self.p)


def cards_of(problem: Problem, kind: str, largest: int) -> list[Card]:
    """Return the best scores found with at most 1, 2, … points.

    Parameters
    ----------
    problem : what to learn
    kind : "conditions" or "sum"
    largest : number of points
    """
    columns = _promising_columns(problem)
    rows = problem.rows[:, columns]
    terms = conditions(rows, problem.share, problem.p) if kind == "conditions" else whole_steps(rows)
    terms = Terms(columns[terms.column], terms.start, terms.step)
    if not len(terms.column):
        return []
    Z = terms.of(problem.rows)
    search, found = Search(Z, problem.share, problem.p), []
    for support in search.path(largest):
        some = np.array(support.terms)
        card = _rounded(problem, terms.where(some), search.weights_of(support)[1:], Z[some], LARGEST[kind])
        if card is not None:
            found.append(card)
    # A sum of one column is a condition.
    return [card for card in found if len(card.points) > 1 or (not card.is_sum and _decides(card))]


def _rounded(problem: Problem, terms: Terms, weights: NDArray, Z: NDArray, largest: int) -> Card | None:
    """Return a score of terms with these weights, all integers of two digits at most, if there is one."""
    while largest >= 1:
        points = rounded(weights, Z, problem.share, problem.p, largest=largest)
        used = points != 0
        if not used.any():
            return None
        card = _with_line(problem, terms.where(used), points[used], Z[used])
        if np.abs(card.cuts).max() <= TWO_DIGITS:
            return card
        top = float(np.abs(points).max())
        largest = min(int(top * TWO_DIGITS / float(np.abs(card.cuts).max())), largest - 1)
    return None


def stepped_card(problem: Problem, numbers: int) -> Card | None:
    """Return a score of few-valued columns with several cuts, or None if none was found.

    Parameters
    ----------
    problem : what to learn
    numbers : points and cuts, at most
    """
    columns = _promising_columns(problem)
    terms = whole_steps(problem.rows[:, columns])
    terms = Terms(columns[terms.column], terms.start, terms.step)
    terms = terms.where(countable(terms, problem.rows))
    if len(terms.column) < 2 or numbers <= CUTS:
        return None
    Z = terms.of(problem.rows)
    points, cuts = stepped(Z, problem.share, problem.p, numbers, problem.effective)
    used = np.flatnonzero(points)
    if len(cuts) < 2 or len(used) == 0:
        return None
    terms, points = terms.where(used), points[used]
    if points.sum() < 0 or (points.sum() == 0 and points[0] < 0):  # points that add up read better
        points, cuts = -points, np.sort(1.0 - cuts)
    step = np.searchsorted(cuts, np.rint(points @ Z[used]), side="right")
    weight = problem.share * problem.effective
    second = np.bincount(step, weight * problem.p, len(cuts) + 1) + SMOOTH
    first = np.bincount(step, weight * (1.0 - problem.p), len(cuts) + 1) + SMOOTH
    levels = np.log(second / first)
    if (np.sign(levels[1:]) == np.sign(levels[:-1])).any():
        return None
    return Card(terms, points, cuts, levels, None, True)


def _with_line(problem: Problem, terms: Terms, points: NDArray, Z: NDArray) -> Card:
    """Return the score with the log-odds as a line of its total, and the cut where they are 0."""
    a, b = line_of(points, Z, problem.share, problem.p)
    if b < 0:
        points, b = -points, -b
    whole = bool((np.rint(Z) == Z).all())
    b = max(b, 1e-9)
    reach = float(np.abs(points @ Z).max()) + 2.0
    cut = float(np.clip(-a / b, -reach, reach))
    if whole:
        cut = np.ceil(cut - 1e-9)
    else:
        times = _times(cut, b, LARGEST["sum"] // int(np.abs(points).max()))
        points, b = points * times, b / times
        cut = np.rint(cut * times)
        a = -b * cut  # the probability is one half at the cut
    return Card(terms, points, np.array([cut]), np.array([-1.0, 1.0]), (a, b), whole)


def _times(cut: float, slope: float, most: int) -> int:
    """Return by what points are multiplied so that an integer is near enough to the best cut."""
    some = [k for k in range(1, most + 1) if abs(np.rint(cut * k)) <= TWO_DIGITS] or [1]
    off = [slope * abs(np.rint(cut * k) / k - cut) for k in some]
    return next((k for k, own in zip(some, off, strict=True) if own <= OFF), some[int(np.argmin(off))])


def _decides(card: Card) -> bool:
    """Tell whether a score of one condition has both answers."""
    point, cut = card.points[0], card.cuts[0]
    return bool(min(point, 0.0) < cut <= max(point, 0.0))


def margins_of(card: Card, rows: NDArray) -> NDArray:
    """Return by how much the unit of each condition answers before its threshold.

    Of integers it is one half, so that no row lies on the hyperplane; else next to nothing, so that a value
    of just the threshold is on its side.
    """
    found = []
    for i, t in zip(card.terms.column, card.terms.start, strict=True):
        lower = rows[rows[:, i] < t, i]
        whole = abs(t) < LARGEST_INTEGER and t == np.rint(t) and (rows[:, i] == np.rint(rows[:, i])).all()
        gap = t - lower.max() if len(lower) else 1.0
        found.append(0.5 if whole else max(NEXT_TO * gap, 2.0 * np.spacing(abs(t))))
    return np.array(found)


def _promising_columns(problem: Problem) -> NDArray[np.intp]:
    """Return the columns that tell most by a single condition, in their order; all if they are not many."""
    n = problem.rows.shape[1]
    if n <= MOST_COLUMNS:
        return np.arange(n)
    gains = np.zeros(n)
    for columns in _blocks(n):
        terms = conditions(problem.rows[:, columns], problem.share, problem.p)
        if len(terms.column):
            Z = terms.of(problem.rows[:, columns])
            mean = Z @ problem.share
            slope = (Z * problem.share) @ (problem.p - problem.mean)
            np.maximum.at(gains, columns[terms.column], slope**2 / np.maximum(mean * (1.0 - mean), 1e-12))
    return np.sort(np.argsort(-gains, kind="stable")[:MOST_COLUMNS])


def _blocks(n: int) -> Iterator[NDArray[np.intp]]:
    for start in range(0, n, BLOCK):
        yield np.arange(start, min(start + BLOCK, n))
