"""`NetLinesClassifierCV` as a user meets it, and the probabilities and priors of all three estimators."""

import pickle

import numpy as np
import pandas as pd
import pytest
from example_tables import assert_same, contradictory, plane, xor
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, log_loss, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_monks

NAMES = np.array(["no", "yes"])
COLUMNS = [
    "candidate",
    "error",
    "error_se",
    "log_loss",
    "log_loss_se",
    "n_hidden",
    "n_weights",
    "fidelity",
    "role",
    "temperature",
    "theta",
    "chosen",
]
ALL = pytest.mark.parametrize(
    "estimator",
    [
        NetLinesClassifierCV(teacher=None),
        NetLinesClassifierCV(teacher=SVC(), max_hidden=3),
        NetLinesClassifier(max_hidden=2, probability=True),
        MinimerrorClassifier(probability=True),
    ],
    ids=["CV units", "CV networks", "net", "unit"],
)


def units(**parameters):
    return NetLinesClassifierCV(teacher=None, **parameters)


def networks(**parameters):
    """Return an estimator with a cheap teacher."""
    return NetLinesClassifierCV(**{"teacher": SVC(C=10), "max_hidden": 3, **parameters})


@pytest.fixture(scope="module")
def quadrants():
    X, y = xor(p=200)
    return X, NAMES[y], NetLinesClassifierCV(max_hidden=6).fit(X, NAMES[y])


# What users get


def test_a_fitted_estimator_has_everything_the_documentation_names(quadrants):
    X, y, clf = quadrants
    h = clf.n_hidden_
    assert 1 < h <= 6
    assert clf.n_weights_ == clf.network_.n_weights == 3 * h + h + 1
    assert clf.network_.hidden_weights.shape == (h, 3)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum()
    assert "\n" not in clf.chosen_
    assert clf.stop_reason_.startswith(f"network of {h} hyperplanes ({clf.n_weights_} weights)")
    assert clf.temperature_ is None
    assert clf.n_updates_ > clf.n_epochs_ > 0
    assert clf.growth_trace_[-1]["n_hidden"] == h
    assert clf.n_features_in_ == 2
    np.testing.assert_array_equal(clf.classes_, NAMES)
    assert clf.internal_representation(X).shape == (200, h)


def test_quadrants_are_learnt_far_better_than_by_a_unit(quadrants):
    X, y, clf = quadrants
    new, labels = xor(p=1000, seed=9)
    unit = units().fit(X, y)
    assert unit.n_hidden_ == 1
    assert clf.score(new, NAMES[labels]) > 0.9 > unit.score(new, NAMES[labels]) + 0.2


def test_the_table_agrees_with_what_was_chosen(quadrants):
    _, _, clf = quadrants
    table = pd.DataFrame(clf.cv_results_)
    assert list(table.columns) == COLUMNS
    (chosen,) = table[table.chosen].itertuples()
    assert clf.stop_reason_.startswith(chosen.candidate)
    assert (chosen.n_hidden, chosen.n_weights) == (clf.n_hidden_, clf.n_weights_)
    assert f"{100 * chosen.error:.1f} %" in clf.stop_reason_
    assert table.error.between(0, 1).all()
    assert (table[["error_se", "log_loss", "log_loss_se"]] >= 0).all(axis=None)
    teacher = table[table.role == "reference"]
    assert len(teacher) == 1
    assert teacher.n_weights.isna().all()
    assert table.fidelity.dropna().between(0, 1).all()


def test_the_teacher_can_be_asked(quadrants):
    X, y, clf = quadrants
    assert (clf.teacher_.predict(X) == y).mean() > 0.9
    np.testing.assert_allclose(clf.teacher_.predict_proba(X).sum(axis=1), 1)
    assert clf.teacher_.name in clf.stop_reason_


def test_a_noisy_hyperplane_takes_one_unit_as_good_as_a_logistic_regression():
    X, y = plane(p=200)
    clf = NetLinesClassifierCV().fit(X, y)
    new, labels = plane(p=2000, seed=1)
    peer = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    assert clf.n_hidden_ == 1
    assert clf.n_weights_ == 4
    assert clf.score(new, labels) > peer.score(new, labels) - 0.02
    assert log_loss(labels, clf.predict_proba(new)) < log_loss(labels, peer.predict_proba(new)) + 0.02


def test_units_that_never_change_or_repeat_another_are_dropped():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 6, (150, 2)).astype(float)
    y = np.abs(X - 2.5).sum(axis=1) < 2.5
    clf = networks(max_hidden=8, teacher=SVC(C=100), cv=2, prefer="accurate").fit(X, y)
    states = clf.internal_representation(X)
    assert clf.n_hidden_ > 1
    assert not (states == states[0]).all(axis=0).any()
    assert len(np.unique(states * states[:1], axis=1).T) == clf.n_hidden_
    assert clf.n_weights_ == clf.network_.n_weights == 3 * clf.n_hidden_ + clf.n_hidden_ + 1
    assert clf.cv_results_["n_hidden"][clf.cv_results_["chosen"]] == clf.n_hidden_
    assert clf.score(X, y) > 0.95


@pytest.mark.slow
def test_the_smaller_it_has_to_be_the_fewer_units_it_has():
    X, y = xor(p=80, seed=3)
    y = np.where(np.random.default_rng(0).random(80) < 0.1, 1 - y, y)
    sizes = [networks(max_hidden=4, prefer=p).fit(X, y).n_hidden_ for p in ("small", "balanced", "accurate")]
    assert sizes == sorted(sizes)


def test_the_decision_is_the_log_odds(quadrants):
    X, _, clf = quadrants
    p = clf.predict_proba(X)
    np.testing.assert_allclose(clf.decision_function(X), np.log(p[:, 1] / p[:, 0]), atol=1e-8)
    np.testing.assert_array_equal(clf.decision_function(X) >= 0, clf.predict(X) == "yes")


def test_an_unfitted_estimator_says_so():
    for use in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(NetLinesClassifierCV(), use)([[0.0]])
    with pytest.raises(NotFittedError, match="not fitted yet"):
        NetLinesClassifierCV().set_priors(None)


def test_pickling_keeps_everything(quadrants):
    X, _, clf = quadrants
    again = pickle.loads(pickle.dumps(clf))
    assert_same(again, clf)
    np.testing.assert_array_equal(again.teacher_.predict_proba(X), clf.teacher_.predict_proba(X))
    assert again.chosen_ == clf.chosen_


# Parameters


def test_without_a_teacher_there_is_a_single_unit():
    clf = units().fit(*xor())
    assert clf.n_hidden_ == 1
    assert clf.teacher_ is None
    assert np.isfinite(clf.temperature_) or clf.temperature_ is None


def test_a_forest_of_the_user_teaches():
    X, y = xor()
    forest = RandomForestClassifier(20, random_state=0)
    clf = NetLinesClassifierCV(teacher=forest, max_hidden=4).fit(X, y)
    assert isinstance(clf.teacher_, RandomForestClassifier)
    assert clf.teacher_ is not forest
    assert not hasattr(forest, "estimators_")
    assert clf.teacher_.score(X, y) > 0.9
    assert "RandomForestClassifier" in clf.stop_reason_


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "teacher",
    [KNeighborsClassifier(), make_pipeline(StandardScaler(), SVC()), LinearSVC()],
    ids=["neighbours", "pipeline", "decisions"],
)
@pytest.mark.parametrize("labels", [NAMES, np.array([False, True])], ids=["texts", "booleans"])
def test_any_classifier_teaches_labels_of_any_kind(teacher, labels):
    X, y = xor()
    clf = NetLinesClassifierCV(teacher=teacher, max_hidden=3).fit(X, labels[y])
    assert type(clf.teacher_) is type(teacher)
    np.testing.assert_array_equal(clf.classes_, labels)
    if not isinstance(teacher, LinearSVC):
        assert clf.n_hidden_ > 1
        assert clf.score(X, labels[y]) > 0.85


def by_error(estimator, X, y):
    return accuracy_score(y, estimator.predict(X))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "scoring",
    ["roc_auc", "neg_log_loss", "balanced_accuracy", "f1", by_error, make_scorer(accuracy_score)],
    ids=lambda scoring: getattr(scoring, "__name__", str(scoring)),
)
def test_any_score_decides(scoring):
    X, y = xor()
    clf = networks(scoring=scoring).fit(X, y)
    assert clf.n_hidden_ > 1
    assert clf.cv_results_["chosen"].sum() == 1
    assert units(scoring=scoring).fit(*plane()).n_hidden_ == 1


def test_a_score_chooses_the_unit_with_the_highest():
    X, y = plane()
    clf = units(scoring="neg_log_loss").fit(X, y)
    table = clf.cv_results_
    assert table["log_loss"][table["chosen"]][0] == pytest.approx(table["log_loss"].min(), rel=0.02)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
def test_a_score_decides_where_a_class_is_rarer_than_folds(scoring):
    X, _ = plane()
    y = (X[:, 0] >= np.sort(X[:, 0])[-3]).astype(int)
    assert units(scoring=scoring).fit(X, y).n_hidden_ == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "cv",
    [
        3,
        KFold(4, shuffle=True, random_state=0),
        StratifiedKFold(3),
        ShuffleSplit(3, test_size=0.3, random_state=0),
        PredefinedSplit(np.arange(160) % 2),
        list(KFold(3).split(np.zeros((160, 2)))),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_any_splitter_decides(cv):
    X, y = xor()
    clf = networks(cv=cv).fit(X, y)
    assert clf.n_hidden_ > 1
    assert clf.score(X, y) > 0.85


def test_a_splitter_decides_what_is_held_out():
    X, y = plane()
    splits = list(KFold(4).split(X))
    clf = NetLinesClassifierCV(teacher=LogisticRegression(), cv=splits, max_hidden=1).fit(X, y)
    wrong = sum((LogisticRegression().fit(X[a], y[a]).predict(X[b]) != y[b]).sum() for a, b in splits)
    row = clf.cv_results_["role"] == "reference"
    assert clf.cv_results_["error"][row][0] == pytest.approx(wrong / len(y))


def test_a_fold_that_trains_on_one_class_is_named():
    X, y = plane()
    order = np.argsort(y, kind="stable")
    with pytest.raises(ValueError, match=r"cv=KFold.*fold 0 .* one class only"):
        units(cv=KFold(2)).fit(X[order], y[order])
    with pytest.raises(ValueError, match=r"cv=.*no folds"):
        units(cv=[]).fit(X, y)
    for strange in ([(order, [len(y)])], [(order, ["a"])]):
        with pytest.raises(ValueError, match=r"fold 0 .* of cv must be .*; allowed are rows from 0 to 119"):
            units(cv=strange).fit(X, y)


def test_repeated_folds_do_not_make_errors_more_certain():
    X, y = plane()
    once, often = (units(cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=n, random_state=0)) for n in (1, 9))
    ratio = often.fit(X, y).cv_results_["error_se"] / once.fit(X, y).cv_results_["error_se"]
    assert 0.7 < np.median(ratio) < 1.4


def test_a_regressor_is_no_teacher():
    with pytest.raises(ValueError, match=r"teacher=LinearRegression\(\) is no classifier"):
        NetLinesClassifierCV(teacher=LinearRegression()).fit(*plane())


def test_errors_are_counted_under_the_priors_of_the_fit():
    X, y = xor()
    clf = NetLinesClassifierCV(priors=[0.05, 0.95], max_hidden=3, cv=2).fit(X, y)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() > 0


def test_priors_of_a_series_go_by_its_labels():
    X, y = plane()
    labels = pd.Series(np.where(y == 1, "a", "b"))
    clf = units().fit(X, labels).set_priors(pd.Series({"b": 0.8, "a": 0.2}))
    np.testing.assert_allclose(clf.network_.calibration.priors, [0.2, 0.8])


def test_a_scorer_sees_the_rows():
    X, y = plane(p=60)
    seen = []

    def scorer(estimator, rows, labels):
        seen.append(rows.shape[1])
        return accuracy_score(labels, estimator.predict(rows))

    assert "score" in units(scoring=scorer).fit(X, y).cv_results_
    assert set(seen) == {X.shape[1]}


def test_one_fold_is_refused():
    with pytest.raises(ValueError, match=r"'cv' parameter .* in the range \[2, inf\).* Got 1"):
        units(cv=1).fit(*plane())


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"max_hidden": 0}, ["max_hidden", "[1, inf)", "0"]),
        ({"prefer": "tiny"}, ["prefer", "'balanced'", "'tiny'"]),
        ({"teacher": "forest"}, ["teacher", "'auto'", "'forest'"]),
        ({"teacher": StandardScaler()}, ["teacher", "predict"]),
        ({"scoring": "beauty"}, ["scoring", "'beauty'"]),
        ({"criterion": "bic"}, ["criterion", "'cv'", "'mdl'", "'bic'"]),
        ({"priors": 0.5}, ["priors", "0.5"]),
        ({"class_weight": "equal"}, ["class_weight", "'balanced'", "'equal'"]),
        ({"n_jobs": 1.5}, ["n_jobs", "1.5"]),
    ],
    ids=str,
)
def test_a_bad_parameter_is_refused_with_its_name_its_value_and_what_is_allowed(parameters, words):
    with pytest.raises(ValueError, match=r"parameter of") as raised:
        NetLinesClassifierCV(**parameters).fit(*plane())
    for word in words:
        assert word in str(raised.value)


# Determinism


def test_the_result_does_not_depend_on_the_number_of_threads():
    X, y = xor(p=80)
    one, two = (NetLinesClassifierCV(max_hidden=3, cv=3, n_jobs=n).fit(X, y) for n in (1, 2))
    assert_same(one, two)
    for name in COLUMNS:
        np.testing.assert_array_equal(one.cv_results_[name], two.cv_results_[name])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [lambda: 3, lambda: np.random.RandomState(3)], ids=["number", "generator"])
def test_the_same_seed_gives_the_same(seed):
    X, y = xor()
    assert_same(networks(random_state=seed()).fit(X, y), networks(random_state=seed()).fit(X, y))


@pytest.mark.slow
def test_another_seed_gives_something_else():
    X, y = xor()
    one, other = (networks(random_state=seed).fit(X, y) for seed in (0, 1))
    assert not np.array_equal(one.network_.hidden_weights, other.network_.hidden_weights)


# Tables of all sorts


TINY = {
    "two rows": ([[0.0], [1.0]], [0, 1]),
    "three rows": ([[0.0], [1.0], [2.0]], [0, 1, 0]),
    "four rows": ([[0.0, 1.0], [1.0, 3.0], [2.0, 0.0], [5.0, 1.0]], [0, 1, 0, 1]),
    "one row of a class": (plane(p=30)[0], np.arange(30) == 7),
    "two rows of a class": (plane(p=30)[0], np.isin(np.arange(30), [7, 9])),
    "constant columns": (np.ones((20, 2)), [0, 1, 1, 1] * 5),
    "a constant column": (np.column_stack([plane(p=40)[0], np.full(40, 1e8)]), plane(p=40)[1]),
    "one feature": plane(p=40, n=1),
    "two patterns": ([[0.0], [1.0]] * 10, [0, 1] * 10),
    "duplicate rows": (np.vstack([plane(p=30)[0]] * 3), np.tile(plane(p=30)[1], 3)),
    "contradictory rows": contradictory(p=40),
    "only contradictions": (np.vstack([plane(p=10)[0]] * 2), [0] * 10 + [1] * 10),
    "more columns than rows": plane(p=20, n=30),
    "tiny values": (1e-150 * plane(p=30)[0], plane(p=30)[1]),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize(
    "estimator",
    [
        NetLinesClassifierCV(max_hidden=2, cv=3),
        NetLinesClassifierCV(teacher=None),
        NetLinesClassifier(probability=True),
        MinimerrorClassifier(probability=True),
    ],
    ids=["auto", "units", "net", "unit"],
)
def test_any_table_is_learnt(estimator, name):
    X, y = map(np.asarray, TINY[name])
    clf = clone(estimator).fit(X, y)
    p = clf.predict_proba(X)
    assert ((p > 0) & (p < 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[p.argmax(axis=1)])
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() <= len(y) / 2


def test_very_large_values_are_learnt():
    X, y = plane(p=40)
    assert NetLinesClassifierCV(max_hidden=1, cv=2).fit(1e60 * X, y).score(1e60 * X, y) > 0.7


def test_a_frame_gives_its_names():
    X, y = plane()
    frame = pd.DataFrame(X, columns=["size", "age", "dose"])
    clf = NetLinesClassifierCV(teacher=RandomForestClassifier(5, random_state=0), max_hidden=2).fit(
        frame, NAMES[y]
    )
    assert list(clf.feature_names_in_) == ["size", "age", "dose"]
    assert clf.network_.feature_names == ("size", "age", "dose")
    assert list(clf.teacher_.feature_names_in_) == ["size", "age", "dose"]
    assert set(clf.predict(frame)) == {"no", "yes"}
    other = frame[["dose", "age", "size"]].assign(colour="red")
    np.testing.assert_array_equal(clf.predict_proba(other), clf.predict_proba(frame))
    with pytest.raises(ValueError, match="the table lacks the column 'age'; it has 'size', 'dose'"):
        clf.predict(frame[["size", "dose"]])


def test_the_monks_are_learnt():
    X, y = load_monks(3, return_X_y=True)
    clf = networks().fit(X, y)
    assert clf.score(*load_monks(3, subset="test", return_X_y=True)) > 0.9


# Weights


@ALL
def test_balanced_classes_turn_towards_the_rare_one(estimator):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 2))
    y = (X[:, 0] + rng.standard_normal(150) > 1.3).astype(int)
    if isinstance(estimator, NetLinesClassifier):
        estimator = clone(estimator).set_params(max_hidden=1)
    plain, balanced = (
        clone(estimator).fit(X, y),
        clone(estimator).set_params(class_weight="balanced").fit(X, y),
    )
    assert balanced.predict(X).sum() > plain.predict(X).sum()
    assert balanced.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean() + 0.05
    np.testing.assert_allclose(balanced.network_.calibration.training_priors, 0.5)


def test_the_weight_of_a_row_counts():
    X, y = plane(p=60)
    flipped = np.r_[y, 1 - y]
    for heavy in (0, 1):
        weights = np.repeat([0.9, 0.1][:: 1 - 2 * heavy], 60)
        clf = units().fit(np.vstack([X, X]), flipped, sample_weight=weights)
        assert (clf.predict(X) == (y if heavy == 0 else 1 - y)).mean() > 0.7


# Probabilities and priors


@ALL
def test_the_predicted_class_is_the_more_probable_one(estimator):
    X, y = contradictory(p=120)
    clf = clone(estimator).fit(X, NAMES[y])
    new = np.random.default_rng(1).uniform(-2, 6, (500, 2))
    for priors in (None, (0.5, 0.5), (0.99, 0.01), {"no": 0.2, "yes": 0.8}):
        clf.set_priors(priors)
        p = clf.predict_proba(new)
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_array_equal(clf.predict(new), NAMES[p.argmax(axis=1)])
        np.testing.assert_array_equal(clf.decision_function(new) >= 0, clf.predict(new) == "yes")
        np.testing.assert_allclose(clf.predict_log_proba(new), np.log(p))


@pytest.mark.sample(2)
@ALL
def test_probabilities_are_calibrated(estimator):
    X, y = plane(p=200, noise=1.0)
    new, labels = plane(p=4000, noise=1.0, seed=1)
    p = clone(estimator).fit(X, y).predict_proba(new)[:, 1]
    assert p.mean() == pytest.approx(labels.mean(), abs=0.1)
    assert log_loss(labels, p) < 0.69
    for low, high in ((0.0, 0.4), (0.6, 1.0)):
        part = (p >= low) & (p < high)
        assert p[part].mean() == pytest.approx(labels[part].mean(), abs=0.15)


@ALL
def test_priors_shift_the_odds_by_the_rule_of_bayes(estimator):
    X, y = plane()
    clf = clone(estimator).fit(X, y)
    before, trained = clf.predict_proba(X), clf.network_.calibration.training_priors
    after = clf.set_priors([0.9, 0.1]).predict_proba(X)
    joint = before / trained * [0.9, 0.1]
    np.testing.assert_allclose(after, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)


@ALL
def test_priors_are_taken_back(estimator):
    X, y = plane()
    clf = clone(estimator).fit(X, y)
    before, decision = clf.predict_proba(X), clf.decision_function(X)
    assert clf.set_priors([0.9, 0.1]) is clf
    assert not np.array_equal(clf.predict_proba(X), before)
    clf.set_priors(None)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    np.testing.assert_array_equal(clf.decision_function(X), decision)


def test_priors_at_fit_are_those_set_afterwards():
    X, y = xor()
    priors = {0: 0.3, 1: 0.7}
    at_once, afterwards = networks(priors=priors).fit(X, y), networks().fit(X, y).set_priors(priors)
    assert_same(at_once, afterwards)
    np.testing.assert_array_equal(at_once.predict_proba(X), afterwards.predict_proba(X))
    assert_same(at_once.set_priors(None), networks().fit(X, y))


@ALL
def test_wrong_priors_are_refused_with_the_names_of_the_classes(estimator):
    X, y = plane(p=40)
    clf = clone(estimator).fit(X, NAMES[y])
    before = clf.network_
    for priors in ({"yes": 0.5}, {"yes": 0.5, "maybe": 0.5}, [0.5, 0.6], [1.0, 0.0], 0.5):
        with pytest.raises(ValueError, match=r"priors=.*no and yes"):
            clf.set_priors(priors)
    assert clf.network_ is before
    with pytest.raises(ValueError, match=r"priors=.*no and yes"):
        units(priors={"yes": 0.5, "maybe": 0.5}).fit(X, NAMES[y])


def test_priors_lower_the_error_where_the_shares_have_changed():
    X, y = load_breast_cancer_wisconsin(return_X_y=True)
    rng = np.random.default_rng(0)
    X = X + 4 * rng.standard_normal(X.shape)  # so that there are errors
    clf = units().fit(X[:300], y[:300])
    rest = np.arange(300, len(y))
    rare, other = clf.classes_
    use = np.r_[rest[y[rest] == rare][:12], rest[y[rest] == other]]
    share = (y[use] == rare).mean()
    before = (clf.predict(X[use]) != y[use]).mean()
    after = (clf.set_priors([share, 1 - share]).predict(X[use]) != y[use]).mean()
    assert after < before


def test_probabilities_are_offered_only_where_they_are_fitted():
    X, y = plane(p=40)
    for clf in (NetLinesClassifier(), MinimerrorClassifier()):
        assert not hasattr(clf, "predict_proba")
        clf.fit(X, y)
        for name in ("predict_proba", "predict_log_proba", "set_priors"):
            with pytest.raises(AttributeError, match=name):
                getattr(clf, name)
        clf.set_params(probability=True)
        assert not hasattr(clf, "predict_proba")
        assert hasattr(clf.fit(X, y), "predict_proba")


@pytest.mark.parametrize(
    "estimator", [NetLinesClassifier(max_hidden=2), MinimerrorClassifier()], ids=["net", "unit"]
)
def test_probabilities_do_not_change_the_network(estimator):
    X, y = plane()
    plain, calibrated = clone(estimator).fit(X, y), clone(estimator).set_params(probability=True).fit(X, y)
    np.testing.assert_array_equal(plain.network_.hidden_weights, calibrated.network_.hidden_weights)
    np.testing.assert_array_equal(plain.network_.decision(X), calibrated.network_.decision(X))
    np.testing.assert_array_equal(plain.predict(X), calibrated.predict(X))


def test_the_confidence_is_that_of_the_paper():
    X, y = plane()
    new = plane(seed=5)[0]
    unit = MinimerrorClassifier(temperature=0.3).fit(X, y)
    mean, scale = X.mean(axis=0), X.std(axis=0)
    w = np.r_[unit.weights_[0] + unit.weights_[1:] @ mean, unit.weights_[1:] * scale]
    stability = np.abs(w[0] + (new - mean) / scale @ w[1:]) / np.linalg.norm(w)
    assert unit.temperature_ == pytest.approx(0.3)
    np.testing.assert_allclose(unit.confidence(new), np.tanh(stability / (2 * 0.3)), rtol=1e-9)


def test_the_confidence_survives_pickling_and_checks_its_columns():
    X, y = plane()
    unit = MinimerrorClassifier().fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(unit)).confidence(X), unit.confidence(X))
    with pytest.raises(ValueError, match="X has 1 features"):
        unit.confidence([[0.0]])


# Around it


def test_a_copy_has_the_same_parameters():
    clf = networks(prefer="small", cv=3, priors={0: 0.5, 1: 0.5}, class_weight="balanced")
    again = clone(clf)
    assert str(again.get_params()) == str(clf.get_params())
    assert set(NetLinesClassifierCV().get_params()) >= {
        "prefer",
        "teacher",
        "cv",
        "scoring",
        "criterion",
        "priors",
    }


@pytest.mark.slow
def test_it_is_searched_scored_piped_and_bagged():
    X, y = xor(p=100)
    search = GridSearchCV(networks(cv=3), {"prefer": ["small", "accurate"]}, cv=2).fit(X, y)
    assert search.best_params_["prefer"] in ("small", "accurate")
    pipeline = make_pipeline(StandardScaler(), networks(cv=3)).fit(X, y)
    assert pipeline.score(X, y) > 0.8
    assert cross_val_score(units(), *plane(), cv=3, scoring="roc_auc").mean() > 0.8
    bag = BaggingClassifier(networks(cv=3), n_estimators=3, random_state=0).fit(X, y)
    assert bag.score(X, y) > 0.8
    np.testing.assert_allclose(bag.predict_proba(X).sum(axis=1), 1)


@pytest.mark.slow
def test_it_is_bagged_with_a_teacher_that_takes_no_weights():
    clf = networks(teacher=make_pipeline(StandardScaler(), SVC()), cv=3)
    BaggingClassifier(clf, n_estimators=3, random_state=0).fit(*xor(p=100))


def test_a_failed_fit_leaves_what_was_there():
    X, y = plane()
    clf = units().fit(X, y)
    before = clf.network_
    with pytest.raises(ValueError, match="priors"):
        clf.set_params(priors={5: 1.0}).fit(X, y)
    assert clf.network_ is before


def test_callbacks_hear_of_the_stages():
    heard = []

    class Listener:
        def setup(self, estimator, context):
            heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            heard.append(context.task_name)
            return False

        def teardown(self, estimator, context):
            heard.append("teardown")

    networks().set_callbacks(Listener()).fit(*xor())
    assert heard[0] == "setup"
    assert heard[-1] == "teardown"
    assert "fitting a logistic regression" in heard
    assert any(stage.startswith("fitting a network of ") for stage in heard)
    assert any(stage.startswith("fitting SVC to learn from (1 of ") for stage in heard)


@pytest.mark.parametrize("estimator", [NetLinesClassifier(), MinimerrorClassifier()], ids=["net", "unit"])
def test_the_units_of_a_calibration_are_not_told_to_callbacks(estimator):
    heard = []

    class Listener:
        def setup(self, estimator, context):
            heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            return False

        def teardown(self, estimator, context):
            pass

    clone(estimator).set_params(probability=True).set_callbacks(Listener()).fit(*plane(p=40))
    assert heard == ["setup"]
