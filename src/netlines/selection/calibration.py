"""From the fields of a student to the probabilities of its classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import Calibration, agreeing, probabilities
from netlines.network.schemes import agreeing_scores
from netlines.selection.students import Lessons, Student
from netlines.training.calibration import STEEPNESS, fit_calibration
from netlines.training.cases import Cases

MOST_LESSONS = Cases[float](two=np.inf, more=4000)  # Newton's method, with one score, takes all of them


def calibrated(
    student: Student, lessons: Lessons, priors: NDArray, steepnesses: Sequence[float] = STEEPNESS
) -> Calibration:
    """Fit the scores of a student to its teacher's probabilities, over standardised inputs."""
    some = slice(None, None, max(1, int(len(lessons.share) // MOST_LESSONS.of(len(priors)))))
    X, p, share = lessons.X[:, some], lessons.p[some], lessons.share[some]
    return fit_calibration(student.fields(X), p, share, priors, steepnesses)


def student_probabilities(student: Student, calibration: Calibration, X: NDArray) -> NDArray:
    """Return what a student says about patterns (M, n), its answer the most probable class."""
    scores, answers = calibration.scores(student.fields(X)), student.answers(X)
    if scores.shape[1] == 1:
        return probabilities(agreeing(scores, answers[:, None] == 1))
    p = agreeing_scores(probabilities(scores), answers)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
