"""Growth: which units are taken, when it ends, what it tells, and the paper's own algorithm."""

from itertools import product
from threading import Lock

import numpy as np
import pytest
import reference

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_pima_diabetes, make_parity
from netlines.training.geometry import unit_rows
from netlines.training.growth import Plan, append_unit, first_layer, grow
from netlines.training.patterns import condense
from netlines.training.refine import drop_spare_units
from netlines.training.task import Layer, Task
from netlines.training.threads import in_order


def task_of(X, targets, weights=None):
    X = np.asarray(X, dtype=float)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    return Task.of(condense(X, np.asarray(targets) > 0, weights), X)


def table_task(X, y):
    return task_of(X, np.where(y == np.unique(y)[1], 1.0, -1.0))


def random_labels(p=60, n=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((p, n)), rng.integers(0, 2, p)


def layer_of(task, hidden, output):
    hidden, output = unit_rows(np.asarray(hidden, dtype=float)), np.asarray(output, dtype=float)
    codes = task.codes(hidden)
    return Layer(hidden, output, codes, float(task.weights[task.answers.wrong(codes, output)].sum()), "given")


def everything(task):
    return np.ones(len(task.answers.targets), dtype=bool)


SQUARE = np.array(list(product([-1.0, 1.0], repeat=2)))
RECORD = {"n_hidden", "origin", "unit_errors", "errors", "temperature", "epochs"}


def test_targets_that_are_all_the_same_are_not_learnt():
    task = task_of(SQUARE, [1, -1, -1, 1])
    layer = first_layer(task, Plan())
    assert append_unit(task, Plan(), layer, ("all right", np.ones(4), everything(task))) is None


def test_a_constant_unit_is_discarded():
    x = np.random.default_rng(0).standard_normal((40, 1))
    task = task_of(x, np.where(np.arange(40) < 20, 1.0, -1.0))
    layer = first_layer(task, Plan())
    middle = np.where(np.abs(task.rows[:, 0] - np.median(x)).argsort().argsort() == 0, -1.0, 1.0)
    assert append_unit(task, Plan(), layer, ("one in the middle", middle, everything(task))) is None


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_unit_that_repeats_another_is_discarded(side):
    X = np.random.default_rng(1).standard_normal((40, 2))
    task = task_of(X, np.where(X[:, 0] > 0, 1.0, -1.0))
    layer = first_layer(task, Plan())
    assert layer.errors == 0
    assert append_unit(task, Plan(), layer, ("again", side * task.answers.targets, everything(task))) is None


def test_a_unit_that_tells_something_new_is_appended_with_a_new_output():
    task = task_of(SQUARE, [1, -1, -1, 1])
    layer = layer_of(task, [[-1.0, 1.0, 1.0]], [0.0, 1.0])
    right = np.where(task.answers.wrong(layer.codes, layer.output), -1.0, 1.0)
    longer = append_unit(task, Plan(), layer, ("right or wrong", right, everything(task)))
    assert longer.hidden.shape == (2, 3)
    assert longer.output.shape == (3,)
    assert (longer.errors, longer.unit_errors, longer.origin) == (0, 0, "right or wrong")


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("refine", [True, False])
def test_growth_ends_at_max_hidden(most, refine):
    task = table_task(*load_pima_diabetes(return_X_y=True))
    growth = grow(task, Plan(max_hidden=most, refine=refine))
    assert len(growth.layer.hidden) == len(growth.trace) == most
    assert growth.layer.errors > 0


@pytest.mark.parametrize("accepted", [0, 2, 10, 60])
def test_growth_ends_at_the_errors_accepted(accepted):
    sizes = {}

    def watch(record, layer):
        sizes[len(layer.hidden)] = layer.errors
        return False

    growth = grow(table_task(*random_labels()), Plan(max_errors=accepted), watch)
    *before, last = sizes.values()
    assert growth.layer.errors <= last <= accepted
    assert all(errors > accepted for errors in before)


def test_accepted_errors_are_a_count_or_a_share_of_the_rows():
    X, y = random_labels(p=100)
    count = NetLinesClassifier(max_errors=10).fit(X, y)
    share = NetLinesClassifier(max_errors=0.1).fit(X, y)
    assert 0 < count.n_training_errors_ <= 10
    np.testing.assert_array_equal(share.network_.hidden_weights, count.network_.hidden_weights)
    assert share.stop_reason_.startswith("max_errors=0.1 reached")


def test_accepted_errors_include_the_unavoidable_ones():
    X, y = random_labels(p=60)
    X, y = np.vstack([X, X[:4]]), np.append(y, 1 - y[:4])
    enough = NetLinesClassifier(max_errors=6).fit(X, y)
    assert 4 <= enough.n_training_errors_ <= 6
    assert NetLinesClassifier(max_errors=2).fit(X, y).n_training_errors_ == 4


@pytest.mark.sample(3)
@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_each_unit_leaves_a_record(refine, seed):
    X, y = random_labels(seed=seed)
    growth = grow(table_task(X, y), Plan(refine=refine))
    assert [record["n_hidden"] for record in growth.trace] == list(range(1, len(growth.layer.hidden) + 1))
    assert all(set(record) == RECORD for record in growth.trace)
    assert growth.trace[0]["origin"] == "the classes"
    assert growth.trace[0]["unit_errors"] == growth.trace[0]["errors"]
    errors = [record["errors"] for record in growth.trace]
    assert errors == sorted(errors, reverse=True)
    assert growth.epochs >= sum(record["epochs"] for record in growth.trace)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(20))
def test_the_last_record_has_the_errors_of_the_network(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((45, 2)), rng.integers(0, 2, 45)
    growth = grow(table_task(X, y), Plan())
    assert len(growth.trace) == len(growth.layer.hidden)
    assert growth.trace[-1]["errors"] == growth.layer.errors == 0


@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_a_trained_unit_has_taken_epochs(schedule):
    X = np.random.default_rng(12).standard_normal((24, 2))
    growth = grow(table_task(X, X.prod(axis=1) > 0), Plan(schedule=schedule, refine=False))
    trained = [record for record in growth.trace if record["origin"] != "sure step"]
    assert len(trained) >= 2
    for record in trained:
        assert record["epochs"] > 0
        assert record["temperature"] > 0
        assert record["unit_errors"] >= 0


def test_records_count_the_unavoidable_errors():
    X, y = random_labels()
    X, y = np.vstack([X, X[:4]]), np.append(y, 1 - y[:4])
    clf = NetLinesClassifier().fit(X, y)
    assert clf.growth_trace_[-1]["errors"] == clf.n_training_errors_ == 4


def test_spare_units_are_dropped():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 3))
    task = task_of(X, np.where(np.abs(X[:, 0]) < 0.7, 1.0, -1.0))
    middle, scale, end = task.mean[0], task.scale[0], 0.7 / task.frame.unit[0]
    slab = [[end + middle, scale, 0.0, 0.0], [end - middle, -scale, 0.0, 0.0]]
    spare = rng.standard_normal((3, 4))
    layer = layer_of(
        task, [spare[0], slab[0], spare[1], slab[1], spare[2]], [-1.0, 0.01, 1.0, 0.01, 1.0, 0.01]
    )
    assert layer.errors == 0
    smaller = drop_spare_units(task, layer)
    assert smaller.errors == 0
    assert not task.answers.wrong(smaller.codes, smaller.output).any()
    np.testing.assert_array_equal(smaller.hidden, unit_rows(np.array(slab)))


def test_no_unit_is_dropped_where_all_are_needed():
    task = task_of(SQUARE, [1, -1, -1, 1])
    layer = layer_of(task, [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]], [1.0, -1.0, 1.0])
    assert layer.errors == 0
    assert len(drop_spare_units(task, layer).hidden) == 2


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_unit_that_is_left_alone_answers_the_class_itself(side):
    # A network of one unit has no output unit that could turn its state round.
    X = np.random.default_rng(3).standard_normal((50, 2))
    task = task_of(X, np.where(X[:, 0] > 0.1, 1.0, -1.0))
    separating = side * np.array([task.mean[0] - 0.1 / task.frame.unit[0], task.scale[0], 0.0])
    layer = layer_of(task, [separating, [0.3, 0.2, 1.0]], [0.0, side, 0.1])
    assert layer.errors == 0
    alone = drop_spare_units(task, layer)
    assert len(alone.hidden) == 1
    np.testing.assert_array_equal(alone.codes[:, 0], task.answers.targets)


def test_a_separable_table_that_the_first_unit_misses_is_learnt_all_the_same():
    rng = np.random.default_rng(113)
    p = int(rng.integers(20, 120))
    X = rng.standard_normal((p, 2))
    y = X @ rng.standard_normal(2) > 0
    assert MinimerrorClassifier(schedule="paper").fit(X, y).n_training_errors_ > 0
    clf = NetLinesClassifier(schedule="paper").fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), y)
    assert clf.stop_reason_ == "no training errors"


def test_the_watcher_sees_each_unit_and_can_stop_growth():
    task = table_task(*random_labels())
    seen = []

    def watch(record, layer):
        seen.append((record["n_hidden"], record["errors"], layer.errors))
        return record["n_hidden"] == 3

    growth = grow(task, Plan(), watch)
    assert [n for n, _, _ in seen][:3] == [1, 2, 3]
    assert all(told == left for _, told, left in seen)
    assert len(growth.layer.hidden) in (3, 4)
    assert growth.layer.errors > 0


def test_results_come_in_the_order_of_the_jobs():
    for n_threads in (1, 2, 7):
        assert list(in_order(lambda k: k * k, range(50), n_threads)) == [k * k for k in range(50)]


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_consumer_that_leaves_early_cancels_the_rest(n_threads):
    started, lock = [], Lock()
    A = np.random.default_rng(0).standard_normal((300, 300))

    def work(k):
        with lock:
            started.append(k)
        return float(np.linalg.slogdet(A @ A)[1])

    results = in_order(work, range(2000), n_threads)
    next(results)
    results.close()
    count = len(started)
    assert count < 1000
    assert len(started) == count


@pytest.mark.parametrize("n_threads", [1, 2])
def test_an_error_of_a_job_reaches_the_consumer(n_threads):
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda k: 1 / (3 - k), range(6), n_threads))


@pytest.mark.sample(1)
@pytest.mark.parametrize("load", [lambda: random_labels(100, 5), lambda: load_monks(1, return_X_y=True)])
def test_threads_give_the_same_network_bit_for_bit(load):
    X, y = load()
    alone, together = (NetLinesClassifier(n_jobs=n).fit(X, y) for n in (1, 3))
    np.testing.assert_array_equal(together.network_.hidden_weights, alone.network_.hidden_weights)
    np.testing.assert_array_equal(together.network_.output_weights, alone.network_.output_weights)
    assert together.growth_trace_ == alone.growth_trace_
    assert together.n_updates_ == alone.n_updates_


def test_the_smallest_network_of_breast_cancer_is_smaller_with_joint_annealing():
    X, y = load_breast_cancer_wisconsin(return_X_y=True)
    refined, grown = (NetLinesClassifier(refine=refine).fit(X, y) for refine in (True, False))
    assert refined.n_training_errors_ == grown.n_training_errors_
    assert refined.n_hidden_ < grown.n_hidden_


@pytest.mark.sample(1)
@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_every_configuration_ends_without_errors(schedule, refine):
    for X, y in (random_labels(), make_parity(4)):
        clf = NetLinesClassifier(schedule=schedule, refine=refine).fit(X, y)
        np.testing.assert_array_equal(clf.predict(X), y)
        assert clf.n_hidden_ <= 1 + 2 * clf.growth_trace_[0]["errors"]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "p", "h"), [(2, 16, 2), (12, 24, 3)])
def test_the_paper_own_algorithm_equals_the_reference(seed, p, h):
    X = np.random.default_rng(seed).standard_normal((p, 2))
    targets = np.sign(X.prod(axis=1))
    Z, mean, delta = reference.standardise(X)
    units, output = reference.netlines(reference.with_constant(Z), targets, H_max=10)
    clf = NetLinesClassifier(schedule="paper", refine=False).fit(X, targets)
    expected = np.array([reference.user_units(w, mean, delta) for w in units])
    assert len(expected) == h
    np.testing.assert_allclose(clf.network_.hidden_weights, expected, rtol=0, atol=1e-6)
    np.testing.assert_allclose(clf.network_.output_weights[0], output, rtol=0, atol=1e-6)
    codes = reference.sign(reference.with_constant(X) @ expected.T)
    np.testing.assert_array_equal(clf.internal_representation(X), codes)
