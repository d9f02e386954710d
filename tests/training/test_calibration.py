"""Scores of many classes: fitted to probabilities and labels, and how steep they may be on new rows."""

import numpy as np
import pytest
from class_data import class_patterns_of, contradictory_classes, rays
from class_tables import blobs
from sklearn.base import clone
from sklearn.metrics import log_loss

from netlines import NetLinesClassifier
from netlines.network.probability import Calibration, softmax
from netlines.selection.folds import Examples, make_folds
from netlines.training import calibration as class_calibration
from netlines.training.calibration import STEEPNESS, fit_calibration, fit_factor
from netlines.training.soft import targets_of

THIRDS = np.full(3, 1 / 3)


def known(h=2, seed=0, steepness=3.0):
    """Return fields of many rows and a calibration of three classes."""
    rng = np.random.default_rng(seed)
    fields = rng.standard_normal((2000, h))
    slopes, steps = rng.standard_normal((3, h)), 2 * rng.standard_normal((3, h))
    size = np.sqrt((fields**2).mean(axis=0))
    return fields, Calibration([0.3, -0.2, 0.0], slopes, steps, steepness / size, THIRDS, THIRDS)


def uniform(n):
    return np.full(n, 1 / n)


def examples(targets, weights=None):
    targets = np.asarray(targets)
    weights = np.ones(len(targets)) if weights is None else np.asarray(weights, dtype=float)
    return Examples(np.arange(len(targets)), targets, weights)


# Scores


@pytest.mark.parametrize("steepness", STEEPNESS)
def test_known_scores_are_recovered(steepness, monkeypatch):
    monkeypatch.setattr(class_calibration, "RIDGE", 1e-6)
    fields, calibration = known(steepness=steepness)
    p = softmax(calibration.scores(fields))
    found = fit_calibration(fields, p, uniform(2000), THIRDS)
    np.testing.assert_allclose(softmax(found.scores(fields)), p, atol=0.03)
    np.testing.assert_allclose(found.steepness, calibration.steepness)
    np.testing.assert_array_equal(found.training_priors, THIRDS)
    np.testing.assert_array_equal(found.priors, THIRDS)


def test_the_steepness_has_the_lowest_cost():
    fields, calibration = known(seed=3)
    labels = softmax(calibration.scores(fields)).argmax(axis=1)
    p = np.eye(3)[labels]
    costs = []
    for steepness in STEEPNESS:
        one = fit_calibration(fields, p, uniform(2000), THIRDS, (steepness,))
        size = np.sqrt((fields**2).mean(axis=0))
        weights = np.hstack([one.slopes * size, one.steps])
        loss = log_loss(labels, softmax(one.scores(fields)))
        costs.append(loss + 0.5 * class_calibration.RIDGE * (weights**2).sum())
    found = fit_calibration(fields, p, uniform(2000), THIRDS)
    np.testing.assert_allclose(found.steepness * size, STEEPNESS[int(np.argmin(costs))])


@pytest.mark.parametrize("unit", [1e-150, 1e-6, 1e6, 1e150])
def test_scores_do_not_depend_on_the_scale_of_the_fields(unit):
    fields, calibration = known()
    p = softmax(calibration.scores(fields))
    plain, other = (fit_calibration(f, p, uniform(2000), THIRDS) for f in (fields, unit * fields))
    np.testing.assert_allclose(other.scores(unit * fields), plain.scores(fields), atol=1e-2)


def test_weights_are_repetitions():
    fields, calibration = known()
    fields = fields[:200]
    p = softmax(calibration.scores(fields))
    times = np.random.default_rng(0).integers(1, 4, 200)
    weighted = fit_calibration(fields, p, times / times.sum(), THIRDS)
    again = np.repeat(np.arange(200), times)
    repeated = fit_calibration(fields[again], p[again], uniform(len(again)), THIRDS)
    np.testing.assert_allclose(softmax(weighted.scores(fields)), softmax(repeated.scores(fields)), atol=1e-2)


def test_a_field_that_is_always_zero_says_nothing():
    fields, calibration = known(h=1)
    p = softmax(calibration.scores(fields))
    both = np.column_stack([fields, np.zeros(2000)])
    found = fit_calibration(both, p, uniform(2000), THIRDS)
    assert np.isfinite(found.scores(both)).all()
    np.testing.assert_array_equal(found.slopes[:, 1], 0)
    np.testing.assert_array_equal(found.steps[:, 1], 0)


def test_without_fields_that_tell_the_classes_their_shares_are_left():
    labels = np.repeat([0, 1, 2], [10, 20, 70])
    found = fit_calibration(np.zeros((100, 1)), np.eye(3)[labels], uniform(100), THIRDS)
    np.testing.assert_allclose(softmax(found.scores(np.zeros((1, 1)))), [[0.1, 0.2, 0.7]], atol=1e-3)


# The factor


def smoothed_loss(factor, scores, targets, weights):
    """Return the cost by the sum over the rows, each label moved inwards by a row of its class."""
    share = weights / weights.sum()
    rows, total = 1 / (share**2).sum(), 0.0
    n_classes = scores.shape[1]
    for f, target, s in zip(scores, targets, share, strict=True):
        own = rows * share[targets == target].sum()
        p = softmax(factor * f[None])[0]
        labels = np.full(n_classes, 1 / (own + 2) / (n_classes - 1))
        labels[target] = (own + 1) / (own + 2)
        total -= s * labels @ np.log(p)
    return total


@pytest.mark.parametrize("weighted", [False, True])
def test_the_factor_has_the_lowest_cost(weighted):
    rng = np.random.default_rng(0)
    scores = 2 * rng.standard_normal((60, 3))
    targets = np.array([rng.choice(3, p=p) for p in softmax(0.6 * scores)])
    weights = rng.uniform(0.5, 3, 60) if weighted else np.ones(60)
    found = fit_factor(scores, targets, weights)
    cost = smoothed_loss(found, scores, targets, weights)
    for other in found * np.array([0.2, 0.8, 0.97, 1.03, 1.25, 5]):
        assert cost < smoothed_loss(other, scores, targets, weights)


def test_a_known_factor_is_recovered():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((4000, 4))
    targets = np.array([rng.choice(4, p=p) for p in softmax(2.5 * scores)])
    assert fit_factor(scores, targets, np.ones(4000)) == pytest.approx(2.5, rel=0.05)
    assert fit_factor(10 * scores, targets, np.full(4000, 7.0)) == pytest.approx(0.25, rel=0.05)


def test_scores_that_separate_the_classes_do_not_end_in_certainty():
    targets = np.arange(30) % 3
    scores = np.eye(3)[targets]
    p = softmax(fit_factor(scores, targets, np.ones(30)) * scores)
    assert p.max() == pytest.approx(11 / 12, abs=1e-3)  # of 10 rows of a class, one is added and two counted


def test_scores_that_say_nothing_or_the_contrary_are_flattened():
    targets = np.arange(30) % 3
    contrary = 1 - np.eye(3)[targets]
    assert fit_factor(contrary, targets, np.ones(30)) < 0.02


# Networks grown for all classes


SHARED = NetLinesClassifier(multiclass="shared", probability=True, max_hidden=2)


@pytest.fixture(scope="module")
def grown():
    X, y = blobs(p=90, spread=0.9)
    return X, y, clone(SHARED).fit(X, y)


def test_probabilities_do_not_change_the_network(grown):
    X, y, clf = grown
    plain = clone(SHARED).set_params(probability=False).fit(X, y)
    for name in ("hidden_weights", "output_weights"):
        np.testing.assert_array_equal(getattr(plain.network_, name), getattr(clf.network_, name))
    np.testing.assert_array_equal(plain.predict(X), clf.predict(X))
    assert not hasattr(plain, "predict_proba")
    np.testing.assert_allclose(clf.network_.calibration.training_priors, np.bincount(y) / len(y), rtol=1e-12)


def test_the_factor_is_that_of_copies_that_have_not_seen_the_fold(grown):
    X, y, clf = grown
    patterns = class_patterns_of(X, y)
    rows, scores, tests = X[patterns.first], [], []

    def by_labels(network, part):
        fields, p = network.fields(rows[part.pattern]), targets_of(part.labels, 3).T
        return fit_calibration(fields, p, part.share, THIRDS)

    for fold in make_folds(patterns, 5):
        copy = clone(SHARED).set_params(probability=False)
        network = copy.fit(rows[fold.train.pattern], fold.train.labels).network_
        scores.append(by_labels(network, fold.train).scores(network.fields(rows[fold.test.pattern])))
        tests.append(fold.test)
    everything = by_labels(clf.network_, Examples.of(patterns.counts))
    seen = Examples.joined(tests)
    expected = everything.stretched(0.0, fit_factor(np.concatenate(scores), seen.labels, seen.weights))
    np.testing.assert_allclose(clf.network_.calibration.slopes, expected.slopes, rtol=1e-6)
    np.testing.assert_allclose(clf.network_.calibration.intercepts, expected.intercepts, rtol=1e-6)


def test_the_network_is_less_sure_than_by_its_own_rows(grown):
    X, y, clf = grown
    new, labels = blobs(p=2000, spread=0.9, seed=0)
    own = fit_calibration(clf.network_.fields(X), np.eye(3)[y], uniform(len(y)), THIRDS)
    assert (
        clf.predict_proba(X).max(axis=1).mean()
        < softmax(own.scores(clf.network_.fields(X))).max(axis=1).mean()
    )
    assert log_loss(labels, clf.predict_proba(new)) < 1.0


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (rays(p=40)[0], np.where(np.arange(40) == 5, 2, np.arange(40) % 2)),
        ([[0.0], [1.0], [2.0]], [0, 1, 2]),
        contradictory_classes(p=40),
        (np.ones((9, 2)), [0, 1, 2] * 3),
    ],
    ids=["a class of one row", "one row a class", "contradictory", "constant columns"],
)
def test_any_table_has_probabilities(X, y):
    clf = NetLinesClassifier(multiclass="shared", probability=True, max_hidden=2).fit(X, y)
    p = clf.predict_proba(X)
    assert ((p > 0) & (p < 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.predict(X), p.argmax(axis=1))


def test_weights_of_a_calibration_count():
    X, y = contradictory_classes(p=30)
    weights = np.where(y == 2, 3.0, 1.0)
    weighted = clone(SHARED).fit(X, y, sample_weight=weights)
    by_class = clone(SHARED).set_params(class_weight={0: 1, 1: 1, 2: 3}).fit(X, y)
    expected = np.bincount(y, weights) / weights.sum()
    np.testing.assert_allclose(weighted.network_.calibration.training_priors, expected)
    np.testing.assert_array_equal(weighted.predict_proba(X), by_class.predict_proba(X))
    assert weighted.predict_proba(X)[:, 2].mean() > clone(SHARED).fit(X, y).predict_proba(X)[:, 2].mean()
