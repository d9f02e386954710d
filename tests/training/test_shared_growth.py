"""Growth of a layer shared by many classes: it ends without errors, and says what it did."""

from itertools import pairwise, product

import numpy as np
import pytest
from any_tables import examples
from class_tables import (
    assert_consistent,
    blobs,
    class_task,
    network_of,
    predicted_errors,
    random_layer,
    random_table,
)
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from netlines.training.growth import Plan, append_unit
from netlines.training.shared import answer_always, fewest_units, grow_shared
from netlines.training.sure_step import sure_step

RECORD = {"n_hidden", "origin", "unit_errors", "errors", "temperature", "epochs"}


def unavoidable(X, labels, weights=None):
    """Return the weight of the errors that any function of the inputs makes."""
    weights = np.ones(len(X)) if weights is None else weights
    _, group = np.unique(X, axis=0, return_inverse=True)
    counts = np.zeros((len(X), labels.max() + 1))
    np.add.at(counts, (group.ravel(), labels), weights)
    return float((counts.sum(axis=1) - counts.max(axis=1)).sum())


def labels_of(p, seed, n_classes):
    return np.random.default_rng([seed, p]).integers(0, n_classes, p)


def lonely(seed):
    """Return clouds of two classes and one pattern of each of three others among them."""
    X, labels = blobs(60, n_classes=2, seed=seed)
    labels[:3] = 2, 3, 4
    return X, labels


TABLES = {
    "random labels": lambda seed: random_table(40, 3, 3 + seed % 4, seed),
    "one dimension": lambda seed: (np.arange(30.0)[:, None], labels_of(30, seed, 3)),
    "cube": lambda seed: (np.array(list(product([0.0, 1.0], repeat=5))), labels_of(32, seed, 4)),
    "duplicates and contradictions": lambda seed: (
        np.random.default_rng(seed).integers(0, 3, (60, 3)).astype(float),
        labels_of(60, seed, 4),
    ),
    "classes of one pattern": lonely,
    "columns of all sizes": lambda seed: (
        random_table(40, 3, 3, seed)[0] * [1e-8, 1.0, 1e8] + [0.0, 1e3, 1.0],
        labels_of(40, seed, 3),
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", TABLES)
def test_growth_ends_with_exactly_the_unavoidable_errors(name, seed):
    X, labels = TABLES[name](seed)
    task = class_task(X, labels)
    growth = grow_shared(task, Plan(seed=seed, refine=seed % 2 == 0))
    assert growth.layer.errors == 0
    assert_consistent(task, growth.layer)
    assert predicted_errors(task, growth.layer, X, labels) == unavoidable(X, labels)
    errors = [record["errors"] for record in growth.trace]
    assert all(after < before for before, after in pairwise(errors))
    assert errors[-1] == unavoidable(X, labels)


@pytest.mark.parametrize("name", TABLES)
def test_the_sure_step_alone_removes_every_error(name):
    for seed in range(4):
        X, labels = TABLES[name](seed)
        task = class_task(X, labels)
        layer, rng = answer_always(task), np.random.default_rng(seed)
        while layer.errors > 0:
            better = sure_step(task, layer, rng)
            assert better is not None
            assert better.errors <= layer.errors - task.weights.min()
            assert 1 <= len(better.hidden) - len(layer.hidden) <= 2
            assert_consistent(task, better)
            layer = better
        assert predicted_errors(task, layer, X, labels) == unavoidable(X, labels)


@pytest.mark.parametrize("seed", range(5))
def test_the_sure_step_goes_on_from_any_network_and_any_weights(seed):
    X, labels = random_table(seed=seed)
    weights = np.random.default_rng(seed).uniform(0.5, 5.0, len(X))
    task = class_task(X, labels, weights)
    layer = random_layer(task, 4, seed)
    better = sure_step(task, layer, np.random.default_rng(seed))
    assert better.errors <= layer.errors - task.weights.min() * (1 - 1e-9)
    np.testing.assert_array_equal(better.hidden[:4], layer.hidden)


def test_without_room_for_two_units_only_a_half_line_is_taken():
    task = class_task(np.arange(9.0)[:, None], [0, 0, 0, 1, 1, 0, 0, 0, 2])
    better = sure_step(task, answer_always(task), np.random.default_rng(0), room=1)
    assert len(better.hidden) == 1
    assert better.errors == 2
    middle = class_task(np.arange(5.0)[:, None], [0, 0, 1, 0, 0], n_classes=3)
    assert sure_step(middle, answer_always(middle), np.random.default_rng(0), room=1) is None


def test_neighbouring_numbers_are_told_apart():
    eps = np.finfo(float).eps
    task = class_task([[1.0], [1 + eps], [1 + 2 * eps]], [0, 1, 2])
    assert sure_step(task, answer_always(task), np.random.default_rng(0)).errors == 1
    assert grow_shared(task, Plan()).layer.errors == 0


@pytest.mark.slow
def test_the_first_size_has_a_code_for_each_class():
    sizes = [fewest_units(class_task(np.arange(c)[:, None], np.arange(c))) for c in (2, 3, 4, 5, 8, 9, 10)]
    assert sizes == [1, 2, 2, 3, 3, 4, 4]
    growth = grow_shared(class_task(*blobs(80, n_classes=5)), Plan())
    assert growth.trace[0]["n_hidden"] >= 3


@pytest.mark.slow
@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_each_size_leaves_a_record(refine, seed):
    growth = grow_shared(class_task(*random_table(seed=seed)), Plan(refine=refine))
    sizes = [record["n_hidden"] for record in growth.trace]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == len(growth.layer.hidden)
    assert all(set(record) == RECORD for record in growth.trace)
    assert growth.trace[-1]["errors"] == growth.layer.errors == 0
    assert growth.epochs > 0
    assert growth.updates > growth.epochs


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("refine", [True, False])
def test_growth_ends_at_max_hidden(most, refine):
    X, labels = random_table(150, 4, 5)
    task = class_task(X, labels)
    growth = grow_shared(task, Plan(max_hidden=most, refine=refine))
    assert len(growth.layer.hidden) == growth.trace[-1]["n_hidden"] <= most
    assert growth.layer.errors > 0
    assert growth.layer.errors == predicted_errors(task, growth.layer, X, labels)


@pytest.mark.sample(1)
@pytest.mark.parametrize("accepted", [0, 3, 20, 200])
def test_growth_ends_at_the_errors_accepted(accepted):
    growth = grow_shared(class_task(*random_table()), Plan(max_errors=accepted))
    *before, last = [record["errors"] for record in growth.trace]
    assert growth.layer.errors == last <= accepted
    assert all(errors > accepted for errors in before)


@pytest.mark.slow
def test_more_accepted_errors_need_no_more_units():
    sizes = [
        len(grow_shared(class_task(*random_table()), Plan(max_errors=accepted)).layer.hidden)
        for accepted in (0, 10, 40)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_the_watcher_sees_each_size_and_can_stop_growth():
    seen = []

    def watch(record, layer):
        seen.append((record["n_hidden"], len(layer.hidden), record["errors"], layer.errors))
        return len(seen) == 2

    growth = grow_shared(class_task(*random_table()), Plan(), watch)
    assert len(seen) == len(growth.trace) == 2
    assert all(told == size and left == errors for told, size, left, errors in seen)
    assert growth.layer.errors > 0


@pytest.mark.slow
@pytest.mark.parametrize("load", [lambda: random_table(40, 4), lambda: blobs(80, n_classes=4)])
def test_threads_and_repetition_give_the_same_network_bit_for_bit(load):
    task = class_task(*load())
    one, again, threads = (grow_shared(task, Plan(n_threads=n)) for n in (1, 1, 3))
    for other in (again, threads):
        np.testing.assert_array_equal(other.layer.hidden, one.layer.hidden)
        np.testing.assert_array_equal(other.layer.output, one.layer.output)
        assert other.trace == one.trace
        assert (other.epochs, other.updates) == (one.epochs, one.updates)


@pytest.mark.slow
def test_the_order_of_the_rows_does_not_matter():
    X, labels = random_table(40)
    order = np.random.default_rng(1).permutation(40)
    one, other = (
        grow_shared(task, Plan()) for task in (class_task(X, labels), class_task(X[order], labels[order]))
    )
    np.testing.assert_array_equal(one.layer.hidden, other.layer.hidden)


@pytest.mark.parametrize(("load", "most"), [(load_iris, 4), (load_wine, 2)])
def test_known_tables_take_few_units(load, most):
    X, labels = load(return_X_y=True)
    growth = grow_shared(class_task(X, labels), Plan())
    assert growth.layer.errors == 0
    assert len(growth.layer.hidden) <= most


def test_planted_units_are_found():
    rng = np.random.default_rng(4)
    X, W = rng.standard_normal((300, 4)), rng.standard_normal((2, 4))
    labels = (X @ W.T > 0) @ [1, 2]
    assert len(grow_shared(class_task(X, labels), Plan()).layer.hidden) == 2


def test_where_every_answer_is_the_same_one_constant_unit_is_left():
    for X, labels in (
        (np.arange(4.0)[:, None], np.array([1, 1, 1, 1])),
        (np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0, 1, 0, 1])),
    ):
        task = class_task(X, labels, n_classes=3)
        growth = grow_shared(task, Plan())
        assert growth.layer.errors == 0
        assert growth.layer.hidden.shape == (1, 2)
        assert len(growth.trace) == 1
        assert len(set(network_of(task, growth.layer).predict(X))) == 1


def test_a_unit_that_tells_nothing_new_is_discarded():
    X, labels = blobs()
    task = class_task(X, labels)
    layer = random_layer(task, 2)
    everything = np.ones(len(task.answers.labels), dtype=bool)
    again = ("again", layer.codes[:, 1], everything)
    assert append_unit(task, Plan(), layer, again, (6.0,)) is None
    assert (
        append_unit(task, Plan(), layer, ("all right", np.ones(len(everything)), everything), (6.0,)) is None
    )


def test_the_schedule_of_the_paper_ends_without_errors_too():
    growth = grow_shared(class_task(*random_table(24, 2, 3)), Plan(schedule="paper", refine=False))
    assert growth.layer.errors == 0


@st.composite
def tables(draw):
    """Draw rows of all sorts with random labels of three to six classes."""
    p, n, c = draw(st.integers(3, 50)), draw(st.integers(1, 6)), draw(st.integers(3, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = draw(st.sampled_from([None, 2, 3, 10]))
    X = rng.standard_normal((p, n)) if values is None else rng.integers(0, values, (p, n)).astype(float)
    if draw(st.booleans()):  # duplicates, some of them contradictory
        X = X[rng.integers(0, max(1, p // 2), p)]
    if n > 1 and draw(st.booleans()):
        X[:, 0] = draw(st.sampled_from([0.0, 1.0, -1e8, 1e-8]))
    decades = draw(st.sampled_from([0.0, 3.0, 8.0]))
    X = X * 10.0 ** rng.uniform(-decades, decades, n)
    labels = rng.integers(0, c, p)
    labels[: min(c, p)] = np.arange(min(c, p))
    return X, labels, draw(st.sampled_from([None, 1, 2, 4]))


@pytest.mark.slow
@examples(25)
@given(tables())
def test_what_growth_counts_is_what_predict_answers(table):
    X, labels, most = table
    task = class_task(X, labels)
    growth = grow_shared(task, Plan(max_hidden=most))
    wrong = predicted_errors(task, growth.layer, X, labels)
    assert wrong == growth.trace[-1]["errors"] == growth.layer.errors + task.unavoidable
    assert most is not None or wrong == unavoidable(X, labels)
