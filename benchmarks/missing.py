"""Errors on test rows of which one, two or three attributes are hidden, by what is done about them.

Run with `python benchmarks/missing.py`: about three minutes. Half of the rows are learnt (of waveforms 300,
and 1000 others are the test), ten times; each test row loses random attributes. The same network answers in
all columns:

- "complete": nothing is hidden
- "integrate": netlines.inspection.missing.integrate
- "marginal": the same, but the missing attributes independent of the known ones
- "mean": the mean of the training rows in the place of what is missing
- "iterative", "KNN": scikit-learn's IterativeImputer and KNNImputer, fitted to the training rows

"net" is NetLinesClassifier(max_hidden=3), "CV" NetLinesClassifierCV(), which has probabilities. The last line
of each network gives the mean over the numbers hidden; ± is the standard deviation of the difference to
"integrate", over the splits, divided by √10. Prints the seconds of each, too, and exits with 1 if "integrate"
makes more errors than "mean" in the mean of all.
"""

import sys
import time
import warnings
from dataclasses import replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_pima_diabetes, make_waveform
from netlines.inspection.missing import integrate

SPLITS = 10
HIDDEN = (1, 2, 3)
WAYS = ("complete", "integrate", "marginal", "mean", "iterative", "KNN")


def split(name, seed):
    """Return training rows and labels, test rows and labels."""
    if name == "waveform":
        X, y = make_waveform(1300, random_state=seed)
        learnt = 300
    else:
        loader = load_breast_cancer_wisconsin if name == "breast cancer" else load_pima_diabetes
        X, y = loader(return_X_y=True)
        learnt = len(y) // 2
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = np.split(order, [learnt])
    return X[train], y[train], X[test], y[test]


def hide(X, n_hidden, seed):
    """Return a copy in which each row lacks so many random values."""
    chosen = np.random.default_rng(seed).random(X.shape).argsort(axis=1)[:, :n_hidden]
    X = X.copy()
    np.put_along_axis(X, chosen, np.nan, axis=1)
    return X


def measure(clf, name, seed):
    """Return the errors in percent and the seconds, each of shape (numbers hidden, ways)."""
    X, y, X_test, y_test = split(name, seed)
    network = clf.fit(X, y).network_
    independent = replace(network, background=replace(network.background, correlation=None))
    imputers = {"mean": SimpleImputer(), "iterative": IterativeImputer(random_state=0), "KNN": KNNImputer()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for imputer in imputers.values():
            imputer.fit(X)
    ways = {
        "complete": lambda _: network.predict(X_test),
        "integrate": lambda rows: network.classes[integrate(network, rows).argmax(axis=1)],
        "marginal": lambda rows: network.classes[integrate(independent, rows).argmax(axis=1)],
        **{key: lambda rows, one=one: network.predict(one.transform(rows)) for key, one in imputers.items()},
    }
    errors, seconds = np.zeros((2, len(HIDDEN), len(WAYS)))
    for i, n_hidden in enumerate(HIDDEN):
        rows = hide(X_test, n_hidden, seed)
        for j, way in enumerate(WAYS):
            start = time.perf_counter()
            errors[i, j] = 100 * np.mean(ways[way](rows) != y_test)
            seconds[i, j] = time.perf_counter() - start
    return errors, seconds


def line(cells):
    """Print one line of the table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def main():
    """Print the table."""
    line(["set", "network", "hidden", *WAYS])
    line(["---"] * (3 + len(WAYS)))
    all_errors, all_seconds = [], []
    for name in ("breast cancer", "diabetes", "waveform"):
        for label, clf in (("net", NetLinesClassifier(3)), ("CV", NetLinesClassifierCV())):
            errors, seconds = map(
                np.array, zip(*(measure(clf, name, seed) for seed in range(SPLITS)), strict=True)
            )
            for i, n_hidden in enumerate(HIDDEN):
                line([name, label, str(n_hidden), *(f"{value:.2f}" for value in errors[:, i].mean(axis=0))])
            means = errors.mean(axis=1)  # of each split
            apart = (means - means[:, [1]]).std(axis=0, ddof=1) / np.sqrt(SPLITS)
            cells = (
                f"{mean:.2f} ± {error:.2f}" for mean, error in zip(means.mean(axis=0), apart, strict=True)
            )
            line([name, label, "mean", *cells])
            all_errors.append(means.mean(axis=0))
            all_seconds.append(seconds.mean(axis=(0, 1)))
    line(["all", "", "mean", *(f"{value:.2f}" for value in np.mean(all_errors, axis=0))])
    line(["all", "", "ms", *(f"{1000 * value:.1f}" for value in np.mean(all_seconds, axis=0))])
    mean = dict(zip(WAYS, np.mean(all_errors, axis=0), strict=True))
    return int(mean["integrate"] > mean["mean"])


if __name__ == "__main__":
    sys.exit(main())
