"""The columns that `netlines predict` adds to a table: predictions, decisions, probabilities."""

from __future__ import annotations

from numpy.typing import NDArray

from netlines.inspection.answers import Answers
from netlines.network.protocol import AnyNetwork


def answer_columns(network: AnyNetwork, X: NDArray) -> dict[str, NDArray]:
    """Return the columns by name; what rows lack, NaN, is integrated out.

    If any row lacks a value, the column `complete` tells which do not.
    """
    found = Answers(network, X)
    columns, scores = {"prediction": found.labels()}, found.decisions()
    if scores.ndim == 1:
        columns["decision"] = scores
    if network.has_probability:
        p = found.probabilities()
        columns["probability"] = p.max(axis=1)
    if scores.ndim == 2:
        kind, scores = ("probability", p) if network.has_probability else ("decision", scores)
        by_class = zip(network.classes.tolist(), scores.T, strict=True)
        columns |= {f"{kind} of {label}": column for label, column in by_class}
    return {**columns, "complete": ~found.lacking} if found.lacking.any() else columns
