"""Geometry: the only access to patterns, and what hidden units make of them."""

import re
from pathlib import Path

import numpy as np
import pytest

import netlines
from netlines.training.geometry import unit_rows
from netlines.training.patterns import condense
from netlines.training.task import Task

ABOVE = ["growth", "outputs", "polish", "refine", "shared", "sure_step"]


def task_of(dtype=float, p=60, n=3):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((p, n)).astype(dtype)
    return Task.of(condense(X, rng.integers(0, 2, p), np.ones(p)), X)


def random_units(task, h=4):
    return unit_rows(np.random.default_rng(1).standard_normal((h, task.n_inputs)))


@pytest.mark.parametrize("name", [*(f"training/{name}.py" for name in ABOVE), "family/monoplane.py"])
def test_nothing_above_touches_the_patterns_of_a_task(name):
    source = (Path(netlines.__file__).parent / name).read_text(encoding="utf-8")
    assert not re.search(r"task\.(X|rows)\b", source)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_keep_their_precision_and_sums_are_double(dtype):
    task = task_of(dtype)
    assert task.rows.dtype == task.X.dtype == dtype
    weights = task.fold(random_units(task))
    fields = task.fields(weights)
    assert fields.dtype == np.float64
    np.testing.assert_array_equal(fields, weights[:, 0] + task.rows.astype(float) @ weights[:, 1:].T)
    _, projection, size = task.projections(random_units(task)[0, 1:])
    assert projection.dtype == size.dtype == np.float64
    assert (np.abs(projection) <= size).all()


def test_states_take_one_byte_and_sign_of_zero_is_plus():
    task = task_of()
    codes = task.codes(random_units(task))
    assert codes.dtype == np.int8
    np.testing.assert_array_equal(codes, np.sign(task.fields(task.fold(random_units(task)))))
    assert (task.states(np.zeros((1, 4))) == 1).all()


def test_the_patterns_of_a_unit_are_folded_with_the_states_that_are_wanted():
    task = task_of()
    gain = np.random.default_rng(2).integers(-2, 3, task.n_patterns).astype(float)
    X, s = task.folded(gain)
    use = gain != 0
    np.testing.assert_array_equal(X, task.X[:, use] * np.sign(gain[use]))
    np.testing.assert_array_equal(s, np.abs(gain[use]))
    assert X.flags.c_contiguous


def test_annealing_a_unit_on_its_patterns_separates_a_plane():
    task = task_of()
    plane = random_units(task, 1)
    patterns = task.folded(task.codes(plane)[:, 0].astype(float))
    u, steps = patterns.anneal(patterns.hebb(), np.geomspace(3.0, 1000.0, 300), 2.0)
    assert steps > 0
    np.testing.assert_array_equal(task.codes(u[None]), task.codes(plane))
