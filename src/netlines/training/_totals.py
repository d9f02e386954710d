"""Compiled sums of scorecards: how well the total of a few integers tells two classes apart.

The log-odds of the second class are a line of the total, z = a + b·T. Its cost is the weighted log-loss plus
a little for b, so that classes that a total separates do not end in certainty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.training.compiled import compiled

RIDGE = 1e-4  # on b² times the spread of the totals
PASSES = 12
ENOUGH = 1e-5  # the step after which a line is taken as found


@compiled()
def line_cost(totals: NDArray, weights: NDArray, p: NDArray) -> tuple[float, float, float]:
    """Return the cost of the best line of the totals, and its intercept and slope: by Newton's method.

    Parameters
    ----------
    totals : array (n,)
    weights : array (n,), with the sum 1
    p : array (n,), the share of the second class
    """
    mean, spread, share = 0.0, 0.0, 0.0
    for i in range(len(totals)):
        mean += weights[i] * totals[i]
        share += weights[i] * p[i]
    for i in range(len(totals)):
        spread += weights[i] * (totals[i] - mean) ** 2
    share = min(max(share, 1e-9), 1.0 - 1e-9)
    a, b = np.log(share / (1.0 - share)), 0.0
    if spread <= 1e-18 * (1.0 + mean * mean):
        return _entropy(share), a, 0.0
    scale = np.sqrt(spread)
    cost = 0.0
    for _ in range(PASSES):
        ga, gb, haa, hab, hbb, cost = 0.0, RIDGE * b, 1e-12, 0.0, RIDGE, 0.5 * RIDGE * b * b
        for i in range(len(totals)):
            t = (totals[i] - mean) / scale
            z = a + b * t
            e = np.exp(-abs(z))
            q = 1.0 / (1.0 + e) if z >= 0 else e / (1.0 + e)
            cost += weights[i] * (np.log1p(e) + max(z, 0.0) - p[i] * z)
            g, h = weights[i] * (q - p[i]), weights[i] * q * (1.0 - q)
            ga += g
            gb += g * t
            haa += h
            hab += h * t
            hbb += h * t * t
        det = haa * hbb - hab * hab
        if det <= 0.0:
            break
        da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        size = max(abs(da), abs(db))
        shrink = min(1.0, 2.0 / size) if size > 0 else 1.0
        a, b = a - shrink * da, b - shrink * db
        if size < ENOUGH:
            break
    slope = b / scale
    return cost, a - slope * mean, slope


@compiled()
def _entropy(p: float) -> float:
    return -p * np.log(p) - (1.0 - p) * np.log(1.0 - p)


@compiled()
def improve(
    points: NDArray, Z: NDArray, weights: NDArray, p: NDArray, most: int, passes: int
) -> tuple[NDArray, float]:
    """Change integer points by 1, one after the other, as long as the cost of the total falls.

    Parameters
    ----------
    points : array (K,) of integers, as floats
    Z : array (K, n), what the points multiply
    weights, p : as in `line_cost`
    most : the largest size of a point
    passes : how often all points are tried
    """
    points = points.copy()
    totals = np.zeros(Z.shape[1])
    for k in range(len(points)):
        totals += points[k] * Z[k]
    best = line_cost(totals, weights, p)[0]
    for _ in range(passes):
        changed = False
        for k in range(len(points)):
            for step in (-1.0, 1.0):
                while abs(points[k] + step) <= most:
                    cost = line_cost(totals + step * Z[k], weights, p)[0]
                    if cost >= best - 1e-10:
                        break
                    best, changed = cost, True
                    totals += step * Z[k]
                    points[k] += step
        if not changed:
            break
    return points, best
