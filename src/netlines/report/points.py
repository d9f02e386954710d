"""The section of the report on points: what a person can add up, exact or a rounded weighted sum."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from netlines._words import number, percent
from netlines.inspection.scorecard import Scorecard, as_points
from netlines.network.protocol import AnyNetwork
from netlines.report.evidence import Evidence
from netlines.report.html import Cell, beside, paragraph, table

MOST_ROUNDED = 15  # lines of a card that is not exact: more are no help


def scorecard_of(network: AnyNetwork) -> Scorecard | None:
    """Return the model as a scorecard; None if it is none, or a rounded one of many lines."""
    try:
        card = as_points(network)
    except ValueError:
        return None
    lines = sum(len(total.entries) for total in card.totals)
    return card if lines and (card.exact or lines <= MOST_ROUNDED) else None


def points(evidence: Evidence) -> str:
    """Return the points with what their total means; "" if the model is no such thing."""
    card = scorecard_of(evidence.network)
    if card is None:
        return ""
    parts = []
    if card.exact:
        parts.append(
            paragraph("This is the whole model: add up the points that apply, and the total decides.")
        )
    else:
        same = card.predict(evidence.X) == evidence.network.predict(evidence.X)
        share = "all" if same.all() else chance_text(float(same.mean())).replace(">", "more than")
        parts.append(
            paragraph(
                "The weighted sum rounded to whole points, to be reckoned by hand. It answers "
                f"{share} of these rows as the model does; the model itself is the formula below."
            )
        )
    told = card.to_dict()
    for k, total in enumerate(told["totals"], start=1):
        if len(told["totals"]) > 1:
            parts.append(f"<h3>Step {k}</h3>")
        parts.append(beside([_points(total), _meaning(total)]))
    return "\n".join(parts)


def chance_text(share: float) -> str:
    """Write a probability, never as certain.

    Examples
    --------
    >>> from netlines.report.points import chance_text
    >>> chance_text(0.9999), chance_text(0.25), chance_text(0.0)
    ('> 99.9 %', '25.0 %', '< 0.1 %')
    """
    if share >= 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if share < 0.0005 else percent(share)


def _points(total: Mapping[str, Any]) -> str:
    largest = max(abs(one["points"]) for one in total["points"]) if total["points"] else 1
    rows = [
        [
            one["condition"],
            Cell(f"{one['points']:+d}".replace("-", "−"), bar=one["points"] / (largest or 1), signed=True),
        ]
        for one in total["points"]
    ]
    return table(["if", "points"], rows)


def _meaning(total: Mapping[str, Any]) -> str:
    """Return which total means which answer, and the probabilities of some totals."""
    cuts, answers = total["cuts"], total["answers"]
    steps = [*([f"less than {number(cuts[0])}"] if cuts else ["any"])]
    steps += [f"{number(low)} to less than {number(high)}" for low, high in pairwise(cuts)]
    steps += [f"{number(cuts[-1])} or more"] if cuts else []
    shown = table(
        ["total", "answer"],
        [[step, str(answer)] for step, answer in zip(steps, answers, strict=True)],
        left=2,
    )
    second = answers[-1] if answers else ""
    if total["table"]:
        rows = [
            [number(one["total"]), Cell(chance_text(one["probability"]), bar=one["probability"])]
            for one in total["table"]
        ]
        shown += table(["total", f"probability of {second}"], rows)
    return shown
