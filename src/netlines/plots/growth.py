"""`GrowthDisplay`: how a network grew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.inputs import network_of
from netlines.plots.style import BLUE, LIGHT, VERMILLION, new_axes

MOST_LETTERS = 60  # of all numbers of weights along the top
MOST_MARKERS = 40  # points of a curve up to which each has a marker
MOST_NUMBERS = 12  # points of a curve up to which each is labelled with its value


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
        """Plot how a fitted classifier or a network grew; `ax` is where, or None for a new figure."""
        network = network_of(estimator)
        if network.scheme:
            raise ValueError(
                f"GrowthDisplay shows how one network grew, these are {len(network.parts)} that decide "
                "together: give it one of them, `networks_[k].network` of the estimator"
            )
        trace = network.growth_trace
        if not trace:
            raise ValueError("the network has no growth trace: it was not grown by NetLinesClassifier")
        sizes = np.array([record["n_hidden"] for record in trace])
        outputs = len(network.parts[0].network.output_weights)
        read = np.where((sizes == 1) & (outputs == 1), 0, outputs * (sizes + 1))  # one unit is only passed on
        display = cls(
            n_hidden=sizes,
            errors=[record["errors"] for record in trace],
            unit_errors=[record.get("unit_errors", np.nan) for record in trace],
            n_weights=sizes * (network.n_features + 1) + read,
        )
        return display.plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None) -> GrowthDisplay:
        """Draw the curves; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        ax = new_axes(ax, figsize=(5.0, 3.6))
        self.ax_, self.figure_ = ax, ax.figure
        many = len(self.n_hidden) > MOST_MARKERS
        looks = {"linestyle": "--", "marker": "s", "markersize": 4 if many else 9, "markerfacecolor": "none"}
        looks |= {"color": VERMILLION, "label": "new unit, on its own targets"}
        (self.unit_line_,) = ax.plot(self.n_hidden, self.unit_errors, **looks)
        looks = {"linestyle": "-", "marker": "o", "markevery": len(self.n_hidden) // 20 if many else 1}
        (self.line_,) = ax.plot(self.n_hidden, self.errors, **looks, color=BLUE, label="network")
        top = max(1.0, np.nanmax([self.errors, self.unit_errors]))
        ax.set_ylim(-0.04 * top, 1.12 * top)
        ax.set_xlim(self.n_hidden[0] - 0.5, self.n_hidden[-1] + 0.5)
        if len(self.errors) <= MOST_NUMBERS:
            beside: dict[str, Any] = {
                "xytext": (7, 5),
                "textcoords": "offset points",
                "fontsize": "small",
                "color": BLUE,
            }
            for k in _apart(self.n_hidden, 2 * MOST_NUMBERS):
                ax.annotate(f"{self.errors[k]:g}", (self.n_hidden[k], self.errors[k]), **beside)
        self._label_axes()
        return self

    def _label_axes(self) -> None:
        from matplotlib.ticker import MaxNLocator

        letters = len(str(self.n_weights.max())) + 2  # of a number of weights and its gap
        some = _apart(self.n_hidden, min(MOST_NUMBERS, MOST_LETTERS // letters))
        ticks, weights = self.n_hidden[some], self.n_weights[some]
        self.ax_.set_xticks(ticks)
        self.ax_.set_xlabel("hidden units")
        self.ax_.set_ylabel("training errors")
        self.ax_.yaxis.set_major_locator(MaxNLocator(7, integer=True))
        self.ax_.grid(axis="y", color=LIGHT, linewidth=0.6)
        self.ax_.set_axisbelow(True)
        self.ax_.spines["right"].set_visible(False)
        if np.isfinite(self.unit_errors).any():
            self.ax_.legend(handles=[self.line_, self.unit_line_], frameon=False)
        self.weights_ax_ = self.ax_.secondary_xaxis("top")
        self.weights_ax_.set_xticks(ticks, [str(n) for n in weights])
        self.weights_ax_.set_xlabel("weights")


def _apart(sizes: NDArray, most: int) -> list[int]:
    """Return the numbers of sizes so far apart that at most so many would fit beside each other."""
    gap = (sizes[-1] - sizes[0]) / most
    kept = [0]
    for k in range(1, len(sizes)):
        if sizes[k] - sizes[kept[-1]] >= gap:
            kept.append(k)
    return kept
