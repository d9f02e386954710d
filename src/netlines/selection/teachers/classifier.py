"""Any classifier of scikit-learn as a teacher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from netlines.network.frame import among
from netlines.network.probability import expit, most_probable, probabilities
from netlines.selection.data import Data
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Teacher
from netlines.training.cases import Cases

MOST_COPIES = 100  # of a row for a teacher that takes no weights


def fit_classifier(
    data: Data,
    classifier: Any,
    *,
    run: Callable = map,
) -> Teacher:
    """Fit copies of a classifier of scikit-learn to the folds and to everything.

    Parameters
    ----------
    data : what to learn
    classifier : an estimator with `predict_proba` or `decision_function`, or `predict` alone
    run : `map`, or a parallel one with the same order of results
    """

    def fit(examples: Examples) -> Classifier:
        fresh = Classifier(None, data.classes, data.names)
        rows = data.rows[examples.pattern]
        inputs, labels = fresh.inputs(rows), data.labels(examples)
        model = fit_weighted(clone(classifier), inputs, labels, examples.weights)
        return replace(fresh, model=model).fitted_to(rows)

    whole, *in_folds = run(fit, [data.all, *(fold.train for fold in data.folds)])
    pairs = zip(in_folds, data.folds, strict=True)
    held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher(type(classifier).__name__, lambda: whole, held_out)


@dataclass(frozen=True, eq=False)
class Classifier:
    """The probabilities of the classes by a fitted classifier; a class that it has not seen has none.

    One that offers decisions only, one a class or one of two classes, has them squashed, at the scale that
    they have on some rows: they are multiplied by `factor`. One that offers labels, or other decisions, is
    sure of each label. `offset` is taken from the log-odds of one of two classes whose answers change at
    another probability than ½.
    """

    model: Any
    classes: NDArray
    names: Sequence[str] | None = None
    factor: float | None = None
    offset: float = 0.0

    @property
    def own(self) -> Any:
        """The model itself."""
        return self.model

    def inputs(self, rows: NDArray) -> Any:
        """Return rows as the model wants them: in a table with named columns, if they have names."""
        return as_frame(rows, self.names)

    def fitted_to(self, rows: NDArray) -> Classifier:
        """Return the same with the factor, or the offset, that these rows show."""
        if hasattr(self.model, "predict_proba"):
            return self if len(self.classes) > 2 else self._with_offset(rows, self.answers(rows))
        if not hasattr(self.model, "decision_function"):
            return self
        X = self.inputs(rows)
        f = np.asarray(self.model.decision_function(X), dtype=float)
        if f.ndim == 1:
            # Sorted, as the last bits of a sum depend on the order of the rows.
            return replace(self, factor=2.0 / max(float(np.sort(np.abs(f)).mean()), 1e-300))
        labels = np.asarray(self.model.classes_)
        # Three classes have as many pairs: what wins may be none of the columns.
        if f.shape[1] != len(labels) or (labels[f.argmax(axis=1)] == self.model.predict(X)).mean() < 0.99:
            return self
        return replace(self, factor=4.0 / max(float(np.sort(f, axis=None).std()), 1e-300))

    def _with_offset(self, rows: NDArray, answers: NDArray) -> Classifier:
        p, second = self(rows), answers == 1
        if (most_probable(p) == answers).mean() > 0.99 or second.all() or not second.any():
            return self
        border = np.clip((p[~second, 1].max() + p[second, 1].min()) / 2, 1e-12, 1.0 - 1e-12)
        return replace(self, offset=float(np.log(border / (1.0 - border))))

    def answers(self, rows: NDArray) -> NDArray:
        """Return the numbers of the classes that the model predicts."""
        labels = np.asarray(self.model.predict(self.inputs(rows)))
        return np.asarray((labels[:, None] == self.classes).argmax(axis=1))

    def __call__(self, rows: NDArray) -> NDArray:
        X, p = self.inputs(rows), np.zeros((len(rows), len(self.classes)))
        if hasattr(self.model, "predict_proba"):
            p[:, self._columns] = self.model.predict_proba(X)
        elif self.factor is not None:
            f = np.asarray(self.model.decision_function(X), dtype=float)
            p[:, self._columns] = probabilities(self.factor * f.reshape(len(rows), -1))
        else:
            p[np.arange(len(rows)), self.answers(rows)] = 1.0
        return SUMMED.of(len(self.classes))(p, self.offset)

    @property
    def _columns(self) -> list[int]:
        """The number of each class of the model among all classes."""
        labels = list(self.classes)
        return [labels.index(label) for label in self.model.classes_]


def _second_decides(p: NDArray, offset: float) -> NDArray:
    """Let the second of two classes decide: both have the sum 1, whatever was rounded."""
    q = p[:, 1]
    if offset:
        q = np.clip(q, 1e-15, 1.0 - 1e-15)
        q = expit(np.log(q / (1.0 - q)) - offset)
    return np.column_stack([1.0 - q, q])


def _each_divided(p: NDArray, offset: float) -> NDArray:
    return np.asarray(p / p.sum(axis=1, keepdims=True))


SUMMED = Cases(two=_second_decides, more=_each_divided)  # to 1


def as_frame(rows: NDArray, names: Sequence[str] | None) -> Any:
    """Return rows as a table with named columns, if there are names."""
    if names is None:
        return rows
    import pandas as pd

    return pd.DataFrame(rows, columns=list(names))


@among(None)  # its columns may be others than those of the network that learns from it
def fit_weighted(model: Any, X: Any, y: NDArray, weights: NDArray) -> Any:
    """Fit a model to weighted examples.

    One that takes no `sample_weight` is given rows repeated in proportion to their weights, rounded.
    """
    if np.ptp(weights) <= 1e-9 * weights.max():
        return model.fit(X, y)
    if has_fit_parameter(model, "sample_weight"):
        return model.fit(X, y, sample_weight=weights)
    steps = getattr(model, "steps", None)
    if steps and has_fit_parameter(steps[-1][1], "sample_weight"):
        return model.fit(X, y, **{f"{steps[-1][0]}__sample_weight": weights})
    counts = np.clip(np.rint(weights / np.median(weights)), 1, MOST_COPIES).astype(int)
    again = np.repeat(np.arange(len(y)), counts)
    return model.fit(_safe_indexing(X, again), y[again])
