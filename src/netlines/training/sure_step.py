"""The steps that always work: one or two hyperplanes that put right more patterns than they spoil.

1. For each answer that is missing somewhere: what would giving it gain on each pattern?
2. Project the patterns on the directions of the hidden units and on some random ones.
3. On each find the half-line (one unit) or the interval (two) with the largest gain a unit.
4. Cut it out in the user's units, between two projections that rounding cannot exchange.
5. Give the new units the output weights that just change the answer inside and nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import normalised
from netlines.training.geometry import Geometry
from netlines.training.task import Layer, Task

DIRECTIONS = 30


class Slab(NamedTuple):
    """The patterns between two parallel hyperplanes, one of which may be at infinity."""

    gain: float  # weight of the errors that vanish, a unit
    answer: Any  # ±1, or the number of a class
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

    With an output for each of C classes, raising output c by enough on the half-line or the interval makes c
    the answer there and changes nothing elsewhere. What that gains on a pattern is what the present answer
    costs less what the answer c costs.

    Deviation: the Appendix's construction needs networks of its own making to start from, and stalls on
    binary inputs as printed; this one goes on from any network and any inputs.

    Returns None if `room` for two units is missing or double precision cannot tell the patterns apart.
    """
    answers, n = task.answers, len(layer.hidden)
    best = _best_slab(task, layer.hidden, answers.scores(layer.codes, layer.output), rng, room)
    if best is NOTHING:
        return None
    units, cuts = _cut(task, best)
    codes = np.hstack([layer.codes, task.states(cuts)])
    inside = (codes[:, n:] > 0).all(axis=1)
    push = answers.push(answers.sums(layer.codes, layer.output), best.answer, inside)
    output = np.concatenate([layer.output, np.repeat(push[..., None], len(units), axis=-1)], axis=-1)
    if len(units) == 1:
        output[..., 0] += push
    output, errors = answers.settled(codes, output)
    if errors >= layer.errors:
        return None
    hidden, folded = np.vstack([layer.hidden, units]), np.vstack([layer.user_weights(task), normalised(cuts)])
    return Layer(hidden, output, codes, errors, "sure step", folded=folded)


def _best_slab(
    task: Geometry,
    hidden: NDArray,
    scores: Iterable[tuple[Any, NDArray]],
    rng: np.random.Generator,
    room: float,
) -> Slab:
    """Find the best half-line or interval over the directions of the hidden units and some random ones.

    `scores` tells for some answers what giving it gains on each pattern.
    """
    random = rng.standard_normal((DIRECTIONS, task.n_inputs - 1))
    best = NOTHING
    for direction in np.vstack([hidden[:, 1:], random]):
        if direction.any():
            best = max(best, _best_along(task, scores, direction, room), key=lambda slab: slab.gain)
    return best


def _cut(task: Geometry, slab: Slab) -> tuple[NDArray, NDArray]:
    """Return the one or two units that are positive inside, over standardised inputs and in the user's units.

    In the user's units nothing is lost: beside the mean of a column of wide range cuts lose their digits.
    """
    direction, slopes = slab.direction, slab.direction / task.scale
    weights, largest = task.fold(np.append(0.0, direction))[0, 1:], np.abs(slopes).argmax()
    size, middle = weights[largest] / slopes[largest], direction @ (task.mean / task.scale)  # size of folding
    sides = [(side, bound) for side, bound in ((1.0, slab.low), (-1.0, slab.high)) if np.isfinite(bound)]
    units = [side * np.append(middle - bound / size, direction) for side, bound in sides]
    cuts = [side * np.append(-bound, weights) for side, bound in sides]
    return np.array([unit / np.sqrt(unit @ unit) for unit in units]), np.array(cuts)


def _best_along(
    task: Geometry, scores: Iterable[tuple[Any, NDArray]], direction: NDArray, room: float
) -> Slab:
    """Find the half-line or interval along a direction that gains most a unit."""
    projection, size = task.projections(direction)
    order = np.argsort(projection, kind="stable")
    p = projection[order]
    # Projections that rounding could exchange belong together.
    size = size[order]
    rounding = 8 * (task.n_inputs + 1) * np.finfo(float).eps * (size[1:] + size[:-1])
    last = np.flatnonzero(np.diff(p) > rounding)
    if not len(last):
        return NOTHING
    cuts, best = (p[last] + p[last + 1]) / 2, NOTHING
    for answer, score in scores:
        total = np.cumsum(score[order])
        below, everything = total[last], total[-1]
        most, least = int(below.argmax()), int(below.argmin())
        slabs = [
            Slab(float(below[most]), answer, direction, -np.inf, cuts[most]),
            Slab(float(everything - below[least]), answer, direction, cuts[least], np.inf),
        ]
        if len(last) > 1 and room >= 2:
            j = int((below[1:] - np.minimum.accumulate(below)[:-1]).argmax())
            i = int(below[: j + 1].argmin())
            slabs.append(Slab(float(below[j + 1] - below[i]) / 2, answer, direction, cuts[i], cuts[j + 1]))
        best = max(best, *slabs, key=lambda slab: slab.gain)
    return best
