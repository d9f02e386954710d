"""Compresses a teacher, any classifier that predicts, into a small network of binary neurons.

1. The teacher answers on the rows and on synthetic points between and around them: the lessons.
2. Two classes: many soft networks, of tanh units, take a few steps on some of the lessons. The best of them
   learn all lessons while their gain rises, and are hardened to signs; in the best of these Minimerror
   retrains single units where they decide.
3. More, which share the hidden layer: networks from a few starts descend, a few lessons at a time, and become
   signs on the way; of the best the outputs are fitted once more to the states of the hidden units.
4. Fresh points, the exam, tell how often student and teacher agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.network import sign
from netlines.network.probability import most_probable
from netlines.selection.data import Standardisation
from netlines.selection.teachers.teacher import Probability
from netlines.training import _softmax, soft
from netlines.training.cases import Cases
from netlines.training.descent import Descent, descend
from netlines.training.geometry import unit_rows
from netlines.training.outputs import SignOutput
from netlines.training.points import synthetic
from netlines.training.refine import retrain
from netlines.training.task import Layer, Task

FRESH = 4000  # points of the exam
MOST_ROWS = 20_000  # of the rows themselves in the lessons
TOLERANCE = {"small": 1.0, "balanced": 0.15, "accurate": 0.0}  # in standard errors of the teacher's error


@dataclass(frozen=True)
class Schedule:
    """How students are taught.

    Attributes
    ----------
    sizes : numbers of hidden units to try; larger ones are by a third larger each
    usual : the largest that is tried if nobody wants another
    synthetic : points in the lessons beside the rows
    starts, finalists : number of networks that begin, and of two classes of those that are cooled to the end
    steps : at each of the rising gains; of more classes all of them
    sweeps : how often each unit is retrained
    decay : weight of the squared weights of the soft network in its cost
    batch : lessons in each step, of more classes than two
    ridge : of the outputs that are fitted once more
    """

    sizes: tuple[int, ...]
    usual: int
    synthetic: int
    starts: int
    finalists: int
    steps: int
    sweeps: int = 0
    decay: float = 1e-3
    batch: int = 512
    ridge: float = 1e-4
    gains: tuple[float, ...] = (4.0, 8.0, 16.0, 32.0)
    trial_gains: tuple[float, ...] = (1.0, 4.0)
    trial_steps: int = 15
    trial_lessons: int = 2500


SCHEDULES = Cases(
    two=Schedule((1, 2, 3, 4, 5, 6, 8, 11), 11, 16_000, starts=10, finalists=2, steps=25, sweeps=2),
    more=Schedule(
        (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128),
        64,
        24_000,
        starts=1,
        finalists=1,
        steps=4000,
        decay=3e-4,
    ),
)
PER_CLASS = 4  # hidden units that may be tried for each class, where that is more than the usual largest size
LEADS = Cases[
    Callable[[NDArray], NDArray]
](  # of the largest probability over the next one
    two=lambda p: np.abs(2.0 * p[:, 1] - 1.0),  # free of what was rounded in the other one
    more=lambda p: np.diff(np.partition(p, -2, axis=1)[:, -2:])[:, 0],
)


@dataclass(frozen=True, eq=False)
class Lessons:
    """Standardised patterns (M, n), the teacher's probabilities (n, C), and each pattern's share."""

    X: NDArray
    p: NDArray
    share: NDArray

    @property
    def labels(self) -> NDArray:
        """The teacher's answers."""
        return most_probable(self.p)

    @property
    def weights(self) -> NDArray:
        """What an answer counts: by how much it leads the next one, with the sum 1."""
        weights = self.share * (LEADS.of(self.p.shape[1])(self.p) + 1e-6)
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Student:
    """A small network over standardised inputs: hidden rows (H, M) of norm 1, output weights (K, H + 1).

    Of two classes it has K = 1 output, of more one a class. `disagreement` is the weight of the fresh points
    that it answers differently from its teacher, `fidelity` the plain share of those that it answers alike.
    """

    hidden: NDArray
    output: NDArray
    epochs: int = 0
    disagreement: float = np.nan
    fidelity: float = np.nan

    def codes(self, X: NDArray) -> NDArray:
        """Return the states ±1 of the hidden units for patterns (M, n), shape (H, n)."""
        return sign(self.hidden @ X)

    def answers(self, X: NDArray) -> NDArray:
        """Return the numbers of the classes for patterns (M, n)."""
        return most_probable((self.output[:, :1] + self.output[:, 1:] @ self.codes(X)).T)

    def fields(self, X: NDArray) -> NDArray:
        """Return the weighted sums of the hidden units for patterns (M, n), shape (n, H)."""
        return (self.hidden @ X).T

    def record(self, X: NDArray, labels: NDArray, weights: NDArray) -> dict[str, Any]:
        """Return a record for the trace of a growth, with the errors on these patterns."""
        errors = float(weights[self.answers(X) != labels].sum())
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
    def passes_on(self) -> bool:
        """Whether it is a single unit, of which the output only passes on the state."""
        return self.size == len(self.output) == 1

    @property
    def name(self) -> str:
        """What to call it."""
        return name_of(self.size)

    @property
    def n_weights(self) -> int:
        """Number of weights as the paper counts them."""
        return self.hidden.size + (0 if self.passes_on else self.output.size)


def name_of(size: int) -> str:
    """Return what a student of a size is called."""
    return f"network of {count(size, 'hyperplane')}"


def sizes_up_to(largest: int | None, n_classes: int) -> Iterator[int]:
    """Yield the numbers of hidden units to try, up to `largest` and with it; None for the usual one.

    Fewer than the logarithm of the number of classes would not have a code for each of them.
    """
    schedule, smallest = SCHEDULES.of(n_classes), int(np.ceil(np.log2(n_classes)))
    sizes = schedule.sizes
    if largest is None:
        largest = max(schedule.usual, PER_CLASS * n_classes)
    size = sizes[-1]
    yield from (one for one in sizes if smallest <= one < largest)
    while (size := round(size * 4 / 3)) < largest:
        yield size
    yield largest


def prepare(
    rows: NDArray,
    p: NDArray,
    share: NDArray,
    standardisation: Standardisation,
    probability: Probability,
    *,
    n: int,
    seed: int,
) -> tuple[Lessons, Lessons]:
    """Return what a student learns and, by other points, what it is examined on.

    Parameters
    ----------
    rows, share : the training rows in the user's units, in no particular order, and their weights, with the
        sum 1; of very many the first are learnt
    p : the teacher's probabilities (n, C) for them
    standardisation : of the inputs
    probability : the teacher
    n : number of synthetic points to learn; they have half of the weight
    seed : decides them
    """
    rng = np.random.default_rng([seed, 2])
    made, fresh = (synthetic(rows, share, k, rng) for k in (n, FRESH))
    if len(rows) > MOST_ROWS:
        rows, p, share = rows[:MOST_ROWS], p[:MOST_ROWS], share[:MOST_ROWS] / share[:MOST_ROWS].sum()
    X = np.hstack([standardisation.standardised(rows), standardisation.standardised(made)])
    shares = np.concatenate([share / 2, np.full(n, 0.5 / n)])
    learnt = Lessons(np.ascontiguousarray(X), np.concatenate([p, probability(made)]), shares)
    exam = Lessons(standardisation.standardised(fresh), probability(fresh), np.full(FRESH, 1.0 / FRESH))
    return learnt, exam


def teach(
    lessons: Lessons, exam: Lessons, size: int, *, seed: int, run: Callable = map, **changes: Any
) -> Student:
    """Train a network of `size` hidden units from several starts, mend the best and examine it.

    Parameters
    ----------
    lessons, exam : what to learn, and the fresh points of `disagreement` and `fidelity`
    size : number of hidden units
    seed : decides the starts
    run : `map`, or a parallel one with the same order of results
    changes : what differs from the usual `Schedule`
    """
    n_classes = lessons.p.shape[1]
    schedule = replace(SCHEDULES.of(n_classes), **changes)
    students, passes = LEARNING.of(n_classes)(lessons, size, schedule, seed, run)
    labels, weights = lessons.labels, lessons.weights

    def wrong(student: Student) -> float:
        return float(weights[student.answers(lessons.X) != labels].sum())

    best = students[0] if len(students) == 1 else min(students, key=wrong)
    rng = np.random.default_rng([seed, size, schedule.starts])
    best = MENDING.of(n_classes)(best, lessons, schedule, rng)
    return examined(replace(best, epochs=passes), exam)


Learnt = tuple[list[Student], int]  # networks, and the passes over all lessons that all of them took


def _cooled(lessons: Lessons, size: int, schedule: Schedule, seed: int, run: Callable) -> Learnt:
    """Let soft networks of two classes begin with some of the lessons, and cool the best with all of them."""
    labels, weights = lessons.labels, lessons.weights
    targets = soft.targets_of(labels, 2)
    some = np.random.default_rng([seed, size]).permutation(len(labels))[: schedule.trial_lessons]
    trial = np.ascontiguousarray(lessons.X[:, some]), targets[some], weights[some] / weights[some].sum()

    def begin(start: int) -> tuple[float, int, NDArray]:
        w = soft.start(size, len(lessons.X), 1, np.random.default_rng([seed, size, start]))
        how = schedule.trial_gains, schedule.decay, schedule.trial_steps
        w, cost, passes = soft.cool(*trial, w, size, *how)
        return cost, passes * len(some) // len(labels), w

    def finish(w: NDArray) -> Student:
        how = schedule.gains, schedule.decay, schedule.steps
        w, _, passes = soft.cool(lessons.X, targets, weights, w, size, *how)
        return hardened(*soft.split(w, size, 1), passes)

    begun = sorted(run(begin, range(schedule.starts)), key=lambda one: one[0])
    students = list(run(finish, [w for _, _, w in begun[: schedule.finalists]]))
    return students, sum(passes for _, passes, _ in begun) + sum(one.epochs for one in students)


def _descended(lessons: Lessons, size: int, schedule: Schedule, seed: int, run: Callable) -> Learnt:
    """Let networks of more classes descend from several starts, a few lessons at a time."""
    targets = soft.targets_of(lessons.labels, lessons.p.shape[1])
    how = Descent(schedule.steps, schedule.batch, schedule.decay)

    def learn(start: int) -> Student:
        rng = np.random.default_rng([seed, size, start])
        hidden, output = descend(lessons.X, targets, lessons.weights, size, how, rng)
        return Student(unit_rows(hidden), output)

    students = list(run(learn, range(schedule.starts)))
    return students, -(-schedule.starts * schedule.steps * schedule.batch // len(lessons.share))


LEARNING = Cases(two=_cooled, more=_descended)


def hardened(hidden: NDArray, output: NDArray, passes: int = 0) -> Student:
    """Return the network of signs at infinite gain; of one unit the output only passes on the state."""
    if len(hidden) == len(output) == 1:
        bias, weight = output[0]
        hidden = sign(weight) * hidden if abs(weight) > abs(bias) else sign(bias) * np.eye(1, hidden.shape[1])
        output = np.array([[0.0, 1.0]])
    return Student(unit_rows(hidden), output, passes)


def _retrained(student: Student, lessons: Lessons, schedule: Schedule, rng: np.random.Generator) -> Student:
    """Let Minimerror put right single units, each on the patterns where it decides."""
    if student.passes_on or not schedule.sweeps:
        return student
    task = Task.standardised(lessons.X, SignOutput(2.0 * lessons.labels - 1.0, lessons.weights))
    codes, (output,) = task.codes(student.hidden), student.output
    layer = Layer(student.hidden, output, codes, task.answers.errors(codes, output), "distilled")
    layer = retrain(task, layer, rng, sweeps=schedule.sweeps)
    return Student(layer.hidden, layer.output[None])


def _with_outputs(student: Student, lessons: Lessons, schedule: Schedule, _: Any) -> Student:
    """Fit the outputs to the states of the hidden units; they are kept if they do no worse."""
    labels, weights = lessons.labels, lessons.weights
    states = np.vstack([np.ones(len(labels)), student.codes(lessons.X)]).astype(np.float32)
    T, start = soft.targets_of(labels, len(student.output)), student.output
    refitted, _ = _softmax.fit_outputs(states, T, weights, schedule.ridge, start=start, iterations=60)
    before, after = (weights[(V @ states).argmax(axis=0) != labels].sum() for V in (start, refitted))
    return replace(student, output=refitted) if after <= before else student


MENDING = Cases(two=_retrained, more=_with_outputs)


def examined(student: Student, exam: Lessons) -> Student:
    """Return the student with how it did in the exam."""
    alike = student.answers(exam.X) == exam.labels
    return replace(student, disagreement=float(exam.weights[~alike].sum()), fidelity=float(alike.mean()))


def teach_sizes(
    lessons: Lessons,
    exam: Lessons,
    largest: int | None,
    *,
    tolerance: float,
    seed: int,
    run: Callable = map,
    report: Callable[[str], Any] = lambda name: None,
) -> list[Student]:
    """Train students of growing size, up to `largest` or until one disagrees by no more than `tolerance`.

    The name of each is reported when it begins.
    """
    students: list[Student] = []
    n_classes = lessons.p.shape[1]
    for size in sizes_up_to(largest, n_classes):
        report(name_of(size))
        students.append(teach(lessons, exam, size, seed=seed, run=run))
        if students[-1].disagreement <= tolerance:
            break
    return students


def smallest_good(students: Sequence[Student], tolerance: float) -> Student:
    """Return the smallest student that disagrees at most `tolerance` more than the best of all."""
    least = min(student.disagreement for student in students)
    return next(student for student in students if student.disagreement <= least + tolerance)
