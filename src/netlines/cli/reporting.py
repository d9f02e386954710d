"""The work of `netlines report`: a model and a table become one page, under a progress bar."""

from __future__ import annotations

import shlex
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from netlines._words import listed
from netlines.cli.facts import Facts
from netlines.cli.fitting import fresh_classifier
from netlines.cli.progress import progress_bar
from netlines.export.model_file import ModelFile
from netlines.tables.files import Table
from netlines.tables.layout import Layout, read_target, to_inputs


def report_model(
    model: ModelFile,
    layout: Layout,
    table: Table,
    *,
    paths: tuple[Path, Path],
    output: Path,
    title: str | None,
    folds: int,
    jobs: int,
    ignore_extra: bool,
    quiet: bool,
) -> None:
    """Write the page.

    Parameters
    ----------
    model, layout, table : what is reported, and on which rows
    paths : the files of model and table, for the section on how to use it
    output : the page to write
    title : its headline; None: the name of the target
    folds, jobs : of the cross-validation
    ignore_extra : whether columns that the model does not know are left aside
    quiet : whether to do without a progress bar
    """
    if find_spec("matplotlib") is None:
        raise ValueError(
            'netlines report draws figures, which needs matplotlib: pip install "netlines[plots]"'
        )
    if layout.target not in table.columns:
        raise ValueError(f"the table has no target column {layout.target!r}; it has {listed(table.columns)}")
    from netlines.report.evidence import gather
    from netlines.report.page import make_page
    from netlines.report.write import write_page

    X = to_inputs(table, layout, ignore_extra=ignore_extra, incomplete=True)
    y = _labels(table, layout.target, model.network)
    facts = Facts.from_json(model.metadata["fit"]) if "fit" in model.metadata else None
    estimator = fresh_classifier(facts.options if facts else {}, facts.seed if facts else 0)
    with progress_bar(quiet) as progress:
        task = progress.add_task("cross-validating", total=None)

        def begin(stage: str) -> Any:
            def tell(done: int, name: str, of: int) -> None:
                progress.update(task, description=f"{stage}: {name}", completed=done, total=of)

            return tell

        evidence = gather(
            model.network,
            estimator,
            X,
            y,
            folds=folds,
            seed=facts.seed if facts else 0,
            n_jobs=jobs,
            chosen=facts.chosen if facts else None,
            begin=begin("cross-validating"),
        )
        if facts is None and evidence.scores:
            evidence.remarks.append(
                "The model file does not say how it was fitted: cross-validated is the default classifier."
            )
        usage = usage_on_the_command_line(*paths, output, layout)
        page = make_page(
            evidence,
            title=title or f"{layout.target}, told by hyperplanes",
            usage=usage,
            begin=begin("writing"),
        )
    write_page(page, output)


def _labels(table: Table, target: str, network: Any) -> Any:
    """Return the labels of the table in the type that the model's classes have."""
    y = read_target(table, target)
    known = set(network.classes.tolist())
    if not set(y.tolist()) <= known and {str(label) for label in y.tolist()} <= {
        str(label) for label in known
    }:
        back = {str(label): label for label in known}
        y = np.array([back[str(label)] for label in y.tolist()])
    return y


def usage_on_the_command_line(model: Path, data: Path, output: Path, layout: Layout) -> str:
    """Return the section on how to use the model, with the commands of this report."""
    file, table = shlex.quote(str(model)), shlex.quote(str(data))
    row = shlex.quote(f"{layout.columns[0].name}=...,...")
    commands = [
        f"netlines predict {file} new.csv -o answers.csv",
        f"netlines inspect {file}",
        f"netlines explain {file} --row {row}",
        f"netlines report {file} --data {table} -o {shlex.quote(str(output))}",
    ]
    python = [
        "from netlines.export.model_file import load_network",
        f"network = load_network({str(model)!r})",
        f"network.predict(X)  # the inputs in this order: {', '.join(layout.feature_names[:8])}"
        + (", ..." if len(layout.feature_names) > 8 else ""),
    ]
    return "".join(f"<pre>{escape(chr(10).join(lines))}</pre>" for lines in (commands, python))
