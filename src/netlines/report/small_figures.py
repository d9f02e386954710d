"""Small pictures written as SVG by hand: many of them stand on a page, so that each has to be light.

Lengths are in pixels of the page; colours are the page's own, light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from netlines.report.column_figures import is_skewed, scale_of, ticks_of
from netlines.report.column_values import Seen
from netlines.report.plain_table import one_line

WIDTH = 300
EDGE = 6
COLORS = (
    *(f"var(--{name})" for name in ("blue", "vermillion", "green", "purple")),
    "#E69F00",
    "#56B4E9",
    "var(--soft)",
)
LETTERS = 11  # size of letters
LONGEST = 44  # letters of a line


@dataclass(frozen=True)
class Scale:
    """Where values of an attribute stand on a line from 0 to 1.

    Attributes
    ----------
    low, high : its ends, of powers of ten if `powers`
    bins : of a histogram
    outside : values beyond the ends, which are drawn at them
    """

    low: float
    high: float
    bins: int
    outside: int
    powers: bool
    ticks: tuple[tuple[float, str], ...]

    @classmethod
    def of(cls, seen: Seen) -> Scale:
        """Return the scale of values that are numbers."""
        powers = is_skewed(seen)
        if powers:
            seen = Seen(seen.kind, np.log10(np.where(seen.missing, 1.0, seen.values)), seen.missing)
        low, high, bins, outside = scale_of(seen, powers)
        ticks = zip(*ticks_of(seen, low, high, powers), strict=True)
        return cls(low, high, bins, outside, powers, tuple(ticks))

    def place(self, values: NDArray) -> NDArray:
        """Return where values stand."""
        values = np.log10(np.maximum(values, 10.0**self.low)) if self.powers else values
        return np.asarray(np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0))

    def value(self, places: NDArray) -> NDArray:
        """Return the values at places."""
        values = self.low + places * (self.high - self.low)
        return np.asarray(10.0**values if self.powers else values)


def small_figure(name: str, what: str, height: float, *parts: str) -> str:
    """Return a small picture with a name above it; `what` tells what it shows to those who cannot see it."""
    label = f'role="img" aria-label="{escape(what)}"'
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    body = "".join(parts)
    return (
        f"<figure><figcaption><b>{escape(name)}</b></figcaption>"
        f'<svg {label} {size} font-size="{LETTERS}">{body}</svg></figure>'
    )


def across(place: float, left: float = EDGE) -> float:
    """Return how far to the right a place from 0 to 1 is."""
    return left + place * (WIDTH - left - EDGE)


def words(x: float, y: float, text: str, *, anchor: str = "start", soft: bool = False) -> str:
    """Return a text; long ones are cut in the middle."""
    style = ' style="fill: var(--soft)"' if soft else ""
    told = escape(one_line(text, LONGEST), quote=False)
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{told}</text>'


def tick_texts(scale: Scale, y: float, left: float = EDGE) -> str:
    """Return the values below a picture, those at its ends within it."""
    found, last = [], -np.inf
    for place, text in scale.ticks:
        half = 3.2 * len(text)
        x = min(max(across(place, left), left + half - 4), WIDTH - half)
        if x - half > last:
            told = re.sub(r"^-(?=[\d.])", "−", text.replace("\\$", "$"))
            found.append(words(x, y, told, anchor="middle", soft=True))
            last = x + half + 4
    return "".join(found)


def line(x1: float, y1: float, x2: float, y2: float, color: str = "var(--grid)", width: float = 1) -> str:
    """Return a straight line."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{color}" stroke-width="{width:g}"/>'


def box(x: float, y: float, width: float, height: float, k: int) -> str:
    """Return a filled rectangle in the colour of a number."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{COLORS[k % len(COLORS)]}"/>'


def steps(heights: NDArray, base: float, high: float, k: int, left: float = EDGE) -> str:
    """Return a histogram as one area: heights from 0 to 1 of equal bins above a base."""
    wide = (WIDTH - left - EDGE) / len(heights)
    path = f"M{left:.1f} {base:.1f}" + "".join(
        f"V{base - high * height:.1f}h{wide:.2f}" for height in heights.tolist()
    )
    color, pale = COLORS[k % len(COLORS)], f"var(--pale-{k % 7})"
    return f'<path d="{path}V{base:.1f}Z" fill="{pale}" stroke="{color}" stroke-width="1"/>'


def curve(places: NDArray, heights: NDArray, base: float, high: float, look: str, left: float = EDGE) -> str:
    """Return a line through points from 0 to 1; `look` are its attributes."""
    points = " ".join(
        f"{across(x, left):.1f},{base - high * y:.1f}"
        for x, y in zip(places.tolist(), heights.tolist(), strict=True)
    )
    return f'<polyline points="{points}" fill="none" {look}/>'


def legend(names: Sequence[str], colors: Sequence[int] | None = None) -> str:
    """Return what the colours mean, as HTML."""
    numbers = range(len(names)) if colors is None else colors
    items = "".join(
        f'<span style="margin-right: 1.1rem; display: inline-block"><span aria-hidden="true" '
        f'style="color: {COLORS[k % len(COLORS)]}">■</span> {escape(name)}</span>'
        for k, name in zip(numbers, names, strict=True)
    )
    return f'<p class="soft">{items}</p>'
