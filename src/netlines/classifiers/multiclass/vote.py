"""`TreeVoteClassifier`: an odd number of trees of networks that vote."""

from __future__ import annotations

from collections.abc import Collection
from math import factorial
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from netlines.classifiers.multiclass.part import Problem, sequence
from netlines.classifiers.multiclass.rows import Rows
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.classifiers.multiclass.tree import TreeOfNetworksClassifier, check_order, tree_problems
from netlines.network.schemes import Combined, hold_vote, walk_tree
from netlines.training.sequences import vote_orders


class TreeVoteClassifier(Scheme):
    """Let an odd number of trees of networks, each with its own learning sequence, vote.

    How well a `TreeOfNetworksClassifier` does may depend on its learning sequence; a vote of several lowers
    that dependence. All trees are trained on the same rows, without any resampling. A problem that several
    trees have in common, the same class against the same others, is trained once and its network shared.

    Parameters
    ----------
    estimator : binary classifier or None, default=None
        What to train a copy of for each network, with the labels 1 (the class) and 0 (the remaining ones);
        None for `NetLinesClassifier()`.
    n_trees : odd int or None, default=None
        Number of trees. None: that of `orders`, else one for 2 classes, and for C ≥ 3 classes C or C + 1,
        whichever is odd. It is odd so that two classes cannot have equally many votes.
    orders : sequence of sequences of labels or None, default=None
        The learning sequences, an odd number; each has every class once. None: see Notes.
    voting : {"hard", "confidence"}, default="hard"
        Whether each tree has one vote for its answer, or shares it among the classes in proportion to the
        probabilities of their paths. An estimator with labels alone has no such confidence: plain votes.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes of y; they multiply `sample_weight`, which the estimator has to take (and, with
        metadata routing, to request).
    n_jobs : int or None, default=None
        Networks to train at the same time, over all trees; the result does not depend on it. They are
        trained in threads; `with joblib.parallel_config(backend="loky")` trains them in processes.
    random_state : int, RandomState instance or None, default=None
        Decides which sequences are drawn if `n_trees` is more than C(C - 1); nothing else is random.

    Attributes
    ----------
    classes_ : array of shape (C,)
        The labels, sorted.
    orders_ : array of shape (T, C)
        The learning sequences.
    trees_ : list of T TreeOfNetworksClassifier
        The fitted trees; they share the networks of problems that they have in common.
    estimators_ : list of classifiers
        The different networks, each once.
    problems_ : list of (label, array of labels)
        What each of them separates from what.
    n_weights_ : int
        The weights of the different networks, if they count them.
    n_features_in_ : int
        Number of inputs, if X has columns.
    feature_names_in_ : array of shape (n_features,)
        Their names, if X had names.

    Notes
    -----
    The sequences come in rounds in which each class comes first once, the easiest first, as
    `TreeOfNetworksClassifier` measures it. In the first round each goes on with the easiest class that
    remains, and so on. In the second round the second easiest one comes second, and so on for C - 1
    rounds. After these C(C - 1) sequences others are drawn by `random_state`; when there are no others
    left, they begin anew.

    Classes with equally many votes are told apart by the probabilities of their paths, the mean over the
    trees; if these are equal too, the one that comes first in the first tree's sequence is the answer. The
    decision for a class is its votes plus 0.999 times that mean; with `voting="confidence"`, the mean alone;
    a single tree has its own decisions. Probabilities are that mean.

    See Also
    --------
    TreeOfNetworksClassifier : a single tree.

    Examples
    --------
    >>> from netlines.classifiers.multiclass import TreeVoteClassifier
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> vote = TreeVoteClassifier(LogisticRegression()).fit(X, y)
    >>> len(vote.trees_), len(vote.estimators_), vote.predict(X[[0, 75, 149]]).tolist()
    (3, 6, [0, 1, 2])
    >>> vote.orders_.tolist()
    [[0, 1, 2], [2, 0, 1], [1, 0, 2]]
    """

    _in_words = "a vote of trees"
    _parameter_constraints: dict = {  # noqa: RUF012
        **Scheme._parameter_constraints,
        "n_trees": [Interval(Integral, 1, None, closed="left"), None],
        "orders": ["array-like", None],
        "voting": [StrOptions({"hard", "confidence"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_trees: int | None = None,
        orders: Any = None,
        voting: str = "hard",
        *,
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ):
        super().__init__(estimator, class_weight=class_weight, n_jobs=n_jobs)
        self.n_trees = n_trees
        self.orders = orders
        self.voting = voting
        self.random_state = random_state

    def _plan(self, rows: Rows) -> list[Problem]:
        orders = self._sequences(rows)
        problems = list(dict.fromkeys(problem for order in orders for problem in tree_problems(order)))
        number = {problem: k for k, problem in enumerate(problems)}
        self._networks = [[number[problem] for problem in tree_problems(order)] for order in orders]
        self.orders_ = rows.classes[np.array(orders)]
        return problems

    def _sequences(self, rows: Rows) -> list[tuple[int, ...]]:
        """Return the learning sequences as numbers of classes."""
        n_classes, n_trees = len(rows.classes), self.n_trees
        if self.orders is not None:
            if n_trees not in (None, len(self.orders)):
                raise ValueError(f"n_trees={n_trees}, but orders has {len(self.orders)}; leave n_trees out")
            _check_odd(len(self.orders), "the number of orders")
            pairs = enumerate(self.orders)
            return [check_order(order, rows.classes, f"orders[{k}]") for k, order in pairs]
        if n_trees is None:
            n_trees = min(n_classes | 1, factorial(n_classes) - 1)  # odd, and fewer than all sequences
        _check_odd(n_trees, "n_trees")
        return vote_orders(rows.separability, n_trees, check_random_state(self.random_state))

    def _finish(self) -> None:
        self.trees_ = [
            TreeOfNetworksClassifier(
                self.estimator, order.tolist(), class_weight=self.class_weight
            )._assemble([self._parts[k] for k in networks], [self._problems[k] for k in networks], self)
            for order, networks in zip(self.orders_, self._networks, strict=True)
        ]

    def _combine(self, X: Any, wanted: Collection[str]) -> Combined:
        # The chances alone are behind the scores of a vote, and settle equal votes.
        margins, p = self._ask(X, wanted if len(self.trees_) == 1 else ["chances"])
        orders = [sequence(tree._problems) for tree in self.trees_]
        trees = [
            walk_tree(margins[:, networks], p[:, networks], order)
            for networks, order in zip(self._networks, orders, strict=True)
        ]
        return hold_vote(trees, orders[0], confidence=self.voting == "confidence")


def _check_odd(number: int, what: str) -> None:
    if number % 2 == 0:
        raise ValueError(
            f"{what} is {number}; allowed are odd numbers, so that two classes cannot have equally many votes"
        )
