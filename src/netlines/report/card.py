"""The model card: what a model is for, what it was made of, how good it is, and where it must not be trusted.

What can be known is said. What only the owner knows is left blank, and marked so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from netlines._words import count, joined, number, percent
from netlines.inspection.answers import Answers
from netlines.inspection.attributes import date_text, told_name
from netlines.inspection.inputs import network_of
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.network.shares import counted
from netlines.report.evidence import Evidence
from netlines.report.html import items, paragraph
from netlines.report.plain_table import one_line
from netlines.report.provenance import Provenance, left_out, versions
from netlines.report.top import error_on_new_rows, fold_sizes, sentences

TO_FILL = "To be filled in by the owner:"
MOST_COLUMNS = 60
LONGEST = 300  # letters of a name
PERSONAL = frozenset(
    {
        "age",
        "sex",
        "gender",
        "race",
        "ethnic",
        "ethnicity",
        "nationality",
        "religion",
        "marital",
        "disability",
    }
    | {"birth", "country", "zip", "postcode"}
)
NOT_MEASURED = "How often it errs on new rows was not measured."


@dataclass(frozen=True)
class Blank:
    """A question that only the owner of a model can answer."""

    question: str


Entry = str | Blank | tuple[str, ...]  # a paragraph, a question, a list
Card = dict[str, list[Entry]]  # by heading


def model_card(
    model: Any,
    *,
    title: str = "Model card",
    known: Sequence[str] = (),
    measured: Sequence[str] = (),
    source: Mapping[str, str] | None = None,
) -> str:
    """Return the model card of a network or a fitted classifier as Markdown.

    Parameters
    ----------
    model : fitted classifier, Network or Networks
    title : its headline
    known : sentences about how often it errs on new rows; none: that is not known
    measured : further sentences, about a table
    source : where it comes from, by what is said

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.report.card import model_card
    >>> text = model_card(Network([[1.0, -1.0]], PASS_ON, ["out", "in"]))
    >>> text.splitlines()[:3]
    ['# Model card', '', '## The model']
    """
    network = network_of(model)
    card = make_card(network, known or (NOT_MEASURED,), measured, list((source or {}).items()))
    return as_markdown(title, card)


def card_section(evidence: Evidence, about: Provenance) -> str:
    """Return the card as a section of a report, which says elsewhere what it comes from."""
    return as_html(make_card(evidence.network, sentences(evidence), measured_in(evidence), []))


def measured_in(evidence: Evidence) -> list[str]:
    """Return sentences about the classes and the sizes of the models that the error was measured of."""
    told = []
    if error_on_new_rows(evidence) and evidence.verdict is not None:
        told = [
            f"Of {count(of, 'row')} of “{label}” {percent(hits / of)} were found."
            for label, hits, of in evidence.verdict.found
            if of
        ]
    sizes = fold_sizes(evidence)
    if sizes:
        told.append(f"The model has {count(evidence.network.n_weights, 'weight')}; {sizes}.")
    return told


def make_card(
    network: AnyNetwork, known: Sequence[str], measured: Sequence[str], source: Sequence[tuple[str, str]]
) -> Card:
    """Return the card: paragraphs, lists and blanks by heading."""
    labels = joined([f"“{one_line(label, LONGEST)}”" for label in network.classes.tolist()], "or")
    target = None if network.layout is None else network.layout.target
    answers = f"It answers {f'“{one_line(target, LONGEST)}” with ' if target else ''}{labels}"
    columns = attributes_of(network)
    return {
        "The model": [*known[:1], f"{answers}.", tuple(f"{name}: {text}" for name, text in source)],
        "Intended use": [
            f"{answers} for rows like those it was trained on: the same columns, measured in the same way, "
            "of the same kind of cases.",
            Blank("What is it for, who uses it, and who checks its answers?"),
        ],
        "Not intended": [
            "Cases of another kind, place or time than those of training, until it was measured on them; "
            "values outside the ranges below; decisions about people that nobody can check and overrule.",
            Blank("Which uses are excluded?"),
        ],
        "Training data": [
            *_data(network, columns),
            Blank("Who collected the rows, when, how, and with what consent?"),
        ],
        "How good it is": [*known, *measured, f"Measured with {versions()}."],
        "Limits": [*_limits(network), Blank("What else is known to go wrong?")],
        "Ethical considerations": [
            _personal(columns),
            "A model repeats what was unfair in the decisions it learnt from, and may err more often in one "
            "group than in another: compare its errors in the groups that matter before it is used.",
            Blank("Which groups were compared, and what was done about differences?"),
        ],
        "Contact": [Blank("Who answers for the model, and how can an answer be objected to?")],
    }


def _data(network: AnyNetwork, columns: Sequence[Attribute]) -> list[Entry]:
    """Return the columns that it uses with their ranges, and those that it does not."""
    known = network.surroundings
    told = []
    for one in columns[:MOST_COLUMNS]:
        name = one_line(told_name(one), LONGEST)
        if one.is_category:
            values = [one_line(one.value(i), 40) for i in one.choices]
            told.append(f"{name}: {', '.join(values[:12])}{', …' if len(values) > 12 else ''}")
        else:
            ends = [float(end[one.inputs[0]]) for end in (known.low, known.high)]
            low, high = (date_text(one, end) or number(end) for end in ends)
            told.append(f"{name}: {low} to {high}")
    more = len(columns) - len(told)
    origins = {one.name if one.column is None else one.column.origin for one in columns}
    made = "" if len(origins) == len(columns) else f", of which {len(columns)} attributes were made"
    entries: list[Entry] = [
        f"It uses {count(len(origins), 'column')}{made}, with these values in training:",
        tuple(told),
    ]
    if more > 0:
        entries.append(f"and {more} more.")
    left = left_out(network.layout)
    if left:
        entries += [f"{count(len(left), 'column was', 'columns were')} left out:", tuple(left[:MOST_COLUMNS])]
    return entries


def _limits(network: AnyNetwork) -> list[Entry]:
    told = [
        "The error on new rows is that of rows drawn as the training rows were; of other cases it differs.",
        "It is measured by training in the same way on parts of the rows: the models of the folds are not "
        "this very model.",
        "It shows what goes together in the table, not what causes what.",
    ]
    if not network.has_probability:
        told.append("It has no probabilities: it cannot say how sure it is of an answer.")
    return [tuple(told)]


def _personal(columns: Sequence[Attribute]) -> str:
    """Say which columns look as if they described people."""
    found = [
        f"“{one_line(one.name, LONGEST)}”"
        for one in columns
        if set(re.split(r"[^a-z]+", one.name.lower())) & PERSONAL
    ]
    if found:
        return f"By their names these columns may describe people: {joined(found[:20])}."
    return "No column has a name that obviously describes people; others may stand in for such ones."


def as_html(card: Card) -> str:
    """Return a card as HTML below a heading of the second order."""
    parts = []
    for heading, entries in card.items():
        parts.append(f"<h3>{heading}</h3>")
        for entry in entries:
            if isinstance(entry, Blank):
                lines = paragraph(f"`{TO_FILL}` {entry.question}", "blank", code=True)
                parts.append(lines.replace("<code>", "<b>").replace("</code>", "</b>"))
            else:
                parts.append(paragraph(entry) if isinstance(entry, str) else items(entry))
    return "\n".join(filter(None, parts))


def as_markdown(title: str, card: Card) -> str:
    """Return a card as Markdown, in which names are nothing but text."""
    lines = [f"# {_plain(title)}", ""]
    for heading, entries in card.items():
        lines += [f"## {heading}", ""]
        for entry in entries:
            if isinstance(entry, Blank):
                lines += [f"> **{TO_FILL}** {entry.question}", ""]
            elif isinstance(entry, str):
                lines += [_plain(entry), ""]
            elif entry:
                lines += [*(f"- {text}" for text in map(_plain, entry)), ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Return a text of one line in which nothing is taken for Markdown or HTML."""
    line = "".join(one if one.isprintable() else " " for one in text)
    return re.sub(r"([\\`*_<>\[\]#|~])", r"\\\1", line)


def table_sentences(network: AnyNetwork, X: Any, y: Iterable[Any], name: str, trained: bool) -> list[str]:
    """Return how often a model errs on a table, and how many rows of each class it finds."""
    truth, answers = np.asarray(list(y)), Answers(network, X).labels()
    wrong = counted(int(np.count_nonzero(answers != truth)), len(truth))
    ends = f"95 % interval {100 * wrong.low:.1f} to {100 * wrong.high:.1f} %"
    told = [
        f"On {name} it errs on {wrong.hits:,} of {count(wrong.of, 'row')}, {percent(wrong.value)} ({ends})."
    ]
    if trained:
        told.append("It was trained on that table: on new rows it errs more often.")
    for label in network.classes.tolist():
        own = truth == label
        if own.any():
            share = percent(float(np.mean(answers[own] == label)))
            told.append(f"Of {count(int(own.sum()), 'row')} of “{label}” {share} are found.")
    return told
