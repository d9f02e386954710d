"""When claims that several experiments share hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from netlines.reproduce.runs.experiment import NOTHING, Verdict
from netlines.reproduce.runs.methods import BAGGED, CV, DEFAULT, UNIT
from netlines.reproduce.runs.statistics import clearly_lower, difference, mean_of, percent, points

if TYPE_CHECKING:
    import pandas as pd


def early_stopping_is_no_use(rows: pd.DataFrame, way: str) -> Verdict:
    """Decide whether stopping at one unit, the extreme case, does not lower the error on new patterns."""
    if way == CV:  # it stops where held-out rows say so
        return NOTHING
    gap, error, _ = difference(rows, UNIT, way)
    one, grown = (percent(mean_of(rows, method, "test_error")) for method in (UNIT, way))
    text = f"one unit {one}, grown {grown} ({points(gap, error)})"
    return Verdict(text, not clearly_lower(gap, error))


def order_of_updates(rows: pd.DataFrame, way: str, published: float) -> Verdict:
    """Decide whether the number of weight updates is within a factor of 3 of the published one."""
    mine = mean_of(rows, way, "updates")
    if np.isnan(mine):
        return NOTHING
    mlps = [mean_of(rows, name, "updates") for name in ("MLP(3)", "MLP(10)", "MLP(30)")]
    text = f"{scientific(mine)}; MLPs {scientific(min(mlps))} to {scientific(max(mlps))}"
    return Verdict(text, bool(published / 3 <= mine <= 3 * published))


def bagging_is_no_use(rows: pd.DataFrame) -> Verdict:
    """Decide whether 11 bagged networks do not err clearly less than one."""
    gap, error, pairs = difference(rows, BAGGED, DEFAULT)
    return Verdict(f"11 bagged: {points(gap, error)} ({pairs} tests)", not clearly_lower(gap, error))


def scientific(number: float) -> str:
    """Write a large number as the paper does.

    Examples
    --------
    >>> from netlines.reproduce.report.rules import scientific
    >>> scientific(71234)
    '7·10⁴'
    """
    exponent = int(np.floor(np.log10(number)))
    digit = round(number / 10**exponent)
    if digit == 10:
        digit, exponent = 1, exponent + 1
    return f"{digit}·10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
