"""How the columns of a table become the inputs of a network, learnt once and remembered by name.

Numbers pass through, booleans become 0 and 1, text is one-hot encoded. In a CSV file every cell is
text: a column is taken for numbers or booleans when all its cells can be read so. A Parquet file
says itself which columns are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.network.network import LARGEST
from netlines.tables.files import Table, cell_error

MAX_CATEGORIES = 100
LONGEST_TEXT = 10_000  # characters of a name, a category or a label
KINDS = ("number", "boolean", "text")

_BOOLEANS = {"true": 1.0, "false": 0.0}
_INTEGER = re.compile(r"[+-]?\d{1,18}")


@dataclass(frozen=True)
class Column:
    """One column: its name, its kind ("number", "boolean" or "text") and the sorted values of a text."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs that the column becomes."""
        if self.kind != "text":
            return (self.name,)
        return tuple(f"{self.name}={category}" for category in self.categories)


@dataclass(frozen=True)
class Layout:
    """What is remembered of a table: the name of its target, and the columns that become inputs."""

    target: str
    columns: tuple[Column, ...]

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return tuple(name for column in self.columns for name in column.inputs)

    def to_json(self) -> dict[str, Any]:
        """Return the layout as a plain JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Layout:
        """Read a layout from the JSON value that `to_json` gave; anything else is a `ValueError`."""
        try:
            columns = tuple(Column(c["name"], c["kind"], tuple(c["categories"])) for c in value["columns"])
            layout = cls(value["target"], columns)
            wrong = layout._wrong(value)
        except (KeyError, TypeError) as error:
            raise ValueError(f"the description of the table is damaged: {error!r}") from error
        if wrong:
            raise ValueError(f"the description of the table is damaged: {wrong}")
        return layout

    def _wrong(self, value: Any) -> str:
        """Say what is wrong with a layout that was read; "" if nothing is."""
        known = {"target", "columns"}, {"name", "kind", "categories"}
        if set(value) != known[0] or any(set(c) != known[1] for c in value["columns"]):
            return "its entries are target and columns, those of a column name, kind and categories"
        if not self.columns:
            return "there are no columns"
        for where, text in self._texts():
            if not isinstance(text, str) or not is_usable(text):
                return f"{where} must be a text of at most {LONGEST_TEXT} characters, got {ascii(text)[:60]}"
        names = [self.target, *(column.name for column in self.columns)]
        if len(set(names)) < len(names):
            return f"a name is there twice among {listed(names)}"
        for column in self.columns:
            if column.kind not in KINDS:
                return f"column {column.name!r} must be of a kind among {listed(KINDS)}, got {column.kind!r}"
            n, most = len(column.categories), MAX_CATEGORIES if column.kind == "text" else 0
            if not (column.kind == "text") <= n <= most or len(set(column.categories)) < n:
                return f"column {column.name!r} is of kind {column.kind}, got {n} categories, or one twice"
        inputs = self.feature_names
        if not all(map(is_usable, inputs)):
            return f"the name of an input has more than {LONGEST_TEXT} characters"
        return "" if len(set(inputs)) == len(inputs) else "more than one input has the same name"

    def _texts(self) -> Iterator[tuple[str, Any]]:
        yield "the target", self.target
        for k, column in enumerate(self.columns):
            yield f"the name of column {k}", column.name
            yield f"the kind of column {k}", column.kind
            yield from ((f"a category of column {k}", category) for category in column.categories)


def is_usable(text: str) -> bool:
    """Tell whether a text is short enough for a model file, and can be written at all."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return len(text) <= LONGEST_TEXT


def learn_layout(table: Table, target: str) -> Layout:
    """Decide how each column but the target becomes inputs.

    Examples
    --------
    >>> import pandas as pd
    >>> from netlines.tables.layout import learn_layout, to_inputs
    >>> from netlines.tables.files import Table
    >>> frame = pd.DataFrame({"size": ["1.5", "2"], "colour": ["red", "blue"], "class": ["a", "b"]})
    >>> table = Table(frame, typed=False)
    >>> layout = learn_layout(table, "class")
    >>> layout.feature_names
    ('size', 'colour=blue', 'colour=red')
    >>> to_inputs(table, layout)
    array([[1.5, 0. , 1. ],
           [2. , 1. , 0. ]])
    """
    names = table.columns
    if target not in names:
        raise ValueError(f"there is no target column {target!r}; the columns are {listed(names)}")
    if len(names) == 1:
        raise ValueError(f"there is no column beside the target {target!r}")
    layout = Layout(target, tuple(_learn_column(table, name) for name in names if name != target))
    inputs = layout.feature_names
    if len(set(inputs)) < len(inputs):
        twice = sorted({name for name in inputs if inputs.count(name) > 1})
        raise ValueError(f"more than one input would be named {listed(twice)}: rename a column")
    for name in (target, *inputs):
        _check_length(f"the column {name.partition('=')[0][:60]!r} or one of its values", name)
    return layout


def read_target(table: Table, name: str) -> NDArray:
    """Return the labels in the target column as booleans, integers, floats or strings."""
    values = table.values(name)
    if values.dtype == object:
        values = np.array(values.tolist()) if table.typed else _labels_from_text(values)
    if values.dtype.kind == "f":
        _check_size(values, name, values)
    labels = np.unique(values)
    found = len(labels)
    if found > MAX_CATEGORIES:
        raise ValueError(
            f"the target column {name!r} has {found} different values, at most {MAX_CATEGORIES} are allowed: "
            "a target holds classes, not measurements"
        )
    for label in labels if values.dtype.kind == "U" else ():
        _check_length(f"a class in the target column {name!r}", str(label))
    return values


def to_inputs(
    table: Table, layout: Layout, *, ignore_extra: bool = False, incomplete: bool = False
) -> NDArray[np.float64]:
    """Return the inputs of every row, shape (rows, inputs), as the layout says.

    A column that the layout does not know is refused, unless it is the target or `ignore_extra` is true. So
    is a missing value; with `incomplete` its inputs are NaN.
    """
    needed = [column.name for column in layout.columns]
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise ValueError(f"the table lacks the column {listed(missing)}; it has {listed(table.columns)}")
    extra = [name for name in table.columns if name not in needed and name != layout.target]
    if extra and not ignore_extra:
        raise ValueError(
            f"the table has the extra column {listed(extra)}; the model knows {listed(needed)} "
            "(--ignore-extra leaves extra columns aside)"
        )
    return np.hstack([_known_inputs(column, table, incomplete) for column in layout.columns])


def _learn_column(table: Table, name: str) -> Column:
    values = table.values(name)
    if values.dtype.kind == "b":
        return Column(name, "boolean")
    if values.dtype.kind != "O":
        return Column(name, "number")
    if not table.typed:
        if all(text.lower() in _BOOLEANS for text in values):
            return Column(name, "boolean")
        if all(_number(text) is not None for text in values):
            return Column(name, "number")
    categories = tuple(sorted(set(values)))
    if len(categories) > MAX_CATEGORIES:
        row = next(row for row, text in enumerate(values) if table.typed or _number(text) is None)
        raise ValueError(
            f"column {name!r} is text with {len(categories)} different values, at most {MAX_CATEGORIES} are "
            f"allowed: leave it out, or repair it if it is a column of numbers (row {row + 1} has "
            f"{values[row]!r})"
        )
    return Column(name, "text", categories)


def _known_inputs(column: Column, table: Table, incomplete: bool) -> NDArray[np.float64]:
    """Return the inputs of one column, NaN where the table has no value; if `incomplete` allows that."""
    missing = table.missing(column.name)
    if incomplete and missing.all():
        return np.full((len(missing), len(column.inputs)), np.nan)
    inputs = _inputs(column, table.values(column.name, incomplete=incomplete))
    inputs[missing] = np.nan
    return inputs


def _inputs(column: Column, values: NDArray) -> NDArray[np.float64]:
    """Return the inputs that the values of one column become, shape (rows, inputs)."""
    if column.kind == "text":
        return _one_hot(column, values)
    if values.dtype != object:
        numbers = values.astype(float)
    else:
        read = _number if column.kind == "number" else _boolean
        parsed = [read(text) for text in values]
        if None in parsed:
            raise cell_error(f"expected a {column.kind}, got", column.name, parsed.index(None), values)
        numbers = np.array(parsed, dtype=float)
    _check_size(numbers, column.name, values)
    if column.kind == "boolean" and not np.isin(numbers, (0, 1)).all():
        row = int(np.isin(numbers, (0, 1)).argmin())
        raise cell_error("expected a boolean, got", column.name, row, values.tolist())
    return numbers[:, None]


def _one_hot(column: Column, values: NDArray) -> NDArray[np.float64]:
    position = {category: i for i, category in enumerate(column.categories)}
    found = [position.get(str(value), -1) for value in values]
    if -1 in found:
        error = cell_error("unknown value", column.name, found.index(-1), values.tolist())
        raise ValueError(f"{error}; the known values are {listed(column.categories)}")
    return np.eye(len(position))[found]


def _labels_from_text(values: NDArray) -> NDArray:
    """Return the labels of a CSV file in the narrowest type that all of them can be read as."""
    if all(text.lower() in _BOOLEANS for text in values):
        return np.array([text.lower() == "true" for text in values])
    if all(_INTEGER.fullmatch(text) for text in values):
        return np.array([int(text) for text in values])
    numbers = [_number(text) for text in values]
    return np.array(values.tolist() if None in numbers else numbers)


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _boolean(text: str) -> float | None:
    return _BOOLEANS.get(text.lower(), _number(text))


def _check_length(what: str, text: str) -> None:
    """Refuse before any training a text that no model file may hold."""
    if not is_usable(text):
        raise ValueError(
            f"{what} has {len(text)} characters; allowed is text of at most {LONGEST_TEXT}: shorten it"
        )


def _check_size(numbers: NDArray, column: str, cells: NDArray) -> None:
    for expected, fits in (
        ("finite number", np.isfinite(numbers)),
        (f"number of absolute value up to {LARGEST:g}", np.abs(numbers) <= LARGEST),
    ):
        if not fits.all():
            raise cell_error(f"expected a {expected}, got", column, int(fits.argmin()), cells.tolist())
