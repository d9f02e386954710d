"""What students are taught: what a teacher says about rows and about points like them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import most_probable
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Probability
from netlines.training.cases import Cases
from netlines.training.points import Columns, on_boundary, synthetic

FRESH = 4000  # points of the exam
FEWEST, EACH = 2000, 8  # synthetic points in the lessons: at least, and for each row,
MOST = 2000, 200  # but at most so many, and so many more for each column
FINER = Cases(two=4000, more=10_000)  # more of them for large students
MOST_ROWS = 20_000  # of the rows themselves in the lessons
BOUNDARY = 3000  # points where the teacher changes its answer
BOUNDARY_SHARE = 0.25  # of the weight that they have
ROWS_SHARE = Cases(two=0.25, more=0.35)  # of the rest, that of the rows: large students learn few by heart


def leads(p: NDArray) -> NDArray:
    """Return by how much the largest of the probabilities (n, C) leads the next one."""
    if p.shape[1] == 2:
        return np.abs(2.0 * p[:, 1] - 1.0)  # free of what was rounded in the other one
    return np.asarray(np.diff(np.partition(p, -2, axis=1)[:, -2:])[:, 0])


@dataclass(frozen=True, eq=False)
class Lessons:
    """Standardised patterns (M, n), the teacher's probabilities (n, C), and each pattern's share."""

    X: NDArray
    p: NDArray
    share: NDArray

    @classmethod
    def of_labels(cls, data: Data, examples: Examples) -> Lessons:
        """Return the labels of examples as lessons."""
        X = np.ascontiguousarray(data.X[:, examples.pattern])
        return cls(X, np.eye(data.n_classes)[examples.labels], examples.share)

    @cached_property
    def labels(self) -> NDArray:
        """The teacher's answers."""
        return most_probable(self.p)

    @cached_property
    def lead(self) -> NDArray:
        """By how much each answer leads the next one."""
        return leads(self.p)

    @cached_property
    def weights(self) -> NDArray:
        """What an answer counts, with the sum 1."""
        weights = self.share * (self.lead + 1e-6)
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Course:
    """What students are taught: the lessons, and for large ones more of them; and the exam, on fresh points.

    `finer` makes lessons for large students, once they are asked for.
    """

    lessons: Lessons
    exam: Lessons
    finer: Callable[[], Lessons] | None = None

    @cached_property
    def for_large(self) -> Lessons:
        """The lessons of large students: beside the others, points where the teacher changes its answer."""
        return self.lessons if self.finer is None else self.finer()

    @classmethod
    def of(
        cls,
        rows: NDArray,
        p: NDArray,
        share: NDArray,
        standardisation: Standardisation,
        probability: Probability,
        *,
        seed: int,
    ) -> Course:
        """Return what a student learns and, by other points, what it is examined on.

        Parameters
        ----------
        rows, share : the training rows in the user's units, in no particular order, and their weights, with
            the sum 1; of very many the first are learnt
        p : the teacher's probabilities (n, C) for them
        standardisation : of the inputs
        probability : the teacher
        seed : decides the points
        """
        rng, columns = np.random.default_rng([seed, 2]), Columns.of(rows)
        n = int(np.clip(EACH * len(rows), FEWEST, MOST[0] + MOST[1] * rows.shape[1]))
        made, fresh = (synthetic(rows, share, k, rng, columns) for k in (n, FRESH))
        if len(rows) > MOST_ROWS:
            rows, p, share = rows[:MOST_ROWS], p[:MOST_ROWS], share[:MOST_ROWS] / share[:MOST_ROWS].sum()
        points = np.vstack([rows, made])
        shares = np.concatenate([share / 2, np.full(n, 0.5 / n)])
        learnt = Lessons(standardisation.standardised(points), np.concatenate([p, probability(made)]), shares)
        exam = Lessons(standardisation.standardised(fresh), probability(fresh), np.full(FRESH, 1.0 / FRESH))

        def finer() -> Lessons:
            own, log_p = np.random.default_rng([seed, 4]), np.log(np.maximum(learnt.p, 1e-12))
            n_finer, part = FINER.of(learnt.p.shape[1]), ROWS_SHARE.of(learnt.p.shape[1])
            more = synthetic(rows, share, n_finer, own, columns)
            between = on_boundary(points, log_p, learnt.labels, BOUNDARY, own, columns)
            others = 1.0 - BOUNDARY_SHARE * bool(len(between))
            parts = (
                others * part * share,
                np.full(n + n_finer, others * (1.0 - part) / (n + n_finer)),
                np.full(len(between), BOUNDARY_SHARE / max(len(between), 1)),
            )
            X = np.hstack([learnt.X, standardisation.standardised(np.vstack([more, between]))])
            p = np.vstack([learnt.p, probability(np.vstack([more, between]))])
            return Lessons(X, p, np.concatenate(parts))

        return cls(learnt, exam, finer)
