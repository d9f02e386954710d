"""The sections of the report that tell what the problem and the model are: inputs, network, growth, rules."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, percent
from netlines.export.text import to_text
from netlines.inspection.domains import standardised_weights
from netlines.inspection.inputs import label_numbers
from netlines.inspection.rules import extract_rules
from netlines.network.background import Background
from netlines.network.protocol import AnyNetwork
from netlines.plots import GrowthDisplay, HyperplaneDisplay, NetworkDisplay, TreeDisplay, WeightsDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, beside, figure, folded, paragraph, table

MOST_INPUTS = 15  # of the table of inputs
MOST_LINES = 24  # of rules that are shown at once
MOST_POINTS = 300  # of a picture of the rows
MOST_LETTERS = 6000  # of the weights in words: the model file has them all


def problem(evidence: Evidence) -> str:
    """Return the classes with their shares, and the inputs with what they range over and weigh."""
    classes = []
    for label in evidence.labels:
        own = evidence.y == label
        classes.append([label, int(own.sum()), Cell(percent(own.mean()), bar=float(own.mean()))])
    importance = input_weights(evidence.network)
    order = np.argsort(-importance, kind="stable")
    largest = max(float(importance.max()), 1e-300)
    X, known = evidence.X, evidence.network.surroundings
    inputs = [
        [
            evidence.names[i],
            f"{X[:, i].min():.4g}",
            f"{np.median(X[:, i]):.4g}",
            f"{X[:, i].max():.4g}",
            _values(known, int(i)),
            Cell(f"{importance[i]:.2f}", bar=float(importance[i]) / largest),
        ]
        for i in order[:MOST_INPUTS]
    ]
    left_out = len(order) - len(inputs)
    parts = [
        table(["class", "rows", "share"], classes),
        table(["input", "least", "median", "most", "values", "weight"], inputs),
        paragraph(
            "The weight is the root mean square of an input's weights in all hyperplanes, each of length 1 "
            "over inputs of standard deviation 1: how much the model hears of it, not how much it needs it."
            + (f" {left_out} inputs with smaller weights are left out." if left_out else ""),
            "soft",
        ),
    ]
    if len(evidence.incomplete):
        more = count(len(evidence.incomplete), "more row lacks", "more rows lack")
        parts.append(paragraph(f"{more} values; see Missing attributes."))
    return "\n".join(parts)


def _values(known: Background, i: int) -> str:
    """Say what kind of values an input has."""
    if known.two[i] and known.low[i] < known.high[i]:
        return f"{known.low[i]:g} or {known.high[i]:g}"
    return "integers" if known.integer[i] else "numbers"


def input_weights(network: AnyNetwork) -> NDArray:
    """Return the root mean square of each input's weights in hyperplanes of length 1, standardised."""
    slopes, _ = standardised_weights(network)
    return np.sqrt((slopes**2).mean(axis=0))


def drawing(evidence: Evidence) -> str:
    """Return the network drawn, its weights, the hyperplanes over two inputs, and all of it in words."""
    network = evidence.network
    parts = []
    if network.scheme == "tree":
        parts.append(
            figure(TreeDisplay.from_networks(network), "tree", "The networks and what each separates.")
        )
    parts += [
        figure(
            NetworkDisplay.from_network(network),
            "network",
            "Inputs, hidden units and outputs; lines are as thick as their weights, dashed if negative.",
        ),
        figure(
            WeightsDisplay.from_network(network),
            "weights",
            "The weights of the hyperplanes over inputs of standard deviation 1.",
        ),
    ]
    if network.n_features >= 2:
        parts.append(_plane(evidence))
    parts = [beside(parts)]
    words = to_text(network)
    if len(words) <= MOST_LETTERS:
        parts.append(folded("All weights in words", f"<pre>{_escaped(words)}</pre>"))
    return "\n".join(parts)


def _plane(evidence: Evidence) -> str:
    """Return the picture of the hyperplanes over the two inputs of the largest weights, or over both."""
    network = evidence.network
    two = sorted(np.argsort(-input_weights(network), kind="stable")[:2].tolist())
    # Rows that would be drawn on top of each other are drawn once.
    places = np.column_stack([evidence.X[:, two], label_numbers(network, evidence.y)])
    first = np.sort(np.unique(places, axis=0, return_index=True)[1])
    first = first[:: -(-len(first) // MOST_POINTS)]
    rows, labels = evidence.X[first], evidence.y[first]
    if network.n_features == 2:
        display = HyperplaneDisplay.from_network(network, rows, labels, codes=True)
        codes = " and the codes of the domains" if display.codes_ else ""
        return figure(display, "plane", f"The hyperplanes, the rows{codes}.")
    display = HyperplaneDisplay.from_network(network, rows, labels, features=tuple(two), codes=True)
    names = " and ".join(evidence.names[i] for i in two)
    caption = (
        f"The plane of the two inputs with the largest weights, {names}, the others at their means. Rows are "
        "drawn by these two alone, so they may lie on another side of a hyperplane than they seem to."
    )
    return figure(display, "plane", caption)


def growth(evidence: Evidence) -> str:
    """Return how the network grew; "" if it did not grow unit by unit."""
    trace = evidence.network.growth_trace
    if len(trace) < 2 or not all("errors" in record and "n_hidden" in record for record in trace):
        return ""
    caption = "Training errors against the number of hidden units; the weights are counted on top."
    return figure(GrowthDisplay.from_network(evidence.network), "growth", caption)


def rules(evidence: Evidence) -> str:
    """Return the rules that the outputs make of the hyperplanes, on the codes that the rows have."""
    found = extract_rules(evidence.network, evidence.X)
    if found.exact:
        how = f"They answer all {len(evidence.X)} rows as the network does"
    else:
        how = f"They answer {found.n_disagreements} of {len(evidence.X)} rows otherwise than the network"
    free = found.n_codes < 2**evidence.network.n_hidden
    says = how + ("; codes that no row has were free to make them short." if free else ".")
    text = found.text()
    shown = f"<pre>{_escaped(text)}</pre>"
    if len(text.splitlines()) > MOST_LINES:
        what = f"{count(found.n_cubes, 'rule')} over {count(len(found.used_units), 'hyperplane')}"
        shown = folded(what, shown)
    return f"{shown}\n{paragraph(says, 'soft')}"


def _escaped(text: str) -> str:
    return escape(text, quote=False)
