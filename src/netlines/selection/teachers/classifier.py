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

from netlines.network.probability import expit
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Data, Teacher, Units

MOST_COPIES = 100  # of a row for a teacher that takes no weights
SURE = 0.005  # a forest's shares of votes stay this far from 0 and 1


def fit_forest(
    data: Data, *, seed: int, run: Callable = map, view: type[Classifier] | None = None
) -> Teacher:
    """Fit a random forest, to standardised inputs: its numbers have single precision."""
    forest = RandomForestClassifier(100, random_state=seed, n_jobs=1)
    return fit_classifier(data, forest, name="random forest", edge=SURE, units=data.units, run=run, view=view)


def fit_classifier(
    data: Data,
    classifier: Any,
    *,
    name: str | None = None,
    edge: float = 0.0,
    units: Units | None = None,
    run: Callable = map,
    view: type[Classifier] | None = None,
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
    view : how its probabilities are read: `Classifier`, or one for many classes
    """

    def fit(examples: Examples) -> Classifier:
        fresh = (view or Classifier)(None, data.classes, None if units else data.names, edge, units)
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
    """The probability of the second class by a fitted classifier.

    One that offers decisions only has them squashed, at the scale of their mean size on some rows; one that
    offers labels only is sure of each. `offset` is taken from the log-odds of one whose answers change at
    another probability than ½.
    """

    model: Any
    classes: NDArray
    names: Sequence[str] | None = None
    edge: float = 0.0
    units: Units | None = None
    scale: float = 1.0
    offset: float = 0.0

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
        """Return the same with the scale, or the offset, that these rows show."""
        if hasattr(self.model, "predict_proba"):
            p, answers = self(rows), np.asarray(self.model.predict(self.inputs(rows))) == self.classes[1]
            if ((p >= 0.5) == answers).mean() > 0.99 or answers.all() or not answers.any():
                return self
            border = np.clip((p[~answers].max() + p[answers].min()) / 2, 1e-12, 1.0 - 1e-12)
            return replace(self, offset=float(np.log(border / (1.0 - border))))
        if not hasattr(self.model, "decision_function"):
            return self
        f = np.asarray(self.model.decision_function(self.inputs(rows)), dtype=float)
        return replace(self, scale=max(float(np.abs(f).mean()), 1e-300))

    def __call__(self, rows: NDArray) -> NDArray:
        X = self.inputs(rows)
        if hasattr(self.model, "predict_proba"):
            column = list(self.model.classes_).index(self.classes[1])
            p = np.asarray(self.model.predict_proba(X), dtype=float)[:, column]
            if self.offset:
                p = np.clip(p, 1e-15, 1.0 - 1e-15)
                p = expit(np.log(p / (1.0 - p)) - self.offset)
        elif hasattr(self.model, "decision_function"):
            p = expit(2.0 / self.scale * np.asarray(self.model.decision_function(X), dtype=float))
        else:
            p = (np.asarray(self.model.predict(X)) == self.classes[1]).astype(float)
        return np.clip(p, self.edge, 1.0 - self.edge)


def as_frame(rows: NDArray, names: Sequence[str] | None) -> Any:
    """Return rows as a table with named columns, if there are names."""
    if names is None:
        return rows
    import pandas as pd

    return pd.DataFrame(rows, columns=list(names))


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
