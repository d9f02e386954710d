"""What a report tells, section by section, whether it becomes a page or a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.tables import (
    Table,
    claims_table,
    departures_in_words,
    departures_table,
    headline_table,
    means_table,
)
from netlines.reproduce.runs.experiment import Figures

INTRODUCTION = """\
Every claim that the text of Torres-Moreno and Gordon's paper makes about its experiments, measured anew in
three ways: by the paper's own algorithm (`NetLinesClassifier(schedule="paper", refine=False)`), by the
default `NetLinesClassifier` and by `NetLinesClassifierCV`. A claim that does not hold is marked ✗; where the
paper leaves something open, ours is one reading of it."""
MEANS = (
    "Means over the runs: hidden units, weights, training errors if there are any, error on new patterns, "
    "weight updates."
)


@dataclass(frozen=True, eq=False)
class Section:
    """A heading with paragraphs, points of a list, figures and a table, which is folded up if it is long."""

    name: str
    heading: str
    table: Table
    paragraphs: Sequence[str] = ()
    points: Sequence[str] = ()
    figures: Figures = field(default_factory=dict)
    folded: bool = False


def make_sections(chapters: Sequence[Chapter]) -> list[Section]:
    """Return the sections: the claims, all figures, the departures, then every experiment."""
    return [
        Section("claims", "The claims", claims_table(chapters)),
        Section("figures", "All figures beside the paper's", headline_table(chapters), [MEANS]),
        Section(
            "departures",
            "What each departure from the paper is worth",
            departures_table(chapters),
            points=departures_in_words(chapters),
        ),
        *map(_of_chapter, chapters),
    ]


def _of_chapter(chapter: Chapter) -> Section:
    experiment = chapter.experiment
    paragraphs = [text for text in (experiment.about, experiment.remarks) if text]
    table = means_table(chapter)
    return Section(experiment.name, experiment.title, table, paragraphs, figures=chapter.figures, folded=True)
