"""Two or more clumps: is the number of clumps in a ring of bits smaller than two?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from netlines.datasets import make_clumps
from netlines.reproduce.report.figure import error_against_weights, new_figure, plot_means
from netlines.reproduce.runs.experiment import (
    NOTHING,
    Experiment,
    Headline,
    Verdict,
    all_ways,
    crossed,
    each_way,
)
from netlines.reproduce.runs.methods import (
    CV,
    DEFAULT,
    MONOPLANE,
    MONOPLANE_PAPER,
    PAPER,
    PARTNERS,
    PEERS,
    STOPPED,
    STOPPED_PAPER,
    WAYS,
    measure,
)
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.statistics import clearly_lower, difference, points

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NAME = "clumps"
SIZES = (100, 200, 400, 600)
SETS = 25
STOPS = {PAPER: STOPPED_PAPER, DEFAULT: STOPPED}


def runs(full: bool) -> list[Run]:
    """Give both rings, several sizes of the training set, 25 sets a point."""
    sizes = SIZES if full else (100, 300)
    cases = [write_case(bits=bits, P=P) for bits in (10, 25) for P in sizes]
    methods = [*WAYS, MONOPLANE, STOPPED_PAPER, STOPPED, *PEERS]
    slow = crossed(NAME, [MONOPLANE_PAPER], cases, range(10 if full else 1))
    return crossed(NAME, methods, cases, range(SETS if full else 1)) + slow


def measure_run(run: Run) -> list[Row]:
    """Learn P rings and test on P others."""
    case = {name: int(value) for name, value in read_case(run.case).items()}
    P, bits = case["P"], case["bits"]
    X, y = make_clumps(2 * P, bits, random_state=run.seed + 1000 * bits + 100_000 * P)
    return measure(run, (X[:P], y[:P]), (X[P:], y[P:]))


def _mean_clumps(rows: pd.DataFrame) -> Verdict:
    means = []
    for bits in (10, 25):
        X, _ = make_clumps(20_000, bits, random_state=0)
        means.append(float((np.roll(X, 1, axis=1) != X).sum(axis=1).mean() / 2))
    text = f"{means[0]:.2f} (N = 10) and {means[1]:.2f} (N = 25) over 20,000 rings"
    return Verdict(text, all(abs(mean - 1.5) < 0.05 for mean in means))


def _early(rows: pd.DataFrame, way: str) -> Verdict:
    if way not in STOPS:
        return NOTHING
    gaps = [difference(part, STOPS[way], way) for _, part in rows.groupby("parameters")]
    helped = sum(clearly_lower(gap, error) for gap, error, _ in gaps)
    gap, error, _ = difference(rows, STOPS[way], way)
    text = (
        f"stopped at H = 2: {points(gap, error)} in the mean, clearly lower at {helped} of {len(gaps)} sizes"
    )
    return Verdict(text, helped == 0 and gap > 0)


def _overfitting(rows: pd.DataFrame, way: str) -> Verdict:
    if way not in STOPS:
        return NOTHING
    # How much larger the error is on new patterns than on the training set.
    gaps = {
        method: own["test_error"].mean() - (own["training_errors"] / own["P"]).mean()
        for method, own in rows.groupby("method")
    }
    text = f"test minus training error {points(gaps[STOPS[way]])} at H = 2, {points(gaps[way])} grown"
    return Verdict(text, bool(gaps[STOPS[way]] < gaps[way]))


def _same(rows: pd.DataFrame, way: str) -> Verdict:
    if way not in PARTNERS:
        return NOTHING
    gap, error, _ = difference(rows[rows["bits"] == 25], way, PARTNERS[way])
    return Verdict(f"NetLines − MonoPlane {points(gap, error)} (N = 25)", abs(gap) <= 0.02)


def _better(rows: pd.DataFrame, way: str) -> Verdict:
    if way not in PARTNERS:
        return NOTHING
    gap, error, _ = difference(rows, way, PARTNERS[way])
    weights, _, _ = difference(rows, way, PARTNERS[way], "weights")
    return Verdict(
        f"NetLines − MonoPlane {points(gap, error)}, {weights:+.0f} weights", gap < 0 and weights < 0
    )


def _largest(bits: int, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["bits"] == bits) & (rows["P"] == rows["P"].max())]


def draw(rows: pd.DataFrame) -> dict[str, Figure]:
    """Draw error and weights against P, and the error against the weights at the largest P."""
    shown = [PAPER, DEFAULT, CV, MONOPLANE, STOPPED, "LR", "MLP(10)", "forest"]
    error, axes = new_figure(columns=2, width=10.5)
    weights, below = new_figure(columns=2, width=10.5)
    plane, last = new_figure(columns=2, width=10.5)
    residual = rows[rows["method"] == STOPPED].assign(
        test_error=lambda own: own["training_errors"] / own["P"]
    )
    for k, bits in enumerate((10, 25)):
        part = rows[rows["bits"] == bits]
        plot_means(axes[k], part, "P", "test_error", shown)
        left = residual[residual["bits"] == bits].assign(method="training error at H = 2")
        plot_means(axes[k], left, "P", "test_error", ["training error at H = 2"])
        axes[k].set(xlabel="training patterns P", ylabel="test error", title=f"N = {bits}", ylim=(0, None))
        plot_means(below[k], part, "P", "weights", shown)
        below[k].set(xlabel="training patterns P", ylabel="weights", title=f"N = {bits}", yscale="log")
        largest = part[part["P"] == part["P"].max()]
        error_against_weights(last[k], largest)
        last[k].set_title(f"N = {bits}, P = {part['P'].max():.0f}")
    axes[1].legend(fontsize="small")
    below[1].legend(fontsize="small")
    return {"clumps-error": error, "clumps-weights": weights, "clumps": plane}


EXPERIMENT = Experiment(
    NAME,
    "Two or more clumps",
    "Rings of N = 10 and 25 bits, drawn by the Monte-Carlo method with k = 3; the class says whether there are "
    "fewer than two clumps. As many test as training patterns. NetLines stopped at H = 2 shows what early "
    "stopping does.",
    runs,
    measure_run,
    {
        "clumps-mean": all_ways(_mean_clumps),
        "clumps-early": each_way(_early),
        "clumps-overfitting": each_way(_overfitting),
        "clumps-same": each_way(_same),
        "clumps-better": each_way(_better),
    },
    draw,
    by=("bits", "P"),
    headline=tuple(
        Headline(f"clumps, N = {bits}, the largest P", (), partial(_largest, bits)) for bits in (10, 25)
    ),
)
