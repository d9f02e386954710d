"""Compresses a teacher, any classifier that predicts, into a small network of binary neurons.

The teacher answers on the rows and on synthetic points between and around them; a soft network learns its
answers while its gain rises, and is hardened to signs. Fresh points then tell how often both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.selection.teachers.teacher import Probability, Units
from netlines.training.geometry import unit_rows
from netlines.training.outputs import SignOutput
from netlines.training.points import synthetic
from netlines.training.refine import retrain
from netlines.training.task import Layer, Task

SIZES = (1, 2, 3, 4, 5, 6, 8, 11)
SYNTHETIC, FRESH = 16_000, 4000
MOST_ROWS = 20_000  # of the rows themselves in the lessons
# Many starts take a few steps on some of the lessons; the best of them go on, on all.
TRIAL_GAINS, TRIAL_STEPS, TRIAL_LESSONS = np.array([1.0, 4.0]), 15, 2500
GAINS, STEPS = np.array([4.0, 8.0, 16.0, 32.0]), 25
DECAY, STARTS, FINALISTS, SWEEPS = 1e-3, 10, 2, 2
TOLERANCE = {"small": 1.0, "balanced": 0.15, "accurate": 0.0}  # in standard errors of the teacher's error


@dataclass(frozen=True, eq=False)
class Lessons:
    """Standardised patterns (M, n), the teacher's probabilities of +1, and each pattern's share."""

    X: NDArray
    p: NDArray
    share: NDArray

    @property
    def targets(self) -> NDArray:
        """The teacher's answers ±1."""
        return np.where(self.p >= 0.5, 1.0, -1.0)

    @property
    def weights(self) -> NDArray:
        """What an answer counts: nothing where the teacher cannot tell, with the sum 1."""
        weights = self.share * (np.abs(2.0 * self.p - 1.0) + 1e-6)
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Student:
    """A small network over standardised inputs: hidden rows (H, M) of norm 1, output weights (H + 1,).

    `disagreement` is the weight of the fresh points that it answers differently from its teacher, `fidelity`
    the plain share of those that it answers alike.
    """

    hidden: NDArray
    output: NDArray
    epochs: int = 0
    disagreement: float = np.nan
    fidelity: float = np.nan

    def answers(self, X: NDArray) -> NDArray:
        """Return the outputs ±1 for patterns (M, n)."""
        return sign(self.output[0] + self.output[1:] @ sign(self.hidden @ X))

    def fields(self, X: NDArray) -> NDArray:
        """Return the weighted sums of the hidden units for patterns (M, n), shape (n, H)."""
        return (self.hidden @ X).T

    def record(self, X: NDArray, targets: NDArray, weights: NDArray) -> dict[str, Any]:
        """Return a record for the trace of a growth, with the errors on these patterns."""
        errors = float(weights[self.answers(X) != targets].sum())
        return {
            "n_hidden": self.size,
            "origin": "distilled",
            "unit_errors": None,
            "errors": errors,
            "temperature": None,
            "epochs": self.epochs,
        }

    @property
    def size(self) -> int:
        """Number of hidden units."""
        return len(self.hidden)

    @property
    def name(self) -> str:
        """What to call it."""
        return "unit" if self.size == 1 else f"network of {self.size} units"

    @property
    def n_weights(self) -> int:
        """Number of weights as the paper counts them."""
        return self.hidden.size if self.size == 1 else self.hidden.size + self.size + 1


def sizes_up_to(largest: int) -> Iterator[int]:
    """Yield the numbers of hidden units to try, up to `largest` and with it."""
    yield from (size for size in SIZES if size < largest)
    size = SIZES[-1]
    while size < largest:
        size = round(size * 4 / 3)
        yield min(size, largest)
    if largest <= SIZES[-1]:
        yield largest


def prepare(
    rows: NDArray,
    p: NDArray,
    share: NDArray,
    units: Units,
    probability: Probability,
    *,
    n: int,
    seed: int,
    form: Callable[..., Any] = Lessons,
) -> tuple[Any, Any]:
    """Return what a student learns and, by other points, what it is examined on.

    Parameters
    ----------
    rows, share : the training rows in the user's units, in no particular order, and their weights, with the
        sum 1; of very many the first are learnt
    p : the teacher's probabilities for them
    units : how to standardise
    probability : the teacher
    n : number of synthetic points to learn; they have half of the weight
    seed : decides them
    form : the kind of lessons to return, for two classes or for many
    """
    rng = np.random.default_rng([seed, 2])
    made, fresh = (synthetic(rows, share, k, rng) for k in (n, FRESH))
    if len(rows) > MOST_ROWS:
        rows, p, share = rows[:MOST_ROWS], p[:MOST_ROWS], share[:MOST_ROWS] / share[:MOST_ROWS].sum()
    X = np.hstack([units.standardised(rows), units.standardised(made)])
    shares = np.concatenate([share / 2, np.full(n, 0.5 / n)])
    learnt = form(np.ascontiguousarray(X), np.concatenate([p, probability(made)]), shares)
    return learnt, form(units.standardised(fresh), probability(fresh), np.full(FRESH, 1.0 / FRESH))


def teach(
    lessons: Lessons,
    exam: Lessons,
    size: int,
    *,
    seed: int,
    starts: int = STARTS,
    finalists: int = FINALISTS,
    sweeps: int = SWEEPS,
    decay: float = DECAY,
    run: Callable = map,
) -> Student:
    """Train a network of `size` hidden units from several starts, mend the best and examine it.

    The soft network tanh(g a·z) is cooled while its gain g doubles; Minimerror then retrains single units on
    the patterns where they decide.

    Parameters
    ----------
    lessons, exam : what to learn, and the fresh points of `disagreement` and `fidelity`
    size : number of hidden units
    seed : decides the starts
    starts, finalists : number of soft networks that begin, and of those that are cooled to the end
    sweeps : how often each unit is retrained
    decay : weight of the squared weights of the soft network in its cost
    run : `map`, or a parallel one with the same order of results
    """
    from netlines.training._soft import cool

    m, targets, weights = len(lessons.X), lessons.targets, lessons.weights
    some = np.random.default_rng([seed, size]).permutation(len(targets))[:TRIAL_LESSONS]
    trial = np.ascontiguousarray(lessons.X[:, some]), targets[some], weights[some] / weights[some].sum()

    def begin(start: int) -> tuple[float, int, NDArray]:
        rng = np.random.default_rng([seed, size, start])
        w = np.concatenate([rng.standard_normal(size * m) / np.sqrt(m), 0.5 * rng.standard_normal(size + 1)])
        w, cost, passes = cool(*trial, w, size, TRIAL_GAINS, decay, TRIAL_STEPS)
        return cost, passes * len(some) // len(targets), w

    def finish(w: NDArray) -> Student:
        w, _, passes = cool(lessons.X, targets, weights, w, size, GAINS, decay, STEPS)
        return _hardened(w[: size * m].reshape(size, m), w[size * m :], passes)

    def wrong(student: Student) -> float:
        return float(weights[student.answers(lessons.X) != targets].sum())

    begun = sorted(run(begin, range(starts)), key=lambda one: one[0])
    students = list(run(finish, [w for _, _, w in begun[:finalists]]))
    best = min(students, key=wrong)
    if size > 1 and sweeps:
        best = _retrained(best, lessons, np.random.default_rng([seed, size, starts]), sweeps)
    answers = best.answers(exam.X)
    disagreement = float(exam.weights[answers != exam.targets].sum())
    epochs = sum(passes for _, passes, _ in begun) + sum(student.epochs for student in students)
    return Student(best.hidden, best.output, epochs, disagreement, float(np.mean(answers == exam.targets)))


def _hardened(hidden: NDArray, output: NDArray, passes: int) -> Student:
    """Return the network of signs at infinite gain; of one unit the output only passes on the state."""
    if len(hidden) == 1:
        bias, weight = output
        hidden = sign(weight) * hidden if abs(weight) > abs(bias) else sign(bias) * np.eye(1, hidden.shape[1])
        output = np.array([0.0, 1.0])
    return Student(unit_rows(hidden), output, passes)


def _retrained(student: Student, lessons: Lessons, rng: np.random.Generator, sweeps: int) -> Student:
    """Let Minimerror put right single units, each on the patterns where it decides."""
    task = Task.standardised(lessons.X, SignOutput(lessons.targets, lessons.weights))
    codes = task.codes(student.hidden)
    errors = task.answers.errors(codes, student.output)
    layer = Layer(student.hidden, student.output, codes, errors, "distilled")
    layer = retrain(task, layer, rng, sweeps=sweeps)
    return Student(layer.hidden, layer.output)


def teach_sizes(
    lessons: Lessons,
    exam: Lessons,
    largest: int,
    *,
    tolerance: float,
    seed: int,
    run: Callable = map,
    watch: Callable[[Student], object] = lambda student: None,
) -> list[Student]:
    """Train students of growing size, up to `largest` or until one disagrees by no more than `tolerance`."""
    students: list[Student] = []
    for size in sizes_up_to(largest):
        students.append(teach(lessons, exam, size, seed=seed, run=run))
        watch(students[-1])
        if students[-1].disagreement <= tolerance:
            break
    return students


def smallest_good(students: list[Student], tolerance: float) -> Student:
    """Return the smallest student that disagrees at most `tolerance` more than the best of all."""
    least = min(student.disagreement for student in students)
    return next(student for student in students if student.disagreement <= least + tolerance)
