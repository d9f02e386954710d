"""What scikit-learn's BaggingClassifier brings around NetLinesClassifierCV.

    python benchmarks/bagging.py [--splits N] [--estimators N] [--bootstrap]

Test error and log-loss of one classifier and of the mean of several, each trained on 70 % of the rows; or,
with --bootstrap, on as many rows drawn with repetition: there a repeated row is learnt and held out at once.
"""

from __future__ import annotations

import argparse
from itertools import islice

import numpy as np
from sets import splits
from sklearn.ensemble import BaggingClassifier
from sklearn.metrics import log_loss

from netlines import NetLinesClassifierCV

NAMES = ("breast-cancer", "diabetes", "heart", "sonar", "banana")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--estimators", type=int, default=10)
    parser.add_argument("--bootstrap", action="store_true")
    options = parser.parse_args()
    print(f"{'set':<15}{'error':>9}{'bagged':>9}{'log-loss':>11}{'bagged':>9}{'weights':>9}{'bagged':>9}")
    for name in NAMES:
        rows = []
        for X, y, X_test, y_test in islice(splits(name), options.splits):
            one = NetLinesClassifierCV().fit(X, y)
            bag = BaggingClassifier(
                NetLinesClassifierCV(),
                options.estimators,
                bootstrap=options.bootstrap,
                max_samples=1.0 if options.bootstrap else 0.7,
                random_state=0,
            ).fit(X, y)
            sizes = one.n_weights_, sum(part.n_weights_ for part in bag.estimators_)
            errors = [np.mean(model.predict(X_test) != y_test) for model in (one, bag)]
            losses = [log_loss(y_test, model.predict_proba(X_test), labels=[0, 1]) for model in (one, bag)]
            rows.append((*errors, *losses, *sizes))
        error, bagged, loss, bagged_loss, size, bagged_size = np.mean(rows, axis=0)
        print(
            f"{name:<15}{100 * error:>7.2f} %{100 * bagged:>7.2f} %{loss:>11.4f}{bagged_loss:>9.4f}"
            f"{size:>9.0f}{bagged_size:>9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
