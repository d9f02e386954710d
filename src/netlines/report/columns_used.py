"""The section of the report on the table: its classes, the columns that the model uses, those it does not."""

from __future__ import annotations

import numpy as np

from netlines._words import count, number, percent
from netlines.inspection.attributes import date_text, told_name
from netlines.network.attributes import Attribute, attributes_of
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, beside, folded, items, paragraph, table
from netlines.report.provenance import left_out
from netlines.report.top import lacking

MOST_SHOWN = 15  # columns before the rest is folded away
MOST_VALUES = 8  # categories that are named
KINDS = {"number": "number", "boolean": "yes or no", "category": "category"}


def columns_used(evidence: Evidence) -> str:
    """Return the classes with their shares, the columns with what they hold, and those left out."""
    classes = []
    for label in evidence.labels:
        own = evidence.y == label
        classes.append([label, f"{int(own.sum()):,}", Cell(percent(own.mean()), bar=float(own.mean()))])
    rows = [_row(evidence, one) for one in attributes_of(evidence.network)]
    heads = ["column", "kind", "least", "median", "most", "values"]
    shown = _filled(heads, rows[:MOST_SHOWN])
    if len(rows) > MOST_SHOWN:
        shown += folded(f"{len(rows) - MOST_SHOWN} more columns", _filled(heads, rows[MOST_SHOWN:]))
    parts = [beside([table(["class", "rows", "share"], classes), shown])]
    left = left_out(evidence.network.layout)
    if left:
        parts += [f"<h3>{count(len(left), 'column')} left out</h3>", items(left)]
    gaps = lacking(evidence)
    if gaps:
        parts.append(paragraph(f"Of {count(len(evidence.y), 'row')}; {gaps}: see Missing values."))
    return "\n".join(parts)


def _filled(heads: list[str], rows: list[list[object]]) -> str:
    """Return a table without the columns in which nothing stands."""
    texts = [[str(cell.text if isinstance(cell, Cell) else cell) for cell in row] for row in rows]
    used = [k for k in range(len(heads)) if any(row[k] for row in texts)]
    return table([heads[k] for k in used], [[row[k] for k in used] for row in rows], left=2)


def _row(evidence: Evidence, one: Attribute) -> list[object]:
    known = evidence.network.surroundings
    if one.is_category:
        values = [one.value(i) for i in one.choices]
        rest = len(values) - MOST_VALUES
        told = ", ".join(values[:MOST_VALUES]) + (f" and {rest} more" if rest > 0 else "")
        return [one.name, KINDS[one.kind], "", "", "", Cell(told, "text")]
    i = one.inputs[0]
    X = evidence.X[:, i]
    if len(X) and date_text(one, 0.0) is not None:
        ends = [date_text(one, float(value)) for value in (X.min(), np.median(X), X.max())]
        return [told_name(one), "date", *ends, Cell("", "text")]
    ends = [number(float(value)) for value in (X.min(), np.median(X), X.max())] if len(X) else [""] * 3
    if known.two[i] and known.low[i] < known.high[i]:
        told = f"{number(known.low[i])} or {number(known.high[i])}"
    else:
        told = "whole numbers" if known.integer[i] else ""
    return [one.name, KINDS[one.kind], *ends, Cell(told, "text")]
