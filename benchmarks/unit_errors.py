"""Training errors of one unit beside scikit-learn's linear classifiers, on the same standardised data.

Run with `python benchmarks/unit_errors.py`. Exits with 1 if the unit ever makes more errors than the best.
"""

import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from netlines import MinimerrorClassifier
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_waveform,
)

RANDOM_PROBLEMS = 50


def bundled_problems():
    """Yield the name, the inputs and the labels of each bundled problem."""
    yield "breast cancer", *load_breast_cancer_wisconsin(return_X_y=True)
    yield "diabetes", *load_pima_diabetes(return_X_y=True)
    yield "sonar", *load_sonar(return_X_y=True)
    for k in (1, 2, 3):
        yield f"monks {k}", *load_monks(k, return_X_y=True)
    X, y = make_waveform(300, random_state=0)
    for c in (0, 1, 2):
        yield f"waveform {c}", X, y == c


def noisy_plane(X, rng, noise):
    """Label by a random hyperplane whose weighted sums are disturbed by `noise` standard deviations."""
    field = X @ rng.standard_normal(X.shape[1])
    return field + noise * field.std() * rng.standard_normal(len(X)) > np.median(field)


def gaussian(rng, rows, columns):
    """Make Gaussian inputs with noisy labels."""
    X = rng.standard_normal((rows, columns))
    return X, noisy_plane(X, rng, rng.uniform(0.0, 1.5))


def heavy_tails(rng, rows, columns):
    """Make Student inputs with two degrees of freedom and noisy labels."""
    X = rng.standard_t(2, (rows, columns))
    return X, noisy_plane(X, rng, rng.uniform(0.0, 0.5))


def binary_inputs(rng, rows, columns):
    """Make inputs 0 and 1 with noisy labels; rows repeat where there are few columns."""
    X = rng.integers(0, 2, (rows, columns)).astype(float)
    return X, noisy_plane(X, rng, rng.uniform(0.0, 1.0))


def correlated(rng, rows, columns):
    """Make inputs that are nearly combinations of a few hidden ones, with noisy labels."""
    hidden = rng.standard_normal((rows, max(1, columns // 3)))
    X = hidden @ rng.standard_normal((hidden.shape[1], columns)) + 0.05 * rng.standard_normal((rows, columns))
    return X, noisy_plane(X, rng, rng.uniform(0.0, 1.0))


def random_labels(rng, rows, columns):
    """Make Gaussian inputs with labels that have nothing to do with them."""
    return rng.standard_normal((rows, columns)), rng.integers(0, 2, rows) == 1


def outliers(rng, rows, columns):
    """Make a clean hyperplane and give a twentieth of the rows huge inputs on the wrong side."""
    X = rng.standard_normal((rows, columns))
    w = rng.standard_normal(columns)
    y = X @ w > 0
    far = rng.choice(rows, rows // 20, replace=False)
    X[far] += np.where(y[far], -20.0, 20.0)[:, None] * w / np.sqrt(w @ w)
    return X, y


def imbalanced(rng, rows, columns):
    """Make two overlapping Gaussian classes, one of them with a tenth of the rows."""
    y = np.arange(rows) < max(2, rows // 10)
    X = rng.standard_normal((rows, columns))
    X[y] += rng.standard_normal(columns)
    return X, y


def wide(rng, rows, columns):
    """Make random labels with more columns than rows."""
    X = rng.standard_normal((rows // 5, rows // 5 + columns))
    return X, rng.integers(0, 2, len(X)) == 1


KINDS = (gaussian, heavy_tails, binary_inputs, correlated, random_labels, outliers, imbalanced, wide)


def random_problems():
    """Yield the name, the inputs and the labels of random problems, the kinds in turn."""
    for i in range(RANDOM_PROBLEMS):
        rng = np.random.default_rng(i)
        kind = KINDS[i % len(KINDS)]
        X, y = kind(rng, int(rng.integers(60, 600)), int(rng.integers(2, 25)))
        yield f"{i + 1:2} {kind.__name__.replace('_', ' ')}", X, y


def count_errors(model, X, y):
    """Return the training errors of a fresh model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return int((model.fit(X, y).predict(X) != y).sum())


def main():
    """Print the table; return the number of problems where the unit is not the best."""
    row = "{:<22}{:>6}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}   {}"
    print(row.format("problem", "rows", "cols", "unit", "LR", "SVC", "perc.", "best", "").rstrip())
    problems = [*bundled_problems(), *random_problems()]
    worse, unit_total, best_total = 0, 0, 0
    for name, X, y in problems:
        X = StandardScaler().fit_transform(X)
        unit = count_errors(MinimerrorClassifier(), X, y)
        others = [
            count_errors(model, X, y)
            for model in (LogisticRegression(), LinearSVC(random_state=0), Perceptron(random_state=0))
        ]
        best = min(others)
        note = "" if unit <= best else "<- more errors"
        print(row.format(name, *X.shape, unit, *others, best, note).rstrip())
        worse += unit > best
        unit_total, best_total = unit_total + unit, best_total + best
    print(f"{unit_total} errors of the unit, {best_total} of the best of the others on each problem")
    print(f"the unit makes more errors than the best of them on {worse} of {len(problems)} problems (goal 0)")
    return worse


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
