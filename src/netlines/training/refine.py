"""The moves on a whole network at a fixed size or a smaller one, for any output.

1. Joint annealing: all weights as a soft network; its units are hardened to signs, the output is refitted.
2. Retraining: one unit at a time, on the patterns where its state makes a difference.
3. Leaving out: units without which the errors stay as few as accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.training import soft
from netlines.training.geometry import unit_rows
from netlines.training.task import ALONE, Layer, Task

JOINT = soft.Schedule(gains=(1.0, 2.0, 4.0, 8.0), decay=1e-4, steps=60)
LONG = JOINT._replace(steps=150)
RETRAINING = np.geomspace(3.0, 200.0, 200)
THETAS = (2.0, 6.0)  # of retraining, by chance


def joint(
    task: Task, hidden: NDArray, output: NDArray, origin: str, schedule: soft.Schedule = JOINT
) -> Layer:
    """Anneal all weights together as a soft network, harden its units to signs, refit the output.

    Deviation: not in the paper, whose hidden units are never touched again once they are trained.
    """
    w = np.concatenate([hidden.ravel(), output.ravel()])
    targets, share = task.answers.soft_targets()
    w, cost, passes = task.cool(targets, share, w, len(hidden), schedule)
    hidden, output = w[: hidden.size].reshape(hidden.shape), w[hidden.size :].reshape(output.shape)
    return hardened(task, hidden, output, origin, cost, passes, passes * len(w))


def hardened(
    task: Task,
    hidden: NDArray,
    output: NDArray,
    origin: str,
    cost: float = np.inf,
    epochs: int = 0,
    updates: int = 0,
) -> Layer:
    """Return the network of signs of a soft one, its hyperplanes between patterns, its output refitted."""
    hidden, folded, codes = task.placed(unit_rows(hidden))
    output, errors, more = task.answers.fit(codes, output)
    epochs, updates = epochs + more, updates + more * output.size
    more = {"cost": cost, "epochs": epochs, "updates": updates, "folded": folded}
    return Layer(hidden, output, codes, errors, origin, **more)


def joint_from(task: Task, layer: Layer, schedule: soft.Schedule = JOINT) -> Layer:
    """Anneal an existing network jointly."""
    output = layer.output * (2.0 / max(np.abs(layer.output).max(), 1e-12))
    return joint(task, layer.hidden, output, "joint annealing", schedule)


def joint_random(task: Task, h: int, rng: np.random.Generator, schedule: soft.Schedule = JOINT) -> Layer:
    """Anneal a random network of h units jointly."""
    shape = task.answers.shape
    hidden, output = soft.split(
        soft.start(h, task.n_inputs, int(np.prod(shape)), rng), h, int(np.prod(shape))
    )
    return joint(task, hidden, output.reshape(*shape, h + 1), "random start", schedule)


def annealed(
    task: Task, layer: Layer, seed: int, n: int, run: Callable = map, begin: int = 0
) -> Iterator[Layer]:
    """Anneal a network for long, and n random ones of its size: they compete by their soft cost.

    With `begin` the first ones of these are left out.
    """
    size = len(layer.hidden)

    def anneal(k: int) -> Layer:
        if k == 0:
            return joint_from(task, layer, LONG)
        return joint_random(task, size, np.random.default_rng([seed, size, 200 + k]), LONG)

    return run(anneal, range(begin, 1 + n))


def retrain(
    task: Task,
    layer: Layer,
    rng: np.random.Generator,
    sweeps: int = 4,
    betas: NDArray = RETRAINING,
    wander: bool = True,
) -> Layer:
    """Retrain one unit at a time on the patterns whose cost depends on it, while errors do not grow.

    Parameters
    ----------
    task, layer : what is learnt and by which network
    rng : chooses the order of the units, their starts and θ
    sweeps : how often each unit is retrained
    betas : the cooling, values of 1/T₊
    wander : whether to start from near where the unit is or from Hebb's rule; else from where it is
    """
    for _ in range(sweeps):
        for k in rng.permutation(len(layer.hidden)):
            layer = _retrain_unit(task, layer, int(k), rng, betas, wander)
            if layer.errors == 0:
                return layer
        output, errors = task.answers.settled(layer.codes, layer.output)
        if errors < layer.errors:
            layer = replace(layer, output=output, errors=errors)
    return layer


def _retrain_unit(
    task: Task, layer: Layer, k: int, rng: np.random.Generator, betas: NDArray, wander: bool
) -> Layer:
    gain = task.answers.gain(layer.codes, layer.output, k)
    if not gain.any():
        return layer
    patterns, start = task.folded(gain, single=True), layer.hidden[k]
    if wander:
        noise = rng.standard_normal(task.n_inputs) / np.sqrt(task.n_inputs)
        start = start + 0.3 * noise if rng.random() < 0.5 else patterns.hebb() + 0.5 * noise
        start /= np.sqrt(start @ start)
    u, steps = patterns.anneal(start, betas, THETAS[0] if rng.random() < 0.5 else THETAS[1])
    placed, inside, states = task.placed(u[None])
    codes = layer.codes.copy()
    codes[:, [k]] = states
    errors = task.answers.errors(codes, layer.output)
    epochs, updates = layer.epochs + steps, layer.updates + steps * task.n_inputs
    if errors > layer.errors:
        return replace(layer, epochs=epochs, updates=updates)
    hidden, folded = layer.hidden.copy(), layer.weights_in(task).copy()
    hidden[[k]], folded[[k]] = placed, inside
    moved = {"hidden": hidden, "codes": codes, "errors": errors, "folded": folded}
    return replace(layer, **moved, epochs=epochs, updates=updates)


def without(task: Task, layer: Layer, k: int) -> Layer:
    """Leave out one unit; its mean state goes into the bias."""
    codes, output = np.delete(layer.codes, k, axis=1), np.delete(layer.output, k + 1, axis=-1)
    output[..., 0] += layer.output[..., k + 1] * layer.codes[:, k].mean()
    hidden, folded = (np.delete(array, k, axis=0) for array in (layer.hidden, layer.weights_in(task)))
    errors = task.answers.errors(codes, output)
    return replace(layer, hidden=hidden, codes=codes, output=output, errors=errors, folded=folded)


def drop_spare_units(task: Task, layer: Layer, enough: float = 0.0) -> Layer:
    """Leave out hidden units while the errors do not grow, or stay as few as accepted."""
    k = 0
    while k < len(layer.hidden) > 1:
        shorter = without(task, layer, k)
        output, errors, _ = task.answers.fit(shorter.codes, shorter.output)
        shorter = replace(shorter, output=output, errors=errors, origin="spare units dropped")
        if output.size == 2:  # of a unit alone
            shorter = _alone(task, shorter)
        if shorter.errors > max(enough, layer.errors):
            k += 1
        else:
            layer = shorter
    return layer


def _alone(task: Task, layer: Layer) -> Layer:
    """Let a unit alone answer the class itself: no output unit can turn its state round."""
    turn = sign(layer.output[1])
    hidden, folded = turn * layer.hidden, turn * layer.weights_in(task)
    codes = task.states(folded)  # not just turned: of patterns on the hyperplane the state stays
    errors = task.answers.errors(codes, ALONE)
    return replace(layer, hidden=hidden, codes=codes, output=ALONE, errors=errors, folded=folded)
