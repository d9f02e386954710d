"""Wide networks: how many units are added at a time, and how they are taken back."""

import numpy as np
import pytest

from netlines.training.growth import WIDEST, Plan, grow
from netlines.training.patterns import condense
from netlines.training.strides import shortened, shrunk, stride, widened
from netlines.training.task import Layer, Task


def noisy_task(rows=250, columns=3, seed=0, order=None):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    y = (X @ rng.standard_normal(columns) > 0) ^ (rng.random(rows) < 0.3)
    order = slice(None) if order is None else order
    return Task.of(condense(X[order], y[order].astype(int), np.ones(rows)), X[order])


def sized(size, errors):
    return Layer(np.ones((size, 2)), np.ones(size + 1), np.ones((1, size), dtype=np.int8), errors, "given")


@pytest.mark.parametrize(("errors", "expected"), [(1, 1), (40, 2), (400, 6)])
def test_strides_are_half_of_what_is_missing_and_a_part_of_the_size(errors, expected):
    assert stride(sized(17, errors + 10), sized(18, errors)) == expected


@pytest.fixture(scope="module")
def grown():
    task = noisy_task()
    return task, grow(task, Plan())


def test_a_wide_network_learns_all_and_leaves_a_record_a_unit(grown):
    task, growth = grown
    assert len(growth.layer.hidden) > WIDEST
    assert (
        growth.layer.errors == task.answers.errors(task.codes(growth.layer.hidden), growth.layer.output) == 0
    )
    assert [record["n_hidden"] for record in growth.trace] == list(range(1, len(growth.layer.hidden) + 1))


def test_neither_the_order_of_the_rows_nor_threads_change_a_wide_network(grown):
    _, growth = grown
    task = noisy_task(order=np.random.default_rng(1).permutation(250))
    other = grow(task, Plan(n_threads=2))
    np.testing.assert_array_equal(other.layer.hidden, growth.layer.hidden)


def test_units_are_added_and_taken_back(grown):
    task, growth = grown
    layer = shortened(task, growth.layer, 8)
    assert len(layer.hidden) == 8
    wider = widened(task, layer, 14, seed=0, enough=0.0)
    assert len(wider.hidden) == 14
    assert wider.errors < layer.errors
    counted = []
    easy = shrunk(task, wider, 9, 0, wider.errors + 10, lambda one: counted.append(one) or one)
    assert 9 < len(easy.hidden) <= 14
    assert easy.errors <= wider.errors + 10
    assert counted
