"""One self-contained page: claim → published → measured → holds?, then every experiment with its figures."""

from __future__ import annotations

from collections.abc import Sequence

from netlines.report.html import Cell, cards, document, figure, folded, items, paragraph, table
from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.facts import Facts
from netlines.reproduce.report.sections import INTRODUCTION, Section, make_sections
from netlines.reproduce.report.tables import MARKS, describe_counts, describe_work

TITLE = "Adaptive learning with binary neurons, reproduced"
CAPTION = "Means over the runs; error bars, where there are any, are standard deviations."
VERDICTS = {MARKS[True]: ("yes", "holds"), MARKS[False]: ("no", "does not hold")}


def make_page(chapters: Sequence[Chapter], facts: Facts, command: str, seconds: float) -> str:
    """Return the page.

    Parameters
    ----------
    chapters : the experiments
    facts : versions and machine
    command : what made it
    seconds : work of all runs, on one core
    """
    about = f"`{command}`, {facts.date}, {facts.versions()}. {facts.machine}."
    return document(
        TITLE,
        paragraph(INTRODUCTION, "lead", code=True),
        cards([(number, f"claims hold: {of}") for number, of in describe_counts(chapters)]),
        sections={one.name: (one.heading, _content(one)) for one in make_sections(chapters)},
        footer=paragraph(f"{about} {describe_work(chapters, seconds)}.", "soft", code=True),
    )


def _content(section: Section) -> str:
    rows = [[_cell(text) for text in row] for row in section.table.rows]
    if section.folded:
        shown = folded("All means", table(section.table.head, rows))
    else:
        shown = table(section.table.head, rows, left=len(section.table.head), stacked=True)
    parts = [
        *map(paragraph, section.paragraphs),
        items(section.points),
        *(
            figure(picture, name, f"{section.heading}. {CAPTION}")
            for name, picture in section.figures.items()
        ),
        shown,
    ]
    return "\n".join(parts)


def _cell(text: str | None) -> Cell | str | None:
    """Return a cell, a verdict's mark in its colour and in words for who cannot see it."""
    mark = (text or "")[:1]
    if text is None or mark not in VERDICTS:
        return text
    kind, word = VERDICTS[mark]
    return Cell(text[1:].strip(), "left", mark=(kind, f"{mark} {word}"))
