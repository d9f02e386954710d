"""The nearest row with another answer that could be a real one: yes and no, and categories, as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import InputRows
from netlines.inspection.nearest.flip import Flip, search_other
from netlines.network.attributes import attributes_of
from netlines.network.protocol import AnyNetwork


def search_likely(
    network: AnyNetwork, x: NDArray, features: Sequence[int] | None, low: NDArray, high: NDArray
) -> tuple[Flip | None, bool]:
    """Return the nearest other answer by inputs of many values, else by one category, else by any change.

    A half of a yes or a no, or of a category, is no value: inputs of two values stay as they are if other
    inputs can change the answer; next, one of them changes to its other value, or a one-hot group to another
    category, but not to a missing one. Also return whether no smaller change of that kind does, or without a
    flip none at all.

    Parameters
    ----------
    network : Network or Networks
    x : array of shape (N,)
    features : numbers of the inputs that may change, or None for all
    low, high : arrays of shape (N,)
        The limits of the changed row.
    """
    free = range(network.n_features) if features is None else features
    many = [i for i in free if not network.surroundings.two[i]]
    start = x.view(InputRows)
    flip, exact = search_other(network, start, features=many, low=low, high=high) if many else (None, True)
    if flip is None and len(many) < len(free):
        flip = _switch(network, x, set(free), low, high, exact)
        if flip is None:
            return search_other(network, start, features=free, low=low, high=high)
    return flip, exact


def _switch(
    network: AnyNetwork, x: NDArray, free: set[int], low: NDArray, high: NDArray, exact: bool
) -> Flip | None:
    """Return the nearest other answer by one input of two values, or one one-hot group, that changes."""
    rows = np.array(list(_switched(network, x, free))).reshape(-1, len(x))
    rows = rows[((rows >= low) & (rows <= high)).all(axis=1)]
    if len(rows):
        rows = rows[network.predict(rows) != network.predict(x[None])[0]]
    if not len(rows):
        return None
    norms = np.sqrt((((rows - x) / network.surroundings.scale) ** 2).sum(axis=1))
    best = rows[norms.argmin()].copy()
    label = network.predict(best[None]).tolist()[0]
    return Flip(best, best - x, float(norms.min()), label, exact)


def _switched(network: AnyNetwork, x: NDArray, free: set[int]) -> list[NDArray]:
    """Return the row with one input of two values at the other one, or one group at another category."""
    known, rows = network.surroundings, []
    gaps = {one.gap for one in attributes_of(network) if one.gap is not None}
    for group in known.groups:
        if free.issuperset(set(group) - gaps) and (x[list(group)] == known.high[list(group)]).sum() == 1:
            for member in (i for i in group if i not in gaps):
                row = x.copy()
                row[list(group)], row[member] = known.low[list(group)], known.high[member]
                rows.append(row)
    grouped = {i for group in known.groups for i in group}
    for i in free - grouped - gaps:
        if known.two[i] and x[i] in (known.low[i], known.high[i]):
            row = x.copy()
            row[i] = known.low[i] + known.high[i] - x[i]
            rows.append(row)
    return rows
