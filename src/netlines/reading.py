"""What every reader of a model needs first: its network, the names of its inputs, and rows as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network import Network
from netlines.networks import Networks
from netlines.table import listed


def network_of(model: Any) -> Network | Networks:
    """Return the network of a fitted estimator, or the network itself; anything else is an error."""
    if isinstance(model, Network | Networks):
        return model
    network = getattr(model, "network_", None)
    if isinstance(network, Network | Networks):
        return network
    name = type(model).__name__
    if hasattr(model, "fit") and not hasattr(model, "classes_"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
    raise TypeError(
        f"{name} has no `network_` to read; allowed are fitted classifiers of netlines and their networks, "
        "not schemes over other classifiers (NetLinesClassifier takes many classes by multiclass=...)"
    )


def input_names(network: Network | Networks) -> list[str]:
    """Return the names of the inputs, x0, x1, ... if they have none."""
    return list(network.feature_names or [f"x{i}" for i in range(network.n_features)])


def input_number(network: Network | Networks, which: Any) -> int:
    """Return the number of an input given by its name or its number; an unknown one is an error."""
    names = input_names(network)
    if isinstance(which, str):
        if which in names:
            return names.index(which)
        raise ValueError(f"there is no input {which!r}; the inputs are {listed(names)}")
    if isinstance(which, int | np.integer) and not isinstance(which, bool) and 0 <= which < len(names):
        return int(which)
    raise ValueError(f"there is no input {which!r}; allowed are numbers from 0 to {len(names) - 1} and names")


def as_row(network: Network | Networks, x: Any, *, missing: bool = False) -> NDArray[np.float64]:
    """Return one row as numbers, shape (N,); `missing` tells whether NaN is allowed.

    Parameters
    ----------
    network : Network or Networks
    x : mapping or pandas Series by the inputs' names, array-like of N numbers, or a table of one row
    missing : bool
        Whether NaN, None or an absent name stand for an unknown value; else they are errors.
    """
    if hasattr(x, "iloc") and getattr(x, "ndim", 1) == 2:  # a table
        x = _only(x).iloc[0]
    if hasattr(x, "to_dict") and network.feature_names is not None:
        x = x.to_dict()
    if isinstance(x, Mapping):
        names = input_names(network)
        strange = [name for name in x if name not in names]
        if strange:
            raise ValueError(f"there is no input {strange[0]!r}; the inputs are {listed(names)}")
        absent = [name for name in names if x.get(name) is None]
        if absent and not missing:
            raise ValueError(f"the row has no value for {listed(absent)}")
        values = [x.get(name) for name in names]
    else:
        array = np.asarray(x)
        values = list(_only(array)[0] if array.ndim == 2 else array)
        if array.ndim not in (1, 2) or len(values) != network.n_features:
            raise ValueError(f"x must be a row of {network.n_features} values, got shape {array.shape}")
    row = np.array(
        [np.nan if value is None else _as_number(network, i, value) for i, value in enumerate(values)]
    )
    for i in np.flatnonzero(~np.isfinite(row)):
        if not (missing and np.isnan(row[i])):
            raise ValueError(
                f"the value of {input_names(network)[i]!r} must be a finite number, got {row[i]}"
            )
    return row


def label_numbers(network: Network | Networks, labels: Any, name: str = "y") -> NDArray[np.intp]:
    """Return the numbers of the classes of labels, or raise an error that names the first unknown one."""
    labels, known = np.asarray(labels), network.classes.tolist()
    numbers = {label: number for number, label in enumerate(known)}
    strange = [label for label in labels.ravel().tolist() if label not in numbers]
    if strange:
        raise ValueError(f"{name} has the label {strange[0]!r}; allowed are {listed(known)}")
    if labels.ndim != 1:
        raise ValueError(f"{name} must be a label for each row, got shape {labels.shape}")
    return np.array([numbers[label] for label in labels.tolist()], dtype=np.intp)


def _only(table: Any) -> Any:
    if len(table) != 1:
        raise ValueError(f"x must be one row, got {len(table)}")
    return table


def _as_number(network: Network | Networks, i: int, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        name = input_names(network)[i]
        raise ValueError(f"the value of {name!r} must be a number, got {value!r}") from error
