"""Rows that lack values, and sparse ones: what is learnt from them, and what fitted estimators answer."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils import get_tags

from netlines import MinimerrorClassifier, MonoPlaneClassifier, NetLinesClassifier, NetLinesClassifierCV
from netlines.classifiers import table
from netlines.classifiers.multiclass import PairwiseClassifier, TreeOfNetworksClassifier
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


@pytest.mark.parametrize("missing", ["auto", "integrate"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_missing_values_are_integrated_out(cancer, estimator, missing):
    X, y, lacking = cancer
    clf = clone(estimator).set_params(missing=missing).fit(X[~lacking], y[~lacking])
    answers, decision = clf.predict(X), clf.decision_function(X)
    shares = integrate(clf.network_, X[lacking])
    assert (answers[~lacking] == clf.network_.predict(X[~lacking])).all()
    assert (answers[lacking] == clf.classes_[shares.argmax(axis=1)]).all()
    assert ((decision >= 0) == (answers == clf.classes_[1])).all()
    assert np.isfinite(decision).all()
    assert np.abs(decision[lacking]).max() <= 2 * np.abs(decision[~lacking]).max()  # on one scale
    assert (clf.predict(X[lacking]) == answers[lacking]).all()
    if hasattr(clf, "predict_proba"):
        p = clf.predict_proba(X)
        np.testing.assert_allclose(p[lacking], shares)
        np.testing.assert_allclose(p[~lacking], clf.network_.probability(X[~lacking]))
        assert (clf.classes_[p.argmax(axis=1)] == answers).all()
        np.testing.assert_allclose(clf.predict_log_proba(X), np.log(p))
    for method in (clf.internal_representation, clf.domain_confidence, lambda X: clf.domains(X, y)):
        with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
            method(X)
    clf.set_params(missing="error")
    for method in (clf.predict, clf.decision_function):
        with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
            method(X)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_rows_with_gaps_are_learnt_from(cancer, estimator):
    X, y, lacking = cancer
    clf, complete = clone(estimator).fit(X, y), clone(estimator).fit(X[~lacking], y[~lacking])
    assert clf.network_.layout.feature_names == tuple(f"x{i}" for i in range(9))  # the gaps tell nothing
    assert complete.network_.layout is None
    assert clf.score(X, y) >= complete.score(X, y) - 0.01
    assert np.isfinite(clf.network_.hidden_weights).all()
    assert clf.network_.background.low[5] == 1  # of what was expected whole numbers within the range are kept
    assert clf.n_training_errors_ <= 2 + (clf.predict(X) != y).sum()
    for method in (clf.internal_representation, clf.domain_confidence, lambda X: clf.domains(X, y)):
        with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
            method(X)
    with pytest.raises(ValueError, match="X has NaN in column 5, row 23"):
        clone(estimator).set_params(missing="error").fit(X, y)


def test_gaps_that_tell_of_the_class_become_an_input():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 2)), np.repeat([0, 1], 60)
    X[y == 1, 1] = np.where(rng.random(60) < 0.7, np.nan, X[y == 1, 1])
    told, blind = (NetLinesClassifier(max_hidden=2, missing=way).fit(X, y) for way in ("auto", "integrate"))
    assert told.network_.feature_names == ("x0", "x1", "x1 is missing")
    assert blind.network_.feature_names == ("x0", "x1")
    assert told.score(X, y) > 0.8 > blind.score(X, y)
    assert (told.predict([[0.0, np.nan], [1.0, np.nan]]) == 1).all()
    assert told.internal_representation([[0.0, np.nan]]).shape == (1, told.n_hidden_)  # nothing is unknown
    with pytest.raises(ValueError, match=r"missing value \(NaN\) is not allowed .* column 'x0', row 1"):
        told.internal_representation([[0.0, 1.0], [np.nan, 1.0]])


def test_the_tags_tell_what_is_taken():
    for estimator in (*ESTIMATORS, TreeOfNetworksClassifier(NetLinesClassifier())):
        tags = get_tags(estimator).input_tags
        assert (tags.allow_nan, tags.sparse) == (True, True)
    for way, allowed in (("auto", True), ("integrate", True), ("error", False)):
        for estimator in (
            NetLinesClassifier(missing=way),
            PairwiseClassifier(MinimerrorClassifier(missing=way)),
        ):
            assert get_tags(estimator).input_tags.allow_nan is allowed


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_a_sparse_matrix_gives_the_network_of_its_array(cancer, estimator, kind, monkeypatch):
    X, y, lacking = cancer
    X, y = X[~lacking][:120] - 1, y[~lacking][:120]  # most values are 1
    monkeypatch.setattr(table, "BLOCK", 50)
    clf, dense = clone(estimator).fit(kind(X), y), clone(estimator).fit(X, y)
    assert clf.network_.hidden_weights.tobytes() == dense.network_.hidden_weights.tobytes()
    assert clf.network_.output_weights.tobytes() == dense.network_.output_weights.tobytes()
    assert clf.network_.layout is None
    assert clf.decision_function(kind(X)).tobytes() == dense.decision_function(X).tobytes()
    assert (clf.predict(kind(X)) == clf.predict(X)).all()


def test_a_sparse_matrix_that_is_too_large_when_dense_is_refused(cancer, monkeypatch):
    X, y, _ = cancer
    clf = MinimerrorClassifier().fit(sparse.csr_array(np.nan_to_num(X)), y)
    monkeypatch.setattr(table, "LARGEST_DENSE", 10_000)
    for use in (lambda X: MinimerrorClassifier().fit(X, y), clf.predict):
        with pytest.raises(ValueError, match=r"X is sparse with 699 × 9 cells, .* at most .* are allowed"):
            use(sparse.csr_array(np.nan_to_num(X)))


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
    with pytest.raises(ValueError, match="missing must be one of 'auto', 'error', 'integrate', got 'guess'"):
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
    search = GridSearchCV(MinimerrorClassifier(), {"missing": ["error", "integrate", "auto"]}, cv=2)
    search.fit(X[~lacking], y[~lacking])
    assert clone(search.best_estimator_).get_params()["missing"] in ("error", "integrate", "auto")
    assert len(set(search.cv_results_["mean_test_score"])) == 1  # there is nothing missing
