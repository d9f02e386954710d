"""`WeightsDisplay`: which inputs the hyperplanes look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.inspection.domains import standardised_weights
from netlines.inspection.inputs import input_names, network_of
from netlines.plots.style import (
    BLUE,
    DARK,
    GREY,
    LIGHT,
    ON_CELLS,
    VERMILLION,
    new_axes,
    plain,
    shortened,
    text_widths,
)
from netlines.plots.units import unit_names

MOST_INPUTS = 30  # that are shown
FEW_UNITS, MOST_UNITS = 16, 10  # up to which all units are shown, and how many are of more
# Next to the colours of lines, so that a dark page that changes those leaves cells as they are.
CELLS = "#D45F00", "#FDFDFD", "#0071B3"
WIDE, HIGH, LETTERS = 0.42, 0.27, 8.0  # a cell in inches, and the size of letters in points


class WeightsDisplay:
    """Standardised weights of the hyperplanes: how much each input counts in each hidden unit.

    Weights are multiplied by the spread of their input in the training rows and divided by the norm, so that
    inputs of different units can be compared: the squares of a row have the sum 1. The offset beside them is
    the signed distance of the mean row from the hyperplane, in standardised units. Several units are the rows
    of a heat map, with the values or at least the signs written; a single unit is a bar for each input. Of
    more than 30 inputs those with the largest weights are shown, of more than 16 units the ten that count
    most.

    It is best made by `from_estimator` or `from_network`.

    Parameters
    ----------
    weights : array-like of shape (H, N)
    offsets : array-like of shape (H,)
    units : sequence of H str
        Names of the hidden units.
    inputs : sequence of N str
        Names of the inputs.
    sort : bool, default=True
        Whether the inputs with the largest absolute weights come first, instead of in their own order.
    strengths : array-like of shape (H,) or None
        How much each unit counts; None: all the same, and of many the first are shown.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    shown_ : array of int
        The numbers of the inputs that are shown, from left to right or from top to bottom.
    units_ : array of int
        The numbers of the units that are shown.
    mesh_ : matplotlib QuadMesh or None
        The heat map; offsets are its first column, then comes an empty one.
    bars_ : matplotlib BarContainer or None
        The bars of a single unit.
    texts_ : list of matplotlib Text
        What is written in the cells or beside the bars.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from netlines import MinimerrorClassifier
    >>> from netlines.datasets import load_sonar
    >>> from netlines.plots import WeightsDisplay
    >>> sonar = MinimerrorClassifier().fit(*load_sonar(return_X_y=True))
    >>> display = WeightsDisplay.from_estimator(sonar)
    >>> len(display.bars_), round(float((display.weights**2).sum()), 9)
    (30, 1.0)
    """

    def __init__(
        self,
        *,
        weights: ArrayLike,
        offsets: ArrayLike,
        units: Sequence[str],
        inputs: Sequence[str],
        sort: bool = True,
        strengths: ArrayLike | None = None,
    ) -> None:
        self.weights, self.offsets = np.asarray(weights, dtype=float), np.asarray(offsets, dtype=float)
        self.units, self.inputs, self.sort = list(units), list(inputs), sort
        self.strengths = None if strengths is None else np.asarray(strengths, dtype=float)
        expected = (len(self.units), len(self.inputs))
        if self.weights.shape != expected or self.offsets.shape != expected[:1]:
            raise ValueError(
                f"weights must have shape {expected} and offsets {expected[:1]} for {expected[0]} units and "
                f"{expected[1]} inputs, got {self.weights.shape} and {self.offsets.shape}"
            )

    @classmethod
    def from_estimator(cls, estimator: Any, *, sort: bool = True, ax: Any = None) -> WeightsDisplay:
        """Plot the weights of a fitted classifier or a network; `ax` is where, or None for a new figure."""
        network = network_of(estimator)
        weights, offsets = standardised_weights(network)
        kind = "network" if network.scheme else "unit"
        units = [f"{kind} {name}" for name in unit_names(network)]
        names = {"units": units, "inputs": input_names(network)}
        strengths = None
        if not network.scheme and network.n_hidden > 1:
            strengths = np.abs(network.parts[0].network.output_weights[:, 1:]).max(axis=0)
        return cls(weights=weights, offsets=offsets, sort=sort, strengths=strengths, **names).plot(ax=ax)

    from_network = from_estimator

    def plot(self, ax: Any = None) -> WeightsDisplay:
        """Draw the heat map, or the bars of a single unit; return the display itself.

        Parameters
        ----------
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure of a fitting size.
        """
        most = MOST_UNITS if len(self.units) > FEW_UNITS else FEW_UNITS
        strengths = np.zeros(len(self.units)) if self.strengths is None else self.strengths
        self.units_ = np.sort(np.argsort(-strengths, kind="stable")[:most])
        largest = np.abs(self.weights[self.units_]).max(axis=0)
        fullest = np.argsort(-largest, kind="stable")[:MOST_INPUTS]
        self.shown_ = fullest if self.sort else np.sort(fullest)
        self.mesh_: Any = None
        self.bars_: Any = None
        self.texts_: list[Any] = []
        if len(self.units) == 1:
            self._plot_bars(ax)
        else:
            self._plot_cells(ax)
        return self

    def _names(self) -> list[str]:
        return [plain(shortened(self.inputs[i])) for i in self.shown_]

    def _note(self) -> str:
        """Say what is left out."""
        notes = []
        if len(self.shown_) < len(self.inputs):
            notes.append(f"the {len(self.shown_)} of {len(self.inputs)} inputs with the largest weights")
        if len(self.units_) < len(self.units):
            which = "the first of" if self.strengths is None else "by weight, of"
            notes.append(f"{len(self.units_)} units, {which} {len(self.units)}")
        return ", ".join(notes)

    def _plot_bars(self, ax: Any) -> None:
        values, n = self.weights[0, self.shown_], len(self.shown_)
        names = max(text_widths([shortened(self.inputs[i]) for i in self.shown_], LETTERS))
        self.ax_ = ax = new_axes(ax, figsize=(3.8 + names, 0.9 + 0.22 * n))
        self.figure_ = ax.figure
        positive = values >= 0
        colors, hatches = np.where(positive, BLUE, VERMILLION), np.where(positive, "", "////")
        bars = {"color": colors.tolist(), "hatch": hatches.tolist(), "edgecolor": "white", "linewidth": 0.0}
        self.bars_ = ax.barh(np.arange(n), values, 0.72, zorder=2, **bars)
        for k, value in enumerate(values):
            looks = {"textcoords": "offset points", "va": "center", "fontsize": LETTERS, "color": DARK}
            side = {"xytext": (3, 0), "ha": "left"} if value >= 0 else {"xytext": (-3, 0), "ha": "right"}
            self.texts_.append(ax.annotate(_signed(value, 2), (value, k), **looks, **side))
        ax.axvline(0, color=DARK, linewidth=0.8, zorder=3)
        room = 0.32 * np.ptp([0.0, *values])
        low, high = min(0.0, values.min()), max(0.0, values.max())
        ax.set_xlim(low - room * (~positive).any(), high + room * positive.any())
        ax.set_yticks(np.arange(n), self._names(), fontsize=LETTERS)
        ax.set_ylim(n - 0.4, -0.6)
        note = f"\n{self._note()}" if self._note() else ""
        ax.set_xlabel(f"standardised weight; offset {_signed(self.offsets[0], 2)}{note}")
        ax.grid(axis="x", color=LIGHT, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)

    def _plot_cells(self, ax: Any) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        units, n = [self.units[k] for k in self.units_], len(self.shown_)
        values = self.weights[np.ix_(self.units_, self.shown_)]
        left, bottom = max(text_widths(units, LETTERS)), max(text_widths(self._names(), LETTERS))
        size = left + WIDE * (n + 1.4) + 0.4, HIGH * len(units) + bottom + (0.65 if self._note() else 0.5)
        most = np.abs(values).max() or 1.0
        notes = [f"standardised weights, up to ±{most:.2f}", *filter(None, [self._note()])]
        wide = max(size[0], 0.4 + left + max(text_widths(notes, LETTERS)))
        self.ax_ = ax = new_axes(ax, figsize=(wide, size[1]))
        self.figure_ = ax.figure
        looks = {"cmap": LinearSegmentedColormap.from_list("signs", CELLS)}
        edges = np.arange(-0.5, len(units)), np.array([-1.9, -0.9, *(np.arange(n + 1) - 0.5)])
        cells = np.ma.masked_invalid(np.hstack([np.full((len(units), 2), np.nan), values]))
        self.mesh_ = ax.pcolormesh(
            edges[1], edges[0], cells, vmin=-most, vmax=most, edgecolors="white", linewidth=1.0, **looks
        )
        ax.set(xlim=(edges[1][0], n - 0.5), ylim=(len(units) - 0.5, -0.5))
        ax.set_yticks(np.arange(len(units)), units, fontsize=LETTERS)
        turned = {"rotation": 90, "ha": "center", "va": "top"}
        ax.set_xticks([-1.4, *range(n)], ["offset", *self._names()], fontsize=LETTERS, **turned)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_xlabel("\n".join(notes), fontsize=LETTERS, color=GREY)
        self._write_values(values, self.offsets[self.units_])

    def _write_values(self, values: NDArray, offsets: NDArray) -> None:
        """Write the values into the cells, or only their signs if the cells are too small for them."""
        self.figure_.draw_without_rendering()  # how large cells are is known once the layout is
        wide, high = self.ax_.bbox.size / self.figure_.dpi / [values.shape[1] + 1.4, len(values)]
        size = min(LETTERS, 58.0 * high)
        self.ax_.tick_params(axis="y", labelsize=size)
        self.mesh_.set_linewidth(min(1.0, 4.0 * high))
        numbers = max(text_widths(["−0.55"], size)) < 0.95 * wide
        looks = {"ha": "center", "va": "center", "fontsize": size}
        dark = self.mesh_.to_rgba(values)[..., :3] @ (0.299, 0.587, 0.114) < 0.5
        on = np.where(dark, ON_CELLS[1], ON_CELLS[0])
        cells: list[Any] = [
            (at[1], at[0], _signed(one, 2), str(on[at])) for at, one in np.ndenumerate(values)
        ]
        cells += [(-1.4, unit, _signed(offset, 1), DARK) for unit, offset in enumerate(offsets)]
        for x, y, text, color in cells:
            short = text if numbers else text[0].strip("0123456789")
            self.texts_.append(self.ax_.text(x, y, short, color=color, **looks))


def _signed(value: float, digits: int) -> str:
    """Write a number with its sign; what rounds to 0 has none."""
    if not np.isfinite(value):
        return "+∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    return f"{value:+z.{digits}f}".replace("-", "−") if round(value, digits) else f"{0:.{digits}f}"
