"""Rows that would be drawn on top of each other: one dot a place and class, the larger the more rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CROWDED = 0.6  # of the rows: with fewer different places than that, dots stand for places
APART = 0.022  # of the picture: how far the dots of several classes at one place are moved apart
FEW_VALUES = 12  # up to which rows are moved aside along an axis
ASIDE = 0.16  # of the distance of two values: how far, at most
LARGER = (
    (1, 1.0),
    (2, 1.5),
    (4, 2.2),
    (8, 3.2),
    (16, 4.6),
    (40, 6.5),
    (100, 9.0),
)  # rows from which on, and area


class Dots(NamedTuple):
    """What is drawn: places (m, 2), the number of the class, and how many rows each dot stands for."""

    places: NDArray
    classes: NDArray
    rows: NDArray

    @property
    def scale(self) -> NDArray:
        """What the area of each dot is multiplied by: one of few steps."""
        least, area = np.array(LARGER).T
        return np.asarray(area[np.searchsorted(least, self.rows, side="right") - 1])


def as_dots(points: NDArray, classes: NDArray, size: NDArray) -> Dots:
    """Return the dots of rows in the plane, few enough and far enough apart to be seen.

    Where many rows share a place there is one dot a place and class, several classes side by side. Else rows
    are moved aside a little along an axis of few values, always in the same way.

    Parameters
    ----------
    points : array of shape (n, 2)
    classes : array of n int
    size : array of 2
        Of the picture.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.plots.crowd import as_dots
    >>> dots = as_dots(np.array([[1.0, 2.0]] * 3 + [[3.0, 2.0]]), np.array([0, 0, 1, 1]), np.ones(2))
    >>> dots.rows.tolist(), dots.classes.tolist()
    ([2, 1, 1], [0, 1, 1])
    """
    where, place = np.unique(points, axis=0, return_inverse=True)
    if len(where) > CROWDED * len(points):
        return Dots(_aside(points), classes, np.ones(len(points), dtype=int))
    keys, rows = np.unique(np.column_stack([place.ravel(), classes]), axis=0, return_counts=True)
    at, of_class = keys.T
    there = np.bincount(at, minlength=len(where))[at]  # classes at the same place
    rank = np.arange(len(at)) - np.searchsorted(at, at)
    angle = 2 * np.pi * rank / there + np.pi
    moved = np.where(there > 1, APART, 0.0)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dots(where[at] + moved * size, of_class, rows)


def _aside(points: NDArray) -> NDArray:
    """Return points moved a little along each axis that has few values."""
    moved = points.astype(float).copy()
    for axis in range(2):
        values = np.unique(points[:, axis])
        if 1 < len(values) <= FEW_VALUES < len(points):
            # The golden ratio fills an interval evenly, whatever the number of rows.
            turn = (0.618033988749895 * np.arange(len(points))) % 1.0
            moved[:, axis] += 2 * ASIDE * np.diff(values).min() * (turn - 0.5)
    return moved
