"""Recognises networks of two classes whose answer is a total of integer points.

1. Units of one slope each with integers over them: points for conditions.
2. One unit: points for columns, in whole steps, and for categories.
3. Parallel units: the same, and the answer changes at several totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.scorecard.terms import (
    LARGEST,
    entry_of,
    is_counted,
    is_switch,
    plain_terms,
    points_of,
    shortest,
    two_valued,
    written,
)
from netlines.inspection.scorecard.totals import NEAR, Constant, Entry, OfConditions, OfSum, Total
from netlines.network.attributes import Attribute, Term, attributes_of
from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork

MOST_TOTALS = 400  # that are listed


def find_total(network: Network, whole: AnyNetwork) -> Total | None:
    """Return a network of two classes as a total of points; None if it is none.

    Parameters
    ----------
    network : the network
    whole : what it is a part of, which knows the training rows and the table
    """
    slopes = network.hidden_weights[:, 1:]
    if network.passes_on and not slopes.any():
        return Constant(network, (), (), (bool(network.hidden_weights[0, 0] >= 0),), (0.0,), True)
    if not slopes.any(axis=1).all():
        return None
    if (np.count_nonzero(slopes, axis=1) == 1).all():
        found = of_conditions(network, whole)
        if found is not None:
            return found
    parallel = len(slopes) == 1 or bool((np.abs(slopes - slopes[0]) <= NEAR * np.abs(slopes[0])).all())
    return of_sum(network, whole) if parallel else None


def of_conditions(network: Network, whole: AnyNetwork) -> Total | None:
    """Return points for conditions; None if the output weights are no integers up to 99."""
    output = np.array([0.0, 1.0]) if network.passes_on else network.output_weights[0]
    points = np.rint(output[1:])
    if (
        np.abs(output[1:] - points).max() > 0
        or not 0 < np.abs(points).max() <= LARGEST
        or (points == 0).any()
    ):
        return None
    cut = ceil((points.sum() - output[0]) / 2)
    attributes = attributes_of(whole)
    columns = np.abs(network.hidden_weights[:, 1:]).argmax(axis=1)
    entries = []
    for unit, i, own in zip(network.weights_about_zero, columns, points, strict=True):
        attribute, text = _condition(unit, int(i), attributes, whole)
        entries.append(Entry(attribute.name, text, int(own), f"[{text}]"))
    return OfConditions(
        network, tuple(entries), (cut,), (False, True), _possible(network, columns, points, attributes), True
    )


def _condition(
    unit: NDArray, i: int, attributes: Sequence[Attribute], whole: AnyNetwork
) -> tuple[Attribute, str]:
    """Return the attribute of a unit of one slope, and when the unit is +1 in words."""
    attribute = next(one for one in attributes if i in one.inputs)
    about, slope = whole.surroundings, float(unit[i + 1])
    at, up = -float(unit[0]) / slope, slope > 0
    low, high = float(about.low[i]), float(about.high[i])
    if about.two[i] and low < at <= high:
        return attribute, two_valued(attribute, i, up, low, high)
    if about.integer[i]:
        return attribute, f"{attribute.name} ≥ {ceil(at)}" if up else f"{attribute.name} ≤ {floor(at)}"
    number = shortest(at, float(about.scale[i]))
    above = number >= at  # the unit changes at the number itself, or just before it
    sign = ("≥" if above else ">") if up else ("<" if number > at else "≤")
    return attribute, f"{attribute.name} {sign} {written(number)}"


def of_sum(network: Network, whole: AnyNetwork) -> Total | None:
    """Return points for columns; None if they are no integers up to 99, or the cuts are none."""
    bias, terms = plain_terms(network, whole)
    scaled = [points_of(term, whole) for term in terms]
    if not terms or any(one is None for one in scaled):
        return None
    entries = [
        entry_of(term, *one, whole) for term, one in zip(terms, scaled, strict=True) if one is not None
    ]
    counted = all(is_counted(term, one[1], whole) for term, one in zip(terms, scaled, strict=True) if one)
    about = network.weights_about_zero[:, 0]
    biases = about - about[0] + bias
    at = -biases
    order = np.argsort(at, kind="stable")
    cuts = [ceil(one - NEAR) for one in at[order]] if counted else [round(one) for one in at[order]]
    if not counted and any(
        abs(cut - one) > NEAR * max(1.0, abs(one)) for cut, one in zip(cuts, at[order], strict=True)
    ):
        return None
    codes = -np.ones((len(at) + 1, len(at)))
    for k, unit in enumerate(order):
        codes[k + 1 :, unit] = 1.0
    answers = tuple(bool(one) for one in network.answers_of_codes(codes))
    possible = _range(terms, scaled, whole, counted)
    own = OfSum(
        network, tuple(entries), tuple(cuts), answers, possible, counted, biases=tuple(biases.tolist())
    )
    return own


def _range(
    terms: list[Term], scaled: Sequence[tuple[int, float] | None], whole: AnyNetwork, counted: bool
) -> tuple[float, ...]:
    """Return the totals that are possible, or the lowest and the highest."""
    about = whole.surroundings
    by_attribute: dict[str, set[float]] = {}
    ends = [0.0, 0.0]
    for term, one in zip(terms, scaled, strict=True):
        assert one is not None
        points, step = one
        i = term.inputs[0]
        if is_switch(term, whole):
            values = {0.0, float(points)}
            by_attribute.setdefault(term.attribute.name, {0.0}).update(values)
            ends = [ends[0] + min(values), ends[1] + max(values)]
            continue
        low, high = (points * float(end[i]) / step for end in (about.low, about.high))
        ends = [ends[0] + min(low, high), ends[1] + max(low, high)]
        if counted and np.isfinite(low + high) and abs(high - low) <= MOST_TOTALS * abs(points):
            count = round(abs(high - low) / abs(points))
            by_attribute[term.attribute.name] = {min(low, high) + k * abs(points) for k in range(count + 1)}
    if not counted or not np.isfinite(ends).all():
        return tuple(ends)
    return _sums(by_attribute.values()) or tuple(ends)


def _possible(
    network: Network, columns: NDArray, points: NDArray, attributes: Sequence[Attribute]
) -> tuple[float, ...]:
    """Return the totals that conditions can add up to, each column having one value."""
    by_attribute = []
    for attribute in attributes:
        own = [k for k, i in enumerate(columns) if i in attribute.inputs]
        if not own:
            continue
        if attribute.is_category:
            signs = np.sign([network.hidden_weights[k, columns[k] + 1] for k in own])
            off = sum(points[k] for k, sign in zip(own, signs, strict=True) if sign < 0)
            values = {off + s * points[k] for k, s in zip(own, signs, strict=True)} | {off}
        else:
            bounds = network.weights_about_zero
            places = [-bounds[k, 0] / bounds[k, columns[k] + 1] for k in own]
            trials = [
                -np.inf,
                *(one + side for one in places for side in (-1e-9 * max(1, abs(one)), 0.0)),
                np.inf,
            ]
            up = [network.hidden_weights[k, columns[k] + 1] > 0 for k in own]
            values = set()
            for x in trials:
                on = [
                    (x >= place) if above else (x <= place) for place, above in zip(places, up, strict=True)
                ]
                values.add(float(sum(points[k] for k, yes in zip(own, on, strict=True) if yes)))
        by_attribute.append(values)
    return _sums(by_attribute)


def _sums(parts: Iterable[set[float]]) -> tuple[float, ...]:
    """Return all sums of one number of each set, in increasing order; none if they are too many."""
    found = {0.0}
    for part in parts:
        found = {a + b for a in found for b in part}
        if len(found) > MOST_TOTALS:
            return ()
    return tuple(sorted(found))
