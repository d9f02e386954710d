"""The classifiers that are compared, by name: netlines in four ways, its relatives, and today's peers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from netlines.classifiers.minimerror import MinimerrorClassifier
from netlines.classifiers.netlines import NetLinesClassifier
from netlines.classifiers.netlines_cv import NetLinesClassifierCV
from netlines.family import MonoPlaneClassifier
from netlines.plots.style import BLUE, DARK, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from netlines.report.parameters import count_parameters
from netlines.reproduce.runs.records import Row, Run
from netlines.reproduce.runs.splits import Patterns

PAPER, FAST, DEFAULT, CV = "paper", "fast units", "default", "CV"
MONOPLANE, MONOPLANE_PAPER = "MonoPlane", "MonoPlane, paper"
UNIT, UNIT_PAPER, UNIT_LARGE = "unit", "unit, paper", "unit, larger theta"
BAGGED, BAGGED_PAPER = "bagged", "bagged, paper"
STOPPED, STOPPED_PAPER = "H=2", "H=2, paper"

# What a way is compared with: units are trained in the same manner.
PARTNERS = {PAPER: MONOPLANE_PAPER, DEFAULT: MONOPLANE}
UNITS = {PAPER: UNIT_PAPER, DEFAULT: UNIT}
BAGS = {PAPER: BAGGED_PAPER, DEFAULT: BAGGED}
STOPS = {PAPER: STOPPED_PAPER, DEFAULT: STOPPED}

# What each of netlines' departures from the paper is worth shows from one of these to the next.
WAYS = (PAPER, FAST, DEFAULT, CV)
PEERS = ("LR", "linear SVM", "LDA", "QDA", "k-NN", "CART", "MLP(3)", "MLP(10)", "MLP(30)", "forest")
GROWN = (PAPER, FAST, DEFAULT, MONOPLANE)  # what adds units until no training error is left


class Method(NamedTuple):
    """How a classifier is made, what a report calls it, and its colour and marker if it is ours."""

    make: Callable[..., Any]
    name: str = ""
    look: tuple[str, str] | None = None


def _standardised(model: Any) -> Pipeline:
    return make_pipeline(StandardScaler(), model)


def _paper(**parameters: Any) -> NetLinesClassifier:
    return NetLinesClassifier(schedule="paper", refine=False, **parameters)


def _mlp(size: int, random_state: int) -> Pipeline:
    return _standardised(MLPClassifier((size,), max_iter=1000, random_state=random_state))


_paper_unit = partial(MinimerrorClassifier, schedule="paper")
METHODS = {
    PAPER: Method(_paper, "NetLines, the paper's algorithm", (VERMILLION, "s")),
    FAST: Method(partial(NetLinesClassifier, refine=False), "NetLines with fast units", (ORANGE, "D")),
    DEFAULT: Method(NetLinesClassifier, "NetLinesClassifier", (BLUE, "o")),
    CV: Method(NetLinesClassifierCV, "NetLinesClassifierCV", (GREEN, "^")),
    MONOPLANE: Method(MonoPlaneClassifier, "MonoPlane", (PURPLE, "v")),
    MONOPLANE_PAPER: Method(
        partial(MonoPlaneClassifier, schedule="paper"), "MonoPlane by the paper's schedule", (PURPLE, "<")
    ),
    STOPPED: Method(partial(NetLinesClassifier, 2), "NetLinesClassifier stopped at H = 2", (SKY, "P")),
    STOPPED_PAPER: Method(
        partial(_paper, max_hidden=2), "the paper's NetLines stopped at H = 2", (ORANGE, "X")
    ),
    UNIT: Method(MinimerrorClassifier, "one Minimerror unit", (DARK, "*")),
    UNIT_PAPER: Method(_paper_unit, "one unit by the paper's schedule", (DARK, "p")),
    UNIT_LARGE: Method(
        partial(_paper_unit, theta=15, learning_rate=0.002, annealing_rate=0.003),
        "one unit with θ = 15, ε = 0.002, δT⁻¹ = 0.003",
        (DARK, "h"),
    ),
    BAGGED: Method(
        partial(BaggingClassifier, NetLinesClassifier(), 11), "11 bagged NetLinesClassifiers", (SKY, "d")
    ),
    BAGGED_PAPER: Method(
        partial(BaggingClassifier, _paper(), 11), "11 bagged networks of the paper's algorithm", (ORANGE, "d")
    ),
    "LR": Method(
        lambda random_state: _standardised(LogisticRegression(max_iter=2000)), "logistic regression"
    ),
    "linear SVM": Method(
        lambda random_state: _standardised(LinearSVC(random_state=random_state, max_iter=5000))
    ),
    "perceptron": Method(lambda random_state: _standardised(Perceptron(random_state=random_state))),
    "LDA": Method(lambda random_state: LinearDiscriminantAnalysis(), "linear discriminant"),
    # Coded attributes are collinear, and small sets have fewer patterns than inputs.
    "QDA": Method(
        lambda random_state: _standardised(QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1)),
        "quadratic discriminant",
    ),
    "k-NN": Method(lambda random_state: _standardised(KNeighborsClassifier())),
    "CART": Method(DecisionTreeClassifier),
    "MLP(3)": Method(partial(_mlp, 3)),
    "MLP(10)": Method(partial(_mlp, 10)),
    "MLP(30)": Method(partial(_mlp, 30)),
    "forest": Method(RandomForestClassifier, "random forest"),
}
NAMES = {key: method.name for key, method in METHODS.items() if method.name} | {"Bayes": "Bayes-optimal"}
LOOKS = {key: method.look for key, method in METHODS.items() if method.look}


def compared(*others: str) -> list[str]:
    """Return the methods of a comparison: the ways, MonoPlane and others of ours, and the peers."""
    return [*WAYS, MONOPLANE, *others, *PEERS]


def make(method: str, seed: int, **limits: Any) -> Any:
    """Return a fresh classifier by the name of its method; `limits` are parameters of it."""
    return METHODS[method].make(random_state=seed, **limits)


def fit(model: Any, X: NDArray, y: NDArray) -> tuple[Any, float]:
    """Fit a classifier without its warnings; return it and the seconds that took."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model.fit(X, y)
        return model, time.perf_counter() - start


def score(run: Run, fitted: Any, seconds: float, train: Patterns, test: Patterns | None) -> Row:
    """Return the row of a run that has one: sizes and errors of a fitted classifier."""
    (X, y), G, error = train, None, None
    if test is not None:
        G, error = len(test[1]), float(np.mean(fitted.predict(test[0]) != test[1]))
    wrong = int(np.sum(fitted.predict(X) != y))
    sizes = len(y), G, count_hidden(fitted), count_parameters(fitted)
    which = run.experiment, run.method, run.case, run.seed
    return Row(*which, *sizes, wrong, error, count_updates(fitted), seconds)


def measure(run: Run, train: Patterns, test: Patterns | None = None, **limits: Any) -> list[Row]:
    """Fit the run's method to the training patterns and score it on both sets."""
    fitted, seconds = fit(make(run.method, run.seed, **limits), *train)
    return [score(run, fitted, seconds, train, test)]


def count_hidden(fitted: Any) -> int | None:
    """Return the number of hidden units of all networks in a classifier; None if it is no network."""
    model = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    if isinstance(model, MLPClassifier):
        return int(sum(model.hidden_layer_sizes))
    networks = [part.network_ for part in _parts(model) if hasattr(part, "network_")]
    return sum(network.n_hidden for network in networks) or None


def count_updates(fitted: Any) -> float | None:
    """Return the number of single weights that training has changed, over all steps; None if not counted.

    As the paper counts: the steps of a unit times its weights, those of units that were dropped included;
    of backpropagation the steps times all weights. The teachers of NetLinesClassifierCV are not counted.
    """
    model = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    if isinstance(model, MLPClassifier):
        return float(model._optimizer.t * count_parameters(model))
    parts = _parts(model)
    if any(isinstance(part, NetLinesClassifierCV) or not hasattr(part, "n_updates_") for part in parts):
        return None
    return float(sum(part.n_updates_ for part in parts))


def _parts(model: Any) -> list[Any]:
    """Return the classifiers that a classifier consists of, itself if it is a network."""
    return [model] if hasattr(model, "network_") else list(getattr(model, "estimators_", [model]))
