"""Properties that hold on any table: hypothesis makes the tables, always the same ones (see `any_tables`)."""

import numpy as np
import pytest
from any_tables import examples, tables, unavoidable
from example_tables import assert_same
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV


def errors(clf, X, y):
    return int((clf.predict(X) != y).sum())


@examples(60)
@given(tables())
def test_training_ends_with_exactly_the_unavoidable_errors_within_the_bound(table):
    X, y = table
    clf = NetLinesClassifier().fit(X, y)
    least = unavoidable(X, y)
    assert errors(clf, X, y) == clf.n_training_errors_ == least
    assert clf.n_hidden_ <= 1 + 2 * (clf.growth_trace_[0]["errors"] - least)
    assert ("unavoidable" in clf.stop_reason_) == (least > 0)


@examples(25)
@given(tables(most=80), st.sampled_from([(0, 1), (False, True), ("a", "b"), (-1, 1), (1.0, 3.0)]))
def test_labels_may_be_renamed(table, names):
    X, y = table
    plain, renamed = NetLinesClassifier().fit(X, y), NetLinesClassifier().fit(X, np.array(names)[y])
    np.testing.assert_array_equal(renamed.network_.hidden_weights, plain.network_.hidden_weights)
    np.testing.assert_array_equal(renamed.predict(X), np.array(names)[plain.predict(X)])


@examples(25)
@given(tables(most=80))
def test_classes_may_be_exchanged(table):
    X, y = table
    assert errors(NetLinesClassifier().fit(X, 1 - y), X, 1 - y) == unavoidable(X, y)


@examples(25)
@given(tables(most=80), st.integers(0, 2**32 - 1))
def test_rows_may_come_in_any_order(table, seed):
    X, y = table
    order = np.random.default_rng(seed).permutation(len(y))
    plain, shuffled = NetLinesClassifier().fit(X, y), NetLinesClassifier().fit(X[order], y[order])
    np.testing.assert_array_equal(shuffled.network_.hidden_weights, plain.network_.hidden_weights)
    np.testing.assert_array_equal(shuffled.network_.output_weights, plain.network_.output_weights)


@examples(25)
@given(tables(most=80), st.integers(0, 2**32 - 1))
def test_columns_may_come_in_any_order(table, seed):
    X, y = table
    X = X[:, np.random.default_rng(seed).permutation(X.shape[1])]
    assert errors(NetLinesClassifier().fit(X, y), X, y) == unavoidable(X, y)


@examples(40)
@given(tables(most=80), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.0, 1e3]))
def test_columns_may_be_measured_in_any_unit(table, seed, shift):
    X, y = table
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-8, 8, X.shape[1]) * np.where(rng.random(X.shape[1]) < 0.5, -1.0, 1.0)
    X = (X + shift * rng.standard_normal(X.shape[1]) * np.abs(X).max(axis=0)) * scale
    assert errors(NetLinesClassifier().fit(X, y), X, y) == unavoidable(X, y)


@pytest.mark.slow
@examples(25)
@given(tables(most=60), st.integers(0, 2**32 - 1))
def test_a_weight_is_a_repetition(table, seed):
    X, y = table
    times = np.random.default_rng(seed).integers(1, 4, len(y))
    weighted = NetLinesClassifier().fit(X, y, sample_weight=times)
    repeated = NetLinesClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(weighted.network_.hidden_weights, repeated.network_.hidden_weights)
    np.testing.assert_array_equal(weighted.network_.output_weights, repeated.network_.output_weights)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_rows_of_very_different_size_are_told_apart(seed):
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(5, 80)), int(rng.integers(1, 12))
    X = rng.standard_normal((rows, columns)) * 10 ** rng.uniform(-8, 8, (rows, 1))
    y = np.arange(rows) % 2
    assert NetLinesClassifier().fit(X, y).n_training_errors_ == 0


def test_small_steps_beside_a_huge_value_are_told_apart():
    assert NetLinesClassifier().fit([[1e-8], [2e-8], [3e-8], [1e8]], [0, 1, 0, 1]).n_training_errors_ == 0


# What was chosen for new rows: the names of the labels, the order of the rows, repetitions and rows without
# weight change nothing, not a bit of the network or its probabilities. The order of the columns and their
# units decide, by the bits of the values, which pattern comes into which fold: with these another choice of
# about the same quality is made.

CHOOSERS = [
    NetLinesClassifierCV(teacher=None),
    NetLinesClassifierCV(max_hidden=2, cv=2),
]


def chosen(estimator, table, **more):
    return clone(estimator).fit(*table, **more)


@st.composite
def learnable(draw):
    """Draw rows of all sorts whose labels depend on the first column."""
    X, _ = draw(tables(most=60))
    y = X[:, 0] + X[:, 0].std() * np.random.default_rng(len(X)).standard_normal(len(X)) > np.median(X[:, 0])
    y[:2] = False, True
    return X, y.astype(int)


@pytest.mark.parametrize("estimator", CHOOSERS, ids=["units", "auto"])
@examples(6)
@given(learnable(), st.sampled_from([(False, True), ("a", "b"), (-1, 1)]), st.integers(0, 2**32 - 1))
def test_names_and_order_of_the_rows_do_not_change_the_choice(estimator, table, names, seed):
    X, y = table
    order = np.random.default_rng(seed).permutation(len(y))
    plain, other = chosen(estimator, table), chosen(estimator, (X[order], np.array(names)[y[order]]))
    assert_same(plain, other)
    np.testing.assert_array_equal(other.predict(X), np.array(names)[plain.predict(X)])


@pytest.mark.parametrize("estimator", CHOOSERS, ids=["units", "auto"])
@examples(6)
@given(learnable(), st.integers(0, 2**32 - 1))
def test_a_weight_is_a_repetition_for_the_choice_too(estimator, table, seed):
    X, y = table
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    times[:2] = 1
    weighted = chosen(estimator, table, sample_weight=times)
    repeated = chosen(estimator, (np.repeat(X, times, axis=0), np.repeat(y, times)))
    assert_same(weighted, repeated)


@pytest.mark.parametrize("estimator", [NetLinesClassifier(), MinimerrorClassifier()], ids=["net", "unit"])
@examples(8)
@given(learnable(), st.integers(0, 2**32 - 1))
def test_probabilities_hardly_depend_on_the_order_of_the_rows(estimator, table, seed):
    X, y = table
    order = np.random.default_rng(seed).permutation(len(y))
    estimator = clone(estimator).set_params(probability=True)
    if isinstance(estimator, NetLinesClassifier):
        estimator.set_params(max_hidden=3)
    plain, other = chosen(estimator, table), chosen(estimator, (X[order], y[order]))
    np.testing.assert_array_equal(plain.network_.hidden_weights, other.network_.hidden_weights)
    np.testing.assert_allclose(plain.predict_proba(X), other.predict_proba(X), atol=1e-9)


@examples(10)
@given(learnable(), st.integers(0, 2**32 - 1))
def test_the_choice_is_as_good_in_other_units_and_another_order_of_the_columns(table, seed):
    X, y = table
    rng = np.random.default_rng(seed)
    scale = 2.0 ** rng.integers(-20, 20, X.shape[1]) * rng.choice([-1.0, 1.0], X.shape[1])
    order = rng.permutation(X.shape[1])
    plain, other = chosen(CHOOSERS[0], table), chosen(CHOOSERS[0], ((scale * X)[:, order], y))
    assert abs(errors(plain, X, y) - errors(other, (scale * X)[:, order], y)) <= 0.35 * len(y)


@pytest.mark.parametrize("estimator", CHOOSERS, ids=["units", "auto"])
@examples(6)
@given(tables(most=60))
def test_the_more_probable_class_is_predicted_on_any_table(estimator, table):
    X, _ = table
    clf = chosen(estimator, table)
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[p.argmax(axis=1)])
