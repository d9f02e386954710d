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
    half = n // 2
    start, end = rows[_drawn(share, half, rng)], rows[_drawn(share, half, rng)]
    between = start + 0.5 * rng.random((half, 1)) * (end - start)
    return np.vstack([between, mixed(rows, share, n - half, rng)])


def mixed(rows: NDArray, share: NDArray, n: int, rng: np.random.Generator) -> NDArray:
    """Return n rows with about a quarter of their columns from others; parameters as in `synthetic`."""
    own = rows[_drawn(share, n, rng)]
    swapped = rng.random(own.shape) < 0.25
    swapped[np.arange(n), rng.integers(own.shape[1], size=n)] = True  # else it would be a row
    return np.where(swapped, np.take_along_axis(rows, _drawn(share, own.shape, rng), axis=0), own)


def _drawn(share: NDArray, size: int | tuple[int, ...], rng: np.random.Generator) -> NDArray:
    """Return numbers of rows, each as often as its share."""
    if (share == share[0]).all():
        places = (rng.random(size) * len(share)).astype(np.intp)
    else:
        places = np.searchsorted(np.cumsum(share), rng.random(size))
    return np.minimum(places, len(share) - 1)
