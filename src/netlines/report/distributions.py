"""The section of the report that shows how the most important attributes are spread in each class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, percent
from netlines.inspection.attributes import told_name
from netlines.report.attribute_values import seen_values
from netlines.report.column_figures import Groups, class_groups, is_drawable
from netlines.report.column_values import Seen
from netlines.report.evidence import Evidence
from netlines.report.html import beside, paragraph
from netlines.report.plain_table import one_line
from netlines.report.small_figures import (
    EDGE,
    WIDTH,
    Scale,
    across,
    box,
    legend,
    line,
    small_figure,
    steps,
    tick_texts,
    words,
)

MOST = 12  # attributes
MOST_STRIPS = 5  # classes with a histogram each; of more, boxes
MOST_BOXES = 12  # classes
MOST_BARS = 10  # categories
STRIP, BAR, LINE = 34.0, 27.0, 17.0  # heights
NAMES = 96.0  # room for the names of classes beside boxes


def distributions(evidence: Evidence) -> str:
    """Return a small picture of each of the most important attributes by class; "" if none can be drawn."""
    labels = [str(label) for label in evidence.labels]
    groups = class_groups(labels, evidence.of_class)
    found, categories, outside = [], False, 0
    for one in evidence.important[:MOST]:
        seen = seen_values(one, evidence.X)
        if not is_drawable(seen) or seen.missing.all():
            continue
        if not seen.is_ordered:
            categories = True
            found.append(shares(told_name(one), seen, groups))
        elif len(labels) <= MOST_STRIPS:
            outside += Scale.of(seen).outside
            found.append(strips(told_name(one), seen, Groups(tuple(labels), evidence.of_class)))
        else:
            outside += Scale.of(seen).outside
            found.append(boxes(told_name(one), seen, labels, evidence.of_class))
    if not found:
        return ""
    which = "The most important attributes" if len(evidence.important) > len(found) else "The attributes"
    how = [f"{which} as they are in the rows of each class, the most important first."]
    if len(labels) > MOST_STRIPS:
        how.append("Boxes hold the middle half of the rows, lines the middle 90 %, the mark is the median.")
        many = len(labels) > MOST_BOXES
        how += [f"Drawn are the {MOST_BOXES} most frequent of {len(labels)} classes."] if many else []
    else:
        how.append("Of numbers the height is the share of the rows of the class; classes in the order named.")
    if categories:
        how.append("Of categories each bar shows how the rows of a value divide, and how many there are.")
    if outside:
        be = "is" if outside == 1 else "are"
        how.append(f"{count(outside, 'value')} far out {be} drawn at the ends.")
    told = legend(groups.names) if categories or len(labels) <= MOST_STRIPS else ""
    return "\n".join([paragraph(" ".join(how)), told, beside(found)])


def strips(name: str, seen: Seen, groups: Groups) -> str:
    """Draw a histogram for each class, one above the other."""
    scale = Scale.of(seen)
    places = scale.place(seen.values)
    heights = np.zeros((len(groups.names), scale.bins))
    for k, size in enumerate(groups.sizes.tolist()):
        own = (groups.of_row == k) & ~seen.missing
        heights[k] = np.histogram(places[own], scale.bins, (0.0, 1.0))[0] / max(size, 1)
    highest = max(heights.max(), 1e-9)
    parts = []
    for k in range(len(groups.names)):
        base = STRIP * (k + 1)
        parts += [line(EDGE, base, WIDTH - EDGE, base), steps(heights[k] / highest, base, STRIP - 6, k)]
    height = STRIP * len(groups.names) + 16
    lacking = np.bincount(groups.of_row, seen.missing, len(groups.names)) / np.maximum(groups.sizes, 1)
    gaps = [percent(share, 0) for share in lacking.tolist()]
    parts.append(tick_texts(scale, STRIP * len(groups.names) + 13))
    if seen.n_missing:
        parts.append(words(EDGE, height + 12, f"missing: {', '.join(gaps)}", soft=True))
        height += 16
    what = f"{one_line(name, 60)} by class: {', '.join(groups.names)}"
    return small_figure(name, what, height, *parts)


def boxes(name: str, seen: Seen, labels: list[str], of_class: NDArray) -> str:
    """Draw the middle of the values of each class as a box, one above the other."""
    scale = Scale.of(seen)
    sizes = np.bincount(of_class, minlength=len(labels))
    shown = sorted(np.argsort(-sizes, kind="stable")[:MOST_BOXES].tolist())
    parts = []
    for row, k in enumerate(shown):
        y = LINE * (row + 0.5) + 2
        parts.append(words(NAMES - 6, y + 4, one_line(labels[k], 15), anchor="end"))
        values = seen.values[(of_class == k) & ~seen.missing]
        if not len(values):
            continue
        ends = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95))
        a, b, c, d, e = (across(place, NAMES) for place in scale.place(ends).tolist())
        parts += [
            line(a, y, e, y, "var(--soft)"),
            box(b, y - 4.5, max(d - b, 1.0), 9, 0),
            line(c, y - 6, c, y + 6, "var(--ink)", 2),
        ]
    height = LINE * len(shown) + 20
    parts.append(tick_texts(scale, height - 4, NAMES))
    return small_figure(name, f"{one_line(name, 60)} by class: the middle of the values", height, *parts)


def shares(name: str, seen: Seen, groups: Groups) -> str:
    """Draw for each category how its rows divide into the classes."""
    kept = min(len(seen.levels), MOST_BARS)
    values = np.minimum(seen.values.astype(np.int64), kept)
    names = list(seen.levels[:kept])
    if len(seen.levels) > kept:
        names.append(count(len(seen.levels) - kept, "other value"))
    if seen.n_missing:
        values = np.where(seen.missing, len(names), values)
        names.append("missing")
    counts = np.zeros((len(names), len(groups.names)))
    np.add.at(counts, (values, groups.of_row), 1)
    parts = []
    for row, (level, own) in enumerate(zip(names, counts, strict=True)):
        top = BAR * row
        parts.append(words(EDGE, top + 11, level))
        parts.append(words(WIDTH - EDGE, top + 11, f"{int(own.sum()):,}", anchor="end", soft=True))
        start = 0.0
        for k, share in enumerate((own / max(own.sum(), 1)).tolist()):
            wide = share * (WIDTH - 2 * EDGE)
            parts.append(box(EDGE + start, top + 14, wide, 8, k) if share else "")
            start += wide
    what = f"{one_line(name, 60)}: how the rows of each value divide into the classes"
    return small_figure(name, what, BAR * len(names), *parts)
