"""Trains a network of signs with one output a class, by small steps on a few patterns at a time.

1. Units are tanh whose gain rises; each step, Adam's, takes the cross-entropy of some patterns downhill.
2. In the last part of the steps units answer with their sign, while slopes are still those of tanh: the
   weights get used to signs before there is nothing else.

A step costs the same for any number of patterns. From 16 units on this finds better networks than L-BFGS
with rising gain, in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FADING, SQUARE_FADING = 0.9, 0.99  # of Adam's means of the slopes and of their squares
TINY, ONE = np.float32(1e-8), np.float32(1)
POOL = 2**16  # patterns of which those of the steps are drawn
DRAWN = 64  # steps whose patterns are drawn at once


@dataclass(frozen=True)
class Descent:
    """How a network descends.

    Attributes
    ----------
    steps, batch : number of steps, and of patterns in each
    decay : weight of the squared weights in the cost
    rate : of the first step; it falls to 0 like a cosine
    gains : of the units at the first step, and from `steady` of the steps on
    signs : the part of the steps from which on units answer with their sign
    """

    steps: int
    batch: int
    decay: float
    rate: float = 0.05
    gains: tuple[float, float] = (1.0, 16.0)
    steady: float = 0.8
    signs: float = 0.7

    def at(self, step: int) -> tuple[float, float, bool]:
        """Return gain and rate of a step, and whether units answer with their sign."""
        part = step / self.steps
        first, last = self.gains
        gain = first * (last / first) ** min(1.0, part / self.steady)
        return gain, self.rate * 0.5 * (1.0 + np.cos(np.pi * part)), part > self.signs


def descend(
    X: NDArray, T: NDArray, share: NDArray, hidden: int, how: Descent, rng: np.random.Generator
) -> tuple[NDArray, NDArray]:
    """Return hidden weights (H, M) and output weights (K, H + 1), bias first, of a network of signs.

    Parameters
    ----------
    X : array (M, n), patterns, the constant input first
    T : array (K, n), the share of each class in a pattern, columns with the sum 1; one row, K = 1, is that of
        the second of two classes
    share : array (n,), weights of the patterns with the sum 1
    hidden : number of hidden units H
    how : the steps
    rng : draws the start, and the patterns of each step

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.training.descent import Descent, descend
    >>> x = np.linspace(-3, 3, 300)
    >>> X, classes = np.vstack([np.ones(300), x]), np.digitize(x, [-1, 1])
    >>> how, rng = Descent(steps=300, batch=64, decay=1e-4), np.random.default_rng(0)
    >>> A, V = descend(X, np.eye(3)[:, classes], np.full(300, 1 / 300), 2, how, rng)
    >>> states = np.where(A @ X >= 0, 1, -1)
    >>> bool(((V[:, :1] + V[:, 1:] @ states).argmax(axis=0) == classes).mean() > 0.95)
    True
    """
    patterns, targets = (np.ascontiguousarray(array.T, dtype=np.float32) for array in (X, T))
    network = _Network(hidden, patterns.shape[1], targets.shape[1], how, rng)
    for step, some in enumerate(_draw(share, how, rng)):
        gain, rate, signs = how.at(step)
        network.find_slopes(patterns.take(some, axis=0), targets.take(some, axis=0), np.float32(gain), signs)
        network.take_step(rate)
    return network.A.astype(float), network.V.astype(float)


def _draw(share: NDArray, how: Descent, rng: np.random.Generator) -> Iterator[NDArray]:
    """Yield the numbers of the patterns of each step, evenly along a pool that has each by its share."""
    cumulated = np.cumsum(share)
    places = (np.arange(POOL) + rng.random(POOL)) * (cumulated[-1] / POOL)
    pool = np.minimum(np.searchsorted(cumulated, places), len(share) - 1)
    for begin in range(0, how.steps, DRAWN):
        n = min(DRAWN, how.steps - begin)
        steps = (np.arange(how.batch) + rng.random((n, how.batch))) * (POOL / how.batch)
        yield from pool[steps.astype(np.intp)]


class _Network:
    """Weights in one flat array, their slopes and the means of these; what a step needs is made once."""

    def __init__(self, hidden: int, m: int, outputs: int, how: Descent, rng: np.random.Generator) -> None:
        size = hidden * m + outputs * (hidden + 1)
        self.weights, self.slopes, self.mean, self.square, self.size = np.zeros((5, size), dtype=np.float32)
        self.A, self.V = self._split(self.weights, hidden, m)
        self.to_A, self.to_V = self._split(self.slopes, hidden, m)
        self.A[:] = rng.standard_normal((hidden, m)) / np.sqrt(m)
        self.V[:] = rng.standard_normal((outputs, hidden + 1)) / np.sqrt(hidden)
        self.V[:, 0] = 0.0
        self.decay, self.steps = np.float32(how.decay), 0
        self.field, self.h, self.bend, self.back = np.empty((4, how.batch, hidden), dtype=np.float32)

    @staticmethod
    def _split(w: NDArray, hidden: int, m: int) -> tuple[NDArray, NDArray]:
        return w[: hidden * m].reshape(hidden, m), w[hidden * m :].reshape(-1, hidden + 1)

    def find_slopes(self, x: NDArray, t: NDArray, gain: np.float32, signs: bool) -> None:
        """Find the slopes of the mean cross-entropy on patterns x (b, M) with targets t (b, K)."""
        field, h, bend, back, V = self.field, self.h, self.bend, self.back, self.V[:, 1:]
        np.matmul(x, self.A.T, out=field)
        np.multiply(field, gain, out=h)
        np.tanh(h, out=h)
        np.multiply(h, h, out=bend)
        np.subtract(ONE, bend, out=bend)
        if signs:
            np.sign(field, out=h)
        f = h @ V.T
        f += self.V[:, 0]
        if f.shape[1] == 1:
            np.tanh(np.float32(0.5) * f, out=f)
            f += ONE
            f *= np.float32(0.5)
        else:
            f -= f.max(axis=1, keepdims=True)
            np.exp(f, out=f)
            f /= f.sum(axis=1, keepdims=True)
        f -= t
        f *= np.float32(1.0 / len(t))
        self.to_V[:, 0] = f.sum(axis=0)
        np.matmul(f.T, h, out=self.to_V[:, 1:])
        if f.shape[1] == 1:
            np.matmul(bend.T, f * x, out=self.to_A)
            self.to_A *= gain * V.T
        else:
            np.matmul(f, V, out=back)
            bend *= back
            np.matmul(bend.T, x, out=self.to_A)
            self.to_A *= gain

    def take_step(self, rate: float) -> None:
        """Move the weights by the mean of the last slopes over their size: Adam."""
        self.steps += 1
        slopes, size = self.slopes, self.size
        np.multiply(self.weights, self.decay, out=size)
        slopes += size
        self.mean *= np.float32(FADING)
        np.multiply(slopes, np.float32(1 - FADING), out=size)
        self.mean += size
        slopes *= slopes
        slopes *= np.float32(1 - SQUARE_FADING)
        self.square *= np.float32(SQUARE_FADING)
        self.square += slopes
        np.multiply(self.square, np.float32(1 / (1 - SQUARE_FADING**self.steps)), out=size)
        np.sqrt(size, out=size)
        size += TINY
        np.divide(self.mean, size, out=size)
        size *= np.float32(rate / (1 - FADING**self.steps))
        self.weights -= size
