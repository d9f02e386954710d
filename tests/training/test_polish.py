"""The choice among networks with the same errors: never worse on the patterns, nearer to a smooth teacher."""

from functools import partial

import numpy as np
import pytest

from netlines import NetLinesClassifier
from netlines.datasets import make_parity, make_waveform
from netlines.network.network import sign
from netlines.training import polish as module
from netlines.training.growth import Plan, grow
from netlines.training.patterns import condense
from netlines.training.polish import Lessons, polish
from netlines.training.refine import JOINT, joint_random
from netlines.training.task import Layer, Task
from netlines.training.threads import in_order


def task_of(X, y, weights=None):
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    return Task.of(condense(X, np.asarray(y) > 0, weights), X)


def wave_task(seed=0, label=0, p=300):
    X, y = make_waveform(p, random_state=seed)
    return task_of(X, y == label)


def grown(task, monkeypatch, **options):
    """Return the network that growth hands over to be polished."""
    with monkeypatch.context() as patch:
        patch.setattr("netlines.training.growth.polish", lambda task, layer, **_: layer)
        return grow(task, Plan(**options)).layer


def assert_consistent(task, layer):
    np.testing.assert_array_equal(layer.codes, task.codes(layer.hidden))
    assert layer.errors == task.weights[task.answers.wrong(layer.codes, layer.output)].sum()


def test_error(task, layer, X, y):
    weights = layer.user_weights(task)
    states = sign(weights[:, 0] + X @ weights[:, 1:].T)
    return np.mean((layer.output[0] + states @ layer.output[1:] >= 0) != y)


test_error.__test__ = False


@pytest.mark.parametrize("seed", range(3))
def test_a_polished_network_errs_no_more_on_the_patterns_and_has_at_most_one_unit_more(seed, monkeypatch):
    task = wave_task(seed, p=150)
    layer = grown(task, monkeypatch)
    better = polish(task, layer, most=np.inf, seed=0)
    assert_consistent(task, better)
    assert better.errors <= layer.errors
    assert len(better.hidden) - len(layer.hidden) in (0, 1)
    np.testing.assert_allclose((better.hidden**2).sum(axis=1), 1.0)


@pytest.mark.slow
def test_new_rows_of_noisy_classes_are_answered_better(monkeypatch):
    X, y = make_waveform(5000, random_state=1000)
    before, after = [], []
    for seed in range(3):
        for label in range(3):
            task = wave_task(seed, label)
            layer = grown(task, monkeypatch)
            before.append(test_error(task, layer, X, y == label))
            after.append(test_error(task, polish(task, layer, most=np.inf, seed=0), X, y == label))
    assert np.mean(after) < np.mean(before) - 0.012


def test_a_unit_alone_stays_alone_and_answers_new_rows_better(monkeypatch):
    X, y = make_waveform(5000, random_state=1000)
    before, after = [], []
    for seed in range(8):
        rows, labels = make_waveform(200, random_state=seed)
        task = task_of(rows[labels != 0], labels[labels != 0] == 1)
        layer = grown(task, monkeypatch)
        if len(layer.hidden) > 1:
            continue
        better = polish(task, layer, most=1, seed=0)
        assert better.hidden.shape == layer.hidden.shape
        np.testing.assert_array_equal(better.output, [0.0, 1.0])
        np.testing.assert_array_equal(better.codes[:, 0], task.answers.targets)
        before.append(test_error(task, layer, X[y != 0], y[y != 0] == 1))
        after.append(test_error(task, better, X[y != 0], y[y != 0] == 1))
    assert len(before) >= 3
    assert np.mean(after) < np.mean(before) - 0.005


@pytest.mark.slow
def test_the_largest_size_is_respected(monkeypatch):
    tasks = [wave_task(seed, label) for seed in range(2) for label in range(3)]
    layers = [grown(task, monkeypatch) for task in tasks]
    more = 0
    for task, layer in zip(tasks, layers, strict=True):
        size = len(layer.hidden)
        assert len(polish(task, layer, most=size, seed=0).hidden) == size
        more += len(polish(task, layer, most=size + 1, seed=0).hidden) - size
    assert more > 0  # else nothing was tested above


@pytest.mark.slow
def test_a_limit_of_the_classifier_is_respected():
    for seed in range(3):
        X, y = make_waveform(300, random_state=seed)
        clf = NetLinesClassifier().fit(X, y == 0)
        least = NetLinesClassifier(max_hidden=clf.n_hidden_ - 1).fit(X, y == 0)
        assert least.n_hidden_ <= clf.n_hidden_ - 1
        assert [record["n_hidden"] for record in clf.growth_trace_] == list(range(1, clf.n_hidden_ + 1))
        assert clf.growth_trace_[-1]["errors"] == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("n", [2, 4, 6, 7])
def test_a_size_that_annealing_reaches_is_kept(n):
    X, y = make_parity(n)
    shuffled = np.random.default_rng(n).permutation(n)
    for rows in (X, 10.0 * X[:, shuffled] - 3.0):
        assert NetLinesClassifier().fit(rows, y).n_hidden_ == n


@pytest.mark.parametrize("accepted", [3, 12])
def test_accepted_errors_do_not_grow(accepted, monkeypatch):
    task = wave_task(1)
    layer = grown(task, monkeypatch, max_errors=accepted)
    assert 0 < layer.errors <= accepted
    assert polish(task, layer, most=np.inf, seed=0).errors <= layer.errors


def test_contradictory_rows_stay_at_the_minimum():
    X, y = make_waveform(120, random_state=0)
    X, y = np.vstack([X, X[:7]]), np.append(y == 0, y[:7] != 0)
    assert NetLinesClassifier().fit(X, y).n_training_errors_ == 7


@pytest.mark.parametrize("n_threads", [2, 5])
def test_threads_change_nothing(n_threads, monkeypatch):
    task = wave_task(p=150)
    layer = grown(task, monkeypatch)
    alone = polish(task, layer, most=np.inf, seed=0)
    together = polish(task, layer, most=np.inf, seed=0, run=partial(in_order, n_threads=n_threads))
    np.testing.assert_array_equal(together.hidden, alone.hidden)
    np.testing.assert_array_equal(together.output, alone.output)
    assert (together.epochs, together.updates) == (alone.epochs, alone.updates)


def test_points_depend_neither_on_the_order_of_the_rows_nor_on_their_units():
    X, y = make_waveform(80, random_state=3)
    order = np.random.default_rng(0).permutation(80)
    scale, shift = 2.0 ** np.arange(-10, 11), np.linspace(-5, 5, 21)
    plain = module._lessons(task_of(X, y == 0), 0, map)
    other = module._lessons(task_of((X * scale + shift)[order], y[order] == 0), 0, map)
    np.testing.assert_allclose(other.X[:, 80:], plain.X[:, 80:], atol=1e-6)
    np.testing.assert_allclose(other.exam, plain.exam, atol=1e-6)
    assert np.mean(other.answers == plain.answers) > 0.99


def test_a_heavier_pattern_is_like_a_repeated_one(monkeypatch):
    X, y = make_waveform(90, random_state=5)
    times = np.random.default_rng(1).integers(1, 4, 90)
    weighted = task_of(X, y == 1, times)
    repeated = task_of(np.repeat(X, times, axis=0), np.repeat(y, times) == 1)
    one, two = (polish(task, grown(task, monkeypatch), most=np.inf, seed=0) for task in (weighted, repeated))
    np.testing.assert_array_equal(one.hidden, two.hidden)


def test_disagreement_is_the_weight_of_the_points_answered_differently():
    nothing = np.empty(0)
    exam = np.array([[1.0, 1.0, 1.0], [-2.0, 0.5, 3.0]])
    answers, gap = np.array([-1.0, -1.0, 1.0]), np.array([0.5, 0.3, 0.2])
    lessons = Lessons(exam, nothing, nothing, nothing, exam, answers, gap, 0.0, 0, 0)
    hidden, output = np.array([[0.0, 1.0]]), np.array([0.0, 1.0])
    layer = Layer(hidden, output, np.ones((3, 1)), 0.0, "given")
    assert lessons.disagreement(layer) == pytest.approx(0.3)
    assert lessons.disagreement(Layer(-hidden, output, np.ones((3, 1)), 0.0, "given")) == pytest.approx(0.7)


def test_the_teacher_learns_the_patterns():
    task = wave_task()
    lessons = module._lessons(task, 0, map)
    assert lessons.errors == 0
    np.testing.assert_allclose([lessons.real.sum(), lessons.made.sum(), lessons.gap.sum()], 1.0)
    assert (lessons.gap >= 0).all()
    assert lessons.epochs > 0
    assert lessons.exam.shape == (22, module.TUNED.exam)
    np.testing.assert_array_equal(lessons.X[:, :300], task.X)


def test_mending_lowers_the_errors_of_a_student():
    task = wave_task()
    lessons = module._lessons(task, 0, map)
    better = []
    for seed in range(6):
        student = joint_random(task, 3, np.random.default_rng(seed), JOINT._replace(steps=5))
        mended = module._mended(task, lessons, student, np.random.default_rng(seed))
        assert_consistent(task, mended)
        better.append(student.errors - mended.errors)
    assert np.mean(better) > 3


def test_the_effort_of_everything_tried_is_counted(monkeypatch):
    task = wave_task(p=120)
    layer = grown(task, monkeypatch)
    counted = polish(task, layer, most=len(layer.hidden), seed=0)
    assert counted.epochs > module.TUNED.teachers * 3 + module.TUNED.starts[0] * 4
    assert counted.updates > counted.epochs


def test_large_tasks_are_only_annealed(monkeypatch):
    task = wave_task()
    layer = grown(task, monkeypatch)
    monkeypatch.setattr(module, "TUNED", module.TUNED._replace(most_work=task.X.size))
    monkeypatch.setattr(module, "_lessons", lambda *_: pytest.fail("too much work"))
    same = polish(task, layer, most=np.inf, seed=0)
    assert same.errors <= layer.errors
    assert len(same.hidden) == len(layer.hidden)


def test_the_algorithm_of_the_paper_is_not_polished(monkeypatch):
    monkeypatch.setattr("netlines.training.growth.polish", lambda *_, **__: pytest.fail("polished"))
    X, y = make_waveform(60, random_state=0)
    NetLinesClassifier(refine=False).fit(X, y == 0)
