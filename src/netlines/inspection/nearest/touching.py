"""Rows exactly on hyperplanes, where units are +1: some answers exist nowhere else, as "exactly 50"."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.projection import nearest_with, thin_units, touched
from netlines.inspection.nearest.row import Task

DECIMALS = range(16)  # to which the row is tried rounded
N_TRIES = 300  # rows next to it, each with other inputs that take up the rounding
ROOM = (0.0, 1e-9, 1e-6, 1e-3)  # tried beyond the other hyperplanes, in standard deviations
POLISH = 3  # steps towards the hyperplanes


def touching_row(task: Task, code: NDArray, change: NDArray) -> NDArray | None:
    """Return a row next to a changed one that has an allowed answer, the nearest of many tries, or None.

    The code is that of the changed row, were it not for rounding: some units are 0 there, or next to it.
    """
    thin = thin_units(task, code, change)
    for more in ROOM if thin.any() else ():
        inside = nearest_with(task, code, thin, more)
        if inside is None:
            continue
        tries = _tries(task, thin | touched(task, code, inside), task.rows(inside))
        tries = tries[(task.network.predict(tries)[:, None] == task.wanted).any(axis=1)]
        # The first ones have few decimals: rounding is no reason against them.
        order = np.argsort(np.array([task.norm(row) for row in tries]).round(12), kind="stable")
        found = next((row for row in tries[order] if task.allows(row)), None)
        if found is not None:
            return np.asarray(found)
    return None


def _tries(task: Task, thin: NDArray, row: NDArray) -> NDArray:
    """Return rows on the hyperplanes of some units as far as rounding allows, all next to a row."""
    rng = np.random.default_rng(0)
    planes = task.network.hidden_weights.astype(float)[thin]
    # Powers of 2 leave the rounding as it is.
    planes = np.ldexp(planes, -np.frexp(np.abs(planes).max(axis=1, keepdims=True))[1])
    inputs = task.free[planes[:, 1 + task.free].any(axis=0)]
    scale = task.network.surroundings.scale
    rank = int(np.linalg.matrix_rank(planes[:, 1 + inputs] * scale[inputs]))
    on_planes = _moved(planes, row, inputs, scale)
    tries = np.tile(on_planes, (len(DECIMALS) + 1 + N_TRIES, 1))
    for k in DECIMALS:
        tries[k, inputs] = on_planes[inputs].round(k)
    for one in tries[len(DECIMALS) + 1 :]:
        steps = rng.integers(-4, 5, len(inputs)) * 2.0 ** rng.integers(0, 12)
        one[inputs] += steps * np.spacing(one[inputs])
        one[:] = _moved(planes, one, rng.choice(inputs, rank, replace=False), scale)
    tries[:, task.free] = np.clip(tries[:, task.free], *task.limits)
    return tries


def _moved(planes: NDArray, row: NDArray, inputs: NDArray, scale: NDArray) -> NDArray:
    """Return a row moved to the hyperplanes, or next to them, by a change of some inputs."""
    solve = scale[inputs, None] * np.linalg.pinv(planes[:, 1 + inputs] * scale[inputs])
    row = row.copy()
    for _ in range(POLISH):
        row[inputs] -= solve @ (planes[:, 0] + planes[:, 1:] @ row)
    return row
