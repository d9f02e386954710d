"""Chooses with many rows: networks learn the labels themselves and are judged on rows set aside.

With so many rows per weight, labels need no teacher to smooth them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import agreeing, expit
from netlines.selection.choice import (
    LEAN,
    Choice,
    Terms,
    best_unit,
    calibrated,
    linear_candidate,
    unit_candidates,
    unit_choice,
)
from netlines.selection.folds import Examples
from netlines.selection.judge import Candidate, Judge
from netlines.selection.students import TOLERANCE, Lessons, Student, sizes_up_to, teach
from netlines.selection.teachers.teacher import Data, Teacher

MANY = 10_000  # patterns from which on networks are trained directly
MOST = 60_000  # examples that a network learns from
DECAY, SWEEPS = 1e-5, 4


def choose_directly(data: Data, linear: Teacher, judge: Judge, terms: Terms) -> Choice:
    """Choose between units of the temperature path and networks, by the single fold of `data`.

    The smallest network within `TOLERANCE` standard errors of the best is compared with the unit, which may
    fall behind by `LEAN` standard errors.
    """
    (fold,) = data.folds
    units = [*unit_candidates(data, terms.run), linear_candidate(data, linear)]
    unit = best_unit(judge, units[:-1], units[-1])
    lessons, exam = _lessons(data, fold.train, MOST), _lessons(data, fold.test, len(fold.test.pattern))
    students = []
    for size in sizes_up_to(terms.max_hidden):
        students.append(
            teach(lessons, exam, size, seed=terms.seed, sweeps=SWEEPS, decay=DECAY, run=terms.run)
        )
        terms.watch(students[-1])
    networks = [_candidate(student, exam, data.all.priors(2)) for student in students]
    best = min(networks, key=lambda network: judge.mean(judge.errors(network)))
    error = judge.mean(judge.errors(best))
    allowed = TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(best))
    network = next(one for one in networks if judge.mean(judge.errors(one)) <= error + allowed)
    candidates = [*units, *networks]
    lag, se = judge.lag(unit, network)
    if lag <= LEAN[terms.prefer] * se:
        reason = f"held-out {judge.words(unit)}, hardly worse than a network's {judge.words(network)}"
        return unit_choice(data, unit, reason, candidates, students)
    reason = f"held-out {judge.words(network)}, a single unit's {judge.words(unit)}"
    student = students[networks.index(network)]
    return Choice(
        student, calibrated(student, exam, data.all.priors(2)), reason, network, candidates, students
    )


def _lessons(data: Data, examples: Examples, most: int) -> Lessons:
    """Return the labels of at most so many examples as lessons."""
    part = examples.where(slice(most))
    X = np.ascontiguousarray(data.X[:, part.pattern])
    return Lessons(X, part.labels.astype(float), part.share)


def _candidate(student: Student, exam: Lessons, priors: NDArray) -> Candidate:
    log_odds = calibrated(student, exam, priors).scores(student.fields(exam.X))[:, 0]
    held_out = [expit(agreeing(log_odds, student.answers(exam.X) > 0))]
    return Candidate(student.name, student.size, student.n_weights, held_out)
