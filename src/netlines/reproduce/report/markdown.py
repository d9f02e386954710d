"""The same report as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.facts import Facts
from netlines.reproduce.report.tables import (
    MEANS,
    Table,
    claims_table,
    departures_in_words,
    departures_table,
    describe_counts,
    describe_work,
    headline_table,
    means_table,
)

INTRODUCTION = """\
Every claim that the text of Torres-Moreno and Gordon's paper makes about its experiments, measured anew in
three ways: by the paper's own algorithm (`NetLinesClassifier(schedule="paper", refine=False)`), by the
default `NetLinesClassifier` and by `NetLinesClassifierCV`. A claim that does not hold is marked ✗; where the
paper leaves something open, ours is one reading of it. [What differs from the paper](paper.md)."""


def make_markdown(
    chapters: Sequence[Chapter], facts: Facts, command: str, seconds: float, pictures: str = "reproduction"
) -> str:
    """Return the report as Markdown; `pictures` is the folder of its figures."""
    lines = [
        "# The paper, reproduced",
        "",
        f"Written by `{command}` on {facts.date}; not to be edited by hand.",
        f"{facts.versions()}. {facts.machine}; {describe_work(chapters, seconds)}.",
        "",
        INTRODUCTION,
        "",
        *(f"- {of}: {number} claims hold" for number, of in describe_counts(chapters)),
        "",
        "## The claims",
        "",
        *_table(claims_table(chapters)),
        "",
        "## All figures beside the paper's",
        "",
        MEANS,
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
        lines += [experiment.remarks, ""] if experiment.remarks else []
        for name in chapter.figures:
            lines.append(f"![{experiment.title}: {name.replace('-', ' ')}]({pictures}/{name}.png)")
        lines += ["", "<details><summary>All means</summary>", ""]
        lines += [*_table(means_table(chapter)), "", "</details>"]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    rows = []
    for row in table.rows:
        cells = [(cell or "").replace("|", "\\|") for cell in row]
        if all(cell is None for cell in row[1:]):
            cells[0] = f"**{cells[0]}**"
        rows.append(_line(cells))
    return [_line(table.head), _line(["---"] * len(table.head)), *rows]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
