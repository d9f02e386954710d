"""What students are taught, on all rows and in the folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.folds import Examples, Fold
from netlines.selection.students import SCHEDULES, Lessons, Student, name_of, prepare, teach
from netlines.selection.teachers.teacher import Probability, Teacher
from netlines.training.calibration import STEEPNESS
from netlines.training.cases import Cases


@dataclass(frozen=True)
class LessEffort:
    """How students are taught in the folds.

    Attributes
    ----------
    part : one in so many synthetic points is learnt
    changes : what differs from the usual schedule
    steepnesses, lessons : that their calibration tries, and that it looks at
    """

    part: int
    changes: dict[str, Any]
    steepnesses: tuple[float, ...]
    lessons: float | None = None


# Of more classes the sizes are chosen by the errors in the folds, so that effort is spared with care: with a
# quarter of points and steps networks err far more than the one that is taught in the end, and single units,
# which lose nothing, seem to do as well.
LESS_EFFORT = Cases(
    two=LessEffort(4, {"starts": 4, "finalists": 1, "sweeps": 0}, STEEPNESS),
    more=LessEffort(2, {"starts": 1, "steps": 2000, "batch": 256}, (3.0,), 1500),
)


@dataclass(frozen=True, eq=False)
class Course:
    """What students are taught: the teacher's lessons and the exam, and the same in each fold.

    A fold's lessons come from the copy of the teacher that has not seen its test part.
    """

    lessons: Lessons
    exam: Lessons
    in_folds: list[tuple[Lessons, Lessons]]

    @classmethod
    def of(cls, data: Data, teacher: Teacher, seed: int, run: Callable = map) -> Course:
        """Prepare the lessons."""
        n, synthetic = data.X.shape[1], SCHEDULES.of(data.n_classes).synthetic
        part = LESS_EFFORT.of(data.n_classes).part

        def lessons(
            examples: Examples, probability: Probability, k: int, p: NDArray | None = None
        ) -> tuple[Lessons, Lessons]:
            share = np.bincount(examples.pattern, examples.share, n)
            rows, share = data.rows[share > 0], share[share > 0]
            p = probability(rows) if p is None else p
            return prepare(rows, p, share, data.standardisation, probability, n=k, seed=seed)

        def in_fold(job: tuple[Fold, Probability]) -> tuple[Lessons, Lessons]:
            return lessons(job[0].train, job[1], synthetic // part)

        whole = lessons(data.all, teacher.probability, synthetic, teacher.answers(data))
        return cls(*whole, list(run(in_fold, zip(data.folds, teacher.in_folds, strict=True))))

    def candidate(self, data: Data, size: int, *, seed: int, run: Callable = map) -> Candidate:
        """Return students of a size as a candidate: they are taught in the folds, with less effort."""
        less, priors = LESS_EFFORT.of(data.n_classes), data.priors

        def hold_out(job: tuple[tuple[Lessons, Lessons], Fold]) -> tuple[NDArray, Student]:
            (lessons, exam), fold = job
            copy = teach(lessons, exam, size, seed=seed, **less.changes)
            calibration = calibrated(copy, lessons, priors, less.steepnesses, less.lessons)
            return student_probabilities(copy, calibration, data.X[:, fold.test.pattern]), copy

        said = list(run(hold_out, zip(self.in_folds, data.folds, strict=True)))
        fidelity = float(np.mean([copy.fidelity for _, copy in said]))
        n_weights = said[0][1].n_weights
        return Candidate(name_of(size), size, n_weights, [p for p, _ in said], fidelity, role="network")
