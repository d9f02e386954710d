"""The judge of candidates: errors, losses, standard errors and scores, by hand; what a row is."""

from dataclasses import replace

import numpy as np
import pytest
from class_data import class_data_of, class_patterns_of, contradictory_classes, rays
from sklearn.metrics import accuracy_score, log_loss

from netlines.network.probability import softmax
from netlines.selection.candidate import Candidate
from netlines.selection.folds import Examples, Fold, lightest_rows
from netlines.selection.judge import Judge, scores
from netlines.selection.units import Scheme, UnitsCandidate, best_units


def fold_of(labels, weights):
    examples = Examples(np.arange(len(labels)), np.array(labels), np.array(weights, dtype=float))
    return Fold(examples, examples)


def candidate(*held_out, kind=Candidate, **more):
    return kind("some", 1, 3, [np.array(p, dtype=float) for p in held_out], **more)


def sure(labels, right, n_classes=2):
    """Return probabilities whose answers to labels are right or wrong."""
    labels = np.where(right, labels, (np.array(labels) + 1) % n_classes)
    return np.eye(n_classes)[labels] * 0.5 + 0.5 / n_classes


TWO = Judge([fold_of([1, 0], [1, 3]), fold_of([0, 1], [2, 2])])
THREE = Judge([fold_of([0, 2], [1, 3]), fold_of([1, 1], [2, 2])])
OF_TWO = candidate([[0.1, 0.9], [0.4, 0.6]], [[0.5, 0.5], [0.8, 0.2]])
OF_THREE = candidate([[0.5, 0.3, 0.2], [0.1, 0.5, 0.4]], [[0.2, 0.7, 0.1], [0.6, 0.4, 0.0]])


@pytest.mark.parametrize(
    ("judge", "one", "errors", "given", "mean"),
    [
        (TWO, OF_TWO, [0, 1, 1, 1], [0.9, 0.4, 0.5, 0.2], 7 / 8),  # of equal ones the second, sign(0) = +1
        (THREE, OF_THREE, [0, 1, 0, 1], [0.5, 0.4, 0.7, 0.4], 5 / 8),
    ],
    ids=["two", "classes"],
)
def test_errors_and_losses_worked_by_hand(judge, one, errors, given, mean):
    np.testing.assert_array_equal(judge.errors(one), errors)
    np.testing.assert_allclose(judge.losses(one), -np.log(given))
    assert judge.mean(judge.errors(one)) == pytest.approx(mean)
    assert judge.words(one) == f"error {100 * mean:.1f} %"


def test_the_standard_error_is_that_of_a_mean():
    judge = Judge([fold_of([1] * 10, [7] * 10)])
    errors = np.array([1.0] * 3 + [0.0] * 7)
    assert judge.rows == pytest.approx(10)
    assert judge.standard_error(errors) == pytest.approx(np.sqrt(0.3 * 0.7 / 10))


def test_a_lag_is_paired():
    other = candidate([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]], [[0.7, 0.2, 0.1], [0.6, 0.4, 0.0]])
    lag, se = THREE.lag(OF_THREE, other)
    assert lag == pytest.approx(3 / 8 - 2 / 8)
    share = np.array([1, 3, 2, 2]) / 8
    assert se == pytest.approx(np.sqrt(share @ (np.array([0, 1, -1, 0]) - lag) ** 2 / THREE.rows))
    assert THREE.lag(other, OF_THREE)[0] == -lag
    assert THREE.lag(OF_THREE, OF_THREE) == (0, 0)


def test_a_lag_by_a_score_is_that_over_the_folds():
    judge = Judge(
        [fold_of([1, 0], [1, 3])] * 2, lambda held_out: np.array([p[:, 1].mean() for p in held_out])
    )
    one, other = ([np.tile([1 - p, p], (2, 1)) for p in each] for each in ((0.1, 0.3), (0.5, 0.9)))
    assert judge.lag(candidate(*one), candidate(*other)) == pytest.approx((0.5, 0.1))


def test_a_lag_in_log_loss_is_paired_and_no_row_decides_it_alone():
    n = 50
    judge = Judge([fold_of([1] * n, [1] * n)])
    usual, better = np.full(n, 0.6), np.full(n, 0.7)
    p = [candidate(np.column_stack([1 - p, p])) for p in (usual, better)]
    assert judge.loss_lag(*p) == pytest.approx((np.log(0.7 / 0.6), 0.0), abs=1e-12)
    better[0] = 1e-12
    p[1] = candidate(np.column_stack([1 - better, better]))
    lag, se = judge.loss_lag(*p)
    assert lag > np.log(0.7 / 0.6) - 0.15
    assert judge.mean(judge.losses(p[0]) - judge.losses(p[1])) < 0 < se


def test_the_table_has_one_entry_a_candidate():
    other, silent = (
        candidate([[0.1, 0.9], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]]),
        Candidate("silent", 5, 30, [], 0.9),
    )
    table = TWO.table([OF_TWO, other, silent], other)
    assert {len(column) for column in table.values()} == {3}
    np.testing.assert_allclose(table["error"], [7 / 8, 0, np.nan])
    np.testing.assert_array_equal(table["chosen"], [False, True, False])
    np.testing.assert_array_equal(table["fidelity"], [np.nan, np.nan, 0.9])
    np.testing.assert_array_equal(table["n_hidden"], [1, 1, 5])
    assert table["log_loss"][0] == pytest.approx(TWO.mean(TWO.losses(OF_TWO)))
    for name in ("error_se", "log_loss", "log_loss_se"):
        np.testing.assert_array_equal(np.isnan(table[name]), [False, False, True])


# How many rows there are


@pytest.mark.parametrize("times", [1, 50])
def test_a_pattern_stands_for_as_many_rows_as_are_equal(times):
    """Half of the rows of each pattern are answered wrongly: of 50 times the rows that is far surer."""
    X, y = np.repeat(np.arange(4.0), 2 * times)[:, None], np.tile([0, 1], 4 * times)
    patterns = class_patterns_of(X, y)
    data = class_data_of(X, y)
    judge = Judge(data.folds, None, float(len(y)), lightest_rows(patterns))
    assert judge.rows == pytest.approx(len(y))
    errors = judge.labels == 0
    assert judge.standard_error(errors) == pytest.approx(np.sqrt(0.25 / len(y)))


def test_rows_that_are_weighted_by_class_are_counted():
    X, y = contradictory_classes()
    weights = np.array([1.0, 2.5, 0.3])[y]
    patterns = class_patterns_of(X, y, weights)
    data = class_data_of(X, y, weights)
    judge = Judge(data.folds, None, float(weights.sum()), lightest_rows(patterns))
    assert judge.rows == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


def test_weights_that_are_no_repetitions_make_no_rows():
    patterns = class_patterns_of(np.arange(4.0)[:, None], [0, 1, 0, 1], [1.0, 1.3, 2.7, 1.0])
    assert lightest_rows(patterns) is None


def test_rows_that_are_tested_twice_count_once():
    fold = fold_of([0, 1, 0, 1], [1, 1, 1, 1])
    assert Judge([fold, fold], None, 4.0).rows == pytest.approx(Judge([fold], None, 4.0).rows) == 4


# Scores


def said_about(data, seed=0):
    """Return random probabilities for the examples held out."""
    rng = np.random.default_rng(seed)
    return [softmax(rng.standard_normal((len(fold.test.pattern), len(data.classes)))) for fold in data.folds]


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [
        ("neg_log_loss", lambda y, p, w: -log_loss(y, p, sample_weight=w)),
        (
            "accuracy",
            lambda y, p, w: accuracy_score(y, np.array(list("abc"))[p.argmax(axis=1)], sample_weight=w),
        ),
    ],
)
def test_scores_leave_each_fold_out_in_turn(scoring, metric):
    data = class_data_of(*contradictory_classes(), np.linspace(0.5, 2, 60), classes=("a", "b", "c"))
    held_out = said_about(data)
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


# The best of the units


@pytest.mark.parametrize("n_classes", [2, 3])
def test_units_have_to_beat_the_logistic_regression_beyond_chance(n_classes):
    n = 100
    judge, rows = Judge([fold_of([0] * n, [1] * n)]), np.arange(n)
    scheme = Scheme.unit() if n_classes == 2 else Scheme.pairs(3)

    def units(first, last):
        right = (rows < first) | (rows >= last)
        return candidate(sure([0] * n, right, n_classes), kind=UnitsCandidate, scheme=scheme)

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
