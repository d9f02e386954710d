"""The most probable class of rows with missing values: what is missing is integrated out.

Given the known values of a row the missing ones are Gaussian, with the means, spreads and correlations of the
training rows, kept within their range there and rounded if all training values were integers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr, ndtri

from netlines.missing.allowed import Allowed, allowed_values, by_pattern
from netlines.missing.pieces import find_pieces
from netlines.network import Network
from netlines.networks import Networks

QUANTILES = 64  # of the distribution of one missing value
DRAWS = 256  # of several missing values
RIDGE = 1e-3  # share of independence in the correlations, so that inputs may determine each other
MOST_DIMENSIONS = 1000  # of evenly spread draws; above they are random
CELLS = 4_000_000  # numbers held at once


def integrate(network: Network | Networks, X: NDArray) -> NDArray[np.float64]:
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
    >>> from netlines.missing import integrate
    >>> from netlines.network import PASS_ON, Network
    >>> network = Network([[1.0, 1.0, -1.0]], PASS_ON, ["low", "high"])  # high where x0 + 1 ≥ x1
    >>> integrate(network, np.array([[0.0, 3.0], [0.0, np.nan], [np.nan, np.nan]])).round(2).tolist()
    [[1.0, 0.0], [0.16, 0.84], [0.23, 0.77]]
    """
    X = np.asarray(X, dtype=float)
    allowed = allowed_values(network)
    result = np.empty((len(X), network.n_classes))
    for rows, missing in by_pattern(X):
        if not len(missing):
            result[rows] = _answers(network, X[rows])
        elif len(missing) == 1 and not network.has_probability:
            result[rows] = _over_pieces(network, X[rows], int(missing[0]), allowed[missing[0]])
        else:
            result[rows] = _over_draws(network, X[rows], missing)
    return result


def conditional(network: Network | Networks, X: NDArray, missing: NDArray) -> tuple[NDArray, NDArray]:
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


def _answers(network: Network | Networks, X: NDArray) -> NDArray[np.float64]:
    """Return the probabilities of complete rows, or 1 for the answer if there are none."""
    if network.has_probability:
        return network.probability(X).astype(float)
    return (network.predict(X)[:, None] == network.classes).astype(float)


def _over_pieces(
    network: Network | Networks, X: NDArray, feature: int, allowed: Allowed
) -> NDArray[np.float64]:
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


def _over_draws(network: Network | Networks, X: NDArray, missing: NDArray) -> NDArray[np.float64]:
    """Integrate over quantiles of one missing value, or over fixed draws of several."""
    mean, covariance = conditional(network, X, missing)
    about = network.surroundings
    normal = _normal_points(len(missing)) @ np.linalg.cholesky(covariance).T
    low, high, scale = about.low[missing], about.high[missing], about.scale[missing]
    result = np.empty((len(X), network.n_classes))
    chunk = max(1, CELLS // (len(normal) * (network.n_features + network.n_hidden)))
    for start in range(0, len(X), chunk):
        some = slice(start, start + chunk)
        values = np.clip(about.mean[missing] + scale * (mean[some, None] + normal), low, high)
        values = np.where(about.integer[missing], np.rint(values), values)
        filled = np.repeat(X[some], len(normal), axis=0)
        filled[:, missing] = values.reshape(-1, len(missing))
        answers = _answers(network, filled).reshape(-1, len(normal), network.n_classes)
        result[some] = answers.mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)


@lru_cache(maxsize=32)
def _normal_points(n_inputs: int) -> NDArray[np.float64]:
    """Return points spread like independent normal numbers, shape (k, n_inputs), always the same."""
    if n_inputs == 1:
        return ndtri((np.arange(QUANTILES)[:, None] + 0.5) / QUANTILES)
    if n_inputs > MOST_DIMENSIONS:
        return np.random.default_rng(0).standard_normal((DRAWS, n_inputs))
    from scipy.stats import qmc  # takes long to import, and few predictions need it

    # Scrambled points may lie at 0 after rounding.
    return ndtri(np.clip(qmc.Sobol(n_inputs, seed=0).random(DRAWS), 1e-9, 1.0 - 1e-9))
