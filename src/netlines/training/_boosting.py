"""Boosting with small symmetric trees, compiled: each level of a tree asks all of its rows one question.

1. Columns are cut into bins, by values between their quantiles.
2. A tree of depth D has D questions "is column f above bin b", and so 2^D leaves.
3. Each question is the one that lowers the cost most, to second order, over all leaves of the level.
4. Leaves move the scores by a part of Newton's step; a ridge holds back leaves of few rows.

Symmetric trees vary less with the rows than others of as many leaves.
"""

from __future__ import annotations

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


@compiled(error_model="numpy")
def boost(
    B: Any, T: Any, weights: Any, first: Any, n_trees: int, depth: int, rate: float, ridge: float
) -> tuple[Any, Any, Any]:
    """Grow trees one after the other; return columns and bins of their questions, and their leaves.

    Parameters
    ----------
    B : array (N, n) of uint8, the bins of the patterns
    T : array (K, n), targets from 0 to 1: of one output the second class, else one row a class
    weights : array (n,), in rows
    first : array (K,), the scores to begin with
    n_trees, depth : how many, and their questions
    rate, ridge : the part of Newton's step that is taken, and what is added to its curvature
    """
    N, n = B.shape
    K, n_leaves = len(T), 1 << depth
    columns, bins = np.zeros((n_trees, depth), np.int64), np.zeros((n_trees, depth), np.int64)
    leaves = np.zeros((n_trees, K, n_leaves))
    f, g, h = np.zeros((K, n)), np.empty((K, n)), np.empty((K, n))
    for k in range(K):
        f[k] = first[k]
    leaf = np.zeros(n, np.int64)
    G, H = np.empty((n_leaves, MOST_BINS)), np.empty((n_leaves, MOST_BINS))
    gains = np.empty(MOST_BINS)
    for t in range(n_trees):
        _slopes(f, T, weights, g, h)
        leaf[:] = 0
        for d in range(depth):
            best, best_column, best_bin = -1.0, 0, 0
            for j in range(N):
                gains[:] = 0.0
                for k in range(K):
                    _histogram(B[j], leaf, g[k], h[k], 1 << d, G, H)
                    _add_gains(G, H, 1 << d, ridge, gains)
                for b in range(MOST_BINS - 1):
                    if gains[b] > best * (1.0 + 1e-10):
                        best, best_column, best_bin = gains[b], j, b
            columns[t, d], bins[t, d] = best_column, best_bin
            column = B[best_column]
            for i in range(n):
                leaf[i] = 2 * leaf[i] + (column[i] > best_bin)
        for k in range(K):
            total, curvature = np.zeros(n_leaves), np.full(n_leaves, ridge)
            for i in range(n):
                total[leaf[i]] += g[k, i]
                curvature[leaf[i]] += h[k, i]
            leaves[t, k] = -rate * total / curvature
            for i in range(n):
                f[k, i] += leaves[t, k, leaf[i]]
    return columns, bins, leaves


@compiled(error_model="numpy")
def _slopes(f: Any, T: Any, weights: Any, g: Any, h: Any) -> None:
    """Write the slopes and the curvatures of the cost at scores (K, n)."""
    K, n = f.shape
    for i in range(n):
        if K == 1:
            p = 1.0 / (1.0 + np.exp(-f[0, i]))
            g[0, i], h[0, i] = weights[i] * (p - T[0, i]), weights[i] * p * (1.0 - p)
            continue
        largest, total = f[0, i], 0.0
        for k in range(1, K):
            largest = max(largest, f[k, i])
        for k in range(K):
            g[k, i] = np.exp(f[k, i] - largest)
            total += g[k, i]
        for k in range(K):
            p = g[k, i] / total
            g[k, i], h[k, i] = weights[i] * (p - T[k, i]), weights[i] * p * (1.0 - p)


@compiled(error_model="numpy")
def _histogram(column: Any, leaf: Any, g: Any, h: Any, n_leaves: int, G: Any, H: Any) -> None:
    """Sum slopes and curvatures for each leaf and each bin of a column."""
    G[:n_leaves] = 0.0
    H[:n_leaves] = 0.0
    for i in range(len(leaf)):
        a, b = leaf[i], column[i]
        G[a, b] += g[i]
        H[a, b] += h[i]


@compiled(error_model="numpy")
def _add_gains(G: Any, H: Any, n_leaves: int, ridge: float, gains: Any) -> None:
    """Add what a cut above each bin would gain in all leaves."""
    for a in range(n_leaves):
        all_g, all_h = 0.0, ridge
        for b in range(G.shape[1]):
            all_g += G[a, b]
            all_h += H[a, b]
        left_g, left_h = 0.0, ridge
        for b in range(G.shape[1] - 1):
            left_g += G[a, b]
            left_h += H[a, b]
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
