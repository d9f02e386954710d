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

from netlines.network.frame import Frame
from netlines.network.sums import rounding, two_part_sums, weighted_sums
from netlines.network.weights import fold
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

        mean = (self.s / self.s.sum()).astype(self.X.dtype)
        G = preconditioner(self.X, mean)
        u, _, _, steps, _ = anneal(self.X, mean, start, G, betas, theta, MOMENTUM, SLACK, NO_MARKS, np.inf)
        return u, steps


@dataclass(frozen=True, eq=False)
class Geometry:
    """Patterns, standardised and as they are inside their frame, and what hidden units make of them.

    States of hidden units are always read inside the frame: the weights that the user will get are the same
    but for the frame, so that what training counts is what predict will answer.

    Attributes
    ----------
    X : array (M, P)
        Standardised inputs, feature-major, the constant input first. For this module alone.
    rows : array (P, N)
        The same patterns inside the frame, in the user's precision. For this module alone.
    mean, scale : array (N,)
        The standardisation.
    frame : Frame
        From the user's units to the coordinates of `rows`.
    """

    X: NDArray
    rows: NDArray
    mean: NDArray
    scale: NDArray
    frame: Frame

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
        """The largest absolute value of each column inside the frame, shape (N,)."""
        return np.asarray(np.abs(self.rows).max(axis=0))

    def fold(self, hidden: NDArray) -> NDArray:
        """Turn weights for standardised inputs into weights inside the frame, shape (H, N + 1)."""
        return fold(hidden, self.mean, self.scale)

    def fields(self, weights: NDArray) -> NDArray:
        """Weighted sums of hidden units with weights inside the frame, shape (P, H)."""
        return weighted_sums(self.rows, weights, self.largest)

    def states(self, weights: NDArray) -> NDArray:
        """States ±1 of hidden units with weights inside the frame, shape (P, H), one byte each."""
        return np.where(self.fields(weights) >= 0, np.int8(1), np.int8(-1))

    def codes(self, hidden: NDArray) -> NDArray:
        """States ±1 of hidden units with weights for standardised inputs, shape (P, H)."""
        return self.states(self.fold(hidden))

    def projections(self, direction: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Return a direction over standardised inputs as slopes inside the frame, and the projections on it.

        The third array sums the sizes of the terms of each projection: rounding errors are a part of it.
        """
        slopes = self.fold(np.append(0.0, direction))[0, 1:]
        rows = self.rows.astype(float, copy=False)
        return slopes, rows @ slopes, np.abs(rows) @ np.abs(slopes)

    def fine_projections(self, slopes: NDArray) -> tuple[NDArray, NDArray]:
        """Return the projections on slopes inside the frame as two numbers each, see `two_part_sums`."""
        weights = np.append(0.0, slopes)
        rows = self.rows.astype(float, copy=False)
        return two_part_sums(rows, np.broadcast_to(weights, (len(rows), len(weights))))

    def sizes_at(self, pattern: int) -> tuple[NDArray, NDArray]:
        """Return the sizes of a pattern's inputs inside the frame, and how far the next other values are."""
        rows = self.rows.astype(float, copy=False)
        apart = np.abs(rows - rows[pattern])
        return np.abs(rows[pattern]), np.where(apart > 0, apart, np.inf).min(axis=0)

    @cached_property
    def single(self) -> NDArray:
        """The standardised inputs in single precision, for what only decides where to start."""
        return np.asarray(self.X, dtype=np.float32)

    def folded(self, gain: NDArray, single: bool = False) -> Folded:
        """Return the patterns that one unit learns, in single precision if that is enough.

        `gain` (P,) has the sign of the state that is wanted and the size of its weight; 0 leaves one out.
        """
        X, use = self.single if single else self.X, np.flatnonzero(gain)
        gain = gain[use]
        folded = np.empty((len(X), len(use)), dtype=X.dtype)
        np.take(X, use, axis=1, out=folded, mode="clip")  # which is faster than any other way
        folded *= np.sign(gain).astype(X.dtype)
        return Folded(folded, np.abs(gain))

    def cool(
        self, targets: NDArray, share: NDArray, w: NDArray, hidden: int, schedule: soft.Schedule
    ) -> tuple[NDArray, float, int]:
        """Anneal a soft network on the patterns, see `soft.cool`."""
        gains = np.array(schedule.gains)  # numbers of numpy: their products with single precision are double
        return soft.cool(self.single, targets, share, w, hidden, gains, schedule.decay, schedule.steps)

    def in_memory(self) -> NDArray:
        """Return all standardised patterns, shape (M, P): for few, to be mixed with others."""
        return self.X

    def resolution(self, weights: NDArray) -> NDArray:
        """Bound the rounding errors of weighted sums with these weights inside the frame, shape (H,)."""
        return rounding(weights, self.largest)

    def seat(self, hidden: NDArray) -> NDArray:
        """Move hyperplanes that run through a pattern, as far as rounding can tell, into the nearest gap."""
        return self.placed(hidden)[0]

    def placed(self, hidden: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Seat hidden units; return their weights, the same inside the frame, and their states (P, H)."""
        weights = self.fold(hidden)
        fields, blur = self.fields(weights), 4 * self.resolution(weights)
        through = np.flatnonzero(np.abs(fields).min(axis=0) <= blur)
        if not len(through):
            return unit_rows(hidden), weights, np.where(fields >= 0, np.int8(1), np.int8(-1))
        for k in through:
            f = np.unique(fields[:, k])
            gaps = np.flatnonzero(np.diff(f) > 4 * blur[k])
            if len(gaps):
                middles = (f[gaps] + f[gaps + 1]) / 2
                shift = middles[np.abs(middles).argmin()]
                slope = weights[k, 1:]
                largest = np.abs(slope).argmax()
                hidden = hidden.copy()
                hidden[k, 0] -= shift * hidden[k, 1 + largest] / (self.scale[largest] * slope[largest])
        hidden = unit_rows(hidden)
        weights = self.fold(hidden)
        return hidden, weights, self.states(weights)


def unit_rows(A: NDArray) -> NDArray:
    """Scale each row to the norm 1; a vanishing row becomes the constant input alone."""
    norm = np.sqrt((A**2).sum(axis=1, keepdims=True))
    if norm.min(initial=np.inf) > 1e-150:
        return np.asarray(A / norm)
    A = np.where(norm > 1e-150, A / np.where(norm > 1e-150, norm, 1.0), 0.0)
    A[norm[:, 0] <= 1e-150, 0] = 1.0
    return A


def distinct_codes(codes: NDArray) -> tuple[NDArray, NDArray]:
    """Return a pattern of each distinct code and the number of the code that each pattern has."""
    if not codes.shape[1]:
        return np.zeros(1, dtype=int), np.zeros(len(codes), dtype=int)
    packed = np.packbits(codes > 0, axis=1)
    keys = packed[:, 0] if packed.shape[1] == 1 else packed.view(f"V{packed.shape[1]}").ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return first, group
