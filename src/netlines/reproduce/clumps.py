"""Two or more clumps: is the number of clumps in a ring of bits smaller than two?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from netlines.datasets import make_clumps
from netlines.reproduce.report.figure import Panel, legend_below, new_figure, plot_means, weights_figure
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed
from netlines.reproduce.runs.methods import MONOPLANE, PAPER, PARTNERS, STOPPED, STOPS, compared, measure
from netlines.reproduce.runs.records import Row, Run, read_case, write_case
from netlines.reproduce.runs.statistics import clearly_lower, difference, points
from netlines.reproduce.runs.verdicts import JUDGED, Verdict, all_ways, each_grown

NAME = "clumps"
SIZES = (100, 200, 400, 600)
SETS = 25
RINGS = (10, 25)
SHOWN = [*JUDGED, MONOPLANE, STOPPED, "LR", "MLP(10)", "forest"]
RESIDUAL = "training error at H = 2"


def runs(full: bool) -> list[Run]:
    """Give both rings, several sizes of the training set, 25 sets a point."""
    sizes = SIZES if full else SIZES[:2]
    cases = [write_case(bits=bits, P=P) for bits in RINGS for P in sizes]
    slow = crossed(NAME, [PARTNERS[PAPER]], cases, range(10 if full else 1))
    return crossed(NAME, compared(*STOPS.values()), cases, range(SETS if full else 1)) + slow


def measure_run(run: Run) -> list[Row]:
    """Learn P rings and test on P others."""
    case = {name: int(value) for name, value in read_case(run.case).items()}
    P, bits = case["P"], case["bits"]
    X, y = make_clumps(2 * P, bits, random_state=run.seed + 1000 * bits + 100_000 * P)
    return measure(run, (X[:P], y[:P]), (X[P:], y[P:]))


def _mean_clumps(rows: pd.DataFrame) -> Verdict:
    means = []
    for bits in RINGS:
        X, _ = make_clumps(20_000, bits, random_state=0)
        means.append(float((np.roll(X, 1, axis=1) != X).sum(axis=1).mean() / 2))
    text = f"{means[0]:.2f} (N = 10) and {means[1]:.2f} (N = 25) over 20,000 rings"
    return Verdict(text, all(abs(mean - 1.5) < 0.05 for mean in means))


def _early(rows: pd.DataFrame, way: str) -> Verdict:
    gaps = [difference(part, STOPS[way], way) for _, part in rows.groupby("parameters")]
    helped = sum(clearly_lower(gap, error) for gap, error, _ in gaps)
    gap, error, _ = difference(rows, STOPS[way], way)
    lower = f"clearly lower at {helped} of {len(gaps)} sizes"
    text = f"stopped at H = 2: {points(gap, error)} in the mean, {lower}"
    return Verdict(text, helped == 0 and gap > 0)


def _overfitting(rows: pd.DataFrame, way: str) -> Verdict:
    # How much larger the error is on new patterns than on the training set.
    gaps = {
        method: own["test_error"].mean() - (own["training_errors"] / own["P"]).mean()
        for method, own in rows.groupby("method")
    }
    text = f"test minus training error {points(gaps[STOPS[way]])} at H = 2, {points(gaps[way])} grown"
    return Verdict(text, bool(gaps[STOPS[way]] < gaps[way]))


def _same(rows: pd.DataFrame, way: str) -> Verdict:
    gap, error, _ = difference(rows[rows["bits"] == 25], way, PARTNERS[way])
    return Verdict(f"NetLines − MonoPlane {points(gap, error)} (N = 25)", abs(gap) <= 0.02)


def _better(rows: pd.DataFrame, way: str) -> Verdict:
    gap, error, _ = difference(rows, way, PARTNERS[way])
    weights, _, _ = difference(rows, way, PARTNERS[way], "weights")
    more = f"{weights:+.0f} weights".replace("-", "−")
    return Verdict(f"NetLines − MonoPlane {points(gap, error)}, {more}", gap < 0 and weights < 0)


def _at_largest(bits: int, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["bits"] == bits) & (rows["P"] == rows["P"].max())]


def draw(rows: pd.DataFrame) -> Figures:
    """Draw error and weights against P, and the error against the weights at the largest P."""
    left = rows[rows["method"] == STOPPED].assign(
        method=RESIDUAL, test_error=lambda own: own["training_errors"] / own["P"]
    )
    panels = [Panel(f"N = {bits}, P = {rows['P'].max():.0f}", _at_largest(bits, rows)) for bits in RINGS]
    return {
        "clumps-error": _curves(pd.concat([rows, left]), "test_error", [*SHOWN, RESIDUAL], ylim=(0, None)),
        "clumps-weights": _curves(rows, "weights", SHOWN, yscale="log"),
        "clumps": weights_figure(panels),
    }


def _curves(rows: pd.DataFrame, column: str, methods: list[str], **options: Any) -> Any:
    figure, axes = new_figure(2)
    for ax, bits in zip(axes, RINGS, strict=True):
        plot_means(ax, rows[rows["bits"] == bits], "P", column, methods)
        name = column.replace("_", " ")
        ax.set(xlabel="training patterns P", ylabel=name, title=f"N = {bits}", **options)
    legend_below(figure, axes)
    return figure


EXPERIMENT = Experiment(
    NAME,
    "Two or more clumps",
    "Rings of N = 10 and 25 bits, drawn by the Monte-Carlo method with k = 3; the class says whether "
    "there are fewer than two clumps. As many test as training patterns. NetLines stopped at H = 2 "
    "shows what early stopping does.",
    runs,
    measure_run,
    {
        "clumps-mean": all_ways(_mean_clumps),
        "clumps-early": each_grown(_early),
        "clumps-overfitting": each_grown(_overfitting),
        "clumps-same": each_grown(_same),
        "clumps-better": each_grown(_better),
    },
    draw,
    by=("bits", "P"),
    headline=tuple(
        Headline(f"clumps, N = {bits}, the largest P", (), partial(_at_largest, bits)) for bits in RINGS
    ),
    remarks=(
        "A default network stopped at two units has all its weights annealed together, and overfits as "
        "much as a grown one: that stopping early lowers the overfitting holds for the paper's algorithm "
        "only."
    ),
)
