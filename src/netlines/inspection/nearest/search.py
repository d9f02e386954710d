"""The smallest change of a row where hidden states decide: branch and bound over the states of the units."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.bounds import TIED, Codes
from netlines.inspection.nearest.projection import project
from netlines.inspection.nearest.start import FAR, Start, length
from netlines.network.network import sign

BUDGET = 3000  # the most least distance problems for a row
FEW = 60  # as many where the hidden states do not decide alone
REST = 200  # as many that may follow when it is clear that the result will not be exact
NEARLY = 1e-8  # how much further away an exact row may be, in parts of it or in standard deviations


def search(start: Start, codes: Codes | None) -> tuple[NDArray | None, bool]:
    """Return the nearest row by branch and bound, best first, and whether it is certainly the nearest.

    A node fixes the states of some units. Its bound is the distance to the intersection of their half-spaces.
    If the states at the nearest point of it do not give an allowed answer, some unit that is still free has
    another state than there: the children are, unit after unit, that it differs and those before do not.
    Without codes, or at a tie, only the nearest points themselves are tried.
    """
    wanted = np.append(start.wanted, True)  # a tie may be settled so
    doubt, left, number = FAR if start.far else np.inf, BUDGET if codes else FEW, count(1)
    open_ones = np.where(start.normals.any(axis=1), 0.0, start.code)
    heap: list[tuple[float, int, NDArray, NDArray | None]] = [(0.0, 0, open_ones, np.zeros(len(start.free)))]
    while heap and left:
        bound, _, states, change = heapq.heappop(heap)
        if change is None:
            left -= 1
            change = project(start, states)
            if change is None:
                continue
            bound = max(bound, length(change))
            if heap and bound > heap[0][0]:
                heapq.heappush(heap, (bound, next(number), states, change))
                continue
        fields = start.normals @ change + start.distances
        code = np.where(states != 0, states, sign(fields))
        answer = codes.answer(code) if codes else TIED
        if wanted[answer] and start.flips_one(change):
            row = start.rows(change)
            return row, answer != TIED and start.norm(row) <= min(doubt, bound) + NEARLY * (1 + bound)
        # Margins may decide; or the answer may exist exactly on hyperplanes alone, which rounding misses.
        if answer == TIED or (wanted[answer] and states.all()):
            doubt, left = min(doubt, bound), min(left, REST)
        if wanted[answer] and codes and not states.all():  # a free unit is in the balance: fix them all
            heapq.heappush(heap, (bound, next(number), code, None))
        for child, k in children(states, code, fields):
            if codes is None or wanted[:-1][codes.possible(child)].any():
                reach = abs(start.distances[k]) if child[k] != start.code[k] else 0.0
                heapq.heappush(heap, (max(bound, reach), next(number), child, None))
    return None, not heap and doubt == np.inf


def children(states: NDArray, code: NDArray, fields: NDArray) -> Iterator[tuple[NDArray, int]]:
    """Yield the states that leave a code at one unit after the other, the furthest first, and that unit.

    So the nearest ones, which are looked at first, leave the least free.
    """
    for k in sorted(np.flatnonzero(states == 0).tolist(), key=lambda k: -abs(fields[k])):
        child = states.copy()
        child[k] = -code[k]
        yield child, k
        states = states.copy()
        states[k] = code[k]
