"""The cross-validated error of a classifier beside logistic regression, on the same folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


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


def compare(
    classifier: Any, X: NDArray, y: NDArray, *, folds: int, seed: int, advance: Callable[[], None]
) -> dict[str, list[float]]:
    """Return the error rate in each stratified fold, for the classifier and for logistic regression.

    Parameters
    ----------
    classifier : estimator
        The classifier; fresh copies of it are fitted.
    X, y : arrays
        Inputs and labels.
    folds : int
        Number of folds, at least 2.
    seed : int
        Decides how the rows are shuffled before they are split.
    advance : callable
        Called without arguments after each fold.
    """
    models = {
        "netlines": classifier,
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    }
    errors: dict[str, list[float]] = {name: [] for name in models}
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y):
        for name, model in models.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                fitted = clone(model).fit(X[train], y[train])
            errors[name].append(float(np.mean(fitted.predict(X[test]) != y[test])))
        advance()
    return errors
