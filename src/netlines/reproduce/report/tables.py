"""The tables of a report, as plain texts: claims, figures beside the paper's, departures, all means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from netlines._words import percent
from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.claims import scientific
from netlines.reproduce.report.published import read_published
from netlines.reproduce.runs.experiment import Headline
from netlines.reproduce.runs.methods import CV, DEFAULT, FAST, NAMES, PAPER, WAYS
from netlines.reproduce.runs.statistics import points, summary
from netlines.reproduce.runs.verdicts import JUDGED

MARKS = {True: "✓", False: "✗", None: "–"}
STEPS = (
    (PAPER, FAST, "Short anneals over many θ, instead of one long one with θ = 6"),
    (FAST, DEFAULT, "One-sided targets, joint annealing and polish, instead of growth alone"),
    (DEFAULT, CV, "Size and temperature chosen on held-out rows, instead of error-free training"),
)


@dataclass(frozen=True)
class Table:
    """A head and rows of texts; the cell before a None takes its place too."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | None]]


def describe_work(chapters: Sequence[Chapter], seconds: float) -> str:
    """Say how much was done."""
    return f"{sum(len(c.rows) for c in chapters):,} rows, {seconds / 60:.0f} minutes of work on one core"


def claims_table(chapters: Sequence[Chapter]) -> Table:
    """Return each claim, what was published, and what was measured in each way, with a mark."""
    head = ["claim", "published", *(NAMES[way] for way in JUDGED), "holds if"]
    rows: list[list[str | None]] = []
    for chapter in chapters:
        rows.append([chapter.experiment.title, *[None] * (len(head) - 1)])
        for decision in chapter.decisions:
            says = decision.statement
            verdicts = [decision.of(way) for way in JUDGED]
            cells: list[str | None] = [f"{MARKS[one.holds]} {one.measured}".strip() for one in verdicts]
            if "" in decision.verdicts:  # about no way in particular: told once
                cells[1:] = [None, None]
            rows.append([says.says, f"{says.value} ({says.where})", *cells, says.rule])
    return Table(head, rows)


def count_verdicts(chapters: Sequence[Chapter]) -> dict[str, tuple[int, int]]:
    """Return how many claims hold and how many were decided: by way, and of those about none under ""."""
    counts = {}
    for way in (*JUDGED, ""):
        verdicts = [decision.verdicts.get(way) for chapter in chapters for decision in chapter.decisions]
        decided = [verdict.holds for verdict in verdicts if verdict is not None and verdict.holds is not None]
        counts[way] = (sum(map(bool, decided)), len(decided))
    return counts


def describe_counts(chapters: Sequence[Chapter]) -> list[tuple[str, str]]:
    """Say for each way, and for the claims about none, how many hold."""
    names = NAMES | {"": "data, theory and others"}
    counts = count_verdicts(chapters).items()
    return [(f"{held} of {total}", names[way]) for way, (held, total) in counts if total]


def headline_table(chapters: Sequence[Chapter]) -> Table:
    """Return the figures of all four ways beside the paper's, one row a problem."""
    values = {s.name: s.value for s in read_published()}
    rows = []
    for line, part in _problems(chapters):
        published = "; ".join(values[name] for name in line.published)
        rows.append([line.title, published, *(_figures(part[part["method"] == way]) for way in WAYS)])
    return Table(["problem", "the paper", *(NAMES[way] for way in WAYS)], rows)


def _problems(chapters: Sequence[Chapter]) -> list[tuple[Headline, pd.DataFrame]]:
    """Return the problems of the table of all figures with their rows, if there are any."""
    lines = [(line, chapter.rows) for chapter in chapters for line in chapter.experiment.headline]
    return [(line, part) for line, rows in lines if len(part := line.select(rows))]


def _figures(own: pd.DataFrame) -> str:
    """Return hidden units, weights, training errors and test error of a method in one text."""
    if own.empty:
        return ""
    parts = [f"H {_number(own['H'].mean())}", f"{_number(own['weights'].mean())} weights"]
    wrong = own["training_errors"].mean()
    if wrong:
        parts.append(f"{_number(wrong)} training errors")
    if own["test_error"].notna().any():
        parts.append(f"test {percent(own['test_error'].mean())}")
    if own["updates"].notna().any():
        parts.append(f"{scientific(own['updates'].mean())} updates")
    return ", ".join(parts)


def departures_table(chapters: Sequence[Chapter]) -> Table:
    """Return what each departure changes: test error in points, and weights as a factor."""
    rows = [
        [line.title, *(_change(part, first, second)[0] for first, second, _ in STEPS)]
        for line, part in _problems(chapters)
    ]
    return Table(["problem", *(f"{NAMES[a]} → {NAMES[b]}" for a, b, _ in STEPS)], rows)


def departures_in_words(chapters: Sequence[Chapter]) -> list[str]:
    """Say what each departure is worth in the mean over the experiments that test on new patterns."""
    sentences = []
    for first, second, what in STEPS:
        gaps, factors = [], []
        for chapter in chapters:
            changes = [_change(part, first, second)[1:] for _, part in _problems([chapter])]
            tested = [(gap, factor) for gap, factor in changes if not np.isnan(gap)]
            if tested:
                gaps.append(np.mean([gap for gap, _ in tested]))
                factors.append(np.mean([np.log(factor) for _, factor in tested]))
        if gaps:
            size, gap = float(np.exp(np.mean(factors))), float(np.mean(gaps))
            text = f"{points(gap)} of test error and {size:.2f} times the weights"
            sentences.append(f"{what}: {text}, in the mean over {len(gaps)} experiments.")
    return sentences


def _change(part: pd.DataFrame, first: str, second: str) -> tuple[str, float, float]:
    """Return the change from one way to another as a text, in error, and as a factor of the weights."""
    before, after = (part[part["method"] == way] for way in (first, second))
    if before.empty or after.empty:
        return "", np.nan, np.nan
    gap = after["test_error"].mean() - before["test_error"].mean()
    factor = after["weights"].mean() / before["weights"].mean()
    text = f"weights × {factor:.2f}"
    return (text if np.isnan(gap) else f"{points(gap)}, {text}"), float(gap), float(factor)


def means_table(chapter: Chapter) -> Table:
    """Return the means over all runs of each method and case."""
    by = [name for name in chapter.experiment.by if name in chapter.rows]
    head = ["method", *by, "runs", "test error", "weights", "H", "training errors", "updates", "seconds"]
    rows = []
    means = summary(chapter.rows, by)
    order = {method: k for k, method in enumerate(dict.fromkeys(chapter.rows["method"]))}
    for _, one in means.sort_values(
        [*by, "method"], key=lambda c: c.map(order) if c.name == "method" else c
    ).iterrows():
        error = "" if np.isnan(one["test_error"]) else percent(one["test_error"], 2)
        if error and not np.isnan(one["test_error_deviation"]):
            error += f" ± {100 * one['test_error_deviation']:.2f}"
        updates = "" if np.isnan(one["updates"]) or one["updates"] <= 0 else scientific(one["updates"])
        cells = [
            NAMES.get(one["method"], one["method"]),
            *(_text(one[name]) for name in by),
            f"{one['runs']:.0f}",
            error,
        ]
        cells += [_number(one[name]) for name in ("weights", "H", "training_errors")]
        rows.append([*cells, updates, f"{one['seconds']:.2f}"])
    return Table(head, rows)


def _number(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.1f}"


def _text(value: object) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:g}"
    return str(value)
