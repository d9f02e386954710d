"""The most probable class of rows with missing values: what is missing is integrated out.

Given the known values of a row the missing ones are Gaussian, with the means, spreads and correlations of the
training rows, kept within their range there and rounded if all training values were integers. Of a one-hot
group one category is high, with a chance in proportion to its conditional mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr, ndtri

from netlines.inspection.missing.allowed import Allowed, allowed_values
from netlines.inspection.missing.pieces import find_pieces
from netlines.inspection.missing.unknowns import Unknown, by_unknowns, inputs_of
from netlines.network.protocol import AnyNetwork

QUANTILES = 64  # of the distribution of one missing value
DRAWS = 256  # of several missing values
LEAST = 1e-3  # chance of a category before all are scaled to the sum 1: the mean may be below 0
RIDGE = 1e-3  # share of independence in the correlations, so that inputs may determine each other
MOST_DIMENSIONS = 1000  # of evenly spread draws; above they are random
CELLS = 4_000_000  # numbers held at once


def integrate(network: AnyNetwork, X: NDArray) -> NDArray[np.float64]:
    """Return the probabilities of the classes, integrated over what is missing, shape (n, C).

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
        NaN stands for a missing value; a row may miss all.

    Returns
    -------
    array of shape (n, C)
        Rows with the sum 1; the largest is the most probable class. Without a calibration it is the
        probability that the network would answer so if it knew the missing values, 1 for complete rows.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing import integrate
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[1.0, 1.0, -1.0]], PASS_ON, ["low", "high"])  # high where x0 + 1 ≥ x1
    >>> integrate(network, np.array([[0.0, 3.0], [0.0, np.nan], [np.nan, np.nan]])).round(2).tolist()
    [[1.0, 0.0], [0.16, 0.84], [0.23, 0.77]]
    """
    X, frame = np.asarray(X, dtype=float), network.frame
    if frame is not None:
        X, network = frame.inside(X), network.inside(frame)
    allowed = allowed_values(network)
    result = np.empty((len(X), network.n_classes))
    for rows, unknowns in by_unknowns(network.surroundings, X, allowed):
        if not unknowns:
            result[rows] = _answers(network, X[rows])
        elif len(unknowns) == 1 and unknowns[0].choices is not None:
            result[rows] = _over_choices(network, X[rows], unknowns[0], unknowns[0].choices)
        elif len(unknowns) == 1 and not network.has_probability:
            (feature,) = unknowns[0].inputs
            result[rows] = _over_pieces(network, X[rows], feature, unknowns[0].allowed)
        else:
            result[rows] = _over_draws(network, X[rows], unknowns)
    return result


def conditional(network: AnyNetwork, X: NDArray, missing: NDArray) -> tuple[NDArray, NDArray]:
    """Return how missing values are distributed given the known ones, in standardised units.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
        Rows that all miss the same inputs.
    missing : array of M numbers of inputs

    Returns
    -------
    mean : array of shape (n, M)
    covariance : array of shape (M, M)
    """
    about = network.surroundings
    if about.correlation is None:
        return np.zeros((len(X), len(missing))), np.eye(len(missing))
    correlation = about.correlation + RIDGE * np.eye(network.n_features)
    correlation /= 1.0 + RIDGE
    known = np.setdiff1d(np.arange(network.n_features), missing)
    across = correlation[np.ix_(known, missing)]
    slopes = cho_solve(cho_factor(correlation[np.ix_(known, known)]), across) if len(known) else across
    covariance = correlation[np.ix_(missing, missing)] - across.T @ slopes
    return about.standardised(X)[:, known] @ slopes, covariance


def _answers(network: AnyNetwork, X: NDArray) -> NDArray[np.float64]:
    """Return the probabilities of complete rows, or 1 for the answer if there are none."""
    if network.has_probability:
        return network.probability(X).astype(float)
    return np.eye(network.n_classes)[network.answers(X)]


def _over_pieces(network: AnyNetwork, X: NDArray, feature: int, allowed: Allowed) -> NDArray[np.float64]:
    """Integrate over one missing value: the shares of the pieces of its line."""
    mean, variance = conditional(network, X, np.array([feature]))
    about = network.surroundings
    centre = about.mean[feature] + about.scale[feature] * mean[:, 0]
    width = about.scale[feature] * np.sqrt(variance[0, 0])
    pieces = find_pieces(network, X, feature, allowed)
    # What lies outside of the range counts for its ends, and a number for the nearest integer.
    opening = np.r_[True, pieces.row[1:] != pieces.row[:-1]]
    with np.errstate(invalid="ignore"):  # between two rows it may be ∞ - ∞
        border = np.where(opening[1:], np.inf, (pieces.high[:-1] + pieces.low[1:]) / 2)
    low, high = np.where(opening, -np.inf, np.r_[-np.inf, border]), np.r_[border, np.inf]
    shares = ndtr((high - centre[pieces.row]) / width) - ndtr((low - centre[pieces.row]) / width)
    result = np.zeros((len(X), network.n_classes))
    np.add.at(result, (pieces.row, pieces.label), shares)
    return result / result.sum(axis=1, keepdims=True)


def _over_choices(network: AnyNetwork, X: NDArray, unknown: Unknown, choices: NDArray) -> NDArray[np.float64]:
    """Integrate over the categories of one missing group."""
    chances = _chances(network, X, list(unknown.inputs), unknown, choices)
    result = np.zeros((len(X), network.n_classes))
    for values, chance in zip(choices, chances.T, strict=True):
        filled = X.copy()
        filled[:, list(unknown.inputs)] = values
        result += chance[:, None] * _answers(network, filled)
    return result / result.sum(axis=1, keepdims=True)


def _chances(
    network: AnyNetwork, X: NDArray, missing: list[int], unknown: Unknown, choices: NDArray
) -> NDArray[np.float64]:
    """Return the chances of the choices of a group in rows that all miss the same inputs, shape (n, k)."""
    if len(choices) == 1:
        return np.ones((len(X), 1))
    about, inputs = network.surroundings, list(unknown.inputs)
    mean = conditional(network, X, np.array(missing))[0][:, [missing.index(i) for i in inputs]]
    low, high = choices.min(), choices.max()
    share = (about.mean[inputs] + about.scale[inputs] * mean - low) / (high - low)
    chances = np.maximum(share, LEAST)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _over_draws(network: AnyNetwork, X: NDArray, unknowns: list[Unknown]) -> NDArray[np.float64]:
    """Integrate over quantiles of one missing value, or over fixed draws of several."""
    points = normal_points(len(unknowns))
    result = np.empty((len(X), network.n_classes))
    chunk = max(1, CELLS // (len(points) * (network.n_features + network.n_hidden)))
    for start in range(0, len(X), chunk):
        some = slice(start, start + chunk)
        filled = drawn(network, X[some], unknowns, points)
        result[some] = _answers(network, filled).reshape(-1, len(points), network.n_classes).mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)


def drawn(
    network: AnyNetwork, X: NDArray, unknowns: Sequence[Unknown], points: NDArray
) -> NDArray[np.float64]:
    """Return each row once for each of some normal points, filled: group after group, then the numbers."""
    about, missing = network.surroundings, inputs_of(unknowns)
    filled, normal = np.repeat(X, len(points), axis=0), np.tile(points, (len(X), 1))
    numbers = [k for k, one in enumerate(unknowns) if one.choices is None]
    for k, one in enumerate(unknowns):
        if one.choices is None:
            continue
        chances = _chances(network, filled, missing, one, one.choices)
        passed = (chances.cumsum(axis=1) < ndtr(normal[:, k])[:, None]).sum(axis=1)
        filled[:, list(one.inputs)] = one.choices[np.minimum(passed, len(one.choices) - 1)]
        missing = [i for i in missing if i not in one.inputs]  # what follows depends on it
    if numbers:
        mean, covariance = conditional(network, filled, np.array(missing))
        apart = mean + normal[:, numbers] @ np.linalg.cholesky(covariance).T
        values = about.mean[missing] + about.scale[missing] * apart
        for column, k in enumerate(numbers):
            filled[:, missing[column]] = unknowns[k].allowed.nearest(values[:, column])
    return filled


@lru_cache(maxsize=32)
def normal_points(n_inputs: int) -> NDArray[np.float64]:
    """Return points spread like independent normal numbers, shape (k, n_inputs), always the same."""
    if n_inputs == 1:
        return ndtri((np.arange(QUANTILES)[:, None] + 0.5) / QUANTILES)
    if n_inputs > MOST_DIMENSIONS:
        return np.random.default_rng(0).standard_normal((DRAWS, n_inputs))
    from scipy.stats import qmc  # takes long to import, and few predictions need it

    # Scrambled points may lie at 0 after rounding.
    return ndtri(np.clip(qmc.Sobol(n_inputs, seed=0).random(DRAWS), 1e-9, 1.0 - 1e-9))
