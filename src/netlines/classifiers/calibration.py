"""Gives a trained network probabilities, by copies that have not seen what they judge.

The log-odds are fitted to the training labels, in which the network is too sure of itself; copies trained on
four fifths of the rows tell by how much.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.classifiers.base import NetworkClassifier, as_targets
from netlines.network.network import Network
from netlines.network.probability import Calibration
from netlines.selection.folds import Examples, both_classes, make_class_folds, make_folds
from netlines.training.calibration import fit_stretch, fit_to_labels
from netlines.training.patterns import condense, condense_classes

FOLDS = 5


def calibrated(
    clf: NetworkClassifier, network: Network, X: NDArray, codes: NDArray, weights: NDArray
) -> Network:
    """Return the network of a classifier with probabilities.

    Parameters
    ----------
    clf : what trained it, of which copies are trained
    network : the network
    X, codes, weights : its training rows, the numbers of their classes, and their weights
    """
    if network.n_classes > 2:
        return _calibrated_classes(clf, network, X, codes, weights)
    patterns = condense(X, as_targets(codes), weights)
    rows = X[patterns.first]

    def too_sure(part: Network, examples: Examples) -> tuple[Calibration, NDArray]:
        """Return the calibration by what the network was trained on, and its fields there."""
        fields = part.fields(rows[examples.pattern])
        labels = (examples.targets > 0).astype(int)
        return fit_to_labels(fields, labels, examples.weights, examples.priors), fields

    everything = Examples.of(patterns.positive, patterns.negative)
    calibration, fields = too_sure(network, everything)
    tests, scores = [], []
    for fold in make_folds(patterns, FOLDS):
        if not both_classes(fold.train):
            continue
        part = _copy(clf, rows, fold.train, (fold.train.targets > 0).astype(int))
        tests.append(fold.test)
        scores.append(too_sure(part, fold.train)[0].scores(part.fields(rows[fold.test.pattern])))
    if not tests:
        tests, scores = [everything], [calibration.scores(fields)]
    seen = Examples.joined(tests)
    line = fit_stretch(np.concatenate(scores), seen.targets, seen.weights)
    return replace(network, calibration=calibration.stretched(*line))


def _calibrated_classes(
    clf: NetworkClassifier, network: Network, X: NDArray, codes: NDArray, weights: NDArray
) -> Network:
    """Do the same with an output for each of many classes."""
    n_classes = network.n_classes
    patterns = condense_classes(X, codes, weights, n_classes)
    rows = X[patterns.first]

    def too_sure(part: Network, examples: Examples) -> Calibration:
        """Return the calibration by what the network was trained on, rows of all classes."""
        priors = np.bincount(examples.targets, examples.share, n_classes)
        fields = part.fields(rows[examples.pattern])
        return fit_to_labels(fields, examples.targets, examples.weights, priors)

    everything = Examples.of_classes(patterns.counts)
    calibration = too_sure(network, everything)
    tests, scores = [], []
    for fold in make_class_folds(patterns, FOLDS):
        present = np.unique(fold.train.targets)
        if len(present) < n_classes:
            continue
        part = _copy(clf, rows, fold.train, fold.train.targets)
        tests.append(fold.test)
        scores.append(too_sure(part, fold.train).scores(part.fields(rows[fold.test.pattern])))
    if not tests:
        tests, scores = [everything], [calibration.scores(network.fields(rows[everything.pattern]))]
    seen = Examples.joined(tests)
    line = fit_stretch(np.concatenate(scores), seen.targets, seen.weights)
    return replace(network, calibration=calibration.stretched(*line))


def _copy(clf: NetworkClassifier, rows: NDArray, examples: Examples, codes: NDArray) -> Any:
    """Return the network of a copy of a classifier, trained on some of the rows."""
    copy = type(clf)(**{**clf.get_params(), "probability": False, "class_weight": None})
    labels = clf.classes_[codes]
    return copy.fit(rows[examples.pattern], labels, sample_weight=examples.weights).network_
