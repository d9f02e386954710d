"""The sections of the report about rows: the most doubtful, missing attributes, the regions they lie in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, percent
from netlines.inspection.answers import Answers
from netlines.inspection.attributes import told_name, value_text
from netlines.inspection.confidence import domain_confidence
from netlines.inspection.domains import find_domains
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import InputRows
from netlines.inspection.missing import missing_study, possible_classes
from netlines.inspection.telling import change_text
from netlines.plots import DomainDisplay, MissingAttributeDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, figure, folded, paragraph, table

MOST_REGIONS = 64  # above which most hold a row or two
MOST_LINES = 30  # of the table of regions
MOST_DOUBTFUL = 8  # rows
MOST_WRONG = 5  # rows that are sure and yet wrong
SURE = 0.8  # probability of an answer that is sure
MOST_VALUES = 5  # attributes of a row that are shown
MOST_CHANGED = 3  # attributes of another answer that are named
MANY_UNITS, FEW_CHANGES = 16, 3  # units from which on possible answers take long, so that few are looked for
MOST_ROWS = 300  # for which each attribute is taken away in turn
MOST_ATTRIBUTES = 30  # that are taken away
MOST_INCOMPLETE = 30  # rows that lack values
DIGITS = 4


def domains(evidence: Evidence) -> str:
    """Return the regions that rows lie in, as a picture and a table; "" of one unit or very many regions."""
    if evidence.network.n_hidden < 2:
        return ""
    found = find_domains(evidence.network, evidence.X, evidence.y)
    if not 2 <= len(found) <= MOST_REGIONS:
        return ""
    classes = map(str, evidence.labels)
    heads = ["", "sides", "answer", "rows", *classes, "errors", "nearest hyperplane", "mean distance"]
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
        for number, one in enumerate(list(found)[:MOST_LINES], start=1)
    ]
    mixed = int(((found.counts > 0).sum(axis=1) > 1).sum())
    hold = "holds" if mixed == 1 else "hold"
    kind = f"{mixed} of the {len(found)} regions {hold} rows of more than one class, and so some errors."
    if not mixed:
        kind = f"Each of the {len(found)} regions holds rows of one class only."
    fullest = (
        f"The {MOST_LINES} fullest of {len(found)} regions" if len(found) > MOST_LINES else "All regions"
    )
    caption = "Rows of each region, by their true class; + and − tell the sides of the hyperplanes."
    display = DomainDisplay.from_network(evidence.network, evidence.X, evidence.y)
    display.ax_.set_ylabel("region")
    return "\n".join(
        [
            paragraph(
                "Each hyperplane has two sides; rows on the same side of all of them share a region, "
                f"and are treated alike. {kind} Counted on the rows of this table by the model on this page."
            ),
            figure(display, "domains", caption),
            folded(
                f"{fullest} as a table",
                table(heads, rows) + paragraph("Distances are in standard deviations of the inputs.", "soft"),
            ),
        ]
    )


def certain(evidence: Evidence) -> str:
    """Return the most doubtful rows and the surest wrong answers, with values and what would change them."""
    network, X = evidence.network, evidence.X
    answers = network.predict(X)
    wrong = answers != evidence.y
    if network.has_probability:
        name, sure = "probability", network.probability(X).max(axis=1)
        how = "The probability is that of the answer; 1 is certain."
    else:
        name, sure = "confidence", domain_confidence(network, X)
        how = (
            "This model has no probabilities. The confidence is near 1 where the row is far from all "
            "hyperplanes that matter for its answer, and falls as it comes close to one."
        )
    order = np.argsort(sure, kind="stable")
    strange = [i for i in order[::-1].tolist() if wrong[i] and sure[i] >= SURE][:MOST_WRONG]
    doubtful = [i for i in order[:MOST_DOUBTFUL].tolist() if i not in strange]  # a row is told once
    parts = [
        paragraph(
            f"The answers of the model on this page to rows of this table. {how} {_halves(wrong[order])}"
        ),
        "<h3>Most doubtful</h3>",
        _told(evidence, doubtful, answers, name, sure),
    ]
    if strange:
        parts += [
            "<h3>Sure and yet wrong</h3>",
            paragraph("Worth a look: a label may be wrong, a value mistyped, or something else may decide."),
            _told(evidence, strange, answers, name, sure),
        ]
    left = len(evidence.columns) - MOST_VALUES
    notes = [
        f"Shown are the {MOST_VALUES} most important of {len(evidence.columns)} attributes."
        if left > 0
        else "",
        "The nearest other answer is the smallest change that gives one, within the range of training rows",
        f"(looked for in the first {FEW_CHANGES} rows, as that takes long here)."
        if _is_large(evidence)
        else "",
    ]
    text = " ".join(filter(None, notes))
    return "\n".join([*parts, paragraph(text if text.endswith(".") else f"{text}.", "soft")])


def _halves(wrong: NDArray[np.bool_]) -> str:
    """Say how many errors are among the surer half of rows, which come last."""
    half = len(wrong) - len(wrong) // 2
    surer, others = int(wrong[half:].sum()), int(wrong[:half].sum())
    if not surer + others:
        return "None of them is wrong."
    if not surer:
        be = "is" if others == 1 else "are all"
        return f"Its {count(others, 'error')} on them {be} in the less sure half of the rows."
    be = "is" if surer == 1 else "are"
    return (
        f"Of its {count(surer + others, 'error')} on them {surer:,} {be} in the surer half of the rows and "
        f"{others:,} in the other."
    )


def _is_large(evidence: Evidence) -> bool:
    return evidence.network.n_hidden >= MANY_UNITS


def _told(evidence: Evidence, some: list[int], answers: NDArray, name: str, sure: NDArray) -> str:
    """Return a table of rows: answer, how sure it is, values, and what would change it."""
    shown, scale = evidence.important[:MOST_VALUES], evidence.network.surroundings.scale
    lines: list[list[Any]] = []
    for place, i in enumerate(some):
        row = np.asarray(evidence.X[i], dtype=float)
        truth = "rightly" if answers[i] == evidence.y[i] else f"truly {evidence.y[i]}"
        values = ", ".join(f"{told_name(one)} {value_text(one, row, scale, DIGITS)}" for one in shown)
        other = other_answer(evidence, row) if place < FEW_CHANGES or not _is_large(evidence) else ""
        lines.append(
            [
                f"{evidence.numbers[i]}: {answers[i]}, {truth}",
                f"{sure[i]:.3f}" if sure[i] < 0.9995 else "> 0.999",
                Cell(values, "text"),
                Cell(other, "text"),
            ]
        )
    return table(["row and answer", name, "values", "the nearest other answer"], lines, stacked=True)


def other_answer(evidence: Evidence, row: NDArray) -> str:
    """Say what would change an answer, as an explanation does: the attributes that have to change most."""
    return change_text(explain(evidence.network, row.view(InputRows)), MOST_CHANGED)


def missing(evidence: Evidence) -> str:
    """Return what each attribute's absence would do, and the rows that really lack values."""
    network = evidence.network
    step = -(-len(evidence.X) // MOST_ROWS)
    X, y = evidence.X[::step], evidence.y[::step]
    answers, attributes = network.predict(X), evidence.important
    before = int(np.count_nonzero(answers != y))
    head = ["without", "rows whose answer changes", "errors more or fewer"]
    if not _is_large(evidence):  # of many units it takes very long to try all values
        head.insert(1, "rows whose answer is the same for every possible value")
    rows = []
    for one in attributes[:MOST_ATTRIBUTES]:
        lacking = X.copy()
        lacking[:, list(one.inputs)] = np.nan
        guesses = Answers(network, lacking).labels()
        changed, errors = float(np.mean(guesses != answers)), int(np.count_nonzero(guesses != y))
        more = f"{errors - before:+,}".replace("-", "−") if errors != before else "0"
        line: list[Any] = [told_name(one), percent(changed), more]
        if not _is_large(evidence):
            sure = float(np.mean([possible.certain for possible in possible_classes(network, lacking)]))
            line.insert(1, Cell(percent(sure), bar=sure))
        rows.append(line)
    shown = ""
    if len(attributes) > MOST_ATTRIBUTES:
        shown = f" Shown are the {MOST_ATTRIBUTES} most important of {len(attributes)} attributes."
    every = (
        f"all {len(X):,} rows"
        if step == 1
        else f"every {_ordinal(step)} of the {len(evidence.X):,} rows ({len(X):,}), to save time"
    )
    parts = [
        paragraph(
            "What if a value is not known when the model is asked? Each attribute is taken away in turn; the "
            f"most probable answer is given, by the other attributes. Tried on {every}.{shown}"
        ),
        table(head, rows),
        paragraph(
            f"With all values the model on this page makes {count(before, 'error')} on these rows. If it was "
            "trained on them, that flatters it; the last column tells how many more or fewer there are.",
            "soft",
        ),
    ]
    if len(evidence.incomplete):
        parts.append(_incomplete(evidence))
    return "\n".join(parts)


def _ordinal(n: int) -> str:
    """Write which one of a row: 2nd, 3rd, 4th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th") if n % 100 not in (11, 12, 13) else "th"
    return f"{n}{ending}"


def _incomplete(evidence: Evidence) -> str:
    """Return the rows that lack values: what they can be, and if it is always the same one a picture."""
    network, X, y = evidence.network, evidence.incomplete, evidence.incomplete_y
    possible, found = possible_classes(network, X), Answers(network, X)
    answers = found.labels()
    rows = [
        [
            number,
            label,
            answer,
            f"{share:.2f}" if share < 0.995 else "> 0.99",
            Cell(str(one).removeprefix("certain: "), "text"),
        ]
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
        f"<h3>The {count(len(X), 'row that lacks', 'rows that lack')} values</h3>",
        paragraph(f"Of the most probable answers {wrong} of {len(X)} are wrong.{cut} {how}"),
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
