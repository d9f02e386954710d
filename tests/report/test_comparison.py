"""Classifiers beside each other on the same folds: errors, sizes, answers out of fold."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from netlines import NetLinesClassifier
from netlines.datasets import load_iris
from netlines.report.comparison import compare, peers, small_mlp, usable_folds


def test_folds_never_outnumber_the_smaller_class():
    assert usable_folds(np.array([0] * 9 + [1] * 4), 10) == 4
    assert usable_folds(np.array([0] * 9 + [1] * 4), 3) == 3
    assert usable_folds(np.array([0] * 9 + [1]), 10) == 0
    assert usable_folds(np.array([0] * 9 + [1] * 4), 0) == 0


def test_the_folds_depend_on_the_seed():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 3 == 0
    models = {"tree": peers(0, None)["decision tree"]}
    splits = StratifiedKFold(3, shuffle=True, random_state=5).split(X, y)
    expected = [1 - models["tree"].fit(X[train], y[train]).score(X[test], y[test]) for train, test in splits]
    errors = compare(models, X, y, folds=3, seed=5)["tree"].errors
    assert errors == pytest.approx(expected)
    assert errors != compare(models, X, y, folds=3, seed=6)["tree"].errors


def test_the_cross_validation_tells_what_it_begins():
    begun = []
    X, y = np.arange(20.0)[:, None], np.arange(20) > 9
    models = dict(list(peers(0, None).items())[:2])
    scores = compare(models, X, y, folds=2, seed=0, begin=lambda fold, name: begun.append((fold, name)))
    assert begun == [(fold, name) for fold in (1, 2) for name in models]
    assert {name: own.sizes for name, own in scores.items()} == {
        "logistic regression": [2, 2],
        "decision tree": [4, 4],
    }
    assert {len(own.errors) for own in scores.values()} == {2}
    assert all(len(own.seconds) == 2 and min(own.seconds) > 0 for own in scores.values())


def test_answers_and_probabilities_are_those_of_copies_that_did_not_see_the_row():
    X, y = load_iris(return_X_y=True)
    models = {"unit": NetLinesClassifier(max_hidden=1), "mlp": small_mlp(0)}
    scores = compare(models, X, y, folds=5, seed=0)
    assert scores["unit"].probabilities is None
    assert scores["mlp"].probabilities.shape == (150, 3)
    np.testing.assert_allclose(scores["mlp"].probabilities.sum(axis=1), 1.0)
    classes = np.unique(y)
    assert (classes[scores["mlp"].probabilities.argmax(axis=1)] == scores["mlp"].answers).all()
    for own in scores.values():
        assert np.mean(own.answers != y) == pytest.approx(np.mean(own.errors))
    assert scores["mlp"].sizes == [4 * 10 + 10 + 10 * 3 + 3] * 5


@pytest.mark.slow
def test_what_fits_at_the_same_time_does_not_change_anything():
    X, y = load_iris(return_X_y=True)
    models = {"netlines": NetLinesClassifier(max_hidden=2), **peers(0, None)}
    alone, together = (compare(models, X, y, folds=3, seed=0, n_jobs=n_jobs) for n_jobs in (None, 3))
    for name in models:
        assert alone[name].errors == together[name].errors
        assert alone[name].sizes == together[name].sizes
        assert (alone[name].answers == together[name].answers).all()
        assert (alone[name].probabilities is None) == (together[name].probabilities is None)
        if alone[name].probabilities is not None:
            assert alone[name].probabilities.tobytes() == together[name].probabilities.tobytes()
