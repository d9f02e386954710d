"""The commands, thin over the public functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from netlines import __version__
from netlines.cli.answers import answer_columns
from netlines.cli.candidates import shortened
from netlines.cli.options import Change, Criterion, Missing, Prefer, Scheme, count_or_fraction, fit_options
from netlines.cli.outputs import check_output
from netlines.cli.printing import closing_tables, growth_table
from netlines.cli.priors import with_priors
from netlines.cli.terminal import say, show, visible, width
from netlines.export.facts import Facts
from netlines.export.model_file import ModelFile, read_model_file, save_network
from netlines.export.text import to_text
from netlines.tables.files import check_suffix, read_table, write_table
from netlines.tables.layout import Layout, learn_layout, read_target, to_inputs

MOST_UNITS_OF_RULES = 8  # of a network whose rules are shown without rows that tell which codes there are

app = typer.Typer(
    help="Small classifiers out of binary neurons.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="The training table, .csv or .parquet.")],
    target: Annotated[str, typer.Option(help="Name of the column that holds the classes.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write (JSON).")],
    prefer: Annotated[
        Prefer | None,
        typer.Option(
            help="How much error a smaller classifier may cost: more than a standard error, a part, or none.",
            show_default="balanced",
        ),
    ] = None,
    criterion: Annotated[
        Criterion | None,
        typer.Option(
            help="What decides: cross-validation, or the description length, for tables too small to split.",
            show_default="cv",
        ),
    ] = None,
    scheme: Annotated[
        Scheme | None,
        typer.Option(
            help="How to tell more than two classes apart: one shared hidden layer with an output a class; a "
            "network for each pair of classes; a vote of trees of networks; one such tree; or one network a "
            "class against the rest, of which the winner takes all.",
            show_default="as the classifier chooses",
        ),
    ] = None,
    max_hidden: Annotated[
        int | None,
        typer.Option(
            help="Largest number of hidden units.",
            show_default="11, or 128 shared by more than two classes; with --error-free no limit",
        ),
    ] = None,
    error_free: Annotated[
        bool,
        typer.Option(
            "--error-free", help="Grow a network until no training error is left, as the paper does."
        ),
    ] = False,
    max_errors: Annotated[
        Any,
        typer.Option(
            parser=count_or_fraction,
            metavar="NUMBER",
            help="With --error-free: training errors to stop at, a count or a fraction such as 0.05.",
            show_default="0",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides everything random.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Number of parallel workers; -1 for all cores.")] = None,
    folds: Annotated[
        int,
        typer.Option(
            help="Folds of the closing cross-validation, which chooses and trains anew in each; "
            "0 leaves it out."
        ),
    ] = 5,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Choose the small classifier that suits new rows of a table best, and write it to a model file.

    The table may have two classes or more. The candidates are single units and networks of a few of them.
    What was chosen and why is printed beside
    the errors and the sizes of a logistic regression, a decision tree and a random forest.
    """
    options = fit_options(error_free, prefer, criterion, max_hidden, max_errors)
    if folds < 0 or folds == 1:
        raise ValueError(f"--folds must be 0 or at least 2, got {folds}")
    check_output(output, data)
    table = read_table(data)
    layout = learn_layout(table, target)
    y = read_target(table, target)
    if scheme == Scheme.AUTO and error_free:
        raise ValueError("--scheme auto chooses, which --error-free does not; allowed are the other schemes")
    if scheme not in (None, Scheme.AUTO):
        if len(np.unique(y)) == 2:
            raise ValueError(f"--scheme {scheme} has no meaning for two classes, which one network separates")
        options["multiclass"] = str(scheme)
    X = to_inputs(table, layout)
    # scikit-learn takes a second to import, which the other commands do without.
    from netlines.cli.fitting import fit_and_compare

    parameters = {**options, "random_state": seed, "n_jobs": jobs}
    classifier, errors, sizes = fit_and_compare(
        X, y, error_free=error_free, options=parameters, folds=folds, quiet=quiet
    )
    network = classifier.network_.with_feature_names(layout.feature_names)
    facts = Facts(
        netlines=__version__,
        rows=len(y),
        seed=seed,
        options={"error_free": error_free, **options, "folds": folds},
        training_errors=classifier.n_training_errors_,
        stop_reason=classifier.stop_reason_,
        chosen=getattr(classifier, "chosen_", None),
        candidates=shortened(getattr(classifier, "cv_results_", {})),
        cross_validated_errors=errors,
        parameters=sizes,
    )
    save_network(network, output, table=layout.to_json(), metadata={"fit": facts.to_json()})
    if not quiet:
        show(*closing_tables(read_model_file(output)))
        say(f"the model is in {output}")


@app.command()
def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `netlines fit` wrote.")],
    data: Annotated[Path, typer.Argument(help="The table to predict, .csv or .parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The table to write, .csv or .parquet.")],
    priors: Annotated[
        str | None,
        typer.Option(
            metavar="LABEL=SHARE,LABEL=SHARE",
            help="Shares of all classes to expect among these rows, for example ill=0.02,well=0.98. "
            "They move the probabilities and with them the predictions.",
            show_default="as in the training table",
        ),
    ] = None,
    missing: Annotated[
        Missing,
        typer.Option(
            help="What to do with missing values: stop with an error, or integrate over what they were in "
            "training."
        ),
    ] = Missing.ERROR,
    ignore_extra: Annotated[
        bool, typer.Option("--ignore-extra", help="Leave columns that the model does not know aside.")
    ] = False,
    safe_csv: Annotated[
        bool,
        typer.Option(
            "--safe-csv",
            help="For a table that spreadsheets will open: put a ' before text that they would run as a "
            "formula. Without it text is written as it was read.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Write a table's rows with the columns `prediction`, `decision` and `probability`.

    `decision` is at least 0 where the second class is predicted: its log-odds, or, in a model without
    probabilities, the weighted sum of its output unit. `probability` is that of the predicted class; a model
    without probabilities (`netlines fit --error-free`) does not write it.

    A model of more than two classes writes no `decision`, but `probability of LABEL` for each class; without
    probabilities `decision of LABEL`, of which the largest is that of the prediction.
    """
    if check_suffix(output) != ".csv" and safe_csv:
        raise ValueError(f"--safe-csv has no meaning for --output {output}, which is no .csv")
    check_output(output, data, model)
    content, layout = _load_with_layout(model)
    network = content.network if priors is None else with_priors(content.network, priors, model)
    table = read_table(data)
    X = to_inputs(table, layout, ignore_extra=ignore_extra, incomplete=missing == Missing.INTEGRATE)
    columns = answer_columns(network, X)
    write_table(table, output, safe_csv=safe_csv, **columns)
    if not quiet:
        counts = zip(*np.unique(columns["prediction"], return_counts=True), strict=True)
        told = ", ".join(f"{count} of class {label}" for label, count in counts)
        say(visible(f"{output}: {len(X)} rows, {told}"))


@app.command()
def inspect(model: Annotated[Path, typer.Argument(help="A model file.")]) -> None:
    """Show a model: its hyperplanes, what was chosen and why, beside what, and how it grew."""
    content = read_model_file(model)
    network, tables = content.network, closing_tables(content)
    say(to_text(network, width=width()))
    if not (network.scheme or network.moved or network.n_hidden > MOST_UNITS_OF_RULES):
        from netlines.inspection.rules import extract_rules

        say(f"\n{extract_rules(network).text(width=width())}")
    if network.growth_trace:
        tables.append(growth_table(network.growth_trace))
    show(*tables)


@app.command()
def explain(
    model: Annotated[Path, typer.Argument(help="A model file that `netlines fit` wrote.")],
    row: Annotated[
        str,
        typer.Option(
            help="The row: NAME=VALUE,NAME=VALUE,... or all values in the order of the columns. "
            "An empty value, or a column that is not named, is missing."
        ),
    ],
    features: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME", help="Inputs that the nearest other answer may change.", show_default="all"
        ),
    ] = "",
    range_: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            metavar="NAME=LOW:HIGH",
            help="Values that it may give an input, or that a missing one may have; an empty end is open. "
            "It may be given several times.",
        ),
    ] = None,
    change: Annotated[
        Change,
        typer.Option(
            help="Which changes count: likely ones, to values that the training table has and with whole "
            "categories, or any."
        ),
    ] = Change.LIKELY,
) -> None:
    """Explain the answer to one row: its code, distances, what pushes, and the nearest row with another
    answer.

    For a row that lacks values it says which classes are possible, and which one is the most probable.
    """
    content, layout = _load_with_layout(model)
    from netlines.cli.explaining import explain_row, read_ranges, read_row

    inputs = read_row(row, layout)
    names = [name.strip() for name in features.split(",") if name.strip()]
    ranges = read_ranges(range_ or [], layout.feature_names)
    say(explain_row(content.network, inputs, names, ranges, change.value, width()))


@app.command()
def report(
    model: Annotated[Path, typer.Argument(help="A model file that `netlines fit` wrote.")],
    data: Annotated[
        Path, typer.Option(help="The table to report on, best the training table: .csv or .parquet.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write (HTML).")],
    title: Annotated[
        str | None, typer.Option(help="The headline.", show_default="the name of the target")
    ] = None,
    folds: Annotated[
        int, typer.Option(help="Folds of the cross-validation beside other classifiers; 0 leaves it out.")
    ] = 5,
    jobs: Annotated[int, typer.Option(help="Number of parallel workers; -1 for all cores.")] = -1,
    ignore_extra: Annotated[
        bool, typer.Option("--ignore-extra", help="Leave columns that the model does not know aside.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Write one self-contained HTML page about a model: what it is, how well it does, and why it answers so.

    Rows with missing values are left to the section on missing attributes.
    """
    if folds < 0 or folds == 1:
        raise ValueError(f"--folds must be 0 or at least 2, got {folds}")
    check_output(output, data, model)
    content, layout = _load_with_layout(model)
    from netlines.cli.reporting import Wanted, report_model

    wanted = Wanted(model, data, output, title, folds, jobs, ignore_extra, quiet)
    report_model(content, layout, wanted)
    if not quiet:
        say(f"the report is {output}")


@app.command()
def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...",
            help="Some of: parity, sonar, monks, clumps, cancer, cancer-missing, diabetes, waveform, iris, "
            "temperature, theta, convergence.",
            show_default="all",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few repetitions, in some two minutes on two cores (the default).")
    ] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="The paper's own numbers of repetitions, within an hour on two cores."),
    ] = False,
    out: Annotated[
        Path, typer.Option(help="The folder to write to; what it holds is not done again.")
    ] = Path("reproduction"),
    jobs: Annotated[
        int | None, typer.Option(help="Number of parallel processes.", show_default="all cores")
    ] = None,
) -> None:
    """Do the experiments of the paper anew, and write one page that tells which of its claims hold.

    Each runs by the paper's own algorithm, by the default one, and by the one that chooses its size, with
    other classifiers on the same patterns. The folder gets results.csv (one row a run), the figures as SVG
    and PNG, index.html, and reproduction.md. Finished runs are kept: after an interruption the same command
    goes on from where it was.
    """
    if quick and full:
        raise ValueError("--quick and --full exclude each other; allowed is one of them")
    if jobs is not None and jobs < 1:
        raise ValueError(f"--jobs must be at least 1, got {jobs}")
    from netlines.cli.reproducing import reproduce_paper

    reproduce_paper(experiments or [], full=full, out=out, jobs=jobs)


def _load_with_layout(path: Path) -> tuple[ModelFile, Layout]:
    model = read_model_file(path)
    if model.table is None:
        raise ValueError(f"{path} does not say which columns its inputs are: `netlines fit` did not write it")
    return model, model.table
