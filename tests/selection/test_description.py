"""Description length: code lengths worked by hand, and what it chooses on tables too small to split."""

import numpy as np
import pytest
from example_tables import plane

from netlines import NetLinesClassifierCV
from netlines.datasets import load_monks
from netlines.selection.description import description_length, integer_bits, log2_choose, row_bits


@pytest.mark.parametrize(
    ("value", "bits"), [(1, 2), (-1, 2), (2, 4), (3, 4), (-4, 6), (7, 6), (8, 8), (-1000, 20)]
)
def test_an_integer_takes_its_sign_and_the_code_of_elias(value, bits):
    assert integer_bits(value) == bits


@pytest.mark.parametrize(("n", "k", "count"), [(5, 0, 1), (5, 5, 1), (5, 2, 10), (100, 2, 4950)])
def test_naming_some_of_several_things(n, k, count):
    assert log2_choose(n, k) == pytest.approx(np.log2(count))


def test_a_row_is_how_many_which_and_their_values():
    assert row_bits(np.array([0, 1, -2])) == pytest.approx(np.log2(4) + np.log2(3) + 2 + 4)
    assert row_bits(np.zeros(3)) == pytest.approx(2)


def test_a_unit_needs_no_output():
    expected = 1 + (2 + np.log2(3) + 6) + np.log2(101) + np.log2(4950)
    found = description_length(np.array([[0, 1, -2]]), np.array([0, 1]), 100, 2)
    assert found == pytest.approx(expected)


def test_a_network_pays_for_its_size_and_its_output():
    hidden, output = np.array([[1, 0], [0, 3]]), np.array([-1, 1, 1])
    rows = (np.log2(3) + 1 + 2) + (np.log2(3) + 1 + 4)
    expected = 3 + rows + (np.log2(4) + 0 + 6) + np.log2(11) + 0
    assert description_length(hidden, output, 10, 0) == pytest.approx(expected)


def test_an_exception_costs_bits_and_so_does_a_weight():
    hidden, output = np.array([[1, 0, 2]]), np.array([0, 1])
    fewer, more = (description_length(hidden, output, 50, errors) for errors in (0, 1))
    assert more > fewer
    assert description_length(np.array([[1, 1, 2]]), output, 50, 0) > fewer - np.log2(3)


def test_the_two_classes_of_exceptions_cost_the_same():
    assert log2_choose(40, 3) == pytest.approx(log2_choose(40, 37))


@pytest.mark.slow
@pytest.mark.parametrize(("monk", "errors", "weights"), [(1, 0, 39), (2, 0, 39), (3, 12, 4)])
def test_the_monks_are_described_shortly(monk, errors, weights):
    X, y = load_monks(monk, return_X_y=True)
    clf = NetLinesClassifierCV(criterion="mdl").fit(X, y)
    Xt, yt = load_monks(monk, subset="test", return_X_y=True)
    assert (clf.predict(Xt) != yt).sum() <= errors
    assert clf.n_weights_ <= weights


@pytest.fixture(scope="module")
def described():
    X, y = plane(p=60, noise=0.3)
    return X, NetLinesClassifierCV(max_hidden=2, criterion="mdl").fit(X, y)


def test_what_was_chosen_is_the_shortest_and_told(described):
    _, clf = described
    table = clf.cv_results_
    assert (np.diff(table["bits"]) >= 0).all()
    np.testing.assert_array_equal(table["chosen"], np.arange(len(table["bits"])) == 0)
    assert table["n_weights"][0] == clf.n_weights_ == clf.network_.n_nonzero
    assert table["n_hidden"][0] == clf.n_hidden_
    assert table["training_error"][0] * 60 == pytest.approx(clf.n_training_errors_)
    assert clf.stop_reason_.startswith(table["candidate"][0])
    assert f"{table['bits'][0]:.0f} bits" in clf.stop_reason_
    assert clf.teacher_ is None


@pytest.mark.slow
def test_noise_is_not_described():
    X, y = plane(p=60, noise=2.0)
    clf = NetLinesClassifierCV(max_hidden=2, criterion="mdl").fit(X, y)
    assert clf.n_weights_ <= 4


def test_the_shortest_description_has_probabilities(described):
    X, clf = described
    before = clf.predict(X)
    p = clf.set_priors({0: 0.99, 1: 0.01}).predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), p.argmax(axis=1))
    assert clf.predict(X).sum() < before.sum()
    np.testing.assert_array_equal(clf.set_priors(None).predict(X), before)


def test_a_row_of_weight_two_is_two_rows():
    X, y = plane(p=30, noise=0.3)
    weighted = NetLinesClassifierCV(criterion="mdl", max_hidden=2).fit(X, y, sample_weight=np.full(30, 2.0))
    repeated = NetLinesClassifierCV(criterion="mdl", max_hidden=2).fit(np.vstack([X, X]), np.r_[y, y])
    np.testing.assert_array_equal(weighted.network_.hidden_weights, repeated.network_.hidden_weights)
    np.testing.assert_array_equal(weighted.cv_results_["bits"], repeated.cv_results_["bits"])
