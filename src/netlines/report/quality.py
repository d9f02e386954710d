"""The sections of the report that tell how well the model does: errors, calibration, comparison."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, number, percent
from netlines.network.shares import Z, counted
from netlines.network.verdict import CHOSEN_BY
from netlines.plots import ReliabilityDisplay
from netlines.plots.reliability import PREDICTED
from netlines.report.comparison import GUESS, Scores
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import Cell, figure, folded, paragraph, table
from netlines.report.plain_table import quoted
from netlines.report.probability_scores import Said

FEW_CLASSES = 6  # of a confusion matrix with wide cells
FEW_ROWS = 200  # below which the calibration error is mostly chance
FLATTERS = "on the rows that the model was trained on: that flatters it"


def with_interval(hits: int, n: int) -> str:
    """Write a share with its 95 % interval.

    Examples
    --------
    >>> from netlines.report.quality import with_interval
    >>> with_interval(40, 320)
    '12.5 % (9.3 to 16.6)'
    """
    share = counted(hits, n)
    return f"{percent(share.value)} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def errors(evidence: Evidence) -> str:
    """Return how often the model errs on new rows, the confusion matrix, and what each class gets."""
    answers, n = evidence.network.predict(evidence.X), len(evidence.y)
    wrong = int(np.count_nonzero(answers != evidence.y))
    if evidence.scores:
        judged, how = evidence.scores[OWN].answers, "by models that had not seen the row"
        parts = [_of_procedure(evidence, judged)]
        small = f"The model of this page errs on {wrong:,} of these {count(n, 'row')} ({percent(wrong / n)})"
        parts.append(paragraph(f"{small}. If it was trained on them, that flatters it.", "soft"))
        parts += [paragraph(text, "soft") for text in when_made(evidence)]
    else:
        judged, how = answers, FLATTERS
        parts = [_not_measured(evidence)]
    parts += [
        f"<h3>Which class was answered for which, {how}</h3>",
        confusion(evidence.labels, evidence.y, judged),
        by_class(evidence.labels, evidence.y, judged),
        paragraph(
            "Found: the share of the rows of a class that get its answer. Right: the share of the rows "
            "with that answer that are of the class. In brackets 95 % intervals (Wilson's).",
            "soft",
        ),
    ]
    return "\n".join(parts)


def _of_procedure(evidence: Evidence, judged: NDArray) -> str:
    """Return the error of what led to the model, and how large the models were that made it."""
    n, missed = len(evidence.y), int(np.count_nonzero(judged != evidence.y))
    error, be = counted(missed, n), "was" if missed == 1 else "were"
    told = (
        f"Of {count(n, 'row')}, {missed:,} {be} answered wrongly by models that had not seen them: "
        f"{percent(error.value)} (95 % interval {100 * error.low:.1f} to {100 * error.high:.1f} %). "
        f"Everything that led to the model was redone in each of {evidence.folds} folds, the choice too, "
        "so this is the error of the procedure. It is what to expect of this model on new rows from the same "
        f"source. {sizes_sentence(evidence)}"
    )
    return paragraph(told)


def sizes_sentence(evidence: Evidence) -> str:
    """Say how many weights the models of the folds have, and this one."""
    sizes, own = evidence.scores[OWN].sizes, evidence.network.n_weights
    low, high = min(sizes), max(sizes)
    if low == high == own:
        return f"The models of the folds have {own:,} weights each, as this one has."
    spread = f"{low:,} weights each" if low == high else f"{low:,} to {high:,} weights"
    told = f"The models of the folds have {spread}, this model {own:,}."
    if low <= own <= high:
        return told
    side = "larger" if own > high else "smaller"
    return f"{told} It is {side} than all of them, so the error is less sure to be its own."


def when_made(evidence: Evidence) -> list[str]:
    """Say which error was found when the model was made, if it was another, and why it may be."""
    known, judged = evidence.known, evidence.scores[OWN].answers
    here = percent(float(np.mean(judged != evidence.y)))
    if "error" not in known or percent(known["error"]) == here:
        return []
    how = known.get("how", "")
    why = "for this page all was chosen anew in each fold" if how == CHOSEN_BY else "other folds, or rows"
    told = f"When the model was made, its error on new rows was {percent(known['error'])}"
    return [f"{told} ({f'{how}; ' if how else ''}{why})."]


def _not_measured(evidence: Evidence) -> str:
    """Return what is known of errors on new rows where no folds were made for the page."""
    known, verdict = evidence.known, evidence.verdict
    told = "How often the model errs on new rows was not measured for this page."
    if verdict is not None and verdict.error is not None:
        known = {**vars(verdict.error), "error": verdict.error.value, "how": verdict.how}
    if "error" in known:
        ends = ""
        if "low" in known and "high" in known:
            ends = f" (95 % interval {100 * known['low']:.1f} to {100 * known['high']:.1f} %)"
        how = f", {known['how']}" if known.get("how") else ""
        told = f"When the model was made, it erred on {percent(known['error'])} of new rows{ends}{how}. "
        told += "That was not measured again for this page."
    return paragraph(f"{told} What follows is counted {FLATTERS}.")


def confusion(labels: Sequence[Any], truth: NDArray, answers: NDArray) -> str:
    """Return how often each class was answered for each true class, shaded by the share of the true class."""
    counts = np.array([[np.count_nonzero((truth == a) & (answers == b)) for b in labels] for a in labels])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    narrow = "" if len(labels) <= FEW_CLASSES else "min-width: 0; padding: .35rem .5rem; "
    heads = "".join(f"<th>{escape(str(label))}</th>" for label in labels)
    body = []
    for i, label in enumerate(labels):
        cells = "".join(
            f'<td class="{kind}" style="{narrow}--share: {shares[i, j]:.3f}">{counts[i, j]}</td>'
            for j, kind in enumerate("hit" if i == j else "miss" for j in range(len(labels)))
        )
        body.append(f'<tr><th class="left">truly {escape(str(label))}</th>{cells}</tr>')
    return (
        '<div class="scroll"><table class="confusion"><thead>'
        f'<tr><th class="left">answered</th>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def by_class(labels: Sequence[Any], truth: NDArray, answers: NDArray) -> str:
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
    own = evidence.worth[OWN]
    if len(labels) == 2:
        k = evidence.finding
        display = ReliabilityDisplay(positive=evidence.of_class == k, p=p[:, k], label=str(labels[k])).plot()
    else:
        display = ReliabilityDisplay.of_classes(labels, evidence.y, evidence.scores[OWN].answers, p).plot()
    what = "are answered rightly" if display.label == PREDICTED else f"really are {quoted(display.label)}"
    caption = (
        f"How often rows of a probability {what}, by models that had not seen them: bars are 95 % "
        "intervals, numbers are rows. Where the dots are on the diagonal, probabilities mean what they say."
    )
    few = f" Of only {count(own.rows, 'row')}, much of that may be chance." if own.rows < FEW_ROWS else ""
    gap = (
        "The probability that is stated for an answer and the share of right answers differ by "
        f"{100 * own.calibration_error:.1f} percentage points on average, in ten groups of equally many "
        f"rows.{leaning(own.said)}{few}"
    )
    rows = [
        [
            f"{100 * one.low:g} to {100 * one.high:g} %",
            f"{one.right.of:,}",
            percent(one.mean),
            with_interval(one.right.hits, one.right.of),
        ]
        for one in own.said
    ]
    heads = ["probability stated for the answer", "rows", "on average", "answers that were right"]
    return "\n".join(
        [
            figure(display, "reliability", caption),
            paragraph(gap),
            folded("As a table", table(heads, rows)),
        ]
    )


def leaning(said: Sequence[Said]) -> str:
    """Say on which side the probabilities of answers are off as a whole; "" if that may be chance.

    Examples
    --------
    >>> from netlines.network.shares import counted
    >>> from netlines.report.probability_scores import Said
    >>> from netlines.report.quality import leaning
    >>> leaning([Said(0.7, 0.8, 0.75, counted(190, 200))])
    ' They state less than is true: 75.0 % on average, and 95.0 % of the answers were right.'
    >>> leaning([Said(0.7, 0.8, 0.75, counted(150, 200))])
    ''
    """
    rows = sum(one.right.of for one in said)
    stated = sum(one.mean * one.right.of for one in said) / rows
    right = counted(sum(one.right.hits for one in said), rows)
    if right.low <= stated <= right.high:
        return ""
    way = "less" if right.value > stated else "more"
    true = f"{percent(stated)} on average, and {percent(right.value)} of the answers were right"
    return f" They state {way} than is true: {true}."


def comparison(evidence: Evidence) -> str:
    """Return the errors, scores, sizes and times of the model's kind and of others on the same folds."""
    if not evidence.scores:
        return ""
    n, own = len(evidence.y), evidence.scores[OWN]
    wrong = {name: int(np.count_nonzero(one.answers != evidence.y)) for name, one in evidence.scores.items()}
    aucs = {name: one.auc for name, one in evidence.worth.items() if one.auc is not None}
    columns = [
        best_in({name: hits / n for name, hits in wrong.items()}, percent),
        best_in(aucs, _three, largest=True),
        best_in({name: one.log_loss for name, one in evidence.worth.items()}, _three),
        best_in({name: one.brier for name, one in evidence.worth.items()}, _three),
    ]
    rows = []
    for name, one in evidence.scores.items():
        error, *scores = (column.get(name, Cell("–")) for column in columns)
        share = counted(wrong[name], n)
        rows.append(
            [
                _named(name, evidence),
                error,
                f"{100 * share.low:.1f} to {100 * share.high:.1f}",
                "" if name == OWN else difference(own, one, evidence.y),
                *scores,
                Cell("–" if name == GUESS else spread(one.sizes), "wrap"),
                "–" if name == GUESS else number(float(np.mean(one.seconds)), 2),
            ]
        )
    heads = [
        "",
        "error",
        "95 % interval",
        "errs more than netlines by (points)",
        "AUC",
        "log-loss",
        "Brier score",
        "parameters (least to most)",
        "seconds to fit",
    ]
    brier = "" if len(evidence.labels) == 2 else " The Brier score is summed over the classes, from 0 to 2."
    brier += " AUC is the mean over the classes, each against the rest." if len(evidence.labels) > 2 else ""
    return "\n".join(
        [
            paragraph(
                f"The same {evidence.folds} folds for all, on rows that were not trained on; whatever is "
                "chosen is chosen anew within each. The best of a column is in bold, and what equals it."
            ),
            table(heads, rows),
            paragraph(
                "The fourth column compares row by row: above 0 netlines errs less often; where the interval "
                f"in brackets has no 0 in it, the difference is hardly chance. {differing(evidence)}"
                f"AUC: higher is better, 0.5 is guessing. Log-loss and Brier score: lower is better.{brier}",
                "soft",
            ),
        ]
    )


def best_in(values: dict[str, float], written: Any, *, largest: bool = False) -> dict[str, Cell]:
    """Return cells of a column, those bold that look the same as the best.

    Examples
    --------
    >>> from netlines.report.quality import best_in
    >>> [cell.kind for cell in best_in({"a": 0.1041, "b": 0.1039, "c": 0.2}, "{:.3f}".format).values()]
    ['best', 'best', '']
    """
    if not values:
        return {}
    best = written((max if largest else min)(values.values()))
    texts = {name: written(value) for name, value in values.items()}
    return {name: Cell(text, "best" if text == best else "") for name, text in texts.items()}


def difference(own: Scores, other: Scores, truth: NDArray) -> str:
    """Return by how many points another model errs more often than the own one, with its 95 % interval.

    It is paired: rows that both answer rightly, or both wrongly, say nothing.
    """
    apart = (other.answers != truth).astype(float) - (own.answers != truth)
    if not apart.any():
        return "0.0, errs on the same rows"
    mean, half = 100 * apart.mean(), 100 * Z * apart.std() / np.sqrt(len(apart))
    return f"{_signed(mean)} ({_signed(mean - half)} to {_signed(mean + half)})"


def differing(evidence: Evidence) -> str:
    """Say on how many rows the logistic regression alone is right, and on how many netlines alone."""
    best = min(
        (name for name in evidence.scores if name not in (OWN, GUESS)),
        key=lambda name: np.count_nonzero(evidence.scores[name].answers != evidence.y),
    )
    mine, theirs = (evidence.scores[name].answers == evidence.y for name in (OWN, best))
    only = int(np.count_nonzero(mine & ~theirs)), int(np.count_nonzero(theirs & ~mine))
    if only == (0, 0):
        return f"Of the others the {best} errs least, on the same rows as netlines. "
    return (
        f"Of the others the {best} errs least: {count(only[0], 'row')} only netlines answers rightly, "
        f"{count(only[1], 'row')} only the {best}. "
    )


def spread(sizes: Sequence[int]) -> str:
    """Write the mean of numbers and, if they differ, the smallest and the largest.

    Examples
    --------
    >>> from netlines.report.quality import spread
    >>> spread([28, 41, 33]), spread([7, 7])
    ('34 (28 to 41)', '7')
    """
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{np.mean(sizes):,.0f} ({low:,} to {high:,})"


def _named(name: str, evidence: Evidence) -> str:
    if name != GUESS:
        return name
    return f"always answering {quoted(evidence.scores[GUESS].answers[0])}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−") if f"{value:.1f}" not in ("0.0", "-0.0") else "0.0"
