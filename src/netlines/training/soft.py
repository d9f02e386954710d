"""Soft networks, with tanh units instead of signs: where they start, how they are cooled, what they say.

A soft network of H hidden units over M inputs is one flat array w = (A, V): hidden weights A (H, M), then
output weights V, (H + 1,) for two classes or (C, H + 1) for more. Two engines with the same arguments cool
it: `_soft`, compiled, for one output and small problems; `_softmax`, by BLAS, for an output a class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.training.cases import Cases


class Schedule(NamedTuple):
    """How a soft network is cooled: the last three arguments of `cool`, `gains`, `l2` and `iterations`."""

    gains: tuple[float, ...]
    decay: float
    steps: int


def n_outputs_of(n_classes: int) -> int:
    """Return the number of outputs: one for two classes, else one a class."""
    return Cases(two=1, more=n_classes).of(n_classes)


def targets_of(labels: NDArray, n_classes: int) -> NDArray:
    """Return what `cool` learns of labels 0 … C - 1: ±1 of two classes, else a row (n,) for each class."""
    each = np.asarray(np.arange(n_classes)[:, None] == labels, dtype=np.float32)
    return Cases[NDArray](two=2.0 * labels - 1.0, more=each).of(n_classes)


def start(hidden: int, m: int, n_outputs: int, rng: np.random.Generator) -> NDArray:
    """Return random weights of a soft network over m inputs, the constant one among them."""
    A = rng.standard_normal(hidden * m) / np.sqrt(m)
    return np.concatenate([A, 0.5 * rng.standard_normal(n_outputs * (hidden + 1))])


def split(w: NDArray, hidden: int, n_outputs: int) -> tuple[NDArray, NDArray]:
    """Return hidden weights (H, M) and output weights (n_outputs, H + 1) of flattened weights, as views."""
    outputs = n_outputs * (hidden + 1)
    return w[:-outputs].reshape(hidden, -1), w[-outputs:].reshape(n_outputs, hidden + 1)


def cool(
    X: NDArray,
    targets: NDArray,
    share: NDArray,
    w: NDArray,
    hidden: int,
    gains: Iterable[float],
    l2: float,
    iterations: int,
) -> tuple[NDArray, float, int]:
    """Minimise the cost of a soft network at each gain in turn by L-BFGS.

    Parameters
    ----------
    X : array (M, n), patterns, the constant input first
    targets : array (n,) of ±1 for one output, or (C, n), the share of each class in a pattern
    share : array (n,), weights of the patterns with the sum 1
    w : array, the start; it is left as it is
    hidden : number of hidden units
    gains : steepness of the units, one after the other
    l2 : weight of the squared weights
    iterations : most steps at each gain

    Returns
    -------
    (weights, cost at the last gain, passes over the patterns)
    """
    if targets.ndim == 1:
        from netlines.training import _soft

        return _soft.cool(_soft.blocks(X, targets, share), w, hidden, np.asarray(gains), l2, iterations)
    from netlines.training import _softmax

    return _softmax.cool(X, targets, share, w, hidden, gains, l2, iterations)


def outputs(w: NDArray, X: NDArray, hidden: int, n_outputs: int, gain: float = 1.0) -> NDArray:
    """Return the weighted sums of the outputs, shape (n_outputs, n), for patterns (M, n)."""
    A, V = split(w, hidden, n_outputs)
    return np.asarray(V[:, :1] + V[:, 1:] @ np.tanh(gain * (A @ X)))
