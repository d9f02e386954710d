"""Fits the log-odds or scores of a network: to probabilities or labels, and how steep they may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from netlines.network.probability import Calibration, expit
from netlines.training import _softmax
from netlines.training.cases import Cases

STEEPNESS = (1.0, 3.0, 10.0, 30.0)  # of tanh over a field with the root mean square 1
RIDGE = 1e-3
FACTORS = (-4.0, 4.0)  # logarithms of the smallest and of the largest factor of scores


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
    return fit_logistics(features, p, weights, [ridge])[0]


def fit_logistics(
    features: NDArray, p: NDArray, weights: NDArray, ridges: Sequence[float]
) -> list[tuple[NDArray, float]]:
    """Fit log-odds as `fit_logistic` for several ridges, each from where the one before it ended."""
    center = weights @ features
    spread = np.sqrt(weights @ (features - center) ** 2)
    spread = np.where(spread > 1e-12 * (1.0 + np.abs(center)), spread, np.inf)
    F = np.column_stack([np.ones(len(p)), (features - center) / spread])
    b, found = np.zeros(F.shape[1]), []
    for ridge in ridges:
        b = _newton(F, p, weights, ridge, b)
        z = F @ b
        slopes = b[1:] / spread
        line = np.concatenate([[b[0] - slopes @ center], slopes])
        found.append((line, float(weights @ (np.logaddexp(0.0, z) - p * z))))
    return found


def _newton(F: NDArray, p: NDArray, weights: NDArray, ridge: float, b: NDArray) -> NDArray:
    """Return the weights of standardised features F (n, K + 1), the constant first, from a start b."""
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
    return b


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


def fit_stretch(scores: NDArray, labels: NDArray, weights: NDArray) -> tuple[float, float]:
    """Return offset and factor of scores (n, K) that suit labels best: of log-odds a line, of more a factor.

    The parameters are those of `fit_factor`.
    """
    if scores.shape[1] > 1:
        return 0.0, fit_factor(scores, labels, weights)
    offset, factor = fit_line(scores[:, 0], np.where(labels > 0, 1.0, -1.0), weights)
    return float(offset), float(factor)


def fit_calibration(
    fields: NDArray,
    p: NDArray,
    weights: NDArray,
    priors: NDArray,
    steepnesses: Sequence[float] = STEEPNESS,
) -> Calibration:
    """Fit the scores of a network to probabilities or labels p, the steepness chosen by the lowest cost.

    Parameters
    ----------
    fields : array (n, H)
    p : array (n, C), the probabilities to match
    weights : array (n,)
    priors : array (C,), the classes' shares of the training rows
    steepnesses : what to try, of tanh over a field with the root mean square 1
    """
    share = weights / weights.sum()
    largest = np.abs(fields).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    size = largest * np.sqrt(share @ (fields / largest) ** 2)
    size = np.where(size > 0, size, 1.0)
    n_hidden, best, found = fields.shape[1], np.inf, None
    for steepness in steepnesses:
        features = np.hstack([fields / size, np.tanh(steepness * fields / size)])
        W, cost = FITS.of(p.shape[1])(features, p, share)
        if found is None or cost < best:
            best, found = cost, (W, steepness)
    assert found is not None
    W, steepness = found
    slopes, steps = W[:, 1 : n_hidden + 1] / size, W[:, n_hidden + 1 :]
    return Calibration(W[:, 0], slopes, steps, steepness / size, priors, priors)


def _fit_log_odds(features: NDArray, p: NDArray, share: NDArray) -> tuple[NDArray, float]:
    """Return the weights (1, 1 + features) of the log-odds, bias first, and their cost: by Newton."""
    line, cost = fit_logistic(features, p[:, 1], share)
    return line[None], cost


def _fit_scores(features: NDArray, p: NDArray, share: NDArray) -> tuple[NDArray, float]:
    """Return the weights (C, 1 + features) of the scores, bias first, and their cost."""
    F = np.vstack([np.ones(len(p)), features.T])
    penalty = np.where(np.arange(len(F)) == 0, 1e-9, RIDGE)
    return _softmax.fit_outputs(F.astype(np.float32), p.T, share, penalty, iterations=60)


FITS = Cases(two=_fit_log_odds, more=_fit_scores)


def fit_to_labels(fields: NDArray, labels: NDArray, weights: NDArray, priors: NDArray) -> Calibration:
    """Fit the scores of a network to the labels 0 … C - 1 it was trained on; it is too sure of them."""
    return fit_calibration(fields, np.eye(len(priors))[labels], weights, priors)


def line_calibration(line: NDArray, priors: NDArray) -> Calibration:
    """Return the calibration of a single unit whose log-odds are a line of its field."""
    return Calibration(line[0], line[1:], np.zeros(1), np.zeros(1), priors, priors)
