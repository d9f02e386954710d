"""Names of the columns of a table that was read: all of them different, none of them empty."""

from __future__ import annotations

import re
from typing import Any

from netlines._words import joined, listed
from netlines.tables.dialect import is_number

_ROW_NAMES = re.compile(r"Unnamed: 0(\.\d+)?")  # what pandas calls a column without a name


def name_columns(frame: Any) -> tuple[Any, list[str]]:
    """Return a data frame whose columns have names, and notices about those that had none.

    A first column without a name holds row numbers or row names, and is left out; so are empty last columns.
    Others are called `column 3`. Names that occur twice are a `ValueError`.

    Examples
    --------
    >>> import pandas as pd
    >>> from netlines.tables.names import name_columns
    >>> frame, notices = name_columns(pd.DataFrame([["1", "a", "2"]], columns=["", "kind", " "]))
    >>> list(frame.columns), notices[1]
    (['kind', 'column 3'], "column 3 has no name: it is called 'column 3'")
    """
    names = [str(name).strip() for name in frame.columns]
    notices: list[str] = []
    first, end = _without_row_names(names, notices), len(names)
    while end > first + 1 and not names[end - 1] and _is_empty(frame.iloc[:, end - 1]):
        end -= 1
    if end < len(names):
        notices.append(f"{_columns(range(end, len(names)))} no name and no values: left out")
    unnamed = [k for k in range(first, end) if not names[k]]
    if end - first > 2 and len(unnamed) >= end - first - 1:
        raise ValueError(
            f"{len(unnamed)} of the {end - first} columns have no name: remove a title above the names of "
            "the columns"
        )
    if unnamed:
        called = "it is called" if len(unnamed) == 1 else "they are called"
        notices.append(f"{_columns(unnamed)} no name: {called} {listed(f'column {k + 1}' for k in unnamed)}")
    for k in unnamed:
        names[k] = f"column {k + 1}"
    values = [name for name in names[first:end] if is_number(name) and not name.isdecimal()]
    if values:
        notices.append(f"the names of the columns look like values: {listed(values[:3])}")
    if end - first < len(names):
        frame = frame.iloc[:, first:end]
    frame.columns = names[first:end]
    _refuse_twins(frame)
    return frame, notices


def _without_row_names(names: list[str], notices: list[str]) -> int:
    """Return how many columns at the beginning are left out."""
    first = 0
    while first < len(names) - 1 and (_ROW_NAMES.fullmatch(names[first]) or (not first and not names[0])):
        first += 1
        notices.append(f"column {first} has no name and looks like row numbers or row names: left out")
    return first


def _refuse_twins(frame: Any) -> None:
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        hint = ""
        if any(map(is_number, twice)):
            hint = ": the first line has to hold the names of the columns"
        raise ValueError(f"more than one column is named {listed(twice)}{hint}")


def _columns(positions: Any) -> str:
    numbers = [k + 1 for k in positions]
    if len(numbers) == 1:
        return f"column {numbers[0]} has"
    shown = [*numbers[:5], f"{len(numbers) - 5} more"] if len(numbers) > 6 else numbers
    return f"columns {joined(shown)} have"


def _is_empty(column: Any) -> bool:
    return bool(column.isna().all()) or all(isinstance(cell, str) and not cell for cell in column)
