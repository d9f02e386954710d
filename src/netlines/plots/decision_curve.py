"""`DecisionCurveDisplay`: whether acting on a model's answers is worth more than acting always or never."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.plots.style import BLUE, DARK, GREY, new_axes, plain
from netlines.plots.threshold import LETTERS, AtThresholds, bare_axes, positive_of, positive_rows

POINTS = 99
RARE = 0.15  # share of a class below which only low thresholds are drawn
UP_TO = 0.25  # the highest of these


def net_benefit(positive: ArrayLike, p: ArrayLike, thresholds: ArrayLike) -> NDArray:
    """Return the net benefit of acting on rows whose probability is at least a threshold.

    It is hits/n - false alarms/n · t/(1 - t): who acts from the probability t on holds a hit for worth as
    much as (1 - t)/t false alarms (Vickers and Elkin 2006).

    Examples
    --------
    >>> from netlines.plots.decision_curve import net_benefit
    >>> net_benefit([False, True, False, True], [0.1, 0.4, 0.6, 0.9], [0.2]).round(4).tolist()
    [0.4375]
    """
    at = AtThresholds.of(positive, p, thresholds)
    if len(at.thresholds) and not (at.thresholds < 1).all():
        raise ValueError(f"thresholds must be below 1, got {at.thresholds.max()}")
    n = at.positive + at.negative
    return np.asarray(at.hits / n - at.alarms / n * at.thresholds / (1 - at.thresholds))


class DecisionCurveDisplay:
    """Net benefit by the probability from which on one would act, beside acting always and acting never.

    Where the curve is above both others, acting on the model's answers is worth more than either. It is best
    made by `from_estimator`, `from_network` or `from_predictions`, with rows that the model was not trained
    on.

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
    thresholds_, model_, always_ : arrays
        Where net benefits are drawn, those of the model, and of acting always. Acting never has 0.
    lines_ : list of matplotlib Line2D
        The model, always, never.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines.plots import DecisionCurveDisplay
    >>> y, p = ["no", "no", "yes", "yes"], [0.05, 0.2, 0.4, 0.95]
    >>> display = DecisionCurveDisplay.from_predictions(y, p, "yes")
    >>> bool((display.model_ >= display.always_).all())
    True
    """

    def __init__(self, *, positive: ArrayLike, p: ArrayLike, label: str = "the class") -> None:
        self.positive, self.p, self.label = (
            np.asarray(positive, dtype=bool),
            np.asarray(p, dtype=float),
            label,
        )
        share = float(self.positive.mean()) if self.positive.size else 0.0
        upto = 0.99 if share >= RARE else UP_TO
        self.thresholds_ = np.linspace(upto / POINTS, upto, POINTS)
        self.model_ = net_benefit(self.positive, self.p, self.thresholds_)
        self.always_ = share - (1 - share) * self.thresholds_ / (1 - self.thresholds_)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, y: ArrayLike, *, ax: Any = None
    ) -> DecisionCurveDisplay:
        """Plot the probabilities of the second of two classes; `ax` is where, None a new figure."""
        return cls(**positive_of(estimator, X, y)).plot(ax=ax)

    from_network = from_estimator

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, p: ArrayLike, label: Any, *, ax: Any = None
    ) -> DecisionCurveDisplay:
        """Plot probabilities of one class, for example of rows that were held out."""
        return cls(**positive_rows(y_true, p, label)).plot(ax=ax)

    def plot(self, ax: Any = None) -> DecisionCurveDisplay:
        """Draw the curves; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        ax = new_axes(ax, figsize=(4.6, 3.7))
        self.ax_, self.figure_ = ax, ax.figure
        top = max(float(self.model_.max()), float(self.positive.mean()), 1e-9)
        low = -0.12 * top
        drawn = self.always_ >= 2 * low
        self.lines_ = [
            ax.plot(
                self.thresholds_,
                np.maximum(self.model_, 2 * low),
                color=BLUE,
                linewidth=1.8,
                label="by the model",
            )[0],
            ax.plot(self.thresholds_[drawn], self.always_[drawn], color=GREY, linestyle="--", label="always")[
                0
            ],
            ax.axhline(0.0, color=DARK, linewidth=1.0, linestyle=":", label="never"),
        ]
        bare_axes(ax)
        ax.set(xlim=(0, float(self.thresholds_[-1])), ylim=(low, 1.08 * top))
        ax.set_xlabel(f"probability of {plain(self.label)} from which on one acts")
        ax.set_ylabel("net benefit a row")
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": 3}
        ax.legend(
            title="acting",
            alignment="left",
            title_fontsize=LETTERS,
            fontsize=LETTERS,
            frameon=False,
            borderaxespad=0.2,
            handlelength=2.2,
            **place,
        )
        return self
