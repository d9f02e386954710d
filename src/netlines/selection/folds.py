"""Splits patterns into folds, so that candidates are judged on rows they have not seen.

A fold is made of weights, not of rows: each pattern has a weight for training and one for testing, in
each class. A heavy pattern, one that stands for many identical rows, is shared among several folds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.training.patterns import ClassPatterns, Patterns


@dataclass(frozen=True, eq=False)
class Examples:
    """Patterns with one class each: which pattern, its target and its weight.

    The target is ±1, or with more than two classes the number of the class. A contradictory pattern occurs
    once in each of its classes.
    """

    pattern: NDArray
    targets: NDArray
    weights: NDArray

    @classmethod
    def of(cls, positive: NDArray, negative: NDArray) -> Examples:
        """List what has a positive weight, in the order of the patterns."""
        pattern = np.repeat(np.arange(len(positive)), 2)
        weights = np.column_stack([positive, negative]).ravel()
        targets = np.tile([1.0, -1.0], len(positive))
        use = weights > 0
        return cls(pattern[use], targets[use], weights[use])

    @classmethod
    def of_classes(cls, counts: NDArray) -> Examples:
        """List what has a positive weight among the weights (P, C) of the classes on the patterns."""
        pattern, labels = np.nonzero(counts > 0)
        return cls(pattern, labels, counts[pattern, labels])

    @classmethod
    def joined(cls, several: Sequence[Examples]) -> Examples:
        """List the examples of several folds one after the other."""
        fields = ("pattern", "targets", "weights")
        return cls(*(np.concatenate([getattr(one, name) for one in several]) for name in fields))

    @property
    def share(self) -> NDArray:
        """The weights with the sum 1."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def priors(self) -> NDArray:
        """The shares of the classes -1 and +1."""
        positive = self.share[self.targets > 0].sum()
        return np.array([1.0 - positive, positive])


@dataclass(frozen=True, eq=False)
class Fold:
    """What to train on and what to judge by."""

    train: Examples
    test: Examples


def both_classes(examples: Examples) -> bool:
    """Tell whether there are examples of both classes."""
    return bool((examples.targets > 0).any() and (examples.targets < 0).any())


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
    counts = np.column_stack([patterns.positive, patterns.negative])
    shares = _deal(counts, patterns.targets, n_folds, seed)
    folds = [_fold(patterns, share) for share in shares]
    return [fold for fold in folds if len(fold.test.pattern)]


def make_class_folds(patterns: ClassPatterns, n_folds: int, seed: int = 0) -> list[Fold]:
    """Do the same with patterns of many classes."""
    folds = []
    for share in _deal(patterns.counts, patterns.labels, n_folds, seed)[:, :, None]:
        parts = (patterns.counts * (1 - share), patterns.counts * share)
        folds.append(Fold(*map(Examples.of_classes, parts)))
    return [fold for fold in folds if len(fold.test.pattern)]


def _deal(counts: NDArray, majority: NDArray, n_folds: int, seed: int) -> NDArray:
    """Return the share of each pattern that each fold tests, shape (n_folds, P)."""
    rows = np.clip(count_rows(counts), 1, n_folds)
    order = np.random.default_rng([seed, 3]).permutation(len(rows))
    order = order[np.argsort(majority[order], kind="stable")]
    # One card a row, dealt in turn: the cards of a pattern lie in consecutive folds.
    first = np.empty(len(rows), dtype=int)
    first[order] = np.concatenate([[0], np.cumsum(rows[order])[:-1]]) % n_folds
    ahead = (np.arange(n_folds)[:, None] - first) % n_folds
    return np.asarray((ahead < rows) / rows)


def count_rows(weights: NDArray) -> NDArray:
    """Return how many rows each pattern stands for, by the lightest of its class; 1 each if none fits.

    `weights` (P, C) are those of the classes on the patterns.

    Weights that are no multiples of the lightest are not repetitions, and a heavy row is then a single one:
    it must not be in training and test part at once.
    """
    counts = np.zeros(len(weights))
    for column in weights.T:
        counts += column / column.min(where=column > 0, initial=np.inf)
    repeated = np.abs(counts - np.rint(counts)).max() < 1e-6
    return np.rint(counts).astype(int) if repeated else np.ones(len(counts), dtype=int)


def _fold(patterns: Patterns, share: NDArray) -> Fold:
    return Fold(
        Examples.of(patterns.positive * (1 - share), patterns.negative * (1 - share)),
        Examples.of(patterns.positive * share, patterns.negative * share),
    )


def folds_of_rows(
    patterns: Patterns,
    splits: Iterable[tuple[Sequence[int], Sequence[int]]],
    positive: NDArray,
    negative: NDArray,
) -> list[Fold]:
    """Turn splits of the rows, as scikit-learn's splitters give them, into folds of patterns.

    Parameters
    ----------
    patterns : the training set
    splits : pairs of row numbers, for training and for testing
    positive, negative : weight of each row in each class
    """
    weights = np.column_stack([positive, negative])
    return _folds(patterns, splits, weights, lambda sums: Examples.of(*sums.T))


def class_folds_of_rows(
    patterns: ClassPatterns,
    splits: Iterable[tuple[Sequence[int], Sequence[int]]],
    labels: NDArray,
    weights: NDArray,
) -> list[Fold]:
    """Do the same with rows of many classes, of which the numbers are given."""
    by_class = weights[:, None] * (labels[:, None] == np.arange(patterns.counts.shape[1]))
    return _folds(patterns, splits, by_class, Examples.of_classes)


def _folds(
    patterns: Patterns | ClassPatterns,
    splits: Iterable[tuple[Sequence[int], Sequence[int]]],
    weights: NDArray,
    listed: Callable[[NDArray], Examples],
) -> list[Fold]:
    """Sum the weights (n, C) of the rows of each part by pattern, and list them."""

    def examples(chosen: Sequence[int]) -> Examples:
        rows = np.asarray(chosen)
        group, n = patterns.group[rows], len(patterns.first)
        use = group >= 0
        sums = [np.bincount(group[use], column[rows][use], n) for column in weights.T]
        return listed(np.column_stack(sums))

    folds = [Fold(examples(train), examples(test)) for train, test in splits]
    return [fold for fold in folds if len(fold.test.pattern)]
