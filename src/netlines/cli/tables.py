"""Tables of the command line: how they are read, what columns are to be, and what is said of them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from netlines._words import count, listed
from netlines.cli.app import TABLE
from netlines.cli.terminal import complain
from netlines.tables.cells import Raw, of_texts
from netlines.tables.choices import Choices
from netlines.tables.files import Table, read_table
from netlines.tables.frames import as_raw

SepOption = Annotated[
    str | None,
    typer.Option(
        "--sep",
        metavar="CHARACTER",
        help="What divides the cells of a text file, if that is not found: a character, tab or space.",
        rich_help_panel=TABLE,
    ),
]
DecimalOption = Annotated[
    str | None,
    typer.Option(
        "--decimal",
        metavar=". or ,",
        help="The decimal sign of its numbers, if that is not found.",
        rich_help_panel=TABLE,
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Its encoding, such as cp1252, if that is not found.",
        rich_help_panel=TABLE,
    ),
]
ColumnsOption = list[str] | None


def columns_option(name: str, text: str) -> typer.models.OptionInfo:
    """Return an option that takes names of columns, with commas or several times."""
    return typer.Option(f"--{name}", metavar="NAME,NAME", help=text, rich_help_panel=TABLE)


DropOption = Annotated[ColumnsOption, columns_option("drop", "Columns to leave out.")]
OnlyOption = Annotated[ColumnsOption, columns_option("only", "The only columns to take.")]
CategoricalOption = Annotated[
    ColumnsOption, columns_option("categorical", "Columns to take as categories, whatever they look like.")
]
NumericOption = Annotated[ColumnsOption, columns_option("numeric", "Columns to take as numbers.")]
DateOption = Annotated[ColumnsOption, columns_option("date", "Columns to take as dates.")]


class Dialect(NamedTuple):
    """How a text file is written, as far as the user says it."""

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None


def open_table(path: Path, dialect: Dialect, *, quiet: bool = False) -> tuple[Table, Raw]:
    """Read a table and say what was found on the way; return it with its cells."""
    table = read_table(path, **dialect._asdict())
    if not quiet:
        tell(table.notices)
    return table, raw_of(table)


def raw_of(table: Table) -> Raw:
    """Return the cells of a table; its rows are counted from 1."""
    frame = table.frame
    if table.text:
        names = tuple(table.columns)
        read = lambda i: of_texts(frame.iloc[:, i].tolist())  # noqa: E731
        return Raw(names, True, len(frame), read, first=1, decimal=table.decimal)
    raw = as_raw(frame)
    assert raw is not None  # a frame is a table
    return Raw(raw.names, True, raw.n_rows, raw.read, first=1, decimal=table.decimal, single=raw.single)


def tell(notices: Sequence[str]) -> None:
    """Print notices, a line each, to stderr."""
    for notice in notices:
        complain(notice)


def chosen_columns(names: Sequence[str], missing: str, **given: ColumnsOption) -> Choices:
    """Return what the options decide about columns, which must be there.

    Parameters
    ----------
    names : the columns of the table
    missing : what missing values become
    **given : by the name of the option
    """
    found: dict[str, Any] = {option: _names(option, texts or [], names) for option, texts in given.items()}
    return Choices(**found, gaps=missing)


def _names(option: str, texts: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that an option names: a whole text that is a name, or names between commas."""
    found = []
    for text in texts:
        cells = [text] if text in names else next(csv.reader([text], skipinitialspace=True), [])
        found += [cell.strip() for cell in cells if cell.strip()]
    strange = [name for name in found if name not in names]
    if strange:
        raise ValueError(f"--{option}: there is no column {listed(strange)}; the columns are {listed(names)}")
    return tuple(dict.fromkeys(found))


def few_rows_notice(labels: Sequence[object]) -> list[str]:
    """Return a line for each class that has a single row among many."""
    counts: dict[object, int] = {}
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    alone = [label for label, n in counts.items() if n == 1]
    if len(counts) < 3 or len(labels) < 10:
        return []
    return [
        f"class {str(label)!r} has one row of {count(len(labels), 'row')}, too few to check what is learnt: "
        "leave that row out, or join the class with another"
        for label in alone
    ]
