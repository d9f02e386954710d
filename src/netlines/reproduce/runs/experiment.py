"""What an experiment is: the runs to do, how one is measured, which claims it decides, what it draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import pandas as pd

from netlines.reproduce.runs.records import Row, Run
from netlines.reproduce.runs.verdicts import Verdicts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Figures: TypeAlias = "dict[str, Figure]"  # by name; matplotlib is an extra


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


def crossed(experiment: str, methods: Iterable[str], cases: Iterable[str], seeds: Iterable[int]) -> list[Run]:
    """Return a run for every method, case and seed."""
    methods, seeds = list(methods), list(seeds)
    return [Run(experiment, method, case, seed) for case in cases for method in methods for seed in seeds]
