"""`HyperplaneDisplay`: hyperplanes, data and answers over two inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.domains import code_text
from netlines.inspection.inputs import as_data, label_numbers, network_of
from netlines.network.protocol import AnyNetwork
from netlines.plots.crowd import Dots, as_dots
from netlines.plots.outlines import simplify
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
MANY_LINES, MOST_LINES = 16, 10  # hyperplanes up to which all are drawn, and how many are of more
MOST_LEGEND = 12  # classes that a legend names
# Percentiles between which the picture may end, and how much of it the middle half of the rows should take.
INNER, MIDDLE = ((1.0, 99.0), (3.0, 97.0), (6.0, 94.0)), 0.12
FAR = 2.0  # how much wider than between the first of these all rows have to reach
LEAST_STEPS = 64  # of the numbers at a place, that there are beside the points
CODE = 8.0  # size of the letters of codes, in points


class HyperplaneDisplay:
    """Hyperplanes of a network over two of its inputs, with the data and the regions of its answers.

    Each hyperplane is a dashed line with its number and an arrow to the side where its unit is +1. It is
    drawn solid where it divides two answers. Of networks that decide together the number is that of the
    network and, if it has several units, of the unit: 2.1 is the first of the second. Only of a tree do
    hyperplanes divide the answers; of the other schemes, and with changed priors, the lines between answers
    are drawn by themselves.

    Of more than 16 hyperplanes those ten are drawn that divide the answers most in the picture.

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
    crowded : bool, default=False
        Whether rows that would hide each other are drawn as one dot a place and class, the larger the more
        they are, or moved aside a little.
    robust : bool, default=False
        Whether few rows far away from all others are left out of the picture; `outside_` counts them.

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
    dots_ : Dots or None
        What is drawn of the rows if they are crowded.
    outside_ : int
        Rows that lie outside the picture.

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
        crowded: bool = False,
        robust: bool = False,
    ) -> None:
        self.network = network = network_of(network)
        self.X, _ = as_data(network, X, y)
        self.y = np.asarray(y)
        self.codes, self.crowded, self.robust = codes, crowded, robust
        self.plane = choose_plane(network, features, at, self.X)
        self._names = unit_names(network)
        self._hidden = self.plane.restricted(network.weights_about_zero)
        few = len(self._hidden) <= MANY_LINES
        self._along_hyperplanes = few and network.scheme in (None, "tree") and not network.moved

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
        crowded: bool = False,
        robust: bool = False,
        ax: Any = None,
    ) -> HyperplaneDisplay:
        """Plot a fitted classifier or a network over data; `ax` is where, or None for a new figure."""
        looks = {"codes": codes, "crowded": crowded, "robust": robust}
        return cls(estimator, X, y, features=features, at=at, **looks).plot(ax=ax)

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
        room = max(text_widths(names[:MOST_LEGEND], 10.0)) + 0.45 if beside else 0.0
        self.ax_ = ax = new_axes(ax, figsize=(4.6 + room, 4.2))
        self.lines_: list[Any] = []
        self.boundaries_: list[Any] = []
        self.codes_: list[Any] = []
        self.figure_ = ax.figure
        low, high = self._limits(self.plane.seen(self.X))
        ax.set_xlim(low[0], high[0])
        ax.set_ylim(low[1], high[1])
        self._plot_regions(low, high, resolution)
        self._plot_points(names, beside, high - low)
        first, second = (shortened(name, MOST_OF_AXIS) for name in self.plane.names)
        ax.set_ylabel(plain(second))
        left_out = self._plot_hyperplanes(low, high)
        notes = [self.plane.others]
        notes += [f"{self.outside_} rows lie farther away"] if self.outside_ > 1 else []
        notes += ["1 row lies farther away"] if self.outside_ == 1 else []
        notes += [f"{MOST_LINES} of {len(self._hidden)} hyperplanes are drawn"] if left_out else []
        ax.set_xlabel(plain("\n".join([first, *filter(None, notes)])))
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
        for contours in (*self.boundaries_, *self.regions_) if self.crowded else ():
            simplify(contours, (high - low) / (resolution - 1))

    def _limits(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Return the lower left and the upper right corner of the picture."""
        low, high = points.min(axis=0), points.max(axis=0)
        if self.robust:
            ends = [_inner(column) for column in points.T]
            low, high = np.array(ends).T
        margin = 0.08 * np.where(high > low, high - low, 1.0)
        # Far from 0, where numbers stand apart, arrows would have no length.
        margin = np.maximum(margin, LEAST_STEPS * np.spacing(np.maximum(np.abs(low), np.abs(high))))
        low, high = low - margin, high + margin
        self.outside_ = int(((points < low) | (points > high)).any(axis=1).sum())
        return low, high

    def _plot_points(self, names: list[str], beside: bool, size: NDArray) -> None:
        """Draw the data with a legend above the picture, or beside it."""
        points, numbers = self.plane.seen(self.X), label_numbers(self.network, self.y)
        self.dots_ = as_dots(points, numbers, size) if self.crowded else None
        dots = Dots(points, numbers, np.ones(len(points))) if self.dots_ is None else self.dots_
        self.points_ = []
        for number, _ in enumerate(names):
            own = dots.classes == number
            for scale in np.unique(dots.scale[own]) if own.any() else [1.0]:
                looks = {"edgecolors": "white", "linewidths": 0.5, "zorder": 2, **class_style(number)}
                looks["s"] = looks["s"] * float(scale)  # one number, so that a file of vectors has one shape
                some = own & (dots.scale == scale)
                self.points_.append(self.ax_.scatter(*dots.places[some].T, **looks))
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": len(names)}
        if beside:
            place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "ncols": 1}
        place |= {"frameon": False, "borderaxespad": 0.2, "handletextpad": 0.1, "columnspacing": 1.2}
        from matplotlib.lines import Line2D

        # Made by hand: matplotlib leaves names that begin with _ out, and takes the size of the first dot.
        handles, shown = [], names
        if len(names) > MOST_LEGEND:
            shown = [*names[: MOST_LEGEND - 1], f"{len(names) - MOST_LEGEND + 1} more classes"]
        for number in range(len(shown) if shown is names else MOST_LEGEND - 1):
            looks = class_style(number)
            dot = {"marker": looks["marker"], "color": looks["color"], "markersize": looks["s"] ** 0.5}
            handles.append(Line2D([], [], linestyle="none", **dot))
        handles += [] if shown is names else [Line2D([], [], linestyle="none")]
        self.ax_.legend(handles, shown, **place)

    def _plot_hyperplanes(self, low: NDArray, high: NDArray) -> int:
        """Draw the hyperplanes with their numbers; return how many of them are not drawn."""
        lines = enumerate(self._hidden)
        paths = {k: path for k, weights in lines if (path := line_through(weights, low, high)) is not None}
        every = len(paths)
        if len(self._hidden) > MANY_LINES:
            paths = self._most_dividing(paths, high - low)
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
        return every - len(paths)

    def _most_dividing(self, paths: dict[int, NDArray], size: NDArray) -> dict[int, NDArray]:
        """Return the hyperplanes that divide two answers at the most places, asked about all at once."""
        if not paths:
            return paths
        points = np.vstack([path[::10] for path in paths.values()])
        which = np.repeat(list(paths), [len(path[::10]) for path in paths.values()])
        parted = np.bincount(which[self._divides(points, which, size)], minlength=len(self._hidden))
        return {k: paths[k] for k in sorted(sorted(paths, key=lambda k: -parted[k])[:MOST_LINES])}

    def _divides(self, path: NDArray, k: int | NDArray, size: NDArray) -> NDArray:
        """Tell for each point of hyperplane k, or of one each, whether the answers beside it differ."""
        step = self._hidden[k, 1:] * size**2
        step = 1e-6 * step / np.abs(step / size).max(axis=-1, keepdims=True)
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


def _inner(values: NDArray) -> tuple[float, float]:
    """Return between which values most rows lie, if few others are far away; else the least and the most."""
    low, high = float(values.min()), float(values.max())
    quarter = np.ptp(np.percentile(values, (25.0, 75.0)))
    for ends in INNER:
        first, last = np.percentile(values, ends)
        far = (high - low) > FAR * (last - first) > 0
        if far and (quarter >= MIDDLE * (last - first) or ends == INNER[-1]):
            return float(first), float(last)
        if not far:
            break
    return low, high
