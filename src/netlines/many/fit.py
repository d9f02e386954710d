"""Prepares the rows of many classes, chooses for them, and tells what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from netlines import _softmax
from netlines.direct import MANY
from netlines.folds import Examples, Fold, class_folds_of_rows, make_class_folds
from netlines.judge import scores, unjudged
from netlines.many.any_classifier import fit_classifier
from netlines.many.assemble import assemble
from netlines.many.best_teacher import choose_teacher
from netlines.many.choice import Choice, ClassJudge, choose
from netlines.many.direct import choose_directly
from netlines.many.students import SIZES
from netlines.many.teachers import Linear, fit_linear
from netlines.many.units import linear_candidate
from netlines.multiclass.sequences import separable_order
from netlines.network import Network
from netlines.networks import Networks
from netlines.patterns import ClassPatterns, condense_classes
from netlines.selection import Terms
from netlines.teacher import Data, Teacher, Units

USUAL = 1e-2  # ridge that does well where nothing can be chosen


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was chosen, as networks in the user's units, and all that is known about the choice."""

    network: Network | Networks
    choice: Choice
    results: dict[str, NDArray]
    teacher: Any = None


@dataclass(frozen=True, eq=False)
class Wishes:
    """What the user wants: the parameters of `NetLinesClassifierCV`, `terms` the usual ones."""

    terms: Terms
    teacher: Any
    cv: Any
    scoring: Any
    only_shared: bool


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
    patterns = condense_classes(X.astype(float), codes, weights, len(classes))
    rows = X[patterns.first].astype(float)
    units, everything = Units(patterns.mean, patterns.scale), Examples.of_classes(patterns.counts)
    folds = _folds(patterns, X, codes, weights, classes, wishes)
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
        one = _one_fold(data)
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


def _folds(
    patterns: ClassPatterns, X: NDArray, codes: NDArray, weights: NDArray, classes: NDArray, wishes: Wishes
) -> list[Fold]:
    """Return the folds; none if the rows are too few to hold some out."""
    cv = wishes.cv
    if cv is None or isinstance(cv, Integral):
        folds = make_class_folds(patterns, 5 if cv is None else int(cv), wishes.terms.seed)
        return folds if all(_several(fold.train) for fold in folds) else []
    y = classes[codes]
    splits = check_cv(cv, y, classifier=True).split(X, y)
    folds = class_folds_of_rows(patterns, splits, codes, weights)
    lacking = [k for k, fold in enumerate(folds) if not _several(fold.train)]
    if lacking or not folds:
        what = f"fold {lacking[0]} (counted from 0) trains on one class only" if lacking else "no folds"
        raise ValueError(f"cv={cv!r}: {what}; allowed are folds with rows of several classes")
    return folds


def _several(examples: Examples) -> bool:
    return len(np.unique(examples.targets)) > 1


def _one_fold(data: Data) -> Data:
    return Data(data.rows, data.X, data.units, data.all, data.folds[:1], data.classes, data.names)


def _teach(data: Data, linear: Teacher, wishes: Wishes) -> Teacher | None:
    if wishes.teacher is None:
        return None
    if isinstance(wishes.teacher, str):
        return choose_teacher(data, linear, seed=wishes.terms.seed, run=wishes.terms.run)
    return fit_classifier(data, wishes.teacher, run=wishes.terms.run)


def _only_units(data: Data) -> Choice:
    """Return what is taken without a choice: a logistic regression with a ridge that mostly does well."""
    T = _softmax.one_hot(data.all.targets, len(data.classes))
    penalty = np.where(np.arange(len(data.X)) == 0, 1e-9, USUAL)
    W, _ = _softmax.fit_outputs(data.X[:, data.all.pattern], T, data.all.share, penalty)
    teacher = Teacher("logistic regression", Linear(data.units, W), [], [])
    units = linear_candidate(data, teacher)
    return Choice(units, [units], "too few rows of a class to hold some of them out")
