"""The frozen network: forward pass, folding of the standardisation, counts, checks and probabilities."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import reference

from netlines import Network
from netlines.network.network import sign
from netlines.network.probability import Calibration, softmax
from netlines.network.weights import fold, normalised, normalised_outputs, stretch

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
    z = calibrated().calibration.scores(XOR.fields(X))[:, 0]
    agrees = (z >= 0) == (XOR.decision(X) >= 0)
    found = calibrated().scores(X)
    np.testing.assert_array_equal(found[agrees], z[agrees])
    np.testing.assert_allclose(found[~agrees], 0.0, atol=1e-6)
    assert agrees.any()
    assert (~agrees).any()


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e6])
def test_the_log_odds_have_the_sign_of_the_answer(size):
    X = size * np.random.default_rng(0).standard_normal((500, 2))
    network = calibrated()
    np.testing.assert_array_equal(network.scores(X) >= 0, XOR.decision(X) >= 0)
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
    np.testing.assert_allclose(moved.scores(X) - calibrated().scores(X), shift, rtol=1e-12)


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


# Many classes: a shared hidden layer and an output a class

THREE = Network(
    np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),  # the signs of the two inputs
    np.array([[0.0, 1.0, 1.0], [0.5, -1.0, 0.0], [0.0, 0.0, -1.0]]),
    np.array(["a", "b", "c"]),
    feature_names=("left", "right"),
)


def with_scores(network=THREE, priors=(0.2, 0.3, 0.5), seed=0):
    rng = np.random.default_rng(seed)
    c, h = network.n_classes, network.n_hidden
    numbers = rng.standard_normal(c), rng.standard_normal((c, h)), rng.standard_normal((c, h)), np.ones(h)
    return replace(network, calibration=Calibration(*numbers, [0.2, 0.3, 0.5], priors))


def test_the_outputs_of_many_classes_worked_by_hand():
    X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    expected = [[2.0, -0.5, -1.0], [0.0, -0.5, 1.0], [0.0, 1.5, -1.0], [-2.0, 1.5, 1.0]]
    np.testing.assert_array_equal(THREE.decision(X), expected)
    np.testing.assert_array_equal(THREE.predict(X), ["a", "c", "b", "b"])


def test_the_first_of_equal_outputs_is_the_answer():
    network = replace(THREE, output_weights=np.zeros((3, 3)))
    np.testing.assert_array_equal(network.predict(np.zeros((2, 2))), ["a", "a"])


def test_a_single_unit_has_outputs_of_its_own_if_there_are_many_classes():
    unit = Network([[1.0, -2.0]], [[0.0, 1.0], [0.5, 0.0], [0.0, -1.0]], ["a", "b", "c"])
    np.testing.assert_array_equal(
        unit.decision(np.array([[0.0], [3.0]])), [[1.0, 0.5, -1.0], [-1.0, 0.5, 1.0]]
    )
    np.testing.assert_array_equal(unit.predict(np.array([[0.0], [3.0]])), ["a", "c"])
    assert unit.n_weights == 2 + 3 * 2
    assert unit.n_nonzero == 2 + 3


def test_the_weights_of_all_outputs_count():
    assert (THREE.n_classes, THREE.n_hidden, THREE.n_features) == (3, 2, 2)
    assert THREE.n_weights == 2 * 3 + 3 * 3
    assert THREE.n_nonzero == 2 + 5


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_outputs_are_normalised_together(size):
    weights = np.random.default_rng(0).standard_normal((3, 5))
    found = normalised_outputs(size * weights)
    np.testing.assert_allclose((found**2).sum(), 15, rtol=1e-12)
    np.testing.assert_allclose(found / found[0, 0], weights / weights[0, 0], rtol=1e-12)
    np.testing.assert_array_equal(normalised_outputs(np.zeros((3, 2))), np.zeros((3, 2)))


@pytest.mark.parametrize(
    ("classes", "outputs"), [([0, 1], 2), ([0, 1, 2], 1), ([0, 1, 2], 2), ([0, 1, 2], 4)], ids=str
)
def test_the_outputs_must_be_as_many_as_the_classes(classes, outputs):
    with pytest.raises(ValueError, match=rf"output_weights must have shape .* {len(classes)} classes"):
        Network(np.ones((2, 3)), np.ones((outputs, 3)), classes)


@pytest.mark.parametrize("classes", [[], [1], [[0, 1]], "ab"])
def test_there_are_at_least_two_classes(classes):
    with pytest.raises(ValueError, match="classes must be at least 2 labels"):
        Network(np.ones((2, 3)), np.ones((1, 3)), classes)


TWO_FIELDS = Calibration(0.0, [0, 0], [0, 0], [0, 0], [0.5, 0.5], [0.5, 0.5])


@pytest.mark.parametrize(
    ("network", "calibration", "message"),
    [
        (THREE, TWO_FIELDS, r"calibration.intercepts must have shape \(3,\), got \(1,\)"),
        (XOR, with_scores().calibration, r"calibration.intercepts must have shape \(1,\), got \(3,\)"),
        (XOR, replace(TWO_FIELDS, steps=[1.0]), r"steps must have shape \(1, 2\), got \(1, 1\)"),
        (XOR, replace(TWO_FIELDS, priors=[0.2, 0.3, 0.5]), "calibration.priors must have shape"),
        (
            THREE,
            replace(with_scores().calibration, slopes=np.ones((2, 3))),
            r"calibration.slopes must have shape \(3, 2\), got \(2, 3\)",
        ),
        (
            THREE,
            replace(with_scores().calibration, intercepts=[0.0]),
            "calibration.intercepts must have shape",
        ),
        (THREE, replace(with_scores().calibration, training_priors=[0.5] * 2), "calibration.training_priors"),
    ],
)
def test_a_calibration_of_another_kind_or_size_is_refused(network, calibration, message):
    with pytest.raises(ValueError, match=message):
        replace(network, calibration=calibration)


@pytest.mark.parametrize("seed", range(3))
def test_the_scores_are_those_of_the_calibration_where_it_agrees(seed):
    X = np.random.default_rng(seed).standard_normal((300, 2))
    network = with_scores(seed=seed)
    p, own = network.probability(X), softmax(network.calibration.scores(network.fields(X)))
    answers = THREE.decision(X).argmax(axis=1)
    agrees = own.argmax(axis=1) == answers
    assert 0 < agrees.sum() < 300
    np.testing.assert_allclose(p[agrees], own[agrees], rtol=1e-12)
    for row, raw, answer in zip(p[~agrees], own[~agrees], answers[~agrees], strict=True):
        assert row[answer] > np.delete(row, answer).max()
        assert row[answer] == pytest.approx(np.delete(row, answer).max(), rel=1e-6)
        others = np.delete(raw, answer)
        np.testing.assert_allclose(np.delete(row, answer) / row.max(), others / others.max(), rtol=1e-6)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e6, 1e100])
def test_the_most_probable_of_many_classes_is_predicted(size):
    X = size * np.random.default_rng(0).standard_normal((500, 2))
    for network in (
        with_scores(),
        with_scores(priors=(0.8, 0.1, 0.1)),
        with_scores(priors=(0.02, 0.97, 0.01)),
    ):
        p = network.probability(X)
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_array_equal(network.classes[p.argmax(axis=1)], network.predict(X))
        assert network.moved == (network.predict(X) != THREE.predict(X)).any()


def test_a_calibration_that_says_nothing_leaves_the_answer_most_probable():
    """Equal scores, 0 and others: what is added to the answer must not be lost in rounding."""
    nothing = np.zeros((3, 2))
    X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]])
    for intercept in (0.0, 1e-300, 1.0, -1e9):
        shares = [0.2, 0.3, 0.5]
        same = Calibration(np.full(3, intercept), nothing, nothing, np.zeros(2), shares, shares)
        p = replace(THREE, calibration=same).probability(X)
        np.testing.assert_array_equal(THREE.classes[p.argmax(axis=1)], THREE.predict(X))
        np.testing.assert_allclose(p, 1 / 3, rtol=1e-6)


def test_other_priors_of_many_classes_follow_the_rule_of_bayes():
    X = np.random.default_rng(0).standard_normal((100, 2))
    new = {"c": 0.1, "a": 0.6, "b": 0.3}
    moved = with_scores().with_priors(new)
    joint = with_scores().probability(X) / [0.2, 0.3, 0.5] * [0.6, 0.3, 0.1]
    np.testing.assert_allclose(moved.probability(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)
    assert moved.moved
    assert not moved.with_priors(None).moved


def test_the_scores_of_two_classes_are_the_log_odds_those_of_more_their_logarithms():
    X = np.random.default_rng(0).standard_normal((20, 2))
    scores = np.column_stack([np.zeros(20), calibrated().scores(X)])
    np.testing.assert_allclose(softmax(scores), calibrated().probability(X), rtol=1e-12)
    np.testing.assert_allclose(np.exp(with_scores().scores(X)), with_scores().probability(X), rtol=1e-12)


def test_many_classes_without_a_calibration_have_no_probabilities():
    assert not THREE.has_probability
    assert with_scores().has_probability
    for method in (THREE.probability, THREE.with_priors):
        with pytest.raises(ValueError, match="no calibration"):
            method(np.zeros((1, 2)))


def test_pickling_keeps_many_classes():
    X = np.random.default_rng(0).standard_normal((10, 2))
    again = pickle.loads(pickle.dumps(with_scores(priors=(0.5, 0.25, 0.25))))
    np.testing.assert_array_equal(again.probability(X), with_scores(priors=(0.5, 0.25, 0.25)).probability(X))
    assert not again.calibration.slopes.flags.writeable


def test_inputs_can_be_renamed():
    assert XOR.with_feature_names(["c", "d"]).feature_names == ("c", "d")
    assert XOR.with_feature_names(None).feature_names is None
    with pytest.raises(ValueError, match="feature_names must name 2 inputs, got 1"):
        XOR.with_feature_names(["c"])
