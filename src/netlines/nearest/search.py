"""The smallest change of a row where hidden states decide: branch and bound over the states of the units."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from netlines.codes import answers_of_codes
from netlines.nearest.projection import project
from netlines.nearest.task import Task, length
from netlines.network import Network, sign
from netlines.networks import Networks

BUDGET = 3000  # the most least distance problems for a row
FEW = 60  # as many where the hidden states do not decide alone
TIED = -1  # the number of the answer where a vote is tied: margins decide


class Codes:
    """What a network whose hidden states decide answers to them, to all or to a part of them."""

    def __init__(self, network: Network | Networks) -> None:
        self.network = network
        if isinstance(network, Networks):
            labels = network.classes.tolist()
            self.orders = [[labels.index(label) for label in one] for one in network.learning_sequences]
            self.ends = np.cumsum([part.network.n_hidden for part in network.parts])[:-1]

    def answer(self, code: NDArray) -> int:
        """Return the number of the class that the states of all units give, or `TIED`."""
        return int(answers_of_codes(self.network, code[None])[0])

    def possible(self, states: NDArray) -> NDArray[np.bool_]:
        """Return which classes the states of some units, 0 where they are free, leave possible, shape (C,).

        Of several trees a class must be able to get as many votes as any other has for certain.
        """
        network = self.network
        if isinstance(network, Network):
            return _possible(network, states)
        by_part = zip(network.parts, np.split(states, self.ends), strict=True)
        says = [_possible(part.network, own) for part, own in by_part]
        leaves = np.zeros((len(network.trees), network.n_classes), dtype=bool)
        for row, tree, order in zip(leaves, network.trees, self.orders, strict=True):
            for k, number in zip(tree, order, strict=False):
                row[number] = says[k][1]
                if not says[k][0]:
                    break
            else:
                row[order[-1]] = True
        certain = (leaves & (leaves.sum(axis=1, keepdims=True) == 1)).sum(axis=0)
        return leaves.sum(axis=0) >= certain.max()


def _possible(network: Network, states: NDArray) -> NDArray[np.bool_]:
    """Return which classes of one network the states leave possible, by bounds of the output sums."""
    weights = network.output_weights
    if network.n_classes == 2:
        if network.n_hidden == 1:
            return np.array([states[0] <= 0, states[0] >= 0])
        weights = np.vstack([-weights, weights]) / 2
    leads = weights[:, None] - weights
    most = leads[..., 0] + leads[..., 1:] @ states + np.abs(leads[..., 1:]) @ (states == 0)
    return np.asarray((most >= -1e-9 * np.abs(leads).sum(axis=2)).all(axis=1))


def search(task: Task, codes: Codes | None) -> tuple[NDArray | None, bool]:
    """Return the smallest change by branch and bound, best first, and whether it is certainly the smallest.

    A node fixes the states of some units. Its bound is the distance to the intersection of their half-spaces.
    If the states at the nearest point of it do not give an allowed answer, some unit that is still free has
    another state than there: the children are, unit after unit, that it differs and those before do not.
    Without codes, or at a tie, only the nearest points themselves are tried.
    """
    labels = task.network.classes
    wanted = np.append((labels[:, None] == task.wanted).any(axis=1), True)  # a tie may be settled so
    doubt, left, number = np.inf, BUDGET if codes else FEW, count(1)
    start = np.where(task.normals.any(axis=1), 0.0, task.code)
    heap: list[tuple[float, int, NDArray, NDArray | None]] = [(0.0, 0, start, np.zeros(len(task.free)))]
    while heap and left:
        bound, _, states, change = heapq.heappop(heap)
        if change is None:
            left -= 1
            change = project(task, states)
            if change is None:
                continue
            bound = max(bound, length(change))
            if heap and bound > heap[0][0]:
                heapq.heappush(heap, (bound, next(number), states, change))
                continue
        fields = task.normals @ change + task.distances
        code = np.where(states != 0, states, sign(fields))
        answer = codes.answer(code) if codes else TIED
        if answer == TIED:
            doubt = min(doubt, bound)
        if wanted[answer] and task.flips_one(change):
            return change, bound <= doubt and answer != TIED
        if wanted[answer] and codes and not states.all():  # a free unit is in the balance: fix them all
            heapq.heappush(heap, (bound, next(number), code, None))
        for child, k in _children(states, code, fields):
            if codes is None or wanted[:-1][codes.possible(child)].any():
                reach = abs(task.distances[k]) if child[k] != task.code[k] else 0.0
                heapq.heappush(heap, (max(bound, reach), next(number), child, None))
    return None, not heap and doubt == np.inf


def _children(states: NDArray, code: NDArray, fields: NDArray) -> Iterator[tuple[NDArray, int]]:
    """Yield the states that leave a code at one unit after the other, the furthest first, and that unit.

    So the nearest ones, which are looked at first, leave the least free.
    """
    for k in sorted(np.flatnonzero(states == 0).tolist(), key=lambda k: -abs(fields[k])):
        child = states.copy()
        child[k] = -code[k]
        yield child, k
        states = states.copy()
        states[k] = code[k]
