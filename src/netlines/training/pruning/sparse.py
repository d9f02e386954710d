"""Finds few weights for the units of a network, by linear programs, while its answers stay.

One unit at a time is replaced, given the others: only the rows whose output depends on it bind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import eye_array, hstack

from netlines.network.network import sign
from netlines.training.task import ALONE

SWEEPS = 4
NOISE = 0.7  # of the logarithms of the penalties of a start, so that starts differ
DEAR_BIAS = 30.0  # the penalty of half of the biases of a start
DEAR, SOFT = 6e6, 3e4  # cells of linear programs: of a whole search, and of one with slacks


class Unit(NamedTuple):
    """What one unit has to do: on which side ±1 each row is wanted, and what errors may cost together.

    `half` is 1/2 where sums will be integers, so that 0 and -1 are as well apart as 1/2 and -1/2, and 0
    elsewhere. `bound` is the largest weight of an input.
    """

    rows: NDArray
    wanted: NDArray
    costs: NDArray
    allowed: float
    spread: NDArray
    half: float
    bound: float

    def right(self, weights: NDArray) -> NDArray:
        return np.asarray(sign(self.rows @ weights + self.half) == self.wanted)

    def accepts(self, errors: Any) -> Any:
        return errors <= self.allowed + 1e-9 * self.costs.sum()


class Net(NamedTuple):
    """Hidden weights (H, N + 1) in the units of the columns, and output weights (H + 1,)."""

    hidden: NDArray
    output: NDArray

    @property
    def size(self) -> int:
        output = np.count_nonzero(self.output) if len(self.hidden) > 1 else 0
        return int(np.count_nonzero(self.hidden) + output)


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows (P, N + 1), the constant 1 first, with targets ±1, costs, and what errors may cost.

    `halves` are the `half` of hidden units and of the output unit, `spread` the ranges of the columns.
    """

    rows: NDArray
    targets: NDArray
    costs: NDArray
    allowed: float
    spread: NDArray
    halves: tuple[float, float]
    bound: float

    def codes(self, net: Net) -> NDArray:
        return sign(self.rows @ net.hidden.T + self.halves[0])

    def errors(self, net: Net) -> float:
        sums = net.output[0] + self.codes(net) @ net.output[1:] + self.halves[1]
        return float(self.costs[sign(sums) != self.targets].sum())

    def hidden_unit(self, net: Net, k: int) -> Unit:
        """Bind unit k by the rows whose output depends on it."""
        codes, weight = self.codes(net), net.output[k + 1]
        others = net.output[0] + codes @ net.output[1:] - weight * codes[:, k] + self.halves[1]
        high, low = sign(others + abs(weight)), sign(others - abs(weight))
        bound = high != low
        allowed = self.allowed - self.costs[~bound & (high != self.targets)].sum()
        rows, wanted, costs = self.rows[bound], self.targets[bound] * sign(weight), self.costs[bound]
        return Unit(rows, wanted, costs, allowed, self.spread, self.halves[0], self.bound)

    def output_unit(self, net: Net) -> Unit:
        """Bind the output unit by the distinct codes, each with the class of its majority."""
        codes, group = np.unique(self.codes(net), axis=0, return_inverse=True)
        balance = np.bincount(group.ravel(), self.targets * self.costs)
        allowed = self.allowed - (self.costs.sum() - np.abs(balance).sum()) / 2
        rows, costs = np.hstack([np.ones((len(codes), 1)), codes]), np.abs(balance)
        return Unit(rows, sign(balance), costs, allowed, np.ones(rows.shape[1]), self.halves[1], self.bound)

    def margin(self, net: Net) -> float:
        """Return the smallest distance of a row to a hyperplane that it binds, in ranges of the columns."""
        size = np.abs(net.hidden[:, 1:] * self.spread[1:]).sum(axis=1)
        margins = []
        for k in np.flatnonzero(size):
            unit = self.hidden_unit(net, int(k))
            margins.append(np.abs(unit.rows @ net.hidden[k] + unit.half).min(initial=np.inf) / size[k])
        return float(min(margins, default=np.inf))


class Search:
    """Searches for sparse units; a count of the cells of linear programs, not a clock, bounds the time."""

    def __init__(self, task: Rows, seed: int):
        self.task, self.seed = task, seed
        self.work = 0.0

    def start(self, net: Net, number: int) -> Net:
        """Sweep over the units until no more weights fall, then widen the margins.

        The first start is plain. Others draw penalties and turn units round, the second one all of them;
        every second one lets weights come back that were 0.
        """
        rng = np.random.default_rng([self.seed, number])
        if number and len(net.hidden) > 1:
            flip = rng.random(len(net.hidden)) < 0.5
            net = _flipped(net, flip | (number == 1), self.task.halves[0])
        for sweep in range(SWEEPS):
            before = net.size
            net = self._sweep(net, rng, NOISE if number else 0.0, wide=number % 2 == 1)
            if (sweep and net.size >= before) or self.work > DEAR:
                break
        return self._polish(net)

    def _sweep(self, net: Net, rng: np.random.Generator, noise: float, wide: bool) -> Net:
        hidden = net.hidden.copy()
        net = Net(hidden, net.output)
        for k in rng.permutation(len(hidden)):
            penalty = np.exp(noise * rng.standard_normal(hidden.shape[1]))
            if noise and rng.random() < 0.5:
                penalty[0] = DEAR_BIAS
            hidden[k] = self._sparse(self.task.hidden_unit(net, int(k)), hidden[k], penalty, wide)
        if len(hidden) == 1:
            return net
        plain = np.ones(len(net.output))
        output = self._sparse(self.task.output_unit(net), net.output, plain, wide)
        return without_idle(Net(hidden, output), self.task.halves)

    def _polish(self, net: Net) -> Net:
        """Move hyperplanes into the middle of their gaps, with the weights that are left."""
        hidden = net.hidden.copy()
        net = Net(hidden, net.output)
        for k, weights in enumerate(net.hidden):
            unit, support = self.task.hidden_unit(net, k), np.flatnonzero(weights)
            w = self._refit(unit, weights, support, np.ones(len(weights)))
            hidden[k] = weights if w is None else w
        return net

    def _sparse(self, unit: Unit, weights: NDArray, penalty: NDArray, wide: bool) -> NDArray:
        """Find few weights for the unit: a linear program, then some weights less at a time, at last one.

        The smallest weights go first, and `penalty` shuffles them. Penalties fall with the size of a weight.
        """
        if np.abs(unit.wanted.sum()) == len(unit.wanted):
            return constant(len(weights), unit.wanted[0] if len(unit.wanted) else 1.0)
        free = unit.spread > 0
        w = self._refit(unit, weights, np.flatnonzero(free), penalty)
        best = now = weights if w is None else w
        free[0] = now[0] != 0 or penalty[0] != DEAR_BIAS
        untried, m = free.copy(), int(np.count_nonzero(now)) // 8
        while self.work <= DEAR and (untried & (now != 0)).any():
            size = np.abs(now) * unit.spread
            order = np.argsort(np.where(untried & (now != 0), size / penalty, np.inf), kind="stable")
            m = max(1, min(m, int(np.count_nonzero(untried & (now != 0))) // 2))
            support = free & (wide | (now != 0))
            support[order[:m]] = False
            w = self._refit(unit, now, np.flatnonzero(support), 1 / (size / size.max() + 0.1))
            if w is not None:
                free[order[:m]], now = False, w
                if np.count_nonzero(now) <= np.count_nonzero(best):
                    best = now
                continue
            untried[order[0]] = m > 1
            m //= 2
        return best if np.count_nonzero(best) <= np.count_nonzero(weights) else weights

    def _refit(self, unit: Unit, weights: NDArray, support: NDArray, penalty: NDArray) -> NDArray | None:
        """Find weights in `support` that keep right what `weights` get right, or else lose little enough."""
        if not len(support) or not len(unit.rows):
            return None
        right = unit.right(weights)
        kept = unit._replace(rows=unit.rows[right], wanted=unit.wanted[right], costs=unit.costs[right])
        w = self._separate(kept, support, penalty, weights) if right.any() else None
        if w is None and not right.all() and unit.rows[:, support].size < SOFT:
            w = self._soften(unit, support)
        return w if w is not None and unit.accepts(unit.costs[~unit.right(w)].sum()) else None

    def _separate(self, unit: Unit, support: NDArray, penalty: NDArray, near: NDArray) -> NDArray | None:
        """Minimise Σ penalty·|w| while every row keeps its distance; None if no weights can.

        Rows close to the hyperplane `near` come first, others join the linear program once they are violated.
        """
        G, centre, limits = _program(unit, support)
        least = 0.5 - unit.half * unit.wanted
        cost, some = np.tile((penalty * unit.spread)[support], 2), 50 + 4 * len(support)
        active = np.argsort(np.abs(unit.rows @ near + unit.half), kind="stable")[:some]
        while True:
            self.work += (len(active) + 50) * (len(support) + 10)
            w = _solve(cost, np.hstack([-G[active], G[active]]), -least[active], limits, len(support))
            if w is None:
                return None
            lack = least - G @ w
            lack[active] = 0.0
            worst = np.argsort(-lack)[:some]
            worst = worst[lack[worst] > 1e-7]
            if not len(worst):
                return _spread_out(unit, support, centre, w)
            active = np.concatenate([active, worst])

    def _soften(self, unit: Unit, support: NDArray) -> NDArray | None:
        """Minimise the summed lack of distance of the rows, then choose the bias with the fewest errors."""
        G, centre, limits = _program(unit, support)
        self.work += 2 * (len(G) + 50) * (len(support) + 10)
        cost = np.concatenate([np.full(len(limits), 1e-4 * unit.costs.mean()), unit.costs])
        A = hstack([-G, G, -eye_array(len(G))], format="csr")
        limits = np.vstack([limits, np.tile([0, np.inf], (len(G), 1))])
        w = _solve(cost, A, unit.half * unit.wanted - 0.5, limits, len(support))
        if w is None:
            return None
        weights = _spread_out(unit, support, centre, w)
        if support[0] == 0:
            _, low, high = gaps(unit, weights[None, 1:])
            weights[0] = -(low[0] + high[0]) / 2 - unit.half
        return weights


def _program(unit: Unit, support: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return the rows over `support` times their sides, centred if there is a bias, and the bounds."""
    A = unit.rows[:, support]
    centre = np.where(support == 0, 0.0, A.mean(axis=0) if support[0] == 0 else 0.0)
    largest = np.where(support == 0, np.inf, unit.bound)
    limits = np.column_stack([np.zeros(2 * len(support)), np.tile(largest, 2)])
    return unit.wanted[:, None] * (A - centre), centre, limits


def _solve(cost: NDArray, A: Any, b: NDArray, limits: NDArray, n: int) -> NDArray | None:
    """Solve a linear program over the positive and the negative parts of n weights, and slacks if any."""
    result = linprog(cost, A_ub=A, b_ub=b, bounds=limits, method="highs")
    return result.x[:n] - result.x[n : 2 * n] if result.status == 0 else None


def _spread_out(unit: Unit, support: NDArray, centre: NDArray, w: NDArray) -> NDArray:
    """Write the solution over `support` as the weights of all inputs."""
    weights = np.zeros(unit.rows.shape[1])
    weights[support] = w
    weights[0] -= w @ centre
    size = np.abs(weights) * unit.spread
    weights[size < 1e-9 * size.max()] = 0.0
    return weights


def constant(n: int, state: float) -> NDArray:
    """Return n weights that always answer `state`."""
    return np.where(np.arange(n) == 0, state, 0.0)


def _flipped(net: Net, flip: NDArray, half: float) -> Net:
    """Turn units round, which changes which of the sums 0 and -1 is which."""
    hidden = np.where(flip[:, None], -net.hidden, net.hidden)
    hidden[:, 0] -= 2 * half * flip
    return Net(hidden, net.output * np.concatenate([[1.0], np.where(flip, -1.0, 1.0)]))


def without_idle(net: Net, halves: tuple[float, float]) -> Net:
    """Drop the units that the output unit does not read; a single one that is left passes its state on."""
    used = net.output[1:] != 0
    net = Net(net.hidden[used], net.output[np.concatenate([[True], used])])
    if len(net.hidden) > 1:
        return net
    high, low = sign(net.output[0] + halves[1] + np.array([1.0, -1.0]) * net.output[1:].sum())
    if high == low:
        return Net(constant(net.hidden.shape[1], high)[None], ALONE)
    return Net(_flipped(net, np.array([high < low]), halves[0]).hidden, ALONE)


def gaps(unit: Unit, slopes: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """For each row of slopes find the gap between weighted sums where a threshold costs least.

    Return the cost and the sums below and above the gap, the widest one among equals.
    """
    f = unit.rows[:, 1:] @ slopes.T
    order = np.argsort(f, axis=0, kind="stable")
    f = np.take_along_axis(f, order, axis=0)
    none = np.full((1, f.shape[1]), unit.costs[unit.wanted < 0].sum())
    costs = np.vstack([none, none + np.cumsum((unit.wanted * unit.costs)[order], axis=0)])
    edges = np.vstack([f[:1] - 2, f, f[-1:] + 2])
    width = np.diff(edges, axis=0)
    costs[width <= 1e-9 * np.abs(f).max(axis=0)] = np.inf
    width[[0, -1]] = 0.0
    ties = costs <= costs.min(axis=0) + 1e-9 * unit.costs.sum()
    at, column = np.where(ties, width, -1.0).argmax(axis=0), np.arange(f.shape[1])
    return costs[at, column], edges[at, column], edges[at + 1, column]
