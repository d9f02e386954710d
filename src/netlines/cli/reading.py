"""The commands that read a model: `predict`, `evaluate`, `inspect`, `explain`, `report` and `card`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from netlines._words import count
from netlines.cli.answers import answer_columns
from netlines.cli.app import MODEL, OUTPUT, TABLE, app
from netlines.cli.labels import with_priors
from netlines.cli.options import Change, Missing, check_folds, check_jobs
from netlines.cli.outputs import STREAM, check_output
from netlines.cli.tables import DecimalOption, Dialect, EncodingOption, SepOption, open_table, tell
from netlines.cli.terminal import complain, say, visible, width
from netlines.export.model_file import ModelFile, read_model_file
from netlines.network.layout import Layout
from netlines.network.protocol import AnyNetwork
from netlines.tables.cells import Raw
from netlines.tables.encode import encode
from netlines.tables.files import check_suffix, write_table
from netlines.tables.target import read_truth

ModelArgument = Annotated[Path, typer.Argument(help="A model file that `netlines fit` wrote.")]
TableArgument = Annotated[
    Path, typer.Argument(help="The table: any that `netlines fit` takes, or - for standard input.")
]
PriorsOption = Annotated[
    str | None,
    typer.Option(
        metavar="LABEL=SHARE,...",
        help="Shares of all classes to expect among these rows, for example ill=0.02,well=0.98, instead of "
        "those of the training table. They move the probabilities and with them the predictions.",
        show_default=False,
        rich_help_panel=MODEL,
    ),
]
MissingOption = Annotated[
    Missing | None,
    typer.Option(
        help="What missing values are: known to be missing where the model has an input for that, else "
        "averaged over what they were in training (auto); always averaged, columns that are absent too "
        "(integrate); or an error. Without it, as at the fit.",
        show_default=False,
        rich_help_panel=TABLE,
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="End with an error at a category that training had not; else it counts as other, or as missing.",
        rich_help_panel=TABLE,
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="Print nothing but errors.", rich_help_panel=OUTPUT)
]


@app.command()
def predict(
    model: ModelArgument,
    data: TableArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The table to write: .csv, .tsv (also .gz, .zst), .parquet, .feather, .jsonl or .xlsx. "
            "Without it the table goes to standard output.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = Path(STREAM),
    priors: PriorsOption = None,
    missing: MissingOption = None,
    strict: StrictOption = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Write texts as they were read. Without it texts that a spreadsheet would run as a formula "
            "get a ' in front.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write a table's rows with the columns `prediction`, `decision` and `probability`.

    `decision` is at least 0 where the second class is predicted: its log-odds, or, in a model without
    probabilities, the weighted sum of its output unit. `probability` is that of the predicted class; a model
    without probabilities (`netlines fit --error-free`) does not write it.

    A model of more than two classes writes no `decision`, but `probability of LABEL` for each class; without
    probabilities `decision of LABEL`, of which the largest is that of the prediction.

    If the table has the true classes, it says how often they were met. It also says how many rows are unlike
    those of training: values outside of their range, new categories, unusual combinations.
    """
    check_suffix(output)
    check_output(output, data, model, stream=True)
    content, layout = _load_with_layout(model)
    network: Any = content.network if priors is None else with_priors(content.network, priors, model)
    table, rows = open_table(data, Dialect(sep, decimal, encoding), quiet=quiet)
    X = _inputs(rows, layout, _missing(missing, content), strict, quiet)
    columns = answer_columns(network, X)
    truth = read_truth(rows, layout, network.classes.tolist())
    write_table(table, output, raw=raw, **columns)
    if quiet:
        return
    tell_of = complain if str(output) == STREAM else say
    counts = zip(*np.unique(columns["prediction"], return_counts=True), strict=True)
    told = ", ".join(f"{n} of class {label}" for label, n in counts)
    where = "" if str(output) == STREAM else f"{output}: "
    tell_of(visible(f"{where}{count(len(X), 'row')}, {told}"))
    from netlines.inspection.unusual import unusual_inputs

    if strange := unusual_inputs(network, X, rows):
        complain(visible(str(strange)))
    if truth is not None:
        from netlines.cli.evaluating import summary_line

        tell_of(visible(summary_line(_evaluation(network, X, truth, columns["prediction"]))))


@app.command()
def evaluate(
    model: ModelArgument,
    data: TableArgument,
    priors: PriorsOption = None,
    missing: MissingOption = None,
    strict: StrictOption = False,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Say how well a model does on a table that has the true classes.

    The error with a 95 % interval, which classes are taken for which, and how far the probabilities can be
    trusted. On the table that the model was trained on all of this looks better than it is.
    """
    content, layout = _load_with_layout(model)
    network: Any = content.network if priors is None else with_priors(content.network, priors, model)
    _, rows = open_table(data, Dialect(sep, decimal, encoding))
    truth = read_truth(rows, layout, network.classes.tolist())
    if truth is None:
        raise ValueError(
            f"{data} has no column {layout.target!r} with the true classes, which evaluate needs: "
            "`netlines predict` does without"
        )
    X = _inputs(rows, layout, _missing(missing, content), strict, quiet=False)
    from netlines.cli.evaluating import show_evaluation

    show_evaluation(_evaluation(network, X, truth))


@app.command()
def inspect(
    model: ModelArgument,
    all_: Annotated[
        bool, typer.Option("--all", help="Show every term and every hyperplane.", rich_help_panel=OUTPUT)
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help="Show also how it was trained: all models that were tried, the columns, the growth.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
) -> None:
    """Show what a model is, how well it does, and the formula or the rules by which it decides."""
    content = read_model_file(model)
    from netlines.cli.inspecting import show_model

    show_model(content, model, full=all_, verbose=verbose)


@app.command()
def explain(
    model: ModelArgument,
    row: Annotated[
        str,
        typer.Option(
            help="The row: NAME=VALUE,NAME=VALUE,... or all values in the order of the columns. An empty "
            "value, or a column that is not named, is missing."
        ),
    ],
    features: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME",
            help="Columns that the nearest other answer may change, if not all.",
            show_default=False,
        ),
    ] = "",
    range_: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            metavar="NAME=LOW:HIGH",
            help="Values that it may give a column of numbers, or that a missing one may have; an empty end "
            "is open. It may be given several times.",
        ),
    ] = None,
    change: Annotated[
        Change,
        typer.Option(
            help="Which changes count: likely ones, in whole steps to values that the training table could "
            "have; the same, but of the fewest columns first; or any, also to parts of a category."
        ),
    ] = Change.LIKELY,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="Also say on which side of each hyperplane the row lies, and why."),
    ] = False,
) -> None:
    """Explain the answer to one row: how probable, why, and the nearest row with another answer.

    It warns of values that training has not seen. For a row that lacks values it says which classes are
    possible, and which one is the most probable.
    """
    content, layout = _load_with_layout(model)
    from netlines.cli.explaining import explain_row, read_ranges, read_row

    cells = read_row(row, layout)
    names = [name.strip() for name in features.split(",") if name.strip()]
    ranges = read_ranges(range_ or [], content.network)
    told = explain_row(content.network, cells, names, ranges, change.value)
    say(told.text(width=width(), verbose=verbose))


@app.command()
def report(
    model: ModelArgument,
    data: Annotated[
        Path,
        typer.Option(
            help="The table to report on, best the training table: any that `netlines fit` takes.",
            rich_help_panel=TABLE,
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The page to write (HTML).", rich_help_panel=OUTPUT)
    ],
    title: Annotated[
        str | None,
        typer.Option(help="The headline, if not what is predicted.", rich_help_panel=OUTPUT),
    ] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Parts of the table for the check beside other classifiers: each is held out once; 0 "
            "leaves it out.",
            rich_help_panel=OUTPUT,
        ),
    ] = 5,
    jobs: Annotated[
        int, typer.Option(help="Number of parallel workers; -1 for all cores.", rich_help_panel=OUTPUT)
    ] = -1,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write one self-contained HTML page about a model: what it is, how good it is, how it decides."""
    check_folds(folds)
    check_jobs(jobs)
    check_output(output, data, model)
    content, layout = _load_with_layout(model)
    from netlines.cli.reporting import Wanted, report_model

    dialect = Dialect(sep, decimal, encoding)
    report_model(content, layout, Wanted(model, data, output, title, folds, jobs, dialect, quiet))
    if not quiet:
        say(f"the report is {output}")


@app.command()
def card(
    model: ModelArgument,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The text to write (Markdown).", rich_help_panel=OUTPUT),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            help="A table with the true classes, to say how often the model errs on it: any that `netlines "
            "fit` takes.",
            show_default=False,
            rich_help_panel=TABLE,
        ),
    ] = None,
    sep: SepOption = None,
    decimal: DecimalOption = None,
    encoding: EncodingOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write a model card: what a model is for, what it was made of, how good it is, and its limits.

    What only the owner can say is left blank, and marked.
    """
    check_output(output, model, *([] if data is None else [data]))
    content, _ = _load_with_layout(model)
    from netlines.cli.reporting import write_card

    write_card(content, model, data, output, Dialect(sep, decimal, encoding), quiet=quiet)
    if not quiet:
        say(f"the model card is {output}")


def _load_with_layout(path: Path) -> tuple[ModelFile, Layout]:
    model = read_model_file(path)
    if model.network.layout is None:
        raise ValueError(
            f"{path} does not say which columns its inputs are: it was saved from an array without names"
        )
    return model, model.network.layout


def _missing(asked: Missing | None, content: ModelFile) -> str:
    """Return what missing values are: as asked, else as at the fit."""
    return content.metadata.get("missing", Missing.AUTO.value) if asked is None else asked.value


def _inputs(rows: Raw, layout: Layout, missing: str, strict: bool, quiet: bool) -> Any:
    """Return the inputs of the rows of a table, and say what was strange in it."""
    known = missing != Missing.INTEGRATE
    complete = missing == Missing.ERROR
    found = encode(rows, layout, known=known, absent=not known, complete=complete, strict=strict)
    if not quiet:
        tell(found.notices)
    return found.inputs


def _evaluation(network: AnyNetwork, X: Any, truth: list[Any], answers: Any = None) -> Any:
    from netlines.inspection.answers import Answers
    from netlines.report.evaluation import evaluate as judge

    found = Answers(network, X)
    labels = found.labels() if answers is None else answers
    p = found.probabilities() if network.has_probability else None
    return judge(labels, truth, network.classes, p)
