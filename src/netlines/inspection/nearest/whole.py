"""The smallest change in whole steps after which a row lies on given sides of some hyperplanes.

1. Each choice has costs, the squared lengths of its changes, and gains, how far they lead to each side.
2. Choices are decided one after the other, for many partial changes at once; free numbers come last.
3. What the rest costs at least, for a gain that is still lacking, is Lagrange's bound, max over λ of
   λ·lacking + Σ min over the changes of (cost - λ·gain): exact for free numbers, and for steps their hull.
4. With several hyperplanes the bound is the largest of those for each, and for a mixture of all.
5. A partial change goes if its cost and the bound are not below the best change known, or if of one
   hyperplane another one has as much gain for less.
6. A first pass that keeps few partial changes finds a good change, a second one that keeps many the best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from netlines.inspection.nearest.projection import nearest_in_box
from netlines.inspection.nearest.start import Start, length
from netlines.inspection.nearest.values import Values

NARROW, WIDE = 24, 4000  # partial changes that are kept in the first and in the second pass
MOST_CELLS = 400_000  # of a table of partial changes and values, at a time
MOST_COMPLETED = 150  # partial changes that are completed by free numbers one by one
MOST_CHECKED = 60  # of those that need no free numbers
N_SLOPES = 80  # values of λ that are tried, first coarsely, then finely
SLACK = 1e-9  # of lengths

EFFORT = 12_000_000  # cells that are filled for a row, all in all
A_COMPLETION, A_TRIAL = 3000, 100  # cells that take as long

Check = Callable[[NDArray], NDArray]  # which of some rows (n, N) are good, shape (n,)


@dataclass(eq=False)
class Effort:
    """What may still be done for a row."""

    left: int = EFFORT


@dataclass(frozen=True, eq=False)
class Partial:
    """Partial changes: what they cost, what they still lack of each gain, and which values they have."""

    cost: NDArray  # (n,)
    lacking: NDArray  # (n, Q)
    picks: NDArray  # (n, number of choices so far), 0: as it is
    count: NDArray  # (n,), how many attributes change

    def some(self, which: NDArray) -> Partial:
        return Partial(self.cost[which], self.lacking[which], self.picks[which], self.count[which])


class Whole:
    """The whole changes of a row.

    Parameters
    ----------
    start : Start
        Its free inputs are those of the values.
    values : Values
    most : int or None
        How many attributes may change; None: all.
    effort : Effort or None
        What may be done; None: the usual.
    """

    def __init__(
        self, start: Start, values: Values, most: int | None = None, effort: Effort | None = None
    ) -> None:
        self.start, self.most = start, most
        self.effort = Effort() if effort is None else effort
        place = {int(i): k for k, i in enumerate(start.free)}
        self.numbers = [place[i] for i in values.numbers]
        self.columns = [[place[i] for i in one.inputs] for one in values.choices]
        self.values = [one.values for one in values.choices]
        self.complete = all(one.complete for one in values.choices)
        self.changes = [
            (one.values - start.x[list(one.inputs)]) / start.scale[own]
            for one, own in zip(values.choices, self.columns, strict=True)
        ]
        self.costs = [(change**2).sum(axis=1) for change in self.changes]

    def nearest(
        self, G: NDArray, right: NDArray, room: NDArray, check: Check, best: float
    ) -> tuple[NDArray | None, bool]:
        """Return the row of the smallest change with G·change ≥ right, and whether none is smaller.

        Parameters
        ----------
        G, right : arrays of shape (m, number of free inputs) and (m,)
        room : array of shape (m,)
            By how much free numbers should go beyond, so that rounding does not undo it.
        check : Check
            A row that fails it is none.
        best : float
            The squared length below which a change is looked for.
        """
        relaxed = nearest_in_box(G, right, self.start.low, self.start.high, SLACK)
        if relaxed is None or relaxed @ relaxed * (1 - SLACK) >= best:
            return None, True
        task, row = Task(self, G, right, room, relaxed), None
        for width in (NARROW, WIDE):
            found, cost, exact = task.run(width, check, best)
            if found is not None:
                row, best = found, cost
            if exact or self.effort.left <= 0:
                break
        return row, exact and self.complete


class Task:
    """One question to `Whole`: the sides wanted, and the bounds that belong to them."""

    def __init__(self, whole: Whole, G: NDArray, right: NDArray, room: NDArray, relaxed: NDArray) -> None:
        self.whole, self.m, self.room = whole, len(G), room
        if self.m > 1 and relaxed.any():  # the mixture that decides if no step has to be whole
            shares = nnls(G.T, relaxed)[0]
            size = length(shares @ G)
            if size > 0:
                shares = shares / size
                G, right = np.vstack([G, shares @ G]), np.append(right, shares @ right)
        self.G, self.right = G, right
        self.options = self._options()
        self.order = sorted(self.options, key=lambda j: (len(self.options[j][1]), -self.options[j][2].max()))
        self.free = [k for k in whole.numbers if G[: self.m, k].any() or not self._rests(k)]
        middle = 2 * np.maximum(np.abs(right), 1e-3 * np.abs(right).max(initial=0.0) + 1e-12)
        self.slopes = _around(middle, 1e-2, 1e3)
        self.lines, self.reach = self._lines()
        if len(right):  # once more, finely around the one that decides
            best = (self.lines[0] + self.slopes * right).argmax(axis=0)
            near = _around(np.maximum(self.slopes[best, range(len(right))], 1e-3 * middle), 0.7, 1.4)
            self.slopes = np.sort(np.vstack([self.slopes, near[1:]]), axis=0)
            self.lines, self.reach = self._lines()
        steps = np.maximum(np.diff(self.slopes, axis=0), np.finfo(float).tiny)
        self.turns = np.maximum.accumulate(-np.diff(self.lines, axis=1) / steps, axis=1)

    def _rests(self, k: int) -> bool:
        return bool(self.whole.start.low[k] <= 0 <= self.whole.start.high[k])

    def _options(self) -> dict[int, tuple[NDArray, NDArray, NDArray]]:
        """Return of each choice that helps the numbers of its values, costs and gains; first: as it is."""
        found, whole = {}, self.whole
        for j, (own, change, cost) in enumerate(zip(whole.columns, whole.changes, whole.costs, strict=True)):
            gain = change @ self.G[:, own].T
            useful = (gain[:, : self.m] > 0).any(axis=1)
            order = np.flatnonzero(useful)[np.argsort(cost[useful], kind="stable")]
            if self.m == 1 and len(order):
                top = np.maximum.accumulate(gain[order, 0])
                order = order[np.append(True, top[1:] > top[:-1])]
            if len(order):
                stay = np.zeros((1, len(self.G)))
                found[j] = np.append(-1, order), np.append(0.0, cost[order]), np.vstack([stay, gain[order]])
        return found

    def _lines(self) -> tuple[NDArray, NDArray]:
        """Return Σ min(cost - λ·gain) of all that comes after so many choices, and its largest gains."""
        start, Q, slopes = self.whole.start, len(self.G), self.slopes
        rest, reach = np.zeros_like(slopes), np.zeros(Q)
        for k in self.free:
            a, low, high = self.G[:, k], start.low[k], start.high[k]
            t = np.clip(slopes * a / 2, low, high)
            rest += t * t - slopes * a * t
            with np.errstate(invalid="ignore"):
                reach += np.where(a == 0, 0.0, np.maximum(a * low, a * high))
        lines, reaches = [rest], [reach]
        for j in reversed(self.order):
            _, cost, gain = self.options[j]
            least = (cost[:, None, None] - slopes * gain[:, None, :]).min(axis=0)
            lines.append(lines[-1] + least)
            reaches.append(reaches[-1] + gain.max(axis=0))
        return np.array(lines[::-1]), np.array(reaches[::-1])

    def bound(self, depth: int, lacking: NDArray) -> NDArray:
        """Return what is still to be paid at least for what is lacking (..., Q), after so many choices."""
        found = np.zeros(lacking.shape[:-1])
        for q in range(lacking.shape[-1]):
            at = np.searchsorted(self.turns[depth][:, q], lacking[..., q])
            least = self.lines[depth][at, q] + self.slopes[at, q] * lacking[..., q]
            found = np.maximum(found, least)
            found[lacking[..., q] > self.reach[depth][q] + self.slack(q)] = np.inf
        return found

    def slack(self, q: int) -> float:
        """Return what rounding may take from a gain."""
        return 1e-12 * (1.0 + abs(float(self.right[q])))

    def run(self, width: int, check: Check, best: float) -> tuple[NDArray | None, float, bool]:
        """Return a row, the cost of it, and whether there is none that costs less."""
        now = Partial(np.zeros(1), self.right[None].copy(), np.zeros((1, 0), dtype=np.intp), np.zeros(1, int))
        whole = True
        for depth, j in enumerate(self.order, start=1):
            now, cut = self._decided(now, j, depth, width, best)
            whole &= not cut
            if not len(now.cost):
                return None, best, whole
        row, cost, done = self._completed(now, check, best, width)
        return row, cost, whole and done

    def _decided(self, now: Partial, j: int, depth: int, width: int, best: float) -> tuple[Partial, bool]:
        """Return the partial changes with one more choice decided, and whether some were given up."""
        _, cost, gain = self.options[j]
        able = max(int(np.searchsorted(cost, best)), 1)
        cost, gain = cost[:able], gain[:able]
        size = max(MOST_CELLS // (len(cost) * len(self.G)), 1)
        found, bounds, cut = [], [], False
        for first in range(0, len(now.cost), size):
            some = now.some(np.arange(first, min(first + size, len(now.cost))))
            self.whole.effort.left -= len(some.cost) * len(cost) * len(self.G)
            total = some.cost[:, None] + cost
            lacking = some.lacking[:, None, :] - gain
            reach = total + self.bound(depth, lacking)
            count = some.count[:, None] + (np.arange(len(cost)) > 0)
            keep = reach < best
            if self.whole.most is not None:
                keep &= count <= self.whole.most
            rows, picks = np.nonzero(keep)
            chosen = np.column_stack([some.picks[rows], picks])
            found.append(Partial(total[keep], lacking[keep], chosen, count[keep]))
            bounds.append(reach[keep])
        parts = [np.concatenate([getattr(one, name) for one in found]) for name in Partial.__annotations__]
        merged, bound = Partial(*parts), np.concatenate(bounds)
        if self.m == 1:
            kept = self._undominated(merged)
            merged, bound = merged.some(kept), bound[kept]
        if len(bound) > width:
            kept = np.sort(np.argsort(bound, kind="stable")[:width])
            merged, cut = merged.some(kept), True
        return merged, cut

    def _undominated(self, now: Partial) -> NDArray:
        """Return the partial changes of which no other one has as much gain for less."""
        kept = []
        for count in np.unique(now.count) if self.whole.most is not None else [None]:
            own = np.arange(len(now.cost)) if count is None else np.flatnonzero(now.count == count)
            order = own[np.lexsort((now.lacking[own, 0], now.cost[own]))]
            least = np.minimum.accumulate(now.lacking[order, 0])
            kept.append(order[np.append(True, least[1:] < least[:-1])] if len(order) else order)
        return np.sort(np.concatenate(kept)) if kept else np.zeros(0, dtype=np.intp)

    def _completed(
        self, now: Partial, check: Check, best: float, width: int
    ) -> tuple[NDArray | None, float, bool]:
        """Return the best row that free numbers make of partial changes, its cost, and whether it is that."""
        lacking = now.lacking[:, : self.m]
        enough = (lacking <= 0).all(axis=1) & all(map(self._rests, self.free))
        row, done = None, True
        for i in np.flatnonzero(enough)[np.argsort(now.cost[enough], kind="stable")][:MOST_CHECKED]:
            if now.cost[i] >= best:
                break
            candidate = self._row(now.picks[i], np.zeros(0))
            if check(candidate[None])[0]:
                row, best = candidate, float(now.cost[i])
                break
            done = False  # it may have pushed others aside
        if not self.free:
            return row, best, done
        bounds = now.cost + self.bound(len(self.order), now.lacking)
        left = MOST_COMPLETED if width == WIDE else NARROW
        for i in np.argsort(bounds, kind="stable"):
            if bounds[i] >= best:
                break
            if self.whole.most is not None and now.count[i] >= self.whole.most:
                continue
            if not left or self.whole.effort.left <= 0:
                return row, best, False
            left -= 1
            change, told = self._numbers(lacking[i], now.count[i], best - float(now.cost[i]))
            done &= told
            if change is None:
                continue
            cost = float(now.cost[i] + change @ change)
            if cost < best:
                candidate = self._row(now.picks[i], change)
                if check(candidate[None])[0]:
                    row, best = candidate, cost
                else:
                    done = False
        return row, best, done

    def _numbers(self, lacking: NDArray, count: int, best: float) -> tuple[NDArray | None, bool]:
        """Return the smallest change of the free numbers that gives what is lacking, or None."""
        start, most = self.whole.start, self.whole.most
        right = lacking + self.room
        own = self.free
        self.whole.effort.left -= A_COMPLETION
        if most is None or most - count >= len(own):
            task = self.G[: self.m, own], start.low[own], start.high[own]
            found = nearest_in_box(task[0], right, *task[1:])
            # Without room on hyperplanes alone nothing is claimed.
            return found, found is not None or nearest_in_box(task[0], lacking, *task[1:]) is None
        return self._few_numbers(right, most - int(count), best)

    def _few_numbers(self, right: NDArray, most: int, best: float) -> tuple[NDArray | None, bool]:
        """Return the smallest change of so many free numbers at most, and whether all were tried."""
        low, high = (end[self.free] for end in (self.whole.start.low, self.whole.start.high))
        G, found = self.G[: self.m, self.free], None
        must = [k for k, number in enumerate(self.free) if not self._rests(number)]
        may = [k for k in range(len(self.free)) if k not in must]
        with np.errstate(invalid="ignore"):
            ends = np.where(G == 0, 0.0, np.maximum(G * low, G * high))
        for some in combinations(may, max(most - len(must), 0)):
            own = [*must, *some]
            self.whole.effort.left -= A_TRIAL
            if self.whole.effort.left <= 0:
                return found, False
            if (ends[:, own].sum(axis=1) < right).any():
                continue
            self.whole.effort.left -= A_COMPLETION
            change = nearest_in_box(G[:, own], right, low[own], high[own])
            if change is not None and change @ change < best:
                best, found = float(change @ change), np.zeros(len(self.free))
                found[own] = change
        return found, True

    def _row(self, picks: NDArray, change: NDArray) -> NDArray:
        """Return the row that choices and free numbers make."""
        start, whole = self.whole.start, self.whole
        row = start.x.copy()
        if len(change):
            own = start.free[self.free]
            moved = np.clip(
                row[own] + change * start.scale[self.free], *(end[self.free] for end in start.limits)
            )
            row[own] = np.where(change == 0, row[own], moved)
        for j, pick in zip(self.order, picks.tolist(), strict=True):
            number = self.options[j][0][pick]
            if number >= 0:
                row[start.free[whole.columns[j]]] = whole.values[j][number]
        return row


def _around(middle: NDArray, first: float, last: float) -> NDArray:
    """Return values of λ around a middle one, shape (N_SLOPES, Q), the first of them 0."""
    factors = np.append(0.0, np.geomspace(first, last, N_SLOPES - 1))
    return factors[:, None] * middle
