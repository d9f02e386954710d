"""Fits the log-odds or scores of a network: to probabilities or labels, and how steep they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from netlines.network.probability import Calibration, SoftmaxCalibration, expit
from netlines.training import _softmax

STEEPNESS = (1.0, 3.0, 10.0, 30.0)  # of tanh over a field with the root mean square 1
RIDGE = 1e-3
FACTORS = (-4.0, 4.0)  # logarithms of the smallest and of the largest factor of scores


def fit_softmax(
    fields: NDArray,
    p: NDArray,
    share: NDArray,
    priors: NDArray,
    steepnesses: Sequence[float] = STEEPNESS,
) -> SoftmaxCalibration:
    """Fit the scores of a network to probabilities or labels p (n, C), the steepness by the lowest cost.

    Parameters
    ----------
    fields : array (n, H)
    p : array (n, C), the probabilities to match
    share : array (n,), weights with the sum 1
    priors : array (C,), the classes' shares of the training rows
    steepnesses : what to try, of tanh over a field with the root mean square 1
    """
    largest = np.abs(fields).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    size = largest * np.sqrt(share @ (fields / largest) ** 2)
    size = np.where(size > 0, size, 1.0)
    scaled, n_hidden = fields / size, fields.shape[1]
    best: tuple[float, tuple[NDArray, float]] | None = None
    for steepness in steepnesses:
        F = np.vstack([np.ones(len(p)), scaled.T, np.tanh(steepness * scaled).T])
        penalty = np.where(np.arange(len(F)) == 0, 1e-9, RIDGE)
        W, cost = _softmax.fit_outputs(F.astype(np.float32), p.T, share, penalty, iterations=60)
        if best is None or cost < best[0]:
            best = cost, (W, steepness)
    assert best is not None
    W, steepness = best[1]
    slopes, steps = W[:, 1 : n_hidden + 1] / size, W[:, n_hidden + 1 :]
    return SoftmaxCalibration(W[:, 0], slopes, steps, steepness / size, priors, priors)


def fit_factor(scores: NDArray, labels: NDArray, weights: NDArray) -> float:
    """Return the factor of scores (n, C) that gives the lowest log-loss.

    Each label is moved inwards by one effective row of its class, so that scores that separate the classes do
    not end in certainty.

    Parameters
    ----------
    scores : array (n, C), of rows that whoever gives them knows nothing of
    labels : array (n,), the numbers of their classes
    weights : array (n,)
    """
    share, n_classes = weights / weights.sum(), scores.shape[1]
    rows = np.bincount(labels, share, n_classes)[labels] / (share @ share)
    rest = (1.0 / ((rows + 2.0) * (n_classes - 1)))[:, None]
    T = np.where(labels[:, None] == np.arange(n_classes), 1.0 - (n_classes - 1) * rest, rest)

    def cost(power: float) -> float:
        z = np.exp(power) * scores
        z = z - z.max(axis=1, keepdims=True)
        return float(share @ (np.log(np.exp(z).sum(axis=1)) - (T * z).sum(axis=1)))

    return float(np.exp(minimize_scalar(cost, bounds=FACTORS, method="bounded").x))


def fit_logistic(
    features: NDArray, p: NDArray, weights: NDArray, ridge: float = RIDGE
) -> tuple[NDArray, float]:
    """Fit log-odds linear in the features to probabilities or labels p by Newton's method.

    Parameters
    ----------
    features : array (n, K)
    p : array (n,), between 0 and 1
    weights : array (n,), with the sum 1
    ridge : penalty on the squared slopes of standardised features

    Returns
    -------
    (intercept and slopes, array (K + 1,); mean cross-entropy)
    """
    center = weights @ features
    spread = np.sqrt(weights @ (features - center) ** 2)
    spread = np.where(spread > 1e-12 * (1.0 + np.abs(center)), spread, np.inf)
    F = np.column_stack([np.ones(len(p)), (features - center) / spread])
    b = np.zeros(F.shape[1])
    penalty = np.full(len(b), ridge)
    penalty[0] = 1e-9
    for _ in range(50):
        q = expit(F @ b)
        slope = F.T @ (weights * (q - p)) + penalty * b
        curvature = (F.T * (weights * q * (1.0 - q))) @ F
        curvature.flat[:: len(b) + 1] += penalty + 1e-9
        step = np.linalg.solve(curvature, slope)
        largest = np.abs(step).max()
        b = b - step * min(1.0, 3.0 / max(largest, 1e-300))
        if largest < 1e-8:
            break
    z = F @ b
    cost = float(weights @ (np.logaddexp(0.0, z) - p * z))
    slopes = b[1:] / spread
    return np.concatenate([[b[0] - slopes @ center], slopes]), cost


def fit_line(margins: NDArray, targets: NDArray, weights: NDArray) -> NDArray:
    """Return intercept and slope of the log-odds as a line of the margins (Platt).

    The labels are moved inwards by one effective row of each class, so that classes that margins separate
    do not end in certainty.
    """
    share = weights / weights.sum()
    rows = 1.0 / (share @ share)
    positive = rows * share[targets > 0].sum()
    p = np.where(targets > 0, (positive + 1.0) / (positive + 2.0), 1.0 / (rows - positive + 2.0))
    line, _ = fit_logistic(margins[:, None], p, share, ridge=1e-6)
    return line


def fit_calibration(fields: NDArray, p: NDArray, weights: NDArray, priors: NDArray) -> Calibration:
    """Fit the log-odds of a network to probabilities p, the steepness chosen by the lowest cost.

    Parameters
    ----------
    fields : array (n, H)
    p : array (n,), the probabilities of the second class to match, or labels
    weights : array (n,)
    priors : array (2,), the classes' shares of the training rows
    """
    share = weights / weights.sum()
    largest = np.abs(fields).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    size = largest * np.sqrt(share @ (fields / largest) ** 2)
    size = np.where(size > 0, size, 1.0)
    n_hidden = fields.shape[1]
    best: tuple[float, Any] = (np.inf, None)
    for steepness in STEEPNESS:
        features = np.hstack([fields / size, np.tanh(steepness * fields / size)])
        weights_, cost = fit_logistic(features, p, share)
        if cost < best[0]:
            best = cost, (weights_, steepness)
    (intercept, *rest), steepness = best[1]
    slopes, steps = np.array(rest[:n_hidden]) / size, np.array(rest[n_hidden:])
    return Calibration(float(intercept), slopes, steps, steepness / size, priors, priors)


def fit_to_labels(fields: NDArray, targets: NDArray, weights: NDArray, priors: NDArray) -> Calibration:
    """Fit the log-odds of a network to the labels it was trained on; it is too sure of them."""
    return fit_calibration(fields, (targets > 0).astype(float), weights, priors)


def line_calibration(line: NDArray, priors: NDArray) -> Calibration:
    """Return the calibration of a single unit whose log-odds are a line of its field."""
    nothing = np.zeros(1)
    return Calibration(float(line[0]), line[1:], nothing, nothing, priors, priors)
