"""Table files: CSV and Parquet, read and written with the same few rules and errors."""

from __future__ import annotations

import csv
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._files import atomic_write
from netlines._words import listed

SUFFIXES = (".csv", ".parquet")
ROWS = "rows are counted from 1 without the header"

# What spreadsheets take for the beginning of a formula; of the last four, those of East Asian keyboards.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_UNSEEN = "\n\x00\u00a0\u200b\ufeff"  # what some spreadsheets pass over before it
_MISSING_IN_CSV = {"", "?", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NULL", "null"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows and the columns.
    typed : bool
        Whether the columns have types of their own (Parquet) or are all text (CSV).
    """

    frame: Any
    typed: bool

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.frame.columns)

    def values(self, name: str, *, incomplete: bool = False) -> NDArray:
        """Return a column as an array of booleans, of numbers, or of Python strings (dtype object).

        A missing value is a `ValueError` that names the column, the row and the value, unless `incomplete`:
        then another value of the column stands in its place, "" or 0 if there is none. So is a column of
        another type.
        """
        cells, missing = self._cells(name), self.missing(name)
        if missing.any():
            if not incomplete:
                raise cell_error("missing value", name, int(missing.argmax()), cells)
            nothing = "" if not self.typed or self.frame[name].dtype == object else 0.0
            instead = nothing if missing.all() else cells[int(missing.argmin())]
            cells = [instead if lacks else cell for cell, lacks in zip(cells, missing.tolist(), strict=True)]
        types = {type(cell) for cell in cells}
        if types == {str}:
            return np.array(cells, dtype=object)
        if types == {int}:
            return _integers(cells)
        if types <= {int, float} or types == {bool}:
            return np.array(cells)
        found = ", ".join(sorted(kind.__name__ for kind in types))
        raise ValueError(f"column {name!r} holds {found}; numbers, booleans and text are allowed")

    def missing(self, name: str) -> NDArray[np.bool_]:
        """Tell which cells of a column have no value."""
        if self.typed:
            return np.asarray(self.frame[name].isna().to_numpy(), dtype=bool)
        return np.array([cell in _MISSING_IN_CSV for cell in self._cells(name)], dtype=bool)

    def _cells(self, name: str) -> list[Any]:
        cells = self.frame[name].tolist()
        return cells if self.typed else [cell.strip() if isinstance(cell, str) else "" for cell in cells]


def check_suffix(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a table's file, .csv or .parquet; anything else is a `ValueError`."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{os.fspath(path)} must end in {' or '.join(SUFFIXES)}, got {suffix!r}")
    return suffix


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a CSV or Parquet file with at least one row and with different names for its columns."""
    pd = _import_pandas()
    suffix = check_suffix(path)
    name = os.fspath(path)
    with open(path, "rb") as file:
        try:
            frame = _read_csv(pd, file) if suffix == ".csv" else _read_parquet(pd, file)
        except pd.errors.EmptyDataError as error:
            raise ValueError(f"{name} is empty") from error
        except MemoryError:
            raise
        except Exception as error:  # of damaged files pandas raises all kinds
            expected = isinstance(error, ValueError | OSError | NotImplementedError)
            what = error if expected else f"it is damaged ({error!r})"
            raise ValueError(f"{name} cannot be read as {suffix[1:]}: {what}") from error
    frame.columns = [str(column).strip() for column in frame.columns]
    if "" in frame.columns:
        raise ValueError(f"{name}: column {list(frame.columns).index('') + 1} has no name")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise ValueError(f"{name}: more than one column is named {listed(twice)}")
    if len(frame) == 0:
        raise ValueError(f"{name} has no rows")
    return Table(frame.reset_index(drop=True), typed=suffix != ".csv")


def write_table(
    table: Table, path: str | os.PathLike[str], *, safe_csv: bool = False, **columns: NDArray
) -> None:
    """Write a table with further columns to a CSV or Parquet file, whole or not at all.

    Text is written as it is. With `safe_csv`, for CSV, text that a spreadsheet would run as a formula gets
    a ' in front of it.
    """
    suffix = check_suffix(path)
    present = [name for name in columns if name in table.columns]
    if present:
        raise ValueError(f"the table already has a column {listed(present)}, which is to be added: rename it")
    frame = table.frame.assign(**columns)
    if safe_csv and suffix == ".csv":
        frame = frame.rename(columns=without_formula)
        frame = frame.map(without_formula)
    # Python quotes no text for a lone carriage return, and a ; or a tab divides cells for some spreadsheets.
    quoted = _holds(frame, "\r;\t" if safe_csv else "\r") if suffix == ".csv" else False
    with atomic_write(path) as file:
        if suffix == ".csv":
            quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
            frame.to_csv(file, index=False, lineterminator="\n", quoting=quoting)
        else:
            frame.to_parquet(file, index=False)


def without_formula(cell: Any) -> Any:
    """Return a cell; if a spreadsheet would run it as a formula, with a ' in front. Numbers stay.

    Examples
    --------
    >>> from netlines.tables.files import without_formula
    >>> without_formula("=1+1"), without_formula("-1e3"), without_formula("- none")
    ("'=1+1", '-1e3', "'- none")
    """
    if not isinstance(cell, str) or not cell.lstrip(_UNSEEN).startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def _holds(frame: Any, characters: str) -> bool:
    """Tell whether a text of a table, or a name of its columns, has one of some characters."""
    texts = (column.tolist() for _, column in frame.items() if column.dtype.kind == "O")
    wanted = re.compile(f"[{characters}]")
    every = chain(frame.columns, *texts)
    return any(wanted.search(text) is not None for text in every if isinstance(text, str))


def cell_error(what: str, column: str, row: int, cells: Any) -> ValueError:
    """Return the error that names a cell: what is wrong with it, its value, its column and its row."""
    return ValueError(f"{what} {cells[row]!r} in column {column!r}, row {row + 1} ({ROWS})")


def _integers(cells: list[int]) -> NDArray:
    """Return an array of integers; numpy alone makes floats of large ones beside small ones."""
    for dtype in (np.int64, np.uint64):
        with suppress(OverflowError):
            return np.array(cells, dtype=dtype)
    return np.array(cells)


def _read_csv(pd: Any, file: Any) -> Any:
    """Read every cell as text; with a header pandas would silently rename equal names."""
    cells = pd.read_csv(
        file, header=None, dtype=str, keep_default_na=False, skipinitialspace=True, encoding="utf-8-sig"
    )
    frame = cells.iloc[1:]
    frame.columns = cells.iloc[0].fillna("").tolist()
    return frame


def _read_parquet(pd: Any, file: Any) -> Any:
    """Read the columns with their types; a named index is a column like others."""
    frame = pd.read_parquet(file)
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    for _, column in frame.items():
        if column.dtype.kind == "O":
            column.tolist()  # texts are not decoded before: those of a damaged file are an error here
    return frame


def _import_pandas() -> Any:
    try:
        import pandas as pd
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError('reading tables needs pandas and pyarrow: pip install "netlines[cli]"') from error
    return pd
