"""A picture of one column by class: how its numbers, dates or categories are spread, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.layout import LARGEST
from netlines.plots.style import GREY, LIGHT, area_style, new_axes, plain
from netlines.report.column_values import Seen
from netlines.report.plain_table import one_line, short_names

MOST_GROUPS = 6  # of classes: the others are put together
MOST_BARS = 10  # categories
BINS = 24
FEW_VALUES = 24  # whole numbers, each of which has a bar
OUTLYING = 8.0  # ranges of the middle 98 % after which a value is drawn at the end
SKEWED = 50.0  # times the smaller ones that positive numbers are, which are drawn by their powers of ten
WIDTH = 4.4  # inches: on a phone it is not much smaller
LETTERS = 8.0
MISSING_AT = 1.1  # to the right of the values, which are drawn from 0 to 1
MISSING_LOOKS = {"facecolor": LIGHT, "edgecolor": GREY, "hatch": "xxxx", "linewidth": 0.7}


@dataclass(frozen=True, eq=False)
class Groups:
    """Classes as they are drawn: their names, and the group of each row."""

    names: tuple[str, ...]
    of_row: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each has."""
        return np.bincount(self.of_row, minlength=len(self.names))


def class_groups(labels: Sequence[str], of_class: NDArray) -> Groups:
    """Return the classes to draw: all of them or, of many, the most frequent and the others together.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.column_figures import class_groups
    >>> class_groups("abcdefgh", np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7])).names
    ('a', 'b', 'c', 'd', 'e', '3 others')
    """
    names = short_names(labels, 18)
    if len(labels) <= MOST_GROUPS:
        return Groups(tuple(names), of_class)
    sizes = np.bincount(of_class, minlength=len(labels))
    kept = sorted(np.argsort(-sizes, kind="stable")[: MOST_GROUPS - 1].tolist())
    group = np.full(len(labels), len(kept))
    group[kept] = np.arange(len(kept))
    others = count(len(labels) - len(kept), "other")
    return Groups((*(names[k] for k in kept), others), group[of_class])


def is_drawable(seen: Seen) -> bool:
    """Tell whether there is something to draw: finite numbers, or categories."""
    if not seen.is_ordered:
        return seen.kind != "nothing"
    return bool((np.abs(seen.present) <= LARGEST).all())


def draw_column(name: str, seen: Seen, groups: Groups) -> tuple[Any, str]:
    """Return a figure of a column by class, and the caption that tells how to read it."""
    return _strips(name, seen, groups) if seen.is_ordered else _shares(name, seen, groups)


def _strips(name: str, seen: Seen, groups: Groups) -> tuple[Any, str]:
    """Draw a histogram for each class, one above the other."""
    powers = is_skewed(seen)
    if powers:
        seen = replace(seen, values=np.log10(np.where(seen.missing, 1.0, seen.values)))
    low, high, bins, outside = scale_of(seen, powers)
    places = np.clip((seen.values - low) / (high - low), 0.0, 1.0)
    heights = np.zeros((len(groups.names), bins))
    gaps = np.zeros(len(groups.names))
    for k, size in enumerate(groups.sizes.tolist()):
        own = groups.of_row == k
        heights[k] = np.histogram(places[own & ~seen.missing], bins, (0.0, 1.0))[0] / max(size, 1)
        gaps[k] = np.count_nonzero(own & seen.missing) / max(size, 1)
    scale = 0.86 / max(heights.max(), gaps.max(), 1e-9)
    ax = new_axes(None, figsize=(WIDTH, 0.55 + 0.48 * len(groups.names)))
    left = np.arange(bins) / bins
    for k in range(len(groups.names)):
        base, there = len(groups.names) - 1 - k, heights[k] > 0
        ax.axhline(base, color=LIGHT, linewidth=0.7, zorder=0)
        looks = area_style(k)
        ax.bar(left[there], scale * heights[k][there], 1 / bins, base, align="edge", **looks)
        if gaps[k]:
            ax.bar([MISSING_AT], [scale * gaps[k]], 0.05, base, **MISSING_LOOKS)
    ticks, texts = ticks_of(seen, low, high, powers)
    if gaps.any():
        ticks, texts = [*ticks, MISSING_AT], [*texts, "missing"]
    ax.set_xticks(ticks, texts, fontsize=LETTERS)
    names = [plain(one) for one in reversed(groups.names)]
    ax.set_yticks(range(len(names)), names, fontsize=LETTERS, va="bottom")
    ax.set(xlim=(-0.02, 1.2 if gaps.any() else 1.02), ylim=(-0.02, len(names)))
    _bare(ax)
    caption = f"How {one_line(name, 40)} is spread in each class: bars are shares of its rows"
    if gaps.any():
        caption += ", the hatched one of rows without a value"
    if powers:
        caption += "; equal steps to the right are equal factors"
    beyond = f" {count(outside, 'value')} further out {'is' if outside == 1 else 'are'} drawn at the ends."
    return ax.figure, f"{caption}.{beyond if outside else ''}"


def is_skewed(seen: Seen) -> bool:
    """Tell whether most numbers are tiny beside the largest, so that only powers of ten show them all."""
    if seen.kind not in ("number", "whole number") or seen.present.min() <= 0:
        return False
    low, high = np.quantile(seen.present, (0.1, 0.9))
    return bool(high > SKEWED * low)


def scale_of(seen: Seen, powers: bool) -> tuple[float, float, int, int]:
    """Return the ends of the scale, the number of bins, and how many values are beyond the ends."""
    values = seen.present
    low, high = float(values.min()), float(values.max())
    if seen.kind == "whole number" and high - low < FEW_VALUES and not powers:
        return low - 0.5, high + 0.5, round(high - low) + 1, 0
    first, last = (float(one) for one in np.quantile(values, (0.01, 0.99)))
    if seen.kind != "date" and high - low > OUTLYING * (last - first) > 0:
        margin = 0.1 * (last - first)
        low, high = max(low, first - margin), min(high, last + margin)
    outside = int(np.count_nonzero((values < low) | (values > high)))
    if low == high:
        half = max(abs(low), 1.0) / 2
        return low - half, high + half, 1, outside
    return low, high, BINS, outside


def ticks_of(seen: Seen, low: float, high: float, powers: bool) -> tuple[list[float], list[str]]:
    """Return where values are written below the axis, from 0 to 1, and how."""
    from matplotlib.ticker import MaxNLocator

    if seen.kind == "date":
        at = np.linspace(low, high, 3)
        return [0.0, 0.5, 1.0], [seen.shown(float(one))[:10] for one in at]
    whole = powers or seen.kind == "whole number"
    steps = [1, 2, 3, 6, 10] if seen.kind == "time of day" else [1, 2, 2.5, 5, 10]
    found = np.asarray(MaxNLocator(5, steps=steps, integer=whole).tick_values(low, high))
    inside = found[(found >= low) & (found <= high)]
    if powers:
        return ((inside - low) / (high - low)).tolist(), [f"{10.0**one:g}" for one in inside]
    if len(inside) < 2:
        inside = np.array([low, high])
    step = float(inside[1] - inside[0])
    rounded = np.rint(inside / step) * step
    clean = rounded if np.isfinite(rounded).all() else inside
    return ((inside - low) / (high - low)).tolist(), [plain(seen.shown(float(one))) for one in clean]


def _shares(name: str, seen: Seen, groups: Groups) -> tuple[Any, str]:
    """Draw for each category how its rows divide into the classes."""
    kept = min(len(seen.levels), MOST_BARS)
    values = np.minimum(seen.values.astype(np.int64), kept)
    names = short_names(seen.levels[:kept], 22)
    if len(seen.levels) > kept:
        names.append(count(len(seen.levels) - kept, "other value"))
    if seen.n_missing:
        values = np.where(seen.missing, len(names), values)
        names.append("missing")
    counts = np.zeros((len(names), len(groups.names)))
    np.add.at(counts, (values, groups.of_row), 1)
    rows = counts.sum(axis=1)
    shares = counts / rows[:, None]
    ends = np.cumsum(shares, axis=1)
    ax = new_axes(None, figsize=(WIDTH, 0.75 + 0.24 * len(names)))
    at = np.arange(len(names))
    for k, label in enumerate(groups.names):
        looks = area_style(k)
        ax.barh(at, shares[:, k], 0.74, ends[:, k] - shares[:, k], label=plain(label), **looks)
    for y, n in zip(at, rows, strict=True):
        ax.text(1.02, y, f"{int(n):,}", fontsize=LETTERS, va="center")
    ax.set_yticks(at, [plain(one) for one in names], fontsize=LETTERS)
    ax.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"], fontsize=LETTERS)
    ax.set(xlim=(0, 1.16), ylim=(len(names) - 0.5, -0.5))
    columns = 3 if max(map(len, groups.names)) <= 12 else 2
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0)}
    ax.legend(ncols=columns, fontsize=LETTERS, frameon=False, borderaxespad=0.2, handlelength=1.4, **place)
    _bare(ax)
    return (
        ax.figure,
        f"How the rows of each value of {one_line(name, 40)} divide into the classes, and their number.",
    )


def _bare(ax: Any) -> None:
    """Leave out the frame and the marks of the axes."""
    ax.tick_params(length=0, labelcolor=GREY)
    for side in ax.spines.values():
        side.set_visible(False)
