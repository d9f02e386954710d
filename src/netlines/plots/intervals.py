"""How far off a share may be that was seen in a few rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta


def interval(hits: ArrayLike, n: ArrayLike) -> tuple[NDArray, NDArray]:
    """Return the ends of the 95 % intervals of Clopper and Pearson for shares of which `hits` of n were seen.

    Examples
    --------
    >>> from netlines.plots.intervals import interval
    >>> [round(float(end), 3) for end in interval(0, 100)]
    [0.0, 0.036]
    """
    hits, n = np.asarray(hits), np.asarray(n)
    low = np.where(hits > 0, beta.ppf(0.025, np.maximum(hits, 1), n - hits + 1), 0.0)
    high = np.where(hits < n, beta.ppf(0.975, hits + 1, np.maximum(n - hits, 1)), 1.0)
    return low, high
