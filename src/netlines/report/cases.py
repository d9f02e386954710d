"""The sections of the report about rows: domains, the surest and the most doubtful, missing attributes."""

from __future__ import annotations

import numpy as np

from netlines.confidence import domain_confidence
from netlines.domains import find_domains
from netlines.explanation import explain
from netlines.missing import integrate, missing_study, possible_classes
from netlines.plots import DomainDisplay, MissingAttributeDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, figure, paragraph, table
from netlines.report.quality import percent

MOST_DOMAINS = 30  # of the table
MOST_CASES = 5  # the surest rows, and the most doubtful
MOST_ROWS = 300  # for which each attribute is taken away in turn
MOST_INPUTS = 30  # that are taken away
MOST_INCOMPLETE = 30  # rows that lack values


def domains(evidence: Evidence) -> str:
    """Return the domains that rows lie in, as a picture and as a table."""
    found = find_domains(evidence.network, evidence.X, evidence.y)
    heads = [
        "code",
        "class",
        "rows",
        *map(str, evidence.labels),
        "errors",
        "nearest hyperplane",
        "mean distance",
    ]
    rows = [
        [
            Cell(one.code, "code"),
            one.label,
            one.patterns,
            *one.counts,
            one.errors,
            one.nearest,
            f"{one.distance:.2f}",
        ]
        for one in list(found)[:MOST_DOMAINS]
    ]
    faithful = "no domain has rows of two classes: the code is faithful"
    mixed = int(((found.counts > 0).sum(axis=1) > 1).sum())
    several = f"{mixed} of {len(found)} domains have rows of more than one class: the code is not faithful"
    whether = faithful if found.faithful else several
    more = f" Shown are the {MOST_DOMAINS} fullest of {len(found)}." if len(found) > MOST_DOMAINS else ""
    caption = "Rows of each code, by their true class."
    return "\n".join(
        [
            paragraph(f"The hyperplanes cut the inputs into domains; {whether}.{more}"),
            figure(DomainDisplay.from_network(evidence.network, evidence.X, evidence.y), "domains", caption),
            f"<details><summary>As a table</summary>{table(heads, rows)}"
            f"{paragraph('Distances are in standard deviations of the inputs.', 'soft')}</details>",
        ]
    )


def certain(evidence: Evidence) -> str:
    """Return the surest and the most doubtful rows, with what would change their answers."""
    network, X = evidence.network, evidence.X
    confidence = domain_confidence(network, X)
    order = np.argsort(confidence, kind="stable")
    doubtful, surest = order[:MOST_CASES], order[::-1][:MOST_CASES]
    probability = network.probability(X).max(axis=1) if network.has_probability else None
    answers = network.predict(X)
    # Of values that rows have, so that no change is proposed which there cannot be.
    ranges = {
        i: (float(low), float(high))
        for i, (low, high) in enumerate(zip(X.min(axis=0), X.max(axis=0), strict=True))
    }

    def lines(rows: np.ndarray) -> list[list[object]]:
        found = []
        for i in rows.tolist():
            told = explain(network, X[i], ranges=ranges)
            cells = [i + 1, answers[i], evidence.y[i], f"{confidence[i]:.3f}"]
            if probability is not None:
                cells.append(f"{probability[i]:.3f}")
            found.append([*cells, Cell(flip_text(evidence, told), "text")])
        return found

    heads = ["row", "answer", "truth", "confidence", *(["probability"] if probability is not None else [])]
    heads.append("the nearest other answer")
    half = len(order) // 2
    wrong = answers[order] != evidence.y[order]
    counts = int(wrong[len(order) - half :].sum()), int(wrong[: len(order) - half].sum())
    return "\n".join(
        [
            paragraph(
                "The confidence is the weight of the codes with the predicted class, when each hidden unit "
                "is in doubt as much as the row is close to its hyperplane. Of the model's errors on these "
                f"rows {counts[0]} are among the surer half and {counts[1]} among the others."
            ),
            "<h3>Least certain</h3>",
            table(heads, lines(doubtful), left=3),
            "<h3>Most certain</h3>",
            table(heads, lines(surest), left=3),
        ]
    )


def flip_text(evidence: Evidence, told: object) -> str:
    """Return in a few words what would change an answer: the three inputs that have to change most."""
    flip = told.flip  # type: ignore[attr-defined]
    if flip is None:
        return "there is none within the range of these rows"
    steps = np.abs(flip.change) / evidence.network.surroundings.scale
    most = [i for i in np.argsort(-steps, kind="stable")[:3] if steps[i] > 1e-9]
    before = flip.row - flip.change
    changes = ", ".join(f"{evidence.names[i]} {before[i]:.4g} → {flip.row[i]:.4g}" for i in most)
    others = int(np.count_nonzero(steps > 1e-9)) - len(most)
    more = f" and {others} more" if others > 0 else ""
    return f"{flip.label} at {flip.norm:.2f} s.d.: {changes}{more}"


def missing(evidence: Evidence) -> str:
    """Return what each attribute's absence would do, and the rows that really lack values."""
    network = evidence.network
    some = slice(None, None, -(-len(evidence.X) // MOST_ROWS))
    X, y = evidence.X[some], evidence.y[some]
    answers = network.predict(X)
    rows = []
    for i, name in list(enumerate(evidence.names))[:MOST_INPUTS]:
        lacking = X.copy()
        lacking[:, i] = np.nan
        sure = np.mean([possible.certain for possible in possible_classes(network, lacking)])
        guesses = network.classes[integrate(network, lacking).argmax(axis=1)]
        error = float(np.mean(guesses != y))
        rows.append(
            [
                name,
                Cell(percent(float(sure)), bar=float(sure)),
                percent(float(np.mean(guesses != answers))),
                percent(error),
            ]
        )
    head = ["without", "answer certain all the same", "answer changes", "error on these rows"]
    parts = [
        paragraph(
            "Each attribute is taken away in turn. An answer is certain if it is the same for every value "
            "that the attribute had in training; else the most probable one is taken, given the other "
            f"attributes. With all attributes the error on these {len(X)} rows is "
            f"{percent(float(np.mean(answers != y)))}."
        ),
        table(head, rows),
    ]
    if len(evidence.incomplete):
        parts.append(_incomplete(evidence))
    return "\n".join(parts)


def _incomplete(evidence: Evidence) -> str:
    """Return the rows that lack values: what they can be, and if it is always the same one a picture."""
    network, X, y = evidence.network, evidence.incomplete, evidence.incomplete_y
    possible, shares = possible_classes(network, X), integrate(network, X)
    rows = [
        [number, label, network.classes[share.argmax()], f"{share.max():.2f}", Cell(str(one), "text")]
        for number, (label, share, one) in enumerate(zip(y, shares, possible, strict=True), start=1)
    ][:MOST_INCOMPLETE]
    wrong = int(np.count_nonzero(network.classes[shares.argmax(axis=1)] != y))
    parts = [
        f"<h3>The {len(X)} rows that lack values</h3>",
        paragraph(f"The most probable answers make {wrong} errors of {len(X)}."),
        table(["", "truth", "answer", "weight", "what it can be"], rows, left=3),
    ]
    lacking = np.isnan(X)
    if (lacking == lacking[0]).all() and lacking[0].sum() == 1:
        feature = int(np.flatnonzero(lacking[0])[0])
        display = MissingAttributeDisplay.from_study(missing_study(network, X, y, feature))
        name = evidence.names[feature]
        caption = f"Errors on these rows, and what they are answered, against the value assumed for {name}."
        parts.append(figure(display, "missing", caption))
    return "\n".join(parts)
