"""The section of the report on what matters: attributes shuffled in turn, and how answers follow each."""

from __future__ import annotations

from typing import Any

from netlines._words import count
from netlines.inspection.attributes import told_name
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, paragraph, table
from netlines.report.permutation import Permuted
from netlines.report.responses import responses

MOST_LINES = 15  # attributes of the table


def importance(evidence: Evidence) -> str:
    """Return what each attribute is worth and how answers follow the most important; "" without rows."""
    permuted = evidence.permuted
    if permuted is None:
        return ""
    left = len(permuted.attributes) - MOST_LINES
    notes = [
        ""
        if permuted.losses is None
        else "The log-loss tells how far probabilities are off; it shows more than errors, which are few.",
        f"{count(left, 'more attribute')} worth less {'is' if left == 1 else 'are'} left out."
        if left > 0
        else "",
        "Values near 0 or below: of no use that these rows could show.",
        "Attributes that say the same stand in for each other, so that each alone seems worth little.",
    ]
    return "\n".join(
        [
            paragraph(_how(permuted)),
            table(*_lines(permuted)),
            paragraph(" ".join(filter(None, notes)), "soft"),
            responses(evidence),
        ]
    )


def _how(permuted: Permuted) -> str:
    """Say how the figures came about."""
    rows = count(permuted.errors.shape[1], "row")
    counted = f"Counted on {rows} by models that had not seen them."
    if not permuted.out_of_fold:
        counted = f"Counted on {rows} that the model was trained on: attributes may seem worth more there."
    return (
        "If the values of one attribute are shuffled among the rows, and all else is kept, how many more "
        f"errors are there? What is not needed costs nothing. {counted}"
    )


def _lines(permuted: Permuted) -> tuple[list[str], list[list[Any]]]:
    """Return heads and lines of the table of attributes; the bars are of what they are ordered by."""
    kinds = ["errors"] if permuted.losses is None else ["losses", "errors"]
    told = {"errors": "more errors (points)", "losses": "log-loss grows by"}
    heads = ["attribute", *(head for kind in kinds for head in (told[kind], "95 % interval"))]
    largest = max(float(getattr(permuted, kinds[0]).mean(axis=1).max()), 1e-9)
    rows: list[list[Any]] = []
    for k in permuted.order[:MOST_LINES]:
        row: list[Any] = [told_name(permuted.attributes[k])]
        for kind in kinds:
            times, digits = (100, 1) if kind == "errors" else (1, 3)
            mean, low, high = (times * one for one in permuted.interval(kind, k))
            bar = max(mean / times, 0.0) / largest if kind == kinds[0] else None
            row.append(Cell(_signed(mean, digits), bar=bar))
            row.append(f"{_signed(low, digits)} to {_signed(high, digits)}")
        rows.append(row)
    return heads, rows


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")
