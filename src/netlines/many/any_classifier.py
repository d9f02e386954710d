"""Any classifier of scikit-learn as a teacher of many classes; a random forest, for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

from netlines.any_classifier import SURE, as_frame, fit_weighted
from netlines.folds import Examples
from netlines.probability import softmax
from netlines.teacher import Data, Teacher, Units


def fit_forest(data: Data, *, seed: int, run: Callable = map) -> Teacher:
    """Fit a random forest, to standardised inputs: its numbers have single precision."""
    forest = RandomForestClassifier(100, random_state=seed, n_jobs=1)
    return fit_classifier(data, forest, name="random forest", edge=SURE, units=data.units, run=run)


def fit_classifier(
    data: Data,
    classifier: Any,
    *,
    name: str | None = None,
    edge: float = 0.0,
    units: Units | None = None,
    run: Callable = map,
) -> Teacher:
    """Fit copies of a classifier of scikit-learn to the folds and to everything.

    Parameters
    ----------
    data : what to learn
    classifier : an estimator with `predict_proba` or `decision_function`, or `predict` alone
    name : what to call it; its class by default
    edge : how far its probabilities stay from 0 and 1
    units : how to standardise its inputs, if at all
    run : `map`, or a parallel one with the same order of results
    """

    def fit(examples: Examples) -> Classifier:
        view = Classifier(None, data.classes, None if units else data.names, edge, units)
        labels = data.classes[examples.targets]
        model = fit_weighted(
            clone(classifier), view.inputs(data.rows[examples.pattern]), labels, examples.weights
        )
        return replace(view, model=model).fitted_to(data.rows[examples.pattern])

    whole, *in_folds = run(fit, [data.all, *(fold.train for fold in data.folds)])
    pairs = zip(in_folds, data.folds, strict=True)
    held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher(name or type(classifier).__name__, whole, in_folds, held_out)


@dataclass(frozen=True, eq=False)
class Classifier:
    """The probabilities of the classes by a fitted classifier; a class that it has not seen has none.

    One that offers decisions only, one a class, has them squashed, at the `scale` that they have on some
    rows; one that offers labels, or other decisions, is sure of each label.
    """

    model: Any
    classes: NDArray
    names: Sequence[str] | None = None
    edge: float = 0.0
    units: Units | None = None
    scale: float | None = None

    @property
    def own(self) -> Any:
        """The model itself, if it is the user's and takes the user's rows."""
        return self.model if self.units is None and self.edge == 0 else None

    def inputs(self, rows: NDArray) -> Any:
        """Return rows as the model wants them: standardised, or in a table with named columns."""
        if self.units is not None:
            return np.ascontiguousarray(self.units.standardised(rows)[1:].T)
        return as_frame(rows, self.names)

    def fitted_to(self, rows: NDArray) -> Classifier:
        """Return the same with the scale of the decisions on these rows, if they decide."""
        if hasattr(self.model, "predict_proba") or not hasattr(self.model, "decision_function"):
            return self
        X, labels = self.inputs(rows), np.asarray(self.model.classes_)
        f = np.asarray(self.model.decision_function(X), dtype=float)
        if f.ndim != 2 or f.shape[1] != len(labels):
            return self
        # Three classes have as many pairs: what wins may be none of the columns.
        if (labels[f.argmax(axis=1)] == self.model.predict(X)).mean() < 0.99:
            return self
        return replace(self, scale=max(float(f.std()), 1e-300))

    def __call__(self, rows: NDArray) -> NDArray:
        X, p = self.inputs(rows), np.zeros((len(rows), len(self.classes)))
        columns = np.searchsorted(self.classes, self.model.classes_)
        if hasattr(self.model, "predict_proba"):
            p[:, columns] = self.model.predict_proba(X)
        elif self.scale is not None:
            f = np.asarray(self.model.decision_function(X), dtype=float)
            p[:, columns] = softmax(4.0 / self.scale * f)
        else:
            p[np.arange(len(rows)), np.searchsorted(self.classes, self.model.predict(X))] = 1.0
        p = np.maximum(p, self.edge)
        return np.asarray(p / p.sum(axis=1, keepdims=True))
