"""`TreeOfNetworksClassifier`: the paper's tree of networks, one learning sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions

from netlines.classifiers.multiclass.part import Part, Problem, sequence
from netlines.classifiers.multiclass.rows import Rows
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.training.sequences import easiest_first


def tree_problems(order: Sequence[int]) -> list[Problem]:
    """Return the problems of a tree: each class of the sequence, but the last, against those after it."""
    return [Problem(label, tuple(sorted(order[k + 1 :]))) for k, label in enumerate(order[:-1])]


class TreeOfNetworksClassifier(Scheme):
    """Separate one class after the other from those that remain, each by a binary classifier.

    The classes are put in a learning sequence (c₁, c₂, … c_C). The first network separates c₁ from all
    others; the patterns of c₁ are removed and the second network separates c₂ from what remains; and so on,
    C - 1 networks. The answer is the class of the first network that says yes, or the last class.

    Parameters
    ----------
    estimator : binary classifier or None, default=None
        What to train a copy of for each network, with the labels 1 (the class) and 0 (the remaining ones);
        None for `NetLinesClassifier()`.
    order : {"separability", "classes"} or sequence of labels, default="separability"
        The learning sequence: the easiest class first, see Notes; the sorted classes; or the labels given,
        each class once.
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
    order_ : array of shape (C,)
        The learning sequence.
    estimators_ : list of C - 1 classifiers
        The networks, in the order of the sequence; their label 1 is the class that they separate.
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
    `order="separability"` takes, at each level, the class that is easiest to tell from the others that
    remain: the one whose indicator (1 for its rows, 0 for the others) a linear regression on the inputs
    explains with the lowest mean square error. The inputs are standardised and the regression has a ridge
    penalty of 0.01; rows count by their weights; missing values are replaced by the mean of their column.
    Of more than 512 inputs those are used whose means differ most between the classes. Inputs that are not
    numbers are left aside, and if there are no others the sequence is that of `classes_`; it also decides
    between classes that are equally easy. Only training rows are looked at.

    The decision for a class is the smallest margin on the path to it: of the networks before it against
    their classes, and of its own for it. Its probability is the product of those on that path.

    The paper describes the tree in its section on multi-class problems.

    See Also
    --------
    TreeVoteClassifier : several trees that vote.

    Examples
    --------
    >>> from netlines.classifiers.multiclass import TreeOfNetworksClassifier
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TreeOfNetworksClassifier(LogisticRegression(), order=[0, 2, 1]).fit(X, y)
    >>> len(tree.estimators_), tree.predict(X[[0, 75, 149]]).tolist()
    (2, [0, 1, 2])
    """

    _in_words = "a tree"
    _parameter_constraints: dict = {  # noqa: RUF012
        **Scheme._parameter_constraints,
        "order": [StrOptions({"separability", "classes"}), "array-like"],
    }

    def __init__(
        self,
        estimator: Any = None,
        order: Any = "separability",
        *,
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
    ):
        super().__init__(estimator, class_weight=class_weight, n_jobs=n_jobs)
        self.order = order

    def _plan(self, rows: Rows) -> list[Problem]:
        if not isinstance(self.order, str):
            order = check_order(self.order, rows.classes)
        elif self.order == "classes":
            order = tuple(range(len(rows.classes)))
        else:
            order = easiest_first(rows.separability)
        self.order_ = rows.classes[list(order)]
        return tree_problems(order)

    def _assemble(
        self, parts: list[Part], problems: list[Problem], fitted: Scheme
    ) -> TreeOfNetworksClassifier:
        """Become a fitted tree out of networks that another scheme has trained."""
        self.order_ = fitted.classes_[sequence(problems)]
        self._layout = fitted._layout
        self._keep(parts, problems, fitted.classes_)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self


def check_order(order: Any, classes: NDArray, what: str = "order") -> tuple[int, ...]:
    """Return the numbers of the classes in a user's order, or raise an error that lists what is wrong.

    Parameters
    ----------
    order : sequence of labels
    classes : array of the labels
    what : the parameter's name
    """
    labels = order.tolist() if hasattr(order, "tolist") else list(order)
    known = classes.tolist()
    wrong = {
        "misses": [label for label in known if label not in labels],
        "repeats": [label for k, label in enumerate(labels) if label in labels[:k]],
        "has unknown classes": [label for label in labels if label not in known],
    }
    complaints = [f"{verb} {', '.join(map(repr, found))}" for verb, found in wrong.items() if found]
    if complaints:
        raise ValueError(
            f"{what}={labels!r} {' and '.join(complaints)}; allowed is every class of y once, in any order: "
            f"{', '.join(map(repr, known))}"
        )
    return tuple(known.index(label) for label in labels)
