"""Pictures of a network in scikit-learn's manner: how it grew, and its hyperplanes over two inputs.

Classes differ by marker and by colour, curves by marker and by line style, so that the pictures can be read
in print and by colour-blind eyes. The colours are those of Okabe and Ito.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from netlines.network import Network, sign

BLUE, VERMILLION, DARK, GREY = "#0072B2", "#D55E00", "#222222", "#666666"
PALE_BLUE, PALE_ORANGE = "#E3F0F8", "#FADDBE"  # of different lightness too
CLASS_STYLES = (
    {"marker": "o", "color": BLUE, "s": 22},
    {"marker": "^", "color": VERMILLION, "s": 26},
)
MOST_NUMBERS = 12  # points of a curve up to which each is labelled with its value


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('netlines.plots needs matplotlib: pip install "netlines[plots]"') from error
    return plt


def _axes(ax: Any, **figure: Any) -> Any:
    """Return the given axes, or those of a new figure."""
    plt = _pyplot()
    return plt.subplots(layout="constrained", **figure)[1] if ax is None else ax


class GrowthDisplay:
    """Training errors against the number of hidden units, with the number of weights as a second scale.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    n_hidden : array-like of shape (H,)
        Numbers of hidden units.
    errors : array-like of shape (H,)
        Training errors of the network at each size, beyond the unavoidable ones.
    unit_errors : array-like of shape (H,)
        Errors of the new unit on its own targets; NaN where all units were trained together.
    n_weights : array-like of shape (H,)
        Numbers of weights.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    line_ : matplotlib Line2D
        Errors of the network.
    unit_line_ : matplotlib Line2D
        Errors of the new unit.
    weights_ax_ : matplotlib SecondaryAxis
        The scale of the numbers of weights, on top.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import load_monks
    >>> from netlines.plots import GrowthDisplay
    >>> clf = NetLinesClassifier().fit(*load_monks(2, return_X_y=True))
    >>> display = GrowthDisplay.from_estimator(clf)
    >>> display.line_.get_xdata().tolist()
    [1, 2]
    """

    def __init__(
        self, *, n_hidden: ArrayLike, errors: ArrayLike, unit_errors: ArrayLike, n_weights: ArrayLike
    ) -> None:
        self.n_hidden = np.asarray(n_hidden)
        self.errors = np.asarray(errors, dtype=float)
        self.unit_errors = np.asarray(unit_errors, dtype=float)
        self.n_weights = np.asarray(n_weights)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> GrowthDisplay:
        """Plot how a fitted `NetLinesClassifier` grew; `ax` is where, or None for a new figure."""
        check_is_fitted(estimator)
        return cls.from_network(estimator.network_, ax=ax)

    @classmethod
    def from_network(cls, network: Network, *, ax: Any = None) -> GrowthDisplay:
        """Plot how a network grew, from its growth trace; `ax` is where, or None for a new figure."""
        trace = network.growth_trace
        if not trace:
            raise ValueError("the network has no growth trace: it was not grown by NetLinesClassifier")
        sizes = np.array([record["n_hidden"] for record in trace])
        weights = np.where(sizes == 1, network.n_features + 1, sizes * (network.n_features + 2) + 1)
        display = cls(
            n_hidden=sizes,
            errors=[record["errors"] for record in trace],
            unit_errors=[record["unit_errors"] for record in trace],
            n_weights=weights,
        )
        return display.plot(ax=ax)

    def plot(self, ax: Any = None) -> GrowthDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.

        Returns
        -------
        GrowthDisplay
            The display itself.
        """
        ax = _axes(ax, figsize=(5.0, 3.6))
        self.ax_, self.figure_ = ax, ax.figure
        (self.unit_line_,) = ax.plot(
            self.n_hidden,
            self.unit_errors,
            linestyle="--",
            marker="s",
            markersize=9,
            markerfacecolor="none",
            color=VERMILLION,
            label="new unit, on its own targets",
        )
        (self.line_,) = ax.plot(
            self.n_hidden, self.errors, linestyle="-", marker="o", color=BLUE, label="network"
        )
        top = max(1.0, np.nanmax([self.errors, self.unit_errors]))
        ax.set_ylim(-0.04 * top, 1.12 * top)
        ax.set_xlim(self.n_hidden[0] - 0.5, self.n_hidden[-1] + 0.5)
        if len(self.errors) <= MOST_NUMBERS:
            for size, errors in zip(self.n_hidden, self.errors, strict=True):
                ax.annotate(
                    f"{errors:g}",
                    (size, errors),
                    xytext=(7, 5),
                    textcoords="offset points",
                    fontsize="small",
                    color=BLUE,
                )
        self._label_axes()
        return self

    def _label_axes(self) -> None:
        ticks = self.n_hidden[:: 1 + len(self.n_hidden) // MOST_NUMBERS]
        weights = self.n_weights[:: 1 + len(self.n_hidden) // MOST_NUMBERS]
        self.ax_.set_xticks(ticks)
        self.ax_.set_xlabel("hidden units")
        self.ax_.set_ylabel("training errors")
        self.ax_.grid(axis="y", color="#DDDDDD", linewidth=0.6)
        self.ax_.set_axisbelow(True)
        self.ax_.spines["right"].set_visible(False)
        if np.isfinite(self.unit_errors).any():
            self.ax_.legend(handles=[self.line_, self.unit_line_], frameon=False)
        self.weights_ax_ = self.ax_.secondary_xaxis("top")
        self.weights_ax_.set_xticks(ticks, [str(n) for n in weights])
        self.weights_ax_.set_xlabel("weights")


class HyperplaneDisplay:
    """Hyperplanes of a network over its two inputs, with the data and the regions of its two answers.

    Each hyperplane is a dashed line with its number and an arrow to the side where its unit is +1. It is
    drawn solid where it divides the two answers.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    network : Network
        A network with two inputs.
    X : array-like of shape (n, 2)
        Data points.
    y : array-like of shape (n,)
        Their labels, of the network's classes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    regions_ : matplotlib QuadContourSet
        The shading by predicted class.
    points_ : list of matplotlib PathCollection
        The data, by class.
    lines_, boundaries_ : list of matplotlib Line2D
        The hyperplanes that meet the picture, and their parts that divide the answers.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import make_parity
    >>> from netlines.plots import HyperplaneDisplay
    >>> X, y = make_parity(2)
    >>> clf = NetLinesClassifier().fit(X, y)
    >>> len(HyperplaneDisplay.from_estimator(clf, X, y).lines_)
    2
    """

    def __init__(self, network: Network, X: ArrayLike, y: ArrayLike) -> None:
        if network.n_features != 2:
            raise ValueError(f"HyperplaneDisplay shows networks with 2 inputs, got {network.n_features}")
        self.network = network
        self.X = np.asarray(X, dtype=float)
        self.y = np.asarray(y)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, ax: Any = None
    ) -> HyperplaneDisplay:
        """Plot a fitted estimator of netlines over its data; `ax` is where, or None for a new figure."""
        check_is_fitted(estimator)
        return cls.from_network(estimator.network_, X, y, ax=ax)

    @classmethod
    def from_network(
        cls, network: Network, X: ArrayLike, y: ArrayLike, *, ax: Any = None
    ) -> HyperplaneDisplay:
        """Plot a network over data; `ax` is where, or None for a new figure."""
        return cls(network, X, y).plot(ax=ax)

    def plot(self, ax: Any = None, *, resolution: int = 400) -> HyperplaneDisplay:
        """Draw the regions, the data and the hyperplanes.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        resolution : int, default=400
            Points a side of the grid that the regions are found on.

        Returns
        -------
        HyperplaneDisplay
            The display itself.
        """
        self.ax_ = ax = _axes(ax, figsize=(4.6, 4.2))
        self.figure_ = ax.figure
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        margin = 0.08 * np.where(high > low, high - low, 1.0)
        low, high = low - margin, high + margin
        ax.set_xlim(low[0], high[0])
        ax.set_ylim(low[1], high[1])
        self._plot_regions(low, high, resolution)
        self._plot_points()
        self._plot_hyperplanes(low, high)
        first, second = self.network.feature_names or ("x0", "x1")
        ax.set_xlabel(first)
        ax.set_ylabel(second)
        return self

    def _plot_regions(self, low: NDArray, high: NDArray, resolution: int) -> None:
        sides = np.linspace(low, high, resolution).T
        grid = np.stack(np.meshgrid(*sides), axis=-1)
        answers = sign(self.network.decision(grid.reshape(-1, 2))).reshape(resolution, resolution)
        colors = [PALE_BLUE, PALE_ORANGE]
        self.regions_ = self.ax_.contourf(*sides, answers, levels=[-2, 0, 2], colors=colors, zorder=0)

    def _plot_points(self) -> None:
        self.points_ = []
        for label, style in zip(self.network.classes, CLASS_STYLES, strict=True):
            x, y = self.X[self.y == label].T
            name = label if isinstance(label, str) else f"class {label}"
            points = self.ax_.scatter(x, y, label=name, edgecolors="white", linewidths=0.5, zorder=2, **style)
            self.points_.append(points)
        above = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": 2}
        self.ax_.legend(**above, frameon=False, borderaxespad=0.2, handletextpad=0.1, columnspacing=1.2)

    def _plot_hyperplanes(self, low: NDArray, high: NDArray) -> None:
        lines = enumerate(self.network.hidden_weights)
        paths = {k: path for k, weights in lines if (path := _path(weights, low, high)) is not None}
        parts = {k: (path - low) / (high - low) for k, path in paths.items()}
        numbers = np.empty((0, 2))
        self.lines_, self.boundaries_ = [], []
        self.figure_.draw_without_rendering()  # arrows stand upright on lines once the layout is known
        for k, path in paths.items():
            self.lines_ += self.ax_.plot(*path.T, linestyle="--", linewidth=0.9, color=GREY, zorder=1)
            divides = np.where(_divides(self.network, path, k)[:, None], path, np.nan)
            self.boundaries_ += self.ax_.plot(*divides.T, linestyle="-", linewidth=1.8, color=DARK, zorder=3)
            others = np.vstack([numbers, *(other for j, other in parts.items() if j != k)])
            place = _clear_place(parts[k][::20], numbers, others)
            numbers = np.vstack([numbers, place])
            self._number(k, low + place * (high - low), high - low)

    def _number(self, k: int, place: NDArray, size: NDArray) -> None:
        """Write the number of a hyperplane at a place of it, with an arrow to its positive side."""
        points = self.ax_.bbox.size * 72 / self.figure_.dpi / size  # a unit of each input, in points
        upright = self.network.hidden_weights[k, 1:] / points
        tip = place + 24 * upright / np.sqrt(upright @ upright) / points
        self.ax_.annotate(
            str(k + 1),
            xy=tip,
            xytext=place,
            ha="center",
            va="center",
            fontsize="small",
            zorder=4,
            annotation_clip=False,
            bbox={"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": DARK, "linewidth": 0.9},
            arrowprops={"arrowstyle": "-|>", "color": DARK, "linewidth": 1.1, "shrinkB": 0},
        )


def _path(weights: NDArray, low: NDArray, high: NDArray) -> NDArray | None:
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


def _divides(network: Network, path: NDArray, k: int) -> NDArray:
    """Tell for each point of hyperplane k whether the answers on its two sides differ."""
    if network.n_hidden == 1:
        return np.ones(len(path), dtype=bool)
    output = network.output_weights[0]
    codes = network.internal_representation(path)
    codes[:, k] = 0.0
    rest = output[0] + codes @ output[1:]
    return (rest + output[k + 1] >= 0) != (rest - output[k + 1] >= 0)


def _clear_place(places: NDArray, numbers: NDArray, others: NDArray) -> NDArray:
    """Return the place that is clear of the edges and the numbers, and farthest from the other lines.

    All points are in parts of the picture, from 0 to 1.
    """

    def gaps(obstacles: NDArray) -> NDArray:
        return np.abs(places[:, None] - obstacles).max(axis=2).min(axis=1, initial=1.0)

    to_edges = np.minimum(places, 1.0 - places).min(axis=1)
    clear = np.minimum(gaps(numbers), 0.15) + np.minimum(to_edges, 0.12)
    return places[np.argmax(10.0 * clear + gaps(others))]
