"""Hands a problem of many classes to a scheme of two-class networks and reads the fitted networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.callback import AutoPropagatedCallback
from sklearn.utils.validation import check_is_fitted

from netlines.classifiers.multiclass import (
    PairwiseClassifier,
    TreeOfNetworksClassifier,
    TreeVoteClassifier,
    WinnerTakesAllClassifier,
)
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.inspection.inputs import network_of
from netlines.network.networks import Networks, Part

SCHEMES = {
    "tree": TreeOfNetworksClassifier,
    "vote": TreeVoteClassifier,
    "wta": WinnerTakesAllClassifier,
    "pairs": PairwiseClassifier,
}


def fit_scheme(
    model: Any,
    scheme: str,
    X: NDArray,
    labels: NDArray,
    weights: NDArray,
    *,
    context: Any,
    n_jobs: int | None,
    voting: str = "hard",
) -> Scheme:
    """Fit a scheme whose networks are copies of a two-class estimator of netlines.

    Parameters
    ----------
    model : the estimator
    scheme : "tree", "vote", "wta" or "pairs"
    X, labels, weights : rows, the numbers of their classes, and their weights
    context : scikit-learn's callback context, of which this is a task
    n_jobs : networks to train at the same time
    voting : of "vote"
    """
    if get_config()["enable_metadata_routing"]:
        model.set_fit_request(sample_weight=True)
    options = {"voting": voting} if scheme == "vote" else {}
    meta = SCHEMES[scheme](model, n_jobs=n_jobs, **options)
    task = context.subcontext(task_name=scheme)
    with task.propagate_callback_context(meta):
        others = [one for one in context._callbacks if not isinstance(one, AutoPropagatedCallback)]
        meta.set_callbacks(*getattr(meta, "_skl_callbacks", ()), *map(_OfNetworks, others))
        task.call_on_fit_task_begin(estimator=meta, X=X, y=labels)
        meta.fit(X, labels, sample_weight=weights)
    task.call_on_fit_task_end(estimator=meta, X=X, y=labels)
    return meta


class _OfNetworks:
    """A callback of a classifier that hears of each network of the scheme to which that is handed.

    scikit-learn hands on to the parts of an estimator only callbacks that ask for it; those of a scheme are
    the classifier's own steps.
    """

    max_propagation_depth = 0  # not what the networks do themselves

    def __init__(self, callback: Any) -> None:
        self.on_fit_task_begin = _of_networks(callback.on_fit_task_begin)
        self.on_fit_task_end = _of_networks(callback.on_fit_task_end)

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing: the classifier has done it."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing: the classifier does it."""


def _of_networks(hook: Callable) -> Callable:
    """Return a hook for the tasks of networks alone; the scheme as a whole is a task of the classifier."""

    @wraps(hook)  # scikit-learn looks at its signature
    def heard(estimator: Any, context: Any, **details: Any) -> Any:
        return hook(estimator, context, **details) if context.task_name == "network" else None

    return heard


def read_networks(meta: Scheme, scheme: str, classes: NDArray, shares: NDArray | None) -> Networks:
    """Return the networks of a fitted scheme as one value.

    Parameters
    ----------
    meta : what `fit_scheme` returned
    scheme : its name
    classes : the labels that its numbers of classes stand for
    shares : the classes' shares of the weight of the training rows, if they are known
    """
    labels, parts = classes.tolist(), []
    for part, (positive, others) in zip(meta._parts, meta._problems, strict=True):
        negative = tuple(labels[label] for label in others)
        network = replace(part.model.network_, background=None, layout=None)  # kept beside the parts
        parts.append(Part((labels[positive],), negative, network, part.scale))
    trees = {"tree": [meta], "vote": getattr(meta, "trees_", [])}.get(scheme, [])
    numbers = {id(model): k for k, model in enumerate(meta.estimators_)}
    chains = tuple(tuple(numbers[id(model)] for model in tree.estimators_) for tree in trees)
    voting = getattr(meta, "voting", "hard")
    return Networks(scheme, classes, tuple(parts), chains, voting, training_priors=shares)


def scheme_networks(meta: Scheme) -> Networks:
    """Return the networks of any fitted scheme over classifiers of netlines as one value.

    Those that saw rows of all classes remember them for all.
    """
    check_is_fitted(meta)
    backgrounds = []
    for model, (_, others) in zip(meta.estimators_, meta._problems, strict=True):
        try:
            background = network_of(model).background
        except TypeError as error:
            raise TypeError(f"{type(meta).__name__} is over others than networks: {error}") from None
        if len(others) == len(meta.classes_) - 1:
            backgrounds.append(background)
    names = [name for name, kind in SCHEMES.items() if isinstance(meta, kind)]
    scheme = "tree" if len(meta.estimators_) == 1 else names[0]  # of two classes there is one network
    networks = read_networks(meta, scheme, meta.classes_, None)
    networks = replace(networks, background=backgrounds[0] if backgrounds else None)
    layouts = [network_of(model).layout for model in meta.estimators_]
    shared = meta._layout or (layouts[0] if all(one == layouts[0] for one in layouts) else None)
    return networks.with_layout(shared)  # type: ignore[return-value]


def class_shares(labels: NDArray, weights: NDArray) -> NDArray:
    """Return the classes' shares of the weight of the rows."""
    return np.bincount(labels, weights / weights.sum())
