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
    p = found.probabilities() if network.has_probability else None
    scores = network.readout.columns(network.classes.tolist(), found.decisions(), p)
    columns = {"prediction": found.labels(), **scores}
    return {**columns, "complete": ~found.lacking} if found.lacking.any() else columns
