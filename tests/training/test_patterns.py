"""From rows to distinct patterns: grouping, weights, contradictions, standardisation, folding."""

import numpy as np
import pytest
import reference

from netlines.network.weights import fold
from netlines.training.patterns import condense, condense_folded


def rows_and_targets(n=60, values=3, columns=3, seed=0, dtype=np.float64):
    """Return integer rows with many repetitions, random targets and random weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, columns)).astype(dtype)
    return X, np.where(rng.random(n) < 0.5, -1.0, 1.0), rng.uniform(0.5, 2.0, n)


def by_inputs(X, patterns):
    """Return {inputs: (positive weight, negative weight)} of condensed patterns."""
    inputs = map(tuple, X[patterns.first].tolist())
    return dict(zip(inputs, map(tuple, patterns.counts[:, ::-1]), strict=True))


def same(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in ("X", "counts", "mean", "scale")
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_grouping_equals_that_of_numpy_unique(columns, dtype):
    X, targets, weights = rows_and_targets(columns=columns, dtype=dtype)
    patterns = condense(X, targets > 0, weights)
    distinct, group = np.unique(X, axis=0, return_inverse=True)
    positive = np.bincount(group, np.where(targets > 0, weights, 0.0))
    negative = np.bincount(group, np.where(targets > 0, 0.0, weights))
    found = by_inputs(X, patterns)
    assert len(found) == len(distinct)
    for k, inputs in enumerate(map(tuple, distinct.tolist())):
        np.testing.assert_allclose(found[inputs], (positive[k], negative[k]), rtol=1e-12)


def test_distinct_real_rows_stay_apart():
    X = np.random.default_rng(1).standard_normal((5000, 2))
    assert len(condense(X, np.ones(5000), np.ones(5000)).first) == 5000


def test_rows_that_differ_in_the_last_bit_stay_apart():
    X = np.array([[1.0, 2.0], [1.0, np.nextafter(2.0, 3.0)], [np.nextafter(1.0, 2.0), 2.0]])
    assert len(condense(X, np.array([1, 0, 1]), np.ones(3)).first) == 3


def test_minus_zero_is_zero():
    X = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, -0.0], [2.0, 0.0]])
    patterns = condense(X, np.array([1, 0, 1, 1]), np.ones(4))
    assert sorted(by_inputs(X, patterns).values()) == [(1.0, 1.0), (2.0, 0.0)]
    assert patterns.unavoidable == 1


def test_contradictory_rows_are_known_beforehand():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]])
    targets = np.array([1.0, 1.0, -1.0, -1.0, 1.0, -1.0])
    patterns = condense(X, targets > 0, np.ones(6))
    assert patterns.unavoidable == 2
    assert patterns.total == 6
    order = np.argsort(X[patterns.first, 0])
    np.testing.assert_array_equal(patterns.surplus[order], [1, 0, 1])
    np.testing.assert_array_equal(patterns.targets[order], [1, 1, -1])


def test_a_repeated_row_is_a_row_of_weight_two():
    X, targets, _ = rows_and_targets()
    twice = np.arange(60) % 3 == 0
    repeated = condense(
        np.vstack([X, X[twice]]), np.append(targets, targets[twice]) > 0, np.ones(60 + twice.sum())
    )
    weighted = condense(X, targets > 0, np.where(twice, 2.0, 1.0))
    assert same(repeated, weighted)


def test_rows_of_weight_zero_are_left_out():
    X, targets, weights = rows_and_targets()
    X[7] = 99.0
    weights[7] = 0.0
    others = np.arange(60) != 7
    assert same(condense(X, targets > 0, weights), condense(X[others], targets[others] > 0, weights[others]))


def test_a_constant_column_times_a_power_of_two_leaves_the_order():
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1] = 1.7e18
    patterns = [
        condense(X * [1.0, factor, 1.0], np.zeros(40, dtype=int), np.ones(40)) for factor in (1.0, 2.0**21)
    ]
    assert np.array_equal(patterns[0].first, patterns[1].first)


@pytest.mark.parametrize("uneven", [False, True])
def test_the_order_of_the_rows_does_not_matter(uneven):
    X, targets, weights = rows_and_targets()
    if not uneven:
        weights = np.ones(60)
    shuffled = np.random.default_rng(2).permutation(60)
    assert same(
        condense(X, targets > 0, weights), condense(X[shuffled], targets[shuffled] > 0, weights[shuffled])
    )


def test_columns_are_standardised_as_the_paper_does():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 4)) * [1.0, 1e-6, 1e6, 3.0] + [0.0, 1.0, -1e7, 5.0]
    patterns = condense(X, np.ones(50), np.ones(50))
    Z, mean, delta = reference.standardise(X)
    frame = patterns.frame
    np.testing.assert_allclose(frame.origin + frame.unit * patterns.mean, mean, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(frame.unit * patterns.scale, delta, rtol=1e-12)
    np.testing.assert_allclose(patterns.X[1:].T, Z[patterns.first], rtol=0, atol=1e-8)
    np.testing.assert_array_equal(patterns.X[0], 1.0)


def test_repeated_rows_count_in_the_standardisation_as_often_as_they_occur():
    X, targets, _ = rows_and_targets()
    patterns = condense(X, targets > 0, np.ones(60))
    _, mean, delta = reference.standardise(X)
    np.testing.assert_allclose(patterns.frame.unit * patterns.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(patterns.frame.unit * patterns.scale, delta, rtol=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.1, -1e8, 1e-300, 1e100])
def test_a_constant_column_becomes_zeros_and_no_weight_on_it_survives(value):
    X = np.column_stack([np.full(10, value), np.arange(10.0)])
    patterns = condense(X, np.ones(10), np.ones(10))
    np.testing.assert_array_equal(patterns.X[1], 0.0)
    weights = fold(np.array([[0.5, 3.0, 1.0]]), patterns.mean, patterns.scale)
    assert weights[0, 1] == 0
    np.testing.assert_allclose(weights @ np.append(1.0, X[0]), weights[0, 0])


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e100])
def test_extreme_scales_neither_overflow_nor_vanish(scale):
    patterns = condense(scale * np.array([[-1.0], [0.5], [1.0]]), np.ones(3), np.ones(3))
    np.testing.assert_allclose(np.sort(patterns.X[1]), np.array([-7.0, 2.0, 5.0]) / np.sqrt(26.0), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_that_outweigh_all_others_leave_the_patterns_finite(dtype):
    X = np.array([[-0.4, 1.0], [-0.4, 1.0], [0.4, 3.0]], dtype=dtype)
    patterns = condense(X, np.array([1, 0, 1]), np.array([1e300, 1e300, 1.0]))
    assert np.isfinite(np.square(patterns.X)).all()


def test_float32_rows_stay_float32():
    X, targets, weights = rows_and_targets(dtype=np.float32)
    patterns = condense(X, targets > 0, weights)
    assert patterns.X.dtype == np.float32
    assert patterns.mean.dtype == patterns.scale.dtype == np.float64


def test_patterns_are_feature_major_and_contiguous():
    X, targets, weights = rows_and_targets()
    patterns = condense(X, targets > 0, weights)
    assert patterns.X.shape == (4, len(patterns.first))
    assert patterns.X.flags.c_contiguous
    assert condense_folded(X, targets > 0, weights)[0].flags.c_contiguous


def test_folding_gives_each_class_of_a_pattern_its_copy():
    weights = np.array([2.0, 3.0, 4.0, 1.0])
    X, s, patterns = condense_folded(np.array([[-1.0], [0.0], [1.0], [1.0]]), np.array([1, 0, 0, 1]), weights)
    values = X[1] * patterns.scale[0] + X[0] * patterns.mean[0]  # times the targets
    copies = sorted(zip(X[0], values.round(12) + 0.0, s, strict=True))
    assert copies == [(-1.0, -1.0, 4.0), (-1.0, 0.0, 3.0), (1.0, -1.0, 2.0), (1.0, 1.0, 1.0)]


def test_folded_weights_add_up_to_those_of_the_rows():
    X, targets, weights = rows_and_targets()
    patterns = condense(X, targets > 0, weights)
    np.testing.assert_allclose(condense_folded(X, targets > 0, weights)[1].sum(), weights.sum())
    np.testing.assert_allclose(patterns.total, weights.sum())


def test_the_unavoidable_errors_are_those_of_the_best_lookup_table():
    X, targets, weights = rows_and_targets(values=2)
    patterns = condense(X, targets > 0, weights)
    wrong = 0.0
    for inputs in np.unique(X, axis=0):
        here = (inputs == X).all(axis=1)
        wrong += min(weights[here & (targets > 0)].sum(), weights[here & (targets < 0)].sum())
    np.testing.assert_allclose(patterns.unavoidable, wrong)


def test_each_row_knows_its_pattern():
    X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [5.0, 6.0]])
    patterns = condense(X, np.array([1, 0, 0, 1]), np.array([1.0, 1.0, 2.0, 0.0]))
    assert patterns.group[3] == -1
    assert patterns.group[0] == patterns.group[2] != patterns.group[1]
    assert (X[patterns.first[patterns.group[:3]]] == X[:3]).all()


def many_classes(n=80, n_classes=4, seed=0, dtype=np.float64):
    X, _, weights = rows_and_targets(n, seed=seed, dtype=dtype)
    return X, np.random.default_rng([seed, 1]).integers(0, n_classes, n), weights


def test_of_two_equal_classes_the_second_is_the_target_and_of_more_the_first():
    X = np.zeros((2, 1))
    assert condense(X, np.array([0, 1]), np.ones(2)).targets == [1.0]
    assert condense(X, np.array([0, 1]), np.ones(2), 3).labels == [0]


def test_the_weights_of_each_class_on_each_pattern_are_added_up():
    X, labels, weights = many_classes()
    patterns = condense(X, labels, weights, 5)
    assert patterns.counts.shape == (len(patterns.first), 5)
    for inputs, counts in zip(X[patterns.first], patterns.counts, strict=True):
        here = (inputs == X).all(axis=1)
        expected = np.bincount(labels[here], weights[here], minlength=5)
        np.testing.assert_allclose(counts, expected, rtol=1e-12)
    np.testing.assert_allclose(patterns.total, weights.sum())


@pytest.mark.parametrize("uneven", [False, True])
def test_the_order_of_the_rows_of_many_classes_does_not_matter(uneven):
    X, labels, weights = many_classes()
    weights = weights if uneven else np.ones(80)
    shuffled = np.random.default_rng(2).permutation(80)
    one = condense(X, labels, weights, 4)
    assert same(one, condense(X[shuffled], labels[shuffled], weights[shuffled], 4))


def test_repeated_rows_of_many_classes_are_rows_of_weight_two_and_weight_zero_is_none():
    X, labels, _ = many_classes()
    twice, never = np.arange(80) % 3 == 0, np.arange(80) % 5 == 1
    weights = np.where(never, 0.0, np.where(twice, 2.0, 1.0))
    rows = np.repeat(np.arange(80), weights.astype(int))
    repeated = condense(X[rows], labels[rows], np.ones(len(rows)), 4)
    assert same(repeated, condense(X, labels, weights, 4))
    assert (condense(X, labels, weights, 4).group[never] == -1).all()


def test_contradictions_of_many_classes_are_known_beforehand():
    X = np.array([[0.0]] * 6 + [[1.0]] * 3)
    patterns = condense(X, np.array([2, 2, 2, 1, 1, 0, 1, 0, 2]), np.ones(9), 3)
    order = X[patterns.first, 0].argsort()
    np.testing.assert_array_equal(patterns.counts[order], [[1, 2, 3], [1, 1, 1]])
    np.testing.assert_array_equal(patterns.labels[order], [2, 0])
    np.testing.assert_array_equal(patterns.surplus[order], [1, 0])
    assert patterns.unavoidable == 5
    assert patterns.total == 9
