"""Fits the scores of many classes: to probabilities or labels, and how steep they may be on new rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from netlines import _softmax
from netlines.folds import Examples
from netlines.network.probability import STEEPNESS, SoftmaxCalibration

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


def fit_factor(scores: Sequence[NDArray], tests: Sequence[Examples]) -> float:
    """Return the factor of scores (n, C) that gives the lowest log-loss.

    Each label is moved inwards by one effective row of its class, so that scores that separate the classes do
    not end in certainty.

    Parameters
    ----------
    scores : what several copies say
    tests : about these examples, of which they know nothing
    """
    f = np.concatenate(scores)
    labels = np.concatenate([test.targets for test in tests])
    weights = np.concatenate([test.weights for test in tests])
    share, n_classes = weights / weights.sum(), f.shape[1]
    rows = np.bincount(labels, share, n_classes)[labels] / (share @ share)
    rest = (1.0 / ((rows + 2.0) * (n_classes - 1)))[:, None]
    T = np.where(labels[:, None] == np.arange(n_classes), 1.0 - (n_classes - 1) * rest, rest)

    def cost(power: float) -> float:
        z = np.exp(power) * f
        z = z - z.max(axis=1, keepdims=True)
        return float(share @ (np.log(np.exp(z).sum(axis=1)) - (T * z).sum(axis=1)))

    return float(np.exp(minimize_scalar(cost, bounds=FACTORS, method="bounded").x))
