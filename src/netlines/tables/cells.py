"""Columns as plain arrays: numbers, booleans, texts, dates, and which of their cells are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.tables.numbers import MISSING, hours_of, microseconds_of

KINDS = ("number", "boolean", "text", "moment", "time", "nothing")
MICROSECONDS_A_DAY = 86_400_000_000


@dataclass(frozen=True, eq=False)
class Cells:
    """A column: values of one kind, and which of them are missing.

    Attributes
    ----------
    kind : {"number", "boolean", "text", "moment", "time", "nothing"}
        Numbers, 0 and 1, texts, microseconds from 1970 on, hours of a day; "nothing" if all are missing.
    values : array of shape (n,)
        Of texts their positions among the levels. Missing ones are 0.
    missing : array of bool, shape (n,)
    levels : tuple of str
        The different texts, in the order in which they come.
    declared : bool
        Whether the table itself says that these are categories.
    """

    kind: str
    values: NDArray
    missing: NDArray[np.bool_]
    levels: tuple[str, ...] = ()
    declared: bool = False

    @property
    def present(self) -> NDArray:
        """The values that are not missing."""
        return self.values[~self.missing]

    def shown(self, row: int) -> Any:
        """Return the value of a row as an error should show it."""
        if self.missing[row]:
            return None
        if self.kind == "text":
            return self.levels[int(self.values[row])]
        value = self.values[row].item()
        if self.kind == "moment":
            return str(np.datetime64(value, "us"))
        return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


@dataclass(frozen=True, eq=False)
class Raw:
    """A table as it came in: names and cells of its columns.

    Attributes
    ----------
    names : tuple of str
        Of a table without names x0, x1, ...
    named : bool
        Whether the names are the user's.
    n_rows : int
    read : callable
        Returns the cells of the column of a position.
    first : int
        What the first row is called in messages: 0 in Python, 1 in files.
    decimal : {".", ","} or None
        How the numbers of a file are written, if that is known.
    single : bool
        Whether all columns are floats of single precision.
    """

    names: tuple[str, ...]
    named: bool
    n_rows: int
    read: Callable[[int], Cells]
    first: int = 0
    decimal: str | None = None
    single: bool = False
    _known: dict[int, Cells] = field(default_factory=dict)

    def cells(self, name: str) -> Cells:
        """Return the cells of a column, which are read once."""
        position = self.names.index(name)
        if position not in self._known:
            self._known[position] = self._read(position)
        return self._known[position]

    def _read(self, position: int) -> Cells:
        try:
            cells = self.read(position)
            return replace(cells, kind="nothing") if cells.missing.all() else cells
        except Strange as strange:
            raise self.error(strange.what, self.names[position], strange.row, strange.value) from None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.n_rows, len(self.names)

    def without(self, *names: str) -> Raw:
        """Return the table without some columns."""
        kept = [i for i, name in enumerate(self.names) if name not in names]
        chosen = tuple(self.names[i] for i in kept)
        return replace(self, names=chosen, read=lambda i: self.cells(chosen[i]), _known={})

    def taken(self, rows: NDArray[np.bool_]) -> Raw:
        """Return the table of some of the rows."""

        def read(position: int) -> Cells:
            whole = self.cells(self.names[position])
            return replace(whole, values=whole.values[rows], missing=whole.missing[rows])

        n_rows = int(np.count_nonzero(rows))
        return Raw(self.names, self.named, n_rows, read, self.first, self.decimal, self.single)

    def error(self, what: str, name: str, row: int, value: Any) -> ValueError | TypeError:
        """Return the error that names a cell: what is wrong with it, its value, its column and its row."""
        how = "rows are counted from 1 without the header" if self.first else "rows are counted from 0"
        kind = TypeError if what.startswith("the argument") else ValueError
        return kind(f"{what}, got {_short(value)} in column {name!r}, row {row + self.first} ({how})")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


class Strange(Exception):
    """A cell that is of no kind that a table may hold."""

    def __init__(self, what: str, row: int, value: Any) -> None:
        super().__init__(what)
        self.what, self.row, self.value = what, row, value


def of_columns(columns: Mapping[str, Sequence[Any]], *, first: int = 0, decimal: str | None = None) -> Raw:
    """Return a table of Python values, column by column."""
    names = tuple(columns)
    n_rows = len(next(iter(columns.values()), ()))
    return Raw(names, True, n_rows, lambda i: of_objects(columns[names[i]]), first, decimal)


def of_array(column: NDArray) -> Cells:
    """Return the cells of a column of an array of any type."""
    kind = column.dtype.kind
    if kind in "iuf":
        return numbers(column)
    if kind == "b":
        return Cells("boolean", column.astype(float), np.zeros(len(column), dtype=bool))
    if kind == "M":
        missing = np.isnat(column)
        return moments(np.where(missing, 0, column.astype("M8[us]").astype(np.int64)), missing)
    if kind == "m":
        missing = np.isnat(column)
        micro = np.where(missing, 0, column.astype("m8[us]").astype(np.int64))
        return Cells("number", micro / MICROSECONDS_A_DAY, missing)
    if kind == "c":
        raise Strange("expected a number, not a complex one", 0, column[0])
    return of_objects(column.tolist())


def numbers(values: Any, missing: NDArray | None = None) -> Cells:
    """Return numbers, of which NaN is missing too."""
    found = np.asarray(values, dtype=float)
    absent = np.isnan(found) if missing is None else missing | np.isnan(found)
    return Cells("number", np.where(absent, 0.0, found) if absent.any() else found, absent)


def moments(micro: NDArray, missing: NDArray) -> Cells:
    """Return dates, given as microseconds from 1970 on."""
    return Cells("moment", np.where(missing, 0, micro).astype(np.int64), missing)


def of_objects(cells: Iterable[Any], *, declared: bool = False) -> Cells:
    """Return the cells of a column of Python objects, by what they are.

    Numbers, booleans and dates keep their kind if all are of it; beside texts they become texts.
    """
    objects = list(cells)
    if set(map(type, objects)) <= {str, type(None)}:  # most columns of texts
        return of_texts([cell if cell is None else cell.strip() for cell in objects], declared)
    objects = [_plain(cell) for cell in objects]
    kinds = [_kind_of(cell) for cell in objects]
    found = set(kinds) - {"nothing"}
    missing = np.array([kind == "nothing" for kind in kinds], dtype=bool)
    if not found:
        return Cells("nothing", np.zeros(len(objects)), missing)
    if strange := found - set(KINDS):
        row = next(i for i, kind in enumerate(kinds) if kind in strange)
        what = "the argument must be a string, a boolean, a date, a number or nothing"
        raise Strange(what, row, objects[row])
    if found <= {"number", "boolean"} and not declared:
        try:
            values = [0.0 if absent else float(one) for one, absent in zip(objects, missing, strict=True)]
        except OverflowError:
            row = next(i for i, one in enumerate(objects) if isinstance(one, int) and abs(one) > 1e300)
            raise Strange("expected a number that a float can hold", row, objects[row]) from None
        return Cells("boolean" if found == {"boolean"} else "number", np.array(values), missing)
    if found == {"moment"}:
        micro = [0 if absent else _micro(one) for one, absent in zip(objects, missing, strict=True)]
        return moments(np.array(micro, dtype=np.int64), missing)
    if found == {"time"}:
        hours = [0.0 if absent else hours_of(one) for one, absent in zip(objects, missing, strict=True)]
        return Cells("time", np.array(hours), missing)
    texts = [None if absent else text_of(one) for one, absent in zip(objects, missing, strict=True)]
    return of_texts(texts, declared)


def _plain(cell: Any) -> Any:
    """Return a scalar of numpy as Python's own, and a span of time as its days."""
    if isinstance(cell, np.generic) and cell.dtype.kind in "biufUm":
        cell = cell.astype("m8[us]").item() if cell.dtype.kind == "m" else cell.item()
    return cell / timedelta(days=1) if isinstance(cell, timedelta) and cell == cell else cell


def _micro(moment: Any) -> int:
    if isinstance(moment, np.datetime64):
        return int(moment.astype("M8[us]").astype(np.int64))
    return microseconds_of(moment)


def _kind_of(cell: Any) -> str:
    """Return what a Python object is; what no table may hold is "strange"."""
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool | np.bool_):
        return "boolean"
    if isinstance(cell, float | np.floating | Decimal):
        return "nothing" if cell != cell else "number"
    if isinstance(cell, int | np.integer | Fraction):
        return "number"
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return "nothing"
    if isinstance(cell, date):
        return "moment"
    if isinstance(cell, np.datetime64):
        return "nothing" if np.isnat(cell) else "moment"
    return "time" if isinstance(cell, time) else "strange"


def text_of(cell: Any) -> str:
    """Return a cell beside texts as a text: a whole number without a point."""
    if isinstance(cell, str):
        return cell.strip()
    number = float(cell) if isinstance(cell, float | np.floating) else 0.5
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else str(cell)


def of_texts(texts: Sequence[str | None], declared: bool = False) -> Cells:
    """Return texts as positions among their levels; what means nothing is missing."""
    positions: dict[str | None, int] = dict.fromkeys([None, *MISSING], -1)
    known = len(positions)
    first = [positions.setdefault(text, len(positions) - known) for text in texts]
    codes = np.array(first, dtype=np.int64).reshape(-1)
    levels = tuple(str(text) for text in list(positions)[known:])
    missing = codes < 0
    if not levels:
        return Cells("nothing", np.zeros(len(codes)), missing, declared=declared)
    return Cells("text", np.where(missing, 0, codes), missing, levels, declared)
