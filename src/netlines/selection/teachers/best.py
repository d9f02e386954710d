"""Fits the teachers and takes the best of them, or of their means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from netlines.selection.data import Data
from netlines.selection.stages import SILENT, Stages
from netlines.selection.teachers.boosting import fit_boosting
from netlines.selection.teachers.fitted import fit_soft_networks
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import Probability, Teacher, mean_loss


def choose_teacher(
    data: Data, linear: Teacher, *, seed: int, run: Callable = map, stages: Stages = SILENT
) -> Teacher:
    """Fit the teachers and return the best of them or of the means of some; trees that lose at once are left.

    Parameters
    ----------
    data : what to learn
    linear : what `fit_linear` returned
    seed : decides the starts of the soft networks
    run : `map`, or a parallel one with the same order of results
    stages : told of each teacher
    """
    folds = len(data.folds)
    soft = fit_soft_networks(data, seed=seed, run=run, announced=stages.parts("soft", run, folds))
    stages.begin("kernel")
    kernel = fit_kernel(data)
    best = _best(averages([linear, soft, kernel]), data)
    boosted = fit_boosting(data, best, run=stages.parts("boosting", run, 1, folds - 1))
    return best if boosted is None else _best(averages([linear, soft, kernel, boosted]), data)


def _best(teachers: Sequence[Teacher], data: Data) -> Teacher:
    return min(teachers, key=lambda teacher: mean_loss(teacher.held_out, data.folds))


def averages(teachers: Sequence[Teacher]) -> list[Teacher]:
    """Return the teachers, and the mean of any several of them."""
    sizes = range(1, len(teachers) + 1)
    return list(map(_average, chain.from_iterable(combinations(teachers, size) for size in sizes)))


def _average(teachers: Sequence[Teacher]) -> Teacher:
    """Return the teacher whose probability is the mean of the others'."""
    if len(teachers) == 1:
        return teachers[0]
    held_out = [np.mean(parts, axis=0) for parts in zip(*(t.held_out for t in teachers), strict=True)]
    name = " + ".join(teacher.name for teacher in teachers)
    return Teacher(name, lambda: Mean([teacher.probability for teacher in teachers]), held_out)


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of several probabilities."""

    parts: list[Probability]

    def __call__(self, rows: NDArray) -> NDArray:
        return np.asarray(np.mean([part(rows) for part in self.parts], axis=0))
