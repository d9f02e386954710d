"""Weighted sums of inputs as integer points for columns, in whole steps, and for categories."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.scorecard.totals import NEAR, Entry
from netlines.network.attributes import BASE, Attribute, Term, attributes_of
from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork

LARGEST = 99  # points


def shortest(value: float, scale: float) -> float:
    """Return the number with the fewest digits that is the value, for a column of such a spread."""
    if abs(value) <= 1e-10 * scale:
        return 0.0
    for digits in range(1, 17):
        number = float(f"{value:.{digits}g}")
        if abs(number - value) <= 1e-10 * scale + 4 * np.spacing(abs(value)):
            return number
    return value


def written(number: float) -> str:
    """Return a number as people write it."""
    text = f"{number:.12g}"
    return text if "e" in text else text.replace("-", "−")


def two_valued(attribute: Attribute, i: int, up: bool, low: float, high: float) -> str:
    if attribute.is_category or i == attribute.gap:
        return attribute.on(i) if up else attribute.off(i)
    if attribute.kind == "boolean":
        return f"{attribute.name}={'yes' if up else 'no'}"
    return f"{attribute.name}={written(high if up else low)}"


def plain_terms(network: Network, whole: AnyNetwork) -> tuple[float, list[Term]]:
    """Return bias and terms of the first unit; inputs of two values count from the lower one."""
    unit, about = network.weights_about_zero[0], whole.surroundings
    bias, found = float(unit[0]), []
    for one in attributes_of(whole):
        if one.is_category:
            shift, terms = _category_terms(one, unit[1:])
            bias += shift
            found += terms
            continue
        for i in one.inputs:
            weight = float(unit[i + 1])
            if weight and about.two[i] and about.low[i] < about.high[i]:
                bias += weight * float(about.low[i])
                weight *= float(about.high[i] - about.low[i])
            if weight:
                found.append(Term(one, (i,), weight))
    return bias, found


def _category_terms(one: Attribute, slopes: NDArray) -> tuple[float, list[Term]]:
    """Return what goes to the bias, and a term for each other weight of a category's values.

    The weight of most values goes to the bias, of several the smallest: points that are given read better
    than points that are taken.
    """
    low, high = one.levels
    own = slopes[list(one.inputs)]
    if not own.any():
        return 0.0, []
    weights = dict(zip(one.inputs, (own * (high - low)).tolist(), strict=True))
    if one.base is not None:
        weights[BASE] = 0.0
    near = NEAR * max(map(abs, weights.values()))
    alike: list[tuple[float, list[int]]] = []
    for weight, i in sorted((weight, i) for i, weight in weights.items()):
        if alike and weight - alike[-1][0] <= near:
            alike[-1][1].append(i)
        else:
            alike.append((weight, [i]))
    reference = max(alike, key=lambda same: (len(same[1]), -same[0]))
    terms = [
        Term(one, tuple(i for i in one.choices if i in some), weight - reference[0])
        for weight, some in alike
        if weight != reference[0]
    ]
    terms.sort(key=lambda term: one.choices.index(term.inputs[0]))
    return float((low * own).sum()) + reference[0], terms


def is_switch(term: Term, whole: AnyNetwork) -> bool:
    """Tell whether a term has two values: its points, or none."""
    about, i = whole.surroundings, term.inputs[0]
    return term.is_condition or bool(about.two[i] and about.low[i] < about.high[i])


def points_of(term: Term, whole: AnyNetwork) -> tuple[int, float] | None:
    """Return the integer points of a term and the step of its column for which they are given."""
    if is_switch(term, whole):
        return _integer(term.weight, 1.0)
    i = term.inputs[0]
    for step in steps_near(float(whole.surroundings.scale[i]), whole.surroundings.integer[i]):
        found = _integer(term.weight * step, step)
        if found is not None:
            return found
    return None


def _integer(value: float, step: float) -> tuple[int, float] | None:
    points = round(value)
    if not 0 < abs(points) <= LARGEST or abs(value - points) > NEAR * abs(points):
        return None
    return points, step


def steps_near(scale: float, integer: bool) -> Iterable[float]:
    """Yield steps that a column may be counted in, those near its spread first; of integers 1 at first."""
    if integer:
        yield 1.0
    middle = int(np.floor(np.log10(scale))) if 0 < scale < np.inf else 0
    every = [float(f"{one}e{middle + more}") for more in range(-4, 5) for one in (1, 2, 5)]
    yield from sorted(every, key=lambda one: abs(np.log(one / scale)) if scale < np.inf else one)


def entry_of(term: Term, points: int, step: float, whole: AnyNetwork) -> Entry:
    name, about = term.attribute.name, whole.surroundings
    i = term.inputs[0]
    if is_switch(term, whole):
        text = (
            term.attribute.one_of(term.inputs)
            if term.is_condition
            else two_valued(term.attribute, i, True, float(about.low[i]), float(about.high[i]))
        )
        return Entry(name, text, points, f"[{text}]")
    if step == 1:
        return Entry(name, f"for each 1 of {name}", points, name)
    return Entry(name, f"for each {written(step)} of {name}", points, f"{name}/{written(step)}")


def is_counted(term: Term, step: float, whole: AnyNetwork) -> bool:
    """Tell whether a term is an integer in every row."""
    return is_switch(term, whole) or (step == 1 and bool(whole.surroundings.integer[term.inputs[0]]))
