"""The classifiers that netlines is compared with, and the number of parameters of each once fitted.

`peers()` gives their factories, the cheapest first, and `simple_peers()` a few more that are quickly fitted.
Every one has random_state=0 and one thread; those with CV in their name choose their settings by 5-fold
cross-validation on the training rows. LightGBM and CatBoost are downloaded into build/benchmarks/ if they are
missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
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

from netlines.report import parameters

MLP_GRID = {"mlpclassifier__alpha": [1e-4, 1e-2, 1.0]}
TREE_GRID = {"max_leaf_nodes": [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, None]}
SVC_GRID = {"svc__C": [0.1, 1.0, 10.0, 100.0], "svc__gamma": ["scale", 1e-3, 1e-2, 1e-1, 1.0]}


def peers() -> dict[str, Callable[[], Any]]:
    """Return a factory of each classifier by its name."""
    return {
        "LR": lambda: standardised(LogisticRegression(max_iter=2000, random_state=0)),
        "LightGBM": lightgbm,
        "CatBoost": catboost,
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


def catboost() -> Any:
    """Return CatBoost with its defaults."""
    for module in ("six", "graphviz", "plotly", "catboost"):
        provide(module, module)
    from catboost import CatBoostClassifier

    # Without files: it would keep a folder of its training where it runs.
    return CatBoostClassifier(random_seed=0, thread_count=1, verbose=0, allow_writing_files=False)


def count_parameters(fitted: Any) -> int:
    """Count the learnt numbers that the decisions of a fitted classifier need.

    As `netlines.report.parameters.count_parameters`. Of a search: those of the model it chose. Of boosting
    the sum over its trees, one a class and round if there are more than two, and for
    HistGradientBoosting the start values.
    """
    if isinstance(fitted, GridSearchCV):
        return count_parameters(fitted.best_estimator_)
    if isinstance(fitted, HistGradientBoostingClassifier):
        trees = [tree for trees in fitted._predictors for tree in trees]
        return fitted.n_trees_per_iteration_ + sum(count_tree(tree.get_n_leaf_nodes()) for tree in trees)
    if hasattr(fitted, "get_leaf_values"):  # CatBoost's symmetric trees: a question a level
        leaves = fitted.get_tree_leaf_counts()
        return int(len(fitted.get_leaf_values()) + 2 * np.log2(np.maximum(leaves, 1)).sum())
    if hasattr(fitted, "booster_"):
        return sum(count_tree(tree["num_leaves"]) for tree in fitted.booster_.dump_model()["tree_info"])
    return parameters.count_parameters(fitted)


def count_tree(leaves: int) -> int:
    """Count the numbers of a binary tree: two a split and one a leaf."""
    return 2 * (int(leaves) - 1) + int(leaves)
