"""One hidden layer of binary units for many classes: what it has to learn, its outputs, its spare units.

Each class has a linear output over the states of the hidden units, and the largest output is the answer.
Deviation: not in the paper, which makes several networks of two classes each out of a problem with more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from netlines.training.geometry import Geometry, Trained, distinct_codes
from netlines.training.patterns import Patterns

ROUNDING = 1e-12  # a lead smaller than this share of the output weights may be one of rounding
PENALTIES = (1e-5, 1e-7)  # of the squared output weights: the second separates what can be separated


@dataclass(frozen=True, eq=False)
class ClassTask(Geometry):
    """What a network has to learn: patterns, what each answer costs on them, and the cheapest answer.

    `costs` (P, C) is 0 for the class that most of a pattern's weight has. `weights` (P,) is what a wrong
    answer costs at least, and `labels` (P,) a class that costs nothing.
    """

    X: NDArray
    costs: NDArray
    labels: NDArray
    weights: NDArray
    rows: NDArray
    mean: NDArray
    scale: NDArray
    largest: NDArray
    unavoidable: float

    @classmethod
    def of(cls, patterns: Patterns, rows: NDArray) -> ClassTask:
        """Keep the patterns on which answers differ in what they cost."""
        costs = patterns.counts.max(axis=1, keepdims=True) - patterns.counts
        weights = least_cost(costs)
        if not weights.any():  # any answer is as good as the others
            weights = np.ones(len(weights))
        lead = weights > 0
        X = patterns.X if lead.all() else np.ascontiguousarray(patterns.X[:, lead])
        rows = np.asarray(rows[patterns.first[lead]], dtype=float)
        return cls(
            X,
            costs[lead],
            patterns.labels[lead],
            weights[lead],
            rows,
            patterns.mean,
            patterns.scale,
            np.abs(rows).max(axis=0),
            patterns.unavoidable,
        )

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return self.costs.shape[1]

    def paid(self, codes: NDArray, outputs: NDArray) -> NDArray:
        """Return what the answer costs on each pattern, the dearest of answers that only rounding decides."""
        return paid(self.costs, outputs[:, 0] + codes @ outputs[:, 1:].T, outputs)

    def errors(self, codes: NDArray, outputs: NDArray) -> float:
        """Weight of the errors that the answers make beyond the unavoidable ones."""
        return float(self.paid(codes, outputs).sum())


@dataclass(frozen=True, eq=False)
class ClassLayer(Trained):
    """A network in training, over standardised inputs, with `outputs` (C, H + 1)."""

    hidden: NDArray
    outputs: NDArray
    codes: NDArray
    errors: float
    origin: str
    unit_errors: float | None = None
    beta: float | None = None
    cost: float = np.inf
    epochs: int = 0
    updates: int = 0
    folded: NDArray | None = None


def least_cost(costs: NDArray) -> NDArray:
    """Return what a wrong answer costs at least more than a right one, shape (P,)."""
    excess = costs - costs.min(axis=1, keepdims=True)
    least = np.where(excess > 0, excess, np.inf).min(axis=1)
    return np.where(np.isfinite(least), least, 0.0)


def paid(costs: NDArray, fields: NDArray, outputs: NDArray) -> NDArray:
    """Return what answers cost, shape (P,), given the weighted sums (P, C) of these outputs.

    Of answers that lie closer together than rounding can tell the dearest is paid.
    """
    slack = ROUNDING * np.abs(outputs).sum(axis=1).max()
    leads = fields >= fields.max(axis=1, keepdims=True) - 2 * slack
    return np.asarray(np.where(leads, costs, 0.0).max(axis=1))


def shares(costs: NDArray) -> tuple[NDArray, NDArray]:
    """Return soft targets (C, P), equal shares for the cheapest classes, and the weights with the sum 1."""
    best = (costs <= costs.min(axis=1, keepdims=True)).T
    weights = least_cost(costs)
    if not weights.any():
        weights = np.ones(len(weights))
    return best / best.sum(axis=0), weights / weights.sum()


def fit_codes(task: ClassTask, codes: NDArray, warm: NDArray | None = None) -> tuple[NDArray, float]:
    """Fit the outputs to the distinct codes; return them and their errors.

    A logistic regression with next to no penalty separates codes that can be separated. Patterns with the
    same code have the same answer, which bounds the errors from below: where the bound is reached, nothing
    better exists. `warm`, earlier outputs, is kept if nothing beats it.
    """
    from netlines.training._softmax import fit_outputs

    first, group = distinct_codes(codes)
    costs = np.column_stack([np.bincount(group, column) for column in task.costs.T])
    bound = float(costs.min(axis=1).sum()) + ROUNDING * float(task.weights.sum())
    F = np.vstack([np.ones(len(first)), codes[first].T])
    T, share = shares(costs)
    best, errors = warm, np.inf
    if warm is not None:
        best, errors = _untied(task, codes, warm)
    outputs = best
    for penalty in PENALTIES:
        if errors <= bound:
            break
        outputs, _ = fit_outputs(F, T, share, penalty, start=outputs)
        outputs, found = _untied(task, codes, outputs)
        if found < errors:
            best, errors = outputs, found
    assert best is not None
    return best, errors


def _untied(task: ClassTask, codes: NDArray, outputs: NDArray) -> tuple[NDArray, float]:
    """Return outputs and their errors; where equal ones cost errors, the first is made to lead by a trifle.

    The first is what predict answers, but training does not rely on equality.
    """
    trifle = 1e3 * ROUNDING * np.abs(outputs).sum(axis=1).max()
    led = outputs.copy()
    led[:, 0] -= trifle * np.arange(len(outputs))
    errors, errors_led = task.errors(codes, outputs), task.errors(codes, led)
    return (led, errors_led) if errors_led < errors else (outputs, errors)


def shortened(task: ClassTask, layer: ClassLayer, size: int) -> ClassLayer:
    """Leave out the hidden units that are missed least, down to a size, and refit the outputs."""
    while len(layer.hidden) > size:
        found = [_without(task, layer, k) for k in range(len(layer.hidden))]
        layer = min(found, key=lambda one: one.errors)
    outputs, errors = fit_codes(task, layer.codes, layer.outputs)
    return replace(layer, outputs=outputs, errors=errors, epochs=0, updates=0)


def _without(task: ClassTask, layer: ClassLayer, k: int) -> ClassLayer:
    """Leave out one unit; its mean state goes into the biases."""
    codes, outputs = np.delete(layer.codes, k, axis=1), np.delete(layer.outputs, k + 1, axis=1)
    outputs[:, 0] += layer.outputs[:, k + 1] * layer.codes[:, k].mean()
    hidden, folded = (np.delete(array, k, axis=0) for array in (layer.hidden, layer.user_weights(task)))
    errors = task.errors(codes, outputs)
    return replace(layer, hidden=hidden, codes=codes, outputs=outputs, errors=errors, folded=folded)


def drop_spare_units(task: ClassTask, layer: ClassLayer, enough: float) -> ClassLayer:
    """Leave out hidden units while the errors stay as few as accepted."""
    k = 0
    while k < len(layer.hidden) > 1:
        shorter = _without(task, layer, k)
        outputs, errors = fit_codes(task, shorter.codes, shorter.outputs)
        if errors > max(enough, layer.errors):
            k += 1
        else:
            layer = replace(shorter, outputs=outputs, errors=errors, origin="spare units dropped")
    return layer
