"""`HyperplaneDisplay`: hyperplanes, data and answers over two inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.network import Network
from netlines.networks import Networks
from netlines.plots.style import DARK, GREY, class_name, class_style, fitted_network, new_axes, pale_color

MOST_LETTERS = 42  # of a legend in one row above the picture; a longer one is put beside it


class HyperplaneDisplay:
    """Hyperplanes of a network over its two inputs, with the data and the regions of its answers.

    Each hyperplane is a dashed line with its number and an arrow to the side where its unit is +1. It is
    drawn solid where it divides two answers. Of networks that decide together the number is that of the
    network and, if it has several units, of the unit: 2.1 is the first of the second. Only of a tree do
    hyperplanes divide the answers; of the other schemes the lines between answers are drawn by themselves.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    network : Network or Networks
        With two inputs.
    X : array-like of shape (n, 2)
        Data points.
    y : array-like of shape (n,)
        Their labels, of the network's classes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    regions_ : matplotlib QuadContourSet, or QuadMesh for more than two classes
        The shading by predicted class.
    points_ : list of matplotlib PathCollection
        The data, by class.
    lines_ : list of matplotlib Line2D
        The hyperplanes that meet the picture.
    boundaries_ : list of matplotlib Line2D, or QuadContourSet
        Their parts that divide the answers, or the lines around each class.

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

    def __init__(self, network: Network | Networks, X: ArrayLike, y: ArrayLike) -> None:
        if network.n_features != 2:
            raise ValueError(f"HyperplaneDisplay shows networks with 2 inputs, got {network.n_features}")
        self.network = network
        self._parts = [network] if isinstance(network, Network) else [part.network for part in network.parts]
        self._hidden = np.vstack([part.hidden_weights for part in self._parts])
        self._along_hyperplanes = isinstance(network, Network) or network.scheme == "tree"
        self.X = np.asarray(X, dtype=float)
        self.y = np.asarray(y)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, ax: Any = None
    ) -> HyperplaneDisplay:
        """Plot a fitted estimator of netlines over its data; `ax` is where, or None for a new figure."""
        return cls.from_network(fitted_network(estimator), X, y, ax=ax)

    @classmethod
    def from_network(
        cls, network: Network | Networks, X: ArrayLike, y: ArrayLike, *, ax: Any = None
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
        self.ax_ = ax = new_axes(ax, figsize=(4.6, 4.2))
        self.lines_: list[Any] = []
        self.boundaries_: list[Any] = []
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

    def _answers(self, rows: NDArray) -> NDArray:
        """Return the numbers of the classes that the networks answer, at the priors of the training rows."""
        decision = self.network.decision(rows)
        return (decision >= 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)

    def _plot_regions(self, low: NDArray, high: NDArray, resolution: int) -> None:
        n_classes = self.network.n_classes
        sides = np.linspace(low, high, resolution).T
        grid = np.stack(np.meshgrid(*sides), axis=-1)
        answers = self._answers(grid.reshape(-1, 2)).reshape(resolution, resolution)
        colors = [pale_color(number) for number in range(n_classes)]
        levels = np.arange(n_classes + 1) - 0.5
        if not self._along_hyperplanes:
            for number in np.unique(answers):
                lines = {"levels": [0.5], "colors": DARK, "linewidths": 1.4, "zorder": 1.5}
                self.boundaries_.append(self.ax_.contour(*sides, answers == number, **lines))
        if n_classes == 2:
            self.regions_ = self.ax_.contourf(*sides, answers, levels=levels, colors=colors, zorder=0)
            return
        from matplotlib.colors import BoundaryNorm, ListedColormap

        # Contours between classes 0 and 2 would run through 1.
        looks = {"cmap": ListedColormap(colors), "norm": BoundaryNorm(levels, n_classes)}
        self.regions_ = self.ax_.pcolormesh(
            *sides, answers, **looks, shading="nearest", zorder=0, rasterized=True
        )

    def _plot_points(self) -> None:
        self.points_ = []
        labels = self.network.classes.tolist()
        for number, label in enumerate(labels):
            x, y = self.X[self.y == label].T
            looks = {"edgecolors": "white", "linewidths": 0.5, "zorder": 2, **class_style(number)}
            self.points_.append(self.ax_.scatter(x, y, label=class_name(label), **looks))
        letters = sum(len(class_name(label)) + 3 for label in labels)
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": len(labels)}
        if letters > MOST_LETTERS:
            place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "ncols": 1}
        self.ax_.legend(**place, frameon=False, borderaxespad=0.2, handletextpad=0.1, columnspacing=1.2)

    def _plot_hyperplanes(self, low: NDArray, high: NDArray) -> None:
        lines = enumerate(self._hidden)
        paths = {k: path for k, weights in lines if (path := _path(weights, low, high)) is not None}
        parts = {k: (path - low) / (high - low) for k, path in paths.items()}
        numbers = np.empty((0, 2))
        self.figure_.draw_without_rendering()  # arrows stand upright on lines once the layout is known
        for k, path in paths.items():
            self.lines_ += self.ax_.plot(*path.T, linestyle="--", linewidth=0.9, color=GREY, zorder=1)
            if self._along_hyperplanes:
                divides = np.where(self._divides(path, k, high - low)[:, None], path, np.nan)
                looks = {"linestyle": "-", "linewidth": 1.8, "color": DARK, "zorder": 3}
                self.boundaries_ += self.ax_.plot(*divides.T, **looks)
            others = np.vstack([numbers, *(other for j, other in parts.items() if j != k)])
            place = _clear_place(parts[k][::20], numbers, others)
            numbers = np.vstack([numbers, place])
            self._number(k, low + place * (high - low), high - low)

    def _divides(self, path: NDArray, k: int, size: NDArray) -> NDArray:
        """Tell for each point of hyperplane k whether the answers next to it on both sides differ."""
        step = self._hidden[k, 1:] * size**2
        step = 1e-6 * step / np.abs(step / size).max()
        return self._answers(path + step) != self._answers(path - step)

    def _name(self, k: int) -> str:
        """Return the number of a hyperplane, or of its network and of the unit in it."""
        if len(self._parts) == 1:
            return str(k + 1)
        numbers = [
            (p, u, part.n_hidden)
            for p, part in enumerate(self._parts, 1)
            for u in range(1, part.n_hidden + 1)
        ]
        part, unit, units = numbers[k]
        return str(part) if units == 1 else f"{part}.{unit}"

    def _number(self, k: int, place: NDArray, size: NDArray) -> None:
        """Write the number of a hyperplane at a place of it, with an arrow to its positive side."""
        points = self.ax_.bbox.size * 72 / self.figure_.dpi / size  # a unit of each input, in points
        upright = self._hidden[k, 1:] / points
        tip = place + 24 * upright / np.sqrt(upright @ upright) / points
        self.ax_.annotate(
            self._name(k),
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


def _clear_place(places: NDArray, numbers: NDArray, others: NDArray) -> NDArray:
    """Return the place that is clear of the edges and the numbers, and farthest from the other lines.

    All points are in parts of the picture, from 0 to 1.
    """

    def gaps(obstacles: NDArray) -> NDArray:
        return np.abs(places[:, None] - obstacles).max(axis=2).min(axis=1, initial=1.0)

    to_edges = np.minimum(places, 1.0 - places).min(axis=1)
    clear = np.minimum(gaps(numbers), 0.15) + np.minimum(to_edges, 0.12)
    return places[np.argmax(10.0 * clear + gaps(others))]
