"""Boosting with small symmetric trees, compiled: each level of a tree asks all of its rows one question.

1. Columns are cut into bins, by values between their quantiles.
2. A tree of depth D has D questions "is column f above bin b", and so 2^D leaves.
3. Each question is the one that lowers the cost most, to second order, over all leaves of the level.
4. Leaves move the scores by a part of Newton's step; a ridge holds back leaves of few rows.

Symmetric trees vary less with the rows than others of as many leaves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.training.compiled import compiled

MOST_BINS = 32


class Trees(NamedTuple):
    """Symmetric trees: columns and bins of their questions (T, D), leaves (T, K, 2^D), first scores (K,)."""

    columns: NDArray
    bins: NDArray
    leaves: NDArray
    first: NDArray


def edges_of(X: NDArray) -> list[NDArray]:
    """Return the values between which the bins of each column of X (N, n) lie: between its quantiles."""
    found = []
    for column in X:
        values = np.unique(column)
        if len(values) > MOST_BINS:
            places = np.arange(1, MOST_BINS) / MOST_BINS
            values = np.unique(np.quantile(column, places, method="inverted_cdf"))
            found.append(values)
        else:
            found.append((values[:-1] + values[1:]) / 2)
    return found


def binned(X: NDArray, edges: list[NDArray]) -> NDArray:
    """Return the bins (N, n) of the columns of X (N, n)."""
    pairs = zip(edges, X, strict=True)
    return np.array([np.searchsorted(e, x) for e, x in pairs], dtype=np.uint8).reshape(len(edges), -1)


def boost(
    B: NDArray,
    T: NDArray,
    weights: NDArray,
    first: NDArray,
    n_trees: int,
    depth: int,
    rate: float,
    ridge: float,
) -> Trees:
    """Grow trees one after the other.

    Parameters
    ----------
    B : array (N, n) of uint8, the bins of the patterns
    T : array (K, n), targets from 0 to 1: of one output the second class, else one row a class
    weights : array (n,), in rows
    first : array (K,), the scores to begin with
    n_trees, depth : how many, and their questions
    rate, ridge : the part of Newton's step that is taken, and what is added to its curvature
    """
    (outputs, n), n_leaves = T.shape, 1 << depth
    f, slopes = np.repeat(first[:, None], n, axis=1), np.empty((2, outputs, n))
    columns, bins = np.zeros((2, n_trees, depth), dtype=np.int64)
    leaves, sums = np.zeros((n_trees, outputs, n_leaves)), np.empty((2, n_leaves * MOST_BINS))
    leaf, gains = np.zeros(n, dtype=np.int64), np.empty(MOST_BINS)
    _grow(B, T, weights, f, slopes, leaf, sums, gains, columns, bins, leaves, rate, ridge)
    return Trees(columns, bins, leaves, first)


@compiled(error_model="numpy")
def _grow(
    B: Any,
    T: Any,
    weights: Any,
    f: Any,
    slopes: Any,
    leaf: Any,
    sums: Any,
    gains: Any,
    columns: Any,
    bins: Any,
    leaves: Any,
    rate: float,
    ridge: float,
) -> None:
    """Write the questions and the leaves of trees; scores (K, n) and what follows them are room to work.

    In plain loops, which are compiled in a third of the time of operations on arrays.
    """
    for t in range(columns.shape[0]):
        _find_slopes(f, T, weights, slopes)
        for i in range(leaf.shape[0]):
            leaf[i] = 0
        for d in range(columns.shape[1]):
            best, best_column, best_bin = -1.0, 0, 0
            for j in range(B.shape[0]):
                for b in range(MOST_BINS):
                    gains[b] = 0.0
                for k in range(f.shape[0]):
                    _add_gains(B, j, leaf, slopes, k, 1 << d, sums, gains, ridge)
                for b in range(MOST_BINS - 1):
                    if gains[b] > best * (1.0 + 1e-10):
                        best, best_column, best_bin = gains[b], j, b
            columns[t, d], bins[t, d] = best_column, best_bin
            for i in range(leaf.shape[0]):
                leaf[i] = 2 * leaf[i] + (1 if B[best_column, i] > best_bin else 0)
        for k in range(f.shape[0]):
            for a in range(leaves.shape[2]):
                sums[0, a], sums[1, a] = 0.0, ridge
            for i in range(leaf.shape[0]):
                sums[0, leaf[i]] += slopes[0, k, i]
                sums[1, leaf[i]] += slopes[1, k, i]
            for a in range(leaves.shape[2]):
                leaves[t, k, a] = -rate * sums[0, a] / sums[1, a]
            for i in range(leaf.shape[0]):
                f[k, i] += leaves[t, k, leaf[i]]


@compiled(error_model="numpy")
def _find_slopes(f: Any, T: Any, weights: Any, slopes: Any) -> None:
    """Write the slopes and the curvatures of the cost at scores (K, n)."""
    for i in range(f.shape[1]):
        largest, total = 0.0, 0.0
        for k in range(f.shape[0]):
            largest = f[k, i] if f[k, i] > largest else largest
        if f.shape[0] == 1:
            total = math.exp(-largest)  # the score of the other class is 0
        for k in range(f.shape[0]):
            slopes[0, k, i] = math.exp(f[k, i] - largest)
            total += slopes[0, k, i]
        for k in range(f.shape[0]):
            p = slopes[0, k, i] / total
            slopes[0, k, i] = weights[i] * (p - T[k, i])
            slopes[1, k, i] = weights[i] * p * (1.0 - p)


@compiled(error_model="numpy")
def _add_gains(
    B: Any, j: int, leaf: Any, slopes: Any, k: int, n_leaves: int, sums: Any, gains: Any, ridge: float
) -> None:
    """Add what a cut above each bin of a column would gain, in all leaves, for one output."""
    for a in range(n_leaves * MOST_BINS):
        sums[0, a], sums[1, a] = 0.0, 0.0
    for i in range(leaf.shape[0]):
        a = leaf[i] * MOST_BINS + B[j, i]
        sums[0, a] += slopes[0, k, i]
        sums[1, a] += slopes[1, k, i]
    for a in range(n_leaves):
        all_g, all_h = 0.0, ridge
        for b in range(a * MOST_BINS, (a + 1) * MOST_BINS):
            all_g += sums[0, b]
            all_h += sums[1, b]
        left_g, left_h = 0.0, ridge
        for b in range(MOST_BINS - 1):
            left_g += sums[0, a * MOST_BINS + b]
            left_h += sums[1, a * MOST_BINS + b]
            right_g, right_h = all_g - left_g, all_h - left_h + ridge
            gains[b] += left_g * left_g / left_h + right_g * right_g / right_h


def scores_along(trees: Trees, B: NDArray, numbers: Sequence[int]) -> list[NDArray]:
    """Return the scores (K, n) that so many trees, in rising order, give to bins (N, n)."""
    total, found = np.repeat(trees.first[:, None], B.shape[1], axis=1), []
    for t, (columns, bins) in enumerate(zip(trees.columns, trees.bins, strict=True), 1):
        leaf = np.zeros(B.shape[1], dtype=np.uint8)
        for j, b in zip(columns, bins, strict=True):
            leaf *= 2
            leaf += B[j] > b
        total += trees.leaves[t - 1][:, leaf]
        if t in numbers:
            found.append(total.copy())
    return found
