"""The work of `netlines report`: a model and a table become one page, under a progress bar."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, listed
from netlines.cli.fitting import fresh_classifier
from netlines.cli.progress import progress_bar
from netlines.cli.tables import Dialect, open_table, tell
from netlines.export.model_file import ModelFile
from netlines.inspection.inputs import InputRows
from netlines.network.layout import Layout
from netlines.tables.encode import encode
from netlines.tables.target import read_truth

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
    dialect: Dialect
    quiet: bool


def report_model(model: ModelFile, layout: Layout, wanted: Wanted) -> None:
    """Write the page about a model, whose inputs a layout makes of the columns of a table."""
    if find_spec("matplotlib") is None:
        raise ValueError(
            'netlines report draws figures, which needs matplotlib: pip install "netlines[plots]"'
        )
    table, raw = open_table(wanted.data, wanted.dialect, quiet=wanted.quiet)
    truth = read_truth(raw, layout, model.network.classes.tolist())
    if truth is None:
        raise ValueError(f"the table has no target column {layout.target!r}; it has {listed(table.columns)}")
    from netlines.report.page import make_page
    from netlines.report.write import write_page

    known = model.metadata.get("missing") != "integrate"
    found = encode(raw, layout, known=known, absent=not known)
    present = np.array([label is not None for label in truth])
    absent = int(np.count_nonzero(~present))
    if not wanted.quiet:
        lacking = (
            f"{count(absent, 'row has', 'rows have')} no value in the target {layout.target!r}, left out"
        )
        tell([*found.notices, *([lacking] if absent else [])])
    X = found.inputs[present].view(InputRows)
    y = np.array([label for label in truth if label is not None])
    with progress_bar(wanted.quiet) as progress:
        task = progress.add_task("cross-validating", total=None)

        def tell_stage(stage: str, done: int, name: str, of: int) -> None:
            progress.update(task, description=f"{stage}: {name}", completed=done, total=of)

        evidence = _gather(model, X, y, wanted, partial(tell_stage, "cross-validating"))
        title, usage = wanted.title or f"{layout.target}, told by hyperplanes", _usage(wanted, layout)
        page = make_page(evidence, title=title, usage=usage, begin=partial(tell_stage, "writing"))
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
        fresh_classifier(options, seed, model.network.classes.tolist()),
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


def _usage(wanted: Wanted, layout: Layout) -> str:
    """Return the section on how to use the model, with the commands of this report."""
    file, table, page = (shlex.quote(str(path)) for path in (wanted.model, wanted.data, wanted.output))
    row = shlex.quote(f"{layout.columns[0].origin}=...,...")
    commands = [
        f"netlines predict {file} new.csv -o answers.csv",
        f"netlines inspect {file}",
        f"netlines explain {file} --row {row}",
        f"netlines report {file} --data {table} -o {page}",
    ]
    python = [
        "from netlines import load_model",
        f"clf = load_model({str(wanted.model)!r})",
        f"clf.predict(frame)  # with the columns {', '.join(layout.sources[:8])}"
        + (", ..." if len(layout.sources) > 8 else ""),
    ]
    return "".join(f"<pre>{escape(chr(10).join(lines))}</pre>" for lines in (commands, python))
