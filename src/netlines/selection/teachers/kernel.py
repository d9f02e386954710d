"""A kernel ridge regression as a teacher, judged without fitting it anew for each fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import probabilities
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples, Fold
from netlines.selection.teachers.teacher import Teacher, mean_loss
from netlines.training.calibration import fit_stretch
from netlines.training.cases import Cases
from netlines.training.soft import n_outputs_of

WIDTHS = (1 / 8, 1 / 2, 2.0)
RIDGES = Cases(two=(0.03, 0.1, 0.3, 1.0, 3.0), more=(0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0))
WHOLE, PART = 2000, 1500  # patterns up to which all of them choose, and how many do if there are more


def fit_kernel(data: Data) -> Teacher:
    """Fit kernel ridge regressions on ±1, their width and ridge chosen by the held-out loss.

    Two classes have one regression, more one a class. The kernel is exp(-width · |z - z'|² / 2N) over
    standardised inputs, the ridge is counted in rows of the mean weight; a line, or of many classes a common
    factor, turns the held-out values into scores. With more patterns than `WHOLE` the first of them choose
    for all.
    """
    few = data.X.shape[1] <= WHOLE
    width, ridge, line, held_out = _choose(data if few else _part(data, PART))
    K = gaussian(data.X[1:], data.X[1:], width)
    examples = [data.all, *(fold.train for fold in data.folds)]
    by_pattern = (_by_pattern(part, len(K), data.n_classes) for part in examples)
    whole, *in_folds = (KernelRidge(regress(data, K, *part, width, ridge), line) for part in by_pattern)
    if not few:
        pairs = zip(in_folds, data.folds, strict=True)
        held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher("kernel", whole, in_folds, held_out)


def _choose(data: Data) -> tuple[float, float, tuple[float, float], list[NDArray]]:
    """Return width, ridge and line with the lowest loss, and what they say about the folds."""
    weights, targets = _by_pattern(data.all, data.X.shape[1], data.n_classes)
    weights = weights / weights.mean()
    root = np.sqrt(weights)
    changes = [_change(data, fold, weights, targets) for fold in data.folds]
    tests = Examples.joined([fold.test for fold in data.folds])
    best: tuple[float, Any] = (np.inf, None)
    for width in WIDTHS:
        d, U = np.linalg.eigh(root[:, None] * gaussian(data.X[1:], data.X[1:], width) * root)
        U = root[:, None] * U  # (K + r/w)⁻¹ = U (d + r)⁻¹ Uᵀ
        for ridge in RIDGES.of(data.n_classes):
            inverse = 1.0 / (np.maximum(d, 0.0) + ridge)
            alpha = U @ (inverse[:, None] * (U.T @ targets))
            values = [
                without(fold, U, inverse, alpha, weights, targets, ridge, *change)
                for fold, change in zip(data.folds, changes, strict=True)
            ]
            line = fit_stretch(np.concatenate(values), tests.labels, tests.weights)
            held_out = [probabilities(line[0] + line[1] * f) for f in values]
            loss = mean_loss(held_out, data.folds)
            if loss < best[0]:
                best = loss, (width, ridge, line, held_out)
    return best[1]


def _part(data: Data, n: int) -> Data:
    """Return the first n patterns, which are in no particular order, with their folds."""

    def within(examples: Examples) -> Examples:
        return examples.where(examples.pattern < n)

    folds = [Fold(within(fold.train), within(fold.test)) for fold in data.folds]
    return replace(data, rows=data.rows[:n], X=data.X[:, :n], all=within(data.all), folds=folds)


def regress(
    data: Data, K: NDArray, weights: NDArray, targets: NDArray, width: float, ridge: float
) -> Regression:
    """Fit the regression to the patterns that have a weight.

    Parameters
    ----------
    data : the patterns
    K : their kernel
    weights : array (P,)
    targets : array (P, K), for K regressions at once
    width, ridge : of the kernel, and in rows of the mean weight
    """
    use = np.flatnonzero(weights > 0)
    system = K[np.ix_(use, use)]
    system.flat[:: len(use) + 1] += ridge * (data.all.weights.sum() / len(K)) / weights[use]
    alpha = np.linalg.solve(system, targets[use])
    return Regression(data.standardisation, np.ascontiguousarray(data.X[1:, use]), width, alpha)


@dataclass(frozen=True, eq=False)
class Regression:
    """Several kernel ridge regressions at once."""

    standardisation: Standardisation
    centers: NDArray
    width: float
    alpha: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        parts = (
            self.standardisation.standardised(part)[1:]
            for part in np.array_split(rows, len(rows) // 2000 + 1)
        )
        return np.concatenate([gaussian(part, self.centers, self.width) @ self.alpha for part in parts])


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """The probabilities by kernel ridge regressions and the line from their values to scores."""

    regression: Regression
    line: tuple[float, float]

    def __call__(self, rows: NDArray) -> NDArray:
        return probabilities(self.line[0] + self.line[1] * self.regression(rows))


def gaussian(A: NDArray, B: NDArray, width: float) -> NDArray:
    """Return exp(-width · |a - b|² / 2N) for the columns of A (N, n) and B (N, n')."""
    squares = (A**2).sum(axis=0)[:, None] + (B**2).sum(axis=0) - 2.0 * (A.T @ B)
    return np.asarray(np.exp(np.maximum(squares, 0.0) * (-width / (2 * max(len(A), 1)))))


def _by_pattern(examples: Examples, n_patterns: int, n_classes: int) -> tuple[NDArray, NDArray]:
    """Return the weight of each pattern and its mean targets (P, K); those of an absent one are NaN."""
    counts = np.zeros((n_patterns, n_classes))
    np.add.at(counts, (examples.pattern, examples.labels), examples.weights)
    weights = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, weights, out=np.full_like(counts, np.nan), where=weights > 0)
    return weights[:, 0], 2.0 * share[:, -n_outputs_of(n_classes) :] - 1.0


def without(
    fold: Fold,
    U: NDArray,
    inverse: NDArray,
    alpha: NDArray,
    weights: NDArray,
    targets: NDArray,
    ridge: float,
    kept: NDArray,
    new: NDArray,
) -> NDArray:
    """Return the values for a fold's test examples of the regression fitted to its training part.

    Exact without a new fit: with weights w → w' and targets y → y' on some patterns S only, the regression
    at S is y' - r (w' + G r(w - w')/w)⁻¹ (α + G (y' - y)), G = (K + r/w)⁻¹ restricted to S.

    Parameters
    ----------
    fold : which examples
    U, inverse : (K + r/w)⁻¹ = U · inverse · Uᵀ
    alpha, targets : arrays (P, K), for K regressions at once
    weights, ridge : w and r
    kept, new : w' and y', the targets of patterns that are not left being those of before
    """
    changed = (new != targets).any(axis=1)
    S = np.flatnonzero(
        (np.abs(kept - weights) > 1e-12 * weights)
        | changed
        | (np.bincount(fold.test.pattern, minlength=len(kept)) > 0)
    )
    G = (U[S] * inverse) @ U[S].T
    change = new[S] - targets[S]
    system = G * (ridge * (weights[S] - kept[S]) / weights[S])
    system.flat[:: len(S) + 1] += kept[S]
    f = np.empty_like(targets)
    f[S] = new[S] - ridge * np.linalg.solve(system, alpha[S] + G @ change)
    return f[fold.test.pattern]


def _change(data: Data, fold: Fold, weights: NDArray, targets: NDArray) -> tuple[NDArray, NDArray]:
    """Return the weights and targets of the patterns in the training part of a fold."""
    total, _ = _by_pattern(data.all, len(targets), data.n_classes)
    kept, new = _by_pattern(fold.train, len(targets), data.n_classes)
    kept = weights * (kept / total)
    return kept, np.where(kept[:, None] > 0, new, targets)
