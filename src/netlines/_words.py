"""Names and numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable
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
