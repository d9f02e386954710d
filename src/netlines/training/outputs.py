"""What a network answers by the states of its hidden units: what that costs, how its output is fitted.

Two kinds of output with the same methods: `SignOutput` for two classes has one output unit, weights (H + 1,),
whose sign is the class; `ArgmaxOutput` has an output for each of C classes, weights (C, H + 1), and the
largest is the answer. The moves of `refine`, `growth` and `sure_step` are written once, for both.

Deviation: the paper makes several networks of two classes each out of a problem with more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.training.geometry import distinct_codes
from netlines.training.minimerror import SLACK, Unit, train_unit
from netlines.training.patterns import Patterns

ROUNDING = 1e-12  # a lead smaller than this share of the output weights may be one of rounding
THETAS = (6.0, 2.0)  # of the output unit of two classes
PENALTIES = (1e-5, 1e-7)  # of the squared output weights: the second separates what can be separated


class Output:
    """What both kinds of output share; each has besides:

    weights : array (P,), what a wrong answer costs at least
    shape : the shape of the answers on one pattern, () or (C,)
    some(use) : the same for some of the patterns
    paid(sums, output) : what the answer costs on each pattern, given the weighted sums of the output; one
        that is right only as long as nothing is rounded counts as wrong
    errors(codes, output) : weight of the errors that the answers make beyond the unavoidable ones
    fit(codes, warm, train=) : output weights fitted to the distinct codes, their errors and the epochs;
        earlier weights `warm` stay if nothing beats them, `train` stands in for the training of a unit
    settled(codes, output) : output weights after hidden units have moved, and their errors
    soft_targets() : what a soft network learns, as `soft.cool` has it, and weights with the sum 1
    scores(codes, output) : for each answer that is missing somewhere what giving it gains on each pattern
    push(sums, answer, inside) : what each of one or two new units adds to the sums, for an answer inside
    """

    weights: NDArray
    paid: Callable[..., NDArray]
    errors: Callable[..., float]

    def sums(self, codes: NDArray, output: NDArray) -> NDArray:
        """Return the weighted sums of the output, shape (P,) or (P, C)."""
        return np.asarray(output[..., 0] + codes.astype(float, copy=False) @ output[..., 1:].T)

    def costs_of(self, codes: NDArray, output: NDArray) -> NDArray:
        """Return what the answer costs on each pattern, shape (P,)."""
        return self.paid(self.sums(codes, output), output)

    def wrong(self, codes: NDArray, output: NDArray) -> NDArray:
        """Tell which patterns get a wrong answer, or a right one only as long as nothing is rounded."""
        return np.asarray(self.costs_of(codes, output) > 0)

    def gain(self, codes: NDArray, output: NDArray, k: int) -> NDArray:
        """Return by how much the state +1 of hidden unit k costs less than -1, shape (P,)."""
        push = output[..., k + 1]
        others = self.sums(codes, output) - np.multiply.outer(codes[:, k], push)
        return self.paid(others - push, output) - self.paid(others + push, output)


@dataclass(frozen=True, eq=False)
class SignOutput(Output):
    """Two classes: `targets` (P,) of ±1, and what an error costs."""

    targets: NDArray
    weights: NDArray

    shape: ClassVar[tuple[int, ...]] = ()

    @classmethod
    def of(cls, patterns: Patterns) -> SignOutput:
        """Take the class of each pattern's majority; an error costs what the majority leads by."""
        return cls(patterns.targets, _or_ones(patterns.surplus))

    def some(self, use: NDArray) -> SignOutput:
        return SignOutput(self.targets[use], self.weights[use])

    def paid(self, sums: NDArray, output: NDArray) -> NDArray:
        return np.where(self.targets * sums <= _slack(output), self.weights, 0.0)

    def errors(self, codes: NDArray, output: NDArray) -> float:
        return float(self.weights[self.targets * self.sums(codes, output) <= _slack(output)].sum())

    def gain(self, codes: NDArray, output: NDArray, k: int) -> NDArray:
        slack, push = _slack(output), self.targets * output[k + 1]
        others = self.targets * self.sums(codes, output) - codes[:, k] * push
        return self.weights * ((others - push <= slack).astype(float) - (others + push <= slack))

    def fit(
        self, codes: NDArray, warm: NDArray | None = None, *, train: Callable[..., Unit] | None = None
    ) -> tuple[NDArray, float, int]:
        """Train the output unit on the distinct codes.

        Each code counts with the surplus of its majority, and then once more with weight 1 each, which finds
        separations that hang on few patterns.
        """
        first, group = distinct_codes(codes)
        balance = np.bincount(group, self.targets * self.weights)
        use = np.abs(balance) > 1e-12 * np.bincount(group, self.weights)
        surplus = np.abs(balance[use])
        C = np.ascontiguousarray(np.vstack([np.ones(len(surplus)), codes[first[use]].T]) * sign(balance[use]))
        best, errors, epochs = warm, np.inf, 0
        if warm is not None:
            errors = float(surplus[warm @ C <= SLACK].sum())
        alike = train is not None or bool((surplus == surplus[:1]).all())  # then the second is the first
        for s in (surplus, np.ones(len(surplus)))[: 1 if alike else 2]:
            if errors == 0:
                break
            unit = train(C, s) if train else train_unit(C, s, thetas=THETAS)
            wrong = float(surplus[unit.weights @ C <= SLACK].sum())
            epochs += unit.epochs
            if wrong < errors:
                best, errors = unit.weights, wrong
        assert best is not None
        best = best / np.sqrt(best @ best)
        return best, self.errors(codes, best), epochs

    def settled(self, codes: NDArray, output: NDArray) -> tuple[NDArray, float]:
        return output, self.errors(codes, output)

    def soft_targets(self) -> tuple[NDArray, NDArray]:
        return self.targets, self.weights / self.weights.sum()

    def scores(self, codes: NDArray, output: NDArray) -> list[tuple[Any, NDArray]]:
        paid = self.costs_of(codes, output)
        return [(c, paid - np.where(self.targets != c, self.weights, 0.0)) for c in (1, -1)]

    def push(self, sums: NDArray, answer: Any, inside: NDArray) -> NDArray:
        return np.asarray(answer * (max(0.0, (-answer * sums[inside]).max()) + np.abs(sums).mean()) / 2)


@dataclass(frozen=True, eq=False)
class ArgmaxOutput(Output):
    """Many classes: what each answer costs on a pattern, and the cheapest answer.

    `costs` (P, C) is 0 for the class that most of a pattern's weight has, and `labels` (P,) a class that
    costs nothing.
    """

    costs: NDArray
    labels: NDArray
    weights: NDArray

    @classmethod
    def of(cls, patterns: Patterns) -> ArgmaxOutput:
        """Take the majority of each pattern; an answer costs what it lacks against it."""
        costs = patterns.counts.max(axis=1, keepdims=True) - patterns.counts
        return cls(costs, patterns.labels, _or_ones(least_cost(costs)))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.costs.shape[1:]

    def some(self, use: NDArray) -> ArgmaxOutput:
        return ArgmaxOutput(self.costs[use], self.labels[use], self.weights[use])

    def paid(self, sums: NDArray, output: NDArray) -> NDArray:
        """Return what the answer costs, the dearest of answers that only rounding decides."""
        leads = sums >= sums.max(axis=1, keepdims=True) - 2 * _slack(output)
        return np.asarray(np.where(leads, self.costs, 0.0).max(axis=1))

    def errors(self, codes: NDArray, output: NDArray) -> float:
        return float(self.costs_of(codes, output).sum())

    def fit(
        self, codes: NDArray, warm: NDArray | None = None, *, train: Callable[..., Unit] | None = None
    ) -> tuple[NDArray, float, int]:
        """Fit the outputs to the distinct codes, by a logistic regression whatever `train` is.

        With next to no penalty it separates codes that can be separated. Patterns with the same code have
        the same answer, which bounds the errors from below: where the bound is reached, nothing better
        exists.
        """
        from netlines.training._softmax import fit_outputs

        first, group = distinct_codes(codes)
        costs = np.column_stack([np.bincount(group, column) for column in self.costs.T])
        bound = float(costs.min(axis=1).sum()) + ROUNDING * float(self.weights.sum())
        F = np.vstack([np.ones(len(first)), codes[first].T])
        T, share = shares(costs)
        best, errors = warm, np.inf
        if warm is not None:
            best, errors = self._untied(codes, warm)
        output = best
        for penalty in PENALTIES:
            if errors <= bound:
                break
            output, _ = fit_outputs(F, T, share, penalty, start=output)
            output, found = self._untied(codes, output)
            if found < errors:
                best, errors = output, found
        assert best is not None
        return best, errors, 0

    def _untied(self, codes: NDArray, output: NDArray) -> tuple[NDArray, float]:
        """Return outputs and their errors; where equal ones cost errors, the first is made to lead a trifle.

        The first is what predict answers, but training does not rely on equality.
        """
        led = output.copy()
        led[:, 0] -= 1e3 * ROUNDING * np.abs(output).sum(axis=1).max() * np.arange(len(output))
        errors, errors_led = self.errors(codes, output), self.errors(codes, led)
        return (led, errors_led) if errors_led < errors else (output, errors)

    def settled(self, codes: NDArray, output: NDArray) -> tuple[NDArray, float]:
        return self.fit(codes, output)[:2]

    def soft_targets(self) -> tuple[NDArray, NDArray]:
        return shares(self.costs)

    def scores(self, codes: NDArray, output: NDArray) -> list[tuple[Any, NDArray]]:
        paid = self.costs_of(codes, output)
        return [(c, paid - self.costs[:, c]) for c in np.unique(self.labels[paid > 0])]

    def push(self, sums: NDArray, answer: Any, inside: NDArray) -> NDArray:
        behind = sums.max(axis=1) - sums[:, answer]
        push = np.zeros(self.shape)
        push[answer] = (behind[inside].max(initial=0.0) + behind.mean() + np.abs(sums).mean()) / 2 or 0.5
        return push


def least_cost(costs: NDArray) -> NDArray:
    """Return what a wrong answer costs at least more than a right one, shape (P,)."""
    excess = costs - costs.min(axis=1, keepdims=True)
    least = np.where(excess > 0, excess, np.inf).min(axis=1)
    return np.where(np.isfinite(least), least, 0.0)


def shares(costs: NDArray) -> tuple[NDArray, NDArray]:
    """Return soft targets (C, P), equal shares for the cheapest classes, and the weights with the sum 1."""
    best = (costs <= costs.min(axis=1, keepdims=True)).T
    weights = _or_ones(least_cost(costs))
    return best / best.sum(axis=0), weights / weights.sum()


def _or_ones(weights: NDArray) -> NDArray:
    """Return the weights; ones where all vanish, and any answer is as good as the others."""
    return weights if weights.any() else np.ones_like(weights)


def _slack(output: NDArray) -> float:
    """Return by how much rounding may change the weighted sums of these output weights."""
    sizes = np.abs(output).sum(axis=-1)
    return float(ROUNDING * (sizes if sizes.ndim == 0 else sizes.max()))
