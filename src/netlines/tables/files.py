"""Tables of any common format: read as they are found, written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from numpy.typing import NDArray

from netlines._files import atomic_write
from netlines._words import count, joined, listed
from netlines.tables.containers import unpack
from netlines.tables.formats import read_arrow, read_excel, read_json, read_parquet
from netlines.tables.names import name_columns
from netlines.tables.options import check_decimal, check_encoding, check_sep
from netlines.tables.text import read_text
from netlines.tables.writing import SUFFIXES, write_frame

STREAM = "-"  # standard input or output


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows and the columns, with row numbers for an index.
    decimal : {",", "."} or None
        The sign before the decimals of numbers in texts, if the cells show it or the user said it.
    notices : tuple of str
        What was found or left out, a line each.
    text : bool
        Whether all cells are texts as in CSV, or have types of their own.
    """

    frame: Any
    decimal: str | None = None
    notices: tuple[str, ...] = ()
    text: bool = False

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.frame.columns)


def read_table(
    path: str | os.PathLike[str],
    *,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Read a table with at least one row and with different names for its columns.

    A text has any delimiter, quotes, line ends and encoding; these are found. So are the formats of files
    whose name does not tell them.

    Parameters
    ----------
    path : path or "-"
        A file whose name ends in .csv, .tsv, .txt, .dat or .data, .parquet or .pq, .feather or .arrow, .xlsx,
        .jsonl, .ndjson or .json, and perhaps in .gz, .zst, .zip, .bz2 or .xz. Of other names, and of
        standard input (-), the content decides.
    sep : str, optional
        What divides the cells of a text: a character, or tab, space, comma, semicolon or pipe.
    decimal : {",", "."}, optional
        The decimal sign of numbers in texts.
    encoding : str, optional
        The encoding of a text, such as cp1252.

    Raises
    ------
    ValueError
        If the file is damaged or no table, or an option has a wrong value; the message names it.
    """
    _import_pandas()
    sep, decimal, encoding = check_sep(sep), check_decimal(decimal), check_encoding(encoding)
    shown = "standard input" if os.fspath(path) == STREAM else _printable(os.fspath(path))
    content = _content(path)
    try:
        data, kind = unpack(content, os.fspath(path))
    except ValueError as error:
        raise ValueError(f"{shown} {error}") from error
    del content
    try:
        frame, found, notices = _read(data, kind, sep, encoding)
    except ImportError:
        raise
    except Exception as error:  # of damaged files pandas and others raise all kinds
        if type(error) is MemoryError:  # pyarrow has its own for sizes that a damaged file tells
            raise
        expected = isinstance(error, ValueError | OSError | NotImplementedError)
        what = error if expected else f"it is damaged ({error!r})"
        raise ValueError(f"{shown} cannot be read as {kind}: {what}") from error
    if not frame.shape[1]:
        raise ValueError(f"{shown} is empty")
    try:
        frame, more = name_columns(frame)
    except ValueError as error:
        raise ValueError(f"{shown}: {error}") from error
    if kind in ("csv", "xlsx"):
        frame = _without_empty_end(frame, more)
    if not len(frame):
        raise ValueError(f"{shown} has no rows")
    return Table(frame, decimal or found, (*notices, *more), text=kind == "csv")


def check_suffix(path: str | os.PathLike[str]) -> str:
    """Return the suffix that says how a table is written, .csv for -; anything else is a `ValueError`."""
    name = os.fspath(path)
    if name == STREAM:
        return ".csv"
    suffix = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), None)
    if suffix is None:
        raise ValueError(
            f"{_printable(name)} must end in {joined(SUFFIXES, 'or')}, got {Path(name).suffix.lower()!r}"
        )
    return suffix


def write_table(table: Table, path: str | os.PathLike[str], *, raw: bool = False, **columns: NDArray) -> None:
    """Write a table with further columns to a file, whole or not at all, or as CSV to standard output (-).

    Texts that a spreadsheet would run as a formula get a ' in front in the formats that spreadsheets open
    (CSV, TSV, Excel); with `raw` they are written as they were read.
    """
    suffix = check_suffix(path)
    present = [name for name in columns if name in table.columns]
    if present:
        raise ValueError(f"the table already has a column {listed(present)}, which is to be added: rename it")
    frame = table.frame.assign(**columns)
    try:
        with _standard_output() if os.fspath(path) == STREAM else atomic_write(path) as file:
            write_frame(frame, file, suffix, raw=raw)
    except (ValueError, TypeError, NotImplementedError) as error:  # pyarrow raises all of them
        raise ValueError(
            f"{_printable(os.fspath(path))} cannot be written as {suffix[1:]}: {error}"
        ) from error


def _read(data: bytes, kind: str, sep: str | None, encoding: str | None) -> tuple[Any, str | None, list[str]]:
    """Return the data frame, the decimal sign and the notices."""
    if kind == "csv":
        return read_text(data, sep=sep, encoding=encoding)
    if kind == "json":
        frame, notices = read_json(data, encoding)
    else:
        readers = {"parquet": read_parquet, "arrow": read_arrow, "xlsx": read_excel}
        frame, notices = readers[kind](data)
    return frame, None, notices


def _content(path: str | os.PathLike[str]) -> bytes:
    if os.fspath(path) == STREAM:
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    """Give a file that goes to standard output when it is whole."""
    buffer = BytesIO()
    yield buffer
    sys.stdout.flush()
    if sys.stdout.isatty():  # which would obey control characters
        text = buffer.getvalue().decode()
        sys.stdout.write(
            "".join(one if one.isprintable() or one in "\n\t" else ascii(one)[1:-1] for one in text)
        )
    else:
        sys.stdout.buffer.write(buffer.getvalue())
    sys.stdout.flush()


def _without_empty_end(frame: Any, notices: list[str]) -> Any:
    """Leave out the last rows if all their cells are empty, as spreadsheets write them."""
    end = len(frame)
    while end and frame.shape[1] > 1 and all(cells.iloc[end - 1] in ("", None) for _, cells in frame.items()):
        end -= 1
    if end == len(frame):
        return frame
    notices.append(f"{count(len(frame) - end, 'empty row')} at the end: left out")
    return frame.iloc[:end]


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)[1:-1]


def _import_pandas() -> Any:
    try:
        import pandas as pd
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError('reading tables needs pandas and pyarrow: pip install "netlines[cli]"') from error
    return pd
