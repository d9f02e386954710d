"""Prepares the rows of many classes, chooses for them, and tells what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.selection.folds import Examples, folds_of_rows, make_folds
from netlines.selection.judge import scores, unjudged
from netlines.selection.many.any_classifier import fit_classifier
from netlines.selection.many.assemble import assemble
from netlines.selection.many.best_teacher import choose_teacher
from netlines.selection.many.choice import Choice, ClassJudge, choose
from netlines.selection.many.direct import choose_directly
from netlines.selection.many.students import SIZES
from netlines.selection.many.teachers import Linear, fit_linear
from netlines.selection.many.units import linear_candidate
from netlines.selection.many_rows import MANY
from netlines.selection.teachers.teacher import Data, Teacher, Units
from netlines.selection.terms import Fitted, Wishes, wanted_folds
from netlines.training import _softmax
from netlines.training.patterns import condense
from netlines.training.sequences import separable_order

USUAL = 1e-2  # ridge that does well where nothing can be chosen


def fit_classes(
    X: NDArray,
    codes: NDArray,
    weights: NDArray,
    classes: NDArray,
    names: Sequence[str] | None,
    wishes: Wishes,
    report: Callable[[str], Any],
) -> Fitted:
    """Choose networks for rows of many classes.

    Parameters
    ----------
    X, codes, weights : rows, the numbers of their classes, and their weights
    classes, names : the labels of the numbers, the names of the columns
    wishes : what the user wants
    report : called with the name of each stage that is done
    """
    patterns = condense(X.astype(float), codes, weights, len(classes))
    rows = X[patterns.first].astype(float)
    units, everything = Units(patterns.mean, patterns.scale), Examples.of(patterns.counts)
    folds = wanted_folds(
        wishes,
        X,
        classes[codes],
        lambda n: make_folds(patterns, n, wishes.terms.seed),
        lambda splits: folds_of_rows(patterns, splits, codes, weights),
    )
    many = patterns.X.shape[1] > MANY and isinstance(wishes.teacher, str | None)
    data = Data(rows, patterns.X, units, everything, folds[:1] if many else folds, classes, names)
    if not folds:
        choice = _only_units(data)
        return Fitted(assemble(choice, data, names), choice, unjudged(choice.chosen))
    judge = ClassJudge(data.folds, scores(data, wishes.scoring), float(data.all.weights.sum()))
    linear, terms = fit_linear(data), wishes.terms
    report(linear.name)
    teacher = None
    if wishes.only_shared if wishes.teacher is None else many:
        one = replace(data, folds=data.folds[:1])
        judge = ClassJudge(one.folds, scores(one, wishes.scoring))
        choice = choose_directly(one, linear, judge, terms, only_shared=wishes.only_shared)
    else:
        teacher = _teach(data, linear, wishes)
        if teacher is not None:
            report(teacher.name)
        order = separable_order(X, codes, weights)
        choice = choose(data, linear, teacher, judge, terms, order, only_shared=wishes.only_shared)
    results = judge.table(choice.candidates, choice.chosen)
    own = None if teacher is None else teacher.fitted(classes)
    return Fitted(assemble(choice, data, names), choice, results, own)


def largest_size(max_hidden: int | None) -> int:
    """Return the most hidden units of a shared layer."""
    return SIZES[-1] if max_hidden is None else max_hidden


def _teach(data: Data, linear: Teacher, wishes: Wishes) -> Teacher | None:
    if wishes.teacher is None:
        return None
    if isinstance(wishes.teacher, str):
        return choose_teacher(data, linear, seed=wishes.terms.seed, run=wishes.terms.run)
    return fit_classifier(data, wishes.teacher, run=wishes.terms.run)


def _only_units(data: Data) -> Choice:
    """Return what is taken without a choice: a logistic regression with a ridge that mostly does well."""
    T = _softmax.one_hot(data.all.labels, len(data.classes))
    penalty = np.where(np.arange(len(data.X)) == 0, 1e-9, USUAL)
    W, _ = _softmax.fit_outputs(data.X[:, data.all.pattern], T, data.all.share, penalty)
    teacher = Teacher("logistic regression", Linear(data.units, W), [], [])
    units = linear_candidate(data, teacher)
    return Choice(units, [units], "too few rows of a class to hold some of them out")
