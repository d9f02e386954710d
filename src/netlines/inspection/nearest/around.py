"""A small change of a row where networks compare margins: many directions, turned towards a nearer border."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.start import Start, length
from netlines.network.probability import logarithms
from netlines.network.protocol import AnyNetwork

N_RADII = 81  # where changes are tried along each direction
N_MIXTURES = 50  # random directions
MOST_AXES = 30  # free inputs up to which each of them is a direction
STARTS = 3  # directions that are refined, the best first
MANY = 30  # units above which only one direction is: each takes long
STEPS = 30  # of the refinement of a direction
TURNS = 0.4 ** np.arange(8)  # how far a direction is turned towards a normal
LENGTHS = np.array([0.5, 0.9, 0.99, 0.999])  # what is tried of a turned change


def look_around(start: Start, known: NDArray | None) -> NDArray | None:
    """Return a near row with an allowed answer, the known one or from many directions; None: none."""
    directions = _directions(start)
    near = np.append(np.abs(start.distances[start.normals.any(axis=1)]), 1.0)
    radii = np.geomspace(max(1e-2 * near.min(), 1e-9), 100.0 * near.max(), N_RADII)
    changes = np.clip(radii[:, None] * directions[:, None, :], start.low, start.high)
    flips = start.flips(changes.reshape(-1, len(start.free))).reshape(changes.shape[:2])
    along = flips.any(axis=1)
    starts = sorted(changes[along, flips.argmax(axis=1)[along]], key=length)
    starts = starts[: STARTS if len(start.normals) <= MANY else 1]
    rows = [] if known is None else [known]
    starts += [change for change in map(start.change_to, rows) if start.flips_one(change)]
    rows += [row for row in (start.rows(_refined(start, one)) for one in starts) if start.allows(row)]
    return min(rows, key=start.norm, default=None)


def _directions(start: Start) -> NDArray:
    """Return unit vectors to look along, both ways: normals, mixtures of them, slopes and, if few, inputs."""
    n = len(start.free)
    axes = np.eye(n) if n <= MOST_AXES else np.empty((0, n))
    lines = _unit(np.vstack([start.normals, slopes(start, np.zeros(n)), axes, _mixtures(start)]))
    return np.vstack([lines, -lines])


def _mixtures(start: Start) -> NDArray:
    """Return random mixtures of the normals, always the same: across them nothing changes but the limits."""
    random = np.random.default_rng(0).standard_normal((N_MIXTURES, len(start.normals)))
    return _unit(random @ start.normals)


def _unit(vectors: NDArray) -> NDArray:
    """Return the vectors of norm 1, without those that are zero."""
    norms = np.sqrt((vectors**2).sum(axis=1))
    return np.asarray(vectors[norms > 0] / norms[norms > 0, None])


def slopes(start: Start, change: NDArray) -> NDArray:
    """Return how the scores of allowed classes over those of others grow with each input, by differences."""
    step = 1e-6
    around = change + step * np.vstack([np.eye(len(change)), -np.eye(len(change))])
    rows = np.tile(start.x, (len(around), 1))
    rows[:, start.free] += around * start.scale
    up, down = np.split(scores(start.network, rows), 2)
    grows = ((up - down) / (2 * step)).T
    return np.asarray((grows[start.wanted][:, None] - grows[~start.wanted]).reshape(-1, len(change)))


def scores(network: AnyNetwork, rows: NDArray) -> NDArray:
    """Return what speaks for each class, shape (n, C): the answer has the largest."""
    if network.moved:
        return logarithms(network.probability(rows))
    return network.readout.by_class(network.decision(rows))


def _refined(start: Start, change: NDArray) -> NDArray:
    """Return a smaller change that still has an allowed answer, turned towards normals of the border.

    Where that fails, as in corners of it, it is turned in random directions.
    """
    change, mixtures = _first(start, change), _mixtures(start)
    for _ in range(STEPS):
        normals = _unit(np.vstack([start.normals, slopes(start, (1 - 1e-6) * change)]))
        shorter = _turned(start, change, (normals @ change)[:, None] * normals - change)
        if shorter is None:
            shorter = _turned(start, change, length(change) * np.vstack([mixtures, -mixtures]))
        if shorter is None:
            break
        change = _first(start, shorter)
    return change


def _turned(start: Start, change: NDArray, turns: NDArray) -> NDArray | None:
    """Return the shortest allowed change among those turned more or less by vectors, or None."""
    turned = _unit((change + TURNS[:, None, None] * turns).reshape(-1, len(change)))
    tries = np.clip(LENGTHS[:, None, None] * length(change) * turned, start.low, start.high)
    tries = tries.reshape(-1, len(change))
    flips = start.flips(tries)
    return tries[flips.argmax()] if flips.any() else None


def _first(start: Start, change: NDArray) -> NDArray:
    """Return the first part of a change that has an allowed answer, as far as a refined grid tells."""
    short, enough = 0.0, 1.0
    for _ in range(5):
        parts = np.linspace(short, enough, 33)[1:-1]
        flips = start.flips(parts[:, None] * change)
        k = int(flips.argmax()) if flips.any() else len(parts)
        short, enough = parts[k - 1] if k else short, parts[k] if k < len(parts) else enough
    return enough * change
