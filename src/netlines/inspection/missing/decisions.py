"""Decisions about rows with missing values, on the scale of those about complete ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.missing.integration import conditional
from netlines.network.combination import agreeing_scores
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.probability import agreeing


def decide(network: Network | Networks, X: NDArray, shares: NDArray) -> NDArray[np.float64]:
    """Return the decisions about rows that lack values, shape (n,) for one network of two classes, or (n, C).

    With probabilities they are log-odds or logarithms of the shares. Without, they are the decisions about
    the rows completed by what is expected of the missing values, made to agree with the largest share.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
    shares : what `integrate` returns for them
    """
    two = isinstance(network, Network) and network.n_classes == 2
    if network.has_probability:
        logarithms = np.log(np.maximum(shares, np.finfo(float).tiny))
        return logarithms[:, 1] - logarithms[:, 0] if two else logarithms
    decision = network.decision(completed(network, X)).astype(float)
    if two:
        return agreeing(decision, shares[:, 1] >= shares[:, 0])
    return agreeing_scores(decision, shares.argmax(axis=1))


def completed(network: Network | Networks, X: NDArray) -> NDArray[np.float64]:
    """Return rows with what is expected of their missing values, given the known ones, instead of NaN."""
    about, rows = network.surroundings, np.array(X, dtype=float)
    patterns, which = np.unique(np.isnan(rows), axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        some, missing = np.flatnonzero(which.ravel() == k), np.flatnonzero(pattern)
        if len(missing):
            mean, _ = conditional(network, rows[some], missing)
            values = about.mean[missing] + about.scale[missing] * mean
            rows[np.ix_(some, missing)] = np.clip(values, about.low[missing], about.high[missing])
    return rows
