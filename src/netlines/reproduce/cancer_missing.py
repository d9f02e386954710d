"""The 16 breast cancer patterns without `bare nuclei`: errors against the value that is put in its place."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines.datasets import load_breast_cancer_wisconsin
from netlines.reproduce.cancer import complete_split
from netlines.reproduce.report.figure import legend_below, new_figure, plot_means
from netlines.reproduce.runs.experiment import Experiment, Figures
from netlines.reproduce.runs.methods import MONOPLANE, WAYS, fit, make, score
from netlines.reproduce.runs.records import Row, Run, write_case
from netlines.reproduce.runs.verdicts import Verdict, each_way

NAME = "cancer-missing"
VALUES = range(1, 11)
LEARNT = 525
NETWORKS = 50
METHODS = [*WAYS, MONOPLANE, "LR", "forest"]


def runs(full: bool) -> list[Run]:
    """Give 50 networks a method; each leaves one row a value."""
    gives = tuple(write_case(bare_nuclei=value) for value in VALUES)
    seeds = range(NETWORKS if full else 3)
    return [Run(NAME, method, f"P={LEARNT}", seed, gives) for method in METHODS for seed in seeds]


def measure_run(run: Run) -> list[Row]:
    """Learn 525 complete patterns and classify the 16 incomplete ones with each value."""
    train, _ = complete_split(LEARNT, run.seed)
    fitted, seconds = fit(make(run.method, run.seed), *train)
    X, y = load_breast_cancer_wisconsin(incomplete="only", return_X_y=True)
    rows = []
    for case, value in zip(run.gives, VALUES, strict=True):
        complete = np.where(np.isnan(X), value, X)
        rows.append(score(Run(NAME, run.method, case, run.seed), fitted, seconds, train, (complete, y)))
    return rows


def _half(rows: pd.DataFrame, way: str) -> Verdict:
    own = rows[rows["method"] == way]
    wrong = 16 * own.groupby("bare_nuclei")["test_error"].mean()
    text = f"{wrong[1]:.1f} of 16 at the value 1, {wrong[5]:.1f} at 5, {wrong[10]:.1f} at 10"
    return Verdict(text, bool(6 <= wrong[10] <= 10))


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the number of errors among the 16 against the value."""
    figure, (ax,) = new_figure()
    counted = rows.assign(test_error=16 * rows["test_error"])
    plot_means(ax, counted, "bare_nuclei", "test_error", METHODS)
    ax.axhline(8, color="0.6", linewidth=1, linestyle="--")
    ax.set(xlabel="value in place of the missing bare nuclei", ylabel="of 16 patterns, classified otherwise")
    ax.set(xticks=list(VALUES), ylim=(0, 16))
    legend_below(figure, [ax])
    return {"cancer-missing": figure}


EXPERIMENT = Experiment(
    NAME,
    "Breast cancer: missing attributes",
    "50 networks, each trained on 525 complete patterns, classify the 16 patterns that lack bare "
    "nuclei, with every possible value from 1 to 10 in its place.",
    runs,
    measure_run,
    {"missing-half": each_way(_half)},
    draw,
    by=("bare_nuclei",),
)
