"""`TreeDisplay`: a tree of networks as boxes, its classes as leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from netlines._words import count
from netlines.plots.style import DARK, GREY, class_color, inch_axes, pale_color, text_widths

LARGE, SMALL = 9.5, 8.5  # sizes of letters in points
BOX, LEAF, ROW = 0.52, 0.34, 0.88  # heights of a box and of a leaf, and from a box to the next, in inches
GAP, PAD = 0.62, 0.14  # from the boxes to the leaves, and around texts
MOST_LETTERS = 40  # of the classes that a network separates, else only their number is written


class TreeDisplay:
    """A tree of networks: what each separates and how large it is, and the classes at its leaves.

    The networks are asked from top to bottom. The first that answers +1 gives the class; if none does, it
    is the last one, at the bottom.

    It is best made by `from_estimator` or `from_networks`.

    Parameters
    ----------
    sequence : sequence of C labels
        The learning sequence.
    sizes : sequence of C - 1 str
        What to write of each network under what it separates.
    classes : array-like of C labels or None, default=None
        The order that decides the colours of the classes; None: that of the sequence.
    title : str, default=""
        What to write above.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    boxes_ : list of matplotlib FancyBboxPatch
        The networks.
    leaves_ : list of matplotlib FancyBboxPatch
        The classes, in the order of the sequence.
    texts_ : list of matplotlib Text
        What is written in the boxes and the leaves.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.network.networks import Networks, Part
    >>> from netlines.plots import TreeDisplay
    >>> low, high = Network([[1.0, -1.0]], PASS_ON, [0, 1]), Network([[-2.0, 1.0]], PASS_ON, [0, 1])
    >>> parts = Part(["low"], ["high", "middle"], low), Part(["high"], ["middle"], high)
    >>> tree = Networks("tree", ["high", "low", "middle"], parts, trees=[(0, 1)])
    >>> display = TreeDisplay.from_networks(tree)
    >>> [text.get_text() for text in display.texts_[:2]]
    ['low against high, middle', 'network 1: 1 hidden unit, 2 weights']
    """

    def __init__(
        self,
        *,
        sequence: Sequence[Any],
        sizes: Sequence[str],
        classes: ArrayLike | None = None,
        title: str = "",
    ) -> None:
        self.sequence = list(sequence)
        self.sizes = list(sizes)
        self.classes = self.sequence if classes is None else np.asarray(classes).tolist()
        self.title = title
        if len(self.sizes) != len(self.sequence) - 1:
            raise ValueError(
                f"a tree of {len(self.sequence)} classes has {len(self.sequence) - 1} networks, "
                f"got {len(self.sizes)} sizes"
            )

    @classmethod
    def from_estimator(cls, estimator: Any, tree: int = 0, *, ax: Any = None) -> TreeDisplay:
        """Plot a tree of a fitted estimator, or of networks.

        Parameters
        ----------
        estimator : TreeOfNetworksClassifier, TreeVoteClassifier, Networks, or what has them as `network_`
            `NetLinesClassifier(multiclass="tree")` or `multiclass="vote"`, for example.
        tree : int, default=0
            Which tree of a vote.
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        network = getattr(estimator, "network_", estimator)
        if hasattr(network, "parts"):
            trees = [
                (sequence, [network.parts[k].network for k in numbers])
                for sequence, numbers in zip(network.learning_sequences, network.trees, strict=True)
            ]
            what = f"the scheme {network.scheme!r}" if network.scheme else "one network"
            classes, lack = network.classes, f"got {what}, which has none"
        else:
            check_is_fitted(estimator)
            parts = [one for one in getattr(estimator, "trees_", [estimator]) if hasattr(one, "order_")]
            trees = [(np.asarray(one.order_).tolist(), one.estimators_) for one in parts]
            classes, lack = getattr(estimator, "classes_", None), f"{type(estimator).__name__} has none"
        if not trees:
            raise ValueError(f"TreeDisplay shows trees of networks, {lack}")
        if not 0 <= tree < len(trees):
            raise ValueError(f"tree must be a number from 0 to {len(trees) - 1}, got {tree!r}")
        sequence, models = trees[tree]
        sizes = [
            f"network {k}: {_size(getattr(model, 'network_', model))}" for k, model in enumerate(models, 1)
        ]
        title = "" if len(trees) == 1 else f"tree {tree + 1} of {len(trees)}"
        return cls(sequence=sequence, sizes=sizes, classes=classes, title=title).plot(ax=ax)

    from_networks = from_estimator

    def plot(self, ax: Any = None) -> TreeDisplay:
        """Draw the tree; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure of a fitting size. Letters shrink with small axes.
        """
        rows = len(self.sizes)
        names = [self._what(k) for k in range(rows)]
        box = 2 * PAD + max(*text_widths(names, LARGE), *text_widths(self.sizes, SMALL))
        leaf = 2 * PAD + max(text_widths(map(str, self.sequence), LARGE))
        width = max(box, leaf) + GAP + leaf
        height = rows * ROW + LEAF + (0.3 if self.title else 0.0)
        self.ax_, self._scale = inch_axes(ax, width, height)
        self.figure_ = self.ax_.figure
        self.boxes_: list[Any] = []
        self.leaves_: list[Any] = []
        self.texts_: list[Any] = []
        middle, top = max(box, leaf) / 2, -0.3 if self.title else 0.0
        if self.title:
            self._write(self.title, middle, -0.1, LARGE, color=GREY)
        for k, name in enumerate(names):
            y = top - k * ROW - BOX / 2
            self.boxes_.append(self._box(middle, y, box, BOX, facecolor="white", edgecolor=DARK))
            self.texts_.append(self._write(name, middle, y + 0.1, LARGE))
            self.texts_.append(self._write(self.sizes[k], middle, y - 0.12, SMALL, color=GREY))
            self._edge("+1", (middle + box / 2, y), (width - leaf, y))
            self._leaf(k, width - leaf / 2, y, leaf)
            self._edge("−1", (middle, y - BOX / 2), (middle, y + BOX / 2 - ROW))
        self._leaf(rows, middle, top - rows * ROW - LEAF / 2, leaf)
        return self

    def _what(self, k: int) -> str:
        """Say what network k separates."""
        first, *others = map(str, self.sequence[k:])
        rest = ", ".join(others)
        few = len(rest) <= MOST_LETTERS - len(first)
        return f"{first} against {rest if few else count(len(others), 'other')}"

    def _leaf(self, k: int, x: float, y: float, width: float) -> None:
        number = self.classes.index(self.sequence[k])
        colors = {"facecolor": pale_color(number), "edgecolor": class_color(number)}
        self.leaves_.append(self._box(x, y, width, LEAF, **colors))
        self.texts_.append(self._write(str(self.sequence[k]), x, y, LARGE))

    def _box(self, x: float, y: float, width: float, height: float, **colors: Any) -> Any:
        from matplotlib.patches import FancyBboxPatch

        corner = x - width / 2, y - height / 2
        looks = {"boxstyle": "round,pad=0,rounding_size=0.08", "linewidth": 1.1 * self._scale, **colors}
        return self.ax_.add_patch(FancyBboxPatch(corner, width, height, clip_on=False, **looks))

    def _write(self, text: str, x: float, y: float, size: float, **looks: Any) -> Any:
        looks = {"ha": "center", "va": "center", "color": DARK, "parse_math": False, **looks}
        return self.ax_.text(x, y, text, fontsize=size * self._scale, **looks)

    def _edge(self, answer: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw an arrow with the answer that leads along it."""
        arrow = {"arrowstyle": "-|>", "color": DARK, "shrinkA": 0, "shrinkB": 0}
        arrow |= {"linewidth": 1.1 * self._scale, "mutation_scale": 10 * self._scale}
        self.ax_.annotate("", xy=end, xytext=start, arrowprops=arrow, annotation_clip=False)
        x, y = (np.array(start) + end) / 2
        beside = (x - 0.04, y + 0.1) if start[1] == end[1] else (x + 0.17, y + 0.02)
        self._write(answer, *beside, SMALL)


def _size(model: Any) -> str:
    """Return the size of a network; of any other classifier the name of its class."""
    if not hasattr(model, "n_hidden"):
        return type(model).__name__
    return f"{count(model.n_hidden, 'hidden unit')}, {model.n_weights} weights"
