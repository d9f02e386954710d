"""Data frames as bytes of a file: CSV, Excel, JSON lines, Parquet and Feather, whole and harmless."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import chain
from math import isfinite
from typing import Any, BinaryIO

from netlines.tables.formats import import_openpyxl

SUFFIXES = (
    *(".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"),
    *(".xlsx", ".parquet", ".feather", ".jsonl"),
)

# What spreadsheets take for the beginning of a formula; of the last four, those of East Asian keyboards.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_UNSEEN = "\n\x00\u00a0\u200b\ufeff"  # what some spreadsheets pass over before it
_NUMBER = re.compile(r"\s*[+-]?(\d[\d.,]*|[.,]\d+)([eE][+-]?\d+)?\s*%?\s*")


def write_frame(frame: Any, file: BinaryIO, suffix: str, *, raw: bool = False) -> None:
    """Write a data frame to a binary file.

    Parameters
    ----------
    frame : pandas.DataFrame
        Its index is left out.
    file : binary file
        What is written to.
    suffix : str
        One of `SUFFIXES`.
    raw : bool
        Whether texts that a spreadsheet would run as formulas are left as they are; else they get a ' in
        front, in files that spreadsheets open.
    """
    if suffix == ".parquet":
        frame.to_parquet(file, index=False)
    elif suffix == ".feather":
        frame.reset_index(drop=True).to_feather(file)
    elif suffix == ".jsonl":
        _write_json(frame, file)
    elif suffix == ".xlsx":
        _write_excel(frame if raw else _harmless(frame), file)
    else:
        with _packed(file, suffix) as inner:
            _write_csv(frame if raw else _harmless(frame), inner, suffix, raw)


def without_formula(cell: Any) -> Any:
    """Return a cell; if a spreadsheet would run it as a formula, with a ' in front. Numbers stay.

    Examples
    --------
    >>> from netlines.tables.writing import without_formula
    >>> without_formula("=1+1"), without_formula("-1e3"), without_formula("-1,5"), without_formula("- none")
    ("'=1+1", '-1e3', '-1,5', "'- none")
    """
    if not isinstance(cell, str) or not cell.lstrip(_UNSEEN).startswith(_FORMULA):
        return cell
    return cell if _NUMBER.fullmatch(cell) else f"'{cell}"


def _harmless(frame: Any) -> Any:
    """Return a data frame without formulas."""
    frame = frame.rename(columns=without_formula)
    for k, (_, column) in enumerate(frame.items()):
        if column.dtype.kind == "O":
            cells = column.tolist()
            harmless = [without_formula(cell) for cell in cells]
            if harmless != cells:
                frame.isetitem(k, harmless)
    return frame


def _write_csv(frame: Any, file: BinaryIO, suffix: str, raw: bool) -> None:
    # Python quotes no text for a lone carriage return, and a ; or a tab divides cells for some spreadsheets.
    # A ' at the beginning of texts might be taken for a quote, a first name that begins with # for a remark.
    characters = "\r" if raw else "\r;\t"
    quoted = _holds(frame, f"[{characters}]|^'") or frame.columns[0].startswith(("#", "sep="))
    frame.to_csv(
        file,
        sep="\t" if suffix.startswith(".tsv") else ",",
        index=False,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
    )


def _holds(frame: Any, pattern: str) -> bool:
    """Tell whether a text of a table, or a name of its columns, has a pattern."""
    texts = (column.tolist() for _, column in frame.items() if column.dtype.kind == "O")
    wanted = re.compile(pattern)
    every = chain(frame.columns, *texts)
    return any(wanted.search(text) is not None for text in every if isinstance(text, str))


@contextmanager
def _packed(file: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    """Give a file whose bytes arrive compressed in another, the same bytes for the same content."""
    if suffix.endswith(".gz"):
        with gzip.GzipFile("", "wb", 6, fileobj=file, mtime=0) as inner:
            yield inner  # type: ignore[misc]
    elif suffix.endswith(".zst"):
        import pyarrow as pa

        packed = pa.BufferOutputStream()
        with pa.CompressedOutputStream(packed, "zstd") as inner:
            yield inner
        file.write(packed.getvalue())
    else:
        yield file


def _write_json(frame: Any, file: BinaryIO) -> None:
    columns = [[_plain(cell) for cell in column.tolist()] for _, column in frame.items()]
    for row in zip(*columns, strict=True):
        line = json.dumps(dict(zip(frame.columns, row, strict=True)), ensure_ascii=False, default=str)
        file.write(line.encode() + b"\n")


def _write_excel(frame: Any, file: BinaryIO) -> None:
    openpyxl = import_openpyxl()
    _refuse_for_excel(frame, openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    columns = [[_plain(cell) for cell in column.tolist()] for _, column in frame.items()]
    for row in chain([tuple(frame.columns)], zip(*columns, strict=True)):
        sheet.append([_excel_cell(openpyxl, sheet, value) for value in row])
    book.save(file)


def _refuse_for_excel(frame: Any, illegal: re.Pattern[str]) -> None:
    """Raise a `ValueError` for what would be cut, or leave half a file, if it were written."""
    if len(frame) >= 2**20 or frame.shape[1] > 2**14:
        raise ValueError(f"a sheet has at most {2**20 - 1:,} rows and {2**14:,} columns")
    texts = (column.tolist() for _, column in frame.items() if column.dtype.kind == "O")
    for text in chain(frame.columns, *texts):
        if isinstance(text, str) and (len(text) >= 2**15 or illegal.search(text)):
            raise ValueError(
                f"a cell holds at most {2**15 - 1:,} characters and no control characters, got {text[:20]!a}"
            )


def _excel_cell(openpyxl: Any, sheet: Any, value: Any) -> Any:
    """Return a cell that is no formula, whatever its text."""
    if value is None or isinstance(value, bool | int | float | date | time):
        return value.replace(tzinfo=None) if isinstance(value, datetime | time) else value
    cell = openpyxl.cell.WriteOnlyCell(sheet, str(value))
    cell.data_type = "s"
    return cell


def _plain(cell: Any) -> Any:
    """Return a cell, None if it is no value or an infinite one."""
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    return None if type(cell).__name__ in ("NAType", "NaTType") else cell
