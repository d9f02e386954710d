"""The parameters of Minimerror: training errors of a unit around the standard θ, ε and δT⁻¹."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from netlines.classifiers.minimerror import MinimerrorClassifier
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_clumps,
    make_waveform,
)
from netlines.plots.style import class_color
from netlines.reproduce.report.figure import legend_below, new_figure
from netlines.reproduce.runs.experiment import Experiment, Figures
from netlines.reproduce.runs.methods import CV, DEFAULT, PAPER, fit, measure, score
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.verdicts import Verdict, Verdicts

NAME = "theta"
STANDARD = {"theta": 6.0, "epsilon": 0.02, "delta": 0.001}
SLIGHT = {"theta": (4, 5, 7, 8), "epsilon": (0.015, 0.025), "delta": (0.00075, 0.00125)}
FURTHER = {
    "theta": (1, 2, 3, 10, 15, 20, 30),
    "epsilon": (0.005, 0.01, 0.04, 0.08),
    "delta": (0.0005, 0.002, 0.004),
}
PROBLEMS = ("cancer", "diabetes", "sonar", "monks 2", "waveform", "clumps")
COLDER = {"epsilon": 0.002, "delta": 0.003}  # smaller steps to a lower temperature
SYMBOLS = {"theta": "θ", "epsilon": "ε", "delta": "δT⁻¹"}


def settings(problem: str, full: bool) -> list[dict[str, float]]:
    """Return the standard values, and each parameter changed slightly, and further.

    The sonar problem has besides several θ with smaller steps that end at a lower temperature.
    """
    changed = [(name, value) for name, values in SLIGHT.items() for value in values]
    further = FURTHER if full else {"theta": (2, 20)}
    changed += [(name, value) for name, values in further.items() for value in values]
    colder = (6, 8, 10, 12, 15, 20, 30) if full else (6, 15)
    found = [STANDARD] + [{**STANDARD, name: value} for name, value in changed]
    return found + [{**COLDER, "theta": theta} for theta in colder if problem == "sonar"]


def runs(full: bool) -> list[Run]:
    """Give each problem with each setting; the fast unit for each θ, and the choice of a temperature once."""
    found = []
    for problem in PROBLEMS if full else ("cancer", "sonar", "monks 2"):
        for setting in settings(problem, full):
            found.append(Run(NAME, PAPER, write_case(problem=problem, **setting), 0))
            if setting["epsilon"] == STANDARD["epsilon"] and setting["delta"] == STANDARD["delta"]:
                found.append(Run(NAME, DEFAULT, write_case(problem=problem, theta=setting["theta"]), 0))
        found.append(Run(NAME, DEFAULT, write_case(problem=problem), 0))
        found.append(Run(NAME, CV, write_case(problem=problem), 0))
    return found


def problem_data(name: str) -> tuple[NDArray, NDArray]:
    """Return the patterns of a problem."""
    if name == "waveform":
        X, y = make_waveform(300, random_state=0)
        return X, y == 0
    if name == "clumps":
        return make_clumps(300, 25, random_state=0)
    tables = {"cancer": load_breast_cancer_wisconsin, "diabetes": load_pima_diabetes, "sonar": load_sonar}
    return load_monks(2, return_X_y=True) if name == "monks 2" else tables[name](return_X_y=True)


def measure_run(run: Run) -> list[Row]:
    """Train one unit on all patterns."""
    case = read_case(run.case)
    data = problem_data(case["problem"])
    if run.method == CV:
        return measure(run, data, max_hidden=1)
    if run.method == PAPER:
        unit = MinimerrorClassifier(
            schedule="paper",
            theta=float(case["theta"]),
            learning_rate=float(case["epsilon"]),
            annealing_rate=float(case["delta"]),
        )
    else:
        unit = MinimerrorClassifier(theta=float(case["theta"]) if "theta" in case else None)
    return [score(run, *fit(unit, *data), data, None)]


def _at(rows: pd.DataFrame, problem: str, **setting: float) -> float:
    own = rows[(rows["method"] == PAPER) & (rows["problem"] == problem)]
    for name, value in {**STANDARD, **setting}.items():
        own = own[np.isclose(own[name], value)]
    return float(own["training_errors"].iloc[0])


def _insensitive(rows: pd.DataFrame) -> Verdicts:
    changes = []
    for problem in [name for name in PROBLEMS if (rows["problem"] == name).any() and name != "sonar"]:
        standard = _at(rows, problem)
        for name, values in SLIGHT.items():
            for value in values:
                wrong = _at(rows, problem, **{name: value})
                allowed = max(2.0, 0.1 * standard)
                text = f"{problem}, {SYMBOLS[name]} = {value:g}: {wrong:.0f} instead of {standard:.0f}"
                changes.append((abs(wrong - standard) / allowed, text))
    beyond, worst = sum(change > 1 for change, _ in changes), max(changes)
    text = f"{len(changes) - beyond} of {len(changes)} changes matter little; the largest effect: {worst[1]}"
    return {PAPER: Verdict(text, beyond == 0)}


def _larger_for_sonar(rows: pd.DataFrame) -> Verdicts:
    sonar = rows[(rows["method"] == PAPER) & (rows["problem"] == "sonar")]
    texts, needed = [], False
    for setting in (STANDARD, COLDER):
        own = sonar[np.logical_and.reduce([np.isclose(sonar[name], setting[name]) for name in COLDER])]
        errors = own[own["theta"] >= 6].set_index("theta")["training_errors"].sort_index()
        listed = ", ".join(f"{wrong:.0f} (θ = {theta:g})" for theta, wrong in errors.items())
        texts.append(f"ε = {setting['epsilon']:g}, δT⁻¹ = {setting['delta']:g}: {listed} errors")
        needed = needed or bool(errors[6.0] > 0 and errors[errors.index > 6].min() == 0)
    return {PAPER: Verdict("; ".join(texts), needed)}


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the training errors against each parameter."""
    figure, axes = new_figure(3)
    own = rows[rows["method"] == PAPER]
    for ax, (name, symbol) in zip(axes, SYMBOLS.items(), strict=True):
        others = [other for other in STANDARD if other != name]
        part = own[np.logical_and.reduce([np.isclose(own[other], STANDARD[other]) for other in others])]
        for k, problem in enumerate(PROBLEMS):
            line = part[part["problem"] == problem].sort_values(name)
            look = {"color": class_color(k), "marker": "os^Dv<"[k], "markersize": 4, "linewidth": 1}
            if len(line):
                ax.plot(line[name], line["training_errors"], label=problem, **look)
        ax.axvline(STANDARD[name], color="0.6", linewidth=1, linestyle="--")
        ax.set(xlabel=symbol, xscale="log", ylabel="training errors of a unit")
        ticks = sorted(set(part[name]))
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], rotation=60, fontsize=8)
        ax.set_xticks([], minor=True)
    legend_below(figure, axes[:1])
    return {"theta": figure}


EXPERIMENT = Experiment(
    NAME,
    "The parameters of Minimerror",
    "Training errors of one unit by the paper's schedule while θ, ε or δT⁻¹ is changed and the others "
    "keep their standard values 6, 0.02 and 0.001. The default unit has no ε and δT⁻¹; it tries many θ.",
    runs,
    measure_run,
    {"theta-insensitive": _insensitive, "theta-sonar": _larger_for_sonar},
    draw,
    by=("problem", "theta", "epsilon", "delta"),
    remarks=(
        "Four of the five larger effects are on the second Monk's problem, whose few patterns have few "
        "possible numbers of errors."
    ),
)
