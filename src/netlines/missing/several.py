"""The classes that rows can have if several of their values are missing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from netlines.codes import code_decides, hidden_weights
from netlines.missing.allowed import Allowed
from netlines.nearest import BUDGET, nearest_other
from netlines.network import Network
from netlines.networks import Networks

MOST_COMBINATIONS = 20_000  # of values that are all tried
POINTS, MORE_POINTS = 256, 4096  # tried first, and where nothing else can be done
MOST_DIMENSIONS = 1000  # of evenly spread points; above they are random


def find_classes(
    network: Network | Networks, X: NDArray, allowed: Mapping[int, Allowed]
) -> list[tuple[set[int], bool]]:
    """Return the numbers of the classes that each row can have, and whether it is exactly these.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
    allowed : mapping from the number of each missing input to its allowed values
    """
    missing = list(allowed)
    points, everything = _points(network, allowed)
    fixed = _fixed(network, X, allowed) if code_decides(network) else np.zeros(len(X), dtype=bool)
    result = []
    for row, constant in zip(X, fixed.tolist(), strict=True):
        filled = np.repeat(row[None], 1 if constant else len(points), axis=0)
        filled[:, missing] = points[: len(filled)]
        found = set(_numbers(network, filled).tolist())
        exact = everything or constant or len(found) == network.n_classes
        if not exact and code_decides(network):
            found, exact = _asked(network, filled, found, allowed)
        result.append((found, exact))
    return result


def _numbers(network: Network | Networks, X: NDArray) -> NDArray[np.intp]:
    """Return the numbers of the predicted classes."""
    return (network.predict(X)[:, None] == network.classes).argmax(axis=1)


def _points(network: Network | Networks, allowed: Mapping[int, Allowed]) -> tuple[NDArray, bool]:
    """Return values of the missing inputs to try, shape (k, number of them), and whether these are all."""
    sets = list(allowed.values())
    if all(one.finite for one in sets) and np.prod([float(one.size) for one in sets]) <= MOST_COMBINATIONS:
        grids = np.meshgrid(*(one.at(np.arange(one.size)) for one in sets), indexing="ij")
        return np.column_stack([grid.ravel() for grid in grids]), True
    n_points = POINTS if code_decides(network) else MORE_POINTS
    if len(sets) <= MOST_DIMENSIONS:
        shares = qmc.Sobol(len(sets), seed=0).random(n_points)
    else:
        shares = np.random.default_rng(0).random((n_points, len(sets)))
    if len(sets) <= 8:
        shares = np.vstack([shares, list(product((0.0, 1.0), repeat=len(sets)))])  # the corners
    about = network.surroundings
    columns = [
        one.spread(shares[:, k], about.mean[i], about.scale[i]) for k, (i, one) in enumerate(allowed.items())
    ]
    return np.column_stack(columns), False


def _fixed(network: Network | Networks, X: NDArray, allowed: Mapping[int, Allowed]) -> NDArray:
    """Tell of which rows no hidden unit can change its state within the ranges, shape (n,)."""
    weights = hidden_weights(network)
    missing = list(allowed)
    known = np.where(np.isnan(X), 0.0, X)
    known[:, missing] = 0.0
    low = high = weights[:, 0] + known @ weights[:, 1:].T
    for i, one in allowed.items():
        slopes = np.where(weights[:, 1 + i] == 0, np.nan, weights[:, 1 + i])  # 0 · ∞ would be no number
        ends = np.nan_to_num([slopes * one.low, slopes * one.high], nan=0.0, posinf=np.inf, neginf=-np.inf)
        low, high = low + ends.min(axis=0), high + ends.max(axis=0)
    return np.asarray(((low >= 0) | (high < 0)).all(axis=1))


def _asked(
    network: Network | Networks, filled: NDArray, found: set[int], allowed: Mapping[int, Allowed]
) -> tuple[set[int], bool]:
    """Add the classes of which a nearest point exists; tell whether exactly these are possible.

    The search takes integers for any numbers. So a class it does not find is impossible; one that it finds is
    tried at the integers around.
    """
    labels = network.classes.tolist()
    limits = np.tile([[-np.inf], [np.inf]], network.n_features)
    for i, one in allowed.items():
        limits[:, i] = one.low, one.high
    found, sure = set(found), True
    while len(found) < len(labels):
        left = [label for k, label in enumerate(labels) if k not in found]
        flip = nearest_other(
            network, filled[0], classes=left, features=list(allowed), low=limits[0], high=limits[1]
        )
        if flip is None:
            return found, sure and _complete(network, allowed)
        around = set(_numbers(network, _allowed_around(flip.row, allowed)).tolist())
        number = labels.index(flip.label)
        sure = sure and number in around
        found |= around | {number}
    return found, sure


def _complete(network: Network | Networks, allowed: Mapping[int, Allowed]) -> bool:
    """Tell whether the search for a nearest point ends: it looks at a code twice at most, ties stay open."""
    changing = hidden_weights(network)[:, 1:][:, list(allowed)].any(axis=1).sum()
    tied = isinstance(network, Networks) and len(network.trees) > 1
    return bool(2.0 ** (changing + 1) < BUDGET and not tied)


def _allowed_around(row: Any, allowed: Mapping[int, Allowed]) -> NDArray[np.float64]:
    """Return rows of allowed values next to a row: the nearest one, and those on either side of it."""
    row = np.asarray(row, dtype=float)
    sides: list[list[float]] = []
    for i, one in allowed.items():
        nearest = float(one.nearest(row[i]))
        places = [one.position(row[i]) + k for k in (-1, 0)] if one.finite and len(allowed) <= 8 else []
        sides.append(sorted({nearest, *(float(one.at(k)) for k in places if 0 <= k < one.size)}))
    rows = np.repeat(row[None], int(np.prod([len(side) for side in sides])), axis=0)
    rows[:, list(allowed)] = list(product(*sides))
    return rows
