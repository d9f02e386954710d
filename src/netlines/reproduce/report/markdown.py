"""The report as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.facts import Facts
from netlines.reproduce.report.sections import INTRODUCTION, make_sections
from netlines.reproduce.report.tables import Table, describe_counts, describe_work


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
        f"{INTRODUCTION} [What differs from the paper](paper.md).",
        "",
        *(f"- {of}: {number} claims hold" for number, of in describe_counts(chapters)),
    ]
    for section in make_sections(chapters):
        lines += ["", f"## {section.heading}", ""]
        for paragraph in section.paragraphs:
            lines += [paragraph, ""]
        if section.points:
            lines += [*(f"- {point}" for point in section.points), ""]
        for name in section.figures:
            lines.append(f"![{section.heading}: {name.replace('-', ' ')}]({pictures}/{name}.png)")
        table = _table(section.table)
        lines += (
            ["", "<details><summary>All means</summary>", "", *table, "", "</details>"]
            if section.folded
            else table
        )
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
