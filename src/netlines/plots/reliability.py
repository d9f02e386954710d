"""`ReliabilityDisplay`: how often rows of a probability are of the class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.inputs import as_data, network_of
from netlines.network.shares import wilson
from netlines.plots.style import BLUE, DARK, GREY, LIGHT, new_axes, pale_color, plain, strip_below

BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)  # narrower at the ends, where most rows are
PREDICTED = "the predicted class"
LETTERS = 8.0  # size of small letters in points


class ReliabilityDisplay:
    """Shares of rows that are of a class against the probability of it, with intervals of 95 %.

    Rows are put together by their probability. Where the probabilities are right the intervals, those of
    Wilson, meet the diagonal in 19 of 20 cases. The strip below tells how many rows there are.
    Rows that the model was trained on look better than new ones.

    It is best made by `from_estimator`, `from_network` or `from_predictions`.

    Parameters
    ----------
    positive : array-like of bool, shape (n,)
        Which rows are of the class.
    p : array-like of shape (n,)
        Their probabilities of it, from 0 to 1.
    label : str, default="the class"
        How the class is called.
    bins : int or increasing sequence of numbers from 0 to 1
        How many equal bins there are, or their edges; default 0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    histogram_ax_ : matplotlib Axes
        The strip below.
    means_, shares_, numbers_ : arrays
        Of each bin that has rows the mean probability, the share of the class and the number of rows.
    low_, high_ : arrays
        The ends of the intervals.
    points_ : matplotlib ErrorbarContainer
    bars_ : matplotlib BarContainer
    texts_ : list of matplotlib Text
        The numbers of rows.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines.plots import ReliabilityDisplay
    >>> y, p = ["no", "no", "yes", "yes"], [0.05, 0.2, 0.2, 0.95]
    >>> display = ReliabilityDisplay.from_predictions(y, p, "yes")
    >>> display.shares_.tolist(), display.numbers_.tolist()
    ([0.0, 0.5, 1.0], [1, 2, 1])
    """

    def __init__(
        self, *, positive: ArrayLike, p: ArrayLike, label: str = "the class", bins: Any = BINS
    ) -> None:
        self.positive, self.p = np.asarray(positive), np.asarray(p, dtype=float)
        if self.positive.ndim != 1 or self.p.shape != self.positive.shape or not len(self.p):
            raise ValueError(
                "there must be one probability for each row, got probabilities of shape "
                f"{self.p.shape} for rows of shape {self.positive.shape}"
            )
        strange = self.p[~((self.p >= 0) & (self.p <= 1))]
        if len(strange):
            raise ValueError(f"p must be probabilities from 0 to 1, got {strange[0]}")
        self.label, self.bins = label, _edges(bins)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, bins: Any = BINS, ax: Any = None
    ) -> ReliabilityDisplay:
        """Plot the probabilities of a fitted classifier or a network; `ax` is where, None a new figure.

        Of two classes it is the probability of the second, of more that of the predicted class.
        """
        network = network_of(estimator)
        rows, truth = as_data(network, X, y)
        if not network.has_probability:
            raise ValueError(
                "this network has no calibration, hence no probabilities: fit it with probability=True"
            )
        labels, answers, p = network.classes[truth], network.predict(rows), network.probability(rows)
        return cls.of_classes(network.classes, labels, answers, p, bins).plot(ax=ax)

    from_network = from_estimator

    @classmethod
    def of_classes(
        cls, classes: Any, y_true: NDArray, answers: NDArray, p: NDArray, bins: Any = BINS
    ) -> ReliabilityDisplay:
        """Return the display of probabilities (n, C): of the second of two classes, else of the answers."""
        if len(classes) == 2:
            return cls(positive=y_true == classes[1], p=p[:, 1], label=str(classes[1]), bins=bins)
        return cls(positive=y_true == answers, p=p.max(axis=1), label=PREDICTED, bins=bins)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, p: ArrayLike, label: Any = None, *, bins: Any = BINS, ax: Any = None
    ) -> ReliabilityDisplay:
        """Plot probabilities of one class, for example of rows that were held out.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            The labels, or booleans: whether a row is of the class.
        p : array-like of shape (n,)
            The probabilities of the class.
        label : one of the labels, or a name if `y_true` are booleans
        bins : int or increasing sequence of numbers from 0 to 1
        ax : matplotlib Axes or None
        """
        labels = np.asarray(y_true)
        if labels.dtype == bool and not isinstance(label, bool | np.bool_):
            return cls(positive=labels, p=p, label=str(label or "the class"), bins=bins).plot(ax=ax)
        known = np.unique(labels).tolist()
        if label not in known:
            raise ValueError(f"label must be among {', '.join(map(repr, known))}, got {label!r}")
        return cls(positive=labels == label, p=p, label=str(label), bins=bins).plot(ax=ax)

    def plot(self, ax: Any = None) -> ReliabilityDisplay:
        """Draw the shares, the diagonal and the strip; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure. The strip takes the lower quarter of it.
        """
        ax = new_axes(ax, figsize=(4.4, 4.4))
        self.ax_, self.figure_ = ax, ax.figure
        self._count()
        ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle="--", zorder=1)
        bars = np.vstack([self.shares_ - self.low_, self.high_ - self.shares_])
        looks = {"fmt": "o", "color": BLUE, "ecolor": BLUE, "capsize": 3, "markersize": 5.5, "zorder": 3}
        self.points_ = ax.errorbar(self.means_, self.shares_, yerr=bars, **looks)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.03, 1.03))
        ax.set_ylabel(
            "share of right answers" if self.label == PREDICTED else f"share of {plain(self.label)}"
        )
        ax.grid(color=LIGHT, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelbottom=False)
        self._plot_strip(f"probability of {plain(self.label)}")
        return self

    def _count(self) -> None:
        """Count the rows of each bin and those of the class among them."""
        which = np.clip(np.digitize(self.p, self.bins) - 1, 0, len(self.bins) - 2)
        self._filled, which = np.unique(which, return_inverse=True)
        self.numbers_ = n = np.bincount(which)
        hits = np.bincount(which, weights=self.positive.astype(float))
        self.means_, self.shares_ = np.bincount(which, weights=self.p) / n, hits / n
        ends = [wilson(*one) for one in zip(hits.tolist(), n.tolist(), strict=True)]
        self.low_, self.high_ = np.array(ends).T

    def _plot_strip(self, what: str) -> None:
        strip = self.histogram_ax_ = strip_below(self.ax_, 0.2)
        left, wide = self.bins[self._filled], np.diff(self.bins)[self._filled]
        looks = {"facecolor": pale_color(0), "edgecolor": BLUE, "linewidth": 0.8, "align": "edge"}
        self.bars_ = strip.bar(left, self.numbers_, wide, **looks)
        narrow = wide.min() < 0.08
        strip.set_ylim(0, (2.2 if narrow else 1.45) * self.numbers_.max())
        self.texts_ = []
        for x, number in zip(left + wide / 2, self.numbers_, strict=True):
            looks = {"ha": "center", "fontsize": LETTERS, "color": DARK, "textcoords": "offset points"}
            looks |= {"rotation": 90 if narrow else 0, "xytext": (0, 2)}
            self.texts_.append(strip.annotate(str(number), (x, number), **looks))
        strip.set_yticks([])
        strip.set_ylabel("rows")
        strip.set_xlabel(what)
        strip.spines[["top", "right", "left"]].set_visible(False)


def _edges(bins: Any) -> NDArray:
    """Return the edges of bins, or raise an error if they are none."""
    if isinstance(bins, int | np.integer) and not isinstance(bins, bool) and bins > 0:
        return np.linspace(0.0, 1.0, bins + 1)
    edges = np.asarray(bins, dtype=float) if np.ndim(bins) == 1 else np.zeros(0)
    if len(edges) < 2 or edges[0] != 0 or edges[-1] != 1 or not (np.diff(edges) > 0).all():
        raise ValueError(f"bins must be a positive number or edges that increase from 0 to 1, got {bins!r}")
    return edges
