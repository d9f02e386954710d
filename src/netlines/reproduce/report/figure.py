"""Figures in the paper's manner: error against number of weights on a log scale, with error bars.

Ways of netlines differ by colour and by marker, peers are grey with their names beside them, so that the
figures can be read in print and by colour-blind eyes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from netlines.plots.style import DARK, GREY
from netlines.reproduce.report.labels import Label, place_labels
from netlines.reproduce.runs.methods import LOOKS, NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PEER_LOOKS = ((GREY, "x", "--"), ("#888888", "+", "-."), (DARK, "d", ":"), ("#999999", "1", "--"))


@dataclass(frozen=True, eq=False)
class Panel:
    """One plane of a figure: error against weights.

    Parameters
    ----------
    title : its heading
    rows : results, with a column `label` if methods are to be told apart further
    published : (name, weights, error) of points that were published, drawn as crosses
    lines : horizontal lines by name
    """

    title: str
    rows: pd.DataFrame
    published: Sequence[tuple[str, float, float]] = ()
    lines: Sequence[tuple[str, float]] = ()


def weights_figure(panels: Sequence[Panel], *, deviations: bool = True) -> Figure:
    """Draw the mean test error of each method against its mean number of weights, panel beside panel.

    `deviations` says whether those over the tests are drawn as error bars.
    """
    figure, axes = new_figure(len(panels))
    drawn = [_draw_panel(ax, panel, deviations) for ax, panel in zip(axes, panels, strict=True)]
    legend_below(figure, axes)
    lay_out(figure)
    for ax, (labels, points) in zip(axes, drawn, strict=True):
        place_labels(ax, labels, points)
    return figure


def lay_out(figure: Figure) -> None:
    """Give everything its place, once and for all: matplotlib would do it anew with each drawing."""
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        figure.set_layout_engine("none")


def new_figure(panels: int = 1) -> tuple[Figure, Sequence[Any]]:
    """Return a figure and its axes: one, two side by side, or three, with the legend beside the third.

    None is wider than what can be read on a printed page.
    """
    from matplotlib.figure import Figure

    width, height, rows = {1: (6.8, 4.8, 1), 2: (9.4, 5.0, 1), 3: (9.4, 8.2, 2)}[panels]
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, 1 if panels == 1 else 2, squeeze=False).ravel()
    for ax in axes[:panels]:
        ax.spines[["top", "right"]].set_visible(False)
    for spare in axes[panels:]:
        spare.axis("off")
    return figure, list(axes[:panels])


def plot_means(
    ax: Any, rows: pd.DataFrame, x: str, y: str, methods: Iterable[str], *, bars: bool = True
) -> None:
    """Draw the mean of a column against another one, a curve a method, with deviations as error bars."""
    peers = 0
    for method in methods:
        own = rows[rows["method"] == method].groupby(x)[y]
        if method in LOOKS:
            color, marker, line = *LOOKS[method], "-"
        else:
            color, marker, line = PEER_LOOKS[peers % len(PEER_LOOKS)]
            peers += 1
        if not len(own):
            continue
        means, deviations = own.mean(), own.std(ddof=1).fillna(0.0)
        look = {"color": color, "marker": marker, "markersize": 5, "linewidth": 1.2, "linestyle": line}
        look |= {"capsize": 2, "elinewidth": 0.7, "label": NAMES.get(method, method)}
        ax.errorbar(means.index, means, yerr=deviations if bars else None, **look)


def legend_below(figure: Figure, axes: Sequence[Any]) -> None:
    """Write one legend for some axes where it covers nothing: below them, or in the place that is left."""
    entries: dict[str, Any] = {}
    for ax in axes:
        entries |= {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    handles, names = list(entries.values()), list(entries)
    spare = [ax for ax in figure.axes if not ax.axison]
    if spare:
        spare[0].legend(handles, names, loc="center", fontsize=9, frameon=False)
    elif entries:
        columns = 2 if len(figure.axes) == 1 else 3
        figure.legend(handles, names, loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def _draw_panel(ax: Any, panel: Panel, deviations: bool) -> tuple[list[Label], list[tuple[float, float]]]:
    """Draw the points of a panel; return the names that are to stand beside them, and all points."""
    rows, texts = panel.rows, []
    points = [(x, y) for _, x, y in panel.published]
    labels = rows["label"] if "label" in rows else rows["method"]
    for label, own in rows.groupby(labels, sort=False):
        method = own["method"].iloc[0]
        x, y = own["weights"].mean(), own["test_error"].mean()
        if np.isnan(x) or np.isnan(y):
            continue
        points.append((x, y))
        ours = method in LOOKS
        color, marker = LOOKS.get(method, (GREY, "o"))
        bars = {}
        if deviations and len(own) > 1:
            bars = {"yerr": own["test_error"].std(ddof=1), "xerr": own["weights"].std(ddof=1)}
        face = color if ours else "white"
        look = {"markerfacecolor": face, "markersize": 6, "elinewidth": 0.7, "capsize": 2}
        ax.errorbar(x, y, fmt=marker, color=color, zorder=4 if ours else 3, **look, **bars)
        if ours:
            ax.plot([], [], marker, color=color, label=NAMES.get(method, method))
        if not ours or label != method:
            texts.append(Label(str(label).removeprefix(f"{method}: "), x, y, color))
    for name, x, y in panel.published:
        ax.plot(x, y, "x", color=DARK, markersize=7)
        texts.append(Label(name, x, y, DARK))
    if panel.published:
        ax.plot([], [], "x", color=DARK, label="published")
    for name, value in panel.lines:
        ax.axhline(value, color="0.5", linewidth=1, linestyle="--", label=name)
    ax.set(xlabel="number of weights", ylabel="test error", xscale="log", title=panel.title)
    ax.margins(x=0.15, y=0.15)
    low, high = ax.get_ylim()
    ax.set_ylim(-0.04 * high if low < 0.1 * high else low, high)
    return texts, points
