"""Names beside the points of a figure, where they cover least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

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


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    low: float
    right: float
    high: float

    def overlap(self, other: Box) -> float:
        """Return the area that both have in common."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.high, other.high) - max(self.low, other.low)
        return max(0.0, width) * max(0.0, height)


def place_labels(ax: Any, labels: Sequence[Label], points: Sequence[tuple[float, float]]) -> None:
    """Write each name where it covers least of the points and of the names that are already there.

    The figure has to be laid out before. Names far from their points get a line to them.
    """
    scale, frame = ax.figure.dpi / 72, ax.get_window_extent()
    inside = Box(frame.x0, frame.y0, frame.x1, frame.y1)
    boxes = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in (ax.transData.transform(point) for point in points)]
    for label in labels:
        px, py = ax.transData.transform((label.x, label.y))
        spots = [(_box(label.name, px, py, place, scale), place) for place in _PLACES]
        costs = [_cost(box, boxes, inside) + k for k, (box, _) in enumerate(spots)]
        box, (dx, dy) = spots[int(np.argmin(costs))]
        boxes.append(box)
        far = abs(dx) + abs(dy) > 20
        line = {"arrowprops": {"arrowstyle": "-", "color": GREY, "linewidth": 0.4}} if far else {}
        options = {"textcoords": "offset points", "ha": _side(dx), "fontsize": SIZE, "color": label.color}
        ax.annotate(label.name, (label.x, label.y), (dx, dy), **options, **line)


def _box(name: str, px: float, py: float, place: tuple[float, float], scale: float) -> Box:
    """Return about where a name would stand."""
    dx, dy = place
    width, height = 0.55 * SIZE * scale * len(name), 1.1 * SIZE * scale
    left = px + dx * scale - {"left": 0.0, "right": width, "center": width / 2}[_side(dx)]
    return Box(left, py + dy * scale, left + width, py + dy * scale + height)


def _cost(box: Box, others: Sequence[Box], inside: Box) -> float:
    out = box.left < inside.left or box.right > inside.right or box.low < inside.low or box.high > inside.high
    return sum(box.overlap(other) for other in others) + 1e4 * out


def _side(dx: float) -> str:
    return "left" if dx > 0 else "right" if dx < 0 else "center"
