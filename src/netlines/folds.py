"""Splits patterns into folds, so that candidates are judged on rows they have not seen.

A fold is made of weights, not of rows: each pattern has a weight for training and one for testing, in
each class. A heavy pattern, one that stands for many identical rows, is shared among several folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.patterns import Patterns


@dataclass(frozen=True, eq=False)
class Examples:
    """Patterns with one class each: which pattern, its target ±1 and its weight.

    A contradictory pattern occurs twice, once in each class.
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
    rows = np.clip(count_rows(patterns), 1, n_folds)
    order = np.random.default_rng([seed, 3]).permutation(len(rows))
    order = order[np.argsort(patterns.targets[order], kind="stable")]
    # One card a row, dealt in turn: the cards of a pattern lie in consecutive folds.
    first = np.empty(len(rows), dtype=int)
    first[order] = np.concatenate([[0], np.cumsum(rows[order])[:-1]]) % n_folds
    ahead = (np.arange(n_folds)[:, None] - first) % n_folds
    folds = [_fold(patterns, share) for share in (ahead < rows) / rows]
    return [fold for fold in folds if len(fold.test.pattern)]


def count_rows(patterns: Patterns) -> NDArray:
    """Return how many rows each pattern stands for, by the lightest of its class; 1 each if none fits.

    Weights that are no multiples of the lightest are not repetitions, and a heavy row is then a single one:
    it must not be in training and test part at once.
    """
    counts = np.zeros(len(patterns.positive))
    for weights in (patterns.positive, patterns.negative):
        counts += weights / weights.min(where=weights > 0, initial=np.inf)
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

    def examples(chosen: Sequence[int]) -> Examples:
        rows = np.asarray(chosen)
        group, n = patterns.group[rows], len(patterns.positive)
        use = group >= 0
        sums = [np.bincount(group[use], w[rows][use], n) for w in (positive, negative)]
        return Examples.of(*sums)

    folds = [Fold(examples(train), examples(test)) for train, test in splits]
    return [fold for fold in folds if len(fold.test.pattern)]
