"""How well one column tells the classes apart on its own, counted on the rows of the table itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from netlines._words import count, percent
from netlines.report.column_values import Seen
from netlines.report.plain_table import quoted

ENOUGH = 5  # rows of a category whose share of a class is told
ENOUGH_SHARE = 0.01  # of all rows


@dataclass(frozen=True)
class ByOrder:
    """Numbers: of a row of a class and another, how often the first has the higher (or lower) value.

    Attributes
    ----------
    label : str
        The class that is set apart best; of two classes the second.
    other : str or None
        The other one of two classes.
    higher : bool
        Whether higher values speak for the class.
    auc : float
        From 0.5 to 1; equal values count half.
    """

    label: str
    other: str | None
    higher: bool
    auc: float

    @property
    def short(self) -> str:
        """The number alone."""
        return f"AUC {self.auc:.2f}"

    def sentence(self) -> str:
        """Return the number in words."""
        how, share = "higher" if self.higher else "lower", percent(self.auc, 0)
        who = f"A row of {quoted(self.label)} has a {how} value than one of {quoted(self.other)}"
        if self.other is None:
            who = f"It sets {quoted(self.label)} apart best: a row of it has a {how} value than another row"
        return f"{who} in {share} of all pairs (AUC {self.auc:.2f}); 50 % would be chance."


@dataclass(frozen=True)
class ByValue:
    """Categories: the error of answering the most frequent class of each value, a missing one among them.

    `low` and `high` are of two classes the values with the smallest and the largest share of the second,
    `label`: value, share and rows of each.
    """

    error: float
    guess: str
    guess_error: float
    label: str
    low: tuple[str, float, int] | None = None
    high: tuple[str, float, int] | None = None

    @property
    def short(self) -> str:
        """The number alone."""
        return f"error {percent(self.error, 0)} (guess: {percent(self.guess_error, 0)})"

    def sentence(self) -> str:
        """Return the numbers in words."""
        told = (
            f"Answering the most frequent class of each value would err on {percent(self.error)} of the "
            f"rows, always answering {quoted(self.guess)} on {percent(self.guess_error)}."
        )
        if self.error >= self.guess_error:
            guess = f"always answering {quoted(self.guess)}, which errs on {percent(self.guess_error)}"
            told = f"Alone it is no better than {guess} of the rows."
        if self.low is None or self.high is None or self.low[1] == self.high[1]:
            return told
        ends = [
            f"{percent(share, 0)} of {count(n, 'row')} {value}" for value, share, n in (self.low, self.high)
        ]
        return f"{told} The share of {quoted(self.label)} runs from {ends[0]} to {ends[1]}."


def tell_alone(seen: Seen, of_class: NDArray, labels: Sequence[str]) -> ByOrder | ByValue | None:
    """Return how well a column tells the classes apart; None if there is nothing to compare.

    Parameters
    ----------
    seen : the column
    of_class : array of int, shape (n,)
        The number of each row's class.
    labels : of the classes
    """
    if seen.kind == "nothing" or len(labels) < 2:
        return None
    if seen.is_ordered:
        return _by_order(seen.present, of_class[~seen.missing], labels)
    return _by_value(seen, of_class, labels)


def _by_order(values: NDArray, of_class: NDArray, labels: Sequence[str]) -> ByOrder | None:
    sizes = np.bincount(of_class, minlength=len(labels))
    others = len(values) - sizes
    usable = (sizes > 0) & (others > 0)
    if not usable.any() or values.min() == values.max():
        return None
    ranks = np.bincount(of_class, rankdata(values), minlength=len(labels))
    pairs = np.maximum(sizes * others, 1)
    auc = np.where(usable, (ranks - sizes * (sizes + 1) / 2) / pairs, 0.5)
    best = 1 if len(labels) == 2 else int(np.argmax(np.abs(auc - 0.5)))
    other = labels[0] if len(labels) == 2 else None
    higher = bool(auc[best] >= 0.5)
    return ByOrder(labels[best], other, higher, float(max(auc[best], 1 - auc[best])))


def _by_value(seen: Seen, of_class: NDArray, labels: Sequence[str]) -> ByValue:
    values = np.where(seen.missing, len(seen.levels), seen.values).astype(np.int64)
    counts = np.zeros((len(seen.levels) + 1, len(labels)), dtype=np.int64)
    np.add.at(counts, (values, of_class), 1)
    n, sizes, rows = len(of_class), counts.sum(axis=0), counts.sum(axis=1)
    error = 1 - counts.max(axis=1).sum() / n
    found = ByValue(
        float(error), labels[int(sizes.argmax())], float(1 - sizes.max() / n), labels[len(labels) - 1]
    )
    names = [*(f"with {quoted(level)}" for level in seen.levels), "without a value"]
    told = [k for k in range(len(names)) if rows[k] >= max(ENOUGH, ENOUGH_SHARE * n)]
    if len(labels) != 2 or len(told) < 2:
        return found
    ends = sorted((float(counts[k, 1] / rows[k]), k) for k in told)
    low, high = ((names[k], share, int(rows[k])) for share, k in (ends[0], ends[-1]))
    return ByValue(found.error, found.guess, found.guess_error, found.label, low, high)
