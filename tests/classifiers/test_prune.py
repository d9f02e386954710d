"""Pruning: what stays, the forms of the weights, the counts on the monks, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Perceptron

from netlines import MinimerrorClassifier, NetLinesClassifier, Network
from netlines.classifiers.prune import prune
from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_pima_diabetes
from netlines.network.network import sign
from netlines.training.pruning import prune_network

FORMS = pytest.mark.parametrize("form", ["float", "integer"])


@pytest.fixture(scope="module")
def monks():
    """Return training rows, labels, test rows, labels and the fitted classifier of a monk's problem."""
    problems = {}

    def problem(k):
        if k not in problems:
            X, y = load_monks(k, return_X_y=True)
            clf = NetLinesClassifier() if k < 3 else MinimerrorClassifier(temperature=0.3)
            problems[k] = (X, y, *load_monks(k, subset="test", return_X_y=True), clf.fit(X, y))
        return problems[k]

    return problem


def random_network(seed, kind="normal", h=3, n=4, p=40):
    """Return a network of random weights and rows of integers, normal numbers or columns of wild sizes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((p, n))
    if kind == "integer":
        X = rng.integers(-2, 3, (p, n)).astype(float)
    hidden = rng.standard_normal((h, n + 1))
    if kind == "wild":
        scale, offset = 10.0 ** rng.integers(-9, 9, n), 10.0 ** rng.integers(-2, 3, n)
        X = (X + offset) * scale
        hidden[:, 1:] /= scale
        hidden[:, 0] -= hidden[:, 1:] @ (offset * scale)
    output = rng.standard_normal((1, h + 1)) if h > 1 else [[0.0, 1.0]]
    return Network(hidden, output, np.array([0, 1])), X


def answers(network, X):
    return sign(network.decision(X))


def integers_of(clf, unit=1.0):
    """Return the weights of all inputs in their units, the hidden biases and the output weights."""
    network = clf.network_
    return network.hidden_weights[:, 1:] * unit, network.hidden_weights[:, 0], network.output_weights


def assert_integer(*arrays):
    for array in arrays:
        np.testing.assert_array_equal(array, np.rint(array))


@FORMS
@examples(10)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["normal", "integer", "wild"]),
    h=st.integers(1, 4),
    n=st.integers(1, 5),
)
def test_no_answer_changes_and_no_weight_is_added(form, seed, kind, h, n):
    network, X = random_network(seed, kind, h, n)
    pruned = prune_network(network, X, answers(network, X), weights=form)
    np.testing.assert_array_equal(pruned.predict(X), network.predict(X))
    assert pruned.n_hidden <= h
    if form == "float":
        assert pruned.n_nonzero <= network.n_nonzero


@pytest.mark.sample(1)
@FORMS
@pytest.mark.parametrize("seed", range(3))
def test_weighted_errors_do_not_grow_and_may_move(form, seed):
    network, X = random_network(seed, ["normal", "integer"][seed % 2], 1 + seed % 3)
    rng = np.random.default_rng(seed)
    X = np.vstack([X, X[:10]])
    wanted = np.where(rng.random(len(X)) < 0.15, -1, 1) * answers(network, X)
    weights = rng.integers(0, 4, len(X)).astype(float)

    def missed(some):
        return weights[answers(some, X) != wanted].sum()

    pruned = prune_network(network, X, wanted, weights, weights=form)
    assert missed(pruned) <= missed(network)


@pytest.mark.slow
def test_answers_are_kept_however_little_their_rows_weigh():
    X = np.random.default_rng(0).standard_normal((30, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    clf, weights = NetLinesClassifier().fit(X, y), np.where(np.arange(30) < 4, 1.0, 1e-12)
    for form in ("float", "integer"):
        small = prune(clf, X, y, weights=form, sample_weight=weights)
        np.testing.assert_array_equal(small.predict(X), clf.predict(X))


def test_rows_of_weight_0_are_left_out():
    network, X = random_network(0)
    weights = np.r_[np.ones(5), np.zeros(len(X) - 5)]
    some = prune_network(network, X, answers(network, X), weights)
    few = prune_network(network, X[:5], answers(network, X[:5]))
    np.testing.assert_array_equal(some.hidden_weights, few.hidden_weights)
    assert some.n_nonzero < prune_network(network, X, answers(network, X)).n_nonzero


@pytest.mark.parametrize(("k", "most"), [(1, 14), (2, 17)])
def test_integer_monks_have_few_weights_and_no_test_errors(monks, k, most):
    X, y, X_test, y_test, clf = monks(k)
    small = prune(clf, X, y, weights="integer")
    W, v = small.network_.hidden_weights, small.network_.output_weights
    assert_integer(W, v)
    assert np.count_nonzero(W) + np.count_nonzero(v) == small.n_weights_ <= most
    assert np.abs(W).max() <= 8
    assert small.score(X, y) == small.score(X_test, y_test) == 1.0
    assert small.n_training_errors_ == 0
    assert small.n_hidden_ == small.network_.n_hidden


def test_float_monks_have_few_weights_and_rows_of_the_usual_norm(monks):
    X, y, X_test, y_test, clf = monks(2)
    small = prune(clf, X, y)
    assert small.n_weights_ <= 18
    assert small.score(X_test, y_test) == 1.0
    np.testing.assert_allclose((small.network_.hidden_weights**2).sum(axis=1), 18)


@pytest.mark.parametrize("form", ["integer", "ternary"])
def test_monks_3_is_three_signs(monks, form):
    X, y, X_test, y_test, clf = monks(3)
    small = prune(clf, X, y, weights=form, keep="errors")
    assert small.n_weights_ <= 3
    assert set(np.unique(small.network_.hidden_weights)) <= {-1, 0, 1}
    np.testing.assert_array_equal(small.network_.output_weights, [[0, 1]])
    np.testing.assert_array_equal(small.weights_, small.network_.hidden_weights[0])
    assert small.n_training_errors_ <= clf.n_training_errors_
    assert (small.predict(X_test) != y_test).sum() == 12


def test_ternary_weights_are_signs():
    X, y = load_monks(2, encoding=(0, 1), return_X_y=True)
    clf = NetLinesClassifier().fit(X, y)
    slopes, biases, output = integers_of(prune(clf, X, y, weights="ternary"))
    assert set(np.unique(slopes)) <= {-1, 0, 1}
    assert set(np.unique(output[0, 1:])) <= {-1, 1}
    assert_integer(biases, output)


def test_integers_of_real_columns_are_in_units_of_powers_of_two():
    X, y = load_pima_diabetes(return_X_y=True)
    clf = MinimerrorClassifier(temperature=0.3).fit(X, y)
    small = prune(clf, X, y, weights="integer", keep="errors")
    span = np.ptp(X, axis=0)
    unit = 2.0 ** (np.rint(np.log2(span)) - 5)
    assert_integer(*integers_of(small, unit)[:2])
    assert small.n_weights_ <= 5
    assert small.n_training_errors_ <= clf.n_training_errors_


def test_keeping_errors_allows_fewer_weights_than_keeping_predictions():
    X, y = load_breast_cancer_wisconsin(return_X_y=True)
    clf = MinimerrorClassifier(temperature=0.3).fit(X, y)
    same, free = prune(clf, X, y), prune(clf, X, y, keep="errors")
    np.testing.assert_array_equal(same.predict(X), clf.predict(X))
    assert free.n_weights_ < same.n_weights_ <= clf.n_weights_
    assert free.n_training_errors_ <= clf.n_training_errors_


def test_superfluous_units_and_inputs_go():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    hidden = [[0.2, 1, 0.01, 0], [0.21, 1, 0.02, 0], [9, 0.1, 0, 0.1]]
    network = Network(hidden, [[0.5, 1, 1, -0.3]], np.array([0, 1]))
    pruned = prune_network(network, X, answers(network, X), weights="integer")
    assert pruned.n_hidden == 1
    assert pruned.n_nonzero <= 3


def test_a_constant_network_becomes_a_bias():
    X = np.random.default_rng(0).standard_normal((20, 2))
    for output in ([[-3.0, 1, 1]], [[3.0, 1, 1]]):
        network = Network([[0.1, 1, 2], [0.1, -1, 2]], output, np.array([0, 1]))
        pruned = prune_network(network, X, answers(network, X), weights="integer")
        np.testing.assert_array_equal(pruned.hidden_weights, [[np.sign(output[0][0]), 0, 0]])


def test_a_hyperplane_lies_in_the_middle_of_its_gap():
    network = Network([[-2.9, 1.0, 0.01]], [[0, 1]], np.array([0, 1]))
    X = np.array([[0.5, 0], [1.0, 0], [3.0, 0], [3.5, 0]])
    bias, slope, _ = prune_network(network, X, answers(network, X)).hidden_weights[0]
    assert -bias / slope == pytest.approx(2.0)


def test_the_classifier_given_is_left_alone(monks):
    X, y, *_, clf = monks(1)
    before = dict(vars(clf))
    small = prune(clf, X, y)
    assert vars(clf) == before
    assert type(small) is type(clf)
    assert small.get_params() == clf.get_params()
    assert small.network_ is not clf.network_


def test_the_same_seed_gives_the_same_network(monks):
    X, y, *_, clf = monks(1)
    a, b = (prune(clf, X, y, weights="integer", random_state=3).network_ for _ in range(2))
    np.testing.assert_array_equal(a.hidden_weights, b.hidden_weights)
    np.testing.assert_array_equal(a.output_weights, b.output_weights)


def test_tables_and_text_labels():
    frame = load_breast_cancer_wisconsin(as_frame=True)
    X, y = frame.data[:200], frame.target[:200]
    clf = MinimerrorClassifier().fit(X, y)
    small = prune(clf, X, y, weights="integer")
    np.testing.assert_array_equal(small.predict(X), clf.predict(X))
    assert small.network_.feature_names == tuple(X.columns)
    turned = prune(clf, X[X.columns[::-1]].assign(further="a"), y, weights="integer")
    np.testing.assert_array_equal(turned.network_.hidden_weights, small.network_.hidden_weights)
    np.testing.assert_array_equal(small.predict(X[X.columns[::-1]]), clf.predict(X))
    with pytest.raises(ValueError, match=f"the table lacks the column {X.columns[0]!r}; it has "):
        prune(clf, X[X.columns[1:]], y)


def test_float32_rows():
    X, y = load_monks(1, return_X_y=True)
    X = (X + 0.1).astype(np.float32)
    clf = NetLinesClassifier().fit(X, y)
    np.testing.assert_array_equal(prune(clf, X, y, weights="integer").predict(X), y)


def test_what_cannot_be_ternary_is_refused_with_the_nearest_miss():
    X = np.column_stack([np.arange(16.0), np.arange(16) % 4])
    network = Network([[-30.0, 2.0, 5.0]], [[0.0, 1.0]], np.array([0, 1]))
    wanted = answers(network, X)
    assert prune_network(network, X, wanted, weights="integer").n_nonzero <= 3
    with pytest.raises(
        ValueError, match=r"weights='ternary'.*would change [1-3] of 16 answers; try weights="
    ):
        prune_network(network, X, wanted, weights="ternary")


def test_wrong_arguments_are_named(monks):
    X, y, *_, clf = monks(3)
    with pytest.raises(ValueError, match=r"'weights' .* among {.*'ternary'.*}. Got 'int'"):
        prune(clf, X, y, weights="int")
    with pytest.raises(ValueError, match=r"'keep' .* among {.*'errors'.*}. Got 'all'"):
        prune(clf, X, y, keep="all")
    with pytest.raises(ValueError, match=r"'random_state' .* int in the range \[0, inf\). Got None"):
        prune(clf, X, y, random_state=None)
    with pytest.raises(NotFittedError):
        prune(NetLinesClassifier(), X, y)
    with pytest.raises(TypeError, match=r"a fitted classifier of netlines, .* got Perceptron"):
        prune(Perceptron().fit(X, y), X, y)
    with pytest.raises(ValueError, match="X has 16 features"):
        prune(clf, X[:, 1:], y)
    with pytest.raises(ValueError, match=r"y must have one label for each of the 122 rows of X, got 121"):
        prune(clf, X, y[1:])
    with pytest.raises(ValueError, match=r"y must be a label for each row, got shape \(122, 2\)"):
        prune(clf, X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match=r"y has the label \[0, 1\]; allowed are 0, 1"):
        prune(clf, X, [*y[1:], [0, 1]])
    with pytest.raises(ValueError, match="y has the label 2; allowed are 0, 1"):
        prune(clf, X, y + 1)
    with pytest.raises(ValueError, match=r"sample_weight.shape == \(1,\), expected \(122,\)"):
        prune(clf, X, y, sample_weight=[1.0])
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        prune(clf, X, pd.Series(y), sample_weight=-np.ones(122))
    with pytest.raises(ValueError, match="contains infinity"):
        prune(clf, X, y, sample_weight=np.full(122, np.inf))
    with pytest.raises(ValueError, match="at least one non-zero number"):
        prune(clf, X, y, sample_weight=np.zeros(122))


def test_the_confidence_of_a_pruned_unit_is_that_of_its_own_weights():
    X, y = load_pima_diabetes(return_X_y=True)
    unit = MinimerrorClassifier(temperature=0.5).fit(X, y)
    pruned = prune(unit, X, y, keep="errors")
    weights = pruned.network_.hidden_weights[0]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    u = np.concatenate([[weights[0] + weights[1:] @ X.mean(axis=0)], weights[1:] * X.std(axis=0)])
    stability = (u[0] + Z @ u[1:]) / np.sqrt(u @ u)
    np.testing.assert_allclose(pruned.confidence(X), np.tanh(np.abs(stability) / 2 / unit.temperature_))


def test_other_priors_are_refused():
    X, y = load_monks(3, return_X_y=True)
    clf = MinimerrorClassifier(temperature=0.5, probability=True).fit(X, y).set_priors([0.1, 0.9])
    with pytest.raises(ValueError, match=r"other priors .*set_priors\(None\)"):
        prune(clf, X, y)
    assert prune(clf.set_priors(None), X, y, keep="errors").predict_proba(X).shape == (len(X), 2)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [2, 7, 12])
def test_denormal_columns_are_pruned(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((20, 3)) * [5e-324, 1.0, 1.0], rng.integers(0, 2, 20)
    clf = NetLinesClassifier(max_hidden=2).fit(X, y)
    small = prune(clf, X, y)
    np.testing.assert_array_equal(small.predict(X), clf.predict(X))
    assert np.isfinite(small.network_.hidden_weights).all()


def test_columns_far_from_zero_keep_their_origin():
    rng = np.random.default_rng(0)
    X, y = 1e15 + rng.integers(0, 9, (40, 2)), rng.integers(0, 2, 40)
    clf = NetLinesClassifier(max_hidden=3).fit(X, y)
    small = prune(clf, X, y, weights="integer")
    np.testing.assert_array_equal(small.predict(X), clf.predict(X))
    np.testing.assert_array_equal(small.network_.origin, clf.network_.origin)
