"""Chooses on the training data alone: single units, or a network of some size distilled from a teacher.

1. The units: a logistic regression, or units on the temperature path if they are better beyond chance.
2. Units are taken that err clearly less than the teacher, or whose held-out log-loss is hardly behind.
3. Else students of growing size are taught, until one answers nearly like the teacher; the smallest that does
   is taken. With many rows, networks that learn the labels themselves are tried beside them (`labels`).
4. Units of the network that nobody would miss are dropped.
5. If one is left, or the network is not expected to err less, units are taken after all.

What a network would answer to rows that it had not seen is not tried by teaching it anew in each fold: it is
what a copy of the teacher answers that has not seen them, with as many other answers as the network has on
fresh points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.selection import labels
from netlines.selection.calibration import calibrated
from netlines.selection.candidate import Candidate
from netlines.selection.chosen import LEAN, Choice, slimmed
from netlines.selection.course import Course, Lessons, leads
from netlines.selection.data import Data
from netlines.selection.judge import Judge
from netlines.selection.sizes import effort, smallest_good, teach_sizes
from netlines.selection.students import Student
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.trimming import trimmed
from netlines.selection.units import UnitsCandidate, all_units, best_units

CLEARLY = 1.0  # standard errors
SURENESSES = 10  # classes of points by how sure the teacher is
LABELS_FROM = 2000  # patterns from which on networks that learn the labels are tried beside the others


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
        return Choice(best, units, f"held-out {judge.words(best)}; {_best_of(judge, units, best)}")
    taught = Candidate(teacher.name, None, None, teacher.held_out, role="reference")
    if best is None:
        return _network(data, teacher, taught, units, judge, terms)
    behind, how = _behind(units, taught, judge), ""
    lean = LEAN[terms.prefer].of(data.n_classes)
    if judge.score is None and not judge.errors(best).any():
        how = "no worse than"  # however sure: there is no error that a network could avoid
    elif _beats(best, taught, judge, CLEARLY):
        how = "less than"
    elif behind <= lean.units:
        what = "in log-loss " if judge.score is None else ""
        how = "no worse than" if behind <= 0 else f"{what}within {lean.units:g} standard errors of"
    if how:
        reason = f"held-out {judge.words(best)}, {how} the large model that networks would learn from, "
        reason += f"{teacher.name} ({judge.words(taught)}), so none were tried"
        return Choice(best, [*units, taught], f"{reason}; {_best_of(judge, units, best)}")
    choice = _network(data, teacher, taught, units, judge, terms)
    network, reason = choice.chosen, ""
    if choice.student is not None and choice.student.size == 1:
        reason = "a network, too, came down to a single hyperplane"
    elif not _beats(network, best, judge, lean.ahead):
        reason = (
            f"a {network.name} ({judge.words(network)}) does not err {'clearly ' if lean.ahead else ''}less"
        )
    if not reason:
        return choice
    reason = f"held-out {judge.words(best)}; {reason}; {_best_of(judge, units, best)}"
    return Choice(best, choice.candidates, reason, students=choice.students)


def _behind(units: Sequence[UnitsCandidate], taught: Candidate, judge: Judge) -> float:
    """Return by how many standard errors the closest units are behind the teacher.

    By log-loss, if no score is wanted: errors alone tell too little of few rows.
    """
    if judge.score is not None:
        lag, se = judge.lag(best_units(judge, units), taught)
    else:
        closest = min(units, key=lambda one: judge.mean(judge.losses(one)))
        lag, se = judge.loss_lag(closest, taught)
    return lag / se if se > 0 else np.sign(lag) * np.inf if lag else 0.0


def _beats(one: Candidate, other: Candidate, judge: Judge, ahead: float) -> bool:
    """Tell whether a candidate errs less than another, by more than so many standard errors."""
    lag, se = judge.lag(other, one)
    return lag > ahead * se


def _network(
    data: Data,
    teacher: Teacher,
    taught: Candidate,
    units: Sequence[UnitsCandidate],
    judge: Judge,
    terms: Terms,
) -> Choice:
    """Choose a network: one that learns from the teacher, or with many rows one that learns the labels."""
    tried: list[labels.Tried] = []
    if data.n_classes == 2 and data.X.shape[1] >= LABELS_FROM and isinstance(terms.teacher, str):
        sizes = [size for size in labels.SMALL if size <= (terms.max_hidden or size)]
        tried = labels.students_of(data, sizes, terms)
    direct = min(tried, key=lambda one: judge.loss(one.candidate), default=None)
    others = [*units, taught, *(one.candidate for one in tried)]
    if direct is not None and judge.loss(direct.candidate)[0] <= judge.loss(taught)[0]:
        return _of_labels(data, direct, others, judge, terms, taught)
    choice = _distilled(data, teacher, taught, others, judge, terms)
    if direct is not None and judge.loss(direct.candidate)[0] <= judge.loss(choice.chosen)[0]:
        return _of_labels(data, direct, choice.candidates, judge, terms, choice.chosen)
    return choice


def _distilled(
    data: Data,
    teacher: Teacher,
    taught: Candidate,
    others: Sequence[Candidate],
    judge: Judge,
    terms: Terms,
) -> Choice:
    """Choose the smallest network that answers nearly like its teacher."""
    terms.stages.begin("lessons")
    share = np.bincount(data.all.pattern, data.all.share, data.X.shape[1])
    answers = teacher.answers(data)
    course = Course.of(data.rows, answers, share, data.standardisation, teacher.probability, seed=terms.seed)
    lean = LEAN[terms.prefer].of(data.n_classes)
    tolerance = min(lean.network * judge.standard_error(judge.errors(taught)), lean.most)
    students = teach_sizes(
        course,
        terms.most_hidden(len(data.X) - 1, data.n_classes),
        tolerance=tolerance,
        seed=terms.seed,
        descent=effort(terms.prefer, data.X.shape[1], data.n_classes),
        run=terms.run,
        report=terms.stages.begin_student,
    )
    networks = [_candidate(data, one, course.exam, teacher) for one in students]
    student = smallest_good(students, tolerance)
    network = networks[students.index(student)]
    alike = f"the smallest of {len(networks)} that answers like {taught.name} on new points"
    reason = f"held-out {judge.words(network)}; {alike}"
    terms.stages.begin("probabilities")
    choice = Choice(network, [*others, *networks], reason, student, students=students, taught=True)
    student = trimmed(student, data.X, course.lessons.X).examined(course.exam)
    chosen, candidates = slimmed(choice, student)
    calibration = calibrated(student, course.lessons, data.priors)
    return replace(choice, chosen=chosen, candidates=candidates, student=student, calibration=calibration)


def _of_labels(
    data: Data,
    one: labels.Tried,
    candidates: Sequence[Candidate],
    judge: Judge,
    terms: Terms,
    other: Candidate,
) -> Choice:
    """Return the choice of a network that learnt the labels."""
    terms.stages.begin("probabilities")
    own, what = one.candidate, "a" if other.role == "network" else "the large model"
    reason = f"held-out {judge.words(own)}; it learnt the labels themselves and errs no more than {what} "
    reason += f"{other.name} ({judge.words(other)})"
    return labels.finished(data, Choice(own, candidates, reason, one.student, None, [one.student]))


def _candidate(data: Data, student: Student, exam: Lessons, teacher: Teacher) -> Candidate:
    """Return a student with what it is expected to say about held-out examples.

    That is what the copy of its teacher says that has not seen them, but for as many rows as the student
    answers otherwise on fresh points of which the teacher is as sure: there the next class is put first. Rows
    are taken at even distances, so that the number is right for each number of them.
    """
    differs = student.answers(exam.X) != exam.labels
    edges = np.quantile(exam.lead, np.arange(1, SURENESSES) / SURENESSES)
    among = np.searchsorted(edges, exam.lead)
    rates = np.bincount(among, differs, SURENESSES) / np.maximum(np.bincount(among, minlength=SURENESSES), 1)
    held_out, reached = [], 0.5
    for said in teacher.held_out:
        places = reached + np.cumsum(rates[np.searchsorted(edges, leads(said))])
        rows, p = np.flatnonzero(np.diff(np.floor(places), prepend=np.floor(reached))), said.copy()
        reached = float(places[-1])
        p[rows] = next_first(p[rows])
        held_out.append(p)
    n_weights, role = student.n_weights, "network"
    return Candidate(student.name, student.size, n_weights, held_out, student.fidelity, role=role)


def next_first(p: NDArray) -> NDArray:
    """Return probabilities (n, C) of which the two largest have changed places."""
    order = np.argsort(p, axis=1)[:, -2:]
    found = p.copy()
    np.put_along_axis(found, order, np.take_along_axis(p, order[:, ::-1], axis=1), axis=1)
    return found


def _best_of(judge: Judge, units: Sequence[UnitsCandidate], best: UnitsCandidate) -> str:
    """Say why these units were taken among others."""
    if judge.score is not None:
        return f"the best of {len(units)} kinds of single hyperplanes"
    if best is units[-1]:
        return f"none of {len(units) - 1} other kinds of single hyperplanes errs less beyond chance"
    than = f"better beyond chance than {units[-1].name}"
    return f"the best of {len(units)} kinds of single hyperplanes, and {than}"
