"""Teachers: what they say about rows that they have not seen, weights, labels, and the choice of a mean."""

import pickle

import numpy as np
import pytest
from example_tables import contradictory, data_of, plane, xor
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from netlines.network.probability import expit
from netlines.selection.folds import folds_of_rows
from netlines.selection.teachers import best, fitted, kernel
from netlines.selection.teachers.best import choose_teacher
from netlines.selection.teachers.classifier import Classifier, fit_classifier, fit_forest
from netlines.selection.teachers.fitted import fit_linear, fit_soft_networks
from netlines.selection.teachers.kernel import fit_kernel
from netlines.selection.teachers.teacher import Teacher, mean_loss
from netlines.training.calibration import fit_line
from netlines.training.cases import Cases


def random_weights(n):
    return np.random.default_rng(1).uniform(0.2, 3.0, n)


def naive_kernel(data, width, ridge):
    """Return the values for each fold's test examples of a regression that is fitted anew to the rest."""
    Z, n = data.X[1:].T, data.X.shape[1]
    mean = data.all.weights.sum() / n
    values = []
    for fold in data.folds:
        weights, sums = np.zeros(n), np.zeros(n)
        for k, target, weight in zip(fold.train.pattern, fold.train.targets, fold.train.weights, strict=True):
            weights[k] += weight
            sums[k] += weight * target
        use = weights > 0

        def kernel(A, B):
            squares = ((A[:, None] - B[None]) ** 2).sum(axis=2)
            return np.exp(-width * squares / (2 * A.shape[1]))

        system = kernel(Z[use], Z[use]) + np.diag(ridge * mean / weights[use])
        alpha = np.linalg.solve(system, sums[use] / weights[use])
        values.append(kernel(Z[fold.test.pattern], Z[use]) @ alpha)
    return values


def shuffled(X, y, weights):
    """Return a function that makes folds by splits of the rows, in which some rows are in neither part."""
    splits = list(ShuffleSplit(3, train_size=0.5, test_size=0.3, random_state=0).split(X))
    return lambda patterns: folds_of_rows(patterns, splits, y, weights)


KERNEL_DATA = [
    data_of(*plane(p=60)),
    data_of(*plane(p=60), random_weights(60)),
    data_of(*contradictory(), n_folds=5),
    data_of(*contradictory(), random_weights(60), n_folds=5),
    data_of(*contradictory(), folds=shuffled(*contradictory(), np.ones(60))),
]
KERNELS = pytest.mark.parametrize(
    "data", KERNEL_DATA, ids=["plain", "weighted", "contradictory", "contradictory and weighted", "shuffled"]
)


@KERNELS
@pytest.mark.parametrize(("width", "ridge"), [(0.5, 0.1), (2.0, 1.0)])
def test_the_kernel_holds_out_without_a_new_fit(data, width, ridge, monkeypatch):
    monkeypatch.setattr(kernel, "WIDTHS", (width,))
    monkeypatch.setattr(kernel, "RIDGES", Cases(two=(ridge,), more=()))
    values = naive_kernel(data, width, ridge)
    targets = np.concatenate([fold.test.targets for fold in data.folds])
    weights = np.concatenate([fold.test.weights for fold in data.folds])
    line = fit_line(np.concatenate(values), targets, weights)
    for found, naive in zip(fit_kernel(data).held_out, values, strict=True):
        np.testing.assert_allclose(found[:, 1], expit(line[0] + line[1] * naive), rtol=1e-6)


def test_the_kernel_may_be_trained_on_a_row_twice():
    X, y = plane(p=40)
    folds = [(np.r_[0:30, 0:5], np.arange(30, 40)), (np.arange(10, 40), np.arange(10))]
    data = data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, folds, y, np.ones(len(y))))
    teacher = fit_kernel(data)
    said = teacher.in_folds[0](data.rows[data.folds[0].test.pattern])
    np.testing.assert_allclose(teacher.held_out[0], said, rtol=1e-6)


@KERNELS
def test_width_and_ridge_of_the_kernel_have_the_lowest_loss(data):
    teacher, losses = fit_kernel(data), []
    targets = np.concatenate([fold.test.targets for fold in data.folds])
    weights = np.concatenate([fold.test.weights for fold in data.folds])
    for width in kernel.WIDTHS:
        for ridge in kernel.RIDGES.two:
            values = np.concatenate(naive_kernel(data, width, ridge))
            line = fit_line(values, targets, weights)
            right = expit(targets * (line[0] + line[1] * values))
            losses.append(-weights @ np.log(right) / weights.sum())
    assert mean_loss(teacher.held_out, data.folds) == pytest.approx(min(losses), rel=1e-6)


def every_teacher(data):
    yield fit_linear(data)
    yield fit_soft_networks(data, seed=0)
    yield fit_kernel(data)
    yield fit_forest(data, seed=0)
    yield choose_teacher(data, fit_linear(data), seed=0)
    yield fit_classifier(data, KNeighborsClassifier(3))
    yield fit_classifier(data, make_pipeline(StandardScaler(), SVC()))


def test_what_is_held_out_is_what_the_copies_say():
    data = data_of(*xor(p=60))
    for teacher in every_teacher(data):
        for said, copy, fold in zip(teacher.held_out, teacher.in_folds, data.folds, strict=True):
            expected = copy(data.rows[fold.test.pattern])
            np.testing.assert_allclose(said, expected, rtol=1e-6, atol=1e-9, err_msg=teacher.name)


def test_all_teachers_give_probabilities_and_survive_pickling():
    data = data_of(*xor(p=60))
    new = np.random.default_rng(5).uniform(-3, 3, (50, 2))
    for teacher in every_teacher(data):
        p = teacher.probability(new)
        assert p.shape == (50, 2)
        assert ((p >= 0) & (p <= 1)).all(), teacher.name
        again = pickle.loads(pickle.dumps(teacher))
        np.testing.assert_array_equal(again.probability(new), p)
        assert again.name == teacher.name


def test_a_copy_does_not_depend_on_the_labels_that_it_is_tested_on():
    X, y = xor(p=60)
    data = data_of(X, y)
    patterns = data.folds[0].test.pattern
    hidden = [int(np.flatnonzero((data.rows[k] == X).all(axis=1))[0]) for k in patterns]
    flipped = y.copy()
    flipped[hidden] = 1 - y[hidden]
    rows = np.random.default_rng(0).uniform(-1, 1, (20, 2))

    def splits(labels):
        rest = np.setdiff1d(np.arange(60), hidden)
        both = [(rest, hidden), (hidden, rest)]
        return lambda found: folds_of_rows(found, both, labels, np.ones(len(labels)))

    first, second = (fit_forest(data_of(X, one, folds=splits(one)), seed=0) for one in (y, flipped))
    np.testing.assert_array_equal(first.in_folds[0](rows), second.in_folds[0](rows))
    assert not np.array_equal(first.in_folds[1](rows), second.in_folds[1](rows))


def test_the_mean_loss_is_weighted():
    data = data_of(*contradictory(), random_weights(60))
    held_out = [np.tile([0.7, 0.3], (len(fold.test.pattern), 1)) for fold in data.folds]
    positive = data.all.priors(2)[1]
    expected = -positive * np.log(0.3) - (1 - positive) * np.log(0.7)
    assert mean_loss(held_out, data.folds) == pytest.approx(expected)


def test_the_logistic_regression_is_that_of_scikit_learn(monkeypatch):
    monkeypatch.setattr(fitted, "SLOPES", Cases(two=(0.01,), more=()))
    X, y = plane()
    teacher = fit_linear(data_of(X, y))
    peer = make_pipeline(StandardScaler(), LogisticRegression(C=1 / (0.01 * 120), tol=1e-10)).fit(X, y)
    np.testing.assert_allclose(teacher.probability(X), peer.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("fit", [fit_linear, lambda d: fit_soft_networks(d, seed=0), fit_kernel])
def test_weights_are_repetitions(fit):
    X, y = plane(p=40)
    times = np.random.default_rng(0).integers(1, 4, 40)
    weighted, repeated = (
        data_of(X, y, times.astype(float)),
        data_of(np.repeat(X, times, 0), np.repeat(y, times)),
    )
    np.testing.assert_array_equal(fit(weighted).probability(X), fit(repeated).probability(X))


def test_soft_networks_learn_what_a_logistic_regression_cannot():
    X, y = xor()
    data = data_of(X, y)
    soft, linear = fit_soft_networks(data, seed=0), fit_linear(data)
    assert mean_loss(soft.held_out, data.folds) < 0.5 * mean_loss(linear.held_out, data.folds)
    assert ((soft.probability(X)[:, 1] >= 0.5) == y).mean() > 0.95


# The choice


@pytest.mark.sample(1)
@pytest.mark.parametrize("table", [plane(p=80), xor(p=80)], ids=["plane", "xor"])
def test_the_choice_has_the_lowest_loss_of_all_teachers(table):
    data = data_of(*table)
    linear = fit_linear(data)
    chosen = choose_teacher(data, linear, seed=0)
    singles = [linear, fit_soft_networks(data, seed=0), fit_kernel(data), fit_forest(data, seed=0)]
    least = min(mean_loss(teacher.held_out, data.folds) for teacher in singles)
    assert mean_loss(chosen.held_out, data.folds) <= least
    assert set(chosen.name.split(" + ")) <= {teacher.name for teacher in singles}


def test_a_mean_is_the_mean_of_what_its_parts_say():
    X, y = plane(p=80)
    data = data_of(X, y)
    linear, ridge = fit_linear(data), fit_kernel(data)
    both = best._average([linear, ridge])
    assert both.name == "logistic regression + kernel"
    np.testing.assert_allclose(both.probability(X), (linear.probability(X) + ridge.probability(X)) / 2)
    for mean, a, b in zip(both.held_out, linear.held_out, ridge.held_out, strict=True):
        np.testing.assert_allclose(mean, (a + b) / 2)


def test_the_kernel_is_left_out_where_it_is_too_expensive(monkeypatch):
    def refuse(data):
        raise AssertionError("too expensive")

    monkeypatch.setattr(best, "AFFORDABLE", Cases(two=50, more=0))
    monkeypatch.setattr(best, "fit_kernel", refuse)
    data = data_of(*xor(p=60))
    assert "kernel" not in choose_teacher(data, fit_linear(data), seed=0).name


def test_a_chosen_teacher_can_be_asked():
    X, y = plane()
    data = data_of(X, y)
    teacher = fit_linear(data).fitted(np.array(["no", "yes"]))
    p = teacher.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(teacher.predict(X), np.where(p[:, 1] >= 0.5, "yes", "no"))
    assert teacher.name == "logistic regression"


# Classifiers of the user


class OnlyLabels(ClassifierMixin, BaseEstimator):
    """Answers by the sign of the first column, which it learns."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.swap_ = bool(np.mean((np.asarray(X)[:, 0] > 0) == (y == self.classes_[1])) < 0.5)
        return self

    def predict(self, X):
        return self.classes_[((np.asarray(X)[:, 0] > 0) != self.swap_).astype(int)]


def test_the_model_of_the_user_is_copied_and_given_back():
    X, y = xor()
    forest = RandomForestClassifier(5, random_state=0)
    teacher = fit_classifier(data_of(X, y), forest)
    assert not hasattr(forest, "classes_")
    assert teacher.name == "RandomForestClassifier"
    model = teacher.fitted(np.array([0, 1]))
    assert isinstance(model, RandomForestClassifier)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], teacher.probability(X)[:, 1])


def test_the_second_class_is_found_among_labels_of_any_kind():
    X, y = plane()
    for classes in (("no", "yes"), (False, True), (3, 7)):
        model = make_pipeline(StandardScaler(), KNeighborsClassifier())
        teacher = fit_classifier(data_of(X, y, classes=classes), model)
        assert ((teacher.probability(X)[:, 1] >= 0.5) == y).mean() > 0.8


def test_decisions_are_squashed_on_their_side():
    X, y = plane()
    model = make_pipeline(StandardScaler(), LinearSVC())
    teacher = fit_classifier(data_of(X, y), model)
    p = teacher.probability(X)[:, 1]
    own = teacher.fitted(np.array([0, 1]))
    np.testing.assert_array_equal(p >= 0.5, own.predict(X) == 1)
    order = np.argsort(own.decision_function(X))
    assert (np.diff(p[order]) >= 0).all()


def test_a_forest_takes_rows_that_are_far_away_and_weigh_nothing():
    X, y = plane(20)
    X[0, 0] = 1e90
    data = data_of(X, y, np.where(X[:, 0] > 1e80, 1e-200, 1.0))
    assert np.isfinite(fit_forest(data, seed=0).probability(X)).all()


def test_a_squashed_decision_does_not_depend_on_the_other_rows():
    X, y = plane()
    model = make_pipeline(StandardScaler(), LinearSVC()).fit(X, y)
    probability = Classifier(model, np.array([0, 1])).fitted_to(X)
    assert len(np.unique(probability(X)[:, 1])) > 100
    np.testing.assert_allclose(probability(X[:5]), probability(X)[:5])


def test_labels_alone_are_sure():
    X, _ = xor()
    data = data_of(X, (X[:, 0] > 0).astype(int))
    teacher = fit_classifier(data, OnlyLabels())
    np.testing.assert_array_equal(teacher.probability(X)[:, 1], X[:, 0] > 0)
    assert mean_loss(teacher.held_out, data.folds) < 1e-9


def test_sample_weights_reach_the_model():
    X, y = contradictory()
    weights = random_weights(60)
    data = data_of(X, y, weights)
    teacher = fit_classifier(data, LogisticRegression(C=1e3, tol=1e-10, max_iter=1000))
    peer = LogisticRegression(C=1e3, tol=1e-10, max_iter=1000).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(teacher.probability(X), peer.predict_proba(X), atol=1e-5)


def test_a_model_without_weights_sees_repeated_rows():
    X, y = plane(p=60)
    times = 1 + (np.arange(60) % 5 == 0)
    weighted = fit_classifier(data_of(X, y, times.astype(float)), KNeighborsClassifier())
    peer = KNeighborsClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(weighted.probability(X)[:, 1], peer.predict_proba(X)[:, 1])


def test_a_model_without_weights_sees_heavy_rows_several_times():
    X, y = plane(p=60)
    weights = np.where(np.arange(60) % 4 == 0, 2.9, 1.1)
    taught = fit_classifier(data_of(X, y, weights), KNeighborsClassifier())
    times = np.where(np.arange(60) % 4 == 0, 3, 1)  # 2.9 / 1.1, rounded
    peer = KNeighborsClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(taught.probability(X)[:, 1], peer.predict_proba(X)[:, 1])


@pytest.mark.parametrize("times", [np.arange(60) % 3 + 1, 1 + 6 * (np.arange(60) == 0)], ids=["few", "seven"])
def test_a_model_without_weights_sees_repeated_rows_of_any_number(times):
    X, y = plane(p=60)
    data = data_of(np.repeat(X, times, axis=0), np.repeat(y, times), n_folds=5)
    assert len(fit_classifier(data, KNeighborsClassifier()).in_folds) == 5


def test_models_see_the_names_of_the_columns():
    X, y = plane()
    data = data_of(X, y, names=["size", "age", "dose"])
    teacher = fit_classifier(data, RandomForestClassifier(3, random_state=0))
    assert list(teacher.fitted(np.array([0, 1])).feature_names_in_) == ["size", "age", "dose"]


def test_the_folds_of_a_splitter_are_used():
    X, y = plane(p=60)
    splits = list(KFold(4).split(X))
    data = data_of(X, y, folds=lambda patterns: folds_of_rows(patterns, splits, y, np.ones(len(y))))
    teacher = fit_classifier(data, LogisticRegression())
    assert isinstance(teacher, Teacher)
    assert len(teacher.in_folds) == 4
    for probability, (train, _) in zip(teacher.in_folds, splits, strict=True):
        peer = LogisticRegression().fit(X[train], y[train])
        np.testing.assert_allclose(probability(X), peer.predict_proba(X), atol=1e-3)


def test_a_parallel_map_gives_the_same():
    from functools import partial

    from netlines.training.threads import in_order

    data = data_of(*xor(p=60))
    plain, threads = (fit_soft_networks(data, seed=0, run=r) for r in (map, partial(in_order, n_threads=2)))
    np.testing.assert_array_equal(plain.probability(data.rows), threads.probability(data.rows))
