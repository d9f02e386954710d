"""The choice between units and networks: the judge by hand, and what is chosen on known tables."""

import numpy as np
import pytest
from example_tables import data_of, plane, xor
from sklearn.linear_model import LogisticRegression

from netlines.classifiers import netlines_cv as classifier_cv
from netlines.network.probability import agreeing, expit, most_probable
from netlines.selection import fit, many_rows
from netlines.selection.candidate import Candidate
from netlines.selection.choice import LEAN, choose
from netlines.selection.folds import Examples, Fold
from netlines.selection.judge import Judge
from netlines.selection.students import TOLERANCE
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.terms import Terms
from netlines.selection.units import (
    ONLY,
    PATH,
    Scheme,
    UnitsCandidate,
    best_units,
    linear_candidate,
    train_units,
    trained,
    unit_candidates,
)

LARGE = 600


def fold_of(targets, weights):
    n = len(targets)
    examples = Examples(np.arange(n), (np.array(targets) > 0).astype(int), np.array(weights, dtype=float))
    return Fold(examples, examples)


def both(p):
    """Return the probabilities of two classes by that of the second."""
    return np.column_stack([1 - np.array(p), p])


def candidate(*held_out, **more):
    return Candidate("some", 1, 3, [both(p) for p in held_out], **more)


TWO = Judge([fold_of([1, -1], [1, 3]), fold_of([-1, 1], [2, 2])])


# The judge


def test_errors_and_losses_worked_by_hand():
    one = candidate([0.9, 0.6], [0.5, 0.2])
    np.testing.assert_array_equal(TWO.errors(one), [0, 1, 1, 1])
    np.testing.assert_allclose(TWO.losses(one), -np.log([0.9, 0.4, 0.5, 0.2]))
    assert TWO.mean(TWO.errors(one)) == pytest.approx(7 / 8)


def test_the_standard_error_is_that_of_a_mean():
    judge = Judge([fold_of([1] * 10, [7] * 10)])
    errors = np.array([1.0] * 3 + [0.0] * 7)
    assert judge.rows == pytest.approx(10)
    assert judge.standard_error(errors) == pytest.approx(np.sqrt(0.3 * 0.7 / 10))


def test_a_lag_is_paired():
    first, second = candidate([0.9, 0.6], [0.4, 0.2]), candidate([0.9, 0.4], [0.4, 0.9])
    lag, se = TWO.lag(first, second)
    assert lag == pytest.approx(5 / 8)
    assert se == pytest.approx(np.sqrt((5 / 8) * (3 / 8) / TWO.rows))
    assert TWO.lag(second, first)[0] == -lag
    assert TWO.lag(first, first) == (0, 0)


def test_a_lag_by_a_score_is_that_over_the_folds():
    judge = Judge(
        [fold_of([1, -1], [1, 3])] * 2, lambda held_out: np.array([p[:, 1].mean() for p in held_out])
    )
    lag, se = judge.lag(candidate([0.1, 0.1], [0.3, 0.3]), candidate([0.5, 0.5], [0.9, 0.9]))
    assert lag == pytest.approx(0.5)
    assert se == pytest.approx(0.1)


def test_the_table_has_one_entry_a_candidate():
    one, other = candidate([0.9, 0.6], [0.5, 0.2], fidelity=0.9), candidate([0.9, 0.4], [0.4, 0.9])
    table = TWO.table([one, other], other)
    assert {len(column) for column in table.values()} == {2}
    np.testing.assert_allclose(table["error"], [7 / 8, 0])
    np.testing.assert_array_equal(table["chosen"], [False, True])
    np.testing.assert_array_equal(table["fidelity"], [0.9, np.nan])
    assert table["log_loss"][0] == pytest.approx(TWO.mean(TWO.losses(one)))


def test_a_unit_of_the_path_has_to_beat_the_logistic_one_beyond_chance():
    n = 100
    judge = Judge([fold_of([1] * n, [1] * n)])

    def unit(errors):
        return UnitsCandidate("unit", 1, 3, [both(np.where(np.arange(n) < errors, 0.4, 0.6))])

    linear, little, much = unit(20), unit(19), unit(5)
    assert best_units(judge, [little, linear]) is linear
    assert best_units(judge, [little, much, linear]) is much
    assert best_units(judge, [unit(20), linear]) is linear


def test_probabilities_lie_on_the_side_of_the_answer():
    p = expit(agreeing(np.array([-2.0, 2.0, -2.0, 2.0, 0.0]), np.array([True, True, False, False, False])))
    np.testing.assert_array_equal(p >= 0.5, [True, True, False, False, False])
    assert p[1] == pytest.approx(expit(2.0))
    assert p[2] == pytest.approx(expit(-2.0))


# Candidates


UNIT = Scheme.unit()


def test_units_of_the_path_judge_what_they_have_not_seen():
    data = data_of(*plane(p=60))
    units = unit_candidates(data, UNIT)
    assert [unit.setting for unit in units] == list(PATH)
    for k in (0, len(units) - 1):
        for p, fold in zip(units[k].held_out, data.folds, strict=True):
            path = train_units(data, fold.train, UNIT.problems[0], PATH)
            answers = path[k] @ data.X[:, fold.test.pattern] >= 0
            np.testing.assert_array_equal(p[:, 1] >= 0.5, answers)


def test_the_path_has_weights_of_norm_one():
    data = data_of(*plane(p=60))
    path = train_units(data, data.all, UNIT.problems[0], PATH)
    np.testing.assert_allclose(np.linalg.norm(path, axis=1), np.ones(len(PATH)))
    for k in (0, len(PATH) - 1):  # the unit that is taken is one of the whole path
        np.testing.assert_array_equal(trained(data, unit_candidates(data, UNIT)[k])[1], path[k : k + 1])


def test_the_logistic_unit_is_the_hyperplane_of_the_regression():
    data = data_of(*plane(p=60))
    linear = fit_linear(data)
    unit = linear_candidate(data, linear)
    (line,), (margins,) = unit.lines, unit.weights @ data.X
    np.testing.assert_allclose(expit(line[0] + line[1] * margins), linear.probability(data.rows)[:, 1])
    assert np.linalg.norm(unit.weights) == pytest.approx(1)


# Choices


def choice_of(X, y, prefer="balanced", teacher=True, max_hidden=6):
    data = data_of(X, y)
    linear = fit_linear(data)
    chosen = choose_teacher(data, linear, seed=0) if teacher else None
    return data, choose(data, linear, chosen, Judge(data.folds), Terms(prefer, max_hidden, seed=0))


def test_a_noisy_hyperplane_takes_one_unit():
    _, choice = choice_of(*plane())
    assert choice.chosen.n_hidden == 1
    assert choice.chosen in choice.candidates
    assert "hyperplane" in choice.chosen.name or choice.chosen.name == "logistic regression"


def test_quadrants_take_a_network_that_is_far_better_than_a_unit():
    X, y = xor()
    data, choice = choice_of(X, y)
    judge = Judge(data.folds)
    errors = {one.name: judge.mean(judge.errors(one)) for one in choice.candidates}
    units = [errors[one.name] for one in choice.candidates if one.role == "single"]
    assert choice.student.size > 1
    assert errors[choice.chosen.name] < 0.6 * min(units)
    answers = choice.student.answers(data.X)
    assert (data.all.weights * (answers[data.all.pattern] != data.all.labels)).sum() / len(y) < 0.1
    assert choice.chosen.fidelity == choice.student.fidelity


def test_without_a_teacher_there_are_only_units():
    _, choice = choice_of(*xor(), teacher=False)
    assert choice.student is None
    assert {one.n_hidden for one in choice.candidates} == {1}


@pytest.mark.slow
def test_the_fewer_the_units_the_more_small_is_preferred():
    X, y = xor(p=80, seed=3)
    y = np.where(np.random.default_rng(0).random(80) < 0.1, 1 - y, y)
    sizes = [
        choice_of(X, y, prefer=prefer, max_hidden=4)[1].chosen.n_hidden
        for prefer in ("small", "balanced", "accurate")
    ]
    assert sizes == sorted(sizes)


def test_the_largest_size_is_respected():
    _, choice = choice_of(*xor(), max_hidden=2)
    assert choice.chosen.n_hidden <= 2


def test_one_feature_with_a_clean_threshold_takes_one_unit_if_small_is_preferred():
    X = np.random.default_rng(0).standard_normal((60, 1))
    _, choice = choice_of(X, (X[:, 0] > 0).astype(int), prefer="small")
    assert choice.chosen.n_hidden == 1


def test_the_calibration_of_a_network_follows_its_teacher():
    data, choice = choice_of(*xor())
    odds = choice.calibration.scores(choice.student.fields(data.X))[:, 0]
    assert (most_probable(odds) == choice.student.answers(data.X)).mean() > 0.9
    np.testing.assert_allclose(choice.calibration.training_priors, data.priors)


def test_without_folds_a_single_unit_is_taken():
    data = data_of(*plane(p=30))
    unit = ONLY.two(data)
    assert (unit.n_hidden, unit.held_out) == (1, [])
    answers = (unit.weights[0] @ data.X >= 0)[data.all.pattern]
    assert (answers == data.all.labels).mean() > 0.7
    clf = classifier_cv.NetLinesClassifierCV(cv=2).fit([[0.0], [1.0]], [0, 1])
    assert "too few rows" in clf.chosen_
    assert clf.stop_reason_.startswith("single hyperplane (cold 4 of 9)")


# Many rows


@pytest.fixture
def many(monkeypatch):
    """Take more than 200 patterns for many."""
    monkeypatch.setattr(many_rows, "MANY", 200)


def test_many_rows_are_learnt_directly(many):
    X, y = xor(p=LARGE)
    clf = classifier_cv.NetLinesClassifierCV(max_hidden=6).fit(X, y)
    Xt, yt = xor(p=2000, seed=1)
    assert clf.teacher_ is None
    assert clf.n_hidden_ > 1
    assert (clf.predict(Xt) != yt).mean() < 0.1
    assert "held-out error" in clf.stop_reason_
    np.testing.assert_array_equal(clf.predict(Xt), clf.predict_proba(Xt).argmax(axis=1))


def test_many_rows_of_a_hyperplane_take_one_unit(many):
    X, y = plane(p=LARGE)
    clf = classifier_cv.NetLinesClassifierCV(max_hidden=4).fit(X, y)
    assert clf.n_hidden_ == 1
    peer = LogisticRegression(max_iter=1000).fit(X, y)
    Xt, yt = plane(p=2000, seed=1)
    assert clf.score(Xt, yt) > peer.score(Xt, yt) - 0.02


def test_many_rows_use_a_single_fold(many, monkeypatch):
    seen = []
    monkeypatch.setattr(fit, "fit_linear", lambda data: seen.append(len(data.folds)) or fit_linear(data))
    classifier_cv.NetLinesClassifierCV(max_hidden=1).fit(*xor(p=LARGE))
    classifier_cv.NetLinesClassifierCV(max_hidden=1, teacher=None).fit(*xor(p=LARGE))
    assert seen == [1, 1]


def test_a_teacher_of_the_user_is_used_with_many_rows_too(many):
    clf = classifier_cv.NetLinesClassifierCV(max_hidden=1, teacher=LogisticRegression()).fit(*plane(p=300))
    assert isinstance(clf.teacher_, LogisticRegression)


def test_the_direct_way_is_deterministic_whatever_the_number_of_threads(many):
    X, y = xor(p=300)
    one, two = (classifier_cv.NetLinesClassifierCV(max_hidden=3, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.network_.hidden_weights, two.network_.hidden_weights)


def test_constants_are_ordered_by_preference():
    for table in (LEAN, TOLERANCE):
        assert table["small"] >= table["balanced"] >= table["accurate"] >= 0
