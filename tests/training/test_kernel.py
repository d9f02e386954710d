"""The compiled pass and the annealing loop: a step by hand, numpy, finite differences, the paper."""

import math

import numpy as np
import pytest
import reference

from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_sonar, make_parity
from netlines.training._kernel import BLOCK, _exp_minus, _windows, anneal, exp_minus_single, one_pass
from netlines.training.minimerror import NO_MARKS, SLACK, hebb, paper_unit, random_start


def folded_problem(p, m, dtype=np.float64, seed=0):
    """Return patterns (m, p) times their targets, weights of the patterns and a unit vector."""
    rng = np.random.default_rng([seed, p, m])
    X = rng.standard_normal((m, p))
    X[0] = np.where(rng.random(p) < 0.5, -1.0, 1.0)
    u = rng.standard_normal(m)
    return X.astype(dtype), rng.uniform(0.5, 3.0, p), u / np.sqrt(u @ u)


def numpy_pass(X, s, u, cold, hot, slack):
    gamma = u @ X.astype(float)
    c = 1 / np.cosh(gamma * np.where(gamma > 0, cold, hot) / 2) ** 2
    return X.astype(float) @ (s * c), s[gamma <= slack].sum(), c.max()


def paper_patterns(X, y):
    """Return the reference's patterns and targets, and the kernel's folded patterns."""
    patterns = reference.with_constant(reference.standardise(X)[0])
    return patterns, y, np.ascontiguousarray((patterns * y[:, None]).T)


def noisy_plane(p, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((p, n))
    return X, np.where(X[:, 0] + rng.standard_normal(p) > 0, 1.0, -1.0)


def binary(X, y):
    return X, np.where(y == np.unique(y)[1], 1.0, -1.0)


PROBLEMS = {
    "one dimension": lambda: noisy_plane(30, 1, 0),
    "noisy plane": lambda: noisy_plane(100, 5, 1),
    "nearly as many inputs as patterns": lambda: noisy_plane(25, 20, 2),
    "cancer": lambda: binary(*load_breast_cancer_wisconsin(return_X_y=True)),
    "monks 1": lambda: binary(*load_monks(1, return_X_y=True)),
    "sonar": lambda: binary(*load_sonar(return_X_y=True)),
}


def test_one_step_worked_by_hand():
    # Two inputs and the constant one, two patterns: x1 = (1, 1) of class +1, x2 = (1, -1) of class -1,
    # folded x2 <- -x2. With u = (1, 0) the stabilities are 1 and -1.
    X = np.array([[1.0, -1.0], [1.0, 1.0]])
    gradient = np.full(2, np.nan)
    errors, window = one_pass(X, np.ones(2), np.array([1.0, 0.0]), 2.0, 0.5, 0.0, gradient)
    right, wrong = 1 / math.cosh(1.0) ** 2, 1 / math.cosh(0.25) ** 2
    assert errors == 1
    np.testing.assert_allclose(window, wrong, rtol=1e-14)
    np.testing.assert_allclose(gradient, [right - wrong, right + wrong], rtol=1e-14)


def test_one_annealing_step_worked_by_hand():
    X = np.array([[1.0, -1.0], [1.0, 1.0]])
    start = np.array([1.0, 0.0])
    u = anneal(X, np.ones(2), start, 0.1 * np.eye(2), np.array([2.0]), 4.0, 0.0, 0.0, np.array([1]), np.inf)[
        4
    ][0]
    right, wrong = 1 / math.cosh(1.0) ** 2, 1 / math.cosh(0.25) ** 2
    moved = np.array([1 + 0.1 * (right - wrong), 0.1 * (right + wrong)])
    np.testing.assert_allclose(u, moved / np.hypot(*moved), rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("p", [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 5000])
@pytest.mark.parametrize("m", range(1, 21))
def test_one_pass_equals_the_numpy_formula(p, m, dtype):
    X, s, u = folded_problem(p, m, dtype)
    gradient = np.full(m, np.nan)
    errors, window = one_pass(X, s, u, 3.0, 0.5, 0.01, gradient)
    expected, expected_errors, expected_window = numpy_pass(X, s, u, 3.0, 0.5, 0.01)
    digits = 1e-12 if dtype == np.float64 else 1e-6  # patterns in single precision are summed in it
    np.testing.assert_allclose(gradient, expected, rtol=digits, atol=digits * s.sum())
    np.testing.assert_allclose([errors, window], [expected_errors, expected_window], rtol=digits)


@pytest.mark.parametrize("T", [0.1, 0.5, 2.0])
def test_at_theta_one_the_update_goes_down_the_gradient_of_the_cost(T):
    patterns, targets, X = paper_patterns(*noisy_plane(60, 4, 3))
    u = np.random.default_rng(4).standard_normal(5)
    u /= np.sqrt(u @ u)
    update = np.empty(5)
    one_pass(X, np.ones(60), u, 1 / T, 1 / T, 0.0, update)
    step = 1e-6
    slope = np.array(
        [
            (
                reference.cost(u + step * e, patterns, targets, T)
                - reference.cost(u - step * e, patterns, targets, T)
            )
            / (2 * step)
            for e in np.eye(5)
        ]
    )
    # dE/dw = -1/(4T) Σ τξ/cosh², less its part along w, which the normalisation takes away.
    tangent = update - (update @ u) * u
    np.testing.assert_allclose(slope, -tangent / (4 * T), rtol=1e-6, atol=1e-8)


def test_the_exponential_in_single_precision_is_exact_to_its_rounding():
    t = np.concatenate([[0.0], np.geomspace(1e-30, 60.0, 5000)]).astype(np.float32)
    values = np.array([exp_minus_single(x) for x in t])
    np.testing.assert_allclose(values, np.exp(-t.astype(float)), rtol=5e-7)
    assert 0 < exp_minus_single(np.float32(np.inf)) < 1e-26


def test_the_exponential_is_exact_to_rounding():
    t = np.concatenate([[0.0], np.geomspace(1e-300, 700.0, 5000), np.linspace(0.0, 700.0, 5000)])
    values = np.array([_exp_minus(x) for x in t])
    np.testing.assert_allclose(values, np.exp(-t), rtol=5e-16, atol=0)


def test_the_exponential_of_far_away_patterns_vanishes():
    assert 0 <= _exp_minus(1e300) < 1e-300
    assert 0 <= _exp_minus(np.inf) < 1e-300


def test_windows_are_exact_on_both_sides_of_the_hyperplane():
    gamma = np.concatenate([-np.geomspace(1e-12, 60.0, 1000), [0.0], np.geomspace(1e-12, 60.0, 1000)])
    expected = 1 / np.cosh(gamma * np.where(gamma > 0, 5.0, 0.8) / 2) ** 2
    _windows(gamma, len(gamma), 5.0, 0.8)
    np.testing.assert_allclose(gamma, expected, rtol=2e-14)


def test_infinite_theta_lets_every_error_count_in_full():
    X = np.array([[-0.5, -100.0, 2.0]])
    gradient = np.empty(1)
    one_pass(X, np.ones(3), np.ones(1), 10.0, 10.0 / np.inf, 0.0, gradient)
    np.testing.assert_allclose(gradient, [-100.5 + 2.0 / np.cosh(10.0) ** 2], rtol=1e-13)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_paper_schedule_equals_the_reference_over_500_epochs(name):
    patterns, targets, X = paper_patterns(*PROBLEMS[name]())
    *_, expected = reference.anneal(patterns, targets, 500)
    unit = paper_unit(X, np.ones(len(targets)), coldest=0.5)
    assert unit.epochs == 500
    np.testing.assert_allclose(unit.weights * np.sqrt(len(X)), expected, rtol=0, atol=1e-10)


def test_every_epoch_of_the_paper_schedule_equals_the_reference():
    patterns, targets, X = paper_patterns(*noisy_plane(80, 3, 5))
    expected = np.array(list(reference.anneal(patterns, targets, 500)))
    s, marks = np.ones(80), np.arange(501)
    G = np.eye(4) * reference.LEARNING_RATE / np.sqrt(4)
    betas = reference.ANNEALING_RATE * np.arange(500)
    path = anneal(X, s, hebb(X, s), G, betas, reference.THETA, 0.0, SLACK, marks, np.inf)[4]
    np.testing.assert_allclose(2 * path, expected, rtol=0, atol=1e-10)


def test_another_theta_and_learning_rate_equal_the_reference_too():
    patterns, targets, X = paper_patterns(*noisy_plane(60, 3, 6))
    *_, expected = reference.anneal(patterns, targets, 500, theta=2.5, learning_rate=0.005)
    unit = paper_unit(X, np.ones(60), theta=2.5, learning_rate=0.005, coldest=0.5)
    np.testing.assert_allclose(unit.weights * 2, expected, rtol=0, atol=1e-10)


def test_the_weights_kept_are_the_latest_with_the_fewest_errors():
    X, s, start = folded_problem(200, 4, seed=7)
    betas = np.geomspace(1.0, 20.0, 60)
    marks = np.arange(61)
    best, errors, beta, steps, path = anneal(
        X, s, start, np.eye(4) * 2e-3, betas, 3.0, 0.0, SLACK, marks, np.inf
    )
    each = np.array([s[u @ X <= SLACK].sum() for u in path])
    latest = np.flatnonzero(np.isclose(each, each.min(), rtol=1e-12))[-1]
    assert steps == 60
    assert 0 < (each > each.min() * (1 + 1e-9)).sum() < 61
    np.testing.assert_array_equal(best, path[latest])
    np.testing.assert_allclose(errors, each.min(), rtol=1e-12)
    assert beta == betas[min(latest, 59)]


def test_annealing_ends_when_the_window_is_empty():
    X = np.array([[1.0, 1.0], [3.0, 2.0]])
    betas = np.geomspace(1.0, 1e4, 400)
    *_, beta, steps, path = anneal(
        X,
        np.ones(2),
        np.array([0.6, 0.8]),
        np.eye(2) * 0.01,
        betas,
        6.0,
        0.0,
        SLACK,
        np.array([3, 399]),
        np.inf,
    )
    assert steps < 399
    assert beta == betas[steps]
    np.testing.assert_allclose(path[1] @ path[1], 1.0)


def test_momentum_keeps_the_velocity_tangent_to_the_sphere():
    X, s, start = folded_problem(50, 3, seed=8)
    s = s / s.sum()
    betas, marks = np.full(5, 2.0), np.arange(6)
    path = anneal(X, s, start, 0.3 * np.eye(3), betas, 4.0, 0.9, SLACK, marks, np.inf)[4]
    u, v = start, np.zeros(3)
    for k in range(5):
        v = 0.9 * v + 0.3 * numpy_pass(X, s, u, 2.0, 0.5, SLACK)[0]
        u = (u + v) / np.sqrt((u + v) @ (u + v))
        v = v - (v @ u) * u
        np.testing.assert_allclose(path[k + 1], u, rtol=0, atol=1e-13)


def test_the_start_is_not_changed():
    X, s, start = folded_problem(50, 3, seed=9)
    before = start.copy()
    anneal(X, s, start, 0.01 * np.eye(3), np.ones(10), 6.0, 0.9, SLACK, NO_MARKS, np.inf)
    np.testing.assert_array_equal(start, before)


def test_parity_which_has_no_hebb_vector_starts_from_a_random_direction():
    X, y = make_parity(3)
    patterns, targets, folded = paper_patterns(X, y.astype(float))
    *_, expected = reference.anneal(patterns, targets, 100, start=random_start(folded, 7))
    unit = paper_unit(folded, np.ones(8), coldest=0.1, seed=7)
    np.testing.assert_allclose(unit.weights * 2, expected, rtol=0, atol=1e-10)
    assert not np.allclose(unit.weights, paper_unit(folded, np.ones(8), coldest=0.1, seed=8).weights)
