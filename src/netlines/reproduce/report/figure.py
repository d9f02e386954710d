"""Figures in the paper's manner: error against number of weights on a log scale, with error bars.

Ways of netlines differ by colour and by marker, peers are grey with their names beside them, so that the
figures can be read in print and by colour-blind eyes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from netlines.plots.style import BLUE, DARK, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION
from netlines.reproduce.runs.methods import (
    CV,
    DEFAULT,
    FAST,
    MONOPLANE,
    NAMES,
    PAPER,
    STOPPED,
    STOPPED_PAPER,
    UNIT,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

LOOKS: dict[str, tuple[str, str]] = {  # colour and marker
    PAPER: (VERMILLION, "s"),
    FAST: (ORANGE, "D"),
    DEFAULT: (BLUE, "o"),
    CV: (GREEN, "^"),
    MONOPLANE: (PURPLE, "v"),
    STOPPED: (SKY, "P"),
    STOPPED_PAPER: (ORANGE, "X"),
    UNIT: (DARK, "*"),
}
_NEAR = [(6, 4), (6, -11), (-6, 4), (-6, -11), (0, 9), (0, -16), (10, -3), (-10, -3)]
_PLACES = [(factor * x, factor * y) for factor in (1, 2, 3) for x, y in _NEAR]


def new_figure(columns: int = 1, width: float = 6.5, height: float = 4.2) -> tuple[Figure, Sequence[Any]]:
    """Return a figure and its axes, side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, list(axes)


def plot_means(
    ax: Any, rows: pd.DataFrame, x: str, y: str, methods: Iterable[str], *, bars: bool = True
) -> None:
    """Draw the mean of a column against another one, a curve a method, with deviations as error bars."""
    for method in methods:
        own = rows[rows["method"] == method].groupby(x)[y]
        if not len(own):
            continue
        means, deviations = own.mean(), own.std(ddof=1).fillna(0.0)
        color, marker = LOOKS.get(method, (GREY, "."))
        peer = method not in LOOKS
        ax.errorbar(
            means.index,
            means,
            yerr=deviations if bars else None,
            color=color,
            marker=marker,
            markersize=5,
            linewidth=1.2,
            linestyle=_dashes(method) if peer else "-",
            capsize=2,
            elinewidth=0.7,
            label=NAMES.get(method, method),
        )


def _dashes(name: str) -> Any:
    """Return a line style of its own for each peer."""
    lengths = sum(map(ord, name)) % 5
    return (0, (2 + 2 * lengths, 2))


def error_against_weights(
    ax: Any,
    rows: pd.DataFrame,
    published: Iterable[tuple[str, float, float]] = (),
    *,
    deviations: bool = True,
) -> None:
    """Draw the mean test error of each method against its mean number of weights.

    Parameters
    ----------
    ax : axes
    rows : results, with a column `label` if methods are to be told apart further
    published : (name, weights, error) of points that the paper's text states, drawn as crosses
    deviations : whether to draw the deviations over the tests as error bars
    """
    labels = rows["label"] if "label" in rows else rows["method"]
    known, texts = set(), []
    for label, own in rows.groupby(labels, sort=False):
        method = own["method"].iloc[0]
        x, y = own["weights"].mean(), own["test_error"].mean()
        if np.isnan(x) or np.isnan(y):
            continue
        color, marker = LOOKS.get(method, (GREY, "o"))
        spread = {"yerr": own["test_error"].std(ddof=1), "xerr": own["weights"].std(ddof=1)}
        bars = spread if deviations and len(own) > 1 else {}
        face = color if method in LOOKS else "white"
        ax.errorbar(
            x,
            y,
            fmt=marker,
            color=color,
            markerfacecolor=face,
            markersize=6,
            elinewidth=0.8,
            capsize=2,
            **bars,
        )
        if method in LOOKS and label == method:
            if method not in known:
                ax.plot([], [], marker, color=color, label=NAMES.get(method, method))
            known.add(method)
        else:
            texts.append((str(label), x, y, color))
    for name, x, y in published:
        ax.plot(x, y, "x", color=DARK, markersize=7)
        texts.append((f"{name} (published)", x, y, DARK))
    ax.set(xlabel="number of weights", ylabel="test error", xscale="log")
    ax.set_ylim(min(0.0, ax.get_ylim()[0]) if ax.get_ylim()[0] < 0.02 else None, None)
    ax.margins(x=0.12, y=0.12)
    if known:
        ax.legend(fontsize="small")
    _place(ax, texts)


def _place(ax: Any, texts: Sequence[tuple[str, float, float, str]]) -> None:
    """Write names beside their points, each where it covers least of the points and of other names."""
    figure = ax.figure
    figure.draw_without_rendering()  # so that positions are known
    taken = [ax.transData.transform((x, y)) for _, x, y, _ in texts]
    boxes = [(x - 5, y - 5, x + 5, y + 5) for x, y in taken]
    frame, scale = ax.get_window_extent(), figure.dpi / 72
    for (name, x, y, color), (px, py) in zip(texts, taken, strict=True):
        width, height = 4.4 * scale * len(name), 9 * scale
        best, least = None, np.inf
        for dx, dy in _PLACES:
            ha = "left" if dx > 0 else "right" if dx < 0 else "center"
            left = px + dx * scale - {"left": 0.0, "right": width, "center": width / 2}[ha]
            box = (left, py + dy * scale, left + width, py + dy * scale + height)
            outside = box[0] < frame.x0 or box[2] > frame.x1 or box[1] < frame.y0 or box[3] > frame.y1
            cost = sum(_overlap(box, other) for other in boxes) + 1e4 * outside
            if cost < least:
                best, least, chosen = (dx, dy, ha), cost, box
        assert best is not None
        dx, dy, ha = best
        boxes.append(chosen)
        far = abs(dx) + abs(dy) > 20
        line = {"arrowprops": {"arrowstyle": "-", "color": GREY, "linewidth": 0.5}} if far else {}
        ax.annotate(
            name, (x, y), (dx, dy), textcoords="offset points", ha=ha, fontsize=8, color=color, **line
        )


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
