"""`MissingRowsDisplay`: for which values of a missing input a row is of which class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import listed
from netlines.inspection.inputs import network_of
from netlines.inspection.missing import Possible, possible_classes
from netlines.plots.style import DARK, GREY, area_style, class_name, new_axes, plain, shortened, text_widths

MOST_ROWS = 40  # that are drawn, the first ones
ROW, LETTERS = 0.24, 8.5  # height of a bar with its gap in inches, and size of letters in points


class MissingRowsDisplay:
    """A bar for each row that misses an input: which values of it lead to which class.

    The bars go over the values that the input may have. Of more than 40 rows the first are drawn.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    possible : sequence of Possible
        What `possible_classes` says of rows that all miss the same input, and only that.
    names : sequence of str
        The names of the rows.
    classes : array-like of labels
        The order that decides the looks of the classes.
    truth : sequence of labels or None, default=None
        The labels of the rows, written beside their bars.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    bars_ : list of matplotlib Rectangle
        The pieces, row by row and from low to high.
    texts_ : list of matplotlib Text
        The labels beside the bars.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import numpy as np
    >>> from netlines.network.network import Network
    >>> from netlines.plots import MissingRowsDisplay
    >>> band = Network([[-1.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"], feature_names=("t",))
    >>> display = MissingRowsDisplay.from_network(band, [[np.nan]], ranges={"t": (0, 4)})
    >>> [(float(bar.get_x()), float(bar.get_width())) for bar in display.bars_]
    [(0.0, 1.0), (1.0, 1.0), (2.0, 2.0)]
    """

    def __init__(
        self,
        *,
        possible: Sequence[Possible],
        names: Sequence[str],
        classes: ArrayLike,
        truth: Sequence[Any] | None = None,
    ) -> None:
        self.possible, self.names = list(possible), list(names)
        self.classes = np.asarray(classes).tolist()
        self.truth = None if truth is None else list(truth)
        features = sorted({", ".join(one.missing) or "nothing" for one in self.possible})
        if len(features) != 1 or not all(one.pieces for one in self.possible):
            raise ValueError(
                f"all rows must miss the same single input, got rows that miss {listed(features)}"
            )
        self.feature = features[0]
        for name, given in (("names", self.names), ("truth", self.truth)):
            if given is not None and len(given) != len(self.possible):
                raise ValueError(
                    f"{name} must be one for each of {len(self.possible)} rows, got {len(given)}"
                )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike | None = None,
        *,
        feature: str | None = None,
        ranges: Mapping[Any, Any] | None = None,
        ax: Any = None,
    ) -> MissingRowsDisplay:
        """Plot which classes the incomplete rows of a table can have.

        Parameters
        ----------
        estimator : fitted classifier, Network or Networks
        X : array-like of shape (n, N) or DataFrame
            Rows that miss exactly one input, NaN, are drawn; complete ones are not.
        y : array-like of shape (n,) or None
            The labels, to be written beside the bars.
        feature : str or None
            The name of the missing input, if several are missing in X.
        ranges : mapping or None
            What values inputs may have, see `possible_classes`.
        ax : matplotlib Axes or None
        """
        found = possible_classes(estimator, X, ranges=ranges)
        rows = [i for i, one in enumerate(found) if one.missing and feature in (None, *one.missing)]
        if not rows:
            raise ValueError(f"X has no row that misses {'an input' if feature is None else repr(feature)}")
        index: Any = getattr(X, "index", None) if hasattr(X, "iloc") else range(len(found))
        labels = None if y is None else [np.asarray(y)[i] for i in rows]
        display = cls(
            possible=[found[i] for i in rows],
            names=[f"row {index[i]}" for i in rows],
            classes=network_of(estimator).classes,
            truth=labels,
        )
        return display.plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None) -> MissingRowsDisplay:
        """Draw the bars; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure of a fitting height.
        """
        shown = self.possible[:MOST_ROWS]
        texts = [] if self.truth is None else [shortened(str(label)) for label in self.truth[:MOST_ROWS]]
        width = 4.6 + (max(text_widths(texts, LETTERS)) if texts else 0.0)
        self.ax_ = ax = new_axes(ax, figsize=(width, 1.1 + ROW * len(shown)))
        self.figure_ = ax.figure
        self.bars_, self.texts_ = [], []
        ends = [_edges(one) for one in shown]
        low, high = _span(np.concatenate(ends))
        for k, (one, edges) in enumerate(zip(shown, ends, strict=True)):
            edges = np.clip(edges, low, high)
            for piece, left, right in zip(one.pieces, edges[:-1], edges[1:], strict=True):
                looks = area_style(self.classes.index(piece.label))
                self.bars_ += ax.barh(k, right - left, 0.74, left=left, **looks)
            if texts:
                looks = {"xytext": (4, 0), "textcoords": "offset points", "fontsize": LETTERS, "va": "center"}
                looks |= {"annotation_clip": False, "color": DARK, "parse_math": False}
                self.texts_.append(ax.annotate(texts[k], (high, k), **looks))
        ax.set(xlim=(low, high), ylim=(len(shown) - 0.4, -0.6))
        ax.set_yticks(range(len(shown)), [plain(name) for name in self.names[:MOST_ROWS]], fontsize=LETTERS)
        self._label_axes()
        return self

    def _label_axes(self) -> None:
        from matplotlib.patches import Patch
        from matplotlib.ticker import MaxNLocator

        ax, left_out = self.ax_, len(self.possible) - MOST_ROWS
        note = f"\nthe first {MOST_ROWS} of {len(self.possible)} rows" if left_out > 0 else ""
        ax.set_xlabel(f"{plain(self.feature)}, which is missing{note}")
        ax.xaxis.set_major_locator(MaxNLocator(10, integer=self.possible[0].finite, steps=[1, 2, 5, 10]))
        if self.truth is not None:
            looks = {"fontsize": LETTERS, "color": GREY, "xytext": (4, 3), "textcoords": "offset points"}
            ax.annotate("label", (1.0, 1.0), xycoords="axes fraction", annotation_clip=False, **looks)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        seen = {piece.label for one in self.possible[:MOST_ROWS] for piece in one.pieces}
        numbers = [number for number, label in enumerate(self.classes) if label in seen]
        names = [class_name(self.classes[number]) for number in numbers]
        handles = [Patch(**area_style(n), label=name) for n, name in zip(numbers, names, strict=True)]
        columns = max(1, int(40 / (4 + max(map(len, names)))))
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.2}
        ax.legend(handles=handles, ncols=columns, frameon=False, fontsize=LETTERS, **place)


def _edges(one: Possible) -> NDArray:
    """Return where the pieces of a row begin and end; those of single values meet halfway between them."""
    pieces = one.pieces
    inner = [(a.high + b.low) / 2 for a, b in pairwise(pieces)]
    half = 0.5 if one.finite else 0.0
    return np.array([pieces[0].low - half, *inner, pieces[-1].high + half])


def _span(edges: NDArray) -> tuple[float, float]:
    """Return what is drawn of the values: all, or if they are endless what lies around the finite edges."""
    finite = edges[np.isfinite(edges)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    room = 0.3 * (high - low) or 1.0
    return low - room * bool(np.isneginf(edges).any()), high + room * bool(np.isposinf(edges).any())
