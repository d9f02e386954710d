"""Grows one hidden layer shared by many classes until it makes no errors, and then makes it smaller again.

Each class has a linear output over the states of the hidden units, and the largest output is the answer.
Deviation: not in the paper, which makes several networks of two classes each out of a problem with more.

1. Begin with as many units as have a code for each class.
2. Add units trained one by one, on the errors left or on those of one class, up to the size.
3. From there and from random networks `climb`: anneal jointly and retrain, again while the errors fall.
4. If the errors have not fallen by the weight of a pattern, take the sure step.
5. The next size is the larger, the more errors the last units have left (`strides.stride`).
6. Without errors: drop spare units, then try sizes between the last two, and below (`_shrunk`).
7. Of networks of this size the one with the lowest soft cost is kept (`_polish`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from netlines.training.growth import Growth, Plan, Target, Watch, append_unit
from netlines.training.outputs import ArgmaxOutput
from netlines.training.refine import (
    JOINT,
    annealed,
    drop_spare_units,
    joint_from,
    joint_random,
    retrain,
)
from netlines.training.strides import shortened
from netlines.training.strides import stride as next_stride
from netlines.training.sure_step import sure_step
from netlines.training.task import Layer, Task
from netlines.training.threads import in_order


class Tuning(NamedTuple):
    """The tuned numbers of this growth."""

    few: float = 0.03  # share of the errors from which on more random networks are tried
    starts: int = 5  # their number
    alike: int = 3  # starts with the same fewest errors, after which no more are tried
    decays: tuple[float, float] = (1e-3, 1e-4)  # of the soft weights, in turn
    rounds: int = 6  # joint annealings with retraining, one after the other
    hopeless: float = 0.15  # share of the errors above which one round is enough to know
    polishes: int = 3  # random networks of the last size
    widest: int = 2  # the largest stride is the size over this


TUNED = Tuning()


def grow_shared(task: Task[ArgmaxOutput], plan: Plan, watch: Watch = lambda record, layer: False) -> Growth:
    """Grow a network until its errors weigh at most `plan.max_errors` or it has `plan.max_hidden` units.

    The first size is the smallest that has a code for each class; the next ones lie as far apart as the
    errors left advise. Each size must lower the errors by at least the smallest weight of a pattern, or the
    sure step is taken, which does: without a `max_hidden` the errors always vanish. Then smaller sizes are
    tried again. There is one record a size, and the errors fall from each to the next.

    Parameters
    ----------
    task : what is to be learnt
    plan : how
    watch : called with the record of each new size and the network so far; growth stops if it returns True
    """
    layer, stride = answer_always(task), fewest_units(task) if plan.refine else 1
    growth, stop = Growth(layer), False
    limit = np.inf if plan.max_hidden is None else plan.max_hidden
    while layer.errors > plan.max_errors and len(layer.hidden) < limit and not stop:
        size = int(min(limit, len(layer.hidden) + stride))
        start = _extended(task, plan, layer, size) if growth.trace or not plan.refine else None
        best = growth.best_of(_attempts(task, plan, start, size), plan.max_errors)
        if best is None or layer.errors - best.errors < task.least:
            rng = np.random.default_rng([plan.seed, size])
            best = sure_step(task, layer, rng, room=limit - len(layer.hidden))
        if best is None:
            break
        if best.errors <= plan.max_errors and plan.refine:
            best = _shrunk(task, plan, best, layer, growth)
            growth.trace = [record for record in growth.trace if record["n_hidden"] < len(best.hidden)]
        if plan.refine:
            stride = next_stride(layer, best, TUNED.widest)
        layer = growth.layer = best
        stop = growth.tell(task, len(layer.hidden), watch)
    if not growth.trace:  # nothing to learn, or no room for it
        growth.layer = _with_constant_unit(layer)
        growth.tell(task, 1, watch)
    elif layer.errors <= plan.max_errors and plan.refine:
        growth.layer = _polish(task, plan, layer, growth)
        growth.trace[-1]["errors"] = growth.layer.errors + task.unavoidable
    return growth


def answer_always(task: Task[ArgmaxOutput]) -> Layer:
    """Return the network without hidden units, which gives the same answer everywhere."""
    output = np.zeros((*task.answers.shape, 1))
    output[task.answers.costs.sum(axis=0).argmin()] = 1.0
    return task.layer(np.empty((0, task.n_inputs)), output, "the same answer always")


def fewest_units(task: Task[ArgmaxOutput]) -> int:
    """Return how many binary units have as many codes as there are answers to give."""
    return max(1, int(np.ceil(np.log2(len(np.unique(task.answers.labels))))))


def _targets(task: Task[ArgmaxOutput], layer: Layer, most: int = 3) -> list[Target]:
    """Name the targets that the next unit may learn, with the patterns that count for each."""
    paid = task.answers.costs_of(layer.codes, layer.output)
    wrong, labels = paid > 0, task.answers.labels
    targets = [("right or wrong", np.where(wrong, -1.0, 1.0), np.ones(len(wrong), dtype=bool))]
    missed = np.bincount(labels, paid, minlength=len(layer.output))
    for c in np.argsort(-missed, kind="stable")[:most]:
        own = labels == c
        targets.append((f"wrong of the class {c}", np.where(own, 1.0, -1.0), wrong == own))
    return targets


def _extended(task: Task[ArgmaxOutput], plan: Plan, layer: Layer, size: int) -> Layer | None:
    """Add trained units one by one up to a size, each time the one that leaves the fewest errors."""
    tried: list[Layer] = []
    while len(layer.hidden) < size:
        found = []
        for target in _targets(task, layer):
            for theta in (6.0, 2.0) if plan.refine else (6.0,):
                longer = append_unit(task, plan, layer, target, (theta,))
                if longer is not None:
                    found.append(longer)
            if found and not plan.refine:
                break
        if not found:
            return None
        layer = min(found, key=lambda one: one.errors)
        tried += found
    return layer.after(tried)


def _attempts(task: Task[ArgmaxOutput], plan: Plan, start: Layer | None, size: int) -> Iterator[Layer]:
    """Yield networks of a size, from a start and from random ones, more of these where few errors are left.

    Starts that all end with the same errors are a sign that it does not get better at this size.
    """
    if not plan.refine:
        if start is not None:
            yield start
        return
    fewest, alike = np.inf, 0

    def attempt_from(job: tuple[int, Layer | int]) -> Layer:
        k, given = job
        rng = np.random.default_rng([plan.seed, size, k])
        return climb(task, given, rng, k, plan.max_errors)

    first: list[tuple[int, Layer | int]] = [(0, size)]
    if start is not None:
        yield start
        first.insert(0, (100, start))
    for jobs in (first, [(k, size) for k in range(1, TUNED.starts)]):
        for attempt in in_order(attempt_from, jobs, plan.n_threads):
            alike = 1 if attempt.errors < fewest else alike + (attempt.errors == fewest)
            fewest = min(fewest, attempt.errors)
            yield attempt
            if alike == TUNED.alike:
                return
        if fewest > TUNED.few * task.weights.sum():
            return


def _shrunk(task: Task[ArgmaxOutput], plan: Plan, layer: Layer, failed: Layer, growth: Growth) -> Layer:
    """Search for a smaller network with as few errors as accepted."""
    layer = drop_spare_units(task, layer, plan.max_errors)
    low = max(len(failed.hidden), fewest_units(task) - 1)
    thorough = failed.errors <= TUNED.few * task.weights.sum()
    while len(layer.hidden) > low + 1 or (not thorough and len(layer.hidden) > fewest_units(task)):
        high = len(layer.hidden)
        size = (low + high) // 2 if high > low + 1 else high - 1
        best = growth.best_of(_attempts(task, plan, shortened(task, layer, size), size), plan.max_errors)
        if best is not None and best.errors <= plan.max_errors:
            layer = drop_spare_units(task, best, plan.max_errors)
            low = min(low, len(layer.hidden) - 1)
        elif size > low:
            low, thorough = size, True
        else:
            break
    return layer


def climb(
    task: Task[ArgmaxOutput],
    start: Layer | int,
    rng: np.random.Generator,
    first: int = 0,
    enough: float = 0.0,
) -> Layer:
    """Anneal a network jointly and retrain its units, again and again while that lowers the errors.

    Parameters
    ----------
    task : what is to be learnt
    start : a network, or the size of a random one
    rng : makes the random network and retrains
    first : which of the decays comes first
    enough : errors that are accepted
    """
    schedules = [JOINT._replace(decay=decay) for decay in TUNED.decays]
    if isinstance(start, Layer):
        layer = joint_from(task, start, schedules[first % 2])
    else:
        layer = joint_random(task, start, rng, schedules[first % 2])
    layer = retrain(task, layer, rng, sweeps=2)
    tried, stale = [layer], 0
    for k in range(TUNED.rounds):
        if layer.errors <= enough or layer.errors > TUNED.hopeless * task.weights.sum() or stale == 2:
            break
        again = joint_from(task, layer, schedules[k % 2])
        again = retrain(task, again, rng, sweeps=3)
        tried.append(again)
        stale = 0 if again.errors < layer.errors else stale + 1
        if again.errors <= layer.errors:
            layer = again
    return layer.after(tried)


def _with_constant_unit(layer: Layer) -> Layer:
    """Give a network without hidden units one that is always on, and no weight to it."""
    hidden = np.zeros((1, layer.hidden.shape[1]))
    hidden[0, 0] = 1.0
    return replace(
        layer,
        hidden=hidden,
        codes=np.ones((len(layer.codes), 1), dtype=np.int8),
        output=np.pad(layer.output, ((0, 0), (0, 1))),
    )


def _polish(task: Task[ArgmaxOutput], plan: Plan, layer: Layer, growth: Growth) -> Layer:
    """Among networks of this size and these errors choose the widest margins: the lowest soft cost."""
    best = layer
    run = partial(in_order, n_threads=plan.n_threads)
    for polished in annealed(task, layer, plan.seed, TUNED.polishes, run):
        growth.count(polished)
        if polished.errors <= layer.errors and (best is layer or polished.cost < best.cost):
            best = polished
    return best
