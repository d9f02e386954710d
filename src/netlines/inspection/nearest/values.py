"""What the attributes of a row may become: whole numbers, other categories, other dates, or any number.

An attribute that can only have some values is a `Choice` between them. All others are free numbers within
their limits. Missing values stay missing, and none becomes missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.attributes import BASE, Attribute, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.tables.encode import MICROSECONDS_A_DAY, part_of

MOST_VALUES = 6000  # of an attribute that are all tried; of more, as many, evenly spread
NEAR_VALUES = 200  # of these next to the value on each side


@dataclass(frozen=True, eq=False)
class Choice:
    """An attribute that changes in whole steps.

    Attributes
    ----------
    inputs : tuple of int
        Those that change together.
    values : array of shape (K, number of inputs)
        What they may become, as a whole; the present values are not among them.
    complete : bool
        Whether these are all that they may become.
    """

    inputs: tuple[int, ...]
    values: NDArray
    complete: bool = True


@dataclass(frozen=True, eq=False)
class Values:
    """What a row may become.

    Attributes
    ----------
    choices : tuple of Choice
    numbers : tuple of int
        Inputs that may have any value within the limits.
    outside : tuple of int
        Those of them that have a value beyond the limits: they may keep it, or come within them.
    """

    choices: tuple[Choice, ...]
    numbers: tuple[int, ...]
    outside: tuple[int, ...]


def values_of(
    network: AnyNetwork,
    x: NDArray,
    free: Collection[int],
    low: NDArray,
    high: NDArray,
    given: Collection[int] = (),
) -> Values:
    """Return what a row may become.

    Parameters
    ----------
    network : Network or Networks
    x : array of shape (N,)
    free : numbers of inputs that may change; with one of them goes its whole attribute
    low, high : arrays of shape (N,)
        The limits of changed values.
    given : numbers of the inputs whose limits the user gave: even what never changed in training may change

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.nearest.values import values_of
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> rows = np.array([[5, 0.5, 0, 1], [6, 1.5, 1, 0], [8, 0.1, 0, 1]])
    >>> network = Network([[0, 1, 1, 0, 1]], PASS_ON, [0, 1], background=describe(rows))
    >>> about = network.surroundings
    >>> found = values_of(network, rows[0], range(4), about.low, about.high)
    >>> [(one.inputs, one.values.tolist()) for one in found.choices], found.numbers
    ([((0,), [[6.0], [7.0], [8.0]]), ((2, 3), [[1.0, 0.0]])], (1,))
    """
    about = network.surroundings
    choices: list[Choice] = []
    numbers: list[int] = []
    for inputs, attributes in _together(network):
        if not set(inputs) & set(free) or any(one.is_missing(x) for one in attributes):
            continue
        if len(inputs) > 1 or attributes[0].is_category:
            values, complete = _joint(network, x, inputs, attributes, low, high)
        else:
            (i,), (one,) = inputs, attributes
            constant = about.low[i] == about.high[i]
            if one.kind == "boolean" or (about.two[i] and not constant):
                ends = (0.0, 1.0) if one.kind == "boolean" else (about.low[i], about.high[i])
                values, complete = np.array(ends)[:, None], True
            elif about.integer[i] and not (constant and i not in given):
                values, complete = _integers(x[i], low[i], high[i])
            else:
                numbers += [i] if low[i] < high[i] or not low[i] <= x[i] <= high[i] else []
                continue
        own = list(inputs)
        changed = values != x[own]
        within = (~changed | ((values >= low[own]) & (values <= high[own]))).all(axis=1)
        values = values[within & changed.any(axis=1)]
        if len(values):
            choices.append(Choice(inputs, values, complete))
    outside = [i for i in numbers if not low[i] <= x[i] <= high[i]]
    return Values(tuple(choices), tuple(numbers), tuple(outside))


def _together(network: AnyNetwork) -> Iterator[tuple[tuple[int, ...], list[Attribute]]]:
    """Yield the inputs that change together, without those of missing values, and the attributes they are."""
    attributes = attributes_of(network)
    of_input = {i: one for one in attributes for i in one.own}
    # That a value is missing is an input of its group, too, but not one that changes.
    groups = [
        group
        for group in network.surroundings.groups
        if len({of_input[i] for i in group if i in of_input}) > 1
    ]
    dates: dict[str, list[Attribute]] = {}
    for one in attributes:
        if one.column is not None and one.column.part:
            dates.setdefault(one.column.origin, []).append(one)
    dates = {name: parts for name, parts in dates.items() if any(_part(one) == "days" for one in parts)}
    done: set[int] = set()
    for one in attributes:
        if not one.own or one.own[0] in done:
            continue
        together = [one]
        origin = None if one.column is None else one.column.origin
        if origin in dates and _part(one):
            together = dates[str(origin)]
        else:
            group = next((group for group in groups if one.own[0] in group), ())
            together = list(dict.fromkeys(of_input[i] for i in group if i in of_input)) or together
        inputs = tuple(i for part in together for i in part.own)
        done.update(inputs)
        yield inputs, together


def _part(one: Attribute) -> str:
    return "" if one.column is None else one.column.part


def _joint(
    network: AnyNetwork,
    x: NDArray,
    inputs: tuple[int, ...],
    attributes: list[Attribute],
    low: NDArray,
    high: NDArray,
) -> tuple[NDArray, bool]:
    """Return what several inputs may become together: another category, or another date."""
    if any(_part(one) == "days" for one in attributes):
        return _dates(network, x, inputs, attributes, low, high)
    (one, *more), about = attributes, network.surroundings
    if more:  # a group whose names do not say that it is one
        levels = float(about.low[list(inputs)].min()), float(about.high[list(inputs)].max())
        one = Attribute("", "category", inputs, levels=levels)
    return np.array([_category(one, inputs, i) for i in _seen(network, one)]).reshape(-1, len(inputs)), True


def _seen(network: AnyNetwork, one: Attribute) -> list[int]:
    """Return what a category may be: what training has seen."""
    about = network.surroundings
    return [i for i in one.choices if i == BASE or (i != one.gap and about.high[i] > about.low[i])]


def _category(one: Attribute, inputs: Iterable[int], choice: int) -> list[float]:
    off, on = one.levels
    return [on if i == choice else off for i in inputs]


def _integers(value: float, low: float, high: float) -> tuple[NDArray, bool]:
    """Return the integers between two limits, shape (K, 1): of very many some, most of them near a value."""
    first, last = np.ceil(low), np.floor(high)
    if last - first < MOST_VALUES:
        return np.arange(first, last + 1)[:, None], True
    start, stop = max(first, -(2.0**53)), min(last, 2.0**53)
    near = np.rint(value) + np.arange(-NEAR_VALUES, NEAR_VALUES + 1)
    spread = np.rint(np.linspace(start, stop, MOST_VALUES))
    values = np.unique(np.append(spread, near[(near >= start) & (near <= stop)]))
    return values[:, None], False


def _dates(
    network: AnyNetwork,
    x: NDArray,
    inputs: tuple[int, ...],
    attributes: list[Attribute],
    low: NDArray,
    high: NDArray,
) -> tuple[NDArray, bool]:
    """Return other dates, whole days away, with all that is taken of them; the time of day stays."""
    days = next(one for one in attributes if _part(one) == "days")
    own = days.own[0]
    whole, complete = _integers(0.0, low[own] - x[own], high[own] - x[own])
    numbers = x[own] + whole[:, 0]
    start = 0 if days.column is None else days.column.start
    micro = start + np.rint(numbers * MICROSECONDS_A_DAY).astype(np.int64)
    blocks, fits = {}, np.ones(len(numbers), dtype=bool)
    for one in attributes:
        if one is days:
            blocks[own] = numbers
        elif one.column is None or not one.is_category:
            blocks |= {i: np.full(len(numbers), x[i]) for i in one.own}
        else:
            parts = part_of(one.column, micro)
            seen = _seen(network, one)
            fits &= np.isin(parts, [one.value(i) for i in seen])
            blocks |= {i: (parts == one.value(i)).astype(float) for i in one.own}
    return np.column_stack([blocks[i] for i in inputs])[fits], complete
