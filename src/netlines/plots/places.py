"""Where things are put in a picture of hyperplanes: lines from edge to edge, their numbers, and codes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

ROUNDNESS = 1.42  # a circle around a square is so much wider than it


def line_through(weights: NDArray, low: NDArray, high: NDArray) -> NDArray | None:
    """Return 1001 points of the line bias + slopes·x = 0 from edge to edge, None if it passes outside."""
    bias, slopes = weights[0], weights[1:]
    ends = []
    for i, j in ((0, 1), (1, 0)):
        for edge in (low[i], high[i]):
            point = np.full(2, edge)
            if slopes[j] != 0:
                point[j] = -(bias + slopes[i] * edge) / slopes[j]
                if low[j] <= point[j] <= high[j]:
                    ends.append(point)
    if len(ends) < 2:
        return None
    return np.linspace(ends[0], max(ends, key=lambda end: np.abs((end - ends[0]) / (high - low)).max()), 1001)


def clear_place(places: NDArray, numbers: NDArray, others: NDArray) -> NDArray:
    """Return the place that is clear of the edges and the numbers, and farthest from the other lines.

    All points are in parts of the picture, from 0 to 1.
    """

    def gaps(obstacles: NDArray) -> NDArray:
        return np.abs(places[:, None] - obstacles).max(axis=2).min(axis=1, initial=1.0)

    to_edges = np.minimum(places, 1.0 - places).min(axis=1)
    clear = np.minimum(gaps(numbers), 0.15) + np.minimum(to_edges, 0.12)
    return places[np.argmax(10.0 * clear + gaps(others))]


def text_places(
    domains: NDArray, room: NDArray, text: tuple[float, float], obstacles: NDArray, circles: NDArray
) -> dict[int, NDArray]:
    """Return for each domain the spot where a text stands well inside it, if it is not too small for it.

    It is the centre of the largest circle that touches neither the edges of the domain nor an obstacle.

    Parameters
    ----------
    domains : array of int, shape (rows, columns)
        The number of the domain at each point of a grid over the picture.
    room : array of 2
        Width and height of the picture, in any unit.
    text : tuple of 2 floats
        Width and height of the text, in the same unit.
    obstacles : array of shape (m, 2)
        Points that the text should keep away from, in parts of the picture, from 0 to 1.
    circles : array of shape (k, 2)
        Centres, in the same parts, of circles as large as the height of the text that it must not touch.

    Returns
    -------
    dict
        From the number of a domain to a point in parts of the picture.
    """
    rows, columns = domains.shape
    width, height = text
    # Stretched so that the text is a square, hence circles are the right measure.
    steps = room[1] / rows * width / height, room[0] / columns
    free = np.ones((rows, columns), dtype=bool)
    seen = obstacles[((obstacles >= 0) & (obstacles < 1)).all(axis=1)]
    free[(seen[:, 1] * rows).astype(int), (seen[:, 0] * columns).astype(int)] = False
    from_obstacles = (
        distance_transform_edt(free, sampling=steps) if len(seen) else np.full(free.shape, np.inf)
    )
    centres = (np.indices((rows, columns)) + 0.5) / np.array([rows, columns])[:, None, None]
    clear = np.ones((rows, columns), dtype=bool)
    for x, y in circles:
        clear &= np.hypot((centres[1] - x) * room[0], (centres[0] - y) * room[1]) > height
    places = {}
    for number in np.unique(domains).tolist():
        inside = np.pad((domains == number) & clear, 1)
        from_edges = distance_transform_edt(inside, sampling=steps)[1:-1, 1:-1]
        fits = from_edges >= ROUNDNESS * width / 2
        if fits.any():
            best = np.argmax(np.where(fits, np.minimum(from_edges, from_obstacles), -1.0))
            row, column = np.unravel_index(best, fits.shape)
            places[number] = np.array([(column + 0.5) / columns, (row + 0.5) / rows])
    return places
