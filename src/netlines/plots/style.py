"""What the pictures share: the colours of Okabe and Ito, the looks of classes, and where to draw."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
DARK, GREY, LIGHT = "#222222", "#666666", "#DDDDDD"  # with white the only neutral colours of lines and texts
MINUS = "−"  # as long as a plus
ON_CELLS = "#101010", "#FAFAFA"  # letters on bright and on dark cells, whatever the ground of the page
PALE_BLUE, PALE_ORANGE = "#E3F0F8", "#FADDBE"  # of different lightness too
_COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, DARK)
_PALE = (PALE_BLUE, PALE_ORANGE, "#CBE8DD", "#F7E6EE", "#FBEBC4", "#D6EDFA", "#D8D8D8")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")
# Lines only: dots are thousands of curves in a file of vectors.
_HATCHES = ("", "////", "||||", "xxxx", "\\\\\\\\", "----", "++++", "//", "||", "xx")
_SIZES = {"o": 22, "s": 20, "D": 18, "*": 40}


def class_style(number: int) -> dict[str, Any]:
    """Return colour, marker and its size for the class of a number: different ones for up to 70 classes."""
    marker = _MARKERS[number % len(_MARKERS)]
    return {"marker": marker, "color": class_color(number), "s": _SIZES.get(marker, 26)}


def class_color(number: int) -> str:
    """Return the colour of the class of a number."""
    return _COLORS[number % len(_COLORS)]


def pale_color(number: int) -> str:
    """Return a pale tone of the colour of the class of a number, for areas."""
    return _PALE[number % len(_PALE)]


def area_style(number: int) -> dict[str, Any]:
    """Return the looks of an area of the class of a number: pale, hatched in its colour."""
    hatch = _HATCHES[number % len(_HATCHES)]
    return {
        "facecolor": pale_color(number),
        "edgecolor": class_color(number),
        "linewidth": 0.7,
        "hatch": hatch,
    }


def class_name(label: Any) -> str:
    """Return how a label is written in a legend."""
    return plain(label) if isinstance(label, str) else f"class {label}"


def plain(text: str) -> str:
    """Return a text for legends and axes in which dollars are dollars, not mathematics."""
    return text.replace("$", r"\$")


def shortened(text: str, most: int = 24) -> str:
    """Return a text of at most so many letters, with an ellipsis for what is left out of its middle."""
    if len(text) <= most:
        return text
    head = (most + 1) // 2
    return f"{text[:head].rstrip()}…{text[len(text) - (most - head - 1) :].lstrip()}"


def text_widths(texts: Iterable[str], size: float) -> list[float]:
    """Return how wide texts of a size in points are, in inches."""
    return [_text_width(text, size) for text in texts]


@lru_cache(maxsize=4096)
def _text_width(text: str, size: float) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), plain(text) if text.strip() else "-", prop=FontProperties(size=size))
    return float(path.get_extents().width) / 72


def new_axes(ax: Any, **figure: Any) -> Any:
    """Return the given axes, or those of a new figure; without matplotlib an error that names the extra."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('netlines.plots needs matplotlib: pip install "netlines[plots]"') from error
    return plt.subplots(layout="constrained", **figure)[1] if ax is None else ax


def strip_below(ax: Any, share: float) -> Any:
    """Return axes below the given ones with the same scale to the right; they take a share of their place."""
    spec = ax.get_subplotspec()
    if spec is None:  # axes at a place of their own
        x, y, width, height = ax.get_position().bounds
        ax.set_position((x, y + share * height, width, (1.0 - share) * height))
        return ax.figure.add_axes((x, y, width, 0.75 * share * height), sharex=ax)
    upper, lower = spec.subgridspec(2, 1, height_ratios=(1.0 - share, share))
    ax.set_subplotspec(upper)
    return ax.figure.add_subplot(lower, sharex=ax)


def inch_axes(ax: Any, width: float, height: float) -> tuple[Any, float]:
    """Return empty axes whose units are inches, and by what letters have to shrink if they are smaller.

    New axes are as large as asked for. The scale of given ones is as large as their place lets an inch be.
    """
    ax = new_axes(ax, figsize=(width + 0.1, height + 0.1))
    ax.set(xlim=(0, width), ylim=(-height, 0), aspect="equal")
    ax.axis("off")
    ax.figure.draw_without_rendering()
    room = ax.get_window_extent().size / ax.figure.dpi
    scale = min(1.0, *(room / [width, height]))
    return ax, scale if scale >= 0.95 else 0.94 * scale  # small letters are relatively wider
