"""Tables as plain text: columns of one width, whatever letters are in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from netlines.plots.style import shortened

LONGEST = 200  # letters of a name that are looked at
GAP = "  "  # between columns, and before the first


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Return the lines of a table; the first `left` columns are aligned left, the others right.

    Examples
    --------
    >>> from netlines.report.plain_table import plain_table
    >>> print("\\n".join(plain_table(["class", "rows"], [["ill", "12"], ["well", "5"]])))
      class  rows
      ill      12
      well      5
    """
    every = [list(headings), *map(list, rows)]
    widths = [max(map(text_width, cells)) for cells in zip(*every, strict=True)]
    return [
        "".join(
            GAP + _padded(cell, width, k < left)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in every
    ]


def _padded(cell: str, width: int, left: bool) -> str:
    space = " " * (width - text_width(cell))
    return cell + space if left else space + cell


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for Chinese letters, none for accents."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def cut(text: str, most: int) -> str:
    """Return a text that takes at most so many columns of a terminal, with an ellipsis for a missing end.

    Examples
    --------
    >>> from netlines.report.plain_table import cut
    >>> cut("a long text", 6)
    'a lon…'
    """
    if text_width(text) <= most:
        return text
    kept = text[: most - 1]
    while text_width(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def one_line(text: Any, most: int) -> str:
    """Return a name in one line of at most so many letters, its control characters written out.

    Examples
    --------
    >>> from netlines.report.plain_table import one_line
    >>> one_line("a\\nb", 10), one_line("a very long name", 10)
    ('a\\\\nb', 'a ver…name')
    """
    shown = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in str(text)[: 10 * most])
    return shortened(shown, most)


def short_names(names: Sequence[Any], most: int) -> list[str]:
    """Return names of at most so many letters, cut where they stay different, else with their numbers.

    Examples
    --------
    >>> from netlines.report.plain_table import short_names
    >>> short_names(["the first class", "the second class"], 10)
    ['the f…lass', 'the s…lass']
    >>> short_names(["Iris setosa alba", "Iris nigra alba"], 8)
    ['Iris se…', 'Iris ni…']
    """
    lines = [one_line(name, LONGEST) for name in names]
    ways = [
        [one_line(line, most) for line in lines],
        [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines],
        [line if len(line) <= most else f"…{line[1 - most :]}" for line in lines],
    ]
    best = max(ways, key=lambda way: len(set(way)))
    if len(set(best)) == len(best):
        return best
    return [f"{line[: most - len(str(k)) - 1]}…{k}" for k, line in enumerate(lines, 1)]


def quoted(label: Any, most: int = 30) -> str:
    """Return the name of a class or a value for a sentence.

    Examples
    --------
    >>> from netlines.report.plain_table import quoted
    >>> quoted("ill"), quoted(3)
    ("'ill'", "'3'")
    """
    return f"'{one_line(label, most)}'"
