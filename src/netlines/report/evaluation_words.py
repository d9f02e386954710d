"""An evaluation in words and in tables of plain text, for those who know no statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from netlines._words import count, joined, percent, wrapped
from netlines.network.verdict import CLEAR
from netlines.report.plain_table import plain_table, quoted, short_names, text_width

if TYPE_CHECKING:
    from netlines.network.shares import Share
    from netlines.report.evaluation import Evaluation
    from netlines.report.probability_scores import OfProbabilities

MOST_CLASSES = 20  # of a table
MOST_PAIRS = 10
FEW_ROWS = 200  # below which the calibration error is mostly chance
NAMED = 5  # unknown labels


def full_text(evaluation: Evaluation, width: int) -> str:
    """Return all that an evaluation tells."""
    parts = [
        [_wrapped(line, width) for line in [_rows(evaluation), *_main(evaluation)]],
        _confusion(evaluation, width),
        _by_class(evaluation, width),
    ]
    if evaluation.probabilities is not None:
        parts.append(_probabilities(evaluation, evaluation.probabilities, width))
    return "\n\n".join("\n".join(part) for part in parts if part)


def short_lines(evaluation: Evaluation) -> list[str]:
    """Return the error, what stands beside it, and what the probabilities are worth, in a few sentences."""
    first, second = evaluation.by_class[0], evaluation.by_class[-1]
    lines = [error_sentence(evaluation), *_unknown(evaluation)]
    if len(evaluation.classes) == 2 and first.recall and second.recall:
        lines.append(
            f"sensitivity for {quoted(second.label)} {_with_interval(second.recall)}, "
            f"specificity {_with_interval(first.recall)}"
        )
    elif len(evaluation.classes) > 2 and evaluation.balanced_accuracy is not None:
        found = [(one, one.recall) for one in evaluation.by_class if one.recall]
        worst, recall = min(found, key=lambda pair: pair[1].value)
        lines.append(
            f"balanced accuracy {percent(evaluation.balanced_accuracy)}; found least: {quoted(worst.label)}, "
            f"{_with_interval(recall)} of {count(worst.rows, 'row')}"
        )
    p = evaluation.probabilities
    if p is not None:
        auc = "" if p.auc is None else f"AUC {p.auc:.3f}, "
        lines.append(f"probabilities: {auc}log-loss {p.log_loss:.3f}, Brier score {p.brier:.3f}")
    return lines


def short_text(evaluation: Evaluation, width: int) -> str:
    """Return the same in lines of a width."""
    return "\n".join(_wrapped(line, width) for line in short_lines(evaluation))


def error_sentence(evaluation: Evaluation) -> str:
    """Return the error with its interval, beside that of always giving one answer."""
    error, guess = evaluation.error, evaluation.guess_error
    lag, se = evaluation.lag
    verdict = ""
    if lag > CLEAR * se:
        verdict = ": that is worse than guessing"
    elif -lag <= CLEAR * se:
        verdict = ": that is no better than guessing"
    return (
        f"error {_with_interval(error)}, {error.hits:,} of {count(error.of, 'row')}; "
        f"always answering {quoted(evaluation.guess)} errs on {percent(guess.value)}{verdict}"
    )


def _rows(evaluation: Evaluation) -> str:
    judged = count(evaluation.n_rows, "row is judged", "rows are judged")
    if not evaluation.n_missing:
        return judged
    n = evaluation.n_missing
    return f"{judged}; {count(n, 'more has', 'more have')} no label and {_be(n)} left out"


def _unknown(evaluation: Evaluation) -> list[str]:
    if not evaluation.unknown:
        return []
    n, labels = sum(rows for _, rows in evaluation.unknown), [label for label, _ in evaluation.unknown]
    named = [*map(quoted, labels[:NAMED])]
    named += [f"{len(labels) - NAMED} more"] if len(labels) > NAMED else []
    classes = "a class" if len(labels) == 1 else "classes"
    rows = count(n, "row is", "rows are")
    return [f"{rows} of {classes} that the model does not know ({joined(named)}), and counted as errors"]


def _main(evaluation: Evaluation) -> list[str]:
    """Return the sentences on errors."""
    lines = [error_sentence(evaluation), *_unknown(evaluation)]
    absent = [quoted(one.label) for one in evaluation.by_class if not one.rows]
    if absent:
        some = joined(
            [*absent[:NAMED], *([f"{len(absent) - NAMED} more"] if len(absent) > NAMED else [])], "or"
        )
        lines.append(f"no row is of class {some}: what the model does on such rows is not known")
    if evaluation.balanced_accuracy is not None and len(evaluation.classes) > 1:
        lines.append(
            f"balanced accuracy {percent(evaluation.balanced_accuracy)}: the share of right answers, taken "
            "class by class and averaged, so that rare classes count as much as frequent ones"
        )
    return lines + _two_classes(evaluation)


def _two_classes(evaluation: Evaluation) -> list[str]:
    """Return sensitivity and specificity in words; nothing of other than two classes."""
    if len(evaluation.classes) != 2:
        return []
    other, own = evaluation.by_class
    lines = []
    for name, one in (("sensitivity", own), ("specificity", other)):
        label = quoted(one.label)
        if one.recall is not None:
            rows = f"of {count(one.rows, 'row that is', 'rows that are')} {label}, {one.recall.hits:,}"
            lines.append(
                f"{name} {_with_interval(one.recall)}: {rows} {_be(one.recall.hits)} answered {label}"
            )
    if len(lines) == 2:
        lines.append(
            f"({quoted(own.label)} is taken for the finding; were it {quoted(other.label)}, sensitivity and "
            "specificity would change places)"
        )
    return lines


def _confusion(evaluation: Evaluation, width: int) -> list[str]:
    """Return the counts of answers to each class or, if they are too wide, the pairs most often confused."""
    names = short_names(evaluation.classes, 16)
    rows = [
        [f"truly {name}", *map(str, line)] for name, line in zip(names, evaluation.confusion, strict=True)
    ]
    if evaluation.unknown:
        rows.append(["truly another", *map(str, evaluation.confusion_unknown)])
    lines = plain_table(["answered:", *names], rows)
    if len(names) <= MOST_CLASSES and max(map(text_width, lines)) <= width:
        return ["how often each class was answered", *lines]
    pairs = [
        (n, a, b) for a, line in enumerate(evaluation.confusion) for b, n in enumerate(line) if a != b and n
    ]
    pairs.sort(key=lambda pair: (-pair[0], pair[1:]))
    if not pairs:
        return []
    room = (width - 30) // 2
    labels = short_names(evaluation.classes, room)
    shown = [
        [labels[a], labels[b], f"{n:,}", f"{n / evaluation.by_class[a].rows:.0%}".replace("%", " %")]
        for n, a, b in pairs[:MOST_PAIRS]
    ]
    more = len(pairs) - MOST_PAIRS
    title = "which classes are confused most" + (f" ({more:,} more pairs are)" if more > 0 else "")
    return [title, *plain_table(["truly", "answered", "rows", "of its rows"], shown, left=2)]


def _by_class(evaluation: Evaluation, width: int) -> list[str]:
    classes = list(evaluation.by_class)
    title = "class by class"
    if len(classes) > MOST_CLASSES:
        classes = sorted((one for one in classes if one.recall), key=lambda one: one.recall.value)  # type: ignore[union-attr]
        classes = classes[:MOST_CLASSES]
        title = f"the {len(classes)} classes of {len(evaluation.by_class)} that are found least"
    cells = [
        [
            f"{one.rows:,}",
            _short_interval(one.recall) if one.recall else "no rows",
            _short_interval(one.precision) if one.precision else "never answered",
            "" if one.f1 is None else f"{one.f1:.2f}",
        ]
        for one in classes
    ]
    heads = ["rows", "found (recall)", "right (precision)", "F1"]
    room = width - max(map(text_width, plain_table(heads, cells, left=0))) - 2
    names = short_names([one.label for one in classes], max(room, 8))
    rows = [[name, *line] for name, line in zip(names, cells, strict=True)]
    return [
        f"{title}, with 95 % intervals",
        *plain_table(["class", *heads], rows),
        _wrapped("found: the share of the rows of a class that get its answer", width),
        _wrapped("right: the share of the rows with that answer that are of the class", width),
    ]


def _probabilities(evaluation: Evaluation, p: OfProbabilities, width: int) -> list[str]:
    two = len(evaluation.classes) == 2
    first, second = quoted(evaluation.classes[0]), quoted(evaluation.classes[-1])
    lines = [
        "probabilities"
        if not evaluation.unknown
        else f"probabilities, of the {p.rows:,} rows of known classes"
    ]
    if p.auc is None:
        lines.append("AUC is not known: it needs rows of every class")
    elif two:
        lines.append(
            f"AUC {p.auc:.3f}: of a row that is {second} and one that is {first}, the first has the higher "
            f"probability of {second} in {percent(p.auc)} of all pairs; 50 % would be guessing"
        )
    else:
        lines.append(
            f"AUC {p.auc:.3f}: the mean over the classes, each against all others; of a row of the class and "
            f"another, the first has the higher probability of it in {percent(p.auc)} of all pairs"
        )
    lines.append(
        f"log-loss {p.log_loss:.3f}: lower is better, 0 is perfect; giving every row the overall shares of "
        f"the classes as its probabilities would score {p.guess_log_loss:.3f}"
    )
    what = f"of the probability of {second}" if two else "of the probabilities of all classes, summed"
    lines.append(
        f"Brier score {p.brier:.3f}: the mean squared error {what}, lower is better; the overall shares "
        f"would score {p.guess_brier:.3f}"
    )
    few = f"; of only {count(p.rows, 'row')}, much of that may be chance" if p.rows < FEW_ROWS else ""
    lines.append(
        "calibration: the probability that the model states for its answer and the share of right answers "
        f"differ by {100 * p.calibration_error:.1f} percentage points on average{few} (expected calibration "
        "error, in ten groups of equally many rows)"
    )
    rows = [
        [
            f"{one.low:g}–{one.high:g}",
            f"{one.right.of:,}",
            f"{one.mean:.3f}",
            percent(one.right.value),
            f"{100 * one.right.low:.1f} to {100 * one.right.high:.1f} %",
        ]
        for one in p.said
    ]
    heads = ["stated", "rows", "on average", "were right", "95 % interval"]
    return [*(_wrapped(line, width) for line in lines), *plain_table(heads, rows)]


def _with_interval(share: Share) -> str:
    return f"{percent(share.value)} (95 % interval {100 * share.low:.1f} to {100 * share.high:.1f} %)"


def _short_interval(share: Share) -> str:
    return f"{percent(share.value)} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _wrapped(line: str, width: int) -> str:
    return wrapped(line.replace(" %", "\N{NO-BREAK SPACE}%"), width)
