"""Compiled search for integer points whose total tells two classes apart by a few cuts: "exactly two of six".

The answer is a step function of the total. Its cost is the impurity of the steps, Σ 2·p·q/(p + q) with p and
q the weights of the classes on a step, plus a price for each point other than 0 and for each cut.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.training.compiled import compiled

TINY = 1e-3  # of the price of a number, for each 1 of its size: of equal scores the smaller one
SPAN = 64  # totals from the lowest to the highest, at most


@compiled()
def cut_totals(first: NDArray, second: NDArray, most: int, price: float) -> tuple[float, int, NDArray]:
    """Return cost, number and places of the cuts of a histogram: a step begins at each place.

    Parameters
    ----------
    first, second : arrays (R,), the weights of the classes on each total
    most : cuts at most
    price : of a cut
    """
    size = len(first)
    p, q = np.zeros(size + 1), np.zeros(size + 1)
    for i in range(size):
        p[i + 1], q[i + 1] = p[i] + first[i], q[i] + second[i]
    best = np.full((most + 1, size + 1), np.inf)
    where = np.zeros((most + 1, size + 1), dtype=np.int64)
    for j in range(1, size + 1):
        total = p[j] + q[j]
        best[0, j] = 2.0 * p[j] * q[j] / total if total > 0 else 0.0
    for k in range(1, most + 1):
        for j in range(k + 1, size + 1):
            for i in range(k, j):
                if first[i] + second[i] == 0.0:  # a step begins at a total that occurs
                    continue
                a, b = p[j] - p[i], q[j] - q[i]
                cost = best[k - 1, i] + price + (2.0 * a * b / (a + b) if a + b > 0 else 0.0)
                if cost < best[k, j] - 1e-12:
                    best[k, j], where[k, j] = cost, i
    k = 0
    for other in range(1, most + 1):
        if best[other, size] < best[k, size] - 1e-12:
            k = other
    places, j = np.zeros(k, dtype=np.int64), size
    for other in range(k, 0, -1):
        j = where[other, j]
        places[other - 1] = j
    return best[k, size], k, places


@compiled()
def cost_of(totals: NDArray, p: NDArray, q: NDArray, most: int, price: float) -> float:
    """Return the cost of integer totals (n,) with the weights p and q (n,) of the classes; ∞ if too many."""
    low, high = totals.min(), totals.max()
    if high - low >= SPAN:
        return np.inf
    first, second = np.zeros(high - low + 1), np.zeros(high - low + 1)
    for i in range(len(totals)):
        first[totals[i] - low] += p[i]
        second[totals[i] - low] += q[i]
    return cut_totals(first, second, most, price)[0]


@compiled()
def pair_costs(Z: NDArray, p: NDArray, q: NDArray, most: int, price: float) -> NDArray:
    """Return the costs of all pairs of terms (m, n) with points 1 and ±1, shape (2, m, m)."""
    m = len(Z)
    found = np.full((2, m, m), np.inf)
    for i in range(m):
        for j in range(i):
            found[0, i, j] = cost_of(Z[i] + Z[j], p, q, most, price)
            found[1, i, j] = cost_of(Z[i] - Z[j], p, q, most, price)
    return found


@compiled()
def descend(
    points: NDArray,
    Z: NDArray,
    p: NDArray,
    q: NDArray,
    largest: int,
    most: int,
    numbers: int,
    price: float,
    pairs: bool,
) -> tuple[NDArray, float]:
    """Change the point that lowers the cost most, until none does; with `pairs` then also two at a time.

    Parameters
    ----------
    points : array (m,) of integers
    Z : array (m, n) of integers, the values of the terms
    p, q : arrays (n,), the weights of the classes on the rows
    largest : the largest size of a point
    most, numbers : cuts at most, and points at most
    price : of a number
    """
    points = points.copy()
    totals = np.zeros(Z.shape[1], dtype=np.int64)
    for k in range(len(points)):
        totals += points[k] * Z[k]
    best = cost_of(totals, p, q, most, price) + price * np.count_nonzero(points)
    best += TINY * price * np.abs(points).sum()
    while True:
        found, move = _best_change(points, totals, Z, p, q, largest, most, numbers, price)
        if pairs and found >= best - 1e-10:
            found, move = _best_changes(points, totals, Z, p, q, largest, most, numbers, price)
        if found >= best - 1e-10:
            return points, best
        for k, step in ((move[0], move[1]), (move[2], move[3])):
            totals += step * Z[k]
            points[k] += step
        best = found


@compiled()
def _best_change(
    points: NDArray,
    totals: NDArray,
    Z: NDArray,
    p: NDArray,
    q: NDArray,
    largest: int,
    most: int,
    numbers: int,
    price: float,
) -> tuple[float, tuple[int, int, int, int]]:
    """Return the lowest cost that another value of one point has, and the change."""
    used, found, move = np.count_nonzero(points), np.inf, (0, 0, 0, 0)
    size = np.abs(points).sum()
    for k in range(len(points)):
        for new in range(-largest, largest + 1):
            more = used + (new != 0) - (points[k] != 0)
            if new == points[k] or more > numbers:
                continue
            cost = cost_of(totals + (new - points[k]) * Z[k], p, q, most, price) + price * more
            cost += TINY * price * (size + abs(new) - abs(points[k]))
            if cost < found:
                found, move = cost, (k, new - points[k], 0, 0)
    return found, move


@compiled()
def _best_changes(
    points: NDArray,
    totals: NDArray,
    Z: NDArray,
    p: NDArray,
    q: NDArray,
    largest: int,
    most: int,
    numbers: int,
    price: float,
) -> tuple[float, tuple[int, int, int, int]]:
    """Return the lowest cost of changing two points by 1 or 2, and the change."""
    used, found, move = np.count_nonzero(points), np.inf, (0, 0, 0, 0)
    size = np.abs(points).sum()
    for k in range(len(points)):
        for j in range(k):
            for a in range(-2, 3):
                for b in range(-2, 3):
                    x, y = points[k] + a, points[j] + b
                    more = used + (x != 0) - (points[k] != 0) + (y != 0) - (points[j] != 0)
                    if a == 0 or b == 0 or more > numbers or abs(x) > largest or abs(y) > largest:
                        continue
                    cost = cost_of(totals + a * Z[k] + b * Z[j], p, q, most, price) + price * more
                    cost += TINY * price * (size + abs(x) - abs(points[k]) + abs(y) - abs(points[j]))
                    if cost < found:
                        found, move = cost, (k, a, j, b)
    return found, move
