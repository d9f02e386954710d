"""What is checked before a picture is drawn: the network, and the rows that are drawn with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.inspection.inputs import input_names, label_numbers
from netlines.network.network import Network
from netlines.network.networks import Networks


def checked_network(network: Any) -> Network | Networks:
    """Return the network, or raise an error that says what was given instead."""
    if not isinstance(network, Network | Networks):
        raise ValueError(
            f"network must be a Network or Networks, got {type(network).__name__}; that of a fitted "
            "classifier is `network_`, which `from_estimator` takes"
        )
    return network


def checked_rows(network: Network | Networks, X: Any) -> NDArray[np.float64]:
    """Return rows as numbers, shape (n, N), or raise an error that says what is wrong with them."""
    names = getattr(X, "columns", None)
    if names is not None and network.feature_names is not None and list(names) != list(network.feature_names):
        known, given = listed(list(network.feature_names)), listed(list(map(str, names)))
        raise ValueError(f"X must have the columns {known}, got {given}")
    rows = np.asarray(X, dtype=float)
    if rows.ndim != 2 or rows.shape[1] != network.n_features or not len(rows):
        raise ValueError(f"X must be rows of {network.n_features} inputs, got shape {rows.shape}")
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, column = bad[0]
        name = input_names(network)[column]
        found = f"X has {rows[row, column]} in column {name!r}, row {row}"
        raise ValueError(f"{found}; allowed are finite numbers")
    return rows


def checked_data(network: Network | Networks, X: Any, y: Any) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return rows as numbers and the numbers of their classes, or raise an error that says what is wrong."""
    rows, numbers = checked_rows(network, X), label_numbers(network, y)
    if len(rows) != len(numbers):
        raise ValueError(f"X and y must be of equal length, got {len(rows)} rows and {len(numbers)} labels")
    return rows, numbers
