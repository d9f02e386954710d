"""All commands: what imports this module finds them at `app`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from netlines import __version__
from netlines.cli import reading, training  # noqa: F401
from netlines.cli.app import app
from netlines.cli.helping import in_order_of_use
from netlines.cli.terminal import say, width


@app.command()
def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="EXPERIMENT...",
            help="Some of: parity, sonar, monks, clumps, cancer, cancer-missing, diabetes, waveform, iris, "
            "temperature, theta, convergence; all of them if none is named.",
            show_default=False,
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
        int | None,
        typer.Option(help="Number of parallel processes; all cores without it.", show_default=False),
    ] = None,
) -> None:
    """Repeat the experiments of the paper, and write one page that tells which of its claims hold.

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


@app.command()
def words(
    word: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD", help="A word; without one all are listed.", show_default=False),
    ] = None,
) -> None:
    """Say what a word means that netlines prints, or list all of them."""
    from netlines.cli.words import explain_word, list_words

    say(explain_word(" ".join(word), width()) if word else list_words(width()))


@app.command(hidden=True)
def version() -> None:
    """Print the version, as `netlines --version` does."""
    say(f"netlines {__version__}")


in_order_of_use(app)

__all__ = ["app"]
