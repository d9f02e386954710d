"""How many numbers a fitted classifier keeps, counted by hand."""

import doctest

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from netlines import NetLinesClassifierCV
from netlines.report import parameters
from netlines.report.parameters import count_parameters

X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 1])
LARGE, LABELS = np.random.default_rng(0).standard_normal((40, 4)), np.arange(40) % 2


def test_trees_and_forests_count_splits_and_leaves():
    tree = DecisionTreeClassifier().fit(X, y)
    assert (tree.tree_.node_count, tree.tree_.n_leaves) == (5, 3)
    assert count_parameters(tree) == 2 * 2 + 3
    forest = RandomForestClassifier(3, bootstrap=False, max_features=None).fit(X, y)
    assert count_parameters(forest) == 3 * 7


def test_of_a_pipeline_the_last_step_counts():
    mlp = MLPClassifier((3,), solver="lbfgs", max_iter=5000, random_state=0)
    assert count_parameters(make_pipeline(StandardScaler(), mlp).fit(X, y)) == 3 * 3 + 4


def test_a_unit_has_a_weight_an_input_and_a_bias():
    assert count_parameters(NetLinesClassifierCV(teacher=None).fit(X.repeat(5, 0), y.repeat(5))) == 3


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (LinearDiscriminantAnalysis(), 5),
        (LinearSVC(), 5),
        (SVC(kernel="linear"), 5),
        (QuadraticDiscriminantAnalysis(), 2 * (10 + 4 + 1)),
        (KNeighborsClassifier(), 40 * 5),
    ],
)
def test_other_models_of_two_classes(model, expected):
    assert count_parameters(model.fit(LARGE, LABELS)) == expected


def test_a_kernel_machine_keeps_its_support_vectors():
    model = SVC().fit(LARGE, LABELS)
    assert count_parameters(model) == len(model.support_) * 5 + 1


def test_the_examples_run():
    assert doctest.testmod(parameters).failed == 0
