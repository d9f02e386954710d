"""Splits patterns into folds, so that candidates are judged on rows they have not seen.

A fold is made of weights, not of rows: each pattern has a weight for training and one for testing, in
each class. A heavy pattern, one that stands for many identical rows, is shared among several folds.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import check_cv

from netlines.training.patterns import Patterns

MOST_REPETITIONS = 2**53  # which a row may stand for
FEW_REPETITIONS = 10  # larger whole numbers alone are hardly repetitions


@dataclass(frozen=True, eq=False)
class Examples:
    """Patterns with one class each: which pattern, the number of its class and its weight.

    A contradictory pattern occurs once in each of its classes.
    """

    pattern: NDArray
    labels: NDArray
    weights: NDArray

    @classmethod
    def of(cls, counts: NDArray) -> Examples:
        """List what has a positive weight among the weights (P, C) of the classes on the patterns."""
        pattern, labels = np.nonzero(counts > 0)
        return cls(pattern, labels, counts[pattern, labels])

    @classmethod
    def joined(cls, several: Sequence[Examples]) -> Examples:
        """List the examples of several folds one after the other."""
        fields = ("pattern", "labels", "weights")
        return cls(*(np.concatenate([getattr(one, name) for one in several]) for name in fields))

    def where(self, use: NDArray | slice) -> Examples:
        """Return some of the examples."""
        return Examples(self.pattern[use], self.labels[use], self.weights[use])

    @property
    def targets(self) -> NDArray:
        """The labels of two classes as ±1."""
        return 2.0 * self.labels - 1.0

    @property
    def share(self) -> NDArray:
        """The weights with the sum 1."""
        return np.asarray(self.weights / self.weights.sum())

    def priors(self, n_classes: int) -> NDArray:
        """Return the classes' shares of the weight."""
        return np.bincount(self.labels, self.share, n_classes)

    def has_all(self, n_classes: int) -> bool:
        """Tell whether there are examples of each class."""
        return len(np.unique(self.labels)) == n_classes


@dataclass(frozen=True, eq=False)
class Fold:
    """What to train on and what to judge by."""

    train: Examples
    test: Examples


def make_folds(patterns: Patterns, n_folds: int, seed: int = 0) -> list[Fold]:
    """Deal the patterns of each class out to folds, one that stands for several rows to as many.

    The result depends on the patterns alone, so neither the order of the rows nor whether a row is repeated
    or weighted changes a fold.

    Parameters
    ----------
    patterns : the training set
    n_folds : how many, at least 2
    seed : decides which pattern comes into which fold
    """
    rows = np.maximum(count_rows(patterns), 1)
    n_folds = min(n_folds, max(2, int(rows.sum())))  # more would be empty
    rows = np.minimum(rows, n_folds)
    order = np.random.default_rng([seed, 3]).permutation(len(rows))
    order = order[np.argsort(patterns.labels[order], kind="stable")]
    # One card a row, dealt in turn: the cards of a pattern lie in consecutive folds.
    first = np.empty(len(rows), dtype=int)
    first[order] = np.concatenate([[0], np.cumsum(rows[order])[:-1]]) % n_folds
    ahead = (np.arange(n_folds)[:, None] - first) % n_folds
    tested = ((ahead < rows) / rows)[:, :, None]  # the share of each pattern that each fold tests
    folds = [Fold(*(Examples.of(patterns.counts * part) for part in (1 - share, share))) for share in tested]
    return [fold for fold in folds if len(fold.test.pattern)]


def count_rows(patterns: Patterns) -> NDArray:
    """Return how many rows each pattern stands for; 1 each if nothing is known of them.

    Weights that are no multiples of the lightest are not repetitions, and a heavy row is then a single one:
    it must not be in training and test part at once.
    """
    lightest = lightest_rows(patterns)
    if lightest is None:
        return np.ones(len(patterns.counts), dtype=int)
    return np.minimum(np.rint((patterns.counts / lightest).sum(axis=1)), MOST_REPETITIONS).astype(int)


def lightest_rows(patterns: Patterns) -> NDArray | None:
    """Return the weight of a row of each class; None if weights are no repetitions.

    It is what each row weighs, if those of a class weigh the same. Else whole numbers are repetitions of rows
    of weight 1, if small ones are among them; and so are multiples of the lightest pattern of a class.
    """
    counts = patterns.counts
    if patterns.row_weights is not None:
        return patterns.row_weights
    lightest = counts.min(axis=0, where=counts > 0, initial=np.inf)
    if lightest.min() <= FEW_REPETITIONS and (counts == np.rint(counts)).all():
        return np.ones(len(lightest))
    rows = (counts / lightest).sum(axis=1)
    return lightest if np.abs(rows - np.rint(rows)).max() < 1e-6 else None


def folds_of_rows(
    patterns: Patterns,
    splits: Iterable[tuple[ArrayLike, ArrayLike]],
    labels: NDArray,
    weights: NDArray,
) -> list[Fold]:
    """Turn splits of the rows, as scikit-learn's splitters give them, into folds of patterns.

    Parameters
    ----------
    patterns : the training set
    splits : pairs of row numbers, for training and for testing
    labels, weights : the number of the class of each row, and its weight
    """

    def examples(chosen: ArrayLike) -> Examples:
        rows = np.asarray(chosen)
        rows = rows[patterns.group[rows] >= 0]
        counts = np.zeros_like(patterns.counts)
        np.add.at(counts, (patterns.group[rows], labels[rows]), weights[rows])
        return Examples.of(counts)

    folds = [Fold(examples(train), examples(test)) for train, test in splits]
    return [fold for fold in folds if len(fold.test.pattern)]


def wanted_folds(
    patterns: Patterns, cv: Any, X: NDArray, labels: NDArray, weights: NDArray, classes: NDArray, seed: int
) -> list[Fold]:
    """Return the folds that the user wants; none if the rows are too few to hold some out.

    Parameters
    ----------
    patterns : the training set
    cv : a number of folds, None for 5, or what scikit-learn takes
    X, labels, weights : rows, the numbers of their classes, and their weights
    classes : the labels that the numbers stand for
    seed : decides which pattern comes into which of a number of folds
    """
    if cv is None or isinstance(cv, Integral):
        folds = make_folds(patterns, 5 if cv is None else int(cv), seed)
        return folds if all(_several(fold.train) for fold in folds) else []
    y = classes[labels]
    given = check_cv(cv, y, classifier=True).split(X, y)
    splits = [_checked_split(k, split, len(y)) for k, split in enumerate(given)]
    folds = folds_of_rows(patterns, splits, labels, weights)
    lacking = [k for k, fold in enumerate(folds) if not _several(fold.train)]
    if lacking or not folds:
        what = f"fold {lacking[0]} (counted from 0) trains on one class only" if lacking else "no folds"
        raise ValueError(f"cv={cv!r}: {what}; allowed are folds with rows of several classes")
    return folds


def _checked_split(number: int, split: tuple[ArrayLike, ArrayLike], n: int) -> tuple[NDArray, NDArray]:
    """Return the numbers of the rows to train on and to test, or raise an error that names a strange one."""
    try:
        train, test = (np.arange(n)[np.asarray(rows)] for rows in split)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(
            f"fold {number} (counted from 0) of cv must be numbers of rows to train on and to test, "
            f"got {reprlib.repr(split)}; allowed are rows from 0 to {n - 1}"
        ) from error
    return train, test


def _several(examples: Examples) -> bool:
    return len(np.unique(examples.labels)) > 1
