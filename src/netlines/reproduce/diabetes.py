"""Diabetes of the Pima women: errors against weights."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines._words import percent
from netlines.datasets import load_pima_diabetes
from netlines.reproduce.report.claims import (
    MLPS,
    bagging_is_no_use,
    early_stopping_is_no_use,
    number_of_updates,
    order_of_updates,
)
from netlines.reproduce.report.figure import Panel, weights_figure
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed
from netlines.reproduce.runs.methods import BAGGED, NAMES, PEERS, STOPPED, UNIT, UNIT_PAPER, compared, measure
from netlines.reproduce.runs.records import Row, Run
from netlines.reproduce.runs.splits import random_split
from netlines.reproduce.runs.statistics import clearly_lower, difference, mean_of
from netlines.reproduce.runs.verdicts import Verdict, all_ways, each_grown, each_way

NAME = "diabetes"
CASE, LEARNT = "P=576", 576
TESTS = 50


def runs(full: bool) -> list[Run]:
    """Give 50 random training sets; bagging ten."""
    methods = compared(STOPPED, UNIT, UNIT_PAPER)
    tests = crossed(NAME, methods, [CASE], range(TESTS if full else 1))
    return tests + crossed(NAME, [BAGGED], [CASE], range(10 if full else 0))


def measure_run(run: Run) -> list[Row]:
    """Learn 576 random patterns and test on the other 192."""
    X, y = load_pima_diabetes(return_X_y=True)
    return measure(run, *random_split(X, y, LEARNT, run.seed))


def _share(rows: pd.DataFrame) -> Verdict:
    y = load_pima_diabetes(return_X_y=True)[1]
    share = float(np.mean(y == "pos"))
    return Verdict(f"{percent(share)} of {len(y)} patterns", round(share, 2) == 0.35)


def _best(rows: pd.DataFrame, way: str) -> Verdict:
    gaps = {peer: difference(rows, peer, way)[:2] for peer in PEERS}
    best = min(gaps, key=lambda peer: gaps[peer][0])
    mine, size = mean_of(rows, way, "test_error"), mean_of(rows, way, "weights")
    theirs = f"the best peer, {NAMES.get(best, best)}, {percent(mean_of(rows, best, 'test_error'))}"
    text = f"{percent(mine)} with {size:.0f} weights; {theirs}"
    if np.isnan(gaps[best][1]):
        return Verdict(f"{text}, too few runs to decide", None)
    smaller = size < min(mean_of(rows, name, "weights") for name in MLPS)
    return Verdict(text, smaller and not any(clearly_lower(*gap) for gap in gaps.values()))


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the error against the number of weights."""
    return {"diabetes": weights_figure([Panel("576 patterns", rows)])}


EXPERIMENT = Experiment(
    NAME,
    "Diabetes",
    "768 patterns with eight attributes; 576 at random to learn, 192 to test, 50 times.",
    runs,
    measure_run,
    {
        "diabetes-share": all_ways(_share),
        "diabetes-best": each_way(_best),
        "diabetes-early": each_grown(early_stopping_is_no_use),
        "diabetes-updates": each_way(lambda rows, way: number_of_updates(rows, way, 1e5)),
        "diabetes-order": each_way(order_of_updates),
        "diabetes-bagging": each_grown(bagging_is_no_use),
    },
    draw,
    headline=(Headline("diabetes", ("diabetes-updates",), lambda rows: rows),),
    remarks=(
        "The labels are noisy: every network without training errors has learnt the noise, needs dozens "
        "of units for it and errs on a third more new patterns than one unit. With 10⁵ updates, some 10⁴ "
        "epochs, the networks of the paper can hardly have been grown until no training error was left. "
        "Bagging the paper's networks was left out: some 150 s a test."
    ),
)
