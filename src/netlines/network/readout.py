"""How scores are read: one number for two classes, or one a class. Only `AnyNetwork.readout` chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import agreeing, logarithms, most_probable, probabilities
from netlines.network.schemes import agreeing_scores


class Answer(NamedTuple):
    """What a network says of n rows, by one pass over them.

    Attributes
    ----------
    labels : array (n,)
        The numbers of the classes.
    scores : array (n,) or (n, C)
        Of one network of two classes the log-odds of the second, else the logarithms of all probabilities.
        Without a calibration they are the decisions.
    probability : array (n, C) or None
        None without a calibration.
    """

    labels: NDArray
    scores: NDArray
    probability: NDArray | None


class Readout:
    """One score a class, the largest that of the answer."""

    def flat(self, sums: NDArray) -> NDArray:
        """Return the sums (n, K) of the outputs as scores, shape (n, C), or (n,) if K = 1."""
        return sums

    def by_class(self, scores: NDArray) -> NDArray:
        """Return scores as one a class, shape (n, C)."""
        return scores

    def agreeing(self, scores: NDArray, labels: NDArray) -> NDArray:
        """Return scores that speak for the labels: where they do not, next to equal."""
        return agreeing_scores(scores, labels)

    def of_probabilities(self, p: NDArray) -> NDArray:
        """Return the scores of probabilities (n, C)."""
        return logarithms(p)

    def legend(self, names: Sequence[Any] | NDArray) -> list[tuple[int | None, Any]]:
        """Return of each output the number of its class, None if it has two, and what it stands for."""
        return list(enumerate(names))

    def columns(self, labels: Sequence[Any], scores: NDArray, p: NDArray | None) -> dict[str, NDArray]:
        """Return scores and probabilities as named columns of a table."""
        kind, scores = ("decision", scores) if p is None else ("probability", p)
        by_class = zip(labels, scores.T, strict=True)
        return _surest(p) | {f"{kind} of {label}": column for label, column in by_class}

    def calibrated(self, z: NDArray, labels: NDArray, shift: NDArray) -> Answer:
        """Return the answer by calibrated scores z (n, K) that have to agree with labels before a shift."""
        # Only differences matter: with the largest at 1, what agreeing adds is never lost in rounding.
        z = z - z.max(axis=1, keepdims=True) + 1.0
        p = probabilities(agreeing_scores(z, labels) + shift)
        return Answer(most_probable(p) if shift.any() else labels, logarithms(p), p)


class OneScore(Readout):
    """One score for two classes, what the second has above the first: its sign is the answer."""

    def flat(self, sums: NDArray) -> NDArray:
        return sums[:, 0]

    def by_class(self, scores: NDArray) -> NDArray:
        return np.column_stack([-scores, scores])

    def agreeing(self, scores: NDArray, labels: NDArray) -> NDArray:
        return agreeing(scores, labels == 1)

    def of_probabilities(self, p: NDArray) -> NDArray:
        z = logarithms(p)
        return np.asarray(z[:, 1] - z[:, 0])

    def legend(self, names: Sequence[Any] | NDArray) -> list[tuple[int | None, Any]]:
        return [(None, f"+1: {names[1]}\n−1: {names[0]}")]

    def columns(self, labels: Sequence[Any], scores: NDArray, p: NDArray | None) -> dict[str, NDArray]:
        return {"decision": scores} | _surest(p)

    def calibrated(self, z: NDArray, labels: NDArray, shift: NDArray) -> Answer:
        scores = agreeing(z[:, 0], labels == 1) + shift
        return Answer(most_probable(scores), scores, probabilities(scores[:, None]))


def _surest(p: NDArray | None) -> dict[str, NDArray]:
    return {} if p is None else {"probability": p.max(axis=1)}


ONE, EACH = OneScore(), Readout()
