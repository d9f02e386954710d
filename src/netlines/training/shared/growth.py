"""Grows one hidden layer shared by many classes until it makes no errors, and then makes it smaller again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.training.growth import Growth, Plan, Watch, train
from netlines.training.shared.layer import ClassLayer, ClassTask, drop_spare_units, fit_codes, shortened
from netlines.training.shared.refine import climb, joint_from, joint_random
from netlines.training.sure_step import sure_class_step
from netlines.training.threads import in_order

FEW = 0.03  # share of the errors from which on more random networks are tried
STARTS = 5  # their number
ALIKE = 3  # starts with the same fewest errors, after which no more are tried
POLISHES = 3


def grow_shared(
    task: ClassTask, plan: Plan, watch: Watch = lambda record, layer: False
) -> Growth[ClassLayer]:
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
    least = task.weights.min() * (1 - 1e-9)
    limit = np.inf if plan.max_hidden is None else plan.max_hidden
    while layer.errors > plan.max_errors and len(layer.hidden) < limit and not stop:
        size = int(min(limit, len(layer.hidden) + stride))
        start = _extended(task, plan, layer, size) if growth.trace or not plan.refine else None
        best = _best_of(_attempts(task, plan, start, size), plan, growth)
        if best is None or best.errors > layer.errors - least:
            rng = np.random.default_rng([plan.seed, size])
            best = sure_class_step(task, layer, rng, room=limit - len(layer.hidden))
        if best is None:
            break
        if best.errors <= plan.max_errors and plan.refine:
            best = _shrunk(task, plan, best, layer, growth)
            growth.trace = [record for record in growth.trace if record["n_hidden"] < len(best.hidden)]
        if plan.refine:
            stride = _stride(layer, best)
        layer = growth.layer = best
        stop = growth.tell(task, len(layer.hidden), watch)
    if not growth.trace:  # nothing to learn, or no room for it
        growth.layer = _with_constant_unit(layer)
        growth.tell(task, 1, watch)
    elif layer.errors <= plan.max_errors and plan.refine:
        growth.layer = _polish(task, plan, layer, growth)
        growth.trace[-1]["errors"] = growth.layer.errors + task.unavoidable
    return growth


def answer_always(task: ClassTask) -> ClassLayer:
    """Return the network without hidden units, which gives the same answer everywhere."""
    codes, outputs = np.empty((len(task.costs), 0)), np.zeros((task.n_classes, 1))
    outputs[task.costs.sum(axis=0).argmin()] = 1.0
    hidden = np.empty((0, len(task.X)))
    return ClassLayer(hidden, outputs, codes, task.errors(codes, outputs), "the same answer always")


def fewest_units(task: ClassTask) -> int:
    """Return how many binary units have as many codes as there are answers to give."""
    return max(1, int(np.ceil(np.log2(len(np.unique(task.labels))))))


def append_unit(
    task: ClassTask,
    plan: Plan,
    layer: ClassLayer,
    target: tuple[str, NDArray, NDArray],
    thetas: tuple[float, ...],
) -> ClassLayer | None:
    """Train one more hidden unit and refit the outputs; None if the unit tells nothing new."""
    name, targets, use = target
    if abs(targets[use].sum()) == use.sum():
        return None
    X = np.ascontiguousarray(task.X[:, use] * targets[use].astype(task.X.dtype))
    unit = train(plan, X, task.weights[use], thetas)
    hidden = task.seat(unit.weights[None])
    code = task.codes(hidden)
    if abs(code.sum()) == len(code) or (np.abs(layer.codes.T @ code) == len(code)).any():
        return None
    codes = np.hstack([layer.codes, code])
    outputs, errors = fit_codes(task, codes, np.pad(layer.outputs, ((0, 0), (0, 1))))
    folded = np.vstack([layer.user_weights(task), task.fold(hidden)])
    hidden = np.vstack([layer.hidden, hidden])
    found = ClassLayer(hidden, outputs, codes, errors, name, unit.errors, unit.beta, folded=folded)
    return replace(found, epochs=unit.epochs, updates=unit.epochs * len(unit.weights))


def _targets(task: ClassTask, layer: ClassLayer, most: int = 3) -> list[tuple[str, NDArray, NDArray]]:
    """Name the targets that the next unit may learn, with the patterns that count for each."""
    paid = task.paid(layer.codes, layer.outputs)
    wrong = paid > 0
    targets = [("right or wrong", np.where(wrong, -1.0, 1.0), np.ones(len(wrong), dtype=bool))]
    missed = np.bincount(task.labels, paid, minlength=task.n_classes)
    for c in np.argsort(-missed, kind="stable")[:most]:
        own = task.labels == c
        targets.append((f"wrong of the class {c}", np.where(own, 1.0, -1.0), wrong == own))
    return targets


def _extended(task: ClassTask, plan: Plan, layer: ClassLayer, size: int) -> ClassLayer | None:
    """Add trained units one by one up to a size, each time the one that leaves the fewest errors."""
    epochs = updates = 0
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
        epochs += sum(one.epochs for one in found)
        updates += sum(one.updates for one in found)
    return replace(layer, epochs=epochs, updates=updates)


def _attempts(task: ClassTask, plan: Plan, start: ClassLayer | None, size: int) -> Iterator[ClassLayer]:
    """Yield networks of a size, from a start and from random ones, more of these where few errors are left.

    Starts that all end with the same errors are a sign that it does not get better at this size.
    """
    if not plan.refine:
        if start is not None:
            yield start
        return
    fewest, alike = np.inf, 0

    def attempt_from(job: tuple[int, ClassLayer | int]) -> ClassLayer:
        k, given = job
        rng = np.random.default_rng([plan.seed, size, k])
        return climb(task, given, rng, k, plan.max_errors)

    first: list[tuple[int, ClassLayer | int]] = [(0, size)]
    if start is not None:
        yield start
        first.insert(0, (100, start))
    for attempt in in_order(attempt_from, first, plan.n_threads):
        alike = 1 if attempt.errors < fewest else alike + (attempt.errors == fewest)
        fewest = min(fewest, attempt.errors)
        yield attempt
    if fewest > FEW * task.weights.sum():
        return
    for attempt in in_order(attempt_from, [(k, size) for k in range(1, STARTS)], plan.n_threads):
        alike = 1 if attempt.errors < fewest else alike + (attempt.errors == fewest)
        fewest = min(fewest, attempt.errors)
        yield attempt
        if alike == ALIKE:
            return


def _best_of(attempts: Iterator[ClassLayer], plan: Plan, growth: Growth[ClassLayer]) -> ClassLayer | None:
    """Return the attempt with the fewest errors; leave as soon as they are few enough."""
    best: ClassLayer | None = None
    for attempt in attempts:
        growth.count(attempt)
        if best is None or attempt.errors < best.errors:
            best = attempt
        if best.errors <= plan.max_errors:
            break
    return best


def _stride(before: ClassLayer, after: ClassLayer) -> int:
    """Return how many units to add next: half as many as the fall of the errors lets expect to be missing."""
    added, size = len(after.hidden) - len(before.hidden), len(after.hidden)
    missing = after.errors * added / (before.errors - after.errors)
    return int(np.clip(missing / 2, 1, max(1, size // 2)))


def _shrunk(
    task: ClassTask, plan: Plan, layer: ClassLayer, failed: ClassLayer, growth: Growth[ClassLayer]
) -> ClassLayer:
    """Search for a smaller network with as few errors as accepted."""
    layer = drop_spare_units(task, layer, plan.max_errors)
    low = max(len(failed.hidden), fewest_units(task) - 1)
    thorough = failed.errors <= FEW * task.weights.sum()
    while len(layer.hidden) > low + 1 or (not thorough and len(layer.hidden) > fewest_units(task)):
        high = len(layer.hidden)
        size = (low + high) // 2 if high > low + 1 else high - 1
        best = _best_of(_attempts(task, plan, shortened(task, layer, size), size), plan, growth)
        if best is not None and best.errors <= plan.max_errors:
            layer = drop_spare_units(task, best, plan.max_errors)
            low = min(low, len(layer.hidden) - 1)
        elif size > low:
            low, thorough = size, True
        else:
            break
    return layer


def _with_constant_unit(layer: ClassLayer) -> ClassLayer:
    """Give a network without hidden units one that is always on, and no weight to it."""
    hidden = np.zeros((1, layer.hidden.shape[1]))
    hidden[0, 0] = 1.0
    return replace(
        layer,
        hidden=hidden,
        codes=np.ones((len(layer.codes), 1)),
        outputs=np.pad(layer.outputs, ((0, 0), (0, 1))),
    )


def _polish(task: ClassTask, plan: Plan, layer: ClassLayer, growth: Growth[ClassLayer]) -> ClassLayer:
    """Among networks of this size and these errors choose the widest margins: the lowest soft cost."""
    size = len(layer.hidden)

    def anneal(k: int) -> ClassLayer:
        if k == 0:
            return joint_from(task, layer, iterations=150)
        rng = np.random.default_rng([plan.seed, size, 200 + k])
        return joint_random(task, size, rng, iterations=150)

    best = layer
    for polished in in_order(anneal, range(1 + POLISHES), plan.n_threads):
        growth.count(polished)
        if polished.errors <= layer.errors and (best is layer or polished.cost < best.cost):
            best = polished
    return best
