"""The same report as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.facts import Facts
from netlines.reproduce.report.tables import (
    Table,
    claims_table,
    count_verdicts,
    departures_in_words,
    departures_table,
    headline_table,
    means_table,
)
from netlines.reproduce.runs.methods import NAMES


def make_markdown(
    chapters: Sequence[Chapter], facts: Facts, command: str, seconds: float, pictures: str = "reproduction"
) -> str:
    """Return the report as Markdown; `pictures` is the folder of its figures."""
    lines = [
        "# The paper, reproduced",
        "",
        f"Written by `{command}` on {facts.date}; not to be edited by hand. {facts.versions()}.",
        f"{facts.machine}; {sum(len(c.rows) for c in chapters):,} rows, {seconds / 60:.0f} minutes of work on one core.",
        "",
        "Every claim that the text of Torres-Moreno and Gordon's paper makes about its experiments, measured anew in "
        'three ways: by the paper\'s own algorithm (`NetLinesClassifier(schedule="paper", refine=False)`), by the '
        "default `NetLinesClassifier` and by `NetLinesClassifierCV`. A claim that does not hold is marked ✗.",
        "",
        *(
            f"- {NAMES[way]}: {held} of {total} claims hold"
            for way, (held, total) in count_verdicts(chapters).items()
        ),
        "",
        "## The claims",
        "",
        *_table(claims_table(chapters)),
        "",
        "## All figures beside the paper's",
        "",
        "Means over the runs: hidden units, weights, training errors if there are any, error on new patterns.",
        "",
        *_table(headline_table(chapters)),
        "",
        "## What each departure from the paper is worth",
        "",
        *(f"- {sentence}" for sentence in departures_in_words(chapters)),
        "",
        *_table(departures_table(chapters)),
    ]
    for chapter in chapters:
        experiment = chapter.experiment
        lines += ["", f"## {experiment.title}", "", experiment.about, ""]
        lines += [
            f"![{experiment.title}: {name.replace('-', ' ')}]({pictures}/{name}.png)"
            for name in chapter.figures
        ]
        lines += [
            "",
            "<details><summary>All means</summary>",
            "",
            *_table(means_table(chapter)),
            "",
            "</details>",
        ]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    rows = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    return [_line(table.head), _line(["---"] * len(table.head)), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
