"""A unit on many patterns: what is left out counts nothing; order and repetition change no bit."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from netlines import MinimerrorClassifier
from netlines.training import many, patterns
from netlines.training import rows as rows_module
from netlines.training._kernel import anneal, one_pass
from netlines.training._rows import spread_order
from netlines.training.many import Columns, are_many, train_many
from netlines.training.minimerror import SLACK
from netlines.training.patterns import condense, condense_folded, group_rows
from netlines.training.rows import Rows

ROWS = 12_000


def noisy(n=ROWS, columns=4, dtype=np.float64, seed=0):
    """Return rows on which a logistic regression is as good as can be, and labels 0 and 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, columns)) * np.geomspace(0.1, 10.0, columns) + 1.0
    field = (X - 1.0) / np.geomspace(0.1, 10.0, columns) @ rng.standard_normal(columns)
    return X.astype(dtype), (field + rng.logistic(size=n) > 0).astype(int)


def repetitive(n=60_000, dtype=np.float64):
    """Return rows of which most are there several times, some with both labels."""
    X, y = noisy(n // 4, dtype=dtype)
    rng = np.random.default_rng(1)
    which = rng.integers(0, len(X), n)
    return X[which], np.where(rng.random(n) < 0.05, 1 - y[which], y[which])


def near(u, distance, rng):
    """Return a unit vector at most this far from u."""
    v = u + 0.9 * distance * (lambda d: d / np.sqrt(d @ d))(rng.standard_normal(len(u)))
    return v / np.sqrt(v @ v)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("in_memory", [True, False])
def test_the_patterns_that_are_left_out_add_nothing_to_the_sums_and_are_counted(in_memory, dtype):
    X, y = noisy(dtype=dtype)
    folded, s, _ = condense_folded(X, y, np.ones(len(y)))
    source = Columns(folded, s) if in_memory else Rows.of(X, group_rows(X, y, np.ones(len(y))))
    every = source.first(len(s))
    rng, beta, theta, distance = np.random.default_rng(2), 60.0, 2.0, 0.02
    u = near(np.linalg.lstsq(every.X.T.astype(float), np.ones(len(s)))[0], 0.0, rng)
    reach = np.array([many.NUMBERS.window / beta, many.NUMBERS.window * theta / beta, distance + 1e-6])
    some, outside = source.near(u, reach)
    assert 0.05 * len(s) < len(some.s) < 0.7 * len(s)
    for _ in range(5):
        v = near(u, distance, rng)
        found, expected = np.empty(len(v)), np.empty(len(v))
        errors, window = one_pass(some.X, some.s, v, beta, beta / theta, SLACK, found)
        all_errors, all_windows = one_pass(every.X, s, v, beta, beta / theta, SLACK, expected)
        np.testing.assert_allclose(
            found, expected, rtol=0, atol=(1e-7 if dtype == np.float64 else 1e-6) * np.abs(expected).max()
        )
        assert errors + outside == all_errors
        assert window == all_windows


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_that_stay_in_the_table_are_the_folded_patterns(dtype):
    X, y = repetitive(dtype=dtype)
    weights = np.random.default_rng(3).integers(1, 4, len(y)).astype(float)
    folded, s, about = condense_folded(X, y, weights)
    rows = Rows.of(X, group_rows(X, y, weights))
    assert len(s) > len(about.first)  # there are contradictions
    np.testing.assert_array_equal(rows.s, s)
    found = rows.first(len(s)).X
    np.testing.assert_array_equal(found[0], folded[0])
    for one, own, mean, scale in zip(found[1:], folded[1:], rows.mean, rows.scale, strict=True):
        i = int(np.flatnonzero(np.abs(rows.mean - mean) == 0)[0])
        values = own * about.scale[i] + about.mean[i] * folded[0]
        np.testing.assert_allclose(one * scale + mean * found[0], values, rtol=0, atol=1e-5 * scale)


def test_a_column_that_the_first_patterns_do_not_have_is_standardised_by_all(monkeypatch):
    monkeypatch.setattr(rows_module, "n_first", lambda *_: 100)
    X, y = noisy()
    X[:, 0] = 0.0
    X[:3, 0] = 7.0
    rows = Rows.of(X, group_rows(X, y, np.ones(len(y))))
    np.testing.assert_allclose(rows.scale[0] * rows.frame.unit[0], X[:, 0].std(), rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_compiled_keys_are_those_of_numpy(dtype, monkeypatch):
    X, y = noisy(dtype=dtype)
    X[:, 1] = 1.7e18  # constant
    X[::2, 2] = -0.0
    X[:, 3] += 1e9  # counted from its smallest value
    plain = condense(X, y, np.ones(len(y)))
    monkeypatch.setattr(patterns, "MANY", 100)
    compiled = condense(X, y, np.ones(len(y)))
    np.testing.assert_array_equal(compiled.first, plain.first)
    np.testing.assert_array_equal(compiled.X, plain.X)


def test_the_order_of_keys_is_the_stable_one():
    rng = np.random.default_rng(4)
    keys = rng.integers(0, 2**64, 50_000, dtype=np.uint64)
    keys[::3] = keys[1::3][: len(keys[::3])] if len(keys[1::3]) >= len(keys[::3]) else keys[0]
    order, ordered = np.empty(len(keys), dtype=np.int64), np.empty_like(keys)
    assert spread_order(keys, order, ordered)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(ordered, keys[order])
    assert not spread_order(keys >> np.uint64(32), order, ordered)


@pytest.mark.parametrize("alike", [True, False])
def test_different_rows_with_the_same_key_stay_apart(alike, monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 3, (500, 3)) * rng.choice([-0.0, 1.0], (500, 1))
    labels, weights = rng.integers(0, 2, 500), np.ones(500) if alike else rng.uniform(0.5, 2.0, 500)
    keys = patterns._keys
    monkeypatch.setattr(patterns, "_keys", lambda *table: keys(*table) & np.uint64(3))
    found = condense(X, labels, weights)
    assert len(found.first) == len(np.unique(X + 0.0, axis=0))
    for inputs, counts in zip(X[found.first], found.counts, strict=True):
        here = (inputs == X).all(axis=1)
        np.testing.assert_allclose(counts, np.bincount(labels[here], weights[here], minlength=2), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [True, False])
def test_neither_order_nor_repetition_of_many_rows_changes_a_bit(weighted, dtype):
    X, y = repetitive(dtype=dtype)
    rng = np.random.default_rng(6)
    weights = rng.integers(1, 4, len(y)).astype(float) if weighted else np.ones(len(y))
    order = rng.permutation(len(y))
    clf = MinimerrorClassifier()
    plain = clf.fit(X, y, sample_weight=weights).weights_
    np.testing.assert_array_equal(clf.fit(X[order], y[order], sample_weight=weights[order]).weights_, plain)
    times = weights.astype(int)
    np.testing.assert_array_equal(clf.fit(np.repeat(X, times, axis=0), np.repeat(y, times)).weights_, plain)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("seed", range(3))
def test_a_unit_makes_no_more_errors_than_a_logistic_regression(seed, dtype):
    X, y = noisy(2 * ROWS, columns=8, dtype=dtype, seed=seed)
    unit = MinimerrorClassifier().fit(X, y)
    peer = LogisticRegression(max_iter=1000).fit(X, y)
    assert unit.n_training_errors_ == (unit.predict(X) != y).sum() <= (peer.predict(X) != y).sum()
    assert unit.n_epochs_ < 200


def test_many_rows_of_two_classes_that_can_be_separated_are():
    X, _ = noisy(2 * ROWS, columns=6)
    y = X @ [1.0, -2.0, 0.5, 0.0, 1.0, -1.0] > 1.0
    assert MinimerrorClassifier().fit(X, y).n_training_errors_ == 0


def test_far_outliers_do_not_draw_the_hyperplane():
    X, _ = noisy(2 * ROWS, columns=6)
    X -= 1.0
    X /= np.geomspace(0.1, 10.0, 6)
    w = np.array([1.0, -2.0, 0.5, 0.0, 1.0, -1.0])
    y = X @ w > 0
    X[::20] += np.where(y[::20], -20.0, 20.0)[:, None] * w / np.sqrt(w @ w)
    assert MinimerrorClassifier().fit(X, y).n_training_errors_ <= 1.1 * len(y) / 20


@pytest.mark.parametrize("room", [0.001, 0.05])
def test_a_hyperplane_that_leaves_its_patterns_behind_looks_for_them_again(room, monkeypatch):
    X, y = noisy()
    folded, s, _ = condense_folded(X, y, np.ones(len(y)))
    far = train_many(Columns(folded, s))
    monkeypatch.setattr(many, "NUMBERS", replace(many.NUMBERS, room=room))
    unit = train_many(Columns(folded, s))
    np.testing.assert_allclose(unit.errors, s[unit.weights @ folded <= SLACK].sum(), rtol=1e-9)
    assert unit.errors <= 1.02 * far.errors


@pytest.mark.parametrize("theta", [2.0, np.inf])
def test_the_theta_that_is_wanted_is_used(theta):
    unit = MinimerrorClassifier(theta=theta).fit(*noisy())
    assert unit.theta_ == theta


def test_an_anneal_ends_where_it_is_too_far_from_its_start():
    X, s = np.array([[1.0, -1.0, 1.0], [1.0, 1.0, -0.5]]), np.ones(3)
    start, betas = np.array([1.0, 0.0]), np.full(50, 2.0)
    whole = anneal(X, s, start, 0.02 * np.eye(2), betas, 4.0, 0.0, SLACK, np.arange(51), np.inf)[4]
    moved = np.sqrt(((whole - start) ** 2).sum(axis=1))
    far = 0.5 * moved[-1]
    _, _, _, steps, path = anneal(X, s, start, 0.02 * np.eye(2), betas, 4.0, 0.0, SLACK, np.array([50]), far)
    assert steps == int((moved > far).argmax())
    np.testing.assert_array_equal(path[0], whole[steps])


def test_few_patterns_are_trained_as_before():
    assert not are_many(10_000, 31)
    assert are_many(10_001, 31)
    assert not are_many(20_000, 301)
