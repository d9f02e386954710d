"""What speaks for an answer and what against it, attribute by attribute.

The effect of an attribute is how much the log-odds of the answer would fall on average if the attribute had
the value of some training row instead of its own, and all others were as they are. Of one weighted sum that
is the weight times the distance from the average. A network without probabilities has the weighted sum
instead of log-odds if it is one unit, else the log-odds of its confidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import enough_digits, number_text, percent
from netlines.inspection.attributes import attributes_in, told_name, value_of, value_text
from netlines.network.attributes import BASE, Attribute
from netlines.network.probability import logarithms
from netlines.network.protocol import AnyNetwork

SMALL = 0.03  # parts of the largest effect: smaller ones are no reasons
SURE = 1e-12  # of a confidence: more is not told apart


@dataclass(frozen=True)
class Reason:
    """An attribute that speaks for an answer or against it.

    Attributes
    ----------
    name : str
    value : object
        As the table has it; None: missing.
    effect : float
        Above 0 if it speaks for the answer, see the module.
    text : str
        The attribute, its value, and what is usual.
    """

    name: str
    value: Any
    effect: float
    text: str


def reasons_of(network: AnyNetwork, row: NDArray, digits: int = 3) -> tuple[Reason, ...]:
    """Return the reasons of the answer to a row, the most important first.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.reasons import reasons_of
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> about = describe(np.array([[20.0, 90.0], [40.0, 150.0]]))
    >>> network = Network([[-140, 1, 1]], PASS_ON, [0, 1], feature_names=("age", "glucose"), background=about)
    >>> for reason in reasons_of(network, np.array([25.0, 160.0])):
    ...     print(f"{reason.effect:+.2f}", reason.text)
    +1.26 glucose 160 (average 120)
    -0.16 age 25 (average 30)
    """
    attributes = attributes_in(network, row)
    rows, weights, owners = [row], [0.0], [-1]
    for k, one in enumerate(attributes):
        for other, weight in _others(network, row, one):
            rows.append(other)
            weights.append(weight)
            owners.append(k)
    found = _evidence(network, np.array(rows))
    means = np.bincount(np.array(owners[1:], int), found[1:] * weights[1:], minlength=len(attributes))
    effects = found[0] - means
    large = SMALL * np.abs(effects).max(initial=0.0)
    order = np.argsort(-np.abs(effects), kind="stable")
    return tuple(
        Reason(
            told_name(attributes[k]),
            value_of(attributes[k], row),
            float(effects[k]),
            _text(network, row, attributes[k], digits),
        )
        for k in order.tolist()
        if abs(effects[k]) > large
    )


def _evidence(network: AnyNetwork, rows: NDArray) -> NDArray:
    """Return what speaks for the answer to the first row, shape (n,)."""
    number = int(network.answers(rows[:1])[0])
    if network.has_probability:
        scores = network.readout.by_class(network.scores(rows))
        if network.readout.flat(np.zeros((1, 1))).ndim == 1:  # two classes: log-odds already
            return np.asarray(scores[:, number])
        others = np.delete(scores, number, axis=1)
        top = others.max(axis=1)
        return np.asarray(scores[:, number] - top - np.log(np.exp(others - top[:, None]).sum(axis=1)))
    if network.scheme is None and network.parts[0].network.passes_on:
        weights = network.hidden_weights[0].astype(float)
        size = np.sqrt(((weights[1:] * network.surroundings.scale) ** 2).sum())
        return np.asarray(network.readout.by_class(network.decision(rows))[:, number] / (size or 1.0))
    from netlines.inspection.confidence import domain_weights
    from netlines.inspection.inputs import InputRows

    p = np.clip(domain_weights(network, rows.view(InputRows))[:, number], SURE, 1 - SURE)
    return logarithms(p) - logarithms(1 - p)


def _others(network: AnyNetwork, row: NDArray, one: Attribute) -> Iterator[tuple[NDArray, float]]:
    """Yield the row with other values of an attribute, and the share that each has in training.

    A number has two values with its mean, as far from it as it spreads and as its range allows.
    """
    about = network.surroundings
    gap = 0.0 if one.gap is None else float(about.mean[one.gap])
    if one.is_category:
        off, on = one.levels
        shares = {i: float(about.mean[i] - off) / (on - off) for i in one.inputs}
        if one.base is not None:
            shares[BASE] = max(1.0 - sum(shares.values()), 0.0)
        total = sum(shares.values()) or 1.0
        for choice, share in shares.items():
            other = row.copy()
            other[list(one.inputs)] = [on if i == choice else off for i in one.inputs]
            yield other, share / total
        return
    i = one.inputs[0]
    mean, low, high = float(about.mean[i]), float(about.low[i]), float(about.high[i])
    if not about.two[i]:
        low, high = max(low, mean - float(about.scale[i])), min(high, mean + float(about.scale[i]))
    for value, share in ((low, high - mean), (high, mean - low)):
        other = row.copy()
        other[i] = value
        if one.gap is not None:
            other[one.gap] = 0.0
        yield other, (1 - gap) * (share / (high - low) if high > low else 0.5)
    if one.gap is not None:
        other = row.copy()
        other[i], other[one.gap] = 0.0 if one.fill is None else one.fill, 1.0
        yield other, gap


def _text(network: AnyNetwork, row: NDArray, one: Attribute, digits: int) -> str:
    """Write an attribute and its value, and what is usual."""
    about = network.surroundings
    told = f"{told_name(one)} {value_text(one, row, about.scale, digits)}"
    if network.background is None:
        return told
    share = _share(network, row, one)
    if share is not None:
        return f"{told} (as {percent(share, 0)} of the rows)" if share >= 0.005 else f"{told} (rare)"
    i = one.inputs[0]
    mean = row.copy()
    mean[i] = about.mean[i]
    if one.gap is not None:
        mean[one.gap] = 0.0
    digits = enough_digits(float(mean[i]), float(about.scale[i]), digits)
    date = one.column is not None and one.column.part == "days"
    average = value_text(one, mean, about.scale, digits) if date else number_text(float(mean[i]), digits)
    return f"{told} (average {average})"


def _share(network: AnyNetwork, row: NDArray, one: Attribute) -> float | None:
    """Return how many training rows have the value of an attribute; None if it is a number."""
    about = network.surroundings
    if one.is_missing(row) and one.gap is not None:
        return float(about.mean[one.gap])
    if one.is_category:
        choice, (off, on) = one.choice(row), one.levels
        shares = {i: float(about.mean[i] - off) / (on - off) for i in one.inputs}
        return shares[choice] if choice in shares else max(1.0 - sum(shares.values()), 0.0)
    i = one.inputs[0]
    if about.two[i] and about.low[i] < about.high[i] and row[i] in (about.low[i], about.high[i]):
        high = float((about.mean[i] - about.low[i]) / (about.high[i] - about.low[i]))
        return high if row[i] == about.high[i] else 1.0 - high
    return None
