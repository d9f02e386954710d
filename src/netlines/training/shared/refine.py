"""Improves a network for many classes at a fixed number of hidden units: joint annealing, retraining."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.training.geometry import unit_rows
from netlines.training.refine import DECAY, GAINS, ITERATIONS, moved_unit
from netlines.training.shared.layer import ClassLayer, ClassTask, fit_codes, paid, shares

DECAYS = (1e-3, 1e-4)  # of the soft weights, in turn
ROUNDS = 6  # joint annealings with retraining, one after the other
HOPELESS = 0.15  # share of the errors above which one round is enough to know


def joint(
    task: ClassTask,
    hidden: NDArray,
    outputs: NDArray,
    origin: str,
    iterations: int = ITERATIONS,
    decay: float = DECAY,
) -> ClassLayer:
    """Anneal all weights together as a soft network, harden its units to signs, refit the outputs."""
    from netlines.training._softmax import cool, split

    h, c = len(hidden), len(outputs)
    T, share = shares(task.costs)
    w = np.concatenate([hidden.ravel(), outputs.ravel()])
    w, cost, passes = cool(task.X, T, share, w, h, GAINS, decay, iterations)
    hidden, outputs = split(w, h, c)
    hidden = task.seat(unit_rows(hidden))
    codes = task.codes(hidden)
    outputs, errors = fit_codes(task, codes, outputs)
    updates = passes * len(w)
    return ClassLayer(hidden, outputs, codes, errors, origin, cost=cost, epochs=passes, updates=updates)


def joint_from(
    task: ClassTask,
    layer: ClassLayer,
    iterations: int = ITERATIONS,
    decay: float = DECAY,
) -> ClassLayer:
    """Anneal an existing network jointly."""
    outputs = layer.outputs * (2.0 / max(np.abs(layer.outputs).max(), 1e-12))
    return joint(task, layer.hidden, outputs, "joint annealing", iterations, decay)


def joint_random(
    task: ClassTask, h: int, rng: np.random.Generator, iterations: int = ITERATIONS, decay: float = DECAY
) -> ClassLayer:
    """Anneal a random network of h units jointly."""
    from netlines.training._softmax import random_start, split

    start = random_start(h, len(task.X), task.n_classes, rng)
    return joint(task, *split(start, h, task.n_classes), "random start", iterations, decay)


def retrain(task: ClassTask, layer: ClassLayer, rng: np.random.Generator, sweeps: int = 4) -> ClassLayer:
    """Retrain one unit at a time on the patterns whose cost depends on it, and refit the outputs."""
    for _ in range(sweeps):
        for k in rng.permutation(len(layer.hidden)):
            layer = _retrain_unit(task, layer, int(k), rng)
            if layer.errors == 0:
                return layer
        outputs, errors = fit_codes(task, layer.codes, layer.outputs)
        if errors < layer.errors:
            layer = replace(layer, outputs=outputs, errors=errors)
    return layer


def _retrain_unit(task: ClassTask, layer: ClassLayer, k: int, rng: np.random.Generator) -> ClassLayer:
    push = layer.outputs[:, k + 1]
    others = layer.outputs[:, 0] + layer.codes @ layer.outputs[:, 1:].T - np.outer(layer.codes[:, k], push)
    gain = paid(task.costs, others - push, layer.outputs) - paid(task.costs, others + push, layer.outputs)
    matters = gain != 0
    if not matters.any():
        return layer
    gain = gain[matters]
    hidden, codes, folded, steps = moved_unit(task, layer, k, matters, np.sign(gain), np.abs(gain), rng)
    errors = task.errors(codes, layer.outputs)
    counted = replace(layer, epochs=layer.epochs + steps, updates=layer.updates + steps * len(task.X))
    if errors > layer.errors:
        return counted
    return replace(counted, hidden=hidden, codes=codes, errors=errors, folded=folded)


def climb(
    task: ClassTask, start: ClassLayer | int, rng: np.random.Generator, first: int = 0, enough: float = 0.0
) -> ClassLayer:
    """Anneal a network jointly and retrain its units, again and again while that lowers the errors.

    Parameters
    ----------
    task : what is to be learnt
    start : a network, or the size of a random one
    rng : makes the random network and retrains
    first : which of `DECAYS` comes first
    enough : errors that are accepted
    """
    decay = DECAYS[first % 2]
    if isinstance(start, ClassLayer):
        layer = joint_from(task, start, decay=decay)
    else:
        layer = joint_random(task, start, rng, decay=decay)
    layer = retrain(task, layer, rng, sweeps=2)
    epochs, updates, stale = layer.epochs, layer.updates, 0
    for k in range(ROUNDS):
        if layer.errors <= enough or layer.errors > HOPELESS * task.weights.sum() or stale == 2:
            break
        again = joint_from(task, layer, decay=DECAYS[k % 2])
        again = retrain(task, again, rng, sweeps=3)
        epochs, updates = epochs + again.epochs, updates + again.updates
        stale = 0 if again.errors < layer.errors else stale + 1
        if again.errors <= layer.errors:
            layer = again
    return replace(layer, epochs=epochs, updates=updates)
