"""Minimerror, NetLines and MonoPlane as the paper has them, slow and plain: the oracle of the fast code.

Patterns are rows here, with the constant input first: ξ = (1, ξ_1, ..., ξ_N). Targets are ±1.
"""

import math

import numpy as np

LEARNING_RATE = 0.02  # ε
ANNEALING_RATE = 1e-3  # δT⁻¹
THETA = 6.0  # θ = T₋/T₊
MOST_EPOCHS = 50_000
EMPTY = 1e-6  # a window this empty no longer moves the weights
SLACK = 1e-9  # patterns closer to the hyperplane than this count as errors


def sign(values):
    """Return +1 or -1; sign(0) = +1."""
    return np.where(np.asarray(values) >= 0, 1.0, -1.0)


# The perceptron learning algorithm


def stabilities(w, patterns, targets):
    """Eq. (stability)."""
    return targets * (patterns @ w) / math.sqrt(w @ w)


def cost(w, patterns, targets, T):
    """Eq. (cost)."""
    return 0.5 * np.sum(1 - np.tanh(stabilities(w, patterns, targets) / (2 * T)))


def weight_change(w, patterns, targets, inverse_T, theta=THETA, learning_rate=LEARNING_RATE):
    """Eq. (Minimerror.1): δw, and the widest window."""
    gamma = stabilities(w, patterns, targets)
    inverse_T_plus, inverse_T_minus = inverse_T, inverse_T / theta
    c = 1 / np.cosh(gamma * np.where(gamma <= 0, inverse_T_minus, inverse_T_plus) / 2) ** 2
    return learning_rate * ((c * targets) @ patterns), c.max()


def normalise(w):
    """Eq. (Minimerror.3): the norm √(N + 1)."""
    return math.sqrt(len(w)) * w / math.sqrt(w @ w)


def hebb(patterns, targets):
    """Return the sum of τξ, where learning starts; the constant input alone if it vanishes."""
    w = targets @ patterns
    return normalise(w if np.abs(w).max() > 1e-12 else np.eye(len(w))[0])


def anneal(patterns, targets, epochs, start=None, **options):
    """Yield the weights of Eqs. (Minimerror.1-3) epoch by epoch, from 1/T₊ = 0 and Hebb's rule or `start`."""
    w, inverse_T = hebb(patterns, targets) if start is None else normalise(start), 0.0
    yield w
    for _ in range(epochs):
        change, widest = weight_change(w, patterns, targets, inverse_T, **options)
        if widest < EMPTY:
            return
        w = normalise(w + change)
        inverse_T = inverse_T + ANNEALING_RATE
        yield w


def minimerror(patterns, targets, epochs=MOST_EPOCHS):
    """Anneal and keep the weights with the fewest errors, the latest among equals."""
    best, fewest = None, math.inf
    for w in anneal(patterns, targets, epochs):
        errors = np.sum(stabilities(w, patterns, targets) <= SLACK)
        if errors <= fewest:
            best, fewest = w, errors
    return best


# The algorithm NetLines


def netlines(patterns, targets, H_max, E_max=0, learn=minimerror):
    """Return the hidden units in the order of growth, and the output weights (None for one unit)."""
    w, sigma = [], np.ones((len(targets), 1))
    tau_next = targets
    while True:
        # 1: train the hidden units
        w.append(learn(patterns, tau_next))
        sigma = np.column_stack([sigma, sign(patterns @ w[-1])])  # Eq. (update_hidden)
        if len(w) == 1:
            if np.array_equal(sigma[:, 1], targets):
                return w, None
            tau_next = sigma[:, 1] * targets
            continue
        # 2: learn the mapping between the internal representations and the outputs
        W = learn(sigma, targets)
        zeta = sign(sigma @ W)  # Eq. (update_output)
        tau_next = zeta * targets
        errors = np.sum((1 - tau_next) / 2)
        if len(w) == H_max or errors <= E_max:
            return w, W


# MonoPlane, which section 3 describes


def monoplane(patterns, targets, H_max, learn=minimerror):
    """Return the hidden units in the order of growth, and the output weights (None for one unit)."""
    w, sigma = [], np.ones((len(targets), 1))
    tau_next = targets
    while True:
        # 1: each hidden unit corrects the errors of the previously included one, until there are none
        while True:
            w.append(learn(patterns, tau_next))
            sigma = np.column_stack([sigma, sign(patterns @ w[-1])])
            tau_next = sigma[:, -1] * tau_next
            if len(w) == H_max or np.all(tau_next > 0):
                break
        if len(w) == 1:
            return w, None
        # 2: learn the mapping between the internal representations and the outputs
        W = learn(sigma, targets)
        tau_next = sign(sigma @ W) * targets
        if len(w) == H_max or np.all(tau_next > 0):
            return w, W


# Data standardization


def standardise(X):
    """Eq. (new_set): return the standardised inputs, the means and the deviations."""
    P, N = X.shape
    mean = [sum(X[mu, i] for mu in range(P)) / P for i in range(N)]
    delta = [math.sqrt(sum((X[mu, i] - mean[i]) ** 2 for mu in range(P)) / P) for i in range(N)]
    return (X - mean) / delta, np.array(mean), np.array(delta)


def with_constant(X):
    """Put ξ_0 = 1 in front of each pattern."""
    return np.column_stack([np.ones(len(X)), X])


def user_units(w, mean, delta):
    """Eqs. (new_bias) and (new_weights): w̃ for the inputs as the user measured them."""
    N = len(w) - 1
    bias = w[0] - sum(w[i] * mean[i - 1] / delta[i - 1] for i in range(1, N + 1))
    norm = math.sqrt(bias**2 + sum((w[j] / delta[j - 1]) ** 2 for j in range(1, N + 1)))
    slopes = [w[i] / delta[i - 1] for i in range(1, N + 1)]
    return math.sqrt(N + 1) * np.array([bias, *slopes]) / norm


# Joint annealing, which the paper has not


def soft_network_cost(A, V, patterns, targets, weights, gain, decay):
    """Σ s log(1 + exp(-τf)) + decay/2 |weights|², f = V_0 + Σ_k V_k tanh(gain A_k·ξ)."""
    total = decay / 2 * (np.sum(A**2) + np.sum(V**2))
    for xi, tau, s in zip(patterns, targets, weights, strict=True):
        f = V[0] + sum(V[k + 1] * math.tanh(gain * np.dot(a, xi)) for k, a in enumerate(A))
        total += s * (math.log1p(math.exp(-abs(f))) + max(-tau * f, 0.0))
    return total


# Boosting with symmetric trees, which the paper has not


def boost(bins, targets, weights, first, n_trees, depth, rate, ridge):
    """Return trees, each a list of questions (column, bin) and leaves by their answers; and scores (n, K).

    Of bins (n, N) with targets (n, K), one of two classes. A question is the first of the best over all
    leaves.
    """
    f, trees = np.tile(first, (len(bins), 1)), []
    for _ in range(n_trees):
        e = np.exp(f)
        p = e / (1 + e) if f.shape[1] == 1 else e / e.sum(axis=1, keepdims=True)
        g, h = weights[:, None] * (p - targets), weights[:, None] * p * (1 - p)
        leaf, questions = np.zeros(len(bins), int), []
        for _ in range(depth):
            best, asked = -1.0, None
            for j, b in np.ndindex(bins.shape[1], bins.max()):
                split = 2 * leaf + (bins[:, j] > b)
                sides = [split == side for side in set(split)]
                gain = sum((g[s].sum(axis=0) ** 2 / (h[s].sum(axis=0) + ridge)).sum() for s in sides)
                if gain > best * (1 + 1e-10):
                    best, asked = gain, (j, b)
            leaf = 2 * leaf + (bins[:, asked[0]] > asked[1])
            questions.append(asked)
        sums = {a: (g[leaf == a].sum(axis=0), h[leaf == a].sum(axis=0)) for a in set(leaf)}
        leaves = {a: -rate * total / (curvature + ridge) for a, (total, curvature) in sums.items()}
        f = f + np.array([leaves[a] for a in leaf])
        trees.append((questions, leaves))
    return trees, f
