"""The tables that the commands print: what a fit ended in, beside what, and how the network grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from netlines._words import count, percent
from netlines.cli.candidates import best_of, plain_name
from netlines.cli.terminal import shown, visible
from netlines.export.facts import TEXTS, Facts
from netlines.export.model_file import ModelFile
from netlines.network.layout import Column, Layout
from netlines.network.protocol import AnyNetwork
from netlines.network.shares import wilson
from netlines.network.wording import priors_text, zeros_text

_COLUMNS = {  # of the candidates: what all see, and what those who ask how they were trained see too
    "error": "error when chosen",
    "bits": "bits of its description",
    "n_weights": "weights",
}
_MORE_COLUMNS = {
    "role": "role",
    "scheme": "scheme",
    "log_loss": "log-loss",
    "training_error": "error on training rows",
    "n_hidden": "hyperplanes",
    "temperature": "T",
    "theta": "θ",
    "fidelity": "fidelity",
}
_SCHEMES = {
    "tree": "a tree of {n} networks",
    "vote": "a vote of {trees} trees of {n} networks",
    "wta": "the winner of {n} networks, one a class",
    "pairs": "{n} networks, one a pair of classes",
}
_WHEN_CHOSEN = (
    "error when chosen: in the folds that the choice was made by; the error above is from a check "
    "afterwards, with all chosen anew in each fold"
)
_MOST_ROWS = 20  # of the table of networks
_OWN = "netlines"
GUESSING = "guessing"


def closing_tables(model: ModelFile, verbose: bool = False) -> list[RenderableType]:
    """Return what is known of how a model was chosen and how well it does, beside what.

    Parameters
    ----------
    model : ModelFile
    verbose : bool, default=False
        Whether to show also how it was trained: all candidates with their settings, and training errors.
        Without a verdict in the file some of that is shown in any case.
    """
    facts, network = model.facts, model.network
    tables: list[RenderableType] = []
    if verbose or facts is None or not facts.verdict.get("sentences"):
        tables.append(_summary(model, facts, verbose))
    if verbose and network.scheme:
        tables.append(_networks(network))
    if facts is not None and len(facts.sizes) > 1:
        tables += _sizes(facts)
    if facts is not None and facts.candidates:
        tables += _every_candidate(facts.candidates) if verbose else _candidates(facts.candidates)
    if facts is not None and facts.cross_validated_errors:
        tables += _comparison(model, facts)
    return _apart(tables)


def _apart(tables: Sequence[RenderableType]) -> list[RenderableType]:
    """Return tables with an empty line before each, and none before a line that belongs to the last one."""
    spaced: list[RenderableType] = []
    for one in tables:
        spaced += [one] if isinstance(one, Text) else [Text(""), one]
    return spaced


def _summary(model: ModelFile, facts: Facts | None, verbose: bool) -> Table:
    network = model.network
    table = _table("", ("", ""), left=("",))
    if facts is not None:
        if verbose or facts.chosen is None:
            _add(table, "stop reason" if facts.chosen is None else "chosen", facts.stop_reason)
        elif not facts.candidates:
            _add(table, "chosen", facts.chosen)
        if verbose:
            share = percent(facts.training_errors / facts.rows)
            told = f"{facts.training_errors} of {count(facts.rows, 'row')} ({share})"
            _add(table, "training errors", f"{told}: rows that it has seen; expect more on new ones")
    if network.scheme and verbose:
        scheme = _SCHEMES[network.scheme].format(n=len(network.parts), trees=len(network.trees))
        _add(table, "networks", scheme)
    _add(table, "hyperplanes", network.n_hidden)
    _add(table, "weights", f"{network.n_weights}{zeros_text(network)}")
    shares = priors_text(network)
    calibrated = f"calibrated, for {shares}" if shares else "calibrated"
    _add(table, "probabilities", calibrated if network.has_probability else "none")
    return table


def _sizes(facts: Facts) -> list[RenderableType]:
    """Return the sizes side by side, with the formula of the readable one, and what their errors are."""
    headings = ("prefer", "error when chosen", "numbers", "what it is")
    table = _table("three sizes, and what each would cost", headings, left=(headings[0], headings[3]))
    for one in facts.sizes:
        _add(table, *size_row(one, facts.options.get("prefer", "")))
    return [table, Text(_cell(_WHEN_CHOSEN))]


def size_row(one: Mapping[str, Any], chosen: str) -> tuple[str, str, str, str]:
    """Return a size in words: what is preferred, the error, the numbers, and what it is.

    Examples
    --------
    >>> from netlines.cli.printing import size_row
    >>> small = {"prefer": "readable", "what": "a points score", "n_weights": 4, "error": 0.175}
    >>> size_row({**small, "low": 0.14, "high": 0.22}, "balanced")
    ('readable', '17.5 % (14.0 to 22.0)', '4', 'a points score')
    """
    error = "not measured"
    if "error" in one:
        error = f"{percent(one['error'])} ({100 * one['low']:.1f} to {100 * one['high']:.1f})"
    name = f"{one['prefer']} (this one)" if one["prefer"] == chosen else one["prefer"]
    return name, error, f"{one['n_weights']:,}", one.get("formula") or one["what"]


def _networks(networks: AnyNetwork) -> Table:
    """Return what the first of the networks separate, and their sizes."""
    headings = ("", "classes", "against", "hyperplanes", "weights")
    table = _table("networks", headings, left=("classes", "against"))
    for k, part in enumerate(networks.parts[:_MOST_ROWS], 1):
        positive, negative = (", ".join(map(str, labels)) for labels in (part.positive, part.negative))
        _add(table, k, positive, negative, part.network.n_hidden, part.network.n_weights)
    more = len(networks.parts) - _MOST_ROWS
    if more > 0:
        _add(table, "", f"and {more} more", "", "", "")
    return table


def _candidates(candidates: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    """Return the best candidates and the chosen one, and a line that says how many more there are."""
    best = best_of(candidates)
    if len(best) < 2:
        return []
    columns = {key: name for key, name in _COLUMNS.items() if any(one.get(key) is not None for one in best)}
    title = "models that were tried, the best first"
    found = _table(title, ("model", *columns.values(), ""), left=("model", ""))
    for one in best:
        cells = [_candidate_cell(one, key) for key in columns]
        _add(found, plain_name(one.get("candidate", "")), *cells, "chosen" if one.get("chosen") else "")
    notes = ["± is the standard error"] if any(one.get("error_se") is not None for one in best) else []
    more = sum(one.get("role") != "teacher" for one in candidates) - len(best)
    notes += [f"{more} more are in the model file (inspect --verbose)"] if more > 0 else []
    return [found, *([Text(_cell("; ".join(notes)))] if notes else [])]


def _every_candidate(candidates: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    """Return all candidates with all that is known of them, but for what their names say already."""
    every = {**_COLUMNS, **_MORE_COLUMNS}
    known = [key for key in every if any(one.get(key) is not None for one in candidates)]
    left = ["model", *(every[key] for key in TEXTS if key in every)]
    table = _table("models that were tried", ["model", *(every[key] for key in known)], left=left)
    for one in candidates:
        _add(table, one.get("candidate"), *(_candidate_cell(one, key) for key in known))
    return [table]


def _candidate_cell(one: Mapping[str, Any], key: str) -> str:
    value, deviation = one.get(key), one.get(f"{key}_se")
    if value is None or isinstance(value, str):
        return value or ""
    if key == "error":
        return percent(value) + ("" if deviation is None else f" ± {percent(deviation)}")
    if key == "log_loss":
        return f"{value:.3f}" + ("" if deviation is None else f" ± {deviation:.3f}")
    if key in ("temperature", "theta"):
        return f"{value:.2g}"
    return percent(value) if key in ("training_error", "fidelity") else f"{value:,.0f}"


def _comparison(model: ModelFile, facts: Facts) -> list[RenderableType]:
    """Return the errors of all methods in the closing folds with their intervals, the best marked."""
    errors, sizes = facts.cross_validated_errors, facts.parameters
    means = {name: float(np.mean(by_fold)) for name, by_fold in errors.items()}
    pooled = facts.verdict.get("errors", [])  # folds differ by a row: the verdict counts rows, not folds
    if len(pooled) == len(means):
        means = dict(zip(means, pooled, strict=True))
    guess = _guessing(model, facts)
    if guess is not None:
        means[GUESSING] = guess
    folds = len(next(iter(errors.values())))
    headings = ["method", "error", "95 % interval", *(["size"] if sizes else []), ""]
    title = f"beside others: errors in the check afterwards, all anew in {folds} folds"
    table = _table(title, headings, left=("method", ""))
    best = min(map(percent, means.values()), key=lambda text: float(text.split()[0]))
    for name, mean in means.items():
        low, high = wilson(mean * facts.rows, facts.rows)
        cells = [name, percent(mean), f"{100 * low:.1f} to {percent(high)}"]
        cells += [_spread(sizes.get(name, []))] if sizes else []
        leads = percent(mean) == best
        _add(table, *cells, "best" if leads else "", style="bold" if leads else "")
    if _OWN not in sizes:
        return [table]
    size = "size: of the folds' models, mean (least to most)"
    return [table, Text(_cell(f"{size}; this one keeps {count(model.network.n_nonzero, 'number')}"))]


def _guessing(model: ModelFile, facts: Facts) -> float | None:
    """Return the error of always answering the most frequent class; None if it is there or not known."""
    weighted = any(name in facts.options for name in ("class_weight", "class_weights"))
    shares = [getattr(part.network.calibration, "training_priors", None) for part in model.network.parts]
    own = getattr(model.network, "training_priors", None) if model.network.scheme else shares[0]
    if own is None or weighted or any("frequent" in name for name in facts.cross_validated_errors):
        return None
    return 1.0 - float(np.max(own))


def _spread(sizes: Sequence[float]) -> str:
    """Write the mean of sizes, and the least and the most if they differ."""
    if not sizes:
        return ""
    low, high = min(sizes), max(sizes)
    return f"{np.mean(sizes):,.0f}" + (f" ({low:,.0f} to {high:,.0f})" if low < high else "")


def layout_table(layout: Layout) -> Table:
    """Return what the columns of the table became, one a row, and why others were left out."""
    table = _table("columns", ("column", "becomes"), left=("column", "becomes"))
    for column in layout.columns:
        _add(table, column.name, _becomes(column))
    for name, why in layout.left_out:
        _add(table, name, f"left out: {why}")
    return table


def _becomes(column: Column) -> str:
    """Say in a few words what a column becomes."""
    if column.kind == "category":
        known = [*([] if column.base is None else [column.base]), *column.members]
        what = f"{count(len(known), 'category', 'categories')}: {', '.join(known)}"
        return f"{what}; or missing" if column.gaps else what
    missing = f", missing counts as {column.fill:g} and is told" if column.gaps else ""
    return f"{'yes or no' if column.kind == 'boolean' else 'a number'}{missing}"


def growth_table(trace: Sequence[Mapping[str, Any]]) -> Table:
    """Return the growth trace, one row a hidden unit and one column an entry of its records."""
    keys = list(dict.fromkeys(key for record in trace for key in record))
    table = _table("growth", [key.replace("_", " ") for key in keys])
    for record in trace:
        _add(table, *(record.get(key) for key in keys))
    return table


def _table(title: str, headings: Sequence[str], left: Sequence[str] = ()) -> Table:
    """Return an empty table; columns are aligned right but for those that are to be left."""
    named = any(headings)
    table = Table(
        title=Text(_cell(title), style="bold") if title else None,
        title_justify="left",
        box=None,
        show_header=named,
        header_style="dim",
        padding=(0, 2, 0, 0),
    )
    for heading in headings:
        table.add_column(Text(_cell(heading)), justify="left" if heading in left else "right")
    return table


def _add(table: Table, *cells: Any, style: str = "") -> None:
    """Add a row; `Text` keeps square brackets in a value from being read as markup."""
    table.add_row(*(Text(_cell(cell)) for cell in cells), style=style)


def _cell(value: Any) -> str:
    """Return a value as the terminal can show it, in one line."""
    if value is None:
        return ""
    return shown(visible(f"{value:.4g}" if isinstance(value, float) else str(value)))
