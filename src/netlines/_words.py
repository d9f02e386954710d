"""Names and numbers in sentences, sentences in lines, and lines and tables as HTML for notebooks."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from math import floor, inf, isfinite, log10
from typing import Any


def listed(names: Iterable[Any]) -> str:
    """Return names in quotes, the first twenty of them.

    Examples
    --------
    >>> from netlines._words import listed
    >>> listed(["age", "colour"])
    "'age', 'colour'"
    """
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:20])
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"


def joined(words: Iterable[Any], link: str = "and") -> str:
    """Return words one after the other, the link before the last one.

    Examples
    --------
    >>> from netlines._words import joined
    >>> joined(["red", "green", "blue"])
    'red, green and blue'
    """
    *first, last = map(str, words)
    return f"{', '.join(first)} {link} {last}" if first else last


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> from netlines._words import count
    >>> count(1, "row"), count(1200, "row"), count(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share as a percentage.

    Examples
    --------
    >>> from netlines._words import percent
    >>> percent(0.125)
    '12.5 %'
    """
    return f"{100 * share:.{digits}f} %"


def number(value: float, digits: int = 4) -> str:
    """Return a number with so many digits that matter, without powers of ten where a person needs none.

    Examples
    --------
    >>> from netlines._words import number
    >>> number(15840.0), number(0.12345), number(-3.0), number(2.5e-7)
    ('15,840', '0.1235', '−3', '2.5e−07')
    """
    if not isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "?"
    text = f"{value:.{digits}g}"
    if 1e-4 <= abs(value) < 1e12:
        text = f"{float(text) if abs(value) < 10**digits else round(value):,.{digits + 3}f}"
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def number_text(value: float, digits: int = 3) -> str:
    """Return a number with some significant digits, without a power of ten where it is of ordinary size.

    Examples
    --------
    >>> from netlines._words import number_text
    >>> [number_text(value, 3) for value in (0.12345, 1234.5, -0.0, 1e20, -3.7777e-5)]
    ['0.123', '1234', '0', '1e+20', '-0.0000378']
    """
    text = f"{value:.{digits}g}"
    if "e" in text and 1 <= abs(value) < 1e15:
        text = f"{value:.0f}"
    elif "e" in text and 1e-7 <= abs(value) < 1:
        text = f"{value:.{digits - 1 - floor(log10(abs(value)))}f}".rstrip("0")
    return "0" if text == "-0" else text


def enough_digits(value: float, spread: float, digits: int) -> int:
    """Return how many digits show a value of a column with some spread: more if it is far from 0 for that.

    Examples
    --------
    >>> from netlines._words import enough_digits
    >>> enough_digits(120.0, 15.0, 3), enough_digits(1.7e9, 300.0, 3)
    (3, 9)
    """
    far = abs(value) / spread if spread else inf
    return min(digits + int(log10(far)), 17) if 1e5 <= far < inf else digits


def wrapped(line: str, width: int) -> str:
    """Return a line as lines of a width, the further ones indented by four more.

    No-break spaces keep words together, and become spaces.
    """
    indent = " " * (len(line) - len(line.lstrip()))
    lines = textwrap.wrap(
        line, width, subsequent_indent=f"{indent}    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def text_as_html(title: str, text: str) -> str:
    """Return text as HTML for a notebook: the title, and a line for each line, indented as it is.

    Everything is escaped. There are no colours: it looks well on light and dark pages.

    Examples
    --------
    >>> from netlines._words import text_as_html
    >>> "a &lt; b" in text_as_html("Rules", "IF a < b")
    True
    """
    lines = []
    for line in text.splitlines():
        indent = 0.6 * (len(line) - len(line.lstrip()))  # of a digit: numbers at the begin stay aligned
        lines.append(f'<div style="margin-left:{indent + 1:g}em;text-indent:-1em">{_escaped(line)}</div>')
    return _framed(title, "".join(lines))


def table_as_html(title: str, names: Sequence[Any], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """Return a table as HTML for a notebook: numbers to the right, everything escaped, a note below.

    Examples
    --------
    >>> from netlines._words import table_as_html
    >>> "<th" in table_as_html("Sizes", ["name", "size"], [["a<b", 3]], "one row")
    True
    """

    lines = [list(row) for row in rows]
    texts = [any(isinstance(row[k], str) for row in lines) for k in range(len(names))]
    style = "padding:2px 10px 2px 0;border-bottom:1px solid rgba(128,128,128,.35);text-align:"

    def cells(tag: str, row: Sequence[Any]) -> str:
        pairs = zip(texts, row, strict=True)
        sides = [("left" if is_text else "right", _escaped(cell)) for is_text, cell in pairs]
        return "".join(f'<{tag} style="{style}{side}">{cell}</{tag}>' for side, cell in sides)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in lines)
    head = f"<thead><tr>{cells('th', names)}</tr></thead>"
    table = f'<table style="border-collapse:collapse;font:inherit">{head}<tbody>{body}</tbody></table>'
    return _framed(title, f"{table}<div>{_escaped(note)}</div>" if note else table)


def _framed(title: str, content: str) -> str:
    style = "font:13px/1.5 sans-serif;font-variant-numeric:tabular-nums;max-width:60em;overflow-x:auto"
    return f'<div style="{style}"><div><b>{_escaped(title)}</b></div>{content}</div>'


def _escaped(cell: Any) -> str:
    return escape(str(cell))
