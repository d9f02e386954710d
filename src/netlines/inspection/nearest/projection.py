"""The smallest change after which units have given states: the nearest point of some half-spaces.

It is a least distance problem (Lawson and Hanson, "Solving Least Squares Problems", chapter 23).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from netlines.inspection.nearest.start import Start, length

MARGIN = 1e-9  # how far beyond a hyperplane a flip lies, in parts of its distance


def project(start: Start, states: NDArray) -> NDArray | None:
    """Return the smallest change after which units have given states, 0: any; None if there is none.

    The change goes a little beyond the hyperplanes, so that rounding does not undo it. Where there is no room
    for that, it may end on hyperplanes if their states are to be +1, which is that of their points.
    """
    touched = start.most <= margin(start, states)  # by the limits at most
    found = _nearest_with(start, states, (states > 0) & start.normals.any(axis=1) & touched)
    return _nearest_with(start, states, states > 0) if found is None and (states > 0).any() else found


def _nearest_with(start: Start, states: NDArray, without: NDArray) -> NDArray | None:
    """Return the smallest change after which units have given states, some without room for rounding."""
    use = (states != 0) & start.normals.any(axis=1)
    sides, distances, blur, without = states[use], start.distances[use], start.blur[use], without[use]
    right = -sides * distances + np.where(without, -blur / 4, margin(start, states)[use])
    slack = 4 * blur[without].max(initial=0.0)
    return nearest_in_box(sides[:, None] * start.normals[use], right, start.low, start.high, slack)


def margin(start: Start, states: NDArray) -> NDArray:
    """Return how far beyond each hyperplane a change should lie."""
    flipped = (states != 0) & (states != start.code) & start.normals.any(axis=1)
    return MARGIN * np.abs(start.distances[flipped]).max(initial=0.0) + start.blur


def nearest_in_box(
    G: NDArray, right: NDArray, low: NDArray, high: NDArray, slack: float = 0.0
) -> NDArray | None:
    """Return the smallest change with G change ≥ right within the limits, or None.

    Only limits that are broken by more than the slack become half-spaces: most inputs do not reach theirs.
    The change is cut off at all of them, and what is within the slack of a limit or of 0 is there.
    """
    n = G.shape[1]
    held = np.zeros(2 * n, dtype=bool)
    bounds, ends = np.vstack([np.eye(n), -np.eye(n)]), np.append(low, -high)
    while True:
        change = _least_distance(np.vstack([G, bounds[held]]), np.append(right, ends[held]))
        if change is None:
            return None
        broken = ~held & (np.append(change, -change) < ends - slack)
        if not broken.any():
            for limit in (0.0, low, high):
                change = np.where(np.abs(change - limit) <= slack, limit, change)
            return np.clip(change, low, high)
        held |= broken


def _least_distance(G: NDArray, right: NDArray) -> NDArray | None:
    """Return the shortest vector v with G v ≥ right, or None: Lawson and Hanson's problem LDP."""
    size = right.max(initial=0.0)
    if not size > 0:
        return np.zeros(G.shape[1])
    if not np.isfinite(size):  # rounding is larger than any change
        return None
    goal = np.append(np.zeros(G.shape[1]), 1.0)
    for _ in range(5):
        E = np.vstack([G.T, right / size])
        E /= np.sqrt((E**2).sum(axis=0))
        u, _ = nnls(E, goal, maxiter=30 * len(G))
        rest = E @ u - goal
        # This is 1/(1 + |v/size|²). If it is small, much of it is rounding: again, with a size nearer to v's.
        share = -rest[-1]
        if share > 1e-3:
            v = np.asarray(size * rest[:-1] / share)
            return v if (G @ v >= right - 1e-11 * (length(v) + np.abs(right))).all() else None
        size /= np.sqrt(max(share, 1e-8))
    return None
