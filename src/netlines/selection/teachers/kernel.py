"""A kernel ridge regression as a teacher, judged without fitting it anew for each fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import expit
from netlines.selection.folds import Examples, Fold
from netlines.selection.teachers.teacher import Data, Teacher, Units, mean_loss
from netlines.training.calibration import fit_line

WIDTHS = (1 / 8, 1 / 2, 2.0)
RIDGES = (0.03, 0.1, 0.3, 1.0, 3.0)


def fit_kernel(data: Data) -> Teacher:
    """Fit a kernel ridge regression on ±1, its width and ridge chosen by the held-out loss.

    The kernel is exp(-width · |z - z'|² / 2N) over standardised inputs, the ridge is counted in rows of the
    mean weight; a line through the held-out values turns them into log-odds.
    """
    Z, n_patterns = data.X[1:], data.X.shape[1]
    weights, targets = _by_pattern(data.all, n_patterns)
    weights = weights / weights.mean()
    root = np.sqrt(weights)
    best: tuple[float, Any] = (np.inf, None)
    changes = [_change(data, fold, weights, targets) for fold in data.folds]
    for width in WIDTHS:
        K = gaussian(Z, Z, width)
        d, U = np.linalg.eigh(root[:, None] * K * root)
        U = root[:, None] * U  # (K + r/w)⁻¹ = U (d + r)⁻¹ Uᵀ
        for ridge in RIDGES:
            inverse = 1.0 / (np.maximum(d, 0.0) + ridge)
            alpha = U @ (inverse * (U.T @ targets))
            values = [
                without(fold, U, inverse, alpha, weights, targets, ridge, *change)
                for fold, change in zip(data.folds, changes, strict=True)
            ]
            line = _line(values, data.folds)
            held_out = [expit(line[0] + line[1] * f) for f in values]
            loss = mean_loss(held_out, data.folds)
            if loss < best[0]:
                best = loss, (width, ridge, line, held_out)
    width, ridge, line, held_out = best[1]
    K = gaussian(Z, Z, width)
    examples = [data.all, *(fold.train for fold in data.folds)]
    whole, *in_folds = (
        KernelRidge(regress(data, K, *_by_pattern(part, n_patterns), width, ridge), line) for part in examples
    )
    return Teacher("kernel", whole, in_folds, held_out)


def regress(
    data: Data, K: NDArray, weights: NDArray, targets: NDArray, width: float, ridge: float
) -> Regression:
    """Fit the regression to the patterns that have a weight.

    Parameters
    ----------
    data : the patterns
    K : their kernel
    weights : array (P,)
    targets : array (P,), or (P, C) for C regressions at once
    width, ridge : of the kernel, and in rows of the mean weight
    """
    use = np.flatnonzero(weights > 0)
    system = K[np.ix_(use, use)]
    system.flat[:: len(use) + 1] += ridge * (data.all.weights.sum() / len(K)) / weights[use]
    alpha = np.linalg.solve(system, targets[use])
    return Regression(data.units, np.ascontiguousarray(data.X[1:, use]), width, alpha)


@dataclass(frozen=True, eq=False)
class Regression:
    """A kernel ridge regression, or several at once."""

    units: Units
    centers: NDArray
    width: float
    alpha: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        parts = (self.units.standardised(part)[1:] for part in np.array_split(rows, len(rows) // 2000 + 1))
        return np.concatenate([gaussian(part, self.centers, self.width) @ self.alpha for part in parts])


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """The probability by a kernel ridge regression and a line for its log-odds."""

    regression: Regression
    line: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        return np.asarray(expit(self.line[0] + self.line[1] * self.regression(rows)))


def gaussian(A: NDArray, B: NDArray, width: float) -> NDArray:
    """Return exp(-width · |a - b|² / 2N) for the columns of A (N, n) and B (N, n')."""
    squares = (A**2).sum(axis=0)[:, None] + (B**2).sum(axis=0) - 2.0 * (A.T @ B)
    return np.asarray(np.exp(np.maximum(squares, 0.0) * (-width / (2 * max(len(A), 1)))))


def _by_pattern(examples: Examples, n_patterns: int) -> tuple[NDArray, NDArray]:
    """Return the weight of each pattern and its mean target; the target of an absent one is NaN."""
    weights = np.bincount(examples.pattern, examples.weights, n_patterns)
    sums = np.bincount(examples.pattern, examples.weights * examples.targets, n_patterns)
    return weights, np.divide(sums, weights, out=np.full(n_patterns, np.nan), where=weights > 0)


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
    alpha, targets : arrays (P,), or (P, C) for C regressions at once
    weights, ridge : w and r
    kept, new : w' and y', the targets of patterns that are not left being those of before
    """
    changed = (new != targets).reshape(len(targets), -1).any(axis=1)
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
    total, _ = _by_pattern(data.all, len(targets))
    kept, new = _by_pattern(fold.train, len(targets))
    kept = weights * (kept / total)
    return kept, np.where(kept > 0, new, targets)


def _line(values: Sequence[NDArray], folds: Sequence[Fold]) -> NDArray:
    """Fit log-odds to the values of the folds' test examples."""
    targets = np.concatenate([fold.test.targets for fold in folds])
    weights = np.concatenate([fold.test.weights for fold in folds])
    return fit_line(np.concatenate(values), targets, weights)
