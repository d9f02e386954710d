"""Tables into inputs, as a layout says: the same for training rows, for new ones and for a single row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, listed
from netlines.network.layout import LARGEST, Column, Layout
from netlines.tables.cells import MICROSECONDS_A_DAY, Cells, Raw, text_of
from netlines.tables.numbers import (
    BOOLEANS,
    MONTHS,
    WEEKDAYS,
    Moments,
    plain_number,
    read_moments,
    read_numbers,
    read_times,
)


class TableWarning(UserWarning):
    """What was done with the columns of a table that its owner should know."""


class Encoded(NamedTuple):
    """The inputs of rows, shape (n, N), NaN where unknown, and what the user should know of them."""

    inputs: NDArray[np.float64]
    notices: tuple[str, ...] = ()


def encode(
    raw: Raw,
    layout: Layout,
    *,
    known: bool = True,
    absent: bool = False,
    complete: bool = False,
    strict: bool = False,
) -> Encoded:
    """Return the inputs that a layout makes of a table, whose columns are found by name and in any order.

    Parameters
    ----------
    raw : the table; columns that the layout does not know are ignored
    layout : what was learnt
    known : whether a missing value is one more thing that is known, where training had missing values in its
        column; else it is NaN in all inputs, as it is in any other column
    absent : whether a column that is not there counts as missing; else it is an error
    complete : whether a value that is unknown is an error
    strict : whether a category that training had not is an error; else it counts as "other" or as missing
    """
    raw = _in_place(raw, layout)
    lacking = [name for name in layout.sources if name not in raw.names]
    if lacking and not absent:
        raise ValueError(f"the table lacks the column {listed(lacking)}; it has {listed(raw.names)}")
    blocks, notices = [], []
    for column in layout.columns:
        if column.origin in lacking:
            blocks.append(_absent(column, raw.n_rows))
            continue
        block = encode_column(column, raw, fill=known)
        strange = unseen(column, raw)
        if strange:
            if strict:
                raise _unseen_error(column, raw)
            notices.append(_unseen_note(column, strange))
        blocks.append(block)
    inputs = np.hstack(blocks)
    if complete:
        _refuse_unknown(inputs, raw, layout)
    return Encoded(inputs, tuple(dict.fromkeys(notices)))


def _refuse_unknown(inputs: NDArray, raw: Raw, layout: Layout) -> None:
    """Raise an error that names the column and the row of the first value that is missing."""
    for row, i in np.argwhere(np.isnan(inputs))[:1].tolist():
        name = next(column.origin for column, own in layout.placed() if i in own)
        value = raw.cells(name).shown(row) if name in raw.names else None
        remedy = "missing values are for predictions without missing='error', and for possible_classes"
        raise raw.error(f"a missing value (NaN) is not allowed here ({remedy})", name, row, value)


def _in_place(raw: Raw, layout: Layout) -> Raw:
    """Return a table without names, or one for a layout without them, with the layout's names."""
    if raw.named and layout.named:
        return raw
    if len(raw.names) != len(layout.names):
        raise ValueError(
            f"X has {len(raw.names)} columns, expected are {len(layout.names)}: {listed(layout.names)}"
        )
    return replace(raw, names=layout.names, named=layout.named, _known={})


def _absent(column: Column, n_rows: int) -> NDArray[np.float64]:
    """Return the inputs of a column that is not there: unknown, not known to be missing."""
    return _filled(column, np.zeros((n_rows, len(column.inputs))), np.ones(n_rows, dtype=bool), False)


def encode_column(column: Column, raw: Raw, *, fill: bool = True) -> NDArray[np.float64]:
    """Return the inputs of one column, shape (n, number of its inputs); NaN where they are unknown.

    With `fill` a missing value is known to be missing, where the column has an input for that.
    """
    cells = raw.cells(column.origin)
    n_rows, n_inputs = len(cells.missing), len(column.inputs)
    inputs = np.zeros((n_rows, n_inputs))
    missing = cells.missing
    if cells.kind != "nothing":
        if column.kind == "category":
            codes = _positions(column, raw)
            missing = missing | (codes == UNSEEN)
            inside = ~missing & (codes >= 0)
            inputs[np.flatnonzero(inside), codes[inside]] = 1.0
        else:
            inputs[:, 0] = _values(column, raw)
    return _filled(column, inputs, missing, fill)


def _filled(column: Column, inputs: NDArray, missing: NDArray, fill: bool) -> NDArray[np.float64]:
    """Return the inputs with what missing values become."""
    if not missing.any():
        return inputs
    if column.gaps and fill:
        inputs[missing] = 0.0
        inputs[missing, -1] = 1.0
        if column.kind != "category":
            inputs[missing, 0] = column.fill
    else:
        inputs[missing] = np.nan
        if column.gaps:
            inputs[missing, -1] = 0.0  # it has a value, which is not known
    return inputs


BASE, UNSEEN = -1, -2  # instead of the number of an input: no input, and no category that is known


def _positions(column: Column, raw: Raw) -> NDArray[np.int64]:
    """Return of each row the number of the input of its category, `BASE` or `UNSEEN`."""
    cells = raw.cells(column.origin)
    levels, codes = _levels(column, raw)
    found = np.array([_position(column, level) for level in levels], dtype=np.int64)
    return np.where(cells.missing, UNSEEN, found[codes]) if len(found) else np.full(len(codes), UNSEEN)


def _position(column: Column, level: str) -> int:
    for text in (level, _as_number_text(level)):
        if text in column.categories:
            return column.categories.index(text)
        if text == column.base:
            return BASE
    if column.other:
        return len(column.categories)
    return UNSEEN if column.categories else BASE  # of a column of one value any other is no missing one


def _as_number_text(level: str) -> str:
    number = plain_number(level)
    return level if number is None or not np.isfinite(number) else text_of(number)


def unseen(column: Column, raw: Raw) -> dict[str, int]:
    """Return the categories of a column that training had not, with the number of their rows."""
    if column.kind != "category" or not column.categories or raw.cells(column.origin).kind == "nothing":
        return {}
    cells = raw.cells(column.origin)
    levels, codes = _levels(column, raw)
    counts = np.bincount(codes[~cells.missing], minlength=len(levels))
    return {
        level: int(n)
        for level, n in zip(levels, counts, strict=True)
        if n and _position(column, level) == UNSEEN
    }


def unseen_rows(column: Column, raw: Raw) -> NDArray[np.bool_]:
    """Tell which rows have a category that training had not, and that now counts as missing."""
    if not unseen(column, raw):
        return np.zeros(raw.n_rows, dtype=bool)
    return (_positions(column, raw) == UNSEEN) & ~raw.cells(column.origin).missing


def other_rows(column: Column, raw: Raw) -> NDArray[np.bool_]:
    """Tell which rows have a category without an input of its own: training had it seldom or never."""
    if not column.other or raw.cells(column.origin).kind == "nothing":
        return np.zeros(raw.n_rows, dtype=bool)
    return _positions(column, raw) == len(column.categories)


def _unseen_note(column: Column, strange: dict[str, int]) -> str:
    n = sum(strange.values())
    some = f"{count(n, 'row has', 'rows have')} a value that training had not ({listed(list(strange)[:5])})"
    return f"{column.name}: {some}, taken as missing"


def _unseen_error(column: Column, raw: Raw) -> Exception:
    """Return the error that names the first row whose category training had not."""
    cells = raw.cells(column.origin)
    row = int(np.argmax((_positions(column, raw) == UNSEEN) & ~cells.missing))
    known = listed([*([] if column.base is None else [column.base]), *column.members])
    return raw.error(f"expected a value that training had ({known})", column.origin, row, cells.shown(row))


def _levels(column: Column, raw: Raw) -> tuple[Sequence[str], NDArray]:
    """Return the categories of a column, of dates those of one part, and the position of each row's."""
    if column.part:
        parts = part_of(column, as_moments(raw, column.origin, order=column.order).values)
        levels, codes = np.unique(parts, return_inverse=True)
        return levels.tolist(), codes.ravel()
    return as_categories(raw.cells(column.origin))


def as_categories(cells: Cells) -> tuple[Sequence[str], NDArray]:
    """Return cells of any kind as texts: the different ones, and the position of each row's."""
    if cells.kind == "text":
        return cells.levels, cells.values
    values, codes = np.unique(cells.values, return_inverse=True)
    if cells.kind == "boolean":
        levels = [str(bool(value)) for value in values]
    elif cells.kind == "moment":
        levels = [str(np.datetime64(int(value), "us")) for value in values]
    else:
        levels = [text_of(value) for value in values.tolist()]
    return levels, codes.ravel()


def _values(column: Column, raw: Raw) -> NDArray[np.float64]:
    """Return the numbers of a column, 0 where they are missing, or raise an error that names a cell."""
    cells = raw.cells(column.origin)
    if column.part in ("days", "hour") and cells.kind != "time" and (column.source or cells.kind == "moment"):
        return part_of(column, as_moments(raw, column.origin, order=column.order).values)
    if column.part == "hour":
        return _hours(raw, column.origin)
    if column.kind == "boolean":
        return _booleans(raw, column.origin)
    values = as_numbers(raw, column.origin, column.decimal)[0]
    _check_size(raw, column.origin, values)
    return values


class Read(NamedTuple):
    """Numbers as they were read, the decimal sign, an odd way of writing them, and which are missing."""

    values: NDArray[np.float64]
    decimal: str
    odd: str | None
    missing: NDArray[np.bool_]


def as_numbers(raw: Raw, name: str, decimal: str | None = None) -> Read:
    """Return a column as numbers, 0 where they are missing; a cell that is none is an error."""
    cells = raw.cells(name)
    if cells.kind == "moment":
        row = int(cells.missing.argmin())
        raise raw.error("expected a number", name, row, cells.shown(row))
    if cells.kind != "text":
        return Read(cells.values.astype(float), decimal or ".", None, cells.missing)
    decimal = raw.decimal or decimal
    used = np.unique(cells.present)
    levels = [cells.levels[k] for k in used]
    found = read_numbers(levels, decimal)
    if found is None:
        bad = next((level for level in levels if read_numbers([level], decimal) is None), levels[0])
        row = int(np.argmax((cells.values == cells.levels.index(bad)) & ~cells.missing))
        raise raw.error("expected a number", name, row, bad)
    values = np.zeros(len(cells.levels))
    values[used] = found.values
    return Read(np.where(cells.missing, 0.0, values[cells.values]), found.decimal, found.odd, cells.missing)


def _booleans(raw: Raw, name: str) -> NDArray[np.float64]:
    cells = raw.cells(name)
    values = cells.values.astype(float)
    if cells.kind == "text":
        found = [BOOLEANS.get(level.lower(), plain_number(level)) for level in cells.levels]
        values = np.array([np.nan if one is None else one for one in found])[cells.values]
    fits = np.isin(values, (0.0, 1.0)) | cells.missing
    if not fits.all() or cells.kind == "moment":
        row = int(fits.argmin())
        raise raw.error("expected a boolean", name, row, cells.shown(row))
    return np.where(cells.missing, 0.0, values)


def as_moments(raw: Raw, name: str, *, order: str = "") -> Moments:
    """Return a column as microseconds from 1970 on, 0 where it is missing; what is no date is an error.

    Numbers such as 20240131 are dates too. An order of days and months that was found before is kept to.
    """
    cells = raw.cells(name)
    if cells.kind == "moment":
        return Moments(np.asarray(cells.values))
    levels, codes = as_categories(cells)
    used = np.unique(codes[~cells.missing])
    texts = [levels[k] for k in used]
    found = read_moments(texts, compact=True, order=order) if texts else Moments(np.zeros(0, dtype=np.int64))
    values = np.zeros(len(levels), dtype=np.int64)
    if found is None:
        bad = next((k for k in used if read_moments([levels[k]], compact=True, order=order) is None), used[0])
        row = int(np.argmax((codes == bad) & ~cells.missing))
        raise raw.error("expected a date such as 2024-12-31", name, row, levels[bad])
    values[used] = found.values
    return found._replace(values=np.where(cells.missing, 0, values[codes]))


def _hours(raw: Raw, name: str) -> NDArray[np.float64]:
    cells = raw.cells(name)
    if cells.kind == "time":
        return np.asarray(cells.values)
    levels, codes = as_categories(cells)
    hours = [read_times([level]) for level in levels]
    values = np.array([np.nan if one is None else one[0] for one in hours])[codes]
    fits = ~np.isnan(values) | cells.missing
    if not fits.all():
        row = int(fits.argmin())
        raise raw.error("expected a time such as 14:30", name, row, cells.shown(row))
    return np.where(cells.missing, 0.0, values)


def part_of(column: Column, micro: NDArray[np.int64]) -> NDArray:
    """Return what a column takes of dates: numbers, or names of months and weekdays."""
    if column.part == "days":
        return (micro - column.start) / MICROSECONDS_A_DAY
    if column.part == "hour":
        return (micro % MICROSECONDS_A_DAY) / (MICROSECONDS_A_DAY / 24)
    days = micro // MICROSECONDS_A_DAY
    if column.part == "weekday":
        return np.array(WEEKDAYS)[(days + 3) % 7]  # 1970 began on a Thursday
    months = micro.astype("M8[us]").astype("M8[M]").astype(np.int64)
    return np.array(MONTHS)[months % 12]


def _check_size(raw: Raw, name: str, values: NDArray) -> None:
    """Raise an error that names the first number that is infinite or too large."""
    if not len(values) or max(values.max(), -values.min()) <= LARGEST:
        return
    for expected, fits in (
        ("finite number", np.isfinite(values)),
        (f"number of absolute value up to {LARGEST:g}", np.abs(values) <= LARGEST),
    ):
        if not fits.all():
            row = int(fits.argmin())
            raise raw.error(f"expected a {expected}", name, row, values[row].item())
