"""Predictions of many rows beside one matrix product of the same rows, and of one row.

Run with `python benchmarks/predict.py`. One thread; CPU seconds, best of interleaved repetitions. The product
is X @ W.T, W the hidden weights (H, N) in the precision of X; a share of 1 is its speed.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import sys
from itertools import combinations
from time import perf_counter, process_time

import numpy as np

from netlines import MinimerrorClassifier
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration

ROWS, REPETITIONS = 1_000_000, 5
SHARE_GOAL, ONE_ROW_GOAL = 0.7, 40.0  # of the product's speed, microseconds
QUESTIONS = ("predict", "decision_function", "predict_proba")


def calibration(rng, outputs, hidden, classes):
    """Return one of a network: lines and steps of all fields."""
    shares = np.full(classes, 1.0 / classes)
    slopes, steps = rng.standard_normal((2, outputs, hidden))
    return Calibration(np.zeros(outputs), slopes, steps, np.full(hidden, 2.0), shares, shares)


def network(rng, hidden, width, classes=2, weights=None):
    """Return a random network with so many hidden units, which all classes share."""
    weights = rng.standard_normal((hidden, width + 1)) if weights is None else weights
    outputs = 1 if classes == 2 else classes
    output = PASS_ON if hidden == 1 else rng.standard_normal((outputs, hidden + 1))
    own = calibration(rng, outputs, hidden, classes)
    return Network(weights, output, np.arange(classes), calibration=own)


def pairs(rng, width, classes):
    """Return a unit for each pair of classes: the difference of their scores, and a tenth of noise."""
    scores, parts = rng.standard_normal((classes, width + 1)), []
    for first, second in combinations(range(classes), 2):
        weights = scores[[first]] - scores[[second]] + 0.1 * rng.standard_normal((1, width + 1))
        unit = network(rng, 1, width, weights=weights)
        parts.append(Part((first,), (second,), unit))
    return Networks("pairs", np.arange(classes), tuple(parts))


def fitted(network):
    """Return a classifier with a network, as if it had been fitted."""
    width = network.n_features
    X = np.random.default_rng(0).standard_normal((40, width))
    clf = MinimerrorClassifier().fit(X, X[:, 0] > 0)
    clf.network_, clf.classes_, clf.missing = network, network.classes, "error"
    return clf


def best_times(functions, repetitions=REPETITIONS, clock=process_time):
    """Return the least seconds of each function, repeated in turn."""
    seconds = dict.fromkeys(functions, np.inf)
    for _ in range(repetitions):
        for name, function in functions.items():
            start = clock()
            function()
            seconds[name] = min(seconds[name], clock() - start)
    return seconds


def kinds(rng, width):
    """Return the networks by what they are called."""
    return {
        "one unit": network(rng, 1, width),
        "4 units": network(rng, 4, width),
        "11 units": network(rng, 11, width),
        "64 units": network(rng, 64, width),
        "shared, 5 classes, 11 units": network(rng, 11, width, 5),
        "shared, 10 classes, 64 units": network(rng, 64, width, 10),
        "pairs of 5 classes": pairs(rng, width, 5),
    }


def print_many_rows(width, dtype, rows=ROWS):
    """Print the shares of the product's speed."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, width)).astype(dtype)
    print(
        f"\n{rows:,} × {width} {np.dtype(dtype).name}: share of the speed of X @ W.T, goal ≥ {SHARE_GOAL:g}"
    )
    for name, one in kinds(rng, width).items():
        clf, W = fitted(one), one.hidden_weights[:, 1:].astype(dtype)
        functions = {"product": lambda W=W: X @ W.T}
        functions |= {asked: lambda asked=asked, clf=clf: getattr(clf, asked)(X) for asked in QUESTIONS}
        seconds = best_times(functions)
        shares = {asked: seconds["product"] / seconds[asked] for asked in QUESTIONS}
        text = "  ".join(f"{asked} {share:.2f} {verdict(share)}" for asked, share in shares.items())
        print(f"  {name:<29} product {1e3 * seconds['product']:6.1f} ms   {text}", flush=True)


def verdict(share):
    """Return whether the goal is met."""
    return "met   " if share >= SHARE_GOAL else "MISSED"


def print_one_row(width=20):
    """Print the microseconds of one row."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, width))
    print(f"\nOne row of {width}, microseconds, goal ≤ {ONE_ROW_GOAL:g}")
    for name, one in kinds(rng, width).items():
        clf = fitted(one)
        functions = {asked: lambda asked=asked, clf=clf: getattr(clf, asked)(x) for asked in QUESTIONS}
        seconds = best_times(functions, 300, perf_counter)
        text = (
            f"{asked} {1e6 * t:6.1f} {'met   ' if 1e6 * t <= ONE_ROW_GOAL else 'MISSED'}"
            for asked, t in seconds.items()
        )
        print(f"  {name:<29} {'  '.join(text)}")


if __name__ == "__main__":
    rows = int(sys.argv[1]) if sys.argv[1:] else ROWS
    for width in (50, 20):
        for dtype in (np.float64, np.float32):
            print_many_rows(width, dtype, rows)
    print_one_row()
