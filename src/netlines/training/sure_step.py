"""The steps that always work: one or two hyperplanes that put right more patterns than they spoil.

1. For each answer that is missing somewhere: what would giving it gain on each pattern?
2. Project the patterns on the directions of the hidden units and on some random ones.
3. On each find the half-line (one unit) or the interval (two) with the largest gain a unit.
4. Cut it out inside the frame, between two projections that rounding cannot exchange.
5. If rounding hides them all, do the same with twice the digits along single inputs, and along directions in
   which one wrong pattern and its neighbours are of ordinary size (`fine`).
6. Give the new units the output weights that just change the answer inside and nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.weights import normalised
from netlines.training.geometry import Geometry, unit_rows
from netlines.training.task import Layer, Task

DIRECTIONS = 30
ROOM = 900  # exponent of the largest products of inputs and slopes
AROUND, TURNS = 8, 6  # wrong patterns, and directions around each, that are looked at with twice the digits


class Slab(NamedTuple):
    """The patterns between two parallel hyperplanes, one of which may be at infinity."""

    gain: float  # weight of the errors that vanish, a unit
    answer: Any  # ±1, or the number of a class
    slopes: NDArray  # inside the frame
    low: float
    high: float


class Cuts(NamedTuple):
    """Where patterns can be divided along a direction.

    `order` (P,) sorts the patterns, `last` (K,) are the places before the gaps; the patterns above a gap are
    those with a projection of at least `low`, those below it of at most `high`, both (K,).
    """

    slopes: NDArray
    order: NDArray
    last: NDArray
    low: NDArray
    high: NDArray


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

    Returns None if `room` for two units is missing or no weights of double precision divide the patterns.
    """
    scores = list(task.answers.scores(layer.codes, layer.output))
    directions = np.vstack([layer.hidden[:, 1:], rng.standard_normal((DIRECTIONS, task.n_inputs - 1))])
    plain = (_plain_cuts(task, direction) for direction in directions if direction.any())
    step = _taken(task, layer, _best_slab(plain, scores, room), normalised)
    if step is None:
        wrong = task.answers.costs_of(layer.codes, layer.output)
        fine = (_fine_cuts(task, slopes) for slopes in _fine_directions(task, wrong, rng))
        step = _taken(task, layer, _best_slab(fine, scores, room), np.asarray)  # a norm would cost digits
    return step


def _best_slab(directions: Iterable[Cuts], scores: Sequence[tuple[Any, NDArray]], room: float) -> Slab:
    """Find the half-line or interval that gains most a unit, over some directions.

    `scores` tells for some answers what giving it gains on each pattern.
    """
    best = NOTHING
    for cuts in directions:
        best = max(best, _best_along(cuts, scores, room), key=lambda slab: slab.gain)
    return best


def _taken(task: Task, layer: Layer, best: Slab, norm: Callable[[NDArray], NDArray]) -> Layer | None:
    """Return the network with units that cut a slab out for its answer; None if that is no gain."""
    if best is NOTHING:
        return None
    answers, n = task.answers, len(layer.hidden)
    units, cuts = _cut(task, best)
    cuts = norm(cuts)
    codes = np.hstack([layer.codes, task.states(cuts)])
    inside = (codes[:, n:] > 0).all(axis=1)
    push = answers.push(answers.sums(layer.codes, layer.output), best.answer, inside)
    output = np.concatenate([layer.output, np.repeat(push[..., None], len(units), axis=-1)], axis=-1)
    if len(units) == 1:
        output[..., 0] += push
    output, errors = answers.settled(codes, output)
    if errors >= layer.errors:
        return None
    hidden, folded = np.vstack([layer.hidden, units]), np.vstack([layer.weights_in(task), cuts])
    return Layer(hidden, output, codes, errors, "sure step", folded=folded)


def _cut(task: Geometry, slab: Slab) -> tuple[NDArray, NDArray]:
    """Return the one or two units that are positive inside, over standardised inputs and inside the frame.

    Inside the frame nothing is lost: beside the mean of a column of wide range cuts lose their digits.
    """
    direction = np.where(slab.slopes == 0, 0.0, slab.slopes * np.where(slab.slopes == 0, 1.0, task.scale))
    middle = slab.slopes @ task.mean
    sides = [(side, bound) for side, bound in ((1.0, slab.low), (-1.0, slab.high)) if np.isfinite(bound)]
    units = [side * np.append(middle - bound, direction) for side, bound in sides]
    return unit_rows(np.array(units)), np.array(
        [side * np.append(-bound, slab.slopes) for side, bound in sides]
    )


def _plain_cuts(task: Geometry, direction: NDArray) -> Cuts:
    """Return the cuts along a direction over standardised inputs that rounding cannot move."""
    slopes, projection, size = task.projections(direction)
    order = np.argsort(projection, kind="stable")
    p = projection[order]
    # Projections that rounding could exchange belong together.
    size = size[order]
    rounding = 8 * (task.n_inputs + 1) * np.finfo(float).eps * (size[1:] + size[:-1])
    last = np.flatnonzero(np.diff(p) > rounding)
    middle = (p[last] + p[last + 1]) / 2
    return Cuts(slopes, order, last, middle, middle)


def _fine_cuts(task: Geometry, slopes: NDArray) -> Cuts:
    """Return the cuts along slopes inside the frame between any two projections, done with twice the digits.

    They are the gaps in which there is a number of double precision for the bias.
    """
    high, low = task.fine_projections(slopes)
    order = np.lexsort((low, high))
    high, low = high[order], low[order]
    middle = high[:-1] + (high[1:] - high[:-1]) / 2

    def above(bound: NDArray) -> NDArray:
        """Return the bound where it is above the lower and not above the upper projections, else NaN."""
        inside = (bound - high[:-1] > low[:-1]) & (bound - high[1:] <= low[1:])
        return np.where(inside, bound, np.nan)

    def below(bound: NDArray) -> NDArray:
        inside = (bound - high[:-1] >= low[:-1]) & (bound - high[1:] < low[1:])
        return np.where(inside, bound, np.nan)

    lows, highs = above(middle), below(middle)
    for bound in (high[:-1], high[1:], np.nextafter(high[:-1], np.inf), np.nextafter(high[1:], -np.inf)):
        lows, highs = (
            np.where(np.isnan(lows), above(bound), lows),
            np.where(np.isnan(highs), below(bound), highs),
        )
    last = np.flatnonzero(~np.isnan(lows) & ~np.isnan(highs))
    return Cuts(slopes, order, last, lows[last], highs[last])


def _fine_directions(task: Geometry, wrong: NDArray, rng: np.random.Generator) -> Iterator[NDArray]:
    """Yield slopes inside the frame: single inputs, and mixtures that suit the dearest of the wrong patterns.

    In the mixtures the inputs of that pattern are of the same size, or if they are 0 their neighbours.
    """
    _, largest = np.frexp(task.largest)
    yield from np.eye(len(task.scale))[np.isfinite(task.scale)]
    for k in np.argsort(-wrong, kind="stable")[:AROUND]:
        own, nearest = task.sizes_at(int(k))
        varies = np.isfinite(nearest)
        for size in (np.maximum(own, nearest), nearest):
            _, exponent = np.frexp(np.where(varies, size, 1.0))
            exponent = np.maximum(exponent, largest - ROOM)
            for turn in rng.standard_normal((TURNS, len(size))):
                # Few digits leave room for those of the inputs in the products.
                yield np.where(varies, np.ldexp(np.rint(2.0**12 * turn), -exponent), 0.0)


def _best_along(cuts: Cuts, scores: Sequence[tuple[Any, NDArray]], room: float) -> Slab:
    """Find the half-line or interval along a direction that gains most a unit."""
    slopes, order, last, low, high = cuts
    best = NOTHING
    if not len(last):
        return NOTHING
    for answer, score in scores:
        total = np.cumsum(score[order])
        below, everything = total[last], total[-1]
        most, least = int(below.argmax()), int(below.argmin())
        slabs = [
            Slab(float(below[most]), answer, slopes, -np.inf, high[most]),
            Slab(float(everything - below[least]), answer, slopes, low[least], np.inf),
        ]
        if len(last) > 1 and room >= 2:
            j = int((below[1:] - np.minimum.accumulate(below)[:-1]).argmax())
            i = int(below[: j + 1].argmin())
            slabs.append(Slab(float(below[j + 1] - below[i]) / 2, answer, slopes, low[i], high[j + 1]))
        best = max(best, *slabs, key=lambda slab: slab.gain)
    return best
