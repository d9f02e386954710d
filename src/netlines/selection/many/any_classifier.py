"""Any classifier of scikit-learn as a teacher of many classes; a random forest, for one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import softmax
from netlines.selection.teachers import classifier as any_classifier


@dataclass(frozen=True, eq=False)
class Classifier(any_classifier.Classifier):
    """The probabilities of the classes by a fitted classifier; a class that it has not seen has none.

    One that offers decisions only, one a class, has them squashed, at the `scale` that they have on some
    rows; one that offers labels, or other decisions, is sure of each label.
    """

    scale: float | None = None  # type: ignore[assignment]

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


fit_classifier = partial(any_classifier.fit_classifier, view=Classifier)
fit_forest = partial(any_classifier.fit_forest, view=Classifier)
