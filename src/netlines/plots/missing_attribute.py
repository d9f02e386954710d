"""`MissingAttributeDisplay`: errors and answers against the value assumed for a missing input."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.missing import Study, missing_study
from netlines.plots.style import BLUE, LIGHT, area_style, class_name, new_axes, plain, strip_below

MOST_MARKERS = 60  # values up to which each has a marker


class MissingAttributeDisplay:
    """Errors on rows that miss an input, and how many rows are answered by each class, against its value.

    The paper's figure (b) of the breast cancer data, for one network. The areas below tell the answers.

    It is best made by `from_estimator`, `from_network` or `from_study`.

    Parameters
    ----------
    feature : str
        The name of the input.
    values : array-like of shape (V,)
        The values that were put in its place.
    errors : array-like of shape (V,)
        Numbers of rows that are classified otherwise than their labels say.
    counts : array-like of shape (V, C)
        Numbers of rows that are answered by each class.
    classes : array-like of C labels
    n_rows : int
        How many rows there are.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    line_ : matplotlib Line2D
        The errors.
    counts_ax_ : matplotlib Axes
        The strip below.
    areas_ : list of matplotlib StepPatch
        The answers, by class.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import MinimerrorClassifier
    >>> from netlines.datasets import load_breast_cancer_wisconsin
    >>> from netlines.plots import MissingAttributeDisplay
    >>> cancer = load_breast_cancer_wisconsin(as_frame=True)
    >>> unit = MinimerrorClassifier().fit(cancer.data, cancer.target)
    >>> incomplete = load_breast_cancer_wisconsin(incomplete="only", as_frame=True)
    >>> display = MissingAttributeDisplay.from_estimator(
    ...     unit, incomplete.data, incomplete.target, "bare_nuclei", values=range(1, 11)
    ... )
    >>> len(display.line_.get_xdata()), display.n_rows
    (10, 16)
    """

    def __init__(
        self,
        *,
        feature: str,
        values: ArrayLike,
        errors: ArrayLike,
        counts: ArrayLike,
        classes: ArrayLike,
        n_rows: int,
    ) -> None:
        self.feature, self.n_rows = feature, n_rows
        self.values, self.errors = np.asarray(values, dtype=float), np.asarray(errors, dtype=float)
        self.counts, self.classes = np.asarray(counts), np.asarray(classes)
        expected = (len(self.values), len(self.classes))
        if self.counts.shape != expected or self.errors.shape != expected[:1] or not len(self.values):
            raise ValueError(
                f"counts must have shape {expected} and errors {expected[:1]} for {expected[0]} values and "
                f"{expected[1]} classes, got {self.counts.shape} and {self.errors.shape}"
            )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        feature: Any,
        *,
        values: ArrayLike | None = None,
        ax: Any = None,
    ) -> MissingAttributeDisplay:
        """Plot what a fitted classifier or a network does with rows that miss an input.

        Parameters
        ----------
        estimator : fitted classifier, Network or Networks
        X : array-like of shape (n, N) or DataFrame
            Only the rows count whose value of the feature is NaN.
        y : array-like of shape (n,)
        feature : name or number of an input
        values : array-like or None
            The values to put in its place; None: see `missing_study`.
        ax : matplotlib Axes or None
        """
        return cls.from_study(missing_study(estimator, X, y, feature, values=values), ax=ax)

    from_network = from_estimator

    @classmethod
    def from_study(cls, study: Study, *, ax: Any = None) -> MissingAttributeDisplay:
        """Plot the result of `missing_study`; `ax` is where, or None for a new figure."""
        names = ("feature", "values", "errors", "counts", "classes", "n_rows")
        return cls(**{name: getattr(study, name) for name in names}).plot(ax=ax)

    def plot(self, ax: Any = None) -> MissingAttributeDisplay:
        """Draw the errors and the answers; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure. The areas take the lower third of it.
        """
        from matplotlib.ticker import MaxNLocator

        ax = new_axes(ax, figsize=(5.0, 4.4))
        self.ax_, self.figure_ = ax, ax.figure
        order = np.argsort(self.values, kind="stable")
        values, errors = self.values[order], self.errors[order]
        marker = "o" if len(values) <= MOST_MARKERS else None
        (self.line_,) = ax.plot(values, errors, color=BLUE, marker=marker, markersize=5.0, zorder=3)
        ax.set_ylim(0, max(1.15 * errors.max(), 1.0))
        ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        ax.set_ylabel(f"errors among {self.n_rows} rows")
        ax.grid(axis="y", color=LIGHT, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelbottom=False)
        self._plot_counts(values, self.counts[order])
        return self

    def _plot_counts(self, values: NDArray, counts: NDArray) -> None:
        from matplotlib.ticker import MaxNLocator

        strip = self.counts_ax_ = strip_below(self.ax_, 0.36)
        edges = _edges(values)
        bottom, self.areas_ = np.zeros(len(values)), []
        for number in np.flatnonzero(counts.sum(axis=0)).tolist():
            looks = {**area_style(number), "label": class_name(self.classes.tolist()[number])}
            top = bottom + counts[:, number]
            self.areas_.append(strip.stairs(top, edges, baseline=bottom, fill=True, **looks))
            bottom = top
        strip.set(xlim=(edges[0], edges[-1]), ylim=(0, bottom.max()))
        integer = bool((values == np.rint(values)).all())
        self.ax_.xaxis.set_major_locator(MaxNLocator(10, integer=integer, steps=[1, 2, 5, 10]))
        strip.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        strip.set_ylabel("answers")
        strip.set_xlabel(f"value in the place of {plain(self.feature)}")
        strip.spines[["top", "right"]].set_visible(False)
        place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
        self.figure_.align_ylabels([self.ax_, strip])
        strip.legend(**place, title="answered", alignment="left", fontsize="small", title_fontsize="small")


def _edges(values: NDArray) -> NDArray:
    """Return edges halfway between increasing values, as far from the first and the last as the next ones."""
    if len(values) == 1:
        return values[0] + np.array([-0.5, 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
