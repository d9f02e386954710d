"""The sections of the report that tell how the model decides: formula, rules, network, growth."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, number
from netlines.export.text import to_text
from netlines.inspection.domains import standardised_weights
from netlines.inspection.rules import extract_rules
from netlines.network.attributes import BASE, Term, as_terms, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.plots import GrowthDisplay, NetworkDisplay, TreeDisplay, WeightsDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, beside, figure, folded, paragraph, table
from netlines.report.points import scorecard_of

MOST_TERMS = 15  # of a formula, before the rest is folded away
MOST_LINES = 24  # of rules that are shown at once
MOST_LETTERS = 6000  # of the weights in words: the model file has them all


def formula(evidence: Evidence) -> str:
    """Return a single weighted sum as a table of what each value adds, the strongest first; "" of more."""
    network = evidence.network
    card = scorecard_of(network)
    if not _is_formula(network) or (card is not None and card.exact):
        return ""
    bias, terms = as_terms(network.weights_about_zero[0], attributes_of(network))
    effects = [term.weight * _spread(term, evidence.X) for term in terms]
    largest = max(map(abs, effects), default=0.0) or 1.0
    order = np.argsort([-abs(effect) for effect in effects], kind="stable")
    rows = [
        [
            _what(terms[k]),
            number(terms[k].weight),
            Cell(number(effects[k], 2), bar=effects[k] / largest, signed=True),
        ]
        for k in order
    ]
    no, yes = (f"“{label}”" for label in evidence.labels)
    head = ["value", "times", "what its usual spread adds"]
    shown = table(head, rows[:MOST_TERMS])
    if len(rows) > MOST_TERMS:
        shown += folded(f"{len(rows) - MOST_TERMS} more terms", table(head, rows[MOST_TERMS:]))
    says = (
        f"Multiply each value by its weight and add up. A sum of at least {number(-bias)} is answered {yes}, "
        f"a smaller one {no}; the farther from it, the surer."
    )
    if any(term.is_condition for term in terms):
        says += " What stands in brackets counts 1 where it holds, else 0."
    gaps = [
        f"Where {term.attribute.name} is missing it adds {number(term.missing)} in all."
        for term in terms
        if term.missing is not None
    ]
    note = (
        "The bars show how much a value moves the sum as it varies from row to row (weight times standard "
        f"deviation), to the right towards {yes}. Columns that vary together share what they tell."
    )
    told = "".join([paragraph(says), *map(paragraph, gaps), paragraph(note, "soft")])
    return beside([told, shown], narrow=True) + _in_words(network)


def _is_formula(network: AnyNetwork) -> bool:
    return not network.scheme and network.n_hidden == 1 and network.parts[0].network.passes_on


def _what(term: Term) -> str:
    """Return what a term multiplies: the value of a column, or a condition."""
    if term.is_condition:
        return f"[{term.attribute.one_of(term.inputs)}]"
    return term.attribute.name


def _spread(term: Term, X: NDArray) -> float:
    """Return the standard deviation, among rows, of what a term multiplies."""
    if not len(X):
        return 1.0
    if not term.is_condition:
        return float(np.std(X[:, term.inputs[0]]))
    high = term.attribute.levels[1]
    on = (X[:, [i for i in term.inputs if i != BASE]] == high).any(axis=1)
    if BASE in term.inputs:
        on |= (X[:, list(term.attribute.inputs)] != high).all(axis=1)
    return float(np.std(on))


def input_weights(network: AnyNetwork) -> NDArray:
    """Return the root mean square of each input's weights in hyperplanes of length 1, standardised."""
    slopes, _ = standardised_weights(network)
    return np.sqrt((slopes**2).mean(axis=0))


def drawing(evidence: Evidence) -> str:
    """Return the network drawn, its weights, and all of it in words; "" of a single sum."""
    network = evidence.network
    if _is_formula(network):
        return ""
    parts = []
    if network.scheme == "tree":
        parts.append(
            figure(TreeDisplay.from_networks(network), "tree", "The networks and what each separates.")
        )
    parts += [
        figure(
            NetworkDisplay.from_network(network),
            "network",
            "Columns to the left, hyperplanes in the middle, answers to the right. Lines are as thick as "
            "their weights, dashed if negative.",
        ),
        figure(
            WeightsDisplay.from_network(network),
            "weights",
            "What each hyperplane looks at: its weights, as if all columns varied equally.",
        ),
    ]
    return "".join(parts) + _in_words(network)


def _in_words(network: AnyNetwork) -> str:
    """Return all weights as text, folded away; nothing if that is too long to be read."""
    words = to_text(network)
    if len(words) > MOST_LETTERS:
        return ""
    return folded("All weights in words", f"<pre>{_escaped(words)}</pre>")


def growth(evidence: Evidence) -> str:
    """Return how the network grew; "" if it did not grow unit by unit."""
    trace = evidence.network.growth_trace
    if len(trace) < 2 or not all("errors" in record and "n_hidden" in record for record in trace):
        return ""
    caption = (
        "Errors on the training rows as hyperplanes were added; the weights are counted on top. Errors on "
        "new rows do not follow: see How good it is."
    )
    if trace[-1]["n_hidden"] != evidence.network.n_hidden:
        left = count(evidence.network.n_hidden, "hyperplane")
        caption += f" The model has {left}, after those that changed no answer were left out."
    return figure(GrowthDisplay.from_network(evidence.network), "growth", caption)


def rules(evidence: Evidence) -> str:
    """Return the rules that the outputs make of the hyperplanes; "" of a single sum."""
    if _is_formula(evidence.network):
        return ""
    found = extract_rules(evidence.network, evidence.X)
    if found.exact:
        how = f"They answer all {count(len(evidence.X), 'row')} as the model does"
    else:
        of = count(len(evidence.X), "row")
        how = f"They answer {found.n_disagreements:,} of {of} otherwise than the model"
    free = found.n_codes < 2**evidence.network.n_hidden
    says = how + ("; where there is no row, they are free to differ." if free else ".")
    text = found.text()
    shown = f"<pre>{_escaped(text)}</pre>"
    if len(text.splitlines()) > MOST_LINES:
        what = f"{count(found.n_cubes, 'rule')} over {count(len(found.used_units), 'hyperplane')}"
        shown = folded(what, shown)
    return f"{shown}\n{paragraph(says, 'soft')}"


def _escaped(text: str) -> str:
    return escape(text, quote=False)
