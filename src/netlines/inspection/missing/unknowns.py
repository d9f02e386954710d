"""What is unknown of incomplete rows: inputs of their own, and one-hot groups of inputs as one attribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.missing.allowed import Allowed
from netlines.network.background import Background

APART, OPEN, SETTLED = 0, 1, 2  # what the known inputs of a group leave to the missing ones


@dataclass(frozen=True, eq=False)
class Unknown:
    """One missing input, or the missing inputs of a one-hot group, which have their values together.

    Attributes
    ----------
    inputs : tuple of int
        Their numbers.
    allowed : Allowed
        The values of the one input, or the numbers of the choices.
    choices : array of shape (k, number of inputs) or None
        The values that several inputs can have together.
    """

    inputs: tuple[int, ...]
    allowed: Allowed
    choices: NDArray | None = None

    def values(self, points: NDArray) -> NDArray[np.float64]:
        """Return the values of the inputs, shape (m, number of inputs), at allowed points (m,)."""
        return points[:, None] if self.choices is None else self.choices[points.astype(np.int64)]


def inputs_of(unknowns: Sequence[Unknown]) -> list[int]:
    """Return the numbers of all inputs that are unknown."""
    return [i for one in unknowns for i in one.inputs]


def values_of(unknowns: Sequence[Unknown], points: NDArray) -> NDArray[np.float64]:
    """Return the values of all these inputs, shape (m, number of them), at points (m, number of unknowns)."""
    return np.hstack([one.values(points[:, k]) for k, one in enumerate(unknowns)])


def filled(row: NDArray, unknowns: Sequence[Unknown], values: NDArray) -> NDArray[np.float64]:
    """Return a row with values (m, number of unknown inputs) in it, shape (m, N)."""
    rows = np.repeat(np.asarray(row, dtype=float)[None], len(values), axis=0)
    rows[:, inputs_of(unknowns)] = values
    return rows


def by_unknowns(
    about: Background, X: NDArray, allowed: Sequence[Allowed]
) -> Iterator[tuple[NDArray, list[Unknown]]]:
    """Yield the numbers of rows of which the same is unknown, and what that is.

    Of a one-hot group the categories are possible that agree with its known inputs: only the one that is
    high, else those of the missing inputs. If the row itself has two high ones or another value than the two,
    or if the values of a missing input were given, the missing inputs of the group are taken one by one.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.background import describe
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> from netlines.inspection.missing.unknowns import by_unknowns
    >>> about = describe(np.array([[5.0, 0, 0, 1], [6.5, 1, 0, 0], [7.0, 0, 1, 0]]))
    >>> rows = np.array([[5.0, np.nan, np.nan, np.nan], [np.nan, 0, 1, 0]])
    >>> for rows, unknowns in by_unknowns(about, rows, [Allowed(0.0, 9.0)] * 4):
    ...     print(rows.tolist(), *(one.inputs for one in unknowns))
    [0] (1, 2, 3)
    [1] (0,)
    """
    if not len(X):
        return
    lacking = np.isnan(X)
    kinds = [_state(about, X, lacking, group, allowed) for group in about.groups]
    patterns, number = np.unique(np.column_stack([lacking, *kinds]), axis=0, return_inverse=True)
    order = np.argsort(number.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(number.ravel(), minlength=len(patterns)))[:-1]
    n = X.shape[1]
    for rows, pattern in zip(np.split(order, ends), patterns, strict=True):
        yield rows, _unknowns(about, allowed, pattern[:n].astype(bool), pattern[n:].tolist())


def _state(
    about: Background, X: NDArray, lacking: NDArray, group: tuple[int, ...], allowed: Sequence[Allowed]
) -> NDArray[np.int8]:
    """Return of each row what the known inputs of a group leave to the missing ones, shape (n,)."""
    columns = list(group)
    low, high = _two_values(about, group)
    values, absent = X[:, columns], lacking[:, columns]
    given = (absent & np.array([allowed[i].given for i in columns])).any(axis=1)
    fits = (absent | (values == low) | (values == high)).all(axis=1) & absent.any(axis=1) & ~given
    n_high = (values == high).sum(axis=1)
    state = np.select([fits & (n_high == 0), fits & (n_high == 1)], [OPEN, SETTLED], APART)
    return state.astype(np.int8)


def _two_values(about: Background, group: tuple[int, ...]) -> tuple[float, float]:
    """Return what the inputs of a group are, off and on; a category that no row had was always off."""
    return float(about.low[list(group)].min()), float(about.high[list(group)].max())


def _unknowns(
    about: Background, allowed: Sequence[Allowed], missing: NDArray, states: Sequence[int]
) -> list[Unknown]:
    """Return what is unknown of rows that miss the same inputs, in the order of these."""
    found = {i: Unknown((i,), allowed[i]) for i in np.flatnonzero(missing).tolist()}
    for group, state in zip(about.groups, states, strict=True):
        if state == APART:
            continue
        inputs = tuple(i for i in group if missing[i])
        low, high = _two_values(about, group)
        on = np.eye(len(inputs)) if state == OPEN else np.zeros((1, len(inputs)))
        choices = np.where(on > 0, high, low)
        for i in inputs:
            del found[i]
        if len(inputs) == 1:  # the others settle it
            (value,) = choices[0].tolist()
            found[inputs[0]] = Unknown(inputs, Allowed(value, value, values=choices[0]))
        else:
            found[inputs[0]] = Unknown(inputs, Allowed(0.0, len(choices) - 1.0, integer=True), choices)
    return [found[i] for i in sorted(found)]
