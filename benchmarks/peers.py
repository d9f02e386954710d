"""The classifiers that netlines is compared with, and the number of parameters of each once fitted.

`peers()` gives their factories, the cheapest first, and `simple_peers()` a few more that are quickly fitted.
Every one has random_state=0 and one thread; those with CV in their name choose their settings by 5-fold
cross-validation on the training rows. LightGBM is downloaded into build/benchmarks/ if it is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sets import provide
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from netlines.cli import comparison

MLP_GRID = {"mlpclassifier__alpha": [1e-4, 1e-2, 1.0]}
TREE_GRID = {"max_leaf_nodes": [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, None]}
SVC_GRID = {"svc__C": [0.1, 1.0, 10.0, 100.0], "svc__gamma": ["scale", 1e-3, 1e-2, 1e-1, 1.0]}


def peers() -> dict[str, Callable[[], Any]]:
    """Return a factory of each classifier by its name."""
    return {
        "LR": lambda: standardised(LogisticRegression(max_iter=2000, random_state=0)),
        "LightGBM": lightgbm,
        "forest": lambda: RandomForestClassifier(n_estimators=100, random_state=0, n_jobs=1),
        "SVC": lambda: standardised(SVC(random_state=0)),
        "HGB": lambda: HistGradientBoostingClassifier(random_state=0),
        "LR-CV": lambda: standardised(
            LogisticRegressionCV(Cs=10, cv=5, scoring="neg_log_loss", max_iter=2000, random_state=0, n_jobs=1)
        ),
        "tree-CV": lambda: search(DecisionTreeClassifier(random_state=0), TREE_GRID),
        "SVC-CV": lambda: search(standardised(SVC(random_state=0)), SVC_GRID),
        "MLP-CV": lambda: search(standardised(MLPClassifier((10,), max_iter=500, random_state=0)), MLP_GRID),
    }


def simple_peers() -> dict[str, Callable[[], Any]]:
    """Return a factory of each further classifier by its name; MLP(H) has H hidden units."""
    return {
        "LDA": LinearDiscriminantAnalysis,
        "QDA": QuadraticDiscriminantAnalysis,
        "tree": lambda: DecisionTreeClassifier(random_state=0),
        "MLP(3)": lambda: standardised(MLPClassifier((3,), max_iter=2000, random_state=0)),
        "MLP(10)": lambda: standardised(MLPClassifier((10,), max_iter=2000, random_state=0)),
    }


def standardised(model: Any) -> Pipeline:
    """Put a scaler before a model."""
    return make_pipeline(StandardScaler(), model)


def search(model: Any, grid: dict[str, list]) -> GridSearchCV:
    """Choose a model's settings by the accuracy of 5-fold cross-validation."""
    return GridSearchCV(model, grid, cv=5, n_jobs=1)


def lightgbm() -> Any:
    """Return LightGBM with its defaults."""
    provide("lightgbm", "lightgbm")
    from lightgbm import LGBMClassifier

    return LGBMClassifier(random_state=0, n_jobs=1, verbosity=-1)


def count_parameters(fitted: Any) -> int:
    """Count the learnt numbers that the decisions of a fitted classifier need.

    Linear models and MLPs: weights and biases, zeros included; those of every class if there are more than
    two. Quadratic discriminants: a symmetric form, a weight an input and a bias for each class. Trees: two
    numbers a split (column and threshold) and one a leaf, its class or share; of an ensemble the sum over its
    trees (boosting more than two classes grows one a class and round), and for HistGradientBoosting the start
    values. SVC of C classes: its inputs and C - 1 coefficients for each support vector, and a bias for each
    pair of classes. A search: those of the model it chose. Networks of netlines: `n_weights_`. Means and
    deviations of a scaler before the model are not counted, for they can be folded into weights.
    """
    if isinstance(fitted, GridSearchCV):
        return count_parameters(fitted.best_estimator_)
    model = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    if isinstance(model, SVC):
        vectors, inputs = model.support_vectors_.shape
        C = len(model.classes_)
        return vectors * (inputs + C - 1) + C * (C - 1) // 2
    if isinstance(model, QuadraticDiscriminantAnalysis):
        C, inputs = model.means_.shape
        return C * (inputs * (inputs + 1) // 2 + inputs + 1)
    if isinstance(model, HistGradientBoostingClassifier):
        trees = [tree for trees in model._predictors for tree in trees]
        return model.n_trees_per_iteration_ + sum(count_tree(tree.get_n_leaf_nodes()) for tree in trees)
    if hasattr(model, "booster_"):
        return sum(count_tree(tree["num_leaves"]) for tree in model.booster_.dump_model()["tree_info"])
    return comparison.count_parameters(model)


def count_tree(leaves: int) -> int:
    """Count the numbers of a binary tree: two a split and one a leaf."""
    return 2 * (int(leaves) - 1) + int(leaves)
