"""Any classifier of scikit-learn as a teacher; a random forest, for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from netlines.network.frame import among
from netlines.network.probability import expit, most_probable, probabilities
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Teacher
from netlines.training.cases import Cases

MOST_COPIES = 100  # of a row for a teacher that takes no weights
LARGEST_SINGLE = float(np.finfo(np.float32).max)
SURE = 0.005  # a forest's shares of votes stay this far from 0 and 1


def fit_forest(data: Data, *, seed: int, run: Callable = map) -> Teacher:
    """Fit a random forest, to standardised inputs: its numbers have single precision."""
    forest = RandomForestClassifier(100, random_state=seed, n_jobs=1)
    own = {"name": "random forest", "edge": SURE, "standardisation": data.standardisation}
    return fit_classifier(data, forest, **own, run=run)  # type: ignore[arg-type]


def fit_classifier(
    data: Data,
    classifier: Any,
    *,
    name: str | None = None,
    edge: float = 0.0,
    standardisation: Standardisation | None = None,
    run: Callable = map,
) -> Teacher:
    """Fit copies of a classifier of scikit-learn to the folds and to everything.

    Parameters
    ----------
    data : what to learn
    classifier : an estimator with `predict_proba` or `decision_function`, or `predict` alone
    name : what to call it; its class by default
    edge : how far its probabilities stay from 0 and 1
    standardisation : of its inputs, if any
    run : `map`, or a parallel one with the same order of results
    """

    def fit(examples: Examples) -> Classifier:
        names = None if standardisation else data.names
        fresh = Classifier(None, data.classes, names, edge, standardisation)
        rows = data.rows[examples.pattern]
        inputs, labels = fresh.inputs(rows), data.labels(examples)
        model = fit_weighted(clone(classifier), inputs, labels, examples.weights)
        return replace(fresh, model=model).fitted_to(rows)

    whole, *in_folds = run(fit, [data.all, *(fold.train for fold in data.folds)])
    pairs = zip(in_folds, data.folds, strict=True)
    held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher(name or type(classifier).__name__, whole, in_folds, held_out)


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
    edge: float = 0.0
    standardisation: Standardisation | None = None
    factor: float | None = None
    offset: float = 0.0

    @property
    def own(self) -> Any:
        """The model itself, if it is the user's and takes the user's rows."""
        return self.model if self.standardisation is None and self.edge == 0 else None

    def inputs(self, rows: NDArray) -> Any:
        """Return rows as the model wants them: standardised, or in a table with named columns."""
        if self.standardisation is not None:
            inputs = np.ascontiguousarray(self.standardisation.standardised(rows)[1:].T)
            # What weighs next to nothing may lie beyond single precision from rows that do weigh.
            return np.clip(inputs, -LARGEST_SINGLE, LARGEST_SINGLE, out=inputs)
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
        return WITHIN.of(len(self.classes))(p, self.edge, self.offset)

    @property
    def _columns(self) -> list[int]:
        """The number of each class of the model among all classes."""
        labels = list(self.classes)
        return [labels.index(label) for label in self.model.classes_]


def _second_within(p: NDArray, edge: float, offset: float) -> NDArray:
    """Let the second of two classes decide: both have the sum 1, whatever was rounded."""
    q = p[:, 1]
    if offset:
        q = np.clip(q, 1e-15, 1.0 - 1e-15)
        q = expit(np.log(q / (1.0 - q)) - offset)
    q = np.clip(q, edge, 1.0 - edge)
    return np.column_stack([1.0 - q, q])


def _each_within(p: NDArray, edge: float, offset: float) -> NDArray:
    p = np.maximum(p, edge)
    return np.asarray(p / p.sum(axis=1, keepdims=True))


WITHIN = Cases(two=_second_within, more=_each_within)  # an edge of 0 and 1


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
