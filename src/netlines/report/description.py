"""What a table would become before anything is trained: its classes, its columns, and what may be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, joined
from netlines.network.layout import Column
from netlines.report.alone import ByOrder, ByValue, tell_alone
from netlines.report.column_values import Seen, see
from netlines.report.column_words import why_of
from netlines.report.plain_table import quoted
from netlines.tables.cells import Cells, Raw, of_array
from netlines.tables.choices import Choices
from netlines.tables.encode import as_categories
from netlines.tables.learn import Learnt, learn_table
from netlines.tables.numbers import plain_number

FEW_ROWS = 20  # of a table, below which chance decides
RARE = 5  # rows of a class, below which it is named
MOST_CLASSES = 20  # above which a target may be no classes at all
DIFFERENT = 0.5  # of its rows
NAMED = 5


@dataclass(frozen=True, eq=False)
class Described:
    """A column of a table.

    Attributes
    ----------
    name : str
    seen : Seen
        What it holds.
    columns : tuple of Column
        What it becomes; several of a date.
    left_out : str
        Why it becomes nothing, "" if it does.
    notes : tuple of str
        How it was read, if that is not plain.
    alone : ByOrder, ByValue or None
        How well it tells the classes apart on its own; None also if it is left out.
    """

    name: str
    seen: Seen
    columns: tuple[Column, ...]
    left_out: str
    notes: tuple[str, ...]
    alone: ByOrder | ByValue | None

    @property
    def n_inputs(self) -> int:
        """How many inputs it becomes."""
        return sum(len(column.inputs) for column in self.columns)

    @property
    def becomes(self) -> str:
        """What it becomes in two words; "?" if that could not be decided."""
        if self.left_out:
            return "left out"
        return count(self.n_inputs, "input") if self.columns else "?"

    @property
    def why(self) -> str:
        """What it becomes and why, in sentences."""
        return why_of(self.seen, self.columns, self.left_out)


@dataclass(frozen=True, eq=False)
class Description:
    """A table: its classes, its columns, and what may be wrong with it.

    Attributes
    ----------
    target : str
        What the column of the classes is called.
    labels : tuple of str
        The classes.
    of_class : array of int, shape (n,)
        The class of each row that has one.
    n_unlabelled : int
        The rows that have none, which are left out.
    columns : tuple of Described
    problems : tuple of str
        What may be wrong, a sentence each.
    """

    target: str
    labels: tuple[str, ...]
    of_class: NDArray[np.int64]
    n_unlabelled: int
    columns: tuple[Described, ...]
    problems: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """Rows that have a label."""
        return len(self.of_class)

    @cached_property
    def counts(self) -> list[int]:
        """How many rows each class has."""
        return np.bincount(self.of_class, minlength=len(self.labels)).tolist()

    @property
    def n_inputs(self) -> int:
        """Inputs of all columns."""
        return sum(column.n_inputs for column in self.columns)

    @property
    def has_classes(self) -> bool:
        """Whether the target seems to be classes, and not a measurement or a key."""
        return bool(self.labels) and not _is_no_class(self.labels, self.n_rows)

    @property
    def is_usable(self) -> bool:
        """Whether a classifier can be fitted to the table and makes sense."""
        return self.n_inputs > 0 and len(self.labels) > 1 and self.has_classes


def describe(
    raw: Raw, y: Any, *, target: str, choices: Choices | None = None, learnt: Learnt | None = None
) -> Description:
    """Return what a table would become.

    Parameters
    ----------
    raw : the table, with the target among its columns or without it
    y : array-like of shape (n,), or None
        The labels; None takes them from the column of the target.
    target : how the labels are called
    choices : what the user decided about columns
    learnt : what was learnt of the table without the target, if it was

    Raises
    ------
    ValueError
        If there is no label for each row. What else is wrong is told by `problems`.

    Examples
    --------
    >>> from netlines.report.description import describe
    >>> from netlines.tables.cells import of_columns
    >>> table = of_columns({"size": [1.5, None, 2.0, 3.0], "unit": ["cm"] * 4})
    >>> found = describe(table, ["a", "a", "b", "b"], target="class")
    >>> [(one.name, one.seen.words(), one.becomes) for one in found.columns]
    [('size', 'number', '1 input'), ('unit', '1 category', 'left out')]
    """
    cells = raw.cells(target) if y is None else of_array(np.asarray(y))
    if len(cells.missing) != raw.n_rows:
        raise ValueError(
            f"there must be a label for each row, got {len(cells.missing)} for {raw.n_rows} rows"
        )
    there = ~cells.missing
    rows = (raw if there.all() else raw.taken(there)).without(target)
    labels, of_class = _classes(cells)
    problems = _problems(target, labels, of_class)
    strange = dict(_strange(rows))
    rows, wrong = rows.without(*strange), list(strange.values())
    if learnt is None and len(of_class):
        learnt, said = _learn(rows, choices, of_class)
        wrong += said
    by_name: dict[str, tuple[Column, ...]] = {}
    for column in learnt.layout.columns if learnt else ():
        by_name[column.origin] = (*by_name.get(column.origin, ()), column)
    left, notes = (dict(learnt.layout.left_out), _notes(learnt)) if learnt else ({}, {})
    described = []
    for name in rows.names:
        seen = see(rows, name, by_name.get(name, ()))
        alone = None if name in left else tell_alone(seen, of_class, labels)
        own = by_name.get(name, ()), left.get(name, ""), tuple(notes.get(name, ()))
        described.append(Described(name, seen, *own, alone))
    absent = int(cells.missing.sum())
    return Description(target, labels, of_class, absent, tuple(described), (*problems, *wrong))


def _classes(cells: Cells) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the classes, numbers by size and texts by name, and the class of each row that has one."""
    if cells.missing.all():
        return (), np.zeros(0, dtype=np.int64)
    levels, codes = as_categories(cells)
    own = np.asarray(codes)[~cells.missing]
    found = np.unique(own).tolist()
    numbers = {k: plain_number(levels[k]) for k in found}
    if all(number is not None for number in numbers.values()):
        found.sort(key=lambda k: numbers[k])
    else:
        found.sort(key=lambda k: levels[k])
    place = np.zeros(len(levels), dtype=np.int64)
    place[found] = np.arange(len(found))
    return tuple(levels[k] for k in found), place[own]


def _strange(raw: Raw) -> Iterator[tuple[str, str]]:
    """Yield columns whose cells are of no kind that a table may hold, with what is wrong."""
    for name in raw.names:
        try:
            raw.cells(name)
        except (ValueError, TypeError) as error:
            yield name, f"The column {quoted(name)} cannot be read: {error}."


def _learn(raw: Raw, choices: Choices | None, of_class: NDArray) -> tuple[Learnt | None, list[str]]:
    """Return what the table becomes, or what is wrong with it."""
    try:
        return learn_table(raw, choices, labels=of_class), []
    except ValueError as error:
        return None, [f"The table cannot be learnt from as it is: {error}."]


def _notes(learnt: Learnt) -> dict[str, list[str]]:
    """Return what is to be said of columns that are not left out, by their names."""
    layout = learnt.layout
    known = {f"{name}: {why}, left out" for name, why in layout.left_out}
    found: dict[str, list[str]] = {}
    for notice in learnt.notices:
        owner = max((name for name in layout.names if notice.startswith(f"{name}: ")), key=len, default=None)
        if owner is not None and notice not in known:
            found.setdefault(owner, []).append(notice[len(owner) + 2 :])
    return found


def _is_no_class(labels: Sequence[str], n_rows: int) -> bool:
    """Tell whether a target has so many values that they can hardly be classes."""
    return len(labels) > MOST_CLASSES and len(labels) > DIFFERENT * n_rows


def _problems(target: str, labels: Sequence[str], of_class: NDArray) -> list[str]:
    """Return what may be wrong with the classes."""
    n, name = len(of_class), quoted(target)
    if not n:
        return [f"No row has a value of the target {name}: there is nothing to learn from."]
    found = []
    if len(labels) == 1:
        found.append(f"All rows are of class {quoted(labels[0])}: there is nothing to tell apart.")
    elif _is_no_class(labels, n):
        found.append(
            f"The target {name} has {len(labels):,} different values in {n:,} rows: it looks like a "
            "measurement or a key, not like classes. Netlines tells classes apart."
        )
    else:
        counts = np.bincount(of_class)
        rare = [
            f"{quoted(labels[k])} ({count(int(counts[k]), 'row')})"
            for k in np.flatnonzero(counts < RARE).tolist()
        ]
        if rare:
            named = joined([*rare[:NAMED], *([f"{len(rare) - NAMED} more"] if len(rare) > NAMED else [])])
            found.append(f"Little can be learnt about classes with so few rows: {named}.")
    if n < FEW_ROWS:
        found.append(f"With {count(n, 'row')} chance decides much of what is learnt.")
    return found
