"""The commands that begin with a table: `describe` says what it is, `fit` makes a model of it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from netlines import __version__
from netlines._words import count
from netlines.cli.app import MODEL, OUTPUT, TABLE, app
from netlines.cli.candidates import shortened
from netlines.cli.labels import read_labels_option, read_weights
from netlines.cli.options import (
    Criterion,
    Missing,
    Prefer,
    Scheme,
    check_folds,
    check_jobs,
    count_or_fraction,
    fit_options,
)
from netlines.cli.outputs import check_output
from netlines.cli.printing import closing_tables
from netlines.cli.source import source_of
from netlines.cli.tables import (
    CategoricalOption,
    DateOption,
    DecimalOption,
    Dialect,
    DropOption,
    EncodingOption,
    NumericOption,
    OnlyOption,
    SepOption,
    chosen_columns,
    few_rows_notice,
    open_table,
    tell,
)
from netlines.cli.terminal import say, show
from netlines.cli.verdicts import say_verdict
from netlines.export.facts import Facts
from netlines.export.model_file import read_model_file, save_network
from netlines.network.verdict import verdict_facts
from netlines.tables.cells import Raw
from netlines.tables.learn import learn_table
from netlines.tables.target import Target, read_target

TargetOption = Annotated[
    str, typer.Option(help="Name of the column that holds the classes.", rich_help_panel=TABLE)
]
LabelsOption = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE=NAME,...",
        help="What to call the classes, for example 0=healthy,1=ill.",
        rich_help_panel=TABLE,
        show_default=False,
    ),
]
TableArgument = Annotated[
    Path,
    typer.Argument(
        help="The table: .csv, .tsv or .txt of any dialect (also .gz, .zst, .zip), .parquet, .feather, "
        ".xlsx, .jsonl, or - for standard input."
    ),
]
MissingOption = Annotated[
    Missing,
    typer.Option(
        help="What missing values are: known to be missing, by an input of their own (auto), unknown "
        "(integrate), or an error.",
        rich_help_panel=TABLE,
    ),
]


@app.command()
def describe(
    data: TableArgument,
    target: TargetOption,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="A page with a picture of each column (HTML).", rich_help_panel=OUTPUT
        ),
    ] = None,
    drop: DropOption = None,
    only: OnlyOption = None,
    categorical: CategoricalOption = None,
    numeric: NumericOption = None,
    date: DateOption = None,
    labels: LabelsOption = None,
    missing: MissingOption = Missing.AUTO,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Say what each column of a table would become, before any training."""
    if output is not None:
        check_output(output, data)
    _, whole = open_table(data, Dialect(sep, decimal, encoding))
    rows, found = _rows_and_target(whole, target, labels, quiet=False)
    columns = {"drop": drop, "only": only, "categorical": categorical, "numeric": numeric, "date": date}
    numbers = np.unique(found.labels, return_inverse=True)[1]
    learnt = learn_table(rows, chosen_columns(rows.names, missing.value, **columns), labels=numbers)
    from netlines.cli.describing import describe_table

    describe_table(rows, learnt, found.labels, target, data, output)


@app.command()
def fit(
    data: TableArgument,
    target: TargetOption,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The model file to write (JSON).", rich_help_panel=OUTPUT)
    ],
    drop: DropOption = None,
    only: OnlyOption = None,
    categorical: CategoricalOption = None,
    numeric: NumericOption = None,
    date: DateOption = None,
    labels: LabelsOption = None,
    missing: MissingOption = Missing.AUTO,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    prefer: Annotated[
        Prefer | None,
        typer.Option(
            help="How much error a smaller model may cost: more than a standard error, a part of one "
            "(balanced, the default), or none.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    class_weight: Annotated[
        str | None,
        typer.Option(
            metavar="balanced or LABEL=WEIGHT,...",
            help="How much a row of each class counts, if not 1; balanced: all classes count the same, "
            "however many rows they have.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    criterion: Annotated[
        Criterion | None,
        typer.Option(
            help="What decides: errors on rows that are held out (cv, the default), or the shortest "
            "description of model and errors, for tables too small to split (mdl).",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    scheme: Annotated[
        Scheme | None,
        typer.Option(
            help="How more than two classes are told apart: all at once by shared hyperplanes (shared); each "
            "pair by a network of its own (pairs); one class after the other (tree); by several such orders "
            "that vote (vote); or each class against the rest (wta). Without it whatever suits best (auto).",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    max_hidden: Annotated[
        int | None,
        typer.Option(
            help="Largest number of hyperplanes; without it 11, or 64 for more than two classes (four "
            "a class if that is more), no limit with --error-free.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    error_free: Annotated[
        bool,
        typer.Option(
            "--error-free",
            help="Grow until no training row is answered wrongly, as the paper does: for data without noise.",
            rich_help_panel=MODEL,
        ),
    ] = False,
    max_errors: Annotated[
        Any,
        typer.Option(
            parser=count_or_fraction,
            metavar="NUMBER",
            help="With --error-free: training errors to stop at, a count or a fraction such as 0.05.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            help="Start of the random numbers: the same number gives the same model.", rich_help_panel=MODEL
        ),
    ] = 0,
    jobs: Annotated[
        int | None, typer.Option(help="Number of parallel workers; -1 for all cores.", rich_help_panel=MODEL)
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Parts of the table for the closing check: each is held out once, all trained again; "
            "0 leaves the check out.",
            rich_help_panel=OUTPUT,
        ),
    ] = 5,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing but errors.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Choose the small model that suits new rows of a table best, and write it to a file.

    The table may have two classes or more, numbers, texts, dates and missing values. What was chosen and why
    is printed beside the errors of a logistic regression, a decision tree and a random forest.
    """
    options = fit_options(error_free, prefer, criterion, max_hidden, max_errors)
    check_folds(folds)
    check_jobs(jobs)
    check_output(output, data)
    _, whole = open_table(data, Dialect(sep, decimal, encoding), quiet=quiet)
    rows, found = _rows_and_target(whole, target, labels, quiet)
    if class_weight is not None:
        options["class_weight"] = read_weights(class_weight, np.unique(found.labels).tolist())
    options |= _scheme_option(scheme, error_free, found.labels)
    columns = {"drop": drop, "only": only, "categorical": categorical, "numeric": numeric, "date": date}
    choices = chosen_columns(rows.names, missing.value, **columns)
    numbers = np.unique(found.labels, return_inverse=True)[1]
    learnt = learn_table(rows, choices, labels=numbers)
    if not quiet:
        tell(learnt.notices)
    # scikit-learn takes a second to import, which the other commands do without.
    from netlines.cli.fitting import fit_and_compare

    outcome = fit_and_compare(
        learnt.inputs,
        found.labels,
        table=rows,
        choices=choices,
        error_free=error_free,
        options={**options, "random_state": seed, "n_jobs": jobs},
        folds=folds,
        quiet=quiet,
    )
    named = tuple((read_labels_option(labels) if labels else {}).items())
    classifier, verdict = outcome.classifier, outcome.verdict
    network = classifier.network_
    network = replace(network, layout=replace(network.layout, target=target, labels=named))
    facts = Facts(
        netlines=__version__,
        rows=len(found.labels),
        seed=seed,
        options={"error_free": error_free, **_plain(options, network.classes.tolist()), "folds": folds},
        training_errors=classifier.n_training_errors_,
        stop_reason=classifier.stop_reason_,
        chosen=None if error_free else " ".join(verdict.sentences),
        candidates=shortened(getattr(classifier, "cv_results_", {})),
        cross_validated_errors=outcome.errors,
        parameters=outcome.parameters,
        verdict=verdict_facts(verdict),
        source=source_of(data),
        sizes=outcome.sizes,
    )
    kept = {} if missing == Missing.AUTO else {"missing": missing.value}
    save_network(network, output, metadata={"fit": facts.to_json(), **kept})
    if not quiet:
        tell(outcome.notices)
        say_verdict(verdict.sentences)
        if error_free:
            say(f"stop reason: {classifier.stop_reason_}")
        show(*closing_tables(read_model_file(output)))
        file, table = shlex.quote(str(output)), shlex.quote(str(data))
        say(f"the model is in {output}; next, a page about it:")
        say(f"netlines report {file} --data {table} -o {shlex.quote(str(output.with_suffix('.html')))}")


def _rows_and_target(whole: Raw, target: str, labels: str | None, quiet: bool) -> tuple[Raw, Target]:
    """Return the rows that have a class, without the target, and their labels; say which have none."""
    names = read_labels_option(labels) if labels else None
    found = read_target(whole, target, names)
    absent = int(np.count_nonzero(~found.present))
    notices = (
        [f"{count(absent, 'row has', 'rows have')} no value in the target {target!r}, left out"]
        if absent
        else []
    )
    notices += few_rows_notice(found.labels.tolist())
    if not quiet:
        tell(notices)
    rows = whole.taken(found.present) if absent else whole
    return rows.without(target), found


def _scheme_option(scheme: Scheme | None, error_free: bool, labels: Any) -> dict[str, str]:
    """Return the parameter that says how more than two classes are told apart, if one is asked for."""
    if scheme == Scheme.AUTO and error_free:
        raise ValueError("--scheme auto chooses, which --error-free does not; allowed are the other schemes")
    if scheme in (None, Scheme.AUTO):
        return {}
    if len(np.unique(labels)) == 2:
        raise ValueError(f"--scheme {scheme} has no meaning for two classes, which one network separates")
    return {"multiclass": str(scheme)}


def _plain(options: dict[str, Any], classes: list[Any]) -> dict[str, Any]:
    """Return options as a model file keeps them: weights in the order of the classes."""
    weights = options.get("class_weight")
    if not isinstance(weights, dict):
        return options
    others = {name: value for name, value in options.items() if name != "class_weight"}
    return {**others, "class_weights": [weights[label] for label in classes]}
