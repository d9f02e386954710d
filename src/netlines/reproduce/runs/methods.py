"""The classifiers that are compared, by name: netlines in four ways, its relatives, and today's peers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

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
from netlines.report.parameters import count_parameters
from netlines.reproduce.runs.records import Row, Run

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
NAMES = {
    PAPER: "NetLines, the paper's algorithm",
    FAST: "NetLines with fast units",
    DEFAULT: "NetLinesClassifier",
    CV: "NetLinesClassifierCV",
    MONOPLANE: "MonoPlane",
    MONOPLANE_PAPER: "MonoPlane by the paper's schedule",
    UNIT: "one Minimerror unit",
    UNIT_PAPER: "one unit by the paper's schedule",
    UNIT_LARGE: "one unit with θ = 15, ε = 0.002, δT⁻¹ = 0.003",
    BAGGED: "11 bagged NetLinesClassifiers",
    BAGGED_PAPER: "11 bagged networks of the paper's algorithm",
    STOPPED: "NetLinesClassifier stopped at H = 2",
    STOPPED_PAPER: "the paper's NetLines stopped at H = 2",
    "LR": "logistic regression",
    "LDA": "linear discriminant",
    "QDA": "quadratic discriminant",
    "forest": "random forest",
    "Bayes": "Bayes-optimal",
}


def make(method: str, seed: int, **limits: Any) -> Any:
    """Return a fresh classifier by the name of its method; `limits` are parameters of it."""
    return _FACTORIES[method](random_state=seed, **limits)


def _standardised(model: Any) -> Pipeline:
    return make_pipeline(StandardScaler(), model)


def _paper(**parameters: Any) -> NetLinesClassifier:
    return NetLinesClassifier(schedule="paper", refine=False, **parameters)


def _mlp(size: int) -> Callable[..., Any]:
    return lambda random_state: _standardised(
        MLPClassifier((size,), max_iter=1000, random_state=random_state)
    )


_FACTORIES: dict[str, Callable[..., Any]] = {
    PAPER: _paper,
    FAST: lambda **parameters: NetLinesClassifier(refine=False, **parameters),
    DEFAULT: NetLinesClassifier,
    CV: NetLinesClassifierCV,
    MONOPLANE: MonoPlaneClassifier,
    MONOPLANE_PAPER: lambda random_state: MonoPlaneClassifier(schedule="paper", random_state=random_state),
    UNIT: MinimerrorClassifier,
    UNIT_PAPER: lambda random_state: MinimerrorClassifier(schedule="paper", random_state=random_state),
    UNIT_LARGE: lambda random_state: MinimerrorClassifier(
        schedule="paper", theta=15, learning_rate=0.002, annealing_rate=0.003, random_state=random_state
    ),
    BAGGED: lambda random_state: BaggingClassifier(NetLinesClassifier(), 11, random_state=random_state),
    BAGGED_PAPER: lambda random_state: BaggingClassifier(_paper(), 11, random_state=random_state),
    STOPPED: lambda random_state: NetLinesClassifier(2, random_state=random_state),
    STOPPED_PAPER: lambda random_state: _paper(max_hidden=2, random_state=random_state),
    "LR": lambda random_state: _standardised(LogisticRegression(max_iter=2000)),
    "linear SVM": lambda random_state: _standardised(LinearSVC(random_state=random_state, max_iter=5000)),
    "perceptron": lambda random_state: _standardised(Perceptron(random_state=random_state)),
    "LDA": lambda random_state: LinearDiscriminantAnalysis(),
    # Coded attributes are collinear, and small sets have fewer patterns than inputs.
    "QDA": lambda random_state: _standardised(QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1)),
    "k-NN": lambda random_state: _standardised(KNeighborsClassifier()),
    "CART": DecisionTreeClassifier,
    "MLP(3)": _mlp(3),
    "MLP(10)": _mlp(10),
    "MLP(30)": _mlp(30),
    "forest": RandomForestClassifier,
}


def fit(model: Any, X: NDArray, y: NDArray) -> tuple[Any, float]:
    """Fit a classifier without its warnings; return it and the seconds that took."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model.fit(X, y)
        return model, time.perf_counter() - start


def score(
    run: Run,
    fitted: Any,
    seconds: float,
    train: tuple[NDArray, NDArray],
    test: tuple[NDArray, NDArray] | None,
) -> Row:
    """Return the row of a run that has one: sizes and errors of a fitted classifier."""
    (X, y), G, error = train, None, None
    if test is not None:
        G, error = len(test[1]), float(np.mean(fitted.predict(test[0]) != test[1]))
    wrong = int(np.sum(fitted.predict(X) != y))
    sizes = len(y), G, count_hidden(fitted), count_parameters(fitted)
    which = run.experiment, run.method, run.case, run.seed
    return Row(*which, *sizes, wrong, error, count_updates(fitted), seconds)


def measure(
    run: Run, train: tuple[NDArray, NDArray], test: tuple[NDArray, NDArray] | None = None, **limits: Any
) -> list[Row]:
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
    if not all(
        hasattr(part, "n_updates_") and not isinstance(part, NetLinesClassifierCV) for part in _parts(model)
    ):
        return None
    return float(sum(part.n_updates_ for part in _parts(model)))


def _parts(model: Any) -> list[Any]:
    """Return the classifiers that a classifier consists of, itself if it is a network."""
    return [model] if hasattr(model, "network_") else list(getattr(model, "estimators_", [model]))
