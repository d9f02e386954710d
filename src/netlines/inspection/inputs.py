"""The one door by which networks and rows come in: the network of a model, its inputs, rows as numbers.

Every reader asks `network_of` for the network, and `as_rows`, `as_row` or `as_data` for rows, so that all
take the same tables and refuse others in the same words. A network that came from a table is asked with that
table's columns, or with its own inputs.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.network.layout import LARGEST, Layout
from netlines.network.protocol import AnyNetwork
from netlines.tables.cells import Raw, of_columns
from netlines.tables.encode import TableWarning, encode
from netlines.tables.frames import as_raw, is_frame

_LACKING = " (missing values are for predictions without missing='error', and for possible_classes)"


def network_of(model: Any) -> AnyNetwork:
    """Return the network of a fitted estimator, or the network itself; anything else is an error."""
    if isinstance(model, AnyNetwork):
        return model
    network = getattr(model, "network_", None)
    if isinstance(network, AnyNetwork):
        return network
    name = type(model).__name__
    last = model.steps[-1][1] if hasattr(model, "named_steps") and hasattr(model, "steps") else None
    if isinstance(getattr(last, "network_", None), AnyNetwork):
        from netlines.inspection.pipelines import unfolded

        return unfolded(model)
    if hasattr(model, "fit") and not hasattr(model, "classes_"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
    raise TypeError(
        f"{name} has no `network_` to read; allowed are fitted classifiers of netlines and their networks, "
        "not schemes over other classifiers (NetLinesClassifier takes many classes by multiclass=...)"
    )


def input_names(network: AnyNetwork) -> list[str]:
    """Return the names of the inputs, x0, x1, ... if they have none."""
    return list(network.feature_names or [f"x{i}" for i in range(network.n_features)])


def input_number(network: AnyNetwork, which: Any) -> int:
    """Return the number of an input given by its name or its number; an unknown one is an error."""
    names = input_names(network)
    if isinstance(which, str):
        if which in names:
            return names.index(which)
        raise ValueError(f"there is no input {which!r}; the inputs are {listed(names)}")
    if isinstance(which, int | np.integer) and not isinstance(which, bool) and 0 <= which < len(names):
        return int(which)
    raise ValueError(f"there is no input {which!r}; allowed are numbers from 0 to {len(names) - 1} and names")


def input_numbers(network: AnyNetwork, which: Any, name: str = "features") -> list[int]:
    """Return the numbers of inputs given by names or numbers, in increasing order; one may stand alone."""
    if isinstance(which, str | int | np.integer) or which is None:
        which = [which]
    try:
        given = list(which)
    except TypeError as error:
        raise ValueError(f"{name} must be names or numbers of inputs, got {which!r}") from error
    return sorted({input_number(network, one) for one in given})


def as_rows(
    model: Any, X: Any, *, missing: bool = False, least: int = 0, known: bool = True
) -> NDArray[np.floating]:
    """Return rows as numbers of usable size, shape (n, N), or raise an error that names what is wrong.

    Parameters
    ----------
    model : fitted classifier, Network or Networks
    X : array-like of shape (n, N), or a DataFrame
        The columns of a DataFrame are found by the names of the inputs, if these have any.
    missing : bool
        Whether NaN, None, NA or an absent column stand for unknown values; else they are errors.
    least : int
        How many rows there must be.
    known : bool
        Whether a value that is missing is known to be, where the network has an input for that; else it is
        unknown as any other.

    Returns
    -------
    array of shape (n, N)
        Of float64; of complete rows float32 stays, so that answers are those of a classifier.

    Examples
    --------
    >>> import pandas as pd
    >>> from netlines.inspection.inputs import as_rows
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[1.0, -1.0, 2.0]], PASS_ON, [0, 1], feature_names=("age", "dose"))
    >>> as_rows(network, pd.DataFrame({"dose": [1, None]}, dtype="Float64"), missing=True)
    array([[nan,  1.],
           [nan, nan]])
    """
    network = network_of(model)
    if isinstance(X, InputRows):
        return usable(X, input_names(network), missing=missing)
    if network.layout is not None and (raw := _raw_of(X, network.layout, network)) is not None:
        if raw.n_rows < least:
            raise ValueError(f"X must have at least one row of {len(raw.names)} values, got none")
        return _encoded(raw, network.layout, missing, known).view(InputRows)
    named = network.feature_names is not None
    return read_rows(X, input_names(network), named=named, missing=missing, least=least)


def raw_table(network: AnyNetwork, X: Any) -> Raw | None:
    """Return rows as the table that the layout of a network knows; None if they are inputs already."""
    if network.layout is None or isinstance(X, InputRows):
        return None
    return _raw_of(X, network.layout, network)


def raw_row(network: AnyNetwork, x: Any) -> Raw | None:
    """Return one row as such a table; None if it is one of inputs already."""
    if network.layout is None or isinstance(x, InputRows):
        return None
    return _raw_row(x, network.layout, network)


class InputRows(np.ndarray):
    """Rows that have become inputs already, so that they are not taken for rows of the user's table."""


def _raw_of(X: Any, layout: Layout, network: AnyNetwork) -> Raw | None:
    """Return rows as the table that a layout knows; None if they are inputs already."""
    if isinstance(X, Mapping):
        names = set(map(str, X))
        if not names:  # nothing is known
            X = dict.fromkeys(layout.sources)
        known = names & set(layout.names) or not names
        return of_columns({str(name): [cell] for name, cell in X.items()}) if known else None
    raw = as_raw(X, always=True)
    if raw is None:
        return None
    if raw.named:
        return raw if set(raw.names) & set(layout.sources) or not layout.named else None
    widths = len(layout.names), network.n_features
    return None if layout.is_plain or (len(raw.names) == widths[1] != widths[0]) else raw


def _encoded(
    raw: Raw, layout: Layout, missing: bool, known: bool, notices: list[str] | None = None
) -> NDArray[np.float64]:
    found = encode(raw, layout, known=known, absent=missing, complete=not missing)
    if found.notices and notices is None:
        warnings.warn("\n".join(found.notices), TableWarning, stacklevel=4)
    if notices is not None:
        notices += found.notices
    return found.inputs


def as_row(
    model: Any, x: Any, *, missing: bool = False, known: bool = True, notices: list[str] | None = None
) -> NDArray[np.float64]:
    """Return one row as numbers, shape (N,): as `as_rows`, also of a mapping, a Series or N numbers.

    What the user should know of it is added to the notices, if there is a list of them; else it is a warning.
    """
    network = network_of(model)
    names, named = input_names(network), network.feature_names is not None
    if isinstance(x, InputRows):
        return np.array(x, dtype=float).reshape(-1)
    if network.layout is not None and (raw := _raw_row(x, network.layout, network)) is not None:
        return _encoded(raw, network.layout, missing, known, notices)[0]
    if named and hasattr(x, "to_dict") and getattr(x, "ndim", 2) == 1:
        x = x.to_dict()
    if isinstance(x, Mapping):
        _check_keys(x, names, "x", missing)
        x = [x.get(name) for name in names]
    return read_rows(x, names, named=named, missing=missing, one=True)[0].astype(float)


def _raw_row(x: Any, layout: Layout, network: AnyNetwork) -> Raw | None:
    """Return one row as the table that a layout knows; None if it is one of inputs already."""
    if hasattr(x, "to_dict") and getattr(x, "ndim", 2) == 1:
        x = x.to_dict()
    if isinstance(x, Mapping):
        strange = [key for key in x if key not in layout.names and key != layout.target]
        # Beside a whole row further values are ignored; where one is lacking its name may be misspelt.
        if strange and set(x) & set(layout.names) and not set(layout.sources) <= set(x):
            raise ValueError(f"x has values for {strange[0]!r}; the columns are {listed(layout.names)}")
    elif not is_frame(x) and np.ndim(np.asarray(x, dtype=object)) == 1:
        x = np.array([list(x)], dtype=object)
    raw = _raw_of(x, layout, network)
    if raw is not None and raw.n_rows != 1:
        raise ValueError(f"x must be one row, got {raw.n_rows}")
    return raw


def as_data(
    model: Any, X: Any, y: Any, *, missing: bool = False
) -> tuple[NDArray[np.floating], NDArray[np.intp]]:
    """Return at least one row as numbers and the numbers of their classes, or raise an error."""
    rows, numbers = as_rows(model, X, missing=missing, least=1), label_numbers(network_of(model), y)
    if len(rows) != len(numbers):
        raise ValueError(f"y must have one label for each of the {len(rows)} rows of X, got {len(numbers)}")
    return rows, numbers


def read_rows(
    X: Any, names: Sequence[str], *, named: bool, missing: bool = False, least: int = 0, one: bool = False
) -> NDArray[np.floating]:
    """Return what `as_rows` does for inputs of these names; `named` tells whether columns must have them.

    With `one`, X is a single row or a table of one, and errors speak of `x`.
    """
    table, n = "x" if one else "X", len(names)
    if named and hasattr(X, "columns"):
        _check_keys(X.columns, names, table, missing)
        X = X.reindex(columns=list(names))
    cells = _cells(X)
    if one and cells.ndim == 2 and len(cells) != 1:
        raise ValueError(f"x must be one row, got {len(cells)}")
    if one and cells.shape == (n,):
        cells = cells[None]
    if cells.ndim != 2 or cells.shape[1] != n:
        got = f"shape {cells.shape}" if cells.ndim else repr(X)
        raise ValueError(f"{table} must be {'a row' if one else 'rows'} of {n} values, got {got}")
    if len(cells) < least:
        raise ValueError(f"{table} must have at least one row of {n} values, got none")
    if cells.dtype.kind not in "biuf":
        cells = _numbers(cells, names, table, missing)
    elif missing or cells.dtype not in (np.float32, np.float64):
        cells = cells.astype(float)
    return usable(cells, names, missing=missing, table=table)


def usable(
    X: NDArray, names: Sequence[Any] | None = None, *, missing: bool = False, table: str = "X"
) -> NDArray:
    """Return rows of numbers, or raise an error that names the first that is too large, infinite or NaN.

    Parameters
    ----------
    X : array of shape (n, N)
    names : of the columns; None: they are counted from 0
    missing : bool
        Whether NaN is allowed.
    table : how the error calls X; "x" is a single row
    """
    if not X.size or max(float(X.max()), -float(X.min())) <= LARGEST:  # not so with a NaN
        return X
    bad = ~(np.abs(X.astype(float)) <= LARGEST) & ~(np.isnan(X) & missing)
    for row, column in np.argwhere(bad)[:1]:
        name = column if names is None else names[column]
        raise _cell_error(X[row, column], name, row, table, missing)
    return X


def input_limits(
    network: AnyNetwork, ranges: Mapping[Any, Any] | None, default: tuple[NDArray, NDArray] | None = None
) -> tuple[NDArray, NDArray]:
    """Return the lower and upper limits of all inputs: those of ranges by name or number, or the default.

    Without a default other inputs have no limits.
    """
    ends = np.full(network.n_features, np.inf)
    low, high = (-ends, ends) if default is None else (default[0].copy(), default[1].copy())
    if ranges is not None and not isinstance(ranges, Mapping):
        raise ValueError(f"ranges must be a mapping from an input to (low, high), got {ranges!r}")
    for which, given in (ranges or {}).items():
        i = input_number(network, which)
        pair = [] if isinstance(given, str) or not np.iterable(given) else list(given)
        if len(pair) != 2:
            raise ValueError(f"ranges[{which!r}] must be a pair (low, high), got {given!r}")
        bottom, top = (
            None if end is None else number_of(end, f"an end of ranges[{which!r}]") for end in pair
        )
        low[i] = -np.inf if bottom is None else bottom
        high[i] = np.inf if top is None else top
        if not low[i] <= high[i]:
            raise ValueError(f"ranges[{which!r}] must have low at most high, got {given!r}")
    return low, high


def label_numbers(network: AnyNetwork, labels: Any, name: str = "y") -> NDArray[np.intp]:
    """Return the numbers of the classes of labels, or raise an error that names the first unknown one."""
    labels, known = _cells(labels, name), network.classes.tolist()
    numbers = {label: number for number, label in enumerate(known)}
    cells = labels.ravel().tolist()  # which may be lists
    strange = [label for label in cells if not isinstance(label, Hashable) or label not in numbers]
    if strange:
        raise ValueError(f"{name} has the label {strange[0]!r}; allowed are {listed(known)}")
    if labels.ndim != 1:
        raise ValueError(f"{name} must be a label for each row, got shape {labels.shape}")
    return np.array([numbers[label] for label in labels.tolist()], dtype=np.intp)


def _check_keys(keys: Any, names: Sequence[str], table: str, missing: bool) -> None:
    """Raise an error if the columns of a table, or the keys of a row, are not the names of the inputs."""
    strange = [key for key in keys if key not in names]
    if strange:
        raise ValueError(f"{table} has values for {strange[0]!r}; the inputs are {listed(names)}")
    absent = [name for name in names if name not in keys]
    if absent and not missing:
        raise ValueError(
            f"{table} has no values for {listed(absent)}; the inputs are {listed(names)}{_LACKING}"
        )


def _cells(X: Any, name: str = "X") -> NDArray:
    """Return an array, of numbers if all cells are; rows of different lengths become one of objects."""
    with suppress(ValueError):
        cells = np.asarray(X)
        if hasattr(X, "dtype") or cells.dtype.kind in "biufO":
            return cells
    try:
        return np.asarray(X, dtype=object)  # else a text among numbers would make texts of them
    except ValueError as error:
        raise ValueError(f"{name} must be an array, got parts of different shapes") from error


def _numbers(cells: NDArray, names: Sequence[str], table: str, missing: bool) -> NDArray[np.float64]:
    """Return cells of any type as numbers, None and NA as NaN."""
    numbers = np.full(cells.shape, np.nan)
    for (row, column), cell in np.ndenumerate(cells.astype(object)):
        if cell is None or type(cell).__name__ == "NAType":  # of pandas, which may be absent
            continue
        try:
            numbers[row, column] = number_of(cell, "it")
        except ValueError as error:
            raise _cell_error(cell, names[column], row, table, missing) from error
    return numbers


def _cell_error(value: Any, column: Any, row: int, table: str, missing: bool) -> ValueError:
    """Return the error that names a value, where it stands, what is allowed, and what takes missing ones."""
    lacking = isinstance(value, float | np.floating) and np.isnan(value)
    number = value.item() if isinstance(value, np.generic) else value
    got = "NaN" if lacking else f"the value {number!r}"
    place = "" if table == "x" else f", row {row} (counted from 0)"
    more = ", and NaN for missing ones" if missing else _LACKING if lacking else ""
    return ValueError(
        f"{table} has {got} in column {column if isinstance(column, np.integer) else repr(column)}{place}; "
        f"allowed are numbers between {-LARGEST:g} and {LARGEST:g}{more}"
    )


def number_of(value: Any, name: str) -> float:
    """Return a value as a number; text, complex numbers and whatever else is none are errors."""
    try:
        if isinstance(value, str | bytes | complex | np.complexfloating):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:  # an integer may be beyond all floats
        raise ValueError(f"{name} must be a number, got {value!r}") from error
