"""`PairwiseClassifier`: a network for each pair of classes, probabilities summed."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from typing import Any

from netlines.classifiers.multiclass.part import Problem
from netlines.classifiers.multiclass.rows import Rows
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.network.schemes import Combined, sum_pairs


class PairwiseClassifier(Scheme):
    """Separate each class from each other one by a binary classifier; sum up their probabilities.

    Each of the C(C - 1)/2 networks is trained on the rows of its two classes alone. A class gets the sum of
    the probabilities that its C - 1 networks give to it; the largest sum wins, of equal ones the first in
    `classes_`. A class that wins all its pairs wins in any case, so that networks without errors make none
    together.

    Parameters
    ----------
    estimator : binary classifier or None, default=None
        What to train a copy of for each pair, with the labels 1 (its first class) and 0 (its second); None
        for `NetLinesClassifier()`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes of y; they multiply `sample_weight`, which the estimator has to take (and, with
        metadata routing, to request).
    n_jobs : int or None, default=None
        Networks to train at the same time; the result does not depend on it. They are trained in threads;
        `with joblib.parallel_config(backend="loky")` trains them in processes.

    Attributes
    ----------
    classes_ : array of shape (C,)
        The labels, sorted.
    pairs_ : list of (label, label)
        The two classes of each network; its label 1 is the first. In the order of
        `itertools.combinations(classes_, 2)`.
    estimators_ : list of C(C - 1)/2 classifiers
        The networks, in the order of `pairs_`.
    problems_ : list of (label, array of labels)
        What each network separates from what.
    n_weights_ : int
        The weights of all networks, if they count them.
    n_features_in_ : int
        Number of inputs, if X has columns.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names.

    Notes
    -----
    An estimator without probabilities has its decisions squashed, one of the mean size on the training rows
    to the log-odds 2; one with labels alone gives votes. The decision of a class is its sum divided by the
    number of pairs, that of the answer at least next above the others; of 2 classes, that of the only
    network. The probabilities of the classes are those that fit the probabilities of the pairs, see
    `netlines.network.schemes.coupled_probabilities`.

    See Also
    --------
    TreeVoteClassifier : trees of networks that vote.

    Examples
    --------
    >>> from netlines.classifiers.multiclass import PairwiseClassifier
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = PairwiseClassifier(LogisticRegression()).fit(X, y)
    >>> len(clf.estimators_), clf.predict(X[[0, 75, 149]]).tolist()
    (3, [0, 1, 2])
    """

    _in_words = "pairs"

    def _plan(self, rows: Rows) -> list[Problem]:
        pairs = list(combinations(range(len(rows.classes)), 2))
        self.pairs_ = [(rows.classes[first], rows.classes[second]) for first, second in pairs]
        return [Problem(first, (second,)) for first, second in pairs]

    def _together(self, X: Any, wanted: Collection[str]) -> Combined:
        margins, p = self._ask(X, ["chances"])  # which alone are behind the scores
        pairs = [(first, second) for first, (second,) in self._problems]
        return sum_pairs(p, pairs, len(self.classes_), wins=margins > 0)
