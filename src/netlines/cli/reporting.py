"""The work of `netlines report`: a model and a table become one page, under a progress bar."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.cli.fitting import fresh_classifier
from netlines.cli.progress import progress_bar
from netlines.export.model_file import ModelFile
from netlines.tables.files import Table, read_table
from netlines.tables.layout import Layout, read_target, to_inputs

if TYPE_CHECKING:
    from netlines.report.evidence import Evidence


class Wanted(NamedTuple):
    """The options of `netlines report`: files to read and to write, and how."""

    model: Path
    data: Path
    output: Path
    title: str | None
    folds: int
    jobs: int
    ignore_extra: bool
    quiet: bool


def report_model(model: ModelFile, layout: Layout, wanted: Wanted) -> None:
    """Write the page about a model, whose inputs a layout makes of the columns of a table."""
    if find_spec("matplotlib") is None:
        raise ValueError(
            'netlines report draws figures, which needs matplotlib: pip install "netlines[plots]"'
        )
    table = read_table(wanted.data)
    if layout.target not in table.columns:
        raise ValueError(f"the table has no target column {layout.target!r}; it has {listed(table.columns)}")
    from netlines.report.page import make_page
    from netlines.report.write import write_page

    X = to_inputs(table, layout, ignore_extra=wanted.ignore_extra, incomplete=True)
    y = _labels(table, layout.target, model.network)
    with progress_bar(wanted.quiet) as progress:
        task = progress.add_task("cross-validating", total=None)

        def tell(stage: str, done: int, name: str, of: int) -> None:
            progress.update(task, description=f"{stage}: {name}", completed=done, total=of)

        evidence = _gather(model, X, y, wanted, partial(tell, "cross-validating"))
        title, usage = wanted.title or f"{layout.target}, told by hyperplanes", _usage(wanted, layout)
        page = make_page(evidence, title=title, usage=usage, begin=partial(tell, "writing"))
    write_page(page, wanted.output)


def _gather(
    model: ModelFile, X: NDArray, y: NDArray, wanted: Wanted, begin: Callable[..., object]
) -> Evidence:
    """Return how the model does, and classifiers beside it that are fitted as the file says it was."""
    from netlines.report.evidence import gather

    facts = model.facts
    options, seed, chosen = ({}, 0, None) if facts is None else (facts.options, facts.seed, facts.chosen)
    evidence = gather(
        model.network,
        fresh_classifier(options, seed),
        X,
        y,
        folds=wanted.folds,
        seed=seed,
        n_jobs=wanted.jobs,
        chosen=chosen,
        begin=begin,
    )
    if facts is None and evidence.scores:
        evidence.remarks.append(
            "The model file does not say how it was fitted: cross-validated is the default classifier."
        )
    return evidence


def _labels(table: Table, target: str, network: Any) -> Any:
    """Return the labels of the table in the type that the model's classes have."""
    known = {str(label): label for label in network.classes.tolist()}
    return np.array([known.get(str(label), label) for label in read_target(table, target).tolist()])


def _usage(wanted: Wanted, layout: Layout) -> str:
    """Return the section on how to use the model, with the commands of this report."""
    file, table, page = (shlex.quote(str(path)) for path in (wanted.model, wanted.data, wanted.output))
    row = shlex.quote(f"{layout.columns[0].name}=...,...")
    commands = [
        f"netlines predict {file} new.csv -o answers.csv",
        f"netlines inspect {file}",
        f"netlines explain {file} --row {row}",
        f"netlines report {file} --data {table} -o {page}",
    ]
    python = [
        "from netlines.export.model_file import load_network",
        f"network = load_network({str(wanted.model)!r})",
        f"network.predict(X)  # the inputs in this order: {', '.join(layout.feature_names[:8])}"
        + (", ..." if len(layout.feature_names) > 8 else ""),
    ]
    return "".join(f"<pre>{escape(chr(10).join(lines))}</pre>" for lines in (commands, python))
