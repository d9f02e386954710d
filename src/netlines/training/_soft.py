"""Compiled pass of a soft network over the patterns, and its minimisation by L-BFGS.

A soft network has tanh units instead of signs: h = tanh(gain · A x), f = V₀ + V·h, and the cost is the
weighted logistic loss of τf plus l2/2 times the squared weights. Layout and blocks as in `_kernel`.
"""

from typing import Any

import numpy as np

from netlines.training._kernel import _backward, _exp_minus, _forward
from netlines.training.compiled import compiled

BLOCK = 256
MEMORY = 8


@compiled(fastmath={"contract"}, error_model="numpy")
def _tanh(values: Any, n: int, gain: float) -> None:
    """Replace each of the first n values by tanh(gain · value)."""
    for b in range(n):
        x = gain * values[b]
        e = _exp_minus(2.0 * abs(x))
        values[b] = np.copysign((1.0 - e) / (1.0 + e), x)


@compiled(fastmath={"contract"}, error_model="numpy")
def _logistic(f: Any, t: Any, s: Any, n: int, losses: Any) -> None:
    """Write s log(1 + exp(-τf)) into `losses` and replace each f by the derivative of its term."""
    for b in range(n):
        x = t[b] * f[b]
        e = _exp_minus(abs(x))
        # log(1 + e) = 2 artanh(z) with z = e/(2 + e) ≤ 1/3, as a series: no call, so the loop vectorises.
        z = e / (2.0 + e)
        q = z * z
        p = 1.0 / 27.0
        p = p * q + 1.0 / 25.0
        p = p * q + 1.0 / 23.0
        p = p * q + 1.0 / 21.0
        p = p * q + 1.0 / 19.0
        p = p * q + 1.0 / 17.0
        p = p * q + 1.0 / 15.0
        p = p * q + 1.0 / 13.0
        p = p * q + 1.0 / 11.0
        p = p * q + 1.0 / 9.0
        p = p * q + 1.0 / 7.0
        p = p * q + 1.0 / 5.0
        p = p * q + 1.0 / 3.0
        p = p * q + 1.0
        slope = 1.0 / (1.0 + e)
        f[b] = -s[b] * t[b] * (e * slope if x > 0.0 else slope)
        losses[b] = s[b] * (max(-x, 0.0) + 2.0 * z * p)


@compiled(fastmath=True)
def _sum(values: Any, n: int) -> float:
    """Return the sum of the first n values."""
    total = 0.0
    for b in range(n):
        total += values[b]
    return total


@compiled(fastmath=True, error_model="numpy")
def _output(V: Any, h: Any, n: int, f: Any) -> None:
    """Weighted sums of the output unit over the hidden states, into `f`."""
    for b in range(n):
        f[b] = V[0]
    for k in range(len(h)):
        v = V[k + 1]
        hk = h[k]
        for b in range(n):
            f[b] += v * hk[b]


@compiled(fastmath=True, error_model="numpy")
def _hidden_slopes(f: Any, h: Any, n: int, v: float) -> float:
    """Replace the states of a unit by the derivatives of the cost; return that of its output weight."""
    total = 0.0
    for b in range(n):
        total += f[b] * h[b]
        h[b] = f[b] * v * (1.0 - h[b] * h[b])
    return total


@compiled(fastmath=True, error_model="numpy")
def _forward_four(X: Any, start: int, n: int, w: Any, h: Any) -> None:
    """Weighted sums of four units with weights w (4 M,), into h (4, n); an input is read once for all."""
    m = X.shape[0]
    h0 = h[0]
    h1 = h[1]
    h2 = h[2]
    h3 = h[3]
    for b in range(n):
        h0[b] = 0.0
        h1[b] = 0.0
        h2[b] = 0.0
        h3[b] = 0.0
    for i in range(0, m - 1, 2):
        x = X[i, start : start + n]
        y = X[i + 1, start : start + n]
        x0 = w[i]
        y0 = w[i + 1]
        x1 = w[m + i]
        y1 = w[m + i + 1]
        x2 = w[2 * m + i]
        y2 = w[2 * m + i + 1]
        x3 = w[3 * m + i]
        y3 = w[3 * m + i + 1]
        for b in range(n):
            h0[b] += x0 * x[b] + y0 * y[b]
            h1[b] += x1 * x[b] + y1 * y[b]
            h2[b] += x2 * x[b] + y2 * y[b]
            h3[b] += x3 * x[b] + y3 * y[b]
    if m % 2:
        x = X[m - 1, start : start + n]
        x0 = w[m - 1]
        x1 = w[2 * m - 1]
        x2 = w[3 * m - 1]
        x3 = w[4 * m - 1]
        for b in range(n):
            h0[b] += x0 * x[b]
            h1[b] += x1 * x[b]
            h2[b] += x2 * x[b]
            h3[b] += x3 * x[b]


@compiled(fastmath=True, error_model="numpy")
def _backward_four(X: Any, start: int, n: int, h: Any, gradient: Any) -> None:
    """Add Σ h x of four units to `gradient` (4 M,)."""
    m = X.shape[0]
    h0 = h[0]
    h1 = h[1]
    h2 = h[2]
    h3 = h[3]
    for i in range(m):
        x = X[i, start : start + n]
        g0 = 0.0
        g1 = 0.0
        g2 = 0.0
        g3 = 0.0
        for b in range(n):
            g0 += h0[b] * x[b]
            g1 += h1[b] * x[b]
            g2 += h2[b] * x[b]
            g3 += h3[b] * x[b]
        gradient[i] += g0
        gradient[m + i] += g1
        gradient[2 * m + i] += g2
        gradient[3 * m + i] += g3


@compiled(error_model="numpy", inline="always")
def soft_cost(X: Any, t: Any, s: Any, w: Any, hidden: int, gain: float, l2: float, gradient: Any) -> float:
    """Return the cost of the soft network w = (A, V) flattened; `gradient` is overwritten.

    Parameters
    ----------
    X : array (M, P), patterns, the constant input first
    t, s : array (P,), targets ±1 and weights
    w : array (hidden · (M + 1) + 1,)
    """
    m, p = X.shape
    V = w[hidden * m :]
    gV = gradient[hidden * m :]
    for i in range(len(w)):
        gradient[i] = 0.0
    block = np.int64(BLOCK)  # typed, or numba compiles `np.empty` once more for each literal
    h = np.empty((hidden, block))
    f = np.empty(block)
    losses = np.empty(block)
    loss = 0.0
    fours = hidden - hidden % 4
    for start in range(0, p, BLOCK):
        n = BLOCK if p - start > BLOCK else p - start
        for k in range(0, fours, 4):
            _forward_four(X, start, n, w[k * m : (k + 4) * m], h[k : k + 4])
        for k in range(fours, hidden):
            _forward(X, start, n, w[k * m : (k + 1) * m], h[k])
        for k in range(hidden):
            _tanh(h[k], n, gain)
        _output(V, h, n, f)
        _logistic(f, t[start : start + n], s[start : start + n], n, losses)
        loss += _sum(losses, n)
        gV[0] += _sum(f, n)
        for k in range(hidden):
            gV[k + 1] += _hidden_slopes(f, h[k], n, V[k + 1] * gain)
        for k in range(0, fours, 4):
            _backward_four(X, start, n, h[k : k + 4], gradient[k * m : (k + 4) * m])
        for k in range(fours, hidden):
            _backward(X, start, n, h[k], gradient[k * m : (k + 1) * m])
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
def _direction(g: Any, S: Any, Y: Any, count: int, d: Any) -> None:
    """Write the L-BFGS direction for gradient g into `d` (two-loop recursion)."""
    alpha = np.empty(np.int64(MEMORY))
    low = count - MEMORY if count > MEMORY else 0
    _combine(g, -2.0, g, d)
    for j in range(count - 1, low - 1, -1):
        i = j % MEMORY
        alpha[i] = _dot(S[i], d) / _dot(S[i], Y[i])
        _combine(d, -alpha[i], Y[i], d)
    if count:
        i = (count - 1) % MEMORY
        _combine(d, _dot(S[i], Y[i]) / _dot(Y[i], Y[i]) - 1.0, d, d)
    for j in range(low, count):
        i = j % MEMORY
        _combine(d, alpha[i] - _dot(Y[i], d) / _dot(S[i], Y[i]), S[i], d)


@compiled(error_model="numpy")
def cool(X: Any, t: Any, s: Any, w: Any, hidden: int, gains: Any, l2: float, iterations: int) -> Any:
    """Minimise `soft_cost` at each gain in turn by L-BFGS; arguments and results as in `soft.cool`."""
    size = len(w)
    w = w.copy()
    memory = np.int64(MEMORY)
    S = np.empty((memory, size))
    Y = np.empty((memory, size))
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
                _direction(g, S, Y, count, d)
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
                cost_new = soft_cost(X, t, s, trial, hidden, gain, l2, g_new)
                passes += 1
                if not cost_new <= cost + 1e-4 * step * slope:
                    high = step
                elif _dot(g_new, d) < 0.9 * slope:
                    low = step
                else:
                    break
                step = 0.5 * (low + high) if high < np.inf else 2.0 * low
            if not cost_new < cost:
                break
            if not first:
                _combine(trial, -1.0, w, S[count % MEMORY])
                _combine(g_new, -1.0, g, Y[count % MEMORY])
                if _dot(S[count % MEMORY], Y[count % MEMORY]) > 1e-14:
                    count += 1
            small = cost - cost_new < 1e-9 * cost_new
            for i in range(size):
                w[i] = trial[i]
                g[i] = g_new[i]
            cost = cost_new
            if small:
                break
    return w, cost, passes
