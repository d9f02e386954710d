"""Compiled pass of a soft network over the patterns, and its minimisation by L-BFGS.

A soft network has tanh units instead of signs: h = tanh(gain · A x), f = V₀ + V·h, and the cost is the
weighted logistic loss of τf plus l2/2 times the squared weights. Inner loops run along patterns.

A pass is made in single precision, which takes less than half the time: where a soft network ends is only
the start of a network of signs. Sums over blocks, weights and L-BFGS have twice the digits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.training._kernel import exp_minus_single
from netlines.training.compiled import compiled

BLOCK, VECTOR = 512, 16
MEMORY = 8
NOISE = 1e-9  # share of the cost that rounding may hide

# In single precision, as literals would not be.
_ZERO, _ONE, _TWO = np.float32(0), np.float32(1), np.float32(2)
_A3, _A5, _A7 = np.float32(1 / 3), np.float32(1 / 5), np.float32(1 / 7)
_A9, _A11, _A13 = np.float32(1 / 9), np.float32(1 / 11), np.float32(1 / 13)


def blocks(X: NDArray, targets: NDArray, share: NDArray) -> NDArray[np.float32]:
    """Return patterns (M, P), and below them targets ±1 and weights, in blocks (blocks, M + 2, n).

    A block stays in the nearest cache, and is whole vectors of the processor: the rest has no weight.
    """
    m, p = X.shape
    count = -(-p // BLOCK)
    n = -(-p // (count * VECTOR)) * VECTOR
    values = np.zeros((m + 2, count * n), dtype=np.float32)
    values[:m, :p], values[m, :p], values[m + 1, :p] = X, targets, share
    return np.ascontiguousarray(values.reshape(m + 2, count, n).transpose(1, 0, 2))


@compiled(fastmath={"contract"}, error_model="numpy")
def _tanh(values: Any, n: int, gain: float) -> None:
    """Replace each of the first n values by tanh(gain · value)."""
    for b in range(n):
        x = gain * values[b]
        e = exp_minus_single(_TWO * abs(x))
        values[b] = np.copysign((_ONE - e) / (_ONE + e), x)


@compiled(fastmath={"contract"}, error_model="numpy")
def _logistic(f: Any, t: Any, s: Any, n: int, losses: Any) -> None:
    """Write s log(1 + exp(-τf)) into `losses` and replace each f by the derivative of its term."""
    for b in range(n):
        x = t[b] * f[b]
        e = exp_minus_single(abs(x))
        # log(1 + e) = 2 artanh(z) with z = e/(2 + e) ≤ 1/3, as a series: no call, so the loop vectorises.
        z = e / (_TWO + e)
        q = z * z
        p = _A13 * q + _A11
        p = p * q + _A9
        p = p * q + _A7
        p = p * q + _A5
        p = p * q + _A3
        p = p * q + _ONE
        slope = _ONE / (_ONE + e)
        f[b] = -s[b] * t[b] * (e * slope if x > _ZERO else slope)
        losses[b] = s[b] * (max(-x, _ZERO) + _TWO * z * p)


@compiled(fastmath=True)
def _sum(values: Any, n: int) -> Any:
    """Return the sum of the first n values."""
    total = _ZERO
    for b in range(n):
        total += values[b]
    return total


@compiled(fastmath=True, error_model="numpy")
def _output(V: Any, h: Any, n: int, f: Any) -> None:
    """Weighted sums of the output unit over the hidden states, into `f`."""
    for b in range(n):
        f[b] = V[0]
    for k in range(len(V) - 1):
        v = V[k + 1]
        hk = h[k]
        for b in range(n):
            f[b] += v * hk[b]


@compiled(fastmath=True, error_model="numpy")
def _hidden_slopes(f: Any, h: Any, n: int, v: Any) -> Any:
    """Replace the states of a unit by the derivatives of the cost; return that of its output weight."""
    total = _ZERO
    for b in range(n):
        total += f[b] * h[b]
        h[b] = f[b] * v * (_ONE - h[b] * h[b])
    return total


@compiled(fastmath=True, error_model="numpy")
def _forward_two(X: Any, n: int, A: Any, k: int, h: Any) -> None:
    """Weighted sums of the units k and k + 1 over n patterns, into h; an input is read once for both."""
    m = X.shape[0] - 2
    h0 = h[k]
    h1 = h[k + 1]
    for b in range(n):
        h0[b] = _ZERO
        h1[b] = _ZERO
    v = A[k]
    w = A[k + 1]
    for i in range(0, m - 3, 4):
        x0 = X[i]
        x1 = X[i + 1]
        x2 = X[i + 2]
        x3 = X[i + 3]
        v0 = v[i]
        v1 = v[i + 1]
        v2 = v[i + 2]
        v3 = v[i + 3]
        w0 = w[i]
        w1 = w[i + 1]
        w2 = w[i + 2]
        w3 = w[i + 3]
        for b in range(n):
            h0[b] += v0 * x0[b] + v1 * x1[b] + v2 * x2[b] + v3 * x3[b]
            h1[b] += w0 * x0[b] + w1 * x1[b] + w2 * x2[b] + w3 * x3[b]
    for i in range(m - m % 4, m):
        x0 = X[i]
        v0 = v[i]
        w0 = w[i]
        for b in range(n):
            h0[b] += v0 * x0[b]
            h1[b] += w0 * x0[b]


@compiled(fastmath=True, error_model="numpy")
def _backward_two(X: Any, n: int, h: Any, k: int, slopes: Any) -> None:
    """Add Σ h x of the units k and k + 1 to the rows of `slopes`."""
    m = X.shape[0] - 2
    h0 = h[k]
    h1 = h[k + 1]
    v = slopes[k]
    w = slopes[k + 1]
    for i in range(0, m, 2):  # of an odd number the last goes with the targets, which nothing reads
        x0 = X[i]
        x1 = X[i + 1]
        v0 = _ZERO
        v1 = _ZERO
        w0 = _ZERO
        w1 = _ZERO
        for b in range(n):
            v0 += h0[b] * x0[b]
            v1 += h0[b] * x1[b]
            w0 += h1[b] * x0[b]
            w1 += h1[b] * x1[b]
        v[i] += v0
        v[i + 1] += v1
        w[i] += w0
        w[i + 1] += w1


@compiled(error_model="numpy", inline="always")
def soft_cost(X: Any, w: Any, hidden: int, gain: float, l2: float, gradient: Any) -> float:
    """Return the cost of the soft network w = (A, V) flattened; `gradient` is overwritten.

    Parameters
    ----------
    X : array (blocks, M + 2, n), the `blocks` of all patterns
    w : array (hidden · (M + 1) + 1,)
    """
    m = X.shape[1] - 2
    n = X.shape[2]
    pairs = hidden + hidden % 2  # the last unit may be one that nothing reads
    A = np.zeros((pairs, m), np.float32)
    V = np.empty(hidden + 1, np.float32)
    slopes = np.zeros((pairs, m + 1))
    h = np.empty((pairs, n), np.float32)
    f = np.empty(n, np.float32)
    losses = np.empty(n, np.float32)
    for k in range(hidden):
        for i in range(m):
            A[k, i] = w[k * m + i]
    for k in range(hidden + 1):
        V[k] = w[hidden * m + k]
        gradient[hidden * m + k] = 0.0
    g = np.float32(gain)
    loss = 0.0
    for part in range(len(X)):
        x = X[part]
        for k in range(0, pairs, 2):
            _forward_two(x, n, A, k, h)
        for k in range(hidden):
            _tanh(h[k], n, g)
        _output(V, h, n, f)
        _logistic(f, x[m], x[m + 1], n, losses)
        loss += _sum(losses, n)
        gradient[hidden * m] += _sum(f, n)
        for k in range(hidden):
            gradient[hidden * m + k + 1] += _hidden_slopes(f, h[k], n, V[k + 1] * g)
        for k in range(0, pairs, 2):
            _backward_two(x, n, h, k, slopes)
    for k in range(hidden):
        for i in range(m):
            gradient[k * m + i] = slopes[k, i]
    for i in range(len(w)):
        loss += 0.5 * l2 * w[i] * w[i]
        gradient[i] += l2 * w[i]
    return loss


# Plain loops instead of array expressions from here on: they compile in a fraction of the time.


@compiled(fastmath=True)
def _dot(a: Any, b: Any) -> float:
    """Return a·b."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled(fastmath=True)
def _combine(a: Any, scale: float, b: Any, out: Any) -> None:
    """Write a + scale · b into `out`."""
    for i in range(len(a)):
        out[i] = a[i] + scale * b[i]


@compiled(error_model="numpy", inline="always")
def _direction(g: Any, S: Any, Y: Any, bends: Any, count: int, d: Any) -> None:
    """Write the L-BFGS direction for gradient g into `d` (two-loop recursion); `bends` are the S·Y."""
    alpha = np.empty(np.int64(MEMORY))
    low = count - MEMORY if count > MEMORY else 0
    _combine(g, -2.0, g, d)
    for j in range(count - 1, low - 1, -1):
        i = j % MEMORY
        alpha[i] = _dot(S[i], d) / bends[i]
        _combine(d, -alpha[i], Y[i], d)
    if count:
        i = (count - 1) % MEMORY
        _combine(d, bends[i] / _dot(Y[i], Y[i]) - 1.0, d, d)
    for j in range(low, count):
        i = j % MEMORY
        _combine(d, alpha[i] - _dot(Y[i], d) / bends[i], S[i], d)


@compiled(error_model="numpy")
def cool(X: Any, w: Any, hidden: int, gains: Any, l2: float, iterations: int) -> Any:
    """Minimise `soft_cost` at each gain in turn by L-BFGS; X as there, all else as in `soft.cool`."""
    size = len(w)
    w = w.copy()
    memory = np.int64(MEMORY)
    S = np.empty((memory, size))
    Y = np.empty((memory, size))
    bends = np.empty(memory)
    g = np.empty(size)
    g_new = np.empty(size)
    d = np.empty(size)
    trial = np.empty(size)
    cost = np.inf
    passes = 0
    for gain in gains:
        count = np.int64(0)  # typed, or numba compiles `_direction` once more for a literal 0
        cost = np.inf
        for i in range(size):
            d[i] = 0.0
        for iteration in range(iterations + 1):
            # The first round only evaluates the start: a step of length 0 that is always accepted.
            # (One call of soft_cost in the whole function halves the time it takes to compile.)
            first = iteration == 0
            if not first:
                _direction(g, S, Y, bends, count, d)
            slope = 0.0 if first else _dot(g, d)
            if not first and slope > -1e-14:
                break
            # Weak Wolfe conditions by bisection: they always leave a pair with s·y > 0.
            low = 0.0
            high = np.inf
            cost_new = np.inf
            step = 1.0 if first or count else min(1.0, 1.0 / np.sqrt(-slope))
            for _ in range(20):
                _combine(w, step, d, trial)
                cost_new = soft_cost(X, trial, hidden, gain, l2, g_new)
                passes += 1
                if not cost_new <= cost + 1e-4 * step * slope:
                    high = step
                elif _dot(g_new, d) < 0.9 * slope:
                    low = step
                else:
                    break
                step = 0.5 * (low + high) if high < np.inf else 2.0 * low
                if -step * slope < NOISE * cost:
                    break
            if not cost_new < cost:
                break
            if not first:
                k = count % MEMORY
                _combine(trial, -1.0, w, S[k])
                _combine(g_new, -1.0, g, Y[k])
                bends[k] = _dot(S[k], Y[k])
                if bends[k] > 1e-14:
                    count += 1
            small = cost - cost_new < NOISE * cost_new
            for i in range(size):
                w[i] = trial[i]
                g[i] = g_new[i]
            cost = cost_new
            if small:
                break
    return w, cost, passes
