"""`distill`: any fitted classifier as a small network of binary neurons."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from netlines.classifiers.base import all_or_nothing, checked_weights, refuse_unless_two
from netlines.classifiers.netlines import NetLinesClassifier
from netlines.classifiers.netlines_cv import take
from netlines.classifiers.predictions import validated
from netlines.network.probability import most_probable
from netlines.selection.assembly import as_network
from netlines.selection.calibration import calibrated
from netlines.selection.course import Course
from netlines.selection.data import Data
from netlines.selection.fit import Fitted, fitted_network
from netlines.selection.folds import Examples
from netlines.selection.sizes import smallest_good, teach_sizes
from netlines.selection.students import Student
from netlines.selection.teachers.classifier import Classifier
from netlines.training.patterns import condense
from netlines.training.threads import in_order

# In standard errors of the teacher's own error. Wider than in `students`, where the teacher's held-out
# answers are known: what a forest says about its own rows repeats their noise, which is not worth units.
OWN_TOLERANCE = {"small": 2.0, "balanced": 0.5, "accurate": 0.0}


def distill(
    teacher: Any,
    X: ArrayLike,
    *,
    max_hidden: int = 11,
    prefer: str = "balanced",
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: int | np.random.RandomState | None = 0,
) -> NetLinesClassifier:
    """Compress a fitted classifier into a small network of binary neurons.

    The network learns what the teacher answers on the rows and on synthetic points like them; labels are not
    needed. Sizes are tried until one agrees nearly always, and the smallest good one is kept.

    Parameters
    ----------
    teacher : fitted classifier of two classes
        With `predict_proba` or `decision_function`, or `predict` alone: a forest, a boosted model, a
        pipeline, a calibrated machine.
    X : array-like of shape (n_samples, n_features)
        Rows like those that the network will see: the training rows, or others, without labels.
    max_hidden : int >= 1, default=11
        Most hidden units.
    prefer : {"balanced", "small", "accurate"}, default="balanced"
        How much disagreement a smaller network may cost.
    sample_weight : array-like of shape (n_samples,) or None
        How much each row counts.
    n_jobs : int or None, default=None
        Threads. The result does not depend on it.
    random_state : int, RandomState instance or None, default=0
        Decides the synthetic points and the starts.

    Returns
    -------
    NetLinesClassifier
        Fitted: `network_`, `predict`, `predict_proba` (of the teacher's probabilities) and so on. Beside the
        usual: `fidelity_`, the share of fresh synthetic points that network and teacher answer alike;
        `fidelities_`, a dict of it for every number of hidden units tried; `chosen_`, both in words;
        `teacher_`, the teacher. `n_training_errors_` counts the rows that they answer differently.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from netlines import distill
    >>> from netlines.datasets import load_breast_cancer_wisconsin
    >>> X, y = load_breast_cancer_wisconsin(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> small = distill(forest, X)
    >>> small.fidelity_ > 0.95, small.n_weights_ < 150
    (True, True)
    """
    classes, names = _checked_teacher(teacher)
    if prefer not in OWN_TOLERANCE:
        raise ValueError(f"prefer={prefer!r}; allowed are {', '.join(map(repr, OWN_TOLERANCE))}")
    if not isinstance(max_hidden, Integral) or max_hidden < 1:
        raise ValueError(f"max_hidden={max_hidden!r}; allowed are integers from 1 on")
    clf = NetLinesClassifier(
        max_hidden=max_hidden, probability=True, n_jobs=n_jobs, random_state=random_state
    )
    _fit_to_teacher(clf, X, sample_weight, teacher, classes, names, prefer)
    return clf


def _checked_teacher(teacher: Any) -> tuple[NDArray, Any]:
    """Return the classes of a fitted teacher and the names of its columns, if it knows them."""
    if not hasattr(teacher, "predict"):
        raise TypeError(f"teacher must be a classifier with `predict`, got {type(teacher).__name__}")
    if hasattr(teacher, "fit"):
        check_is_fitted(teacher)
    classes = getattr(teacher, "classes_", None)
    refuse_unless_two(
        0 if classes is None or isinstance(classes, list) or np.ndim(classes) != 1 else len(classes),
        f"teacher must be a classifier of 2 classes, got {type(teacher).__name__} of classes {classes!r}",
    )
    return np.asarray(classes), getattr(teacher, "feature_names_in_", None)


def _check_columns(clf: NetLinesClassifier, teacher: Any, names: Any) -> None:
    """Refuse columns that are not those of the teacher, in its order."""
    expected = getattr(teacher, "n_features_in_", clf.n_features_in_)
    if clf.n_features_in_ != expected:
        raise ValueError(f"X has {clf.n_features_in_} columns, the teacher was fitted to {expected}")
    own = getattr(clf, "feature_names_in_", None)
    if names is not None and own is not None and list(names) != list(own):
        raise ValueError(
            f"X has the columns {', '.join(own)}; the teacher was fitted to {', '.join(names)}, in this order"
        )


@all_or_nothing
def _fit_to_teacher(
    clf: NetLinesClassifier,
    X: Any,
    sample_weight: Any,
    teacher: Any,
    classes: NDArray,
    names: Any,
    prefer: str,
) -> None:
    """Set what a fitted classifier has from what the teacher answers."""
    rows = validated(clf, X, order="C")
    rows = clf._refuse_bad_values(rows).astype(float)
    weights = checked_weights(sample_weight, rows)
    weights = weights / weights.max()
    _check_columns(clf, teacher, names)
    clf.classes_ = classes
    one_order = rows[np.lexsort(rows.T)]  # a matrix product rounds by the order of the rows
    probability = Classifier(teacher, classes, names).fitted_to(one_order)
    fitted, students = _distilled(clf, rows, weights, probability, prefer)
    take(clf, fitted, rows, probability.answers(rows), weights)
    clf.fidelities_ = {one.size: one.fidelity for one in students}
    clf.fidelity_ = clf.fidelities_[clf.n_hidden_]


def _distilled(
    clf: NetLinesClassifier, rows: NDArray, weights: NDArray, probability: Classifier, prefer: str
) -> tuple[Fitted, list[Student]]:
    """Return the student that is taken as a network in the user's units, and all that were taught."""
    patterns = condense(rows, np.zeros(len(rows), dtype=int), weights, n_classes=1)
    counts, seed = patterns.counts[:, 0], clf._seed()
    distinct, share = rows[patterns.first], counts / patterns.total
    p = probability(distinct)
    answers = Examples(np.arange(len(counts)), most_probable(p), counts)
    names = getattr(clf, "feature_names_in_", None)
    data = replace(Data.of(patterns, rows, clf.classes_, names), all=answers)
    course = Course.of(distinct, p, share, data.standardisation, probability, seed=seed)
    # What the teacher itself expects to get wrong sets the scale: less than its chance would be in vain.
    error = float(share @ p.min(axis=1))
    tolerance = float(OWN_TOLERANCE[prefer] * np.sqrt(max(error * (1.0 - error), 1e-4) * (share @ share)))
    run = partial(in_order, n_threads=effective_n_jobs(clf.n_jobs))
    largest = clf.max_hidden
    assert largest is not None
    students = teach_sizes(course, largest, tolerance=tolerance, seed=seed, run=run)
    student = smallest_good(students, tolerance)
    calibration = calibrated(student, course.lessons, np.clip(share @ p, 1e-9, 1.0))
    network = as_network(student, calibration, data, clf.classes_, students)
    teacher = probability.model
    name = type(teacher[-1] if hasattr(teacher, "steps") else teacher).__name__
    what = f"{100 * student.fidelity:.1f} % of the decisions of {name} in {network.n_weights} weights"
    return fitted_network(network, what, {}, students, teacher), students
