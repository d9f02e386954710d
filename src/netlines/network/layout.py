"""What is remembered of the user's table: which columns there were, what each became, what was left out.

A `Layout` is part of a network, so that it can be asked with the raw table. Plain values only; `tables`
learns it and turns tables into inputs by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from netlines._words import listed

MOST_CATEGORIES = 100  # of a column that have an input of their own
LONGEST_TEXT = 10_000  # characters of a name, a category or a label
LARGEST = 1e100  # of a value: the squares of larger ones would overflow
KINDS = ("number", "boolean", "category")
PARTS = ("", "days", "month", "weekday", "hour")  # of a moment; "" is the column itself
KIND_OF_PART = {"days": "number", "hour": "number", "month": "category", "weekday": "category"}
DECIMALS = (".", ",")
ORDERS = ("", "day", "month")  # what comes first in dates such as 1/2/2024


@dataclass(frozen=True)
class Column:
    """A column of a table, or a part of one that holds dates, and the inputs that it becomes.

    Parameters
    ----------
    name : str
        What texts call it: the name of the column, of a date for example "visit: month".
    kind : {"number", "boolean", "category"}
        A number or a boolean is one input. A category is one input for each of `categories`, 0 or 1.
    source : str
        The column of the table; "": the same as `name`.
    part : {"", "days", "month", "weekday", "hour"}
        What is taken of a date or a time; "" takes the value itself.
    categories : tuple of str
        Those that have an input of their own.
    base : str or None
        The category that has none: all inputs are 0. Of two categories one input is enough.
    other : str
        What the input of all further categories is called; "" if there is none.
    gaps : bool
        Whether missing values have one more input, "NAME is missing", as they occurred in training.
    fill : float or None
        What a missing number then counts as.
    decimal : {".", ","}
        How numbers that are written as text are read.
    start : int
        Microseconds from 1970 on to the earliest date, from which days are counted.
    order : {"", "day", "month"}
        What comes first in dates such as 1/2/2024; "" if training had none, and each table tells it itself.

    Examples
    --------
    >>> from netlines.network.layout import Column
    >>> Column("age", "number", gaps=True, fill=41.0).inputs
    ('age', 'age is missing')
    >>> Column("sex", "category", categories=("male",), base="female").inputs
    ('sex=male',)
    """

    name: str
    kind: str
    source: str = ""
    part: str = ""
    categories: tuple[str, ...] = ()
    base: str | None = None
    other: str = ""
    gaps: bool = False
    fill: float | None = None
    decimal: str = "."
    start: int = 0
    order: str = ""

    @property
    def origin(self) -> str:
        """The name of the table's column."""
        return self.source or self.name

    @property
    def members(self) -> tuple[str, ...]:
        """What the inputs of a category stand for, without that of missing values."""
        return (*self.categories, self.other) if self.other else self.categories

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs that the column becomes."""
        own = tuple(f"{self.name}={member}" for member in self.members)
        if self.kind != "category":
            own = (self.name,)
        return (*own, f"{self.name} is missing") if self.gaps else own

    @property
    def is_group(self) -> bool:
        """Whether exactly one of several inputs is 1 in each row."""
        return self.kind == "category" and self.base is None and len(self.inputs) > 1

    def to_json(self) -> dict[str, Any]:
        """Return the column as a plain JSON value."""
        return {**asdict(self), "categories": list(self.categories)}

    def wrong(self) -> str:
        """Say what is wrong with the column; "" if nothing is."""
        where, category = f"column {_short(self.name)}", self.kind == "category"
        base = [] if self.base is None else [self.base]
        for text in (self.name, self.source, self.other, *self.categories, *base):
            if not isinstance(text, str) or not is_usable(text):
                return f"{where}: a text has at most {LONGEST_TEXT} characters, got {_short(text)}"
        for entry, allowed in (("kind", KINDS), ("part", PARTS), ("decimal", DECIMALS), ("order", ORDERS)):
            if (own := getattr(self, entry)) not in allowed:
                return f"{where} must be of a {entry} among {listed(allowed)}, got {_short(own)}"
        if self.kind != KIND_OF_PART.get(self.part, self.kind):
            return f"{where} is of kind {self.kind}, the part {self.part} of {KIND_OF_PART[self.part]}"
        every = [*self.members, *base]
        if not category and every:
            return f"{where} is of kind {self.kind}, got {len(every)} categories"
        if len(self.categories) > MOST_CATEGORIES or len(set(every)) < len(every):
            return f"{where} has {len(self.categories)} categories, or one twice"
        if type(self.gaps) is not bool or type(self.start) is not int or abs(self.start) > 2**62:
            return f"{where}: gaps must be true or false, and start an integer"
        number = type(self.fill) in (int, float) and abs(self.fill) <= LARGEST  # type: ignore[arg-type]
        if number != (self.gaps and not category) or not (number or self.fill is None):
            told = _short(self.fill)
            return f"{where}: fill must be a number if gaps is true, none of categories, got {told}"
        if not self.inputs:
            return f"{where} becomes no input"
        return ""


@dataclass(frozen=True)
class Layout:
    """The columns of a table and the inputs that they become.

    Parameters
    ----------
    names : tuple of str
        All columns of the table in their order, without the target.
    columns : tuple of Column
        Those that become inputs, in the order of the inputs.
    left_out : tuple of (str, str)
        The other columns, each with the reason.
    target : str or None
        The column of the classes, if it was one of the table.
    named : bool
        Whether the columns have the user's names; else they are x0, x1, ... by their positions.
    labels : tuple of (str, str)
        What classes are called, and their text in the target column, if the user gave other names.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    target: str | None = None
    named: bool = True
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return tuple(name for column in self.columns for name in column.inputs)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the table's columns that become inputs, each once."""
        return tuple(dict.fromkeys(column.origin for column in self.columns))

    @property
    def is_plain(self) -> bool:
        """Whether each column is one input, a number, and nothing more."""
        return not self.left_out and all(
            column.kind == "number" and not column.part and not column.gaps for column in self.columns
        )

    def placed(self) -> Iterator[tuple[Column, tuple[int, ...]]]:
        """Yield each column with the numbers of its inputs."""
        start = 0
        for column in self.columns:
            stop = start + len(column.inputs)
            yield column, tuple(range(start, stop))
            start = stop

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The inputs of which exactly one is 1 in each row, column by column."""
        return tuple(inputs for column, inputs in self.placed() if column.is_group)

    def to_json(self) -> dict[str, Any]:
        """Return the layout as a plain JSON value."""
        lists = {name: list(map(list, getattr(self, name))) for name in ("left_out", "labels")}
        columns = [column.to_json() for column in self.columns]
        return {**asdict(self), **lists, "names": list(self.names), "columns": columns}

    @classmethod
    def from_json(cls, value: Any) -> Layout:
        """Read a layout from the JSON value that `to_json` gave; anything else is a `ValueError`."""
        try:
            _check_entries(value, cls, "the table")
            columns = []
            for entry in _list(value["columns"]):
                _check_entries(entry, Column, "a column")
                columns.append(Column(**{**entry, "categories": tuple(_list(entry["categories"]))}))
            pairs = {name: tuple(map(_pair, _list(value[name]))) for name in ("left_out", "labels")}
            names = tuple(_list(value["names"]))
            layout = cls(**{**value, **pairs, "names": names, "columns": tuple(columns)})
            wrong = layout.wrong()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ValueError(f"the description of the table is damaged: {error!r}") from error
        if wrong:
            raise ValueError(f"the description of the table is damaged: {wrong}")
        return layout

    def wrong(self) -> str:
        """Say what is wrong with the layout; "" if nothing is."""
        if not self.columns:
            return "there are no columns"
        texts = [*self.names, *(text for pair in (*self.left_out, *self.labels) for text in pair)]
        texts += [] if self.target is None else [self.target]
        for text in texts:
            if not isinstance(text, str) or not is_usable(text):
                return f"a text has at most {LONGEST_TEXT} characters, got {_short(text)}"
        if type(self.named) is not bool:
            return f"named must be true or false, got {_short(self.named)}"
        for column in self.columns:
            if wrong := column.wrong():
                return wrong
        every = [*self.names, *([] if self.target is None else [self.target])]
        if len(set(every)) < len(every):
            return f"a name is there twice among {listed(every)[:200]}"
        strange = {*self.sources, *(name for name, _ in self.left_out)} - set(self.names)
        if strange:
            return f"{listed(sorted(strange))[:200]} is no column among {listed(self.names)[:200]}"
        inputs = self.feature_names
        if not all(map(is_usable, inputs)):
            return f"the name of an input has more than {LONGEST_TEXT} characters"
        return "" if len(set(inputs)) == len(inputs) else "more than one input has the same name"


def is_usable(text: str) -> bool:
    """Tell whether a text is short enough for a model file, and can be written at all."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return len(text) <= LONGEST_TEXT


def _short(value: Any) -> str:
    return repr(value)[:60]


def _check_entries(value: Any, kind: Any, what: str) -> None:
    """Raise an error if an object of JSON has other entries than a value of some kind."""
    known = {field.name for field in fields(kind)}
    if not isinstance(value, dict) or set(value) != known:
        raise TypeError(f"{what} must have the entries {', '.join(sorted(known))}")


def _list(value: Any) -> list:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, got {_short(value)}")
    return value


def _pair(value: Any) -> tuple[str, str]:
    name, why = _list(value)
    return name, why
