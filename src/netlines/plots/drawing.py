"""`NetworkDisplay`: the network as a graph of inputs, hidden units and outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import network_of
from netlines.network.protocol import AnyNetwork
from netlines.plots.layers import Layers, all_layers, lines_to_draw
from netlines.plots.style import BLUE, DARK, GREY, VERMILLION, class_color, inch_axes, pale_color, text_widths

MOST_PANELS = 6  # networks that are drawn of several
MOST_LINES = 80  # that are drawn of all networks
MOST_LABELS, MANY = 12, 5  # lines up to which all are labelled, and units from which on only one of each is
LARGE, SMALL = 9.0, 7.0  # sizes of letters in points
ROW, UNIT_ROW, OUTPUT_ROW = 0.28, 0.46, 0.34  # at least from one input, unit, output to the next, in inches
WIDELY = 0.75  # at most from one to the next
TO_UNITS, TO_OUTPUT, GAP, EDGE = 2.3, 1.3, 0.12, 0.06  # between layers, from a node to its name, around
FEW_PLACES = (0.62, 0.5, 0.72, 0.4, 0.8, 0.3)  # along a line where its weight may be written
MANY_PLACES = (0.8, 0.74, 0.68, 0.62)
DOT, CIRCLE = 0.045, 0.145  # radii of inputs, and of units and outputs
THINNEST, WIDEST = 0.4, 3.6  # lines, in points


class NetworkDisplay:
    """The network as a graph: inputs to the left, hidden units in the middle, outputs to the right.

    Lines are weights: positive ones solid and blue, negative ones dashed and orange, the wider the larger.
    Those of the inputs are standardised as in `WeightsDisplay`; offsets are not drawn, nor are lines of less
    than 3 % of the widest, and of very many lines the 80 strongest. Values are written at all lines, or if
    they are many at the strongest one or two of each unit, where there is room. Of more than 20 inputs those
    with the largest weights are drawn, of more than 16 units the ten with them, of several networks the
    first 6.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    network : Network or Networks

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    edges_ : list of matplotlib LineCollection
        Of each network the positive and the negative lines.
    nodes_ : list of matplotlib PathCollection
        Of each network the inputs, the units and, if there are any, the outputs.
    names_ : list of matplotlib Text
        Names of inputs, numbers of units, names of classes.
    values_ : list of matplotlib Text
        The weights that are written.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import make_parity
    >>> from netlines.plots import NetworkDisplay
    >>> clf = NetLinesClassifier(random_state=0).fit(*make_parity(2))
    >>> display = NetworkDisplay.from_estimator(clf)
    >>> [name.get_text() for name in display.names_]
    ['x0', 'x1', '1', '2', '+1: 1\\n−1: -1']
    """

    def __init__(self, network: AnyNetwork) -> None:
        self.network = network = network_of(network)
        self._panels = all_layers(network, MOST_PANELS)
        self._left_out = len(network.parts) - len(self._panels)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> NetworkDisplay:
        """Draw a fitted classifier or a network; `ax` is where, or None for a new figure."""
        return cls(estimator).plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None) -> NetworkDisplay:
        """Draw the graph; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure of a fitting size. Letters shrink with small axes.
        """
        sizes = np.array([_size(panel) for panel in self._panels])
        columns = min(len(sizes), 2)
        wide, high = sizes[:, 0].max() + (0.35 if len(sizes) > 1 else 0.0), sizes[:, 1].max() + 0.2
        rows = -(-len(sizes) // columns)
        width = max(columns * wide, 4.3)
        self.ax_, self._scale = inch_axes(ax, width, rows * high + 0.45)
        self.figure_ = self.ax_.figure
        self.edges_: list[Any] = []
        self.nodes_: list[Any] = []
        self.names_: list[Any] = []
        self.values_: list[Any] = []
        self._weaker = 0
        for k, panel in enumerate(self._panels):
            self._draw(panel, k % columns * wide + (width - columns * wide) / 2, -(k // columns) * high)
        self._explain(width / 2, -rows * high - 0.12)
        notes = [f"{self._left_out} more networks"] if self._left_out else []
        units, every = len(self._panels[0].units), len(self._panels[0].units) + self._panels[0].more[1]
        if len(self._panels) == 1 and units < every:
            notes.append(f"{units} of {every} units shown, by weight")
        notes += [f"weaker lines not drawn: {self._weaker}"] if self._weaker else []
        self._write("; ".join(notes), width / 2, -rows * high - 0.32, SMALL, color=GREY)
        return self

    def _draw(self, panel: Layers, left: float, top: float) -> None:
        """Draw one network with its upper left corner at a place."""
        height = _size(panel)[1]
        if panel.title:
            self._write(panel.title, left + EDGE, top - 0.1, LARGE, ha="left")
            top, height = top - 0.3, height - 0.3
        x = left + EDGE + _widest(panel.inputs) + GAP
        inputs = _column(x, top, height, len(panel.inputs) + (panel.more[0] > 0))
        units = _column(x + TO_UNITS, top, height, len(panel.units) + (panel.more[1] > 0))
        ends = units
        if panel.second.size:
            rows = len(panel.second) + (panel.more[2] > 0)
            ends = _column(x + TO_UNITS + TO_OUTPUT, top, height, rows)
        self._draw_lines(panel, inputs, units, ends)
        self._dots(inputs[: len(panel.inputs)], DOT, DARK, DARK)
        self._dots(units[: len(panel.units)], CIRCLE, "white", DARK)
        if panel.second.size:
            numbers = [number for number, _ in panel.answers]
            inside = ["white" if number is None else pale_color(number) for number in numbers]
            around = [DARK if number is None else class_color(number) for number in numbers]
            self._dots(ends[: len(numbers)], CIRCLE, inside, around)
        for (x, y), name in zip(inputs, panel.inputs, strict=False):
            self.names_.append(self._write(name, x - GAP, y, LARGE, ha="right"))
        for place, name in zip(units, panel.units, strict=False):
            self.names_.append(self._write(name, place[0], place[1], LARGE))
        for (x, y), (_, name) in zip(ends, panel.answers, strict=False):
            looks = {"ha": "left", "linespacing": 1.35}
            self.names_.append(self._write(name, x + CIRCLE + 0.08, y, LARGE, **looks))
        beside = ((inputs, -GAP, "right"), (units, 0.0, "center"), (ends, 0.0, "center"))
        for count, (places, aside, ha) in zip(panel.more, beside, strict=True):
            if count:
                x, y = places[-1] + [aside, 0.0]
                self._write(f"… {count} more", x, y, SMALL, ha=ha, color=GREY)

    def _draw_lines(self, panel: Layers, inputs: NDArray, units: NDArray, outputs: NDArray) -> None:
        """Draw the lines of a network and write the weights at some of them."""
        from matplotlib.collections import LineCollection

        taken: list[tuple[NDArray, NDArray]] = []
        ends, strengths = [], []
        most = MOST_LINES // len(self._panels)
        drawn = lines_to_draw(panel, most)
        for left, right, weights, values, lines in (
            (inputs, units, panel.first, panel.values[0], drawn[0]),
            (units, outputs, panel.second, panel.values[1], drawn[1]),
        ):
            ends += [(left[i], right[k]) for k, i in lines]
            strengths += [weights[k, i] for k, i in lines]
            for k, i in _labelled(weights, lines):
                # Where lines are many, a weight is written where those of its unit come together.
                parts = FEW_PLACES if weights.size <= MOST_LABELS else MANY_PLACES
                self._write_value(values[k, i], left[i] + np.outer(parts, right[k] - left[i]), taken)
        self._weaker += int(sum(np.count_nonzero(weights) for weights in panel.values)) - len(ends)
        order = np.argsort(np.abs(strengths), kind="stable")
        for sign, color, style in ((1, BLUE, "-"), (-1, VERMILLION, "--")):
            own = [j for j in order if sign * strengths[j] > 0]
            widths = [self._scale * (THINNEST + (WIDEST - THINNEST) * abs(strengths[j])) for j in own]
            looks: dict[str, Any] = {"colors": color, "linewidths": widths, "linestyles": style, "zorder": 1}
            self.edges_.append(self.ax_.add_collection(LineCollection([ends[j] for j in own], **looks)))

    def _write_value(self, value: float, places: NDArray, taken: list[tuple[NDArray, NDArray]]) -> None:
        """Write a weight at the first of some places where nothing else is written, if there is one."""
        text = f"{value:+.2f}".replace("-", "−")
        half = np.array([text_widths([text], SMALL)[0] / 2 + 0.03, 0.07])
        for place in places:
            if all((np.abs(place - other) >= half + size).any() for other, size in taken):
                taken.append((place, half))
                box = {"boxstyle": "square,pad=0.06", "fc": "white", "ec": "none", "alpha": 0.85}
                self.values_.append(self._write(text, place[0], place[1], SMALL, bbox=box, zorder=3))
                return

    def _explain(self, x: float, y: float) -> None:
        """Draw what the lines mean."""
        texts = ["positive weight", "negative weight, the wider the larger"]
        widths = [0.4 + one + 0.25 for one in text_widths(texts, SMALL)]
        x -= (sum(widths) - 0.25) / 2
        for text, width, color, style in zip(texts, widths, (BLUE, VERMILLION), ("-", "--"), strict=True):
            looks = {"color": color, "linestyle": style, "linewidth": 1.8 * self._scale}
            self.ax_.plot([x, x + 0.32], [y, y], **looks)
            self._write(text, x + 0.4, y, SMALL, ha="left", color=GREY)
            x += width

    def _dots(self, places: NDArray, radius: float, inside: Any, around: Any) -> None:
        looks = {"c": inside, "edgecolors": around, "linewidths": 1.1 * self._scale, "zorder": 2}
        size = (144 * radius * self._scale) ** 2  # the square of the diameter in points
        self.nodes_.append(self.ax_.scatter(*places.T, s=size, clip_on=False, **looks))

    def _write(self, text: str, x: float, y: float, size: float, **looks: Any) -> Any:
        looks = {"ha": "center", "va": "center", "color": DARK, "parse_math": False, "zorder": 4, **looks}
        return self.ax_.text(x, y, text, fontsize=size * self._scale, **looks)


def _size(panel: Layers) -> tuple[float, float]:
    """Return the width and the height that a network needs, in inches."""
    more_inputs, more_units, more_outputs = (count > 0 for count in panel.more)
    rows = (len(panel.inputs) + more_inputs) * ROW, (len(panel.units) + more_units) * UNIT_ROW
    height = max(*rows, (len(panel.second) + more_outputs) * OUTPUT_ROW, 0.45)
    beside = _widest([line for _, text in panel.answers for line in text.split("\n")]) + CIRCLE + 0.12
    width = EDGE + _widest(panel.inputs) + GAP + TO_UNITS + (TO_OUTPUT if panel.second.size else 0.0) + beside
    title = text_widths([panel.title], LARGE)[0] if panel.title else 0.0
    return max(width, title), height + (0.3 if panel.title else 0.0)


def _widest(texts: list[str]) -> float:
    return max(text_widths(texts, LARGE))


def _column(x: float, top: float, height: float, n: int) -> NDArray:
    """Return n places below each other, shape (n, 2), in the middle of a height."""
    step = min(height / n, WIDELY)
    down = top - height / 2 + step * ((n - 1) / 2 - np.arange(n))
    return np.column_stack([np.full(n, x), down])


def _labelled(weights: NDArray, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return which lines get their weights written, the strongest first."""
    strongest = sorted(lines, key=lambda line: -abs(weights[line]))
    if weights.size <= MOST_LABELS:
        return strongest
    most = 2 if len(weights) <= MANY else 1
    return [line for n, line in enumerate(strongest) if [k for k, _ in strongest[:n]].count(line[0]) < most]
