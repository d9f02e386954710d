"""Hostile tables, made of chance alone: columns of every size, all sorts of labels, and classifiers for them.

A table has its numbers as a classifier sees them, of float64 or float32, and the same numbers in another
form: a list, a data frame, another order in memory. A recipe is a Python expression in X, y, w and jobs, so
that the program that shows a failure again fits what the campaign fitted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

LARGEST = 1e100
SPREAD = 8


@dataclass(frozen=True)
class Table:
    """Rows with labels.

    Attributes
    ----------
    X : array (n, N) of float64 or float32, in C order
    y : array (n,) of labels
    weights : array (n,) or None
    columns : what sort of numbers the columns are of
    names : of the columns, or None
    form : how the rows are handed over, one of `FORMS`
    """

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    columns: tuple[str, ...]
    names: tuple[str, ...] | None
    form: str

    @property
    def given(self) -> Any:
        """The rows in the form in which they are handed over."""
        return in_form(self.X, self.form, self.names)


def a_table(rng: np.random.Generator, *, n_classes: int, most: int, tame: bool = False) -> Table:
    """Draw a table of 2 to `most` rows; a `tame` one has columns that any classifier can take."""
    n = max(int(rng.integers(2, most + 1)), 2 * n_classes if n_classes > 2 else 2)
    wanted, drawn, sorts = int(rng.integers(1, 9 if rng.random() < 0.3 else 4)), [], []
    kinds = TAME if tame else tuple(COLUMNS)
    # One sort throughout, or one column of a strange sort among plain ones, or a mixture.
    style, favourite = rng.integers(3), str(rng.choice(kinds))
    while sum(part.shape[1] for part in drawn) < wanted:
        mixed = style == 2 or (style == 1 and drawn)
        sort = str(rng.choice(TAME if style == 1 else kinds)) if mixed else favourite
        before = np.hstack(drawn) if drawn else rng.normal(size=(n, 1))
        drawn.append(np.asarray(COLUMNS[sort](rng, n, before), dtype=float).reshape(n, -1))
        sorts += [sort] * drawn[-1].shape[1]
    X = np.ascontiguousarray(np.clip(np.hstack(drawn), -LARGEST, LARGEST))
    if rng.random() < 0.3:  # repeated rows, some of them contradictory
        X = X[rng.integers(0, n, n)]
    if rng.random() < 0.15:
        X = np.clip(X, -1e38, 1e38).astype(np.float32)
    y = _labels(rng, X, n_classes)
    names = _names(rng, X.shape[1]) if rng.random() < 0.3 else None
    form = str(rng.choice([form for form in FORMS if keeps(X, form)])) if rng.random() < 0.5 else "C"
    form = "frame" if names else form
    if form not in ("C", "frame", *SAME_NUMBERS):
        X = X.astype(float)  # which is what a classifier makes of it
    weights = None if tame else _weights(rng, y)
    return Table(X, y, weights, tuple(sorts), names, form)


def _offset(rng: np.random.Generator, n: int, _: Any) -> np.ndarray:
    """Return steps of a power of two, a few of them, far away from 0."""
    offset = rng.choice([-1.0, 1.0]) * 10.0 ** rng.integers(3, 16)
    step = max(2.0 ** -int(rng.integers(0, 4)), float(np.spacing(abs(offset))))
    return offset + step * rng.integers(0, max(2, int(rng.integers(1, SPREAD + 1) / step)), n)


def _outlier(rng: np.random.Generator, n: int, _: Any) -> np.ndarray:
    column = rng.normal(size=n) if rng.random() < 0.5 else rng.integers(0, 9, n).astype(float)
    column[rng.integers(n)] = rng.choice([1e20, -1e20, 1e30, -1e30, 1e60, LARGEST])
    return column


def _one_hot(rng: np.random.Generator, n: int, _: Any) -> np.ndarray:
    return np.eye(int(rng.integers(2, 5)))[rng.integers(0, 2, n)]


def _combination(rng: np.random.Generator, n: int, before: np.ndarray) -> np.ndarray:
    mixture = before @ rng.choice([-2.0, -1.0, 0.5, 1.0, 3.0], before.shape[1])
    return np.where(np.isfinite(mixture), mixture, 0.0)


COLUMNS: dict[str, Callable[[np.random.Generator, int, np.ndarray], Any]] = {
    "normal": lambda rng, n, _: rng.normal(size=n),
    "integers": lambda rng, n, _: rng.integers(-3, 4, n),
    "binary": lambda rng, n, _: rng.integers(0, 2, n),
    "one-hot": _one_hot,
    "constant": lambda rng, n, _: np.full(n, rng.choice([0.0, 1.0, 0.1, -1e8, 1e-310, 1e100])),
    "copy": lambda rng, n, before: before[:, rng.integers(before.shape[1])],
    "combination": _combination,
    "offset": _offset,
    "above 2^53": lambda rng, n, _: 2.0**53 * rng.integers(1, 4) + 8 * rng.integers(0, 40, n),
    "time stamps": lambda rng, n, _: 1.7e18 + rng.choice([256, 1024, 1e6, 1e9]) * rng.integers(0, 60, n),
    "denormal": lambda rng, n, _: 5e-324 * rng.integers(0, rng.choice([2, 8, 2**20]), n),
    "tiny": lambda rng, n, _: rng.normal(size=n) * rng.choice([1e-300, 1e-150, 1e-20]),
    "huge": lambda rng, n, _: rng.normal(size=n) * rng.choice([1e20, 1e60, 1e98]),
    "outlier": _outlier,
    "signed zeros": lambda rng, n, _: rng.choice([-0.0, 0.0, 1.0, -1.0], n),
    "wide": lambda rng, n, _: rng.normal(size=n) * 10.0 ** rng.uniform(-8, 8, n),
    "every size": lambda rng, n, _: rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-307, 100, n),
}
TAME = ("normal", "integers", "binary", "one-hot", "copy")


def _labels(rng: np.random.Generator, X: np.ndarray, n_classes: int) -> np.ndarray:
    """Return labels by chance or by a hyperplane, few or many of a class; each class occurs."""
    n, numbers = len(X), None
    if rng.random() < 0.4:
        rank = X.astype(float).argsort(axis=0).argsort(axis=0) @ rng.normal(size=X.shape[1])
        numbers = (rank.argsort().argsort() * n_classes) // n
    elif rng.random() < 0.3:
        numbers = np.where(rng.random(n) < 0.1, rng.integers(0, n_classes, n), 0)
    if numbers is None:
        numbers = rng.integers(0, n_classes, n)
    numbers[rng.permutation(n)[:n_classes]] = np.arange(n_classes)
    names = LABELS[rng.integers(len(LABELS))]
    names = list(range(n_classes)) if len(names) < n_classes else names[:n_classes]
    return np.array(names)[rng.permutation(n_classes)[numbers]]


LABELS: list[list] = [
    [0, 1, 2, 3],
    [-1, 1],
    [2**53, 2**53 + 1, -(2**60)],
    [False, True],
    [1.0, 3.0, -0.0],
    ["a", "b", "c", "d"],
    ["", " ", "=1+1", "nan"],
    ["\x1b[31mred", "two\nlines", "<b>", "\u00e4\u20ac\u2192"],
    ["x" * 100, "x" * 99 + "y", "0", "-0"],
]


def _weights(rng: np.random.Generator, y: np.ndarray) -> np.ndarray | None:
    """Return weights of the rows, none or strange ones; each class keeps a row of full weight."""
    n, sort = len(y), rng.integers(10)
    if sort < 6:
        return None
    drawn = [
        rng.integers(0, 4, n).astype(float),
        rng.choice([0.0, 1.0, 0.3], n),
        10.0 ** rng.uniform(-8, 3, n),
        rng.choice([1.0, 1e-300, 1e300], n) if rng.random() < 0.5 else rng.choice([1e-300, 1e-301], n),
    ][sort - 6]
    first = np.unique(y, return_index=True)[1]
    drawn[first] = drawn.max() if drawn.max() > 0 else 1.0
    return drawn


def _names(rng: np.random.Generator, n: int) -> tuple[str, ...]:
    pool = ["x", "", " ", "a=1", "a=2", "colour=red", "1", "NaN", "\u00e9\u4e2d", "x\ny", "<i>", "=1+1", "x0"]
    return tuple(rng.permutation(pool)[:n].tolist())


FORMS = (
    *("C", "Fortran", "strided", "reversed", "read-only", "other bytes", "list", "objects", "frame"),
    *("columns of their own", "polars", "int64", "uint8", "bool"),
)
SAME_NUMBERS = ("Fortran", "strided", "reversed", "read-only")  # forms of which even the type stays the same


def keeps(X: np.ndarray, form: str) -> bool:
    """Tell whether a form can hold these numbers, and is there."""
    if form == "polars":
        return find_spec("polars") is not None
    if form not in ("int64", "uint8", "bool"):
        return True
    if not (np.abs(X) < 2.0**62).all() or np.signbit(X[X == 0]).any():
        return False
    return X.dtype == np.float64 and bool((X.astype(form).astype(float) == X).all())


def in_form(X: np.ndarray, form: str, names: tuple[str, ...] | None = None) -> Any:
    """Return the same numbers in another form."""
    labels = [f"c{i}" for i in range(X.shape[1])] if names is None else list(names)
    if form == "strided":
        room = np.full((2 * len(X), 3 * X.shape[1]), -7.0, dtype=X.dtype)
        room[::2, 1::3] = X
        return room[::2, 1::3]
    if form == "read-only":
        X = X.copy()
        X.setflags(write=False)
        return X
    if form == "columns of their own":
        columns = [pd.Series(X[:, i].astype(_narrow(X[:, i]))) for i in range(X.shape[1])]
        return pd.concat(columns, axis=1, keys=labels)
    if form == "polars":
        return __import__("polars").DataFrame(X, schema=labels)
    return {
        "C": lambda: X,
        "Fortran": lambda: np.asfortranarray(X),
        "reversed": lambda: X[::-1, ::-1].copy()[::-1, ::-1],
        "other bytes": lambda: X.astype(X.dtype.newbyteorder()),
        "list": X.tolist,
        "objects": lambda: X.astype(object),
        "frame": lambda: pd.DataFrame(X, columns=labels),
        "int64": lambda: X.astype(np.int64),
        "uint8": lambda: X.astype(np.uint8),
        "bool": lambda: X.astype(bool),
    }[form]()


def _narrow(column: np.ndarray) -> Any:
    """Return a type of its own for a column, if that changes none of its numbers."""
    fits = [form for form in ("bool", "int64") if keeps(column[:, None], form)]
    return fits[0] if fits else column.dtype


def a_recipe(rng: np.random.Generator, y: np.ndarray) -> str:
    """Draw how to fit a classifier: a Python expression in X, y, w and jobs."""
    classes = np.unique(y)
    drawn = SEVERAL if len(classes) > 2 else TWO
    shares = np.array([share for share, _ in drawn], dtype=float)
    recipe = drawn[rng.choice(len(drawn), p=shares / shares.sum())][1]
    extra = ""
    if rng.random() < 0.12:
        by_class = dict(
            zip(classes.tolist(), rng.choice([0.5, 1.0, 7.0], len(classes)).tolist(), strict=True)
        )
        extra = ", class_weight='balanced'" if rng.random() < 0.5 else f", class_weight={by_class!r}"
    choices = {"small": [1, 2, 3], "starts": [1, 2, 14], "cold": [1e-9, 0.1, 3.0, 1e9]}
    fill = {name: rng.choice(values).item() for name, values in choices.items()}
    return reduce(
        lambda text, item: text.replace(f"<{item[0]}>", str(item[1])), fill.items(), recipe
    ).replace("<more>", f"n_jobs=jobs{extra}")


FIT = ").fit(X, y, sample_weight=w)"
TWO = [
    (12, "MinimerrorClassifier(n_starts=<starts>, <more>" + FIT),
    (4, "MinimerrorClassifier(temperature=<cold>, <more>" + FIT),
    (1, "MinimerrorClassifier(schedule='paper', annealing_rate=0.01, <more>" + FIT),
    (4, "MinimerrorClassifier(n_starts=2, probability=True, <more>" + FIT),
    (26, "NetLinesClassifier(refine=False, <more>" + FIT),
    (11, "NetLinesClassifier(<more>" + FIT),
    (9, "NetLinesClassifier(max_hidden=<small>, <more>" + FIT),
    (2, "NetLinesClassifier(max_hidden=2, refine=False, probability=True, <more>" + FIT),
    (1, "NetLinesClassifier(max_hidden=3, schedule='paper', refine=False, <more>" + FIT),
    (12, "MonoPlaneClassifier(<more>" + FIT),
    (6, "NetLinesClassifierCV(teacher=None, cv=2, <more>" + FIT),
    (2, "NetLinesClassifierCV(max_hidden=2, cv=2, <more>" + FIT),
    (1, "NetLinesClassifierCV(max_hidden=2, criterion='mdl', <more>" + FIT),
    (4, "distill(MinimerrorClassifier(n_starts=2).fit(X, y), X, max_hidden=2, sample_weight=w, n_jobs=jobs)"),
]
SEVERAL = [
    *[
        (3, f"NetLinesClassifier(refine=False, multiclass='{scheme}', <more>" + FIT)
        for scheme in ("vote", "wta")
    ],
    *[
        (3, f"NetLinesClassifier(refine=False, multiclass='{scheme}', <more>" + FIT)
        for scheme in ("tree", "pairs")
    ],
    (1, "NetLinesClassifier(max_hidden=2, multiclass='pairs', probability=True, refine=False, <more>" + FIT),
    (2, "NetLinesClassifier(max_hidden=<small>, multiclass='tree', <more>" + FIT),
    (1, "NetLinesClassifier(multiclass='shared', <more>" + FIT),
    (2, "MonoPlaneClassifier(multiclass='pairs', <more>" + FIT),
    (2, "NetLinesClassifierCV(teacher=None, cv=2, multiclass='pairs', <more>" + FIT),
    (1, "NetLinesClassifierCV(teacher=None, cv=2, <more>" + FIT),
    (1, "NetLinesClassifierCV(max_hidden=2, cv=2, multiclass='tree', <more>" + FIT),
]
OVER_OTHERS = [
    f"{scheme}(LogisticRegression(), n_jobs=jobs" + FIT
    for scheme in (
        "TreeOfNetworksClassifier",
        "TreeVoteClassifier",
        "WinnerTakesAllClassifier",
        "PairwiseClassifier",
    )
]
