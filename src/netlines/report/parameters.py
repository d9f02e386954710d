"""How many numbers a fitted classifier keeps: what "number of weights" means for each kind of it."""

from __future__ import annotations

from typing import Any


def count_parameters(model: Any) -> int:
    """Count the learnt numbers that the decisions of a fitted classifier need.

    Linear models and MLPs: weights and biases, zeros included, those of every class if there are more than
    two. Quadratic discriminants: a symmetric form, a weight an input and a bias for each class. Trees: two
    numbers a split and one a leaf, of an ensemble or a boosted one the sum over its trees. Nearest
    neighbours: all rows and their labels. SVC of C classes, unless it is linear: its inputs and C - 1
    coefficients for each support vector, and a bias for each pair of classes. Networks of netlines:
    `n_weights_`. Of a pipeline only the last step counts, for a scaler can be folded into weights.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from netlines.report.parameters import count_parameters
    >>> count_parameters(DecisionTreeClassifier().fit([[0], [1]], [0, 1]))
    4
    """
    model = model[-1] if hasattr(model, "steps") else model
    if hasattr(model, "n_weights_"):
        return int(model.n_weights_)
    if hasattr(model, "estimators_"):
        return sum(map(count_parameters, model.estimators_))
    if hasattr(model, "_predictors"):  # of boosting by histograms, which has no public name for its trees
        leaves = [int(tree.nodes["is_leaf"].sum()) for one in model._predictors for tree in one]
        return sum(3 * n - 2 for n in leaves)
    if hasattr(model, "tree_"):
        return int(2 * model.tree_.node_count - model.tree_.n_leaves)
    if hasattr(model, "n_samples_fit_"):
        return int(model.n_samples_fit_ * (model.n_features_in_ + 1))
    if hasattr(model, "rotations_"):  # a quadratic discriminant
        inputs, C = model.n_features_in_, len(model.classes_)
        return int(C * (inputs * (inputs + 1) // 2 + inputs + 1))
    if hasattr(model, "support_vectors_") and model.kernel != "linear":
        vectors, inputs = model.support_vectors_.shape
        C = len(model.classes_)
        return int(vectors * (inputs + C - 1) + C * (C - 1) // 2)
    weights = getattr(model, "coefs_", None) or [model.coef_]
    biases = getattr(model, "intercepts_", None) or [model.intercept_]
    return sum(int(array.size) for array in [*weights, *biases])
