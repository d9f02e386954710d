"""Cross-validated errors and sizes of classifiers beside each other, on the same folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from netlines.parameters import count_parameters


def usable_folds(y: NDArray, wanted: int) -> int:
    """Return the number of folds that leaves each class in every fold: at most its number of rows.

    Examples
    --------
    >>> from netlines.cli.comparison import usable_folds
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


def compare(
    models: Mapping[str, Any],
    X: NDArray,
    y: NDArray,
    *,
    folds: int,
    seed: int,
    begin: Callable[[int, str], object] = lambda fold, name: None,
) -> tuple[dict[str, list[float]], dict[str, list[int]]]:
    """Return the error rate and the number of parameters of each model in each stratified fold.

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
    """
    errors: dict[str, list[float]] = {name: [] for name in models}
    sizes: dict[str, list[int]] = {name: [] for name in models}
    splits = StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y)
    for number, (train, test) in enumerate(splits, start=1):
        for name, model in models.items():
            begin(number, name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                fitted = clone(model).fit(X[train], y[train])
            errors[name].append(float(np.mean(fitted.predict(X[test]) != y[test])))
            sizes[name].append(count_parameters(fitted))
    return errors, sizes
