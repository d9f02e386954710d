"""What the modules below `NetLinesClassifierCV` make of small tables of many classes."""

import numpy as np

from netlines.network.networks import Networks
from netlines.selection.data import Data
from netlines.selection.folds import make_folds
from netlines.training.patterns import condense


def rays(p=90, n=3, n_classes=3, noise=0.4, seed=0):
    """Return rows in different units whose class is that of the nearest of some directions, with noise."""
    rng = np.random.default_rng([seed, n_classes])
    centres = np.random.default_rng(n_classes).standard_normal((n_classes, n))
    Z = rng.standard_normal((p, n))
    labels = (Z @ centres.T + noise * rng.standard_normal((p, n_classes))).argmax(axis=1)
    labels[:n_classes] = np.arange(n_classes)
    return Z * 10.0 ** (np.arange(n) % 3) + np.arange(n), labels


def contradictory_classes(p=60, seed=0):
    """Return rows on a grid: many are repeated, some of them in several of three classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (p, 2)).astype(float)
    return X, np.clip(np.rint(X[:, 0] / 1.5 + 0.7 * rng.standard_normal(p)), 0, 2).astype(int)


def class_patterns_of(X, y, weights=None, n_classes=None):
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    return condense(X, y, weights, int(y.max()) + 1 if n_classes is None else n_classes)


def class_data_of(X, y, weights=None, n_folds=3, classes=None, names=None, folds=None):
    """Return what a teacher of many classes is fitted to."""
    patterns = class_patterns_of(X, y, weights)
    folds = make_folds(patterns, n_folds) if folds is None else folds(patterns)
    classes = np.arange(patterns.counts.shape[1]) if classes is None else np.array(classes)
    return Data.of(patterns, np.asarray(X, dtype=float), classes, names, folds)


def held_out_examples(data):
    """Return the labels and weights of the test examples of all folds."""
    labels = np.concatenate([fold.test.labels for fold in data.folds])
    return labels, np.concatenate([fold.test.weights for fold in data.folds])


def assert_same_networks(a, b):
    """Assert that two fitted classifiers have the same networks and calibrations, bit for bit."""
    assert type(a.network_) is type(b.network_)
    if isinstance(a.network_, Networks):
        assert (a.network_.scheme, a.network_.trees) == (b.network_.scheme, b.network_.trees)
    assert len(a.networks_) == len(b.networks_)
    for first, second in zip(a.networks_, b.networks_, strict=True):
        for name in ("hidden_weights", "output_weights"):
            np.testing.assert_array_equal(getattr(first.network, name), getattr(second.network, name))
        calibrations = first.network.calibration, second.network.calibration
        assert (calibrations[0] is None) == (calibrations[1] is None)
        for name in vars(calibrations[0]) if calibrations[0] is not None else ():
            values = (getattr(one, name) for one in calibrations)
            np.testing.assert_array_equal(*values, err_msg=name)
