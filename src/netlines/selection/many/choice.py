"""Chooses for many classes on the training data alone: units in pairs or a tree, or a shared layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import Calibration
from netlines.selection.choice import LEAN, Terms
from netlines.selection.judge import Candidate, Judge
from netlines.selection.many.calibration import calibrated
from netlines.selection.many.course import Course
from netlines.selection.many.students import Student, teach
from netlines.selection.many.teachers import log_losses
from netlines.selection.many.units import Scheme, UnitsCandidate, linear_candidate, unit_candidates
from netlines.selection.students import TOLERANCE
from netlines.selection.teachers.teacher import Data, Teacher

BEYOND = 1.0  # standard errors by which other units have to beat the multinomial logistic regression
LESS_EFFORT = 0.5  # standard errors by which a layer may fall behind units in the folds
MOST_PAIRS = 66  # pairs of classes up to which each has units of its own


class ClassJudge(Judge):
    """Judges candidates by the probabilities (n, C) that they give to held-out examples."""

    def errors(self, candidate: Candidate) -> NDArray:
        """Return 1 for each example that is answered wrongly, 0 for the others."""
        p = np.concatenate(candidate.held_out)
        return (p.argmax(axis=1) != self.labels).astype(float)

    def losses(self, candidate: Candidate) -> NDArray:
        """Return the log-loss of each example."""
        return log_losses(np.concatenate(candidate.held_out), self.labels)


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen: units of a scheme, or a shared layer with its calibration; and why.

    Attributes
    ----------
    chosen, candidates : which of the candidates it is, and all of them, the teacher among them
    reason : why, in words
    student, calibration : the shared layer over standardised inputs; None if units were chosen
    students : all shared layers that were taught
    """

    chosen: Candidate
    candidates: Sequence[Candidate]
    reason: str
    student: Student | None = None
    calibration: Calibration | None = None
    students: Sequence[Student] = ()


def best_units(judge: Judge, linear: UnitsCandidate, others: Sequence[UnitsCandidate]) -> UnitsCandidate:
    """Return the multinomial regression, or the best of the others if it is better beyond chance.

    By a score it is simply the best of all.
    """
    if judge.score is not None:
        return max([linear, *others], key=judge.mean_score)
    all_of_them = [linear, *others]
    best = min(all_of_them, key=lambda one: (judge.mean(judge.errors(one)), judge.mean(judge.losses(one))))
    lag, se = judge.lag(linear, best)
    return best if lag > BEYOND * se else linear


def all_units(data: Data, linear: Teacher, order: Sequence[int], run: Callable) -> list[UnitsCandidate]:
    """Return the multinomial regression, and units in a tree and, if there are few, in pairs."""
    n_classes = len(data.classes)
    units = [linear_candidate(data, linear), *unit_candidates(data, Scheme.tree(order), run)]
    if n_classes * (n_classes - 1) // 2 <= MOST_PAIRS:
        units += unit_candidates(data, Scheme.pairs(n_classes), run)
    return units


def choose(
    data: Data,
    linear: Teacher,
    teacher: Teacher | None,
    judge: Judge,
    terms: Terms,
    order: Sequence[int],
    *,
    only_shared: bool = False,
) -> Choice:
    """Choose between units in pairs or a tree and a shared layer distilled from the teacher.

    The units are taken if they fall behind the teacher by no more than `LEAN` standard errors; else the
    smallest layer that agrees with the teacher nearly as often as the best of them, unless it does clearly
    worse on held-out examples than the units.

    Parameters
    ----------
    data : what to learn
    linear, teacher : what `fit_linear` and `choose_teacher` returned; without a teacher there are no layers
    judge, terms : how to judge and to choose
    order : learning sequence of the tree
    only_shared : whether units are no candidates
    """
    units = [] if only_shared else all_units(data, linear, order, terms.run)
    best = None if only_shared else best_units(judge, units[0], units[1:])
    if teacher is None:
        assert best is not None
        reason = f"out-of-fold {judge.words(best)}, the choice of {len(units)} kinds of units"
        return Choice(best, units, reason)
    taught = Candidate(f"teacher: {teacher.name}", None, None, teacher.held_out)
    if best is not None:
        lag, se = judge.lag(best, taught)
        lean = LEAN[terms.prefer]
        if lag <= lean * se:
            how = "no worse than" if lag <= 0 else f"within {lean:g} standard errors of"
            words = f"{how} the teacher ({teacher.name}): {judge.words(taught)}"
            return Choice(best, [*units, taught], f"out-of-fold {judge.words(best)}, {words}")
    tolerance = TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(taught))
    course = Course.of(data, teacher, terms.seed)
    students = course.try_sizes(terms, tolerance)
    least = min(student.disagreement for student in students)
    k, size = next((k, one.size) for k, one in enumerate(students) if one.disagreement <= least + tolerance)
    student = students[k] = teach(course.lessons, course.exam, size, seed=terms.seed, run=terms.run)
    layer = course.candidate(data, student, seed=terms.seed, run=terms.run)
    candidates = [*units, taught, *(layer if one is student else _unjudged(one) for one in students)]
    if best is not None and _clearly_worse(judge, layer, best):
        reason = f"out-of-fold {judge.words(best)}, a shared layer's {judge.words(layer)}"
        return Choice(best, candidates, reason, students=students)
    reason = (
        f"answers like its teacher ({teacher.name}) on {100 * student.fidelity:.1f} % of fresh points; "
        f"out-of-fold {judge.words(layer)}"
    ) + ("" if best is None else f", that of {best.name}: {judge.words(best)}")
    calibration = calibrated(student, course.lessons, data.all.priors(len(data.classes)))
    return Choice(layer, candidates, reason, student, calibration, students)


def _clearly_worse(judge: Judge, layer: Candidate, units: Candidate) -> bool:
    """Tell whether a layer does worse than units in the folds, where it was taught with less effort."""
    lag, se = judge.lag(layer, units)
    return lag > LESS_EFFORT * se


def _unjudged(student: Student) -> Candidate:
    """Return a layer that was not chosen: what it says about the folds was not asked."""
    return Candidate(student.name, student.size, student.n_weights, [], student.fidelity)
