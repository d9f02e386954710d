"""Tables that nothing can be learnt from: each must be refused in clear words, and change nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import netlines
from hostile.promises import Case, demand

# What numpy, scipy and pandas say to a programmer, which a user cannot act upon.
FOREIGN = re.compile(
    r"broadcast|not aligned|matmul|linprog|singular matrix|leading minor|positive definite|out of bounds|"
    r"zero-size array|truth value|unpack|inhomogeneous|setting an array element|reindex|background\.|"
    r"non-negative|object is not|dimension mismatch|cannot reshape|ufunc|dtype\('O'\)",
    re.IGNORECASE,
)


def _with_cell(value: Any) -> Callable[[np.ndarray, np.random.Generator], Any]:
    def put(X: np.ndarray, rng: np.random.Generator) -> Any:
        bad = X.astype(object) if isinstance(value, str | complex | type(None)) else X.astype(float)
        bad[rng.integers(len(X)), rng.integers(X.shape[1])] = value
        return bad

    return put


def _bad_rows(name: str, case: Case, rng: np.random.Generator) -> Any:
    """Return bad rows, of columns that are left out too: of these nothing is bad."""
    X = case.table.X
    whole = case.network is None or len(case.kept) == X.shape[1]
    bad = BAD_ROWS[name](X if whole else X[:, case.kept], rng)
    if whole or not isinstance(bad, np.ndarray) or bad.shape != (len(X), len(case.kept)):
        return bad
    rows = X.astype(bad.dtype)
    rows[:, case.kept] = bad
    return rows


BAD_ROWS: dict[str, Callable[[np.ndarray, np.random.Generator], Any]] = {
    "NaN": _with_cell(np.nan),
    "infinity": _with_cell(-np.inf),
    "1.1e100": _with_cell(1.1e100),
    "-1e308": _with_cell(-1e308),
    "a text": _with_cell("three"),
    "None": _with_cell(None),
    "complex": lambda X, rng: X + 1j,
    "one dimension": lambda X, rng: X[:, 0],
    "three dimensions": lambda X, rng: X[None],
    "no columns": lambda X, rng: X[:, :0],
    "no rows": lambda X, rng: X[:0],
    "a number": lambda X, rng: 3.0,
    "nothing": lambda X, rng: None,
    "a word": lambda X, rng: "rows",
    "ragged": lambda X, rng: [*X.tolist()[1:], [1.0] * (X.shape[1] + 1)],
    "too large an integer": lambda X, rng: [*X.tolist()[1:], [10**400] * X.shape[1]],
}
MISSING = ("NaN", "None")  # refused where missing values are to be an error
OURS = ("1.1e100", "-1e308", "ragged", "too large an integer")  # which other classifiers take, or name
BAD_LABELS: dict[str, Callable[[np.ndarray, np.random.Generator], Any]] = {
    "one label less": lambda y, rng: y[1:],
    "one class": lambda y, rng: np.full(len(y), y[0]),
    "continuous": lambda y, rng: rng.normal(size=len(y)),
    "two columns": lambda y, rng: np.column_stack([y, y]),
    "mixed types": lambda y, rng: ["a", *range(1, len(y))],
    "None among them": lambda y, rng: [None, *y.tolist()[1:]],
    "NaN among them": lambda y, rng: [float("nan"), *range(1, len(y))],
    "nothing": lambda y, rng: None,
}
BAD_WEIGHTS: dict[str, Callable[[np.ndarray, np.random.Generator], Any]] = {
    "negative": lambda y, rng: np.full(len(y), -1.0),
    "NaN": lambda y, rng: np.full(len(y), np.nan),
    "infinite": lambda y, rng: np.full(len(y), np.inf),
    "all 0": lambda y, rng: np.zeros(len(y)),
    "one less": lambda y, rng: np.ones(len(y) - 1),
    "texts": lambda y, rng: ["much"] * len(y),
}


def a_bad_fit_changes_nothing(case: Case, rng: np.random.Generator) -> None:
    """A fit to a bad table raises a clear error, and leaves the classifier as it was."""
    X, y, weights = case.table.X, case.table.y, None
    which = rng.integers(3)
    name = str(rng.choice(list((BAD_ROWS, BAD_LABELS, BAD_WEIGHTS)[which])))
    if name in OURS and case.network is None:
        return
    if which == 0 and name == "a text" and case.network is not None:
        return  # a column of categories
    if which == 0:
        X = BAD_ROWS[name](X, rng)
    elif which == 1:
        y = BAD_LABELS[name](y, rng)
    else:
        weights = BAD_WEIGHTS[name](y, rng)
    where = f"fit with bad {('rows', 'labels', 'weights')[which]} ({name})"
    if which == 0 and name in MISSING and case.network is not None:
        case.clf.missing = "error"
    before = dict(vars(case.clf))
    refused(where, lambda: case.clf.fit(X, y, sample_weight=weights))
    after = vars(case.clf)
    changed = [key for key in before.keys() | after.keys() if before.get(key) is not after.get(key)]
    demand(not changed, f"{where} leaves the classifier as it was, changed are {changed}")
    demand(
        (case.clf.predict(case.table.given) == case.answers).all(), f"{where} leaves the answers as they were"
    )


def bad_rows_are_refused(case: Case, rng: np.random.Generator) -> None:
    """What reads rows refuses bad ones in clear words."""
    name = str(rng.choice([*BAD_ROWS, "one column more"]))
    X = case.table.X
    if name in OURS and case.network is None:
        return
    rows = np.hstack([X, X[:, :1]]) if name == "one column more" else _bad_rows(name, case, rng)
    clf, y = case.clf, case.table.y
    if name in MISSING and case.network is not None:
        clf.missing = "error"
    asked: dict[str, Callable[[], Any]] = {
        "predict": lambda: clf.predict(rows),
        "decision_function": lambda: clf.decision_function(rows),
    }
    if case.network is not None:
        asked |= {
            "domain_confidence": lambda: clf.domain_confidence(rows),
            "domains": lambda: clf.domains(rows, y),
            "possible_classes": lambda: netlines.possible_classes(clf, rows),
            "explain": lambda: netlines.explain(clf, rows),
            "extract_rules": lambda: netlines.extract_rules(clf, rows),
            "prune": lambda: netlines.prune(clf, rows, y),
        }
    if name in ("NaN", "None", "no rows"):  # which stand for missing values there
        asked.pop("possible_classes", None)
    if name in MISSING and len(X) == 1:
        asked.pop("explain", None)
    if name in MISSING and case.network is not None and case.network.layout is not None:
        asked.pop("extract_rules", None)
    if name in ("nothing",):
        asked.pop("extract_rules", None)
    if (name == "one dimension" and X.shape[0] == X.shape[1]) or (name == "a number" and X.shape[1] == 1):
        asked.pop("explain", None)
    reader = str(rng.choice(list(asked)))
    refused(f"{reader} of bad rows ({name})", asked[reader])


def refused(what: str, act: Callable[[], Any]) -> None:
    """Demand that something raises an error that a user understands."""
    try:
        act()
    except (ValueError, TypeError) as error:
        demand(not FOREIGN.search(str(error)), f"{what} is refused in clear words, got: {error}")
        demand(len(str(error)) > 10, f"{what} is refused in words, got {error!r}")
    except Exception as error:
        demand(False, f"{what} is refused by a ValueError or TypeError, got {error!r}")
    else:
        demand(False, f"{what} is refused")
