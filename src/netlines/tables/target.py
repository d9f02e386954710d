"""The column of the classes: its labels, rows that have none, and names that the user gives to classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed
from netlines.network.layout import LARGEST, LONGEST_TEXT, Layout, is_usable
from netlines.tables.cells import Cells, Raw, text_of
from netlines.tables.encode import as_categories
from netlines.tables.numbers import plain_number, read_labels

MOST_CLASSES = 100


class Target(NamedTuple):
    """The labels of the rows that have one, and which rows do, shape (n,)."""

    labels: NDArray
    present: NDArray[np.bool_]


def read_target(raw: Raw, name: str, names: Mapping[str, str] | None = None) -> Target:
    """Return the labels in the target column: booleans, integers, numbers or texts.

    Parameters
    ----------
    raw : the table
    name : the column
    names : what classes are to be called, by their texts in the table; others keep theirs

    Examples
    --------
    >>> from netlines.tables.cells import of_columns
    >>> from netlines.tables.target import read_target
    >>> table = of_columns({"ill": ["1", "0", ""]})
    >>> read_target(table, "ill").labels, read_target(table, "ill", {"0": "well", "1": "ill"}).labels.tolist()
    (array([1, 0]), ['ill', 'well'])
    """
    if name not in raw.names:
        raise ValueError(f"there is no target column {name!r}; the columns are {listed(raw.names)}")
    cells = raw.cells(name)
    if cells.kind == "nothing":
        raise ValueError(f"no row has a value in the target column {name!r}")
    if cells.kind in ("moment", "time"):
        raise ValueError(f"the target column {name!r} holds dates; a target holds classes")
    present = ~cells.missing
    labels = _renamed(cells, names, name) if names else _labels(cells)[present]
    _check(raw, name, labels, cells)
    return Target(labels, present)


def _labels(cells: Cells) -> NDArray:
    if cells.kind == "boolean":
        return cells.values.astype(bool)
    if cells.kind == "text":
        used = np.unique(cells.present)
        own = read_labels([cells.levels[k] for k in used])
        return own[np.searchsorted(used, np.where(cells.missing, used[0], cells.values))]
    whole = (cells.values == np.rint(cells.values)) & (np.abs(cells.values) <= 2.0**53)
    return cells.values.astype(np.int64) if whole.all() else cells.values


def _renamed(cells: Cells, names: Mapping[str, str], target: str) -> NDArray:
    levels, codes = as_categories(cells)
    used = [levels[k] for k in np.unique(codes[~cells.missing])]
    strange = [text for text in names if text not in used]
    if strange:
        raise ValueError(
            f"--labels: no row has {listed(strange)} in the target column {target!r}; it has {listed(used)}"
        )
    return np.array([names.get(level, level) for level in levels])[codes[~cells.missing]]


def _check(raw: Raw, name: str, labels: NDArray, cells: Cells) -> None:
    """Raise an error that says why labels are no classes."""
    if labels.dtype.kind == "f":
        fits = np.abs(labels) <= LARGEST
        if not fits.all():
            row = int(np.flatnonzero(~cells.missing)[fits.argmin()])
            raise raw.error("expected a finite number as a class", name, row, cells.shown(row))
    found = np.unique(labels)
    if len(found) > MOST_CLASSES:
        raise ValueError(
            f"the target column {name!r} has {len(found):,} different values, at most {MOST_CLASSES} are "
            "allowed: a target holds classes, not measurements"
        )
    for label in found if labels.dtype.kind == "U" else ():
        if not is_usable(str(label)):
            raise ValueError(
                f"a class in the target column {name!r} has {len(label):,} characters; allowed is text of at "
                f"most {LONGEST_TEXT}: shorten it"
            )


def read_truth(raw: Raw, layout: Layout, classes: Sequence[Any]) -> list[Any] | None:
    """Return the labels of rows in the type of a model's classes, if the table has the target.

    None stands for a missing one; a label that the model does not know is its text.
    """
    if layout.target is None or layout.target not in raw.names:
        return None
    cells = raw.cells(layout.target)
    known = {canonical(label): label for label in classes}
    known |= {text: known.get(canonical(label), label) for text, label in layout.labels}
    levels, codes = as_categories(cells)
    own = [known.get(level, known.get(canonical(level), level)) for level in levels] or [None]
    return [None if absent else own[k] for k, absent in zip(codes.tolist(), cells.missing, strict=True)]


def canonical(label: Any) -> str:
    """Return a label as a text that is the same however a table writes it: 1, "1" and 1.0 are one.

    Examples
    --------
    >>> from netlines.tables.target import canonical
    >>> canonical(1.0), canonical("1.0"), canonical(True), canonical("x")
    ('1', '1', 'true', 'x')
    """
    if isinstance(label, bool | np.bool_) or (isinstance(label, str) and label.lower() in ("true", "false")):
        return str(label).lower()
    number = plain_number(label) if isinstance(label, str) else label
    return str(label) if number is None or not np.isfinite(number) else text_of(float(number))
