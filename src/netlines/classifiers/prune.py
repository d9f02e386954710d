"""`prune`: a fitted classifier with fewer and simpler weights that answers its training rows as before."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils._param_validation import Interval, StrOptions, validate_params
from threadpoolctl import threadpool_limits

from netlines.classifiers.base import NetworkClassifier, checked_weights, refuse_unless_two
from netlines.inspection.inputs import label_numbers
from netlines.network.network import Network, sign
from netlines.network.probability import probabilities
from netlines.training.calibration import fit_calibration
from netlines.training.pruning.network import prune_network


@validate_params(
    {
        "weights": [StrOptions({"float", "integer", "ternary"})],
        "keep": [StrOptions({"predictions", "errors"})],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    },
    prefer_skip_nested_validation=True,
)
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
    if not isinstance(clf, NetworkClassifier):
        raise TypeError(
            f"clf must be a fitted classifier of netlines, for example NetLinesClassifier, got {clf!r}"
        )
    rows = clf._rows(X)
    refuse_unless_two(
        clf.network_.n_classes,
        f"clf separates {clf.network_.n_classes} classes; prune takes networks of 2, for example each of "
        "`clf.networks_` by `netlines.training.pruning.prune_network`",
    )
    if clf.network_.moved:
        raise ValueError(
            "clf expects other priors than those of its training rows; allowed is clf.set_priors(None), and "
            "to set the priors of what prune returns"
        )
    targets = _checked_targets(y, clf.network_, len(rows))
    costs = checked_weights(sample_weight, rows)
    wanted, own = targets, costs
    if keep == "predictions":  # each counts, however little its row weighs
        wanted, own = sign(clf.network_.decision(rows)), np.where(costs > 0, 1.0, 0.0)
    with threadpool_limits(limits=1, user_api="blas"):  # the last bits of products depend on the threads
        network = prune_network(clf.network_, rows, wanted, own, weights=weights, seed=int(random_state))
    wrong = (sign(network.decision(rows)) != targets) & (costs > 0)
    if clf.network_.calibration is not None:
        network = _calibrated(network, clf.network_, rows, costs)
    pruned = clf._with_network(network, int(np.count_nonzero(wrong)), rows[costs > 0])
    if hasattr(clf, "chosen_"):
        pruned.chosen_ = f"{clf.chosen_}; pruned to {network.n_nonzero} weights"
    return pruned


def _calibrated(network: Network, before: Network, rows: NDArray, costs: NDArray) -> Network:
    """Give a pruned network the probabilities that the network had before, as far as its units allow."""
    old = before.calibration
    assert old is not None
    p = probabilities(old.scores(before.fields(rows)))
    new = fit_calibration(network.fields(rows), p, costs, old.training_priors)
    return replace(network, calibration=replace(new, priors=old.priors))


def _checked_targets(y: ArrayLike, network: Network, n: int) -> NDArray:
    """Return the targets ±1 of n labels."""
    numbers = label_numbers(network, y)
    if len(numbers) != n:
        raise ValueError(f"y must have one label for each of the {n} rows of X, got {len(numbers)}")
    return 2.0 * numbers - 1.0
