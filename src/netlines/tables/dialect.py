"""How the cells of a text file are divided and quoted, found from its first lines.

1. Lines above the names of the columns (sep=;, blank, beginning with #) are passed over.
2. With each delimiter the lines are read in every way of quoting that occurs in them; that one is kept by
   which most rows have as many cells as there are names.
3. Of the delimiters by which there are two names or more, that one is taken by which most rows fit, and of
   equal ones that whose cells are most often numbers or free of the other delimiters.
4. Runs of blanks divide cells only where nothing else does, all rows fit and a column holds numbers.
5. Else there is one column; unless all further lines have one number of cells: then a title is above them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from netlines._words import count

BLANKS = " "  # runs of blanks, tabs among them
NONE = "\x1f"  # of a file of one column: what is in no text
DELIMITERS = ("\t", ";", "|", ",")  # of equal ones the first is taken
PLURALS = {"\t": "tabs", ";": "semicolons", "|": "|", ",": "commas", BLANKS: "blanks"}

_MOST_ROWS = 400
_WITHOUT_QUOTES = 0.8  # what a row counts if quotes are texts
UNCLOSED = "unexpected end of data"  # the error of `csv` for a quote that is not closed
_NUMBER = re.compile(r"[+-]?(\d[\d.,]*|[.,]\d+)([eE][+-]?\d+)?\s*%?")
_SAYS_SEP = re.compile(r"sep=([^\w\s\"'\\]|\t)[ \r\n]*", re.IGNORECASE)
_BLANK_END = re.compile(r"[ \t]+(?=[\r\n]*$)")
_ESCAPE = re.compile(r"\\[\"'\\]|\\")


@dataclass(frozen=True)
class Dialect:
    """How a text file is written.

    Parameters
    ----------
    delimiter : str
        The character between cells, `BLANKS` or `NONE`.
    quote : str or None
        The character around cells that hold delimiters; within them it is doubled.
    escaped : bool
        Whether a backslash may stand before a quote instead.
    padded : bool
        Whether blanks stand between a closing quote and the delimiter.
    above : int
        Number of lines above the names of the columns.
    marked : bool
        Whether the line of the names begins with #.
    row_names : bool
        Whether rows begin with a cell that has no name, as R writes them.
    """

    delimiter: str = ","
    quote: str | None = '"'
    escaped: bool = False
    padded: bool = False
    above: int = 0
    marked: bool = False
    row_names: bool = False

    def rows(self, lines: Iterable[str], *, strict: bool = True) -> Any:
        """Return the `csv.reader` of lines, the first of which holds the names of the columns.

        It raises `csv.Error` for a quote that is not closed, or that closes before the end of its cell.
        """
        lines = iter(lines)
        if self.marked:
            lines = chain([next(lines, "").lstrip("# ")], lines)
        if self.delimiter == BLANKS:
            tab = re.compile(f"({self.quote}[^{self.quote}]*{self.quote})|\t" if self.quote else "()\t")
            lines = (_BLANK_END.sub("", line) for line in lines)
            lines = (tab.sub(lambda match: match[1] or BLANKS, line) for line in lines)
        if self.padded:
            end = re.compile(f"(?<={self.quote})[ \t]+(?={re.escape(self.delimiter)}|[\r\n]*$)")
            lines = (end.sub("", line) for line in lines)
        if self.escaped:  # other backslashes are themselves
            lines = (_ESCAPE.sub(_kept_backslash, line) for line in lines)
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            quotechar=self.quote,
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            escapechar="\\" if self.escaped else None,
            skipinitialspace=True,
            strict=strict,
        )


def find_dialect(lines: list[str], whole: bool, sep: str | None = None) -> tuple[Dialect, list[str]]:
    """Find the dialect of a text from its first lines, and notices about it.

    Parameters
    ----------
    lines : list of str
        Lines with their ends.
    whole : bool
        Whether these are all lines of the text.
    sep : str, optional
        The delimiter, if it is known.

    Examples
    --------
    >>> from netlines.tables.dialect import find_dialect
    >>> dialect, notices = find_dialect(["# made today", "size;note", "1,5;a, b", "2,5;c"], whole=True)
    >>> dialect.delimiter, dialect.above
    (';', 1)
    >>> notices
    ['1 line above the names of the columns is left out', 'cells are divided by semicolons']
    """
    above, said = _lines_above(lines)
    given = sep or said
    best = _choose(lines[above:], above, whole, given)
    if above and lines[above - 1].lstrip().startswith("#") and _are_names(best, lines[above - 1]):
        above -= 1
        best = replace(best, dialect=replace(best.dialect, marked=True))
    notices = []
    left_out = above - (said is not None)
    if left_out:
        verb = "is" if left_out == 1 else "are"
        notices.append(f"{count(left_out, 'line')} above the names of the columns {verb} left out")
    if best.dialect.marked:
        notices.append(f"the names of the columns are taken from line {above + 1}, which begins with #")
    if given is None and best.dialect.delimiter not in (",", "\t", NONE):
        notices.append(f"cells are divided by {PLURALS[best.dialect.delimiter]}")
    return replace(best.dialect, above=above), notices


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number in some way of writing numbers."""
    return _NUMBER.fullmatch(cell.strip()) is not None


@dataclass(frozen=True)
class _Fit:
    """The first rows as a dialect reads them: cells of the names, of the further rows, and how many fit."""

    dialect: Dialect
    names: list[str]
    rows: list[list[str]]
    share: float


def _lines_above(lines: list[str]) -> tuple[int, str | None]:
    """Return the number of lines above the names of the columns, and the delimiter that the first says."""
    match = _SAYS_SEP.fullmatch(lines[0]) if lines else None
    first = 1 if match else 0
    while first < len(lines) and (not lines[first].strip(" \t\r\n;,|") or lines[first].startswith("#")):
        first += 1
    return first, match[1] if match else None


def _choose(lines: list[str], above: int, whole: bool, sep: str | None) -> _Fit:
    """Return the best reading of the lines."""
    if sep is not None:
        return _fit(lines, sep, whole)
    fits = [_fit(lines, delimiter, whole) for delimiter in DELIMITERS]
    several = [fit for fit in fits if len(fit.names) > 1 or fit.dialect.row_names]
    best = max(several, key=lambda fit: (fit.share, _tidiness(fit)), default=None)
    if best is not None and best.share >= 0.5:
        return best
    blanks = _fit(lines, BLANKS, whole)
    if len(blanks.names) + blanks.dialect.row_names > 1 and blanks.share == 1 and _has_numbers(blanks):
        return blanks
    _refuse_title(fits, above)
    return best or _fit(lines, NONE, whole)


def _fit(lines: list[str], delimiter: str, whole: bool) -> _Fit:
    """Read the lines with a delimiter, in the way of quoting by which most rows fit."""
    fits: list[_Fit] = []
    begins = {line.lstrip(" ")[0] for line in lines if line.strip()}
    left_open = False
    for dialect in _ways_of_quoting("".join(lines), delimiter):
        if dialect.quote is None and left_open:
            break  # an open quote is an error; quotes within cells may be text
        rows, error = _first_rows(dialect, lines, whole)
        if error is None:
            fits.append(_judged(dialect, rows, begins == {dialect.quote}))
            if fits[-1].share == 1:
                break
            if dialect.quote is None and fits[-1].share < _WITHOUT_QUOTES:
                fits.pop()
        left_open |= error == UNCLOSED
    if not fits:  # where the text is read, the error names the line
        names = next(filter(None, Dialect(delimiter).rows(lines, strict=False)))
        return _Fit(Dialect(delimiter), names, [], 0.0)
    return max(fits, key=lambda fit: fit.share)


def _ways_of_quoting(text: str, delimiter: str) -> Iterator[Dialect]:
    """Yield the dialects of a delimiter that a text may be written in, the likely ones first."""
    edge = "[ \t]" if delimiter == BLANKS else f"{re.escape(delimiter)} *"
    double = '"' in text and re.search(f'(?:^ *|{edge})"', text, re.MULTILINE)
    single = "'" in text and re.search(f"(?:^ *|{edge})'([^'\r\n]|'')*'(?:{edge}|\r|$)", text, re.MULTILINE)
    first = text.lstrip(" ").startswith("'")
    if single and (first or not double):
        yield Dialect(delimiter, "'")
    yield Dialect(delimiter)
    if not double:
        return
    yield Dialect(delimiter, padded=True)
    if '\\"' in text:
        yield Dialect(delimiter, escaped=True)
    if single and not first:
        yield Dialect(delimiter, "'")
    yield Dialect(delimiter, None)


def _first_rows(dialect: Dialect, lines: list[str], whole: bool) -> tuple[list[list[str]], str | None]:
    """Return the first rows that are not blank, and what is wrong with their quotes."""
    rows: list[list[str]] = []
    try:
        rows.extend(islice(filter(None, dialect.rows(lines)), _MOST_ROWS))
    except csv.Error as error:
        cut = str(error) == UNCLOSED and not whole and dialect.quote == '"'  # not by an apostrophe
        return rows, None if cut and rows else str(error)
    return rows, None


def _judged(dialect: Dialect, rows: list[list[str]], quoted: bool) -> _Fit:
    """Return what share of the rows fits the names; `quoted` tells whether all lines begin so."""
    names, *further = rows or [[]]
    width = len(names)
    if width > 1:
        further = [row for row in further if len(row) > 1 or row[0].strip()]
    if _have_names(width, further, dialect.delimiter, quoted):
        return _Fit(replace(dialect, row_names=True), names, further, 1.0)
    fitting = sum(len(row) == width or (len(row) > width and not any(row[width:])) for row in further)
    share = fitting / len(further) if further else 1.0
    return _Fit(dialect, names, further, share if dialect.quote else _WITHOUT_QUOTES * share)


def _have_names(width: int, rows: list[list[str]], delimiter: str, quoted: bool) -> bool:
    """Tell whether all rows have one cell more than there are names, and the first counts or names them."""
    if len(rows) < 2 or any(len(row) != width + 1 for row in rows) or not any(row[-1] for row in rows):
        return False
    first = [row[0] for row in rows]
    if not quoted:  # in a file of commas, decimals may have become cells
        counts = ([str(i) for i in range(start, start + len(rows))] for start in (0, 1))
        return delimiter != "," and first in counts
    return len(set(first)) == len(first)


def _tidiness(fit: _Fit) -> float:
    """Return the share of cells that are numbers, or free of other delimiters."""
    others = "".join(set(DELIMITERS) - {fit.dialect.delimiter, ","})
    untidy = re.compile(f"[{others}]" + ("" if fit.dialect.delimiter == "," else "|,(?! )"))
    cells = [cell for row in fit.rows[:100] for cell in row[:200]]
    tidy = sum(is_number(cell) or untidy.search(cell) is None for cell in cells)
    return tidy / len(cells) if cells else 1.0


def _has_numbers(fit: _Fit) -> bool:
    """Tell whether a column holds nothing but numbers; there has to be a row."""
    columns = list(zip(*fit.rows, strict=False))[fit.dialect.row_names :]
    return any(all(map(is_number, column)) for column in columns)


def _are_names(below: _Fit, line: str) -> bool:
    """Tell whether a line that begins with # holds the names of the columns below it."""
    names: list[str] = next(below.dialect.rows([line.lstrip("# ")], strict=False), [])
    return (
        1 < len(names) == len(below.names)
        and all(names)
        and not any(map(is_number, names))
        and any(map(is_number, below.names))
    )


def _refuse_title(fits: list[_Fit], above: int) -> None:
    """Raise a `ValueError` if all lines have one number of cells but the first ones, which have fewer."""
    for fit in fits:
        lengths = [len(fit.names), *map(len, fit.rows)]
        first, most = lengths[0], max(lengths)
        start = lengths.index(most)
        if not 0 < start <= 10 or len(lengths) < start + 3 or min(lengths[start:]) < most:
            continue
        if most - first > 1 or (first == 1 and fit.dialect.delimiter != ","):  # many a text has one comma
            raise ValueError(
                f"line {above + 1} has {count(first, 'cell')} and the lines below have {most}: remove a "
                "title above the names of the columns, or begin its lines with #; if "
                f"{PLURALS[fit.dialect.delimiter]} do not divide the cells, --sep names what does"
            )


def _kept_backslash(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) == 2 else "\\\\"
