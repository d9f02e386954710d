"""The sure step: on any data, from any network, one or two units that lower the errors."""

from itertools import product

import numpy as np
import pytest

from netlines.training.geometry import unit_rows
from netlines.training.growth import Plan, first_layer
from netlines.training.patterns import condense
from netlines.training.sure_step import sure_step
from netlines.training.task import Layer, Task


def task_of(X, targets, weights=None):
    X = np.asarray(X, dtype=float)
    weights = np.ones(len(X)) if weights is None else weights
    return Task.of(condense(X, np.asarray(targets) > 0, weights), X)


def labels(p, seed):
    return np.where(np.random.default_rng([seed, p]).random(p) < 0.5, -1.0, 1.0)


def parity(n):
    X = np.array(list(product([-1.0, 1.0], repeat=n)))
    return task_of(X, X.prod(axis=1))


def collinear(seed):
    x = np.random.default_rng(seed).standard_normal(60)
    return np.column_stack([x, 2 * x, np.full(60, 3.0), 1 - x])


def duplicated(seed):
    X = np.random.default_rng(seed).integers(0, 4, (100, 3)).astype(float)
    return task_of(X, labels(100, seed))


TASKS = {
    "random in 5 dimensions": lambda seed: task_of(
        np.random.default_rng(seed).standard_normal((80, 5)), labels(80, seed)
    ),
    "one dimension": lambda seed: task_of(np.arange(40.0)[:, None], labels(40, seed)),
    "grid": lambda seed: task_of(list(product(range(6), repeat=2)), labels(36, seed)),
    "cube": lambda seed: task_of(list(product([0, 1], repeat=6)), labels(64, seed)),
    "parity": lambda seed: parity(3 + seed),
    "duplicates and contradictions": duplicated,
    "collinear and constant columns": lambda seed: task_of(collinear(seed), labels(60, seed)),
    "columns of all sizes": lambda seed: task_of(
        np.random.default_rng(seed).standard_normal((60, 3)) * [1e-8, 1.0, 1e8], labels(60, seed)
    ),
    "uneven weights": lambda seed: task_of(
        np.random.default_rng(seed).standard_normal((60, 2)),
        labels(60, seed),
        np.random.default_rng(seed).uniform(0.5, 5.0, 60),
    ),
}


def constant_layer(task):
    """Return the network that answers +1 everywhere."""
    hidden, output = np.eye(len(task.X))[:1], np.array([0.0, 1.0])
    codes = task.codes(hidden)
    return Layer(
        hidden, output, codes, float(task.weights[task.answers.wrong(codes, output)].sum()), "constant"
    )


def random_layer(task, h, seed):
    rng = np.random.default_rng(seed)
    hidden, output = unit_rows(rng.standard_normal((h, len(task.X)))), rng.standard_normal(h + 1)
    codes = task.codes(hidden)
    return Layer(
        hidden, output, codes, float(task.weights[task.answers.wrong(codes, output)].sum()), "random"
    )


def step(task, layer, seed=0, **options):
    return sure_step(task, layer, np.random.default_rng(seed), **options)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TASKS)
def test_a_step_from_any_network_lowers_the_errors_by_a_pattern(name, seed):
    task = TASKS[name](seed)
    for layer in (constant_layer(task), random_layer(task, 3, seed)):
        better = step(task, layer)
        assert len(better.hidden) - len(layer.hidden) in (1, 2)
        assert better.errors <= layer.errors - task.weights.min() * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TASKS)
def test_a_step_keeps_the_units_and_counts_the_errors_it_leaves(name, seed):
    task = TASKS[name](seed)
    layer = random_layer(task, 2, seed)
    better = step(task, layer)
    np.testing.assert_array_equal(better.hidden[:2], layer.hidden)
    np.testing.assert_array_equal(better.codes, task.codes(better.hidden))
    assert better.errors == task.weights[task.answers.wrong(better.codes, better.output)].sum()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TASKS)
def test_steps_alone_reach_zero_errors_within_the_bound(name, seed):
    task = TASKS[name](seed)
    layer = first_layer(task, Plan())
    most = 1 + 2 * layer.errors / task.weights.min()
    while layer.errors > 0:
        layer = step(task, layer, seed)
        assert layer is not None
    assert len(layer.hidden) <= most + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_only_the_answers_inside_the_new_half_line_or_slab_change(seed):
    task = TASKS["random in 5 dimensions"](seed)
    layer = random_layer(task, 3, seed)
    better = step(task, layer)
    inside = (better.codes[:, 3:] > 0).all(axis=1)
    before = task.answers.wrong(layer.codes, layer.output)
    after = task.answers.wrong(better.codes, better.output)
    np.testing.assert_array_equal(before[~inside], after[~inside])
    answers = np.where(after, -task.answers.targets, task.answers.targets)[inside]
    assert abs(answers.sum()) == inside.sum()


@pytest.mark.parametrize(("wrong", "units"), [(range(6, 9), 1), (range(3), 1), (range(3, 6), 2)])
def test_a_half_line_takes_one_unit_and_an_interval_two(wrong, units):
    task = task_of(np.arange(9.0)[:, None], [-1 if k in wrong else 1 for k in range(9)])
    better = step(task, constant_layer(task))
    assert better.errors == 0
    assert len(better.hidden) == 1 + units


def test_without_room_for_two_units_only_a_half_line_is_taken():
    task = task_of(np.arange(9.0)[:, None], [1, 1, 1, -1, -1, 1, 1, 1, -1])
    better = step(task, constant_layer(task), room=1)
    assert len(better.hidden) == 2
    assert better.errors == 2


def test_without_room_there_may_be_no_step():
    task = task_of(np.arange(5.0)[:, None], [1, 1, -1, 1, 1])
    assert step(task, constant_layer(task), room=1) is None
    assert step(task, constant_layer(task), room=2).errors == 0


def test_the_gain_a_unit_decides_between_a_half_line_and_an_interval():
    # From the right two units would put 4 patterns right, one unit alone 3.
    task = task_of(np.arange(12.0)[:, None], [-1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 1])
    better = step(task, constant_layer(task))
    assert len(better.hidden) == 2
    assert better.errors == 4


def test_heavy_patterns_go_first():
    weights = np.array([3.0, 3.0, 1.0, 3.0, 3.0, 3.0, 5.0, 3.0, 3.0])
    task = task_of(np.arange(9.0)[:, None], [1, 1, -1, 1, 1, 1, -1, 1, 1], weights)
    assert step(task, constant_layer(task)).errors == 1


EPS = np.finfo(float).eps
HARD = {
    "neighbouring numbers": [[1.0], [1 + EPS], [1 + 2 * EPS]],
    "neighbours beside others": [[-1.0, 5.0], [1.0, 0.0], [1 + EPS, 0.0], [1 + 2 * EPS, 0.0], [1 + EPS, 5.0]],
    "a huge value": [[1e30, 0.0], [1e30, 1.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [2.0, 1.0]],
    "denormal numbers": [[0.0, 1.0], [5e-324, 1.0], [1e-323, 1.0], [0.0, 2.0], [5e-324, 2.0]],
}


@pytest.mark.parametrize("name", HARD)
def test_whatever_double_precision_tells_apart_is_learnt_with_any_labels(name):
    rows = np.array(HARD[name])
    for bits in range(1, 2 ** len(rows) - 1):
        targets = np.where(bits >> np.arange(len(rows)) & 1, 1.0, -1.0)
        task = task_of(rows, targets)
        layer = constant_layer(task)
        while layer.errors:
            better = step(task, layer)
            assert better is not None
            assert better.errors < layer.errors
            layer = better
