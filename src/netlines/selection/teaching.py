"""Trains students: compresses what a teacher says into a small network of binary neurons.

1. Small ones of two classes: many soft networks, of tanh units, take a few steps on some of the lessons. The
   best of them learn all lessons while their gain rises, and are hardened to signs; in the best of these
   Minimerror retrains single units where they decide.
2. Larger ones, and those of more classes, which share the hidden layer: a network descends, a few lessons
   at a time, and becomes signs on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from netlines.selection.course import Course, Lessons
from netlines.selection.students import Student, hardened
from netlines.training import soft
from netlines.training.cases import Cases
from netlines.training.descent import Descent, descend
from netlines.training.outputs import SignOutput
from netlines.training.refine import retrain
from netlines.training.task import Layer, Task

LARGE = Cases(two=16, more=1)  # hidden units from which on students descend


@dataclass(frozen=True)
class Cooling:
    """How small students of two classes are taught.

    Attributes
    ----------
    starts, finalists : number of networks that begin, and of those that are cooled to the end
    trial_lessons, trial_gains, trial_steps : with which they begin
    gains, steps : of those that are cooled, and the steps at each gain
    decay : weight of the squared weights of the soft network in its cost
    sweeps : how often each unit is retrained
    """

    starts: int = 10
    finalists: int = 2
    trial_lessons: int = 2500
    trial_gains: tuple[float, ...] = (1.0, 4.0)
    trial_steps: int = 15
    gains: tuple[float, ...] = (4.0, 8.0, 16.0, 32.0)
    steps: int = 25
    decay: float = 1e-3
    sweeps: int = 2


COOLING = Cooling()
DESCENT = Cases(
    two=Descent(steps=2000, batch=256, decay=1e-5),
    more=Descent(steps=2000, batch=256, decay=1e-4),
)


def teach(
    course: Course,
    size: int,
    *,
    seed: int,
    run: Callable = map,
    cooling: Cooling = COOLING,
    descent: Descent | None = None,
) -> Student:
    """Train a network of `size` hidden units and examine it.

    Parameters
    ----------
    course : what to learn, and the fresh points of `excess` and `fidelity`
    size : number of hidden units
    seed : decides the starts
    run : `map`, or a parallel one with the same order of results
    cooling, descent : how small and how large students learn, if not as usual
    """
    n_classes = course.exam.p.shape[1]
    if size < LARGE.of(n_classes):
        student = _cooled(course.lessons, size, cooling, seed, run)
    else:
        how = DESCENT.of(n_classes) if descent is None else descent
        student = _descended(course.for_large, size, how, seed)
    return student.examined(course.exam)


def _cooled(lessons: Lessons, size: int, how: Cooling, seed: int, run: Callable) -> Student:
    """Let soft networks of two classes begin with some of the lessons, and cool the best with all of them."""
    labels, weights = lessons.labels, lessons.weights
    targets = soft.targets_of(labels, 2)
    some = np.random.default_rng([seed, size]).permutation(len(labels))[: how.trial_lessons]
    trial = np.ascontiguousarray(lessons.X[:, some]), targets[some], weights[some] / weights[some].sum()

    def begin(start: int) -> tuple[float, int, NDArray]:
        w = soft.start(size, len(lessons.X), 1, np.random.default_rng([seed, size, start]))
        w, cost, passes = soft.cool(*trial, w, size, how.trial_gains, how.decay, how.trial_steps)
        return cost, passes * len(some) // len(labels), w

    def finish(w: NDArray) -> Student:
        w, _, passes = soft.cool(lessons.X, targets, weights, w, size, how.gains, how.decay, how.steps)
        return hardened(*soft.split(w, size, 1), passes)

    def wrong(student: Student) -> float:
        return float(weights[student.answers(lessons.X) != labels].sum())

    begun = sorted(run(begin, range(how.starts)), key=lambda one: one[0])
    students = list(run(finish, [w for _, _, w in begun[: how.finalists]]))
    passes = sum(passes for _, passes, _ in begun) + sum(one.epochs for one in students)
    best = students[0] if len(students) == 1 else min(students, key=wrong)
    rng = np.random.default_rng([seed, size, how.starts])
    return replace(_retrained(best, lessons, how.sweeps, rng), epochs=passes)


def _retrained(student: Student, lessons: Lessons, sweeps: int, rng: np.random.Generator) -> Student:
    """Let Minimerror put right single units, each on the patterns where it decides."""
    if student.passes_on or not sweeps:
        return student
    task = Task.standardised(lessons.X, SignOutput(2.0 * lessons.labels - 1.0, lessons.weights))
    codes, (output,) = task.codes(student.hidden), student.output
    layer = Layer(student.hidden, output, codes, task.answers.errors(codes, output), "distilled")
    layer = retrain(task, layer, rng, sweeps=sweeps)
    return Student(layer.hidden, layer.output[None])


def _descended(lessons: Lessons, size: int, how: Descent, seed: int) -> Student:
    """Let a network descend, a few lessons at a time; it learns the probabilities, not the answers alone."""
    rng = np.random.default_rng([seed, size, 0])
    T = lessons.p.T[-soft.n_outputs_of(lessons.p.shape[1]) :]
    hidden, output = descend(lessons.X, T, lessons.share, size, how, rng)
    return hardened(hidden, output, -(-how.steps * how.batch // len(lessons.share)))
