"""Chooses with many rows: shared layers learn the labels themselves and are judged on rows set aside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.selection.choice import LEAN, Terms
from netlines.selection.folds import Examples
from netlines.selection.judge import Candidate, Judge
from netlines.selection.many.calibration import calibrated, student_probabilities
from netlines.selection.many.choice import Choice
from netlines.selection.many.course import sizes_up_to
from netlines.selection.many.students import Lessons, Student, teach
from netlines.selection.many.units import linear_candidate
from netlines.selection.many_rows import MOST
from netlines.selection.students import TOLERANCE
from netlines.selection.teachers.teacher import Data, Teacher
from netlines.training._softmax import one_hot

DECAY = 1e-5
PATIENCE = 2  # sizes without a better one after which no larger ones are tried


def choose_directly(
    data: Data, linear: Teacher, judge: Judge, terms: Terms, *, only_shared: bool = False
) -> Choice:
    """Choose between the multinomial regression and shared layers, by the single fold of `data`.

    The smallest layer within `TOLERANCE` standard errors of the best is compared with the regression, which
    may fall behind by `LEAN` standard errors.
    """
    (fold,), priors = data.folds, data.all.priors(len(data.classes))
    lessons, exam = _lessons(data, fold.train, MOST), _lessons(data, fold.test, len(fold.test.pattern))
    students: list[Student] = []
    layers: list[Candidate] = []
    for size in sizes_up_to(terms.max_hidden, len(data.classes)):
        student = teach(lessons, exam, size, seed=terms.seed, decay=DECAY, run=terms.run)
        p = student_probabilities(student, calibrated(student, lessons, priors), exam.X)
        students.append(student)
        layers.append(Candidate(student.name, size, student.n_weights, [p]))
        terms.watch(student)
        errors = [judge.mean(judge.errors(layer)) for layer in layers]
        if int(np.argmin(errors)) < len(errors) - PATIENCE:
            break
    best = layers[int(np.argmin(errors))]
    allowed = min(errors) + TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(best))
    k = next(k for k, error in enumerate(errors) if error <= allowed)
    units = [] if only_shared else [linear_candidate(data, linear)]
    candidates = [*units, *layers]
    if units:
        lag, se = judge.lag(units[0], layers[k])
        if lag <= LEAN[terms.prefer] * se:
            other = f"hardly worse than a shared layer's {judge.words(layers[k])}"
            return Choice(
                units[0], candidates, f"held-out {judge.words(units[0])}, {other}", students=students
            )
    reason = f"held-out {judge.words(layers[k])}"
    if units:
        reason += f", that of a multinomial logistic regression: {judge.words(units[0])}"
    calibration = calibrated(students[k], exam, priors)
    return Choice(layers[k], candidates, reason, students[k], calibration, students)


def _lessons(data: Data, examples: Examples, most: int) -> Lessons:
    """Return the labels of at most so many examples as lessons."""
    pattern, labels = examples.pattern[:most], examples.labels[:most]
    weights = examples.weights[:most]
    X, p = np.ascontiguousarray(data.X[:, pattern]), one_hot(labels, len(data.classes)).T
    return Lessons(X, p.astype(float), _share(weights))


def _share(weights: NDArray) -> NDArray:
    return np.asarray(weights / weights.sum())
