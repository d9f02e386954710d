"""One two-class network of a scheme: the problem it solves, its training, what it says of rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params, _num_samples

from netlines.classifiers.base import NetworkClassifier, _blas
from netlines.classifiers.multiclass.rows import Rows
from netlines.network.frame import among
from netlines.network.probability import expit
from netlines.network.schemes import agreeing_margins

METHODS = {  # of a model that tell margins and chances, the better one first
    "margins": ("decision_function", "predict_proba"),
    "chances": ("predict_proba", "decision_function"),
}


class Problem(NamedTuple):
    """One class against others, by their numbers; rows of any other class are left out."""

    positive: int
    others: tuple[int, ...]

    def rows(self, labels: NDArray) -> NDArray:
        """Return the numbers of the rows that belong to it."""
        return np.flatnonzero(np.isin(labels, [self.positive, *self.others]))


def sequence(problems: Sequence[Problem]) -> NDArray:
    """Return the learning sequence of a tree that solves these problems one after the other."""
    return np.array([*(problem.positive for problem in problems), *problems[-1].others])


@dataclass(frozen=True, eq=False)
class Part:
    """A fitted binary classifier whose label 1 is a problem's positive class.

    `columns` are its training rows, of a model that takes a kernel matrix; `scale` is the mean size of its
    decisions on its training rows, of one that has no probabilities.
    """

    model: Any
    columns: NDArray | None = None
    scale: float = 1.0

    def ask(self, X: Any, wanted: Collection[str], *, agreeing: bool) -> tuple[NDArray, NDArray]:
        """Return margins and probabilities of the positive class; no method of the model is called twice.

        Of decisions only their sign and size against the mean size are known: one of the mean size has
        the log-odds 2.

        Parameters
        ----------
        X : the rows
        wanted : which of "margins" and "chances" matter
            Margins are the decisions, else the probabilities less ½, else ±1; chances are the probabilities,
            else the decisions squashed, else 0 or 1. What does not matter is made of the rest.
        agreeing : whether the margins are made to agree with the answers, which are asked for then
        """
        X = X if self.columns is None else _safe_indexing(X, self.columns, axis=1)
        methods = {self._method(what) for what in wanted}
        f = self._decision(X) if "decision_function" in methods else None
        p = (
            np.asarray(self.model.predict_proba(X), dtype=float)[:, -1]
            if "predict_proba" in methods
            else None
        )
        if agreeing or f is p:  # both None
            positive = np.asarray(self.model.predict(X)) == 1
        if p is None:
            p = positive.astype(float) if f is None else expit(2.0 / self.scale * f)
            margins = np.where(positive, 1.0, -1.0) if f is None else f
        else:
            margins = p - 0.5 if f is None else f
        return agreeing_margins(margins, positive) if agreeing else margins, p

    def scaled(self, X: Any, weights: NDArray) -> Part:
        """Return the same with the scale that the decisions on its training rows have."""
        if self._method("chances") != "decision_function":
            return self
        sizes = np.abs(self._decision(X))
        return replace(self, scale=max(float(weights @ sizes / weights.sum()), 1e-300))

    def _method(self, what: str) -> str | None:
        """Return the model's method that tells margins or chances, None if it has labels alone."""
        return next((name for name in METHODS[what] if hasattr(self.model, name)), None)

    def _decision(self, X: Any) -> NDArray:
        f = np.asarray(self.model.decision_function(X), dtype=float).reshape(_num_samples(X), -1)
        return np.diff(f, axis=1, prepend=0.0)[:, -1]


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
    own = problem.rows(rows.labels)
    everything = len(own) == len(rows.labels)
    X = rows.X if everything else _safe_indexing(rows.X, own)
    if rows.pairwise and not everything:
        X = _safe_indexing(X, own, axis=1)
    y = (rows.labels[own] == problem.positive).astype(int)
    params = _check_method_params(rows.X, rows.params, own)
    # A worker process has a number of BLAS threads of its own, and with it other last bits.
    with _blas().limit(limits=1, user_api="blas"):
        if hasattr(model, "set_callbacks"):
            handed_on = context.propagate_callback_context(model)
        else:
            handed_on = nullcontext()
        # Another model may learn other columns than those of the rows.
        ends = rows.ends if isinstance(model, NetworkClassifier) else None
        with handed_on, among(ends):
            context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
            model.fit(X, y, **params)
        part = Part(model, own if rows.pairwise else None).scaled(X, rows.weights[own])
        context.call_on_fit_task_end(estimator=caller, X=X, y=y)
    return part
