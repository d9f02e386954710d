"""`ThresholdDisplay`: what a threshold on the probability of a class finds, misses and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.inputs import as_data, network_of
from netlines.plots.style import BLUE, DARK, GREY, LIGHT, VERMILLION, new_axes, plain

MOST_POINTS = 200  # of a curve
LETTERS = 8.0
FEW = 10  # answers below which the share of right ones is chance


@dataclass(frozen=True, eq=False)
class AtThresholds:
    """Rows that are answered "yes" at thresholds: a row is if its probability is at least the threshold.

    Attributes
    ----------
    thresholds : array of shape (T,)
    hits, alarms : arrays of int, shape (T,)
        Rows of the class that are answered "yes", and others.
    positive, negative : int
        All rows of the class, and all others.

    Examples
    --------
    >>> from netlines.plots.threshold import AtThresholds
    >>> at = AtThresholds.of([False, True, False, True], [0.1, 0.4, 0.6, 0.9], [0.5, 0.2])
    >>> at.sensitivity.tolist(), at.specificity.tolist(), at.answered.tolist()
    ([0.5, 1.0], [0.5, 0.5], [0.5, 0.75])
    """

    thresholds: NDArray
    hits: NDArray[np.int64]
    alarms: NDArray[np.int64]
    positive: int
    negative: int

    @classmethod
    def of(cls, positive: ArrayLike, p: ArrayLike, thresholds: ArrayLike) -> AtThresholds:
        """Count the rows of the class and the others whose probability is at least each threshold."""
        own, p = _checked(positive, p)
        at = np.asarray(thresholds, dtype=float)
        inside, outside = np.sort(p[own]), np.sort(p[~own])
        hits = len(inside) - np.searchsorted(inside, at, side="left")
        alarms = len(outside) - np.searchsorted(outside, at, side="left")
        return cls(at, hits, alarms, len(inside), len(outside))

    @property
    def sensitivity(self) -> NDArray:
        """The share of the rows of the class that are answered "yes"; NaN if there are none."""
        return self.hits / self.positive if self.positive else np.full(len(self.hits), np.nan)

    @property
    def specificity(self) -> NDArray:
        """The share of the other rows that are answered "no"; NaN if there are none."""
        return 1 - self.alarms / self.negative if self.negative else np.full(len(self.hits), np.nan)

    @property
    def answered(self) -> NDArray:
        """The share of all rows that are answered "yes"."""
        return (self.hits + self.alarms) / (self.positive + self.negative)

    @property
    def precision(self) -> NDArray:
        """The share of the rows answered "yes" that are of the class; NaN where there are none."""
        said = self.hits + self.alarms
        return np.where(said > 0, self.hits / np.maximum(said, 1), np.nan)


class ThresholdDisplay:
    """Sensitivity, specificity, the share answered "yes" and how many of these are right, by the threshold.

    It is best made by `from_estimator`, `from_network` or `from_predictions`, with rows that the model was
    not trained on.

    Parameters
    ----------
    positive : array-like of bool, shape (n,)
        Which rows are of the class.
    p : array-like of shape (n,)
        Their probabilities of it, from 0 to 1.
    label : str, default="the class"
        How the class is called.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    at_ : AtThresholds
        What the curves are drawn from.
    lines_ : list of matplotlib Line2D
        Sensitivity, specificity, right when answered (where at least 10 rows are), share answered.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines.plots import ThresholdDisplay
    >>> y, p = ["no", "no", "yes", "yes"], [0.05, 0.2, 0.4, 0.95]
    >>> display = ThresholdDisplay.from_predictions(y, p, "yes")
    >>> [line.get_label() for line in display.lines_]
    ['sensitivity', 'specificity', 'right when answered', 'share answered']
    """

    def __init__(self, *, positive: ArrayLike, p: ArrayLike, label: str = "the class") -> None:
        self.positive, self.p = _checked(positive, p)
        self.label = label

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, ax: Any = None
    ) -> ThresholdDisplay:
        """Plot the probabilities of the second of two classes; `ax` is where, None a new figure."""
        return cls(**positive_of(estimator, X, y)).plot(ax=ax)

    from_network = from_estimator

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, p: ArrayLike, label: Any, *, ax: Any = None
    ) -> ThresholdDisplay:
        """Plot probabilities of one class, for example of rows that were held out."""
        return cls(**positive_rows(y_true, p, label)).plot(ax=ax)

    def plot(self, ax: Any = None) -> ThresholdDisplay:
        """Draw the curves; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        ax = new_axes(ax, figsize=(4.6, 3.7))
        self.ax_, self.figure_ = ax, ax.figure
        some = thinned(np.unique(self.p), MOST_POINTS // 2)  # where rows are, and evenly in between
        at = AtThresholds.of(self.positive, self.p, np.union1d(some, np.linspace(0, 1, MOST_POINTS // 2)))
        self.at_ = at
        right = np.where(at.hits + at.alarms >= FEW, at.precision, np.nan)
        looks: list[tuple[str, NDArray, dict[str, Any]]] = [
            ("sensitivity", at.sensitivity, {"color": BLUE, "linewidth": 1.8}),
            ("specificity", at.specificity, {"color": VERMILLION, "linewidth": 1.8, "linestyle": "--"}),
            ("right when answered", right, {"color": DARK, "linewidth": 1.1, "linestyle": "-."}),
            ("share answered", at.answered, {"color": GREY, "linewidth": 1.1, "linestyle": ":"}),
        ]
        self.lines_ = [
            ax.plot(at.thresholds, values, label=name, **style)[0] for name, values, style in looks
        ]
        bare_axes(ax)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.03, 1.03))
        ax.set_xlabel(f"answer {plain(self.label)} from this probability on")
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": 2}
        ax.legend(fontsize=LETTERS, frameon=False, borderaxespad=0.2, handlelength=2.2, **place)
        return self


def bare_axes(ax: Any) -> None:
    """Draw a grid instead of a frame."""
    ax.grid(color=LIGHT, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=LETTERS)


def thinned(values: NDArray, most: int = MOST_POINTS) -> NDArray:
    """Return at most so many of the values in their order, the first and the last among them.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.plots.threshold import thinned
    >>> thinned(np.arange(10), 4).tolist()
    [0, 3, 6, 9]
    """
    if len(values) <= most:
        return values
    return values[np.linspace(0, len(values) - 1, most).round().astype(int)]


def positive_of(estimator: Any, X: ArrayLike, y: ArrayLike) -> dict[str, Any]:
    """Return which rows are of the second of two classes, their probabilities of it, and its name."""
    network = network_of(estimator)
    rows, truth = as_data(network, X, y)
    if len(network.classes) != 2:
        raise ValueError(
            f"thresholds are for two classes, the model has {len(network.classes)}: use from_predictions "
            "with the probabilities of one of them"
        )
    if not network.has_probability:
        raise ValueError(
            "this network has no calibration, hence no probabilities: fit it with probability=True"
        )
    return {"positive": truth == 1, "p": network.probability(rows)[:, 1], "label": str(network.classes[1])}


def positive_rows(y_true: ArrayLike, p: ArrayLike, label: Any) -> dict[str, Any]:
    """Return which rows are of a class, their probabilities of it, and its name."""
    labels = np.asarray(y_true)
    known = np.unique(labels).tolist()
    if label not in known:
        raise ValueError(f"label must be among {', '.join(map(repr, known))}, got {label!r}")
    return {"positive": labels == label, "p": p, "label": str(label)}


def _checked(positive: ArrayLike, p: ArrayLike) -> tuple[NDArray[np.bool_], NDArray]:
    own, given = np.asarray(positive, dtype=bool), np.asarray(p, dtype=float)
    if own.ndim != 1 or given.shape != own.shape or not len(own):
        raise ValueError(
            "there must be one probability for each row, got probabilities of shape "
            f"{given.shape} for rows of shape {own.shape}"
        )
    strange = given[~((given >= 0) & (given <= 1))]
    if len(strange):
        raise ValueError(f"p must be probabilities from 0 to 1, got {strange[0]}")
    return own, given
