"""The work of `netlines reproduce`: a progress bar for each experiment, and a few closing lines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from joblib import cpu_count

from netlines.cli.progress import progress_bar
from netlines.cli.terminal import complain, say

if TYPE_CHECKING:
    from netlines.reproduce.reproduction import Reproduction
    from netlines.reproduce.runs.records import Run


def reproduce_paper(names: Sequence[str], *, full: bool, out: Path, jobs: int | None) -> None:
    """Do the runs that are missing and write the report.

    Parameters
    ----------
    names : experiments, all if there are none
    full : whether as often as in the paper
    out : the folder to write to
    jobs : number of processes, as many as there are cores if None
    """
    if find_spec("matplotlib") is None:
        raise ValueError(
            'netlines reproduce draws figures, which needs matplotlib: pip install "netlines[plots]"'
        )
    from netlines.reproduce.report.tables import describe_counts
    from netlines.reproduce.reproduction import PAGE, RESULTS, Reproduction

    if out.exists() and not out.is_dir():
        raise ValueError(f"--out {out} is a file; allowed is a folder, which may be new")
    work = Reproduction.plan_for(names, full, out)
    left = {name: work.missing(name) for name in work.plan}
    kept = sum(map(len, work.plan.values())) - sum(left.values())
    if kept:
        say(f"{kept} runs are kept from before, {sum(left.values())} to do")
    try:
        _run(work, left, jobs or cpu_count())
    except KeyboardInterrupt:
        many = sum(map(len, work.plan.values())) - sum(left.values())
        complain(f"interrupted: {many} runs are kept in {out / RESULTS}; the same command goes on")
        raise
    chapters = work.write(_command(names, full))
    for number, of in describe_counts(chapters):
        say(f"{of}: {number} claims hold")
    say(f"the page is {out / PAGE}, the rows are in {out / RESULTS}")


def _run(work: Reproduction, left: dict[str, int], jobs: int) -> None:
    """Do the missing runs under a bar for each experiment, and count in `left` what is still to do."""
    start = time.monotonic()
    with progress_bar(False) as progress:
        bars = {
            name: progress.add_task(name, total=len(runs), completed=len(runs) - left[name])
            for name, runs in work.plan.items()
        }

        def done(run: Run) -> None:
            progress.advance(bars[run.experiment])
            left[run.experiment] -= 1
            if not left[run.experiment]:
                progress.console.print(f"{run.experiment}: done after {time.monotonic() - start:.0f} s")

        work.run(jobs, done)


def _command(names: Sequence[str], full: bool) -> str:
    return " ".join(["netlines", "reproduce", *names, "--full" if full else "--quick"])
