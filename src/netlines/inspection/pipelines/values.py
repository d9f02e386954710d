"""What the columns of a table become on their way through a pipeline: cells, and sums of what they tell.

1. A column of the table begins as a `Cell`: whatever stands there.
2. A scaler makes a `Sum` of it, a number times the column plus a constant; one-hot encoding makes one for
   each category: 1 in its rows. Sums of sums are sums, in exact fractions.
3. A gap stays unknown until an imputer fills it, or an indicator or an encoder tells where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from netlines.network.layout import MOST_CATEGORIES, Column
from netlines.tables.cells import text_of
from netlines.tables.numbers import MISSING

NUMBER, CATEGORY, OTHER, GAP, INPUT = "number", "category", "other", "gap", "input"
INVENTED = "missing_value"  # what SimpleImputer writes into gaps if the user gives no word


class Unreadable(Exception):
    """Why the columns of the table cannot be seen through a step."""


class Source(NamedTuple):
    """What a table tells of a row: the number in a column, whether it is a gap, or of some category."""

    column: int
    what: str
    text: str = ""


class Cell(NamedTuple):
    """A column of the table as it is, or with its gaps filled."""

    column: int
    filled: bool = False
    fill: Any = None


@dataclass(frozen=True)
class Sum:
    """A weighted sum of what the table tells, and a constant; not known where column `unknown` has a gap."""

    terms: dict[Source, Fraction]
    constant: Fraction = Fraction(0)
    unknown: int | None = None

    def stretched(self, factor: Any, offset: Any = 0) -> Sum:
        """Return factor · sum + offset."""
        a, b = Fraction(factor), Fraction(offset)
        terms = {source: a * weight for source, weight in self.terms.items()}
        return replace(self, terms=terms, constant=a * self.constant + b)


Value = Cell | Sum


@dataclass
class Table:
    """The columns of the table that a pipeline takes, and what its steps tell of them.

    Attributes
    ----------
    names : sequence of str
    fills : dict
        What a gap counts as in a column of numbers, in the units of the table: as the first imputer says.
    gaps : set
        The columns of which the pipeline takes gaps.
    categories : dict
        Of columns of categories: these, and the texts that count as one more, None if there are none.
    left_out : dict
        The columns that the network itself leaves out, each with its reason.
    kept : dict
        Columns that the network itself reads in its own way, such as dates: how it does.
    """

    names: Sequence[str]
    fills: dict[int, float] = field(default_factory=dict)
    gaps: set[int] = field(default_factory=set)
    categories: dict[int, tuple[tuple[str, ...], frozenset[str] | None]] = field(default_factory=dict)
    left_out: dict[int, str] = field(default_factory=dict)
    kept: dict[int, list[Column]] = field(default_factory=dict)

    def number(self, value: Value) -> Sum:
        """Return a value as a number."""
        if isinstance(value, Sum):
            return value
        plain = Sum({Source(value.column, NUMBER): Fraction(1)}, unknown=value.column)
        return self.filled(plain, value.fill) if value.filled else plain

    def fill(self, column: int, fill: Any) -> Cell:
        """Return a column as it is but for its gaps."""
        self.gaps.add(column)
        if isinstance(fill, int | float):
            self.fills.setdefault(column, float(fill))
        return Cell(column, True, fill)

    def filled(self, value: Sum, fill: Any) -> Sum:
        """Return a number that is `fill` where it was unknown."""
        column = value.unknown
        if column is None:
            return value
        self.gaps.add(column)
        try:
            wanted = Fraction(float(fill))
        except (TypeError, ValueError):
            raise Unreadable(f"gaps of {self.names[column]!r} become {fill!r}, which is no number") from None
        slope = value.terms.get(Source(column, NUMBER), Fraction(0))
        if slope and column not in self.fills:
            self.fills[column] = float((wanted - value.constant) / slope)
            return replace(value, unknown=None)
        lacking = wanted - value.constant - slope * Fraction(self.fills.get(column, 0.0))
        more = {Source(column, GAP): lacking} if lacking else {}
        return Sum({**value.terms, **more}, value.constant)

    def gap(self, value: Value) -> Sum:
        """Return the number that is 1 where a value is missing, else 0."""
        column = value.unknown if isinstance(value, Sum) else None if value.filled else value.column
        if column is None:
            return Sum({})
        self.gaps.add(column)
        return Sum({Source(column, GAP): Fraction(1)})

    def indicators(
        self, value: Value, groups: Sequence[Sequence[Any]], rest: Sequence[Any] | None = None
    ) -> list[Sum]:
        """Return for each group of categories the number that is 1 in its rows, else 0.

        Parameters
        ----------
        value : a column as it is
        groups : categories as the encoder knows them
        rest : one more group, of infrequent categories; if empty, of all further ones
        """
        column, filled, fill = as_cell(value)
        places: dict[Source, int] = {}
        texts = [[category_text(one) for one in group] for group in (*groups, rest or ())]
        last = len(groups)
        for place, group in enumerate(texts):
            for text in group:
                source = Source(column, CATEGORY, text) if place < last else Source(column, OTHER)
                source = Source(column, GAP) if text in MISSING else source
                if places.setdefault(source, place) != place:
                    raise Unreadable(f"categories of column {self.names[column]!r} look the same, {text!r}")
        if rest is not None:
            places[Source(column, OTHER)] = last
        if filled:
            self._fill_gap(column, category_text(fill), places, texts)
        if filled or Source(column, GAP) in places:
            self.gaps.add(column)
        known = tuple(source.text for source in places if source.what == CATEGORY)
        self._register(column, known, None if rest is None else frozenset(texts[-1]) - MISSING)
        ones = [{source: Fraction(1) for source in places if places[source] == k} for k in range(last + 1)]
        return [Sum(terms) for terms in ones[: last + (rest is not None)]]

    def _fill_gap(self, column: int, fill: str, places: dict[Source, int], texts: list[list[str]]) -> None:
        """Let gaps be of the category that fills them."""
        gap = Source(column, GAP)
        if gap in places and fill not in MISSING:
            raise Unreadable(
                f"column {self.names[column]!r} has gaps that are filled, and a category that means a gap"
            )
        where = next((k for k, group in enumerate(texts) if fill in group), None)
        if where is None and Source(column, OTHER) in places and not texts[-1]:
            where = len(texts) - 1
        if where is not None:
            places[gap] = where
        if fill == INVENTED:
            places.pop(Source(column, CATEGORY, fill), None)

    def _register(self, column: int, texts: tuple[str, ...], rest: frozenset[str] | None) -> None:
        name = self.names[column]
        if len(texts) > MOST_CATEGORIES:
            most = f"at most {MOST_CATEGORIES} are allowed (OneHotEncoder takes max_categories)"
            raise Unreadable(f"column {name!r} has {len(texts)} categories, {most}")
        if self.categories.setdefault(column, (texts, rest)) != (texts, rest):
            raise Unreadable(f"column {name!r} is encoded twice, in different ways")


def as_cell(value: Value) -> Cell:
    """Return a value that is a column as it is, else raise an error."""
    if isinstance(value, Sum):
        raise Unreadable("it takes categories of values that were changed before")
    return value


def category_text(category: Any) -> str:
    """Return a category as `tables` reads the cells that hold it; "" is a gap."""
    if category is None or type(category).__name__ in ("NAType", "NaTType") or category != category:
        return ""
    if isinstance(category, str | bool | np.bool_):
        return text_of(category)
    if isinstance(category, int | float | np.integer | np.floating):
        return text_of(float(category))
    raise Unreadable(f"a category is {category!r}, allowed are texts, numbers and booleans")


def is_gap(value: Any) -> bool:
    """Tell whether a value is NaN, None or NA."""
    return not isinstance(value, str) and category_text(value) == ""
