"""Chooses on the training data alone: single units, or a network of some size distilled from a teacher.

1. The units: a logistic regression, or units on the temperature path if they are better beyond chance.
2. Units that fall behind the teacher by no more than `LEAN` standard errors are taken.
3. Else students of growing size are taught, until one agrees with the teacher nearly always.
4. The smallest that agrees nearly as often as the best of them is taken,
5. unless students like it do worse on held-out examples than the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from netlines.network.probability import Calibration
from netlines.selection.calibration import calibrated
from netlines.selection.candidate import Candidate
from netlines.selection.course import Course, distilled
from netlines.selection.data import Data
from netlines.selection.judge import Judge
from netlines.selection.students import TOLERANCE, Student, smallest_good, teach, teach_sizes
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.units import all_units, best_units
from netlines.training.cases import Cases

LEAN = {"small": 1.5, "balanced": 0.75, "accurate": 0.0}  # standard errors by which units may fall behind


@dataclass(frozen=True)
class Rules:
    """What differs between two classes and more.

    Attributes
    ----------
    every_size : whether each size is taught all lessons and judged in the folds; else sizes are compared by
        a part of the lessons, and only the one that is taken learns them all and is judged
    behind : standard errors by which a student, taught in the folds with less effort, may fall behind units
    """

    every_size: bool
    behind: float


RULES = Cases(two=Rules(every_size=True, behind=0.0), more=Rules(every_size=False, behind=0.5))


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen: units of a scheme, or a student with its calibration; and why.

    Attributes
    ----------
    chosen, candidates : which of the candidates it is, and all of them, the teacher among them
    reason : why, in words
    student, calibration : the network over standardised inputs and its scores; None if units were chosen
    students : all networks that were taught
    """

    chosen: Candidate
    candidates: Sequence[Candidate]
    reason: str
    student: Student | None = None
    calibration: Calibration | None = None
    students: Sequence[Student] = ()


def choose(data: Data, linear: Teacher, teacher: Teacher | None, judge: Judge, terms: Terms) -> Choice:
    """Choose between single units and networks distilled from the teacher.

    Parameters
    ----------
    data : what to learn
    linear, teacher : what `fit_linear` and `choose_teacher` returned; without a teacher there are no networks
    judge, terms : how to judge and to choose
    """
    units = [] if terms.only_shared else all_units(data, linear, terms.run, terms.stages)
    best = best_units(judge, units) if units else None
    if teacher is None:
        assert best is not None
        return Choice(
            best, units, f"out-of-fold {judge.words(best)}, the choice of {len(units)} kinds of units"
        )
    taught = Candidate(f"teacher: {teacher.name}", None, None, teacher.held_out)
    if best is not None:
        lag, se = judge.lag(best, taught)
        lean = LEAN[terms.prefer]
        if lag <= lean * se:
            how = "no worse than" if lag <= 0 else f"within {lean:g} standard errors of"
            words = f"{how} the teacher ({teacher.name}): {judge.words(taught)}"
            return Choice(best, [*units, taught], f"out-of-fold {judge.words(best)}, {words}")
    tolerance = TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(taught))
    terms.stages.begin("lessons")
    course = Course.of(data, teacher, terms.seed, terms.run)
    student, students, networks = _taught(course, data, terms, tolerance)
    network = networks[students.index(student)]
    candidates = [*units, taught, *networks]
    if best is not None and clearly_worse(judge, network, best, RULES.of(data.n_classes).behind):
        reason = f"out-of-fold {judge.words(best)}, a {student.kind}'s {judge.words(network)}"
        return Choice(best, candidates, reason, students=students)
    reason = (
        f"answers like its teacher ({teacher.name}) on {100 * student.fidelity:.1f} % of fresh points; "
        f"out-of-fold {judge.words(network)}"
    ) + ("" if best is None else f"; the best single units ({best.name}): {judge.words(best)}")
    terms.stages.begin("probabilities")
    calibration = calibrated(student, course.lessons, data.priors)
    return Choice(network, candidates, reason, student, calibration, students)


def clearly_worse(judge: Judge, network: Candidate, units: Candidate, behind: float) -> bool:
    """Tell whether a network does worse than units in the folds, by more than so many standard errors."""
    lag, se = judge.lag(network, units)
    return lag > behind * se


def _taught(
    course: Course, data: Data, terms: Terms, tolerance: float
) -> tuple[Student, list[Student], list[Candidate]]:
    """Return the student that is taken, all that were taught, and the same as candidates."""
    how: dict[str, Any] = {"seed": terms.seed, "run": terms.run}
    stages = terms.stages
    every = RULES.of(data.n_classes).every_size
    own = course.lessons if every else course.some, course.exam, terms.max_hidden
    students = teach_sizes(*own, tolerance=tolerance, report=stages.begin_student, **how)
    student = smallest_good(students, tolerance)
    if not every:
        k = students.index(student)
        stages.begin("again", student.name)
        students[k] = student = teach(course.lessons, course.exam, student.size, **how)
    judged = [one for one in students if every or one is student]
    networks = {}
    for one in judged:
        words = f"testing a {one.name} on held-out rows"
        how["run"] = stages.parts("judge", terms.run, len(data.folds), what="fold ", words=words)
        networks[one] = course.candidate(data, one, **how)
    return student, students, [networks.get(one, distilled(one)) for one in students]
