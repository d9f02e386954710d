"""MonoPlane: which targets each unit learns, the parity machine, stalls, limits, what users get."""

import inspect
import pickle

import numpy as np
import pytest
import reference
from any_tables import examples, unavoidable
from any_tables import tables as any_table
from example_tables import contradictory, plane, xor
from hypothesis import given
from recorder import Recorder
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris

import netlines
from netlines import MonoPlaneClassifier, NetLinesClassifier
from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_pima_diabetes, make_parity
from netlines.family.monoplane import grow_monoplane
from netlines.network.network import sign
from netlines.training.growth import OUTWEIGHED, Plan, append_hidden, append_unit, first_layer, train_output
from netlines.training.patterns import condense
from netlines.training.task import Task

CHAIN, STEP = {"right or wrong", "errors of the unit before"}, "sure step"


def task_of(X, y):
    X = np.asarray(X, dtype=float)
    targets = np.where(np.asarray(y) == np.unique(y)[1], 1.0, -1.0)
    return Task.of(condense(X, np.asarray(targets) > 0, np.ones(len(X))), X)


def random_labels(p=60, n=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((p, n)), rng.integers(0, 2, p)


def assert_same_network(a, b):
    np.testing.assert_array_equal(a.network_.hidden_weights, b.network_.hidden_weights)
    np.testing.assert_array_equal(a.network_.output_weights, b.network_.output_weights)


def replayed(task, growth):
    """Return the targets that each unit had to learn, by the algorithm's own words; None for sure steps.

    The network's answers before a chain are those that were told with the unit before it.
    """
    told, targets, codes = [], [], growth.layer.codes
    for k, record in enumerate(growth.trace):
        if record["origin"] == "the classes":
            targets.append(task.answers.targets)
        elif record["origin"] == "right or wrong":
            targets.append(told[-1])
        elif record["origin"] == STEP:
            targets.append(None)
        else:
            targets.append(codes[:, k - 1] * targets[-1])
        layer = growth.layers[k]
        told.append(np.where(task.answers.wrong(layer.codes, layer.output), -1.0, 1.0))
    return targets


def watched(task, plan=None):
    """Grow, and keep the network that was told with each unit as `layers`."""
    layers = []
    growth = grow_monoplane(task, plan or Plan(), lambda record, layer: bool(layers.append(layer)))
    growth.layers = layers
    return growth


# Units that are added without an output


def test_a_hidden_unit_alone_leaves_the_answers_as_they_are():
    task = task_of(*xor())
    layer = first_layer(task, Plan())
    right = np.where(task.answers.wrong(layer.codes, layer.output), -1.0, 1.0)
    target = ("right or wrong", right, np.ones(len(right), dtype=bool))
    longer = append_hidden(task, Plan(), layer, target)
    assert longer.hidden.shape == (2, 3)
    assert longer.output[-1] == 0
    np.testing.assert_array_equal(
        task.answers.wrong(longer.codes, longer.output), task.answers.wrong(layer.codes, layer.output)
    )
    assert longer.errors == layer.errors == task.answers.errors(longer.codes, longer.output)


@pytest.mark.parametrize("schedule", ["fast", "paper"])
def test_a_hidden_unit_and_then_an_output_are_what_netlines_appends(schedule):
    task, plan = task_of(*xor(60)), Plan(schedule=schedule)
    layer = first_layer(task, plan)
    right = np.where(task.answers.wrong(layer.codes, layer.output), -1.0, 1.0)
    target = ("right or wrong", right, np.ones(len(right), dtype=bool))
    hidden = append_hidden(task, plan, layer, target)
    both, at_once = train_output(task, plan, hidden), append_unit(task, plan, layer, target)
    np.testing.assert_array_equal(both.output, at_once.output)
    assert (both.errors, both.epochs, both.updates) == (at_once.errors, at_once.epochs, at_once.updates)
    assert both.epochs > hidden.epochs > 0
    assert both.errors < layer.errors


# The algorithm


@pytest.mark.parametrize("n", range(2, 9))
def test_parity_takes_a_unit_for_each_bit(n):
    X, y = make_parity(n)
    clf = MonoPlaneClassifier().fit(X, y)
    assert (clf.n_hidden_, clf.n_training_errors_) == (n, 0)
    np.testing.assert_array_equal(clf.predict(X), y)
    own = [record["unit_errors"] for record in clf.growth_trace_]
    assert own == sorted(set(own), reverse=True)
    assert own[-1] == 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("schedule", ["fast", "paper"])
@pytest.mark.parametrize("load", [lambda: load_monks(2, return_X_y=True), random_labels, xor])
def test_each_unit_learns_the_errors_of_the_one_before(load, schedule):
    task = task_of(*load())
    growth = watched(task, Plan(schedule=schedule))
    targets = replayed(task, growth)
    before = None
    for k, (record, target) in enumerate(zip(growth.trace, targets, strict=True)):
        if target is None:
            continue
        own = task.weights[growth.layer.codes[:, k] != target].sum()
        assert own == record["unit_errors"]
        if record["origin"] == "errors of the unit before":
            assert own < before
        elif record["origin"] == "right or wrong":
            assert own < growth.trace[k - 1]["errors"]
        before = own
    assert {record["origin"] for record in growth.trace[1:]} <= CHAIN | {STEP}
    assert growth.layer.errors == 0


@pytest.mark.parametrize(
    "load", [lambda: make_parity(5), *(lambda k=k: load_monks(k, return_X_y=True) for k in (1, 2, 3))]
)
def test_the_class_is_the_parity_of_the_states_once_a_unit_makes_no_errors(load):
    X, y = load()
    clf = MonoPlaneClassifier().fit(X, y)
    h = 1 + next(k for k, record in enumerate(clf.growth_trace_) if record["unit_errors"] == 0)
    assert h > 1
    assert all(record["origin"] in CHAIN for record in clf.growth_trace_[1:h])
    parity = clf.internal_representation(X)[:, :h].prod(axis=1)
    np.testing.assert_array_equal(parity > 0, y == clf.classes_[1])


def test_the_output_is_trained_only_where_a_chain_ends():
    task = task_of(*load_monks(2, return_X_y=True))
    growth = watched(task)
    starts = [k for k, record in enumerate(growth.trace) if record["origin"] == "right or wrong"]
    assert len(starts) > 1
    for k, (record, layer) in enumerate(zip(growth.trace, growth.layers, strict=True)):
        assert record["errors"] == layer.errors == task.answers.errors(layer.codes, layer.output)
        if k > 0 and k + 1 < len(growth.trace):
            ignored = growth.trace[k + 1]["origin"] == "errors of the unit before"
            assert (layer.output[-1] == 0) == ignored
            assert (record["errors"] == growth.trace[k - 1]["errors"]) == ignored
    assert growth.layer.errors == 0


LONG = [pytest.param(*case, marks=pytest.mark.paper) for case in ((3, 5, 30, 4), (6, 2, 30, 5))]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "seed", "p", "h"), [(3, 9, 30, 4), *LONG])
def test_the_paper_own_schedule_equals_the_reference(n, seed, p, h):
    X = np.random.default_rng(seed).standard_normal((p, n))
    targets = np.sign(X[:, :2].prod(axis=1))
    Z, mean, delta = reference.standardise(X)
    units, output = reference.monoplane(reference.with_constant(Z), targets, H_max=10)
    clf = MonoPlaneClassifier(schedule="paper").fit(X, targets)
    expected = np.array([reference.user_units(w, mean, delta) for w in units])
    assert len(expected) == h
    np.testing.assert_allclose(clf.network_.hidden_weights, expected, rtol=0, atol=1e-6)
    np.testing.assert_allclose(clf.network_.output_weights[0], output, rtol=0, atol=1e-6)


def test_a_separable_table_takes_a_single_unit():
    X, y = plane(noise=0.0)
    clf = MonoPlaneClassifier().fit(X, y)
    assert (clf.n_hidden_, clf.n_weights_, clf.n_training_errors_) == (1, 4, 0)
    assert_same_network(clf, NetLinesClassifier(refine=False).fit(X, y))


# It always ends


@pytest.mark.sample(3)
@pytest.mark.parametrize("schedule", ["fast", "paper"])
@pytest.mark.parametrize(("p", "n"), [(30, 1), (60, 2), (100, 10)])
def test_random_labels_are_learnt_without_errors(p, n, schedule):
    X, y = random_labels(p, n)
    clf = MonoPlaneClassifier(schedule=schedule).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), y)
    assert clf.stop_reason_ == "no training errors"


def test_a_stalled_chain_is_followed_by_the_sure_step():
    X = np.arange(12.0)[:, None]
    clf = MonoPlaneClassifier().fit(X, np.arange(12) % 2)
    assert clf.n_training_errors_ == 0
    assert STEP in {record["origin"] for record in clf.growth_trace_}


@examples(40)
@given(any_table(most=120))
def test_training_ends_with_exactly_the_unavoidable_errors_on_any_table(table):
    X, y = table
    clf = MonoPlaneClassifier().fit(X, y)
    least = unavoidable(X, y)
    assert (clf.predict(X) != y).sum() == clf.n_training_errors_ == least
    assert ("unavoidable" in clf.stop_reason_) == (least > 0)
    first = clf.growth_trace_[0]["errors"] - least
    assert clf.n_hidden_ <= 1 + first * (first + 5) / 2


def test_contradictory_rows_leave_exactly_the_unavoidable_errors():
    X, y = contradictory()
    clf = MonoPlaneClassifier().fit(X, y)
    assert clf.n_training_errors_ == unavoidable(X, y) > 0
    assert clf.growth_trace_[-1]["errors"] == clf.n_training_errors_
    assert clf.stop_reason_.startswith(f"only the {clf.n_training_errors_} unavoidable errors left")


@pytest.mark.parametrize("seed", range(4))
def test_each_unit_leaves_a_record(seed):
    clf = MonoPlaneClassifier().fit(*random_labels(seed=seed))
    assert [record["n_hidden"] for record in clf.growth_trace_] == list(range(1, clf.n_hidden_ + 1))
    assert all(record["epochs"] > 0 for record in clf.growth_trace_ if record["origin"] != STEP)
    errors = [record["errors"] for record in clf.growth_trace_]
    assert errors == sorted(errors, reverse=True)
    assert clf.n_epochs_ == sum(record["epochs"] for record in clf.growth_trace_)
    assert clf.n_updates_ > clf.n_epochs_ > 0


# Limits


@pytest.mark.parametrize("most", range(1, 8))
def test_max_hidden_ends_a_chain_with_a_trained_output(most):
    X, y = load_monks(2, return_X_y=True)
    clf, free = MonoPlaneClassifier(max_hidden=most).fit(X, y), MonoPlaneClassifier().fit(X, y)
    assert clf.n_hidden_ == most
    np.testing.assert_array_equal(clf.network_.hidden_weights, free.network_.hidden_weights[:most])
    assert clf.network_.output_weights[0, -1] != 0
    assert clf.growth_trace_[-1]["errors"] == clf.n_training_errors_
    if most < free.n_hidden_:
        left = clf.n_training_errors_
        assert 0 < left <= clf.growth_trace_[0]["errors"]
        assert clf.stop_reason_ == f"max_hidden={most} reached: {left} training errors left"


@pytest.mark.parametrize("most", [2, 3, 4, 5, 6])
def test_max_hidden_holds_where_chains_stall(most):
    X = np.random.default_rng(0).permutation(40)[:, None]
    clf = MonoPlaneClassifier(max_hidden=most).fit(X, X[:, 0] % 2)
    assert clf.n_hidden_ <= most
    assert f"max_hidden={most}" in clf.stop_reason_


@pytest.mark.parametrize("accepted", [0, 2, 10, 60])
def test_growth_ends_at_the_errors_accepted(accepted):
    growth = grow_monoplane(task_of(*random_labels()), Plan(max_errors=accepted))
    *before, last = [record["errors"] for record in growth.trace]
    assert growth.layer.errors == last <= accepted
    assert all(errors > accepted for errors in before if errors != last)


@pytest.mark.parametrize("accepted", [6, 0.1])
def test_accepted_errors_are_a_count_or_a_share(accepted):
    X, y = random_labels()
    clf = MonoPlaneClassifier(max_errors=accepted).fit(X, y)
    left = clf.n_training_errors_
    assert 0 < left <= 6
    assert clf.stop_reason_ == f"max_errors={accepted} reached: {left} training errors left"
    assert clf.n_hidden_ < MonoPlaneClassifier().fit(X, y).n_hidden_


# Weights


def test_a_row_of_weight_two_counts_as_two_rows():
    X, y = plane()
    times = np.random.default_rng(3).integers(0, 3, len(y))
    weighted = MonoPlaneClassifier().fit(X, y, sample_weight=times)
    assert_same_network(weighted, MonoPlaneClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times)))


def test_weighted_rows_are_learnt_without_errors():
    X, y = random_labels()
    weights = np.random.default_rng(1).uniform(0.1, 3.0, len(y))
    clf = MonoPlaneClassifier(class_weight={0: 2.0, 1: 0.5}).fit(X, y, sample_weight=weights)
    assert clf.n_training_errors_ == 0
    by_row = MonoPlaneClassifier().fit(X, y, sample_weight=weights * np.where(y == 1, 0.5, 2.0))
    assert_same_network(clf, by_row)


def test_a_class_of_negligible_weight_is_not_learnt():
    X, y = random_labels()
    clf = MonoPlaneClassifier().fit(X, y, sample_weight=np.where(y == 1, 1e-12, 1.0))
    assert clf.growth_trace_[0]["origin"] == OUTWEIGHED
    assert (clf.predict(X) == 0).all()


# What users get


def test_it_is_found_under_both_names():
    assert netlines.MonoPlaneClassifier is netlines.family.MonoPlaneClassifier is MonoPlaneClassifier
    assert "MonoPlaneClassifier" in netlines.__all__


def test_its_parameters_are_those_of_netlines_without_refinement():
    ours, theirs = (inspect.signature(kind).parameters for kind in (MonoPlaneClassifier, NetLinesClassifier))
    assert [*ours.values()] == [value for name, value in theirs.items() if name != "refine"]


def test_labels_may_be_texts_and_columns_may_have_names():
    X, y = load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)
    clf = MonoPlaneClassifier().fit(X, y)
    np.testing.assert_array_equal(clf.classes_, np.unique(y))
    assert clf.predict(X).dtype.kind == np.asarray(y).dtype.kind
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() == unavoidable(X.to_numpy(), y.to_numpy())
    assert clf.network_.feature_names == tuple(X.columns)
    texts = np.array(["left", "right"])[xor()[1]]
    clf = MonoPlaneClassifier().fit(xor()[0], texts)
    np.testing.assert_array_equal(clf.predict(xor()[0]), texts)


@pytest.mark.parametrize("load", [random_labels, lambda: load_iris(return_X_y=True)])
def test_threads_give_the_same_network_bit_for_bit(load):
    X, y = load()
    alone, together = (MonoPlaneClassifier(n_jobs=n).fit(X, y) for n in (1, 3))
    for a, b in zip(alone.networks_, together.networks_, strict=True):
        np.testing.assert_array_equal(a.network.hidden_weights, b.network.hidden_weights)
        np.testing.assert_array_equal(a.network.output_weights, b.network.output_weights)
    assert together.growth_trace_ == alone.growth_trace_
    assert together.n_updates_ == alone.n_updates_


def test_the_order_of_the_rows_does_not_matter():
    X, y = random_labels()
    order = np.random.default_rng(2).permutation(len(y))
    assert_same_network(MonoPlaneClassifier().fit(X[order], y[order]), MonoPlaneClassifier().fit(X, y))


@pytest.mark.parametrize("scheme", ["vote", "tree", "wta", "pairs"])
def test_many_classes_are_learnt_by_several_networks(scheme):
    X, y = load_iris(return_X_y=True)
    clf = MonoPlaneClassifier(multiclass=scheme).fit(X, y)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() == 0
    assert clf.stop_reason_ == "no training errors"
    assert clf.n_hidden_ == sum(part.network.n_hidden for part in clf.networks_) == len(clf.growth_trace_)
    assert {record["network"] for record in clf.growth_trace_} == set(range(len(clf.networks_)))


def test_a_shared_layer_is_refused():
    with pytest.raises(ValueError, match=r"'multiclass' parameter of MonoPlaneClassifier .* Got 'shared'"):
        MonoPlaneClassifier(multiclass="shared").fit(*load_iris(return_X_y=True))


def test_probabilities_are_calibrated():
    X, y = plane()
    clf = MonoPlaneClassifier(max_hidden=2, probability=True).fit(X, y)
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[p.argmax(axis=1)])


def test_a_pickle_and_a_clone_are_the_same():
    X, y = random_labels()
    clf = MonoPlaneClassifier(random_state=3).fit(X, y)
    assert_same_network(pickle.loads(pickle.dumps(clf)), clf)
    assert_same_network(clone(clf).fit(X, y), clf)


def test_the_states_of_the_units_decide_the_class():
    X, y = random_labels()
    clf = MonoPlaneClassifier().fit(X, y)
    codes, output = clf.internal_representation(X), clf.network_.output_weights[0]
    weights = clf.network_.hidden_weights
    np.testing.assert_array_equal(codes, sign(weights[:, 0] + X @ weights[:, 1:].T))
    np.testing.assert_array_equal(clf.predict(X), (output[0] + codes @ output[1:] >= 0).astype(int))


# Callbacks


@pytest.mark.parametrize("load", [random_labels, lambda: load_monks(2, return_X_y=True)])
def test_callbacks_get_a_network_that_predicts(load):
    X, y = load()
    recorder = Recorder()
    clf = MonoPlaneClassifier().set_callbacks(recorder).fit(X, y)
    errors = [(fitted.predict(X) != y).sum() for fitted in recorder.fitted]
    assert errors == [record["errors"] for record in clf.growth_trace_]
    assert recorder.events.count(("end", "hidden unit")) == recorder.events.count(("begin", "hidden unit"))
    assert_same_network(clf, MonoPlaneClassifier().fit(X, y))


@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_callback_can_stop_a_chain(last):
    X, y = load_pima_diabetes(return_X_y=True)
    clf = MonoPlaneClassifier().set_callbacks(Recorder(lambda unit, fitted: unit == last)).fit(X, y)
    assert clf.n_hidden_ == last
    assert clf.stop_reason_ == f"stopped by a callback: {clf.n_training_errors_} training errors left"
    assert clf.growth_trace_[-1]["errors"] == clf.n_training_errors_
    assert_same_network(clf, MonoPlaneClassifier(max_hidden=last).fit(X, y))


@pytest.mark.parametrize("limit", [None, 2])
def test_the_progress_bar_is_drawn(limit, capsys):
    MonoPlaneClassifier(max_hidden=limit).set_callbacks(ProgressBar()).fit(*plane())
    drawn = capsys.readouterr().out
    assert "MonoPlaneClassifier - fit" in drawn
    assert "100%" in drawn
