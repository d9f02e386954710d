"""Attributes: the columns of the user's table, the inputs of each, and sums of inputs as sums of attributes.

numpy only. Several inputs may be one attribute: a category has one for each value, a number with gaps one
more that says so. A weighted sum reads better by attributes. Of a category exactly one input is on, so that
the same number can be taken from the weights of all and added to the bias: one value needs no term. A number
and its gap are one term, with what it adds where it is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.layout import Column, Layout
from netlines.network.protocol import AnyNetwork

BASE = -1  # instead of the number of an input: the category that has none
ROUNDING = 8 * float(np.finfo(float).eps)  # parts of what a bias is the sum of, below which it is 0
SAME = 1e-9  # parts of the largest weight by which two may differ that count as the same

Levels = tuple[float, float]


@dataclass(frozen=True)
class Attribute:
    """One column of a table, or a part of one that holds dates, and its inputs.

    Parameters
    ----------
    name : str
    kind : {"number", "boolean", "category"}
    inputs : tuple of int
        Their numbers.
    values : tuple of str
        Of a category: what the inputs stand for, without that of missing values.
    base : str or None
        The category that has no input: all are off.
    gap : int or None
        The input, the last one, that is 1 where the value is missing.
    fill : float or None
        What a missing number then counts as.
    levels : (float, float)
        What the inputs of a category are, off and on.
    column : Column or None
        As a layout knows it.

    Examples
    --------
    >>> from netlines.network.attributes import Attribute
    >>> hue = Attribute("hue", "category", (4, 5, 6), ("red", "blue"), gap=6)
    >>> hue.on(5), hue.off(5), hue.off(6), hue.one_of([4, 5])
    ('hue=blue', 'hue≠blue', 'hue is known', 'hue∈{red, blue}')
    """

    name: str
    kind: str
    inputs: tuple[int, ...]
    values: tuple[str, ...] = ()
    base: str | None = None
    gap: int | None = None
    fill: float | None = None
    levels: Levels = (0.0, 1.0)
    column: Column | None = None

    @property
    def own(self) -> tuple[int, ...]:
        """The inputs without that of missing values."""
        return self.inputs if self.gap is None else self.inputs[:-1]

    @property
    def is_category(self) -> bool:
        """Whether exactly one input is on in each row, or none if there is a base."""
        return self.kind == "category"

    @property
    def choices(self) -> tuple[int, ...]:
        """What a category can be: its inputs, first `BASE` if there is one."""
        return self.inputs if self.base is None else (BASE, *self.inputs)

    def value(self, i: int) -> str:
        """Return what it means that one input of a category is on, or none for `BASE`."""
        if i == BASE:
            return str(self.base)
        return "missing" if i == self.gap else self.values[self.inputs.index(i)]

    def on(self, i: int) -> str:
        """Write that an input is on: `hue=red`, `hue is missing`."""
        return f"{self.name} is missing" if i == self.gap else f"{self.name}={self.value(i)}"

    def off(self, i: int) -> str:
        """Write that an input is off: `hue≠red`, `hue is known`; of two categories the other one is."""
        if i == self.gap:
            return f"{self.name} is known"
        if i != BASE and self.base is not None and len(self.inputs) == 1:
            return self.on(BASE)
        return f"{self.name}≠{self.value(i)}"

    def one_of(self, some: Iterable[int]) -> str:
        """Write that one of some inputs is on."""
        chosen = list(some)
        if len(chosen) == 1:
            return self.on(chosen[0])
        return f"{self.name}∈{{{', '.join(map(self.value, chosen))}}}"

    def choice(self, row: NDArray) -> int | None:
        """Return what a category is in a row, one of `choices`; None if the row has no such category."""
        low, high = self.levels
        values = row[list(self.inputs)]
        on = [i for i, value in zip(self.inputs, values.tolist(), strict=True) if value == high]
        if not np.isin(values, (low, high)).all() or len(on) > 1 or not (on or self.base is not None):
            return None
        return on[0] if on else BASE

    def is_missing(self, row: NDArray) -> bool:
        """Tell whether a row says that the value is missing."""
        return self.gap is not None and bool(row[self.gap] == 1)


def attributes_of(
    network: AnyNetwork, groups: Mapping[tuple[int, ...], Levels] | None = None
) -> tuple[Attribute, ...]:
    """Return the attributes of a network's inputs, in their order.

    They are the columns of its layout. Numbers of it, and all inputs without a layout, are one attribute if
    exactly one of them is high in each row and their names have the beginning up to = or _ in common.

    Parameters
    ----------
    network : Network or Networks
    groups : mapping from the inputs of which exactly one is high to their two values, or None
        None: as the background says.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.attributes import attributes_of
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> rows = np.array([[5.0, 0, 1], [6.5, 1, 0]])
    >>> names = ("size", "hue=red", "hue=blue")
    >>> network = Network([[0, 1, 1, 0]], PASS_ON, [0, 1], feature_names=names, background=describe(rows))
    >>> [(one.name, one.kind, one.inputs) for one in attributes_of(network)]
    [('size', 'number', (0,)), ('hue', 'category', (1, 2))]
    """
    names = network.feature_names or tuple(f"x{i}" for i in range(network.n_features))
    if groups is None:
        about = network.surroundings
        groups = {
            own: (float(about.low[list(own)].min()), float(about.high[list(own)].max()))
            for own in about.groups
        }
    by_input: dict[int, Attribute] = {}
    for column, inputs in () if network.layout is None else network.layout.placed():
        by_input |= dict.fromkeys(inputs, _of_column(column, inputs))
    plain = {i for i, name in enumerate(names) if i not in by_input or _is_plain(by_input[i].column)}
    for own, levels in groups.items():
        common = group_name([names[i] for i in own])
        if len(own) > 1 and common is not None and plain.issuperset(own):
            values = tuple(names[i][len(common) + 1 :] for i in own)
            by_input |= dict.fromkeys(own, Attribute(common, "category", tuple(own), values, levels=levels))
    every = (by_input.get(i, Attribute(name, "number", (i,))) for i, name in enumerate(names))
    return tuple(dict.fromkeys(every))


def group_name(names: Sequence[str]) -> str | None:
    """Return the name of the attribute whose values are these: what stands before = or, else, before a _.

    Examples
    --------
    >>> from netlines.network.attributes import group_name
    >>> group_name(["hue=red", "hue=blue"]), group_name(["chest_pain_none", "chest_pain_non-anginal"])
    ('hue', 'chest_pain')
    >>> group_name(["left", "right"]) is None
    True
    """
    common = shared_name(names)
    if common is not None or any("=" in name for name in names):
        return common
    parts = names[0].split("_")
    for k in range(len(parts) - 1, 0, -1):
        start = "_".join(parts[:k])
        if start and all(name.startswith(f"{start}_") and len(name) > len(start) + 1 for name in names):
            return start
    return None


def shared_name(names: Sequence[str]) -> str | None:
    """Return what stands before the first = of all names, or None if it is not the same."""
    found = {name.partition("=")[0] if "=" in name else None for name in names}
    return found.pop() if len(found) == 1 else None


def known_groups(layout: Layout, found: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the inputs of which exactly one is on: as a layout knows them, and found ones of plain numbers.

    A user may have encoded categories already, whose columns are numbers then. Other inputs that look so by
    chance, as those of several columns that are missing together, are none.

    Examples
    --------
    >>> from netlines.network.attributes import known_groups
    >>> from netlines.network.layout import Column, Layout
    >>> hue = Column("hue", "category", categories=("red", "blue"))
    >>> columns = hue, Column("old", "boolean"), Column("a=1", "number"), Column("a=2", "number")
    >>> known_groups(Layout(("hue", "old", "a=1", "a=2"), columns), [(1, 2), (3, 4)])
    ((0, 1), (3, 4))
    """
    plain = {i for column, inputs in layout.placed() for i in inputs if _is_plain(column)}
    return tuple(sorted([*layout.groups, *(own for own in found if plain.issuperset(own))]))


def _of_column(column: Column, inputs: tuple[int, ...]) -> Attribute:
    gap = inputs[-1] if column.gaps else None
    return Attribute(
        column.name, column.kind, inputs, column.members, column.base, gap, column.fill, column=column
    )


def _is_plain(column: Column | None) -> bool:
    return column is None or (column.kind == "number" and not column.gaps and not column.part)


class Term(NamedTuple):
    """A term of a weighted sum over attributes.

    Attributes
    ----------
    attribute : Attribute
    inputs : tuple of int
        The one whose value counts; of a condition those of which one is on, `BASE` if it is that none is.
    weight : float
        Times the value, or what is added where the condition holds.
    missing : float or None
        What a number with gaps adds, all in all, where it is missing.
    """

    attribute: Attribute
    inputs: tuple[int, ...]
    weight: float
    missing: float | None = None

    @property
    def is_condition(self) -> bool:
        """Whether the term counts as 0 or 1."""
        return self.attribute.is_category or self.inputs == (self.attribute.gap,)

    def of_row(self, row: NDArray, origin: NDArray | None = None) -> float:
        """Return what the term adds in a row, counted from an origin."""
        if self.missing is not None and self.attribute.is_missing(row):
            return self.missing
        if not self.is_condition:
            (i,) = self.inputs
            return self.weight * float(row[i] - (0.0 if origin is None else origin[i]))
        if self.attribute.is_category:
            return self.weight * (self.attribute.choice(row) in self.inputs)
        return self.weight * self.attribute.is_missing(row)


def as_terms(
    unit: NDArray, attributes: Iterable[Attribute], origin: NDArray | None = None
) -> tuple[float, list[Term]]:
    """Return the bias and the terms of a weighted sum of inputs as one of attributes.

    Up to rounding it is the same for every row that a table can have: where of each category exactly one
    input is on, and where missing numbers count as their column says.

    Parameters
    ----------
    unit : array of shape (N + 1,)
        The bias, and the weights of the inputs.
    attributes : of all inputs
    origin : array of shape (N,) or None
        What the weights count the inputs from.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.attributes import Attribute, as_terms
    >>> age = Attribute("age", "number", (0, 1), gap=1, fill=40.0)
    >>> sex = Attribute("sex", "category", (2, 3), ("female", "male"))
    >>> bias, terms = as_terms(np.array([0.1, 0.5, -3.0, -0.9, 0.9]), [age, sex])
    >>> round(bias, 3), [(one.attribute.one_of(one.inputs), one.weight) for one in terms[1:]]
    (-0.8, [('sex=male', 1.8)])
    >>> terms[0].weight, terms[0].missing
    (0.5, 17.0)
    """
    slopes, parts = np.asarray(unit[1:], dtype=float), [float(unit[0])]
    terms: list[Term] = []
    for one in attributes:
        weights = slopes[list(one.inputs)]
        if not weights.any():
            continue
        if one.is_category:
            low, high = one.levels
            shift, own = _category_terms(one, (weights * (high - low)).tolist())
            parts += [*(low * weights).tolist(), shift]
            terms += own
        elif one.gap is None:
            terms.append(Term(one, one.inputs, float(weights[0])))
        elif weights[0] == 0:
            terms.append(Term(one, (one.gap,), float(weights[1])))
        else:
            start = 0.0 if origin is None else float(origin[one.inputs[0]])
            missing = float(weights[0] * (_fill(one) - start) + weights[1])
            terms.append(Term(one, one.inputs[:1], float(weights[0]), missing))
    bias = fsum(parts)
    return bias if abs(bias) > ROUNDING * max(map(abs, parts)) else 0.0, terms


def _fill(one: Attribute) -> float:
    return 0.0 if one.fill is None else one.fill


def _category_terms(one: Attribute, weights: list[float]) -> tuple[float, list[Term]]:
    """Return what goes to the bias, and a term for each other weight that values of a category have.

    The weight that most values share goes to the bias; of several 0 if it is one of them, else the smallest.
    """
    pairs = list(zip(weights, one.inputs, strict=True))
    pairs += [] if one.base is None else [(0.0, BASE)]
    near = SAME * max(abs(weight) for weight in weights)
    alike: list[tuple[float, list[int]]] = []
    for weight, i in sorted(pairs):
        if alike and weight - alike[-1][0] <= near:
            alike[-1][1].append(i)
        else:
            alike.append((weight, [i]))
    reference, _ = max(alike, key=lambda same: (len(same[1]), abs(same[0]) <= near, -same[0]))
    terms = [
        Term(one, tuple(i for i in one.choices if i in some), weight - reference)
        for weight, some in alike
        if weight != reference
    ]
    return reference, sorted(terms, key=lambda term: one.choices.index(term.inputs[0]))
