"""The quick pass over blocks of rows: the answers of the careful way, in any blocks and precision."""

import pickle
from itertools import combinations

import numpy as np
import pytest

from netlines import MinimerrorClassifier
from netlines.network import sweep as module
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.network.sweep import sweep


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 1)
    monkeypatch.setattr(module, "HELD", 1)


def networks(rng, X):
    """Networks whose hyperplanes go through rows: of one unit, of few and many, of two and more classes."""
    for hidden, classes in ((1, 2), (3, 2), (20, 2), (3, 4), (20, 4)):
        weights = rng.standard_normal((hidden, X.shape[1] + 1))
        weights[:, 0] = -(weights[:, 1:] * X[:hidden]).sum(axis=1)
        outputs = 1 if classes == 2 else classes
        output = PASS_ON if hidden == 1 else rng.choice([-0.3, -0.1, 0.1, 0.2, 0.3], (outputs, hidden + 1))
        shares = np.full(classes, 1 / classes)
        slopes, steps = rng.standard_normal((2, outputs, hidden))
        calibration = Calibration(np.zeros(outputs), slopes, steps, np.full(hidden, 2.0), shares, shares)
        labels = np.array(list("abcd"[:classes]))
        network = Network(weights, output, labels, calibration=calibration)
        yield network
        yield Network(weights, output, labels)
        yield Network(weights, output, labels, origin=np.full(X.shape[1], 0.125))
        yield network.with_priors(rng.permutation(np.linspace(1, 3, classes) / (2 * classes)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_answers_are_those_of_the_careful_way(dtype, offset):
    rng = np.random.default_rng(0)
    X = (offset + rng.integers(0, 8, (1500, 5)) * 0.125).astype(dtype)
    for network in networks(rng, X):
        careful = network.predict(X)
        for rows in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
            np.testing.assert_array_equal(sweep(network, rows, "predict"), careful)
        np.testing.assert_array_equal(
            [sweep(network, row[None], "predict")[0] for row in X[:50]], careful[:50]
        )
        np.testing.assert_allclose(sweep(network, X, "scores"), network.scores(X), rtol=1e-7, atol=1e-7)
        if network.has_probability:
            found = sweep(network, X, "probability")
            np.testing.assert_allclose(found, network.probability(X), rtol=1e-7, atol=1e-12)


def several(rng, X, *, calibrated):
    """Networks of four classes that decide together, of one and of several units, through rows."""
    labels = list("abcd")

    def part(positive, negative, hidden, scale=2.0):
        weights = rng.standard_normal((hidden, X.shape[1] + 1))
        weights[:, 0] = -(weights[:, 1:] * X[:hidden]).sum(axis=1)
        output = PASS_ON if hidden == 1 else rng.standard_normal((1, hidden + 1))
        slopes, steps = rng.standard_normal((2, 1, hidden))
        own = Calibration([0.1], slopes, steps, [-2.0, 0.0, 3.0, 1.0][:hidden], [0.5, 0.5], [0.5, 0.5])
        network = Network(weights, output, [0, 1], calibration=own if calibrated else None)
        return Part(positive, negative, network, scale)

    def chain(order, hidden):
        return [part([c], order[i + 1 :], hidden) for i, c in enumerate(order[:-1])]

    shares = np.full(4, 0.25) if calibrated else None
    pairs = [([a], [b]) for a, b in combinations(labels, 2)]
    for hidden in (1, 3) if calibrated else (1, 3, 14):
        yield Networks("tree", labels, chain("bdac", hidden), [(0, 1, 2)], training_priors=shares)
        trees = [*chain("abcd", hidden), *chain("dcba", 1), *chain("bacd", hidden)]
        for voting in ("hard", "confidence"):
            yield Networks("vote", labels, trees, [(0, 1, 2), (3, 4, 5), (6, 7, 8)], voting, shares)
        rest = [part([c], [d for d in labels if d != c], hidden, scale=3.0) for c in "bcad"]
        yield Networks("wta", labels, rest, training_priors=shares)
        parts = [part(*pair, hidden if k else 1) for k, pair in enumerate(pairs)]
        yield Networks("pairs", labels, parts, training_priors=shares)
    if calibrated:
        yield Networks("pairs", labels, parts, training_priors=shares, priors=[0.1, 0.4, 0.3, 0.2])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("calibrated", [True, False])
def test_several_networks_answer_as_in_the_careful_way(dtype, calibrated):
    rng = np.random.default_rng(1)
    X = (rng.integers(0, 8, (1500, 5)) * 0.125).astype(dtype)
    for network in several(rng, X, calibrated=calibrated):
        careful = network.predict(X)
        assert len(set(careful)) > 1
        np.testing.assert_array_equal(sweep(network, X, "predict"), careful)
        alone = [sweep(network, row[None], "predict")[0] for row in X[:50]]
        np.testing.assert_array_equal(alone, careful[:50])
        found = sweep(network, X, "scores")
        np.testing.assert_allclose(found, network.scores(X), rtol=1e-7, atol=1e-9)
        assert (network.classes[found.argmax(axis=1)] == careful).all()
        if calibrated:
            p = sweep(network, X, "probability")
            np.testing.assert_allclose(p, network.probability(X), rtol=1e-7, atol=1e-12)
            np.testing.assert_allclose(sweep(network, X[:1], "probability"), p[:1], rtol=1e-12)


def test_of_parts_with_and_without_a_calibration_nothing_is_said():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((9, 5))
    sure, bare = (next(several(rng, X, calibrated=one)) for one in (True, False))
    mixed = sure.with_networks([*(part.network for part in sure.parts[:2]), bare.parts[2].network])
    assert sweep(mixed, X, "predict") is None
    assert set(mixed.predict(X)) <= set("abcd")


def test_what_is_kept_ready_is_not_saved():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 5))
    for network in (*several(rng, X, calibrated=True), *networks(rng, X)):
        before = pickle.dumps(network)
        answers = sweep(network, X, "predict")
        assert pickle.dumps(network) == before
        assert (sweep(pickle.loads(before), X, "predict") == answers).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e101, 1e200])
def test_of_values_that_are_not_usable_nothing_is_said(value):
    network = Network([[0.5, 1.0, 0.0]], PASS_ON, [0, 1])
    X = np.ones((600, 2))
    X[599, 1] = value  # which no weight looks at
    assert sweep(network, X, "predict") is None


def test_large_single_precision_has_the_signs_of_exact_sums():
    network = Network([[0.0, 1.0, 1.0, 1.0]], PASS_ON, [0, 1])
    X = np.array([[3e38, -3e38, -1.0], [3e38, 3e38, -3e38], [1e-40, -2e-40, 0.0]], dtype=np.float32)
    assert sweep(network, X, "predict").tolist() == [0, 1, 0]


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e101])
def test_a_classifier_names_what_it_cannot_use(value):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    clf = MinimerrorClassifier(missing="error", probability=True).fit(X, X[:, 0] > 0)
    rows = X.copy()
    rows[7, 2] = value
    for ask in (clf.predict, clf.decision_function, clf.predict_proba):
        with pytest.raises(ValueError, match=r"in column 2, row 7 \(counted from 0\)"):
            ask(rows)
        with pytest.raises(ValueError, match="X has 2 features"):
            ask(X[:, :2])
