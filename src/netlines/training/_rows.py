"""Compiled passes over the rows of a large table: their keys, their order, and those near a hyperplane.

Rows are C-ordered, (n, N). A block of them is first copied into columns that stay in the cache: copies do not
wait for one another where the order is not that of the memory, and all other loops run along rows and
vectorise.
"""

from typing import Any

import numpy as np

from netlines.training.compiled import compiled

BLOCK = 128  # rows that are copied at a time
CROWD = 500  # keys with the same first bits from which on another way to sort is faster
_START, _FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@compiled(error_model="numpy")
def _fetch(X: Any, rows: Any, start: int, n: int, columns: Any) -> None:
    """Copy the n rows from `start` on into `columns` (N, BLOCK)."""
    line = 64 // X.itemsize
    touched = X[rows[start], 0]
    for b in range(n):  # asks the memory for all of them before it waits for the first
        row = rows[start + b]
        for i in range(0, X.shape[1], line):
            touched = max(touched, X[row, i])
        touched = max(touched, X[row, X.shape[1] - 1])
    columns[0, 0] = touched
    for b in range(n):
        row = rows[start + b]
        for i in range(X.shape[1]):
            columns[i, b] = X[row, i]


@compiled(error_model="numpy")
def row_keys(X: Any, rows: Any, origin: Any, times: Any, plus: Any, keys: Any) -> None:
    """Write a key of 64 bits for each of some rows: equal rows have equal keys, and -0.0 is 0.0.

    Parameters
    ----------
    X : array (n, N)
    rows : array (P,), numbers of rows
    origin, times, plus : arrays (N,), a value x counts as (x - origin) · times + plus
    keys : array (P,) of uint64, overwritten
    """
    columns = np.empty((X.shape[1], BLOCK), dtype=X.dtype)
    for start in range(0, len(rows), BLOCK):
        n = min(BLOCK, len(rows) - start)
        _fetch(X, rows, start, n, columns)
        own = keys[start : start + n]
        for b in range(n):
            own[b] = _START
        for i in range(X.shape[1]):
            column, away, scale, more = columns[i], origin[i], times[i], plus[i]
            for b in range(n):
                value = (np.float64(column[b]) - away) * scale + more
                key = (own[b] ^ np.uint64(np.float64(value).view(np.uint64))) * _FACTOR
                own[b] = key ^ (key >> np.uint64(32))


@compiled(error_model="numpy")
def spread_order(keys: Any, order: Any, dealt: Any) -> bool:
    """Write the stable order of evenly spread keys, and them in it; return False if many are close together.

    Keys are dealt into buckets by their first bits, a few into each, and these are sorted one by one.
    """
    n = len(keys)
    bits, most = 1, np.int64(0)
    while bits < 40 and (n >> (bits + 2)) > 0:
        bits += 1
    down = np.uint64(64 - bits)
    place = np.zeros((1 << bits) + 1, dtype=np.int64)
    for i in range(n):
        place[np.int64(keys[i] >> down) + 1] += 1
    for k in range(1 << bits):
        most = max(most, place[k + 1])
        place[k + 1] += place[k]
    if most > CROWD:
        return False
    for i in range(n):
        bucket = np.int64(keys[i] >> down)
        at = place[bucket]
        place[bucket] = at + 1
        dealt[at] = keys[i]
        order[at] = i
    for i in range(1, n):  # short ways: buckets are in order already
        key, row = dealt[i], order[i]
        at = i
        while at > 0 and dealt[at - 1] > key:
            dealt[at] = dealt[at - 1]
            order[at] = order[at - 1]
            at -= 1
        dealt[at] = key
        order[at] = row
    return True


@compiled(error_model="numpy")
def some_differ(X: Any, rows: Any, others: Any) -> bool:
    """Tell whether a row is another one than its partner, which is another row of the same array."""
    for p in range(len(rows)):
        row, other = rows[p], others[p]
        for i in range(X.shape[1]):
            if X[row, i] != X[other, i]:
                return True
    return False


@compiled(error_model="numpy")
def gather(
    X: Any, rows: Any, signs: Any, origin: Any, times: Any, mean: Any, inverse: Any, found: Any
) -> None:
    """Write some rows into `found` (M, P) as patterns: standardised, times their signs, feature-major.

    Parameters
    ----------
    X : array (n, N)
    rows, signs : arrays (P,), numbers of rows, and ±1
    origin, times, mean, inverse : arrays (N,), a value x becomes ((x - origin) · times - mean) · inverse
    """
    columns = np.empty((X.shape[1], BLOCK), dtype=X.dtype)
    for start in range(0, len(rows), BLOCK):
        n = min(BLOCK, len(rows) - start)
        _fetch(X, rows, start, n, columns)
        sign = signs[start : start + n]
        for b in range(n):
            found[0, start + b] = sign[b]
        for i in range(X.shape[1]):
            column, into = columns[i], found[i + 1, start : start + n]
            away, scale, middle, shrink = origin[i], times[i], mean[i], inverse[i]
            for b in range(n):
                into[b] = ((np.float64(column[b]) - away) * scale - middle) * shrink * sign[b]


@compiled(fastmath=True, error_model="numpy")
def near_rows(X: Any, origin: Any, slope: Any, shift: Any, u: Any, reach: Any, codes: Any) -> None:
    """Tell of each row where it lies for any unit vector near u, in the order of the memory.

    Parameters
    ----------
    X : array (n, N)
    origin, slope, shift : arrays (N,), a standardised value is (x - origin) · slope - shift
    u : array (M,)
    reach : array (3,), up to which stability patterns count, minus from which on wrong ones do, and how far
        the unit vector may be from u
    codes : array (n,) of uint8, overwritten: whether the row counts with the target -1, 2 times whether with
        +1, and 4 times whether its sum is negative
    """
    columns = np.empty((X.shape[1], BLOCK), dtype=X.dtype)
    gamma, square = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, len(X), BLOCK):
        n = min(BLOCK, len(X) - start)
        for b in range(n):
            for i in range(X.shape[1]):
                columns[i, b] = X[start + b, i]
            gamma[b] = u[0]
            square[b] = 1.0
        for i in range(X.shape[1]):
            column, away, steep, middle, weight = columns[i], origin[i], slope[i], shift[i], u[i + 1]
            for b in range(n):
                z = (np.float64(column[b]) - away) * steep - middle
                gamma[b] += weight * z
                square[b] += z * z
        for b in range(n):
            codes[start + b] = _code(gamma[b], square[b], reach)


@compiled(fastmath=True, error_model="numpy")
def near_patterns(X: Any, u: Any, reach: Any, codes: Any) -> None:
    """Tell of each pattern of an array (M, P) where it lies for any unit vector near u, as `near_rows`.

    Where a unit vector moves by d, no stability changes by more than d times the norm of the pattern.
    """
    gamma, square = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, X.shape[1], BLOCK):
        n = min(BLOCK, X.shape[1] - start)
        for b in range(n):
            gamma[b] = 0.0
            square[b] = 0.0
        for k in range(len(X)):
            x, weight = X[k, start : start + n], u[k]
            for b in range(n):
                z = np.float64(x[b])
                gamma[b] += weight * z
                square[b] += z * z
        for b in range(n):
            codes[start + b] = _code(gamma[b], square[b], reach)


@compiled(error_model="numpy")
def _code(gamma: float, square: float, reach: Any) -> int:
    """Return the code of one row: without a branch, which would often be guessed wrong."""
    right, wrong, margin = reach[0], reach[1], reach[2] * np.sqrt(square)
    as_positive = (gamma - margin < right) & (gamma + margin > -wrong)
    as_negative = (-gamma - margin < right) & (margin - gamma > -wrong)
    return as_negative + 2 * as_positive + 4 * (gamma < 0.0)


@compiled(error_model="numpy")
def select(codes: Any, rows: Any, signs: Any, s: Any, found: Any) -> Any:
    """Find the patterns that count, given the codes of their rows.

    Parameters
    ----------
    codes : array (n,), as in `near_rows`
    rows, signs, s : arrays (P,), the row of each pattern, its target and its weight
    found : array (P,) of int64, overwritten with the numbers of the patterns that count

    Returns
    -------
    (how many there are, weight of the errors among the others)
    """
    count = np.int64(0)
    outside = 0.0
    for p in range(len(rows)):
        code = np.int64(codes[rows[p]])
        positive = np.int64(signs[p] > 0)
        here = (code >> positive) & 1
        found[count] = p
        count += here
        wrong = (code >> 2) == positive
        outside += s[p] if wrong and not here else 0.0
    return count, outside
