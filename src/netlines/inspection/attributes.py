"""Rows and parameters in the words of the user's table: attributes by name, their values, what is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import enough_digits, listed, number_text
from netlines.inspection.inputs import input_names, input_number
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.layout import Column
from netlines.network.protocol import AnyNetwork

MICROSECONDS_A_DAY = 86_400_000_000
MOST_DAYS = 3_000_000  # dates further away from 1970 are written as numbers


def attributes_in(network: AnyNetwork, row: NDArray) -> tuple[Attribute, ...]:
    """Return the attributes of a row: of a category that it has not, or half, each input by itself."""
    names, found = input_names(network), []
    for one in attributes_of(network):
        whole = one.choice(row) is not None if one.is_category else _is_sound(one, row)
        found += [one] if whole else [Attribute(names[i], "number", (i,)) for i in one.inputs]
    return tuple(found)


def _is_sound(one: Attribute, row: NDArray) -> bool:
    return one.gap is None or bool(row[one.gap] in (0, 1))


def value_of(one: Attribute, row: NDArray) -> Any:
    """Return the value of an attribute as the user's table has it: a text, a number, ...; None: missing.

    A date is written as 2024-12-31, or with its time as 2024-12-31T13:30.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.attributes import value_of
    >>> from netlines.network.attributes import Attribute
    >>> age = Attribute("age", "number", (0, 1), gap=1, fill=40.0)
    >>> value_of(age, np.array([33.0, 0.0])), value_of(age, np.array([40.0, 1.0]))
    (33.0, None)
    """
    if one.is_missing(row):
        return None
    if one.is_category:
        choice = one.choice(row)
        return None if choice is None else one.value(choice)
    number = float(row[one.inputs[0]])
    if one.kind == "boolean" and number in (0, 1):
        return bool(number)
    date = _date(one.column, number, "auto")
    return number if date is None else date


def told_name(one: Attribute) -> str:
    """Return the name that stands before a value; the days of a date are written as a date, with its name."""
    column = one.column
    return column.origin if column is not None and column.part == "days" else one.name


def value_text(one: Attribute, row: NDArray, scale: NDArray, digits: int) -> str:
    """Write the value of an attribute, with more digits if it is far from 0 for the spread of its column."""
    if one.is_missing(row):
        return "missing"
    if one.is_category:
        return str(value_of(one, row))
    value, spread = float(row[one.inputs[0]]), float(scale[one.inputs[0]])
    return _date(one.column, value, "D") or number_text(value, enough_digits(value, spread, digits))


def date_text(one: Attribute, days: float) -> str | None:
    """Return the day that a number of a column of dates stands for; None if it has no dates."""
    return _date(one.column, days, "D")


def _date(column: Column | None, days: float, precision: str) -> str | None:
    """Return the date that a number of days since the first one is; None if the column has no dates."""
    if column is None or column.part != "days" or not abs(days) <= MOST_DAYS:
        return None
    moment = np.datetime64(column.start + round(days * MICROSECONDS_A_DAY), "us")
    if precision == "auto":
        return str(np.datetime_as_string(moment, unit="auto"))
    return str(moment.astype(f"M8[{precision}]")).replace("T", " ")


def feature_numbers(network: AnyNetwork, which: Any, name: str = "features") -> list[int]:
    """Return the numbers of inputs given by names of attributes or columns, names or numbers of inputs.

    Examples
    --------
    >>> from netlines.inspection.attributes import feature_numbers
    >>> from netlines.network.layout import Column, Layout
    >>> from netlines.network.network import PASS_ON, Network
    >>> age = Column("age", "number", gaps=True, fill=40.0)
    >>> layout = Layout(("age", "dose"), (age, Column("dose", "number")))
    >>> network = Network([[1, 1, 1, 1]], PASS_ON, [0, 1], feature_names=layout.feature_names, layout=layout)
    >>> feature_numbers(network, ["age"]), feature_numbers(network, [1, "dose"])
    ([0, 1], [1, 2])
    """
    given = [which] if isinstance(which, str | int | np.integer) or which is None else which
    if not np.iterable(given):
        raise ValueError(f"{name} must be names or numbers of inputs, got {which!r}")
    known = _by_name(network)
    found: set[int] = set()
    for one in given:
        if isinstance(one, str) and one in known:
            found.update(known[one])
        else:
            found.add(_one_input(network, one))
    return sorted(found)


def _by_name(network: AnyNetwork) -> dict[str, tuple[int, ...]]:
    """Return the inputs of attributes, and of columns that became several, by their names."""
    attributes = attributes_of(network)
    found: dict[str, tuple[int, ...]] = {}
    for one in attributes:
        origin = one.name if one.column is None else one.column.origin
        found[origin] = (*found.get(origin, ()), *one.inputs)
    return {**found, **{one.name: one.inputs for one in attributes}}


def _one_input(network: AnyNetwork, which: Any) -> int:
    if isinstance(which, str) and network.layout is not None and which not in input_names(network):
        sources = network.layout.sources
        raise ValueError(f"there is no column or input {which!r}; the columns are {listed(sources)}")
    return input_number(network, which)


def check_ranges(network: AnyNetwork, ranges: Any) -> None:
    """Raise an error if a range is one of a column that is no number."""
    known, names = _by_name(network), input_names(network)
    for which in ranges if isinstance(ranges, Mapping) else ():
        if isinstance(which, str) and which not in names and which in known:
            inputs = listed(names[i] for i in known[which])
            raise ValueError(f"ranges has {which!r}, which is no number; allowed are its inputs {inputs}")


def held_inputs(network: AnyNetwork, row: NDArray, *, every_gap: bool) -> list[int]:
    """Return the inputs that a change of a row leaves as they are: those of values that are missing.

    With `every_gap` also those that say so of values that are there.
    """
    held: list[int] = []
    for one in attributes_of(network):
        if one.is_missing(row):
            held += one.inputs
        elif one.gap is not None and every_gap:
            held.append(one.gap)
    return held


def unknown_names(network: AnyNetwork, unknown: Iterable[Sequence[int]]) -> tuple[str, ...]:
    """Return the names of what is unknown, given inputs that are so together: of whole columns theirs."""
    of_input = {i: one for one in attributes_of(network) for i in one.inputs}
    names, found = input_names(network), []
    for inputs in unknown:
        one = of_input[inputs[0]]
        whole = set(inputs) in (set(one.own), set(one.inputs)) and (one.is_category or len(inputs) == 1)
        found += [one.name] if whole else [names[i] for i in inputs]
    columns = () if network.layout is None else network.layout.columns
    for origin in {column.origin for column in columns}:
        parts = [column.name for column in columns if column.origin == origin]
        if set(parts) <= set(found) and parts != [origin]:
            found = [origin if name == parts[0] else name for name in found if name not in parts[1:]]
    return tuple(found)
