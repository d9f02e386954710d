"""What one column becomes, by what it holds: numbers, categories, parts of dates, or nothing.

A column that becomes nothing raises `LeftOut` with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor, fsum, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.layout import MOST_CATEGORIES, Column
from netlines.tables.cells import Cells, Raw
from netlines.tables.choices import Choices
from netlines.tables.encode import as_categories, as_moments, as_numbers, part_of
from netlines.tables.numbers import Moments, read_booleans, read_moments, read_numbers, read_times

ONE_VALUE = "in all rows that have a value"


@dataclass(frozen=True)
class Rules:
    """From where on columns are taken for one thing or another."""

    few_categories: int = 20  # up to which all are kept
    frequent_rows: int = 5  # a category of many is kept if it has so many rows,
    frequent_share: float = 0.01  # and this share of them,
    covered: float = 0.25  # and if those that are kept have this share of the rows together
    different: float = 0.8  # share of texts that are different in a column that names its rows
    key: float = 0.5  # the same of integers in a column that is called a key
    least_rows: int = 10  # for these two
    counted: int = 20  # rows of a column that is taken for a count of them without being called so
    dense: float = 2.0  # whose integers are all different, and at most so many times apart as there are rows


RULES = Rules()


class LeftOut(Exception):
    """A column does not become inputs; the reason is its text."""


class Facts(NamedTuple):
    """What decides about gaps, and how much rows count."""

    gaps: bool  # whether they may be inputs
    always: bool = False  # whether they are, wherever they occur
    telling: frozenset[str] = frozenset()  # columns of which they are
    weights: NDArray | None = None

    def tells(self, name: str, missing: NDArray[np.bool_]) -> bool:
        """Tell whether missing values of a column get an input of their own."""
        return self.gaps and (self.always or name in self.telling) and bool(missing.any())


def decide(raw: Raw, name: str, choices: Choices, facts: Facts) -> tuple[list[Column], list[str]]:
    """Return what a column becomes, and what is to be said of it; or raise `LeftOut`."""
    if name in choices.drop:
        raise LeftOut("as asked")
    if choices.only and name not in choices.only:
        raise LeftOut(f"not among {choices.option('only')}")
    cells, forced = raw.cells(name), choices.forced(name)
    if cells.missing.any() and choices.gaps == "error":
        raise raw.error("expected a value", name, int(cells.missing.argmax()), None)
    if cells.kind == "nothing":
        raise LeftOut("no values")
    if forced == "categorical" or (forced is None and cells.declared and choices.by_type):
        return _category(name, cells, facts, bool(forced))
    if forced == "date":
        return _parts(raw, name, as_moments(raw, name), facts)
    if forced == "numeric":
        return _number(name, *as_numbers(raw, name), facts, keep=True)
    if cells.kind == "moment":
        return _parts(raw, name, Moments(cells.values), facts)
    if cells.kind == "text":
        return _text(raw, name, cells, facts)
    if cells.kind == "boolean":
        return _number(name, cells.values, ".", None, cells.missing, facts, kind="boolean")
    part = "hour" if cells.kind == "time" else ""
    return _number(name, cells.values, ".", None, cells.missing, facts, part=part)


def _text(raw: Raw, name: str, cells: Cells, facts: Facts) -> tuple[list[Column], list[str]]:
    """Return what a column of texts becomes, by what they say."""
    used = np.unique(cells.present)
    levels = [cells.levels[k] for k in used]
    if (flags := read_booleans(levels)) is not None:
        return _number(name, spread(cells, used, flags), ".", None, cells.missing, facts, kind="boolean")
    if (found := read_numbers(levels, raw.decimal)) is not None:
        values = spread(cells, used, found.values)
        return _number(name, values, found.decimal, found.odd, cells.missing, facts)
    if (moments := read_moments(levels)) is not None:
        return _parts(raw, name, moments._replace(values=spread(cells, used, moments.values)), facts)
    if (times := read_times(levels)) is not None:
        return _number(name, spread(cells, used, times), ".", None, cells.missing, facts, part="hour")
    return _category(name, cells, facts, False)


def spread(cells: Cells, used: NDArray, values: NDArray) -> NDArray:
    """Return the value of each row, given those of the levels that occur; 0 for what is missing."""
    by_level = np.zeros(len(cells.levels), dtype=values.dtype)
    by_level[used] = values
    return np.where(cells.missing, np.zeros(1, dtype=values.dtype), by_level[cells.values])


def _number(
    name: str,
    values: NDArray,
    decimal: str,
    odd: str | None,
    missing: NDArray,
    facts: Facts,
    *,
    kind: str = "number",
    part: str = "",
    keep: bool = False,
) -> tuple[list[Column], list[str]]:
    """Return the column of numbers, with an input for missing ones if they tell something."""
    present = values[~missing]
    notes = [f"texts such as {odd!r} are read as numbers"] if odd else []
    if len(present) and present.min() == present.max() and not keep:
        shown = f"{present[0]:g}"
        if not facts.tells(name, missing):
            raise LeftOut(_one_value(shown, missing))
        return [Column(name, "category", base=shown, gaps=True)], notes
    column = Column(name, kind, part=part, decimal=decimal)
    if facts.tells(name, missing):
        weights = None if facts.weights is None else facts.weights[~missing]
        column = replace(column, gaps=True, fill=_fill(present, weights))
    return [column], notes


def _one_value(shown: str, missing: NDArray[np.bool_]) -> str:
    return f"{shown} {ONE_VALUE}" if missing.any() else f"{shown} in all rows"


def _fill(present: NDArray, weights: NDArray | None) -> float:
    """Return what missing numbers count as: the mean, rounded as the numbers are."""
    if not np.isfinite(present).all():
        return 0.0  # the infinite one is an error later
    if weights is None:
        mean = fsum(present) / len(present)
    else:
        mean = fsum(present * weights) / fsum(weights)
    low, high = float(present.min()), float(present.max())
    if max(abs(low), abs(high)) <= 2.0**53 and (present == np.rint(present)).all():
        mean = float(round(mean))
    elif high > low:
        mean = round(mean, 4 - floor(log10(high - low)))
    return min(max(mean, low), high)


def _category(name: str, cells: Cells, facts: Facts, forced: bool) -> tuple[list[Column], list[str]]:
    """Return the column of categories; or raise `LeftOut` if there is nothing to learn from them."""
    levels, codes = as_categories(cells)
    counts = np.bincount(codes[~cells.missing], minlength=len(levels))
    by_name = {level: int(n) for level, n in zip(levels, counts, strict=True) if n}
    n_rows, gaps = int(counts.sum()), facts.tells(name, cells.missing)
    n_levels = len(by_name)
    if n_levels == 1:
        (only,) = by_name
        if not gaps and not forced:
            raise LeftOut(_one_value(repr(only), cells.missing))
        return [
            Column(
                name, "category", categories=() if gaps else (only,), base=only if gaps else None, gaps=gaps
            )
        ], []
    if (
        n_levels > RULES.different * n_rows
        and n_rows >= RULES.least_rows
        and not forced
        and not cells.declared
    ):
        raise LeftOut(f"{n_levels:,} different texts in {n_rows:,} rows")
    if n_levels <= RULES.few_categories or (forced and n_levels <= MOST_CATEGORIES):
        kept = sorted(by_name)
        if n_levels == 2 and not gaps:
            return [Column(name, "category", categories=(kept[1],), base=kept[0])], []
        return [Column(name, "category", categories=tuple(kept), gaps=gaps)], []
    least = max(RULES.frequent_rows, RULES.frequent_share * n_rows)
    order = sorted(by_name, key=lambda level: (-by_name[level], level))
    kept = [level for level in order[: MOST_CATEGORIES - 1] if by_name[level] >= least]
    if forced and not kept:
        kept = order[: RULES.few_categories]
    share = sum(by_name[level] for level in kept) / n_rows
    if share < RULES.covered and not forced:
        raise LeftOut(f"{n_levels:,} different texts in {n_rows:,} rows, few of them frequent")
    other = _name_of_others(by_name)
    column = Column(name, "category", categories=tuple(sorted(kept)), other=other, gaps=gaps)
    few = "the most frequent one is" if len(kept) == 1 else f"the {len(kept)} most frequent are"
    return [column], [f"{n_levels:,} different texts, {few} kept, the others count as {other!r}"]


def _name_of_others(levels: dict[str, int]) -> str:
    return next(name for name in ("other", "any other", "(other)", "none of these") if name not in levels)


def _parts(raw: Raw, name: str, moments: Moments, facts: Facts) -> tuple[list[Column], list[str]]:
    """Return what is taken of dates: days since the earliest and, where they vary, month, weekday, hour."""
    cells = raw.cells(name)
    present = moments.values[~cells.missing]
    gaps, start = facts.tells(name, cells.missing), int(present.min())
    if start == int(present.max()):
        shown = str(np.datetime64(start, "us"))[:10]
        if not gaps:
            raise LeftOut(_one_value(shown, cells.missing))
        return [Column(name, "category", base=shown, gaps=True)], []
    since = str(np.datetime64(start, "us"))[:10]
    days = Column(f"{name}: days since {since}", "number", name, "days", start=start)
    if gaps:
        days = replace(days, gaps=True, fill=_fill(part_of(days, present), None))
    columns = [days]
    for part in ("month", "weekday"):
        column = Column(f"{name}: {part}", "category", name, part)
        levels = sorted(set(part_of(column, present).tolist()), key=_order_of(part))
        if len(levels) == 2:
            columns.append(replace(column, categories=(levels[1],), base=levels[0]))
        elif len(levels) > 1:
            columns.append(replace(column, categories=tuple(levels)))
    hour = Column(f"{name}: hour", "number", name, "hour")
    hours = part_of(hour, present)
    if hours.min() < hours.max():
        columns.append(hour)
    doubt = f"dates are read as {moments.doubt}; if they are not, write them as 2024-12-31"
    return [replace(column, order=moments.order) for column in columns], [doubt] if moments.doubt else []


def _order_of(part: str) -> dict[str, int].get:  # type: ignore[valid-type]
    from netlines.tables.numbers import MONTHS, WEEKDAYS

    return {text: k for k, text in enumerate(MONTHS if part == "month" else WEEKDAYS)}.get
