"""What `netlines fit` says first: what to think of the model, and what other sizes of it would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from netlines._words import percent, wrapped
from netlines.cli.terminal import say, shown, width
from netlines.export.facts import Facts

OPTIONS = {  # of Python, and of the command line
    "prefer='accurate'": "--prefer accurate",
    "prefer='balanced'": "--prefer balanced",
    "class_weight='balanced'": "--class-weight balanced",
}


def say_verdict(sentences: Sequence[str]) -> None:
    """Print what to think of a model, a sentence a line, with the options of the command line."""
    for sentence in sentences:
        for python, option in OPTIONS.items():
            sentence = sentence.replace(python, option)
        say(wrapped(sentence, width()))


def size_tables(facts: Facts) -> list[Table]:
    """Return the sizes side by side, with the formula of the readable one; nothing if only one was fitted."""
    if len(facts.sizes) < 2:
        return []
    table = Table(title=Text("sizes", style="bold"), title_justify="left", box=box.SIMPLE)
    for heading in ("prefer", "error on held-out rows", "numbers", "what it is"):
        table.add_column(heading, justify="right" if heading == "numbers" else "left")
    for one in facts.sizes:
        table.add_row(*(Text(shown(cell)) for cell in size_row(one, facts.options.get("prefer", ""))))
    return [table]


def size_row(one: Mapping[str, Any], chosen: str) -> tuple[str, str, str, str]:
    """Return a size in words: what is preferred, the error, the numbers, and what it is.

    Examples
    --------
    >>> from netlines.cli.verdicts import size_row
    >>> small = {"prefer": "readable", "what": "a points score", "n_weights": 4, "error": 0.175}
    >>> size_row({**small, "low": 0.14, "high": 0.22}, "balanced")
    ('readable', '17.5 % (14.0 to 22.0)', '4', 'a points score')
    """
    error = "not measured"
    if "error" in one:
        error = f"{percent(one['error'])} ({100 * one['low']:.1f} to {100 * one['high']:.1f})"
    name = f"{one['prefer']} (this one)" if one["prefer"] == chosen else one["prefer"]
    return name, error, f"{one['n_weights']:,}", one.get("formula") or one["what"]
