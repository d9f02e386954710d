"""What a network remembers of the rows it was trained on, so that its answers can be explained without them.

numpy only: centre, spread and range of each input, which inputs are integers, and how they go together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TEMPERATURE = 0.3  # at which hidden units are in doubt, in standardised units, where nothing is known
MOST_ROWS = 20_000  # of which means, spreads and correlations are taken
MOST_INPUTS = 100  # up to which their correlations are remembered


@dataclass(frozen=True, eq=False)
class Background:
    """The training rows in a few numbers.

    Attributes
    ----------
    mean, scale : arrays of shape (N,)
        The standardisation of the inputs: (x - mean)/scale. A constant input has the scale 1.
    low, high : arrays of shape (N,)
        The smallest and the largest value of each input.
    integer : array of bool, shape (N,)
        Whether all values of an input are integers.
    correlation : array of shape (N, N) or None
        How the inputs go together; None for more than 100 of them, which then count as independent.
    temperature : float
        The temperature, in standardised units, at which hidden units are in doubt about a row.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.background import describe
    >>> about = describe(np.array([[1.0, 0.5], [3.0, 2.5]]))
    >>> about.mean.tolist(), about.scale.tolist(), about.integer.tolist()
    ([2.0, 1.5], [1.0, 1.0], [True, False])
    """

    mean: NDArray
    scale: NDArray
    low: NDArray
    high: NDArray
    integer: NDArray
    correlation: NDArray | None = None
    temperature: float = TEMPERATURE

    def __post_init__(self) -> None:
        for name in ("mean", "scale", "low", "high", "integer", "correlation"):
            if getattr(self, name) is None:
                continue
            array = np.array(getattr(self, name), dtype=bool if name == "integer" else float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        n = len(self.mean)
        shapes = {name: (n,) for name in ("mean", "scale", "low", "high", "integer")}
        for name, shape in {**shapes, "correlation": (n, n)}.items():
            found = getattr(self, name)
            if found is not None and found.shape != shape:
                raise ValueError(f"background.{name} must have shape {shape}, got {found.shape}")
        if not (self.scale > 0).all():
            raise ValueError(f"background.scale must be positive, got {self.scale.tolist()}")
        if not self.temperature > 0:
            raise ValueError(f"background.temperature must be positive, got {self.temperature!r}")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def binary(self) -> NDArray:
        """Whether an input has only the values 0 and 1, shape (N,)."""
        return np.asarray(self.integer & (self.low >= 0) & (self.high <= 1))

    def standardised(self, X: NDArray) -> NDArray:
        """Return rows in standardised units."""
        return np.asarray((X - self.mean) / self.scale)


def unknown(n_features: int) -> Background:
    """Return the background of a network that remembers nothing: inputs as if they were standardised."""
    zeros, ones = np.zeros(n_features), np.ones(n_features)
    return Background(zeros, ones, -np.inf * ones, np.inf * ones, zeros)


def describe(X: NDArray, weights: NDArray | None = None) -> Background:
    """Return the background that rows make; those of weight 0 do not count.

    Of more than 20,000 rows so many, evenly spread, give means, spreads and correlations.
    """
    rows = X if weights is None else X[weights > 0]
    share = np.ones(len(rows)) if weights is None else weights[weights > 0]
    low, high = rows.min(axis=0).astype(float), rows.max(axis=0).astype(float)
    some = slice(None, None, -(-len(rows) // MOST_ROWS))
    few, share = rows[some].astype(float), share[some] / share[some].sum()
    integer = (few == np.rint(few)).all(axis=0)
    if len(few) < len(rows):
        integer[integer] = (rows[:, integer] == np.rint(rows[:, integer])).all(axis=0)
    mean = low + share @ (few - low)
    # Dividing by the range first keeps the squares from overflowing or vanishing.
    span = np.where(high > low, high - low, 1.0)
    apart = (few - mean) / span
    deviation = np.sqrt(share @ apart**2)
    constant = ~(deviation > 1e-12)
    correlation = None
    if few.shape[1] <= MOST_INPUTS:
        z = apart / np.where(constant, 1.0, deviation)
        correlation = np.where(constant[:, None] | constant, 0.0, (z * share[:, None]).T @ z)
        np.fill_diagonal(correlation, 1.0)
        correlation = correlation.round(4)  # model files stay short
    return Background(mean, np.where(constant, 1.0, deviation * span), low, high, integer, correlation)
