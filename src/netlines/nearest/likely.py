"""The nearest row with another answer that could be one: within limits, and with two-valued inputs last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.nearest.flip import Flip, nearest_other
from netlines.network import Network
from netlines.networks import Networks


def likely_flip(
    network: Network | Networks,
    x: NDArray,
    low: NDArray | None = None,
    high: NDArray | None = None,
    features: list[int] | None = None,
) -> Flip | None:
    """Return the nearest other answer by inputs of more than two values, or if there is none by all inputs.

    A half of a yes or a no, or of a category, is no value. The limits are those of the training rows as far
    as no others are given, widened to hold the row.

    Parameters
    ----------
    network : Network or Networks
    x : array of shape (N,)
    low, high : arrays of shape (N,) or None
    features : numbers of the inputs that may change, or None for all
    """
    known = network.surroundings
    low = np.minimum(known.low if low is None else low, x)
    high = np.maximum(known.high if high is None else high, x)
    free = list(range(network.n_features)) if features is None else features
    many = [i for i in free if not known.two[i]]
    for some in (many, free):
        flip = nearest_other(network, x, features=some, low=low, high=high) if some else None
        if flip is not None:
            return flip
    return None
