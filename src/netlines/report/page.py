"""One self-contained HTML page that tells what a model is, how well it does, and why it answers so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib.metadata import version

import numpy as np

from netlines import __version__
from netlines._words import count, joined, percent
from netlines.network.shares import wilson
from netlines.report import curves, distributions, importance, model, quality, subgroups
from netlines.report import rows as rows_section
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import cards, document, paragraph

SECTIONS: dict[str, tuple[str, Callable[[Evidence], str]]] = {
    "problem": ("The problem", model.problem),
    "network": ("The network", model.drawing),
    "rules": ("The rules", model.rules),
    "growth": ("How it grew", model.growth),
    "errors": ("Errors", quality.errors),
    "curves": ("Thresholds", curves.curves),
    "calibration": ("Probabilities", quality.calibration),
    "comparison": ("Beside other classifiers", quality.comparison),
    "importance": ("What matters", importance.importance),
    "distributions": ("The attributes by class", distributions.distributions),
    "subgroups": ("Errors by group", subgroups.subgroups),
    "domains": ("Domains", rows_section.domains),
    "certain": ("Sure and doubtful rows", rows_section.certain),
    "missing": ("Missing attributes", rows_section.missing),
}


def make_page(
    evidence: Evidence,
    *,
    title: str,
    usage: str,
    begin: Callable[[int, str, int], object] = lambda done, name, of: None,
) -> str:
    """Return the page.

    Parameters
    ----------
    evidence : what it tells
    title : its headline
    usage : HTML of the section on how to use the model
    begin : called with the number of sections that are done, the name of the next, and the number of all
    """
    found = {}
    for done, (name, (heading, make)) in enumerate(SECTIONS.items()):
        begin(done, heading, len(SECTIONS))
        content = make(evidence)
        if content:
            found[name] = (heading, content)
    found["usage"] = ("How to use it", usage)
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    return document(
        title,
        paragraph(summary(evidence), "lead"),
        cards(figures(evidence)),
        *map(paragraph, evidence.remarks),
        sections=found,
        footer=paragraph(f"netlines {__version__}, {date.today().isoformat()}, {versions}", "soft"),
    )


def summary(evidence: Evidence) -> str:
    """Say in a sentence or two what the model is and how it came about."""
    network = evidence.network
    units, attributes = count(network.n_hidden, "hyperplane"), count(len(evidence.attributes), "attribute")
    classes = joined([f"“{label}”" for label in evidence.labels])
    tell = "tells" if network.n_hidden == 1 else "tell"
    what = f"{units} {tell} {classes} apart by {attributes}"
    if network.scheme:
        what = f"{count(len(network.parts), 'network')} with {what}"
    return f"{what}. {evidence.chosen[0].upper()}{evidence.chosen[1:]}." if evidence.chosen else f"{what}."


def figures(evidence: Evidence) -> list[tuple[str, str]]:
    """Return the figures on top of the page, each with what it is."""
    network, n = evidence.network, len(evidence.y)
    if evidence.scores:
        wrong = int(np.count_nonzero(evidence.scores[OWN].answers != evidence.y))
        low, high = wilson(wrong, n)
        kind = f"error on new rows, {100 * low:.1f} to {100 * high:.1f} % with 95 % confidence"
    else:
        wrong = int(np.count_nonzero(network.predict(evidence.X) != evidence.y))
        kind = "error on these rows"
    weights = "weights" if network.n_nonzero == network.n_weights else f"weights, {network.n_nonzero} not 0"
    present = len(set(evidence.y.tolist()))
    return [
        (percent(wrong / n), kind),
        (str(network.n_hidden), "hidden unit" if network.n_hidden == 1 else "hidden units"),
        (str(network.n_weights), weights),
        (f"{n:,}", f"{'row' if n == 1 else 'rows'} of {count(present, 'class', 'classes')}"),
    ]
