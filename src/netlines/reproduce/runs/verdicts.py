"""What was measured of a claim, and how claims are decided: for each way of netlines, or for none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from netlines.reproduce.runs.methods import CV, DEFAULT, PAPER

JUDGED = (PAPER, DEFAULT, CV)  # the ways whose results decide whether a claim holds


@dataclass(frozen=True)
class Verdict:
    """What was measured of a claim, and whether it holds; None where that cannot be said."""

    measured: str
    holds: bool | None


CHOOSES = Verdict("chooses its size instead", None)  # of NetLinesClassifierCV
NOT_RUN = Verdict("not run", None)
Verdicts = Mapping[str, Verdict]  # by way, or under the name "" if the claim is about no way in particular


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
