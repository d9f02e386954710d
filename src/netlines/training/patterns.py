"""From the rows of a table to distinct, standardised patterns with weights.

Identical rows become one pattern with the sum of their weights, and patterns have an order of their
own. A fit therefore depends neither on the order of the rows nor on whether a row is repeated or
weighted, and contradictory rows (the same inputs in both classes) are known before training starts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SMALLEST = 1e-305  # a column that varies by less counts as constant: weights on it would overflow


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct inputs and how much weight each class has on them.

    Attributes
    ----------
    X : array (M, P)
        Standardised inputs, feature-major, the constant input 1 first.
    positive, negative : array (P,)
        Weight of the rows of the class +1 and of the class -1 with these inputs.
    mean, scale : array (N,)
        The standardisation; a constant column has an infinite scale, so that no weight on it survives.
    first : array (P,)
        A row of the table that has the pattern's inputs.
    group : array (n,)
        The pattern of each row of the table; -1 for rows of weight 0.
    """

    X: NDArray
    positive: NDArray
    negative: NDArray
    mean: NDArray
    scale: NDArray
    first: NDArray
    group: NDArray

    @property
    def targets(self) -> NDArray:
        """The class ±1 that most of a pattern's weight has."""
        return np.where(self.positive >= self.negative, 1.0, -1.0)

    @property
    def surplus(self) -> NDArray:
        """What a wrong answer costs beyond a right one; 0 where both classes weigh the same."""
        return np.abs(self.positive - self.negative)

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.positive.sum() + self.negative.sum())

    @property
    def unavoidable(self) -> float:
        """Weight of the errors that any function of the inputs makes: the minorities of each pattern."""
        return float(np.minimum(self.positive, self.negative).sum())

    def folded(self) -> tuple[NDArray, NDArray]:
        """Return the patterns times their targets (M, P') and their weights, contradictions twice.

        The patterns are folded in place, to save memory: `X` is spent.
        """
        both = np.flatnonzero((self.positive > 0) & (self.negative > 0))
        X = self.X
        X *= self.targets.astype(X.dtype)
        s = np.maximum(self.positive, self.negative)
        if len(both):
            X = np.ascontiguousarray(np.hstack([X, -X[:, both]]))
            s = np.concatenate([s, np.minimum(self.positive, self.negative)[both]])
        return X, s


@dataclass(frozen=True, eq=False)
class ClassPatterns:
    """The same for more than two classes: `counts` (P, C) has the weight of each class on each pattern."""

    X: NDArray
    counts: NDArray
    mean: NDArray
    scale: NDArray
    first: NDArray
    group: NDArray

    @property
    def labels(self) -> NDArray:
        """The number of the class that most of a pattern's weight has, the first of equal ones."""
        return np.asarray(self.counts.argmax(axis=1))

    @property
    def surplus(self) -> NDArray:
        """By how much the majority of a pattern outweighs the next class; 0 where two weigh the same."""
        ordered = np.sort(self.counts, axis=1)
        return np.asarray(ordered[:, -1] - ordered[:, -2])

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.counts.sum())

    @property
    def unavoidable(self) -> float:
        """Weight of the errors that any function of the inputs makes: what is not of the majorities."""
        return float((self.counts.sum(axis=1) - self.counts.max(axis=1)).sum())


def condense(X: NDArray, targets: NDArray, weights: NDArray) -> Patterns:
    """Group identical rows, give them an order that does not depend on the rows', and standardise.

    Deviation: the paper knows rows only, and its loop would never end on contradictory ones.

    Parameters
    ----------
    X : array (n, N), finite
    targets : array (n,) of ±1
    weights : array (n,), not negative; rows of weight 0 are left out
    """
    order, starts = _groups(X, np.flatnonzero(weights > 0), weights)
    positive, negative = _sums([targets > 0, targets <= 0], weights, order, starts)
    return Patterns(*_standardised(X, positive + negative, order, starts, (positive, negative)))


def condense_classes(X: NDArray, labels: NDArray, weights: NDArray, n_classes: int) -> ClassPatterns:
    """Do the same for labels 0 … C - 1 of many classes."""
    order, starts = _groups(X, np.flatnonzero(weights > 0), weights)
    counts = np.column_stack(_sums([labels == c for c in range(n_classes)], weights, order, starts))
    return ClassPatterns(*_standardised(X, counts.sum(axis=1), order, starts, (counts,)))


def _sums(members: list[NDArray], weights: NDArray, order: NDArray, starts: NDArray) -> list[NDArray]:
    """Return the weight of some of the rows in each group."""
    w = weights[order]
    return [np.add.reduceat(np.where(some[order], w, 0.0), starts) for some in members]


def _standardised(
    X: NDArray, share: NDArray, order: NDArray, starts: NDArray, sums: tuple[NDArray, ...]
) -> tuple:
    """Return the fields of patterns with these weights, `sums` in the middle."""
    first, share = order[starts], share / share.sum()
    n_features = X.shape[1]
    Z = np.empty((n_features + 1, len(first)), dtype=X.dtype)
    mean, scale = np.zeros(n_features), np.full(n_features, np.inf)
    Z[0] = 1.0
    for i in range(n_features):
        column = X[first, i].astype(float)
        if column.max() - column.min() > SMALLEST:
            mean[i] = share @ column
            column -= mean[i]
            largest = np.abs(column).max()
            scale[i] = largest * np.sqrt(share @ (column / largest) ** 2)
        Z[i + 1] = column / scale[i]
    group = np.full(len(X), -1)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    return (Z, *sums, mean, scale, first, group)


def _groups(X: NDArray, rows: NDArray, weights: NDArray) -> tuple[NDArray, NDArray]:
    """Order `rows` so that identical ones are neighbours; return it and where each group starts.

    Within a group the weights rise, so that their sum is rounded in the same way whatever the order was.
    """
    key = np.full(len(rows), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for i in range(X.shape[1]):
        bits = (X[rows, i].astype(np.float64) + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
        key = (key ^ bits) * np.uint64(0xD6E8FEB86659FD93)
        key ^= key >> np.uint64(32)
    order = np.lexsort((weights[rows], key))
    key, order = key[order], rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = key[1:] != key[:-1]
    same = np.flatnonzero(~new)
    if len(same) and (X[order[same]] != X[order[same - 1]]).any():
        # Two different rows share a key, about once in 2^64 / n² tables: sort by the values themselves.
        order = rows[np.lexsort((weights[rows], *X[rows].T))]
        new[1:] = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    return order, np.flatnonzero(new)
