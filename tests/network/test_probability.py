"""From margins to probabilities: the logistic fits, the calibration, and changed priors."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from netlines.network.probability import (
    Calibration,
    checked_priors,
    expit,
    most_probable,
    probabilities,
    softmax,
)
from netlines.training.calibration import (
    fit_calibration,
    fit_line,
    fit_logistic,
    fit_logistics,
    line_calibration,
)

HALVES = np.array([0.5, 0.5])


def labelled(p=400, seed=0, slope=2.0, intercept=-0.5):
    """Return a margin and labels 0 and 1 drawn by known log-odds."""
    rng = np.random.default_rng(seed)
    margins = rng.standard_normal(p)
    return margins, (rng.random(p) < expit(intercept + slope * margins)).astype(float)


def of_both(p):
    """Return the probabilities of two classes from those of the second."""
    return np.column_stack([1.0 - p, p])


@pytest.mark.parametrize(
    ("scores", "numbers"),
    [
        ([-1.0, 0.0, -0.0, 2.0], [0, 1, 1, 1]),
        ([[-1.0], [0.0], [-0.0], [2.0]], [0, 1, 1, 1]),
        ([[0.5, 0.5], [0.6, 0.4], [0.4, 0.6]], [1, 0, 1]),
        ([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.1, 0.2, 0.7]], [0, 1, 2]),
    ],
)
def test_of_two_equal_classes_the_second_of_more_the_first(scores, numbers):
    assert most_probable(np.array(scores)).tolist() == numbers


def some_calibration():
    return Calibration(0.3, [1.0, -2.0], [0.5, 0.25], [3.0, 4.0], [0.4, 0.6], [0.4, 0.6])


def softmax_calibration(priors=(0.2, 0.3, 0.5)):
    """Return scores of three classes over two fields."""
    slopes, steps = [[1.0, -2.0], [0.0, 0.5], [0.3, 0.0]], [[0.5, 0.25], [-1.0, 0.0], [0.0, 2.0]]
    return Calibration([0.3, -0.1, 0.0], slopes, steps, [3.0, 4.0], [0.2, 0.3, 0.5], priors)


def test_expit_is_the_inverse_of_the_log_odds():
    p = np.array([1e-12, 0.1, 0.5, 0.9])
    np.testing.assert_allclose(expit(np.log(p / (1 - p))), p, rtol=1e-12)
    np.testing.assert_array_equal(expit(np.array([0.0, 1e308])), [0.5, 1.0])
    assert expit(np.array([-1e308]))[0] < 1e-300


def test_expit_is_symmetric():
    z = np.linspace(-30, 30, 61)
    np.testing.assert_allclose(expit(z) + expit(-z), 1.0, rtol=1e-15)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_logistic_fit_is_that_of_scikit_learn(weighted):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3)) * [1.0, 20.0, 0.05] + [0.0, 100.0, 1.0]
    y = (X[:, 0] + (X[:, 1] - 100) / 20 + rng.standard_normal(300) > 0).astype(float)
    share = rng.uniform(0.5, 2.0, 300) if weighted else np.ones(300)
    share /= share.sum()
    ridge = 0.01
    mean = share @ X
    spread = np.sqrt(share @ (X - mean) ** 2)
    peer = LogisticRegression(C=1 / (ridge * 300), tol=1e-10, max_iter=1000)
    peer.fit((X - mean) / spread, y, sample_weight=300 * share)
    slopes = peer.coef_[0] / spread
    found, cost = fit_logistic(X, y, share, ridge)
    np.testing.assert_allclose(found, [peer.intercept_[0] - slopes @ mean, *slopes], rtol=1e-4)
    q = peer.predict_proba((X - mean) / spread)[:, 1]
    np.testing.assert_allclose(cost, -share @ np.log(np.where(y > 0, q, 1 - q)), rtol=1e-6)


def test_a_path_of_ridges_is_that_of_each_alone():
    rng = np.random.default_rng(0)
    X, share = rng.standard_normal((80, 4)) * [1.0, 100.0, 1e-3, 1.0] + 5.0, rng.dirichlet(np.ones(80))
    y = (X[:, 0] + rng.standard_normal(80) > 5).astype(float)
    ridges = (1.0, 1e-1, 1e-3, 1e-5)
    for ridge, (found, cost) in zip(ridges, fit_logistics(X, y, share, ridges), strict=True):
        alone, expected = fit_logistic(X, y, share, ridge)
        np.testing.assert_allclose(found, alone, rtol=1e-6)
        assert cost == pytest.approx(expected)


def test_the_logistic_fit_matches_probabilities_exactly_if_they_are_logistic():
    X = np.random.default_rng(0).standard_normal((100, 2))
    p = expit(0.5 + X @ [1.0, -2.0])
    found, _ = fit_logistic(X, p, np.full(100, 0.01), ridge=0.0)
    np.testing.assert_allclose(found, [0.5, 1.0, -2.0], rtol=1e-5)


def test_a_constant_feature_gets_no_slope():
    X, y = labelled()
    found, _ = fit_logistic(np.column_stack([X, np.full(400, 7.0)]), y, np.full(400, 1 / 400))
    assert found[2] == 0
    np.testing.assert_allclose(found[:2], fit_logistic(X[:, None], y, np.full(400, 1 / 400))[0], rtol=1e-6)


def test_the_logistic_fit_of_separable_rows_is_finite():
    x = np.linspace(-1, 1, 20)
    found, cost = fit_logistic(x[:, None], (x > 0).astype(float), np.full(20, 0.05), ridge=1e-6)
    assert np.isfinite(found).all()
    assert found[1] > 0
    assert 0 <= cost < 0.1


def test_a_line_recovers_known_log_odds():
    margins, y = labelled(p=20_000)
    np.testing.assert_allclose(fit_line(margins, 2 * y - 1, np.ones(20_000)), [-0.5, 2.0], atol=0.1)


def test_a_line_does_not_depend_on_the_scale_of_the_weights():
    margins, y = labelled(p=60)
    scaled = fit_line(margins, 2 * y - 1, np.full(60, 3.0))
    np.testing.assert_allclose(scaled, fit_line(margins, 2 * y - 1, np.ones(60)), rtol=1e-9)


def test_a_line_counts_weights_nearly_as_repetitions():
    margins, y = labelled()
    times = np.where(y > 0, 2, 1)
    weighted = fit_line(margins, 2 * y - 1, times.astype(float))
    repeated = fit_line(np.repeat(margins, times), np.repeat(2 * y - 1, times), np.ones(times.sum()))
    np.testing.assert_allclose(weighted, repeated, atol=0.05)  # fewer effective rows: a little less sure


def test_a_line_through_separated_margins_stays_unsure():
    margins = np.array([-2.0, -1.0, 1.0, 2.0])
    line = fit_line(margins, np.sign(margins), np.ones(4))
    p = expit(line[0] + line[1] * margins)
    assert ((p > 0.1) & (p < 0.9)).all()
    assert line[1] > 0


def test_the_log_odds_worked_by_hand():
    fields = np.array([[1.0, 0.5], [0.0, 0.0]])
    expected = [0.3 + 1.0 - 1.0 + 0.5 * np.tanh(3.0) + 0.25 * np.tanh(2.0), 0.3]
    np.testing.assert_allclose(some_calibration().scores(fields)[:, 0], expected)


def test_a_stretched_calibration_gives_a_line_of_the_log_odds():
    fields = np.random.default_rng(0).standard_normal((50, 2))
    before, after = some_calibration(), some_calibration().stretched(-0.7, 0.4)
    np.testing.assert_allclose(after.scores(fields), -0.7 + 0.4 * before.scores(fields))
    np.testing.assert_array_equal(after.steepness, before.steepness)
    np.testing.assert_array_equal(after.training_priors, before.training_priors)


def test_a_calibration_is_frozen_and_survives_pickling():
    for calibration in (some_calibration(), pickle.loads(pickle.dumps(some_calibration()))):
        with pytest.raises(ValueError, match="read-only"):
            calibration.slopes[0] = 1.0
        with pytest.raises(AttributeError, match="intercepts"):
            calibration.intercepts = 1.0
        np.testing.assert_array_equal(calibration.steps, [[0.5, 0.25]])


def test_the_calibration_of_a_unit_is_its_line():
    margins = np.linspace(-2, 2, 9)[:, None]
    calibration = line_calibration(np.array([0.5, 3.0]), HALVES)
    np.testing.assert_allclose(calibration.scores(margins), 0.5 + 3.0 * margins)


def test_a_calibration_recovers_steps_and_slopes():
    fields = 5.0 * np.random.default_rng(0).standard_normal((500, 2))
    p = of_both(expit(0.4 * fields[:, 0] + 2.0 * np.tanh(2.0 * fields[:, 1])))
    found = fit_calibration(fields, p, np.ones(500), HALVES)
    np.testing.assert_allclose(probabilities(found.scores(fields)), p, atol=0.05)


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
def test_a_calibration_does_not_depend_on_the_scale_of_the_fields(unit):
    fields = np.random.default_rng(0).standard_normal((200, 2))
    p = of_both(expit(fields @ [1.0, -1.0]))
    plain, scaled = (fit_calibration(k * fields, p, np.ones(200), HALVES) for k in (1.0, unit))
    np.testing.assert_allclose(scaled.scores(unit * fields), plain.scores(fields), rtol=1e-9, atol=1e-9)


def test_a_calibration_knows_very_small_fields():
    fields = 1e-200 * np.random.default_rng(0).standard_normal((200, 1))
    p = of_both(fields[:, 0] > 0)
    assert np.ptp(fit_calibration(fields, p, np.ones(200), HALVES).scores(fields)) > 2


def test_weights_of_a_calibration_count():
    fields = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    p, weights = of_both(np.array([1.0, 0.0, 1.0, 0.0])), np.array([3.0, 1.0, 1.0, 3.0])
    found = probabilities(fit_calibration(fields, p, weights, HALVES).scores(fields))[:, 1]
    np.testing.assert_allclose(found, [0.75, 0.75, 0.25, 0.25], atol=0.01)


def test_priors_of_the_training_rows_shift_nothing():
    assert some_calibration().shift == 0.0


@pytest.mark.parametrize("priors", [(0.5, 0.5), (0.9, 0.1), (0.01, 0.99)])
def test_other_priors_shift_the_log_odds_by_the_rule_of_bayes(priors):
    calibration = Calibration(0.0, [1.0], [0.0], [0.0], [0.3, 0.7], priors)
    p = expit(np.linspace(-3, 3, 7))
    joint = np.array([(1 - p) / 0.3 * priors[0], p / 0.7 * priors[1]])
    moved = expit(np.log(p / (1 - p)) + calibration.shift)
    np.testing.assert_allclose(moved, joint[1] / joint.sum(axis=0), rtol=1e-12)


def test_priors_come_in_the_order_of_the_classes():
    classes = np.array(["no", "yes"])
    np.testing.assert_array_equal(checked_priors({"yes": 0.2, "no": 0.8}, classes), [0.8, 0.2])
    np.testing.assert_array_equal(checked_priors([0.8, 0.2], classes), [0.8, 0.2])
    np.testing.assert_array_equal(
        checked_priors({True: 0.25, False: 0.75}, np.array([False, True])), [0.75, 0.25]
    )


@pytest.mark.parametrize(
    "priors",
    [
        {"yes": 0.2},
        {"yes": 0.2, "maybe": 0.8},
        {"yes": 0.2, "no": 0.7, "maybe": 0.1},
        {"yes": 0.2, "no": 0.2},
        {"yes": 0.0, "no": 1.0},
        {"yes": -0.5, "no": 1.5},
        {"yes": np.nan, "no": 0.5},
        {"yes": "much", "no": 0.5},
        [0.2, 0.3, 0.5],
        [0.2],
        [[0.2, 0.8]],
        0.2,
        "half",
        None,
    ],
    ids=str,
)
def test_wrong_priors_are_refused_with_the_names_of_the_classes(priors):
    with pytest.raises(ValueError, match=r"priors=.*allowed are positive numbers .* no and yes"):
        checked_priors(priors, np.array(["no", "yes"]))


# Many classes


def test_softmax_of_two_scores_is_expit_of_their_difference():
    z = np.linspace(-30, 30, 61)
    p = softmax(np.column_stack([np.full(61, 7.0), z + 7.0]))
    np.testing.assert_allclose(p, np.column_stack([expit(-z), expit(z)]), rtol=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_softmax_of_scores_of_any_size_is_probabilities(size):
    z = size * np.array([[0.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [1.0, 1.0, 0.5]])
    p = softmax(z)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_array_equal(p[1], p[1, 0])


def test_the_scores_worked_by_hand():
    scores = softmax_calibration().scores(np.array([[1.0, 0.5], [0.0, 0.0]]))
    first = [
        0.3 + 1.0 - 1.0 + 0.5 * np.tanh(3.0) + 0.25 * np.tanh(2.0),
        -0.1 + 0.25 - np.tanh(3.0),
        0.3 + 2.0 * np.tanh(2.0),
    ]
    np.testing.assert_allclose(scores, [first, [0.3, -0.1, 0.0]])


def test_stretched_scores_are_multiples():
    fields = np.random.default_rng(0).standard_normal((50, 2))
    before, after = softmax_calibration(), softmax_calibration().stretched(0.0, 0.4)
    np.testing.assert_allclose(after.scores(fields), 0.4 * before.scores(fields))
    np.testing.assert_array_equal(after.steepness, before.steepness)
    np.testing.assert_array_equal(after.priors, before.priors)


def test_a_calibration_of_many_classes_is_frozen_and_survives_pickling():
    for calibration in (softmax_calibration(), pickle.loads(pickle.dumps(softmax_calibration()))):
        for name in ("intercepts", "slopes", "steps", "steepness", "training_priors", "priors"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(calibration, name)[0] = 1.0
        np.testing.assert_array_equal(calibration.intercepts, [0.3, -0.1, 0.0])


def test_priors_of_the_training_rows_shift_no_score():
    np.testing.assert_array_equal(softmax_calibration().shift, np.zeros(3))


@pytest.mark.parametrize("priors", [(1 / 3, 1 / 3, 1 / 3), (0.9, 0.05, 0.05), (0.01, 0.01, 0.98)])
def test_other_priors_shift_the_scores_by_the_rule_of_bayes(priors):
    calibration = softmax_calibration(priors)
    scores = calibration.scores(np.random.default_rng(0).standard_normal((7, 2)))
    joint = softmax(scores) / [0.2, 0.3, 0.5] * priors
    expected = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(softmax(scores + calibration.shift), expected, rtol=1e-12)


def test_priors_of_many_classes_come_in_their_order():
    classes = np.array(["a", "b", "c"])
    np.testing.assert_allclose(checked_priors({"c": 0.2, "a": 0.7, "b": 0.1}, classes), [0.7, 0.1, 0.2])
    np.testing.assert_allclose(checked_priors([0.7, 0.1, 0.2], classes), [0.7, 0.1, 0.2])


@pytest.mark.parametrize("priors", [{"a": 0.5, "b": 0.5}, [0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.0], "c"])
def test_wrong_priors_of_many_classes_name_them_all(priors):
    with pytest.raises(ValueError, match=r"priors=.*allowed are positive numbers .* classes a, b and c"):
        checked_priors(priors, np.array(["a", "b", "c"]))
