"""Names and numbers in sentences, and sentences in lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from math import inf, isfinite, log10
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
    """Return a number with some significant digits, and without an exponent if it is of usual size.

    Examples
    --------
    >>> from netlines._words import number_text
    >>> number_text(1001.4), number_text(0.12345), number_text(33.6, 2), number_text(1e20)
    ('1001', '0.123', '34', '1e+20')
    """
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text and 1 <= abs(value) < 1e15 else text


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
