"""A kernel ridge regression as a teacher, by some of the patterns as centres (Nyström).

1. The kernel of all patterns with the centres gives features; folds share their products.
2. What a fold leaves out is taken off the products of all patterns, so that no fold makes its own.
3. Width and ridge are chosen by the held-out loss: one ridge tries all widths, the best ones the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from netlines.network.probability import probabilities
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Teacher, mean_loss
from netlines.training.calibration import fit_stretch
from netlines.training.cases import Cases
from netlines.training.soft import n_outputs_of

WIDTHS = (1 / 8, 1 / 2, 2.0)
FIRST_RIDGE = 0.3  # in rows
RIDGES = Cases(two=(0.03, 0.1, 1.0, 3.0), more=(0.003, 0.01, 0.03, 0.1, 1.0, 3.0))  # and then these
BEHIND = 0.02  # log-loss by which a width may fall behind and still be tried with other ridges
CENTRES = Cases(two=400, more=1000)
CHOOSING = 1500  # patterns that choose the width
BLOCK = 2000
STEADY = 1e-9  # part of the mean diagonal that is added to it


@dataclass(frozen=True, eq=False)
class Tried:
    """A width and a ridge, the line of their values, and what they say about the folds."""

    width: float
    ridge: float
    line: tuple[float, float]
    held_out: list[NDArray]
    loss: float


def fit_kernel(data: Data) -> Teacher:
    """Fit kernel ridge regressions on ±1, their width and ridge chosen by the held-out loss.

    Two classes have one regression, more one a class. The kernel is exp(-width · |z - z'|² / 2N) over
    standardised inputs, the ridge is counted in rows of the mean weight; a line, or of many classes a common
    factor, turns the held-out values into scores. The centres are the first patterns, which are in no
    particular order.
    """
    n, centres = data.X.shape[1], np.ascontiguousarray(data.X[1:, : CENTRES.of(data.n_classes)])
    widths: Sequence[float] = WIDTHS
    if n > CHOOSING:
        part = data.first(CHOOSING)
        tried = [_try(part, _Products.of(part, centres, width), FIRST_RIDGE) for width in widths]
        widths = [min(tried, key=lambda one: one.loss).width]
    products = {width: _Products.of(data, centres, width) for width in widths}
    tried = [_try(data, one, FIRST_RIDGE) for one in products.values()]
    least = min(one.loss for one in tried)
    for one in [one for one in tried if one.loss <= least + BEHIND]:
        tried += list(_along(data, products[one.width], one))
    best = min(tried, key=lambda one: one.loss)

    def whole() -> KernelRidge:
        alpha = products[best.width].solved(best.ridge)
        return KernelRidge(data.standardisation, centres, best.width, alpha, best.line)

    return Teacher("kernel", whole, best.held_out)


def _along(data: Data, products: _Products, first: Tried) -> Iterator[Tried]:
    """Try the other ridges of a width: smaller and larger ones, each way until the loss rises."""
    ridges = RIDGES.of(data.n_classes)
    smaller = [ridge for ridge in ridges if ridge < FIRST_RIDGE][::-1]
    for way in (smaller, [ridge for ridge in ridges if ridge > FIRST_RIDGE]):
        last = first.loss
        for ridge in way:
            one = _try(data, products, ridge)
            yield one
            if one.loss > last:
                break
            last = one.loss


def _try(data: Data, products: _Products, ridge: float) -> Tried:
    """Return what a width and a ridge say about the folds."""
    values = [
        products.features[fold.test.pattern] @ products.solved(ridge, k) for k, fold in enumerate(data.folds)
    ]
    tests = Examples.joined([fold.test for fold in data.folds])
    line = fit_stretch(np.concatenate(values), tests.labels, tests.weights)
    held_out = [probabilities(line[0] + line[1] * f) for f in values]
    return Tried(products.width, ridge, line, held_out, mean_loss(held_out, data.folds))


@dataclass(frozen=True, eq=False)
class _Products:
    """The features (P, m) of a width, and their products with each other and with the targets.

    `whole` are those of all examples, `left_out` those that each fold leaves out; `penalty` is the kernel of
    the centres, `row` the mean weight of a pattern.
    """

    width: float
    features: NDArray
    penalty: NDArray
    row: float
    whole: tuple[NDArray, NDArray]
    left_out: list[tuple[NDArray, NDArray]]

    @classmethod
    def of(cls, data: Data, centres: NDArray, width: float) -> _Products:
        """Return those of all patterns."""
        F = gaussian(data.X[1:], centres, width).astype(float)
        K = gaussian(centres, centres, width, float)  # rounded it would have negative eigenvalues
        counts = _counts(data.all, data)
        left_out = [_products(F, counts - _counts(fold.train, data)) for fold in data.folds]
        return cls(width, F, K, float(counts.sum()) / len(F), _products(F, counts), left_out)

    def solved(self, ridge: float, fold: int | None = None) -> NDArray:
        """Return the weights (m, K) of the centres, for all examples or for the training part of a fold."""
        G, b = self.whole
        if fold is not None:
            G, b = G - self.left_out[fold][0], b - self.left_out[fold][1]
        system = G + ridge * self.row * self.penalty
        system.flat[:: len(system) + 1] += STEADY * (system.trace() / len(system))
        return np.asarray(cho_solve(cho_factor(system, lower=True, check_finite=False), b))


def _counts(examples: Examples, data: Data) -> NDArray:
    """Return the weights (P, C) of the classes on the patterns."""
    counts = np.zeros((data.X.shape[1], data.n_classes))
    np.add.at(counts, (examples.pattern, examples.labels), examples.weights)
    return counts


def _products(F: NDArray, counts: NDArray) -> tuple[NDArray, NDArray]:
    """Return FᵀWF and FᵀWy, for weights (P, C) of the classes on the patterns."""
    weights = counts.sum(axis=1)
    use = np.flatnonzero(weights)
    own, weights = F[use], weights[use]
    sums = 2.0 * counts[use][:, -n_outputs_of(counts.shape[1]) :] - weights[:, None]
    return (own.T * weights) @ own, own.T @ sums


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """The probabilities by kernel ridge regressions and the line from their values to scores."""

    standardisation: Standardisation
    centres: NDArray
    width: float
    alpha: NDArray
    line: tuple[float, float]

    def __call__(self, rows: NDArray) -> NDArray:
        parts = np.array_split(rows, len(rows) // BLOCK + 1)
        values = np.concatenate([self._values(self.standardisation.standardised(part)[1:]) for part in parts])
        return probabilities(self.line[0] + self.line[1] * values)

    def _values(self, X: NDArray) -> NDArray:
        return gaussian(X, self.centres, self.width) @ self.alpha


def gaussian(A: NDArray, B: NDArray, width: float, kind: type = np.float32) -> NDArray:
    """Return exp(-width · |a - b|² / 2N) for the columns of A (N, n) and B (N, n').

    In single precision, which takes a tenth of the time, unless another kind of numbers is asked for.
    """
    squares = (A**2).sum(axis=0)[:, None] + (B**2).sum(axis=0) - 2.0 * (A.T @ B)
    squares *= -width / (2 * max(len(A), 1))
    found = np.minimum(squares, 0.0).astype(kind)
    return np.asarray(np.exp(found, out=found))
