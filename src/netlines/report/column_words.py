"""What a column becomes, and why, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from netlines._words import count, joined
from netlines.network.layout import Column
from netlines.report.column_values import Seen
from netlines.report.plain_table import quoted

_PARTS = {
    "days": "the days since {start}",
    "month": "its month",
    "weekday": "its weekday",
    "hour": "its hour",
}


def why_of(seen: Seen, columns: Sequence[Column], left_out: str) -> str:
    """Return what a column becomes and why; "" if nothing was decided.

    Parameters
    ----------
    seen : what it holds
    columns : what it becomes
    left_out : why it becomes nothing
    """
    if left_out:
        return f"Left out: {left_out}."
    if not columns:
        return ""
    first = columns[0]
    sentence = _dates(columns) if first.source and first.part else _one(seen, first)
    return " ".join([sentence, *_missing(seen, first)])


def _one(seen: Seen, column: Column) -> str:
    if column.kind == "boolean":
        return "Yes is 1 and no is 0: 1 input."
    if column.kind == "number":
        if column.part:
            return "A time of day becomes its hour: 1 input."
        return "A number is taken as it is: 1 input."
    if not column.members:
        value = quoted(seen.levels[0]) if seen.levels else "the same"
        return f"Where there is a value it is {value}, so only its being missing can tell anything: 1 input."
    if column.base is not None:
        one, none = quoted(column.members[0]), quoted(column.base)
        return f"Of two values one input is enough: 1 for {one}, 0 for {none}."
    n = len(column.members)
    if column.other:
        kept, rest = len(column.categories), len(seen.levels) - len(column.categories)
        return (
            f"The {count(kept, 'most frequent value has', 'most frequent values have')} an input each, which "
            f"is 1 or 0; the other {rest:,} share one: {count(n, 'input')}."
        )
    return f"Each value becomes an input that is 1 or 0: {count(n, 'input')}."


def _dates(columns: Sequence[Column]) -> str:
    start = columns[0].name.rpartition(" ")[2]
    own = [_PARTS[column.part].format(start=start) for column in columns]
    n = sum(len(column.inputs) - column.gaps for column in columns)
    named = [column.part for column in columns if column.kind == "category"]
    how = f" (each {joined(named)} an input that is 1 or 0)" if named else ""
    return f"A date becomes {joined(own)}{how}: {count(n, 'input')}."


def _missing(seen: Seen, column: Column) -> list[str]:
    """Return what becomes of missing values, if there are any."""
    if not seen.n_missing or (column.kind == "category" and not column.members):
        return []
    if not column.gaps:
        return ["A missing value has no input of its own: what it may be is told from the rest of the row."]
    more = "It is missing more often in one class than in another, so one more input says that it is"
    if column.kind == "number" and not column.source:
        return [f"{more}; it then counts as {seen.shown(column.fill or 0.0)}, the mean."]
    return [f"{more}."]
