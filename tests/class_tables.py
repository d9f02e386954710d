"""Small tables of many classes, and the tasks and networks made of them."""

import numpy as np

from netlines.network.network import Network
from netlines.network.weights import normalised_outputs
from netlines.training.geometry import unit_rows
from netlines.training.outputs import ArgmaxOutput
from netlines.training.patterns import condense
from netlines.training.task import Layer, Task


def class_task(X, labels, weights=None, n_classes=None):
    X, labels = np.asarray(X, dtype=float), np.asarray(labels)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    n_classes = int(labels.max()) + 1 if n_classes is None else n_classes
    return Task.of(condense(X, labels, weights, n_classes), X, ArgmaxOutput)


def random_table(p=50, n=3, n_classes=4, seed=0):
    rng = np.random.default_rng([seed, p, n])
    labels = rng.integers(0, n_classes, p)
    labels[:n_classes] = np.arange(n_classes)
    return rng.standard_normal((p, n)), labels


def blobs(p=150, n=2, n_classes=3, spread=0.4, seed=0):
    """Return clouds of points, one or two a class."""
    rng = np.random.default_rng([seed, n_classes])
    centres = 2.0 * rng.standard_normal((2 * n_classes, n))
    cloud = rng.integers(0, 2 * n_classes, p)
    return centres[cloud] + spread * rng.standard_normal((p, n)), cloud % n_classes


def random_layer(task, h, seed=0):
    """Return random hidden units with outputs fitted to their codes."""
    hidden = task.seat(unit_rows(np.random.default_rng(seed).standard_normal((h, len(task.X)))))
    codes = task.codes(hidden)
    outputs, errors, _ = task.answers.fit(codes)
    return Layer(hidden, outputs, codes, errors, "random")


def network_of(task, layer):
    return Network(layer.user_weights(task), normalised_outputs(layer.output), np.arange(len(layer.output)))


def predicted_errors(task, layer, X, labels, weights=None):
    """Return the weight of the rows that the network of a layer gets wrong."""
    wrong = network_of(task, layer).predict(np.asarray(X, dtype=float)) != labels
    return float(wrong.sum() if weights is None else np.asarray(weights)[wrong].sum())


def assert_consistent(task, layer):
    """Check that a layer's codes and errors are those of its weights."""
    weights = layer.weights_in(task)
    np.testing.assert_array_equal(layer.codes, np.where(task.fields(weights) >= 0, 1.0, -1.0))
    assert layer.errors == task.answers.errors(layer.codes, layer.output)
    assert layer.output.shape == (*task.answers.shape, len(layer.hidden) + 1)
    assert layer.codes.dtype == np.int8
