"""The glossary in the terminal: what a word means that netlines prints.

The entries are those of `docs/glossary.md`, of which the package has a copy.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from netlines._words import listed, wrapped

_SECTION = "## "
_ENTRY = re.compile(r"\*\*(?P<names>.+?)\*\*: (?P<text>.+)")
_LINK = re.compile(r" ?\((?:\[[^]]+\]\([^)]+\)(?:, )?)+\)| See \[[^]]+\]\([^)]+\)\.")
_APART = 2  # columns between words of a list


class Entry(NamedTuple):
    """A word with its other names, what it means, and the section it stands in."""

    names: tuple[str, ...]
    text: str
    section: str


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries of the glossary in their order."""
    text = files("netlines.cli").joinpath("glossary.md").read_text(encoding="utf-8")
    found, section = [], ""
    for line in text.splitlines():
        if line.startswith(_SECTION):
            section = line.removeprefix(_SECTION)
        elif match := _ENTRY.fullmatch(line):
            means = _LINK.sub("", match["text"]).replace("`", "")
            found.append(Entry(tuple(match["names"].split(", ")), means, section))
    return tuple(found)


def explain_word(word: str, width: int) -> str:
    """Return what a word means; raise an error that names similar ones if it is none of them.

    Examples
    --------
    >>> from netlines.cli.words import explain_word
    >>> print(explain_word("errors", 100))
    error: The share of rows that are answered wrongly. 5 % is one row in twenty.
    """
    known = {name.lower(): one for one in entries() for name in one.names}
    asked = " ".join(word.split()).lower()
    for form in (asked, asked.removesuffix("s"), asked.removesuffix("es"), f"{asked}s"):
        if form in known:
            return wrapped(f"{', '.join(known[form].names)}: {known[form].text}", width)
    near = get_close_matches(asked, known, 3, 0.6) or [name for name in known if asked and asked in name]
    similar = f"; similar words are {listed(near[:3])}" if near else ""
    raise ValueError(f"{word!r} is not in the glossary{similar}; `netlines words` lists all")


def list_words(width: int) -> str:
    """Return the words of the glossary by section."""
    sections: dict[str, list[str]] = {}
    for one in entries():
        sections.setdefault(one.section, []).append(one.names[0].replace(" ", "\N{NO-BREAK SPACE}"))
    lines = [wrapped(f"{name}: {', '.join(words)}", width) for name, words in sections.items()]
    return "\n".join([*lines, "", "netlines words WORD says what one means."])
