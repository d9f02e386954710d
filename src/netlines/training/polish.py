"""Chooses among networks that make no more errors the one that answers most like a smooth teacher.

A network without training errors has to bend around single patterns, and there are many ways to do so. Some
wide soft networks, trained on the same patterns, tell by their mean which of these ways is the least
arbitrary: small networks learn its answers between the patterns beside the patterns themselves.

1. Anneal the network and some random ones of its size on the patterns alone, for long.
2. Large tasks end here: of those with no more errors the one with the lowest soft cost is taken.
3. Train wide soft networks; their mean is the teacher. It answers synthetic points, to learn and for an exam.
4. Unless step 1 found networks easily, anneal small networks on patterns and points (`_students`), and
   retrain single units of the best of those that still make too many errors (`_mended`).
5. Take the network that disagrees least with the teacher in the exam.
6. Where annealing alone does not reach the size, do the same with one unit more, if that is clearly nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import sign
from netlines.training import soft
from netlines.training.geometry import unit_rows
from netlines.training.outputs import SignOutput
from netlines.training.points import mixed
from netlines.training.refine import JOINT, annealed, hardened, retrain
from netlines.training.task import ALONE, Layer, Task


class Tuning(NamedTuple):
    """The tuned numbers of polishing."""

    widest: int = 12  # beyond these three, networks are only annealed on the patterns alone
    most_patterns: int = 2000
    most_work: float = 4e5
    annealed: int = 6  # random networks annealed on the patterns alone
    few: int = 3  # if so many fail, no more are annealed
    easy: int = 5  # where so many of them succeed, no others are needed
    teachers: int = 10  # soft networks whose mean is the teacher, of this width
    width: int = 10
    teaching: soft.Schedule = JOINT._replace(gains=JOINT.gains[:3], decay=3e-3, steps=30)
    points: int = 2500  # synthetic ones to learn; few are annealed on, all mended on
    learnt: int = 600
    exam: int = 2500
    learning: soft.Schedule = JOINT._replace(decay=3e-4, steps=40)
    starts: tuple[int, int] = (6, 10)  # at the size that growth found, and with one unit more
    mended: tuple[int, int] = (4, 8)
    shares: tuple[float, ...] = (0.5, 0.8, 0.95)  # of the patterns in the weight of all lessons, in turn
    heavy: float = 4.0  # times an error on the patterns counts against one on the points in mending
    cooling: tuple[float, float, int] = (3.0, 200.0, 100)  # 1/T₊ of mending: first, last, steps
    sweeps: int = 2
    worth: float = 0.55  # one unit more has to lower the disagreement to this part


TUNED = Tuning()


@dataclass(frozen=True, eq=False)
class Lessons:
    """The patterns of a task followed by points that a teacher has answered, and fresh points for the exam.

    Attributes
    ----------
    X : array (M, P + n), standardised
    targets : array (P + n,), the classes ±1 of the patterns and the teacher's answers
    real, made : array (P,) and (n,), what each counts, both with the sum 1; points where the teacher
        cannot tell count nothing
    exam, answers, gap : array (M, e) and (e,), the same for the fresh points
    errors : weight of the patterns that the teacher itself gets wrong
    epochs, updates : what training the teacher took
    """

    X: NDArray
    targets: NDArray
    real: NDArray
    made: NDArray
    exam: NDArray
    answers: NDArray
    gap: NDArray
    errors: float
    epochs: int
    updates: int

    @cached_property
    def mending(self) -> Task[SignOutput]:
        """The patterns and points that single units are moved on."""
        weights = np.concatenate([TUNED.heavy * self.real, self.made])
        return Task.standardised(self.X, SignOutput(self.targets, weights))

    def disagreement(self, layer: Layer) -> float:
        """Return the weight of the fresh points that a network answers differently from the teacher."""
        answers = sign(layer.output[0] + layer.output[1:] @ sign(layer.hidden @ self.exam))
        return float(self.gap[answers != self.answers].sum())


def polish(task: Task[SignOutput], layer: Layer, *, most: float, seed: int, run: Callable = map) -> Layer:
    """Return a network with no more errors that should answer new rows better, or the layer itself.

    Deviation: the paper keeps the first network without errors. One unit more is taken only where no
    annealing alone reaches the size that growth found, and where it brings the network clearly nearer to a
    teacher that makes no more errors either.

    Parameters
    ----------
    task, layer : what is learnt, and the network that growth found
    most : largest number of hidden units
    seed : decides everything random
    run : `map`, or a parallel one with the same order of results

    Returns
    -------
    Layer
        Its `epochs` and `updates` are those of everything that was tried.
    """
    size = len(layer.hidden)
    alone = _alone(task, layer, seed, run) if size > 1 else []
    tried, reached = list(alone), [one for one in alone if one.errors <= layer.errors]
    work = task.n_inputs * task.n_patterns * size
    if size > TUNED.widest or task.n_patterns > TUNED.most_patterns or work > TUNED.most_work:
        return min(reached, key=lambda one: one.cost, default=layer).after(tried)
    lessons = _lessons(task, seed, run)
    if len(reached) < TUNED.easy:
        starts, mended = (TUNED.starts[0], TUNED.mended[0]) if size > 1 else (len(TUNED.shares), 2)
        tried += _students(task, lessons, size, layer.errors, seed, run, starts, mended)
    good = [one for one in tried if one.errors <= layer.errors]
    best = min([layer, *good], key=lessons.disagreement)
    # A size that annealing alone reaches is no accident of single patterns: parity, Monk's, committees.
    hard = len(reached) < 2 and (not alone or alone[0].errors > layer.errors)
    if hard and size < most and lessons.errors <= layer.errors:
        wider = _students(task, lessons, size + 1, layer.errors, seed, run, TUNED.starts[1], TUNED.mended[1])
        tried += wider
        good = [one for one in wider if one.errors <= layer.errors]
        nearest = min([best, *good], key=lessons.disagreement)
        if lessons.disagreement(nearest) < TUNED.worth * lessons.disagreement(best):
            best = nearest
    return best.after(tried, lessons.epochs, lessons.updates)


def _alone(task: Task[SignOutput], layer: Layer, seed: int, run: Callable) -> list[Layer]:
    """Anneal the network and random ones on the patterns alone, no more than some if these all fail."""
    if len(layer.hidden) > TUNED.widest:
        return list(annealed(task, layer, seed, 0, run))
    some = list(annealed(task, layer, seed, TUNED.few, run))
    if min(one.errors for one in some[1:]) > layer.errors:
        return some
    return some + list(annealed(task, layer, seed, TUNED.annealed, run, begin=1 + TUNED.few))


def _lessons(task: Task[SignOutput], seed: int, run: Callable) -> Lessons:
    """Train the teacher and let it answer synthetic points."""
    m, width, patterns = task.n_inputs, TUNED.width, task.in_memory()
    targets, real = task.answers.soft_targets()

    def train(k: int) -> tuple[NDArray, float, int]:
        w = soft.start(width, m, 1, np.random.default_rng([seed, 300, k]))
        return task.cool(targets, real, w, width, TUNED.teaching)

    trained = list(run(train, range(TUNED.teachers)))
    epochs = sum(passes for *_, passes in trained)

    W = np.stack([w for w, *_ in trained]).astype(np.float32)
    A, V = TUNED.teaching.gains[-1] * W[:, : width * m].reshape(-1, m), W[:, width * m :]

    def margin(X: NDArray) -> NDArray:
        """Return by how much +1 is more probable than -1."""
        states = _tanh(A @ X.astype(np.float32)).reshape(len(W), width, -1)
        sums = V[:, :1] + (V[:, None, 1:] @ states)[:, 0]
        return np.asarray(_tanh(0.5 * sums).mean(axis=0, dtype=float))

    # The order of the patterns comes from their values in the user's units, but chance must not.
    order = np.lexsort(np.round(patterns, 9))
    rng = np.random.default_rng([seed, 301])
    # Only those with columns of other patterns: they are as scattered as the patterns themselves.
    n, learnt = TUNED.points + TUNED.exam, TUNED.points
    points = mixed(np.ascontiguousarray(patterns[1:, order].T), real[order], n, rng)
    Z = np.vstack([np.ones(len(points)), points.T]).astype(patterns.dtype)
    p = margin(Z)
    answers, gap = sign(p), np.abs(p) + 1e-6
    return Lessons(
        np.ascontiguousarray(np.hstack([patterns, Z[:, :learnt]])),
        np.concatenate([targets, answers[:learnt]]),
        real,
        gap[:learnt] / gap[:learnt].sum(),
        Z[:, learnt:],
        answers[learnt:],
        gap[learnt:] / gap[learnt:].sum(),
        float(task.weights[sign(margin(patterns)) != targets].sum()),
        epochs,
        epochs * (width * (m + 1) + 1),
    )


def _tanh(x: NDArray) -> NDArray:
    """Replace x by tanh(x), by exp, which numpy has much faster."""
    x *= 2.0
    np.minimum(x, 60.0, out=x)
    np.exp(x, out=x)
    x += 1.0
    np.divide(-2.0, x, out=x)
    x += 1.0
    return x


def _students(
    task: Task[SignOutput],
    lessons: Lessons,
    size: int,
    errors: float,
    seed: int,
    run: Callable,
    starts: int,
    mended: int,
) -> list[Layer]:
    """Anneal networks on the lessons from random starts, and mend the best of those with too many errors."""
    m, n = task.n_inputs, len(lessons.real) + TUNED.learnt
    X, made = (
        np.ascontiguousarray(lessons.X[:, :n]),
        lessons.made[: TUNED.learnt] / lessons.made[: TUNED.learnt].sum(),
    )

    def anneal(k: int) -> Layer:
        w = soft.start(size, m, 1, np.random.default_rng([seed, size, 400 + k]))
        share = TUNED.shares[k % len(TUNED.shares)]
        s = np.concatenate([share * lessons.real, (1 - share) * made])
        w, _, passes = soft.cool(X, lessons.targets[:n], s, w, size, *TUNED.learning)
        hidden, output = w[: size * m].reshape(size, m), w[size * m :]
        return _hardened(task, hidden, output, "distilled", passes, passes * len(w))

    def mend(job: tuple[int, Layer]) -> Layer:
        k, student = job
        return _mended(task, lessons, student, np.random.default_rng([seed, size, 500 + k]))

    students = list(run(anneal, range(starts)))
    bad = sorted((student for student in students if student.errors > errors), key=lambda one: one.errors)
    return students + list(run(mend, enumerate(bad[:mended])))


def _hardened(
    task: Task[SignOutput], hidden: NDArray, output: NDArray, origin: str, epochs: int, updates: int
) -> Layer:
    """Return the network of signs, its output refitted; a unit alone answers the class itself."""
    if len(hidden) > 1:
        return hardened(task, hidden, output, origin, epochs=epochs, updates=updates)
    hidden = task.seat(unit_rows(sign(output[1]) * hidden))
    return task.layer(hidden, ALONE, origin, epochs=epochs, updates=updates)


def _mended(task: Task[SignOutput], lessons: Lessons, student: Layer, rng: np.random.Generator) -> Layer:
    """Let Minimerror move single units on the patterns and points where they decide, towards fewer errors.

    The points keep a unit from bending further than the patterns ask for.
    """
    everything = lessons.mending
    layer = everything.layer(student.hidden, student.output, "on patterns and points")
    for _ in range(TUNED.sweeps):
        layer = retrain(everything, layer, rng, sweeps=1, betas=np.geomspace(*TUNED.cooling), wander=False)
        if not everything.answers.wrong(layer.codes, layer.output)[: task.n_patterns].any():
            break
    return _hardened(task, layer.hidden, layer.output, "distilled and mended", layer.epochs, layer.updates)
