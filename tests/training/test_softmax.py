"""The soft network of many classes: its cost against the plain formula, its gradient, where cooling ends."""

import numpy as np
import pytest
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from netlines.training import soft
from netlines.training._softmax import (
    BLOCK,
    cool,
    fit_outputs,
    linear_cost,
    soft_cost,
)

GAINS = [1.0, 2.0, 4.0, 8.0]


def soft_problem(p, m, hidden, n_classes=3, seed=0, dtype=np.float64):
    """Return patterns (m, p), soft targets, weights of the patterns that sum to 1, and random weights."""
    rng = np.random.default_rng([seed, p, m, hidden])
    X = np.vstack([np.ones(p), rng.standard_normal((m - 1, p))])
    T = rng.dirichlet(np.ones(n_classes), p).T
    s = rng.uniform(0.5, 2.0, p)
    w = rng.standard_normal(hidden * m + n_classes * (hidden + 1))
    return X.astype(dtype), T.astype(dtype), (s / s.sum()).astype(dtype), w


def naive_cost(w, X, T, share, hidden, gain, l2):
    m, n_classes = len(X), len(T)
    A = w[: hidden * m].reshape(hidden, m)
    V = w[hidden * m :].reshape(n_classes, hidden + 1)
    cost = 0.5 * l2 * (w**2).sum()
    for x, t, s in zip(X.T.astype(float), T.T.astype(float), share.astype(float), strict=True):
        f = V[:, 0] + V[:, 1:] @ np.tanh(gain * (A @ x))
        cost -= s * (t @ log_softmax(f))
    return cost


def slopes(function, w, step=1e-6):
    return [(function(w + step * e) - function(w - step * e)) / (2 * step) for e in np.eye(len(w))]


@pytest.mark.parametrize("p", [1, 7, BLOCK - 1, BLOCK, BLOCK + 1])
@pytest.mark.parametrize(("m", "hidden", "n_classes"), [(2, 1, 3), (8, 3, 4), (9, 5, 10)])
def test_the_cost_equals_the_plain_formula(p, m, hidden, n_classes):
    X, T, s, w = soft_problem(p, m, hidden, n_classes)
    expected = naive_cost(w, X, T, s, hidden, 2.0, 1e-3)
    np.testing.assert_allclose(soft_cost(w, X, T, s, hidden, 2.0, 1e-3)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("gain", GAINS)
def test_the_gradient_equals_finite_differences(gain):
    X, T, s, w = soft_problem(60, 4, 3)
    _, gradient = soft_cost(w, X, T, s, 3, gain, 1e-2)
    expected = slopes(lambda v: naive_cost(v, X, T, s, 3, gain, 1e-2), w)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("p", [50, BLOCK + 300])
def test_single_precision_is_close_to_double(p):
    X, T, s, w = soft_problem(p, 6, 4)
    cost, gradient = soft_cost(w, X, T, s, 4, 4.0, 1e-3)
    rough = soft_cost(w, *(a.astype(np.float32) for a in (X, T, s)), 4, 4.0, 1e-3)
    np.testing.assert_allclose(rough[0], cost, rtol=1e-5)
    np.testing.assert_allclose(rough[1], gradient, rtol=0, atol=1e-5 * np.abs(gradient).max())
    assert rough[1].dtype == np.float64


def test_saturated_units_and_outputs_do_not_overflow():
    X, T, s, w = soft_problem(40, 3, 2)
    cost, gradient = soft_cost(1e4 * w, X, T, s, 2, 8.0, 0.0)
    np.testing.assert_allclose(cost, naive_cost(1e4 * w, X, T, s, 2, 8.0, 0.0), rtol=1e-12)
    assert np.isfinite(gradient).all()


def test_labels_become_columns_with_a_single_one():
    T = soft.targets_of(np.array([2, 0, 1, 2]), 4)
    np.testing.assert_array_equal(T, [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1], [0, 0, 0, 0]])
    assert T.dtype == np.float32


def test_split_weights_are_views_of_the_flat_ones():
    w = np.arange(3 * 5 + 4 * 4.0)
    A, V = soft.split(w, 3, 4)
    assert A.shape == (3, 5)
    assert V.shape == (4, 4)
    A[0, 0], V[-1, -1] = -1.0, -2.0
    assert (w[0], w[-1]) == (-1.0, -2.0)
    np.testing.assert_array_equal(np.concatenate([A.ravel(), V.ravel()]), w)


def test_random_starts_depend_on_the_generator_alone():
    one, other = (soft.start(3, 5, 4, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(one, other)
    assert one.shape == (3 * 5 + 4 * 4,)
    assert not np.array_equal(one, soft.start(3, 5, 4, np.random.default_rng(8)))
    A, V = soft.split(soft.start(400, 25, 3, np.random.default_rng(0)), 400, 3)
    np.testing.assert_allclose([A.std(), V.std()], [0.2, 0.5], rtol=0.1)


def planted(p=400, seed=1):
    """Return a problem of four classes that two units can learn."""
    rng = np.random.default_rng(seed)
    X = np.vstack([np.ones(p), rng.standard_normal((2, p))])
    labels = ((X[1:] > 0).T @ [1, 2]).astype(int)
    return X, labels, np.full(p, 1 / p)


def test_cooling_learns_what_two_units_can_learn():
    X, labels, share = planted()
    start = soft.start(2, 3, 4, np.random.default_rng(0))
    w, cost, passes = cool(X, soft.targets_of(labels, 4), share, start, 2, GAINS, 1e-4, 60)
    A, V = soft.split(w, 2, 4)
    answers = (V[:, :1] + V[:, 1:] @ np.sign(A @ X)).argmax(axis=0)
    assert (answers != labels).mean() < 0.02
    assert 0 < cost < 0.1
    assert passes >= 8


def test_cooling_is_repeatable_and_leaves_its_start_alone():
    X, labels, share = planted()
    start = soft.start(3, 3, 4, np.random.default_rng(0))
    before = start.copy()
    one, other = (cool(X, soft.targets_of(labels, 4), share, start, 3, GAINS, 1e-3, 20) for _ in range(2))
    np.testing.assert_array_equal(one[0], other[0])
    assert one[1:] == other[1:]
    np.testing.assert_array_equal(start, before)


def test_the_linear_cost_and_its_gradient_equal_the_plain_formula():
    rng = np.random.default_rng(0)
    F, T = rng.standard_normal((4, 50)), rng.dirichlet(np.ones(3), 50).T
    share, penalty = np.full(50, 0.02), np.array([0.0, 0.1, 0.2, 0.3])
    w = rng.standard_normal(12)

    def naive(v):
        W = v.reshape(3, 4)
        return -(share @ (T * log_softmax(W @ F, axis=0)).sum(axis=0)) + 0.5 * ((W**2) @ penalty).sum()

    cost, gradient = linear_cost(w, F, T, share, penalty)
    np.testing.assert_allclose(cost, naive(w), rtol=1e-12)
    np.testing.assert_allclose(gradient, slopes(naive, w), rtol=1e-6, atol=1e-8)


def test_fitted_outputs_equal_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    F, labels = rng.standard_normal((3, 200)), rng.integers(0, 3, 200)
    W, cost = fit_outputs(
        F, soft.targets_of(labels, 3).astype(float), np.full(200, 1 / 200), 0.01, iterations=2000
    )
    peer = LogisticRegression(C=1 / (0.01 * 200), fit_intercept=False, tol=1e-10, max_iter=2000)
    peer.fit(F.T, labels)
    np.testing.assert_allclose(W - W.mean(axis=0), peer.coef_ - peer.coef_.mean(axis=0), atol=1e-3)
    again, no_higher = fit_outputs(
        F, soft.targets_of(labels, 3).astype(float), np.full(200, 1 / 200), 0.01, start=W
    )
    assert no_higher <= cost
    np.testing.assert_allclose(again, W, atol=1e-3)


def test_a_penalty_of_its_own_for_each_feature():
    rng = np.random.default_rng(4)
    F, labels = rng.standard_normal((3, 200)), rng.integers(0, 3, 200)
    W, _ = fit_outputs(F, soft.targets_of(labels, 3), np.full(200, 1 / 200), np.array([0.0, 0.0, 1e3]))
    assert np.abs(W[:, 2]).max() < 1e-3 < np.abs(W[:, :2]).max()
