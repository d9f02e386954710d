"""Time of a default fit of NetLinesClassifierCV beside a grid search of a small MLP, and on many rows.

    python benchmarks/fit_cv.py

The peer is GridSearchCV over three values of alpha, five folds, of an MLPClassifier with ten hidden units on
standardised inputs: 16 fits. Both on one thread, the better of two runs.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import warnings
from collections.abc import Callable
from time import perf_counter

import numpy as np
from peers import peers
from sets import splits
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

from netlines import NetLinesClassifierCV

NAMES = ("breast-cancer", "banana", "phoneme")


def seconds(fit: Callable[[], object]) -> float:
    """Return the shorter time of two runs."""
    times = []
    for _ in range(2):
        start = perf_counter()
        fit()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure and print."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    print(f"{'set':<15}{'netlines':>11}{'MLP grid':>11}{'ratio':>8}")
    for name in NAMES:
        X, y, *_ = next(splits(name))
        mine = seconds(lambda X=X, y=y: NetLinesClassifierCV().fit(X, y))
        theirs = seconds(lambda X=X, y=y: peers()["MLP-CV"]().fit(X, y))
        print(f"{name:<15}{mine:>9.2f} s{theirs:>9.2f} s{mine / theirs:>8.2f}", flush=True)
    X, y = make_classification(
        120_000, 20, n_informative=10, n_clusters_per_class=4, flip_y=0.05, random_state=0
    )
    start = perf_counter()
    clf = NetLinesClassifierCV().fit(X[:100_000], y[:100_000])
    print(f"\n100,000 x 20: {perf_counter() - start:.1f} s, {clf.chosen_}")
    start = perf_counter()
    linear = peers()["LR"]().fit(X[:100_000], y[:100_000])
    errors = [np.mean(model.predict(X[100_000:]) != y[100_000:]) for model in (clf, linear)]
    print(f"test error {100 * errors[0]:.2f} %, logistic regression {100 * errors[1]:.2f} %")


if __name__ == "__main__":
    main()
