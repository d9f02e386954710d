"""How good answers are whose truth is known: errors, what each class gets, and what probabilities are worth.

1. Rows whose label is missing are left out, and counted.
2. Rows of classes that the model does not know count as errors. Only recall and the scores of probabilities,
   which such rows have not, are about the others.
3. Intervals are Wilson's, of 95 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import count, listed
from netlines.network.shares import Share, counted
from netlines.report.evaluation_words import full_text, short_text
from netlines.report.probability_scores import OfProbabilities, of_probabilities
from netlines.tables.cells import text_of
from netlines.tables.numbers import MISSING, plain_number


@dataclass(frozen=True)
class OfClass:
    """What a class gets.

    Attributes
    ----------
    label : the class
    rows, answered : int
        How many rows are of it, and to how many it is answered.
    recall, precision : Share or None
        The share of its rows that it is answered to, and that of the answers that are right; None of none.
    f1 : float or None
        Twice the right answers by the sum of rows and answers.
    """

    label: Any
    rows: int
    answered: int
    recall: Share | None
    precision: Share | None
    f1: float | None


@dataclass(frozen=True)
class Evaluation:
    """How good answers are: plain values, and `text` that tells them.

    Attributes
    ----------
    classes : tuple
        Those of the model.
    n_rows, n_missing : int
        Rows that are judged, and those left out as they have no label.
    unknown : tuple of (str, int)
        Labels that the model does not know, and their rows, the most frequent first.
    error, guess_error : Share
        Of the answers, and of always answering `guess`, the most frequent class of the table.
    confusion : tuple of tuples of int
        Rows of each true class (outer) by their answer (inner).
    confusion_unknown : tuple of int
        Rows of unknown classes by their answer.
    balanced_accuracy : float or None
        The mean recall of the classes that have rows.
    by_class : tuple of OfClass
    probabilities : OfProbabilities or None

    Examples
    --------
    >>> from netlines.report.evaluation import evaluate
    >>> found = evaluate(["ill", "well", "well"], ["ill", "ill", "well"], ["ill", "well"])
    >>> found.error.hits, found.confusion
    (1, ((1, 1), (0, 1)))
    >>> print(found.summary(80))
    error 33.3 % (95 % interval 6.1 to 79.2 %), 1 of 3 rows; always answering 'ill'
        errs on 33.3 %: that is no better than guessing
    sensitivity for 'well' 100.0 % (95 % interval 20.7 to 100.0 %), specificity
        50.0 % (95 % interval 9.5 to 90.5 %)
    """

    classes: tuple[Any, ...]
    n_rows: int
    n_missing: int
    unknown: tuple[tuple[str, int], ...]
    error: Share
    guess: Any
    guess_error: Share
    confusion: tuple[tuple[int, ...], ...]
    confusion_unknown: tuple[int, ...]
    balanced_accuracy: float | None
    by_class: tuple[OfClass, ...]
    probabilities: OfProbabilities | None = None

    @property
    def lag(self) -> tuple[float, float]:
        """By how much the answers err more often than always `guess`, row by row, and the standard error."""
        n = self.n_rows
        label = next((one for one in self.by_class if one.label == self.guess), None)
        both = label.recall.hits if label is not None and label.recall is not None else 0
        only_guess = n - self.guess_error.hits - both  # is right there
        only_model = n - self.error.hits - both
        lag = (only_guess - only_model) / n
        return lag, sqrt(max((only_guess + only_model) / n - lag * lag, 0.0) / n)

    def text(self, width: int = 80) -> str:
        """Return all of it in words and tables."""
        return full_text(self, width)

    def summary(self, width: int = 80) -> str:
        """Return the most important of it in a few lines."""
        return short_text(self, width)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as JSON can hold them."""
        return asdict(self)


def evaluate(
    labels: ArrayLike, truth: Any, classes: Sequence[Any] | NDArray, probabilities: ArrayLike | None = None
) -> Evaluation:
    """Compare answers with the truth.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The answers, each one of `classes`.
    truth : array-like of shape (n,)
        The labels; those of a file may be texts where classes are numbers. None, NaN and texts such as "" or
        "NA" are missing, unless a class is called so.
    classes : sequence
        Those of the model, in its order.
    probabilities : array-like of shape (n, C), optional

    Raises
    ------
    ValueError
        If the lengths differ, an answer is none of the classes, no row has a label, or
        probabilities are not such.
    """
    known = _plain(classes)
    answers = _numbers(_plain(labels), known)
    true = _numbers(_plain(truth), known)
    if len(answers) != len(true):
        raise ValueError(
            f"there must be one label for each answer, got {len(true)} for {len(answers)} answers"
        )
    for one in answers:
        if not isinstance(one, int):
            raise ValueError(f"an answer is {one!r}; the classes are {listed(known)}")
    there = np.array([one is not None for one in true], dtype=bool)
    if not there.any():
        raise ValueError(f"no row has a label to judge by: the label is missing in {count(len(true), 'row')}")
    strange = Counter(one for one in true if isinstance(one, str))
    of_class = np.array([one if isinstance(one, int) else -1 for one in true])
    judged, said = of_class[there], np.array(answers, dtype=int)[there]
    confusion = np.zeros((len(known) + 1, len(known)), dtype=int)
    np.add.at(confusion, (judged, said), 1)  # -1 is the last row
    n, right = len(judged), int(np.trace(confusion))
    by_class = tuple(_of_class(label, k, confusion) for k, label in enumerate(known))
    recalls = [one.recall.value for one in by_class if one.recall]
    sizes: dict[Any, int] = {one.label: one.rows for one in by_class} | dict(strange)
    guess = max(sizes, key=lambda label: sizes[label])
    rows = there & (of_class >= 0)
    return Evaluation(
        classes=tuple(known),
        n_rows=n,
        n_missing=int((~there).sum()),
        unknown=tuple(strange.most_common()),
        error=counted(n - right, n),
        guess=guess,
        guess_error=counted(n - sizes[guess], n),
        confusion=tuple(map(tuple, confusion[:-1].tolist())),
        confusion_unknown=tuple(confusion[-1].tolist()),
        balanced_accuracy=float(np.mean(recalls)) if recalls else None,
        by_class=by_class,
        probabilities=None
        if probabilities is None
        else of_probabilities(probabilities, rows, of_class, np.array(answers), len(known)),
    )


def _of_class(label: Any, k: int, confusion: NDArray) -> OfClass:
    hits, rows, answered = (int(n) for n in (confusion[k, k], confusion[k].sum(), confusion[:, k].sum()))
    return OfClass(
        label,
        rows,
        answered,
        counted(hits, rows) if rows else None,
        counted(hits, answered) if answered else None,
        2 * hits / (rows + answered) if rows + answered else None,
    )


def _plain(values: Any) -> list[Any]:
    """Return values as those of Python."""
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _numbers(labels: list[Any], classes: list[Any]) -> list[int | str | None]:
    """Return the number of each label's class; its text if it is no class, None if it is missing."""
    known = {text_of(label): k for k, label in enumerate(classes)}
    known |= {str(label).lower(): k for k, label in enumerate(classes) if isinstance(label, bool)}
    found: dict[str, int | str | None] = {}
    numbers: list[int | str | None] = []
    for label in labels:
        if label is None or type(label).__name__ in ("NAType", "NaTType") or label != label:
            numbers.append(None)
            continue
        text = text_of(label)
        if text not in found:
            number = plain_number(text)
            other = text if number is None else text_of(number)
            found[text] = known.get(text, known.get(other, None if text in MISSING else text))
        numbers.append(found[text])
    return numbers
