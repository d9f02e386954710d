"""One self-contained HTML page about a table: what each column holds, becomes, and tells of the classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from html import escape

from netlines import __version__
from netlines._words import count, percent
from netlines.report.column_figures import Groups, class_groups, draw_column, is_drawable
from netlines.report.description import Described, Description
from netlines.report.html import Cell, cards, document, figure, items, paragraph, table
from netlines.report.plain_table import one_line, quoted, short_names

MOST_DRAWN = 60
MOST_LISTED = 300  # columns of the table of them
MOST_CLASSES = 30

_IN_SAMPLE = (
    "“On its own” is counted on these very rows, so it flatters columns of many values. AUC is the share of "
    "pairs of rows that a column orders rightly: 0.5 is chance, 1 tells the classes apart. Of categories "
    "it is the error of answering the most frequent class of each value. A column that tells nothing "
    "alone may tell something together with others."
)


def columns_page(
    description: Description,
    *,
    title: str,
    commands: Sequence[str] = (),
    begin: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> str:
    """Return the page.

    Parameters
    ----------
    description : what it tells
    title : its headline
    commands : what to type next
    begin : called with the number of columns that are drawn, the name of the next, and the number of all
    """
    left = [one for one in description.columns if one.left_out]
    sections = {
        "classes": ("The classes", _classes(description)),
        "columns": ("The columns", _overview(description)),
        "pictures": ("Column by column", _pictures(description, begin)),
        "left-out": ("What is left out", _left_out(left)),
        "next": ("What to do next", _next(description, commands)),
    }
    return document(
        title,
        paragraph(_summary(description), "lead"),
        items(description.problems),
        cards(_figures(description)),
        sections={name: section for name, section in sections.items() if section[1]},
        footer=paragraph(f"netlines {__version__}, {date.today().isoformat()}", "soft"),
    )


def _summary(description: Description) -> str:
    n, lacking = description.n_rows, description.n_unlabelled
    used = sum(1 for one in description.columns if one.columns)
    classes, columns = (
        count(len(description.labels), "class", "classes"),
        count(len(description.columns), "column"),
    )
    inputs = count(description.n_inputs, "input")
    text = (
        f"{count(n, 'row')} in {classes} of {quoted(description.target)}; {used} of {columns} become {inputs}"
    )
    if lacking:
        rows = count(lacking, "more row has", "more rows have")
        text += f". {rows} no class and {'is' if lacking == 1 else 'are'} left out"
    return f"{text}. Nothing has been trained yet."


def _figures(description: Description) -> list[tuple[str, str]]:
    """Return the figures on top of the page, each with what it is."""
    used = sum(1 for one in description.columns if one.columns)
    cells = description.n_rows * len(description.columns)
    missing = sum(one.seen.n_missing for one in description.columns)
    largest = max(description.counts, default=0)
    figures = [
        (f"{description.n_rows:,}", "row" if description.n_rows == 1 else "rows"),
        (f"{used:,}", f"of {count(len(description.columns), 'column')} used"),
        (f"{description.n_inputs:,}", "input" if description.n_inputs == 1 else "inputs"),
        (percent(missing / cells) if cells else "0", "of the cells are missing"),
    ]
    if description.n_rows:
        error = percent(1 - largest / description.n_rows)
        figures.append((error, "error of always answering the most frequent class"))
    return figures


def _classes(description: Description) -> str:
    if not description.has_classes:
        return ""
    sizes = sorted(zip(description.counts, description.labels, strict=True), key=lambda one: -one[0])
    rows = [
        [one_line(label, 60), f"{n:,}", Cell(percent(n / description.n_rows), bar=n / sizes[0][0])]
        for n, label in sizes[:MOST_CLASSES]
    ]
    more = len(sizes) - MOST_CLASSES
    note = paragraph(f"and {count(more, 'more class', 'more classes')}", "soft") if more > 0 else ""
    return table(["class", "rows", "share"], rows) + note


def _overview(description: Description) -> str:
    """Return the table of columns."""
    if not description.columns:
        return paragraph("There is no column beside the target.")
    gaps = any(one.seen.n_missing for one in description.columns)
    heads = ["column", "what it is", "values", *(["missing"] if gaps else []), "becomes", "on its own"]
    rows = []
    names = short_names([one.name for one in description.columns[:MOST_LISTED]], 32)
    for name, one in zip(names, description.columns, strict=False):
        missing = f"{one.seen.n_missing:,}" if one.seen.n_missing else ""
        alone = "" if one.alone is None else one.alone.short
        cells = [name, one.seen.words(not one.left_out), one.seen.range_words()]
        rows.append([*cells, *([missing] if gaps else []), one.becomes, alone])
    more = len(description.columns) - MOST_LISTED
    further = f"{count(more, 'more column')} {'is' if more == 1 else 'are'} not listed." if more > 0 else ""
    remarks = [further] if further else []
    remarks += [_IN_SAMPLE] if any(one.alone for one in description.columns) else []
    return table(heads, rows, left=len(heads), stacked=True) + "".join(map(paragraph, remarks))


def _pictures(description: Description, begin: Callable[[int, str, int], object]) -> str:
    """Return a picture of each of the columns that become inputs, with what is to be said of it."""
    used = [one for one in description.columns if one.columns and is_drawable(one.seen)]
    if not used or not description.has_classes:
        return ""
    groups = class_groups(description.labels, description.of_class)
    parts = []
    if len(used) > MOST_DRAWN:
        parts.append(paragraph(f"These are the first {MOST_DRAWN} of {len(used):,} columns."))
    for k, one in enumerate(used[:MOST_DRAWN]):
        begin(k, one.name, min(len(used), MOST_DRAWN))
        parts.append(_picture(one, groups, f"column{k}"))
    return "\n".join(parts)


def _picture(column: Described, groups: Groups, name: str) -> str:
    picture = figure(*_renamed(draw_column(column.name, column.seen, groups), name))
    missing = column.seen.n_missing
    facts = f"{column.seen.words()[0].upper()}{column.seen.words()[1:]}: {column.seen.range_words(6)}"
    facts += "" if facts.endswith("…") else "."
    if missing:
        share = percent(missing / len(column.seen.missing))
        facts += f" Missing in {count(missing, 'row')} ({share})."
    alone = [] if column.alone is None else [column.alone.sentence()]
    told = any(one.other for one in column.columns)  # which categories are kept
    notes = [] if told else [f"{note[0].upper()}{note[1:]}." for note in column.notes]
    texts = "".join(
        paragraph(text.replace(" %", "\N{NO-BREAK SPACE}%")) for text in [facts, column.why, *notes, *alone]
    )
    body = f'<div style="flex: 1 1 18rem">{texts}</div>'
    heading = f'<h3 style="overflow-wrap: anywhere">{escape(one_line(column.name, 120))}</h3>'
    return f'{heading}<div class="figures">{picture}{body}</div>'


def _renamed(drawn: tuple[object, str], name: str) -> tuple[object, str, str]:
    picture, caption = drawn
    return picture, name, caption


def _left_out(columns: Sequence[Described]) -> str:
    rows = [
        [one_line(one.name, 80), Cell(one_line(one.left_out, 300), "text")] for one in columns[:MOST_LISTED]
    ]
    return table(["column", "why"], rows, stacked=True) if rows else ""


def _next(description: Description, commands: Sequence[str]) -> str:
    if not description.is_usable or not commands:
        return ""
    return f"<pre>{escape(chr(10).join(commands))}</pre>"
