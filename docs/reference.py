"""Writes docs/api.md and docs/commands.md: every public name and every command, from their own texts.

    python docs/reference.py            # writes the pages anew
    python docs/reference.py --check    # says whether they still tell of the code

What stands there is what `help(name)` and `netlines COMMAND --help` say, so it is written in the code.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import typer

import netlines
from netlines.cli.commands import app

DOCS = Path(__file__).resolve().parent
GROUPS = {
    "Classifiers": "NetLinesClassifierCV NetLinesClassifier MinimerrorClassifier MonoPlaneClassifier",
    "Classifiers of many classes out of any of two":
    "PairwiseClassifier TreeOfNetworksClassifier TreeVoteClassifier WinnerTakesAllClassifier",
    "From one model to another": "distill prune",
    "What a model has learnt": "explain extract_rules as_points Scorecard unusual_rows possible_classes "
    "missing_study write_report",
    "The model itself": "Network Networks save_model load_model",
}  # fmt: skip
METHODS = [
    "fit",
    "predict",
    "predict_proba",
    "decision_function",
    "as_points",
    "domain_confidence",
    "to_frame",
]
MADE = "Made of the texts in the code by `python docs/reference.py`"
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)


def api() -> str:
    """Return the page of all public names."""
    lines = ["# Reference of the Python names", "", f"{MADE}.", ""]
    for title, names in GROUPS.items():
        lines += [f"- {title}: " + ", ".join(f"[`{name}`](#{name.lower()})" for name in names.split())]
    for title, names in GROUPS.items():
        lines += ["", f"## {title}"]
        for name in names.split():
            lines += ["", f"### {name}", "", *_described(name, getattr(netlines, name))]
    return "\n".join(lines) + "\n"


def _described(name: str, thing: Callable) -> Iterator[str]:
    """Yield the lines about a class or a function."""
    # Where an annotation or a default would print an address or a module, the name says enough.
    yield f"`{name}({', '.join(_parameters(thing))})`"
    yield ""
    first, *sections = SECTION.split(inspect.getdoc(thing) or "")
    yield from _text(first).splitlines()
    for heading, text in zip(sections[::2], sections[1::2], strict=True):
        yield from ["", f"**{heading}**", ""]
        yield from _code(text) if heading == "Examples" else _items(text)
    if inspect.isclass(thing):
        told = [(one, getattr(thing, one, None)) for one in METHODS]
        told = [(one, method) for one, method in told if callable(method)]
        yield from ["", "**Methods**", ""]
        for one, method in told:
            summary = (inspect.getdoc(method) or "").split("\n\n")[0].replace("\n", " ")
            yield f"- `{one}({', '.join(_parameters(method))})`: {_text(summary)}"


def _parameters(thing: Callable) -> Iterator[str]:
    """Yield the parameters of a function as they are given, without types."""
    starred = False
    for name, one in inspect.signature(thing).parameters.items():
        if name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        plain = one.default is None or isinstance(one.default, str | int | float)
        default = f"={one.default!r}" if plain else "=..."
        yield stars + name + (default if one.default is not one.empty else "")


def _items(text: str) -> Iterator[str]:
    """Yield the entries of a section, `name : kind` with indented text below, as a list."""
    for line in text.strip("\n").splitlines():
        if line.startswith(" "):
            yield "  " + _text(line.strip())
        elif " : " in line:
            name, kind = line.split(" : ", 1)
            yield f"- **{name}** ({_text(kind)})"
        else:
            yield _text(f"- {line}") if line else ""


def _code(text: str) -> Iterator[str]:
    yield from ("    " + line if line else "" for line in text.strip("\n").splitlines())


def _text(text: str) -> str:
    """Return a text in which no sign is taken for markup: `code` stays, stars and pipes are signs."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<|\\])", r"\\\1", part) for part in parts)


def commands() -> str:
    """Return the page of all commands."""
    callbacks = [one.callback for one in app.registered_commands if one.callback and not one.hidden]
    lines = ["# Reference of the commands", "", f"{MADE};"]
    lines += ["`netlines COMMAND --help` says the same. [Words](glossary.md), [tables](tables.md).", ""]
    lines += [f"- [`netlines {one.__name__}`](#netlines-{one.__name__})" for one in callbacks]
    for one in callbacks:
        paragraphs = (inspect.getdoc(one) or "").split("\n\n")
        lines += ["", f"## netlines {one.__name__}"]
        lines += [line for text in paragraphs for line in ("", _text(text))]
        lines += ["", "| | |", "|---|---|", *(f"| {left} | {right} |" for left, right in _options(one))]
    return "\n".join(lines) + "\n"


def _options(command: Callable) -> Iterator[tuple[str, str]]:
    """Yield each argument and option of a command with what it does."""
    for name, one in inspect.signature(command, eval_str=True).parameters.items():
        kind, told = get_args(one.annotation)[:2]
        default = one.default
        option = isinstance(told, typer.models.OptionInfo)
        flags = told.param_decls if option else ()
        long = () if any(flag.startswith("--") for flag in flags) else (f"--{name.replace('_', '-')}",)
        names = " ".join((*flags, *long)) if option else name.upper()
        takes = told.metavar or _takes(kind)
        words = _text(" ".join((told.help or "").split()))
        if default is one.empty:
            words += " *Required.*"
        elif default is not None and not isinstance(default, bool) and str(default):
            words += f" *Default: {getattr(default, 'value', default)}.*"
        shown = f"{names} {takes}".strip() if option else told.metavar or names
        yield f"`{shown}`".replace("|", "\\|"), words


def _takes(kind: Any) -> str:
    """Say what an option is followed by; nothing for a flag."""
    kinds = [one for one in (get_args(kind) or (kind,)) if one is not type(None)]
    if issubclass(kinds[0], Enum):
        return "|".join(str(one.value) for one in kinds[0])
    return {bool: "", int: "NUMBER", float: "NUMBER", Path: "FILE"}.get(kinds[0], "TEXT")


def main() -> int:
    """Write the pages, or say which are old."""
    check = "--check" in sys.argv[1:]
    old = []
    for name, text in (("api.md", api()), ("commands.md", commands())):
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    told = "old: {}; python docs/reference.py writes them" if check else "written: {}"
    print(told.format(", ".join(old)) if old else "up to date")
    return int(check and bool(old))


if __name__ == "__main__":
    sys.exit(main())
