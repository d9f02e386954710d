"""Both estimators as a user meets them with more than two classes."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from class_data import assert_same_networks, contradictory_classes, rays
from class_tables import blobs
from recorder import Recorder
from sklearn import config_context
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from netlines import NetLinesClassifier, NetLinesClassifierCV, load_model, save_model
from netlines.classifiers.multiclass import (
    PairwiseClassifier,
    TreeOfNetworksClassifier,
    TreeVoteClassifier,
    WinnerTakesAllClassifier,
)
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.selection import course, sizes, teaching
from netlines.selection.teachers import fitted
from netlines.training.cases import Cases

LABELS = np.array(["bird", "cat", "dog", "eel", "fox"])
METAS = {
    "tree": TreeOfNetworksClassifier,
    "vote": TreeVoteClassifier,
    "wta": WinnerTakesAllClassifier,
    "pairs": PairwiseClassifier,
}
DELEGATED = pytest.mark.parametrize("scheme", METAS)
GROWN = pytest.mark.parametrize("scheme", [*METAS, "shared"])
CHOSEN = pytest.mark.parametrize("scheme", ["auto", "tree", "pairs", "shared"])
ANY = pytest.mark.parametrize(
    "estimator",
    [
        *(NetLinesClassifier(max_hidden=2, multiclass=scheme) for scheme in ("vote", "tree", "shared")),
        *(NetLinesClassifierCV(max_hidden=3, cv=2, teacher=None, multiclass=s) for s in ("auto", "pairs")),
        NetLinesClassifierCV(max_hidden=3, cv=2, teacher=KNeighborsClassifier()),
        NetLinesClassifierCV(max_hidden=3, cv=2, teacher=None, multiclass="shared"),
    ],
    ids=["vote", "tree", "shared", "CV units", "CV pairs", "CV taught", "CV shared"],
)


def few_points(monkeypatch, synthetic, fresh):
    """Teach with few synthetic points."""
    less = Cases(teaching.DESCENT.two, replace(teaching.DESCENT.more, steps=800, batch=128))
    for module in (teaching, sizes):
        monkeypatch.setattr(module, "DESCENT", less)
    for name, n in {
        "FEWEST": synthetic,
        "EACH": 0,
        "FINER": Cases(two=synthetic // 2, more=synthetic // 2),
        "FRESH": fresh,
    }.items():
        monkeypatch.setattr(course, name, n)


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Teach with few synthetic points and small soft networks."""
    few_points(monkeypatch, 1200, 800)
    schedule = fitted.SoftSchedule(units=6, starts=2, steps=40, decays=(1e-2, 1e-3))
    monkeypatch.setattr(fitted, "SOFT", Cases(two=fitted.SOFT.two, more=schedule))


def iris():
    return load_iris(return_X_y=True)


def noisy(p=60, seed=0):
    """Return overlapping clouds of three classes."""
    return blobs(p=p, spread=0.9, seed=seed)


def units(**parameters):
    return NetLinesClassifierCV(**{"teacher": None, "cv": 3, **parameters})


def taught(**parameters):
    return NetLinesClassifierCV(**{"teacher": KNeighborsClassifier(), "cv": 3, "max_hidden": 6, **parameters})


# Error-free networks


@pytest.mark.sample(1)
@DELEGATED
def test_a_scheme_answers_like_the_meta_estimator(scheme):
    X, y = noisy(p=40)
    new = noisy(p=300, seed=5)[0]
    clf = NetLinesClassifier(multiclass=scheme).fit(X, LABELS[y])
    meta = METAS[scheme](NetLinesClassifier()).fit(X, LABELS[y])
    np.testing.assert_array_equal(clf.predict(new), meta.predict(new))
    np.testing.assert_allclose(clf.decision_function(new), meta.decision_function(new), rtol=1e-9, atol=1e-9)
    assert clf.n_weights_ == meta.n_weights_
    assert not hasattr(clf, "predict_proba")


@pytest.mark.sample(1)
@DELEGATED
def test_probabilities_of_a_scheme_are_those_of_the_meta_estimator(scheme):
    X, y = noisy(p=30)
    new = noisy(p=200, seed=5)[0]
    clf = NetLinesClassifier(1, multiclass=scheme, probability=True).fit(X, LABELS[y])
    meta = METAS[scheme](NetLinesClassifier(1, probability=True)).fit(X, LABELS[y])
    np.testing.assert_array_equal(clf.predict(new), meta.predict(new))
    p = clf.predict_proba(new)
    np.testing.assert_allclose(p, meta.predict_proba(new), rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(clf.decision_function(new), np.log(p))


def test_the_default_is_a_vote():
    X, y = iris()
    clf = NetLinesClassifier().fit(X, y)
    assert clf.network_.scheme == "vote"
    np.testing.assert_array_equal(clf.predict(X), TreeVoteClassifier().fit(X, y).predict(X))


@pytest.mark.sample(2)
@DELEGATED
def test_what_is_counted_is_the_total_of_the_networks(scheme):
    X, y = noisy(p=40)
    clf = NetLinesClassifier(multiclass=scheme).fit(X, LABELS[y])
    meta = METAS[scheme](NetLinesClassifier()).fit(X, LABELS[y])
    parts = meta.estimators_
    assert clf.n_hidden_ == sum(part.n_hidden_ for part in parts) == clf.network_.n_hidden
    assert clf.n_weights_ == sum(part.n_weights_ for part in parts) == clf.network_.n_weights
    assert clf.n_epochs_ == sum(part.n_epochs_ for part in parts) > 0
    assert clf.n_updates_ == sum(part.n_updates_ for part in parts)
    assert clf.n_training_errors_ == (clf.predict(X) != LABELS[y]).sum() == 0
    assert clf.stop_reason_ == "no training errors"
    for k, part in enumerate(parts):
        trace = [record for record in clf.growth_trace_ if record["network"] == k]
        assert [record["n_hidden"] for record in trace] == [one["n_hidden"] for one in part.growth_trace_]
    assert clf.internal_representation(X).shape == (40, clf.n_hidden_)


@pytest.mark.sample(2)
@DELEGATED
def test_each_network_says_which_classes_it_separates(scheme):
    X, y = noisy(p=40)
    clf = NetLinesClassifier(multiclass=scheme).fit(X, LABELS[y])
    n_parts = {"tree": 2, "vote": 6, "wta": 3, "pairs": 3}[scheme]
    assert len(clf.networks_) == n_parts
    for part in clf.networks_:
        own, others = np.isin(LABELS[y], part.positive), np.isin(LABELS[y], part.negative)
        answers = part.network.predict(X)
        assert answers[own].all()
        assert not answers[others].any()
        assert len(part.positive) == 1


def test_a_shared_layer_is_one_network_of_all_classes():
    X, y = noisy(p=40)
    clf = NetLinesClassifier(multiclass="shared").fit(X, LABELS[y])
    assert isinstance(clf.network_, Network)
    (part,) = clf.networks_
    assert (part.positive, part.negative) == (("bird", "cat", "dog"), ())
    assert clf.n_training_errors_ == 0
    assert clf.n_weights_ == clf.n_hidden_ * 3 + 3 * (clf.n_hidden_ + 1)
    assert clf.growth_trace_[-1]["n_hidden"] == clf.n_hidden_
    np.testing.assert_array_equal(LABELS[clf.decision_function(X).argmax(axis=1)], clf.predict(X))


@GROWN
def test_limits_are_kept_and_named(scheme):
    X, y = noisy()
    clf = NetLinesClassifier(max_hidden=1, multiclass=scheme).fit(X, y)
    assert all(part.network.n_hidden == 1 for part in clf.networks_)
    assert clf.n_training_errors_ > 0
    assert "max_hidden=1 " in clf.stop_reason_
    assert (" against " in clf.stop_reason_) == (scheme != "shared")


@GROWN
def test_contradictory_rows_leave_the_unavoidable_errors(scheme):
    X, y = contradictory_classes(p=40)
    _, group = np.unique(X, axis=0, return_inverse=True)
    counts = np.zeros((16, 3))
    np.add.at(counts, (group.ravel(), y), 1)
    least = int((counts.sum(axis=1) - counts.max(axis=1)).sum())
    clf = NetLinesClassifier(multiclass=scheme).fit(X, y)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() >= least > 0
    if scheme == "shared":
        assert clf.n_training_errors_ == least
        assert "unavoidable" in clf.stop_reason_


# What is chosen


@pytest.fixture(scope="module")
def clouds():
    """Return clouds of which some units cannot tell the classes, and what is chosen for them."""
    with pytest.MonkeyPatch.context() as patch:
        few_points(patch, 2000, 1000)
        X, y = blobs(p=120)
        return X, LABELS[y], NetLinesClassifierCV(max_hidden=8, teacher=SVC(C=10), cv=3).fit(X, LABELS[y])


def test_a_shared_layer_has_everything_the_documentation_names(clouds):
    X, y, clf = clouds
    h = clf.n_hidden_
    assert isinstance(clf.network_, Network)
    assert 1 < h <= 8
    assert clf.n_weights_ == clf.network_.n_weights == 3 * h + 3 * (h + 1)
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum() < 12
    assert clf.stop_reason_.startswith(f"network of {h} hyperplanes ({clf.n_weights_} weights): ")
    assert "\n" not in clf.chosen_
    assert clf.temperature_ is None
    assert clf.n_updates_ > clf.n_epochs_ > 0
    assert clf.growth_trace_[-1]["n_hidden"] == h
    assert isinstance(clf.teacher_, SVC)
    assert clf.n_features_in_ == 2
    np.testing.assert_array_equal(clf.classes_, LABELS[:3])
    assert clf.internal_representation(X).shape == (120, h)


def test_clouds_are_learnt_far_better_than_by_units(clouds):
    X, y, clf = clouds
    new, labels = blobs(p=1500)
    assert clf.score(new, LABELS[labels]) > 0.93 > units().fit(X, y).score(new, LABELS[labels]) + 0.1
    assert log_loss(LABELS[labels], clf.predict_proba(new)) < 0.3


def test_the_table_agrees_with_what_was_chosen(clouds):
    _, _, clf = clouds
    table = pd.DataFrame(clf.cv_results_)
    (chosen,) = table[table.chosen].itertuples()
    assert clf.stop_reason_.startswith(chosen.candidate)
    assert (chosen.n_hidden, chosen.n_weights) == (clf.n_hidden_, clf.n_weights_)
    assert f"{100 * chosen.error:.1f} %" in clf.stop_reason_
    assert table[table.role == "reference"].candidate.tolist() == ["SVC"]
    layers = table[table.role == "network"]
    assert layers.candidate.str.startswith("network of").all()
    assert layers.fidelity.between(0, 1).all()
    assert table.error.between(0, 1).all()
    assert table.temperature.notna().equals(table.candidate.str.contains("cold"))
    assert table.theta.isin([2.0, np.inf]).equals(table.candidate.str.contains("cold"))


def test_pickling_keeps_everything(clouds):
    X, _, clf = clouds
    again = pickle.loads(pickle.dumps(clf))
    assert_same_networks(again, clf)
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert again.chosen_ == clf.chosen_


def test_rays_take_units_as_good_as_a_logistic_regression():
    X, y = rays(p=150)
    clf = NetLinesClassifierCV(cv=3, max_hidden=4).fit(X, y)
    new, labels = rays(p=2000, seed=1)
    peer = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    assert isinstance(clf.network_, Networks)
    assert clf.n_hidden_ == len(clf.networks_)
    assert clf.n_weights_ == 4 * clf.n_hidden_
    assert clf.score(new, labels) > peer.score(new, labels) - 0.03
    assert log_loss(labels, clf.predict_proba(new)) < log_loss(labels, peer.predict_proba(new)) + 0.05
    assert clf.teacher_ is None  # none was needed
    assert "the large model that networks would learn from" in clf.stop_reason_


def test_without_a_teacher_there_are_only_units():
    X, y = blobs(p=80)
    clf = units().fit(X, LABELS[y])
    assert clf.teacher_ is None
    assert all(part.network.n_hidden == 1 for part in clf.networks_)
    assert clf.temperature_ is None or clf.temperature_ > 0
    assert clf.growth_trace_ == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("teacher", [None, KNeighborsClassifier(), LinearSVC()], ids=str)
def test_a_shared_layer_may_be_asked_for(teacher):
    X, y = noisy()
    clf = NetLinesClassifierCV(3, multiclass="shared", teacher=teacher, cv=3).fit(X, LABELS[y])
    assert isinstance(clf.network_, Network)
    assert clf.n_hidden_ <= 3
    assert type(clf.teacher_) is type(teacher)
    assert not any("pairs" in name or "tree" in name for name in clf.cv_results_["candidate"])
    assert clf.score(X, LABELS[y]) > 0.6


@pytest.mark.sample(2)
@DELEGATED
def test_a_network_is_chosen_for_each_problem_of_a_scheme(scheme):
    X, y = blobs(p=80)
    clf = units(multiclass=scheme, max_hidden=3).fit(X, LABELS[y])
    voting = {"voting": "confidence"} if scheme == "vote" else {}
    meta = METAS[scheme](units(max_hidden=3), **voting).fit(X, LABELS[y])
    new = blobs(p=300, seed=3)[0]
    np.testing.assert_array_equal(clf.predict(new), meta.predict(new))
    np.testing.assert_allclose(clf.predict_proba(new), meta.predict_proba(new), rtol=1e-8, atol=1e-12)
    parts = meta.estimators_
    assert clf.n_hidden_ == sum(part.n_hidden_ for part in parts)
    assert clf.n_weights_ == sum(part.n_weights_ for part in parts)
    assert clf.teacher_ == [None] * len(parts)
    table = clf.cv_results_
    assert {len(column) for column in table.values()} == {sum(len(p.cv_results_["chosen"]) for p in parts)}
    for k, part in enumerate(parts):
        own = table["network"] == k
        np.testing.assert_array_equal(table["error"][own], part.cv_results_["error"])
        assert table["chosen"][own].sum() == 1
    assert f"of {len(parts)} networks ({clf.n_weights_} weights)" in clf.stop_reason_
    assert clf.temperature_ is None


def test_teachers_of_a_scheme_are_one_a_network():
    X, y = blobs(p=80)
    clf = taught(multiclass="pairs", max_hidden=3).fit(X, LABELS[y])
    assert [type(teacher) for teacher in clf.teacher_] == [KNeighborsClassifier] * 3
    assert clf.n_hidden_ > 3
    assert {record["network"] for record in clf.growth_trace_} <= {0, 1, 2}
    assert clf.n_epochs_ > 0


@pytest.mark.slow
def test_the_shortest_description_is_that_of_a_tree():
    X, y = rays(p=24, n=2)
    clf = NetLinesClassifierCV(1, criterion="mdl").fit(X, LABELS[y])
    assert clf.network_.scheme == "tree"
    assert len(clf.networks_) == 2
    assert clf.n_weights_ == clf.network_.n_nonzero
    assert clf.stop_reason_.startswith(f"a tree of 2 networks ({clf.n_weights_} weights)")
    assert set(clf.cv_results_) >= {"network", "bits", "chosen", "candidate"}
    assert clf.cv_results_["chosen"].sum() == 2
    np.testing.assert_allclose(clf.predict_proba(X).sum(axis=1), 1)
    assert clf.score(X, LABELS[y]) > 0.7


@pytest.mark.slow
def test_the_shortest_description_does_not_read_the_splits():
    X, y = rays(p=10, n=2)
    clf = NetLinesClassifierCV(1, criterion="mdl", cv=KFold(40))  # more folds than rows
    assert len(clf.fit(X, y).networks_) == 2


# Folds and scores


SPLITTERS = [
    4,
    None,
    KFold(3, shuffle=True, random_state=0),
    StratifiedKFold(3),
    ShuffleSplit(3, test_size=0.3, random_state=0),
    PredefinedSplit(np.arange(60) % 3),
    list(KFold(3).split(np.zeros((60, 2)))),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: type(cv).__name__)
@pytest.mark.parametrize("scheme", ["auto", "shared"])
def test_any_splitter_decides(scheme, cv):
    X, y = noisy()
    clf = units(multiclass=scheme, max_hidden=2, cv=cv).fit(X, LABELS[y])
    assert clf.score(X, LABELS[y]) > 0.5
    assert clf.get_params()["cv"] is cv


@pytest.mark.sample(3)
@pytest.mark.parametrize("cv", [4, None])
@DELEGATED
def test_a_number_of_folds_decides_about_each_network_of_a_scheme(scheme, cv):
    X, y = noisy()
    assert units(multiclass=scheme, max_hidden=2, cv=cv).fit(X, LABELS[y]).score(X, LABELS[y]) > 0.5


@pytest.mark.parametrize("cv", SPLITTERS[2:], ids=lambda cv: type(cv).__name__)
@DELEGATED
def test_splits_of_all_rows_are_refused_where_each_network_learns_some(scheme, cv):
    X, y = noisy()
    clf = units(multiclass=scheme, cv=cv)
    with pytest.raises(ValueError, match=rf"(?s)cv=.*multiclass='{scheme}'.*a number of folds.*'auto'"):
        clf.fit(X, y)
    assert not hasattr(clf, "network_")


@pytest.mark.sample(1)
@pytest.mark.parametrize("scoring", ["neg_log_loss", "accuracy"])
@CHOSEN
def test_any_score_decides(scheme, scoring):
    X, y = noisy()
    clf = units(multiclass=scheme, scoring=scoring, max_hidden=2).fit(X, LABELS[y])
    assert np.isfinite(clf.cv_results_["score"]).all()
    if scheme == "auto":
        table = clf.cv_results_
        assert table["score"][table["chosen"]][0] == table["score"].max()
        assert "score" in clf.stop_reason_


@pytest.mark.sample(2)
@pytest.mark.parametrize("scoring", [None, "accuracy", "neg_log_loss"])
@CHOSEN
def test_a_class_with_a_single_pattern_works(scheme, scoring):
    X, y = noisy(p=40)
    y = np.where(np.arange(40) == 11, 3, y)
    clf = units(multiclass=scheme, scoring=scoring, max_hidden=2).fit(X, LABELS[y])
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[p.argmax(axis=1)])
    assert clf.classes_[3] == "eel"
    if scoring is not None:
        assert np.isfinite(clf.cv_results_["score"]).any()


@pytest.mark.sample(1)
@GROWN
def test_a_class_with_a_single_pattern_is_grown(scheme):
    X, y = noisy(p=40)
    y = np.where(np.arange(40) == 11, 3, y)
    clf = NetLinesClassifier(multiclass=scheme).fit(X, LABELS[y])
    if scheme in ("tree", "shared"):
        assert clf.predict(X[11:12]) == ["eel"]
        assert clf.n_training_errors_ == 0


# Priors


PRIORS = pytest.mark.parametrize(
    "estimator",
    [
        units(),
        units(multiclass="vote", max_hidden=2),
        units(multiclass="shared", max_hidden=3),
        NetLinesClassifier(2, multiclass="shared", probability=True),
        NetLinesClassifier(2, multiclass="tree", probability=True),
    ],
    ids=["units", "vote", "shared", "grown", "tree"],
)


@pytest.mark.sample(1)
@PRIORS
def test_priors_follow_the_rule_of_bayes_and_are_taken_back(estimator):
    X, y = noisy()
    clf = clone(estimator).fit(X, LABELS[y])
    before, trained = clf.predict_proba(X), np.bincount(y) / len(y)
    priors = np.array([0.7, 0.2, 0.1])
    errors = clf.n_training_errors_
    assert clf.set_priors(priors) is clf
    p, joint = clf.predict_proba(X), before / trained * priors
    np.testing.assert_allclose(p, joint / joint.sum(axis=1, keepdims=True), rtol=1e-6)
    np.testing.assert_array_equal(clf.predict(X), LABELS[p.argmax(axis=1)])
    np.testing.assert_array_equal(clf.decision_function(X).argmax(axis=1), p.argmax(axis=1))
    np.testing.assert_allclose(clf.predict_log_proba(X), np.log(p))
    assert clf.n_training_errors_ == errors
    for part in clf.networks_:  # the networks themselves know nothing of it
        assert not part.network.moved
    clf.set_priors(dict(zip(LABELS[[2, 0, 1]], priors[[2, 0, 1]], strict=True)))
    np.testing.assert_array_equal(clf.predict_proba(X), p)
    clf.set_priors(None)
    np.testing.assert_array_equal(clf.predict_proba(X), before)


@pytest.mark.sample(2)
@PRIORS
def test_wrong_priors_are_refused_with_the_names_of_the_classes(estimator):
    X, y = noisy(p=33)
    clf = clone(estimator).fit(X, LABELS[y])
    before = clf.network_
    for priors in ([0.5, 0.5], {"bird": 1.0}, [0.5, 0.5, 0.0], [0.5, 0.5, 0.5]):
        with pytest.raises(ValueError, match=r"priors=.*classes bird, cat and dog"):
            clf.set_priors(priors)
    assert clf.network_ is before


@pytest.mark.parametrize("scheme", ["auto", "pairs"])
def test_priors_at_fit_are_those_set_afterwards(scheme):
    X, y = noisy()
    priors = {0: 0.2, 1: 0.2, 2: 0.6}
    at_once = units(multiclass=scheme, priors=priors).fit(X, y)
    later = units(multiclass=scheme).fit(X, y).set_priors(priors)
    np.testing.assert_array_equal(at_once.predict_proba(X), later.predict_proba(X))
    assert at_once.n_training_errors_ == (at_once.predict(X) != y).sum()
    with pytest.raises(ValueError, match=r"priors=.*classes 0, 1 and 2"):
        units(multiclass=scheme, priors=[0.5, 0.5]).fit(X, y)


@pytest.mark.parametrize("scheme", METAS)
def test_without_probabilities_there_are_no_priors(scheme):
    clf = NetLinesClassifier(1, multiclass=scheme).fit(*noisy(p=33))
    for name in ("predict_proba", "predict_log_proba", "set_priors"):
        with pytest.raises(AttributeError, match=name):
            getattr(clf, name)


# Weights


@pytest.mark.sample(2)
@ANY
def test_class_weights_multiply_the_weights_of_the_rows(estimator):
    X, y = noisy(p=33)
    weights = np.random.default_rng(0).integers(1, 3, 33).astype(float)
    by_class = clone(estimator).set_params(class_weight={"bird": 1, "cat": 1, "dog": 2})
    first = by_class.fit(X, LABELS[y], sample_weight=weights)
    second = clone(estimator).fit(X, LABELS[y], sample_weight=weights * np.where(y == 2, 2.0, 1.0))
    assert_same_networks(first, second)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "estimator",
    [units(), *(units(multiclass=scheme) for scheme in METAS), taught(max_hidden=3, multiclass="shared")],
    ids=str,
)
def test_weights_are_repetitions(estimator):
    X, y = noisy(p=40)
    times = np.random.default_rng(0).integers(0, 3, 40)
    times[:3] = 1
    weighted = clone(estimator).fit(X, y, sample_weight=times.astype(float))
    repeated = clone(estimator).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_same_networks(weighted, repeated)


def test_balanced_classes_have_equal_priors():
    X, y = rays(p=90)
    keep = (y != 2) | (np.arange(90) % 3 == 0)
    X, y = X[keep], y[keep]
    plain, balanced = units().fit(X, y), units(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.network_.training_priors, 1 / 3)
    assert balanced.predict_proba(X)[:, 2].mean() > plain.predict_proba(X)[:, 2].mean()


@ANY
def test_a_class_without_weight_is_named(estimator):
    X, y = noisy(p=33)
    clf = clone(estimator)
    with pytest.raises(ValueError, match=r"needs rows of each class, all rows of cat have the weight 0"):
        clf.fit(X, LABELS[y], sample_weight=(y != 1).astype(float))
    with pytest.raises(ValueError, match=r"needs rows of each class, all rows of cat have the weight 0"):
        clf.set_params(class_weight={"bird": 1, "cat": 0, "dog": 1}).fit(X, LABELS[y])
    with pytest.raises(ValueError, match=r"one class with a positive weight: dog"):
        clf.set_params(class_weight=None).fit(X, LABELS[y], sample_weight=(y == 2).astype(float))
    with pytest.raises(NotFittedError):
        clf.predict(X)


# Tables of all sorts


TINY = {
    "one row a class": ([[0.0], [1.0], [2.0]], [0, 1, 2]),
    "one row of a class": (rays(p=30)[0], np.where(np.arange(30) == 7, 2, np.arange(30) % 2)),
    "constant columns": (np.ones((21, 2)), [0, 1, 2] * 7),
    "a constant column": (np.column_stack([rays(p=40)[0], np.full(40, 1e8)]), rays(p=40)[1]),
    "one feature": (np.arange(30.0)[:, None], np.arange(30) // 10),
    "three patterns": ([[0.0], [1.0], [3.0]] * 8, [0, 1, 2] * 8),
    "duplicate rows": (np.vstack([rays(p=25)[0]] * 2), np.tile(rays(p=25)[1], 2)),
    "contradictory rows": contradictory_classes(p=40),
    "more columns than rows": rays(p=12, n=20),
    "tiny values": (1e-150 * rays(p=30)[0], rays(p=30)[1]),
    "huge values": (1e60 * rays(p=30)[0], rays(p=30)[1]),
    "many classes": (np.arange(24.0).reshape(12, 2) ** 1.5, np.arange(12)),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize(
    "estimator",
    [
        NetLinesClassifierCV(max_hidden=3, cv=2, teacher=KNeighborsClassifier(1)),
        units(),
        units(multiclass="tree"),
        units(multiclass="shared", max_hidden=3),
    ],
    ids=["taught", "units", "tree", "shared"],
)
def test_any_table_is_learnt(estimator, name):
    X, y = map(np.asarray, TINY[name])
    clf = clone(estimator).fit(X, y)
    p = clf.predict_proba(X)
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[p.argmax(axis=1)])
    assert clf.n_training_errors_ == (clf.predict(X) != y).sum()
    assert np.isfinite(clf.decision_function(X)).all()


def test_the_default_learns_a_small_table():
    clf = NetLinesClassifierCV(cv=2, max_hidden=2).fit(*TINY["one row of a class"])
    assert "held-out error" in clf.stop_reason_
    assert NetLinesClassifierCV(max_hidden=2).fit(*TINY["one row a class"]).classes_.tolist() == [0, 1, 2]


@pytest.mark.sample(2)
@ANY
def test_a_frame_gives_its_names(estimator):
    X, y = rays(p=45)
    frame = pd.DataFrame(X, columns=["size", "age", "dose"])
    clf = clone(estimator).fit(frame, pd.Series(LABELS[y]))
    plain = clone(estimator).fit(X, LABELS[y])
    assert_same_networks(clf, plain)
    assert clf.network_.feature_names == ("size", "age", "dose")
    assert all(part.network.feature_names == ("size", "age", "dose") for part in clf.networks_)
    assert plain.network_.feature_names is None
    np.testing.assert_array_equal(clf.predict(frame), plain.predict(X))
    other = frame[["dose", "age", "size"]].assign(colour="red")
    np.testing.assert_array_equal(clf.predict(other), plain.predict(X))
    with pytest.raises(ValueError, match="the table lacks the column 'age'; it has 'size', 'dose'"):
        clf.predict(frame[["size", "dose"]])


@pytest.mark.sample(1)
@ANY
def test_labels_may_be_renamed(estimator):
    X, y = noisy(p=33)
    plain = clone(estimator).fit(X, y)
    for names in (np.array([-5, 0, 12]), np.array(["x", "y", "z"], dtype=object)):
        renamed = clone(estimator).fit(X, names[y])
        assert_same_networks(renamed, plain)
        np.testing.assert_array_equal(renamed.predict(X), names[plain.predict(X)])


@pytest.mark.sample(2)
@ANY
def test_single_precision_is_taken(estimator):
    X, y = noisy(p=33)
    X32 = X.astype(np.float32)
    clf = clone(estimator).fit(X32, y)
    assert clf.n_training_errors_ == (clf.predict(X32) != y).sum()
    assert clf.score(X32, y) > 0.5
    if isinstance(estimator, NetLinesClassifierCV) and estimator.multiclass != "pairs":
        assert_same_networks(clf, clone(estimator).fit(X32.astype(float), y))


# Determinism


@pytest.mark.sample(2)
@ANY
def test_the_result_does_not_depend_on_the_number_of_threads(estimator):
    X, y = noisy(p=33)
    one, two = (clone(estimator).set_params(n_jobs=n).fit(X, y) for n in (1, 2))
    assert_same_networks(one, two)
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


@pytest.mark.sample(2)
@ANY
def test_the_result_does_not_depend_on_the_order_of_the_rows(estimator):
    X, y = noisy(p=33)
    order = np.random.default_rng(1).permutation(33)
    plain, shuffled = clone(estimator).fit(X, y), clone(estimator).fit(X[order], y[order])
    assert_same_networks(plain, shuffled)
    np.testing.assert_array_equal(plain.predict(X), shuffled.predict(X))


@pytest.mark.slow
def test_the_default_depends_neither_on_threads_nor_on_the_order_of_the_rows():
    X, y = blobs(p=70)
    order = np.random.default_rng(1).permutation(70)
    one = NetLinesClassifierCV(4, cv=2).fit(X, y)
    two = NetLinesClassifierCV(4, cv=2, n_jobs=2).fit(X[order], y[order])
    assert_same_networks(one, two)
    for name, column in one.cv_results_.items():
        np.testing.assert_array_equal(column, two.cv_results_[name], err_msg=name)


@pytest.mark.slow
def test_another_seed_gives_another_layer():
    X, y = blobs(p=70)
    one, again, other = (
        taught(multiclass="shared", max_hidden=3, random_state=seed).fit(X, y)
        for seed in (0, np.random.RandomState(0), 1)
    )
    assert_same_networks(one, again)
    assert not np.array_equal(one.network_.hidden_weights, other.network_.hidden_weights)


# Around it


@pytest.mark.sample(2)
@ANY
def test_copies_and_pickles_are_the_same(estimator):
    X, y = noisy(p=33)
    clf = clone(estimator).fit(X, LABELS[y])
    again = pickle.loads(pickle.dumps(clf))
    assert_same_networks(again, clf)
    np.testing.assert_array_equal(again.decision_function(X), clf.decision_function(X))
    assert str(clone(clf).get_params()) == str(clf.get_params()) == str(estimator.get_params())
    assert not hasattr(clone(clf), "network_")


def test_it_is_searched_scored_and_piped():
    X, y = noisy(p=90)
    search = GridSearchCV(units(), {"multiclass": ["auto", "tree"]}, cv=2, scoring="neg_log_loss").fit(X, y)
    assert search.best_params_["multiclass"] in ("auto", "tree")
    nets = GridSearchCV(NetLinesClassifier(1), {"multiclass": ["tree", "pairs"]}, cv=2).fit(X, y)
    assert np.isfinite(nets.cv_results_["mean_test_score"]).all()
    assert make_pipeline(StandardScaler(), units()).fit(X, y).score(X, y) > 0.5
    assert np.isfinite(cross_val_score(units(), X, y, cv=2, scoring="roc_auc_ovr")).all()


@pytest.mark.parametrize("scheme", ["auto", "tree"])
def test_weights_are_routed(scheme):
    X, y = noisy(p=33)
    weights = np.where(y == 1, 2.0, 1.0)
    plain = units(multiclass=scheme).fit(X, y, sample_weight=weights)
    with config_context(enable_metadata_routing=True):
        routed = units(multiclass=scheme).fit(X, y, sample_weight=weights)
        grown = NetLinesClassifier(1, multiclass="pairs").fit(X, y, sample_weight=weights)
    assert_same_networks(routed, plain)
    assert_same_networks(grown, NetLinesClassifier(1, multiclass="pairs").fit(X, y, sample_weight=weights))


class Listener:
    """A callback of scikit-learn that writes down the tasks that end, and may interrupt one."""

    max_propagation_depth = None  # handed on to the networks of a scheme

    def __init__(self, interrupt_at=None):
        self.interrupt_at = interrupt_at
        self.heard, self.fits = [], ()

    def setup(self, estimator, context):
        self.heard.append("setup")

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.heard.append(context.task_name)
        self.fits += (context.estimator_name,) if context.task_name == "fit" else ()
        if context.task_name == self.interrupt_at:
            raise KeyboardInterrupt
        return False

    def teardown(self, estimator, context):
        self.heard.append("teardown")


@pytest.mark.slow
def test_callbacks_hear_of_the_stages():
    X, y = blobs(p=120)
    listener = Listener()
    clf = taught(max_hidden=3).set_callbacks(listener).fit(X, y)
    first = "fitting KNeighborsClassifier to learn from (1 of 4)"
    assert listener.heard[:3] == ["setup", "fitting a logistic regression", first]
    assert any(one.startswith("fitting a network of ") for one in listener.heard)
    assert listener.heard[-2:] == ["fit", "teardown"]
    assert_same_networks(clf, taught(max_hidden=3).fit(X, y))


@pytest.mark.sample(3)
@DELEGATED
@pytest.mark.parametrize(
    ("estimator", "task"),
    [(NetLinesClassifier(2), "hidden unit"), (units(), "fitting a logistic regression")],
    ids=["net", "CV"],
)
def test_callbacks_hear_of_each_network(scheme, estimator, task):
    listener = Listener()
    clf = clone(estimator).set_params(multiclass=scheme).set_callbacks(listener).fit(*noisy(p=33))
    n_parts = len(clf.networks_)
    assert sorted(listener.fits) == sorted([METAS[scheme].__name__, *[type(clf).__name__] * (n_parts + 1)])
    assert listener.heard.count(task) >= n_parts
    assert (listener.heard[0], listener.heard[-1]) == ("setup", "teardown")
    assert listener.heard.count("setup") == 1


@DELEGATED
def test_a_callback_that_is_not_handed_on_hears_of_each_network_too(scheme):
    recorder = Recorder()
    clf = NetLinesClassifier(1, multiclass=scheme).set_callbacks(recorder).fit(*noisy(p=33))
    networks = len(clf.networks_)
    assert recorder.events[:3] == ["setup", ("begin", "fit"), ("begin", scheme)]
    assert recorder.events[-3:] == [("end", scheme), ("end", "fit"), "teardown"]
    assert recorder.events[3:-3] == [("begin", "network"), ("end", "network")] * networks


@pytest.mark.sample(2)
@ANY
def test_the_progress_bar_is_drawn(estimator, capsys):
    clone(estimator).set_callbacks(ProgressBar()).fit(*noisy(p=33))
    drawn = capsys.readouterr().out
    assert f"{type(estimator).__name__} - fit" in drawn
    assert "100%" in drawn


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("estimator", "task"),
    [
        (NetLinesClassifier(2), "fit"),
        (NetLinesClassifier(2, multiclass="tree"), "hidden unit"),
        (NetLinesClassifier(2, multiclass="shared"), "hidden unit"),
        (units(), "fitting a logistic regression"),
        (taught(max_hidden=3), "fitting a network of 2 hyperplanes"),
        (units(multiclass="pairs"), "fitting a logistic regression"),
    ],
    ids=str,
)
@pytest.mark.parametrize("fitted", [False, True])
def test_an_interrupted_fit_leaves_the_estimator_as_it_was(estimator, task, fitted):
    clf = clone(estimator)
    if fitted:
        clf.fit(*rays(p=45, n=2))
    clf.set_callbacks(Listener(task))
    before = dict(vars(clf))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*blobs(p=60))
    assert vars(clf) == before
    assert hasattr(clf, "network_") == fitted


def test_two_classes_do_not_read_the_scheme():
    X, y = noisy()
    plain, other = (NetLinesClassifier(multiclass=m).fit(X, y > 0) for m in ("vote", "shared"))
    assert_same_networks(plain, other)
    (part,) = plain.networks_
    assert (part.positive, part.negative) == ((True,), (False,))
    for scheme in ("shared", "tree"):
        assert_same_networks(units(multiclass=scheme).fit(X, y > 0), units().fit(X, y > 0))


def test_an_unknown_scheme_is_refused():
    for clf in (NetLinesClassifier(multiclass="ovo"), NetLinesClassifierCV(multiclass="ovo")):
        with pytest.raises(ValueError, match=r"'multiclass' parameter .* Got 'ovo'"):
            clf.fit(*noisy(p=30))


def test_one_class_is_refused():
    for clf in (NetLinesClassifier(), NetLinesClassifierCV(multiclass="tree")):
        with pytest.raises(ValueError, match="one class"):
            clf.fit([[0.0], [1.0]], ["a", "a"])


def test_iris_is_learnt():
    X, y = iris()
    clf = NetLinesClassifierCV(max_hidden=3).fit(X[::2], y[::2])
    assert clf.score(X[1::2], y[1::2]) > 0.93
    vote = NetLinesClassifier().fit(X[::2], y[::2])
    assert vote.n_training_errors_ == 0
    assert vote.score(X[1::2], y[1::2]) > 0.9


@pytest.mark.sample(2)
@pytest.mark.parametrize("scheme", ["vote", "pairs", "tree", "wta", "shared"])
@pytest.mark.parametrize(
    "far", [1.7e18 + 256 * np.arange(4), 1e6 + np.arange(4) / 4], ids=["stamps", "quarters"]
)
def test_networks_that_count_some_rows_from_far_away_lose_no_others(scheme, far, tmp_path):
    X = np.concatenate([far, 1e-12 * np.arange(4) if far[0] < 1e9 else np.arange(4.0)])[:, None]
    y = np.array(list("ababcdcd"))
    clf = NetLinesClassifier(multiclass=scheme).fit(X, y)
    save_model(clf, tmp_path / "model.json")
    assert (clf.predict(X) == y).all()
    assert (load_model(tmp_path / "model.json").predict(X) == y).all()


def test_no_row_is_beyond_the_weights_of_a_network_that_did_not_learn_it(tmp_path):
    small, large = [[0.0, 1e-290], [0.0, -1e-290], [1e80, 0.0]], [[1.0, 1e90], [-1.0, -1e90]]
    X, y = np.array(small + large), list("abacc")
    clf = NetLinesClassifier(multiclass="pairs").fit(X, y)
    save_model(clf, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").predict(X).tolist() == clf.predict(X).tolist()
    assert clf.predict(X[:3]).tolist() == list("aba")


def test_a_vote_of_any_estimators_keeps_its_answers_in_a_file(tmp_path):
    X = np.concatenate([1.7e18 + 256 * np.arange(4), np.arange(4.0)])[:, None]
    clf = TreeVoteClassifier(NetLinesClassifier()).fit(X, list("ababcdcd"))
    save_model(clf, tmp_path / "model.json")
    assert "".join(load_model(tmp_path / "model.json").predict(X)) == "".join(clf.predict(X)) == "ababcdcd"


@pytest.mark.sample(1)
@pytest.mark.parametrize("step", [StandardScaler(), PCA(2)], ids=lambda one: type(one).__name__)
def test_a_teacher_of_networks_may_learn_other_columns(step):
    rng = np.random.default_rng(0)
    X = np.column_stack([1.7e9 + rng.uniform(0, 900, 60), rng.normal(size=60), rng.normal(size=60)])
    y = np.digitize(X[:, 0] - 1.7e9, [300, 600])
    teacher = make_pipeline(step, NetLinesClassifier(max_hidden=2, probability=True))
    clf = NetLinesClassifierCV(teacher=teacher, multiclass="pairs", cv=2, random_state=0).fit(X, y)
    assert clf.score(X, y) > 0.9


# Small for many classes too


@pytest.mark.parametrize(
    ("load", "most"),
    [(load_iris, 15), pytest.param(load_wine, 60, marks=pytest.mark.slow)],
    ids=["iris", "wine"],
)
def test_easy_tables_get_few_weights(load, most):
    X, y = load(return_X_y=True)
    clf = NetLinesClassifierCV().fit(X, y)
    assert clf.n_weights_ <= most
    assert (clf.predict(X) == y).mean() > 0.97


def test_a_layer_has_no_unit_to_spare(clouds):
    X, _, clf = clouds
    states = clf.internal_representation(X)
    states = states * states[:1]
    assert len(np.unique(states, axis=1).T) == clf.n_hidden_
    assert not (states == 1).all(axis=0).any()


def test_the_smallest_of_the_networks_that_answer_like_the_teacher_is_taken(clouds):
    _, _, clf = clouds
    table = pd.DataFrame(clf.cv_results_)
    networks = table[table.role == "network"]
    (chosen,) = table[table.chosen].itertuples()
    assert chosen.role == "network"
    assert networks.fidelity.max() - chosen.fidelity < 0.05
    assert f"the smallest of {len(networks)} that answers like SVC on new points" in clf.stop_reason_
    assert networks.candidate.is_unique
