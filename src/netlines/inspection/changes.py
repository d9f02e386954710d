"""A change of a row in the words of the user's table: what attributes are, and what they would have to be."""

from __future__ import annotations

from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.attributes import attributes_in, told_name, value_of
from netlines.inspection.inputs import input_names
from netlines.inspection.nearest import Flip
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.protocol import AnyNetwork

FINE = 0.01  # standard deviations to which numbers are rounded
FINER = 6  # how often a tenth of that is tried if it is too coarse


def rounded_row(network: AnyNetwork, row: NDArray, flip: Flip, low: NDArray, high: NDArray) -> NDArray:
    """Return the row of a flip with few digits, shape (N,): its answer is that of the flip all the same.

    Numbers that change to no whole number are rounded away from what they are, to a hundredth of a standard
    deviation or, if need be, less.

    Parameters
    ----------
    network : Network or Networks
    row : array of shape (N,)
    flip : Flip
    low, high : arrays of shape (N,)
        The limits of changed values.
    """
    changed = (flip.change != 0) & (flip.row != np.rint(flip.row)) & ~network.surroundings.two
    for i in (i for group in network.surroundings.groups for i in group):
        changed[i] = False
    if not changed.any():
        return flip.row
    scale = network.surroundings.scale
    for times in range(FINER):
        told = flip.row.copy()
        for i in np.flatnonzero(changed).tolist():
            fine = min(FINE * float(scale[i]), 0.1 * abs(float(flip.change[i])))
            told[i] = _away(float(row[i]), float(flip.row[i]), 0.1**times * fine)
            told[i] = told[i] if low[i] <= told[i] <= high[i] else flip.row[i]
        if network.predict(told[None]).tolist()[0] == flip.label:
            return told
    return flip.row


def _away(before: float, after: float, fine: float) -> float:
    """Return a number rounded away from another one to a power of ten that is at most so large."""
    if not fine > 0 or not np.isfinite(fine):
        return after
    digits = -floor(log10(fine))
    if not -300 < digits < 300:
        return after
    up = after > before
    steps = after * 10.0**digits
    whole = np.ceil(steps) if up else np.floor(steps)
    found = float(round(whole / 10.0**digits, max(digits, 0)))
    return found if (found >= after if up else found <= after) else after


def changes_of(network: AnyNetwork, row: NDArray, other: NDArray) -> dict[str, tuple[Any, Any]]:
    """Return of each attribute by which two rows differ both values, the largest change first.

    Values are as in the table: texts, integers, booleans, dates as 2024-12-31. A date is one attribute, of
    which month and weekday are parts. Categories that a row has half are told by their inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.changes import changes_of
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> rows = np.array([[5, 0.5, 0, 1], [6, 1.5, 1, 0]])
    >>> names = ("visits", "dose", "hue=red", "hue=blue")
    >>> network = Network([[0, 1, 1, 0, 0]], PASS_ON, [0, 1], feature_names=names, background=describe(rows))
    >>> changes_of(network, rows[0], rows[1])
    {'hue': ('blue', 'red'), 'visits': (5, 6), 'dose': (0.5, 1.5)}
    """
    parts = ((other - row) / network.surroundings.scale) ** 2
    found = {}
    for one in changed_attributes(network, row, other):
        size = float(parts[list(one.inputs)].sum())
        found[told_name(one)] = (size, value(network, one, row), value(network, one, other))
    order = sorted(found.items(), key=lambda pair: -round(pair[1][0], 9))
    return {name: (before, after) for name, (_, before, after) in order}


def changed_attributes(network: AnyNetwork, row: NDArray, other: NDArray) -> list[Attribute]:
    """Return the attributes by which two rows differ; of those that one of them has half the inputs."""
    before, after = (set(attributes_in(network, each)) for each in (row, other))
    names, found = input_names(network), []
    for one in attributes_of(network):
        whole = one in before and one in after
        found += [one] if whole else [Attribute(names[i], "number", (i,)) for i in one.inputs]
    differ = [one for one in found if (row != other)[list(one.inputs)].any()]
    dates = {one.column.origin for one in differ if one.column is not None and one.column.part == "days"}
    return [
        one
        for one in differ
        if one.column is None or one.column.part in ("", "days") or one.column.origin not in dates
    ]


def value(network: AnyNetwork, one: Attribute, row: NDArray) -> Any:
    """Return the value of an attribute as the table has it, integers as such."""
    found = value_of(one, row)
    whole = not one.is_category and bool(network.surroundings.integer[one.inputs[0]])
    if whole and isinstance(found, float) and found == int(found):
        return int(found)
    return found
