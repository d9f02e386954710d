"""Names beside the points of a figure, where they cover least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.plots.style import GREY

SIZE = 8  # points
_NEAR = [(6, 4), (6, -11), (-6, 4), (-6, -11), (0, 8), (0, -15), (10, -3), (-10, -3)]
_PLACES = [(factor * x, factor * y) for factor in (1, 2, 3, 4) for x, y in _NEAR]


class Label(NamedTuple):
    """A name that belongs to a point."""

    name: str
    x: float
    y: float
    color: str


def place_labels(ax: Any, labels: Sequence[Label], points: Sequence[tuple[float, float]]) -> None:
    """Write each name where it covers least of the points and of the names that are already there.

    The figure has to be laid out before. Names far from their points get a line to them.
    """
    scale, inside = ax.figure.dpi / 72, ax.get_window_extent().extents
    pixels = ax.transData.transform(np.reshape(points, (-1, 2)))
    boxes = np.hstack([pixels - 5, pixels + 5])  # left, low, right and high
    for label in labels:
        px, py = ax.transData.transform((label.x, label.y))
        spots = [(_box(label.name, px, py, place, scale), place) for place in _PLACES]
        costs = [_cost(box, boxes, inside) + k for k, (box, _) in enumerate(spots)]
        box, (dx, dy) = spots[int(np.argmin(costs))]
        boxes = np.vstack([boxes, box])
        far = abs(dx) + abs(dy) > 20
        line = {"arrowprops": {"arrowstyle": "-", "color": GREY, "linewidth": 0.4}} if far else {}
        options = {"textcoords": "offset points", "ha": _side(dx), "fontsize": SIZE, "color": label.color}
        ax.annotate(label.name, (label.x, label.y), (dx, dy), **options, **line)


def _box(name: str, px: float, py: float, place: tuple[float, float], scale: float) -> NDArray:
    """Return about where a name would stand."""
    dx, dy = place
    width, height = 0.55 * SIZE * scale * len(name), 1.1 * SIZE * scale
    left = px + dx * scale - {"left": 0.0, "right": width, "center": width / 2}[_side(dx)]
    return np.array([left, py + dy * scale, left + width, py + dy * scale + height])


def _cost(box: NDArray, others: NDArray, inside: NDArray) -> float:
    """Return the area that a box covers of others, and much if it is not all inside."""
    both = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    out = (box[:2] < inside[:2]).any() or (box[2:] > inside[2:]).any()
    return float(np.maximum(both, 0.0).prod(axis=1).sum() + 1e4 * out)


def _side(dx: float) -> str:
    return "left" if dx > 0 else "right" if dx < 0 else "center"
