"""Synthetic points between and around rows, where a teacher is asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def synthetic(rows: NDArray, share: NDArray, n: int, rng: np.random.Generator) -> NDArray:
    """Return n points like the rows: half on segments between two rows, half with columns of others.

    Parameters
    ----------
    rows : array (P, N)
    share : array (P,), how often a row is drawn, with the sum 1
    n : number of points
    rng : source of chance
    """
    cumulated = np.cumsum(share)

    def draw(size: int | tuple[int, ...]) -> NDArray:
        return np.minimum(np.searchsorted(cumulated, rng.random(size)), len(rows) - 1)

    half = n // 2
    start, end = rows[draw(half)], rows[draw(half)]
    between = start + 0.5 * rng.random((half, 1)) * (end - start)
    around = rows[draw(n - half)]
    swapped = rng.random(around.shape) < 0.25
    swapped[np.arange(n - half), rng.integers(around.shape[1], size=n - half)] = (
        True  # else it would be a row
    )
    donors = np.take_along_axis(rows, draw(around.shape), axis=0)
    return np.vstack([between, np.where(swapped, donors, around)])
