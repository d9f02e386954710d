"""Chooses on the training data alone: a unit on its temperature path, or a distilled network of some size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import Calibration, agreeing, expit
from netlines.selection.folds import Examples, Fold
from netlines.selection.judge import Candidate, Judge
from netlines.selection.students import (
    SYNTHETIC,
    TOLERANCE,
    Lessons,
    Student,
    prepare,
    smallest_good,
    teach,
    teach_sizes,
)
from netlines.selection.teachers.teacher import Data, Teacher
from netlines.training.calibration import fit_calibration, fit_line, line_calibration
from netlines.training.minimerror import INVERSE_TEMPERATURES, unit_path

THETAS = (2.0, np.inf)
USUAL = 3.2  # 1/T₊ that does well where nothing can be chosen
BEYOND = 1.5  # standard errors by which a unit of the path has to beat the logistic one
LEAN = {"small": 1.5, "balanced": 0.75, "accurate": 0.0}  # standard errors by which a unit may fall behind


@dataclass(frozen=True, eq=False)
class UnitCandidate(Candidate):
    """A single unit: T₋/T₊ and 1/T₊ on the temperature path, or its weights; and its line to log-odds."""

    theta: float = np.nan
    beta: float | None = None
    weights: NDArray | None = None
    line: NDArray = field(default_factory=lambda: np.array([0.0, 1.0]))


def best_unit(judge: Judge, units: Sequence[UnitCandidate], linear: UnitCandidate) -> UnitCandidate:
    """Return the logistic unit, or the best of the path if it is better beyond chance.

    By a score it is simply the best of all.
    """
    if judge.score is not None:
        return max([linear, *units], key=judge.mean_score)
    best = min(units, key=lambda unit: (judge.mean(judge.errors(unit)), judge.mean(judge.losses(unit))))
    lag, se = judge.lag(linear, best)
    return best if lag > BEYOND * se else linear


def grid() -> list[tuple[float, float]]:
    """Return θ and 1/T₊ of the units that `train_path` returns."""
    return [(theta, float(beta)) for theta in THETAS for beta in INVERSE_TEMPERATURES]


def train_path(data: Data, examples: Examples) -> NDArray:
    """Return the weights of units for each θ and temperature, rows of norm 1, over standardised inputs."""
    X = np.ascontiguousarray(data.X[:, examples.pattern] * examples.targets)
    return np.vstack(
        [unit_path(X, examples.weights, INVERSE_TEMPERATURES, theta=theta)[0] for theta in THETAS]
    )


def unit_candidates(data: Data, run: Callable = map) -> list[UnitCandidate]:
    """Return the units of the temperature path with what each says about examples it has not seen."""
    paths = run(lambda fold: train_path(data, fold.train), data.folds)
    pairs = zip(paths, data.folds, strict=True)
    margins = [path @ data.X[:, fold.test.pattern] for path, fold in pairs]
    targets = np.concatenate([fold.test.targets for fold in data.folds])
    weights = np.concatenate([fold.test.weights for fold in data.folds])
    units = []
    for k, (theta, beta) in enumerate(grid()):
        own = [part[k] for part in margins]
        line = fit_line(np.concatenate(own), targets, weights)
        held_out = [expit(agreeing(line[0] + line[1] * m, m >= 0)) for m in own]
        name = f"unit at T = {1 / beta:.2g}, θ = {theta:g}"
        units.append(UnitCandidate(name, 1, len(data.X), held_out, None, theta, beta, None, line))
    return units


def linear_candidate(data: Data, linear: Teacher) -> UnitCandidate:
    """Return the hyperplane of a logistic regression as a candidate."""
    weights = linear.probability.weights  # type: ignore[attr-defined]
    norm = np.sqrt(weights @ weights)
    name, line = "distilled unit (logistic regression)", np.array([0.0, max(norm, 1e-300)])
    unit = weights / norm if norm > 0 else np.eye(1, len(weights))[0]
    return UnitCandidate(name, 1, len(data.X), linear.held_out, weights=unit, line=line)


def calibrated(student: Student, lessons: Lessons, priors: NDArray) -> Calibration:
    """Fit the log-odds of a student to its teacher's probabilities, over standardised inputs."""
    p = np.column_stack([1.0 - lessons.p, lessons.p])
    return fit_calibration(student.fields(lessons.X), p, lessons.share, priors)


@dataclass(frozen=True, eq=False)
class Course:
    """What students are taught: the teacher's lessons and the exam, and the same in each fold.

    A fold's lessons come from the copy of the teacher that has not seen its test part.
    """

    lessons: Lessons
    exam: Lessons
    in_folds: list[tuple[Lessons, Lessons]]

    @classmethod
    def of(cls, data: Data, teacher: Teacher, seed: int) -> Course:
        """Prepare the lessons."""
        p, n = teacher.answers(data), data.X.shape[1]
        share = np.bincount(data.all.pattern, data.all.share, n)
        lessons, exam = prepare(data.rows, p, share, data.units, teacher.probability, n=SYNTHETIC, seed=seed)
        in_folds = []
        for fold, probability in zip(data.folds, teacher.in_folds, strict=True):
            share = np.bincount(fold.train.pattern, fold.train.share, n)
            use, few = share > 0, SYNTHETIC // 4
            rows = data.rows[use]
            in_folds.append(
                prepare(rows, probability(rows), share[use], data.units, probability, n=few, seed=seed)
            )
        return cls(lessons, exam, in_folds)

    def candidate(self, data: Data, student: Student, *, seed: int, run: Callable = map) -> Candidate:
        """Return a student as a candidate: students like it are taught in the folds, with less effort."""

        def hold_out(job: tuple[tuple[Lessons, Lessons], Fold]) -> NDArray:
            (lessons, exam), fold = job
            copy = teach(lessons, exam, student.size, seed=seed, starts=4, finalists=1, sweeps=0)
            X = data.X[:, fold.test.pattern]
            log_odds = calibrated(copy, lessons, np.full(2, 0.5)).scores(copy.fields(X))[:, 0]
            return expit(agreeing(log_odds, copy.answers(X) > 0))

        held_out = list(run(hold_out, zip(self.in_folds, data.folds, strict=True)))
        return Candidate(
            f"distilled {student.name}", student.size, student.n_weights, held_out, student.fidelity
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen: a network over standardised inputs, its calibration, and why.

    Attributes
    ----------
    student, calibration : the network and its log-odds
    reason : why, in words
    chosen, candidates : which of the candidates it is, and all of them, the teacher among them
    students : all networks that were taught
    beta : 1/T₊ of a unit of the temperature path
    """

    student: Student
    calibration: Calibration
    reason: str
    chosen: Candidate
    candidates: Sequence[Candidate]
    students: Sequence[Student] = ()
    beta: float | None = None


@dataclass(frozen=True)
class Terms:
    """How to choose: what to prefer, the largest size, the seed, `map` or a parallel one, whom to tell."""

    prefer: str
    max_hidden: int
    seed: int
    run: Callable = map
    watch: Callable[[Student], object] = lambda student: None


def choose(data: Data, linear: Teacher, teacher: Teacher | None, judge: Judge, terms: Terms) -> Choice:
    """Choose between single units and networks distilled from the teacher.

    The unit, that of the logistic regression or one of the temperature path, is taken if it falls behind the
    teacher by no more than `LEAN` standard errors; else the smallest network that agrees with the teacher
    nearly as often as the best of them, unless it does worse on held-out examples than the unit.
    """
    units = [*unit_candidates(data, terms.run), linear_candidate(data, linear)]
    unit = best_unit(judge, units[:-1], units[-1])
    if teacher is None:
        reason = f"out-of-fold {judge.words(unit)}, the choice of {len(units)} units"
        return unit_choice(data, unit, reason, units)
    taught = Candidate(f"teacher: {teacher.name}", None, None, teacher.held_out)
    lag, se = judge.lag(unit, taught)
    lean = LEAN[terms.prefer]
    if lag <= lean * se:
        how = "no worse than" if lag <= 0 else f"within {lean:g} standard errors of"
        reason = f"out-of-fold {judge.words(unit)}, {how} the teacher ({teacher.name}): {judge.words(taught)}"
        return unit_choice(data, unit, reason, [*units, taught])
    tolerance = TOLERANCE[terms.prefer] * judge.standard_error(judge.errors(taught))
    course = Course.of(data, teacher, terms.seed)
    students = teach_sizes(
        course.lessons,
        course.exam,
        terms.max_hidden,
        tolerance=tolerance,
        seed=terms.seed,
        run=terms.run,
        watch=terms.watch,
    )
    networks = [course.candidate(data, student, seed=terms.seed, run=terms.run) for student in students]
    student = smallest_good(students, tolerance)
    network = networks[students.index(student)]
    candidates = [*units, taught, *networks]
    if judge.lag(network, unit)[0] > 0:
        reason = f"out-of-fold {judge.words(unit)}, a network's {judge.words(network)}"
        return unit_choice(data, unit, reason, candidates, students)
    reason = (
        f"answers like its teacher ({teacher.name}) on {100 * student.fidelity:.1f} % of fresh points; "
        f"out-of-fold {judge.words(network)}, a single unit's {judge.words(unit)}"
    )
    calibration = calibrated(student, course.lessons, data.all.priors(2))
    return Choice(student, calibration, reason, network, candidates, students)


def unit_choice(
    data: Data,
    unit: UnitCandidate,
    reason: str,
    candidates: Sequence[Candidate],
    students: Sequence[Student] = (),
) -> Choice:
    """Train the chosen unit on all examples."""
    weights = unit.weights
    if weights is None:
        weights = train_path(data, data.all)[grid().index((unit.theta, unit.beta))]  # type: ignore[arg-type]
    student = Student(weights[None], np.array([0.0, 1.0]))
    calibration = line_calibration(unit.line, data.all.priors(2))
    return Choice(student, calibration, reason, unit, candidates, students, unit.beta)


def only_unit(data: Data) -> Choice:
    """Return what is taken without a choice: a unit at a temperature that mostly does well.

    For tables with too few rows of a class to hold some out.
    """
    X = np.ascontiguousarray(data.X[:, data.all.pattern] * data.all.targets)
    weights = unit_path(X, data.all.weights, np.array([USUAL]))[0]
    line = fit_line((weights @ data.X)[0, data.all.pattern], data.all.targets, data.all.weights)
    unit = UnitCandidate(
        f"unit at T = {1 / USUAL:.2g}", 1, len(data.X), [], None, 2.0, USUAL, weights[0], line
    )
    return unit_choice(data, unit, "too few rows of a class to hold some of them out", [unit])
