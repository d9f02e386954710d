"""Fewer and simpler weights with the same predictions: dropped weights and units, integers, signs.

`prune` takes a fitted classifier, `prune_network` plain values. `_sparse` finds few weights for the units,
several times from different starts, `_rounding` rounds them, and here the best network is kept.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._rounding import rounded
from netlines._sparse import PASS_ON, Net, Search, Task
from netlines.network.network import Network, normalised, sign
from netlines.network.networks import Networks
from netlines.network.probability import Calibration, expit, fit_calibration

FORMS = ("float", "integer", "ternary")
KEEPS = ("predictions", "errors")
STARTS, CHEAP = 8, 5e5  # the most starts, and the cells of linear programs after which none begins
SMALL = 16  # a table of integers up to this size is weighted in its own units
STEPS = 32  # a weight of 1 on a column of another table moves the sum by about this over its range


def prune(
    clf: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    weights: str = "float",
    keep: str = "predictions",
    sample_weight: ArrayLike | None = None,
    random_state: int = 0,
) -> Any:
    """Drop weights and hidden units of a fitted classifier while it answers its training rows as before.

    Parameters
    ----------
    clf : fitted classifier of netlines with a `network_`
        It is left as it is.
    X : array-like of shape (n_samples, n_features)
        The rows whose answers matter: the training rows.
    y : array-like of shape (n_samples,)
        Their labels, among `clf.classes_`.
    weights : {"float", "integer", "ternary"}, default="float"
        What the weights that are left may be: any numbers; the smallest integers found; or -1, 0 and +1 with
        integer biases. In a table of integers between -16 and 16 these multiply the columns themselves. In
        any other, each column has a unit, a power of two near 1/32 of its range, and integers multiply
        column/unit: the weights of the network are these integers divided by the unit, without rounding.
    keep : {"predictions", "errors"}, default="predictions"
        What may not change: the prediction of any row, or, which leaves more freedom, the number of
        errors, which may not grow.
    sample_weight : array-like of shape (n_samples,) or None
        Weights of the rows, and of their errors. Rows of weight 0 are left out.
    random_state : int >= 0, default=0
        Decides the order of the units and the penalties of their weights in the different starts.

    Returns
    -------
    classifier of the same class
        A copy with another `network_`. Its `n_weights_` counts the weights that are not 0.

    Raises
    ------
    ValueError
        If no network of the demanded form was found; the message says how near the best one came.

    Examples
    --------
    >>> from netlines import NetLinesClassifier, prune
    >>> from netlines.datasets import load_monks
    >>> X, y = load_monks(2, return_X_y=True)
    >>> clf = NetLinesClassifier().fit(X, y)
    >>> small = prune(clf, X, y, weights="integer")
    >>> clf.n_weights_, small.n_weights_ <= 17, small.n_training_errors_
    (39, True, 0)
    """
    from threadpoolctl import threadpool_limits

    _check_choice("weights", weights, FORMS)
    _check_choice("keep", keep, KEEPS)
    if not isinstance(random_state, Integral) or random_state < 0:
        raise ValueError(f"random_state must be an integer of at least 0, got {random_state!r}")
    if not hasattr(clf, "_rows"):
        raise TypeError(
            f"clf must be a fitted classifier of netlines, for example NetLinesClassifier, got {clf!r}"
        )
    rows = clf._rows(X)
    if not isinstance(getattr(clf, "network_", None), Network | Networks):
        raise TypeError(f"clf must have a `network_`, which {type(clf).__name__} has not")
    if clf.network_.n_classes > 2:
        raise ValueError(
            f"clf separates {clf.network_.n_classes} classes; prune takes networks of 2, for example each of "
            "`clf.networks_` by `netlines.pruning.prune_network`"
        )
    if clf.network_.moved:
        raise ValueError(
            "clf expects other priors than those of its training rows; allowed is clf.set_priors(None), and "
            "to set the priors of what prune returns"
        )
    targets, costs = _checked_labels(y, clf.classes_, len(rows)), _checked_weights(sample_weight, len(rows))
    wanted = sign(clf.network_.decision(rows)) if keep == "predictions" else targets
    with threadpool_limits(limits=1, user_api="blas"):  # the last bits of products hang on the threads
        network = prune_network(clf.network_, rows, wanted, costs, weights=weights, seed=int(random_state))
    wrong = (_answers(network, rows) != targets) & (costs > 0)
    if clf.network_.calibration is not None:
        network = _calibrated(network, clf.network_, rows, costs)
    pruned = _with_network(clf, network, int(np.count_nonzero(wrong)))
    if hasattr(clf, "_stretch"):  # of a unit: the length of its weights over standardised inputs
        pruned._stretch = _standardised_length(network.hidden_weights[0], rows[costs > 0])
    return pruned


def _standardised_length(weights: NDArray, rows: NDArray) -> float:
    bias = weights[0] + weights[1:] @ rows.mean(axis=0)
    return float(np.sqrt(bias**2 + ((weights[1:] * rows.std(axis=0)) ** 2).sum()))


def prune_network(
    network: Network,
    X: NDArray,
    wanted: NDArray,
    sample_weight: NDArray | None = None,
    *,
    weights: str = "float",
    seed: int = 0,
) -> Network:
    """Return a network with fewer weights that misses no more of the wanted answers, without calibration.

    Parameters
    ----------
    network : Network
    X : array (n, N), finite
    wanted : array (n,) of ±1
        Answers that the network may miss as often as it does now, errors counted with `sample_weight`.
        With its own answers every one of them is kept.
    sample_weight : array (n,), not negative, or None
    weights : {"float", "integer", "ternary"}, default="float"
    seed : int, default=0

    Returns
    -------
    Network

    Examples
    --------
    >>> import numpy as np
    >>> from netlines import Network
    >>> from netlines.pruning import prune_network
    >>> network = Network([[0.3, 1.9, 0.2]], [[0, 1]], np.array([0, 1]))
    >>> X = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    >>> prune_network(network, X, [-1, -1, 1, 1], weights="integer").hidden_weights
    array([[0., 1., 0.]])
    """
    X, wanted = np.asarray(X, dtype=float), np.asarray(wanted, dtype=float)
    costs = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    X, wanted, costs = X[costs > 0], wanted[costs > 0], costs[costs > 0]
    missed = _answers(network, X) != wanted
    allowed = costs[missed].sum() + 1e-9 * costs.sum()
    best, least = network, np.inf
    best_key: tuple[float, ...] = (network.n_nonzero,) if weights == "float" else (np.inf,)
    for found, margin in _candidates(network, X, wanted, costs, weights, seed):
        errors = _answers(found, X) != wanted
        cost = costs[errors].sum()
        key = (found.n_nonzero, -margin, float(np.abs(found.hidden_weights).max()))
        if cost <= allowed and key < best_key:
            best, best_key = found, key
        least = min(least, float(np.count_nonzero(errors)))
    if best_key[0] == np.inf:
        raise ValueError(_shortfall(weights, int(least), int(missed.sum()), len(X)))
    return best


def _candidates(
    network: Network, X: NDArray, wanted: NDArray, costs: NDArray, form: str, seed: int
) -> Iterator[tuple[Network, float]]:
    """Yield the network of each start and its margin."""
    units = column_units(X)
    task, net = _task(network, X, wanted, costs, form, units)
    search = Search(task, seed)
    for number in range(STARTS):
        found = search.start(net, number)
        if form != "float":
            found = rounded(task, found, form)
        yield _network(network, found, units, form), task.margin(found)
        if search.work > CHEAP:
            break


def column_units(X: NDArray) -> NDArray:
    """Choose the unit of each column: 1 in a table of small integers, else a power of two."""
    if (np.abs(X) <= SMALL).all() and (np.rint(X) == X).all():
        return np.ones(X.shape[1])
    span = np.ptp(X, axis=0)
    return np.exp2(np.rint(np.log2(np.where(span > 0, span, 1.0))) - np.log2(STEPS))


def _task(
    network: Network, X: NDArray, wanted: NDArray, costs: NDArray, form: str, units: NDArray
) -> tuple[Task, Net]:
    """Condense the rows and write them, and the network, in the units of the columns."""
    rows, group = np.unique(X, axis=0, return_inverse=True)
    balance = np.bincount(group.ravel(), wanted * costs)
    rows = np.hstack([np.ones((len(rows), 1)), rows / units])[balance != 0]
    exact = form != "float"
    halves = (0.5 if exact and (units == 1).all() else 0.0, 0.5 if exact else 0.0)
    bound = 1.0 if form == "ternary" and halves[0] else np.inf
    spread = np.concatenate([[1.0], np.ptp(rows[:, 1:], axis=0) if len(rows) else 0 * units])
    balance = balance[balance != 0]
    hidden = network.hidden_weights * np.concatenate([[1.0], units])
    hidden[:, 0] -= halves[0]
    output = (network.output_weights[0] if network.n_hidden > 1 else PASS_ON).copy()
    output[0] -= halves[1]
    net = Net(hidden, output)
    task = Task(rows, sign(balance), np.abs(balance), 0.0, spread, halves, bound)
    return replace(task, allowed=task.errors(net)), net


def _network(network: Network, net: Net, units: NDArray, form: str) -> Network:
    """Write a network found in the user's units."""
    hidden = net.hidden / np.concatenate([[1.0], units])
    output = (net.output if len(hidden) > 1 else PASS_ON)[None]
    if form == "float":
        hidden, output = normalised(hidden), normalised(output)
    return replace(network, hidden_weights=hidden, output_weights=output, calibration=None)


def _answers(network: Network, X: NDArray) -> NDArray:
    return sign(network.decision(X))


def _shortfall(form: str, least: int, missed: int, n: int) -> str:
    """Say how near the best network came."""
    near = (
        f"make {least} errors on the {n} rows instead of {missed}"
        if missed
        else f"change {least} of {n} answers"
    )
    others = '"float" or "integer"' if form == "ternary" else '"float"'
    return (
        f"no network with weights={form!r} was found that keeps what it has to: the best one would {near}; "
        f'try weights={others}, keep="errors", another random_state, or a classifier with more units'
    )


def _calibrated(network: Network, before: Network, rows: NDArray, costs: NDArray) -> Network:
    """Give a pruned network the probabilities that the network had before, as far as its units allow."""
    old = before.calibration
    assert isinstance(old, Calibration)
    p = expit(old.log_odds(before.fields(rows)))
    new = fit_calibration(network.fields(rows), p, costs, old.training_priors)
    return replace(network, calibration=replace(new, priors=old.priors))


def _with_network(clf: Any, network: Network, errors: int) -> Any:
    """Copy the classifier, with another network."""
    pruned = copy.copy(clf)
    pruned.network_ = network
    pruned.n_weights_, pruned.n_training_errors_ = network.n_nonzero, errors
    if hasattr(clf, "n_hidden_"):
        pruned.n_hidden_ = network.n_hidden
    if hasattr(clf, "weights_"):
        pruned.weights_ = network.hidden_weights[0]
    if hasattr(clf, "chosen_"):
        pruned.chosen_ = f"{clf.chosen_}; pruned to {network.n_nonzero} weights"
    return pruned


def _check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def _checked_labels(y: ArrayLike, classes: NDArray, n: int) -> NDArray:
    """Return the targets ±1 of n labels."""
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise ValueError(f"y must have one label for each of the {n} rows of X, got the shape {labels.shape}")
    unknown = ~np.isin(labels, classes)
    if unknown.any():
        raise ValueError(
            f"y has the label {labels[unknown].tolist()[0]!r}; allowed are the classes that clf was fitted "
            f"to: {', '.join(map(repr, classes.tolist()))}"
        )
    return np.where(labels == classes[1], 1.0, -1.0)


def _checked_weights(sample_weight: ArrayLike | None, n: int) -> NDArray:
    """Return the weights of n rows."""
    costs = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if costs.shape != (n,):
        raise ValueError(f"sample_weight must have one weight for each of the {n} rows, got {costs.shape}")
    if not (np.isfinite(costs).all() and (costs >= 0).all() and costs.any()):
        raise ValueError("sample_weight must be finite, not negative and not all 0")
    return costs
