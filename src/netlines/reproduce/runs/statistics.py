"""Means, deviations and paired differences of the rows of a reproduction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import numpy as np
import pandas as pd

from netlines.reproduce.runs.records import COLUMNS, Row, read_case

NUMBERS = ["H", "weights", "training_errors", "test_error", "updates", "seconds"]


def as_frame(rows: Iterable[Row]) -> pd.DataFrame:
    """Return the rows as a table, with a column for each parameter of their cases."""
    records = [{**read_case(row.parameters), **asdict(row)} for row in rows]
    frame = pd.DataFrame(records, columns=None if records else COLUMNS)
    numeric = ["seed", "P", "G", *NUMBERS]
    frame[numeric] = frame[numeric].astype(float)
    extra = [name for name in frame.columns if name not in COLUMNS]
    for name in extra:
        converted = pd.to_numeric(frame[name], errors="coerce")
        if converted.notna().sum() == frame[name].notna().sum():
            frame[name] = converted
    return frame


def summary(rows: pd.DataFrame, by: Iterable[str]) -> pd.DataFrame:
    """Return the means of all numbers over the seeds of each case, and the deviations of test errors."""
    by = ["method", *by]
    groups = rows.groupby(by, sort=False, dropna=False)
    means = groups[NUMBERS].mean()
    means["runs"] = groups.size()
    means["test_error_deviation"] = groups["test_error"].std(ddof=1)
    return means.reset_index()


def mean_of(rows: pd.DataFrame, method: str, column: str) -> float:
    """Return the mean of a column over a method's rows; NaN without any."""
    return float(rows.loc[rows["method"] == method, column].mean())


def difference(
    rows: pd.DataFrame, first: str, second: str, column: str = "test_error"
) -> tuple[float, float, int]:
    """Return the mean of first - second over the cases and seeds that both have, its error, and their number.

    The standard error is NaN for fewer than two pairs.
    """
    key = ["parameters", "seed"]
    a = rows[rows["method"] == first].set_index(key)[column]
    b = rows[rows["method"] == second].set_index(key)[column]
    gaps = (a - b).dropna().to_numpy()
    if len(gaps) < 2:
        return (float(gaps.mean()) if len(gaps) else np.nan), np.nan, len(gaps)
    return float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(len(gaps))), len(gaps)


def clearly_lower(gap: float, error: float) -> bool:
    """Tell whether a difference lies two standard errors below 0; without a standard error it does not."""
    return bool(gap < 0 and gap < -2 * error)


def points(gap: float, error: float = np.nan) -> str:
    """Write a difference of two shares in percentage points, with its standard error if there is one."""
    text = f"{100 * gap:+.1f}".replace("-", "−")
    return f"{text} points" if np.isnan(error) else f"{text} ± {100 * error:.1f} points"
