"""Totals of which only some values count: "exactly two of six", "none, or at least three".

1. Only columns of two values or of few integers take part.
2. All pairs of them with points 1 and ±1 are tried; from the best few one point at a time is changed, and
   from the best of these two at a time.
3. The cuts of the total are those of the lowest impurity, each with its price.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from netlines.selection.points.conditions import FEW, Terms

STARTS = 400  # pairs from which single points are improved
AGAIN = 12  # of what they led to that are improved by changing two points at a time, fewer of large tables
WORK = 2e6  # rows times squared terms of all of them
LARGEST = 5  # the size of a point
CUTS = 3  # of the total, at most
MOST_TERMS = 20  # that take part
PRICE = 0.35  # times log(n)/n: what a number costs


def countable(terms: Terms, rows: NDArray) -> NDArray:
    """Tell of which terms in whole steps all values are few integers."""
    Z = terms.of(rows)
    return np.asarray((np.rint(Z) == Z).all(axis=1) & (np.ptp(Z, axis=1) <= FEW))


def stepped(Z: NDArray, share: NDArray, p: NDArray, numbers: int, rows: float) -> tuple[NDArray, NDArray]:
    """Return integer points for terms (m, n) and the totals at which the answer changes.

    Parameters
    ----------
    Z : array (m, n) of integers
    share, p : arrays (n,), weights with the sum 1, and the share of the second class
    numbers : points and cuts together, at most
    rows : how many rows there are, by their weight
    """
    from netlines.training._stepped import descend, pair_costs

    Z, price = np.rint(Z).astype(np.int64), PRICE * np.log(rows) / rows
    Z, one, other = _condensed(Z, share * (1.0 - p), share * p)
    costs = pair_costs(Z, one, other, CUTS, price)
    some = _promising(costs)
    how = LARGEST, CUTS, numbers - CUTS, price
    starts = int(np.clip(WORK / (Z.shape[1] * len(some)), 6, STARTS))
    trials = []
    for at in np.argsort(costs[:, some][:, :, some], axis=None, kind="stable")[:starts]:
        minus, i, j = np.unravel_index(at, (2, len(some), len(some)))
        if i > j:
            points = np.zeros(len(some), dtype=np.int64)
            points[i], points[j] = 1, -1 if minus else 1
            points, cost = descend(points, Z[some], one, other, *how, False)
            trials.append((cost, tuple(points.tolist())))
    found = np.zeros(len(Z), dtype=np.int64)
    if not trials:
        return found.astype(float), np.zeros(0)
    best = sorted(set(trials))[: int(np.clip(WORK / (Z.shape[1] * len(some) ** 2), 2, AGAIN))]
    again = [descend(np.array(points), Z[some], one, other, *how, True) for _, points in best]
    found[some] = min(again, key=lambda pair: pair[1])[0]
    return found.astype(float), _cuts(found @ Z, one, other, price)


def _promising(costs: NDArray) -> NDArray[np.intp]:
    """Return the terms of the best pairs, in their order."""
    best = np.minimum(costs.min(axis=(0, 1)), costs.min(axis=(0, 2)))
    return np.sort(np.argsort(best, kind="stable")[:MOST_TERMS])


def _cuts(totals: NDArray, one: NDArray, other: NDArray, price: float) -> NDArray:
    """Return the totals at which the class of the steps changes."""
    from netlines.training._stepped import cut_totals

    low = int(totals.min())
    first, second = (np.bincount(totals - low, weight) for weight in (one, other))
    _, _, places = cut_totals(first, second, CUTS, price)
    bounds = [0, *places.tolist(), len(first)]
    answers = [second[a:b].sum() >= first[a:b].sum() for a, b in pairwise(bounds)]
    changed = [place for place, (a, b) in zip(places, pairwise(answers), strict=True) if a != b]
    return np.array(changed, dtype=float) + low


def _condensed(Z: NDArray, one: NDArray, other: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return the distinct columns of the values, with their weights."""
    distinct, group = np.unique(Z, axis=1, return_inverse=True)
    n = distinct.shape[1]
    return np.ascontiguousarray(distinct), np.bincount(group, one, n), np.bincount(group, other, n)
