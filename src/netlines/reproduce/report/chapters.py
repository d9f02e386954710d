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
    chapters = []
    for one in experiments:
        if rows.get(one.name):
            frame, claims = as_frame(rows[one.name]), read_claims(one.name)
            decisions = tuple(Decision(claim, one.claims[claim.name](frame)) for claim in claims)
            chapters.append(Chapter(one, frame, decisions, one.draw(frame)))
    return chapters
