"""The tables that the commands print: what a fit ended in, beside what, and how the network grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich import box
from rich.table import Table
from rich.text import Text

from netlines._words import count, percent
from netlines.cli.terminal import shown, visible
from netlines.export.facts import TEXTS, Facts
from netlines.export.model_file import ModelFile
from netlines.export.text import priors_text, zeros_text
from netlines.network.layout import Column, Layout
from netlines.network.networks import Networks

_HEADINGS = {
    "role": "",
    "candidate": "candidate",
    "scheme": "scheme",
    "error": "error",
    "log_loss": "log-loss",
    "bits": "bits",
    "training_error": "training error",
    "n_hidden": "units",
    "n_weights": "weights",
    "fidelity": "fidelity",
}
_SCHEMES = {
    "tree": "a tree of {n} networks",
    "vote": "a vote of {trees} trees of {n} networks",
    "wta": "the winner of {n} networks, one a class",
    "pairs": "{n} networks, one a pair of classes",
}
_MOST_ROWS = 20  # of the table of networks


def closing_tables(model: ModelFile) -> list[Table]:
    """Return what is known of a model: its size and, if `netlines fit` wrote it, how it was chosen."""
    several = [_networks(model.network)] if model.network.scheme else []
    facts = model.facts
    tables = [_summary(model, facts), *several]
    if facts is None:
        return tables
    if facts.candidates:
        tables.append(_candidates(facts.candidates))
    if facts.cross_validated_errors:
        tables.append(_comparison(facts.cross_validated_errors, facts.parameters))
    return tables


def _summary(model: ModelFile, facts: Facts | None) -> Table:
    network = model.network
    table = Table(box=box.SIMPLE, show_header=False)
    if facts is not None:
        reason = "stop reason" if facts.chosen is None else "chosen"
        _add(table, reason, facts.chosen or facts.stop_reason)
        share = percent(facts.training_errors / facts.rows)
        _add(table, "training errors", f"{facts.training_errors} of {facts.rows} rows ({share})")
    if network.scheme:
        scheme = _SCHEMES[network.scheme].format(n=len(network.parts), trees=len(network.trees))
        _add(table, "networks", scheme)
    _add(table, "hidden units", network.n_hidden)
    _add(table, "weights", f"{network.n_weights}{zeros_text(network)}")
    shares = priors_text(network)
    calibrated = f"calibrated, for {shares}" if shares else "calibrated"
    _add(table, "probabilities", calibrated if network.has_probability else "none")
    return table


def _networks(networks: Networks) -> Table:
    """Return what the first of the networks separate, and their sizes."""
    table = _table("networks", ("", "+1", "-1", "units", "weights"), left=("+1", "-1"))
    for k, part in enumerate(networks.parts[:_MOST_ROWS], 1):
        positive, negative = (", ".join(map(str, labels)) for labels in (part.positive, part.negative))
        _add(table, k, positive, negative, part.network.n_hidden, part.network.n_weights)
    more = len(networks.parts) - _MOST_ROWS
    if more > 0:
        _add(table, "", f"and {more} more", "", "", "")
    return table


def _candidates(candidates: Sequence[Mapping[str, Any]]) -> Table:
    """Return the candidates, one a row, with what is known of them."""
    known = [key for key in _HEADINGS if any(one.get(key) is not None for one in candidates)]
    table = _table("candidates", [_HEADINGS[key] for key in known], left=[_HEADINGS[key] for key in TEXTS])
    for one in candidates:
        _add(table, *(_candidate_cell(one, key) for key in known))
    return table


def _candidate_cell(one: Mapping[str, Any], key: str) -> str:
    value, deviation = one.get(key), one.get(f"{key}_se")
    if value is None or isinstance(value, str):
        return value or ""
    if key == "error":
        return percent(value) + ("" if deviation is None else f" ± {percent(deviation)}")
    if key == "log_loss":
        return f"{value:.3f}" + ("" if deviation is None else f" ± {deviation:.3f}")
    return percent(value) if key in ("training_error", "fidelity") else f"{value:.0f}"


def _comparison(errors: Mapping[str, list[float]], sizes: Mapping[str, list[int]]) -> Table:
    """Return the cross-validated errors and, if they are known, the mean numbers of parameters."""
    folds = len(next(iter(errors.values())))
    headings = ["", "error ± s.e.", *(["parameters"] if sizes else [])]
    table = _table(f"{folds}-fold cross-validation", headings, left=[""])
    for name, by_fold in errors.items():
        size = [f"{np.mean(sizes[name]):,.0f}"] if sizes else []
        _add(table, name, mean_and_standard_error(by_fold), *size)
    return table


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


def mean_and_standard_error(errors: list[float]) -> str:
    """Write the mean of the folds' errors and its standard error as percentages.

    Examples
    --------
    >>> from netlines.cli.printing import mean_and_standard_error
    >>> mean_and_standard_error([0.0, 0.1, 0.2])
    '10.0 % ± 5.8 %'
    """
    deviation = np.std(errors, ddof=1) / np.sqrt(len(errors))
    return f"{percent(float(np.mean(errors)))} ± {percent(deviation)}"


def _table(title: str, headings: Sequence[str], left: Sequence[str] = ()) -> Table:
    """Return an empty table; columns are aligned right but for those that are to be left."""
    table = Table(title=Text(_cell(title), style="bold"), title_justify="left", box=box.SIMPLE)
    for heading in headings:
        table.add_column(Text(_cell(heading)), justify="left" if heading in left else "right")
    return table


def _add(table: Table, *cells: Any) -> None:
    """Add a row; `Text` keeps square brackets in a value from being read as markup."""
    table.add_row(*(Text(_cell(cell)) for cell in cells))


def _cell(value: Any) -> str:
    """Return a value as the terminal can show it, in one line."""
    if value is None:
        return ""
    return shown(visible(f"{value:.4g}" if isinstance(value, float) else str(value)))
