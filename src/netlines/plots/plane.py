"""The plane that a picture of hyperplanes shows: two inputs of a network, the others held."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.domains import standardised_weights
from netlines.inspection.inputs import as_row, input_names, input_number
from netlines.network.protocol import AnyNetwork

MOST_NAMED = 2  # inputs held whose values are written


@dataclass(frozen=True)
class Plane:
    """The plane through a row along two inputs.

    Attributes
    ----------
    features : array of 2 int
        The numbers of the inputs.
    at : array of shape (N,)
        The row.
    names : list of 2 str
        The names of the inputs.
    others : str
        What the other inputs are held at, "" if there are none.
    """

    features: NDArray
    at: NDArray
    names: list[str]
    others: str

    def seen(self, X: NDArray) -> NDArray:
        """Return of rows the two inputs, shape (n, 2)."""
        return np.asarray(X[:, self.features])

    def rows(self, points: NDArray) -> NDArray:
        """Return the rows of points in the plane, shape (n, N)."""
        rows = np.tile(self.at, (len(points), 1))
        rows[:, self.features] = points
        return rows

    def restricted(self, weights: NDArray) -> NDArray:
        """Return of hyperplanes (H, N + 1) the lines in the plane, shape (H, 3)."""
        held = np.setdiff1d(np.arange(len(self.at)), self.features)
        bias = weights[:, 0] + weights[:, 1 + held] @ self.at[held]
        return np.column_stack([bias, weights[:, 1 + self.features]])


def choose_plane(network: AnyNetwork, features: Any, at: Any, X: NDArray) -> Plane:
    """Return the plane along two inputs through a row; see `HyperplaneDisplay`.

    Without a row it is the mean of the training rows, or that of the rows X if the network has no memory of
    them.
    """
    first, second = _two(network, features)
    if at is not None:
        row, where = as_row(network, at), ""
    elif network.background is not None:
        row, where = network.background.mean, "their means"
    else:
        row, where = X.mean(axis=0), "their means"
    names = input_names(network)
    held = [i for i in range(network.n_features) if i not in (first, second)]
    text = ""
    if 0 < len(held) <= MOST_NAMED:
        values = [f"{names[i]} = {row[i]:.3g}".replace(" ", "\N{NO-BREAK SPACE}") for i in held]
        text = f"{' and '.join(values)} held"
    elif held:
        text = f"the other {len(held)} inputs held at {where or 'the given values'}"
    text = "\n".join(textwrap.wrap(text, 44)).replace("\N{NO-BREAK SPACE}", " ")
    return Plane(np.array([first, second]), np.asarray(row, dtype=float), [names[first], names[second]], text)


def _two(network: AnyNetwork, features: Any) -> tuple[int, int]:
    """Return the numbers of the two inputs to show."""
    n = network.n_features
    if n < 2 or (features is None and n > 2):
        choice = "; choose two of them by features=(name or number, name or number) or features='best'"
        raise ValueError(f"HyperplaneDisplay shows networks with 2 inputs, got {n}{choice if n > 2 else ''}")
    if features is None:
        return 0, 1
    if isinstance(features, str):
        if features != "best":
            raise ValueError(f"features must be two names or numbers of inputs or 'best', got {features!r}")
        slopes, _ = standardised_weights(network)
        first, second = np.argsort(-np.abs(slopes).max(axis=0), kind="stable")[:2].tolist()
        return first, second
    chosen = list(features)
    if len(chosen) != 2:
        raise ValueError(f"features must be two names or numbers of inputs or 'best', got {features!r}")
    first, second = (input_number(network, which) for which in chosen)
    if first == second:
        raise ValueError(f"features must be two different inputs, got {features!r}")
    return first, second
