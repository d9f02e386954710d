"""Fit times beside scikit-learn's classifiers, noisy tables, memory of a large fit.

Run with `python benchmarks/fit.py`. One thread; fit times are CPU seconds, those of one table medians of
interleaved repetitions.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import subprocess
import sys
import warnings
from statistics import median
from time import process_time

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import load_breast_cancer_wisconsin, load_pima_diabetes, load_sonar, make_waveform

REPETITIONS = 5
UNIT_GOAL, NETWORK_GOAL = 0.2, 2.0  # times the MLP's time
NOISY_GOAL = 20.0  # CPU seconds
MEMORY_GOAL = 3.0  # times the array

MEMORY = """
from time import perf_counter
import numpy as np
from netlines import MinimerrorClassifier

def kilobytes(entry):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(entry))

rng = np.random.default_rng(0)
X = np.empty((200_000, 50))
rng.standard_normal(out=X)
y = X @ rng.standard_normal(50) + 2 * rng.standard_normal(len(X)) > 0
MinimerrorClassifier().fit(X[:200], y[:200])  # compiles
before, start = kilobytes("VmRSS"), perf_counter()
unit = MinimerrorClassifier().fit(X, y)
seconds = perf_counter() - start
print((kilobytes("VmHWM") - before) * 1024 / X.nbytes, seconds, unit.n_training_errors_)
"""


def verdict(value, goal):
    """Return a goal and whether it is met."""
    return f"goal ≤ {goal:g}: {'met' if value <= goal else 'MISSED'}"


def run_python(code, **environment):
    """Run code in a fresh interpreter and return the numbers it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return [float(word) for word in done.stdout.split()]


def problems():
    """Return inputs, labels and the limit of the network's size by the name of the problem."""
    waves, shape = make_waveform(300, random_state=0)
    return {
        "breast cancer": (*load_breast_cancer_wisconsin(return_X_y=True), None),
        "diabetes": (*load_pima_diabetes(return_X_y=True), 5),
        "waveform 0": (waves, shape == 0, None),
        "sonar": (*load_sonar(return_X_y=True), None),
    }


def fit_times(X, y, models):
    """Return the median CPU seconds of each model's fit, repeated in turn, and the fitted models."""
    seconds = {name: [] for name in models}
    fitted = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for _ in range(REPETITIONS):
            for name, model in models.items():
                start = process_time()
                fitted[name] = clone(model).fit(X, y)
                seconds[name].append(process_time() - start)
    return {name: median(times) for name, times in seconds.items()}, fitted


def print_fit_times():
    """Print the times of a unit and of a network as ratios to the others, their errors and sizes."""
    print(f"CPU times of fits, median of {REPETITIONS}, one thread; ratios to the times of the same run")
    row = "{:<14}{:<9}{:>9} {:>9} {:>9} {:>9}   {:<20}{}"
    print(row.format("", "", "ms", "/ MLP(3)", "/ LR", "/ tree", "of the MLP's time", "result"))
    for problem, (X, y, max_hidden) in problems().items():
        models = {
            "unit": MinimerrorClassifier(),
            "network": NetLinesClassifier(max_hidden=max_hidden),
            "MLP(3)": make_pipeline(StandardScaler(), MLPClassifier((3,), random_state=0)),
            "LR": make_pipeline(StandardScaler(), LogisticRegression()),
            "tree": DecisionTreeClassifier(random_state=0),
        }
        models["network"].fit(X, y)  # compiles
        seconds, fitted = fit_times(X, y, models)
        for name, model in fitted.items():
            ratios = [seconds[name] / seconds[other] for other in ("MLP(3)", "LR", "tree")]
            wrong = int((model.predict(X) != y).sum())
            result = f"{wrong} errors of {len(y)}"
            note = ""
            if name == "unit":
                note = verdict(ratios[0], UNIT_GOAL)
            elif name == "network":
                note = verdict(ratios[0], NETWORK_GOAL)
                result += f", {model.n_hidden_} hidden units, {model.n_weights_} weights"
            ratios = (f"{ratio:.3g}" for ratio in ratios)
            print(row.format(problem, name, f"{1e3 * seconds[name]:.1f}", *ratios, note, result))
            problem = ""


def noisy_tables():
    """Return tables with 10 % wrong labels by name, with the goal for their fit where there is one."""
    for rows, columns, goal in ((1000, 10, None), (2000, 10, None), (5000, 20, NOISY_GOAL)):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((rows, columns))
        y = X @ rng.standard_normal(columns) > 0
        yield f"{rows} × {columns}, one hyperplane", X, y ^ (rng.random(rows) < 0.1), goal
        rng = np.random.default_rng(0)
        X, y = make_classification(rows, columns, n_informative=columns // 2, flip_y=0, random_state=0)
        yield f"{rows} × {columns}, make_classification", X, (y == 1) ^ (rng.random(rows) < 0.1), goal


def print_noisy():
    """Print CPU seconds and sizes of networks without errors on tables with wrong labels."""
    print("\nNetworks without errors, 10 % wrong labels, CPU seconds of one fit")
    for name, X, y, goal in noisy_tables():
        start = process_time()
        network = NetLinesClassifier().fit(X, y)
        seconds = process_time() - start
        note = "" if goal is None else verdict(seconds, goal)
        result = f"{network.n_hidden_:>3} hidden units, {int((network.predict(X) != y).sum())} errors"
        print(f"  {name:<33}{seconds:6.1f} s   {result}   {note}".rstrip())


def print_memory():
    """Print what a fit of a unit adds to the memory at its peak, as a multiple of the array."""
    print("\nA unit on 200,000 × 50 float64 (80 MB)")
    if not os.path.exists("/proc/self/status"):
        print("  not measured: this system has no /proc/self/status")
        return
    added, seconds, errors = run_python(MEMORY)
    print(f"  peak memory, array included   {1 + added:.2f}× the array   {verdict(1 + added, MEMORY_GOAL)}")
    print(f"  added by the fit              {added:.2f}×")
    print(f"  time                          {seconds:.1f} s, {errors:.0f} training errors")


if __name__ == "__main__":
    print_fit_times()
    print_noisy()
    print_memory()
