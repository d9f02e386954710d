"""Search the classes that a row can have: nearest points, and branch and bound where they are not allowed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.missing.unknowns import Unknown, filled, inputs_of
from netlines.inspection.nearest import search_other
from netlines.network.protocol import AnyNetwork

MOST_SEARCHES = 30  # for one row

# What is left of each unknown: positions of the first and the last value, or categories; () of a line.
Part = list[tuple[int, ...]]


def search_classes(
    network: AnyNetwork, row: NDArray, unknowns: Sequence[Unknown], found: set[int]
) -> tuple[set[int], bool]:
    """Return the classes that a row can have, and whether it is exactly these.

    The search for the nearest point of a class takes integers and categories for any numbers between their
    limits. So a class it does not find is impossible. One that it finds is tried at the allowed values
    around; if it is not answered there, the values are parted at that point, and both parts are searched.

    Parameters
    ----------
    network : Network or Networks
        One whose hidden states decide.
    row : array of shape (N,)
    unknowns : what is missing in it
    found : numbers of classes that are known to be possible

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> from netlines.inspection.missing.branching import search_classes
    >>> from netlines.inspection.missing.unknowns import Unknown
    >>> from netlines.network.network import Network
    >>> strip = Network([[-2.4, 2.0, 2.0], [2.6, -2.0, -2.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])
    >>> row, numbers, integers = np.full(2, np.nan), Allowed(0.0, 99.0), Allowed(0.0, 99.0, integer=True)
    >>> search_classes(strip, row, [Unknown((0,), numbers), Unknown((1,), integers)], {0})
    ({0, 1}, True)
    >>> search_classes(strip, row, [Unknown((0,), integers), Unknown((1,), integers)], {0})
    ({0}, True)
    """
    found, doubtful, sure = set(found), set[int](), True
    labels, inputs = network.classes.tolist(), inputs_of(unknowns)
    parts, left = [[_all_of(one) for one in unknowns]], MOST_SEARCHES
    while parts and left and len(found) < len(labels):
        part, left = parts.pop(), left - 1
        low, high = _limits(network, unknowns, part)
        start = np.array(row, dtype=float)
        start[inputs] = np.concatenate([_first(network, *both) for both in zip(unknowns, part, strict=True)])
        found |= set(network.answers(start[None]).tolist())
        wanted = [label for k, label in enumerate(labels) if k not in found]
        flip, exact = search_other(network, start, classes=wanted, features=inputs, low=low, high=high)
        if flip is None:
            if not exact:  # they may exist all the same: no answer is certain by a search that gave up
                sure = False
                doubtful |= {labels.index(label) for label in wanted}
            continue
        around = set(network.answers(_around(flip.row, unknowns, part)).tolist())
        if labels.index(flip.label) in around:
            parts.append(part)  # there may be further classes
        else:
            doubtful.add(labels.index(flip.label))
            parts += _parted(flip.row, unknowns, part)
        found |= around
    if len(found) == len(labels) or (sure and not parts):
        return found, True
    return found | doubtful, False


def _all_of(unknown: Unknown) -> tuple[int, ...]:
    """Return all values of an unknown as what is left of it."""
    if unknown.choices is not None:
        return tuple(range(len(unknown.choices)))
    return (0, unknown.allowed.size - 1) if unknown.allowed.finite else ()


def _ends(unknown: Unknown, left: tuple[int, ...]) -> tuple[NDArray, NDArray]:
    """Return the smallest and the largest values of the inputs of an unknown, within what is left of it."""
    if unknown.choices is not None:
        some = unknown.choices[list(left)]
        return some.min(axis=0), some.max(axis=0)
    allowed = unknown.allowed
    low, high = allowed.at(left) if left else (allowed.low, allowed.high)
    return np.array([low]), np.array([high])


def _limits(
    network: AnyNetwork, unknowns: Sequence[Unknown], part: Part
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the limits of all inputs within a part, ±∞ of those that are known."""
    low, high = np.full(network.n_features, -np.inf), np.full(network.n_features, np.inf)
    for one, left in zip(unknowns, part, strict=True):
        low[list(one.inputs)], high[list(one.inputs)] = _ends(one, left)
    return low, high


def _first(network: AnyNetwork, unknown: Unknown, left: tuple[int, ...]) -> NDArray[np.float64]:
    """Return allowed values of the inputs of an unknown, within what is left of it."""
    if unknown.choices is not None:
        return np.asarray(unknown.choices[left[0]])
    if left:
        return unknown.allowed.at(left[:1])
    return np.clip(network.surroundings.mean[list(unknown.inputs)], unknown.allowed.low, unknown.allowed.high)


def _next_to(unknown: Unknown, values: NDArray, left: tuple[int, ...]) -> list[int]:
    """Return the positions, within what is left, of allowed values next to values, the nearest first."""
    if unknown.choices is not None:
        apart = np.abs(unknown.choices[list(left)] - values).sum(axis=1)
        return [left[int(apart.argmin())]]
    (value,) = values.tolist()
    above = int(unknown.allowed.position(value))
    both = [k for k in (above - 1, above) if left[0] <= k <= left[1]]
    return sorted(both, key=lambda k: abs(float(unknown.allowed.at(k)) - value))


def _around(row: NDArray, unknowns: Sequence[Unknown], part: Part) -> NDArray[np.float64]:
    """Return rows of allowed values next to a row: the nearest, and if few are unknown both sides."""
    sides = []
    for one, left in zip(unknowns, part, strict=True):
        values = row[list(one.inputs)]
        places = np.array(_next_to(one, values, left)[: 2 if len(unknowns) <= 8 else 1]) if left else values
        sides.append(one.values(one.allowed.at(places) if left else places))
    return filled(row, unknowns, np.array([np.concatenate(some) for some in product(*sides)]))


def _parted(row: NDArray, unknowns: Sequence[Unknown], part: Part) -> list[Part]:
    """Return two parts without a row, cut where it is furthest from allowed values, the nearer one last."""
    misfits = []
    for one, left in zip(unknowns, part, strict=True):
        values = row[list(one.inputs)]
        nearest = one.values(one.allowed.at(_next_to(one, values, left)[:1]))[0] if left else values
        low, high = _ends(one, left)
        misfits.append(float((np.abs(values - nearest) / np.where(high > low, high - low, 1.0)).max()))
    k = int(np.argmax(misfits))
    one, left, values = unknowns[k], part[k], row[list(unknowns[k].inputs)]
    nearest, *_ = _next_to(one, values, left)
    if one.choices is not None:
        pieces = [tuple(c for c in left if c != nearest), (nearest,)]
    else:
        above = int(one.allowed.position(values[0]))
        pieces = [(left[0], above - 1), (above, left[1])]
        pieces = pieces if nearest == above else pieces[::-1]
    return [[*part[:k], piece, *part[k + 1 :]] for piece in pieces]
