"""The nearest row with another answer that could be one: within limits, and with whole categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.flip import Flip, nearest_other
from netlines.network.network import Network
from netlines.network.networks import Networks


def likely_flip(
    network: Network | Networks,
    x: NDArray,
    low: NDArray | None = None,
    high: NDArray | None = None,
    features: list[int] | None = None,
) -> Flip | None:
    """Return the nearest other answer by inputs of many values, else by one category, else by any change.

    A half of a yes or a no, or of a category, is no value: inputs of two values stay as they are if other
    inputs can change the answer; next, one of them changes to its other value, or a one-hot group to another
    category. The limits are those of the training rows as far as no others are given, widened to hold
    the row.

    Parameters
    ----------
    network : Network or Networks
    x : array of shape (N,)
    low, high : arrays of shape (N,) or None
    features : numbers of the inputs that may change, or None for all
    """
    known = network.surroundings
    low = np.minimum(known.low if low is None else low, x)
    high = np.maximum(known.high if high is None else high, x)
    free = list(range(network.n_features)) if features is None else features
    many = [i for i in free if not known.two[i]]
    flip = nearest_other(network, x, features=many, low=low, high=high) if many else None
    if flip is None:
        flip = _switch(network, x, free, low, high)
    if flip is None and len(many) < len(free):
        flip = nearest_other(network, x, features=free, low=low, high=high)
    return flip


def _switch(
    network: Network | Networks, x: NDArray, free: list[int], low: NDArray, high: NDArray
) -> Flip | None:
    """Return the nearest other answer by one input of two values, or one one-hot group, that changes."""
    rows = np.array(list(_switched(network, x, set(free)))).reshape(-1, len(x))
    rows = rows[((rows >= low) & (rows <= high)).all(axis=1)]
    if len(rows):
        rows = rows[network.predict(rows) != network.predict(x[None])[0]]
    if not len(rows):
        return None
    norms = np.sqrt((((rows - x) / network.surroundings.scale) ** 2).sum(axis=1))
    best = rows[norms.argmin()].copy()
    label = network.predict(best[None]).tolist()[0]
    return Flip(best, best - x, float(norms.min()), label, exact=False)


def _switched(network: Network | Networks, x: NDArray, free: set[int]) -> list[NDArray]:
    """Return the row with one input of two values at the other one, or one group at another category."""
    known, rows = network.surroundings, []
    for group in known.groups:
        if free.issuperset(group) and (x[list(group)] == known.high[list(group)]).sum() == 1:
            for member in group:
                row = x.copy()
                row[list(group)], row[member] = known.low[list(group)], known.high[member]
                rows.append(row)
    grouped = {i for group in known.groups for i in group}
    for i in free - grouped:
        if known.two[i] and x[i] in (known.low[i], known.high[i]):
            row = x.copy()
            row[i] = known.low[i] + known.high[i] - x[i]
            rows.append(row)
    return rows
