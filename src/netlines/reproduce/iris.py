"""Fisher's iris, leave one out: trees of networks, their vote and winner-takes-all."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines.datasets import load_iris
from netlines.reproduce.report.figure import Panel, weights_figure
from netlines.reproduce.report.votes import labelled_schemes, vote_beats_each_tree, vote_or_choice
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed
from netlines.reproduce.runs.methods import CV, GROWN, PEERS, UNIT
from netlines.reproduce.runs.records import Row, Run, write_case
from netlines.reproduce.runs.schemes import OWN, measure_scheme, scheme_runs
from netlines.reproduce.runs.verdicts import each_grown

NAME = "iris"
SPECIES = ("setosa", "versicolor", "virginica")


def runs(full: bool) -> list[Run]:
    """Give every pattern to leave out once; a few if it has to be quick."""
    seeds = range(0, 150, 1 if full else 30)
    own = [write_case(scheme=OWN)]
    return scheme_runs(NAME, [*GROWN, UNIT], SPECIES, seeds) + crossed(NAME, [CV, *PEERS], own, seeds)


def measure_run(run: Run) -> list[Row]:
    """Learn 149 patterns and test on the one whose number is the seed."""
    X, y = load_iris(return_X_y=True)
    left_out = np.arange(len(y)) == run.seed
    return measure_scheme(run, (X[~left_out], y[~left_out]), (X[left_out], y[left_out]))


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the error of each scheme against the number of weights."""
    return {"iris": weights_figure([Panel("leave one out", labelled_schemes(rows))], deviations=False)}


EXPERIMENT = Experiment(
    NAME,
    "Iris",
    "150 plants of three species with four attributes; each is left out once, and the networks are "
    "trained on the other 149. A quick reproduction leaves out five plants only.",
    runs,
    measure_run,
    {"iris-vote": each_grown(vote_beats_each_tree)},
    draw,
    by=("scheme",),
    headline=(Headline("iris, vote (or own choice)", (), vote_or_choice),),
    remarks=("One plant is 0.7 %. The vote is as good as the best of its trees, or one plant worse."),
)
