"""A layer shared by many classes: its task, its outputs, joint annealing, retraining, leaving units out."""

from itertools import product

import numpy as np
import pytest
from class_tables import assert_consistent, blobs, class_task, predicted_errors, random_layer, random_table

from netlines.network.network import Network
from netlines.training.geometry import distinct_codes
from netlines.training.outputs import ArgmaxOutput, least_cost, shares
from netlines.training.patterns import condense
from netlines.training.refine import JOINT, drop_spare_units, joint, joint_from, joint_random, retrain
from netlines.training.shared import climb, shortened
from netlines.training.task import Layer, Task

CUBE = np.array(list(product([-1.0, 1.0], repeat=3)))


def coded_task(codes, labels, weights=None):
    """Return a task with one pattern a given code, and the codes in the order of its patterns."""
    task = class_task(np.column_stack([codes, np.arange(len(codes))]), labels, weights)
    return task, task.rows[:, :-1]


def test_a_task_of_two_classes_has_the_geometry_of_the_binary_task():
    X, labels = random_table(n_classes=2)
    task, binary = class_task(X, labels), Task.of(condense(X, labels, np.ones(len(X))), X)
    for name in ("X", "rows", "mean", "scale", "largest", "weights"):
        np.testing.assert_array_equal(getattr(task, name), getattr(binary, name))
    np.testing.assert_array_equal(2.0 * task.answers.labels - 1, binary.answers.targets)
    hidden = random_layer(task, 3).hidden
    np.testing.assert_array_equal(task.codes(hidden), binary.codes(hidden))
    np.testing.assert_array_equal(task.seat(hidden), binary.seat(hidden))


def test_wrong_answers_cost_what_the_majority_leads_by():
    X = [[0.0]] * 6 + [[1.0]] * 3 + [[2.0]] * 2
    task = class_task(X, [0, 0, 0, 1, 1, 2, 1, 1, 0, 2, 2])
    order = task.rows[:, 0].argsort()
    np.testing.assert_array_equal(task.answers.costs[order], [[0, 1, 2], [1, 0, 2], [2, 2, 0]])
    np.testing.assert_array_equal(task.answers.labels[order], [0, 1, 2])
    np.testing.assert_array_equal(task.weights[order], [1, 1, 2])
    assert task.unavoidable == 4


def test_two_classes_that_tie_are_both_right_and_a_third_is_wrong():
    task = class_task([[0.0]] * 4 + [[1.0]], [0, 0, 2, 2, 1])
    at = int((task.rows[:, 0] == 0).argmax())
    np.testing.assert_array_equal(task.answers.costs[at], [0, 2, 0])
    assert task.weights[at] == 2
    T, share = shares(task.answers.costs)
    np.testing.assert_array_equal(T[:, at], [0.5, 0, 0.5])
    np.testing.assert_allclose(share.sum(), 1)


def test_patterns_on_which_every_answer_costs_the_same_are_left_out():
    assert len(class_task([[0.0], [0.0], [0.0], [1.0]], [0, 1, 2, 1]).rows) == 1
    nothing = class_task([[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert len(nothing.rows) == 2
    assert not nothing.answers.costs.any()


def test_the_least_cost_of_a_wrong_answer():
    costs = np.array([[0.0, 2.0, 3.0], [4.0, 1.0, 1.0], [5.0, 5.0, 5.0]])
    np.testing.assert_array_equal(least_cost(costs), [2, 3, 0])


def test_equal_outputs_count_as_wrong_and_a_clear_lead_does_not():
    task = class_task([[0.0], [1.0], [2.0]], [0, 1, 2])
    codes = np.ones((3, 1))
    assert task.answers.errors(codes, np.zeros((3, 2))) == 3
    assert task.answers.errors(codes, np.array([[1.0, 0.0], [1.0 - 1e-15, 0.0], [0.0, 0.0]])) == 3
    assert task.answers.errors(codes, np.array([[1.0, 0.0], [0.5, 0.0], [0.0, 0.0]])) == 2


@pytest.mark.parametrize("seed", range(20))
def test_the_codes_of_random_outputs_are_separated(seed):
    rng = np.random.default_rng(seed)
    h, c = int(rng.integers(2, 12)), int(rng.integers(3, 7))
    codes = np.unique(np.where(rng.random((100, h)) < 0.5, -1.0, 1.0), axis=0)
    V = rng.standard_normal((c, h + 1))
    task, codes = coded_task(codes, (V[:, 0] + codes @ V[:, 1:].T).argmax(axis=1))
    assert task.answers.fit(codes)[1] == 0


@pytest.mark.parametrize("seed", range(10))
def test_codes_with_several_classes_cost_exactly_their_minorities(seed):
    rng = np.random.default_rng(seed)
    at = rng.integers(0, 8, 200)
    labels = np.where(rng.random(200) < 0.15, rng.integers(0, 4, 200), np.arange(8)[at] // 2)
    task, codes = coded_task(CUBE[at], labels)
    counts = np.zeros((8, 4))
    np.add.at(counts, (((codes > 0) @ [4, 2, 1]).astype(int), task.answers.labels), 1)
    assert task.answers.fit(codes)[1] == 200 - counts.max(axis=1).sum()


def test_earlier_outputs_are_kept_if_nothing_beats_them():
    labels = np.arange(8) // 2
    task, codes = coded_task(CUBE, labels)
    warm = np.array([[0.0, a, b, 0.0] for a, b in product([-1.0, 1.0], repeat=2)])
    outputs, errors, _ = task.answers.fit(codes, warm)
    assert errors == 0
    np.testing.assert_array_equal(outputs, warm)


def test_equal_outputs_are_led_by_the_first_as_predict_has_it():
    task = class_task([[0.0], [1.0]], [0, 1], n_classes=3)
    codes = np.ones((2, 1))  # both patterns look the same: no outputs are better than any other
    outputs, errors, _ = task.answers.fit(codes, np.zeros((3, 2)))
    assert errors == 1
    answers = (outputs[:, 0] + codes @ outputs[:, 1:].T).argmax(axis=1)
    assert (answers != task.answers.labels).sum() == 1


def test_distinct_codes_name_a_pattern_each():
    codes = CUBE[[0, 3, 3, 7, 0]]
    first, group = distinct_codes(codes)
    np.testing.assert_array_equal(codes[first][group], codes)
    assert len(first) == 3
    assert len(distinct_codes(np.empty((4, 0)))[0]) == 1


@pytest.mark.parametrize("seed", range(5))
def test_joint_annealing_improves_random_hyperplanes(seed):
    task = class_task(*blobs(seed=seed))
    start = random_layer(task, 4, seed)
    better = joint_from(task, start)
    assert_consistent(task, better)
    assert better.errors < start.errors or better.errors == 0
    assert better.epochs > 0
    assert better.updates > better.epochs


def test_joint_annealing_is_named_after_its_start():
    task = class_task(*blobs())
    layer = random_layer(task, 2)
    assert joint_from(task, layer).origin == "joint annealing"
    assert joint_random(task, 2, np.random.default_rng(0)).origin == "random start"
    assert joint(task, layer.hidden, layer.output, "mine", JOINT._replace(steps=10)).origin == "mine"


@pytest.mark.parametrize("seed", range(10))
def test_retraining_never_raises_the_errors(seed):
    task = class_task(*random_table(seed=seed))
    layer = random_layer(task, 5, seed)
    better = retrain(task, layer, np.random.default_rng(seed))
    assert_consistent(task, better)
    assert better.errors <= layer.errors
    assert better.epochs > layer.epochs


def test_retraining_lowers_the_errors():
    tasks = [class_task(*blobs(seed=seed, spread=0.8)) for seed in range(5)]
    layers = [random_layer(task, 4) for task in tasks]
    better = [retrain(*pair, np.random.default_rng(0)) for pair in zip(tasks, layers, strict=True)]
    assert sum(layer.errors for layer in better) < 0.8 * sum(layer.errors for layer in layers)


def test_a_unit_that_decides_nothing_is_left_alone():
    task = class_task(*blobs())
    layer = random_layer(task, 2)
    outputs = np.array([[3.0, 0.1, 0.1], [0.0, 0.1, -0.1], [0.0, 0.0, 0.0]])
    idle = Layer(layer.hidden, outputs, layer.codes, task.answers.errors(layer.codes, outputs), "idle")
    same = retrain(task, idle, np.random.default_rng(0), sweeps=1)
    np.testing.assert_array_equal(same.hidden, idle.hidden)
    assert same.epochs == 0


def test_climbing_ends_below_a_single_annealing():
    X, labels = random_table(p=120, n=6, n_classes=3)
    task = class_task(X, labels)
    single = joint_random(task, 8, np.random.default_rng(0), JOINT._replace(decay=1e-3))
    climbed = climb(task, 8, np.random.default_rng(0))
    assert_consistent(task, climbed)
    assert climbed.errors < single.errors
    assert climbed.epochs > single.epochs
    assert climb(task, climbed, np.random.default_rng(1)).hidden.shape == climbed.hidden.shape


def test_spare_units_are_dropped():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 3))
    labels = (X[:, 0] > -0.5).astype(int) + (X[:, 0] > 0.5)
    task = class_task(X, labels)
    middle, scale = task.mean[0], task.scale[0]
    cuts = [[middle + 0.5, scale, 0, 0], [middle - 0.5, scale, 0, 0]]
    spare = rng.standard_normal((3, 4))
    hidden = task.seat(np.array([spare[0], cuts[0], spare[1], cuts[1], spare[2]]))
    codes = task.codes(hidden)
    layer = Layer(hidden, *task.answers.fit(codes)[:1], codes, 0.0, "given")
    assert task.answers.errors(codes, layer.output) == 0
    smaller = drop_spare_units(task, layer, 0.0)
    assert_consistent(task, smaller)
    assert smaller.errors == 0
    assert len(smaller.hidden) == 2


def test_shortening_leaves_out_the_units_that_are_missed_least():
    task = class_task(*blobs())
    layer = random_layer(task, 6)
    shorter = shortened(task, layer, 4)
    assert_consistent(task, shorter)
    assert shorter.hidden.shape == (4, 3)
    rows = {tuple(row) for row in layer.hidden}
    assert all(tuple(row) in rows for row in shorter.hidden)


@pytest.mark.parametrize("scales", [[1.0, 1.0, 1.0], [1e-8, 1.0, 1e8]])
@pytest.mark.parametrize("h", [1, 3, 9])
def test_what_training_counts_is_what_predict_answers(scales, h):
    X, labels = random_table(p=100, n=3)
    X = X * scales
    task = class_task(X, labels)
    for layer in (random_layer(task, h), joint_random(task, h, np.random.default_rng(1))):
        assert layer.errors + task.unavoidable == predicted_errors(task, layer, X, labels)
        retrained = retrain(task, layer, np.random.default_rng(2))
        assert retrained.errors + task.unavoidable == predicted_errors(task, retrained, X, labels)


def test_states_are_those_that_a_network_gives_to_the_rows():
    task = class_task(*random_table())
    layer = random_layer(task, 4)
    network = Network(layer.user_weights(task), layer.output, np.arange(4))
    np.testing.assert_array_equal(layer.codes, network.internal_representation(task.rows))
    assert isinstance(task.answers, ArgmaxOutput)
