"""The steps that always work: one or two hyperplanes that put right more patterns than they spoil."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import normalised, sign
from netlines.training.geometry import Geometry
from netlines.training.refine import Layer, Task
from netlines.training.shared.layer import ClassLayer, ClassTask, fit_codes

DIRECTIONS = 30


class Slab(NamedTuple):
    """The patterns between two parallel hyperplanes, one of which may be at infinity."""

    gain: float  # weight of the errors that vanish, a unit
    answer: int
    direction: NDArray
    low: float
    high: float


NOTHING = Slab(0.0, 0, np.empty(0), -np.inf, np.inf)


def sure_step(task: Task, layer: Layer, rng: np.random.Generator, room: float = np.inf) -> Layer | None:
    """Lower the errors of a network by at least the weight of one pattern with one or two new units.

    Project the patterns on a direction. A unit whose positive side is a half-line, with the weight c·C in
    the output and c·C added to its bias, makes the output c on that side and changes nothing on the other,
    if 2C exceeds the weighted sums of the output on that side. Two units do the same for an interval, with
    the weight c·C each. A wrong pattern of class c inside is put right, a right pattern of the other class
    is spoilt, the rest stays. An interval around a single wrong pattern gains its weight as long as no
    other pattern has the same projection, which is so for almost every direction. The best half-line or
    interval over the directions of the hidden units and some random ones is taken.

    Deviation: the Appendix's construction needs networks of its own making to start from, and stalls on
    binary inputs as printed; this one goes on from any network and any inputs.

    Returns None if `room` for two units is missing or double precision cannot tell the patterns apart.
    """
    wrong, weights = task.wrong(layer.codes, layer.output), task.weights
    scores = [
        (answer, np.where(wrong, weights * (task.targets == answer), -weights * (task.targets != answer)))
        for answer in (1, -1)
    ]
    best = _best_slab(task, layer.hidden, scores, rng, room)
    if best is NOTHING:
        return None
    units, cuts = _cut(task, best)
    hidden = np.vstack([layer.hidden, units])
    codes = np.hstack([layer.codes, sign(task.fields(cuts))])
    inside = (codes[:, -len(units) :] > 0).all(axis=1)
    fields = layer.output[0] + layer.codes @ layer.output[1:]
    push = best.answer * (max(0.0, (-best.answer * fields[inside]).max()) + np.abs(fields).mean()) / 2
    output = np.concatenate([layer.output, [push] * len(units)])
    if len(units) == 1:
        output[0] += push
    errors = task.errors(codes, output)
    if errors >= layer.errors:
        return None
    folded = np.vstack([layer.user_weights(task), normalised(cuts)])
    return Layer(hidden, output, codes, errors, "sure step", folded=folded)


def sure_class_step(
    task: ClassTask, layer: ClassLayer, rng: np.random.Generator, room: float = np.inf
) -> ClassLayer | None:
    """Lower the errors of a network with C outputs in the same way.

    Raising output c by enough on a half-line or an interval makes c the answer there and changes nothing
    elsewhere. What that gains on a pattern is what the present answer costs less what the answer c costs,
    and an interval around a single wrong pattern gains all that its answer costs.

    Returns None if `room` for two units is missing or double precision cannot tell the patterns apart.
    """
    paid = task.paid(layer.codes, layer.outputs)
    scores = [(c, paid - task.costs[:, c]) for c in np.unique(task.labels[paid > 0])]
    best = _best_slab(task, layer.hidden, scores, rng, room)
    if best is NOTHING:
        return None
    units, cuts = _cut(task, best)
    codes = np.hstack([layer.codes, sign(task.fields(cuts))])
    inside = (codes[:, -len(units) :] > 0).all(axis=1)
    fields = layer.outputs[:, 0] + layer.codes @ layer.outputs[:, 1:].T
    behind = fields.max(axis=1) - fields[:, best.answer]
    push = np.zeros((task.n_classes, 1))
    push[best.answer] = (behind[inside].max(initial=0.0) + behind.mean() + np.abs(fields).mean()) / 2
    if not push.any():
        push[best.answer] = 0.5
    outputs = np.hstack([layer.outputs, np.repeat(push, len(units), axis=1)])
    if len(units) == 1:
        outputs[:, 0] += push[:, 0]
    outputs, errors = fit_codes(task, codes, outputs)
    if errors >= layer.errors:
        return None
    hidden = np.vstack([layer.hidden, units])
    folded = np.vstack([layer.user_weights(task), normalised(cuts)])
    return ClassLayer(hidden, outputs, codes, errors, "sure step", folded=folded)


def _best_slab(
    task: Geometry,
    hidden: NDArray,
    scores: Iterable[tuple[int, NDArray]],
    rng: np.random.Generator,
    room: float,
) -> Slab:
    """Find the best half-line or interval over the directions of the hidden units and some random ones.

    `scores` tells for some answers what giving it gains on each pattern.
    """
    random = rng.standard_normal((DIRECTIONS, len(task.X) - 1))
    best = NOTHING
    for direction in np.vstack([hidden[:, 1:], random]):
        if direction.any():
            best = max(best, _best_along(task, scores, direction, room), key=lambda slab: slab.gain)
    return best


def _cut(task: Geometry, slab: Slab) -> tuple[NDArray, NDArray]:
    """Return the one or two units that are positive inside, over standardised inputs and in the user's units.

    In the user's units nothing is lost: beside the mean of a column of wide range cuts lose their digits.
    """
    sides = [(side, bound) for side, bound in ((1.0, slab.low), (-1.0, slab.high)) if np.isfinite(bound)]
    units = [_unit(task, side * slab.direction, side * bound) for side, bound in sides]
    weights = task.fold(np.append(0.0, slab.direction))[0]
    cuts = [np.append(-side * bound, side * weights[1:]) for side, bound in sides]
    return np.array(units), np.array(cuts)


def _unit(task: Geometry, direction: NDArray, bound: float) -> NDArray:
    """Return the unit that is positive where the folded projection on `direction` exceeds `bound`."""
    size = _size(task, direction)
    bias = direction @ (task.mean / task.scale) - bound / size
    unit = np.concatenate([[bias], direction])
    return np.asarray(unit / np.sqrt(unit @ unit))


def _size(task: Geometry, direction: NDArray) -> float:
    """Return by how much folding scales a direction."""
    slopes = direction / task.scale
    largest = np.abs(slopes).argmax()
    return float(task.fold(np.append(0.0, direction))[0, 1 + largest] / slopes[largest])


def _best_along(
    task: Geometry, scores: Iterable[tuple[int, NDArray]], direction: NDArray, room: float
) -> Slab:
    """Find the half-line or interval along a direction that gains most a unit."""
    weights = task.fold(np.append(0.0, direction))
    projection = task.rows @ weights[0, 1:]
    order = np.argsort(projection, kind="stable")
    p = projection[order]
    # Projections that rounding could exchange belong together.
    size = (np.abs(task.rows) @ np.abs(weights[0, 1:]))[order]
    rounding = 8 * (len(task.X) + 1) * np.finfo(float).eps * (size[1:] + size[:-1])
    last = np.flatnonzero(np.diff(p) > rounding)
    if not len(last):
        return NOTHING
    cuts = (p[last] + p[last + 1]) / 2
    best = NOTHING
    for answer, score in scores:
        total = np.cumsum(score[order])
        below, everything = total[last], total[-1]
        j = int(below.argmax())
        half = Slab(float(below[j]), answer, direction, -np.inf, cuts[j])
        best = max(best, half, key=lambda slab: slab.gain)
        j = int(below.argmin())
        half = Slab(float(everything - below[j]), answer, direction, cuts[j], np.inf)
        best = max(best, half, key=lambda slab: slab.gain)
        if len(last) > 1 and room >= 2:
            lowest = np.minimum.accumulate(below)[:-1]
            j = int((below[1:] - lowest).argmax())
            i = int(below[: j + 1].argmin())
            slab = Slab(float(below[j + 1] - below[i]) / 2, answer, direction, cuts[i], cuts[j + 1])
            best = max(best, slab, key=lambda slab: slab.gain)
    return best
