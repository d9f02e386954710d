"""Rounds the weights of a network to integers or signs, one unit after the other, while its answers stay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.training.pruning.sparse import Net, Rows, Unit, constant, gaps, without_idle

COARSE = 64  # integers up to this size are tried one by one, and made smaller one by one
SCALES = (np.arange(1, COARSE + 1), *np.split(np.rint(np.geomspace(COARSE, 2.0**40, 360)), 10))


def rounded(task: Rows, net: Net, form: str) -> Net:
    """Round one unit after the other, given the rest, and the output unit last."""
    rounding = _integers if form == "integer" else _ternary
    hidden = net.hidden.copy()
    net = Net(hidden, net.output)
    for k in range(len(hidden)):
        hidden[k] = rounding(task.hidden_unit(net, k), hidden[k])
    if len(hidden) == 1:
        return net
    return without_idle(Net(hidden, rounding(task.output_unit(net), net.output)), task.halves)


def _integers(unit: Unit, weights: NDArray) -> NDArray:
    """Return the smallest integers found that do what the unit has to do, else very large ones."""
    if not len(unit.rows) or not weights[1:].any():
        return constant(len(weights), 1.0 if weights[0] + unit.half >= 0 else -1.0)
    slopes = weights[1:] / np.abs(weights[1:]).max()
    for scales in SCALES:
        costs, trials = _with_bias(unit, np.rint(slopes * scales[:, None]))
        good = np.flatnonzero(unit.accepts(costs))
        if len(good):
            return _shrunk(unit, trials[good[0]])
    return trials[-1]


def _shrunk(unit: Unit, integers: NDArray) -> NDArray:
    """Bring single weights nearer to 0, the largest first, as long as the unit does what it has to do."""
    while 0 < np.abs(integers[1:]).max() <= COARSE:
        slopes = integers[1:]
        some = np.argsort(-np.abs(slopes), kind="stable")[: np.count_nonzero(slopes)]
        trials = np.tile(slopes, (len(some), 1))
        trials[np.arange(len(some)), some] -= np.sign(slopes[some])
        costs, trials = _with_bias(unit, trials)
        trials = trials[unit.accepts(costs)]
        if not len(trials):
            break
        integers = trials[np.count_nonzero(trials, axis=1).argmin()]
    return integers


def _ternary(unit: Unit, weights: NDArray) -> NDArray:
    """Return signs: the large weights' own at first, then changed one at a time as long as that helps."""
    slopes = weights[1:]
    if not len(unit.rows) or not slopes.any():
        return constant(len(weights), 1.0 if weights[0] + unit.half >= 0 else -1.0)
    levels = np.unique(np.abs(slopes[slopes != 0]))[:, None]
    trials, one = np.sign(slopes) * (np.abs(slopes) >= levels), np.eye(len(slopes))
    best, best_key = constant(len(weights), 1.0), (np.inf, len(weights) + 1)
    while True:
        costs, trials = _with_bias(unit, trials)
        excess = np.where(unit.accepts(costs), 0.0, costs)
        at = np.lexsort((np.count_nonzero(trials, axis=1), excess))[0]
        key = (float(excess[at]), int(np.count_nonzero(trials[at])))
        if key >= best_key:
            return best
        best, best_key = trials[at], key
        trials = np.vstack([best[1:] + one, best[1:] - one])
        trials = np.where(np.abs(trials) > 1, -np.sign(trials), trials)


def _with_bias(unit: Unit, slopes: NDArray) -> tuple[NDArray, NDArray]:
    """Add to each row of slopes an integer bias, 0 if it will do; return the costs, ∞ if there is none."""
    costs, low, high = gaps(unit, slopes)
    middle = np.ceil(-0.5 - (low + high) / 2)
    bias = np.where((low < 0) & (high >= 0), 0.0, middle)
    fits = (bias + high >= 0) & (bias + low < 0)
    return np.where(fits, costs, np.inf), np.column_stack([bias, slopes])
