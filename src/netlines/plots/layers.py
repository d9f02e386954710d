"""What is drawn of a network as a graph: inputs, units and outputs, and how strong their lines are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.domains import standardised_weights
from netlines.inspection.inputs import input_names
from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork
from netlines.plots.style import shortened

MOST_INPUTS, MOST_OUTPUTS = 20, 12  # that are drawn
FEW_UNITS, MOST_UNITS = 16, 10  # up to which all units are drawn, and how many are of more
MOST_LETTERS = 24  # of a name
WEAKEST = 0.03  # part of the largest weight below which a line is left out


@dataclass(frozen=True)
class Layers:
    """One network as a graph.

    Attributes
    ----------
    title : str
        What it separates, "" if it is the only one.
    inputs, units : lists of str
        The names of what is drawn.
    answers : list of (number of the class or None, str)
        What is written beside each output, or beside a single unit that has none over it.
    first, second : arrays (units, inputs) and (outputs, units)
        Weights in parts of the largest. Of two classes there is one output, over a single unit none.
    values : tuple of two arrays
        The standardised weights, and the output weights, to be written.
    more : tuple of 3 int
        How many inputs, units and outputs are left out.
    """

    title: str
    inputs: list[str]
    units: list[str]
    answers: list[tuple[int | None, str]]
    first: NDArray
    second: NDArray
    values: tuple[NDArray, NDArray]
    more: tuple[int, int, int]


def all_layers(network: AnyNetwork, most: int) -> list[Layers]:
    """Return what is drawn of a network, or of the first of several."""
    slopes, _ = standardised_weights(network)
    names = input_names(network)
    starts = np.cumsum([0, *(part.network.n_hidden for part in network.parts)])
    result = []
    for k, part in enumerate(network.parts[:most]):
        sides = [", ".join(map(str, labels)) for labels in part.sides]
        against = " against ".join(map(shortened, reversed(sides)))
        title = f"network {k + 1}: {against}" if network.scheme else ""
        result.append(_layers(part.network, slopes[starts[k] : starts[k + 1]], names, sides, title))
    return result


def lines_to_draw(layers: Layers, most: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the (end, start) of the lines to the units and to the outputs that are strong enough."""
    strengths = np.abs(np.concatenate([layers.first.ravel(), layers.second.ravel()]))
    least = max(WEAKEST, np.sort(strengths)[::-1][min(most, len(strengths)) - 1])
    first, second = (np.argwhere(np.abs(weights) >= least) for weights in (layers.first, layers.second))
    return [(int(k), int(i)) for k, i in first], [(int(k), int(i)) for k, i in second]


def _layers(
    network: Network, slopes: NDArray, names: Sequence[str], labels: Sequence[str], title: str
) -> Layers:
    inputs = _strongest(np.abs(slopes).max(axis=0), MOST_INPUTS)
    weights = np.zeros((0, 1)) if network.passes_on else network.output_weights[:, 1:]
    most = MOST_UNITS if network.n_hidden > FEW_UNITS else FEW_UNITS
    units = np.arange(1) if network.passes_on else _strongest(np.abs(weights).max(axis=0), most)
    outputs = np.arange(min(len(weights), MOST_OUTPUTS))
    first, second = slopes[np.ix_(units, inputs)], weights[np.ix_(outputs, units)]
    short = [shortened(label, MOST_LETTERS) for label in labels]
    return Layers(
        title=title,
        inputs=[shortened(names[i], MOST_LETTERS) for i in inputs],
        units=[str(unit + 1) for unit in units],
        answers=network.readout.legend(short)[:MOST_OUTPUTS],
        first=first / (np.abs(first).max(initial=0.0) or 1.0),
        second=second / (np.abs(second).max(initial=0.0) or 1.0),
        values=(first, second),
        more=(len(names) - len(inputs), network.n_hidden - len(units), len(weights) - len(outputs)),
    )


def _strongest(strengths: NDArray, most: int) -> NDArray:
    """Return in their order the numbers of the largest strengths that are not 0; one in any case."""
    largest: Any = np.argsort(-strengths, kind="stable")[:most]
    some = largest[strengths[largest] > 0]
    return np.sort(some if len(some) else largest[:1])
