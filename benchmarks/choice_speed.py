"""Time of a default fit of NetLinesClassifierCV beside six fits of LightGBM: one, and one a fold of five.

    python benchmarks/choice_speed.py                 # the table of ratios, and their geometric mean
    python benchmarks/choice_speed.py --most 2000     # without the larger tables
    python benchmarks/choice_speed.py --curve         # time against rows, drawn into build/benchmarks

CPU seconds of one thread, both sides in turn in one process; the tables are made up, each kind from a seed of
its own. Errors are those on 4,000 fresh rows; "expected" is what the choice itself says.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"

import argparse
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from peers import lightgbm
from sets import BUILD
from sklearn.model_selection import StratifiedKFold

from netlines import NetLinesClassifierCV

GOAL, MOST = 1.5, 4.0  # of the geometric mean, and of every table
FRESH = 4000
CURVE = (200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)


def quantiles(values: np.ndarray, classes: int) -> np.ndarray:
    """Cut values into classes of equal size."""
    return np.searchsorted(np.quantile(values, np.arange(1, classes) / classes), values)


def flat(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Return classes that hyperplanes separate."""
    if classes == 2:
        return (X @ rng.standard_normal(X.shape[1]) > 0).astype(int)
    return (X @ rng.standard_normal((X.shape[1], classes))).argmax(axis=1)


def noisy(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Return such classes, of which a tenth is wrong."""
    y = flat(rng, X, classes)
    return np.where(rng.random(len(y)) < 0.1, rng.integers(classes, size=len(y)), y)


def round_(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Return classes by the distance from the origin."""
    return quantiles((X**2).sum(axis=1), classes)


def committee(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Return what a committee of hyperplanes says, a twentieth of it wrong."""
    votes = np.sign(X @ rng.standard_normal((X.shape[1], 3)))
    y = (votes.sum(axis=1) > 0).astype(int)
    if classes > 2:
        y = (votes @ rng.standard_normal((3, classes))).argmax(axis=1)
    return np.where(rng.random(len(y)) < 0.05, rng.integers(classes, size=len(y)), y)


def sums(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Return classes by a sum of waves of single columns, with noise."""
    waves = np.sin(2 * X[:, :5]) @ rng.standard_normal(min(5, X.shape[1]))
    return quantiles(
        waves + X @ rng.standard_normal(X.shape[1]) / 4 + 0.3 * rng.standard_normal(len(X)), classes
    )


KINDS: dict[str, Callable[[np.random.Generator, np.ndarray, int], np.ndarray]] = {
    "separable": flat,
    "noisy": noisy,
    "round": round_,
    "committee": committee,
    "waves": sums,
}


@dataclass(frozen=True)
class Table:
    """A made-up table: its kind, rows, columns and classes."""

    kind: str
    rows: int
    columns: int
    classes: int = 2

    def make(self) -> tuple[np.ndarray, ...]:
        """Return training rows and labels, and fresh ones."""
        rng = np.random.default_rng([list(KINDS).index(self.kind), self.rows, self.columns, self.classes])
        X = rng.standard_normal((self.rows + FRESH, self.columns))
        y = KINDS[self.kind](rng, X, self.classes)
        return X[: self.rows], y[: self.rows], X[self.rows :], y[self.rows :]

    def __str__(self) -> str:
        return f"{self.rows:,} × {self.columns}, {self.classes} classes, {self.kind}"


TABLES = (
    Table("noisy", 300, 20),
    Table("round", 300, 5),
    Table("committee", 500, 10),
    Table("waves", 500, 10, 3),
    Table("separable", 600, 60),
    Table("round", 1000, 10),
    Table("noisy", 1000, 30),
    Table("waves", 1000, 10),
    Table("committee", 1000, 20, 6),
    Table("noisy", 1000, 10, 4),
    Table("round", 2000, 10, 3),
    Table("committee", 2500, 30),
    Table("noisy", 3000, 15, 3),
    Table("committee", 5000, 30),
    Table("round", 5000, 10),
    Table("waves", 9000, 20),
    Table("committee", 10_000, 30),
    Table("noisy", 10_000, 20, 5),
    Table("round", 20_000, 10),
    Table("committee", 20_000, 30),
    Table("waves", 50_000, 20, 3),
    Table("noisy", 100_000, 20),
)


def cpu(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of the processor that a call takes, and what it returns."""
    start = process_time()
    result = call()
    return process_time() - start, result


def six_fits(X: np.ndarray, y: np.ndarray) -> Any:
    """Fit LightGBM to five folds and to all rows."""
    for train, _ in StratifiedKFold(5).split(X, y):
        lightgbm().fit(X[train], y[train])
    return lightgbm().fit(X, y)


def measure(table: Table) -> tuple[float, float, Any, float, float]:
    """Return the seconds of both, the fitted choice, and both errors on fresh rows."""
    X, y, Xt, yt = table.make()
    mine, clf = cpu(lambda: NetLinesClassifierCV().fit(X, y))
    theirs, peer = cpu(lambda: six_fits(X, y))
    errors = [float(100 * np.mean(model.predict(Xt) != yt)) for model in (clf, peer)]
    return mine, theirs, clf, errors[0], errors[1]


def print_ratios(most: int) -> bool:
    """Print a line for each table, and tell whether the goals are met."""
    row = "{:<36}{:>9}{:>8}{:>7} {:>8}{:>9}{:>8}  {}"
    titles = "netlines", "6 LGBM", "ratio", "error %", "expected", "LGBM %", "hyperplanes, weights"
    print(row.format("CPU seconds, one thread", *titles))
    ratios = []
    for table in TABLES:
        if table.rows > most:
            continue
        mine, theirs, clf, error, peer = measure(table)
        ratios.append(mine / theirs)
        chosen = f"{clf.n_hidden_}, {clf.n_weights_:,}"
        expected = 100 * clf.cv_results_["error"][clf.cv_results_["chosen"]][0]
        errors = f"{error:.1f}", f"{expected:.1f}", f"{peer:.1f}"
        print(
            row.format(str(table), f"{mine:.2f}", f"{theirs:.2f}", f"{mine / theirs:.2f}", *errors, chosen),
            flush=True,
        )
    mean = float(np.exp(np.mean(np.log(ratios))))
    met = mean <= GOAL and max(ratios) <= MOST
    print(
        f"geometric mean {mean:.2f} (goal ≤ {GOAL:g}), largest {max(ratios):.2f} (goal ≤ {MOST:g}): ", end=""
    )
    print("met" if met else "MISSED")
    return met


def draw_curve(most: int) -> None:
    """Print and draw the time of the choice against the number of rows."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6.4, 4.2))
    for kind, columns, classes in (
        ("noisy", 20, 2),
        ("committee", 30, 2),
        ("round", 10, 2),
        ("waves", 10, 3),
    ):
        rows = [n for n in CURVE if n <= most]
        seconds = []
        for n in rows:
            X, y, *_ = Table(kind, n, columns, classes).make()
            seconds.append(cpu(lambda X=X, y=y: NetLinesClassifierCV().fit(X, y))[0])
        name = f"{kind}, {columns} columns, {classes} classes"
        print(
            name, *(f"{n:,}: {s:.2f} s" for n, s in zip(rows, seconds, strict=True)), sep="\n  ", flush=True
        )
        ax.loglog(rows, seconds, marker="o", label=name)
    ax.set_xlabel("rows")
    ax.set_ylabel("CPU seconds of a default fit, one thread")
    ax.grid(color="0.9")
    ax.legend(fontsize=8)
    figure.tight_layout()
    BUILD.mkdir(parents=True, exist_ok=True)
    figure.savefig(BUILD / "choice_speed.png", dpi=150)
    print(f"drawn into {BUILD / 'choice_speed.png'}")


def main() -> int:
    """Measure; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--curve", action="store_true", help="time against rows instead")
    parser.add_argument("--most", type=int, default=200_000, metavar="ROWS", help="leave out larger tables")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for classes in (2, 3):  # what is compiled and imported is not timed
        measure(Table("round", 100, 3, classes))
    if options.curve:
        draw_curve(options.most)
        return 0
    return int(not print_ratios(options.most))


if __name__ == "__main__":
    sys.exit(main())
