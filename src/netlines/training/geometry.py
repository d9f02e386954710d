"""Where patterns lie: hidden units as hyperplanes between the rows of a table, in the user's units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import fold, sign


class Geometry:
    """The patterns of a task, standardised and in the user's units, and what hidden units make of them.

    States of hidden units are always read in the user's units, with the weights that the user will get, so
    that what training counts is what predict will answer.

    Attributes
    ----------
    X : array (M, P)
        Standardised inputs, feature-major, the constant input first.
    rows : array (P, N)
        The same patterns in the user's units.
    mean, scale : array (N,)
        The standardisation.
    largest : array (N,)
        The largest absolute value of each column of `rows`.
    weights : array (P,)
        What an error costs.
    unavoidable : float
        Weight of the errors that any function of the inputs makes.
    """

    X: NDArray
    rows: NDArray
    mean: NDArray
    scale: NDArray
    largest: NDArray
    weights: NDArray
    unavoidable: float

    def fold(self, hidden: NDArray) -> NDArray:
        """Turn weights for standardised inputs into weights in the user's units, shape (H, N + 1)."""
        return fold(hidden, self.mean, self.scale)

    def fields(self, weights: NDArray) -> NDArray:
        """Weighted sums of hidden units with weights in the user's units, shape (P, H)."""
        return weights[:, 0] + self.rows @ weights[:, 1:].T

    def codes(self, hidden: NDArray) -> NDArray:
        """States ±1 of hidden units with weights for standardised inputs, shape (P, H)."""
        return sign(self.fields(self.fold(hidden)))

    def resolution(self, weights: NDArray) -> NDArray:
        """Bound the rounding errors of weighted sums with these weights in the user's units, shape (H,)."""
        size = np.abs(weights[:, 0]) + np.abs(weights[:, 1:]) @ self.largest
        return np.asarray((len(self.X) + 1) * np.finfo(float).eps * size)

    def seat(self, hidden: NDArray) -> NDArray:
        """Move hyperplanes that run through a pattern, as far as rounding can tell, into the nearest gap."""
        weights = self.fold(hidden)
        fields, blur = self.fields(weights), 4 * self.resolution(weights)
        for k in np.flatnonzero(np.abs(fields).min(axis=0) <= blur):
            f = np.unique(fields[:, k])
            gaps = np.flatnonzero(np.diff(f) > 4 * blur[k])
            if len(gaps):
                middles = (f[gaps] + f[gaps + 1]) / 2
                shift = middles[np.abs(middles).argmin()]
                slope = weights[k, 1:]
                largest = np.abs(slope).argmax()
                hidden = hidden.copy()
                hidden[k, 0] -= shift * hidden[k, 1 + largest] / (self.scale[largest] * slope[largest])
        return unit_rows(hidden)


class Trained:
    """What every network in training has, whatever its outputs are.

    Attributes
    ----------
    hidden : array (H, M)
        Hidden weights over standardised inputs, rows of norm 1.
    codes : array (P, H)
        The states of the hidden units.
    errors : float
        Weight of the errors.
    origin : str
        How the network was found.
    unit_errors, beta : float or None
        Errors of the newest hidden unit on its own targets, and 1/T₊ when it was found.
    cost : float
        The soft cost at the end of a joint annealing.
    epochs, updates : int
        What finding the network took.
    folded : array (H, N + 1) or None
        The hidden weights in the user's units where they are more exact than `hidden` folded.
    """

    hidden: NDArray
    codes: NDArray
    errors: float
    origin: str
    unit_errors: float | None
    beta: float | None
    cost: float
    epochs: int
    updates: int
    folded: NDArray | None

    def user_weights(self, task: Geometry) -> NDArray:
        """Return the hidden weights in the user's units: as they were made, or folded."""
        return task.fold(self.hidden) if self.folded is None else self.folded


def unit_rows(A: NDArray) -> NDArray:
    """Scale each row to the norm 1; a vanishing row becomes the constant input alone."""
    norm = np.sqrt((A**2).sum(axis=1, keepdims=True))
    A = np.where(norm > 1e-150, A / np.where(norm > 1e-150, norm, 1.0), 0.0)
    A[norm[:, 0] <= 1e-150, 0] = 1.0
    return A


def distinct_codes(codes: NDArray) -> tuple[NDArray, NDArray]:
    """Return a pattern of each distinct code and the number of the code that each pattern has."""
    if not codes.shape[1]:
        return np.zeros(1, dtype=int), np.zeros(len(codes), dtype=int)
    packed = np.packbits(codes > 0, axis=1)
    _, first, group = np.unique(
        packed.view(f"V{packed.shape[1]}").ravel(), return_index=True, return_inverse=True
    )
    return first, group
