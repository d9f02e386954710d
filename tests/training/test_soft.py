"""The soft network: its cost against the plain formula, its gradient, and where the cooling ends."""

import numpy as np
import pytest
import reference
from scipy.optimize import minimize

from netlines.training import _soft, _softmax, soft
from netlines.training._soft import BLOCK, blocks
from netlines.training.refine import JOINT

GAINS, DECAY = np.array(JOINT.gains), JOINT.decay
SINGLE = 2e-6  # relative error of sums in single precision


def soft_problem(p, m, hidden, seed=0):
    """Return patterns (m, p), targets, weights of the patterns that sum to 1, and random weights."""
    rng = np.random.default_rng([seed, p, m, hidden])
    X = np.vstack([np.ones(p), rng.standard_normal((m - 1, p))])
    targets = np.where(rng.random(p) < 0.5, -1.0, 1.0)
    s = rng.uniform(0.5, 2.0, p)
    return X, targets, s / s.sum(), rng.standard_normal(hidden * (m + 1) + 1)


def cost_and_gradient(X, t, s, w, hidden, gain, l2=DECAY):
    gradient = np.full(len(w), np.nan)
    return _soft.soft_cost(blocks(X, t, s), w, hidden, gain, l2, gradient), gradient


def cool(X, t, s, *more):
    return _soft.cool(blocks(X, t, s), *more)


def naive_cost(X, t, s, w, hidden, gain, l2=DECAY):
    m = len(X)
    A, V = w[: hidden * m].reshape(hidden, m), w[hidden * m :]
    return reference.soft_network_cost(A, V, X.T, t, s, gain, l2)


def committee(p=300, n=4, seed=1):
    """Return a problem that a soft network of three units can learn."""
    rng = np.random.default_rng(seed)
    X = np.vstack([np.ones(p), rng.standard_normal((n, p))])
    t = np.where(np.sign(rng.standard_normal((3, n)) @ X[1:]).sum(axis=0) > 0, 1.0, -1.0)
    return X, t, np.full(p, 1 / p)


@pytest.mark.parametrize("p", [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 1300])
@pytest.mark.parametrize(("m", "hidden"), [(2, 1), (8, 3), (9, 2), (17, 5)])
def test_the_cost_equals_the_plain_formula(p, m, hidden):
    X, t, s, w = soft_problem(p, m, hidden)
    np.testing.assert_allclose(
        cost_and_gradient(X, t, s, w, hidden, 2.0)[0], naive_cost(X, t, s, w, hidden, 2.0), rtol=SINGLE
    )


@pytest.mark.parametrize("gain", GAINS)
def test_the_gradient_equals_finite_differences(gain):
    X, t, s, w = soft_problem(90, 5, 3)
    _, gradient = cost_and_gradient(X, t, s, w, 3, gain, 1e-2)
    step = 1e-6
    slope = [
        (naive_cost(X, t, s, w + step * e, 3, gain, 1e-2) - naive_cost(X, t, s, w - step * e, 3, gain, 1e-2))
        / (2 * step)
        for e in np.eye(len(w))
    ]
    np.testing.assert_allclose(gradient, slope, rtol=1e-5, atol=1e-6)


def test_saturated_units_and_outputs_neither_overflow_nor_lose_the_slope():
    X, t, s, w = soft_problem(40, 3, 2)
    cost, gradient = cost_and_gradient(X, t, s, 1e4 * w, 2, 8.0, 0.0)
    np.testing.assert_allclose(cost, naive_cost(X, t, s, 1e4 * w, 2, 8.0, 0.0), rtol=SINGLE)
    assert np.isfinite(gradient).all()


def test_blocks_hold_all_patterns_and_what_fills_them_has_no_weight():
    X, t, s, _ = soft_problem(BLOCK + 3, 4, 1)
    made = blocks(X, t, s)
    assert made.dtype == np.float32
    assert made.shape[:2] == (2, 4 + 2)
    assert made.shape[2] % 16 == 0
    flat = made.transpose(1, 0, 2).reshape(6, -1)
    np.testing.assert_array_equal(flat[:, : BLOCK + 3], np.vstack([X, t, s]).astype(np.float32))
    assert not flat[:, BLOCK + 3 :].any()


def test_patterns_in_any_precision_are_cooled_alike():
    X, t, s, start = soft_problem(300, 6, 2)
    X = X.astype(np.float32)
    one, other = (soft.cool(patterns, t, s, start, 2, GAINS, DECAY, 20) for patterns in (X, X.astype(float)))
    np.testing.assert_array_equal(one[0], other[0])


@pytest.mark.parametrize("seed", range(5))
def test_cooling_lowers_the_cost_to_a_stationary_point(seed):
    X, t, s, start = soft_problem(120, 4, 2, seed)
    before = naive_cost(X, t, s, start, 2, 1.0, 1e-2)
    w, cost, passes = cool(X, t, s, start, 2, np.array([1.0]), 1e-2, 1000)
    assert cost < before
    assert passes > 1
    np.testing.assert_allclose(cost, naive_cost(X, t, s, w, 2, 1.0, 1e-2), rtol=SINGLE)
    assert np.abs(cost_and_gradient(X, t, s, w, 2, 1.0, 1e-2)[1]).max() < 1e-4


@pytest.mark.parametrize("seed", range(5))
def test_cooling_ends_where_the_lbfgs_of_scipy_ends_where_there_is_one_minimum(seed):
    # A unit that is all but linear (a small gain) with a strong decay has a single minimum.
    X, t, s, start = soft_problem(100, 5, 1, seed)
    _, cost, _ = cool(X, t, s, start, 1, np.array([0.05]), 0.1, 1000)
    found = minimize(
        lambda v: cost_and_gradient(X, t, s, v, 1, 0.05, 0.1), start, jac=True, method="L-BFGS-B"
    )
    np.testing.assert_allclose(cost, found.fun, rtol=1e-6)


def test_cooling_does_as_well_as_scipy_from_the_same_starts():
    X, t, s = committee()
    ours, theirs = [], []
    for seed in range(8):
        start = np.random.default_rng(seed).standard_normal(3 * 6 + 1) / 2
        v = start
        ours.append(cool(X, t, s, start, 3, GAINS, DECAY, 200)[1])
        for gain in GAINS:
            found = minimize(
                lambda v, gain=gain: cost_and_gradient(X, t, s, v, 3, gain),
                v,
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": 200, "maxcor": 8},
            )
            v = found.x
        theirs.append(found.fun)
    assert np.median(ours) <= 1.05 * np.median(theirs)
    assert min(ours) <= 1.05 * min(theirs)


def test_each_gain_starts_from_the_weights_of_the_last():
    X, t, s, start = soft_problem(80, 3, 2)
    together, one_by_one = cool(X, t, s, start, 2, GAINS, DECAY, 30)[0], start
    for gain in GAINS:
        one_by_one, *_ = cool(X, t, s, one_by_one, 2, np.array([gain]), DECAY, 30)
    np.testing.assert_array_equal(together, one_by_one)


def test_no_iterations_only_evaluate_the_start():
    X, t, s, start = soft_problem(30, 3, 2)
    w, cost, passes = cool(X, t, s, start, 2, np.array([1.0]), DECAY, 0)
    np.testing.assert_array_equal(w, start)
    assert passes == 1
    np.testing.assert_allclose(cost, naive_cost(X, t, s, start, 2, 1.0), rtol=SINGLE)


def test_cooling_leaves_its_start_alone():
    X, t, s, start = soft_problem(80, 3, 2)
    before = start.copy()
    w, *_ = cool(X, t, s, start, 2, GAINS, DECAY, 30)
    np.testing.assert_array_equal(start, before)
    assert not np.array_equal(w, start)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_two_engines_have_one_door(n_classes):
    X, t, s, _ = soft_problem(60, 4, 3)
    n_outputs = 1 if n_classes == 2 else n_classes
    T = t if n_classes == 2 else soft.targets_of(np.arange(60) % n_classes, n_classes)
    engine = cool if n_classes == 2 else _softmax.cool
    start = soft.start(3, 4, n_outputs, np.random.default_rng(0))
    one, other = (each(X, T, s, start, 3, GAINS, DECAY, 20) for each in (soft.cool, engine))
    np.testing.assert_array_equal(one[0], other[0])
    assert one[1:] == other[1:]
    A, V = soft.split(one[0], 3, n_outputs)
    expected = V[:, :1] + V[:, 1:] @ np.tanh(8.0 * A @ X)
    np.testing.assert_allclose(soft.outputs(one[0], X, 3, n_outputs, 8.0), expected)
