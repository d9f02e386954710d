"""Grows a wide network by several units at a time: how many, from where, and back to fewer at the end.

Beside many units one more changes little, and what one size has learnt helps the next.

1. Add half as many units as the fall of the errors lets expect to be missing, at random (`stride`).
2. Climb: anneal all units jointly and retrain each, again and again while the errors fall.
3. Without errors: try sizes between the last two, from the network without the units that it misses least.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from netlines.training import soft
from netlines.training.geometry import unit_rows
from netlines.training.refine import JOINT, joint_from, retrain, without
from netlines.training.task import Layer, Task


class Tuning(NamedTuple):
    """The tuned numbers of this growth."""

    first: soft.Schedule = JOINT._replace(gains=(1.0, 2.0, 4.0, 8.0, 16.0))
    again: soft.Schedule = JOINT._replace(gains=(2.0, 4.0, 8.0, 16.0))
    sweeps: int = 2  # of retraining after each joint annealing
    rounds: tuple[int, int] = (1, 3)  # more joint annealings while the errors fall: of many errors, of few
    few: float = 0.02  # share of the weight of all patterns
    widest: int = 3  # the largest stride is the size over this
    weight: float = 0.25  # of a new unit in the output, in the largest one


TUNED = Tuning()


def stride(before: Layer, after: Layer, widest: int = TUNED.widest) -> int:
    """Return how many units to add next: half as many as the fall of the errors lets expect to be missing."""
    added, size = len(after.hidden) - len(before.hidden), len(after.hidden)
    missing = after.errors * added / (before.errors - after.errors)
    return int(np.clip(missing / 2, 1, max(1, size // widest)))


def widened(task: Task, layer: Layer, size: int, seed: int, enough: float) -> Layer:
    """Return a larger network that has climbed from a given one with random units beside its own.

    Deviation: the paper adds one unit at a time and never touches the others again.
    """
    rng = np.random.default_rng([seed, size, 600])
    added = unit_rows(rng.standard_normal((size - len(layer.hidden), task.n_inputs)))
    push = TUNED.weight * np.abs(layer.output).max() * rng.standard_normal(len(added))
    hidden, output = np.vstack([layer.hidden, added]), np.append(layer.output, push)
    return climb(task, task.layer(hidden, output, "random units beside"), rng, enough)


def climb(task: Task, start: Layer, rng: np.random.Generator, enough: float) -> Layer:
    """Anneal a network jointly and retrain its units, again and again while that lowers the errors."""

    def turn(layer: Layer, schedule: soft.Schedule) -> Layer:
        layer = joint_from(task, layer, schedule)
        return layer if layer.errors <= enough else retrain(task, layer, rng, TUNED.sweeps)

    best = turn(start, TUNED.first)
    tried = [best]
    while best.errors > enough:
        few = best.errors <= TUNED.few * task.weights.sum()
        if len(tried) > TUNED.rounds[int(few)]:
            break
        tried.append(turn(best, TUNED.again))
        if tried[-1].errors >= best.errors:
            break
        best = tried[-1]
    return best.after(tried)


def shortened(task: Task, layer: Layer, size: int) -> Layer:
    """Leave out the hidden units that are missed least, down to a size, and refit the outputs."""
    while len(layer.hidden) > size:
        found = [without(task, layer, k) for k in range(len(layer.hidden))]
        layer = min(found, key=lambda one: one.errors)
    output, errors = task.answers.settled(layer.codes, layer.output)
    return replace(layer, output=output, errors=errors, epochs=0, updates=0)


def shrunk(task: Task, layer: Layer, failed: int, seed: int, enough: float, count: Callable) -> Layer:
    """Search for a network as good as this one, with fewer units but more than the size that failed.

    `count` is called with each network that was tried.
    """
    while len(layer.hidden) > failed + 1:
        size = (failed + len(layer.hidden)) // 2
        rng = np.random.default_rng([seed, size, 700])
        shorter = count(climb(task, shortened(task, layer, size), rng, enough))
        if shorter.errors <= enough:
            layer = shorter
        else:
            failed = size
    return layer
