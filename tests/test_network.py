"""The frozen network: forward pass, folding of the standardisation, counts, checks and probabilities."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import reference

from netlines import Network
from netlines.network import fold, normalised, sign, stretch
from netlines.probability import Calibration

XOR = Network(
    np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0]]),
    np.array([[-1.0, 1.0, 1.0]]),
    np.array(["no", "yes"]),
    growth_trace=({"n_hidden": 1}, {"n_hidden": 2}),
    temperature=0.5,
    feature_names=("a", "b"),
)


def random_layer(h, n, seed=0):
    rng = np.random.default_rng([seed, h, n])
    mean, scale = 10 * rng.standard_normal(n), np.exp(2 * rng.standard_normal(n))
    X = mean + scale * rng.standard_normal((200, n))
    return rng.standard_normal((h, n + 1)), mean, scale, X


def network_of(h, n):
    hidden = np.arange(1.0, h * (n + 1) + 1).reshape(h, n + 1)
    return Network(hidden, np.ones((1, h + 1)), np.array([0, 1]))


@pytest.mark.parametrize(("h", "n"), [(1, 1), (2, 3), (5, 10), (3, 60)])
def test_fold_equals_the_equations_of_the_paper(h, n):
    weights, mean, scale, _ = random_layer(h, n)
    expected = [reference.user_units(w, mean, scale) for w in weights]
    np.testing.assert_allclose(fold(weights, mean, scale), expected, rtol=1e-12)


@pytest.mark.parametrize(("h", "n"), [(1, 1), (2, 3), (5, 10), (3, 60)])
def test_folded_weights_classify_raw_data_as_the_weights_classify_standardised_data(h, n):
    weights, mean, scale, X = random_layer(h, n)
    standardised = sign(weights[:, 0] + (X - mean) / scale @ weights[:, 1:].T)
    network = Network(fold(weights, mean, scale), np.ones((1, h + 1)), np.array([0, 1]))
    np.testing.assert_array_equal(network.internal_representation(X), standardised)


def test_folding_measures_the_same_distances_up_to_one_factor():
    weights, mean, scale, X = random_layer(2, 4)
    raw = fold(weights, mean, scale)
    fields = raw[:, 0] + X @ raw[:, 1:].T
    ratio = fields / (weights[:, 0] + (X - mean) / scale @ weights[:, 1:].T)
    np.testing.assert_allclose(ratio, np.tile(ratio[0], (200, 1)), rtol=1e-9)
    assert (ratio > 0).all()


@pytest.mark.parametrize("size", [1e-200, 1e-8, 1.0, 1e8, 1e200])
def test_folded_rows_have_the_norm_of_the_paper_whatever_their_size(size):
    weights, mean, scale, _ = random_layer(3, 6)
    norms = np.sqrt((fold(size * weights, mean, scale) ** 2).sum(axis=1))
    np.testing.assert_allclose(norms, np.sqrt(7.0), rtol=1e-12)


def test_a_zero_row_stays_zero_when_normalised():
    np.testing.assert_array_equal(normalised(np.zeros((1, 4))), np.zeros((1, 4)))


def test_the_sign_of_zero_is_plus_one():
    np.testing.assert_array_equal(sign([-1e-300, -0.0, 0.0, 1e-300]), [-1.0, 1.0, 1.0, 1.0])
    assert sign(np.zeros(2, dtype=np.float32)).dtype == np.float32
    assert sign(np.array([0, -3])).dtype == np.float64


def test_a_pattern_on_a_hyperplane_has_the_state_plus_one():
    on_the_first, on_the_second = np.array([[-1.0, 0.0]]), np.array([[1.0, 0.0]])
    np.testing.assert_array_equal(XOR.internal_representation(on_the_first), [[1.0, 1.0]])
    np.testing.assert_array_equal(XOR.internal_representation(on_the_second), [[1.0, 1.0]])


def test_an_output_of_zero_answers_the_second_class():
    network = Network(np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[0.0, 1.0, -1.0]]), np.array([3, 7]))
    np.testing.assert_array_equal(network.decision(np.array([[-2.0], [2.0]])), [0.0, 0.0])
    np.testing.assert_array_equal(network.predict(np.array([[-2.0], [2.0]])), [7, 7])


def test_the_forward_pass_worked_by_hand():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [-1.0, -1.0]])
    np.testing.assert_array_equal(XOR.fields(X), [[1.0, 1.0], [3.0, -1.0], [-1.0, 3.0]])
    np.testing.assert_array_equal(XOR.internal_representation(X), [[1, 1], [1, -1], [-1, 1]])
    np.testing.assert_array_equal(XOR.decision(X), [1.0, -1.0, -1.0])
    np.testing.assert_array_equal(XOR.predict(X), ["yes", "no", "no"])


def test_distances_are_those_of_geometry():
    X = np.array([[0.0, 0.0], [-0.5, -0.5]])
    np.testing.assert_allclose(XOR.distances(X), [[np.sqrt(0.5)] * 2, [0.0, np.sqrt(2.0)]], atol=1e-15)


def test_a_constant_unit_is_infinitely_far_from_every_pattern():
    network = Network(np.array([[2.0, 0.0], [-2.0, 0.0]]), np.ones((1, 3)), np.array([0, 1]))
    np.testing.assert_array_equal(network.distances(np.array([[0.0], [5.0]])), [[np.inf, -np.inf]] * 2)


def test_a_single_unit_decides_by_its_own_weighted_sum():
    network = Network(np.array([[1.0, -2.0]]), np.array([[0.0, np.sqrt(2.0)]]), np.array([False, True]))
    X = np.array([[0.0], [0.5], [3.0]])
    np.testing.assert_array_equal(network.decision(X), [1.0, 0.0, -5.0])
    np.testing.assert_array_equal(network.predict(X), [True, True, False])


def test_three_units_over_seventeen_inputs_have_58_weights():
    assert network_of(3, 17).n_weights == 58


@pytest.mark.parametrize(("h", "n", "count"), [(1, 60, 61), (2, 17, 39), (2, 2, 9), (5, 9, 56)])
def test_weights_are_counted_as_the_paper_does(h, n, count):
    network = network_of(h, n)
    assert (network.n_weights, network.n_hidden, network.n_features) == (count, h, n)


def test_nonzero_weights_are_counted_without_the_output_of_a_single_unit():
    assert Network([[0.0, 2.0, -1.0]], [[0.0, 1.0]], np.array([0, 1])).n_nonzero == 2
    assert Network([[0.0, 2.0], [1.0, 0.0]], [[0.0, 1.0, 1.0]], np.array([0, 1])).n_nonzero == 4


@pytest.mark.parametrize("name", ["hidden_weights", "output_weights", "classes"])
def test_arrays_are_frozen(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(XOR, name)[0] = 0


def test_fields_are_frozen():
    with pytest.raises(AttributeError, match="temperature"):
        XOR.temperature = 1.0


def test_the_arrays_given_are_copied():
    hidden = np.ones((1, 3))
    network = Network(hidden, np.array([[0.0, 1.0]]), np.array([0, 1]))
    hidden[0, 0] = 5.0
    assert network.hidden_weights[0, 0] == 1


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_everything_and_the_frozen_arrays(protocol):
    again = pickle.loads(pickle.dumps(XOR, protocol))
    np.testing.assert_array_equal(again.hidden_weights, XOR.hidden_weights)
    np.testing.assert_array_equal(again.output_weights, XOR.output_weights)
    np.testing.assert_array_equal(again.classes, XOR.classes)
    assert again.growth_trace == XOR.growth_trace
    assert (again.temperature, again.feature_names) == (0.5, ("a", "b"))
    assert not again.hidden_weights.flags.writeable


@pytest.mark.parametrize(
    ("hidden", "output"),
    [((2, 3), (1, 2)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((3,), (1, 4)), ((1, 3), (1, 1))],
)
def test_weights_that_do_not_fit_together_are_refused(hidden, output):
    with pytest.raises(ValueError, match="output_weights must have shape"):
        Network(np.ones(hidden), np.ones(output), np.array([0, 1]))


# Probabilities


def calibrated(priors=(0.4, 0.6)):
    calibration = Calibration(0.2, [0.5, -0.25], [1.0, 2.0], [1.0, 3.0], [0.4, 0.6], priors)
    return replace(XOR, calibration=calibration)


def test_the_log_odds_are_those_of_the_calibration_where_it_agrees():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [-1.0, -1.0]])
    z = calibrated().calibration.log_odds(XOR.fields(X))
    agrees = (z >= 0) == (XOR.decision(X) >= 0)
    found = calibrated().log_odds(X)
    np.testing.assert_array_equal(found[agrees], z[agrees])
    np.testing.assert_allclose(found[~agrees], 0.0, atol=1e-6)
    assert agrees.any()
    assert (~agrees).any()


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e6])
def test_the_log_odds_have_the_sign_of_the_answer(size):
    X = size * np.random.default_rng(0).standard_normal((500, 2))
    network = calibrated()
    np.testing.assert_array_equal(network.log_odds(X) >= 0, XOR.decision(X) >= 0)
    np.testing.assert_array_equal(network.predict(X), XOR.predict(X))


def test_the_more_probable_class_is_predicted():
    X = np.random.default_rng(0).standard_normal((500, 2))
    for network in (calibrated(), calibrated((0.9, 0.1)), calibrated((0.05, 0.95))):
        p = network.probability(X)
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_array_equal(network.classes[p.argmax(axis=1)], network.predict(X))


def test_the_probability_of_a_row_far_away_is_a_number():
    p = calibrated().probability(np.array([[1e100, 1e100], [-1e100, 1e90]]))
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_other_priors_move_the_log_odds_of_every_row_by_the_same():
    X = np.random.default_rng(0).standard_normal((100, 2))
    moved = calibrated((0.8, 0.2))
    shift = np.log(0.2 / 0.8) - np.log(0.6 / 0.4)
    np.testing.assert_allclose(moved.log_odds(X) - calibrated().log_odds(X), shift, rtol=1e-12)


def test_a_network_knows_whether_its_priors_have_changed():
    assert not XOR.moved
    assert not calibrated().moved
    assert calibrated((0.5, 0.5)).moved


def test_a_network_without_a_calibration_has_no_probabilities():
    with pytest.raises(ValueError, match="no calibration"):
        XOR.probability(np.zeros((1, 2)))


def test_pickling_keeps_the_calibration():
    X = np.random.default_rng(0).standard_normal((10, 2))
    again = pickle.loads(pickle.dumps(calibrated((0.7, 0.3))))
    np.testing.assert_array_equal(again.probability(X), calibrated((0.7, 0.3)).probability(X))
    assert not again.calibration.slopes.flags.writeable


@pytest.mark.parametrize(("h", "n"), [(1, 1), (2, 3), (5, 10), (3, 60)])
def test_the_stretch_is_the_factor_between_the_weighted_sums(h, n):
    weights, mean, scale, X = random_layer(h, n)
    raw = fold(weights, mean, scale)
    before, after = weights[:, 0] + (X - mean) / scale @ weights[:, 1:].T, raw[:, 0] + X @ raw[:, 1:].T
    np.testing.assert_allclose(after, stretch(weights, mean, scale) * before, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_stretch_of_weights_of_any_size_is_positive(size):
    weights, mean, scale, _ = random_layer(3, 6)
    factor = stretch(size * weights, mean, scale)
    np.testing.assert_allclose(factor * size, stretch(weights, mean, scale), rtol=1e-9)
    assert (factor > 0).all()


def test_a_constant_column_does_not_stretch():
    weights, mean, scale, _ = random_layer(2, 3)
    scale[1] = np.inf
    rest = [0, 1, 3]
    ratio = stretch(weights, mean, scale) / stretch(weights[:, rest], mean[[0, 2]], scale[[0, 2]])
    np.testing.assert_allclose(ratio, np.sqrt(4 / 3))
