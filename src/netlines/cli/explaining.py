"""The work of `netlines explain`: one row from the command line, and what the model says of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed, percent, wrapped
from netlines.inspection.answers import Answers
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import input_names
from netlines.inspection.missing import possible_classes
from netlines.network.protocol import AnyNetwork
from netlines.tables.files import Table
from netlines.tables.layout import Layout, to_inputs


def read_row(text: str, layout: Layout) -> NDArray[np.float64]:
    """Return the inputs of a row given as NAME=VALUE,NAME=VALUE,... or as the values of all columns in order.

    An empty value, or a column that is not named, is missing: its inputs are NaN.
    """
    import pandas as pd

    names = [column.name for column in layout.columns]
    try:
        cells = [cell.strip() for cell in next(csv.reader([text], skipinitialspace=True), [])]
    except csv.Error as error:
        raise ValueError(f"--row {text!r}: expected one row, of values between commas ({error})") from error
    if len(cells) == len(names) and not any(_name_of(cell, names) for cell in cells):
        values = dict(zip(names, cells, strict=True))
    elif any("=" in cell for cell in cells):
        values = _by_name(cells, names)
    else:
        raise ValueError(
            f"--row {text!r}: expected NAME=VALUE,NAME=VALUE,... or {len(names)} values in the order "
            f"{listed(names)}, got {len(cells)}"
        )
    frame = pd.DataFrame([[values.get(name, "") for name in names]], columns=names, dtype=str)
    return to_inputs(Table(frame, typed=False), layout, incomplete=True)[0]


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


def read_ranges(texts: Sequence[str], names: Sequence[str]) -> dict[str, tuple[float | None, float | None]]:
    """Return the ranges NAME=LOW:HIGH by name; an empty end is open."""
    ranges = {}
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
    row: NDArray,
    features: Sequence[str],
    ranges: dict[str, Any],
    change: str,
    width: int,
) -> str:
    """Return what the model says of a row, complete or not, in words; the parameters of `explain`."""
    numbers = [i for name in features for i in _inputs_of(network, name)]
    if not np.isnan(row).any():
        told = explain(network, row, features=numbers or None, ranges=ranges, change=change)
        return told.text(width=width)
    if features:
        raise ValueError(f"--features {','.join(features)} needs a complete row: this one lacks values")
    (possible,) = possible_classes(network, row[None], ranges=ranges or None)
    found = Answers(network, row[None])
    lines = [f"missing: {', '.join(possible.missing)}", str(possible)]
    if not possible.certain:
        (label,), share = found.labels().tolist(), found.shares.max()
        lines.append(f"most probable, given the other values: {label} ({percent(share, 0)})")
    return "\n".join(wrapped(line, width) for line in lines)


def _inputs_of(network: AnyNetwork, name: str) -> list[int]:
    """Return the number of an input, or the numbers of all inputs that a text column has become."""
    names = input_names(network)
    own = [i for i, one in enumerate(names) if one == name] or [
        i for i, one in enumerate(names) if one.partition("=")[0] == name and "=" in one
    ]
    if not own:
        raise ValueError(f"--features: there is no input {name!r}; the inputs are {listed(names)}")
    return own
