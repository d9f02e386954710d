"""`HyperplaneDisplay`: hyperplanes, data and answers over two inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.domains import code_text
from netlines.inspection.inputs import as_data, network_of
from netlines.network.protocol import AnyNetwork
from netlines.plots.places import clear_place, line_through, text_places
from netlines.plots.plane import choose_plane
from netlines.plots.style import (
    DARK,
    GREY,
    MINUS,
    class_name,
    class_style,
    new_axes,
    pale_color,
    plain,
    shortened,
    text_widths,
)
from netlines.plots.units import unit_names

MOST_LETTERS = 42  # of a legend in one row above the picture; a longer one is put beside it
MOST_OF_NAME, MOST_OF_AXIS = 28, 40  # letters of a class, and of an input
MOST_UNITS = 8  # up to which the codes of domains are written
LEAST_STEPS = 64  # of the numbers at a place, that there are beside the points
CODE = 8.0  # size of the letters of codes, in points


class HyperplaneDisplay:
    """Hyperplanes of a network over two of its inputs, with the data and the regions of its answers.

    Each hyperplane is a dashed line with its number and an arrow to the side where its unit is +1. It is
    drawn solid where it divides two answers. Of networks that decide together the number is that of the
    network and, if it has several units, of the unit: 2.1 is the first of the second. Only of a tree do
    hyperplanes divide the answers; of the other schemes, and with changed priors, the lines between answers
    are drawn by themselves.

    Of a network with more inputs two are chosen: the picture is then a plane in which the others are held,
    and what lies on the lines or between them is true only there.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    network : Network or Networks
        With two inputs, or with more if `features` are chosen.
    X : array-like of shape (n, N)
        Data points.
    y : array-like of shape (n,)
        Their labels, of the network's classes.
    codes : bool, default=False
        Whether to write into each domain its code, the states of the hidden units, where there is room. Of
        more than 8 units they are not written.
    features : pair of names or numbers of inputs, "best", or None
        The inputs that are drawn to the right and upwards. "best" are the two with the largest standardised
        weights. None: the two that there are.
    at : a row, as an array or as a mapping by names, or None
        What the other inputs are held at. None: the means of the training rows.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    regions_ : list of matplotlib QuadContourSet
        The shading by predicted class.
    points_ : list of matplotlib PathCollection
        The data, by class.
    lines_ : list of matplotlib Line2D
        The hyperplanes that meet the picture.
    boundaries_ : list of matplotlib Line2D, or QuadContourSet
        Their parts that divide the answers, or the lines around each class.
    codes_ : list of matplotlib Text
        The codes of the domains that have room for them.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import make_parity
    >>> from netlines.plots import HyperplaneDisplay
    >>> X, y = make_parity(2)
    >>> clf = NetLinesClassifier(random_state=0).fit(X, y)
    >>> display = HyperplaneDisplay.from_estimator(clf, X, y, codes=True)
    >>> len(display.lines_), len(display.codes_)
    (2, 3)
    """

    def __init__(
        self,
        network: AnyNetwork,
        X: ArrayLike,
        y: ArrayLike,
        *,
        codes: bool = False,
        features: Any = None,
        at: Any = None,
    ) -> None:
        self.network = network = network_of(network)
        self.X, _ = as_data(network, X, y)
        self.y = np.asarray(y)
        self.codes = codes
        self.plane = choose_plane(network, features, at, self.X)
        self._names = unit_names(network)
        self._hidden = self.plane.restricted(network.weights_about_zero)
        self._along_hyperplanes = network.scheme in (None, "tree") and not network.moved

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        codes: bool = False,
        features: Any = None,
        at: Any = None,
        ax: Any = None,
    ) -> HyperplaneDisplay:
        """Plot a fitted classifier or a network over data; `ax` is where, or None for a new figure."""
        return cls(estimator, X, y, codes=codes, features=features, at=at).plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None, *, resolution: int = 400) -> HyperplaneDisplay:
        """Draw the regions, the data and the hyperplanes; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        resolution : int, default=400
            Points a side of the grid that the regions are found on.
        """
        names = [shortened(class_name(label), MOST_OF_NAME) for label in self.network.classes.tolist()]
        beside = sum(len(name) + 3 for name in names) > MOST_LETTERS
        room = max(text_widths(names, 10.0)) + 0.45 if beside else 0.0
        self.ax_ = ax = new_axes(ax, figsize=(4.6 + room, 4.2))
        self.lines_: list[Any] = []
        self.boundaries_: list[Any] = []
        self.codes_: list[Any] = []
        self.figure_ = ax.figure
        points = self.plane.seen(self.X)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.08 * np.where(high > low, high - low, 1.0)
        # Far from 0, where numbers stand apart, arrows would have no length.
        margin = np.maximum(margin, LEAST_STEPS * np.spacing(np.maximum(np.abs(low), np.abs(high))))
        low, high = low - margin, high + margin
        ax.set_xlim(low[0], high[0])
        ax.set_ylim(low[1], high[1])
        self._plot_regions(low, high, resolution)
        self._plot_points(names, beside)
        first, second = (shortened(name, MOST_OF_AXIS) for name in self.plane.names)
        ax.set_xlabel(plain(f"{first}\n{self.plane.others}" if self.plane.others else first))
        ax.set_ylabel(plain(second))
        self._plot_hyperplanes(low, high)
        if self.codes and len(self._hidden) <= MOST_UNITS:
            self._write_codes(low, high)
        return self

    def _answers(self, points: NDArray) -> NDArray:
        """Return the numbers of the classes that the networks answer at points of the plane."""
        return self.network.answers(self.plane.rows(points))

    def _plot_regions(self, low: NDArray, high: NDArray, resolution: int) -> None:
        sides = np.linspace(low, high, resolution).T
        self._grid = np.stack(np.meshgrid(*sides), axis=-1)
        answers = self._answers(self._grid.reshape(-1, 2)).reshape(resolution, resolution)
        self.regions_ = []
        # Each class by itself: contours between classes 0 and 2 would run through 1.
        for number in np.unique(answers).tolist():
            if not self._along_hyperplanes:
                lines = {"levels": [0.5], "colors": DARK, "linewidths": 1.4, "zorder": 1.5}
                self.boundaries_.append(self.ax_.contour(*sides, answers == number, **lines))
            areas = {"levels": [0.5, 1.5], "colors": pale_color(number), "zorder": 0}
            self.regions_.append(self.ax_.contourf(*sides, answers == number, **areas))

    def _plot_points(self, names: list[str], beside: bool) -> None:
        """Draw the data with a legend above the picture, or beside it."""
        self.points_ = []
        for number, label in enumerate(self.network.classes.tolist()):
            x, y = self.plane.seen(self.X[self.y == label]).T
            looks = {"edgecolors": "white", "linewidths": 0.5, "zorder": 2, **class_style(number)}
            self.points_.append(self.ax_.scatter(x, y, label=names[number], **looks))
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": len(names)}
        if beside:
            place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "ncols": 1}
        self.ax_.legend(**place, frameon=False, borderaxespad=0.2, handletextpad=0.1, columnspacing=1.2)

    def _plot_hyperplanes(self, low: NDArray, high: NDArray) -> None:
        lines = enumerate(self._hidden)
        paths = {k: path for k, weights in lines if (path := line_through(weights, low, high)) is not None}
        parts = {k: (path - low) / (high - low) for k, path in paths.items()}
        numbers = self._arrows = np.empty((0, 2))
        self.figure_.draw_without_rendering()  # arrows stand upright on lines once the layout is known
        for k, path in paths.items():
            self.lines_ += self.ax_.plot(*path.T, linestyle="--", linewidth=0.9, color=GREY, zorder=1)
            if self._along_hyperplanes:
                divides = np.where(self._divides(path, k, high - low)[:, None], path, np.nan)
                looks = {"linestyle": "-", "linewidth": 1.8, "color": DARK, "zorder": 3}
                self.boundaries_ += self.ax_.plot(*divides.T, **looks)
            others = np.vstack([numbers, *(other for j, other in parts.items() if j != k)])
            place = clear_place(parts[k][::20], numbers, others)
            numbers = np.vstack([numbers, place])
            tip = (self._number(k, low + place * (high - low), high - low) - low) / (high - low)
            self._arrows = np.vstack([self._arrows, place, (place + tip) / 2, tip])

    def _divides(self, path: NDArray, k: int, size: NDArray) -> NDArray:
        """Tell for each point of hyperplane k whether the answers next to it on both sides differ."""
        step = self._hidden[k, 1:] * size**2
        step = 1e-6 * step / np.abs(step / size).max()
        return self._answers(path + step) != self._answers(path - step)

    def _number(self, k: int, place: NDArray, size: NDArray) -> NDArray:
        """Write the number of a hyperplane; return the tip of the arrow to its positive side."""
        points = self.ax_.bbox.size * 72 / self.figure_.dpi / size  # a unit of each input, in points
        upright = self._hidden[k, 1:] / points
        tip = place + 24 * upright / np.sqrt(upright @ upright) / points
        box = {"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": DARK, "linewidth": 0.9}
        arrow = {"arrowstyle": "-|>", "color": DARK, "linewidth": 1.1, "shrinkB": 0}
        looks = {"ha": "center", "va": "center", "fontsize": "small", "zorder": 4, "bbox": box}
        looks |= {"arrowprops": arrow, "annotation_clip": False}
        self.ax_.annotate(self._names[k], xy=tip, xytext=place, **looks)
        return np.asarray(tip)

    def _write_codes(self, low: NDArray, high: NDArray) -> None:
        """Write the code of each domain well inside it."""
        states = self._hidden[:, 0] + self._grid @ self._hidden[:, 1:].T >= 0
        codes, domains = np.unique(states.reshape(-1, len(self._hidden)), axis=0, return_inverse=True)
        texts = [code_text(np.where(code, 1, -1), "\N{THIN SPACE}", MINUS) for code in codes]
        room = self.ax_.bbox.size * 72 / self.figure_.dpi
        text = 72 * max(text_widths(texts, CODE)) + 3, 1.3 * CODE
        points = (self.plane.seen(self.X) - low) / (high - low)
        places = text_places(domains.reshape(states.shape[:2]), room, text, points, self._arrows)
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
        looks = {"ha": "center", "va": "center", "fontsize": CODE, "color": DARK, "zorder": 3.5, "bbox": box}
        for number, place in places.items():
            self.codes_.append(self.ax_.text(*(low + place * (high - low)), texts[number], **looks))
