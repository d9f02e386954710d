"""The whole of `netlines reproduce`: do the runs that are missing, then write figures, page and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from netlines._files import atomic_write
from netlines.reproduce.experiments import EXPERIMENTS
from netlines.reproduce.report.chapters import Chapter, make_chapters
from netlines.reproduce.report.facts import Facts, keep_facts
from netlines.reproduce.report.figure import lay_out
from netlines.reproduce.report.markdown import make_markdown
from netlines.reproduce.report.page import make_page
from netlines.reproduce.runs.records import Results, Run, alone_in
from netlines.reproduce.runs.runner import execute

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESULTS, PAGE, TEXT, FIGURES, FACTS = "results.csv", "index.html", "reproduction.md", "figures", "facts.json"


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The runs of some experiments, and the folder that holds what is known of them."""

    out: Path
    full: bool
    plan: Mapping[str, Sequence[Run]]
    results: Results
    facts: Facts

    @classmethod
    def plan_for(cls, names: Sequence[str], full: bool, out: Path) -> Reproduction:
        """Read what the folder holds and list the runs of the named experiments, all if there are none.

        Raises
        ------
        ValueError
            If a name is not that of an experiment, or the folder holds something else.
        """
        unknown = [name for name in names if name not in EXPERIMENTS]
        if unknown:
            raise ValueError(
                f"EXPERIMENT {', '.join(unknown)} is unknown; allowed are {', '.join(EXPERIMENTS)}"
            )
        chosen = [name for name in EXPERIMENTS if name in names or not names]
        out.mkdir(parents=True, exist_ok=True)
        plan = {name: list(EXPERIMENTS[name].runs(full)) for name in chosen}
        return cls(out, full, plan, Results(out / RESULTS), keep_facts(out / FACTS))

    def missing(self, name: str) -> int:
        """Return the number of runs of an experiment that are still to be done."""
        return sum(run not in self.results for run in self.plan[name])

    def run(self, jobs: int, done: Callable[[Run], object]) -> None:
        """Do the missing runs."""
        runs = [run for runs in self.plan.values() for run in runs]
        execute(runs, self.results, jobs, done)

    def write(self, command: str) -> list[Chapter]:
        """Write figures, page and text of the experiments whose runs are all done; return what they tell."""
        (self.out / FIGURES).mkdir(exist_ok=True)
        # Of several commands at once, the last one to write has the rows of all.
        with alone_in(self.out / FIGURES):
            self.results.merge()
            return self._write(command)

    def _write(self, command: str) -> list[Chapter]:
        plans = {
            name: self.plan.get(name, experiment.runs(self.full)) for name, experiment in EXPERIMENTS.items()
        }
        finished = {name: runs for name, runs in plans.items() if all(run in self.results for run in runs)}
        chapters = make_chapters(
            EXPERIMENTS.values(), {name: self.results.of(runs) for name, runs in finished.items()}
        )
        # A run that leaves several rows gives each of them the seconds of the whole.
        seconds = sum(self.results.rows[run.keys[0]].seconds for runs in finished.values() for run in runs)
        for chapter in chapters:
            for name, figure in chapter.figures.items():
                _save(figure, self.out / FIGURES / name)
        _write(self.out / PAGE, make_page(chapters, self.facts, command, seconds).encode())
        _write(self.out / TEXT, make_markdown(chapters, self.facts, command, seconds).encode())
        return chapters


def _save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG and PNG."""
    import matplotlib as mpl

    lay_out(figure)
    with mpl.rc_context({"svg.hashsalt": path.name}), atomic_write(path.with_suffix(".svg")) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    with atomic_write(path.with_suffix(".png")) as file:
        figure.savefig(file, format="png", dpi=160)


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as file:
        file.write(content)
