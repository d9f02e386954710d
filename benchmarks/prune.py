"""Weights, errors and time before and after pruning, on the bundled problems.

Run with `python benchmarks/prune.py`. The monks have their own test sets; of the others a quarter of the rows
is held out, five times, and the means are printed. "unit" is MinimerrorClassifier(temperature=0.3), "net" is
NetLinesClassifier(), "net of 3" has max_hidden=3. Exits with 1 if an answer to keep was lost.
"""

import sys
import time

import numpy as np

from netlines import MinimerrorClassifier, NetLinesClassifier, prune
from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_pima_diabetes, load_sonar

UNIT, NET = MinimerrorClassifier(temperature=0.3), NetLinesClassifier()
CASES = (
    ("monks 1", "net", NET, "predictions"),
    ("monks 2", "net", NET, "predictions"),
    ("monks 3", "net", NET, "predictions"),
    ("monks 3", "unit", UNIT, "errors"),
    ("breast cancer", "net", NET, "predictions"),
    ("breast cancer", "unit", UNIT, "errors"),
    ("sonar", "net", NET, "predictions"),
    ("sonar", "unit", UNIT, "errors"),
    ("diabetes", "net of 3", NetLinesClassifier(3), "predictions"),
    ("diabetes", "unit", UNIT, "errors"),
)
LOADERS = {"breast cancer": load_breast_cancer_wisconsin, "sonar": load_sonar, "diabetes": load_pima_diabetes}
HEADINGS = (
    "set | classifier | keep | weights | float | integer | max integer | training errors | after "
    "| test error % | float % | integer % | s"
)


def splits(name):
    """Yield training rows and labels, test rows and labels."""
    if name.startswith("monks"):
        k = int(name[-1])
        yield *load_monks(k, return_X_y=True), *load_monks(k, subset="test", return_X_y=True)
        return
    X, y = LOADERS[name](return_X_y=True)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = np.split(order, [3 * len(y) // 4])
        yield X[train], y[train], X[test], y[test]


def largest_integer(X, network):
    """Return the largest weight of an input in the units of the columns."""
    span = np.ptp(X, axis=0)
    small = (np.abs(X) <= 16).all() and (np.rint(X) == X).all()
    unit = 1.0 if small else 2.0 ** (np.rint(np.log2(np.where(span > 0, span, 1.0))) - 5)
    return np.abs(network.hidden_weights[:, 1:] * unit).max()


def measure(clf, keep, X, y, X_test, y_test):
    """Return the figures of one row of the table for one split, and whether all was kept."""
    clf.fit(X, y)
    start = time.perf_counter()
    floats, integers = (prune(clf, X, y, weights=form, keep=keep) for form in ("float", "integer"))
    seconds = (time.perf_counter() - start) / 2
    kept = integers.n_training_errors_ <= clf.n_training_errors_
    if keep == "predictions":
        kept = (clf.predict(X) == integers.predict(X)).all() and (clf.predict(X) == floats.predict(X)).all()
    sizes = clf.n_weights_, floats.n_weights_, integers.n_weights_, largest_integer(X, integers.network_)
    test = (100 * (1 - some.score(X_test, y_test)) for some in (clf, floats, integers))
    return (*sizes, clf.n_training_errors_, integers.n_training_errors_, *test, seconds), kept


def main():
    """Print the table."""
    print(f"| {HEADINGS} |\n|{'---|' * len(HEADINGS.split('|'))}")
    lost = False
    for name, label, clf, keep in CASES:
        figures, kept = zip(*(measure(clf, keep, *split) for split in splits(name)), strict=True)
        cells = [f"{value:.3g}" for value in np.mean(figures, axis=0)]
        print(f"| {' | '.join([name, label, keep, *cells])} |", flush=True)
        lost = lost or not all(kept)
    return int(lost)


if __name__ == "__main__":
    sys.exit(main())
