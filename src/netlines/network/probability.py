"""From margins to probabilities: how a network's fields become log-odds, and what changed priors do.

numpy only, so that whatever reads a network can read its probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.frozen import Frozen

LARGEST_SCORE = 1e300  # instead of ∞
EDGE = 1e-9  # the least by which log-odds agree with the answer of a network


def expit(z: NDArray) -> NDArray:
    """Return 1/(1 + exp(-z)), the probability with the log-odds z."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -700.0, 700.0))))


def softmax(z: NDArray) -> NDArray:
    """Return the probabilities exp(z)/Σ exp(z) of each row of scores (n, C)."""
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def probabilities(scores: NDArray) -> NDArray:
    """Return the probabilities (n, C) of scores (n, C), or of the log-odds (n, 1) of two classes."""
    return softmax(scores) if scores.shape[1] > 1 else np.hstack([expit(-scores), expit(scores)])


def logarithms(p: NDArray) -> NDArray:
    """Return the logarithms of probabilities, that of the smallest number instead of -∞."""
    return np.log(np.maximum(p, np.finfo(float).tiny))


def most_probable(scores: NDArray) -> NDArray[np.intp]:
    """Return the number of the class with the largest score, shape (n,): everybody's way to decide ties.

    Of two equal classes it is the second, as sign(0) = +1; of more the first.

    Parameters
    ----------
    scores : array (n, C), for example probabilities
        Or (n,) or (n, 1), by how much the second of two classes leads.
    """
    columns = np.atleast_2d(scores.T)
    if len(columns) > 2:
        return np.asarray(scores.argmax(axis=1))
    return np.asarray(columns[-1] >= columns[:-1].sum(axis=0), dtype=np.intp)  # the sum of none is 0


def agreeing(log_odds: NDArray, positive: NDArray) -> NDArray:
    """Return log-odds on the side of the answers: where they are on the other, next to 0."""
    return np.where(positive, np.maximum(log_odds, EDGE), np.minimum(log_odds, -EDGE))


@dataclass(frozen=True, eq=False)
class Calibration(Frozen):
    """Scores of the classes, the logarithms of their probabilities, from the fields f of the hidden units.

    intercepts + Σ slopes·f + Σ steps·tanh(steepness·f), plus what changed priors add. C classes have K = C
    scores, of which only the differences in a row matter. Two classes have K = 1, the log-odds of the second.

    Attributes
    ----------
    intercepts : array of shape (K,); of one score a number will do
    slopes, steps : arrays of shape (K, H); of one score the row alone will do
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
        self._freeze("intercepts", "steepness", "training_priors", "priors", dtype=float, ndmin=1)
        self._freeze("slopes", "steps", dtype=float, ndmin=2)

    @property
    def shift(self) -> NDArray:
        """What the priors add to the scores, shape (K,): 0 as long as they are those of the training rows."""
        n = len(self.intercepts)
        if (self.priors == self.training_priors).all():
            return np.zeros(n)
        new, old = np.log(self.priors), np.log(self.training_priors)
        # One score is what the second class has above the first: with C of them nothing is before the last n.
        return np.asarray(new[-n:] - new[:-n].sum() - old[-n:] + old[:-n].sum())

    def scores(self, fields: NDArray, steepness: NDArray | None = None) -> NDArray:
        """Return the scores (n, K) for fields of shape (n, H) under the training priors: finite ones.

        What multiplies the fields may be given as an array of their shape, which is faster for many.
        """
        slopes, steps = self.slopes.T, self.steps.T
        with np.errstate(over="ignore", invalid="ignore"):  # far away from all that was learnt
            # One field of one score is no matrix product, and a line has no steps.
            scores = self.intercepts + (fields * slopes if slopes.size == 1 else fields @ slopes)
            if steps.any():
                bent = np.tanh(fields * (self.steepness if steepness is None else steepness))
                scores += bent * steps if steps.size == 1 else bent @ steps
        if not np.isfinite(scores).all():
            scores = np.nan_to_num(scores, nan=0.0, posinf=LARGEST_SCORE, neginf=-LARGEST_SCORE)
        return np.asarray(scores)

    def stretched(self, offset: float, factor: float) -> Calibration:
        """Return the calibration with the scores offset + factor·z instead of z: below 1 it is less sure."""
        return replace(
            self,
            intercepts=offset + factor * self.intercepts,
            slopes=factor * self.slopes,
            steps=factor * self.steps,
        )


def are_shares(values: NDArray, n_classes: int) -> bool:
    """Tell whether values are positive shares of all classes with the sum 1."""
    return values.shape == (n_classes,) and bool((values > 0).all() and abs(values.sum() - 1.0) < 1e-6)


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
    if not are_shares(shares, len(classes)):
        raise ValueError(f"priors={priors!r}; {allowed}")
    return shares / shares.sum()
