"""Random labels: how many hidden units P patterns need, beside the Appendix's bound of less than P."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines.reproduce.report.figure import legend_below, new_figure, plot_means
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed, where
from netlines.reproduce.runs.methods import GROWN, MONOPLANE, WAYS, measure
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.verdicts import Verdict, each_grown

NAME = "convergence"
SIZES = (10, 20, 40, 80, 160, 320)
INPUTS = 10


def runs(full: bool) -> list[Run]:
    """Give sets of random labels of several sizes."""
    cases = [write_case(P=P) for P in (SIZES if full else SIZES[:5:2])]
    return crossed(NAME, [*WAYS, MONOPLANE], cases, range(10 if full else 1))


def measure_run(run: Run) -> list[Row]:
    """Learn P Gaussian patterns with labels by the toss of a coin."""
    P = int(read_case(run.case)["P"])
    rng = np.random.default_rng([run.seed, P])
    X = rng.standard_normal((P, INPUTS))
    y = rng.permutation(np.arange(P) % 2)
    return measure(run, (X, y))


def _bounded(rows: pd.DataFrame, way: str) -> Verdict:
    own = rows[rows["method"] == way]
    good = (own["training_errors"] == 0) & (own["H"] < own["P"])
    share = (own["H"] / own["P"]).max()
    text = f"no errors and H < P in {good.sum()} of {len(own)} sets; H/P at most {share:.2f}"
    return Verdict(text, bool(good.all()))


def _small(rows: pd.DataFrame, way: str) -> Verdict:
    own = rows[rows["method"] == way]
    largest = own[own["P"] == own["P"].max()]
    text = f"P = {largest['P'].max():.0f}: {largest['H'].mean():.1f} hidden units in the mean"
    return Verdict(text, bool((own["H"] <= own["P"] / 4).all()))


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the number of hidden units against P."""
    figure, (ax,) = new_figure()
    sizes = np.array(sorted(rows["P"].unique()))
    ax.plot(sizes, sizes, color="0.6", linewidth=1, linestyle="--", label="the bound, P")
    plot_means(ax, rows, "P", "H", GROWN)
    ax.set(xlabel="patterns P with random labels", ylabel="hidden units H, no training errors")
    ax.set(xscale="log", yscale="log")
    legend_below(figure, [ax])
    return {"convergence": figure}


EXPERIMENT = Experiment(
    NAME,
    "Convergence",
    "P patterns with ten Gaussian inputs and random labels, half of each class. The Appendix proves "
    "that fewer than P hidden units are enough; the text says that far fewer are needed in practice. "
    "NetLinesClassifierCV, which does not learn noise, keeps errors.",
    runs,
    measure_run,
    {"convergence-bound": each_grown(_bounded), "convergence-small": each_grown(_small)},
    draw,
    by=("P",),
    headline=(Headline("160 random labels", ("convergence-bound",), where("P", 160)),),
)
