"""One two-class network of a scheme: the problem it solves, its training, what it says of rows."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params, _num_samples

from netlines.classifiers.base import _blas
from netlines.classifiers.multiclass.rows import Rows
from netlines.network.probability import expit


class Problem(NamedTuple):
    """One class against others, by their numbers; rows of any other class are left out."""

    positive: int
    others: tuple[int, ...]

    def rows(self, codes: NDArray) -> NDArray:
        """Return the numbers of the rows that belong to it."""
        return np.flatnonzero(np.isin(codes, [self.positive, *self.others]))


@dataclass(frozen=True, eq=False)
class Part:
    """A fitted binary classifier whose label 1 is a problem's positive class.

    `columns` are its training rows, of a model that takes a kernel matrix; `scale` is the mean size of its
    decisions on its training rows, of one that has no probabilities.
    """

    model: Any
    columns: NDArray | None = None
    scale: float = 1.0

    def says(self, X: Any) -> NDArray:
        """Tell of each row whether the answer is the positive class."""
        return np.asarray(self.model.predict(self._inputs(X))) == 1

    def margin(self, X: Any) -> NDArray:
        """Return the decision for the positive class, else its probability less ½, else ±1."""
        if hasattr(self.model, "decision_function"):
            return self._decision(X)
        if hasattr(self.model, "predict_proba"):
            return self.probability(X) - 0.5
        return np.where(self.says(X), 1.0, -1.0)

    def probability(self, X: Any) -> NDArray:
        """Return the probability of the positive class, else the decision squashed, else 0 or 1.

        Of decisions only their sign and size against the mean size are known: one of the mean size has
        the log-odds 2.
        """
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(self._inputs(X)), dtype=float)[:, -1]
        if hasattr(self.model, "decision_function"):
            return expit(2.0 / self.scale * self._decision(X))
        return self.says(X).astype(float)

    def scaled(self, X: Any, weights: NDArray) -> Part:
        """Return the same with the scale that the decisions on its training rows have."""
        if hasattr(self.model, "predict_proba") or not hasattr(self.model, "decision_function"):
            return self
        sizes = np.abs(Part(self.model)._decision(X))
        return Part(self.model, self.columns, max(float(weights @ sizes / weights.sum()), 1e-300))

    def _inputs(self, X: Any) -> Any:
        return X if self.columns is None else _safe_indexing(X, self.columns, axis=1)

    def _decision(self, X: Any) -> NDArray:
        f = np.asarray(self.model.decision_function(self._inputs(X)), dtype=float).reshape(
            _num_samples(X), -1
        )
        return np.asarray(f[:, -1] - (f[:, 0] if f.shape[1] > 1 else 0.0))


def train_part(model: Any, rows: Rows, problem: Problem, caller: Any, context: Any) -> Part:
    """Fit an unfitted model to a problem.

    Parameters
    ----------
    model : the classifier, changed
    rows : the training rows of all classes
    problem : which class against which
    caller : the estimator whose task this is
    context : scikit-learn's callback context of the task
    """
    own = problem.rows(rows.codes)
    everything = len(own) == len(rows.codes)
    X = rows.X if everything else _safe_indexing(rows.X, own)
    if rows.pairwise and not everything:
        X = _safe_indexing(X, own, axis=1)
    y = (rows.codes[own] == problem.positive).astype(int)
    params = _check_method_params(rows.X, rows.params, own)
    # A worker process has a number of BLAS threads of its own, and with it other last bits.
    with _blas().limit(limits=1, user_api="blas"):
        if hasattr(model, "set_callbacks"):
            handed_on = context.propagate_callback_context(model)
        else:
            handed_on = nullcontext()
        with handed_on:
            context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
            model.fit(X, y, **params)
        part = Part(model, own if rows.pairwise else None).scaled(X, rows.weights[own])
        context.call_on_fit_task_end(estimator=caller, X=X, y=y)
    return part
