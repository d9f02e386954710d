"""What shared layers are taught, on all rows and in the folds, and of which sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.selection.choice import Terms
from netlines.selection.folds import Fold
from netlines.selection.judge import Candidate
from netlines.selection.many.calibration import calibrated, student_probabilities
from netlines.selection.many.students import SIZES, SYNTHETIC, Lessons, Student, prepare, teach
from netlines.selection.teachers.teacher import Data, Teacher

USUAL = 3.0  # steepness of a calibration that is not chosen
PART = 4  # one in so many synthetic points is learnt where sizes are compared, and in the folds


@dataclass(frozen=True, eq=False)
class Course:
    """What shared layers are taught: the teacher's lessons and the exam, and its copies in the folds."""

    lessons: Lessons
    exam: Lessons
    teacher: Teacher

    @classmethod
    def of(cls, data: Data, teacher: Teacher, seed: int) -> Course:
        """Prepare the lessons."""
        p, n = teacher.answers(data), data.X.shape[1]
        share = np.bincount(data.all.pattern, data.all.share, n)
        lessons, exam = prepare(data.rows, p, share, data.units, teacher.probability, n=SYNTHETIC, seed=seed)
        return cls(lessons, exam, teacher)

    def try_sizes(self, terms: Terms, tolerance: float) -> list[Student]:
        """Teach layers of growing size some lessons, until one disagrees by no more than `tolerance`."""
        students: list[Student] = []
        for size in sizes_up_to(terms.max_hidden, self.lessons.p.shape[1]):
            students.append(teach(self.some, self.exam, size, seed=terms.seed, run=terms.run))
            terms.watch(students[-1])
            if students[-1].disagreement <= tolerance:
                break
        return students

    @property
    def some(self) -> Lessons:
        """The rows and a part of the synthetic points, which come after them."""
        n = len(self.lessons.share) - SYNTHETIC + SYNTHETIC // PART
        share = self.lessons.share[:n].copy()
        share[n - SYNTHETIC // PART :] *= PART
        return Lessons(np.ascontiguousarray(self.lessons.X[:, :n]), self.lessons.p[:n], share)

    def candidate(self, data: Data, student: Student, *, seed: int, run: Callable = map) -> Candidate:
        """Return a layer as a candidate: layers like it are taught in the folds, with less effort."""
        n = data.X.shape[1]

        def hold_out(job: tuple[Fold, Callable[[NDArray], NDArray]]) -> NDArray:
            fold, probability = job
            share = np.bincount(fold.train.pattern, fold.train.share, n)
            rows, share = data.rows[share > 0], share[share > 0]
            p, few = probability(rows), SYNTHETIC // PART
            lessons, exam = prepare(rows, p, share, data.units, probability, n=few, seed=seed)
            copy = teach(lessons, exam, student.size, seed=seed, starts=2)
            calibration = calibrated(copy, lessons, data.all.priors(len(data.classes)), (USUAL,))
            return student_probabilities(copy, calibration, data.X[:, fold.test.pattern])

        held_out = list(run(hold_out, zip(data.folds, self.teacher.in_folds, strict=True)))
        return Candidate(student.name, student.size, student.n_weights, held_out, student.fidelity)


def sizes_up_to(largest: int, n_classes: int) -> list[int]:
    """Return the numbers of hidden units to try, up to `largest` and with it.

    Fewer than the logarithm of the number of classes would not have a code for each of them.
    """
    smallest = int(np.ceil(np.log2(n_classes)))
    return [*(size for size in SIZES if smallest <= size < largest), largest]
