"""The values that a missing input may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.inputs import input_names, input_number
from netlines.network.protocol import AnyNetwork


@dataclass(frozen=True, eq=False)
class Allowed:
    """The values that an input may have, in increasing order.

    Attributes
    ----------
    low, high : float
        The smallest and the largest, -∞ and ∞ if there are none.
    integer : bool
        Whether only the integers between them are allowed.
    values : array or None
        The only values, if they are a finite set other than all integers.
    given : bool
        Whether the user gave them.

    Examples
    --------
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> ten = Allowed(1.0, 10.0, integer=True)
    >>> ten.size, ten.position([0.5, 2.0, 2.5]).tolist(), ten.at([0, 9]).tolist()
    (10, [0, 1, 2], [1.0, 10.0])
    """

    low: float
    high: float
    integer: bool = False
    values: NDArray | None = None
    given: bool = False

    @property
    def finite(self) -> bool:
        """Whether the values are a finite set."""
        return self.integer or self.values is not None

    @property
    def size(self) -> int:
        """The number of values of a finite set."""
        return int(self.high - self.low) + 1 if self.values is None else len(self.values)

    @property
    def step(self) -> float:
        """The least distance of two values of a finite set."""
        return 1.0 if self.values is None else float(np.diff(self.values).min(initial=np.inf))

    def inside(self, origin: float, unit: float) -> Allowed:
        """Return the values inside a frame; none of odd size are all integers."""
        values = None if self.values is None else (self.values - origin) / unit
        low, high = (self.low - origin) / unit, (self.high - origin) / unit
        return replace(self, low=low, high=high, values=values, integer=self.integer and unit == 1)

    def at(self, positions: ArrayLike) -> NDArray[np.float64]:
        """Return the values of a finite set by their positions from 0 on."""
        where = np.asarray(positions).astype(np.int64)
        return self.low + where.astype(float) if self.values is None else self.values[where]

    def position(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return how many values of a finite set lie below each point."""
        points = np.asarray(points, dtype=float)
        if self.values is not None:
            return np.searchsorted(self.values, points).astype(np.int64)
        return np.ceil(np.clip(points, self.low, self.high + 1.0) - self.low).astype(np.int64)

    def nearest(self, points: NDArray) -> NDArray[np.float64]:
        """Return the allowed values that are nearest to points."""
        if not self.finite:
            return np.clip(points, self.low, self.high)
        if self.values is None:
            return np.rint(np.clip(points, self.low, self.high))
        above = np.minimum(self.position(points), self.size - 1)
        below = np.maximum(above - 1, 0)
        left, right = self.at(below), self.at(above)
        return np.where(points - left <= right - points, left, right)

    def spread(self, shares: NDArray, mean: float, scale: float) -> NDArray[np.float64]:
        """Return values for shares between 0 and 1: evenly, on an endless line around the mean."""
        if self.finite:
            return self.at(np.minimum((shares * self.size).astype(np.int64), self.size - 1))
        if np.isfinite(self.high - self.low):
            return np.minimum(self.low + shares * (self.high - self.low), self.high)
        # A wide tail, so that far points are tried too.
        return np.clip(
            mean + scale * np.tan(np.pi * (np.clip(shares, 1e-3, 1 - 1e-3) - 0.5)), self.low, self.high
        )


def allowed_values(network: AnyNetwork, ranges: Mapping[Any, Any] | None = None) -> list[Allowed]:
    """Return the allowed values of each input: those given, else the range seen in training.

    Parameters
    ----------
    network : Network or Networks
    ranges : mapping from the name or number of an input to its values, or None
        A tuple (low, high) is a closed interval, None in it an open end; a `range`, a list, a set or an
        array are all the values. Inputs without one have those between the smallest and the largest of the
        training rows, only these two if no others occurred, only integers if all of them were, and any value
        if the network knows nothing of its training rows.

    Examples
    --------
    >>> from netlines.inspection.missing.allowed import allowed_values
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[1.0, -1.0, 2.0]], PASS_ON, [0, 1], feature_names=("age", "dose"))
    >>> age, dose = allowed_values(network, {"age": range(18, 100)})
    >>> age.low, age.high, age.size, dose.low
    (18.0, 99.0, 82, -inf)
    """
    if ranges is not None and not isinstance(ranges, Mapping):
        raise TypeError(f"ranges must be a mapping from inputs to their values, got {ranges!r}")
    about = network.surroundings
    columns = (about.low, about.high, about.integer, about.two)
    allowed = [_seen(*cells) for cells in zip(*(column.tolist() for column in columns), strict=True)]
    names = input_names(network)
    for which, given in (ranges or {}).items():
        i = input_number(network, which)
        allowed[i] = _interval(names[i], given) if isinstance(given, tuple) else _set(names[i], given)
    return allowed


def _seen(low: float, high: float, integer: bool, two: bool) -> Allowed:
    """Return the values between those seen in training."""
    finite = bool(np.isfinite(high - low))
    if two and finite and not (integer and high - low <= 1):
        return Allowed(low, high, values=np.unique([low, high]))
    return Allowed(low, high, integer and finite)


def _interval(name: str, given: tuple) -> Allowed:
    """Return the closed interval (low, high); None is an open end."""
    low = high = np.nan
    if len(given) == 2 and not any(map(_is_text, given)):
        try:
            low = -np.inf if given[0] is None else float(given[0])
            high = np.inf if given[1] is None else float(given[1])
        except (TypeError, ValueError):
            low = np.nan
    if not (low <= high and low < np.inf and high > -np.inf):
        raise ValueError(
            f"ranges[{name!r}] as a tuple must be two numbers (low, high) with low ≤ high, None for an open "
            f"end, got {given!r}; a finite set of values is a list, an array or a range"
        )
    return Allowed(low, high, given=True)


def _set(name: str, given: Any) -> Allowed:
    """Return the finite set of all values given."""
    if isinstance(given, range) and len(given) and given.step == 1:  # may be too long for a list
        return Allowed(float(given[0]), float(given[-1]), integer=True, given=True)
    values = finite_numbers(given)
    if values is None:
        raise ValueError(
            f"ranges[{name!r}] must be a tuple (low, high) or a list, array or range of at least one finite "
            f"number, got {given!r}"
        )
    values = np.unique(values)
    low, high = float(values[0]), float(values[-1])
    if len(values) > 1 and (np.diff(values) == 1).all() and low == np.rint(low):
        return Allowed(low, high, integer=True, given=True)
    return Allowed(low, high, values=values, given=True)


def finite_numbers(given: Any) -> NDArray[np.float64] | None:
    """Return a list of at least one finite number as an array; None if it is something else, as text is."""
    try:
        cells = [] if _is_text(given) else list(given)
        values = np.array([] if any(map(_is_text, cells)) else cells, dtype=float)
    except (TypeError, ValueError):
        return None
    return values if values.ndim == 1 and len(values) and np.isfinite(values).all() else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)
