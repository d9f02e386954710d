"""What is known of the inputs that rules speak of: names, spreads, which are integer, binary or one-hot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import input_names
from netlines.network.background import describe
from netlines.network.protocol import AnyNetwork


@dataclass(frozen=True, eq=False)
class Inputs:
    """The names of the inputs, their spreads, and which of them are integer, binary or one-hot.

    `low` and `high` are the two values of a binary input, NaN of any other. Of the inputs of a group, a tuple
    of numbers, exactly one is high.
    """

    names: tuple[str, ...]
    named: bool  # by the user
    scale: NDArray
    integer: NDArray
    low: NDArray
    high: NDArray
    groups: tuple[tuple[int, ...], ...]
    origin: NDArray  # from which inputs count in weighted sums, mostly 0

    @property
    def binary(self) -> NDArray:
        """Whether an input has two values only, shape (N,)."""
        return np.isfinite(self.high)

    def attributes(self, columns: Iterable[int]) -> list[tuple[int, ...]]:
        """Return the groups of binary inputs, each whole and once; an input in no group is one of its own."""
        group_of = {i: group for group in self.groups for i in group}
        return list(dict.fromkeys(group_of.get(int(i), (int(i),)) for i in columns))

    def n_combinations(self, attributes: Sequence[tuple[int, ...]]) -> int:
        """Count the combinations of the values of attributes."""
        return int(np.prod([max(len(one), 2) for one in attributes], dtype=float))

    def combinations(self, attributes: Sequence[tuple[int, ...]]) -> tuple[NDArray, list[int]]:
        """Return a row of each combination, 0 in all other inputs, and the inputs of the attributes."""
        members = [i for one in attributes for i in one]
        states = [np.eye(len(one)) if len(one) > 1 else np.array([[0.0], [1.0]]) for one in attributes]
        on = np.array([np.concatenate([[], *some]) for some in product(*states)])
        rows = np.zeros((len(on), len(self.names)))
        rows[:, members] = np.where(on > 0, self.high[members], self.low[members])
        return rows, members

    def literal(self, i: int, on: bool) -> str:
        """Write that a binary input is on, `a1=2` or `sex=1`, or off, `a1≠2` or `sex=0`."""
        if "=" in self.names[i]:
            return self.names[i] if on else self.names[i].replace("=", "≠", 1)
        return f"{self.names[i]}={(self.high if on else self.low)[i]:g}"

    def choice(self, attribute: tuple[int, ...], on: NDArray) -> str:
        """Write that an attribute has one of some values; of a single input these are off and on."""
        if len(attribute) == 1:
            return self.literal(attribute[0], bool(on[1]))
        for wanted in (True, False):
            if np.count_nonzero(on == wanted) == 1:
                return self.literal(attribute[int(np.argmax(on == wanted))], wanted)
        name = self.names[attribute[0]].partition("=")[0]
        values = (self.names[i].partition("=")[2] for i, one in zip(attribute, on, strict=True) if one)
        return f"{name}∈{{{', '.join(values)}}}"


def read_inputs(network: AnyNetwork, rows: NDArray | None) -> Inputs:
    """Return what the background of a network and rows tell of the inputs.

    Binary are inputs of the values 0 and 1, and those of the values -1 and +1.
    """
    about = network.surroundings if network.background is not None or rows is None else describe(rows)
    smallest, largest, integer = about.low, about.high, about.integer
    signed = about.two & np.isin(smallest, (-1, 1)) & np.isin(largest, (-1, 1))
    if rows is not None:
        smallest, largest = np.minimum(smallest, rows.min(axis=0)), np.maximum(largest, rows.max(axis=0))
        integer = integer & (rows == np.rint(rows)).all(axis=0)
        signed = signed & np.isin(rows, (-1, 1)).all(axis=0)
    names = input_names(network)
    low = np.where(integer & (smallest >= 0) & (largest <= 1), 0.0, np.where(signed, -1.0, np.nan))
    families: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if "=" in name:
            families.setdefault(name.partition("=")[0], []).append(i)
    groups = []
    for family in families.values():
        base = -1.0 if signed[family].all() else 0.0  # an input that is always 1 may be of either kind
        fits = signed[family].all() or (low[family] == 0).all()
        one_is_on = tuple(family) in about.groups
        if rows is not None:
            one_is_on = bool(((rows[:, family] > base).sum(axis=1) == 1).all())
        if len(family) > 1 and fits and one_is_on:
            low[family] = base
            groups.append(tuple(family))
    high = np.where(np.isnan(low), np.nan, 1.0)
    return Inputs(
        tuple(names),
        network.feature_names is not None,
        about.scale,
        integer,
        low,
        high,
        tuple(groups),
        np.zeros(len(names)) if network.origin is None else network.origin,
    )
