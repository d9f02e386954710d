"""When claims that several experiments share hold."""

from __future__ import annotations

import numpy as np
import pandas as pd

from netlines._words import percent
from netlines.reproduce.runs.methods import BAGS, PEERS, UNITS
from netlines.reproduce.runs.statistics import clearly_lower, difference, mean_of, points
from netlines.reproduce.runs.verdicts import NOT_RUN, Verdict

MLPS = [name for name in PEERS if name.startswith("MLP")]


def not_lower(gap: float, error: float, text: str) -> Verdict:
    """Decide that a difference is not two standard errors below 0; one run alone decides nothing."""
    if np.isnan(gap):
        return NOT_RUN
    if np.isnan(error):
        return Verdict(f"{text}, too few runs to decide", None)
    return Verdict(text, not clearly_lower(gap, error))


def early_stopping_is_no_use(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether stopping at one unit, the extreme case, does not lower the error on new patterns."""
    gap, error, _ = difference(rows, UNITS[way], way)
    one, grown = (percent(mean_of(rows, method, "test_error")) for method in (UNITS[way], way))
    return not_lower(gap, error, f"one unit {one}, grown {grown} ({points(gap, error)})")


def bagging_is_no_use(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether 11 bagged networks do not err clearly less than one."""
    gap, error, pairs = difference(rows, BAGS[way], way)
    return not_lower(gap, error, f"11 bagged: {points(gap, error)} ({pairs} tests)")


def beats_backpropagation(rows: pd.DataFrame, method: str) -> Verdict:
    """Decide whether a method errs less than every MLP, with fewer weights than the smallest."""
    mine, size = mean_of(rows, method, "test_error"), mean_of(rows, method, "weights")
    others = {name: mean_of(rows, name, "test_error") for name in MLPS}
    best = min(others, key=lambda name: others[name])
    smallest = min(mean_of(rows, name, "weights") for name in MLPS)
    theirs = f"{best} {percent(others[best])}, MLPs have {smallest:.0f} weights or more"
    holds = bool(mine < others[best] and size < smallest)
    return Verdict(f"{percent(mine)} with {size:.0f} weights; {theirs}", holds)


def number_of_updates(rows: pd.DataFrame, way: str, published: float) -> Verdict:
    """Decide whether the number of weight updates is within a factor of 3 of the published one."""
    mine = mean_of(rows, way, "updates")
    if np.isnan(mine):
        return Verdict("not counted", None)
    return Verdict(f"{scientific(mine)} updates", bool(published / 3 <= mine <= 3 * published))


def order_of_updates(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether the number of weight updates is within a factor of 10 of some MLP's."""
    mine = mean_of(rows, way, "updates")
    if np.isnan(mine):
        return Verdict("not counted", None)
    theirs = [mean_of(rows, name, "updates") for name in MLPS]
    text = f"{scientific(mine)} updates; MLPs {scientific(min(theirs))} to {scientific(max(theirs))}"
    return Verdict(text, bool(min(theirs) / 10 <= mine <= 10 * max(theirs)))


def scientific(number: float) -> str:
    """Write a large number as the paper does.

    Examples
    --------
    >>> from netlines.reproduce.report.claims import scientific
    >>> scientific(71234)
    '7·10⁴'
    """
    if number < 1:
        return f"{number:.0f}"
    exponent = int(np.floor(np.log10(number)))
    digit = round(number / 10**exponent)
    if digit == 10:
        digit, exponent = 1, exponent + 1
    return f"{digit}·10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
