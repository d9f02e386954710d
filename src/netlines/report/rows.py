"""The sections of the report about rows: domains, the surest and the most doubtful, missing attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines._words import percent
from netlines.inspection.answers import Answers
from netlines.inspection.confidence import domain_confidence
from netlines.inspection.domains import find_domains
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import InputRows
from netlines.inspection.missing import missing_study, possible_classes
from netlines.inspection.nearest.wording import flip_text
from netlines.network.attributes import attributes_of
from netlines.plots import DomainDisplay, MissingAttributeDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, figure, folded, paragraph, table
from netlines.report.model import input_weights

MOST_DOMAINS = 30  # of the table
MOST_CASES = 5  # the surest rows, and the most doubtful
MOST_ROWS = 300  # for which each attribute is taken away in turn
MOST_ATTRIBUTES = 30  # that are taken away
MOST_INCOMPLETE = 30  # rows that lack values


def domains(evidence: Evidence) -> str:
    """Return the domains that rows lie in, as a picture and as a table."""
    found = find_domains(evidence.network, evidence.X, evidence.y)
    classes = map(str, evidence.labels)
    heads = ["", "code", "class", "rows", *classes, "errors", "nearest hyperplane", "mean distance"]
    rows = [
        [
            number,
            Cell(one.code.replace("-", "−"), "code"),
            one.label,
            one.patterns,
            *one.counts,
            one.errors,
            one.nearest,
            f"{one.distance:.2f}",
        ]
        for number, one in enumerate(list(found)[:MOST_DOMAINS], start=1)
    ]
    mixed = int(((found.counts > 0).sum(axis=1) > 1).sum())
    whether = "no domain has rows of two classes: the code is faithful"
    if mixed:
        whether = (
            f"{mixed} of {len(found)} domains have rows of more than one class: the code is not faithful"
        )
    fullest = f"The {MOST_DOMAINS} fullest of {len(found)}" if len(found) > MOST_DOMAINS else "All"
    caption = "Rows of each code, by their true class."
    units = "Distances are in standard deviations of the inputs."
    return "\n".join(
        [
            paragraph(f"The hyperplanes cut the inputs into domains; {whether}."),
            figure(DomainDisplay.from_network(evidence.network, evidence.X, evidence.y), "domains", caption),
            folded(f"{fullest} as a table", table(heads, rows) + paragraph(units, "soft")),
        ]
    )


def certain(evidence: Evidence) -> str:
    """Return the surest and the most doubtful rows, with what would change their answers."""
    network, X = evidence.network, evidence.X
    confidence = domain_confidence(network, X)
    order = np.argsort(confidence, kind="stable")
    doubtful, surest = order[:MOST_CASES], order[::-1][:MOST_CASES]
    answers, sure = network.predict(X), {"confidence": confidence}
    if network.has_probability:
        sure["probability"] = network.probability(X).max(axis=1)

    def line(i: int) -> list[object]:
        other = Cell(other_answer(evidence, X[i]), "text")
        told = (f"{column[i]:.3f}" for column in sure.values())
        return [evidence.numbers[i], answers[i], evidence.y[i], *told, other]

    heads = ["row", "answer", "truth", *sure, "the nearest other answer"]
    half = len(order) // 2
    wrong = answers[order] != evidence.y[order]
    counts = int(wrong[len(order) - half :].sum()), int(wrong[: len(order) - half].sum())
    return "\n".join(
        [
            paragraph(
                "The confidence is the weight of the codes with the predicted class, when each hidden unit "
                "is in doubt as much as the row is close to its hyperplane. Of the model's errors on these "
                f"rows {counts[0]} are among the surer half and {counts[1]} among the others. The nearest "
                "other answer keeps to the range of the training rows, and to whole steps: categories change "
                "as a whole, and whole numbers to whole numbers."
            ),
            "<h3>Least certain</h3>",
            table(heads, map(line, doubtful), left=3),
            "<h3>Most certain</h3>",
            table(heads, map(line, surest), left=3),
        ]
    )


def other_answer(evidence: Evidence, row: NDArray) -> str:
    """Return in a few words what would change an answer: the three inputs that have to change most."""
    flip = explain(evidence.network, row.view(InputRows)).flip
    if flip is None:
        return "none was found within the range of the training rows"
    scale, attributes = evidence.network.surroundings.scale, attributes_of(evidence.network)
    return flip_text(flip, row, evidence.names, scale, most=3, attributes=attributes)


def missing(evidence: Evidence) -> str:
    """Return what each attribute's absence would do, and the rows that really lack values."""
    network = evidence.network
    some = slice(None, None, -(-len(evidence.X) // MOST_ROWS))
    X, y = evidence.X[some], evidence.y[some]
    answers, weights = network.predict(X), input_weights(network)
    attributes = sorted(evidence.attributes, key=lambda one: -float((weights[one[1]] ** 2).sum()))
    rows = []
    for name, inputs in attributes[:MOST_ATTRIBUTES]:
        lacking = X.copy()
        lacking[:, inputs] = np.nan
        sure = float(np.mean([possible.certain for possible in possible_classes(network, lacking)]))
        guesses = Answers(network, lacking).labels()
        changed, error = float(np.mean(guesses != answers)), float(np.mean(guesses != y))
        rows.append([name, Cell(percent(sure), bar=sure), percent(changed), percent(error)])
    head = ["without", "answer certain all the same", "answer changes", "error on these rows"]
    shown = f" Shown are the {MOST_ATTRIBUTES} of {len(attributes)} attributes with the largest weights."
    parts = [
        paragraph(
            "Each attribute is taken away in turn. An answer is certain if it is the same for every value "
            "that the attribute may have, as far as training has shown; else the most probable one is taken, "
            f"given the other attributes. With all attributes the error on these {len(X)} rows is "
            f"{percent(float(np.mean(answers != y)))}.{shown if len(attributes) > MOST_ATTRIBUTES else ''}"
        ),
        table(head, rows),
    ]
    if len(evidence.incomplete):
        parts.append(_incomplete(evidence))
    return "\n".join(parts)


def _incomplete(evidence: Evidence) -> str:
    """Return the rows that lack values: what they can be, and if it is always the same one a picture."""
    network, X, y = evidence.network, evidence.incomplete, evidence.incomplete_y
    possible, found = possible_classes(network, X), Answers(network, X)
    answers = found.labels()
    rows = [
        [number, label, answer, f"{share:.2f}", Cell(str(one), "text")]
        for number, label, answer, share, one in zip(
            evidence.incomplete_numbers, y, answers, found.shares.max(axis=1), possible, strict=True
        )
    ]
    wrong = int(np.count_nonzero(answers != y))
    cut = f" The first {MOST_INCOMPLETE} are shown." if len(rows) > MOST_INCOMPLETE else ""
    kind, how = "share", "The share is that of the values, by their chances, that lead to the answer."
    if network.has_probability:
        kind, how = "probability", "A probability is the mean over what the missing values may be."
    parts = [
        f"<h3>The {len(X)} rows that lack values</h3>",
        paragraph(f"The most probable answers make {wrong} errors of {len(X)}.{cut} {how}"),
        table(["row", "truth", "answer", kind, "what it can be"], rows[:MOST_INCOMPLETE], left=3),
    ]
    lacking = np.isnan(X)
    if (lacking == lacking[0]).all() and lacking[0].sum() == 1:
        feature = int(np.flatnonzero(lacking[0])[0])
        display = MissingAttributeDisplay.from_study(missing_study(network, X, y, feature))
        name = evidence.names[feature]
        caption = f"Errors on these rows, and what they are answered, against the value assumed for {name}."
        parts.append(figure(display, "missing", caption))
    return "\n".join(parts)
