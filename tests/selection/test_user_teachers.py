"""Classifiers of the user as teachers: labels, decisions, weights, names, and folds."""

import numpy as np
import pytest
from class_data import class_data_of, contradictory_classes, held_out_examples, rays
from class_tables import blobs
from example_tables import contradictory, plane, xor
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from netlines.selection.folds import folds_of_rows
from netlines.selection.teachers.classifier import Classifier, fit_classifier
from netlines.selection.teachers.teacher import mean_loss

TABLES = pytest.mark.parametrize("table", [xor(p=60), blobs(p=60)], ids=["two", "classes"])


class OnlyLabels(ClassifierMixin, BaseEstimator):
    """Answers with the class of the nearest mean."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([np.asarray(X)[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        distances = ((np.asarray(X)[:, None] - self.means_) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]


@TABLES
def test_the_model_is_copied_and_given_back(table):
    X, y = table
    forest = RandomForestClassifier(5, random_state=0)
    teacher = fit_classifier(class_data_of(X, y), forest)
    assert not hasattr(forest, "classes_")
    assert teacher.name == "RandomForestClassifier"
    own = teacher.fitted(np.unique(y))
    assert isinstance(own, RandomForestClassifier)
    np.testing.assert_allclose(own.predict_proba(X), teacher.probability(X))


@pytest.mark.parametrize(
    "classes", [("a", "b", "c"), (-1, 3, 7), (0.0, 1.0, 2.0), (False, True), ("no", "yes")]
)
def test_labels_may_be_of_any_kind(classes):
    X, y = blobs(p=60, n_classes=len(classes))
    for model in (KNeighborsClassifier(), LinearSVC(), OnlyLabels()):
        plain = fit_classifier(class_data_of(X, y), model)
        named = fit_classifier(class_data_of(X, y, classes=classes), model)
        np.testing.assert_array_equal(named.probability(X), plain.probability(X))
        assert list(named.fitted(np.array(classes)).classes_) == list(classes)


@pytest.mark.parametrize("model", [LinearSVC(), RidgeClassifier(), SVC()], ids=str)
def test_decisions_are_squashed_in_their_order(model):
    X, y = blobs(p=60)
    teacher = fit_classifier(class_data_of(X, y), make_pipeline(StandardScaler(), model))
    p, own = teacher.probability(X), teacher.fitted(np.arange(3))
    np.testing.assert_array_equal(p.argmax(axis=1), own.predict(X))
    f = own.decision_function(X)
    np.testing.assert_allclose(np.diff(np.log(p)), np.diff(4 * f / f.std()), atol=1e-9)


def test_decisions_of_two_classes_are_squashed_on_their_side():
    X, y = plane()
    teacher = fit_classifier(class_data_of(X, y), make_pipeline(StandardScaler(), LinearSVC()))
    p, own = teacher.probability(X)[:, 1], teacher.fitted(np.array([0, 1]))
    np.testing.assert_array_equal(p >= 0.5, own.predict(X) == 1)
    assert len(np.unique(p)) > 100
    assert (np.diff(p[np.argsort(own.decision_function(X))]) >= 0).all()


@TABLES
def test_a_squashed_decision_does_not_depend_on_the_other_rows(table):
    probability = fit_classifier(class_data_of(*table), LinearSVC()).probability
    np.testing.assert_allclose(probability(table[0][:5]), probability(table[0])[:5])


def test_decisions_of_pairs_are_not_taken_for_those_of_classes():
    X, y = blobs(p=60)
    model = SVC(decision_function_shape="ovo")
    teacher = fit_classifier(class_data_of(X, y), model)
    assert teacher.fitted(np.arange(3)).decision_function(X).shape == (60, 3)
    np.testing.assert_array_equal(teacher.probability(X).argmax(axis=1), model.fit(X, y).predict(X))


@TABLES
def test_labels_alone_are_sure(table):
    X, y = table
    teacher = fit_classifier(class_data_of(X, y), OnlyLabels())
    np.testing.assert_array_equal(
        teacher.probability(X), np.eye(y.max() + 1)[OnlyLabels().fit(X, y).predict(X)]
    )


def test_a_class_that_a_model_has_not_seen_has_no_chance():
    X, y = rays(p=60)
    for model in (KNeighborsClassifier(), LinearSVC(), OnlyLabels(), SVC()):
        own = model.fit(X[y != 1], y[y != 1])
        p = Classifier(own, np.arange(3)).fitted_to(X[y != 1])(X)
        np.testing.assert_array_equal(p[:, 1], 0)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        np.testing.assert_array_equal(p.argmax(axis=1), own.predict(X))


@pytest.mark.parametrize("table", [contradictory(), contradictory_classes()], ids=["two", "classes"])
def test_sample_weights_reach_the_model(table):
    X, y = table
    weights = np.random.default_rng(1).uniform(0.2, 3.0, 60)
    model = LogisticRegression(C=1e3, tol=1e-10, max_iter=1000)
    teacher = fit_classifier(class_data_of(X, y, weights), model)
    peer = LogisticRegression(C=1e3, tol=1e-10, max_iter=1000).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(teacher.probability(X), peer.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize(("light", "heavy", "times"), [(1, 2, 2), (1.1, 2.9, 3)])
def test_a_model_without_weights_sees_heavy_rows_several_times(light, heavy, times):
    X, y = plane(p=60)
    often = np.arange(60) % 4 == 0
    taught = fit_classifier(class_data_of(X, y, np.where(often, heavy, light)), KNeighborsClassifier())
    counts = np.where(often, times, 1)
    peer = KNeighborsClassifier().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_array_equal(taught.probability(X)[:, 1], peer.predict_proba(X)[:, 1])


@pytest.mark.parametrize("times", [np.arange(60) % 3 + 1, 1 + 6 * (np.arange(60) == 0)], ids=["few", "seven"])
def test_a_model_without_weights_sees_repeated_rows_of_any_number(times):
    X, y = plane(p=60)
    data = class_data_of(np.repeat(X, times, axis=0), np.repeat(y, times), n_folds=5)
    assert np.isfinite(mean_loss(fit_classifier(data, KNeighborsClassifier()).held_out, data.folds))


def test_models_see_the_names_of_the_columns():
    X, y = rays()
    data = class_data_of(X, y, names=["size", "age", "dose"])
    teacher = fit_classifier(data, DecisionTreeClassifier(max_depth=2))
    assert list(teacher.fitted(np.arange(3)).feature_names_in_) == ["size", "age", "dose"]


def test_copies_are_fitted_to_the_splits():
    X, y = rays(p=60)
    splits = list(KFold(4).split(X))
    data = class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(60)))
    teacher = fit_classifier(data, KNeighborsClassifier(3))
    for said, fold, (train, _) in zip(teacher.held_out, data.folds, splits, strict=True):
        peer = KNeighborsClassifier(3).fit(X[train], y[train])
        np.testing.assert_allclose(said, peer.predict_proba(data.rows[fold.test.pattern]))
    targets, weights = held_out_examples(data)
    assert len(targets) == weights.sum() == 60
