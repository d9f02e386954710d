"""What `netlines inspect` says of a model: what to think of it, what it is, and how it decides, once."""

from __future__ import annotations

import shlex
from pathlib import Path

from netlines.cli.printing import closing_tables, growth_table, layout_table
from netlines.cli.terminal import say, show, width
from netlines.cli.verdicts import say_verdict
from netlines.export.model_file import ModelFile
from netlines.export.text import to_text
from netlines.network.formula import MOST_TERMS, Style
from netlines.network.protocol import AnyNetwork
from netlines.network.wording import headline

MOST_UNITS_OF_RULES = 8  # of a network whose rules are shown without rows that tell which codes there are
MOST_LINES_OF_RULES = 15  # else the sums are shorter
DIGITS = 3
GROWTH = "errors: on the training rows, of each network on the way; the model may be another one of its size"


def show_model(content: ModelFile, path: Path, *, full: bool, verbose: bool) -> None:
    """Print the verdict about a model, how it decides, and what it was chosen among.

    Parameters
    ----------
    content : ModelFile
    path : Path
        Where it was read from.
    full : bool
        Whether all terms and hyperplanes are shown, or those that matter most.
    verbose : bool
        Whether to show also how it was trained.
    """
    network, wide = content.network, width()
    again = f"netlines inspect {shlex.quote(str(path))}"
    verdict = [] if content.facts is None else content.facts.verdict.get("sentences", [])
    if verdict:
        say_verdict(verdict)
        say("")
    formula = _formula(network, full, f"{again} --all", wide)
    say(formula)
    tables = closing_tables(content, verbose)
    if verbose:
        if network.layout is not None and not network.layout.is_plain:
            tables += ["", layout_table(network.layout)]
        if network.growth_trace:
            tables += ["", growth_table(network.growth_trace)]
            tables += [GROWTH]
    show(*tables)
    more = ["--all: every term"] if "…" in formula and not full else []
    more += [] if verbose else ["--verbose: how it was trained"]
    say("\n" + "; ".join([*more, "netlines words: the glossary"]))


def _formula(network: AnyNetwork, full: bool, again: str, wide: int) -> str:
    """Return how a network decides, in one form: as rules over a few hyperplanes, else as sums."""
    whole = to_text(network, digits=DIGITS, width=wide, full=full, more=again)
    few = 1 < network.n_hidden <= MOST_UNITS_OF_RULES
    if not few or network.scheme or network.moved:
        return whole
    from netlines.inspection.rules import extract_rules

    told = extract_rules(network).text(DIGITS, wide, None if full else MOST_TERMS)
    if len(told.splitlines()) > MOST_LINES_OF_RULES and not full:
        return whole
    return f"{headline(network, Style(width=wide, full=full))}\n{told}"
