"""What the paper's text states: published.csv."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True)
class Statement:
    """One statement of the paper, or a published figure beside it.

    `kind` is "claim" (decided by an experiment) or "point" (a network's weights and errors, drawn in its
    figure). `rule` says when a claim is taken to hold.
    """

    name: str
    experiment: str
    kind: str
    says: str
    value: str
    where: str
    rule: str


@cache
def read_published() -> tuple[Statement, ...]:
    """Return all statements in the order of the paper."""
    text = (resources.files("netlines.reproduce") / "published.csv").read_text(encoding="utf-8")
    return tuple(Statement(**record) for record in csv.DictReader(text.splitlines()))


def read_claims(experiment: str) -> list[Statement]:
    """Return the claims that an experiment decides."""
    return [s for s in read_published() if s.experiment == experiment and s.kind == "claim"]


def read_points(figure: str) -> list[tuple[str, float, float]]:
    """Return the published points of a figure: name, weights and error.

    Their names begin with the figure's, and their value is "weights; error".
    """
    points = []
    for s in read_published():
        if s.kind == "point" and s.name.startswith(f"{figure}:"):
            weights, error = s.value.split("; ")
            points.append((s.says, float(weights), float(error)))
    return points
