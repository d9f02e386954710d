"""Rows that are unlike those of training: values beyond their range, strange categories and combinations.

The answers to such rows are extrapolations. A model file is enough to find them: it remembers the range of
each input, how the inputs go together, and how far the farthest training row was from the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, joined
from netlines.inspection.attributes import told_name, value_text
from netlines.inspection.inputs import as_rows, network_of, raw_table
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.tables.cells import Raw
from netlines.tables.encode import encode, other_rows, unseen_rows

COMBINATION = "an unusual combination"
MOST_KINDS = 4  # of reasons that are told for many rows
DIGITS = 6


@dataclass(frozen=True, eq=False, repr=False)
class Unusual:
    """What is unusual in some rows.

    Attributes
    ----------
    rows : array of bool, shape (n,)
        Which rows are unlike those of training.
    reasons : tuple of tuples of str
        Of each row why; empty for a usual one.
    kinds : dict
        How many rows have each kind of reason, as "age above 77", the most frequent first.
    """

    rows: NDArray
    reasons: tuple[tuple[str, ...], ...]
    kinds: dict[str, int]

    def __len__(self) -> int:
        return int(self.rows.sum())

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        n = len(self.rows)
        if not len(self):
            return f"none of {count(n, 'row')} lies outside of what training has seen"
        kinds = list(self.kinds.items())
        told = [f"{kind} in {number:,}" for kind, number in kinds[:MOST_KINDS]]
        told += [f"{count(len(kinds) - MOST_KINDS, 'more reason')}"] if len(kinds) > MOST_KINDS else []
        one = len(self) == 1
        who = (
            f"{len(self):,} of {count(n, 'row')} {'lies' if one else 'lie'} outside of what training has seen"
        )
        so = "the answer to it is an extrapolation" if one else "the answers to them are extrapolations"
        return f"{who}: {joined(told)}; {so}"


def unusual_rows(model: Any, X: Any) -> Unusual:
    """Return which rows are unlike those that a model was trained on, and why.

    A row is unusual if a value lies outside of the range of the training rows, or if all its values lie
    within, but the row as a whole is farther from the middle of the training rows than each of these, counted
    as if it had not been among them: Mahalanobis' distance, which knows how the inputs go together. Missing
    values are as the others let expect. `predict` itself does not warn.

    Parameters
    ----------
    model : fitted classifier of netlines, Network or Networks
    X : rows of the user's table, or of inputs

    Examples
    --------
    >>> import numpy as np
    >>> from netlines import unusual_rows
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> age = np.array([20.0, 30.0, 40.0, 50.0, 61.0, 39.0, 28.0])
    >>> about = describe(np.column_stack([age, 2 * age + [0, 3, 1, -2, 0, 1, -3]]))
    >>> network = Network([[-9, 1, 1]], PASS_ON, [0, 1], feature_names=("age", "mass"), background=about)
    >>> found = unusual_rows(network, [[35, 70], [630, 80], [22, 118]])
    >>> found.rows.tolist(), found.reasons[1]
    ([False, True, True], ('age 630 is outside of the range of the training rows, 20 to 61',))
    >>> print(str(found).partition(";")[0])
    2 of 3 rows lie outside of what training has seen: age above 61 in 1 and an unusual combination in 1
    """
    network = network_of(model)
    raw = raw_table(network, X)
    if raw is None or network.layout is None:
        return unusual_inputs(network, np.asarray(as_rows(network, X, missing=True), dtype=float))
    return unusual_inputs(network, encode(raw, network.layout, absent=True).inputs, raw)


def row_warnings(network: AnyNetwork, row: NDArray, raw: Raw | None = None) -> tuple[str, ...]:
    """Return why one row of inputs, shape (N,), is unlike those of training."""
    return unusual_inputs(network, row[None], raw).reasons[0]


def row_notes(network: AnyNetwork, raw: Raw | None) -> tuple[str, ...]:
    """Say which values of one row count as "other" and may have been in training all the same."""
    return tuple(
        f"{one.name} {one.value} counts as {one.taken}, as all values do that were rare in training or not "
        "there"
        for one in _strange(network, raw)
        if not one.new and repr(one.value) != one.taken
    )


def unusual_inputs(network: AnyNetwork, X: NDArray, raw: Raw | None = None) -> Unusual:
    """Return what is unusual in rows of inputs, shape (n, N), NaN where unknown, and in their table."""
    about = network.surroundings
    kinds: dict[str, int] = {}
    reasons: list[list[str]] = [[] for _ in X]
    for odd in _strange(network, raw):
        if odd.new:
            kind = f"{odd.name} with a value that training had not"
            kinds[kind] = kinds.get(kind, 0) + 1
            reasons[odd.row].append(
                f"{odd.name} {odd.value} was not seen in training and counts as {odd.taken}"
            )
    for one, i in _numbers(network):
        low, high = float(about.low[i]), float(about.high[i])
        for side, beyond, end in (("above", X[:, i] > high, high), ("below", X[:, i] < low, low)):
            which = np.flatnonzero(beyond)
            if len(which):
                span = _span(one, X[which[0]], about.scale, i, low, high)
                kinds[f"{told_name(one)} {side} {_value(one, X[which[0]], about.scale, i, end)}"] = len(which)
                for row in which.tolist():
                    value = _value(one, X[row], about.scale, i, float(X[row, i]))
                    reasons[row].append(
                        f"{told_name(one)} {value} is outside of the range of the training rows, {span}"
                    )
    usual = np.array([not one for one in reasons], dtype=bool)
    far = np.flatnonzero(usual)[_far(network, X[usual])]
    if len(far):
        kinds[COMBINATION] = len(far)
        for row in far.tolist():
            reasons[row].append(
                "each value is usual, but not all together: the row is farther from the middle of the "
                "training rows than each of these"
            )
    found = np.array([bool(one) for one in reasons], dtype=bool)
    order = dict(sorted(kinds.items(), key=lambda pair: -pair[1]))
    return Unusual(found, tuple(map(tuple, reasons)), order)


class Strange(NamedTuple):
    """A category that has no input of its own."""

    name: str
    row: int
    value: Any
    taken: str  # what it counts as
    new: bool  # whether training certainly had not got it; else it may have been rare there


def _strange(network: AnyNetwork, raw: Raw | None) -> Iterator[Strange]:
    """Yield the categories in a table that have no input of their own."""
    if raw is None or network.layout is None:
        return
    for column, own in network.layout.placed():
        if column.origin not in raw.names or column.part:
            continue
        cells = raw.cells(column.origin)
        for row in np.flatnonzero(unseen_rows(column, raw)).tolist():
            yield Strange(column.name, row, cells.shown(row), "missing", True)
        for row in np.flatnonzero(other_rows(column, raw)).tolist():
            never = bool(network.surroundings.high[own[len(column.categories)]] <= 0)
            yield Strange(column.name, row, cells.shown(row), repr(column.other), never)


def _numbers(network: AnyNetwork) -> Iterator[tuple[Attribute, int]]:
    """Yield the attributes that are numbers, with their inputs; of odd categories each input."""
    for one in attributes_of(network):
        if not one.is_category:
            yield one, one.inputs[0]


def _value(one: Attribute, row: NDArray, scale: NDArray, i: int, value: float) -> str:
    """Write a value of a number, or a date."""
    told = row.copy()
    told[i] = value
    if one.gap is not None:
        told[one.gap] = 0.0
    return value_text(one, told, scale, DIGITS)


def _span(one: Attribute, row: NDArray, scale: NDArray, i: int, low: float, high: float) -> str:
    if low == high:
        return f"always {_value(one, row, scale, i, low)}"
    return f"{_value(one, row, scale, i, low)} to {_value(one, row, scale, i, high)}"


def _far(network: AnyNetwork, X: NDArray) -> NDArray[np.bool_]:
    """Tell which rows are farther away from the training rows than each of these."""
    about = network.surroundings
    if about.farthest is None or not len(X):
        return np.zeros(len(X), dtype=bool)
    if np.isnan(X).any():
        from netlines.inspection.answers import completed

        X = completed(network, X)
    return np.asarray(about.distances(X) > about.farthest)
