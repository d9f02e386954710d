"""Missing values of training rows: which tell the class, and what is expected of the others."""

import doctest

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from netlines.network.layout import Column, Layout
from netlines.tables import gaps
from netlines.tables.gaps import expected, settled, telling

NAN = np.nan


def tells(*by_class, inputs=None):
    """Whether gaps tell the class, given (missing, all) of its rows and what is known of them."""
    missing = np.concatenate([np.arange(n) < gone for gone, n in by_class])
    labels = np.repeat(np.arange(len(by_class)), [n for _, n in by_class])
    inputs = np.zeros((len(labels), 0)) if inputs is None else inputs
    (told,) = telling(missing[:, None], inputs, labels)
    return bool(told)


@pytest.mark.parametrize("sizes", [(60, 60), (30, 90), (40, 40, 40)], ids=str)
def test_gaps_tell_the_class_where_chance_would_not_spread_them_so(sizes):
    """If nothing else is known of the rows this is Pearson's test of independence."""
    said = set()
    for first in range(5, 25):
        counts = [first, *([6] * (len(sizes) - 1))]
        p = chi2_contingency([counts, np.subtract(sizes, counts)], correction=False).pvalue
        assert tells(*zip(counts, sizes, strict=True)) == (p < gaps.RULES.chance)
        said.add(p < gaps.RULES.chance)
    assert said == {False, True}


def test_few_gaps_tell_nothing():
    assert tells((5, 10), (0, 90))
    assert not tells((4, 10), (0, 90))


def test_a_value_that_is_the_exception_tells_something():
    assert not tells((25, 50), (25, 50))
    assert tells((26, 50), (25, 50))
    assert not tells((50, 50), (50, 50))  # nothing is there to tell


def test_gaps_that_known_values_foretell_tell_nothing_more():
    random = np.random.default_rng(0)
    x = random.normal(size=(400, 2))
    labels = (x[:, 0] + random.normal(size=400) > 0).astype(int)
    by_value, by_class = random.random(400) < 0.3 + 0.2 * x[:, 0], random.random(400) < 0.2 + 0.2 * labels
    both = np.column_stack([by_value, by_class])
    assert telling(both, x[:, 1:], labels).tolist() == [True, True]
    assert telling(both, x, labels).tolist() == [False, True]
    x[::7, 0] = NAN  # what is not known is expected
    assert telling(both, x, labels).tolist() == [False, True]


def naive(rows, weights, passes=5, most=0.1):
    """What the module's docstring says, row by row: regressions of what is missing on the rest of the row."""
    n, size = rows.shape
    missing, share = np.isnan(rows), weights / weights.sum()
    columns = [(~gone, values[~gone]) for gone, values in zip(missing.T, rows.T, strict=True)]
    mean = np.array([np.average(values, weights=weights[known]) for known, values in columns])
    scale = [np.cov(values, aweights=weights[known], bias=True) ** 0.5 for known, values in columns]
    z = (rows - mean) / scale
    filled = np.where(missing, 0.0, z)
    left = [np.diag(gone).astype(float) for gone in missing]
    shrinkage = min(most, size / (size + n))
    for _ in range(passes):
        centre = share @ filled
        covariance = sum(
            s * (np.outer(row - centre, row - centre) + more)
            for s, row, more in zip(share, filled, left, strict=True)
        )
        covariance = (1 - shrinkage) * covariance + shrinkage * np.diag(np.diag(covariance))
        for i, gone in enumerate(missing):
            a, b = np.ix_(gone, ~gone), np.ix_(~gone, ~gone)
            slopes = covariance[a] @ np.linalg.inv(covariance[b])
            filled[i, gone] = centre[gone] + slopes @ (z[i] - centre)[~gone]
            left[i] = np.zeros((size, size))
            left[i][np.ix_(gone, gone)] = covariance[np.ix_(gone, gone)] - slopes @ covariance[a].T
    found = filled * scale + mean
    return np.where(missing, np.clip(found, np.nanmin(rows, axis=0), np.nanmax(rows, axis=0)), rows)


@pytest.mark.parametrize("weighted", [False, True])
def test_expected_values_are_those_of_the_naive_algorithm(weighted):
    random = np.random.default_rng(0)
    rows = random.normal(size=(40, 4)) @ random.normal(size=(4, 4)) * [1, 10, 1e6, 1e-3] + [0, 5, -1e6, 1]
    rows[random.random(rows.shape) < 0.2] = NAN
    rows[3] = NAN
    weights = random.uniform(0.5, 4.0, 40) if weighted else None
    reference = naive(rows, np.ones(40) if weights is None else weights)
    found = expected(rows, weights)
    np.testing.assert_allclose(found, reference, rtol=1e-6)
    assert np.array_equal(found[~np.isnan(rows)], rows[~np.isnan(rows)])


def test_of_one_column_that_has_gaps_the_regression_on_the_other_is_expected():
    """Where gaps are in one column only, a regression over the complete rows is the likeliest."""
    random = np.random.default_rng(1)
    x = random.normal(size=1500)
    rows = np.column_stack([x, 3 - 2 * x + 0.5 * random.normal(size=1500)])
    gone = (x > 0) & (random.random(1500) < 0.4)  # more often at some values than at others
    line = np.polyfit(x[~gone], rows[~gone, 1], 1)
    rows[gone, 1] = NAN
    np.testing.assert_allclose(expected(rows)[gone, 1], np.polyval(line, x[gone]), atol=0.05)


def test_expected_values_stay_within_those_of_the_column():
    x = np.linspace(0.0, 1.0, 50)
    rows = np.column_stack([x, 2 * x])
    rows[-10:, 1] = NAN
    assert expected(rows)[:, 1].max() == np.nanmax(rows[:, 1])


def test_complete_rows_are_returned_as_they_are():
    rows = np.ones((3, 2))
    assert expected(rows) is rows


def test_a_column_of_one_value_and_very_many_columns_are_filled():
    rows = np.array([[1.0, 7.0], [2.0, NAN], [NAN, 7.0]])
    np.testing.assert_allclose(expected(rows), [[1, 7], [2, 7], [1.5, 7]])
    wide = np.tile([[0.0], [1.0], [3.0], [NAN]], gaps.MOST_INPUTS + 1)
    wide[0, 1:] = NAN
    np.testing.assert_allclose(expected(wide, np.array([1.0, 1, 2, 1]))[3, :2], [7 / 4, 7 / 3])


def test_settled_values_are_some_that_the_column_has():
    columns = (
        Column("count", "number"),
        Column("size", "number"),
        Column("colour", "category", categories=("blue", "green", "red")),
        Column("sex", "category", categories=("male",), base="female"),
    )
    inputs = np.array([[1, 0.5, 0, 1, 0, 1], [4, 1.5, 1, 0, 0, 0], [NAN] * 6])
    filled = np.where(np.isnan(inputs), [2.6, 1.1, 0.3, 0.4, 0.3, 0.4], inputs)
    names = ("count", "size", "colour", "sex")
    rows = settled(filled, inputs, Layout(names, columns))
    assert rows[2].tolist() == [3, 1.1, 0, 1, 0, 0]
    assert np.array_equal(rows[:2], filled[:2])
    assert filled[2, 0] == 2.6


def test_the_examples_run():
    assert doctest.testmod(gaps).failed == 0
