"""Improves a whole network at a fixed number of hidden units: output unit, joint annealing, retraining."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.training.geometry import Geometry, Trained, distinct_codes, unit_rows
from netlines.training.minimerror import MOMENTUM, NO_MARKS, SLACK, Unit, hebb, preconditioner, train_unit
from netlines.training.patterns import Patterns

GAINS = np.array([1.0, 2.0, 4.0, 8.0])
DECAY = 1e-4
ITERATIONS = 60
RETRAINING = np.geomspace(3.0, 200.0, 200)


@dataclass(frozen=True, eq=False)
class Task(Geometry):
    """What a network has to learn: consistent patterns, each with a class ±1 and the weight of an error."""

    X: NDArray
    targets: NDArray
    weights: NDArray
    rows: NDArray
    mean: NDArray
    scale: NDArray
    largest: NDArray
    unavoidable: float

    @classmethod
    def of(cls, patterns: Patterns, rows: NDArray) -> Task:
        """Keep each pattern with the class of its majority; an error costs what the majority leads by."""
        surplus = patterns.surplus
        if not surplus.any():  # every pattern is a tie, and any answer is as good as the other
            surplus = np.ones_like(surplus)
        lead = surplus > 0
        X = patterns.X if lead.all() else np.ascontiguousarray(patterns.X[:, lead])
        rows = np.asarray(rows[patterns.first[lead]], dtype=float)
        targets, weights = patterns.targets[lead], surplus[lead]
        return cls(
            X,
            targets,
            weights,
            rows,
            patterns.mean,
            patterns.scale,
            np.abs(rows).max(axis=0),
            patterns.unavoidable,
        )

    def wrong(self, codes: NDArray, output: NDArray) -> NDArray:
        """Tell which patterns the output unit gets wrong, or right only as long as nothing is rounded."""
        stability = self.targets * (output[0] + codes @ output[1:])
        return np.asarray(stability <= 1e-12 * np.abs(output).sum())

    def errors(self, codes: NDArray, output: NDArray) -> float:
        """Weight of the patterns that the output unit gets wrong."""
        return float(self.weights[self.wrong(codes, output)].sum())


@dataclass(frozen=True, eq=False)
class Layer(Trained):
    """A network in training, over standardised inputs: hidden rows of norm 1, output, states, errors.

    `folded` are the hidden weights in the user's units where they are more exact than `hidden` folded.
    """

    hidden: NDArray
    output: NDArray
    codes: NDArray
    errors: float
    origin: str
    unit_errors: float | None = None
    beta: float | None = None
    cost: float = np.inf
    epochs: int = 0
    updates: int = 0
    folded: NDArray | None = None


def fit_output(
    task: Task, codes: NDArray, warm: NDArray | None = None, *, train: Callable[..., Unit] | None = None
) -> tuple[NDArray, float, int]:
    """Train the output unit on the distinct codes; return its weights, its errors and the epochs.

    Each code counts with the surplus of its majority, and then once more with weight 1 each, which finds
    separations that hang on few patterns. `warm`, an earlier output, is kept if nothing beats it.
    `train` stands in for the default training of a unit.
    """
    first, group = distinct_codes(codes)
    balance = np.bincount(group, task.targets * task.weights)
    use = np.abs(balance) > 1e-12 * np.bincount(group, task.weights)
    surplus = np.abs(balance[use])
    C = np.ascontiguousarray(np.vstack([np.ones(len(surplus)), codes[first[use]].T]) * sign(balance[use]))
    best, errors, epochs = warm, np.inf, 0
    if warm is not None:
        errors = float(surplus[warm @ C <= SLACK].sum())
    for s in (surplus, np.ones(len(surplus)))[: 1 if train else 2]:
        if errors == 0:
            break
        unit = train(C, s) if train else train_unit(C, s, thetas=(6.0, 2.0))
        wrong = float(surplus[unit.weights @ C <= SLACK].sum())
        epochs += unit.epochs
        if wrong < errors:
            best, errors = unit.weights, wrong
    assert best is not None
    best = best / np.sqrt(best @ best)
    return best, task.errors(codes, best), epochs


def joint(task: Task, hidden: NDArray, output: NDArray, origin: str, iterations: int) -> Layer:
    """Anneal all weights together as a soft network, harden its units to signs, refit the output.

    Deviation: not in the paper, whose hidden units are never touched again once they are trained.
    """
    from netlines.training._soft import cool

    h, m = hidden.shape
    w = np.concatenate([hidden.ravel(), output])
    mean = task.weights / task.weights.sum()
    cost, passes = cool(task.X, task.targets, mean, w, h, GAINS, DECAY, iterations)
    hidden = task.seat(unit_rows(w[: h * m].reshape(h, m)))
    codes = task.codes(hidden)
    output, errors, epochs = fit_output(task, codes, w[h * m :])
    updates = passes * len(w) + epochs * (h + 1)
    return Layer(hidden, output, codes, errors, origin, cost=cost, epochs=passes + epochs, updates=updates)


def joint_from(task: Task, layer: Layer, iterations: int = ITERATIONS) -> Layer:
    """Anneal an existing network jointly."""
    output = layer.output * (2.0 / max(np.abs(layer.output).max(), 1e-12))
    return joint(task, layer.hidden, output, "joint annealing", iterations)


def joint_random(task: Task, h: int, rng: np.random.Generator, iterations: int = ITERATIONS) -> Layer:
    """Anneal a random network of h units jointly."""
    m = len(task.X)
    hidden = rng.standard_normal((h, m)) / np.sqrt(m)
    return joint(task, hidden, 0.5 * rng.standard_normal(h + 1), "random start", iterations)


def retrain(task: Task, layer: Layer, rng: np.random.Generator, sweeps: int = 4) -> Layer:
    """Retrain one unit at a time on the patterns whose output depends on it, while errors do not grow."""
    for _ in range(sweeps):
        for k in rng.permutation(len(layer.hidden)):
            layer = _retrain_unit(task, layer, int(k), rng)
            if layer.errors == 0:
                return layer
    return layer


def _retrain_unit(task: Task, layer: Layer, k: int, rng: np.random.Generator) -> Layer:
    weight = layer.output[k + 1]
    others = layer.output[0] + layer.codes @ layer.output[1:] - weight * layer.codes[:, k]
    matters = (others + abs(weight) >= 0) != (others - abs(weight) >= 0)
    if not matters.any():
        return layer
    target = np.sign(weight) * task.targets[matters]
    hidden, codes, folded, steps = moved_unit(task, layer, k, matters, target, task.weights[matters], rng)
    errors = task.errors(codes, layer.output)
    counted = replace(layer, epochs=layer.epochs + steps, updates=layer.updates + steps * len(task.X))
    if errors > layer.errors:
        return counted
    return replace(counted, hidden=hidden, codes=codes, errors=errors, folded=folded)


def moved_unit(
    task: Geometry,
    layer: Trained,
    k: int,
    matters: NDArray,
    target: NDArray,
    s: NDArray,
    rng: np.random.Generator,
) -> tuple[NDArray, NDArray, NDArray, int]:
    """Anneal hidden unit k on some patterns with a wanted state each, from near where it is or from Hebb.

    Parameters
    ----------
    task, layer : what is learnt and by which network
    k : the unit
    matters : array (P,), which patterns count
    target, s : their wanted states ±1 and their weights
    rng : chooses the start and θ

    Returns
    -------
    (hidden, codes, folded: those of the layer with the unit in its new place; epochs)
    """
    from netlines.training._kernel import anneal

    X = np.ascontiguousarray(task.X[:, matters] * target.astype(task.X.dtype))
    noise = rng.standard_normal(len(X)) / np.sqrt(len(X))
    if rng.random() < 0.5:
        start = layer.hidden[k] + 0.3 * noise
    else:
        start = hebb(X, s) + 0.5 * noise
    start /= np.sqrt(start @ start)
    theta = 2.0 if rng.random() < 0.5 else 6.0
    G, mean = preconditioner(X, s), s / s.sum()
    u, _, _, steps, _ = anneal(X, mean, start, G, RETRAINING, theta, MOMENTUM, SLACK, NO_MARKS)
    hidden, codes, folded = layer.hidden.copy(), layer.codes.copy(), layer.user_weights(task).copy()
    hidden[k] = task.seat(u[None])[0]
    codes[:, k] = task.codes(hidden[k : k + 1])[:, 0]
    folded[k] = task.fold(hidden[k])
    return hidden, codes, folded, steps
