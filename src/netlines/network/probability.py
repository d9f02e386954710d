"""From margins to probabilities: how a network's fields become log-odds, and what changed priors do.

numpy only, so that whatever reads a network can read its probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

EDGE = 1e-9  # the least by which log-odds agree with the answer of a network


def expit(z: NDArray) -> NDArray:
    """Return 1/(1 + exp(-z)), the probability with the log-odds z."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -700.0, 700.0))))


def softmax(z: NDArray) -> NDArray:
    """Return the probabilities exp(z)/Σ exp(z) of each row of scores (n, C)."""
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def agreeing(log_odds: NDArray, positive: NDArray) -> NDArray:
    """Return log-odds on the side of the answers: where they are on the other, next to 0."""
    return np.where(positive, np.maximum(log_odds, EDGE), np.minimum(log_odds, -EDGE))


def log_loss(probability: NDArray, targets: NDArray) -> NDArray:
    """Return -log of the probability given to each target ±1."""
    p = np.where(targets > 0, probability, 1.0 - probability)
    return np.asarray(-np.log(np.maximum(p, 1e-15)))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Log-odds of the second class from the fields f of the hidden units.

    intercept + Σ slopes·f + Σ steps·tanh(steepness·f), plus what changed priors add.

    Attributes
    ----------
    intercept : float
    slopes, steps, steepness : arrays of shape (H,)
    training_priors : array of shape (2,)
        The classes' shares of the weight of the training rows.
    priors : array of shape (2,)
        The shares that are expected of the rows to predict.
    """

    intercept: float
    slopes: NDArray
    steps: NDArray
    steepness: NDArray
    training_priors: NDArray
    priors: NDArray

    def __post_init__(self) -> None:
        for name in ("slopes", "steps", "steepness", "training_priors", "priors"):
            array = np.array(getattr(self, name), dtype=float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def shift(self) -> float:
        """What the priors add to the log-odds: 0 as long as they are those of the training rows."""
        if (self.priors == self.training_priors).all():
            return 0.0
        new, old = np.log(self.priors), np.log(self.training_priors)
        return float(new[1] - new[0] - old[1] + old[0])

    def log_odds(self, fields: NDArray) -> NDArray:
        """Return the log-odds for fields of shape (n, H) under the training priors."""
        return np.asarray(
            self.intercept + fields @ self.slopes + np.tanh(fields * self.steepness) @ self.steps
        )

    def stretched(self, line: NDArray) -> Calibration:
        """Return the calibration with the log-odds line[0] + line[1]·z instead of z."""
        return replace(
            self,
            intercept=float(line[0] + line[1] * self.intercept),
            slopes=line[1] * self.slopes,
            steps=line[1] * self.steps,
        )


@dataclass(frozen=True, eq=False)
class SoftmaxCalibration:
    """Scores of C classes, the logarithms of their probabilities, from the fields f of the hidden units.

    intercepts + Σ slopes·f + Σ steps·tanh(steepness·f), plus what changed priors add. Only the differences
    between the scores of a row matter.

    Attributes
    ----------
    intercepts : array of shape (C,)
    slopes, steps : arrays of shape (C, H)
    steepness : array of shape (H,)
    training_priors : array of shape (C,)
        The classes' shares of the weight of the training rows.
    priors : array of shape (C,)
        The shares that are expected of the rows to predict.
    """

    intercepts: NDArray
    slopes: NDArray
    steps: NDArray
    steepness: NDArray
    training_priors: NDArray
    priors: NDArray

    def __post_init__(self) -> None:
        for name in ("intercepts", "slopes", "steps", "steepness", "training_priors", "priors"):
            array = np.array(getattr(self, name), dtype=float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def shift(self) -> NDArray:
        """What the priors add to the scores, shape (C,): 0 as long as they are those of the training rows."""
        if (self.priors == self.training_priors).all():
            return np.zeros(len(self.priors))
        return np.asarray(np.log(self.priors) - np.log(self.training_priors))

    def log_scores(self, fields: NDArray) -> NDArray:
        """Return the scores (n, C) for fields of shape (n, H) under the training priors."""
        return np.asarray(
            self.intercepts + fields @ self.slopes.T + np.tanh(fields * self.steepness) @ self.steps.T
        )

    def stretched(self, factor: float) -> SoftmaxCalibration:
        """Return the calibration with all scores times a factor: below 1 it is less sure."""
        return replace(
            self,
            intercepts=factor * self.intercepts,
            slopes=factor * self.slopes,
            steps=factor * self.steps,
        )


def checked_priors(priors: Any, classes: NDArray) -> NDArray:
    """Return priors as shares in the order of the classes.

    Parameters
    ----------
    priors : mapping from each label to its share, or the shares in the order of the classes
    classes : array (C,) of labels
    """
    *first, last = map(str, classes)
    allowed = f"allowed are positive numbers with the sum 1 for the classes {', '.join(first)} and {last}"
    if isinstance(priors, Mapping) or hasattr(priors, "items"):  # a Series has labels too
        priors, labels = dict(priors.items()), list(classes)
        if len(priors) != len(labels) or any(label not in labels for label in priors):
            raise ValueError(f"priors={priors!r} must have one entry a class; {allowed}")
        priors = [priors[label] for label in labels]
    try:
        shares = np.asarray(priors, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"priors={priors!r}; {allowed}") from None
    if shares.shape != (len(classes),) or not (shares > 0).all() or not abs(shares.sum() - 1.0) < 1e-6:
        raise ValueError(f"priors={priors!r}; {allowed}")
    return shares / shares.sum()
