"""Counts what must be none: ordinary fits that change by what means nothing, and errors beside large offsets.

`python tests/hostile/ordinary.py [number]` fits to 200 tables of each sort, or another number of them, and
prints the counts; the exit code is 1 if any is not 0.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile import promises
from hostile.generator import Table, in_form
from hostile.promises import Broken, Case

RECIPES = (
    "MinimerrorClassifier(n_jobs=jobs).fit(X, y)",
    "NetLinesClassifier(max_hidden=3, n_jobs=jobs).fit(X, y)",
    "NetLinesClassifier(n_jobs=jobs).fit(X, y)",
    "NetLinesClassifier(refine=False, n_jobs=jobs).fit(X, y)",
    "MonoPlaneClassifier(n_jobs=jobs).fit(X, y)",
)


def an_ordinary_case(rng: np.random.Generator) -> Case:
    """Draw 40 rows of normal numbers or small integers, with labels that are noise, or a plane with noise."""
    n, columns = 40, int(rng.integers(2, 7))
    X = (
        rng.normal(size=(n, columns))
        if rng.random() < 0.7
        else rng.integers(-4, 5, (n, columns)).astype(float)
    )
    field = X @ rng.normal(size=columns) if rng.random() < 0.5 else np.zeros(n)
    y = (field + rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return Case(Table(X, y, None, ("ordinary",) * columns, None, "C"), str(rng.choice(RECIPES)))


def a_case_far_away(rng: np.random.Generator) -> Case:
    """Draw rows with offsets up to 1e15 and spreads of 1 to 8, in steps that doubles can hold, and noise."""
    n, columns = int(rng.integers(4, 41)), int(rng.integers(1, 4))
    X = np.empty((n, columns))
    for i in range(columns):
        offset = rng.choice([-1.0, 1.0]) * 10.0 ** rng.integers(6, 16)
        step = max(0.125, float(np.spacing(abs(offset))))
        X[:, i] = offset + step * rng.integers(0, int(rng.integers(1, 9) / step) + 1, n)
    if columns > 1 and rng.random() < 0.3:
        X[:, 0] = rng.normal(size=n)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    recipe = str(rng.choice(RECIPES[2:]))
    return Case(Table(X, y, None, ("offset",) * columns, None, "C"), recipe)


def changes(case: Case, rng: np.random.Generator) -> Counter[str]:
    """Count which answers and which weights change by what means nothing."""
    X, y = case.table.X, case.table.y
    order, factors = rng.permutation(len(y)), 2.0 ** rng.integers(-30, 31, X.shape[1])
    others = {
        "powers of two": (case.fit(X * factors, y), X * factors, np.concatenate([[1.0], factors])),
        "row order": (case.fit(X[order], y[order]), X, None),
        "n_jobs": (case.fit(X, y, jobs=2), X, None),
        "layout": (case.fit(np.asfortranarray(X), y), X, None),
        "strides": (case.fit(in_form(X, "strided"), y), X, None),
    }
    found: Counter[str] = Counter()
    for what, (other, rows, back) in others.items():
        found[f"answers by {what}"] += not np.array_equal(other.predict(rows), case.answers)
        mine, theirs = case.network.hidden_weights, other.network_.hidden_weights
        if back is not None and mine.shape == theirs.shape:
            same = np.allclose(_directions(theirs * back), _directions(mine), rtol=1e-9, atol=1e-12)
        else:
            same = np.array_equal(mine, theirs)
        output = np.array_equal(case.network.output_weights, other.network_.output_weights)
        found[f"weights by {what}"] += not (same and output)
    return found


def _directions(weights: np.ndarray) -> np.ndarray:
    """Return hyperplanes (H, N + 1) with rows of norm 1."""
    return weights / np.sqrt((weights**2).sum(axis=1, keepdims=True))


def faults(case: Case, rng: np.random.Generator) -> Counter[str]:
    """Count avoidable errors, and rows with two answers."""
    found: Counter[str] = Counter()
    X, clf = case.table.X, case.clf
    kept = (promises.no_avoidable_errors, promises.errors_are_counted)
    for name, promise in zip(
        ("tables with an avoidable error", "tables with miscounted errors"), kept, strict=True
    ):
        found[name] = 0
        try:
            promise(case)
        except Broken:
            found[name] = 1
    alone = np.array([clf.predict(row[None])[0] for row in X])
    fortran, halves = clf.predict(np.asfortranarray(X)), [clf.predict(part) for part in np.array_split(X, 2)]
    two = (alone != case.answers) | (fortran != case.answers) | (np.concatenate(halves) != case.answers)
    found["tables where a row gets two answers"] += bool(two.any())
    return found


def main(arguments: list[str]) -> int:
    """Print the counts of both sorts of tables."""
    warnings.simplefilter("ignore")
    number, failed = int(arguments[0]) if arguments else 200, 0
    for what, draw, count in (
        ("ordinary fits", an_ordinary_case, changes),
        ("tables with offsets up to 1e15", a_case_far_away, faults),
    ):
        total: Counter[str] = Counter()
        for seed in range(number):
            rng = np.random.default_rng([seed, len(what)])
            total.update(count(draw(rng), rng))
        print(f"of {number} {what}:")
        for name, found in total.items():
            print(f"  {name}: {found}")
        failed += sum(total.values())
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
