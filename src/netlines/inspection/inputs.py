"""What every reader of a model needs first: its network, the names of its inputs, and rows as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.network.network import LARGEST, Network
from netlines.network.networks import Networks


def network_of(model: Any) -> Network | Networks:
    """Return the network of a fitted estimator, or the network itself; anything else is an error."""
    if isinstance(model, Network | Networks):
        return model
    network = getattr(model, "network_", None)
    if isinstance(network, Network | Networks):
        return network
    name = type(model).__name__
    last = model.steps[-1][1] if hasattr(model, "named_steps") and hasattr(model, "steps") else None
    if isinstance(getattr(last, "network_", None), Network | Networks):
        raise TypeError(
            f"{name} has no `network_` to read, but its last step has: give pipeline[-1], and rows as that "
            "gets them, of pipeline[:-1].transform(X)"
        )
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


def input_numbers(network: Network | Networks, which: Any, name: str = "features") -> list[int]:
    """Return the numbers of inputs given by names or numbers, in increasing order; one may stand alone."""
    if isinstance(which, str | int | np.integer) or which is None:
        which = [which]
    try:
        given = list(which)
    except TypeError as error:
        raise ValueError(f"{name} must be names or numbers of inputs, got {which!r}") from error
    return sorted({input_number(network, one) for one in given})


def as_row(network: Network | Networks, x: Any, *, missing: bool = False) -> NDArray[np.float64]:
    """Return one row as numbers, shape (N,); `missing` tells whether NaN is allowed.

    Parameters
    ----------
    network : Network or Networks
    x : mapping or pandas Series by the inputs' names, array-like of N numbers, or a table of one row
    missing : bool
        Whether NaN, None or an absent name stand for an unknown value; else they are errors.
    """
    names = input_names(network)
    if hasattr(x, "iloc") and getattr(x, "ndim", 1) == 2:  # a table
        x = _only(x).iloc[0]
    if hasattr(x, "to_dict") and network.feature_names is not None:
        x = x.to_dict()
    if isinstance(x, Mapping):
        strange = [name for name in x if name not in names]
        if strange:
            raise ValueError(f"there is no input {strange[0]!r}; the inputs are {listed(names)}")
        absent = [name for name in names if x.get(name) is None]
        if absent and not missing:
            raise ValueError(f"the row has no value for {listed(absent)}")
        values = [x.get(name) for name in names]
    else:
        values = _row_values(x, len(names))
    told = [f"the value of {name!r}" for name in names]
    row = np.array([np.nan if value is None else number_of(value, told[i]) for i, value in enumerate(values)])
    for i in np.flatnonzero(~(np.abs(row) <= LARGEST)):
        if not (missing and np.isnan(row[i])):
            span = f"between {-LARGEST:g} and {LARGEST:g}"
            raise ValueError(f"{told[i]} must be a number {span}, got {row[i]:g}")
    return row


def input_limits(network: Network | Networks, ranges: Mapping[Any, Any] | None) -> tuple[NDArray, NDArray]:
    """Return the lower and upper limits of all inputs that ranges by name or number stand for."""
    low, high = np.full(network.n_features, -np.inf), np.full(network.n_features, np.inf)
    if ranges is not None and not isinstance(ranges, Mapping):
        raise ValueError(f"ranges must be a mapping from an input to (low, high), got {ranges!r}")
    for which, given in (ranges or {}).items():
        i = input_number(network, which)
        ends = [] if isinstance(given, str) or not np.iterable(given) else list(given)
        if len(ends) != 2:
            raise ValueError(f"ranges[{which!r}] must be a pair (low, high), got {given!r}")
        bottom, top = (
            None if end is None else number_of(end, f"an end of ranges[{which!r}]") for end in ends
        )
        low[i] = -np.inf if bottom is None else bottom
        high[i] = np.inf if top is None else top
        if not low[i] <= high[i]:
            raise ValueError(f"ranges[{which!r}] must have low at most high, got {given!r}")
    return low, high


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


def _row_values(x: Any, n: int) -> list[Any]:
    """Return the n values of a row or of a table of one row."""
    try:
        array = x if isinstance(x, np.ndarray) else np.asarray(x, dtype=object)
    except ValueError as error:  # arrays of different shapes
        raise ValueError(f"x must be a row of {n} values, got values of different shapes") from error
    if array.ndim == 2:
        array = _only(array)[0]
    if array.shape != (n,):
        raise ValueError(
            f"x must be a row of {n} values, got {f'shape {array.shape}' if array.ndim else repr(x)}"
        )
    return array.tolist()


def number_of(value: Any, name: str) -> float:
    """Return a value as a number; text, complex numbers and whatever else is none are errors."""
    try:
        if isinstance(value, str | bytes | complex | np.complexfloating):
            raise TypeError
        return float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a number, got {value!r}") from error
