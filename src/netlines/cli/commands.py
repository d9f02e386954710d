"""The three commands, thin over the public functions."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from netlines import __version__
from netlines._atomic import check_writable
from netlines.cli.progress import GrowthCallback, progress_bar
from netlines.cli.tables import closing_table, growth_table
from netlines.export.model_file import load_model, save_network
from netlines.export.text import to_text
from netlines.layout import Layout, learn_layout, read_target, to_inputs
from netlines.table import check_suffix, read_table, write_table

app = typer.Typer(
    help="Grow small classifiers out of binary neurons.", add_completion=False, pretty_exceptions_enable=False
)


def _count_or_fraction(text: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    raise typer.BadParameter(f"{text!r} is neither a count such as 3 nor a fraction such as 0.05.")


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="The training table, .csv or .parquet.")],
    target: Annotated[str, typer.Option(help="Name of the column that holds the classes.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write (JSON).")],
    seed: Annotated[int, typer.Option(help="Decides everything random.")] = 0,
    max_hidden: Annotated[int | None, typer.Option(help="Largest number of hidden units.")] = None,
    max_errors: Annotated[
        Any,
        typer.Option(
            parser=_count_or_fraction,
            metavar="NUMBER",
            help="Training errors to stop at: a count, or a fraction of the rows such as 0.05.",
        ),
    ] = "0",
    jobs: Annotated[int | None, typer.Option(help="Number of parallel workers; -1 for all cores.")] = None,
    folds: Annotated[int, typer.Option(help="Folds of the closing cross-validation; 0 leaves it out.")] = 10,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Grow a network on a table and write it to a model file."""
    if folds < 0 or folds == 1:
        raise ValueError(f"--folds must be 0 or at least 2, got {folds}")
    _check_output(output, data)
    table = read_table(data)
    layout = learn_layout(table, target)
    y = read_target(table, target)
    X = to_inputs(table, layout)
    options = {"max_hidden": max_hidden, "max_errors": max_errors, "random_state": seed, "n_jobs": jobs}
    classifier, errors = _grow_and_compare(X, y, options, folds, quiet)
    network = replace(classifier.network_, feature_names=layout.feature_names)
    facts = {
        "netlines": __version__,
        "rows": len(y),
        "seed": seed,
        "training_errors": classifier.n_training_errors_,
        "stop_reason": classifier.stop_reason_,
        "cross_validated_errors": errors,
    }
    save_network(network, output, table=layout.to_json(), metadata={"fit": facts})
    if not quiet:
        _console().print(closing_table(load_model(output)))
        print(f"the model is in {output}")


@app.command()
def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `netlines fit` wrote.")],
    data: Annotated[Path, typer.Argument(help="The table to predict, .csv or .parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The table to write, .csv or .parquet.")],
    ignore_extra: Annotated[
        bool, typer.Option("--ignore-extra", help="Leave columns that the model does not know aside.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Write a table's rows with the columns `prediction` and `decision` (at least 0 for the second class)."""
    check_suffix(output)
    _check_output(output, data)
    network, layout = _load_with_layout(model)
    table = read_table(data)
    X = to_inputs(table, layout, ignore_extra=ignore_extra)
    labels, decision = network.predict(X), network.decision(X)
    write_table(table, output, prediction=labels, decision=decision)
    if not quiet:
        counts = zip(*np.unique(labels, return_counts=True), strict=True)
        print(
            f"{output}: {len(labels)} rows,",
            ", ".join(f"{count} of class {label}" for label, count in counts),
        )


@app.command()
def inspect(
    model: Annotated[Path, typer.Argument(help="A model file.")],
) -> None:
    """Show a model: its size, its classes, its hyperplanes, its output unit and how it grew."""
    content = load_model(model)
    console = _console()
    console.print(to_text(content.network, width=console.width), markup=False, highlight=False)
    console.print(closing_table(content))
    if content.network.growth_trace:
        console.print(growth_table(content.network.growth_trace))


def _grow_and_compare(
    X: NDArray, y: NDArray, options: dict[str, Any], folds: int, quiet: bool
) -> tuple[Any, dict[str, list[float]]]:
    """Fit a network on all rows, then cross-validate fresh ones, under one progress bar."""
    # scikit-learn takes a second to import, which the other commands do without.
    from netlines.classifiers import NetLinesClassifier
    from netlines.cli.comparison import compare, usable_folds

    classifier = NetLinesClassifier(**options)
    errors: dict[str, list[float]] = {}
    with progress_bar(quiet) as progress:
        growth = progress.add_task("growing hidden units", total=options["max_hidden"])
        classifier.set_callbacks(GrowthCallback(progress, growth)).fit(X, y)
        progress.update(growth, total=classifier.n_hidden_, completed=classifier.n_hidden_)
        folds = usable_folds(y, folds)
        if folds:
            task = progress.add_task("cross-validating", total=folds)
            fresh = NetLinesClassifier(**options)
            seed = options["random_state"]
            errors = compare(fresh, X, y, folds=folds, seed=seed, advance=lambda: progress.advance(task))
    return classifier, errors


def _load_with_layout(path: Path) -> tuple[Any, Layout]:
    model = load_model(path)
    if model.table is None:
        raise ValueError(f"{path} does not say which columns its inputs are: `netlines fit` did not write it")
    try:
        layout = Layout.from_json(model.table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if len(layout.feature_names) != model.network.n_features:
        raise ValueError(
            f"{path}: its columns give {len(layout.feature_names)} inputs, its network has "
            f"{model.network.n_features}"
        )
    return model.network, layout


def _check_output(output: Path, data: Path) -> None:
    """Refuse an output that cannot be written before any work is done for it."""
    if output.resolve() == data.resolve():
        raise ValueError(f"--output {output} would overwrite the table that is read")
    check_writable(output)


def _console() -> Console:
    """Return a console on stdout; one that is no terminal gets room for wide tables."""
    return Console(width=None if sys.stdout.isatty() else 120)
