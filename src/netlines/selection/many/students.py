"""One hidden layer of binary units shared by all classes, taught by a teacher of many classes.

As with two classes, the teacher answers on the rows and on synthetic points between and around them; a soft
network with one output a class learns its answers while its gain rises, and is hardened to signs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.selection import students as distillation
from netlines.training import _softmax, soft
from netlines.training.geometry import unit_rows

SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
SYNTHETIC = 24_000
# Some starts take a few steps on some of the lessons; the best of them goes on, on all.
TRIAL_GAINS, TRIAL_STEPS, TRIAL_LESSONS, STARTS = (1.0, 4.0), 15, 2500, 4
GAINS, STEPS = (4.0, 8.0, 16.0, 32.0), 30
DECAY, RIDGE = 1e-3, 1e-4


class Lessons(distillation.Lessons):
    """Standardised patterns (M, n), the teacher's probabilities (n, C), and each pattern's share."""

    @property
    def labels(self) -> NDArray:
        """The teacher's answers."""
        return np.asarray(self.p.argmax(axis=1))

    @property
    def weights(self) -> NDArray:
        """What an answer counts: by how much it leads the next one, with the sum 1."""
        two = np.partition(self.p, -2, axis=1)[:, -2:]
        weights = self.share * (two[:, 1] - two[:, 0] + 1e-6)
        return np.asarray(weights / weights.sum())


class Student(distillation.Student):
    """A small network with one output a class: output weights (C, H + 1)."""

    def codes(self, X: NDArray) -> NDArray:
        """Return 1 and the states ±1 of the hidden units for patterns (M, n), shape (H + 1, n)."""
        return np.vstack([np.ones(X.shape[1]), sign(self.hidden @ X)])

    def answers(self, X: NDArray) -> NDArray:
        """Return the numbers of the classes for patterns (M, n)."""
        return np.asarray((self.output @ self.codes(X)).argmax(axis=0))

    @property
    def name(self) -> str:
        """What to call it."""
        return f"shared layer of {self.size} units"

    @property
    def n_weights(self) -> int:
        """Number of weights."""
        return self.hidden.size + self.output.size


prepare = partial(distillation.prepare, form=Lessons)


def teach(
    lessons: Lessons,
    exam: Lessons,
    size: int,
    *,
    seed: int,
    starts: int = STARTS,
    steps: int = STEPS,
    decay: float = DECAY,
    run: Callable = map,
) -> Student:
    """Train a layer of `size` hidden units and its outputs, and examine it.

    Parameters
    ----------
    lessons, exam : what to learn, and the fresh points of `disagreement` and `fidelity`
    size : number of hidden units
    seed : decides the starts
    starts : number of soft networks that begin; one is cooled to the end
    steps : at each gain
    decay : weight of the squared weights of the soft network in its cost
    run : `map`, or a parallel one with the same order of results
    """
    m, n_classes = len(lessons.X), lessons.p.shape[1]
    labels, weights = lessons.labels, lessons.weights
    T = _softmax.one_hot(labels, n_classes)
    some = np.random.default_rng([seed, size]).permutation(len(labels))[:TRIAL_LESSONS]
    trial = lessons.X[:, some], T[:, some], weights[some] / weights[some].sum()

    def begin(start: int) -> tuple[NDArray, float, int]:
        w = soft.start(size, m, n_classes, np.random.default_rng([seed, size, start]))
        return _softmax.cool(*trial, w, size, TRIAL_GAINS, decay, TRIAL_STEPS)

    begun = sorted(run(begin, range(starts)), key=lambda one: one[1])
    w, _, passes = _softmax.cool(lessons.X, T, weights, begun[0][0], size, GAINS, decay, steps)
    hidden, outputs = _softmax.split(w, size, n_classes)
    student = Student(unit_rows(hidden), outputs, passes)
    codes = student.codes(lessons.X).astype(np.float32)
    refitted, _ = _softmax.fit_outputs(codes, T, weights, RIDGE, start=outputs, iterations=60)
    wrong = [weights[(V @ codes).argmax(axis=0) != labels].sum() for V in (outputs, refitted)]
    if wrong[1] <= wrong[0]:
        student = replace(student, output=refitted)
    return examined(student, exam)


def examined(student: Student, exam: Lessons) -> Student:
    """Return the student with how it did in the exam."""
    alike = student.answers(exam.X) == exam.labels
    return replace(student, disagreement=float(exam.weights[~alike].sum()), fidelity=float(alike.mean()))
