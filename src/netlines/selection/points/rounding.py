"""Integers that tell nearly as much as the weights of a logistic regression.

1. The weights are multiplied so that the largest becomes 1, 2, 3, … and rounded.
2. Each integer is changed by 1 as long as the log-loss of the total falls.
3. The smallest integers are taken that cost hardly more than the best.
"""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray

LARGEST = 10  # the size of integers that is tried
CONTENT = 0.003  # the share of the cost by which smaller integers may be worse
PASSES = 4
FEW_ROWS = 200  # distinct rows up to which all sizes are improved


def rounded(
    weights: NDArray, Z: NDArray, share: NDArray, p: NDArray, largest: int = LARGEST
) -> NDArray[np.float64]:
    """Return integer points for terms with these weights; those that are 0 are not needed.

    Parameters
    ----------
    weights : array (K,), those of a logistic regression
    Z : array (K, n), the values of the terms
    share, p : arrays (n,), weights of the rows with the sum 1, and their share of the second class
    largest : the largest integer
    """
    from netlines.training._totals import improve, line_cost

    top = np.abs(weights).max(initial=0.0)
    if top == 0.0:
        return np.zeros(len(weights))
    Z, share, p = _condensed(Z, share, p)
    trials = [np.rint(weights * (size / top)) for size in range(1, largest + 1)]
    costs = np.array([line_cost(one @ Z, share, p)[0] for one in trials])
    if Z.shape[1] > FEW_ROWS:  # improving takes time: only the smallest that will do
        best = costs.min()
        trials = [trials[int((costs <= best * (1.0 + CONTENT)).argmax())]]
    found = [improve(one, Z, share, p, largest, PASSES) for one in trials]
    best = min(cost for _, cost in found)
    good = [points for points, cost in found if cost <= best * (1.0 + CONTENT)]
    points = min(good, key=lambda one: (np.abs(one).max(), np.abs(one).sum()))
    common = gcd(*(int(abs(one)) for one in points))
    return points / max(common, 1)


def line_of(points: NDArray, Z: NDArray, share: NDArray, p: NDArray) -> tuple[float, float]:
    """Return intercept and slope of the log-odds as a line of the total."""
    from netlines.training._totals import line_cost

    _, a, b = line_cost(points @ Z, share, p)
    return a, b


def _condensed(Z: NDArray, share: NDArray, p: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return the distinct columns of the terms' values, with their weights and shares of the second class."""
    if not np.isin(Z, (0.0, 1.0)).all() or len(Z) > 60:
        return np.ascontiguousarray(Z), share, p
    codes = (Z.astype(np.int64) << np.arange(len(Z))[:, None]).sum(axis=0)
    _, first, group = np.unique(codes, return_index=True, return_inverse=True)
    weight = np.bincount(group, share)
    return np.ascontiguousarray(Z[:, first]), weight, np.bincount(group, share * p) / weight
