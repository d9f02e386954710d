"""What fitted estimators answer to rows that lack values, and that everything else still refuses them."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from netlines import MinimerrorClassifier, MonoPlaneClassifier, NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris
from netlines.inspection.missing import integrate

ESTIMATORS = [
    MinimerrorClassifier(),
    MinimerrorClassifier(probability=True),
    NetLinesClassifier(max_hidden=3),
    NetLinesClassifierCV(max_hidden=2, teacher=None),
    MonoPlaneClassifier(max_hidden=2),
]


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer_wisconsin(incomplete="keep", return_X_y=True)
    return X, y, np.isnan(X).any(axis=1)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_missing_values_are_refused_unless_they_are_to_be_integrated_out(cancer, estimator):
    X, y, lacking = cancer
    clf = clone(estimator).fit(X[~lacking], y[~lacking])
    methods = [clf.predict, clf.decision_function, clf.internal_representation, clf.domain_confidence]
    for method in methods:
        with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
            method(X)
    clf.set_params(missing="integrate")
    answers, decision = clf.predict(X), clf.decision_function(X)
    shares = integrate(clf.network_, X[lacking])
    assert (answers[~lacking] == clf.network_.predict(X[~lacking])).all()
    assert (answers[lacking] == clf.classes_[shares.argmax(axis=1)]).all()
    assert ((decision >= 0) == (answers == clf.classes_[1])).all()
    assert np.isfinite(decision).all()
    assert np.abs(decision[lacking]).max() <= 2 * np.abs(decision[~lacking]).max()  # on one scale
    assert (clf.predict(X[lacking]) == answers[lacking]).all()
    for method in methods[2:]:
        with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
            method(X)
    if hasattr(clf, "predict_proba"):
        p = clf.predict_proba(X)
        np.testing.assert_allclose(p[lacking], shares)
        np.testing.assert_allclose(p[~lacking], clf.network_.probability(X[~lacking]))
        assert (clf.classes_[p.argmax(axis=1)] == answers).all()
        np.testing.assert_allclose(clf.predict_log_proba(X), np.log(p))


def test_fitting_takes_complete_rows_only(cancer):
    X, y, _ = cancer
    with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
        NetLinesClassifier(missing="integrate").fit(X, y)


def test_infinities_are_refused_in_any_case(cancer):
    X, y, lacking = cancer
    clf = MinimerrorClassifier(missing="integrate").fit(X[~lacking], y[~lacking])
    with pytest.raises(ValueError, match="X has the value inf in column 2, row 0"):
        clf.predict([[np.nan, 1, np.inf, 1, 1, 1, 1, 1, 1]])


def test_plain_floats_are_checked_like_any_other_rows(cancer):
    X, y, lacking = cancer
    clf = MinimerrorClassifier().fit(X[~lacking], y[~lacking])
    rows = X[~lacking][:5]
    for wrong in (rows[:, 1:], rows[:0], rows[0], rows[None], np.where(rows > 5, np.inf, rows)):
        said = []
        for given in (wrong, wrong.astype(object)):  # the second is never what is asked for
            with pytest.raises(ValueError, match=r"X |array") as error:
                clf.predict(given)
            said.append(str(error.value))
        assert said[0] == said[1]
    assert (clf.predict(rows) == clf.predict(rows.tolist())).all()


def test_the_choices_are_named(cancer):
    X, y, lacking = cancer
    with pytest.raises(ValueError, match="'missing' parameter of MinimerrorClassifier must be a str among"):
        MinimerrorClassifier(missing="guess").fit(X[~lacking], y[~lacking])
    clf = MinimerrorClassifier().fit(X[~lacking], y[~lacking]).set_params(missing="guess")
    with pytest.raises(ValueError, match="missing must be one of 'error', 'integrate', got 'guess'"):
        clf.predict(X[~lacking])


@pytest.mark.parametrize("scheme", ["tree", "wta", "pairs"])
def test_many_classes_and_frames(scheme):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = NetLinesClassifier(multiclass=scheme, missing="integrate").fit(X, y)
    lacking = X.copy()
    lacking.iloc[::7, 1] = np.nan
    lacking.iloc[3, :] = np.nan
    answers = clf.predict(lacking)
    assert answers[1] == y[1]
    assert (answers != y).sum() < 30
    assert clf.decision_function(lacking).shape == (150, 3)
    assert set(answers) <= set(clf.classes_)


def test_missing_is_a_parameter_like_others(cancer):
    X, y, lacking = cancer
    search = GridSearchCV(MinimerrorClassifier(), {"missing": ["error", "integrate"]}, cv=2)
    search.fit(X[~lacking], y[~lacking])
    assert clone(search.best_estimator_).get_params()["missing"] in ("error", "integrate")
    assert search.cv_results_["mean_test_score"][0] == search.cv_results_["mean_test_score"][1]
