"""Small tables, and what the modules below `NetLinesClassifierCV` make of them."""

from dataclasses import fields

import numpy as np

from netlines.network.probability import Calibration
from netlines.selection.data import Data
from netlines.selection.folds import make_folds
from netlines.training.patterns import condense


def plane(p=120, n=3, noise=0.5, seed=0):
    """Return rows in different units and labels 0 and 1 of a noisy hyperplane."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((p, n))
    y = (Z[:, 0] + noise * rng.standard_normal(p) > 0).astype(int)
    return Z * 10.0 ** (np.arange(n) % 3) + np.arange(n), y


def xor(p=160, seed=0):
    """Return rows of a plane and labels 0 and 1 that alternate between its quadrants."""
    X = np.random.default_rng(seed).uniform(-1, 1, (p, 2))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def contradictory(p=60, seed=0):
    """Return rows on a grid: many are repeated, some of them in both classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (p, 2)).astype(float)
    return X, (X[:, 0] + 1.5 * rng.standard_normal(p) > 1.5).astype(int)


def patterns_of(X, y, weights=None):
    labels = (np.asarray(y) > 0).astype(int)
    return condense(np.asarray(X, dtype=float), labels, np.ones(len(y)) if weights is None else weights)


def data_of(X, y, weights=None, n_folds=3, classes=(0, 1), names=None, folds=None):
    """Return what a teacher is fitted to."""
    patterns = patterns_of(X, y, weights)
    folds = make_folds(patterns, n_folds) if folds is None else folds(patterns)
    return Data.of(patterns, np.asarray(X, dtype=float), np.array(classes), names, folds)


def assert_same(a, b):
    """Assert that two classifiers have the same network and the same calibration, bit for bit."""
    for name in ("hidden_weights", "output_weights"):
        np.testing.assert_array_equal(getattr(a.network_, name), getattr(b.network_, name))
    for field in fields(Calibration):
        first, second = (getattr(one.network_.calibration, field.name) for one in (a, b))
        np.testing.assert_array_equal(first, second, err_msg=field.name)
