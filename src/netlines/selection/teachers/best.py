"""Fits the teachers that are affordable and takes the best of them, or of their means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from netlines.selection.data import Data
from netlines.selection.stages import SILENT, Stages
from netlines.selection.teachers.classifier import fit_forest
from netlines.selection.teachers.fitted import fit_soft_networks
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import Probability, Teacher, mean_loss
from netlines.training.cases import Cases

AFFORDABLE = Cases(two=2000, more=4000)  # patterns up to which the kernel, whose cost is cubic, is tried


def choose_teacher(
    data: Data, linear: Teacher, *, seed: int, run: Callable = map, stages: Stages = SILENT
) -> Teacher:
    """Fit the teachers that are affordable and return the best of them or of the means of some.

    Parameters
    ----------
    data : what to learn
    linear : what `fit_linear` returned
    seed : decides the starts of the soft networks and the trees of the forest
    run : `map`, or a parallel one with the same order of results
    stages : told of each teacher
    """
    folds = len(data.folds)
    teachers = [linear, fit_soft_networks(data, seed=seed, run=stages.parts("soft", run, folds, 1))]
    if data.X.shape[1] <= AFFORDABLE.of(data.n_classes):
        stages.begin("kernel")
        teachers.append(fit_kernel(data))
    teachers.append(fit_forest(data, seed=seed, run=stages.parts("forest", run, folds + 1)))
    return min(averages(teachers), key=lambda teacher: mean_loss(teacher.held_out, data.folds))


def averages(teachers: Sequence[Teacher]) -> list[Teacher]:
    """Return the teachers, and the mean of any several of them."""
    sizes = range(1, len(teachers) + 1)
    return list(map(_average, chain.from_iterable(combinations(teachers, size) for size in sizes)))


def _average(teachers: Sequence[Teacher]) -> Teacher:
    """Return the teacher whose probability is the mean of the others'."""
    if len(teachers) == 1:
        return teachers[0]

    held_out = [np.mean(parts, axis=0) for parts in zip(*(t.held_out for t in teachers), strict=True)]
    in_folds: list[Probability] = [Mean(list(p)) for p in zip(*(t.in_folds for t in teachers), strict=True)]
    name = " + ".join(teacher.name for teacher in teachers)
    return Teacher(name, Mean([teacher.probability for teacher in teachers]), in_folds, held_out)


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of several probabilities."""

    parts: list[Probability]

    def __call__(self, rows: NDArray) -> NDArray:
        return np.asarray(np.mean([part(rows) for part in self.parts], axis=0))
