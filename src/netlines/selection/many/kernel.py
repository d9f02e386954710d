"""A kernel ridge regression with one output a class as a teacher, judged without a fit for each fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import softmax
from netlines.selection.folds import Examples, Fold
from netlines.selection.many.teachers import mean_loss
from netlines.selection.teachers.kernel import WIDTHS, Regression, gaussian, regress, without
from netlines.selection.teachers.teacher import Data, Teacher
from netlines.training.calibration import fit_factor

RIDGES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
WHOLE, PART = 2000, 1500  # patterns up to which all of them choose, and how many do if there are more


def fit_kernel(data: Data) -> Teacher:
    """Fit a kernel ridge regression on ±1 for each class, its width and ridge chosen by the held-out loss.

    The kernel is exp(-width · |z - z'|² / 2N) over standardised inputs, the ridge is counted in rows of the
    mean weight; a common factor turns the values into scores of a softmax. With more patterns than `WHOLE`
    the first of them choose for all.
    """
    few = data.X.shape[1] <= WHOLE
    width, ridge, factor, held_out = _choose(data if few else _part(data, PART))
    K = gaussian(data.X[1:], data.X[1:], width)
    examples = [data.all, *(fold.train for fold in data.folds)]
    by_pattern = (_by_pattern(part, len(K), len(data.classes)) for part in examples)
    whole, *in_folds = (KernelRidge(regress(data, K, *part, width, ridge), factor) for part in by_pattern)
    if not few:
        pairs = zip(in_folds, data.folds, strict=True)
        held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher("kernel", whole, in_folds, held_out)


def _choose(data: Data) -> tuple[float, float, float, list[NDArray]]:
    """Return width, ridge and factor with the lowest loss, and what they say about the folds."""
    weights, targets = _by_pattern(data.all, data.X.shape[1], len(data.classes))
    weights = weights / weights.mean()
    root = np.sqrt(weights)
    changes = [_change(data, fold, weights, targets) for fold in data.folds]
    tests = Examples.joined([fold.test for fold in data.folds])
    best: tuple[float, Any] = (np.inf, None)
    for width in WIDTHS:
        d, U = np.linalg.eigh(root[:, None] * gaussian(data.X[1:], data.X[1:], width) * root)
        U = root[:, None] * U  # (K + r/w)⁻¹ = U (d + r)⁻¹ Uᵀ
        for ridge in RIDGES:
            inverse = 1.0 / (np.maximum(d, 0.0) + ridge)
            alpha = U @ (inverse[:, None] * (U.T @ targets))
            values = [
                without(fold, U, inverse, alpha, weights, targets, ridge, *change)
                for fold, change in zip(data.folds, changes, strict=True)
            ]
            factor = fit_factor(np.concatenate(values), tests.labels, tests.weights)
            held_out = [softmax(factor * f) for f in values]
            loss = mean_loss(held_out, data.folds)
            if loss < best[0]:
                best = loss, (width, ridge, factor, held_out)
    return best[1]


def _part(data: Data, n: int) -> Data:
    """Return the first n patterns, which are in no particular order, with their folds."""

    def within(examples: Examples) -> Examples:
        return examples.where(examples.pattern < n)

    folds = [Fold(within(fold.train), within(fold.test)) for fold in data.folds]
    return replace(data, rows=data.rows[:n], X=data.X[:, :n], all=within(data.all), folds=folds)


def _by_pattern(examples: Examples, n_patterns: int, n_classes: int) -> tuple[NDArray, NDArray]:
    """Return the weight of each pattern and its mean targets (P, C); those of an absent one are NaN."""
    counts = np.zeros((n_patterns, n_classes))
    np.add.at(counts, (examples.pattern, examples.labels), examples.weights)
    weights = counts.sum(axis=1)
    share = np.divide(counts, weights[:, None], out=np.full_like(counts, np.nan), where=weights[:, None] > 0)
    return weights, 2.0 * share - 1.0


def _change(data: Data, fold: Fold, weights: NDArray, targets: NDArray) -> tuple[NDArray, NDArray]:
    """Return the weights and targets of the patterns in the training part of a fold."""
    total, _ = _by_pattern(data.all, *targets.shape)
    kept, new = _by_pattern(fold.train, *targets.shape)
    kept = weights * (kept / total)
    return kept, np.where(kept[:, None] > 0, new, targets)


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """The probabilities by a kernel ridge regression and a factor for its scores."""

    regression: Regression
    factor: float

    def __call__(self, rows: NDArray) -> NDArray:
        return softmax(self.factor * self.regression(rows))
