"""The work of `netlines report` and `netlines card`: a model and a table become one page, or a text."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._files import atomic_write
from netlines._words import count, listed
from netlines.cli.fitting import fresh_classifier
from netlines.cli.progress import progress_bar
from netlines.cli.sizes import advised
from netlines.cli.source import sha256_of
from netlines.cli.tables import Dialect, open_table, tell
from netlines.export.model_file import ModelFile
from netlines.inspection.inputs import InputRows
from netlines.network.layout import Layout
from netlines.network.verdict import verdict_of_facts
from netlines.tables.encode import encode
from netlines.tables.target import read_truth

if TYPE_CHECKING:
    from netlines.report.evidence import Evidence
    from netlines.report.provenance import Provenance

FOLDS = 5  # unless asked for otherwise


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
    X, y = _rows(model, wanted.data, wanted.dialect, quiet=wanted.quiet)
    from netlines.report.page import default_title, make_page
    from netlines.report.write import write_page

    with progress_bar(wanted.quiet) as progress:
        task = progress.add_task("cross-validating", total=None)

        def tell_stage(stage: str, done: int, name: str, of: int) -> None:
            progress.update(task, description=f"{stage}: {name}", completed=done, total=of)

        evidence = _gather(model, X, y, wanted, partial(tell_stage, "cross-validating"))
        page = make_page(
            evidence,
            title=wanted.title or default_title(evidence),
            usage=_usage(wanted, layout),
            about=_about(model, wanted),
            begin=partial(tell_stage, "writing"),
        )
    write_page(page, wanted.output)


def _rows(model: ModelFile, data: Path, dialect: Dialect, *, quiet: bool) -> tuple[NDArray, NDArray]:
    """Return the inputs and the labels of the rows of a table that have one; without any it is an error."""
    layout = model.network.layout
    assert layout is not None
    table, raw = open_table(data, dialect, quiet=quiet)
    truth = read_truth(raw, layout, model.network.classes.tolist())
    if truth is None:
        raise ValueError(f"the table has no target column {layout.target!r}; it has {listed(table.columns)}")
    known = model.metadata.get("missing") != "integrate"
    found = encode(raw, layout, known=known, absent=not known)
    present = np.array([label is not None for label in truth])
    absent = int(np.count_nonzero(~present))
    if not quiet:
        lacking = (
            f"{count(absent, 'row has', 'rows have')} no value in the target {layout.target!r}, left out"
        )
        tell([*found.notices, *([lacking] if absent else [])])
    return found.inputs[present].view(InputRows), np.array([label for label in truth if label is not None])


def _file_facts(path: Path) -> dict[str, str]:
    """Return the name of a file and the SHA-256 of its bytes; nothing of what is no file."""
    return {"file": path.name, "sha256": sha256_of(path)} if path.is_file() else {}


def _about(model: ModelFile, wanted: Wanted) -> Provenance:
    """Return where the model and the table come from."""
    from netlines.report.provenance import Provenance

    facts = model.facts
    file, table, page = (shlex.quote(str(path)) for path in (wanted.model, wanted.data, wanted.output))
    command = f"netlines report {file} --data {table} -o {page}"
    command += "" if wanted.folds == FOLDS else f" --folds {wanted.folds}"
    about = Provenance(table=_file_facts(wanted.data), model=_file_facts(wanted.model), command=command)
    if facts is None:
        return about
    return replace(
        about,
        seed=facts.seed,
        fitted_by=f"netlines {facts.netlines}",
        rows=facts.rows,
        parameters=", ".join(f"{name}={value!r}" for name, value in facts.options.items()),
    )


def _gather(
    model: ModelFile, X: NDArray, y: NDArray, wanted: Wanted, begin: Callable[..., object]
) -> Evidence:
    """Return how the model does, and classifiers beside it that are fitted as the file says it was."""
    from netlines.report.evidence import gather
    from netlines.report.top import known_of

    facts, network = model.facts, model.network
    options, seed, chosen = ({}, 0, None) if facts is None else (facts.options, facts.seed, facts.chosen)
    about, source = None, {}
    if facts is not None:
        prefer = advised(options.get("prefer", "balanced"), facts.sizes)
        about = verdict_of_facts(facts.verdict, network, facts.rows, prefer)
        source = facts.source
    evidence = gather(
        network,
        fresh_classifier(options, seed, network.classes.tolist()),
        X,
        y,
        folds=wanted.folds,
        seed=seed,
        n_jobs=wanted.jobs,
        chosen=chosen,
        about=about,
        known=known_of(facts),
        source=source,
        begin=begin,
    )
    if facts is None and evidence.scores:
        evidence.remarks.append(
            "The model file does not say how it was fitted: cross-validated is the default classifier."
        )
    return evidence


def write_card(
    model: ModelFile, path: Path, data: Path | None, output: Path, dialect: Dialect, *, quiet: bool
) -> None:
    """Write the model card of a model file; of a table with the true classes it says how often it errs."""
    from netlines.report.card import model_card, table_sentences
    from netlines.report.top import known_sentences

    network, facts = model.network, model.facts
    source: dict[str, str] = {}
    if facts is not None:
        source = {
            "trained on": ", ".join(filter(None, [facts.source.get("file"), count(facts.rows, "row")])),
            "SHA-256 of that table": facts.source.get("sha256", ""),
            "fitted": ", ".join(filter(None, [facts.source.get("date"), f"netlines {facts.netlines}"])),
            "seed": str(facts.seed),
            "command": facts.source.get("command", ""),
        }
    own = _file_facts(path)
    source |= {"model file": f"{own['file']}, SHA-256 {own['sha256']}"} if own else {}
    measured: list[str] = []
    if data is not None:
        X, y = _rows(model, data, dialect, quiet=quiet)
        table = _file_facts(data)
        trained = facts is not None and table.get("sha256") == facts.source.get("sha256")
        name = f"{table.get('file', data)} (SHA-256 {table['sha256']})" if table else str(data)
        measured = table_sentences(network, X, y, name, trained)
    layout = network.layout
    target = None if layout is None else layout.target
    text = model_card(
        network,
        title=f"Model card: predicting {target}" if target else "Model card",
        known=known_sentences(network, facts),
        measured=measured,
        source={name: text for name, text in source.items() if text},
    )
    with atomic_write(output) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


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
