"""How the answers of a model follow an attribute: mean probabilities over its range, as small pictures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, percent
from netlines.inspection.attributes import told_name
from netlines.network.attributes import BASE, Attribute
from netlines.network.protocol import AnyNetwork
from netlines.report.attribute_values import seen_values
from netlines.report.column_figures import is_drawable
from netlines.report.column_values import Seen
from netlines.report.evidence import Evidence
from netlines.report.html import beside, paragraph
from netlines.report.plain_table import one_line, quoted
from netlines.report.small_figures import (
    COLORS,
    EDGE,
    WIDTH,
    Scale,
    curve,
    legend,
    line,
    small_figure,
    steps,
    tick_texts,
    words,
)

MOST_RESPONSES = 6
MOST_CLASSES = 4  # curves of a picture
MOST_ROWS = 300  # over which the answers are averaged
POINTS = 40  # of a curve
MOST_BARS = 10  # categories
HIGH, STRIP, LEFT = 110.0, 26.0, 40.0  # of curves, of the rows below them, and of the numbers beside them
DASHES = ("", "6 3", "2 3", "8 3 2 3")


class Response(NamedTuple):
    """How answers follow an attribute.

    Attributes
    ----------
    places : array of shape (G,)
        Of numbers where on the scale, of categories their numbers.
    means : array of shape (G, C)
        The mean probability of each class; without probabilities the share of its answers.
    """

    places: NDArray
    means: NDArray


def response(network: AnyNetwork, one: Attribute, seen: Seen, X: NDArray) -> Response:
    """Return the mean answers if all rows had the same value of an attribute, for values over its range."""
    X = np.asarray(X, dtype=float)
    some = X[:: -(-len(X) // MOST_ROWS)]
    if seen.is_ordered:
        scale = Scale.of(seen)
        places = np.linspace(0, 1, POINTS)
        if _is_whole(seen, scale):
            places = (np.arange(scale.bins) + 0.5) / scale.bins
        values = scale.value(places)
        first = int(np.flatnonzero(~seen.missing)[0])
        shift = float(seen.values[first] - X[first, one.inputs[0]])  # dates are counted from another day
        settings = [{one.inputs[0]: value - shift} for value in values.tolist()]
    else:
        levels = seen.levels[:MOST_BARS]
        places = np.arange(float(len(levels)))
        settings = [_setting(one, level) for level in levels]
    if one.gap is not None:
        settings = [setting | {one.gap: 0.0} for setting in settings]
    many = np.tile(some, (len(settings), 1))
    for k, setting in enumerate(settings):
        own = slice(k * len(some), (k + 1) * len(some))
        for i, value in setting.items():
            many[own, i] = value
    known = network.has_probability
    p = network.probability(many) if known else np.eye(len(network.classes))[network.answers(many)]
    p = p.reshape(len(settings), len(some), -1)
    return Response(places, p.mean(axis=1))


def _is_whole(seen: Seen, scale: Scale) -> bool:
    """Tell whether the bins of a scale are whole numbers."""
    return seen.kind == "whole number" and not scale.powers and scale.high - scale.low == scale.bins


def _setting(one: Attribute, level: str) -> dict[int, float]:
    """Return the inputs of an attribute that has a value which is no number."""
    if one.kind == "boolean":
        return {one.inputs[0]: float(level == "yes")}
    low, high = one.levels
    choice = next(i for i in one.choices if i != one.gap and one.value(i) == level)
    return {i: high if i == choice != BASE else low for i in one.own}


def responses(evidence: Evidence) -> str:
    """Return small pictures of how the answers follow the most important attributes."""
    found = []
    for one in evidence.important[:MOST_RESPONSES]:
        seen = seen_values(one, evidence.X)
        if is_drawable(seen) and len(seen.present) and (seen.present != seen.present[0]).any():
            found.append((one, seen, response(evidence.network, one, seen, evidence.X)))
    if not found:
        return ""
    labels = evidence.labels
    shown = [evidence.finding]
    if len(labels) > 2:
        swing = np.sum([np.ptp(answers.means, axis=0) for _, _, answers in found], axis=0)
        shown = sorted(np.argsort(-swing, kind="stable")[:MOST_CLASSES].tolist())
    what = "probability" if evidence.network.has_probability else "share of the answers"
    of = f"of {quoted(labels[shown[0]])}" if len(labels) == 2 else "of the classes"
    some = ""
    if 2 < len(labels) > len(shown):
        some = f" Drawn are the {len(shown)} of {len(labels)} classes that change most."
    pictures = [_picture(one, seen, answers, shown) for one, seen, answers in found]
    return "\n".join(
        [
            "<h3>How the answers follow the most important attributes</h3>",
            paragraph(
                f"The mean {what} {of} by the model on this page, if all rows had the value below and all "
                f"else were as it is.{some} Below the curves, where the rows are. This is what the "
                "model does with the attribute; that changing it would change the truth does not follow."
            ),
            legend([str(labels[k]) for k in shown], range(len(shown))) if len(labels) > 2 else "",
            beside(pictures),
        ]
    )


def _picture(one: Attribute, seen: Seen, answers: Response, shown: list[int]) -> str:
    """Draw the mean probabilities over a range, or for each category."""
    name = told_name(one)
    told = " to ".join(percent(float(answers.means[end, shown[0]]), 0) for end in (0, -1))
    if not seen.is_ordered:
        return _bars(name, seen, answers, shown)
    scale = Scale.of(seen)
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = HIGH + 6 - HIGH * share
        parts.append(line(LEFT, y, WIDTH - EDGE, y))
        parts.append(words(LEFT - 4, y + 4, percent(share, 0), anchor="end", soft=True))
    for order, k in enumerate(shown):
        dash = f' stroke-dasharray="{DASHES[order]}"' if DASHES[order] else ""
        look = f'stroke="{COLORS[order]}" stroke-width="2"{dash}'
        parts.append(curve(answers.places, answers.means[:, k], HIGH + 6, HIGH, look, LEFT))
    places = scale.place(seen.present)
    heights = np.histogram(places, scale.bins, (0.0, 1.0))[0]
    base = HIGH + 10 + STRIP
    parts.append(steps(heights / max(heights.max(), 1), base, STRIP - 2, 6, LEFT))
    parts.append(tick_texts(scale, base + 14, LEFT))
    what = f"the mean probability over the range of {one_line(name, 60)}, from {told}"
    return small_figure(name, what, base + 18, *parts)


def _bars(name: str, seen: Seen, answers: Response, shown: list[int]) -> str:
    """Draw the mean probabilities for each category as bars."""
    parts, top = [], 0.0
    rows = seen.counts
    pitch = 9 if len(shown) == 1 else 12  # the share beside a bar stays clear of the next one
    for level, means, n in zip(seen.levels, answers.means[:, shown], rows.tolist(), strict=False):
        parts.append(words(EDGE, top + 11, level))
        parts.append(words(WIDTH - EDGE, top + 11, f"{count(n, 'row')}", anchor="end", soft=True))
        for order, mean in enumerate(means.tolist()):
            y = top + 14 + pitch * order
            wide = mean * (WIDTH - 2 * EDGE - 40)
            parts.append(
                f'<rect x="{EDGE}" y="{y}" width="{max(wide, 0.5):.1f}" height="8" fill="{COLORS[order]}"/>'
            )
            parts.append(words(EDGE + wide + 4, y + 8, percent(mean, 0), soft=True))
        top += 18 + pitch * len(shown)
    return small_figure(name, f"the mean probability for each value of {one_line(name, 60)}", top, *parts)
