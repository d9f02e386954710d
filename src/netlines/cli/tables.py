"""The tables that the commands print: what a fit ended in, and how the network grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich import box
from rich.table import Table
from rich.text import Text

from netlines.export.model_file import Model


def closing_table(model: Model) -> Table:
    """Return the sizes of a model, and the errors if `netlines fit` wrote it."""
    facts = model.metadata.get("fit")
    table = Table(box=box.SIMPLE, show_header=False)
    if facts is not None:
        _check_facts(facts)
        rows, wrong = facts["rows"], facts["training_errors"]
        _add(table, "training errors", f"{wrong} of {rows} rows ({100 * wrong / rows:.1f} %)")
    _add(table, "hidden units", model.network.n_hidden)
    _add(table, "weights", model.network.n_weights)
    if facts is not None:
        _add(table, "stop reason", facts["stop_reason"])
        for name, by_fold in facts["cross_validated_errors"].items():
            _add(table, f"{len(by_fold)}-fold error, {name}", mean_and_standard_error(by_fold))
    return table


def _check_facts(facts: Any) -> None:
    """Raise a ValueError if what a fit left in the model file is damaged."""
    kinds = {"rows": int, "training_errors": int, "stop_reason": str, "cross_validated_errors": dict}
    if not isinstance(facts, dict) or any(not isinstance(facts.get(name), kinds[name]) for name in kinds):
        raise ValueError(f"the model file is damaged: its metadata 'fit' must hold {', '.join(kinds)}")
    folds = [
        len(by_fold) if isinstance(by_fold, list) else 0
        for by_fold in facts["cross_validated_errors"].values()
    ]
    if facts["rows"] < 1 or min(folds, default=2) < 2:
        raise ValueError("the model file is damaged: its metadata 'fit' must count rows, and folds from 2 on")


def growth_table(trace: Sequence[Mapping[str, Any]]) -> Table:
    """Return the growth trace, one row a hidden unit and one column an entry of its records."""
    table = Table(title="growth", title_justify="left", box=box.SIMPLE)
    keys = list(dict.fromkeys(key for record in trace for key in record))
    for key in keys:
        table.add_column(Text(key.replace("_", " ")), justify="right")
    for record in trace:
        _add(table, *(record.get(key) for key in keys))
    return table


def mean_and_standard_error(errors: list[float]) -> str:
    """Write the mean of the folds' errors and its standard error as percentages.

    Examples
    --------
    >>> from netlines.cli.tables import mean_and_standard_error
    >>> mean_and_standard_error([0.0, 0.1, 0.2])
    '10.0 % ± 5.8 %'
    """
    deviation = np.std(errors, ddof=1) / np.sqrt(len(errors))
    return f"{100 * np.mean(errors):.1f} % ± {100 * deviation:.1f} %"


def _add(table: Table, *cells: Any) -> None:
    """Add a row; `Text` keeps square brackets in a value from being read as markup."""
    table.add_row(*(Text(_shown(cell)) for cell in cells))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
