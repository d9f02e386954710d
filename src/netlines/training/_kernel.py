"""Compiled passes over the patterns, and the annealing loops around them. Arrays in, arrays out.

Patterns are feature-major: `X` has shape (M, P), M = N + 1 with the constant input first, and each
row of it is contiguous, so that every inner loop runs along patterns and vectorises. Patterns are
visited in blocks that stay in the cache between the two uses a pass makes of them.
"""

from typing import Any

import numpy as np

from netlines.training.compiled import compiled

BLOCK = 2048
QUIET = 1e-6  # a window this empty no longer moves the weights
_MAGIC = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to an integer, kept in the low bits


@compiled(fastmath={"contract"})
def _exp_minus(t: float) -> float:
    """Return exp(-t) for t ≥ 0 without a branch or a call, so that loops over it vectorise."""
    t = min(t, 700.0)
    shifted = t * -1.4426950408889634 + _MAGIC
    k = shifted - _MAGIC
    r = (-t - k * 0.6931471803691238) - k * 1.9082149292705877e-10
    p = 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    bits = (np.float64(shifted).view(np.int64) + 1023) << 52
    return p * np.int64(bits).view(np.float64)


# Of fastmath only contraction: a callee inherits the rest, which would undo the rounding by _MAGIC.
@compiled(fastmath={"contract"})
def _windows(gamma: Any, n: int, cold: float, hot: float) -> None:
    """Replace each stability by its weight in the update, sech²(γ/2T), T₊ right and T₋ wrong."""
    for b in range(n):
        g = gamma[b]
        e = _exp_minus(max(cold * g, -hot * g))
        gamma[b] = 4.0 * e / ((1.0 + e) * (1.0 + e))


_SHIFT = np.float32(12582912.0)  # 1.5 · 2^23: the same in single precision
_PER_BIT, _BIT_HIGH, _BIT_LOW = np.float32(-1.442695041), np.float32(0.693359375), np.float32(-2.12194440e-4)
_FARTHEST = np.float32(60.0)  # beyond, products with small weights would have no digits left
_HALF, _ONE, _FOUR = np.float32(0.5), np.float32(1), np.float32(4)
_E3, _E4, _E5, _E6 = np.float32(1 / 6), np.float32(1 / 24), np.float32(1 / 120), np.float32(1 / 720)


@compiled(fastmath={"contract"})
def exp_minus_single(t: Any) -> Any:
    """Return exp(-t) for t ≥ 0 in single precision; literals would have twice the digits."""
    t = min(t, _FARTHEST)
    shifted = t * _PER_BIT + _SHIFT
    k = shifted - _SHIFT
    r = (-t - k * _BIT_HIGH) - k * _BIT_LOW
    p = _E6 * r + _E5
    p = p * r + _E4
    p = p * r + _E3
    p = p * r + _HALF
    p = p * r + _ONE
    p = p * r + _ONE
    bits = (np.float32(shifted).view(np.int32) + np.int32(127)) << np.int32(23)
    return p * np.int32(bits).view(np.float32)


@compiled(fastmath={"contract"}, error_model="numpy")
def _windows_single(gamma: Any, n: int, cold: float, hot: float) -> None:
    """Do the same as `_windows` in single precision."""
    for b in range(n):
        g = gamma[b]
        e = exp_minus_single(max(cold * g, -hot * g))
        gamma[b] = _FOUR * e / ((_ONE + e) * (_ONE + e))


@compiled(fastmath=True, error_model="numpy")
def _forward(X: Any, start: int, n: int, u: Any, gamma: Any) -> None:
    """Stabilities of the n patterns from `start` on, into `gamma`."""
    m = X.shape[0]
    for b in range(n):
        gamma[b] = 0.0
    for k in range(0, m - 7, 8):
        u0 = u[k + 0]
        x0 = X[k + 0, start : start + n]
        u1 = u[k + 1]
        x1 = X[k + 1, start : start + n]
        u2 = u[k + 2]
        x2 = X[k + 2, start : start + n]
        u3 = u[k + 3]
        x3 = X[k + 3, start : start + n]
        u4 = u[k + 4]
        x4 = X[k + 4, start : start + n]
        u5 = u[k + 5]
        x5 = X[k + 5, start : start + n]
        u6 = u[k + 6]
        x6 = X[k + 6, start : start + n]
        u7 = u[k + 7]
        x7 = X[k + 7, start : start + n]
        for b in range(n):
            gamma[b] += (
                u0 * x0[b]
                + u1 * x1[b]
                + u2 * x2[b]
                + u3 * x3[b]
                + u4 * x4[b]
                + u5 * x5[b]
                + u6 * x6[b]
                + u7 * x7[b]
            )
    for k in range(m - m % 8, m):
        uk = u[k]
        x = X[k, start : start + n]
        for b in range(n):
            gamma[b] += uk * x[b]


@compiled(fastmath=True, error_model="numpy")
def _backward(X: Any, start: int, n: int, c: Any, gradient: Any) -> None:
    """Add Σ c x over the n patterns from `start` on to `gradient`."""
    m = X.shape[0]
    zero = c.dtype.type(0)  # sums have the precision of c
    for k in range(m - m % 4, m):
        x = X[k, start : start + n]
        total = zero
        for b in range(n):
            total += c[b] * x[b]
        gradient[k] += total
    for k in range(m - m % 4 - 4, -1, -4):  # backwards: the rows read last are still in the nearest cache
        x0 = X[k + 0, start : start + n]
        g0 = zero
        x1 = X[k + 1, start : start + n]
        g1 = zero
        x2 = X[k + 2, start : start + n]
        g2 = zero
        x3 = X[k + 3, start : start + n]
        g3 = zero
        for b in range(n):
            g0 += c[b] * x0[b]
            g1 += c[b] * x1[b]
            g2 += c[b] * x2[b]
            g3 += c[b] * x3[b]
        gradient[k + 0] += g0
        gradient[k + 1] += g1
        gradient[k + 2] += g2
        gradient[k + 3] += g3


@compiled(fastmath=True, error_model="numpy")
def one_pass(X: Any, s: Any, u: Any, cold: float, hot: float, slack: float, gradient: Any) -> Any:
    """Sum the update of Eq. (Minimerror.1) over the patterns; `gradient` is overwritten.

    Parameters
    ----------
    X : array (M, P), patterns folded with their targets, x ← τx; in single precision all is done with it
    s : array (P,), weight of each pattern
    u : array (M,), unit vector; the stability is u·x
    cold, hot : 1/T₊ and 1/T₋
    slack : patterns with a stability up to this one count as errors

    Returns
    -------
    (weight of the errors, largest weight in the window)
    """
    p = X.shape[1]
    gamma = np.empty(BLOCK, X.dtype)
    v = np.empty(len(u), X.dtype)
    for k in range(len(u)):
        v[k] = u[k]
        gradient[k] = 0.0
    errors = 0.0
    window = 0.0
    for start in range(0, p, BLOCK):
        n = min(BLOCK, p - start)
        _forward(X, start, n, v, gamma)
        sb = s[start : start + n]
        for b in range(n):
            errors += sb[b] if gamma[b] <= slack else 0.0
        if gamma.itemsize == 4:
            _windows_single(gamma, n, np.float32(cold), np.float32(hot))
        else:
            _windows(gamma, n, cold, hot)
        for b in range(n):
            window = max(window, gamma[b])
            gamma[b] *= sb[b]
        _backward(X, start, n, gamma, gradient)
    return errors, window


@compiled(error_model="numpy")
def anneal(
    X: Any,
    s: Any,
    u: Any,
    G: Any,
    betas: Any,
    theta: float,
    momentum: float,
    slack: float,
    marks: Any,
    far: float,
) -> Any:
    """Cool one unit through the inverse temperatures `betas` and keep its best weights.

    One step is u ← normalise(u + v), v ← momentum · v + G · Σ s c x, v kept tangent to the sphere.
    The best weights are those with the fewest errors and, among equals, the latest (coldest).

    Parameters
    ----------
    X, s, slack : as in `one_pass`
    u : array (M,), the start, a unit vector (not changed)
    G : array (M, M), symmetric, step size and preconditioner
    betas : array (steps,), 1/T₊ at each step
    theta : T₋/T₊
    marks : array of increasing step numbers whose weights are returned in `path`
    far : distance from the start beyond which it ends; the weights there are in `path` alone

    Returns
    -------
    (best weights, their errors, their 1/T₊, steps done, path of shape (len(marks), M))
    """
    m = X.shape[0]
    start = u
    u = np.empty(m)
    v = np.empty(m)
    gradient = np.empty(m)
    best = np.empty(m)
    for i in range(m):  # plain loops compile faster than array assignments
        u[i] = start[i]
        v[i] = 0.0
    best_errors = np.inf
    best_beta = betas[0]
    path = np.empty((len(marks), m))
    mark = 0
    steps = 0
    for t in range(len(betas) + 1):
        beta = betas[t] if t < len(betas) else betas[-1]
        errors, window = one_pass(X, s, u, beta, beta / theta, slack, gradient)
        if errors <= best_errors + 1e-12 * abs(errors):
            best_errors = errors
            best_beta = beta
            for i in range(m):
                best[i] = u[i]
        while mark < len(marks) and marks[mark] == t:
            for i in range(m):
                path[mark, i] = u[i]
            mark += 1
        if t == len(betas) or window < QUIET:
            break
        for i in range(m):
            v[i] *= momentum
        for j in range(m):  # by rows of the symmetric G, so that the inner loop vectorises
            for i in range(m):
                v[i] += gradient[j] * G[j, i]
        norm = 0.0
        for i in range(m):
            norm += (u[i] + v[i]) * (u[i] + v[i])
        norm = 1.0 / np.sqrt(norm)
        along = 0.0
        for i in range(m):
            u[i] = (u[i] + v[i]) * norm
            along += u[i] * v[i]
        moved = 0.0
        for i in range(m):
            v[i] -= along * u[i]
            moved += (u[i] - start[i]) ** 2
        steps += 1
        if moved > far * far:
            break
    while mark < len(marks):
        for i in range(m):
            path[mark, i] = u[i]
        mark += 1
    return best, best_errors, best_beta, steps, path
