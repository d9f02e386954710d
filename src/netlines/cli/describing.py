"""The words of `netlines describe`: a table, one line a column, before anything is trained."""

from __future__ import annotations

import shlex
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from netlines._words import count, joined, percent, wrapped
from netlines.cli.progress import progress_bar
from netlines.cli.terminal import say, visible, width
from netlines.report.plain_table import cut, one_line, plain_table, quoted, short_names, text_width

if TYPE_CHECKING:
    from netlines.report.description import Described, Description
    from netlines.tables.cells import Raw
    from netlines.tables.choices import Choices
    from netlines.tables.learn import Learnt

MOST_COLUMNS = 40  # that have a line of their own
MOST_CLASSES = 20
LONGEST_NAMES = 24, 20, 16  # the first that leaves room for values
ROOM = 24  # for values: a range of dates
# What the columns that have no line of their own are called together.
_TOGETHER = {
    "number": "numbers",
    "whole number": "whole numbers",
    "date": "dates",
    "time of day": "times of day",
    "yes/no": "yes or no",
    "category": "categories",
    "nothing": "no values",
}


def describe_table(
    rows: Raw,
    learnt: Learnt | None,
    labels: Any,
    target: str,
    data: Path,
    output: Path | None = None,
    *,
    choices: Choices | None = None,
) -> None:
    """Print what a table would become and, if it is asked for, write the page with its pictures.

    Parameters
    ----------
    rows : the rows that have a class
    learnt : what was learnt of them; None learns it here, and what is wrong with the table is told
    labels : of the rows
    target : the column of the classes
    data : the table's path, for the command to type next
    output : the page to write, None for none
    choices : what the user decided about columns, if `learnt` is None
    """
    from netlines.report.description import describe

    if output is not None and find_spec("matplotlib") is None:
        raise ValueError(
            'netlines describe -o draws pictures, which needs matplotlib: pip install "netlines[plots]"'
        )
    description = describe(rows, labels, target=target, choices=choices, learnt=learnt)
    say(description_text(description, str(data), width()))
    if output is not None:
        _write(description, data, output)
        say(f"\nthe page is in {visible(str(output))}")


def _write(description: Description, data: Path, output: Path) -> None:
    from netlines.report.columns import columns_page
    from netlines.report.write import write_page

    commands = [fit_command(str(data), description.target)]
    title = f"The columns of {one_line(data.name, 60)}"
    with progress_bar(quiet=False) as progress:
        task = progress.add_task("drawing", total=None)

        def tell(done: int, name: str, of: int) -> None:
            progress.update(task, description=f"drawing {one_line(name, 30)}", completed=done, total=of)

        page = columns_page(description, title=title, commands=commands, begin=tell)
    write_page(page, output)


def description_text(description: Description, table: str, width: int) -> str:
    """Return what is to be said of a table, in lines of a width, for `say`.

    Parameters
    ----------
    description : what was found
    table : the path of the table, for the command to type next
    width : of the terminal
    """
    parts = [
        [_headline(description, table, width)],
        [wrapped(problem, width) for problem in description.problems],
        _classes(description),
        _columns(description, width),
        [_closing(description, width)] if description.n_inputs else [],
        _remarks(
            "left out", [(one.name, one.left_out) for one in description.columns if one.left_out], width
        ),
        _remarks("notes", [(one.name, note) for one in description.columns for note in one.notes], width),
        _next(description, table),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def fit_command(table: str, target: str) -> str:
    """Return the command that fits a classifier to a table."""
    return f"netlines fit {shlex.quote(table)} --target {shlex.quote(target)} -o model.json"


def _headline(description: Description, table: str, width: int) -> str:
    n, lacking = description.n_rows, description.n_unlabelled
    columns = f"{count(len(description.columns), 'column')} beside the target {quoted(description.target)}"
    if lacking and not n:
        return wrapped(f"{one_line(table, 60)}: {count(lacking, 'row')} without a class, {columns}", width)
    text = f"{one_line(table, 60)}: {count(n, 'row')}, {columns}"
    if lacking:
        text += f"; {count(lacking, 'more row has', 'more rows have')} no class and {_be(lacking)} left out"
    return wrapped(text, width)


def _classes(description: Description) -> list[str]:
    """Return the classes with their rows and shares, the most frequent ones of many."""
    sizes = list(zip(description.labels, description.counts, strict=True))
    more = len(sizes) - MOST_CLASSES
    title = count(len(sizes), "class", "classes")
    if more > 0:
        sizes = sorted(sizes, key=lambda one: -one[1])[:MOST_CLASSES]
        title += f", the {MOST_CLASSES} most frequent"
    if not description.has_classes:
        return []
    names = short_names([label for label, _ in sizes], 40)
    rows = [
        [name, f"{n:,}", percent(n / description.n_rows)] for name, (_, n) in zip(names, sizes, strict=True)
    ]
    return [title, *plain_table(["class", "rows", "share"], rows)]


def _columns(description: Description, width: int) -> list[str]:
    """Return a line for each column, and what the further ones of a wide table are."""
    first, others = description.columns[:MOST_COLUMNS], description.columns[MOST_COLUMNS:]
    if not first:
        return ["There is no column beside the target."]
    gaps = any(one.seen.n_missing for one in first)
    heads = ["column", "what it is", "values", *(["missing"] if gaps else []), "becomes"]
    values = [one.seen.range_words() for one in first]
    wanted = min(max(map(text_width, [*values, "values"])), ROOM)
    for most in LONGEST_NAMES:
        names = short_names([one.name for one in first], most)
        rows = [
            [name, one.seen.words(not one.left_out), "", *([_missing(one)] if gaps else []), one.becomes]
            for name, one in zip(names, first, strict=True)
        ]
        room = max(width - max(map(text_width, plain_table(heads, rows))) + len("values"), len("values"))
        if room >= wanted:
            break
    for row, text in zip(rows, values, strict=True):
        row[2] = cut(text, room)
    lines = plain_table(heads, rows, left=3)
    return [*lines, wrapped(f"and {_together(others)}", width)] if others else lines


def _together(columns: tuple[Described, ...]) -> str:
    kinds = Counter(one.seen.kind for one in columns if not one.left_out)
    told = [(n, f"of {_TOGETHER[kind]}") for kind, n in kinds.most_common()]
    left = sum(1 for one in columns if one.left_out)
    told += [(left, f"that {_be(left)} left out")] if left else []
    return joined(f"{count(n, 'column' if k else 'more column')} {what}" for k, (n, what) in enumerate(told))


def _missing(column: Described) -> str:
    n = column.seen.n_missing
    return f"{n:,}" if n else ""


def _closing(description: Description, width: int) -> str:
    used = [one for one in description.columns if one.columns]
    left = sum(1 for one in description.columns if one.left_out)
    text = f"{count(len(used), 'column becomes', 'columns become')} {count(description.n_inputs, 'input')}"
    return wrapped(f"{text}, {f'{left} {_be(left)}' if left else 'none is'} left out", width)


def _remarks(title: str, remarks: list[tuple[str, str]], width: int) -> list[str]:
    """Return remarks on columns, the first of many."""
    if not remarks:
        return []
    lines = [
        wrapped(f"  {one_line(name, 40)}: {one_line(text, 300)}", width)
        for name, text in remarks[:MOST_COLUMNS]
    ]
    more = len(remarks) - MOST_COLUMNS
    return [title, *lines, *([f"  and {more:,} more"] if more > 0 else [])]


def _next(description: Description, table: str) -> list[str]:
    if not description.is_usable:
        return []
    return ["to fit a classifier to it, type", f"  {fit_command(table, description.target)}"]


def _be(n: int) -> str:
    return "is" if n == 1 else "are"
