"""How well `distill` compresses a random forest of 100 trees, on six sets of sets.py.

    python benchmarks/distill.py [--splits N]

For each set: the share of the forest's decisions on the test rows that the network makes too, both errors,
and both sizes; the sets on which the network errs at most 1.5 points more with at most 100 weights are
counted. The network learns from the forest and the inputs of its training rows, without their labels.
"""

from __future__ import annotations

import argparse
from itertools import islice
from time import perf_counter

import numpy as np
from peers import count_parameters
from sets import splits
from sklearn.ensemble import RandomForestClassifier

from netlines import distill

NAMES = ("breast-cancer", "diabetes", "heart", "banana", "waveform", "spam")
POINTS, WEIGHTS = 0.015, 100


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--splits", type=int, default=5)
    options = parser.parse_args()
    print(
        f"{'set':<15}{'same':>9}{'network':>10}{'forest':>9}{'weights':>10}{'parameters':>12}{'seconds':>9}"
    )
    good = 0
    for name in NAMES:
        rows = []
        for X, y, X_test, y_test in islice(splits(name), options.splits):
            forest = RandomForestClassifier(random_state=0).fit(X, y)
            start = perf_counter()
            small = distill(forest, X)
            seconds = perf_counter() - start
            mine, theirs = small.predict(X_test), forest.predict(X_test)
            errors = np.mean(mine != y_test), np.mean(theirs != y_test)
            rows.append(
                (np.mean(mine == theirs), *errors, small.n_weights_, count_parameters(forest), seconds)
            )
        same, error, error_forest, weights, parameters, seconds = np.mean(rows, axis=0)
        good += error <= error_forest + POINTS and weights <= WEIGHTS
        print(
            f"{name:<15}{100 * same:>7.1f} %{100 * error:>8.2f} %{100 * error_forest:>7.2f} %"
            f"{weights:>10.0f}{parameters:>12.0f}{seconds:>9.1f}",
            flush=True,
        )
    print(
        f"at most {100 * POINTS:g} points above the forest with at most {WEIGHTS} weights: "
        f"{good} of {len(NAMES)} sets"
    )


if __name__ == "__main__":
    main()
