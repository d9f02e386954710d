"""The coordinates in which networks are trained: exact, and the same for a column times a power of two."""

import numpy as np
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
)
from netlines.network.frame import Frame

BUNDLED = [
    load_breast_cancer_wisconsin,
    load_pima_diabetes,
    load_iris,
    load_sonar,
    lambda **how: load_monks(1, **how),
]


@pytest.mark.parametrize("load", BUNDLED)
def test_tables_as_people_write_them_stay_as_they_are(load):
    X, _ = load(return_X_y=True)
    for rows in (X, X.astype(np.float32)):
        frame = Frame.of(rows)
        assert (frame.unit == 1).all()
        assert frame.offset is None
        np.testing.assert_array_equal(frame.inside(rows), rows)


@examples(100)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 0, 1, 3]))
def test_powers_of_two_change_nothing_inside(seed, decimals):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 4)) * 10.0 ** rng.uniform(-3, 3, 4)
    X = X if decimals is None else X.round(decimals)
    scale = 2.0 ** rng.integers(-40, 40, 4)
    frame, scaled = Frame.of(X), Frame.of(X * scale)
    np.testing.assert_array_equal(
        scaled.unit[np.ptp(X, axis=0) > 0], (frame.unit * scale)[np.ptp(X, axis=0) > 0]
    )
    varies = np.ptp(X, axis=0) > 0
    np.testing.assert_array_equal(scaled.inside(X * scale)[:, varies], frame.inside(X)[:, varies])


@pytest.mark.parametrize("offset", [1e15, -1e12, 1.7e18])
def test_a_column_far_from_zero_counts_from_its_smallest_value(offset):
    step = np.spacing(abs(offset))
    X = offset + step * np.array([[3.0], [0.0], [8.0]])
    frame = Frame.of(X)
    assert frame.offset.tolist() == [X.min()]
    np.testing.assert_array_equal(frame.inside(X) * frame.unit, X - X.min())
    assert (np.diff(np.sort(frame.inside(X)[:, 0])) > 0).all()


def test_weights_outside_answer_as_those_inside():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [1e15 + rng.integers(0, 9, 40), 5e-324 * rng.integers(0, 9, 40), rng.normal(size=40) * 1e90]
    )
    frame, weights = Frame.of(X), rng.standard_normal((5, 4))
    inside = weights[:, 0] + frame.inside(X) @ weights[:, 1:].T
    outside, factor = frame.outside(weights, exact=True)
    assert np.isfinite(outside).all()
    assert np.abs(outside).max() <= 1e148
    np.testing.assert_allclose(
        outside[:, 0] + (X - frame.origin) @ outside[:, 1:].T, inside * factor, rtol=1e-9
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("model", [MinimerrorClassifier(), NetLinesClassifier(max_hidden=3)])
def test_a_fit_does_not_change_by_powers_of_two(model):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((40, 4)), rng.integers(0, 2, 40)
        scale = 2.0 ** rng.integers(-30, 31, 4)
        before, after = (type(model)(**model.get_params()).fit(rows, y) for rows in (X, X * scale))
        np.testing.assert_array_equal(before.predict(X), after.predict(X * scale))
        weights = after.network_.hidden_weights[:, 1:] * scale
        ratio = weights / before.network_.hidden_weights[:, 1:]
        np.testing.assert_allclose(ratio, ratio[:, :1] * np.ones(4), rtol=1e-12)


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(10))
def test_rows_far_from_zero_are_learnt_without_errors_and_have_one_answer(seed):
    rng = np.random.default_rng(seed)
    X = 10.0 ** rng.integers(9, 16, 3) + rng.integers(0, 8 * rng.integers(1, 9), (40, 3)) * 0.125
    _, group = np.unique(X, axis=0, return_inverse=True)
    y = rng.integers(0, 2, 40)[group.ravel()]
    y[:2] = y[group.ravel()[:2]]
    clf = NetLinesClassifier().fit(X, y)
    assert clf.n_training_errors_ == 0
    np.testing.assert_array_equal([clf.predict(row[None])[0] for row in X], y)
    np.testing.assert_array_equal(clf.predict(np.asfortranarray(X)), y)


HARD = {
    "time stamps in nanoseconds": 1.7e18 + 1024.0 * np.arange(12)[:, None],
    "whole numbers above 2^53": 2.0**60 + 256.0 * np.arange(12)[:, None],
    "one denormal number": np.array([[0.0], [0], [0], [0], [5e-324]]),
    "two rows": np.array([[0.0], [5e-324]]),
    "one huge value": np.array([[1.0, 2], [2, 1], [1, 1], [2, 2], [1e30, 1], [1e30, 2]]),
    "five whole numbers": 1e15 + np.arange(5.0)[:, None],
}


@pytest.mark.parametrize("name", HARD)
def test_hard_columns_are_learnt_without_errors(name):
    X, n = HARD[name], len(HARD[name])
    labels = {"one denormal number": [0, 0, 0, 0, 1], "two rows": [0, 1]}.get(name) or (
        np.arange(n) * 7 % 5 % 2
    )
    clf = NetLinesClassifier().fit(X, labels)
    assert clf.stop_reason_ == "no training errors"
    np.testing.assert_array_equal(clf.predict(X), labels)
    assert np.isfinite(clf.decision_function(X)).all()
