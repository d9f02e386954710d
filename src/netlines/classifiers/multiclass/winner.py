"""`WinnerTakesAllClassifier`: one network a class against the rest, the largest output sum wins."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from netlines.classifiers.multiclass.part import Problem
from netlines.classifiers.multiclass.rows import Rows
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.network.schemes import Combined, take_largest


class WinnerTakesAllClassifier(Scheme):
    """Separate each class from all others by a binary classifier; the largest decision wins.

    Parameters
    ----------
    estimator : binary classifier or None, default=None
        What to train a copy of for each class, with the labels 1 (the class) and 0 (all others); None for
        `NetLinesClassifier()`.
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
    estimators_ : list of C classifiers
        The networks, in the order of `classes_`. Of 2 classes a single one, whose label 1 is the second.
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
    The paper warns of this scheme. The decision of a `NetLinesClassifier` is the weighted sum of its output
    unit, which has normalised weights: the distance of the internal representation to the hyperplane of the
    output. It is the same for all patterns with the same internal representation, wherever they are in input
    space, and a large sum does not mean that a pattern is far from the hyperplanes of the hidden units. A
    naive winner-takes-all decision may do badly therefore; `TreeVoteClassifier` does without it, and
    `NetLinesClassifier(probability=True)` decides by log-odds that do depend on these distances.

    Of an estimator without `decision_function` the largest probability wins, of one without either the class
    whose network says yes; of equal ones the first in `classes_`. The probabilities of the classes are those
    of their networks, divided by their sum.

    See Also
    --------
    TreeVoteClassifier : trees of networks that vote.
    PairwiseClassifier : a network for each pair of classes.

    Examples
    --------
    >>> from netlines.classifiers.multiclass import WinnerTakesAllClassifier
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> winner = WinnerTakesAllClassifier(LogisticRegression()).fit(X, y)
    >>> len(winner.estimators_), winner.predict(X[[0, 75, 149]]).tolist()
    (3, [0, 1, 2])
    """

    _in_words = "one network a class"

    def _plan(self, rows: Rows) -> list[Problem]:
        labels = range(len(rows.classes))
        against = {label: tuple(other for other in labels if other != label) for label in labels}
        # The same two sides are one problem: of two classes the second against the first is left.
        sides = {frozenset([(label,), others]): Problem(label, others) for label, others in against.items()}
        return list(sides.values())

    def _together(self, X: Any, wanted: Collection[str]) -> Combined:
        return take_largest(*self._ask(X, {"margins", *wanted}, agreeing=False), range(len(self.classes_)))
