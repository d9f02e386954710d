"""A unit on large tables beside scikit-learn's LogisticRegression: time, training errors, added memory.

Run with `python benchmarks/unit.py`. One thread; CPU seconds of whole fits, medians of repetitions in
turn, as ratios to the faster of two: a logistic regression alone, and one on standardised inputs. Both
have the defaults. Exits with 1 if a goal is missed.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import sys
import warnings
from statistics import median
from time import process_time

import numpy as np
from fit import run_python
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import MinimerrorClassifier

COLUMNS = 30
GOALS = {100_000: 1.5, 1_000_000: 1.0}  # times the logistic regression, by the number of rows
REPETITIONS = {100_000: 9, 1_000_000: 3}
MEMORY_GOAL = 1.5  # times the array

MEMORY = """
import numpy as np
from netlines import MinimerrorClassifier

def kilobytes(entry):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(entry))

rng = np.random.default_rng(0)
X = np.empty((1_000_000, 30), dtype="{dtype}")
for start in range(0, len(X), 10_000):
    X[start : start + 10_000] = rng.standard_normal((10_000, 30))
y = X[:, :5].sum(axis=1) + rng.standard_normal(len(X)) > 0
MinimerrorClassifier().fit(X[:50_000], y[:50_000])  # compiles
before = kilobytes("VmRSS")
MinimerrorClassifier().fit(X, y)
print((kilobytes("VmHWM") - before) * 1024 / X.nbytes)
"""


def hyperplane(rows, rng):
    """Label by a hyperplane, and turn 7 % of the labels."""
    X = rng.standard_normal((rows, COLUMNS))
    return X, (X @ rng.standard_normal(COLUMNS) + 0.3 > 0) ^ (rng.random(rows) < 0.07)


def logistic(rows, rng):
    """Label as a logistic regression supposes."""
    X = rng.standard_normal((rows, COLUMNS))
    return X, X @ rng.standard_normal(COLUMNS) + rng.logistic(size=rows) > 0


def rare(rows, rng):
    """Label as a logistic regression supposes, one class being rare."""
    X = rng.standard_normal((rows, COLUMNS))
    return X, 0.4 * X @ rng.standard_normal(COLUMNS) + rng.logistic(size=rows) > 3.5


def separable(rows, rng):
    """Label by a hyperplane."""
    X = rng.standard_normal((rows, COLUMNS))
    return X, X @ rng.standard_normal(COLUMNS) > 0.5


def skewed(rows, rng):
    """Make inputs with one long tail each."""
    X, y = logistic(rows, rng)
    return np.exp(X), y


def whole_numbers(rows, rng):
    """Make inputs from 0 to 4 and noisy labels."""
    X = rng.integers(0, 5, (rows, COLUMNS)).astype(float)
    field = X @ rng.standard_normal(COLUMNS)
    return X, field + 0.5 * field.std() * rng.standard_normal(rows) > field.mean()


def repeated(rows, rng):
    """Draw each row three times on average."""
    X, y = hyperplane(rows // 3, rng)
    which = rng.integers(0, len(X), rows)
    return X[which], y[which]


def clusters(rows, rng):
    """Make scikit-learn's clusters on the corners of a cube."""
    seed = int(rng.integers(1000))
    return make_classification(rows, COLUMNS, n_informative=COLUMNS // 2, random_state=seed)


def far_clusters(rows, rng):
    """Make two clusters that a hyperplane separates but for a few rows."""
    far = {"n_clusters_per_class": 1, "flip_y": 0, "class_sep": 3.0}
    seed = int(rng.integers(1000))
    return make_classification(rows, COLUMNS, n_informative=10, random_state=seed, **far)


KINDS = (hyperplane, logistic, rare, separable, skewed, whole_numbers, repeated, clusters, far_clusters)


def compare(X, y):
    """Return the median CPU seconds of the unit and of the faster peer, the unit's errors and the fewest."""
    models = {
        "unit": MinimerrorClassifier(),
        "alone": LogisticRegression(),
        "standardised": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    seconds, errors = {name: [] for name in models}, {}
    for k in range(REPETITIONS[len(X)]):
        for name, model in models.items():
            start = process_time()
            fitted = clone(model).fit(X, y)
            seconds[name].append(process_time() - start)
            if k == 0:
                errors[name] = int((fitted.predict(X) != y).sum())
    unit, *peers = (median(times) for times in seconds.values())
    own, *others = errors.values()
    return unit, min(peers), own, min(others)


def print_times(rows):
    """Print a table of ratios and errors; return whether all goals are met."""
    goal, met, ratios = GOALS[rows], True, []
    print(f"\n{rows:,} × {COLUMNS}, {REPETITIONS[rows]} repetitions")
    row = "  {:<14}{:<9}{:>8} {:>8} {:>6}   {:>9} {:>9}   {}"
    print(
        row.format(
            "", "", "unit, ms", "LR, ms", "ratio", "errors", "of LR", f"goal ≤ {goal:g}, no more errors"
        )
    )
    for kind in KINDS:
        for dtype in (np.float32, np.float64):
            X, y = kind(rows, np.random.default_rng(0))
            X = np.ascontiguousarray(X, dtype=dtype)
            unit, peer, own, others = compare(X, y)
            good = unit <= goal * peer and own <= others
            ratios.append(unit / peer)
            met &= good
            figures = (f"{1e3 * unit:.0f}", f"{1e3 * peer:.0f}", f"{unit / peer:.2f}", own, others)
            name = kind.__name__.replace("_", " ")
            print(row.format(name, np.dtype(dtype).name, *figures, "met" if good else "MISSED"), flush=True)
    print(f"  geometric mean of the ratios {np.exp(np.mean(np.log(ratios))):.2f}, largest {max(ratios):.2f}")
    return met


def print_memory():
    """Print what a fit adds to the memory at its peak, times the array; return whether the goal is met."""
    print("\nAdded memory at the peak of a fit, 1,000,000 × 30, times the array")
    if not os.path.exists("/proc/self/status"):
        print("  not measured: this system has no /proc/self/status")
        return True
    met = True
    for dtype in ("float32", "float64"):
        (added,) = run_python(MEMORY.replace("{dtype}", dtype))
        met &= added <= MEMORY_GOAL
        print(
            f"  {dtype:<9}{added:.2f}   goal ≤ {MEMORY_GOAL:g}: {'met' if added <= MEMORY_GOAL else 'MISSED'}"
        )
    return met


def main():
    """Print all tables; return whether all goals are met."""
    print("A unit beside the faster of two logistic regressions, one thread, CPU time of a fit")
    for dtype in (np.float32, np.float64):  # compiles
        X, y = hyperplane(50_000, np.random.default_rng(0))
        MinimerrorClassifier().fit(X.astype(dtype), y)
    return all([*(print_times(rows) for rows in GOALS), print_memory()])


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    sys.exit(0 if main() else 1)
