"""Cross-validated errors, sizes and answers of classifiers beside each other, on the same folds."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from netlines.report.parameters import count_parameters


@dataclass
class Scores:
    """What a model achieved in each fold.

    Attributes
    ----------
    errors : list of float
        Its error rates.
    sizes : list of int
        Its numbers of parameters.
    seconds : list of float
        How long its fits took.
    answers : array of shape (n,)
        Its answer to each row, by the copy that was not trained on it.
    probabilities : array of shape (n, C) or None
        Its probabilities of the classes in the order of `np.unique(y)`, if all copies have them.
    """

    answers: NDArray
    probabilities: NDArray | None
    errors: list[float]
    sizes: list[int]
    seconds: list[float]


def usable_folds(y: NDArray, wanted: int) -> int:
    """Return the number of folds that leaves each class in every fold: at most its number of rows.

    Examples
    --------
    >>> from netlines.report.comparison import usable_folds
    >>> usable_folds(["a", "a", "a", "a", "b", "b", "b"], 10)
    3
    """
    smallest = int(np.unique(y, return_counts=True)[1].min())
    folds = min(wanted, smallest)
    return folds if folds >= 2 else 0


def peers(seed: int, n_jobs: int | None) -> dict[str, Any]:
    """Return the usual classifiers of scikit-learn that a new one stands beside."""
    return {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "decision tree": DecisionTreeClassifier(random_state=seed),
        "random forest": RandomForestClassifier(random_state=seed, n_jobs=n_jobs),
    }


def small_mlp(seed: int) -> Any:
    """Return a multilayer perceptron of ten hidden units, over standardised inputs."""
    return make_pipeline(StandardScaler(), MLPClassifier((10,), max_iter=1000, random_state=seed))


def compare(
    models: Mapping[str, Any],
    X: NDArray,
    y: NDArray,
    *,
    folds: int,
    seed: int,
    begin: Callable[[int, str], object] = lambda fold, name: None,
    n_jobs: int | None = None,
) -> dict[str, Scores]:
    """Return what each model achieves in stratified folds.

    Parameters
    ----------
    models : mapping from name to classifier
        Fresh copies of them are fitted.
    X, y : arrays
        Inputs and labels.
    folds : int
        Number of folds, at least 2.
    seed : int
        Decides how the rows are shuffled before they are split.
    begin : callable
        Called with the number of the fold, from 1 on, and the name before each fit.
    n_jobs : int or None
        Fits at a time, in threads. The results do not depend on it, but the seconds do.
    """
    classes = np.unique(y)
    scores = {}
    for name in models:
        by_fold = [np.nan] * folds, [0] * folds, [np.nan] * folds
        scores[name] = Scores(np.empty_like(y), np.zeros((len(y), len(classes))), *by_fold)
    splits = list(enumerate(StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y), start=1))

    def fit_one(number: int, name: str, train: NDArray, test: NDArray) -> None:
        begin(number, name)
        own, start = scores[name], time.perf_counter()
        fitted = clone(models[name]).fit(X[train], y[train])
        own.seconds[number - 1] = time.perf_counter() - start
        own.answers[test] = fitted.predict(X[test])
        own.errors[number - 1] = float(np.mean(own.answers[test] != y[test]))
        own.sizes[number - 1] = count_parameters(fitted)
        if not hasattr(fitted, "predict_proba"):
            own.probabilities = None
        elif own.probabilities is not None:
            own.probabilities[test] = fitted.predict_proba(X[test])

    # Around all fits: a fit that ends must not give the others' matrix products more threads.
    with threadpool_limits(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(fit_one)(number, name, train, test) for number, (train, test) in splits for name in models
        )
    return scores
