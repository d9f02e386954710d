"""The choice for many classes: the judge by hand, and what is chosen on known tables."""

from dataclasses import replace

import numpy as np
import pytest
from class_data import class_data_of, class_patterns_of, contradictory_classes, held_out_examples, rays
from class_tables import blobs
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.probability import softmax
from netlines.selection import course, fit, many_rows, students
from netlines.selection import units as units_module
from netlines.selection.candidate import Candidate
from netlines.selection.choice import SLACK, Slack, choose, within
from netlines.selection.folds import Examples, Fold, folds_of_rows
from netlines.selection.judge import Judge, scores
from netlines.selection.many_rows import choose_directly
from netlines.selection.teachers.classifier import fit_classifier
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.terms import Terms
from netlines.selection.units import Scheme, UnitsCandidate, all_units, best_units
from netlines.training.cases import Cases
from netlines.training.sequences import separable_order


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Teach with few synthetic points, and in few steps."""
    both = students.SCHEDULES.two, replace(students.SCHEDULES.more, synthetic=1200, steps=600, batch=128)
    for module in (students, course):
        monkeypatch.setattr(module, "SCHEDULES", Cases(*both))
    less = replace(course.LESS_EFFORT.more, changes={"starts": 1, "steps": 600, "batch": 128})
    monkeypatch.setattr(course, "LESS_EFFORT", Cases(course.LESS_EFFORT.two, less))
    monkeypatch.setattr("netlines.selection.students.FRESH", 800)


def fold_of(targets, weights):
    examples = Examples(np.arange(len(targets)), np.array(targets), np.array(weights, dtype=float))
    return Fold(examples, examples)


def candidate(*held_out, kind=Candidate, **more):
    return kind("some", 1, 3, [np.array(p, dtype=float) for p in held_out], **more)


# The judge

TWO = Judge([fold_of([0, 2], [1, 3]), fold_of([1, 1], [2, 2])])
ONE = candidate([[0.5, 0.3, 0.2], [0.1, 0.5, 0.4]], [[0.2, 0.7, 0.1], [0.6, 0.4, 0.0]])


def test_errors_and_losses_worked_by_hand():
    np.testing.assert_array_equal(TWO.errors(ONE), [0, 1, 0, 1])
    np.testing.assert_allclose(TWO.losses(ONE), -np.log([0.5, 0.4, 0.7, 0.4]))
    assert TWO.mean(TWO.errors(ONE)) == pytest.approx(5 / 8)
    assert TWO.words(ONE) == "error 62.5 %"


def test_a_lag_is_paired():
    other = candidate([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]], [[0.7, 0.2, 0.1], [0.6, 0.4, 0.0]])
    lag, se = TWO.lag(ONE, other)
    assert lag == pytest.approx(3 / 8 - 2 / 8)
    differences = np.array([0, 1, -1, 0])
    share = np.array([1, 3, 2, 2]) / 8
    assert se == pytest.approx(np.sqrt(share @ (differences - lag) ** 2 / TWO.rows))


@pytest.mark.parametrize("judge", [TWO, Judge([fold_of([1, 0], [1, 3])])], ids=["classes", "two"])
def test_what_was_not_asked_is_not_known(judge):
    silent = Candidate("silent", 5, 30, [], 0.9)
    known = ONE if judge is TWO else candidate([[0.8, 0.2], [0.6, 0.4]])
    table = judge.table([known, silent], known)
    for name in ("error", "error_se", "log_loss", "log_loss_se"):
        assert np.isfinite(table[name][0])
        assert np.isnan(table[name][1])
    np.testing.assert_array_equal(table["n_hidden"], [1, 5])
    np.testing.assert_array_equal(table["fidelity"], [np.nan, 0.9])
    np.testing.assert_array_equal(table["chosen"], [True, False])


# Scores


def said_about(data, seed=0):
    """Return random probabilities for the examples held out."""
    rng = np.random.default_rng(seed)
    return [softmax(rng.standard_normal((len(fold.test.pattern), len(data.classes)))) for fold in data.folds]


def test_scores_leave_each_fold_out_in_turn():
    weights = np.linspace(0.5, 2, 60)
    data = class_data_of(*contradictory_classes(), weights, classes=("a", "b", "c"))
    held_out = said_about(data)
    for scoring, metric in (
        ("neg_log_loss", lambda y, p, w: -log_loss(y, p, sample_weight=w)),
        ("accuracy", lambda y, p, w: accuracy_score(y, data.classes[p.argmax(axis=1)], sample_weight=w)),
    ):
        found = scores(data, scoring)(held_out)
        for k in range(3):
            rest = [i for i in range(3) if i != k]
            y = data.classes[np.concatenate([data.folds[i].test.labels for i in rest])]
            w = np.concatenate([data.folds[i].test.weights for i in rest])
            assert found[k] == pytest.approx(metric(y, np.concatenate([held_out[i] for i in rest]), w))


def test_a_score_by_the_answers_is_that_of_the_errors():
    data = class_data_of(*rays(p=60))
    one = Candidate("some", 1, 3, said_about(data))
    judge = Judge(data.folds, scores(data, "accuracy"))
    assert judge.mean_score(one) == pytest.approx(1 - judge.mean(judge.errors(one)), abs=1e-9)
    assert judge.words(one) == f"score {judge.mean_score(one):.4g}"
    assert judge.table([one], one)["score"][0] == judge.mean_score(one)


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc_ovr", "balanced_accuracy"])
def test_a_class_that_is_tested_in_one_fold_alone_has_a_score(scoring):
    X, y = rays(p=40, n_classes=2)
    y[7] = 2
    data = class_data_of(X, y)
    assert np.isfinite(scores(data, scoring)(said_about(data))).all()


def test_a_single_fold_has_a_score():
    data = class_data_of(*rays(p=60))
    one = replace(data, folds=data.folds[:1])
    held_out = said_about(one)
    (found,) = scores(one, "neg_log_loss")(held_out)
    assert found == pytest.approx(-log_loss(one.folds[0].test.labels, held_out[0]))


# Units


def test_other_units_have_to_beat_the_regression_beyond_chance():
    n = 100
    judge = Judge([fold_of([0] * n, [1] * n)])

    def units(first, last):
        rows = np.arange(n)[:, None]
        p = np.where((first <= rows) & (rows < last), [[0.3, 0.4, 0.3]], [[0.6, 0.2, 0.2]])
        return candidate(p, kind=UnitsCandidate, scheme=Scheme.pairs(3))

    linear, little, much = units(0, 20), units(5, 24), units(15, 20)
    assert best_units(judge, [little, linear]) is linear
    assert best_units(judge, [little, much, linear]) is much
    assert best_units(judge, [units(0, 20), units(0, 30), linear]) is linear
    assert best_units(judge, [linear]) is linear


def test_by_a_score_the_best_units_are_taken():
    judge = Judge([fold_of([0, 1, 2], [1] * 3)], lambda held_out: np.array([held_out[0][0, 0]]))
    linear, other = (candidate([[p, 0.1, 0.1]] * 3, kind=UnitsCandidate) for p in (0.8, 0.81))
    assert best_units(judge, [other, linear]) is other
    assert best_units(judge, [linear, other]) is other


def test_of_too_many_classes_there_are_no_units_in_pairs(monkeypatch):
    data = class_data_of(*rays(p=40, n_classes=4), n_folds=2)
    linear, order = fit_linear(data), separable_order(*rays(p=40, n_classes=4), np.ones(40))
    both = all_units(data, linear)
    assert {one.scheme.name for one in both[:-1]} == {"tree", "pairs"}
    assert {one.scheme.order for one in both if one.scheme.name == "tree"} == {order}
    monkeypatch.setattr(units_module, "MOST_PAIRS", 5)
    few = all_units(data, linear)
    assert {one.scheme.name for one in few[:-1]} == {"tree"}
    assert "multinomial" in few[-1].name


# Choices


def chosen_of(data, prefer="balanced", teacher=fit_kernel, max_hidden=6, **more):
    linear, judge = fit_linear(data), Judge(data.folds)
    terms = Terms(prefer, max_hidden, **more)
    own = None if teacher is None else teacher(data)
    return choose(data, linear, own, judge, terms), judge


def test_rays_take_units():
    found, judge = chosen_of(class_data_of(*rays(p=90)))
    assert isinstance(found.chosen, UnitsCandidate)
    assert found.student is None
    assert found.chosen in found.candidates
    assert (found.candidates[-1].name, found.candidates[-1].role) == ("kernel", "reference")
    assert judge.words(found.chosen) in found.reason


def test_clouds_take_a_layer_that_is_far_better_than_units():
    data = class_data_of(*blobs(p=120))
    found, judge = chosen_of(data)
    assert found.student is not None
    assert found.chosen in found.candidates
    assert found.chosen.fidelity == found.student.fidelity
    assert found.chosen.n_hidden == found.student.size
    units = [one for one in found.candidates if isinstance(one, UnitsCandidate)]
    error = judge.mean(judge.errors(found.chosen))
    assert error < 0.5 * min(judge.mean(judge.errors(one)) for one in units)
    assert (found.student.answers(data.X)[data.all.pattern] == data.all.labels).mean() > 0.9
    np.testing.assert_allclose(found.calibration.training_priors, np.bincount(data.all.labels) / 120)
    layers = [one for one in found.candidates if one.role == "network"]
    assert len(layers) > 1
    assert all(one.held_out and one.fidelity > 0.5 for one in layers)


@pytest.mark.sample(1)
@pytest.mark.parametrize("prefer", SLACK)
def test_the_smallest_candidate_that_errs_little_more_than_the_best_is_taken(prefer):
    data = class_data_of(*blobs(p=120))
    found, judge = chosen_of(data, prefer)
    pool = [one for one in found.candidates if one.role != "reference"]
    best = min(pool, key=judge.loss)
    close = [one for one in pool if within(judge, one, best, SLACK[prefer])]
    assert found.chosen.n_weights <= min(one.n_weights for one in close)
    assert f"held-out {judge.words(found.chosen)}" in found.reason
    assert (f"the best of {len(pool)}" in found.reason) == (found.chosen is best)
    if found.chosen is not best:
        assert f"a {best.name} ({judge.words(best)})" in found.reason
    assert f"of {len(pool)} candidates" in found.reason


@pytest.mark.slow
def test_the_fewer_the_units_the_more_small_is_preferred():
    X, y = blobs(p=100, spread=0.8)
    data = class_data_of(X, y)
    sizes = []
    for prefer in ("small", "balanced", "accurate"):
        found, _ = chosen_of(data, prefer)
        sizes.append(0 if found.student is None else found.student.size)
    assert sizes == sorted(sizes)


def test_without_a_teacher_there_are_only_units():
    found, judge = chosen_of(class_data_of(*blobs(p=90)), teacher=None)
    assert found.student is None
    assert all(isinstance(one, UnitsCandidate) for one in found.candidates)
    assert found.reason.startswith(f"held-out {judge.words(found.chosen)}")


def test_only_a_shared_layer_may_be_wanted():
    found, _ = chosen_of(class_data_of(*rays(p=60)), only_shared=True, max_hidden=3)
    assert found.student is not None
    assert not any(isinstance(one, UnitsCandidate) for one in found.candidates)
    assert found.student.size <= 3


def test_how_much_more_a_smaller_candidate_may_err():
    n = 100
    judge = Judge([fold_of([0] * n, [1] * n)])

    def wrong(errors):
        return candidate(np.where(np.arange(n)[:, None] < errors, [[0.3, 0.7, 0.0]], [[0.7, 0.3, 0.0]]))

    one, wide = Slack(1.0, 1.0, ""), Slack(3.0, 0.02, "")  # 1 of 100 has the standard error 0.995 of 100
    assert within(judge, wrong(10), wrong(10), one)
    assert not within(judge, wrong(11), wrong(10), one)
    assert within(judge, wrong(12), wrong(10), wide)
    assert not within(judge, wrong(13), wrong(10), wide)
    assert within(judge, wrong(11), wrong(10), Slack(2.0, 0.0, ""))  # one row
    assert not within(judge, wrong(12), wrong(10), Slack(2.0, 0.0, ""))
    assert within(judge, wrong(10), wrong(10), SLACK["accurate"])
    assert not within(judge, wrong(11), wrong(10), SLACK["accurate"])


# Many rows


def one_fold(*table, **more):
    data = class_data_of(*table, **more)
    return replace(data, folds=data.folds[:1])


def directly(data, prefer="balanced", max_hidden=8, **more):
    judge = Judge(data.folds)
    linear = fit_linear(data)
    return choose_directly(data, linear, judge, Terms(prefer, max_hidden, **more)), judge


def test_many_rows_are_learnt_from_their_labels():
    data = one_fold(*blobs(p=400))
    found, judge = directly(data)
    assert found.student is not None
    assert judge.mean(judge.errors(found.chosen)) < 0.1
    assert "held-out" in found.reason
    assert "multinomial" in found.candidates[0].name  # the only units
    np.testing.assert_array_equal(
        np.concatenate(found.chosen.held_out).argmax(axis=1),
        found.student.answers(data.X[:, data.folds[0].test.pattern]),
    )


def test_many_rows_of_rays_take_units():
    found, _ = directly(one_fold(*rays(p=300)))
    assert isinstance(found.chosen, UnitsCandidate)
    assert found.student is None
    assert "hardly worse than a network of" in found.reason


def test_many_rows_may_want_a_shared_layer_alone():
    found, _ = directly(one_fold(*rays(p=200)), only_shared=True, max_hidden=3)
    assert found.student is not None
    assert not any(isinstance(one, UnitsCandidate) for one in found.candidates)


def test_sizes_end_when_they_do_not_get_better(monkeypatch):
    found, judge = directly(one_fold(*rays(p=200, noise=1.0)), only_shared=True, max_hidden=100)
    errors = [judge.mean(judge.errors(one)) for one in found.candidates]
    sizes = [one.size for one in found.students]
    assert sizes == list(students.SCHEDULES.more.sizes[: len(sizes)])
    assert len(errors) == int(np.argmin(errors)) + 1 + 2
    assert len(errors) < len(students.SCHEDULES.more.sizes)


# All of it


def fitted(X, y, weights=None, stages=None, **more):
    weights = np.ones(len(y)) if weights is None else weights
    report = (lambda stage: None) if stages is None else stages.append
    terms = Terms(**{"max_hidden": 4, "teacher": None, "cv": 3, "report": report, **more})
    return fit.fit(X, y, weights, np.arange(y.max() + 1), None, terms)


def test_everything_that_is_known_about_the_choice_is_told():
    X, y = blobs(p=90)
    stages = []
    found = fitted(X, y, teacher=KNeighborsClassifier(), stages=stages)
    assert isinstance(found.network, Network)
    assert isinstance(found.teacher, KNeighborsClassifier)
    teacher = "fitting KNeighborsClassifier to learn from (1 of 4)"
    assert stages[:2] == ["fitting a logistic regression", teacher]
    assert "testing networks of 2 hyperplanes on held-out rows (fold 1 of 3)" in stages
    assert found.results["chosen"].sum() == 1
    assert found.chosen.startswith(found.results["candidate"][found.results["chosen"]][0])
    assert found.n_weights == found.network.n_weights
    assert found.n_updates > found.n_epochs > 0


def test_without_a_teacher_units_are_assembled():
    found = fitted(*rays())
    assert isinstance(found.network, Networks)
    assert found.teacher is None


def test_the_error_of_the_teacher_is_that_of_the_splits():
    X, y = blobs(p=90)
    splits = list(KFold(4, shuffle=True, random_state=0).split(X))
    found = fitted(X, y, teacher=KNeighborsClassifier(), cv=splits)
    wrong = sum((KNeighborsClassifier().fit(X[a], y[a]).predict(X[b]) != y[b]).sum() for a, b in splits)
    (row,) = np.flatnonzero(found.results["candidate"] == "KNeighborsClassifier")
    assert found.results["error"][row] == pytest.approx(wrong / 90)


def test_a_fold_that_trains_on_one_class_is_named():
    X, y = rays(p=30)
    order = np.argsort(y, kind="stable")
    alone = [(np.arange(5), np.arange(5, 30)), (np.arange(5, 30), np.arange(5))]
    with pytest.raises(ValueError, match=r"(?s)cv=.*fold 0 .* one class only.* several classes"):
        fitted(X[order], y[order], cv=alone)
    with pytest.raises(ValueError, match=r"cv=.*no folds"):
        fitted(X, y, cv=[])


def test_without_folds_a_logistic_regression_is_taken():
    found = fitted(np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 2]), cv=2)
    assert len(found.results["chosen"]) == 1
    assert "too few rows" in found.chosen
    assert np.isnan(found.results["error"][0])
    assert np.isfinite(found.results["n_weights"][0])
    np.testing.assert_array_equal(found.network.predict(np.array([[-9.0], [9.0]])), [0, 2])


@pytest.mark.parametrize("scoring", ["neg_log_loss", "accuracy"])
@pytest.mark.parametrize("only_shared", [False, True])
def test_scores_are_told_of_every_candidate(scoring, only_shared):
    found = fitted(*rays(p=60), scoring=scoring, only_shared=only_shared, max_hidden=2)
    assert np.isfinite(found.results["score"]).all()
    assert "score" in found.chosen
    if scoring == "accuracy" and only_shared:
        np.testing.assert_allclose(found.results["score"], 1 - found.results["error"])


def test_without_a_teacher_many_rows_have_only_units_too(monkeypatch):
    monkeypatch.setattr(many_rows, "MANY", 50)
    found = fitted(*blobs(p=90))
    assert isinstance(found.network, Networks)
    assert set(found.results["role"]) == {"single"}
    assert (found.n_epochs, found.growth_trace) == (0, ())


@pytest.mark.slow
def test_many_rows_are_judged_by_one_fold(monkeypatch):
    monkeypatch.setattr(many_rows, "MANY", 50)
    X, y = blobs(p=90)
    seen = []
    monkeypatch.setattr(fit, "fit_linear", lambda data: seen.append(len(data.folds)) or fit_linear(data))
    found = fitted(X, y, teacher="auto", max_hidden=6)
    assert seen == [1]
    assert found.teacher is None
    assert (found.network.predict(X) == y).mean() > 0.9
    own = fitted(X, y, teacher=KNeighborsClassifier())
    assert seen == [1, 3]  # a teacher of the user is used all the same
    assert own.teacher is not None


@pytest.mark.slow
def test_threads_give_the_same():
    X, y = blobs(p=80)
    plain, threads = (fitted(X, y, teacher=KNeighborsClassifier(), n_threads=n) for n in (1, 2))
    np.testing.assert_array_equal(plain.network.hidden_weights, threads.network.hidden_weights)
    np.testing.assert_array_equal(plain.network.calibration.slopes, threads.network.calibration.slopes)
    np.testing.assert_array_equal(plain.results["error"], threads.results["error"])


def test_the_weights_of_rows_reach_folds_and_teacher():
    X, y = contradictory_classes()
    weights = np.linspace(0.5, 2, 60)
    splits = list(KFold(3, shuffle=True, random_state=0).split(X))
    data = class_data_of(
        X,
        y,
        weights,
        folds=lambda patterns: folds_of_rows(patterns, splits, y, weights),
    )
    teacher = fit_classifier(data, KNeighborsClassifier())
    targets, w = held_out_examples(data)
    errors = np.concatenate(teacher.held_out).argmax(axis=1) != targets
    found = fitted(X, y, weights, teacher=KNeighborsClassifier(), cv=splits)
    (row,) = np.flatnonzero(found.results["candidate"] == "KNeighborsClassifier")
    assert found.results["error"][row] == pytest.approx(w @ errors / w.sum())
    assert class_patterns_of(X, y, weights).total == pytest.approx(w.sum())
