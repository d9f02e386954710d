"""From the fields of a shared layer to the probabilities of its classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import Calibration, softmax
from netlines.network.schemes import agreeing_scores
from netlines.selection.many.students import Lessons, Student
from netlines.training.calibration import STEEPNESS, fit_calibration

MOST_LESSONS = 4000


def calibrated(
    student: Student, lessons: Lessons, priors: NDArray, steepnesses: Sequence[float] = STEEPNESS
) -> Calibration:
    """Fit the scores of a student to its teacher's probabilities, over standardised inputs."""
    some = slice(None, None, max(1, len(lessons.share) // MOST_LESSONS))
    X, p, share = lessons.X[:, some], lessons.p[some], lessons.share[some]
    return fit_calibration(student.fields(X), p, share, priors, steepnesses)


def student_probabilities(student: Student, calibration: Calibration, X: NDArray) -> NDArray:
    """Return what a student says about patterns (M, n), its answer the most probable class."""
    p = agreeing_scores(softmax(calibration.scores(student.fields(X))), student.answers(X))
    return np.asarray(p / p.sum(axis=1, keepdims=True))
