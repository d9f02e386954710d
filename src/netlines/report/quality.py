"""The sections of the report that tell how well the model does: errors, calibration, comparison."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import percent
from netlines.plots import ReliabilityDisplay
from netlines.plots.intervals import interval
from netlines.plots.reliability import PREDICTED
from netlines.report.comparison import Scores
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import Cell, figure, paragraph, table


def with_interval(hits: int, n: int) -> str:
    """Write a share with its 95 % interval."""
    low, high = interval(hits, n)
    return f"{percent(hits / n)} ({100 * low:.1f} to {100 * high:.1f})"


def errors(evidence: Evidence) -> str:
    """Return the errors on the rows and out of fold, the confusion matrix, and what each class gets."""
    answers = evidence.network.predict(evidence.X)
    wrong, n = int(np.count_nonzero(answers != evidence.y)), len(evidence.y)
    rows = [["the model on these rows", f"{wrong} of {n}", with_interval(wrong, n)]]
    judged, how = answers, "by the model itself on these rows"
    if evidence.scores:
        judged, how = evidence.scores[OWN].answers, "by copies that had not seen the row"
        missed = int(np.count_nonzero(judged != evidence.y))
        kind = f"copies trained without the row, {evidence.folds} folds"
        rows.append([kind, f"{missed} of {n}", with_interval(missed, n)])
    parts = [
        table(["", "errors", "95 % interval"], rows),
        paragraph(
            "The second line is what to expect of new rows: all that led to the model was done anew in each "
            "fold, its choices included. If the model was trained on these rows, the first line flatters it. "
            "Errors that the choice itself was made by may differ a little, as their folds are others."
            if evidence.scores
            else "If the model was trained on these rows, new ones will have more errors."
        ),
        f"<h3>Confusion matrix, {how}</h3>",
        confusion(evidence.labels, evidence.y, judged),
        by_class(evidence.labels, evidence.y, judged),
    ]
    return "\n".join(parts)


def confusion(labels: list[Any], truth: NDArray, answers: NDArray) -> str:
    """Return how often each class was answered for each true class, shaded by the share of the true class."""
    counts = np.array([[np.count_nonzero((truth == a) & (answers == b)) for b in labels] for a in labels])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    heads = "".join(f"<th>{escape(str(label))}</th>" for label in labels)
    body = []
    for i, label in enumerate(labels):
        cells = "".join(
            f'<td class="{kind}" style="--share: {shares[i, j]:.3f}">{counts[i, j]}</td>'
            for j, kind in enumerate("hit" if i == j else "miss" for j in range(len(labels)))
        )
        body.append(f'<tr><th class="left">truly {escape(str(label))}</th>{cells}</tr>')
    return (
        '<div class="scroll"><table class="confusion"><thead>'
        f'<tr><th class="left">answered</th>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def by_class(labels: list[Any], truth: NDArray, answers: NDArray) -> str:
    """Return for each class how many of its rows are found, and how many of its answers are right."""
    rows = []
    for label in labels:
        own, said = truth == label, answers == label
        both = int(np.count_nonzero(own & said))
        found = with_interval(both, int(own.sum())) if own.any() else "no rows"
        right = with_interval(both, int(said.sum())) if said.any() else "never answered"
        rows.append([label, int(own.sum()), found, right])
    return table(["class", "rows", "found (recall)", "right when answered (precision)"], rows)


def calibration(evidence: Evidence) -> str:
    """Return the reliability picture of probabilities out of fold, and what they score; "" without them."""
    p, labels = evidence.scores[OWN].probabilities if evidence.scores else None, evidence.labels
    if p is None:
        return ""
    display = ReliabilityDisplay.of_classes(labels, evidence.y, evidence.scores[OWN].answers, p).plot()
    what = "are answered rightly" if display.label == PREDICTED else f"really are {display.label}"
    caption = (
        f"How often rows of a probability {what}, by copies that had not seen them: bars are 95 % "
        "intervals, numbers are rows. On the diagonal probabilities can be taken at their word."
    )
    rows = [
        [name, *(f"{value:.3f}" for value in proper_scores(labels, evidence.y, scores.probabilities))]
        for name, scores in evidence.scores.items()
        if scores.probabilities is not None
    ]
    return "\n".join(
        [
            figure(display, "reliability", caption),
            table(["", "log-loss", "Brier score"], rows, own=0),
            paragraph("Lower is better for both.", "soft"),
        ]
    )


def proper_scores(labels: list[Any], truth: NDArray, p: NDArray) -> tuple[float, float]:
    """Return the mean log-loss and the mean Brier score of probabilities (n, C)."""
    hit = truth[:, None] == np.array(labels)
    loss = -np.log(np.maximum(p[hit], 1e-15)).mean()
    return float(loss), float(((p - hit) ** 2).sum(axis=1).mean())


def comparison(evidence: Evidence) -> str:
    """Return the errors, sizes and times of the model's kind and its peers on the same folds."""
    if not evidence.scores:
        return ""
    n = len(evidence.y)
    own = evidence.scores[OWN]
    worst = max(float(np.mean(scores.errors)) for scores in evidence.scores.values())
    rows = []
    for name, scores in evidence.scores.items():
        wrong = int(np.count_nonzero(scores.answers != evidence.y))
        rows.append(
            [
                name,
                Cell(percent(wrong / n), bar=wrong / n / max(worst, 1e-9)),
                with_interval(wrong, n).split(" ", 2)[2].strip("()"),
                against(own, scores, evidence.y) if scores is not own else "",
                f"{np.mean(scores.sizes):,.0f}",
                f"{1000 * np.mean(scores.seconds):,.0f}",
            ]
        )
    heads = ["", "error", "95 % interval", "only netlines right : only it right", "parameters", "ms a fit"]
    return "\n".join(
        [
            paragraph(
                f"The same {evidence.folds} folds for all; whatever is chosen is chosen within each. "
                "The fourth column counts the rows on which the two differ."
            ),
            table(heads, rows, own=0),
        ]
    )


def against(own: Scores, other: Scores, truth: NDArray) -> str:
    """Return on how many rows only the first is right and on how many only the second."""
    mine, theirs = own.answers == truth, other.answers == truth
    return f"{np.count_nonzero(mine & ~theirs)} : {np.count_nonzero(theirs & ~mine)}"
