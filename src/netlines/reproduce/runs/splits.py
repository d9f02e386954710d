"""Random divisions of a table into patterns to learn and patterns to test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Patterns = tuple[NDArray, NDArray]  # inputs and classes


def random_split(X: NDArray, y: NDArray, P: int, seed: int) -> tuple[Patterns, Patterns]:
    """Return P random rows to learn, the same for every method, and all others to test."""
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[:P], order[P:]
    return (X[train], y[train]), (X[test], y[test])
