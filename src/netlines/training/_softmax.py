"""A soft network with one output a class, and its minimisation by L-BFGS.

h = tanh(gain · A x), f = V₀ + V h, and the cost is the weighted cross-entropy of softmax(f) with the targets
plus l2/2 times the squared weights. With several outputs the matrix products are large enough for BLAS, in
single precision and in blocks that stay in the cache; sums over the blocks are in double precision. The
two-class network, whose problems are small, has compiled code of its own in `_soft`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from netlines.training.soft import split

BLOCK = 1024


def soft_cost(
    w: NDArray, X: NDArray, T: NDArray, share: NDArray, hidden: int, gain: float, l2: float
) -> tuple[float, NDArray]:
    """Return the cost of the soft network w = (A, V) flattened, and its gradient.

    Parameters
    ----------
    w : array (H · M + C · (H + 1),)
    X : array (M, n), patterns, the constant input first
    T : array (C, n), the share of each class in a pattern, columns with the sum 1
    share : array (n,), weights of the patterns with the sum 1
    hidden : number of hidden units
    gain, l2 : steepness of the units, weight of the squared weights
    """
    dtype = X.dtype
    A, V = split(w, hidden, len(T))
    steep, bias, V = (gain * A).astype(dtype), V[:, :1].astype(dtype), V[:, 1:].astype(dtype)
    back = np.ascontiguousarray((gain * V).T)
    gradient = np.zeros_like(w)
    gA, gV = split(gradient, hidden, len(T))
    cost = 0.5 * l2 * float(w @ w)
    for start in range(0, X.shape[1], BLOCK):
        block = slice(start, start + BLOCK)
        x, t, s = X[:, block], T[:, block], share[block]
        h = steep @ x
        np.tanh(h, out=h)
        f = V @ h
        f += bias
        f -= f.max(axis=0)
        own = (t * f).sum(axis=0)
        np.exp(f, out=f)
        total = f.sum(axis=0)
        cost += float(s @ (np.log(total) - own))
        f /= total
        f -= t
        f *= s
        gV[:, 0] += f.sum(axis=1)
        gV[:, 1:] += f @ h.T
        d = back @ f
        h *= h
        np.subtract(1, h, out=h)
        d *= h
        gA += d @ x.T
    gradient += l2 * w
    return cost, gradient


def cool(
    X: NDArray,
    T: NDArray,
    share: NDArray,
    w: NDArray,
    hidden: int,
    gains: Iterable[float],
    l2: float,
    iterations: int,
) -> tuple[NDArray, float, int]:
    """Minimise `soft_cost` at each gain in turn by L-BFGS; arguments and results as in `soft.cool`."""
    X, T, share = (np.ascontiguousarray(array, dtype=np.float32) for array in (X, T, share))
    cost, passes = np.inf, 0
    for gain in gains:
        options = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 10}
        arguments = X, T, share, hidden, gain, l2
        found = minimize(soft_cost, w, args=arguments, jac=True, method="L-BFGS-B", options=options)
        w, cost, passes = found.x, float(found.fun), passes + int(found.nfev)
    return w, cost, passes


def linear_cost(
    w: NDArray, F: NDArray, T: NDArray, share: NDArray, penalty: NDArray
) -> tuple[float, NDArray]:
    """Return the cross-entropy of softmax(W F) with the targets plus the penalty, and its gradient.

    Parameters
    ----------
    w : array (C · K,), the weights W (C, K) flattened
    F : array (K, n), features, the constant one among them
    T, share : as in `soft_cost`
    penalty : array (K,), weight of the squared weights of each feature
    """
    W = w.reshape(len(T), len(F))
    f = W @ F
    f -= f.max(axis=0)
    own = (T * f).sum(axis=0)
    np.exp(f, out=f)
    total = f.sum(axis=0)
    cost = float(share @ (np.log(total) - own)) + 0.5 * float((W * W).sum(axis=0) @ penalty)
    f /= total
    f -= T
    f *= share
    return cost, np.asarray(f @ F.T + penalty * W).ravel()


def fit_outputs(
    F: NDArray,
    T: NDArray,
    share: NDArray,
    penalty: NDArray | float,
    *,
    start: NDArray | None = None,
    iterations: int = 300,
) -> tuple[NDArray, float]:
    """Fit a multinomial logistic regression; return its weights (C, K) and its cost.

    Parameters
    ----------
    F : array (K, n), features, the constant one among them
    T, share : as in `soft_cost`
    penalty : weight of the squared weights, of all features or of each, array (K,)
    start : array (C, K), where to begin
    iterations : most steps
    """
    w = np.zeros(len(T) * len(F)) if start is None else np.asarray(start, dtype=float).ravel()
    penalty = np.broadcast_to(np.asarray(penalty, dtype=float), len(F))
    arguments = F, np.asarray(T, dtype=F.dtype), share.astype(F.dtype), penalty
    options = {"maxiter": iterations, "maxfun": 2 * iterations}
    found = minimize(linear_cost, w, args=arguments, jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(len(T), len(F)), float(found.fun)
