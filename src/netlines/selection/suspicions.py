"""What is odd about a table, and worth a word before a model of it is trusted.

1. One attribute alone decides the class: perhaps it is known only after the answer is.
2. All of the many rows with some value are of one class: nothing was learnt of others there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.protocol import AnyNetwork

LEAST_ROWS = 20  # of a table, or of a value, of which something is said
LEAST_SHARE = 0.05  # of the rows that have the value
DECIDES = 0.02  # part of the errors of guessing that an attribute may make to decide the class
CHANCE = 1e-4  # of rows that are all of one class, if the value had nothing to do with it
MOST = 2  # of each kind that are told


def suspicions(network: AnyNetwork, X: NDArray, labels: NDArray) -> tuple[str, ...]:
    """Return sentences about what is odd of the rows X (n, N) with the numbers of their classes.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.selection.suspicions import suspicions
    >>> rng = np.random.default_rng(0)
    >>> X, labels = rng.normal(size=(60, 2)), np.arange(60) % 2
    >>> X[:, 1] = 5 + labels
    >>> network = Network([[0, 1, 1]], PASS_ON, ["no", "yes"], feature_names=("age", "bill"))
    >>> print(*suspicions(network, X, labels))
    'bill' alone decides the class: make sure that it is known before the answer is, and not because of it.
    """
    attributes, n_classes = attributes_of(network), len(network.classes)
    if len(labels) < LEAST_ROWS or len(attributes) < 2:
        return ()
    shares = np.bincount(labels, minlength=n_classes) / len(labels)
    allowed = DECIDES * (1.0 - shares.max())
    deciding = [one.name for one in attributes if _error_alone(one, X, labels, n_classes) <= allowed]
    if deciding:
        return tuple(
            f"{name!r} alone decides the class: make sure that it is known before the answer is, "
            "and not because of it."
            for name in deciding[:MOST]
        )
    found = sorted((-rows, told) for one in attributes for rows, told in _one_sided(one, X, labels, shares))
    names = network.classes.tolist()
    return tuple(
        f"All {count(-rows, 'row')} with {where} are {names[c]!r}: of other classes there it learnt nothing."
        for rows, (where, c) in found[:MOST]
    )


def _error_alone(one: Attribute, X: NDArray, labels: NDArray, n_classes: int) -> float:
    """Return how often the best answers by an attribute alone are wrong: by categories, or by C intervals."""
    values = X[:, list(one.own)]
    if one.is_category or values.shape[1] > 1:
        distinct, which = np.unique(values, axis=0, return_inverse=True)
        if len(distinct) > max(2, len(labels) // LEAST_ROWS):
            return 1.0
        counts = np.zeros((len(distinct), n_classes))
        np.add.at(counts, (which.ravel(), labels), 1)
        return float(1.0 - counts.max(axis=1).sum() / len(labels))
    return _error_by_intervals(values[:, 0], labels, n_classes)


def _error_by_intervals(values: NDArray, labels: NDArray, n_classes: int) -> float:
    """Return the least share of errors of one interval a class; of more than two only whether it is 0."""
    order = np.argsort(values, kind="stable")
    values, labels = values[order], labels[order]
    ends = np.flatnonzero(np.r_[values[1:] != values[:-1], True])
    below = np.array([np.cumsum(labels == c)[ends] for c in range(n_classes)], dtype=float)
    if n_classes == 2:
        (first, second), n = below, len(labels)
        wrong = np.minimum(second + first[-1] - first, first + second[-1] - second).min()
        return float(min(wrong, first[-1], second[-1]) / n)
    pure = (np.diff(below, prepend=0.0, axis=1) > 0).sum(axis=0).max() <= 1
    runs = 1 + np.count_nonzero(labels[1:] != labels[:-1])
    return 0.0 if pure and runs <= n_classes else 1.0


def _one_sided(
    one: Attribute, X: NDArray, labels: NDArray, shares: NDArray
) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield the values of a category whose many rows are all of one class: how many, where, which class."""
    if not one.is_category:
        return
    for i in one.choices:
        rows = X[:, i] == one.levels[1] if i >= 0 else (X[:, list(one.inputs)] == one.levels[0]).all(axis=1)
        n = int(rows.sum())
        if n < max(LEAST_ROWS, LEAST_SHARE * len(X)):
            continue
        (c,) = np.unique(labels[rows])[:1]
        if (labels[rows] == c).all() and shares[c] ** n < CHANCE:
            yield n, (one.on(i), int(c))
