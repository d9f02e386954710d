"""One self-contained HTML page that tells what a model is, how well it does, and how it decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from netlines import __version__
from netlines.inspection.inputs import label_numbers
from netlines.report import (
    columns_used,
    curves,
    distributions,
    importance,
    model,
    planes,
    points,
    quality,
    subgroups,
)
from netlines.report import rows as rows_section
from netlines.report.card import card_section
from netlines.report.evidence import Evidence
from netlines.report.html import cards, document, pairs, paragraph
from netlines.report.plain_table import one_line
from netlines.report.provenance import Provenance, provenance
from netlines.report.top import tiles, verdict_box
from netlines.report.whatif import panel


class Section(NamedTuple):
    """A section: the part of the page it belongs to, its name in links, its heading, and what makes it."""

    part: str
    name: str
    heading: str
    make: Callable[[Evidence], str]


def what_if(evidence: Evidence) -> str:
    """Return the panel in which values can be changed, with some rows of each class to begin with."""
    numbers = label_numbers(evidence.network, evidence.y)
    nth = np.zeros(len(numbers), dtype=int)  # row of its class
    for k in np.unique(numbers):
        nth[numbers == k] = np.arange(np.count_nonzero(numbers == k))
    some = np.flatnonzero(nth < EACH)[:MOST_STARTS]
    wrong = evidence.network.predict(evidence.X[some]) != evidence.y[some]
    names = [
        f"row {evidence.numbers[i]}, {evidence.y[i]}{', answered wrongly' if missed else ''}"
        for i, missed in zip(some, wrong, strict=True)
    ]
    return panel(evidence.network, evidence.X[some] if len(some) else None, names=names or None)


EACH, MOST_STARTS = 5, 20  # rows of a class, and of all, that the panel can begin with
DECIDES, GOOD, MATTERS, FAILS = "How it decides", "How good it is", "What matters", "Where it fails"
TABLE, USE = "The table", "Use and limits"
SECTIONS = (
    Section("Try it", "what-if", "What if", what_if),
    Section(DECIDES, "points", "The points", points.points),
    Section(DECIDES, "formula", "The formula", model.formula),
    Section(DECIDES, "rules", "The rules", model.rules),
    Section(DECIDES, "network", "The weights", model.drawing),
    Section(DECIDES, "planes", "Rows and hyperplanes", planes.planes),
    Section(DECIDES, "growth", "How it grew", model.growth),
    Section(GOOD, "errors", "Errors", quality.errors),
    Section(GOOD, "curves", "Thresholds", curves.curves),
    Section(GOOD, "calibration", "Probabilities", quality.calibration),
    Section(GOOD, "comparison", "Beside other classifiers", quality.comparison),
    Section(MATTERS, "importance", "Importance", importance.importance),
    Section(MATTERS, "distributions", "Values by class", distributions.distributions),
    Section(FAILS, "subgroups", "Groups of rows", subgroups.subgroups),
    Section(FAILS, "certain", "Sure and doubtful rows", rows_section.certain),
    Section(FAILS, "missing", "Missing values", rows_section.missing),
    Section(FAILS, "domains", "Regions", rows_section.domains),
    Section(TABLE, "columns", "The columns", columns_used.columns_used),
)
WORDS = {
    "answer": "the class that the model gives a row",
    "95 % interval": "where the true share lies, in 95 of 100 such measurements",
    "new rows": "rows that a model was not trained on",
    "fold": "a part of the rows that is held out: a model is trained on the others and answers it, and so on "
    "for each part",
    "weight": "a number that a value is multiplied by before all are added up",
    "hyperplane": "where a weighted sum of the values is at its threshold: it cuts all possible rows into "
    "two sides. Also called a hidden unit",
    "region": "the rows that are on the same sides of all hyperplanes",
    "probability": "how many of a hundred rows such as this one are of the class, as far as the training "
    "rows tell",
    "found (recall)": "the share of the rows of a class that were answered so",
    "right when answered (precision)": "the share of such answers that were right",
    "AUC": "of a row of the class and one of another, how often the first has the higher probability of it: "
    "1 is best, 0.5 is guessing",
    "log-loss, Brier score": "how far probabilities are from what was true, on average: 0 is best",
    "logistic regression": "one weighted sum that is turned into a probability: the usual simplest model",
}


def make_page(
    evidence: Evidence,
    *,
    title: str,
    usage: str,
    about: Provenance | None = None,
    begin: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> str:
    """Return the page.

    Parameters
    ----------
    evidence : what it tells
    title : its headline
    usage : HTML of the section on how to use the model
    about : where the model and the table come from
    begin : called with the number of sections that are done, the name of the next, and the number of all
    """
    about = Provenance() if about is None else about
    last = (
        Section(USE, "usage", "How to use it", lambda _: usage),
        Section(USE, "card", "Model card", lambda one: card_section(one, about)),
        Section(USE, "provenance", "Provenance", lambda one: provenance(one, about)),
        Section(USE, "words", "Words", lambda _: pairs(WORDS.items())),
    )
    found, parts, part = {}, {}, ""
    for done, one in enumerate((*SECTIONS, *last)):
        begin(done, one.heading, len(SECTIONS) + len(last))
        content = one.make(evidence)
        if content:
            found[one.name] = (one.heading, content)
            if one.part != part:
                parts[one.name] = part = one.part
    remarks = "".join(map(paragraph, evidence.remarks))
    return document(
        title,
        verdict_box(evidence),
        cards(tiles(evidence)),
        f'<div class="remarks" role="note" aria-label="Remarks">{remarks}</div>' if remarks else "",
        sections=found,
        parts=parts,
        footer=paragraph(f"Written by netlines {__version__}. This page loads and sends nothing.", "soft"),
    )


def default_title(evidence: Evidence, target: str | None = None) -> str:
    """Return a headline: what is predicted.

    Parameters
    ----------
    evidence : what the page tells
    target : the name of the column of classes; None: as the model knows it, if it does
    """
    layout = evidence.network.layout
    name = target or (None if layout is None else layout.target)
    if name:
        return f"Predicting “{one_line(name, 80)}”"
    labels = [f"“{one_line(label, 30)}”" for label in evidence.labels]
    if len(labels) <= 3:
        return f"Predicting {', '.join(labels[:-1])} or {labels[-1]}"
    return f"Predicting one of {len(labels)} classes"
