"""Weights of hyperplanes: their norm, and what they are in other coordinates."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating]
LARGEST_INTEGER = 999  # weights that are proportional to integers up to it are written as these


def normalised(weights: ArrayLike) -> FloatArray:
    """Scale each row to the norm √(number of weights), Eq. (Minimerror.3); a zero row stays zero."""
    rows = np.asarray(weights, dtype=float)
    # Dividing by the largest entry first keeps the squares from overflowing or vanishing.
    largest = np.abs(rows).max(axis=-1, keepdims=True)
    if not largest.all():
        largest = np.where(largest > 0, largest, 1.0)
    rows = rows / largest
    norm = np.sqrt((rows**2).sum(axis=-1, keepdims=True))
    if not norm.all():
        norm = np.where(norm > 0, norm, 1.0)
    return np.asarray(rows * (sqrt(rows.shape[-1]) / norm))


def normalised_outputs(weights: ArrayLike) -> FloatArray:
    """Scale the weights of C outputs together to the norm √(number of weights): no class gains by it.

    Zeros stay zeros.
    """
    weights = np.asarray(weights, dtype=float)
    return normalised(weights.reshape(1, -1)).reshape(weights.shape)


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
    raw = np.empty_like(weights)
    slopes = np.divide(weights[:, 1:], scale, out=raw[:, 1:])
    raw[:, 0] = weights[:, 0] - slopes @ mean
    return raw


def as_integers(weights: NDArray) -> NDArray | None:
    """Return small integers in the proportions of weights, none of which is 0, or None if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.weights import as_integers
    >>> as_integers(np.array([0.5, -0.75])).tolist(), as_integers(np.array([1.0, np.pi]))
    ([2.0, -3.0], None)
    """
    if (weights == np.rint(weights)).all() and np.abs(weights).max() <= 2**53:
        divided = weights / np.gcd.reduce(np.abs(weights).astype(np.int64))
        return divided if np.abs(divided).max() <= LARGEST_INTEGER else None
    with np.errstate(over="ignore"):  # of a weight next to 0
        ratios = weights / np.abs(weights).min()
    for multiple in range(1, 13):
        integers = np.rint(multiple * ratios)
        if not np.abs(integers).max() <= LARGEST_INTEGER:
            return None
        if np.allclose(integers, multiple * ratios, rtol=1e-9, atol=0):
            return integers
    return None
