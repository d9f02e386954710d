"""A whole network at a fixed size: its task, its output unit, joint annealing and retraining."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from netlines import Network
from netlines.network.network import sign
from netlines.network.weights import fold
from netlines.training.geometry import unit_rows
from netlines.training.minimerror import paper_unit
from netlines.training.patterns import condense
from netlines.training.refine import JOINT, joint, joint_from, joint_random, retrain
from netlines.training.task import Layer, Task


def task_of(X, targets, weights=None):
    X = np.asarray(X, dtype=float)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    return Task.of(condense(X, np.asarray(targets) > 0, weights), X)


def coded_task(codes, targets, weights=None):
    """Return a task with one pattern a given code, and the codes in the order of its patterns."""
    codes = np.asarray(codes, dtype=float)
    task = task_of(np.column_stack([codes, np.arange(len(codes))]), targets, weights)
    return task, task.rows[:, :-1]


def committee_task(k, p=300, n=5, seed=0):
    rng = np.random.default_rng([seed, k])
    X, W = rng.standard_normal((p, n)), rng.standard_normal((k, n))
    return task_of(X, np.where(np.sign(X @ W.T).sum(axis=1) > 0, 1.0, -1.0))


def random_task(p=80, n=3, seed=0):
    rng = np.random.default_rng(seed)
    return task_of(rng.standard_normal((p, n)), np.where(rng.random(p) < 0.5, -1.0, 1.0))


def random_layer(task, h, seed=0):
    """Return random hidden units with the output unit fitted to their codes."""
    hidden = unit_rows(np.random.default_rng(seed).standard_normal((h, len(task.X))))
    codes = task.codes(hidden)
    output, errors, _ = task.answers.fit(codes)
    return Layer(hidden, output, codes, errors, "random")


def assert_consistent(task, layer):
    """Check that a layer's codes and errors are those of its weights."""
    np.testing.assert_array_equal(layer.codes, task.codes(layer.hidden))
    assert layer.errors == task.weights[task.answers.wrong(layer.codes, layer.output)].sum()


CUBE = np.array(list(product([-1.0, 1.0], repeat=3)))


@pytest.mark.parametrize(
    "gate",
    [
        lambda a, b, c: a and b and c,
        lambda a, b, c: a or b or c,
        lambda a, b, c: not (a and b),
        lambda a, b, c: a and not b,
        lambda a, b, c: a + b + c >= 2,
        lambda a, b, c: a and (b or c),
        lambda a, b, c: not c,
    ],
)
def test_a_separable_function_of_the_codes_is_learnt_without_errors(gate):
    task, codes = coded_task(CUBE, [1.0 if gate(*(CUBE[k] > 0)) else -1.0 for k in range(8)])
    output, errors, epochs = task.answers.fit(codes)
    assert errors == 0
    assert epochs > 0
    np.testing.assert_array_equal(sign(output[0] + codes @ output[1:]), task.answers.targets)
    np.testing.assert_allclose(output @ output, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_codes_of_a_random_output_unit_are_separated(seed):
    rng = np.random.default_rng(seed)
    h = int(rng.integers(2, 14))
    codes = np.unique(np.where(rng.random((100, h)) < 0.5, -1.0, 1.0), axis=0)
    W = rng.standard_normal(h + 1)
    task, codes = coded_task(codes, sign(W[0] + codes @ W[1:]))
    assert task.answers.fit(codes)[1] == 0


def test_exclusive_or_costs_its_lightest_code():
    square = np.array(list(product([-1.0, 1.0], repeat=2)))
    task, codes = coded_task(square, square.prod(axis=1), [4.0, 3.0, 2.0, 5.0])
    assert task.answers.fit(codes)[1] == 2


@pytest.mark.parametrize("seed", range(10))
def test_codes_with_both_classes_cost_exactly_their_minority(seed):
    rng = np.random.default_rng(seed)
    codes = CUBE[rng.integers(0, 8, 200)]
    targets = np.where(codes.sum(axis=1) > 0, 1.0, -1.0)
    flipped = rng.random(200) < 0.2
    task, codes = coded_task(codes, np.where(flipped, -targets, targets))
    minority = sum(
        min((here & (task.answers.targets > 0)).sum(), (here & (task.answers.targets < 0)).sum())
        for here in ((codes == code).all(axis=1) for code in CUBE)
    )
    assert minority == flipped.sum()
    assert task.answers.fit(codes)[1] == minority


def test_an_earlier_output_is_kept_if_nothing_beats_it():
    task, codes = coded_task(CUBE, np.where(CUBE.sum(axis=1) > 0, 1.0, -1.0))
    warm = np.array([0.1, 2.0, 2.0, 2.0])
    output, errors, epochs = task.answers.fit(codes, warm)
    assert (errors, epochs) == (0, 0)
    np.testing.assert_allclose(output, warm / np.sqrt(warm @ warm))


def test_an_earlier_output_that_errs_is_replaced():
    task, codes = coded_task(CUBE, np.where(CUBE.sum(axis=1) > 0, 1.0, -1.0))
    assert task.answers.fit(codes, np.array([1.0, 0.0, 0.0, 0.0]))[1] == 0


def test_the_paper_trains_the_output_unit_in_its_own_way():
    task, codes = coded_task(CUBE, np.where(CUBE.sum(axis=1) > 0, 1.0, -1.0))
    output, errors, epochs = task.answers.fit(codes, train=paper_unit)
    assert errors == 0
    assert epochs > 300
    np.testing.assert_allclose(output[1:], output[1], rtol=1e-9)


def test_a_task_keeps_the_majority_of_contradictory_rows_and_leaves_ties_out():
    X = [[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]]
    task = task_of(X, [1, 1, -1, 1, -1, -1])
    order = task.rows[:, 0].argsort()
    np.testing.assert_array_equal(task.frame.unit * task.rows[order, 0], [0.0, 2.0])
    np.testing.assert_array_equal(task.answers.targets[order], [1.0, -1.0])
    np.testing.assert_array_equal(task.weights, [1.0, 1.0])
    assert task.unavoidable == 2


def test_a_task_of_nothing_but_ties_has_patterns_all_the_same():
    task = task_of([[0.0], [0.0], [1.0], [1.0]], [1, -1, 1, -1])
    assert len(task.rows) == 2
    assert abs(task.answers.targets.sum()) == 2


def test_states_are_those_that_a_network_gives_to_the_rows():
    task = random_task()
    hidden = unit_rows(np.random.default_rng(1).standard_normal((4, 4)))
    network = Network(fold(hidden, task.mean, task.scale), np.ones((1, 5)), np.array([0, 1]))
    np.testing.assert_array_equal(task.codes(hidden), network.internal_representation(task.rows))
    np.testing.assert_array_equal(task.fields(task.fold(hidden)), network.fields(task.rows))


def test_a_hyperplane_through_a_pattern_is_moved_into_the_nearest_gap():
    task = task_of([[0.0], [1.0], [10.0]], [1, 1, -1])
    through_one = np.array([[(1.0 / task.frame.unit[0] - task.mean[0]) / task.scale[0], -1.0]])
    assert np.abs(task.fields(task.fold(through_one))).min() < 1e-15
    fields = task.fields(task.fold(task.seat(through_one)))[:, 0]
    np.testing.assert_array_equal(np.sign(fields)[task.rows[:, 0].argsort()], [1, -1, -1])
    np.testing.assert_allclose(np.sort(fields / np.abs(fields).min()), [-19.0, -1.0, 1.0])


def test_a_hyperplane_between_patterns_stays_where_it_is():
    task = random_task()
    hidden = unit_rows(np.random.default_rng(2).standard_normal((3, 4)))
    np.testing.assert_allclose(task.seat(hidden), hidden, rtol=1e-14)


def test_a_seated_unit_on_a_grid_tells_rounding_apart():
    X = np.array(list(product(range(-3, 4), repeat=2)), dtype=float)
    task = task_of(X, np.where(X[:, 0] > X[:, 1], 1.0, -1.0))
    seated = task.seat(unit_rows(np.array([[0.0, 1.0, -1.0], [0.0, 1.0, 0.0], [0.0, 0.3, 0.7]])))
    blur = task.resolution(fold(seated, task.mean, task.scale))
    assert (np.abs(task.fields(task.fold(seated))).min(axis=0) > blur).all()


def test_rows_are_scaled_to_norm_one_and_a_vanishing_row_becomes_constant():
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0], [1e-200, 0.0]]))
    np.testing.assert_allclose(rows, [[0.6, 0.8], [1.0, 0.0], [1.0, 0.0]])


@pytest.mark.parametrize("k", [3, 5])
def test_joint_annealing_finds_a_planted_committee(k):
    task = committee_task(k)
    layers = [joint_random(task, k, np.random.default_rng(seed)) for seed in range(6)]
    for layer in layers:
        assert_consistent(task, layer)
        assert layer.hidden.shape == (k, 6)
    assert min(layer.errors for layer in layers) <= 2


def test_joint_annealing_improves_random_hyperplanes():
    task = committee_task(3)
    start = random_layer(task, 3)
    better = joint_from(task, start)
    assert_consistent(task, better)
    assert better.errors < start.errors
    assert better.epochs > 0
    assert better.updates >= better.epochs * 4


def test_joint_annealing_is_named_after_its_start():
    task = random_task()
    layer = random_layer(task, 2)
    assert joint_from(task, layer).origin == "joint annealing"
    assert joint_random(task, 2, np.random.default_rng(0)).origin == "random start"
    assert joint(task, layer.hidden, layer.output, "mine", JOINT._replace(steps=10)).origin == "mine"


def test_a_lower_soft_cost_means_a_closer_fit():
    task = committee_task(3)
    short, long = (joint_from(task, random_layer(task, 3), JOINT._replace(steps=n)) for n in (1, 150))
    assert long.cost < short.cost
    assert long.errors < short.errors


@pytest.mark.parametrize("seed", range(10))
def test_retraining_never_raises_the_errors(seed):
    task = random_task(seed=seed)
    layer = random_layer(task, 4, seed)
    better = retrain(task, layer, np.random.default_rng(seed))
    assert_consistent(task, better)
    assert better.errors <= layer.errors
    assert better.epochs >= layer.epochs
    np.testing.assert_array_equal(better.output, layer.output)


def test_retraining_lowers_the_errors_of_a_spoilt_committee():
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((300, 5)), rng.standard_normal((3, 5))
    task = task_of(X, np.where(np.sign(X @ W.T).sum(axis=1) > 0, 1.0, -1.0))
    hidden = unit_rows(np.column_stack([np.zeros(3), W * task.scale]) + 0.4 * rng.standard_normal((3, 6)))
    codes, output = task.codes(hidden), np.array([0.0, 1.0, 1.0, 1.0]) / np.sqrt(3.0)
    spoilt = Layer(hidden, output, codes, float(task.answers.wrong(codes, output).sum()), "spoilt")
    assert retrain(task, spoilt, rng, sweeps=8).errors < 0.5 * spoilt.errors


def test_a_unit_that_decides_nothing_is_left_alone():
    task = random_task()
    layer = random_layer(task, 2)
    idle = replace(layer, output=np.array([1.0, 0.1, 0.1]))
    idle = replace(idle, errors=float(task.weights[task.answers.wrong(idle.codes, idle.output)].sum()))
    same = retrain(task, idle, np.random.default_rng(0))
    np.testing.assert_array_equal(same.hidden, idle.hidden)
    assert same.epochs == 0


def test_a_network_without_errors_is_not_retrained_further():
    task = committee_task(3)
    X = task.rows
    easy = task_of(X, sign(X[:, 0] - 0.1))
    hidden = unit_rows(np.column_stack([easy.mean[0] - 0.1, easy.scale[0], np.zeros((1, 4))]))
    layer = Layer(hidden, np.array([0.0, 1.0]), easy.codes(hidden), 0.0, "given")
    result = retrain(easy, layer, np.random.default_rng(0))
    assert result.errors == 0
    assert result.epochs <= 200
