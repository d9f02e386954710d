"""The section of the report on thresholds: ROC and precision-recall curves, what a threshold finds and costs.

All of it is drawn from probabilities of rows that the models had not seen. Of two classes it is about the
second or a first that is far rarer, of more about each against the rest.
"""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_curve

from netlines._words import percent
from netlines.network.verdict import LOGISTIC
from netlines.plots import DecisionCurveDisplay, ThresholdDisplay
from netlines.plots.style import BLUE, GREY, class_color, new_axes, plain, shortened
from netlines.plots.threshold import LETTERS, MOST_POINTS, AtThresholds, bare_axes
from netlines.report.comparison import GUESS
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import beside, figure, paragraph, table
from netlines.report.plain_table import quoted
from netlines.report.probability_scores import auc_interval
from netlines.report.quality import with_interval

MOST_CURVES = 5  # classes of a picture: those told apart worst
MOST_LINES = 20  # classes of a table
RARE = 0.1  # share of a class from which on more thresholds are told
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
SIZE = (3.9, 3.9)
LEGEND: dict[str, Any] = {"fontsize": LETTERS, "title_fontsize": LETTERS, "alignment": "left"}
LEGEND |= {"facecolor": "white", "edgecolor": "none", "framealpha": 0.85}  # curves may pass below it


class Curve(NamedTuple):
    """Probabilities of a class: whose, which rows are of it, and how they are drawn."""

    name: str
    positive: NDArray[np.bool_]
    p: NDArray
    looks: dict[str, Any]


def curves(evidence: Evidence) -> str:
    """Return how well probabilities tell the classes apart, at all thresholds; "" without folds or them."""
    p = evidence.scores[OWN].probabilities if evidence.scores else None
    if p is None:
        return ""
    return _of_two(evidence, p) if len(evidence.labels) == 2 else _of_many(evidence, p)


def _of_two(evidence: Evidence, p: NDArray) -> str:
    """Return all curves for the finding among two classes, and a table of thresholds."""
    k = evidence.finding
    positive, p = evidence.of_class == k, p[:, k]
    name = quoted(evidence.labels[k])
    auc, low, high = auc_interval(positive, p)
    ends = "" if low == high else f" (95 % interval {low:.3f} to {high:.3f})"
    first = (
        f"The class {name} is taken for the finding; were it {quoted(evidence.labels[1 - k])}, sensitivity "
        f"and specificity would change places. AUC {auc:.3f}{ends}: of a row that is {name} and one that is "
        f"not, the first has the higher probability of it in {percent(auc)} of all pairs. All figures are "
        "from models that had not seen the rows."
    )
    heads = [
        "answered from this probability on",
        "found (sensitivity)",
        "left alone (specificity)",
        "right when answered",
        "share answered",
    ]
    return "\n".join(
        [
            paragraph(first),
            beside(_pictures(evidence, positive, p)),
            f"<h3>Some thresholds for {escape(name, quote=False)}</h3>",
            table(heads, threshold_rows(positive, p, name), stacked=True),
            paragraph(
                "In brackets 95 % intervals. A threshold that was picked on these rows looks a little better "
                "here than it will on new ones.",
                "soft",
            ),
        ]
    )


def _pictures(evidence: Evidence, positive: NDArray[np.bool_], p: NDArray) -> list[str]:
    """Return ROC, precision and recall, what thresholds do, and the decision curve."""
    label, share = evidence.labels[evidence.finding], float(positive.mean())
    name, short = quoted(label), shortened(str(label))
    drawn = _drawn(evidence, positive, [OWN, *_beside(evidence)])
    return [
        figure(
            draw_roc(drawn),
            "roc",
            "ROC curve: rows found against false alarms, as the threshold is lowered. Top left is best, the "
            "diagonal is guessing.",
        ),
        figure(
            draw_precision(drawn, share),
            "precision",
            f"Precision and recall. The dotted line is the share of {name}, {percent(share)}, which guessing "
            "gets.",
        ),
        figure(
            ThresholdDisplay(positive=positive, p=p, label=short).plot(),
            "threshold",
            f"What changes if {name} is answered from another probability on than 0.5.",
        ),
        figure(
            DecisionCurveDisplay(positive=positive, p=p, label=short).plot(),
            "decision",
            "Decision curve: what acting on the model is worth. Somebody who acts from 10 % on takes nine "
            "false alarms for one hit. Where the curve is above both others, the model is worth using.",
        ),
    ]


def threshold_rows(positive: NDArray[np.bool_], p: NDArray, name: str) -> list[list[Any]]:
    """Return the lines of a table of thresholds: the answers, the best balance, high sensitivity."""
    every = np.unique(p)
    at = AtThresholds.of(positive, p, every)
    chosen: list[tuple[float, str]] = [(0.5, "the model's own answers")]
    balance = at.sensitivity + at.specificity
    chosen.append((every[_last_best(balance)], "sensitivity + specificity is largest (Youden)"))
    for wanted in (0.9, 0.95):
        enough = np.flatnonzero(at.sensitivity >= wanted)
        chosen.append((every[enough[-1]], f"finds at least {100 * wanted:.0f} % of {name}"))
    if positive.mean() < RARE:
        f1 = 2 * at.hits / (at.hits + at.alarms + at.positive)
        chosen.append((every[_last_best(f1)], "recall and precision are best together (F1)"))
        as_many = int(np.argmin(np.abs(at.hits + at.alarms - at.positive)))
        chosen.append((every[as_many], f"answers {name} as often as it is true"))
    together: dict[float, list[str]] = {}
    for threshold, why in chosen:
        together.setdefault(float(threshold), []).append(why)
    rows = []
    for threshold, whys in sorted(together.items(), key=lambda one: -one[0]):
        one = AtThresholds.of(positive, p, [threshold])
        hits, alarms = int(one.hits[0]), int(one.alarms[0])
        right = with_interval(hits, hits + alarms) if hits + alarms else "never answered"
        rows.append(
            [
                f"{_shown(threshold)}: {'; '.join(whys)}",
                with_interval(hits, one.positive),
                with_interval(one.negative - alarms, one.negative),
                right,
                percent(float(one.answered[0])),
            ]
        )
    return rows


def _shown(threshold: float) -> str:
    """Write a probability rounded down, so that no row of it falls below."""
    digits = 3 if threshold >= 0.01 else 5
    return f"{np.floor(threshold * 10**digits) / 10**digits:.{digits}f}"


def _last_best(values: NDArray) -> int:
    """Return where values are largest, the last place of equal ones."""
    return int(len(values) - 1 - np.argmax(values[::-1].round(12)))


def _beside(evidence: Evidence) -> list[str]:
    """Return the logistic regression and the peer of the best AUC."""
    found = {
        name: one.auc
        for name, one in evidence.worth.items()
        if name not in (OWN, GUESS) and one.auc is not None
    }
    best = [] if not found else [max(found, key=lambda name: found[name])]
    return list(dict.fromkeys([*([LOGISTIC] if LOGISTIC in found else []), *best]))


def _drawn(evidence: Evidence, positive: NDArray[np.bool_], names: list[str]) -> list[Curve]:
    """Return the curves of the model in blue, and of others in grey."""
    found = []
    for k, name in enumerate(names):
        p = evidence.scores[name].probabilities
        assert p is not None
        looks: dict[str, Any] = {"color": GREY, "linewidth": 1.0, "linestyle": DASHES[k % len(DASHES)]}
        if k == 0:
            looks = {"color": BLUE, "linewidth": 1.9, "zorder": 3}
        found.append(Curve(name, positive, p[:, evidence.finding], looks))
    return found


def draw_roc(curves: list[Curve]) -> Any:
    """Draw the rows that are found against false alarms."""
    ax = _axes("false alarms (1 − specificity)", "rows found (sensitivity)")
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    for one in curves:
        alarms, found, _ = roc_curve(one.positive, one.p)
        some = along(alarms, found)
        auc = auc_interval(one.positive, one.p)[0]
        ax.plot(alarms[some], found[some], label=f"{plain(one.name)}, {auc:.3f}", **one.looks)
    ax.legend(title="AUC", loc="lower right", **LEGEND)
    return ax.figure


def draw_precision(curves: list[Curve], guess: float | None = None) -> Any:
    """Draw the precision against the recall."""
    ax = _axes("rows found (recall)", "right when answered (precision)")
    if guess is not None:
        ax.axhline(guess, color=GREY, linewidth=0.8, linestyle=":")
    worth: list[float] = []
    for one in curves:
        precision, recall, _ = precision_recall_curve(one.positive, one.p)
        some = along(recall, precision)
        worth.append(average_precision_score(one.positive, one.p))
        text = f"{plain(one.name)}, {worth[-1]:.3f}"
        ax.plot(recall[some], precision[some], label=text, drawstyle="steps-post", **one.looks)
    place = "lower left" if np.mean(worth) > 0.5 else "upper right"  # where no curve is
    ax.legend(title="average precision", loc=place, **LEGEND)
    return ax.figure


def _axes(x: str, y: str) -> Any:
    ax = new_axes(None, figsize=SIZE)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x, ylabel=y)
    bare_axes(ax)
    return ax


def along(x: NDArray, y: NDArray, most: int = MOST_POINTS) -> NDArray[np.intp]:
    """Return the numbers of at most so many points of a curve, evenly along its way.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.curves import along
    >>> along(np.linspace(0, 1, 5), np.zeros(5), 3).tolist()
    [0, 2, 4]
    """
    if len(x) <= most:
        return np.arange(len(x))
    way = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    found = np.searchsorted(way, np.linspace(0, way[-1], most))
    return np.unique(np.minimum(found, len(x) - 1))


def _of_many(evidence: Evidence, p: NDArray) -> str:
    """Return ROC and precision-recall of the classes that are told apart worst, and a table of all."""
    lines = []
    for k, label in enumerate(evidence.labels):
        own = evidence.of_class == k
        average = average_precision_score(own, p[:, k])
        lines.append((k, label, int(own.sum()), *auc_interval(own, p[:, k]), average))
    worst = sorted(lines, key=lambda one: one[3])
    few = [
        Curve(
            shortened(str(label)),
            evidence.of_class == k,
            p[:, k],
            {"color": class_color(k), "linestyle": DASHES[order], "linewidth": 1.5},
        )
        for order, (k, label, *_) in enumerate(worst[:MOST_CURVES])
    ]
    which = "each class" if len(few) == len(lines) else f"the {len(few)} classes that are told apart worst"
    mean = float(np.mean([one[3] for one in lines]))
    rows = [
        [label, n, _three(auc, low, high), f"{average:.3f}", percent(n / len(p))]
        for _, label, n, auc, low, high, average in worst[:MOST_LINES]
    ]
    left = len(lines) - len(rows)
    roc = f"ROC curves of {which}. Top left is best, the diagonal is guessing."
    return "\n".join(
        [
            paragraph(
                "Each class against all others, by its probability, from models that had not seen the rows. "
                f"The mean AUC is {mean:.3f}: of a row of a class and another, the first has the higher "
                f"probability of it in {percent(mean)} of all pairs."
            ),
            beside(
                [
                    figure(draw_roc(few), "roc", roc),
                    figure(draw_precision(few), "precision", f"Precision and recall of {which}."),
                ]
            ),
            table(["class", "rows", "AUC (95 % interval)", "average precision", "share of the rows"], rows),
            paragraph(
                "The class that is told apart worst comes first. Guessing has the AUC 0.5, and the share of "
                "the rows for average precision."
                + (f" {left} more classes are told apart better." if left else ""),
                "soft",
            ),
        ]
    )


def _three(auc: float, low: float, high: float) -> str:
    return f"{auc:.3f}" if low == high else f"{auc:.3f} ({low:.3f} to {high:.3f})"
