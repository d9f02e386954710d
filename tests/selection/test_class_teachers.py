"""Teachers of many classes: what they say about rows that they have not seen, weights, labels, the choice."""

import pickle
from functools import partial

import numpy as np
import pytest
from class_data import class_data_of, contradictory_classes, held_out_examples, rays
from class_tables import blobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from netlines.network.probability import softmax
from netlines.selection.folds import Examples, folds_of_rows
from netlines.selection.teachers import best, fitted, kernel
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.classifier import SURE, Classifier, fit_classifier, fit_forest
from netlines.selection.teachers.fitted import fit_linear, fit_soft_networks
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import log_losses, mean_loss
from netlines.training.calibration import fit_factor
from netlines.training.cases import Cases
from netlines.training.threads import in_order


def soft_networks(monkeypatch, decays=(1e-2, 1e-3)):
    """Make soft networks of six units from two starts, or from one with many patterns."""
    schedule = fitted.SoftSchedule(units=6, starts=2, fewer_starts=1, steps=40, decays=decays)
    monkeypatch.setattr(fitted, "SOFT", Cases(two=schedule, more=schedule))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Make soft networks and forests small."""
    soft_networks(monkeypatch)

    def few(n, **more):
        return RandomForestClassifier(10, max_depth=4, **more)

    monkeypatch.setattr("netlines.selection.teachers.classifier.RandomForestClassifier", few)


def random_weights(n):
    return np.random.default_rng(1).uniform(0.2, 3.0, n)


def shuffled(X, y):
    """Return a function that makes folds by splits of the rows, in which some rows are in neither part."""
    splits = list(ShuffleSplit(3, train_size=0.5, test_size=0.3, random_state=0).split(X))
    return lambda patterns: folds_of_rows(patterns, splits, y, np.ones(len(y)))


# The kernel


def gaussian(A, B, width):
    squares = ((A[:, None] - B[None]) ** 2).sum(axis=2)
    return np.exp(-width * squares / (2 * A.shape[1]))


def naive_kernel(data, width, ridge):
    """Return the values for each fold's test examples of regressions that are fitted anew to the rest."""
    Z, n, n_classes = data.X[1:].T, data.X.shape[1], len(data.classes)
    mean, values = data.all.weights.sum() / n, []
    for fold in data.folds:
        weights, sums = np.zeros(n), np.zeros((n, n_classes))
        for k, target, weight in zip(fold.train.pattern, fold.train.labels, fold.train.weights, strict=True):
            weights[k] += weight
            sums[k] += weight * np.where(np.arange(n_classes) == target, 1.0, -1.0)
        use = weights > 0
        system = gaussian(Z[use], Z[use], width) + np.diag(ridge * mean / weights[use])
        alpha = np.linalg.solve(system, sums[use] / weights[use][:, None])
        values.append(gaussian(Z[fold.test.pattern], Z[use], width) @ alpha)
    return values


KERNEL_DATA = [
    class_data_of(*rays(p=50)),
    class_data_of(*rays(p=50, n_classes=4), random_weights(50)),
    class_data_of(*contradictory_classes(), n_folds=5),
    class_data_of(*contradictory_classes(), random_weights(60), n_folds=5),
    class_data_of(*contradictory_classes(), folds=shuffled(*contradictory_classes())),
]
KERNELS = pytest.mark.parametrize(
    "data", KERNEL_DATA, ids=["plain", "weighted", "contradictory", "contradictory and weighted", "shuffled"]
)


@KERNELS
@pytest.mark.parametrize(("width", "ridge"), [(0.5, 0.1), (2.0, 1.0)])
def test_the_kernel_holds_out_without_a_new_fit(data, width, ridge, monkeypatch):
    monkeypatch.setattr(kernel, "WIDTHS", (width,))
    monkeypatch.setattr(kernel, "RIDGES", Cases(two=(), more=(ridge,)))
    values = naive_kernel(data, width, ridge)
    tests = Examples.joined([fold.test for fold in data.folds])
    factor = fit_factor(np.concatenate(values), tests.labels, tests.weights)
    for found, naive in zip(fit_kernel(data).held_out, values, strict=True):
        np.testing.assert_allclose(found, softmax(factor * naive), rtol=1e-5)


@KERNELS
def test_width_and_ridge_of_the_kernel_have_the_lowest_loss(data):
    losses, tests = [], Examples.joined([fold.test for fold in data.folds])
    for width in kernel.WIDTHS:
        for ridge in kernel.RIDGES.more:
            values = naive_kernel(data, width, ridge)
            factor = fit_factor(np.concatenate(values), tests.labels, tests.weights)
            losses.append(mean_loss([softmax(factor * f) for f in values], data.folds))
    assert mean_loss(fit_kernel(data).held_out, data.folds) == pytest.approx(min(losses), rel=1e-6)


def test_the_kernel_may_be_trained_on_a_row_twice():
    X, y = rays(p=40)
    splits = [(np.r_[0:30, 0:5], np.arange(30, 40)), (np.arange(10, 40), np.arange(10))]
    data = class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(40)))
    teacher = fit_kernel(data)
    said = teacher.in_folds[0](data.rows[data.folds[0].test.pattern])
    np.testing.assert_allclose(teacher.held_out[0], said, rtol=1e-6)


def test_of_many_patterns_the_first_choose_the_kernel(monkeypatch):
    X, y = rays(p=80)
    data = class_data_of(X, y)
    monkeypatch.setattr(kernel, "WHOLE", 70)
    monkeypatch.setattr(kernel, "PART", 45)
    part = kernel._part(data, 45)
    assert part.X.shape[1] == len(part.rows) == 45
    assert max(fold.test.pattern.max() for fold in part.folds) < 45
    for fold, whole in zip(part.folds, data.folds, strict=True):
        np.testing.assert_array_equal(fold.train.pattern, [k for k in whole.train.pattern if k < 45])
    chosen, teacher = fit_kernel(part), fit_kernel(data)
    assert teacher.probability.regression.width == chosen.probability.regression.width
    assert teacher.probability.line == chosen.probability.line
    assert teacher.probability.regression.centers.shape[1] == 80
    for said, copy, fold in zip(teacher.held_out, teacher.in_folds, data.folds, strict=True):
        np.testing.assert_array_equal(said, copy(data.rows[fold.test.pattern]))


# All of them


def every_teacher(data):
    yield fit_linear(data)
    yield fit_soft_networks(data, seed=0)
    yield fit_kernel(data)
    yield fit_forest(data, seed=0)
    yield choose_teacher(data, fit_linear(data), seed=0)
    yield fit_classifier(data, KNeighborsClassifier(3))
    yield fit_classifier(data, make_pipeline(StandardScaler(), SVC()))


@pytest.mark.parametrize(
    "data",
    [class_data_of(*blobs(p=60)), class_data_of(*contradictory_classes(), random_weights(60))],
    ids=["blobs", "contradictory"],
)
def test_what_is_held_out_is_what_the_copies_say(data):
    for teacher in every_teacher(data):
        for said, copy, fold in zip(teacher.held_out, teacher.in_folds, data.folds, strict=True):
            expected = copy(data.rows[fold.test.pattern])
            np.testing.assert_allclose(said, expected, rtol=1e-6, atol=1e-9, err_msg=teacher.name)


def test_all_teachers_give_probabilities_and_survive_pickling():
    data = class_data_of(*blobs(p=60, n_classes=4))
    new = np.random.default_rng(5).uniform(-5, 5, (50, 2))
    for teacher in every_teacher(data):
        p = teacher.probability(new)
        assert p.shape == (50, 4)
        assert ((p >= 0) & (p <= 1)).all(), teacher.name
        np.testing.assert_allclose(p.sum(axis=1), 1)
        again = pickle.loads(pickle.dumps(teacher))
        np.testing.assert_array_equal(again.probability(new), p)
        assert again.name == teacher.name


def test_a_copy_does_not_depend_on_the_labels_that_it_is_tested_on():
    X, y = rays(p=60)
    hidden, rest = np.arange(0, 60, 4), np.setdiff1d(np.arange(60), np.arange(0, 60, 4))
    other = y.copy()
    other[hidden] = (y[hidden] + 1) % 3
    rows = X[rest][:20]
    splits = [(rest, hidden), (hidden, rest)]

    def data(labels):
        return class_data_of(
            X, labels, folds=lambda patterns: folds_of_rows(patterns, splits, labels, np.ones(60))
        )

    first, second = (fit_forest(data(labels), seed=0) for labels in (y, other))
    np.testing.assert_array_equal(first.in_folds[0](rows), second.in_folds[0](rows))
    assert not np.array_equal(first.in_folds[1](rows), second.in_folds[1](rows))


@pytest.mark.parametrize("fit", [fit_linear, partial(fit_soft_networks, seed=0), fit_kernel])
def test_weights_are_repetitions(fit):
    X, y = rays(p=40)
    times = np.random.default_rng(0).integers(1, 4, 40)
    weighted = class_data_of(X, y, times.astype(float))
    repeated = class_data_of(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(fit(weighted).probability(X), fit(repeated).probability(X))


def test_a_parallel_map_gives_the_same():
    data = class_data_of(*blobs(p=60))
    plain, threads = (fit_soft_networks(data, seed=0, run=r) for r in (map, partial(in_order, n_threads=2)))
    np.testing.assert_array_equal(plain.probability(data.rows), threads.probability(data.rows))


# The loss


def test_the_loss_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    p, labels = softmax(rng.standard_normal((40, 4))), rng.integers(0, 4, 40)
    assert log_losses(p, labels).mean() == pytest.approx(log_loss(labels, p, labels=range(4)))
    assert log_losses(np.array([[1.0, 0.0]]), np.array([1])) == pytest.approx(-np.log(1e-15))


def test_the_mean_loss_is_weighted():
    data = class_data_of(*contradictory_classes(), random_weights(60))
    said = np.array([0.2, 0.3, 0.5])
    held_out = [np.tile(said, (len(fold.test.pattern), 1)) for fold in data.folds]
    shares = [data.all.share[data.all.labels == c].sum() for c in range(3)]
    assert mean_loss(held_out, data.folds) == pytest.approx(-np.dot(shares, np.log(said)))


# The logistic regression


def test_the_logistic_regression_is_that_of_scikit_learn(monkeypatch):
    monkeypatch.setattr(fitted, "SLOPES", Cases(two=(), more=(0.01,)))
    X, y = rays(p=120)
    teacher = fit_linear(class_data_of(X, y))
    peer = make_pipeline(StandardScaler(), LogisticRegression(C=1 / (0.01 * 120), tol=1e-10)).fit(X, y)
    np.testing.assert_allclose(teacher.probability(X), peer.predict_proba(X), atol=1e-3)
    assert teacher.name == "logistic regression"


def test_the_ridge_has_the_lowest_loss(monkeypatch):
    data, losses = class_data_of(*rays(p=60, noise=1.0)), []
    chosen = fit_linear(data)
    for ridge in fitted.SLOPES.more:
        monkeypatch.setattr(fitted, "SLOPES", Cases(two=(), more=(ridge,)))
        losses.append(mean_loss(fit_linear(data).held_out, data.folds))
    assert 0 < np.argmin(losses) < len(losses) - 1
    assert mean_loss(chosen.held_out, data.folds) == pytest.approx(min(losses), rel=1e-3)


def test_a_class_that_a_fold_does_not_train_on_is_unlikely_there():
    X, y = rays(p=40, n_classes=2)
    y[7] = 2
    data = class_data_of(X, y)
    (k,) = (k for k, fold in enumerate(data.folds) if 2 in fold.test.labels)
    for teacher in (fit_linear(data), fit_kernel(data), fit_forest(data, seed=0)):
        assert teacher.held_out[k][:, 2].max() < 0.2
        assert np.isfinite(mean_loss(teacher.held_out, data.folds))


# Soft networks


def test_soft_networks_learn_what_a_logistic_regression_cannot():
    X, y = blobs(p=120)
    data = class_data_of(X, y)
    soft, linear = fit_soft_networks(data, seed=0), fit_linear(data)
    assert mean_loss(soft.held_out, data.folds) < 0.5 * mean_loss(linear.held_out, data.folds)
    assert (soft.probability(X).argmax(axis=1) == y).mean() > 0.95


def test_soft_networks_have_the_decay_with_the_lowest_loss(monkeypatch):
    data, losses = class_data_of(*rays(p=60, noise=1.0)), []
    chosen, decays = fit_soft_networks(data, seed=0), fitted.SOFT.more.decays
    for n in range(1, len(decays) + 1):  # the decay falls from the first on
        soft_networks(monkeypatch, decays[:n])
        losses.append(mean_loss(fit_soft_networks(data, seed=0).held_out, data.folds))
    assert mean_loss(chosen.held_out, data.folds) == min(losses)


def test_with_many_patterns_soft_networks_have_a_single_start(monkeypatch):
    monkeypatch.setattr(fitted, "FEW", 50)
    few, many = (fit_soft_networks(class_data_of(*rays(p=p)), seed=0) for p in (50, 51))
    assert len(few.probability.weights) == 2
    assert len(many.probability.weights) == 1


# The choice


@pytest.mark.parametrize("table", [rays(p=60), blobs(p=80)], ids=["rays", "blobs"])
def test_the_choice_has_the_lowest_loss_of_all_teachers_and_their_means(table):
    data = class_data_of(*table)
    linear = fit_linear(data)
    chosen = choose_teacher(data, linear, seed=0)
    singles = [linear, fit_soft_networks(data, seed=0), fit_kernel(data), fit_forest(data, seed=0)]
    losses = []
    for mask in range(1, 16):
        some = [teacher for k, teacher in enumerate(singles) if mask >> k & 1]
        parts = zip(*(teacher.held_out for teacher in some), strict=True)
        losses.append(mean_loss([np.mean(part, axis=0) for part in parts], data.folds))
    assert mean_loss(chosen.held_out, data.folds) == pytest.approx(min(losses), rel=1e-9)
    assert set(chosen.name.split(" + ")) <= {teacher.name for teacher in singles}


def test_the_kernel_is_left_out_where_it_is_too_expensive(monkeypatch):
    def refuse(data):
        raise AssertionError("too expensive")

    monkeypatch.setattr(best, "AFFORDABLE", Cases(two=0, more=50))
    monkeypatch.setattr(best, "fit_kernel", refuse)
    data = class_data_of(*blobs(p=60))
    assert "kernel" not in choose_teacher(data, fit_linear(data), seed=0).name


def test_a_chosen_teacher_can_be_asked():
    X, y = rays()
    teacher = fit_linear(class_data_of(X, y)).fitted(np.array(["low", "mid", "top"]))
    p = teacher.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(teacher.predict(X), np.array(["low", "mid", "top"])[p.argmax(axis=1)])


# Classifiers of the user


class OnlyLabels(ClassifierMixin, BaseEstimator):
    """Answers with the class of the nearest mean."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([np.asarray(X)[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        distances = ((np.asarray(X)[:, None] - self.means_) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]


def test_the_model_of_the_user_is_copied_and_given_back():
    X, y = blobs(p=60)
    tree = DecisionTreeClassifier(max_depth=3)
    teacher = fit_classifier(class_data_of(X, y), tree)
    assert not hasattr(tree, "classes_")
    assert teacher.name == "DecisionTreeClassifier"
    own = teacher.fitted(np.arange(3))
    assert isinstance(own, DecisionTreeClassifier)
    np.testing.assert_allclose(own.predict_proba(X), teacher.probability(X))


@pytest.mark.parametrize("classes", [("a", "b", "c"), (-1, 3, 7), (0.0, 1.0, 2.0)])
def test_labels_may_be_of_any_kind(classes):
    X, y = blobs(p=60)
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
    for row, probabilities in zip(f, p, strict=True):
        np.testing.assert_allclose(
            np.log(probabilities),
            4 * row / f.std() + np.log(probabilities[0]) - 4 * row[0] / f.std(),
            atol=1e-9,
        )


def test_a_squashed_decision_does_not_depend_on_the_other_rows():
    X, y = blobs(p=60)
    probability = fit_classifier(class_data_of(X, y), LinearSVC()).probability
    np.testing.assert_allclose(probability(X[:5]), probability(X)[:5])
    np.testing.assert_allclose(probability(X[:1]), probability(X)[:1])


def test_decisions_of_pairs_are_not_taken_for_those_of_classes():
    X, y = blobs(p=60)
    model = SVC(decision_function_shape="ovo")
    teacher = fit_classifier(class_data_of(X, y), model)
    assert teacher.fitted(np.arange(3)).decision_function(X).shape == (60, 3)
    np.testing.assert_array_equal(teacher.probability(X).argmax(axis=1), model.fit(X, y).predict(X))


def test_labels_alone_are_sure():
    X, y = rays(p=60)
    teacher = fit_classifier(class_data_of(X, y), OnlyLabels())
    np.testing.assert_array_equal(teacher.probability(X), np.eye(3)[OnlyLabels().fit(X, y).predict(X)])


def test_a_class_that_a_model_has_not_seen_has_no_chance():
    X, y = rays(p=60)
    for model in (KNeighborsClassifier(), LinearSVC(), OnlyLabels(), SVC()):
        own = model.fit(X[y != 1], y[y != 1])
        p = Classifier(own, np.arange(3)).fitted_to(X[y != 1])(X)
        np.testing.assert_array_equal(p[:, 1], 0)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        np.testing.assert_array_equal(p.argmax(axis=1), own.predict(X))


def test_a_forest_is_never_quite_sure():
    X, y = blobs(p=60, n_classes=5)
    teacher = fit_forest(class_data_of(X, y), seed=0)
    p = teacher.probability(X)
    assert p.min() >= SURE / (1 + 5 * SURE)
    assert teacher.probability.own is None
    assert teacher.name == "random forest"


def test_a_forest_does_not_depend_on_the_units_of_the_columns():
    X, y = blobs(p=60)
    plain, moved = (fit_forest(class_data_of(rows, y), seed=0) for rows in (X, 1e60 * X))
    assert (plain.probability(X).argmax(axis=1) == moved.probability(1e60 * X).argmax(axis=1)).mean() > 0.9


def test_sample_weights_reach_the_model():
    X, y = contradictory_classes()
    weights = random_weights(60)
    model = LogisticRegression(C=1e3, tol=1e-10, max_iter=1000)
    teacher = fit_classifier(class_data_of(X, y, weights), model)
    peer = LogisticRegression(C=1e3, tol=1e-10, max_iter=1000).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(teacher.probability(X), peer.predict_proba(X), atol=1e-4)


def test_models_see_the_names_of_the_columns():
    X, y = rays()
    data = class_data_of(X, y, names=["size", "age", "dose"])
    teacher = fit_classifier(data, DecisionTreeClassifier(max_depth=2))
    assert list(teacher.fitted(np.arange(3)).feature_names_in_) == ["size", "age", "dose"]


def test_the_folds_of_a_splitter_are_used():
    X, y = rays(p=60)
    splits = list(KFold(4).split(X))
    data = class_data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(60)))
    teacher = fit_classifier(data, KNeighborsClassifier(3))
    assert len(teacher.in_folds) == 4
    for probability, (train, _) in zip(teacher.in_folds, splits, strict=True):
        peer = KNeighborsClassifier(3).fit(X[train], y[train])
        np.testing.assert_allclose(probability(X), peer.predict_proba(X))
    targets, weights = held_out_examples(data)
    assert len(targets) == weights.sum() == 60
