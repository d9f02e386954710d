"""Chooses with many rows: networks learn the labels themselves and are judged on rows set aside.

With so many rows per weight, labels need no teacher to smooth them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.candidate import Candidate
from netlines.selection.choice import LEAN, Choice, slimmed
from netlines.selection.data import Data
from netlines.selection.folds import Examples
from netlines.selection.judge import Judge
from netlines.selection.students import TOLERANCE, Lessons, Student, name_of, teach
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.trimming import trimmed
from netlines.selection.units import all_units, best_units, linear_candidate
from netlines.training.cases import Cases

MANY = 10_000  # patterns from which on networks are trained directly
MOST = 60_000  # examples that a network learns from
FEW = 4000  # examples that calibrate the networks that are compared
DECAY = 1e-5


@dataclass(frozen=True)
class Rules:
    """Whether units of the path are tried, how often units of a network are retrained, and after how many
    sizes without a better one no larger are tried.
    """

    path: bool
    sweeps: int
    patience: float


RULES = Cases(two=Rules(True, sweeps=4, patience=np.inf), more=Rules(False, sweeps=0, patience=2))


def choose_directly(data: Data, linear: Teacher, judge: Judge, terms: Terms) -> Choice:
    """Choose between single units and networks, by the single fold of `data`.

    The smallest network within `TOLERANCE` standard errors of the best is compared with the units, which may
    fall behind by `LEAN` standard errors. Of more than two classes the units are a multinomial regression.
    """
    (fold,), rules = data.folds, RULES.of(data.n_classes)
    units = (
        all_units(data, linear, terms.run, terms.stages) if rules.path else [linear_candidate(data, linear)]
    )
    units = [] if terms.only_shared else units
    lessons, few = (_lessons(data, fold.train.where(slice(most))) for most in (MOST, FEW))
    exam = _lessons(data, fold.test)
    how: dict[str, Any] = {"seed": terms.seed, "decay": DECAY, "sweeps": rules.sweeps, "run": terms.run}
    students: list[Student] = []
    networks: list[Candidate] = []
    errors: list[float] = []
    for size in terms.sizes(data.n_classes):
        terms.stages.begin_student(name_of(size))
        students.append(teach(lessons, exam, size, **how))
        networks.append(_candidate(students[-1], few, exam, data))
        errors.append(judge.mean(judge.errors(networks[-1])))
        if int(np.argmin(errors)) < len(errors) - rules.patience:
            break
    best = networks[int(np.argmin(errors))]
    allowed = min(errors) + TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(best))
    k = next(k for k, error in enumerate(errors) if error <= allowed)
    student, network = students[k], networks[k]
    candidates, reason = [*units, *networks], f"held-out {judge.words(network)}"
    if units:
        unit = best_units(judge, units)
        lag, se = judge.lag(unit, network)
        if lag <= LEAN[terms.prefer] * se:
            other = f"hardly worse than a {network.name} ({judge.words(network)})"
            return Choice(unit, candidates, f"held-out {judge.words(unit)}, {other}", students=students)
        reason += f"; {unit.name}: {judge.words(unit)}"
    terms.stages.begin("probabilities")
    choice = Choice(network, candidates, reason, students=students)
    student = trimmed(student, lessons.X, exam.X)
    network, candidates = slimmed(choice, student)
    calibration = calibrated(student, exam, data.priors)
    return Choice(network, candidates, reason, student, calibration, students)


def _lessons(data: Data, examples: Examples) -> Lessons:
    """Return the labels of examples as lessons."""
    X = np.ascontiguousarray(data.X[:, examples.pattern])
    return Lessons(X, np.eye(data.n_classes)[examples.labels], examples.share)


def _candidate(student: Student, few: Lessons, exam: Lessons, data: Data) -> Candidate:
    """Return a student with what it says about the exam, calibrated by lessons."""
    p = student_probabilities(student, calibrated(student, few, data.priors), exam.X)
    return Candidate(student.name, student.size, student.n_weights, [p], role="network")
