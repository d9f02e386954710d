"""Confidence by the weights of internal representations: the paper's example, enumeration, approximation."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_pima_diabetes
from netlines.inspection.confidence import TEMPERATURES, domain_confidence, domain_weights, fit_temperature
from netlines.network.background import Background, describe
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part

# The paper's figure 1: hyperplanes 1, 2 and 3, of which 1 divides the classes only where 3 is +.
# (- + +) is one class, (+ + +), (- + -) and (+ + -) are the other.
SCHEMA = Network(
    hidden_weights=[[0, 1, 0], [5, 0, 1], [0, 0, 1]],
    output_weights=[[-1.5, -1, 1, 1]],
    classes=["outside", "inside"],
)


def naive_weights(network, X, temperature):
    """Sum over all internal representations, straight from the definition."""
    known = network.surroundings
    totals = np.zeros((len(X), network.n_classes))
    for code in product([-1, 1], repeat=network.n_hidden):
        weight = np.ones(len(X))
        for state, (bias, *slopes) in zip(code, network.hidden_weights, strict=True):
            standard = np.array([bias + slopes @ known.mean, *(slopes * known.scale)])
            stability = (bias + X @ slopes) / np.sqrt(standard @ standard)
            weight *= (1 + state * np.tanh(stability / (2 * temperature))) / 2
        sums = network.output_weights @ [1, *code]
        answer = int(sums[0] >= 0) if network.n_classes == 2 else int(np.argmax(sums))
        totals[:, answer] += weight
    return totals


def test_the_papers_example_a_hyperplane_between_two_domains_of_one_class_casts_no_doubt():
    near = np.array([[-0.01, 2.0], [-0.01, -2.0]])
    assert SCHEMA.internal_representation(near).tolist() == [[-1, 1, 1], [-1, 1, -1]]
    flipped = near * [-1, 1]
    assert SCHEMA.predict(near).tolist() == ["inside", "outside"]
    assert SCHEMA.predict(flipped).tolist() == ["outside", "outside"]
    doubtful, sure = domain_confidence(SCHEMA, near, temperature=0.2)
    assert 0.5 <= doubtful < 0.53
    assert sure > 0.95


def test_confidence_falls_to_one_half_on_the_way_to_a_hyperplane_that_matters():
    away = np.column_stack([-np.geomspace(2.0, 1e-6, 30), np.full(30, 5.0)])
    confidence = domain_confidence(SCHEMA, away, temperature=0.2)
    assert (np.diff(confidence) < 0).all()
    assert confidence[0] > 0.95
    assert confidence[-1] == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("n_hidden", [1, 2, 5])
def test_enumeration_equals_the_definition(n_hidden, n_classes):
    rng = np.random.default_rng(n_hidden)
    X = rng.normal(3.0, 2.0, size=(40, 3))
    network = Network(
        rng.normal(size=(n_hidden, 4)),
        PASS_ON
        if (n_hidden, n_classes) == (1, 2)
        else rng.normal(size=(1 if n_classes == 2 else 4, n_hidden + 1)),
        range(n_classes),
        background=replace(describe(X), temperature=0.7),
    )
    weights = domain_weights(network, X)
    np.testing.assert_allclose(weights, naive_weights(network, X, 0.7), atol=1e-12)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(
        domain_weights(network, X, temperature=0.1), naive_weights(network, X, 0.1), atol=1e-12
    )


def test_one_unit_has_the_papers_own_confidence():
    unit = Network([[1.0, 2.0, -2.0]], PASS_ON, [0, 1])
    X = np.array([[3.0, 1.0], [0.0, 0.4]])
    stability = np.array([5.0, 0.2]) / 3.0
    np.testing.assert_allclose(domain_confidence(unit, X), (1 + np.tanh(stability / 0.6)) / 2)


@pytest.mark.parametrize(("n_classes", "mean_error"), [(2, 0.01), (6, 0.02)])
def test_beyond_16_units_the_approximation_is_near_a_sample(n_classes, mean_error):
    rng = np.random.default_rng(0)
    hidden, X = rng.normal(size=(60, 21)), rng.normal(size=(50, 20))
    network = Network(hidden, rng.normal(size=(1 if n_classes == 2 else n_classes, 61)), range(n_classes))
    weights = domain_weights(network, X, temperature=0.3)
    stability = network.fields(X) / np.sqrt((hidden**2).sum(axis=1))
    plus = (1 + np.tanh(stability / 0.6)) / 2
    codes = np.where(rng.random((2000, *plus.shape)) < plus, 1.0, -1.0)
    sums = network.output_weights[:, 0] + codes @ network.output_weights[:, 1:].T
    answers = (sums[..., 0] >= 0).astype(int) if n_classes == 2 else sums.argmax(axis=-1)
    shares = np.stack([(answers == k).mean(axis=0) for k in range(n_classes)], axis=1)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert np.abs(weights - shares).mean() < mean_error


def test_a_unit_that_is_the_same_everywhere_is_in_no_doubt():
    constant = Network([[0.001, 0.0], [0.0, 1.0]], [[-1.0, 1.0, 1.0]], [0, 1])
    weights = domain_weights(constant, np.array([[0.0]]), temperature=5.0)
    np.testing.assert_allclose(weights, [[0.5, 0.5]])


def test_confidence_does_not_depend_on_the_units_of_the_inputs():
    X, y = load_pima_diabetes(return_X_y=True)
    clf = NetLinesClassifier(max_hidden=3, random_state=0).fit(X[:200], y[:200])
    scaled = NetLinesClassifier(max_hidden=3, random_state=0).fit(1000 * X[:200] - 7, y[:200])
    np.testing.assert_allclose(clf.domain_confidence(X), scaled.domain_confidence(1000 * X - 7), atol=1e-6)


@pytest.mark.parametrize("scheme", ["tree", "vote", "wta", "pairs"])
def test_networks_that_decide_together_share_the_weight_among_the_classes(fitted, scheme):
    clf, X, y = fitted("iris", scheme)
    weights = domain_weights(clf.network_, X)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    confidence = clf.domain_confidence(X)
    assert confidence[y == "setosa"].mean() > 0.95
    assert confidence[y == "setosa"].mean() > confidence[y == "versicolor"].mean()
    in_doubt = np.argsort(confidence)[:20]
    assert not (y[in_doubt] == "setosa").any()


def test_a_tree_multiplies_along_its_path():
    left, right = (Network([weights], PASS_ON, [0, 1]) for weights in ([0, 1.0, 0], [0, 0, 1.0]))
    parts = Part(["a"], ["b", "c"], left), Part(["b"], ["c"], right)
    tree = Networks("tree", ["a", "b", "c"], parts, trees=[(0, 1)])
    X = np.array([[0.3, -0.2]])
    first, second = (1 + np.tanh(X[0] / 0.6)) / 2
    np.testing.assert_allclose(
        domain_weights(tree, X), [[first, (1 - first) * second, (1 - first) * (1 - second)]]
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("load", [load_breast_cancer_wisconsin, load_pima_diabetes])
@pytest.mark.parametrize("kind", [NetLinesClassifier, NetLinesClassifierCV])
def test_errors_are_at_least_twice_as_rare_in_the_surer_half(load, kind):
    X, y = load(return_X_y=True)
    sure = doubtful = 0
    for seed in range(2):
        X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=0.75, random_state=seed)
        options = {"max_hidden": 4} if kind is NetLinesClassifier else {}
        clf = kind(random_state=seed, **options).fit(X_train, y_train)
        wrong = (clf.predict(X_test) != y_test)[np.argsort(-clf.domain_confidence(X_test), kind="stable")]
        sure += wrong[: len(wrong) // 2].sum()
        doubtful += wrong[len(wrong) // 2 :].sum()
    assert doubtful >= 2 * sure


def test_the_temperature_fits_noisy_rows_by_more_doubt():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    unit = Network([[0.0, 1.0, 0.0]], PASS_ON, [0, 1], background=describe(X))
    clean = (X[:, 0] > 0).astype(int)
    noisy = (X[:, 0] + 1.5 * rng.normal(size=500) > 0).astype(int)
    ones = np.ones(500)
    assert fit_temperature(unit, X, clean, ones) == TEMPERATURES[0]
    assert fit_temperature(unit, X, noisy, ones) > 0.5
    ones[clean != noisy] = 0.0  # rows of no weight do not count
    assert fit_temperature(unit, X, noisy, ones) == TEMPERATURES[0]


def test_changed_priors_leave_the_weights_and_ask_for_that_of_the_answer(fitted):
    clf, X, _ = fitted("diabetes", "chosen")
    before, answers = clf.domain_confidence(X), clf.predict(X)
    clf.set_priors({"neg": 0.1, "pos": 0.9})
    moved = clf.predict(X) != answers
    assert moved.any()
    np.testing.assert_allclose(clf.domain_confidence(X), np.where(moved, 1 - before, before))


def test_bad_input_is_named():
    for bad in (0, -1.0, "hot"):
        with pytest.raises(ValueError, match="temperature must be a number of at least 1e-09, got"):
            domain_weights(SCHEMA, np.zeros((1, 2)), temperature=bad)
    for X in (np.zeros((1, 3)), np.zeros(2)):
        with pytest.raises(ValueError, match="X must be rows of 2 values, got shape"):
            domain_confidence(SCHEMA, X)
    with pytest.raises(ValueError, match="X has NaN in column 'x0', row 0"):
        domain_confidence(SCHEMA, np.full((1, 2), np.nan))
    with pytest.raises(ValueError, match="background must be one of 2 inputs, got 3"):
        replace(SCHEMA, background=describe(np.zeros((2, 3))))
    with pytest.raises(ValueError, match=r"background.low must have shape \(1,\), got \(2,\)"):
        Background([0.0], [1.0], [0.0, 1.0], [1.0], [False], [False])


def test_the_background_knows_range_integers_and_correlation():
    X = np.array([[1.0, 0.5, 7.0], [2.0, 1.0, 7.0], [4.0, 2.0, 7.0], [9.0, -3.0, 7.0]])
    known = describe(X, np.array([1.0, 1.0, 2.0, 0.0]))
    assert known.low.tolist() == [1.0, 0.5, 7.0]
    assert known.high.tolist() == [4.0, 2.0, 7.0]
    assert known.integer.tolist() == [True, False, True]
    assert known.two.tolist() == [False, False, True]
    np.testing.assert_allclose(known.mean, [2.75, 1.375, 7.0])
    np.testing.assert_allclose(known.scale, [np.sqrt(1.6875), np.sqrt(0.421875), 1.0])
    np.testing.assert_allclose(known.correlation, [[1, 1, 0], [1, 1, 0], [0, 0, 1]], atol=1e-4)
    assert known.binary.tolist() == [False, False, False]
    assert describe(np.array([[0.0], [1.0]])).binary.all()


def test_the_background_of_many_rows_and_inputs_is_short():
    rng = np.random.default_rng(0)
    X = np.hstack([rng.normal(5.0, 3.0, size=(30_000, 1)), np.ones((30_000, 150))])
    X[1, 0], X[3, 1] = 1e6, 1.5  # both between the rows that are looked at
    known = describe(X)
    assert known.correlation is None
    assert known.high[0] == 1e6
    assert not known.integer[1]
    assert known.integer[2]
    assert known.mean[0] == pytest.approx(5.0, abs=0.1)


def test_huge_and_tiny_values_neither_overflow_nor_vanish():
    known = describe(np.array([[1e100, 1e-100], [-1e100, -1e-100], [0.0, 1e-100]]))
    assert np.isfinite(known.scale).all()
    np.testing.assert_allclose(known.scale / [1e100, 1e-100], [np.sqrt(2 / 3), np.sqrt(8) / 3])


@pytest.mark.parametrize("off", [0.0, -1.0])
def test_the_background_finds_columns_that_were_one_hot_encoded(off):
    rng = np.random.default_rng(0)
    a, b = (
        np.eye(3)[rng.integers(0, 3, 40)],
        np.eye(4)[rng.integers(0, 3, 40)],
    )  # the last category has no row
    coin = rng.integers(0, 2, size=(40, 2))
    number = rng.normal(size=(40, 1))
    X = np.hstack([number, a, b, coin])
    X[:, 1:] = np.where(X[:, 1:] == 1, 1.0, off)
    known = describe(X)
    assert known.groups == ((1, 2, 3), (4, 5, 6))
    assert known.two.tolist() == [False] + [True] * 9
    X[7, 1:4] = off
    assert describe(X).groups == ((4, 5, 6),)


def test_numbers_that_cannot_be_anything_else_are_no_integers():
    assert describe(np.array([[1.0, 1e17], [2.0, 3e17]])).integer.tolist() == [True, False]


def test_the_output_weights_of_a_single_unit_do_not_count():
    unit = Network([[0.0, 1.0]], [[1.0, 0.5]], ["no", "yes"])
    assert domain_confidence(unit, np.array([[-3.0], [3.0]])).min() > 0.99
