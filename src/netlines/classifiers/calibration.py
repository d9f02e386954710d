"""Gives a trained network probabilities, by copies that have not seen what they judge.

The log-odds are fitted to the training labels, in which the network is too sure of itself; copies trained on
four fifths of the rows tell by how much.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.classifiers.base import NetworkClassifier
from netlines.classifiers.table import OF_INPUTS
from netlines.network.network import Network
from netlines.network.probability import Calibration
from netlines.selection.folds import Examples, make_folds
from netlines.training.calibration import fit_stretch, fit_to_labels
from netlines.training.patterns import condense

FOLDS = 5


def calibrated(
    clf: NetworkClassifier, network: Network, X: NDArray, labels: NDArray, weights: NDArray
) -> Network:
    """Return the network of a classifier with probabilities.

    Parameters
    ----------
    clf : what trained it, of which copies are trained
    network : the network
    X, labels, weights : its training rows, the numbers of their classes, and their weights
    """
    n_classes = network.n_classes
    patterns = condense(X, labels, weights, n_classes)
    rows = X[patterns.first]

    def too_sure(part: Network, examples: Examples) -> Calibration:
        """Return the calibration by what the network was trained on, rows of all classes."""
        fields, priors = part.fields(rows[examples.pattern]), examples.priors(n_classes)
        return fit_to_labels(fields, examples.labels, examples.weights, priors)

    everything = Examples.of(patterns.counts)
    calibration = too_sure(network, everything)
    tests, scores = [], []
    for fold in make_folds(patterns, FOLDS):
        if not fold.train.has_all(n_classes):
            continue
        part = _copy(clf, rows, fold.train)
        tests.append(fold.test)
        scores.append(too_sure(part, fold.train).scores(part.fields(rows[fold.test.pattern])))
    if not tests:
        tests, scores = [everything], [calibration.scores(network.fields(rows[everything.pattern]))]
    seen = Examples.joined(tests)
    line = fit_stretch(np.concatenate(scores), seen.labels, seen.weights)
    return replace(network, calibration=calibration.stretched(*line))


def _copy(clf: NetworkClassifier, rows: NDArray, examples: Examples) -> Any:
    """Return the network of a copy of a classifier, trained on some of the rows."""
    copy = type(clf)(**{**clf.get_params(), "probability": False, "class_weight": None, **OF_INPUTS})
    labels = clf.classes_[examples.labels]
    return copy.fit(rows[examples.pattern], labels, sample_weight=examples.weights).network_
