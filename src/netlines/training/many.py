"""Trains one unit on many patterns, in tens of passes over few of them.

1. Some of the patterns find the start: short anneals from Hebb's rule, on the patterns as they are and scaled
   to the norm 1, which lets outliers count like any other.
2. More of them take the hyperplane in a few steps to where all will find it.
3. All patterns cool it. The colder it is, the fewer are near enough to have a weight in the window, and only
   these are passed over. Where the unit vector moves by d, no stability changes by more than d times the norm
   of its pattern: within a distance chosen beforehand the others stay where they are, right or wrong.
   Beyond it all are looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from netlines.training.minimerror import MOMENTUM, SLACK, Unit, hebb, preconditioner


@dataclass(frozen=True)
class Numbers:
    """What was tuned on made-up tables of 10^5 and 10^6 rows."""

    first: int = 5_000  # patterns that find the start,
    first_a_weight: int = 40  # more of them where there are many weights
    more: int = 100_000  # of the second part: at most a quarter of all patterns, and at least a tenth
    theta: float = 2.0
    pace: float = 10.0  # times the preconditioned step
    momentum: float = 0.3
    window: float = 20.0  # γ/T from which on sech²(γ/2T), below 10⁻⁸, is 0
    fastest: float = 30.0  # times the pace, where few patterns are near the hyperplane
    slowest: int = 8  # steps at one temperature, there
    room: float = 1.0  # windows that patterns of ordinary norm may come closer before all are looked at again
    segment: int = 13  # steps until nearer ones are taken
    turn: float = 2.0  # 1/T₊ at which all patterns take over, times the third root of their number before
    steps: float = 8.0  # while 1/T₊ grows by the factor e, of 10^5 patterns or more; of fewer more,
    most_steps: float = 20.0  # up to these
    few: float = 1e-4  # share of errors up to which other temperature ratios are tried
    others: tuple[float, ...] = (6.0, 20.0)  # which let errors count from farther away


NUMBERS = Numbers()
START = np.geomspace(3.0, 200.0, 30)
START_SCALED = np.geomspace(3.0, 500.0, 40)  # scaled patterns are nearer to the hyperplane
HOT, COLDEST = 20.0, 3000.0  # 1/T₊ of the second part, and at the end
ROUNDING = 1e-6  # of stabilities of single precision, as a share of the norm of a pattern


class Near(NamedTuple):
    """The patterns near a hyperplane, and the weight of the errors among the others."""

    patterns: Columns
    outside: float


class ManyPatterns(Protocol):
    """Patterns folded with their targets, wherever they are."""

    @property
    def s(self) -> NDArray:
        """Their weights, shape (P,)."""

    def first(self, n: int) -> Columns:
        """Return the first n, or all."""

    def near(self, u: NDArray, reach: NDArray) -> Near:
        """Return those that count for unit vectors near u, with the `reach` of `_rows.near_rows`."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Patterns in memory: X (M, P), feature-major, and their weights s (P,)."""

    X: NDArray
    s: NDArray

    def first(self, n: int) -> Columns:
        """Return the first n, or all."""
        return Columns(np.ascontiguousarray(self.X[:, :n]), self.s[:n])

    def near(self, u: NDArray, reach: NDArray) -> Near:
        """Return those that count for unit vectors near u."""
        from netlines.training._rows import near_patterns

        codes = np.empty(len(self.s), dtype=np.uint8)
        near_patterns(self.X, u, reach, codes)  # folded, each has the target +1
        found = np.flatnonzero(codes & 2)
        outside = float(self.s[codes == 4].sum())
        return Near(Columns(self.X.take(found, axis=1), self.s[found]), outside)


class Level(NamedTuple):
    """Patterns that hold all that count within a distance of a unit vector; the errors among the others."""

    patterns: ManyPatterns
    outside: float
    centre: NDArray
    radius: float

    def left(self, u: NDArray) -> float:
        """Return how far u is from where the patterns do not suffice."""
        return self.radius - float(np.sqrt(((u - self.centre) ** 2).sum()))


def train_many(patterns: ManyPatterns, theta: float | None = None) -> Unit:
    """Train a unit on many patterns, which are in no particular order.

    Parameters
    ----------
    patterns : thousands of them
    theta : the temperature ratio T₋/T₊; None takes those that were found to be good
    """
    n_all = len(patterns.s)
    some = patterns.first(n_first(n_all, len(patterns.first(1).X)))
    G = NUMBERS.pace * preconditioner(some.X, some.s)
    start = _start(some, G, NUMBERS.theta if theta is None else theta)
    more = patterns.first(max(len(some.s), min(n_all // 4, NUMBERS.more), n_all // 10))
    turn = min(max(NUMBERS.turn * np.cbrt(len(more.s)), 2 * HOT), COLDEST / 2)
    pace = min(max(NUMBERS.steps * 1e5 / n_all, NUMBERS.steps), NUMBERS.most_steps)
    middle, _ = _anneal(more, start.weights, G, _cooling(HOT, turn, pace), start.theta)
    passes = start.epochs * len(some.s) + middle.epochs * len(more.s)
    del some, more
    betas = _cooling(turn, max(COLDEST, n_all), pace)  # until few patterns are in the window
    best = _cool(patterns, middle.weights, G, betas, start.theta)
    passes += best.epochs * n_all
    for ratio in NUMBERS.others if theta is None else ():
        if not 0 < best.errors <= NUMBERS.few * patterns.s.sum():
            break
        other = _cool(patterns, best.weights, G, betas, ratio)
        best = other if other.errors < best.errors else best
        passes += other.epochs * n_all
    return replace(best, epochs=passes // n_all)


def _cooling(hot: float, cold: float, steps: float) -> NDArray:
    """Return 1/T₊ step by step."""
    return np.geomspace(hot, cold, int(steps * np.log(cold / hot)) + 1)


def are_many(n_patterns: int, n_weights: int) -> bool:
    """Tell whether a part of so many patterns finds the start."""
    return n_patterns > 2 * max(NUMBERS.first, NUMBERS.first_a_weight * n_weights)


def n_first(n_patterns: int, n_weights: int) -> int:
    """Return how many patterns find the start."""
    return min(n_patterns, max(NUMBERS.first, NUMBERS.first_a_weight * n_weights))


def _start(patterns: Columns, G: NDArray, theta: float) -> Unit:
    """Return the better of two anneals, with the passes of both."""
    X, s = patterns.X, patterns.s
    scaled = Columns(X / np.sqrt((X**2).sum(axis=0)), s)
    own = preconditioner(scaled.X, s)
    plain, _ = _anneal(patterns, hebb(X, s), G, START, theta)
    other, _ = _anneal(scaled, hebb(scaled.X, s), own, START_SCALED, theta, MOMENTUM)
    other = replace(other, errors=float(s[other.weights @ X <= SLACK].sum()))
    best = plain if plain.errors <= other.errors else other
    return replace(best, epochs=plain.epochs + other.epochs)


def _cool(patterns: ManyPatterns, u: NDArray, G: NDArray, betas: NDArray, theta: float) -> Unit:
    """Cool a unit by the patterns that are near its hyperplane, and those nearer by the nearest of these."""
    levels = [Level(patterns, 0.0, u, np.inf)]
    best = Unit(u, np.inf, betas[0], theta, 0)
    room, total, at, passed = NUMBERS.room, float(patterns.s.sum()), 0, 0
    while at < len(betas):
        window = NUMBERS.window / betas[at]
        radius = room * window / np.sqrt(len(u))
        while levels[-1].left(u) < 0.5 * radius:
            levels.pop()
        outer = levels[-1]
        radius = min(radius, outer.left(u))
        near, outside = outer.patterns.near(u, np.array([window, window * theta, radius + ROUNDING]))
        level = Level(near, outer.outside + outside, u, radius)
        some = betas[at : at + NUMBERS.segment]
        n_betas = len(some)
        sparse = min(max(window * total / max(float(near.s.sum()), 1e-300), 1.0), NUMBERS.fastest)
        some = np.repeat(some, int(min(sparse, NUMBERS.slowest)))
        unit, u = _anneal(near, u, G * sparse, some, theta, far=radius, total=total)
        errors = level.outside + unit.errors
        if errors <= best.errors * (1 + 1e-12):
            best = replace(unit, errors=errors)
        at, passed = at + max(unit.epochs * n_betas // len(some), 1), passed + unit.epochs * len(near.s)
        if level.left(u) > 0:
            if unit.epochs < len(some):  # an empty window stays empty
                break
            levels.append(level)
        elif len(levels) == 1:
            room *= 2  # not to look at all of them again and again
        del near, level, outer
    return replace(best, epochs=passed // len(patterns.s))


def _anneal(
    patterns: Columns,
    start: NDArray,
    G: NDArray,
    betas: NDArray,
    theta: float,
    momentum: float = NUMBERS.momentum,
    far: float = np.inf,
    total: float | None = None,
) -> tuple[Unit, NDArray]:
    """Run one anneal; return its best unit, and the weights at its end, maybe too `far` from the start."""
    from netlines.training._kernel import anneal

    total = float(patterns.s.sum()) if total is None else total
    end = np.array([len(betas)])
    u, errors, beta, steps, path = anneal(
        patterns.X, patterns.s / total, start, G, betas, theta, momentum, SLACK, end, far
    )
    return Unit(u, errors * total, beta, theta, steps), path[0]
