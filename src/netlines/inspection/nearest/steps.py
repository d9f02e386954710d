"""Find the smallest change of a row in whole steps that changes the answer of a network.

numpy and scipy only. Categories change as a whole, integers by whole numbers, inputs of two values to the
other one, dates by days, and other numbers as they like, all within limits. Small is the Euclidean norm in
standardised units, of a category that of the change of its inputs.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.inputs import InputRows
from netlines.inspection.nearest.bounds import TIED, Codes
from netlines.inspection.nearest.flip import Flip, shortened
from netlines.inspection.nearest.projection import margin, project
from netlines.inspection.nearest.search import children
from netlines.inspection.nearest.start import FAR, Start, length
from netlines.inspection.nearest.trials import try_steps
from netlines.inspection.nearest.values import Values, values_of
from netlines.inspection.nearest.whole import Effort, Whole
from netlines.network.protocol import AnyNetwork

BUDGET = 3000  # the most parts of the space around a row that are looked at
MOST_OUTSIDE = 3  # numbers beyond their limits of which all combinations are tried


def search_whole(
    network: AnyNetwork,
    x: NDArray,
    *,
    free: Collection[int],
    low: NDArray,
    high: NDArray,
    given: Collection[int] = (),
    fewest: bool = False,
) -> tuple[Flip | None, bool]:
    """Return the nearest other answer in whole steps, and whether there is none nearer.

    Without a flip the second tells whether there is none at all.

    Parameters
    ----------
    network : Network or Networks
    x : array of shape (N,)
    free : numbers of the inputs that may change, see `values_of`
    low, high : arrays of shape (N,)
        The limits of changed values; the row itself may lie beyond them.
    given : numbers of the inputs whose limits the user gave
    fewest : bool
        Whether the number of changed attributes counts first, the distance only among equals.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.nearest import search_whole
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> rows = np.array([[5, 0, 0, 1], [6, 1, 0, 0], [8, 0, 1, 0]])  # a number and three categories
    >>> network = Network([[-7.5, 1, 0, 2, 0]], PASS_ON, [0, 1], background=describe(rows))
    >>> about = network.surroundings
    >>> flip, exact = search_whole(network, rows[0] * 1.0, free=range(4), low=about.low, high=about.high)
    >>> flip.row.tolist(), exact
    ([8.0, 0.0, 0.0, 1.0], True)
    """
    values = values_of(network, x, free, low, high, given)
    found: list[tuple[Flip, bool]] = []
    with np.errstate(over="ignore"):
        beyond = np.maximum(low - x, x - high) / network.surroundings.scale
    near = tuple(i for i in values.outside if beyond[i] < FAR)
    exact = len(values.outside) == len(near) <= MOST_OUTSIDE
    for moved in _subsets(near):
        kept = tuple(i for i in values.numbers if i not in values.outside or i in moved)
        flip, sure = _search(network, x, replace(values, numbers=kept), low, high, fewest)
        exact &= sure
        if flip is not None:
            found.append((flip, sure))
    if not found:
        return None, exact
    size = {id(flip): _changed(flip, values) if fewest else 0 for flip, _ in found}
    best, _ = min(found, key=lambda pair: (size[id(pair[0])], pair[0].norm))
    return replace(best, exact=exact), exact


def _subsets(outside: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return which numbers beyond their limits come within them: all subsets, of many only the simplest."""
    sizes = range(len(outside) + 1) if len(outside) <= MOST_OUTSIDE else (0, 1, len(outside))
    return [some for size in sizes for some in combinations(outside, size)]


def _changed(flip: Flip, values: Values) -> int:
    """Return how many attributes a flip changes."""
    groups = [*(one.inputs for one in values.choices), *((i,) for i in values.numbers)]
    return sum(bool(flip.change[list(inputs)].any()) for inputs in groups)


def _search(
    network: AnyNetwork, x: NDArray, values: Values, low: NDArray, high: NDArray, fewest: bool
) -> tuple[Flip | None, bool]:
    start = _start(network, x, values, low, high)
    if not start.wanted.any() or not len(start.free):
        return None, True
    codes = Codes(network) if network.code_decides else None
    sizes = range(1, len(values.choices) + len(values.numbers) + 1) if fewest else [None]
    row, exact, effort = None, True, Effort()
    for most in sizes:
        whole = Whole(start, values, most, effort)
        row, sure = (None, False) if codes is None else _by_codes(start, codes, whole)
        if not sure:
            row = try_steps(start, whole, row)
        exact &= sure
        if row is not None or effort.left <= 0:
            break
    if row is None and not exact and fewest:  # the nearest one at least
        return _search(network, x, values, low, high, False)[0], False
    if row is None:
        return None, exact
    steps = [i for one in values.choices for i in one.inputs]
    if (row[steps] == x[steps]).all() and ((start.low <= 0) & (start.high >= 0)).all():
        row = shortened(start, row)
    label = network.predict(row[None]).tolist()[0]
    return Flip(row, row - x, start.norm(row), label, exact), exact


def _start(network: AnyNetwork, x: NDArray, values: Values, low: NDArray, high: NDArray) -> Start:
    """Return the row with the limits that its values have, without those of whole steps."""
    bottom, top = x.copy(), x.copy()
    for one in values.choices:
        own = list(one.inputs)
        bottom[own] = np.minimum(one.values.min(axis=0), x[own])
        top[own] = np.maximum(one.values.max(axis=0), x[own])
    numbers = list(values.numbers)
    bottom[numbers], top[numbers] = np.minimum(low, x)[numbers], np.maximum(high, x)[numbers]
    free = sorted({*numbers, *(i for one in values.choices for i in one.inputs)})
    start = Start.of(network, x.view(InputRows), None, free, bottom, top)
    moved = [i for i in values.outside if i in numbers]
    if not moved:
        return start
    limits = np.where(np.isin(start.free, moved), [low[free], high[free]], start.limits)
    with np.errstate(over="ignore"):  # a limit that is so far away is none
        down, up = ((end - x[free]) / start.scale for end in limits)
    return replace(start, low=down, high=up, limits=(limits[0], limits[1]))


def _by_codes(start: Start, codes: Codes, whole: Whole) -> tuple[NDArray | None, bool]:
    """Return the nearest row where hidden states decide, and whether it is certainly that.

    As `search` does, best first. Each part of the space is looked at twice: without whole steps, which gives
    a bound, and then with them.
    """
    wanted, network = np.append(start.wanted, True), start.network
    exact, left, number = not start.far, BUDGET, count(1)
    best: NDArray | None = None  # the nearest one that is known
    fixed = np.where(start.normals.any(axis=1), 0.0, start.code)
    heap: list[tuple[float, int, NDArray, str, NDArray | None]] = [(0.0, 0, fixed, "whole", None)]
    while heap and left and whole.effort.left > 0:
        bound, _, states, stage, row = heapq.heappop(heap)
        left -= 1
        if stage == "bound":
            change = project(start, states)
            if change is not None:
                bound = max(bound, length(change))
                heapq.heappush(heap, (bound, next(number), states, "whole", None))
            continue
        if stage == "whole":
            row, sure = _nearest(start, states, whole)
            exact &= sure
            if row is None:
                continue
            if start.allows(row):
                best = min((one for one in (best, row) if one is not None), key=start.norm)
            bound = max(bound, start.norm(row))
            if heap and bound > heap[0][0]:
                heapq.heappush(heap, (bound, next(number), states, "row", row))
                continue
        if row is None:
            continue
        code = network.internal_representation(row[None])[0]
        answer = codes.answer(code)
        if wanted[answer] and start.allows(row):
            return row, exact and answer != TIED
        exact &= answer != TIED
        fields = start.normals @ start.change_to(row) + start.distances
        for child, k in children(states, code, fields):
            if wanted[:-1][codes.possible(child)].any():
                reach = abs(start.distances[k]) if child[k] != start.code[k] else 0.0
                stage = "bound" if np.count_nonzero(child != fixed) > 1 else "whole"
                heapq.heappush(heap, (max(bound, reach), next(number), child, stage, None))
    return best, exact and not heap


def _nearest(start: Start, states: NDArray, whole: Whole) -> tuple[NDArray | None, bool]:
    """Return the nearest row in whole steps at which units have given states, 0: any."""
    use = np.flatnonzero((states != 0) & start.normals.any(axis=1))
    sides = states[use]
    right = -sides * start.distances[use] - sides * start.blur[use]

    def fits(rows: NDArray) -> NDArray:
        return np.asarray((start.network.internal_representation(rows)[:, use] == sides).all(axis=1))

    room = margin(start, states)[use] + start.blur[use]
    return whole.nearest(sides[:, None] * start.normals[use], right, room, fits, FAR)
