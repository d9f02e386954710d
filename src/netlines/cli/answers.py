"""The columns that `netlines predict` adds to a table: predictions, decisions, probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.probability import expit


def answers(network: Network | Networks, X: NDArray) -> dict[str, NDArray]:
    """Return the columns for complete rows."""
    prediction = network.predict(X)
    if not network.has_probability:
        return _columns(network, prediction, network.decision(X), None)
    if isinstance(network, Network) and network.n_classes == 2:
        log_odds = network.log_odds(X)
        return _columns(network, prediction, log_odds, expit(np.abs(log_odds)))
    p = network.probability(X)
    return _columns(network, prediction, p, p.max(axis=1))


def answers_to_all(network: Network | Networks, X: NDArray) -> dict[str, NDArray]:
    """Return the columns for rows some of which lack values, NaN, that are integrated out.

    If any does, the column `complete` tells which lack none.
    """
    lacking = np.isnan(X).any(axis=1)
    if not lacking.any():
        return answers(network, X)
    from netlines.inspection.missing import integrate
    from netlines.inspection.missing.decisions import decide

    shares = integrate(network, X[lacking])
    decision = decide(network, X[lacking], shares)
    scores = shares if network.has_probability and decision.ndim == 2 else decision
    probability = shares.max(axis=1) if network.has_probability else None
    found = _columns(network, network.classes[shares.argmax(axis=1)], scores, probability)
    known = {} if lacking.all() else answers(network, X[~lacking])
    columns = {}
    for name, values in found.items():
        columns[name] = np.empty(len(X), dtype=values.dtype)
        columns[name][lacking] = values
        if known:
            columns[name][~lacking] = known[name]
    return {**columns, "complete": ~lacking}


def _columns(
    network: Network | Networks, prediction: NDArray, scores: NDArray, probability: NDArray | None
) -> dict[str, NDArray]:
    """Return the columns by name; scores are decisions (n,), or decisions or probabilities (n, C)."""
    columns = {"prediction": prediction}
    if scores.ndim == 1:
        columns["decision"] = scores
    if probability is not None:
        columns["probability"] = probability
    if scores.ndim == 2:
        kind = "decision" if probability is None else "probability"
        by_class = zip(network.classes.tolist(), scores.T, strict=True)
        columns |= {f"{kind} of {label}": column for label, column in by_class}
    return columns
