"""Chooses on the training data alone: single units, or a network of some size distilled from a teacher.

1. The units: a logistic regression, or units on the temperature path if they are better beyond chance.
2. Units that fall behind the teacher by no more than `LEAN` standard errors are taken.

Else, two classes:

3. Students of growing size are taught, until one agrees with the teacher nearly always.
4. The smallest that agrees nearly as often as the best of them is taken,
5. unless students like it do worse on held-out examples than the units.

More classes:

3. Students of several sizes are taught in the folds, by teachers that have not seen them.
4. Of everything that was judged the smallest is taken that errs little more than the best (`SLACK`).

Of a network that is taken, units that nobody would miss are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from netlines.network.probability import Calibration
from netlines.selection.calibration import calibrated
from netlines.selection.candidate import Candidate
from netlines.selection.course import Course
from netlines.selection.data import Data
from netlines.selection.judge import Judge
from netlines.selection.students import TOLERANCE, Student, examined, smallest_good, teach, teach_sizes
from netlines.selection.teachers.teacher import Teacher
from netlines.selection.terms import Terms
from netlines.selection.trimming import trimmed
from netlines.selection.units import UnitsCandidate, all_units, best_units

LEAN = {"small": 1.5, "balanced": 0.75, "accurate": 0.0}  # standard errors by which units may fall behind
ROW = 0.01  # the largest share of the rows that counts as one of them
PATIENCE = 2  # sizes in a row that are not good enough, after which no smaller are tried


@dataclass(frozen=True)
class Slack:
    """By how much a smaller candidate may err more than the best.

    Attributes
    ----------
    errors : standard errors of the difference
    share : of the rows, at most; one row at least, where that is no more than `ROW`
    words : both, in words
    """

    errors: float
    share: float
    words: str


SLACK = {
    "small": Slack(2.0, 0.02, "within two standard errors, and two points, of"),
    "balanced": Slack(1.0, 0.002, "within one standard error, and a fifth of a point or one row, of"),
    "accurate": Slack(0.0, 0.0, "as good as"),
}


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen: units of a scheme, or a student with its calibration; and why.

    Attributes
    ----------
    chosen, candidates : which of the candidates it is, and all of them, the teacher among them
    reason : why, in words
    student, calibration : the network over standardised inputs and its scores; None if units were chosen
    students : all networks that were taught all lessons
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
        return Choice(best, units, f"held-out {judge.words(best)}; {_best_of(judge, units, best)}")
    taught = Candidate(teacher.name, None, None, teacher.held_out, role="reference")
    if best is not None:
        lag, se = judge.lag(best, taught)
        lean = LEAN[terms.prefer]
        if lag <= lean * se:
            how = "no worse than" if lag <= 0 else f"within {lean:g} standard errors of"
            words = f"{how} the large model that networks would learn from, {teacher.name}"
            reason = f"held-out {judge.words(best)}, {words} ({judge.words(taught)}), so none were tried"
            return Choice(best, [*units, taught], f"{reason}; {_best_of(judge, units, best)}")
    terms.stages.begin("lessons")
    course = Course.of(data, teacher, terms.seed, terms.run)
    if data.n_classes > 2:
        return _smallest(data, course, judge, terms, units, taught)
    return _most_alike(data, course, judge, terms, units, taught)


def _best_of(judge: Judge, units: Sequence[UnitsCandidate], best: UnitsCandidate) -> str:
    """Say why these units were taken among others."""
    if judge.score is not None:
        return f"the best of {len(units)} kinds of single hyperplanes"
    if best is units[-1]:
        return f"none of {len(units) - 1} other kinds of single hyperplanes errs less beyond chance"
    than = f"better beyond chance than {units[-1].name}"
    return f"the best of {len(units)} kinds of single hyperplanes, and {than}"


def _smallest(
    data: Data,
    course: Course,
    judge: Judge,
    terms: Terms,
    units: Sequence[UnitsCandidate],
    taught: Candidate,
) -> Choice:
    """Choose, of more than two classes, the smallest candidate that errs little more than the best."""
    networks = _in_folds(data, course, judge, terms)
    pool: list[Candidate] = [*units, *networks]
    best = min(pool, key=judge.loss)
    slack = SLACK[terms.prefer]
    close = [one for one in pool if within(judge, one, best, slack)]
    chosen = min(close, key=lambda one: (one.n_weights, judge.loss(one)))
    which = f"the best of {len(pool)} candidates"
    if chosen is not best:
        other = f"the best, a {best.name} ({judge.words(best)})"
        which = f"the smallest of {len(pool)} candidates {slack.words} {other}"
    reason, candidates = f"held-out {judge.words(chosen)}; {which}", [*units, taught, *networks]
    if isinstance(chosen, UnitsCandidate):
        return Choice(chosen, candidates, reason)
    assert chosen.n_hidden is not None
    terms.stages.begin("again", chosen.name)
    student = teach(course.lessons, course.exam, chosen.n_hidden, seed=terms.seed, run=terms.run)
    return _network(data, course, terms, Choice(chosen, candidates, reason, student, students=[student]))


def within(judge: Judge, candidate: Candidate, best: Candidate, slack: Slack) -> bool:
    """Tell whether a candidate errs so little more than the best that its size may decide."""
    lag, se = judge.lag(candidate, best)
    if judge.score is not None:
        return lag <= slack.errors * se
    most = max(slack.share, min(ROW, (1.0 + 1e-9) / judge.rows))
    return lag <= min(slack.errors * se, most)


def _in_folds(data: Data, course: Course, judge: Judge, terms: Terms) -> list[Candidate]:
    """Return networks of several sizes, taught and judged in the folds.

    Every other size is tried, the largest first, until one does clearly worse than the best, or several are
    too bad; then the size between the smallest that is good enough and the next one.
    """
    sizes, slack = terms.sizes(data.n_classes)[::-1], SLACK[terms.prefer]
    found: dict[int, Candidate] = {}

    def judged(size: int) -> Candidate:
        words = f"testing networks of {size} hyperplanes on held-out rows"
        run = terms.stages.parts("judge", terms.run, len(data.folds), what="fold ", words=words)
        found[size] = course.candidate(data, size, seed=terms.seed, run=run)
        return found[size]

    failed = 0
    for size in sizes[::2]:
        one = judged(size)
        best = min(found.values(), key=judge.loss)
        failed = 0 if within(judge, one, best, slack) else failed + 1
        lag, se = judge.lag(one, best)
        if failed == PATIENCE or lag > max(slack.errors, 1.0) * se:
            break
    best = min(found.values(), key=judge.loss)
    enough = min(size for size in found if within(judge, found[size], best, slack))
    below = sizes[sizes.index(enough) + 1 :][:1]
    for size in below:
        judged(size)
    return [found[size] for size in sorted(found)]


def _most_alike(
    data: Data,
    course: Course,
    judge: Judge,
    terms: Terms,
    units: Sequence[UnitsCandidate],
    taught: Candidate,
) -> Choice:
    """Choose, of two classes, the smallest network that answers like its teacher, or units that err less."""
    tolerance = TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(taught))
    how: dict[str, Any] = {"seed": terms.seed, "run": terms.run}
    own = course.lessons, course.exam, terms.max_hidden
    students = teach_sizes(*own, tolerance=tolerance, report=terms.stages.begin_student, **how)
    student = smallest_good(students, tolerance)
    networks = []
    for one in students:
        words = f"testing a {one.name} on held-out rows"
        how["run"] = terms.stages.parts("judge", terms.run, len(data.folds), what="fold ", words=words)
        networks.append(replace(course.candidate(data, one.size, **how), fidelity=one.fidelity))
    network = networks[students.index(student)]
    alike = f"the smallest of {len(networks)} that answers like {taught.name} on new points"
    if units:
        best = best_units(judge, units)
        lag, _ = judge.lag(network, best)
        if lag > 0:
            reason = (
                f"held-out {judge.words(best)}, less than a {network.name} ({judge.words(network)}), {alike}"
            )
            reason += f"; {_best_of(judge, units, best)}"
            return Choice(best, [*units, taught, *networks], reason, students=students)
        alike += f"; no worse than {best.name} ({judge.words(best)})"
    reason = f"held-out {judge.words(network)}; {alike}"
    candidates = [*units, taught, *networks]
    return _network(data, course, terms, Choice(network, candidates, reason, student, students=students))


def _network(data: Data, course: Course, terms: Terms, choice: Choice) -> Choice:
    """Return the choice of a network without the units that it can spare, and with its probabilities."""
    terms.stages.begin("probabilities")
    assert choice.student is not None
    student = examined(trimmed(choice.student, data.X, course.lessons.X), course.exam)
    chosen, candidates = slimmed(choice, student)
    calibration = calibrated(student, course.lessons, data.priors)
    return replace(choice, chosen=chosen, candidates=candidates, student=student, calibration=calibration)


def slimmed(choice: Choice, student: Student) -> tuple[Candidate, list[Candidate]]:
    """Return what was chosen with the size of its student, and all candidates with it."""
    sizes = {"n_hidden": student.size, "n_weights": student.n_weights, "fidelity": student.fidelity}
    chosen = replace(choice.chosen, name=student.name, **sizes)  # type: ignore[arg-type]
    return chosen, [chosen if one is choice.chosen else one for one in choice.candidates]
