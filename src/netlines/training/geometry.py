"""Where patterns lie: the only access to them, and hidden units as hyperplanes between them.

Training is sums over patterns. Everything above asks here: for weighted sums and states of hidden units, for
the patterns that one unit learns (`folded`), for the annealing of a soft network (`cool`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import fold
from netlines.training import soft
from netlines.training.minimerror import MOMENTUM, NO_MARKS, SLACK, hebb, preconditioner


class Folded(NamedTuple):
    """What one unit learns: patterns (M, n) times their targets, x ← τx, and their weights (n,)."""

    X: NDArray
    s: NDArray

    def hebb(self) -> NDArray:
        """Return the normalised sum of the patterns."""
        return hebb(*self)

    def anneal(self, start: NDArray, betas: NDArray, theta: float) -> tuple[NDArray, int]:
        """Cool a unit through 1/T₊ = betas; return its best weights and the epochs."""
        from netlines.training._kernel import anneal

        G, mean = preconditioner(*self), self.s / self.s.sum()
        u, _, _, steps, _ = anneal(self.X, mean, start, G, betas, theta, MOMENTUM, SLACK, NO_MARKS)
        return u, steps


@dataclass(frozen=True, eq=False)
class Geometry:
    """Patterns, standardised and in the user's units, and what hidden units make of them.

    States of hidden units are always read in the user's units, with the weights that the user will get, so
    that what training counts is what predict will answer.

    Attributes
    ----------
    X : array (M, P)
        Standardised inputs, feature-major, the constant input first. For this module alone.
    rows : array (P, N)
        The same patterns in the user's units and precision. For this module alone.
    mean, scale : array (N,)
        The standardisation.
    """

    X: NDArray
    rows: NDArray
    mean: NDArray
    scale: NDArray

    @property
    def n_inputs(self) -> int:
        """Number of inputs M, the constant one among them."""
        return len(self.X)

    @property
    def n_patterns(self) -> int:
        """Number of patterns P."""
        return self.X.shape[1]

    @cached_property
    def largest(self) -> NDArray:
        """The largest absolute value of each column in the user's units, shape (N,)."""
        return np.asarray(np.abs(self.rows).max(axis=0))

    def fold(self, hidden: NDArray) -> NDArray:
        """Turn weights for standardised inputs into weights in the user's units, shape (H, N + 1)."""
        return fold(hidden, self.mean, self.scale)

    def fields(self, weights: NDArray) -> NDArray:
        """Weighted sums of hidden units with weights in the user's units, shape (P, H)."""
        return weights[:, 0] + self.rows.astype(float, copy=False) @ weights[:, 1:].T

    def states(self, weights: NDArray) -> NDArray:
        """States ±1 of hidden units with weights in the user's units, shape (P, H), one byte each."""
        return np.where(self.fields(weights) >= 0, np.int8(1), np.int8(-1))

    def codes(self, hidden: NDArray) -> NDArray:
        """States ±1 of hidden units with weights for standardised inputs, shape (P, H)."""
        return self.states(self.fold(hidden))

    def projections(self, direction: NDArray) -> tuple[NDArray, NDArray]:
        """Return the projections on a direction over standardised inputs, folded, and what bounds them.

        The second array sums the sizes of the terms of each projection: rounding errors are a part of it.
        """
        slopes = self.fold(np.append(0.0, direction))[0, 1:]
        rows = self.rows.astype(float, copy=False)
        return rows @ slopes, np.abs(rows) @ np.abs(slopes)

    def folded(self, gain: NDArray) -> Folded:
        """Return the patterns that one unit learns.

        `gain` (P,) has the sign of the state that is wanted and the size of its weight; 0 leaves one out.
        """
        use = gain != 0
        X, gain = (self.X, gain) if use.all() else (self.X[:, use], gain[use])
        return Folded(np.ascontiguousarray(X * np.sign(gain).astype(X.dtype)), np.abs(gain))

    def cool(
        self, targets: NDArray, share: NDArray, w: NDArray, hidden: int, schedule: soft.Schedule
    ) -> tuple[NDArray, float, int]:
        """Anneal a soft network on the patterns, see `soft.cool`."""
        gains = np.array(schedule.gains)  # numbers of numpy: their products with single precision are double
        return soft.cool(self.X, targets, share, w, hidden, gains, schedule.decay, schedule.steps)

    def in_memory(self) -> NDArray:
        """Return all standardised patterns, shape (M, P): for few, to be mixed with others."""
        return self.X

    def resolution(self, weights: NDArray) -> NDArray:
        """Bound the rounding errors of weighted sums with these weights in the user's units, shape (H,)."""
        size = np.abs(weights[:, 0]) + np.abs(weights[:, 1:]) @ self.largest
        return np.asarray((self.n_inputs + 1) * np.finfo(float).eps * size)

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
