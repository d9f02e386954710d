"""Cross-validated errors, sizes and answers of classifiers beside each other, on the same folds."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from netlines._words import joined
from netlines.network.verdict import LOGISTIC
from netlines.report.parameters import count_parameters

GUESS = "guessing"
BOOSTING = "gradient boosting model"
SMALL_MLP = "small neural network"
MOST_BOOSTED = 200_000  # rows times classes up to which boosting takes about as long as a forest


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
    failure : str
        Why a copy could not be fitted or asked, "" if all could; the rest is then of no use.
    """

    answers: NDArray
    probabilities: NDArray | None
    errors: list[float]
    sizes: list[int]
    seconds: list[float]
    failure: str = ""


def without_failures(scores: Mapping[str, Scores]) -> tuple[dict[str, Scores], list[str]]:
    """Return the scores of the models that could be fitted, and sentences about the others.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.comparison import Scores, without_failures
    >>> tree = Scores(np.zeros(2), None, [], [], [], "X contains a value too large for dtype('float32').")
    >>> without_failures({"decision tree": tree})[1]
    ['decision tree is not compared: it takes no values beyond 3e38.']
    """
    whole = {name: one for name, one in scores.items() if not one.failure}
    names: dict[str, list[str]] = {}
    for name, one in scores.items():
        if one.failure:
            names.setdefault(one.failure, []).append(name)
    said = []
    for why, own in names.items():
        single = len(own) == 1
        limit = f"{'it takes' if single else 'they take'} no values beyond 3e38"
        reason = limit if "too large for dtype" in why else why.rstrip(".")
        said.append(f"{joined(own)} {'is' if single else 'are'} not compared: {reason}.")
    return whole, said


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
        LOGISTIC: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "decision tree": DecisionTreeClassifier(random_state=seed),
        "random forest": RandomForestClassifier(random_state=seed, n_jobs=n_jobs),
    }


def more_peers(seed: int, rows: int, classes: int) -> dict[str, Any]:
    """Return further ones: a small neural network and, where it does not take long, gradient boosting."""
    found = {SMALL_MLP: small_mlp(seed)}
    if rows * (classes if classes > 2 else 1) <= MOST_BOOSTED:
        found[BOOSTING] = HistGradientBoostingClassifier(random_state=seed)
    return found


def small_mlp(seed: int) -> Any:
    """Return a multilayer perceptron of ten hidden units, over standardised inputs."""
    return make_pipeline(StandardScaler(), MLPClassifier((10,), max_iter=1000, random_state=seed))


def guessing(y: NDArray, *, folds: int, seed: int) -> Scores:
    """Return what always answering the most frequent class achieves, saying the shares of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.comparison import guessing
    >>> found = guessing(np.array(["no", "no", "yes", "no", "yes"]), folds=2, seed=0)
    >>> np.unique(found.answers).tolist(), found.probabilities[0].tolist()
    (['no'], [0.6, 0.4])
    """
    classes, sizes = np.unique(y, return_counts=True)
    answers = np.full(len(y), classes[sizes.argmax()], dtype=y.dtype)
    errors = [float(np.mean(answers[test] != y[test])) for _, test in _splits(y, folds, seed)]
    shares = np.tile(sizes / len(y), (len(y), 1))
    return Scores(answers, shares, errors, [0] * folds, [0.0] * folds)


def _splits(y: NDArray, folds: int, seed: int) -> list[tuple[NDArray, NDArray]]:
    return list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros((len(y), 1)), y))


def compare(
    models: Mapping[str, Any],
    X: NDArray,
    y: NDArray,
    *,
    folds: int,
    seed: int,
    begin: Callable[[int, str], object] = lambda fold, name: None,
    after: Callable[[str, Any, NDArray], object] = lambda name, fitted, test: None,
    n_jobs: int | None = None,
) -> dict[str, Scores]:
    """Return what each model achieves in stratified folds.

    An error of the first model is raised; of others, which may take less than it, it is kept as `failure`.

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
    after : callable
        Called with the name, the fitted copy and the numbers of the rows that it did not see.
    n_jobs : int or None
        Fits at a time, in threads. The results do not depend on it, but the seconds do.
    """
    classes, first = np.unique(y), next(iter(models))
    scores = {}
    for name in models:
        by_fold = [np.nan] * folds, [0] * folds, [np.nan] * folds
        scores[name] = Scores(np.empty_like(y), np.zeros((len(y), len(classes))), *by_fold)

    def fit_one(number: int, name: str, train: NDArray, test: NDArray) -> None:
        begin(number, name)
        own = scores[name]
        try:
            # Others warn of numbers before they refuse them.
            with contextlib.nullcontext() if name == first else np.errstate(all="ignore"):
                fit_and_ask(own, number, name, train, test)
        except (ValueError, ArithmeticError) as error:
            if name == first:
                raise
            own.failure = str(error).partition("\n")[0]

    def fit_and_ask(own: Scores, number: int, name: str, train: NDArray, test: NDArray) -> None:
        start = time.perf_counter()
        # Each thread has its own number of OpenMP threads: two at a time would get in each other's way.
        with threadpool_limits(limits=1, user_api="openmp"):
            fitted = clone(models[name]).fit(X[train], y[train])
        own.seconds[number - 1] = time.perf_counter() - start
        own.answers[test] = fitted.predict(X[test])
        own.errors[number - 1] = float(np.mean(own.answers[test] != y[test]))
        own.sizes[number - 1] = count_parameters(fitted)
        if not hasattr(fitted, "predict_proba"):
            own.probabilities = None
        elif own.probabilities is not None:
            own.probabilities[test] = fitted.predict_proba(X[test])
        after(name, fitted, test)

    # Around all fits: a fit that ends must not give the others' matrix products more threads.
    with threadpool_limits(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(fit_one)(number, name, train, test)
            for number, (train, test) in enumerate(_splits(y, folds, seed), start=1)
            for name in models
        )
    return scores
