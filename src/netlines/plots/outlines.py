"""Outlines of areas on a grid with fewer points: straight where the grid made stairs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray


def simplify(contours: Any, step: NDArray) -> None:
    """Take points out of the paths of contours that lie closer than a step of the grid to what is left.

    Parameters
    ----------
    contours : matplotlib ContourSet
    step : array of 2
        Of the grid, to the right and upwards.
    """
    contours.set_paths([_simple_path(path, step) for path in contours.get_paths()])


def _simple_path(path: Any, step: NDArray) -> Any:
    from matplotlib.path import Path

    vertices, codes = path.vertices, path.codes
    if codes is None or not len(vertices):
        return path
    starts = [*np.flatnonzero(codes == Path.MOVETO).tolist(), len(vertices)]
    kept = []
    for start, stop in pairwise(starts):
        own = np.arange(start, stop)
        closed = codes[stop - 1] == Path.CLOSEPOLY
        if closed:
            own = own[:-1]
        ends = own[few_points(vertices[own] / step)]
        kept.append(np.append(ends, stop - 1) if closed else ends)
    every = np.concatenate(kept)
    return Path(vertices[every], codes[every])


def few_points(points: NDArray, most: float = 0.75) -> NDArray:
    """Return which points of a line, or of a loop, are enough to stay within a distance of all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.plots.outlines import few_points
    >>> few_points(np.array([[0, 0], [1, 0.1], [2, 0], [2, 5]])).tolist()
    [0, 2, 3]
    """
    n = len(points)
    if n < 3:
        return np.arange(n)
    keep = np.zeros(n, dtype=bool)
    keep[[0, n - 1]] = True
    middle = int(np.argmax(((points - points[0]) ** 2).sum(axis=1)))  # a loop has two halves
    pending = [(0, middle), (middle, n - 1)] if 0 < middle < n - 1 else [(0, n - 1)]
    keep[middle] = True
    while pending:
        a, b = pending.pop()
        if b - a < 2:
            continue
        along, inner = points[b] - points[a], points[a + 1 : b] - points[a]
        length = np.hypot(*along)
        apart = (
            np.abs(inner[:, 0] * along[1] - inner[:, 1] * along[0]) / length if length else np.hypot(*inner.T)
        )
        k = int(np.argmax(apart))
        if apart[k] > most:
            keep[a + 1 + k] = True
            pending += [(a, a + 1 + k), (a + 1 + k, b)]
    return np.flatnonzero(keep)
