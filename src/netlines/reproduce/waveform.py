"""Breiman's waveforms: three noisy classes, by a unit, trees of networks, their vote and winner-takes-all."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp

from netlines._words import percent
from netlines.datasets import make_waveform
from netlines.datasets.generators import MIXED, WAVES
from netlines.reproduce.report.figure import Panel, weights_figure
from netlines.reproduce.report.votes import (
    labelled_schemes,
    vote_beats_each_tree,
    vote_keeps_the_mean,
    vote_lowers_the_variance,
    vote_of,
    vote_or_choice,
    winner_is_worse,
)
from netlines.reproduce.runs.experiment import Experiment, Figures, Headline, crossed
from netlines.reproduce.runs.methods import CV, GROWN, MONOPLANE, PEERS, UNIT, UNIT_PAPER, UNITS
from netlines.reproduce.runs.records import Row, Run, write_case
from netlines.reproduce.runs.schemes import CLASS, OWN, VOTE, measure_scheme, scheme_runs
from netlines.reproduce.runs.statistics import points
from netlines.reproduce.runs.verdicts import Verdict, all_ways, each_grown

NAME = "waveform"
LEARNT, TESTED, SETS = 300, 5000, 11


def runs(full: bool) -> list[Run]:
    """Give 11 training sets and one test set."""
    seeds = range(SETS if full else 1)
    own = [write_case(scheme=OWN)]
    chosen = [OWN, *([VOTE, *(f"{CLASS} {c}" for c in range(3))] if full else [])]
    return (
        scheme_runs(NAME, [*GROWN, UNIT, UNIT_PAPER], range(3), seeds)
        + crossed(NAME, [CV], [write_case(scheme=scheme) for scheme in chosen], seeds)
        + crossed(NAME, [*PEERS, "perceptron"], own, seeds)
        + crossed(NAME, ["Bayes"], own, [0])
    )


def measure_run(run: Run) -> list[Row]:
    """Learn 300 patterns and test on 5000."""
    test = make_waveform(TESTED, random_state=10_000)
    if run.method == "Bayes":
        start = time.perf_counter()
        error = float(np.mean(best_answers(test[0]) != test[1]))
        seconds = time.perf_counter() - start
        return [Row(NAME, run.method, run.case, run.seed, 0, TESTED, None, None, None, error, None, seconds)]
    return measure_scheme(run, make_waveform(LEARNT, random_state=run.seed), test)


def best_answers(X: NDArray) -> NDArray:
    """Return the class of the largest probability by the rule that makes the patterns."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    u = ((nodes + 1) / 2)[:, None]
    log_likelihoods = []
    for i, j in MIXED:
        mixtures = u * WAVES[i] + (1 - u) * WAVES[j]
        distances = ((X[:, None] - mixtures) ** 2).sum(axis=2)
        log_likelihoods.append(logsumexp(-distances / 2, b=weights, axis=1))
    return np.argmax(log_likelihoods, axis=0)


def _networks(rows: pd.DataFrame, way: str) -> pd.DataFrame:
    own = _all_networks(rows)
    return own[own["method"] == way]


def _all_networks(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["scheme"].str.startswith(CLASS)]


def _no_errors(own: pd.DataFrame) -> Verdict:
    left = own["training_errors"]
    text = f"{(left == 0).sum()} of {len(own)} networks make no training error"
    return Verdict(text, bool((left == 0).all()))


def _hidden(rows: pd.DataFrame, way: str) -> Verdict:
    own = _networks(rows, way)
    low, high = own["H"].min(), own["H"].max()
    text = f"a class against the rest: {low:.0f} to {high:.0f} hidden units, mean {own['H'].mean():.1f}"
    return Verdict(text, bool(high <= 6))


def _bound(rows: pd.DataFrame) -> Verdict:
    error = rows.loc[rows["method"] == "Bayes", "test_error"].mean()
    return Verdict(f"the best possible answers err on {percent(error)}", bool(abs(error - 0.14) < 0.01))


def _unit_gap(rows: pd.DataFrame, way: str) -> tuple[float, float, float]:
    """Return the errors of the votes of units and of networks, and the standard error of their difference."""
    unit, grown = (vote_of(rows, method).set_index("seed")["test_error"] for method in (UNITS[way], way))
    gaps = unit - grown
    return unit.mean(), grown.mean(), gaps.std(ddof=1) / len(gaps) ** 0.5


def _hardly_improved(rows: pd.DataFrame, way: str) -> Verdict:
    unit, grown, error = _unit_gap(rows, way)
    text = f"vote of units {percent(unit)}, of networks {percent(grown)} ({points(grown - unit, error)})"
    return Verdict(text, bool(unit - grown < 0.01))


def _perceptron(rows: pd.DataFrame, way: str) -> Verdict:
    simple = rows.loc[rows["method"] == "perceptron", "test_error"].mean()
    grown = vote_of(rows, way)["test_error"].mean()
    text = f"perceptrons {percent(simple)}, vote of networks {percent(grown)}"
    return Verdict(text, bool(simple - grown < 0.01))


def _not_deteriorated(rows: pd.DataFrame, way: str) -> Verdict:
    unit, grown, error = _unit_gap(rows, way)
    return Verdict(f"networks minus units {points(grown - unit, error)}", bool(grown - unit < 0.01))


def draw(rows: pd.DataFrame) -> Figures:
    """Draw the error of each scheme against the number of weights."""
    bound = rows.loc[rows["method"] == "Bayes", "test_error"].mean()
    panel = Panel("300 patterns", labelled_schemes(rows), lines=[("the best possible", bound)])
    return {"waveform": weights_figure([panel])}


EXPERIMENT = Experiment(
    NAME,
    "Breiman's waveforms",
    "Three classes of noisy waves at 21 points; 11 training sets of 300 patterns, one test set of 5000. "
    "Trees of networks with each of the three learning sequences, their vote, and one network a class "
    "with winner-takes-all; the same of MonoPlane and of single units.",
    runs,
    measure_run,
    {
        "waveform-bound": all_ways(_bound),
        "waveform-free": each_grown(lambda rows, way: _no_errors(_networks(rows, way))),
        "waveform-monoplane": all_ways(lambda rows: _no_errors(_networks(rows, MONOPLANE))),
        "waveform-hidden": each_grown(_hidden),
        "waveform-unit": each_grown(_hardly_improved),
        "waveform-perceptron": each_grown(_perceptron),
        "waveform-overfitting": each_grown(_not_deteriorated),
        "waveform-vote": each_grown(vote_beats_each_tree),
        "waveform-variance": each_grown(vote_lowers_the_variance),
        "waveform-mean": each_grown(vote_keeps_the_mean),
        "waveform-winner": each_grown(winner_is_worse),
    },
    draw,
    by=("scheme",),
    headline=(
        Headline("waveform, a class against the rest", ("waveform-hidden",), _all_networks),
        Headline("waveform, vote (or own choice)", (), vote_or_choice),
    ),
    remarks=(
        "The vote lowers the mean error too. Winner-takes-all is bad for the paper's networks, whose "
        "output sums say little about how sure they are; default networks err less each, and it does well "
        "with them."
    ),
)
