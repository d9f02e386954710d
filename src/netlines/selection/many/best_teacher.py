"""Fits the teachers of many classes that are affordable and takes the best of them, or of their means."""

from __future__ import annotations

from collections.abc import Callable

from netlines.selection.many.any_classifier import fit_forest
from netlines.selection.many.kernel import fit_kernel
from netlines.selection.many.teachers import fit_soft_networks, mean_loss
from netlines.selection.teachers.best import averages
from netlines.selection.teachers.teacher import Data, Teacher

AFFORDABLE = 4000  # patterns up to which the kernel, whose cost is cubic, is tried


def choose_teacher(data: Data, linear: Teacher, *, seed: int, run: Callable = map) -> Teacher:
    """Fit the teachers that are affordable and return the best of them or of the means of some.

    Parameters
    ----------
    data : what to learn
    linear : what `fit_linear` returned
    seed : decides the starts of the soft networks and the trees of the forest
    run : `map`, or a parallel one with the same order of results
    """
    teachers = [linear, fit_soft_networks(data, seed=seed, run=run)]
    if data.X.shape[1] <= AFFORDABLE:
        teachers.append(fit_kernel(data))
    teachers.append(fit_forest(data, seed=seed, run=run))
    return min(averages(teachers), key=lambda teacher: mean_loss(teacher.held_out, data.folds))
