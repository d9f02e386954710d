"""What an experiment is: the runs to do, how one is measured, which claims it decides, what it draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import pandas as pd

from netlines.reproduce.runs.methods import CV, DEFAULT, PAPER
from netlines.reproduce.runs.records import Row, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Figures: TypeAlias = "dict[str, Figure]"  # by name; matplotlib is an extra
JUDGED = (PAPER, DEFAULT, CV)  # the ways whose results decide whether a claim holds


@dataclass(frozen=True)
class Verdict:
    """What was measured of a claim, and whether it holds; None where that cannot be said."""

    measured: str
    holds: bool | None


CHOOSES = Verdict("chooses its size instead", None)  # of NetLinesClassifierCV
NOT_RUN = Verdict("not run", None)
Verdicts = Mapping[str, Verdict]  # by way, or under the name "" if the claim is about no way in particular


@dataclass(frozen=True)
class Headline:
    """A problem in the table of all figures beside the paper's.

    `published` names the claims whose values stand there, `select` takes the problem's rows.
    """

    title: str
    published: tuple[str, ...]
    select: Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper.

    Parameters
    ----------
    name : what the command line calls it
    title : a heading
    about : what is done, in one paragraph
    runs : gives the runs to do, few (False) or as many as in the paper (True)
    measure : does one run, in a process of its own
    claims : decides each claim of published.csv by its name, from the rows of the runs
    draw : draws the figures from the rows, by name
    by : the parameters that tell the cases of its table apart
    headline : its problems in the table of all figures
    remarks : why claims may not hold, as far as it is known
    """

    name: str
    title: str
    about: str
    runs: Callable[[bool], Iterable[Run]]
    measure: Callable[[Run], list[Row]]
    claims: Mapping[str, Callable[[pd.DataFrame], Verdicts]]
    draw: Callable[[pd.DataFrame], Figures]
    by: tuple[str, ...] = ()
    headline: tuple[Headline, ...] = ()
    remarks: str = ""


def where(column: str, value: object) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Return what takes the rows with a value in a column."""
    return lambda rows: rows[rows[column] == value]


def each_way(decide: Callable[[pd.DataFrame, str], Verdict]) -> Callable[[pd.DataFrame], Verdicts]:
    """Make a claim's decision out of the decision for one way; ways without rows decide nothing."""

    def claims(rows: pd.DataFrame) -> Verdicts:
        present = [way for way in JUDGED if (rows["method"] == way).any()]
        return {way: decide(rows, way) for way in present}

    return claims


def each_grown(decide: Callable[[pd.DataFrame, str], Verdict]) -> Callable[[pd.DataFrame], Verdicts]:
    """As `each_way`, of a claim about growth: NetLinesClassifierCV chooses its size instead."""
    return each_way(lambda rows, way: CHOOSES if way == CV else decide(rows, way))


def all_ways(decide: Callable[[pd.DataFrame], Verdict]) -> Callable[[pd.DataFrame], Verdicts]:
    """Make a claim's decision out of one that is about no way in particular."""
    return lambda rows: {"": decide(rows)}


def crossed(experiment: str, methods: Iterable[str], cases: Iterable[str], seeds: Iterable[int]) -> list[Run]:
    """Return a run for every method, case and seed."""
    methods, seeds = list(methods), list(seeds)
    return [Run(experiment, method, case, seed) for case in cases for method in methods for seed in seeds]
