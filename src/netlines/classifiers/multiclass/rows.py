"""The checked training rows of a scheme: labels as numbers, weights, and what is handed on to `fit`."""

from __future__ import annotations

import inspect
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_method_params, _check_y, has_fit_parameter, validate_data

from netlines.classifiers.base import (
    NetworkClassifier,
    _refuse_mixed_labels,
    checked_weights,
    times_class_weight,
)
from netlines.classifiers.table import learn_inputs, raw_table
from netlines.network.frame import ends_of
from netlines.network.layout import Layout
from netlines.training.separability import Separability


@dataclass(frozen=True, eq=False)
class Rows:
    """Training rows of any kind that the estimator takes: an array, a sparse matrix, a table, texts.

    Attributes
    ----------
    X : the rows
    labels : array (n,) of int, the number of each row's class
    classes : array (C,), the labels
    weights : array (n,), `sample_weight` times `class_weight`
    params : what to hand on to the estimator's `fit`, the weights among them if it takes them
    pairwise : whether X is a kernel matrix, whose columns are training rows too
    layout : what the columns of a table became, if X are these inputs
    """

    X: Any
    labels: NDArray
    classes: NDArray
    weights: NDArray
    params: dict[str, Any]
    pairwise: bool
    layout: Layout | None = None

    @cached_property
    def ends(self) -> NDArray | None:
        """The smallest and the largest values of the columns, (2, N); None if they are no rows of numbers."""
        with suppress(TypeError, ValueError, OverflowError):
            X = np.asarray(self.X, dtype=float)[self.weights > 0]
            return ends_of(X) if X.ndim == 2 else None
        return None

    @property
    def separability(self) -> Separability:
        """How easily linear regression tells classes from others, which decides learning sequences."""
        return Separability(self.X, self.labels, self.weights, len(self.classes))


def check_rows(scheme: Any, model: Any, X: Any, y: Any, params: dict[str, Any]) -> Rows:
    """Check the input of `fit` of a scheme whose networks are copies of a model.

    Parameters
    ----------
    scheme : the meta-estimator; `n_features_in_` and `feature_names_in_` are set
    model : a binary classifier
    X, y : as the user gave them
    params : what else the user gave, `sample_weight` among them if it is not None
    """
    name = type(scheme).__name__
    if not is_classifier(model):
        raise ValueError(f"estimator={model!r} is not a classifier; {name} takes any binary classifier")
    _refuse_mixed_labels(y)
    validate_data(scheme, X, y, skip_check_array=True)
    y = _check_y(y, estimator=scheme)
    check_classification_targets(y)
    (X,) = indexable(X)
    indexable(X, y)  # as many rows as labels
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        found = f"one class only: {classes[0]}" if len(classes) else "no rows"
        raise ValueError(f"{name} needs rows of at least 2 classes, y has {found}")
    params = _routed(scheme, params)
    key = _weight_name(model)
    given = [params.pop(word) for word in dict.fromkeys(["sample_weight", key]) if word in params]
    if len(given) > 1:
        raise ValueError(f"got both sample_weight and {key}, which are the same; give one of them")
    sample_weight = given[0] if given else None
    weights = checked_weights(sample_weight, X)
    _refuse_weightless(classes, labels, weights)
    weights = times_class_weight(weights, scheme.class_weight, classes, labels)
    _refuse_weightless(classes, labels, weights)
    if sample_weight is not None or scheme.class_weight is not None:
        if key is not None:
            params[key] = weights
        elif weights.min() < weights.max():
            raise ValueError(
                f"the estimator {type(model).__name__} takes no sample_weight, so that {name} can give its "
                f"rows no different weights, by sample_weight or by class_weight={scheme.class_weight!r}"
            )
    rows = Rows(X, labels, classes, weights, params, get_tags(model).input_tags.pairwise)
    return _as_inputs(rows, model) if isinstance(model, NetworkClassifier) else rows


def _as_inputs(rows: Rows, model: NetworkClassifier) -> Rows:
    """Return the rows of a table as inputs, the same for all networks; plain arrays as they are."""
    raw = raw_table(model, rows.X)
    if raw is None:
        return rows
    _, inputs, layout = learn_inputs(model, raw, rows.labels, rows.weights)
    some = np.flatnonzero(rows.weights > 0)
    params = _check_method_params(rows.X, rows.params, some)
    labels, weights = rows.labels[some], rows.weights[some]
    return replace(rows, X=inputs, labels=labels, weights=weights, params=params, layout=layout)


def routing_enabled() -> bool:
    """Tell whether scikit-learn's metadata routing is on."""
    return bool(get_config()["enable_metadata_routing"])


def _routed(scheme: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return what the estimator's `fit` is given: what it asks for if metadata routing is on, else all."""
    return dict(process_routing(scheme, "fit", **params).estimator.fit) if routing_enabled() else dict(params)


def _weight_name(model: Any) -> str | None:
    """Return the parameter of `fit` that takes the weights of the rows, None if there is none.

    Pipelines and searches hand on what their `fit` is given: by the name of the last step, or as it is.
    """
    if has_fit_parameter(model, "sample_weight"):
        return "sample_weight"
    kinds = [parameter.kind for parameter in inspect.signature(model.fit).parameters.values()]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        return None
    if routing_enabled():
        return "sample_weight"
    if steps := getattr(model, "steps", None):
        inner = _weight_name(steps[-1][1])
        return inner and f"{steps[-1][0]}__{inner}"
    return _weight_name(model.estimator) if hasattr(model, "estimator") else None


def _refuse_weightless(classes: NDArray, labels: NDArray, weights: NDArray) -> None:
    """Raise an error that names the classes without a row of positive weight."""
    positive = np.bincount(labels, weights > 0, minlength=len(classes)) > 0
    if not positive.all():
        missing = ", ".join(map(str, classes[~positive]))
        raise ValueError(
            f"every class needs a row with a positive weight (sample_weight times class_weight), "
            f"none has one of: {missing}"
        )
