"""The one value that training produces: a frozen network of binary neurons in the user's own units.

A `Network` knows numpy and its calibration, nothing else. Predicting, explaining, plotting, saving and
exporting read it; none of them changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.probability import Calibration, agreeing, checked_priors, expit

FloatArray = NDArray[np.floating]
PASS_ON = np.array([[0.0, np.sqrt(2.0)]])  # the output weights of a network with a single hidden unit


def sign(values: ArrayLike) -> FloatArray:
    """Return +1 where a value is at least 0 and -1 elsewhere: sign(0) = +1 everywhere in netlines."""
    values = np.asarray(values)
    one = np.ones((), dtype=values.dtype if values.dtype.kind == "f" else float)
    return np.where(values >= 0, one, -one)


def normalised(weights: ArrayLike) -> FloatArray:
    """Scale each row to the norm √(number of weights), Eq. (Minimerror.3); a zero row stays zero."""
    weights = np.asarray(weights, dtype=float)
    # Dividing by the largest entry first keeps the squares from overflowing or vanishing.
    largest = np.abs(weights).max(axis=-1, keepdims=True)
    weights = weights / np.where(largest > 0, largest, 1.0)
    norm = np.sqrt((weights**2).sum(axis=-1, keepdims=True))
    return weights * (np.sqrt(weights.shape[-1]) / np.where(norm > 0, norm, 1.0))


def fold(weights: ArrayLike, mean: FloatArray, scale: FloatArray) -> FloatArray:
    """Turn weights for standardised inputs (ξ - mean)/scale into weights for the inputs themselves.

    The paper's w̃ (Eqs. new_bias and new_weights): the user never sees the standardisation.
    """
    return normalised(_unstandardised(weights, mean, scale))


def stretch(weights: ArrayLike, mean: FloatArray, scale: FloatArray) -> FloatArray:
    """Return by what `fold` multiplies the weighted sums of each row: the price of its norm √(N + 1)."""
    raw = _unstandardised(weights, mean, scale)
    largest = np.abs(raw).argmax(axis=1)[:, None]
    return np.take_along_axis(normalised(raw), largest, 1)[:, 0] / np.take_along_axis(raw, largest, 1)[:, 0]


def _unstandardised(weights: ArrayLike, mean: FloatArray, scale: FloatArray) -> FloatArray:
    weights = np.atleast_2d(np.asarray(weights, dtype=float))
    slopes = weights[:, 1:] / scale
    bias = weights[:, :1] - slopes @ mean[:, None]
    return np.hstack([bias, slopes])


@dataclass(frozen=True, eq=False)
class Network:
    """One hidden layer of binary neurons and a binary output unit that reads their states.

    Parameters
    ----------
    hidden_weights : array of shape (H, N + 1)
        One hyperplane a row, bias first, in the user's units, norm √(N + 1).
    output_weights : array of shape (1, H + 1)
        The output unit over the hidden states, bias first. With a single hidden unit it
        only passes the state on: (0, √2).
    classes : array of shape (2,)
        The labels that the outputs -1 and +1 stand for, in this order.
    growth_trace : tuple of dict
        One record a hidden unit, in the order of growth.
    temperature : float or None
        The final temperature T₊ of the annealing, in standardised units.
    feature_names : tuple of str or None
        The names of the inputs, if the user's table had names.
    calibration : Calibration or None
        How the fields become probabilities.
    """

    hidden_weights: FloatArray
    output_weights: FloatArray
    classes: NDArray
    growth_trace: tuple[Mapping[str, Any], ...] = field(default=())
    temperature: float | None = None
    feature_names: tuple[str, ...] | None = None
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        for name in ("hidden_weights", "output_weights", "classes"):
            array = np.array(getattr(self, name))
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if self.hidden_weights.ndim != 2 or self.output_weights.shape != (1, self.n_hidden + 1):
            raise ValueError(
                f"output_weights must have shape (1, {len(self.hidden_weights) + 1}) for hidden_weights of "
                f"shape {self.hidden_weights.shape}, got {self.output_weights.shape}"
            )

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def n_hidden(self) -> int:
        """Number of hidden units H."""
        return len(self.hidden_weights)

    @property
    def n_features(self) -> int:
        """Number of inputs N, without the bias."""
        return self.hidden_weights.shape[1] - 1

    @property
    def n_weights(self) -> int:
        """Number of weights as the paper counts them: N + 1, or H(N + 1) + H + 1 for H ≥ 2."""
        hidden = self.hidden_weights.size
        return hidden if self.n_hidden == 1 else hidden + self.n_hidden + 1

    @property
    def n_nonzero(self) -> int:
        """Number of weights that are not 0; a single unit's output weights, which pass on, do not count."""
        output = 0 if self.n_hidden == 1 else np.count_nonzero(self.output_weights)
        return int(np.count_nonzero(self.hidden_weights) + output)

    def fields(self, X: FloatArray) -> FloatArray:
        """Weighted sums of the hidden units, shape (n, H)."""
        return self.hidden_weights[:, 0] + X @ self.hidden_weights[:, 1:].T

    def distances(self, X: FloatArray) -> FloatArray:
        """Signed distances to the hyperplanes in the user's units, shape (n, H); ±∞ from a constant unit."""
        fields, norms = self.fields(X), np.sqrt((self.hidden_weights[:, 1:] ** 2).sum(axis=1))
        return np.divide(fields, norms, out=np.copysign(np.inf, fields), where=norms > 0)

    def internal_representation(self, X: FloatArray) -> FloatArray:
        """States ±1 of the hidden units, shape (n, H). Eq. (update_hidden)."""
        return sign(self.fields(X))

    def decision(self, X: FloatArray) -> FloatArray:
        """Weighted sum of the output unit, shape (n,), Eq. (update_output).

        A single unit has no output unit over it: its own weighted sum is the decision.
        """
        if self.n_hidden == 1:
            return self.fields(X)[:, 0]
        return self.output_weights[0, 0] + self.internal_representation(X) @ self.output_weights[0, 1:]

    @property
    def moved(self) -> bool:
        """Whether other shares of the classes are expected than those of the training rows."""
        return self.calibration is not None and self.calibration.shift != 0.0

    def log_odds(self, X: FloatArray) -> FloatArray:
        """Log-odds of the second class, shape (n,), of the sign of the answer; needs a calibration.

        Where the calibration itself would disagree with the network, the log-odds are next to 0. Changed
        priors come on top and may then change the answer.
        """
        if self.calibration is None:
            raise ValueError("this network has no calibration, hence no probabilities")
        z = self.calibration.log_odds(self.fields(X))
        return np.asarray(agreeing(z, self.decision(X) >= 0) + self.calibration.shift)

    def with_priors(self, priors: Any) -> Network:
        """Return the network that expects other shares of the classes; None: those of the training rows."""
        if self.calibration is None:
            raise ValueError("this network has no calibration, hence no priors")
        shares = self.calibration.training_priors
        if priors is not None:
            shares = checked_priors(priors, self.classes)
        return replace(self, calibration=replace(self.calibration, priors=shares))

    def probability(self, X: FloatArray) -> FloatArray:
        """Probabilities of the two classes, shape (n, 2)."""
        z = self.log_odds(X)
        return np.column_stack([expit(-z), expit(z)])

    def predict(self, X: FloatArray) -> NDArray:
        """Class labels, shape (n,): by the output unit, or by the log-odds if the priors have changed."""
        answer = self.log_odds(X) if self.moved else self.decision(X)
        return self.classes[(answer >= 0).astype(int)]
