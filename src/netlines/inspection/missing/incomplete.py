"""Tables of incomplete rows, read as numbers: NaN stands for a missing value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.inspection.inputs import input_names
from netlines.network.network import Network
from netlines.network.networks import Networks


def table_of(network: Network | Networks, X: Any) -> NDArray[np.float64]:
    """Return rows as numbers, shape (n, N); a column that a DataFrame lacks is NaN, as are None and NA.

    Examples
    --------
    >>> import pandas as pd
    >>> from netlines.inspection.missing.incomplete import table_of
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[1.0, -1.0, 2.0]], PASS_ON, [0, 1], feature_names=("age", "dose"))
    >>> table_of(network, pd.DataFrame({"dose": [1, None]}, dtype="Float64"))
    array([[nan,  1.],
           [nan, nan]])
    """
    names = input_names(network)
    if hasattr(X, "columns") and network.feature_names is not None:
        strange = [str(name) for name in X.columns if name not in names]
        if strange:
            raise ValueError(f"X has the column {strange[0]!r}; the inputs are {listed(names)}")
        X = X.reindex(columns=names)
    try:
        cells = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X must be rows of {len(names)} values each, got rows of other lengths") from error
    if cells.ndim != 2 or cells.shape[1] != len(names):
        raise ValueError(f"X must be rows of {len(names)} values, got shape {cells.shape}")
    table = cells.astype(float) if cells.dtype.kind in "biuf" else _numbers(cells, names)
    for row, column in np.argwhere(np.isinf(table))[:1]:
        raise _error(table[row, column], names[column], row)
    return table


def _numbers(cells: NDArray, names: list[str]) -> NDArray[np.float64]:
    """Return cells of any type as numbers; the first that is none is an error that names it."""
    table = np.full(cells.shape, np.nan)
    for (row, column), cell in np.ndenumerate(cells.astype(object)):
        if cell is None or type(cell).__name__ == "NAType":  # of pandas, which may be absent
            continue
        try:
            table[row, column] = float(cell)
        except (TypeError, ValueError) as error:
            raise _error(cell, names[column], row) from error
    return table


def _error(cell: Any, name: str, row: int) -> ValueError:
    got = cell.item() if isinstance(cell, np.generic) else cell
    return ValueError(
        f"X has the value {got!r} in column {name!r}, row {row} (counted from 0); allowed are finite "
        "numbers, and NaN for missing ones"
    )
