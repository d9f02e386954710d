"""From the rows of a table to distinct, standardised patterns with weights.

Identical rows become one pattern with the sum of their weights, and patterns have an order of their
own. A fit therefore depends neither on the order of the rows nor on whether a row is repeated or
weighted, and contradictory rows (the same inputs in both classes) are known before training starts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame
from netlines.network.probability import most_probable

# The scale of a column in its largest deviation; where some rows outweigh all others by far it would vanish.
SMALLEST_SCALE = 2.0**-40


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct inputs and how much weight each class has on them.

    Attributes
    ----------
    X : array (M, P)
        Standardised inputs, feature-major, the constant input 1 first.
    counts : array (P, C)
        Weight of the rows of each class with these inputs; of two classes the second is that of +1.
    frame : Frame
        The coordinates in which the columns are of ordinary size.
    mean, scale : array (N,)
        The standardisation inside that frame; a constant column has an infinite scale, so that no weight on
        it survives.
    first : array (P,)
        A row of the table that has the pattern's inputs.
    group : array (n,)
        The pattern of each row of the table; -1 for rows of weight 0.
    row_weights : array (C,) or None
        The weight of each row of a class; None if they differ in one.
    """

    X: NDArray
    counts: NDArray
    frame: Frame
    mean: NDArray
    scale: NDArray
    first: NDArray
    group: NDArray
    row_weights: NDArray | None

    @property
    def labels(self) -> NDArray:
        """The number of the class that most of a pattern's weight has."""
        return most_probable(self.counts)

    @property
    def targets(self) -> NDArray:
        """The labels of two classes as ±1."""
        return 2.0 * self.labels - 1.0

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


def condense(X: NDArray, labels: NDArray, weights: NDArray, n_classes: int = 2) -> Patterns:
    """Group identical rows, give them an order that does not depend on the rows', and standardise.

    Deviation: the paper knows rows only, and its loop would never end on contradictory ones.

    Parameters
    ----------
    X : array (n, N), finite
    labels : array (n,), the numbers 0 … C - 1 of the classes
    weights : array (n,), not negative; rows of weight 0 are left out
    n_classes : C
    """
    rows = np.flatnonzero(weights > 0)
    frame = Frame.of(X if len(rows) == len(X) else X[rows])
    order, starts = _groups(X, frame, rows, weights, labels)
    own, w = labels[order], weights[order]
    sums = [np.add.reduceat(np.where(own == c, w, 0.0), starts) for c in range(n_classes)]
    counts = np.column_stack(sums)
    first, share = order[starts], counts.sum(axis=1) / counts.sum(axis=1).sum()
    Z, mean, scale = _standardised(X, frame, first, share)
    group = np.full(len(X), -1)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    return Patterns(Z, counts, frame, mean, scale, first, group, _row_weights(own, w, n_classes))


def _row_weights(labels: NDArray, weights: NDArray, n_classes: int) -> NDArray | None:
    """Return what each row of a class weighs, None if they differ in one."""
    if weights.min() == weights.max():
        return np.full(n_classes, weights[0], dtype=float)
    classes = [weights[labels == c] for c in range(n_classes)]
    if any(len(own) and own.min() < own.max() for own in classes):
        return None
    return np.array([own[0] if len(own) else 1.0 for own in classes], dtype=float)


def condense_folded(X: NDArray, labels: NDArray, weights: NDArray) -> tuple[NDArray, NDArray, Patterns]:
    """Condense two classes for a single unit: patterns times their targets, contradictions twice.

    The patterns are folded in place, to save memory: those of the result tell the standardisation alone.

    Parameters
    ----------
    X, labels, weights : as in `condense`

    Returns
    -------
    (folded patterns (M, P'); their weights (P',); the patterns, which are spoilt)
    """
    patterns = condense(X, labels, weights)
    folded, counts = patterns.X, patterns.counts
    both = np.flatnonzero((counts > 0).all(axis=1))
    folded *= patterns.targets.astype(folded.dtype)
    s = counts.max(axis=1)
    if len(both):
        folded = np.ascontiguousarray(np.hstack([folded, -folded[:, both]]))
        s = np.concatenate([s, counts.min(axis=1)[both]])
    return folded, s, patterns


def _standardised(
    X: NDArray, frame: Frame, first: NDArray, share: NDArray
) -> tuple[NDArray, NDArray, NDArray]:
    """Return some rows with these shares as patterns (M, P), and the means and scales of the columns."""
    n_features = X.shape[1]
    Z = np.empty((n_features + 1, len(first)), dtype=X.dtype)
    mean, scale = np.zeros(n_features), np.full(n_features, np.inf)
    Z[0] = 1.0
    for i in range(n_features):
        column = frame.column(X, first, i)
        if column.max() > column.min():
            mean[i] = share @ column
            column -= mean[i]
            largest = np.abs(column).max()
            scale[i] = largest * max(np.sqrt(share @ (column / largest) ** 2), SMALLEST_SCALE)
        Z[i + 1] = column / scale[i]
    return Z, mean, scale


def _groups(
    X: NDArray, frame: Frame, rows: NDArray, weights: NDArray, labels: NDArray
) -> tuple[NDArray, NDArray]:
    """Order `rows` so that identical ones are neighbours; return it and where each group starts.

    Within a group the weights rise, those of one class after the other, so that their sums are rounded in the
    same way whatever the order was.
    """
    key = np.full(len(rows), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for i in range(X.shape[1]):
        column = frame.column(X, rows, i)
        if (column == column[0]).all():
            column = 2 * np.frexp(column)[0]  # the frame gives it no unit
        bits = (column + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
        key = (key ^ bits) * np.uint64(0xD6E8FEB86659FD93)
        key ^= key >> np.uint64(32)
    alike = bool((weights[rows] == 1).all())  # sums of ones are exact
    order = np.argsort(key, kind="stable") if alike else np.lexsort((labels[rows], weights[rows], key))
    key, order = key[order], rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = key[1:] != key[:-1]
    same = np.flatnonzero(~new)
    if len(same) and (X[order[same]] != X[order[same - 1]]).any():
        # Two different rows share a key, about once in 2^64 / n² tables: sort by the values themselves.
        order = rows[np.lexsort((labels[rows], weights[rows], *X[rows].T))]
        new[1:] = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    return order, np.flatnonzero(new)
