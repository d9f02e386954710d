"""The work of `netlines explain`: one row from the command line, and what the model says of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

from netlines._words import listed
from netlines.inspection.explanation import Explanation, explain
from netlines.inspection.inputs import input_names
from netlines.network.layout import Layout
from netlines.network.protocol import AnyNetwork


def read_row(text: str, layout: Layout) -> dict[str, str]:
    """Return the cells of a row given as NAME=VALUE,NAME=VALUE,... or as the values of all columns in order.

    An empty value, or a column that is not named, is missing. A column that was left out may be named.
    """
    names = list(layout.sources)
    try:
        cells = [cell.strip() for cell in next(csv.reader([text], skipinitialspace=True), [])]
    except csv.Error as error:
        raise ValueError(f"--row {text!r}: expected one row, of values between commas ({error})") from error
    if not any(_name_of(cell, layout.names) for cell in cells):
        for some in (names, layout.names):
            if len(cells) == len(some):
                return dict(zip(some, cells, strict=True))
    if any("=" in cell for cell in cells):
        values = _by_name(cells, layout.names)
    else:
        raise ValueError(
            f"--row {text!r}: expected NAME=VALUE,NAME=VALUE,... or {len(names)} values in the order "
            f"{listed(names)}, got {len(cells)}"
        )
    return {name: values.get(name, "") for name in names}


def _name_of(cell: str, names: Sequence[str]) -> str | None:
    """Return the column that a cell NAME=VALUE is of: the longest name that fits, for names may have a =."""
    parts = cell.split("=")
    beginnings = {"=".join(parts[:k]).strip() for k in range(1, len(parts))}
    return max((name for name in names if name in beginnings), key=len, default=None)


def _by_name(cells: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for cell in cells:
        name = _name_of(cell, names)
        if name is None:
            raise ValueError(f"--row: there is no column for {cell!r}; the columns are {listed(names)}")
        if name in values:
            raise ValueError(f"--row gives the column {name!r} twice")
        values[name] = cell.split("=", name.count("=") + 1)[-1].strip()
    return values


def read_ranges(texts: Sequence[str], network: AnyNetwork) -> dict[str, tuple[float | None, float | None]]:
    """Return the ranges NAME=LOW:HIGH by name; an empty end is open."""
    ranges, names = {}, input_names(network)
    for text in texts:
        name, _, ends = text.rpartition("=")
        low, colon, high = ends.partition(":")
        try:
            pair = tuple(float(end) if end.strip() else None for end in (low, high))
        except ValueError:
            colon = ""
        if not colon or name.strip() not in names:
            raise ValueError(
                f"--range {text}: expected NAME=LOW:HIGH with numbers, an empty one for no limit, and a "
                f"NAME among {listed(names)}"
            )
        ranges[name.strip()] = (pair[0], pair[1])
    return ranges


def explain_row(
    network: AnyNetwork,
    cells: dict[str, str],
    features: Sequence[str],
    ranges: dict[str, Any],
    change: str,
) -> Explanation:
    """Return what the model says of a row, complete or not; the parameters of `explain`."""
    return explain(network, cells, features=list(features) or None, ranges=ranges or None, change=change)
