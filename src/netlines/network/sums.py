"""Weighted sums of rows whose signs do not depend on the order in which numbers are added.

A matrix product adds in an order that depends on the shape and the memory layout of its arrays. Sums so close
to 0 that this could decide their sign are done again, in one order and with twice the digits: a row has the
same states alone and among others.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

_SPLIT = 134217729.0  # 2^27 + 1: the halves of a number, 26 digits each
_CELLS = 1_000_000  # numbers held at once
_EPS = float(np.finfo(float).eps)


def weighted_sums(
    X: NDArray, weights: NDArray, largest: NDArray | float | None = None
) -> NDArray[np.float64]:
    """Return the weighted sums of rows, shape (n, H).

    Parameters
    ----------
    X : array of shape (n, N)
    weights : array of shape (H, N + 1), bias first
    largest : array of shape (N,), float or None
        The largest absolute value of each column, or of all, if it is known.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.sums import weighted_sums
    >>> weighted_sums(np.array([[1e16, 1.0, -1e16]]), np.array([[-0.5, 1.0, 1.0, 1.0]]))
    array([[0.5]])
    """
    X, weights = X.astype(float, copy=False), weights.astype(float, copy=False)
    sums = X @ weights[:, 1:].T
    sums += weights[:, 0]
    if not sums.size:
        return sums
    near = np.abs(sums) <= rounding(weights, _size(X) if largest is None else largest)
    if near.any():
        if largest is None:  # one wide column makes the others' bound wide
            near &= np.abs(sums) <= rounding(weights, np.maximum(X.max(axis=0), -X.min(axis=0)))
        rows, units = np.nonzero(near)
        step = -(-_CELLS // X.shape[1])
        for some in (slice(start, start + step) for start in range(0, len(rows), step)):
            row, unit = rows[some], units[some]
            own, values = weights[unit], X[row]
            size = np.abs(own[:, 0]) + (np.abs(values) * np.abs(own[:, 1:])).sum(axis=1)
            close = np.abs(sums[row, unit]) <= (weights.shape[1] + 1) * _EPS * size
            sums[row[close], unit[close]] = accurate_sums(values[close], own[close])
    return sums


def compared_sums(X: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Return weighted sums of states ±1, of which the largest is the same in any order of adding, (n, H).

    Of a single one it is the sign that is the same.
    """
    sums = weighted_sums(X, weights, 1.0)
    if sums.shape[1] > 1 and len(sums):
        first, second = np.partition(sums, -2, axis=1)[:, -2:].T[::-1]
        close = np.flatnonzero(first - second <= 2 * rounding(weights, 1.0).max())
        for unit, own in enumerate(weights):
            sums[close, unit] = accurate_sums(X[close], np.broadcast_to(own, (len(close), len(own))))
    return sums


def _size(X: NDArray) -> float:
    """Return a bound of all absolute values: their norm, which takes one pass, or the largest."""
    flat = X.ravel(order="K") if X.flags.forc else X[:0].ravel()
    norm = sqrt(flat @ flat)
    return norm if 1e-100 < norm < 1e150 else float(max(X.max(), -X.min()))  # else squares may have vanished


def rounding(weights: NDArray, largest: NDArray | float) -> NDArray[np.float64]:
    """Bound the rounding errors of weighted sums (H,), given the largest absolute inputs (N,) or one."""
    sizes = np.abs(weights)
    if isinstance(largest, float):
        size = sizes.sum(axis=1) * max(largest, 1.0)
    else:
        size = sizes[:, 0] + sizes[:, 1:] @ largest
    return np.asarray((weights.shape[1] + 1) * _EPS * size)


def accurate_sums(X: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Return the weighted sum of each row with weights of its own, as if with twice the digits, shape (n,).

    Parameters
    ----------
    X : array of shape (n, N)
    weights : array of shape (n, N + 1)
    """
    high, low = two_part_sums(X, weights)
    return np.asarray(high + low)


def two_part_sums(X: NDArray, weights: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of `accurate_sums` as two numbers each: the nearest one, and what it lacks.

    These are the error-free products and sums of Dekker and Knuth; Ogita, Rump and Oishi, "Accurate sum and
    dot product", SIAM J. Sci. Comput. 26 (2005), give the bound.
    """
    high = weights[:, 0].astype(float)
    low = np.zeros_like(high)
    for x, w in zip(X.T, weights.T[1:], strict=True):
        product, lost = _product(x, w)
        high, rest = _sum(high, product)
        low += rest + lost
    return _sum(high, low)


def _sum(a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Return a + b, and what its rounding lost."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _product(a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Return a · b, and what its rounding lost."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


def _halves(a: NDArray) -> tuple[NDArray, NDArray]:
    scaled = _SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high
