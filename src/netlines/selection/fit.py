"""Prepares the rows of two classes, chooses for them, and tells what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from netlines.network.network import PASS_ON, Network, fold, normalised, stretch
from netlines.selection import many_rows as direct
from netlines.selection.choice import Choice, choose, only_unit
from netlines.selection.folds import Examples, Fold, folds_of_rows, make_folds
from netlines.selection.judge import Judge, scores, unjudged
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.classifier import fit_classifier
from netlines.selection.teachers.teacher import Data, Teacher, Units, fit_linear
from netlines.selection.terms import Fitted, Wishes, wanted_folds
from netlines.training.patterns import Patterns

LARGEST = 11  # hidden units, if the user does not say


def fit_two(data: Data, wishes: Wishes, report: Callable[[str], Any]) -> Fitted:
    """Choose a unit or a network for the patterns of two classes.

    Parameters
    ----------
    data : what `prepare_two` returned
    wishes : what the user wants
    report : called with the name of each stage that is done
    """
    if not data.folds:
        choice = only_unit(data)
        return Fitted(_assemble(choice, data), choice, unjudged(choice.chosen))
    judge = Judge(data.folds, scores(data, wishes.scoring), float(data.all.weights.sum()))
    linear, terms, teacher = fit_linear(data), wishes.terms, None
    report(linear.name)
    if isinstance(wishes.teacher, str) and data.X.shape[1] > direct.MANY:
        choice = direct.choose_directly(data, linear, judge, terms)
    else:
        teacher = _teach(data, linear, wishes)
        if teacher is not None:
            report(teacher.name)
        choice = choose(data, linear, teacher, judge, terms)
    own = None if teacher is None else teacher.fitted(data.classes)
    return Fitted(_assemble(choice, data), choice, judge.table(choice.candidates, choice.chosen), own)


def prepare_two(
    patterns: Patterns,
    X: NDArray,
    targets: NDArray,
    weights: NDArray,
    classes: NDArray,
    names: Sequence[str] | None,
    wishes: Wishes | None,
) -> Data:
    """Put together what is learnt and how it is judged; without wishes there are no folds.

    Parameters
    ----------
    patterns : the distinct rows
    X, targets, weights : all rows, their targets ±1 and their weights
    classes, names : the labels of the targets, the names of the columns
    wishes : what the user wants
    """
    folds: list[Fold] = []
    if wishes is not None:
        labels, seed = (targets > 0).astype(int), wishes.terms.seed
        folds = wanted_folds(
            wishes,
            X,
            classes[labels],
            lambda n: make_folds(patterns, n, seed),
            lambda splits: folds_of_rows(patterns, splits, labels, weights),
        )
        if patterns.X.shape[1] > direct.MANY and isinstance(wishes.teacher, str | None):
            folds = folds[:1]
    rows, units = X[patterns.first].astype(float), Units(patterns.mean, patterns.scale)
    everything = Examples.of(patterns.counts)
    return Data(rows, patterns.X, units, everything, folds, classes, names)


def _teach(data: Data, linear: Teacher, wishes: Wishes) -> Teacher | None:
    if wishes.teacher is None:
        return None
    if isinstance(wishes.teacher, str):
        return choose_teacher(data, linear, seed=wishes.terms.seed, run=wishes.terms.run)
    return fit_classifier(data, wishes.teacher, run=wishes.terms.run)


def _assemble(choice: Choice, data: Data) -> Network:
    """Turn what was chosen into a network in the user's units."""
    student, own = choice.student, choice.calibration
    scaling = student.hidden, data.units.mean, data.units.scale
    factor = stretch(*scaling)
    examples = data.X[:, data.all.pattern], data.all.targets, data.all.weights
    return Network(
        fold(*scaling),
        PASS_ON if student.size == 1 else normalised(student.output)[None],
        data.classes,
        growth_trace=tuple(one.record(*examples) for one in choice.students if one.size <= student.size),
        temperature=1.0 / choice.beta if choice.beta else None,
        feature_names=None if data.names is None else tuple(data.names),
        calibration=replace(own, slopes=own.slopes / factor, steepness=own.steepness / factor),
    )
