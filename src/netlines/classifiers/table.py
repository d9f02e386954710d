"""The door for tables: what the user gives to `fit` and `predict` becomes rows of numbers.

Plain arrays of complete numbers pass as they are. Anything else, frames with names among them, goes through
`tables`, and the estimator keeps what was learnt of it.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils._param_validation import StrOptions

from netlines.network.layout import Layout
from netlines.tables.cells import Raw
from netlines.tables.choices import Choices, column_names
from netlines.tables.encode import TableWarning, encode
from netlines.tables.frames import as_raw
from netlines.tables.gaps import expected, settled
from netlines.tables.learn import learn_table

MISSING = ("auto", "error", "integrate")
LARGEST_DENSE = 2**31  # bytes of a sparse matrix that is made dense
BLOCK = 4096  # rows of it at a time

_OPTIONS = {
    "drop": "drop_features",
    "only": "only_features",
    "categorical": "categorical_features",
    "numeric": "numeric_features",
    "date": "date_features",
}
# What classifiers are given that learn inputs, for which columns have been decided about.
OF_INPUTS: dict[str, Any] = {**dict.fromkeys(_OPTIONS.values()), "categorical_features": "from_dtype"}
_COLUMNS = ["array-like", str, int, None]
CONSTRAINTS: dict = {
    "categorical_features": ["array-like", StrOptions({"from_dtype"}), str, int, None],
    "numeric_features": _COLUMNS,
    "date_features": _COLUMNS,
    "drop_features": _COLUMNS,
    "only_features": _COLUMNS,
    "strict": ["boolean"],
    "missing": [StrOptions(set(MISSING))],
}


def raw_table(estimator: Any, X: Any) -> Raw | None:
    """Return a table that is more than complete numbers as names and cells, else None.

    What the user decided about columns makes a table of any array.
    """
    wanted = [getattr(estimator, parameter, None) for parameter in _OPTIONS.values()]
    decided = any(one is not None and not (isinstance(one, str) and one == "from_dtype") for one in wanted)
    if sparse.issparse(X):
        return None
    raw = as_raw(X, always=decided)
    if raw is not None and not raw.named and estimator.missing == "error" and not decided:
        numeric = isinstance(X, np.ndarray) and X.dtype.kind == "f"
        return None if numeric else raw  # NaN is refused as it is in any array
    return raw


def set_columns(estimator: Any, raw: Raw) -> None:
    """Set what scikit-learn's estimators know of the columns of their table."""
    for what, n in (("sample", raw.n_rows), ("feature", len(raw.names))):
        if n == 0:
            shape = (raw.n_rows, len(raw.names))
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            )
    estimator.n_features_in_ = len(raw.names)
    vars(estimator).pop("feature_names_in_", None)
    if raw.named:
        estimator.feature_names_in_ = np.array(raw.names, dtype=object)


class Inputs(NamedTuple):
    """The rows of a table to train on, with what is expected of missing values.

    Attributes
    ----------
    X : array of shape (n, N)
    settled : array of shape (n, N)
        The same with expected values that the columns really have, whole numbers and categories.
    layout : what was learnt of the table
    """

    X: NDArray
    settled: NDArray
    layout: Layout


def learn_inputs(estimator: Any, raw: Raw, labels: NDArray, weights: NDArray) -> Inputs:
    """Return what the rows of a table with a positive weight become, given the numbers of their classes."""
    names = raw.names
    given = {name: getattr(estimator, parameter) for name, parameter in _OPTIONS.items()}
    by_type = isinstance(given["categorical"], str) and given["categorical"] == "from_dtype"
    if by_type:
        given["categorical"] = None
    named = {name: column_names(one, names, _OPTIONS[name]) for name, one in given.items()}
    choices = Choices(**named, by_type=by_type, gaps=estimator.missing, options=_OPTIONS)
    rows = weights > 0
    own = raw if rows.all() else raw.taken(rows)
    equal = weights[rows].min() == weights[rows].max()
    weighted = None if equal else weights[rows]
    learnt = learn_table(own, choices, labels=labels[rows], weights=weighted)
    if learnt.notices:
        _warn("\n".join(learnt.notices), TableWarning)
    found, layout = learnt.inputs, learnt.layout
    if raw.single and layout.is_plain:
        found = found.astype(np.float32)
    if not np.isnan(found.min()):
        return Inputs(found, found, layout)
    filled = expected(found, weighted)
    return Inputs(filled, settled(filled, found, layout), layout)


def encoded(
    estimator: Any, X: Any, layout: Layout, *, known: bool, absent: bool = False, complete: bool = False
) -> NDArray:
    """Return the inputs of the rows of any table, by names if it has some; what is unknown is NaN.

    Parameters
    ----------
    estimator : whose parameters say what is allowed
    X : table, or array of the columns in their order
    layout : what was learnt
    known, absent, complete : see `encode`
    """
    X = dense(X)
    raw = as_raw(X, always=True)
    if raw is None:
        raise ValueError(f"Expected 2D array, got {type(X).__name__} instead: give a table or rows of values")
    if layout.named and not raw.named:
        name = type(estimator).__name__
        what = f"X does not have valid feature names, but {name} was fitted with feature names"
        _warn(what, UserWarning)
    if not (layout.named and raw.named) and len(raw.names) != len(layout.names):
        raise ValueError(
            f"X has {len(raw.names)} features, but {type(estimator).__name__} is expecting "
            f"{len(layout.names)} features as input"
        )
    found = encode(raw, layout, known=known, absent=absent, complete=complete, strict=estimator.strict)
    if found.notices:
        _warn("\n".join(found.notices), TableWarning)
    return found.inputs.astype(np.float32) if raw.single and layout.is_plain else found.inputs


def _warn(message: str, kind: type[Warning]) -> None:
    """Warn at the line of the user's that called, whatever stands between."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in ("netlines", "sklearn"):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


def dense(X: Any) -> Any:
    """Return a sparse matrix as an array, block by block, or an error if that is too large; else X itself."""
    if not sparse.issparse(X):
        return X
    size = X.shape[0] * X.shape[1] * max(X.dtype.itemsize, 4)
    if size > LARGEST_DENSE:
        what = f"X is sparse with {X.shape[0]:,} × {X.shape[1]:,} cells, {size / 2**30:.1f} GiB when dense"
        most = f"at most {LARGEST_DENSE / 2**30:.0f} GiB are allowed"
        raise ValueError(f"{what}; {most}: select columns, or give fewer rows at a time")
    rows = X.tocsr()
    kind = rows.dtype if rows.dtype in (np.float32, np.float64) else np.float64
    found = np.empty(rows.shape, dtype=kind)
    for start in range(0, rows.shape[0], BLOCK):
        found[start : start + BLOCK] = rows[start : start + BLOCK].toarray()
    return found
