"""The pictures of the rows over two columns with the hyperplanes, for pairs of the most important ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.inspection.attributes import told_name
from netlines.inspection.inputs import label_numbers
from netlines.network.attributes import attributes_of
from netlines.plots import HyperplaneDisplay
from netlines.report.evidence import Evidence
from netlines.report.html import figure, paragraph, tabs
from netlines.report.model import input_weights
from netlines.report.plain_table import short_names

MOST_COLUMNS = 4  # of which all pairs are drawn
MOST_POINTS = 200  # of a picture
MOST_LETTERS = 150_000  # of all pictures: a page stays small
LEAST_OF_CLASS = 20  # rows of a class that are drawn, if there are as many
STEPS = 180  # a side of the grid that areas are found on: a page has several pictures
AREAS = "Areas are what the model answers{held}. "
HELD = " where the other columns are at their means"
LINES = (
    "Lines are its hyperplanes, solid where they divide two answers; the arrow points to the side where the "
    "sum is positive. "
)
NO_LINES = "No hyperplane crosses this picture. "


def planes(evidence: Evidence) -> str:
    """Return the rows over each pair of the most important columns; "" of a model with one input."""
    columns = chosen_columns(evidence)
    if len(columns) < 2:
        return ""
    names = short_names([_name(evidence, i) for i in columns], 28)
    of = dict(zip(columns, names, strict=True))
    panels: dict[str, str] = {}
    for k, (a, b) in enumerate(combinations(columns, 2), start=1):
        if sum(map(len, panels.values())) < MOST_LETTERS:
            panels[f"{of[a]} · {of[b]}"] = _plane(evidence, (a, b), f"plane{k}")
    if len(evidence.names) == 2:
        return "".join(panels.values())
    says = (
        "Rows by two columns at a time. They are drawn by these two alone, so a row may be answered "
        "otherwise than the colour below it says."
    )
    return paragraph(says) + tabs("plane", "Two of the columns with the largest weights:", panels)


def _name(evidence: Evidence, i: int) -> str:
    """Return what an input is called: its attribute if that is a number or a date."""
    one = next(one for one in attributes_of(evidence.network) if i in one.inputs)
    return told_name(one) if not one.is_category and i != one.gap else evidence.names[i]


def chosen_columns(evidence: Evidence) -> list[int]:
    """Return the inputs that are drawn, the most important first; of two values only for want of others."""
    weights, about = input_weights(evidence.network), evidence.network.surroundings
    # Of a category one value is enough: two of them are never there together.
    first = [max(one.inputs, key=lambda i: float(weights[i])) for one in attributes_of(evidence.network)]
    order = [i for i in sorted(first, key=lambda i: -float(weights[i])) if weights[i] > 0]
    varied = [i for i in order if not about.two[i]]
    return (varied if len(varied) >= 2 else order)[:MOST_COLUMNS]


def _plane(evidence: Evidence, two: tuple[int, int], name: str) -> str:
    some = _sample(evidence, two)
    rows, labels = evidence.X[some], evidence.y[some]
    features = tuple(two) if evidence.network.n_features > 2 else None
    display = HyperplaneDisplay(
        evidence.network, rows, labels, features=features, crowded=True, robust=True
    ).plot(resolution=STEPS)
    caption = AREAS.format(held=HELD if features else "") + (LINES if display.lines_ else NO_LINES)
    if display.dots_ is not None and display.dots_.rows.max() > 1:
        caption += "The larger a dot, the more rows of a class have these values. "
    if len(some) < len(evidence.y):
        every = count(len(evidence.y), "row")
        caption += f"{len(some)} of {every} are drawn, more of rare classes than their share."
    return figure(display, name, caption.strip())


def _sample(evidence: Evidence, two: tuple[int, int]) -> NDArray:
    """Return which rows are drawn: all if few dots are enough, else some of each class, evenly spread."""
    numbers = label_numbers(evidence.network, evidence.y)
    places = np.unique(np.column_stack([evidence.X[:, list(two)], numbers]), axis=0)
    if len(places) <= MOST_POINTS:
        return np.arange(len(numbers))
    sizes = np.bincount(numbers)
    share = np.maximum(MOST_POINTS * sizes / sizes.sum(), LEAST_OF_CLASS)
    kept = []
    for number in np.flatnonzero(sizes).tolist():
        own = np.flatnonzero(numbers == number)
        most = min(len(own), int(share[number]))
        kept.append(own[np.linspace(0, len(own) - 1, most).round().astype(int)])
    return np.sort(np.concatenate(kept))
