"""A small change of a row in whole steps where it is not known to be the smallest: trials, then shortening.

Where networks compare margins, the border between two answers is curved. Next to a change without whole steps
it is nearly a hyperplane, for which the smallest change in whole steps is known; it is tried whether that
changes the answer, and if not one for a hyperplane a little further away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.around import look_around, scores, slopes
from netlines.inspection.nearest.start import Start, length
from netlines.inspection.nearest.whole import Whole

FACTORS = (0.9, 1.0, 1.03, 1.1, 1.25, 1.5, 2.0, 3.0)  # of the distance of the border
PARTS = np.linspace(0.0, 0.99, 34)  # of the change of a number that are tried
ROUNDS = 4  # of shortening
MOST_CLASSES = 4  # borders that are tried, the nearest first


def try_steps(start: Start, whole: Whole, known: NDArray | None) -> NDArray | None:
    """Return a near row with an allowed answer, the known one or one that was found; None: none was."""
    found = [] if known is None else [known]
    found += _single(start, whole)
    with np.errstate(over="ignore"):  # of changes that are far too large
        around = look_around(start, known)
    if around is not None:
        best = min(map(start.norm, found), default=np.inf)
        found += _along_borders(start, whole, start.change_to(around), best)
    if not found:
        return None
    return _shortened(start, whole, min(found, key=start.norm))


def _single(start: Start, whole: Whole) -> list[NDArray]:
    """Return the nearest row that differs by one choice, if there is one."""
    rows = [_with(start, own, values) for own, values in zip(whole.columns, whole.values, strict=True)]
    every = np.vstack([np.empty((0, len(start.x))), *rows])
    every = every[start.wanted[start.network.answers(every)]] if len(every) else every
    return [min(every, key=start.norm)] if len(every) else []


def _with(start: Start, own: list[int], values: NDArray, row: NDArray | None = None) -> NDArray:
    """Return a row with other values of some free inputs, one for each of these, shape (K, N)."""
    rows = np.tile(start.x if row is None else row, (len(values), 1))
    rows[:, start.free[own]] = values
    return rows


def _along_borders(start: Start, whole: Whole, change: NDArray, best: float) -> list[NDArray]:
    """Return rows for the borders next to a change, the last of each the nearest."""
    normals = slopes(start, change)
    at = scores(start.network, start.rows(change[None]))[0]
    ahead = at[start.wanted] - at[~start.wanted].max()
    found: list[NDArray] = []
    for k in np.argsort(-ahead)[:MOST_CLASSES]:
        size = length(normals[k])
        if not 0 < size < np.inf:
            continue
        normal, away = normals[k] / size, float(normals[k] @ change - ahead[k]) / size
        for factor in FACTORS:
            right = np.array([factor * away])
            row, _ = whole.nearest(normal[None], right, 1e-9 * np.abs(right), _allowed(start), best**2)
            if row is not None:
                found.append(row)
                best = start.norm(row)
                break
    return found


def _allowed(start: Start):  # type: ignore[no-untyped-def]
    def check(rows: NDArray) -> NDArray:
        return np.asarray(start.wanted[start.network.answers(rows)])

    return check


def _shortened(start: Start, whole: Whole, row: NDArray) -> NDArray:
    """Return a row with less of a change, one attribute after the other, as long as that is allowed."""
    for _ in range(ROUNDS):
        before = start.norm(row)
        for own, values in zip(whole.columns, whole.values, strict=True):
            inputs = start.free[own]
            if (row[inputs] != start.x[inputs]).any():
                row = _nearest_of(start, _with(start, own, np.vstack([start.x[inputs], values]), row), row)
        for k in whole.numbers:
            i = start.free[k]
            if row[i] != start.x[i]:
                low, high = start.limits[0][k], start.limits[1][k]
                values = start.x[i] + PARTS * (row[i] - start.x[i])
                if low <= start.x[i] <= high:
                    row = _nearest_of(start, _with(start, [k], values[:, None], row), row)
        if not start.norm(row) < before:
            break
    return row


def _nearest_of(start: Start, rows: NDArray, row: NDArray) -> NDArray:
    """Return the nearest allowed one of some rows, or the present one."""
    norms = np.array([start.norm(one) for one in rows])
    rows, norms = rows[norms < start.norm(row)], norms[norms < start.norm(row)]
    if not len(rows):
        return row
    allowed = start.wanted[start.network.answers(rows)]
    return rows[np.where(allowed, norms, np.inf).argmin()] if allowed.any() else row
