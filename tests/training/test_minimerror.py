"""One unit: its start, its schedules, the fewest errors it is known to reach, and its temperature path."""

from functools import partial
from math import comb

import numpy as np
import pytest
import reference

from netlines import MinimerrorClassifier
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_parity,
    make_waveform,
)
from netlines.training.minimerror import (
    PORTFOLIO,
    SLACK,
    hebb,
    paper_unit,
    preconditioner,
    train_unit,
    unit_path,
)
from netlines.training.patterns import condense, condense_folded
from netlines.training.threads import in_order

BUNDLED = {
    "cancer": partial(load_breast_cancer_wisconsin, return_X_y=True),
    "diabetes": partial(load_pima_diabetes, return_X_y=True),
    "sonar": partial(load_sonar, return_X_y=True),
    "monks 1": partial(load_monks, 1, return_X_y=True),
    "monks 2": partial(load_monks, 2, return_X_y=True),
    "monks 3": partial(load_monks, 3, return_X_y=True),
}


def folded(X, y):
    """Return the patterns of a table times their targets, and their weights."""
    return condense_folded(X, y == np.unique(y)[1], np.ones(len(y)))[:2]


def noisy_plane(p=120, n=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((p, n))
    return X, (X[:, 0] + 0.7 * rng.standard_normal(p) > 0).astype(int)


def test_hebb_is_the_normalised_sum_of_the_weighted_patterns():
    X, s = np.array([[1.0, -1.0], [2.0, 3.0]]), np.array([1.0, 2.0])
    np.testing.assert_allclose(hebb(X, s), np.array([-1.0, 8.0]) / np.sqrt(65.0))


@pytest.mark.parametrize("n", [2, 3, 6])
def test_a_vanishing_hebb_vector_is_replaced_by_the_constant_input(n):
    X, s = folded(*make_parity(n))
    np.testing.assert_array_equal(hebb(X, s), np.eye(n + 1)[0])


@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_parity_has_finite_weights_though_its_hebb_vector_vanishes(schedule):
    X, y = make_parity(3)
    unit = MinimerrorClassifier(schedule=schedule).fit(X, y)
    assert np.isfinite(unit.weights_).all()
    assert 2 <= unit.n_training_errors_ <= 4


def test_the_preconditioner_is_the_inverse_of_the_ridged_second_moments():
    X, s = folded(*noisy_plane())
    m, p = X.shape
    A = sum(s[k] * np.outer(X[:, k], X[:, k]) for k in range(p)) / s.sum()
    ridge = max(1e-3, m / p) * np.trace(A) / m
    expected = np.linalg.inv(A + ridge * np.eye(m)) / np.sqrt(m)
    np.testing.assert_allclose(preconditioner(X, s), expected, rtol=1e-10, atol=1e-14)


def test_the_preconditioner_of_many_patterns_adds_up_its_blocks():
    rng = np.random.default_rng(1)
    X, s = rng.standard_normal((3, 10_000)), rng.uniform(1.0, 2.0, 10_000)
    A = (X * s) @ X.T / s.sum()
    A += np.eye(3) * 1e-3 * np.trace(A) / 3
    np.testing.assert_allclose(preconditioner(X, s), np.linalg.inv(A) / np.sqrt(3), rtol=1e-10)


@pytest.mark.parametrize("n", range(3, 10))
def test_the_first_unit_of_parity_reaches_the_theoretical_minimum(n):
    X, y = make_parity(n)
    fewest = 2 ** (n - 1) - comb(n - 1, (n - 1) // 2)
    for seed in range(3):
        assert MinimerrorClassifier(random_state=seed).fit(X, y).n_training_errors_ == fewest


@pytest.mark.parametrize("seed", range(5))
def test_one_unit_separates_sonar_whatever_the_seed(seed):
    X, y = load_sonar(return_X_y=True)
    unit = MinimerrorClassifier(random_state=seed).fit(X, y)
    np.testing.assert_array_equal(unit.predict(X), y)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_default_makes_no_more_errors_than_the_paper_with_a_tenth_of_the_epochs(name):
    X, y = BUNDLED[name]()
    fast, paper = MinimerrorClassifier().fit(X, y), MinimerrorClassifier(schedule="paper").fit(X, y)
    assert fast.n_training_errors_ <= paper.n_training_errors_
    assert fast.n_epochs_ < 0.1 * paper.n_epochs_


def test_the_default_makes_fewer_errors_than_the_paper_over_the_bundled_data():
    X, y = make_waveform(300, random_state=0)
    tables = [load() for load in BUNDLED.values()] + [(X, y == c) for c in range(3)]
    errors = {
        schedule: sum(
            MinimerrorClassifier(schedule=schedule).fit(*table).n_training_errors_ for table in tables
        )
        for schedule in ("fast", "paper")
    }
    assert errors["fast"] < 0.9 * errors["paper"]


def test_a_unit_counts_the_errors_of_its_own_weights():
    X, s = folded(*noisy_plane())
    for unit in (train_unit(X, s), paper_unit(X, s)):
        assert unit.errors == s[unit.weights @ X <= SLACK].sum()
        np.testing.assert_allclose(unit.weights @ unit.weights, 1.0)


def test_the_anneal_with_the_fewest_errors_wins():
    X, s = folded(*noisy_plane(seed=2))
    alone = [train_unit(X, s, seed=3, thetas=PORTFOLIO[: k + 1]).errors for k in range(len(PORTFOLIO))]
    assert alone == sorted(alone, reverse=True)
    assert train_unit(X, s, seed=3).errors == alone[-1]


def test_anneals_end_with_the_first_that_makes_no_errors():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((50, 3))
    unit = train_unit(*folded(X, X[:, 0] > 0))
    assert unit.errors == 0
    assert unit.epochs <= 300
    assert unit.theta == PORTFOLIO[0]


@pytest.mark.parametrize("n_threads", [2, 5])
def test_the_number_of_threads_does_not_change_a_bit(n_threads):
    X, s = folded(*noisy_plane())
    alone = train_unit(X, s, seed=1)
    together = train_unit(X, s, seed=1, run=partial(in_order, n_threads=n_threads))
    np.testing.assert_array_equal(together.weights, alone.weights)
    assert (together.errors, together.theta, together.epochs) == (alone.errors, alone.theta, alone.epochs)


def test_the_seed_decides_the_noise_of_the_starts():
    X, s = folded(*noisy_plane())
    weights = [train_unit(X, s, seed=seed).weights for seed in (0, *range(10))]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert len({w.tobytes() for w in weights}) > 1


@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_weights_are_repetitions(schedule):
    X, y = noisy_plane()
    times = np.random.default_rng(5).integers(0, 4, len(y))
    weighted = MinimerrorClassifier(schedule=schedule).fit(X, y, sample_weight=times)
    repeated = MinimerrorClassifier(schedule=schedule).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(weighted.weights_, repeated.weights_)


def test_the_paper_schedule_equals_the_reference_to_the_end():
    X, y = noisy_plane(p=40, n=2, seed=6)
    targets = 2.0 * y - 1
    Z, mean, delta = reference.standardise(X)
    expected = reference.user_units(reference.minimerror(reference.with_constant(Z), targets), mean, delta)
    unit = MinimerrorClassifier(schedule="paper").fit(X, y)
    np.testing.assert_allclose(unit.weights_, expected, rtol=0, atol=1e-8)


def test_the_paper_schedule_learns_repeated_and_contradictory_rows_as_the_reference_does():
    rng = np.random.default_rng(7)
    X = rng.integers(0, 3, (60, 2)).astype(float)
    targets = np.where(X[:, 0] + rng.standard_normal(60) > 1, 1.0, -1.0)
    Z, mean, delta = reference.standardise(X)
    *_, w = reference.anneal(reference.with_constant(Z), targets, 500)
    unit = MinimerrorClassifier(schedule="paper", temperature=2.0).fit(X, targets)
    assert unit.n_epochs_ == 500
    np.testing.assert_allclose(unit.weights_, reference.user_units(w, mean, delta), rtol=0, atol=1e-10)


def test_the_path_is_given_at_the_temperatures_asked_for_hot_to_cold():
    X, y = noisy_plane()
    path = MinimerrorClassifier().temperature_path(X, y, temperatures=[0.1, 1.0, 0.5])
    np.testing.assert_allclose(path.temperatures, [1.0, 0.5, 0.1])
    assert path.weights.shape == (3, 5)
    assert path.errors.shape == (3,)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_end_of_the_path_is_the_fit_at_its_temperature(name):
    X, y = BUNDLED[name]()
    path = MinimerrorClassifier().temperature_path(X, y)
    unit = MinimerrorClassifier(temperature=path.temperatures[-1]).fit(X, y)
    np.testing.assert_allclose(path.weights[-1], unit.weights_, rtol=0, atol=1e-10)
    assert unit.temperature_ == path.temperatures[-1]
    assert unit.n_training_errors_ == path.errors[-1]


@pytest.mark.parametrize("name", BUNDLED)
def test_along_the_path_lie_the_fits_at_its_temperatures(name):
    X, y = BUNDLED[name]()
    path = MinimerrorClassifier().temperature_path(X, y)
    for temperature, weights in zip(path.temperatures, path.weights, strict=True):
        unit = MinimerrorClassifier(temperature=temperature).fit(X, y)
        assert unit.weights_ @ weights / len(weights) > 0.99


@pytest.mark.parametrize("name", BUNDLED)
def test_cold_units_make_fewer_training_errors_than_hot_ones(name):
    X, y = BUNDLED[name]()
    errors = MinimerrorClassifier().temperature_path(X, y).errors
    assert errors[-1] < errors[0]
    assert errors[-1] == errors.min()


def test_the_path_counts_weighted_errors():
    X, y = noisy_plane()
    plain = MinimerrorClassifier().temperature_path(X, y)
    double = MinimerrorClassifier().temperature_path(X, y, np.full(len(y), 2.0))
    np.testing.assert_allclose(double.weights, plain.weights, atol=1e-9)
    np.testing.assert_allclose(double.errors, 2 * plain.errors)


def test_the_path_leaves_the_estimator_unfitted():
    unit = MinimerrorClassifier()
    before = dict(vars(unit))
    unit.temperature_path(*noisy_plane())
    assert vars(unit) == before


def test_temperatures_must_be_positive():
    with pytest.raises(ValueError, match=r"temperatures must be numbers between 1e-9 and 1e9, got \[ 1. -1"):
        MinimerrorClassifier().temperature_path(*noisy_plane(), temperatures=[1.0, -1.0])


@pytest.mark.parametrize("theta", [1.0, 2.0, np.inf])
def test_a_path_cools_at_any_ratio_of_the_temperatures(theta):
    X, s = folded(*noisy_plane())
    weights, epochs = unit_path(X, s, np.array([0.1, 1.0, 100.0]), theta=theta)
    np.testing.assert_allclose((weights**2).sum(axis=1), 1.0)
    assert epochs > 50


@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_the_ratio_of_the_temperatures_and_the_number_of_starts_are_obeyed(schedule):
    X, y = noisy_plane()
    unit = MinimerrorClassifier(schedule=schedule, theta=3.5, n_starts=1).fit(X, y)
    assert unit.theta_ == 3.5
    assert unit.n_epochs_ <= {"fast": 300, "paper": 50_000}[schedule]
    assert unit.n_updates_ == unit.n_epochs_ * 5


def test_the_rates_of_the_paper_schedule_are_obeyed():
    X, y = noisy_plane()
    quick = MinimerrorClassifier(schedule="paper", annealing_rate=0.1, temperature=0.5).fit(X, y)
    assert quick.n_epochs_ == 20
    slow = MinimerrorClassifier(schedule="paper", learning_rate=1e-12, temperature=0.5).fit(X, y)
    folded_X, s = folded(X, y)
    patterns = condense(X, y, np.ones(len(y)))
    unit = patterns.frame.unit
    start = reference.user_units(hebb(folded_X, s), unit * patterns.mean, unit * patterns.scale)
    np.testing.assert_allclose(slow.weights_, start, atol=1e-6)
