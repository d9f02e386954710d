"""Random teacher perceptrons: does a unit at its best temperature generalise as well as is possible?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr
from sklearn.svm import SVC

from netlines.classifiers.minimerror import MinimerrorClassifier
from netlines.datasets import make_teacher
from netlines.plots.style import class_color
from netlines.reproduce.report.figure import legend_below, new_figure, plot_means
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed, where
from netlines.reproduce.runs.methods import CV, DEFAULT, PAPER, UNIT, WAYS, fit, measure, score
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.splits import Patterns
from netlines.reproduce.runs.statistics import difference, points
from netlines.reproduce.runs.verdicts import Verdict, all_ways
from netlines.training.minimerror import paper_unit

NAME = "temperature"
INPUTS, TESTED, TEACHERS = 50, 20_000, 25
RATIOS = (0.5, 1, 2, 3, 4, 6)  # P/N
COLDNESS = (0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24)  # 1/T
HOMOGENEOUS, SVM, BAYES, THEORY = "unit without bias", "max-margin SVM", "Bayes", "Bayes, theory"
CLOSE = 0.005


def runs(full: bool) -> list[Run]:
    """Give random teachers for each ratio of patterns to inputs."""
    ratios = RATIOS if full else (0.5, 2, 6)
    found = []
    for ratio in ratios:
        case = write_case(ratio=ratio)
        gives = tuple(write_case(ratio=f"{ratio:g}", coldness=coldness) for coldness in COLDNESS)
        seeds = range(TEACHERS if full else 3)
        found += [Run(NAME, unit, case, seed, gives) for unit in (UNIT, HOMOGENEOUS) for seed in seeds]
        found += crossed(NAME, [SVM, "LR", BAYES], [case], seeds)
        found += crossed(NAME, WAYS, [case], range(10 if full else 1))
        found += crossed(NAME, [THEORY], [case], [0])
    return found


def measure_run(run: Run) -> list[Row]:
    """Learn P patterns of a teacher and test on 20,000 others of its."""
    ratio = float(read_case(run.case)["ratio"])
    P = round(ratio * INPUTS)
    if run.method == THEORY:
        error = optimal_error(ratio)
        return [Row(NAME, run.method, run.case, run.seed, P, None, None, None, None, error, None, 0.0)]
    X, y = make_teacher(P + TESTED, INPUTS, random_state=run.seed)
    train, test = (X[:P], y[:P]), (X[P:], y[P:])
    if run.method in (UNIT, HOMOGENEOUS):
        return [row for coldness in COLDNESS for row in _cooled(run, ratio, coldness, train, test)]
    if run.method == SVM:
        return [score(run, *fit(SVC(kernel="linear", C=1e6), *train), train, test)]
    if run.method == BAYES:
        return [score(run, *fit(BayesPoint(), *train), train, test)]
    return measure(run, train, test)


def _cooled(run: Run, ratio: float, coldness: float, train: Patterns, test: Patterns) -> list[Row]:
    """Cool one unit with T₋ = T₊ down to a temperature and score its weights there."""
    part = Run(NAME, run.method, write_case(ratio=f"{ratio:g}", coldness=coldness), run.seed)
    model: Any = MinimerrorClassifier(schedule="paper", theta=1.0, temperature=1 / coldness)
    if run.method == HOMOGENEOUS:
        model = Homogeneous(coldness)
    return [score(part, *fit(model, *train), train, test)]


class LinearAnswers:
    """Answers +1 where the weighted sum of the inputs is not negative, else -1."""

    coef_: NDArray
    intercept_: NDArray

    def predict(self, X: NDArray) -> NDArray:
        """Return the class of each pattern."""
        return np.where(X @ self.coef_[0] >= 0, 1, -1)


class Homogeneous(LinearAnswers):
    """The unit of the theory, trained by the paper's schedule: inputs as they are, no bias, T₋ = T₊."""

    def __init__(self, coldness: float) -> None:
        self.coldness = coldness

    def fit(self, X: NDArray, y: NDArray) -> Homogeneous:
        """Cool down to the temperature."""
        folded = np.ascontiguousarray((X * np.asarray(y, dtype=float)[:, None]).T)
        unit = paper_unit(folded, np.ones(len(y)), theta=1.0, coldest=self.coldness)
        self.coef_, self.intercept_ = unit.weights[None], np.zeros(0)
        return self


class BayesPoint(LinearAnswers):
    """The mean of all perceptrons without errors, all directions as likely: the optimal classifier.

    Computed by expectation propagation: the posterior distribution of the weights is a Gaussian that agrees
    in mean and variance, along each pattern, with the part of it that classifies this pattern correctly.
    """

    def __init__(self, sweeps: int = 30) -> None:
        self.sweeps = sweeps

    def fit(self, X: NDArray, y: NDArray) -> BayesPoint:
        """Revise the factor of one pattern after the other."""
        folded = X * np.asarray(y, dtype=float)[:, None] / np.sqrt(X.shape[1])
        mean, covariance = np.zeros(X.shape[1]), np.eye(X.shape[1])
        precisions, shifts = np.zeros(len(X)), np.zeros(len(X))  # of the patterns' factors
        for _ in range(self.sweeps):
            for k, x in enumerate(folded):
                along = covariance @ x
                variance, field = float(x @ along), float(x @ mean)
                # Without this pattern's own factor:
                others = variance / (1 - precisions[k] * variance)
                start = (field - shifts[k] * variance) / (1 - precisions[k] * variance)
                z = start / np.sqrt(others)
                ratio = float(np.exp(-z * z / 2 - log_ndtr(z)) / np.sqrt(2 * np.pi))
                kept = others * (1 - ratio * (ratio + z))
                middle = start + np.sqrt(others) * ratio
                precision, shift = 1 / kept - 1 / others, middle / kept - start / others
                change = precision - precisions[k]
                mean = mean + along * (shift - shifts[k] - change * field) / (1 + change * variance)
                covariance -= np.outer(along, along) * (change / (1 + change * variance))
                precisions[k], shifts[k] = precision, shift
        self.coef_, self.intercept_ = mean[None] / np.linalg.norm(mean), np.zeros(0)
        return self


def optimal_error(ratio: float) -> float:
    """Return the smallest possible mean error after P = ratio·N patterns of a random perceptron, N → ∞.

    The square q of the overlap of teacher and optimal student solves q = s/(1 + s) with
    s = 2·ratio/(1 - q)·E[φ(x)²/Φ(x)], x normal with the variance q/(1 - q); the error is arccos(√q)/π.

    Examples
    --------
    >>> from netlines.reproduce.temperature import optimal_error
    >>> round(optimal_error(1000) * 1000, 2)
    0.44
    """
    x = np.linspace(-12.0, 12.0, 4001)
    kernel = np.exp(-(x**2) - log_ndtr(x)) / (2 * np.pi) * (x[1] - x[0])

    def gap(q: float) -> float:
        variance = q / (1 - q)
        mean = kernel @ np.exp(-(x**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        s = 2 * ratio / (1 - q) * mean
        return float(q - s / (1 + s))

    return float(np.arccos(np.sqrt(brentq(gap, 1e-4, 1 - 1e-12, xtol=1e-14))) / np.pi)


def best_temperatures(rows: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the rows of a unit at the temperature that is best in the mean, for each ratio."""
    units = rows[rows["method"] == method]
    means = units.groupby(["ratio", "coldness"])["test_error"].mean()
    best = set(means.groupby("ratio").idxmin())
    chosen = [pair in best for pair in zip(units["ratio"], units["coldness"], strict=True)]
    own = units[chosen]
    return own.assign(parameters=[write_case(ratio=f"{ratio:g}") for ratio in own["ratio"]])


def _optimal(rows: pd.DataFrame) -> Verdict:
    both = pd.concat([best_temperatures(rows, HOMOGENEOUS), rows[rows["method"] == BAYES]])
    gaps = {ratio: difference(part, HOMOGENEOUS, BAYES)[:2] for ratio, part in both.groupby("ratio")}
    listed = ", ".join(f"{points(*gap)} (P/N = {ratio:g})" for ratio, gap in gaps.items())
    return Verdict(f"unit minus Bayes: {listed}", max(gap for gap, _ in gaps.values()) <= CLOSE)


def draw(rows: pd.DataFrame) -> Figures:
    """Draw how much more than Bayes' classifier each one errs against P/N, and errors against temperature."""
    figure, (left, right) = new_figure(2)
    best = [best_temperatures(rows, unit) for unit in (UNIT, HOMOGENEOUS)]
    others = rows[~rows["method"].isin([UNIT, HOMOGENEOUS, THEORY])]
    shown = [UNIT, PAPER, DEFAULT, CV, HOMOGENEOUS, SVM, "LR", BAYES]
    bayes = rows[rows["method"] == BAYES].set_index(["ratio", "seed"])["test_error"].rename("least")
    excess = pd.concat([*best, others]).join(bayes, on=["ratio", "seed"])
    excess = excess.assign(test_error=100 * (excess["test_error"] - excess["least"]))
    plot_means(left, excess, "ratio", "test_error", shown, bars=False)
    left.set(xlabel="patterns an input, P/N", ylabel="test error above Bayes' classifier, points")
    legend_below(figure, [left])
    units = rows[rows["method"] == HOMOGENEOUS]
    for k, (ratio, part) in enumerate(units.groupby("ratio")):
        means = part.groupby("coldness")["test_error"].mean()
        look = {"color": class_color(k), "marker": "os^Dv<"[k % 6], "markersize": 4, "linewidth": 1}
        right.plot(1 / means.index, means, label=f"P/N = {ratio:g}", **look)
    right.set(xlabel="temperature T of the unit without bias", ylabel="test error", xscale="log")
    right.margins(y=0.2)
    right.legend(fontsize=8, ncols=3, loc="upper center", frameon=False)
    return {"temperature": figure}


EXPERIMENT = Experiment(
    NAME,
    "The optimal temperature",
    "A unit learns P patterns with 50 Gaussian inputs, labelled by a random perceptron without bias. "
    "Its error at the temperature that is best in the mean (T₋ = T₊), without a bias as in the theory "
    "and as the estimator is, with a bias and standardised inputs, stands beside the classifier of the "
    "largest margin, logistic regression, and the Bayes-optimal classifier, the mean of all perceptrons "
    "that make no errors: computed for these very patterns by expectation propagation, and by the "
    "theory for infinitely many inputs.",
    runs,
    measure_run,
    {"temperature-optimal": all_ways(_optimal)},
    draw,
    by=("ratio", "coldness"),
    headline=tuple(
        Headline(f"teacher perceptron, P/N = {ratio}", (), where("ratio", ratio)) for ratio in (2, 6)
    ),
    remarks=(
        "The optimal temperature falls with P/N, 1/T from 2 to 12. At it the unit is as good as Bayes' "
        "classifier where patterns are few, and half a point worse where there are more. The cost has "
        "many minima there, and annealing need not end in the lowest, of which the theory speaks. A bias "
        "and standardised inputs cost up to a point more. With 25 and 50 patterns of 50 inputs, hardly "
        "enough to hold some out, NetLinesClassifierCV chooses badly."
    ),
)
