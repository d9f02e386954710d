"""How the columns of a table become inputs, decided once from the training rows.

1. What the user decided stands.
2. Numbers are one input, booleans 0 or 1. Texts that are all numbers, booleans or dates are taken for these.
3. Dates become days since the earliest and, where they vary, month, weekday and hour.
4. Other texts are categories, an input each; of two categories one input. Of many the frequent ones have an
   input, and the others one together.
5. Left out, each with its reason: columns without values, of one value, of texts nearly all different, of
   integers that count or name the rows, and those that repeat another one.
6. A column whose gaps say more of the class than the known values do gets one more input that tells where
   they are; other missing values are unknown, and training takes what is expected of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.network.layout import LONGEST_TEXT, Column, Layout, is_usable
from netlines.tables.cells import Cells, Raw
from netlines.tables.choices import Choices
from netlines.tables.columns import ONE_VALUE, RULES, Facts, LeftOut, decide, spread
from netlines.tables.encode import encode_column
from netlines.tables.gaps import telling
from netlines.tables.numbers import read_numbers

KEYS = {"id", "ids", "key", "uuid", "guid", "index", "idx", "rowid", "rownames", "rownum"}
LAST_KEYS = {"no", "nr", "num", "number", "#"}


class Learnt(NamedTuple):
    """What was learnt of a table: its layout, the inputs of its rows, and what the user should know.

    `inputs` are NaN where they are unknown.
    """

    layout: Layout
    inputs: NDArray[np.float64]
    notices: tuple[str, ...]


def learn_table(
    raw: Raw,
    choices: Choices | None = None,
    *,
    labels: NDArray | None = None,
    weights: NDArray | None = None,
) -> Learnt:
    """Decide what each column becomes, and return that with the inputs of the rows.

    Parameters
    ----------
    raw : the table, without the classes
    choices : what the user decided
    labels : the numbers of the rows' classes, which decide about inputs for missing values; None: all
        columns with missing values have one
    weights : of the rows, all positive; None: 1 each

    Examples
    --------
    >>> from netlines.tables.cells import of_columns
    >>> from netlines.tables.learn import learn_table
    >>> table = of_columns({"size": ["1.5", "", "2"], "colour": ["red", "blue", "red"], "unit": ["cm"] * 3})
    >>> layout, inputs, notices = learn_table(table)
    >>> layout.feature_names, *notices
    (('size', 'size is missing', 'colour=red'), "unit: 'cm' in all rows, left out")
    >>> inputs.tolist()
    [[1.5, 0.0, 1.0], [1.75, 1.0, 0.0], [2.0, 0.0, 1.0]]
    """
    choices = choices or Choices()
    choices.check(raw.names)
    facts = Facts(choices.gaps != "integrate", labels is None, weights=weights)
    found = _walk(raw, choices, facts)
    if labels is not None and facts.gaps:
        tell = _telling(raw, found, labels)
        found = _walk(raw, choices, facts._replace(telling=tell)) if tell else found
    columns, blocks, left, notices = found
    told = [f"{name}: {why}, left out" for name, why in left.items() if name not in choices.drop]
    _refuse_nothing(columns, left, raw.names)
    layout = Layout(raw.names, tuple(columns), tuple(left.items()), named=raw.named)
    _check_names(layout)
    return Learnt(layout, np.hstack(blocks), (*told, *notices))


class Found(NamedTuple):
    """What the columns became: columns with their inputs, others with reasons, and what is to be said."""

    columns: list[Column]
    blocks: list[NDArray]
    left: dict[str, str]
    notices: list[str]


def _walk(raw: Raw, choices: Choices, facts: Facts) -> Found:
    """Decide about one column after the other."""
    found: list[tuple[Column, NDArray]] = []
    left: dict[str, str] = {}
    notices: list[str] = []
    counting: list[str] = []
    seen: dict[bytes, str] = {}
    for name in raw.names:
        try:
            columns, notes = decide(raw, name, choices, facts)
            blocks = [encode_column(column, raw, fill=True) for column in columns]
            if choices.forced(name) is None:
                _refuse_repeated(name, columns, blocks, seen)
                if _counts_rows(name, raw.cells(name), columns):
                    counting.append(name)
        except LeftOut as reason:
            left[name] = str(reason)
            continue
        except (ValueError, TypeError) as error:
            if not str(error).startswith("expected"):
                raise
            ways = f"{choices.option('drop')} leaves the column out"
            ways += f", {choices.option('categorical')} takes it as categories"
            raise type(error)(f"{error}: {ways}") from error
        found += zip(columns, blocks, strict=True)
        notices += [f"{name}: {note}" for note in notes]
    others = [one for one in found if one[0].origin not in counting]
    if others:  # else they are all there is
        left |= {name: _counting_reason(raw.cells(name)) for name in counting}
        notices = [note for note in notices if note.partition(": ")[0] not in counting]
        found = others
    left = {name: left[name] for name in raw.names if name in left}
    return Found([column for column, _ in found], [block for _, block in found], left, notices)


def _telling(raw: Raw, found: Found, labels: NDArray) -> frozenset[str]:
    """Return the columns whose gaps say something of the class that the known values do not."""
    used = dict.fromkeys(column.origin for column in found.columns)
    used |= {name: None for name, why in found.left.items() if why.endswith(ONE_VALUE)}
    names = [name for name in used if raw.cells(name).missing.any()]
    if not names:
        return frozenset()
    missing = np.column_stack([raw.cells(name).missing for name in names])
    inputs = np.hstack([np.zeros((raw.n_rows, 0)), *found.blocks])
    return frozenset(
        name for name, tells in zip(names, telling(missing, inputs, labels), strict=True) if tells
    )


def _counts_rows(name: str, cells: Cells, columns: Sequence[Column]) -> bool:
    """Tell whether the integers of a column seem to count or to name the rows."""
    if len(columns) != 1 or columns[0].kind != "number" or columns[0].part or cells.missing.any():
        return False
    values = cells.values
    if cells.kind == "text":
        found = read_numbers([cells.levels[k] for k in np.unique(values)], columns[0].decimal)
        values = np.zeros(0) if found is None else spread(cells, np.unique(values), found.values)
    n = len(values)
    if n < RULES.least_rows or np.abs(values).max() > 2.0**53 or not (values == np.rint(values)).all():
        return False
    different = len(np.unique(values))
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|#", name)
    called = [word.lower() for word in words]
    if called and (KEYS & {called[0], called[-1]} or called[-1] in LAST_KEYS):
        return different >= RULES.key * n
    return different == n >= RULES.counted and values.max() - values.min() + 1 <= RULES.dense * n


def _counting_reason(cells: Cells) -> str:
    different = len(np.unique(cells.values))
    return f"{different:,} different whole numbers in {len(cells.values):,} rows, a number or key of the row"


def _refuse_repeated(
    name: str, columns: Sequence[Column], blocks: Sequence[NDArray], seen: dict[bytes, str]
) -> None:
    """Raise `LeftOut` if another column has become the same inputs."""
    key = blake2b(repr([(one.part, one.members, one.gaps) for one in columns]).encode())
    for block in blocks:
        key.update(block.tobytes())
    if key.digest() in seen:
        raise LeftOut(f"the same as {seen[key.digest()]!r}")
    seen[key.digest()] = name


def _refuse_nothing(found: Sequence, left: dict[str, str], names: Sequence[str]) -> None:
    """Raise an error if no column has become an input."""
    if not names:
        raise ValueError("there is no column beside the target")
    if not found:
        why = "; ".join(f"{name}: {reason}" for name, reason in list(left.items())[:5])
        raise ValueError(f"X has no column that is left to learn from ({why})")


def _check_names(layout: Layout) -> None:
    """Refuse names of inputs that are the same, or longer than a model file may hold."""
    inputs = layout.feature_names
    if len(set(inputs)) < len(inputs):
        twice = sorted({name for name in inputs if inputs.count(name) > 1})
        raise ValueError(f"more than one input would be named {listed(twice)}: rename a column")
    for name in (layout.target or "", *layout.names, *inputs):
        if not is_usable(name):
            raise ValueError(
                f"the column {name.partition('=')[0][:60]!r} or one of its values has {len(name):,} "
                f"characters; allowed is text of at most {LONGEST_TEXT}: shorten it, or leave the column out"
            )
