"""Fewer and simpler weights with the same answers: dropped weights and units, integers, signs.

1. Write the network and the rows in a unit of each column, so that small integers can be its weights.
2. `sparse` finds few weights for the units, several times from different starts.
3. `rounding` makes integers or signs of them, if they are asked for.
4. Of the networks that keep what they have to, the one with the fewest weights is returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame
from netlines.network.layout import LARGEST
from netlines.network.network import Network, sign
from netlines.network.weights import normalised
from netlines.training.pruning.rounding import rounded
from netlines.training.pruning.sparse import Net, Rows, Search
from netlines.training.task import ALONE

STARTS, CHEAP = 8, 5e5  # the most starts, and the cells of linear programs after which none begins
SMALL = 16  # a table of integers up to this size is weighted in its own units
STEPS = 32  # a weight of 1 on a column of another table moves the sum by about this over its range

LEAST_EXPONENT = -1060.0  # of the unit of a column
ODD = 1e100  # weights larger than this, or smaller than its inverse, are scaled first


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
    >>> from netlines.training.pruning.network import prune_network
    >>> network = Network([[0.3, 1.9, 0.2]], [[0, 1]], np.array([0, 1]))
    >>> X = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    >>> prune_network(network, X, [-1, -1, 1, 1], weights="integer").hidden_weights
    array([[0., 1., 0.]])
    """
    if network.origin is not None:
        bare, rows = replace(network, origin=None), network.relative(np.asarray(X, dtype=float))
        found = prune_network(bare, rows, wanted, sample_weight, weights=weights, seed=seed)
        return replace(found, origin=network.origin)
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
    exponent = np.rint(np.log2(np.where(span > 0, span, 1.0))) - np.log2(STEPS)
    return np.exp2(np.maximum(exponent, LEAST_EXPONENT))


def _task(
    network: Network, X: NDArray, wanted: NDArray, costs: NDArray, form: str, units: NDArray
) -> tuple[Rows, Net]:
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
    size = np.abs(hidden).max(axis=1, keepdims=True)
    hidden = np.where(
        (size > 0) & ((size < 1 / ODD) | (size > ODD)), hidden / np.where(size > 0, size, 1.0), hidden
    )
    hidden[:, 0] -= halves[0]
    output = (network.output_weights[0] if network.n_hidden > 1 else ALONE).copy()
    output[0] -= halves[1]
    net = Net(hidden, output)
    task = Rows(rows, sign(balance), np.abs(balance), 0.0, spread, halves, bound)
    return replace(task, allowed=task.errors(net)), net


def _network(network: Network, net: Net, units: NDArray, form: str) -> Network:
    """Write a network found in the user's units."""
    with np.errstate(over="ignore"):
        hidden = net.hidden / np.concatenate([[1.0], units])
    if not (np.abs(hidden) <= LARGEST).all():  # of denormal columns
        hidden, _ = Frame(np.zeros(len(units)), units).outside(net.hidden, exact=True)
    output = (net.output if len(hidden) > 1 else ALONE)[None]
    if form == "float":
        hidden, output = normalised(hidden), normalised(output)
    return replace(network, hidden_weights=hidden, output_weights=output, calibration=None)


def _answers(network: Network, X: NDArray) -> NDArray:
    return sign(network.decision(X))


def _shortfall(form: str, least: int, missed: int, n: int) -> str:
    """Say how near the best network came."""
    near = f"change {least} of {n} answers"
    if missed:
        near = f"make {least} errors on the {n} rows instead of {missed}"
    others = '"float" or "integer"' if form == "ternary" else '"float"'
    return (
        f"no network with weights={form!r} was found that keeps what it has to: the best one would {near}; "
        f'try weights={others}, keep="errors", another random_state, or a classifier with more units'
    )
