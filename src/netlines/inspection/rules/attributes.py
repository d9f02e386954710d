"""What is known of the inputs that rules speak of: names, spreads, attributes, which of them are binary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import InputRows, as_rows, input_names
from netlines.network.attributes import BASE, Attribute, Term, as_terms, attributes_of
from netlines.network.background import describe
from netlines.network.protocol import AnyNetwork


class Choice(NamedTuple):
    """What binary inputs of one attribute can be together.

    `states` has a line for each possibility, whether each input is on; `words` say that it is so and that it
    is not; `values` are what it is called among others.
    """

    name: str
    inputs: tuple[int, ...]
    states: NDArray
    words: tuple[tuple[str, str], ...]
    values: tuple[str, ...]

    def text(self, some: NDArray) -> str:
        """Write that the attribute is in one of some states, neither all nor none."""
        for wanted in (True, False):
            if np.count_nonzero(some == wanted) == 1:
                return self.words[int(np.argmax(some == wanted))][not wanted]
        return f"{self.name}∈{{{', '.join(np.array(self.values)[some])}}}"


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a network: their names and spreads, their attributes, which are integer or binary.

    `low` and `high` are the two values of a binary input, NaN of any other.
    """

    network: AnyNetwork
    names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    scale: NDArray
    integer: NDArray
    low: NDArray
    high: NDArray
    origin: NDArray  # from which inputs count in weighted sums, mostly 0

    @property
    def binary(self) -> NDArray:
        """Whether an input has two values only, shape (N,)."""
        return np.isfinite(self.high)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The inputs of which exactly one is high in each row, category by category."""
        return tuple(
            one.inputs
            for one in self.attributes
            if one.is_category and one.base is None and len(one.inputs) > 1
        )

    def rows(self, X: Any) -> NDArray:
        """Return rows, of the user's table or of inputs, as numbers."""
        return np.asarray(as_rows(self.network, X))

    def choices(self, columns: Iterable[int]) -> list[Choice]:
        """Return what the attributes of some binary inputs can be, each once."""
        of_input = {i: one for one in self.attributes for i in one.inputs}
        found: dict[tuple[int, ...], Choice] = {}
        for i in map(int, columns):
            one = of_input[i]
            whole = one.is_category or self.binary[list(one.inputs)].all()
            own = one.inputs if whole else (i,)  # whether a number is missing says nothing of its value
            if own not in found:
                found[own] = self._category(one) if one.is_category else self._numbers(one, own)
        return list(found.values())

    def _category(self, one: Attribute) -> Choice:
        states = np.eye(len(one.inputs), dtype=bool)
        if one.base is not None:
            states = np.vstack([np.zeros_like(states[:1]), states])
        words = [(one.on(i), one.off(i)) for i in one.choices]
        if one.base is not None and len(one.inputs) == 1:
            words = [words[1][::-1], words[1]]
        return Choice(one.name, one.inputs, states, tuple(words), tuple(map(one.value, one.choices)))

    def _numbers(self, one: Attribute, own: tuple[int, ...]) -> Choice:
        """Return what one binary input can be, or a number of two values that may be missing."""
        value, values = own[0], [f"{end[own[0]]:g}" for end in (self.low, self.high)]
        if len(own) == 1:
            words = self.literal(value, True), self.literal(value, False)
            return Choice(one.name, own, np.array([[False], [True]]), (words[::-1], words), tuple(values))
        states = np.array([[False, False], [True, False], [one.fill == self.high[value], True]])
        both = [(f"{one.name}={text}", f"{one.name}≠{text}") for text in values]
        return Choice(
            one.name,
            own,
            states,
            (*both, (one.on(own[1]), one.off(own[1]))),
            (*values, "missing"),
        )

    def n_combinations(self, choices: Sequence[Choice]) -> int:
        """Count the combinations of the states of attributes."""
        return int(np.prod([len(one.states) for one in choices], dtype=float))

    def combinations(self, choices: Sequence[Choice]) -> tuple[NDArray, list[int]]:
        """Return a row of each combination, 0 in all other inputs, and the inputs of the attributes."""
        members = [i for one in choices for i in one.inputs]
        on = np.array([np.concatenate([[], *some]) for some in product(*(one.states for one in choices))])
        rows = np.zeros((len(on), len(self.names)))
        rows[:, members] = np.where(on > 0, self.high[members], self.low[members])
        return rows.view(InputRows), members

    def literal(self, i: int, on: bool) -> str:
        """Write that a binary input is on, `a1=2` or `sex=1`, or off, `a1≠2` or `sex=0`."""
        one = next(one for one in self.attributes if i in one.inputs)
        if one.is_category or i == one.gap:
            return one.on(i) if on else one.off(i)
        if one.gap is not None and (self.high if on else self.low)[i] == one.fill:
            return f"{one.name}≠{(self.low if on else self.high)[i]:g}"  # or it is missing
        if "=" in self.names[i]:
            return self.names[i] if on else self.names[i].replace("=", "≠", 1)
        return f"{self.names[i]}={(self.high if on else self.low)[i]:g}"

    def terms(self, unit: NDArray) -> tuple[float, list[Term], NDArray]:
        """Return the bias and the terms of a weighted sum, what matters most first, and how much each does.

        Binary inputs count as 0 and 1, whatever their values. Terms of one attribute stay together.
        """
        converted = unit.astype(float)
        category = {i for one in self.attributes if one.is_category for i in one.inputs}
        two = np.array([i for i in np.flatnonzero(self.binary).tolist() if i not in category], dtype=int)
        converted[0] += float(converted[1 + two] @ self.low[two])
        converted[1 + two] *= (self.high - self.low)[two]
        bias, terms = as_terms(converted, self.attributes, self.origin)
        spreads = [abs(term.weight) * self._spread(term) for term in terms]
        most: dict[Attribute, float] = {}
        for term, spread in zip(terms, spreads, strict=True):
            most[term.attribute] = max(spread, most.get(term.attribute, 0.0))
        places = {one: k for k, one in enumerate(most)}
        order = sorted(
            range(len(terms)),
            key=lambda k: (-most[terms[k].attribute], places[terms[k].attribute], -spreads[k]),
        )
        return bias, [terms[k] for k in order], np.array([spreads[k] for k in order])

    def _spread(self, term: Term) -> float:
        """Return the spread of what a weight is multiplied with."""
        own = list(term.attribute.inputs if BASE in term.inputs else term.inputs)
        return float(
            np.sqrt(((self.scale / np.where(self.binary, self.high - self.low, 1.0))[own] ** 2).sum())
        )


def read_inputs(network: AnyNetwork, rows: NDArray | None) -> Inputs:
    """Return what the layout and the background of a network, and rows, tell of the inputs.

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
    for one in attributes_of(network, {}):  # of these a table can make nothing else
        low[[i for i in one.inputs if one.kind != "number" or i == one.gap]] = 0.0
    families: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if "=" in name:
            families.setdefault(name.partition("=")[0], []).append(i)
    groups = {}
    for family in families.values():
        base = -1.0 if signed[family].all() else 0.0  # an input that is always 1 may be of either kind
        fits = signed[family].all() or (low[family] == 0).all()
        one_is_on = tuple(family) in about.groups
        if rows is not None:
            one_is_on = bool(((rows[:, family] > base).sum(axis=1) == 1).all())
        if len(family) > 1 and fits and one_is_on:
            groups[tuple(family)] = base, 1.0
    attributes = attributes_of(network, groups)
    for one in attributes:
        if one.is_category:
            low[list(one.inputs)] = one.levels[0]
        elif one.gap is not None and (low[one.inputs[0]] != 0 or one.fill not in (0, 1)):
            low[one.inputs[0]] = np.nan  # missing, it has a third value
    return Inputs(
        network,
        tuple(names),
        attributes,
        about.scale,
        integer,
        low,
        np.where(np.isnan(low), np.nan, 1.0),
        np.zeros(len(names)) if network.origin is None else network.origin,
    )
