"""Folds of patterns: nothing is lost, heavy patterns are shared, and splits of rows are aggregated."""

import numpy as np
import pytest
from class_data import class_patterns_of, contradictory_classes, rays
from example_tables import contradictory, patterns_of, plane
from sklearn.model_selection import KFold, PredefinedSplit, RepeatedKFold, ShuffleSplit

from netlines.selection.folds import (
    Examples,
    folds_of_rows,
    make_folds,
)


def by_class(examples, n):
    """Return the weights of the patterns in the classes -1 and +1, shape (2, n)."""
    sides = [examples.targets < 0, examples.targets > 0]
    return np.array([np.bincount(examples.pattern[s], examples.weights[s], n) for s in sides])


def whole(patterns):
    return patterns.counts.T


def random_weights(n, seed=1):
    return np.random.default_rng(seed).uniform(0.1, 6.0, n)


TABLES = pytest.mark.parametrize(
    "patterns",
    [
        patterns_of(*plane()),
        patterns_of(*plane(), random_weights(120)),
        patterns_of(*contradictory()),
        patterns_of(*contradictory(), random_weights(60)),
    ],
    ids=["plain", "weighted", "repeated", "repeated and weighted"],
)


def test_examples_are_listed_by_pattern_and_class():
    examples = Examples.of(np.array([[0.0, 2.0], [3.0, 0.0], [4.0, 1.0]]))
    np.testing.assert_array_equal(examples.pattern, [0, 1, 2, 2])
    np.testing.assert_array_equal(examples.labels, [1, 0, 0, 1])
    np.testing.assert_array_equal(examples.targets, [1, -1, -1, 1])
    np.testing.assert_array_equal(examples.weights, [2, 3, 4, 1])
    np.testing.assert_allclose(examples.share, [0.2, 0.3, 0.4, 0.1])
    np.testing.assert_allclose(examples.priors(2), [0.7, 0.3])


def test_a_class_without_weight_is_missed():
    assert Examples.of(np.array([[0.0, 1.0], [1.0, 0.0]])).has_all(2)
    assert not Examples.of(np.array([[0.0, 1.0], [0.0, 1.0]])).has_all(2)
    assert not Examples.of(np.zeros((2, 2))).has_all(2)


@TABLES
@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
def test_each_fold_trains_on_what_it_does_not_test(patterns, n_folds):
    n = len(patterns.counts)
    for fold in make_folds(patterns, n_folds):
        np.testing.assert_allclose(by_class(fold.train, n) + by_class(fold.test, n), whole(patterns))


@TABLES
@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
def test_all_weight_is_tested_exactly_once(patterns, n_folds):
    n, folds = len(patterns.counts), make_folds(patterns, n_folds)
    assert len(folds) == n_folds
    np.testing.assert_allclose(sum(by_class(fold.test, n) for fold in folds), whole(patterns))


@TABLES
def test_each_fold_tests_both_classes(patterns):
    assert all(fold.test.has_all(2) and fold.train.has_all(2) for fold in make_folds(patterns, 5))


def test_folds_of_single_rows_are_equally_large():
    patterns = patterns_of(*plane())
    for fold in make_folds(patterns, 5):
        assert abs(fold.test.weights.sum() - 24) <= 1
        expected = patterns.counts[:, 1].sum() / 5
        assert abs(fold.test.weights[fold.test.targets > 0].sum() - expected) <= 1


def test_single_rows_are_in_one_fold():
    patterns = patterns_of(*plane())
    tested = [set(fold.test.pattern) for fold in make_folds(patterns, 5)]
    assert sum(map(len, tested)) == len(set.union(*tested)) == 120
    assert not any(set(fold.test.pattern) & set(fold.train.pattern) for fold in make_folds(patterns, 5))


@pytest.mark.parametrize(("times", "count"), [(1, 1), (2, 2), (3, 3), (5, 5), (50, 5)])
def test_a_heavy_pattern_is_shared_by_as_many_folds_as_it_stands_for_rows(times, count):
    X, y = plane()
    X, y = np.vstack([np.repeat(X[:1], times, axis=0), X[1:]]), np.r_[np.repeat(y[:1], times), y[1:]]
    patterns = patterns_of(X, y)
    heavy = patterns.group[0]
    parts = [fold.test.weights[fold.test.pattern == heavy].sum() for fold in make_folds(patterns, 5)]
    assert np.count_nonzero(parts) == count
    np.testing.assert_allclose([part for part in parts if part], times / count)


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_rows_that_all_occur_often_are_in_every_fold(weight):
    """Of 7, 13 and 20 equal rows none is alone, and their numbers are no multiples of each other."""
    X, y = np.repeat(np.arange(3.0), [7, 13, 20])[:, None], np.repeat([0, 1, 1], [7, 13, 20])
    for fold in make_folds(patterns_of(X, y, np.where(y == 1, weight, 1.0)), 5):
        assert len(fold.test.pattern) == len(fold.train.pattern) == 3


@pytest.mark.parametrize("least", [1, 2, 7])
def test_a_repeated_row_is_a_row_of_weight_two(least):
    X, y = plane()
    times = np.random.default_rng(0).integers(least, least + 3, len(y))
    weighted = make_folds(patterns_of(X, y, times.astype(float)), 5)
    repeated = make_folds(patterns_of(np.repeat(X, times, axis=0), np.repeat(y, times)), 5)
    for a, b in zip(weighted, repeated, strict=True):
        np.testing.assert_array_equal(a.test.pattern, b.test.pattern)
        np.testing.assert_array_equal(a.test.weights, b.test.weights)
        np.testing.assert_array_equal(a.train.weights, b.train.weights)


def test_the_order_of_the_rows_does_not_matter():
    X, y = plane()
    order = np.random.default_rng(1).permutation(len(y))
    for a, b in zip(
        make_folds(patterns_of(X, y), 4), make_folds(patterns_of(X[order], y[order]), 4), strict=True
    ):
        np.testing.assert_array_equal(a.test.pattern, b.test.pattern)


def test_the_scale_of_the_weights_does_not_matter():
    X, y = plane()
    for a, b in zip(
        make_folds(patterns_of(X, y), 4), make_folds(patterns_of(X, y, np.full(120, 7.0)), 4), strict=True
    ):
        np.testing.assert_array_equal(a.test.pattern, b.test.pattern)


@pytest.mark.parametrize("unit", [0.1, 37.0])
def test_weights_that_are_no_repetitions_leave_rows_in_one_fold(unit):
    """Weights of one decimal have a common divisor, too; rows that were shared would be learnt by heart."""
    X, y = plane()
    weights = unit * np.random.default_rng(0).integers(5, 31, 120)
    for fold in make_folds(patterns_of(X, y, weights), 5):
        assert not set(fold.test.pattern) & set(fold.train.pattern)


@pytest.mark.filterwarnings("error")
def test_a_row_may_weigh_more_than_any_number_of_rows():
    patterns = patterns_of(np.arange(4.0)[:, None], [0, 1, 0, 1], np.array([1.0, 1.0, 2.0**-996, 2.0**-996]))
    heavy = patterns.counts.sum(axis=1) == 1
    for fold in make_folds(patterns, 3):
        assert set(np.flatnonzero(heavy)) <= set(fold.test.pattern.tolist())


def test_the_seed_decides_the_folds():
    patterns = patterns_of(*plane())
    first, again, other = (make_folds(patterns, 5, seed)[0].test.pattern for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_folds_without_anything_to_test_are_left_out():
    patterns = patterns_of([[0.0], [1.0], [2.0]], [0, 1, 0])
    folds = make_folds(patterns, 5)
    assert len(folds) == 3
    assert all(len(fold.test.pattern) == 1 for fold in folds)


def test_rows_of_a_heavy_class_are_held_out_too():
    X, y = plane()
    y = (np.arange(120) % 10 == 0).astype(int)
    patterns = patterns_of(X, y, np.where(y == 1, 5.0, 5 / 9))  # what class_weight="balanced" makes
    for fold in make_folds(patterns, 5):
        assert not set(fold.test.pattern) & set(fold.train.pattern)


SPLITTERS = [
    KFold(4),
    KFold(3, shuffle=True, random_state=0),
    ShuffleSplit(3, test_size=0.3, random_state=0),
    PredefinedSplit(np.arange(60) % 3 - 1),
    RepeatedKFold(n_splits=2, n_repeats=2, random_state=0),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("weights", [np.ones(60), random_weights(60)], ids=["plain", "weighted"])
def test_splits_of_rows_are_aggregated_by_pattern(splitter, weights):
    X, y = contradictory()
    patterns = patterns_of(X, y, weights)
    n, splits = len(patterns.counts), list(splitter.split(X, y))
    folds = folds_of_rows(patterns, splits, y, weights)
    assert len(folds) == len(splits)
    for fold, split in zip(folds, splits, strict=True):
        for examples, rows in zip((fold.train, fold.test), split, strict=True):
            expected = np.zeros((2, n))
            for row in rows:
                expected[y[row], patterns.group[row]] += weights[row]
            np.testing.assert_allclose(by_class(examples, n), expected)


def test_rows_of_weight_zero_are_in_no_fold():
    X, y = plane(p=20)
    weights = (np.arange(20) > 4).astype(float)
    patterns = patterns_of(X, y, weights)
    folds = folds_of_rows(patterns, KFold(4).split(X), y, weights)
    assert len(folds) == 3  # the rows of the first weigh nothing
    assert sum(fold.test.weights.sum() for fold in folds) == 15


# Many classes


def counts_of(examples, shape):
    """Return the weights (P, C) of the classes on the patterns."""
    counts = np.zeros(shape)
    np.add.at(counts, (examples.pattern, examples.labels), examples.weights)
    return counts


CLASS_TABLES = pytest.mark.parametrize(
    "patterns",
    [
        class_patterns_of(*rays(p=60, n_classes=4)),
        class_patterns_of(*rays(p=60), random_weights(60)),
        class_patterns_of(*contradictory_classes()),
        class_patterns_of(*contradictory_classes(), random_weights(60)),
    ],
    ids=["plain", "weighted", "repeated", "repeated and weighted"],
)


def test_examples_of_classes_are_listed_by_pattern_and_class():
    examples = Examples.of(np.array([[2.0, 0.0, 0.0], [0.0, 3.0, 1.0], [0.0, 0.0, 4.0]]))
    np.testing.assert_array_equal(examples.pattern, [0, 1, 1, 2])
    np.testing.assert_array_equal(examples.labels, [0, 1, 2, 2])
    np.testing.assert_array_equal(examples.weights, [2, 3, 1, 4])
    np.testing.assert_allclose(examples.share, [0.2, 0.3, 0.1, 0.4])


@CLASS_TABLES
@pytest.mark.parametrize("n_folds", [2, 5])
def test_each_fold_of_classes_trains_on_what_it_does_not_test(patterns, n_folds):
    folds, tested = make_folds(patterns, n_folds), np.zeros(patterns.counts.shape)
    assert len(folds) == n_folds
    for fold in folds:
        train, test = (counts_of(part, patterns.counts.shape) for part in (fold.train, fold.test))
        np.testing.assert_allclose(train + test, patterns.counts)
        tested += test
    np.testing.assert_allclose(tested, patterns.counts)


def test_folds_have_each_class_about_equally_often():
    X, y = rays(p=90, n_classes=4)
    for fold in make_folds(class_patterns_of(X, y), 5):
        tested = np.bincount(fold.test.labels, minlength=4)
        assert (np.abs(tested - np.bincount(y) / 5) <= 1).all()
        assert not set(fold.test.pattern) & set(fold.train.pattern)


def test_folds_of_classes_depend_neither_on_the_order_of_the_rows_nor_on_repetition():
    X, y = rays(p=60)
    order, times = np.random.default_rng(1).permutation(60), np.random.default_rng(0).integers(1, 4, 60)
    plain = class_patterns_of(X, y, times.astype(float))
    for other in (
        class_patterns_of(X[order], y[order], times[order].astype(float)),
        class_patterns_of(np.repeat(X, times, axis=0), np.repeat(y, times)),
    ):
        for a, b in zip(make_folds(plain, 4), make_folds(other, 4), strict=True):
            np.testing.assert_array_equal(a.test.pattern, b.test.pattern)
            np.testing.assert_array_equal(a.test.weights, b.test.weights)


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("weights", [np.ones(60), random_weights(60)], ids=["plain", "weighted"])
def test_splits_of_rows_of_classes_are_aggregated_by_pattern(splitter, weights):
    X, y = contradictory_classes()
    patterns, splits = class_patterns_of(X, y, weights), list(splitter.split(X, y))
    folds = folds_of_rows(patterns, splits, y, weights)
    for fold, split in zip(folds, splits, strict=True):
        for examples, rows in zip((fold.train, fold.test), split, strict=True):
            expected = np.zeros(patterns.counts.shape)
            for row in rows:
                expected[patterns.group[row], y[row]] += weights[row]
            np.testing.assert_allclose(counts_of(examples, expected.shape), expected)


def test_more_folds_than_rows_are_as_many_as_rows():
    X, y = rays(p=12)
    few, many = (make_folds(class_patterns_of(X, y), n) for n in (12, 10**18))
    assert len(few) == len(many) == 12
    assert all((a.test.pattern == b.test.pattern).all() for a, b in zip(few, many, strict=True))
