"""What a report tells of each experiment: its rows, its claims with their verdicts, its figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from netlines.reproduce.report.published import Statement, read_claims
from netlines.reproduce.runs.experiment import Experiment, Figures
from netlines.reproduce.runs.records import Row
from netlines.reproduce.runs.statistics import as_frame
from netlines.reproduce.runs.verdicts import NOT_RUN, Verdict, Verdicts


@dataclass(frozen=True, eq=False)
class Decision:
    """A claim of the paper with what was measured of it, by way."""

    statement: Statement
    verdicts: Verdicts

    def of(self, way: str) -> Verdict:
        """Return the verdict for a way; one that is about no way in particular counts for all of them."""
        return self.verdicts.get(way, self.verdicts.get("", NOT_RUN))


@dataclass(frozen=True, eq=False)
class Chapter:
    """One experiment, done."""

    experiment: Experiment
    rows: pd.DataFrame
    decisions: tuple[Decision, ...]
    figures: Figures


def make_chapters(experiments: Iterable[Experiment], rows: Mapping[str, list[Row]]) -> list[Chapter]:
    """Decide the claims and draw the figures of every experiment that has rows."""
    return [_make_chapter(e, as_frame(rows[e.name])) for e in experiments if rows.get(e.name)]


def _make_chapter(experiment: Experiment, rows: pd.DataFrame) -> Chapter:
    claims = read_claims(experiment.name)
    decisions = tuple(Decision(claim, experiment.claims[claim.name](rows)) for claim in claims)
    return Chapter(experiment, rows, decisions, experiment.draw(rows))
