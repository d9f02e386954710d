"""What a column of a table holds, as its reader sees it: numbers, categories, dates, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, enough_digits, percent
from netlines.network.layout import Column
from netlines.report.plain_table import one_line
from netlines.tables.cells import MICROSECONDS_A_DAY, Cells, Raw
from netlines.tables.encode import as_categories, as_moments, encode_column
from netlines.tables.numbers import read_booleans, read_moments, read_numbers, read_times

NUMBERS = ("number", "whole number", "date", "time of day")
FEW = 20  # categories; more different texts that are left out are called texts
WHOLE = 2.0**53


@dataclass(frozen=True, eq=False)
class Seen:
    """The values of a column.

    Attributes
    ----------
    kind : {"number", "whole number", "date", "time of day", "yes/no", "category", "nothing"}
    values : array of shape (n,)
        Numbers; of dates days from 1970 on, of times hours, of yes/no and categories positions among levels.
        Missing ones are 0.
    missing : array of bool, shape (n,)
    levels : tuple of str
        The categories, the most frequent first.
    """

    kind: str
    values: NDArray
    missing: NDArray[np.bool_]
    levels: tuple[str, ...] = ()

    @cached_property
    def present(self) -> NDArray:
        """The values that are not missing."""
        return self.values[~self.missing]

    @property
    def n_missing(self) -> int:
        """How many values are missing."""
        return int(self.missing.sum())

    @property
    def is_ordered(self) -> bool:
        """Whether values are numbers of some kind."""
        return self.kind in NUMBERS

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many rows have each of the levels."""
        return np.bincount(self.present.astype(np.int64), minlength=len(self.levels))

    def words(self, used: bool = True) -> str:
        """Return what the column is in two words; `used` says whether it becomes inputs."""
        if self.kind == "nothing":
            return "empty"
        if self.kind != "category":
            return self.kind
        if not used and len(self.levels) > FEW:
            return count(len(self.levels), "text")
        return count(len(self.levels), "category", "categories")

    def range_words(self, most: int = 4) -> str:
        """Return the range of numbers, or the most frequent categories with their shares."""
        if self.kind == "nothing":
            return ""
        if not self.is_ordered:
            return self._levels_words(most)
        low, high = self.present.min(), self.present.max()
        if low == high:
            return f"only {self.shown(low)}"
        return f"{self.shown(low)} to {self.shown(high)}"

    def _levels_words(self, most: int) -> str:
        shown = [one_line(level, 24) for level in self.levels[:most]]
        if len(self.levels) == 1:
            return f"only {shown[0]}"
        shares = (self.counts / len(self.present)).tolist()
        if shares[0] >= 0.01:  # else they are hardly twice there
            shown = [f"{level} ({percent(share, 0)})" for level, share in zip(shown, shares, strict=False)]
        return ", ".join([*shown, *(["…"] if len(self.levels) > most else [])])

    def shown(self, value: float) -> str:
        """Return a value of numbers, dates or times as text."""
        if self.kind == "date":
            moment = np.datetime64(round(value * MICROSECONDS_A_DAY), "us")
            return str(moment)[: 10 if (self.present % 1 == 0).all() else 16].replace("T", " ")
        if self.kind == "time of day":
            minutes = round(60 * value)
            return f"{minutes // 60:02d}:{minutes % 60:02d}"
        if value == round_half(value) and abs(value) < 1e7:
            return f"{value:.0f}"
        spread = float(self.present.max() - self.present.min()) if np.isfinite(self.present).all() else 0.0
        return f"{value:.{enough_digits(value, spread, 4)}g}"


def round_half(value: float) -> float:
    """Return the nearest whole number, of an infinite one itself."""
    return float(np.rint(value))


def see(raw: Raw, name: str, columns: Sequence[Column]) -> Seen:
    """Return what a column of a table holds, given what it becomes, which is nothing if it is left out."""
    cells = raw.cells(name)
    if cells.kind == "nothing" or not len(cells.missing) or cells.missing.all():
        return Seen("nothing", np.zeros(len(cells.missing)), cells.missing)
    if not columns:
        return _guess(raw, cells)
    first = columns[0]
    if first.source and first.part:
        return _dates(as_moments(raw, name).values, cells)
    if first.kind == "category":
        return _categories(cells)
    values = np.nan_to_num(encode_column(first, raw, fill=False)[:, 0])
    if first.kind == "boolean":
        return _flags(values, cells)
    return Seen("time of day", values, cells.missing) if first.part else _numbers(values, cells)


def _guess(raw: Raw, cells: Cells) -> Seen:
    """Return what a column holds by what its cells look like."""
    if cells.kind == "boolean":
        return _flags(cells.values, cells)
    if cells.kind == "moment":
        return _dates(cells.values, cells)
    if cells.kind == "time":
        return Seen("time of day", cells.values, cells.missing)
    if cells.kind == "number" and not cells.declared:
        return _numbers(cells.values, cells)
    used = np.unique(cells.present)
    levels = [cells.levels[k] for k in used] if cells.kind == "text" and not cells.declared else []

    def spread(values: NDArray) -> NDArray:
        by_level = np.zeros(len(cells.levels), dtype=values.dtype)
        by_level[used] = values
        return np.where(cells.missing, 0, by_level[cells.values])

    if (flags := read_booleans(levels)) is not None:
        return _flags(spread(flags), cells)
    if levels and (numbers := read_numbers(levels, raw.decimal)) is not None:
        return _numbers(spread(numbers.values), cells)
    if levels and (moments := read_moments(levels)) is not None:
        return _dates(spread(moments.values), cells)
    if (times := read_times(levels)) is not None:
        return Seen("time of day", spread(times), cells.missing)
    return _categories(cells)


def _numbers(values: NDArray, cells: Cells) -> Seen:
    present = values[~cells.missing]
    whole = (
        np.isfinite(present).all() and (present == np.rint(present)).all() and np.abs(present).max() < WHOLE
    )
    return Seen("whole number" if whole else "number", values, cells.missing)


def _dates(micro: NDArray, cells: Cells) -> Seen:
    return Seen("date", np.where(cells.missing, 0, micro) / MICROSECONDS_A_DAY, cells.missing)


def _flags(values: NDArray, cells: Cells) -> Seen:
    return by_frequency(("no", "yes"), values.astype(np.int64), cells.missing, "yes/no")


def _categories(cells: Cells) -> Seen:
    levels, codes = as_categories(cells)
    return by_frequency(levels, codes, cells.missing, "category")


def by_frequency(levels: Sequence[str], codes: NDArray, missing: NDArray[np.bool_], kind: str) -> Seen:
    """Return categories that occur, the most frequent first and equally frequent ones by name."""
    counts = np.bincount(codes[~missing], minlength=len(levels))
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda k: (-counts[k], levels[k]))
    place = np.zeros(len(levels), dtype=np.int64)
    place[order] = np.arange(len(order))
    return Seen(kind, np.where(missing, 0, place[codes]), missing, tuple(levels[k] for k in order))
