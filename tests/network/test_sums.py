"""Weighted sums whose signs do not depend on the order of adding."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from any_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from netlines.network.network import Network
from netlines.network.sums import accurate_sums, compared_sums, weighted_sums


def exact(x, w):
    """Return the weighted sum as a fraction: the naive version."""
    return Fraction(w[0]) + sum(Fraction(a) * Fraction(b) for a, b in zip(x, w[1:], strict=True))


@examples(200)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.sampled_from([0, 3, 12]))
def test_signs_are_those_of_the_exact_sums(seed, n, decades):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, n)) * 10.0 ** rng.uniform(-decades, decades, n)
    w = rng.standard_normal((2, n + 1))
    for k in range(2):  # a hyperplane through some of the rows, but for rounding
        w[k, 0] = -(X[k] @ w[k, 1:])
    sums = weighted_sums(X, w)
    for row, own in zip(X, sums, strict=True):
        for unit, value in zip(w, own, strict=True):
            assert (value >= 0) == (exact(row, unit) >= 0)


def test_accurate_sums_have_twice_the_digits():
    X, w = np.array([[1e16, 1.0, -1e16]]), np.array([[0.25, 1.0, 1.0, 1.0]])
    assert accurate_sums(X, w).tolist() == [1.25]


@pytest.mark.parametrize("offset", [0.0, 1e9, 1e15])
def test_a_row_has_the_same_answer_alone_among_others_and_in_any_layout(offset):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = offset + rng.integers(0, 8, (60, 6)) * 0.125
        w = rng.standard_normal((3, 7))
        w[:, 0] = -(w[:, 1:] @ X[:3].T).diagonal()  # through rows of the table
        network = Network(w, rng.standard_normal((4, 4)).round(1), [0, 1, 2, 3])
        together = network.answers(X)
        strided = np.repeat(X, 2, axis=0)[::2]
        for other in (np.asfortranarray(X), strided, X[::-1][::-1]):
            np.testing.assert_array_equal(network.answers(other), together)
        np.testing.assert_array_equal([network.answers(row[None])[0] for row in X], together)


def test_outputs_that_tie_but_for_rounding_are_settled_in_one_way():
    codes = np.array(np.meshgrid(*[[-1.0, 1.0]] * 5)).reshape(5, -1).T
    outputs = np.random.default_rng(0).choice([-0.3, -0.1, 0.1, 0.2, 0.3], (4, 6))
    together = compared_sums(codes, outputs).argmax(axis=1)
    alone = [compared_sums(code[None], outputs).argmax() for code in codes]
    np.testing.assert_array_equal(alone, together)


def test_one_wide_column_costs_no_memory():
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((20_000, 10)), rng.standard_normal((8, 11))
    X[0, 0], w[:, 1] = 1e30, 1e-15
    tracemalloc.start()
    sums = weighted_sums(X, w)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # all at once it was 100 and more
    assert (sums[:9] >= 0).tolist() == [[exact(x, v) >= 0 for v in w] for x in X[:9]]
