"""The quick pass over blocks of rows: the answers of the careful way, in any blocks and precision."""

import numpy as np
import pytest

from netlines import MinimerrorClassifier
from netlines.network import sweep as module
from netlines.network.network import PASS_ON, Network
from netlines.network.probability import Calibration
from netlines.network.sweep import sweep


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "CELLS", 1)


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


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e101])
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
