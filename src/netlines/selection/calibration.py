"""From the fields of a student to the probabilities of its classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numpy.typing import NDArray

from netlines.network.probability import Calibration, agreeing, probabilities
from netlines.network.schemes import agreeing_shares
from netlines.selection.course import Lessons
from netlines.selection.students import Student
from netlines.training.calibration import STEEPNESS, fit_calibration
from netlines.training.cases import Cases

MOST_LESSONS = 4000
MANY_UNITS, STEEP = 11, (3.0,)  # from which on one steepness is tried, and which
AGREED = Cases[Callable[[NDArray, NDArray], NDArray]](  # the probabilities of scores and answers
    two=lambda scores, answers: probabilities(agreeing(scores, answers[:, None] == 1)),
    more=lambda scores, answers: agreeing_shares(probabilities(scores), answers),
)


def calibrated(
    student: Student,
    lessons: Lessons,
    priors: NDArray,
    steepnesses: Sequence[float] = STEEPNESS,
    most: float | None = None,
) -> Calibration:
    """Fit the scores of a student to its teacher's probabilities, over standardised inputs.

    Of more lessons than `most`, or than usual, some are taken. Many units are steps together: how steep each
    of them is matters little.
    """
    if student.size > MANY_UNITS:
        steepnesses = STEEP
    most = MOST_LESSONS if most is None else most
    some = slice(None, None, max(1, int(len(lessons.share) // most)))
    X, p, share = lessons.X[:, some], lessons.p[some], lessons.share[some]
    return fit_calibration(student.fields(X), p, share, priors, steepnesses)


def student_probabilities(student: Student, calibration: Calibration, X: NDArray) -> NDArray:
    """Return what a student says about patterns (M, n), its answer the most probable class."""
    agreed = AGREED.of(len(calibration.priors))
    return agreed(calibration.scores(student.fields(X)), student.answers(X))
