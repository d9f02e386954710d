"""The cells of a text file: all texts, in columns, and whether numbers in them have a decimal comma."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from netlines._words import count
from netlines.tables.charset import to_utf8
from netlines.tables.dialect import NONE, PLURALS, UNCLOSED, Dialect, find_dialect

_SAMPLE = 1 << 18  # bytes that are looked at for the dialect; more only if they are few lines
_CHUNK = 100_000  # cells that are lists before they become columns


def read_text(
    data: bytes, *, sep: str | None = None, encoding: str | None = None
) -> tuple[Any, str | None, list[str]]:
    """Read a text file of any dialect.

    Returns
    -------
    frame : pandas.DataFrame
        All cells as texts without blanks around them; the names of the columns as they are. Without any
        column if the file is empty.
    decimal : {",", "."} or None
        What the cells tell about the decimal sign.
    notices : list of str
        What was found or left out.
    """
    data, notices = to_utf8(data, encoding)
    with _cells_of_any_size():
        dialect, more = find_dialect(*_first_lines(data), sep=sep)
        names, columns, remarks = _Reading(data, dialect).columns()
    notices += [*more, *remarks]
    decimal = _find_decimal(columns, dialect.delimiter, notices)
    return _frame(columns, names), decimal, notices


@contextmanager
def _cells_of_any_size() -> Iterator[None]:
    """Lift the limit of `csv` for the size of a cell."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _lines(data: bytes) -> io.TextIOWrapper:
    """Return the lines of a UTF-8 text with their ends, of whatever kind these are."""
    return io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="ignore", newline="")


def _first_lines(data: bytes) -> tuple[list[str], bool]:
    """Return some whole lines, and whether these are all."""
    size = _SAMPLE
    while size < len(data):
        lines = list(_lines(data[:size]))
        if len(lines) > 10:
            return lines[:-1], False
        size *= 8
    return list(_lines(data)), True


@dataclass
class _Reading:
    """The walk through a text: rows in chunks, which become columns."""

    data: bytes
    dialect: Dialect
    width: int = 0
    n_read: int = 0  # rows before the chunk, blank ones among them
    short: list[int] = field(default_factory=list)  # which rows lack cells
    n_long: int = 0  # rows with empty cells too many

    def columns(self) -> tuple[list[str], list[Any], list[str]]:
        """Return the names of the columns, their cells as arrays of pyarrow, and notices."""
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = pa.large_string()
        parts: list[list[Any]] = []
        rows = self._rows()
        try:
            names = [""] * self.dialect.row_names + next(rows, [])
            self.width = len(names)
            while chunk := list(islice(rows, max(1, _CHUNK // max(1, self.width)))):
                fitting = chunk if set(map(len, chunk)) == {self.width} else self._fitted(chunk)
                parts.append([pa.array(cells, kind) for cells in zip(*fitting, strict=True)])
                self.n_read += len(chunk)
        except csv.Error as error:
            raise ValueError(f"line {self._line()}: {_wrong_quote(error)}") from error
        arrays = [[part[k] for part in parts if part] for k in range(self.width)]
        cells = [pc.utf8_trim_whitespace(pa.chunked_array(array, kind)) for array in arrays]
        return names, cells, self._remarks()

    def _rows(self) -> Any:
        """Return the `csv.reader`, from the names of the columns on."""
        lines = _lines(self.data)
        for _ in range(self.dialect.above):
            next(lines, None)
        return self.dialect.rows(lines)

    def _fitted(self, chunk: list[list[str]]) -> list[list[str]]:
        """Return the rows that are not blank, each with as many cells as there are names."""
        fitted = []
        for number, row in enumerate(chunk, self.n_read):
            lacking = self.width - len(row)
            if not row or (lacking and len(row) == 1 and not row[0].strip()):
                continue
            if lacking > 0:
                self.short.append(number)
                row = row + [""] * lacking
            elif lacking < 0:
                if any(cell.strip() for cell in row[self.width :]):
                    raise ValueError(self._too_long(number, len(row)))
                self.n_long += 1
                row = row[: self.width]
            fitted.append(row)
        return fitted

    def _too_long(self, number: int, length: int) -> str:
        expected = f"{self.width} {'is' if self.width == 1 else 'are'} expected"
        if self.dialect.delimiter == NONE:
            delimiters = "delimiters"
        else:
            delimiters = PLURALS.get(self.dialect.delimiter, repr(self.dialect.delimiter))
        return (
            f"line {self._line(number)} has {count(length, 'cell')}, {expected} as in line "
            f"{self.dialect.above + 1}: quote cells that hold {delimiters}, or name what divides the cells "
            "with --sep"
        )

    def _line(self, wanted: int | None = None) -> int:
        """Return the line in which a row begins; without a number, that which cannot be read."""
        rows = self._rows()
        before = 0
        with suppress(csv.Error):
            for number, _ in enumerate(rows, -1):  # the first holds the names
                if number == wanted:
                    break
                before = rows.line_num
        return self.dialect.above + before + 1

    def _remarks(self) -> list[str]:
        remarks = []
        if self.short:
            has = "row has" if len(self.short) == 1 else "rows have"
            remarks.append(
                f"{len(self.short):,} {has} fewer cells than the {self.width} columns, the first in line "
                f"{self._line(self.short[0])}: the lacking ones are empty"
            )
        if self.n_long:
            remarks.append(
                f"empty cells without a column at the end of {count(self.n_long, 'row')}: left out"
            )
        return remarks


def _wrong_quote(error: csv.Error) -> str:
    if str(error) == UNCLOSED:
        return "a quote is opened here and never closed"
    return "text follows the closing quote of a cell: double the quotes within a cell"


def _frame(columns: list[Any], names: list[str]) -> Any:
    """Return the columns as a data frame; names may occur twice."""
    import pyarrow as pa

    frame = pa.Table.from_arrays(columns, names=[str(k) for k in range(len(names))]).to_pandas()
    frame.columns = names
    return frame


def _shown_by(columns: list[Any], sign: str, other: str) -> str | None:
    """Return a number that only one decimal sign explains, as 0,123 and 1.234,5 and 1.234.567 do a comma."""
    ours, others = re.escape(sign), re.escape(other)
    forms = (
        rf"\d*{ours}(\d{{1,2}}|\d{{4,}})",
        rf"(0\d*|\d{{4,}}|){ours}\d{{3}}",
        rf"\d{{1,3}}({others}\d{{3}})+{ours}\d*",
    )
    decimals = rf"^[+-]?({'|'.join(forms)})([eE][+-]?\d+)?\s*%?$"
    groups = rf"^[+-]?\d{{1,3}}({others}\d{{3}}){{2,}}$"
    return _first_match(columns, sign, decimals) or _first_match(columns, other, groups)


def _find_decimal(columns: list[Any], delimiter: str, notices: list[str]) -> str | None:
    """Return the decimal sign that the cells show, if they do, with a notice about a comma."""
    point = _shown_by(columns, ".", ",")
    if delimiter == ",":
        return "." if point else None
    comma = _shown_by(columns, ",", ".")
    if not comma and not point and delimiter == ";":  # 1,234 in a file of semicolons
        comma = _first_match(columns, ",", r"^[+-]?\d{1,3},\d{3}$")
    if comma and point:
        notices.append(
            f"some numbers have a decimal comma, as {comma!r}, others a point, as {point!r}: --decimal says "
            "which of them is meant"
        )
        return None
    if comma:
        notices.append("numbers have a decimal comma")
    return "," if comma else "." if point else None


def _first_match(columns: list[Any], sign: str, pattern: str) -> str | None:
    """Return a cell that holds a sign and has a pattern, if there is one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nothing = pa.array([], pa.large_string())
    for most in (100, None):  # the first rows tell it of most files
        parts = (part for column in columns for part in column[:most].chunks)
        cells = pa.concat_arrays([nothing, *parts])
        signed = cells.filter(pc.match_substring(cells, sign))  # faster than the pattern
        matching = signed.filter(pc.match_substring_regex(signed, pattern))
        if len(matching):
            return matching[0].as_py()
    return None
