"""All commands: what imports this module finds them at `app`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from netlines.cli import reading, training  # noqa: F401
from netlines.cli.app import app


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


__all__ = ["app"]
