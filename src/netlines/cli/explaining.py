"""The work of `netlines explain`: one row from the command line, and what the model says of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.explanation import explain
from netlines.layout import Layout, to_inputs
from netlines.missing import integrate, possible_classes
from netlines.network import Network
from netlines.networks import Networks
from netlines.table import Table, listed


def read_row(text: str, layout: Layout) -> NDArray[np.float64]:
    """Return the inputs of a row given as NAME=VALUE,NAME=VALUE,... or as the values of all columns in order.

    An empty value, or a column that is not named, is missing: its inputs are NaN.
    """
    import pandas as pd

    names = [column.name for column in layout.columns]
    cells = [cell.strip() for cell in next(csv.reader([text], skipinitialspace=True), [])]
    if any(_name_of(cell, names) for cell in cells):
        values = _by_name(cells, names)
    elif len(cells) == len(names):
        values = dict(zip(names, cells, strict=True))
    else:
        raise ValueError(
            f"--row {text!r}: expected NAME=VALUE,NAME=VALUE,... or {len(names)} values in the order "
            f"{listed(names)}, got {len(cells)}"
        )
    frame = pd.DataFrame([[values.get(name, "") for name in names]], columns=names, dtype=str)
    return to_inputs(Table(frame, typed=False), layout, incomplete=True)[0]


def _name_of(cell: str, names: Sequence[str]) -> str | None:
    """Return the column that a cell NAME=VALUE is of: the longest name that fits, for names may have a =."""
    fitting = [name for name in names if cell.split("=")[0].strip() == name or cell.startswith(f"{name}=")]
    return max(fitting, key=len, default=None) if "=" in cell else None


def _by_name(cells: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for cell in cells:
        name = _name_of(cell, names)
        if name is None:
            raise ValueError(f"--row: there is no column for {cell!r}; the columns are {listed(names)}")
        if name in values:
            raise ValueError(f"--row gives the column {name!r} twice")
        values[name] = cell[cell.index("=", len(name) if cell.startswith(name) else 0) + 1 :].strip()
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
    network: Network | Networks, row: NDArray, features: Sequence[str], ranges: dict[str, Any], width: int
) -> str:
    """Return what the model says of a row, complete or not, in words."""
    if not np.isnan(row).any():
        return explain(network, row, features=list(features) or None, ranges=ranges or None).text(width=width)
    (possible,) = possible_classes(network, row[None], ranges=ranges or None)
    share = integrate(network, row[None])[0]
    best = int(share.argmax())
    lines = [f"missing: {', '.join(possible.missing)}", str(possible)]
    if not possible.certain:
        label = network.classes.tolist()[best]
        lines.append(f"most probable, given the other values: {label} ({100 * share[best]:.0f} %)")
    return "\n".join(lines)
