"""Networks that learn the labels themselves: with many rows for each weight no teacher has to smooth them.

1. In each fold a network of each size learns the labels of the training part.
2. It is kept as it is: taught anew with all rows it might end elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from numpy.typing import NDArray

from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.candidate import Candidate
from netlines.selection.chosen import Choice, slimmed
from netlines.selection.course import Course, Lessons
from netlines.selection.data import Data
from netlines.selection.folds import Fold
from netlines.selection.students import Student, name_of
from netlines.selection.teaching import Cooling, teach
from netlines.selection.terms import Terms
from netlines.selection.trimming import trimmed
from netlines.training.cases import Cases
from netlines.training.descent import Descent

SMALL = (2, 3, 4, 6)  # sizes that learn labels well with some thousands of rows
MOST = 60_000  # examples that a network learns from
FEW = 4000  # examples that calibrate the networks that are compared
COOLING = Cooling(decay=1e-5, sweeps=4)
DESCENT = Cases(
    two=Descent(steps=3000, batch=256, decay=1e-3),
    more=Descent(steps=3000, batch=512, decay=3e-4),
)


@dataclass(frozen=True, eq=False)
class Tried:
    """A student that learnt labels, and what was said about held-out examples by it and its like."""

    student: Student
    candidate: Candidate


def students_of(data: Data, sizes: Sequence[int], terms: Terms) -> list[Tried]:
    """Return a student of each size, the best of those of the folds."""
    return [student_of(data, size, terms) for size in sizes]


def student_of(data: Data, size: int, terms: Terms, run: Callable | None = None) -> Tried:
    """Teach students of a size the labels of each fold, and return the one that does best on all rows."""
    terms.stages.begin_student(name_of(size))
    descent = DESCENT.of(data.n_classes)

    def learnt(fold: Fold) -> tuple[Student, NDArray]:
        lessons = Lessons.of_labels(data, fold.train.where(slice(MOST)))
        exam = Lessons.of_labels(data, fold.test)
        course = Course(lessons, exam)
        student = teach(course, size, seed=terms.seed, run=run or map, cooling=COOLING, descent=descent)
        few = Lessons(lessons.X[:, :FEW], lessons.p[:FEW], lessons.share[:FEW])
        p = student_probabilities(student, calibrated(student, few, data.priors), exam.X)
        return student, p

    found = list(terms.run(learnt, data.folds))
    X, labels, weights = data.X[:, data.all.pattern], data.all.labels, data.all.weights
    students = [student for student, _ in found]
    best = students[0]
    if len(students) > 1:
        best = min(students, key=lambda one: float(weights[one.answers(X) != labels].sum()))
    held_out = [p for _, p in found]
    return Tried(best, Candidate(best.name, best.size, best.n_weights, held_out, role="network"))


def finished(data: Data, choice: Choice) -> Choice:
    """Return the choice of a network without the units that it can spare, and with its probabilities."""
    assert choice.student is not None
    tests = Lessons.of_labels(data, data.folds[0].test)
    more = data.X[:, data.folds[0].train.pattern[:MOST]]
    student = trimmed(choice.student, more, tests.X)
    chosen, candidates = slimmed(choice, student)
    calibration = calibrated(student, tests, data.priors)
    return replace(choice, chosen=chosen, candidates=candidates, student=student, calibration=calibration)
