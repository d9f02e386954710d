"""What a points score costs: error and size of prefer="readable" beside the default and other small models.

    python benchmarks/readable.py                       # what the cache lacks of the twelve tables
    python benchmarks/readable.py heart saheart --again readable
    python benchmarks/readable.py --development         # the tables that the search was developed on

Ten splits of each table, 70 % of the rows for training, stratified, seeds 0 to 9, the same for all methods,
all on one thread. A figure is kept in build/benchmarks/readable.csv until --again names its method.

The size of a points score is the number of integers on it: the points and the cuts of the total. The others
get at least as much: FIGS as many splits as a score may have points (9, or 18 of more than two classes; its
leaves are not counted), the tree has a depth of 3 (up to 7 splits and 8 leaves), and the L1 logistic
regression over standardised columns has the points of the score of the same split, rounded to integers up to
99.

FIGS comes from the package imodels, of which the versions that are missing are downloaded into
build/benchmarks/ once; without a connection its column stays empty.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"

import argparse
import csv
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sets import BUILD, load, of_bundled, provide
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from netlines import NetLinesClassifierCV
from netlines.datasets import load_monks

TABLES = {
    "breast cancer": lambda: load("breast-cancer"),
    "heart": lambda: load("heart"),
    "diabetes": lambda: load("diabetes"),
    "mammographic": lambda: load("mammographic"),
    "saheart": lambda: load("saheart"),
    "australian": lambda: load("australian"),
    "wine": lambda: load("wine3"),
    "iris": lambda: load("iris3"),
    "monks 1": lambda: of_bundled(load_monks, k=1, subset="test"),
    "monks 2": lambda: of_bundled(load_monks, k=2, subset="test"),
    "monks 3": lambda: of_bundled(load_monks, k=3, subset="test"),
    "titanic": lambda: load("titanic"),
}
# None of them is a table above or describes the same rows. Not all were looked at equally often.
DEVELOPMENT = (
    *("german", "bupa", "bands", "haberman", "hepatitis", "housevotes", "contraceptive", "wdbc"),
    *("ionosphere", "tic-tac-toe", "sonar", "vehicle", "hayes-roth", "tae", "zoo", "glass", "vehicle4"),
    *("waveform3", "contraceptive3"),
)
SPLITS = 10
CACHE = BUILD / "readable.csv"
# imodels with what it needs to be imported, none of which has to be built.
FIGS_PACKAGES = (
    "mlxtend",
    "tqdm",
    "requests",
    "charset_normalizer",
    "idna",
    "urllib3",
    "certifi",
    "six",
    "imodels",
)

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
Figures = tuple[float, int, float]  # error, size, seconds


def splits(table: tuple[np.ndarray, np.ndarray]) -> Iterator[Split]:
    """Yield training rows and labels, test rows and labels of each split."""
    X, y = table
    if np.bincount(y).min() < 2:  # a class with one row cannot be in both parts
        keep = np.bincount(y)[y] > 1
        X, y = X[keep], np.unique(y[keep], return_inverse=True)[1]
    for seed in range(SPLITS):
        cutter = StratifiedShuffleSplit(1, test_size=0.3, random_state=seed)
        a, b = next(cutter.split(X, y))
        yield X[a], y[a], X[b], y[b]


def figs(n_classes: int) -> Any:
    """Return FIGS with as many splits as a points score may have points, or None if it cannot be had."""
    try:
        for package in FIGS_PACKAGES:
            provide(package, package)
    except (subprocess.CalledProcessError, ImportError):
        print('FIGS is left out: "pip install imodels" into this environment brings it', file=sys.stderr)
        return None
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=9 if n_classes == 2 else 18)


class RoundedLogistic:
    """An L1 logistic regression of at most so many weights, rounded to integers up to 99."""

    def __init__(self, size: int):
        self.size = size

    def fit(self, X: np.ndarray, y: np.ndarray) -> RoundedLogistic:
        """Take the weakest of thirty penalties that leave few enough weights, and round what it fitted."""
        self.scaler = StandardScaler().fit(X)
        Z = self.scaler.transform(X)
        fits = (_l1(C).fit(Z, y) for C in np.geomspace(1e-3, 1e2, 30))
        found = [one for one in fits if np.count_nonzero(one.coef_) + one.intercept_.size <= self.size]
        best = found[-1] if found else _l1(1e-6).fit(Z, y)
        weights = np.column_stack([best.intercept_, best.coef_])
        factor = 99 / max(np.abs(weights).max(), 1e-12)
        self.weights, self.classes_ = np.rint(weights * factor), best.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class with the largest total."""
        sums = self.scaler.transform(X) @ self.weights[:, 1:].T + self.weights[:, 0]
        which = (sums[:, 0] > 0).astype(int) if sums.shape[1] == 1 else sums.argmax(axis=1)
        return self.classes_[which]


def _l1(C: float) -> LogisticRegression:
    return LogisticRegression(C=C, l1_ratio=1.0, solver="saga", max_iter=3000, tol=1e-3, random_state=0)


def models(name: str, n_classes: int, readable_size: int) -> Any:
    """Return the model of a name; the L1 regression has the size of the points score."""
    if name == "balanced":
        return NetLinesClassifierCV(n_jobs=1)
    if name == "readable":
        return NetLinesClassifierCV(prefer="readable", n_jobs=1)
    if name == "FIGS":
        return figs(n_classes)
    if name == "tree":
        return DecisionTreeClassifier(max_depth=3, random_state=0)
    return RoundedLogistic(readable_size)


METHODS = ("balanced", "readable", "FIGS", "tree", "L1 rounded")


def size_of(name: str, model: Any) -> int:
    """Return how many numbers a fitted model has: weights, splits, or points and cuts."""
    if name == "FIGS":
        return int(model.complexity_)
    if name == "tree":
        return int(model.tree_.node_count // 2)
    if name == "L1 rounded":
        return int(np.count_nonzero(model.weights))
    return int(model.n_weights_)


def measure(name: str, split: Split, readable_size: int) -> Figures | None:
    """Fit a model to a split; return its error on the test rows, its size and the seconds."""
    Xa, ya, Xt, yt = split
    model = models(name, int(ya.max()) + 1, readable_size)
    if model is None:
        return None
    start = process_time()
    model.fit(Xa, ya)
    seconds = process_time() - start
    return float((model.predict(Xt) != yt).mean()), size_of(name, model), seconds


def read(path: Path) -> dict[tuple[str, int, str], Figures]:
    """Return what was measured before."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {(t, int(k), m): (float(error), int(size), float(s)) for t, k, m, error, size, s in rows}


def report(found: dict[tuple[str, int, str], Figures], tables: list[str]) -> None:
    """Print mean errors and sizes, one line a table, and the means over the tables."""
    print(
        f"{'error on test rows, %':<16}"
        + "".join(f"{name:>16}" for name in METHODS)
        + "   readable - balanced"
    )
    means = []
    for table in tables:
        cells, errors = [], []
        for name in METHODS:
            own = [found[table, k, name] for k in range(SPLITS) if (table, k, name) in found]
            errors.append(100 * np.mean([one[0] for one in own]) if own else np.nan)
            sizes = [one[1] for one in own]
            cells.append(f"{errors[-1]:9.1f} ({np.mean(sizes):4.1f})" if own else f"{'-':>16}")
        means.append(errors)
        print(f"{table:<16}" + "".join(cells) + f"{errors[1] - errors[0]:+12.1f}")
    whole = np.nanmean(means, axis=0)
    print(f"{'mean':<16}" + "".join(f"{one:9.1f}       " for one in whole) + f"{whole[1] - whole[0]:+12.1f}")
    sizes = {
        t: max(found[t, k, "readable"][1] for k in range(SPLITS))
        for t in tables
        if (t, 0, "readable") in found
    }
    print("most integers on a score:", ", ".join(f"{table} {size}" for table, size in sizes.items()))
    seconds = [one[2] for (_, _, name), one in found.items() if name == "readable"]
    if seconds:
        print(f"seconds a readable fit: median {np.median(seconds):.1f}, most {max(seconds):.1f}")


def main() -> None:
    """Measure what the cache lacks and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", help="some of the tables; all if none is named")
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=list(METHODS))
    parser.add_argument("--again", nargs="*", choices=METHODS, default=[], help="measure these anew")
    parser.add_argument("--development", action="store_true", help="the tables for development instead")
    parser.add_argument("--cache", type=Path, default=CACHE)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    every = {name: (lambda name=name: load(name)) for name in DEVELOPMENT} if asked.development else TABLES
    names = asked.tables or list(every)
    asked.cache.parent.mkdir(parents=True, exist_ok=True)
    found = {
        key: one for key, one in read(asked.cache).items() if key[2] not in asked.again or key[0] not in names
    }
    for table in names:
        for k, split in enumerate(splits(every[table]())):
            for name in asked.methods:
                if (table, k, name) in found:
                    continue
                own = measure(name, split, found.get((table, k, "readable"), (0.0, 10, 0.0))[1])
                if own is not None:
                    found[table, k, name] = own
        with open(asked.cache, "w", newline="") as file:
            csv.writer(file).writerows([*key, *one] for key, one in found.items())
    report(found, names)


if __name__ == "__main__":
    main()
