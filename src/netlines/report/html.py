"""The pieces of the page: tables, cards and pictures as HTML without links to anywhere."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from netlines.plots import style

# What the pictures draw in neutral and pale tones takes the page's own, light or dark.
_THEME = {
    style.DARK: "var(--ink)",
    "#000000": "var(--ink)",
    "black": "var(--ink)",
    style.GREY: "var(--soft)",
    "#DDDDDD": "var(--grid)",
    "#FFFFFF": "var(--paper)",
    "white": "var(--paper)",
    style.BLUE: "var(--blue)",
    style.VERMILLION: "var(--vermillion)",
    style.GREEN: "var(--green)",
    style.PURPLE: "var(--purple)",
    **{style.pale_color(k): f"var(--pale-{k})" for k in range(7)},
}
_COLORS = re.compile(rf"(: |=\")({'|'.join(map(re.escape, _THEME))})\b", re.IGNORECASE)
_LOWER = {color.lower(): variable for color, variable in _THEME.items()}
WIDE = 340  # points, above which a picture is scrolled on a phone rather than made too small to read


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, a CSS class, and the length from 0 to 1 of a bar behind it."""

    text: Any
    kind: str = ""
    bar: float | None = None


def table(
    head: Sequence[str], rows: Iterable[Sequence[Any]], *, left: int = 1, own: int | None = None
) -> str:
    """Return a table; the first `left` columns are aligned left, row `own` stands out."""

    rows = [list(row) for row in rows]

    def side(k: int) -> str:
        first = rows[0][k] if rows else None
        wide = isinstance(first, Cell) and (first.kind in ("text", "code") or first.bar is not None)
        return "left" if k < left or wide else ""

    heads = "".join(f'<th class="{side(k)}">{escape(name)}</th>' for k, name in enumerate(head))
    body = []
    for number, row in enumerate(rows):
        cells = (_cell(cell if isinstance(cell, Cell) else Cell(cell, side(k))) for k, cell in enumerate(row))
        body.append(f"<tr{' class=own' if number == own else ''}>{''.join(cells)}</tr>")
    whole = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    return f'<div class="scroll">{whole}</div>'


def _cell(cell: Cell) -> str:
    text = escape(str(cell.text))
    if cell.bar is not None:
        width = f"{100 * min(max(cell.bar, 0.0), 1.0):.1f}"
        return f'<td class="meter"><i style="width: calc({width}% - .4rem)"></i><span>{text}</span></td>'
    return f'<td class="{cell.kind}">{text}</td>'


def count(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def cards(entries: Sequence[tuple[str, str]]) -> str:
    """Return a row of cards, each with a figure and what it is."""
    items = (f"<li><b>{escape(number)}</b><span>{escape(what)}</span></li>" for number, what in entries)
    return f'<ul class="cards">{"".join(items)}</ul>'


def paragraph(text: str, kind: str = "") -> str:
    """Return a paragraph of plain text."""
    return f"<p{f' class={kind}' if kind else ''}>{escape(text)}</p>"


def figure(display: Any, name: str, caption: str) -> str:
    """Return a display's picture as inline SVG with a caption, and close it.

    Parameters
    ----------
    display : a Display with a `figure_`
    name : what tells its parts from those of other pictures of the page
    caption : what it shows, also for those who cannot see it
    """
    import matplotlib.pyplot as plt

    svg, width = to_svg(display.figure_, name)
    plt.close(display.figure_)
    kind = ' class="wide"' if width > WIDE else ""
    label = f'role="img" aria-label="{escape(caption)}"'
    return (
        f'<figure{kind}><div class="scroll">{svg.replace("<svg", f"<svg {label}", 1)}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def beside(figures: Sequence[str]) -> str:
    """Return pictures next to each other as far as the page is wide enough."""
    return f'<div class="figures">{"".join(figures)}</div>'


def to_svg(picture: Any, name: str) -> tuple[str, float]:
    """Return a matplotlib figure as SVG to stand within a page, in its colours, and its width in points."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "netlines"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the browser has other letters
        picture.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\n\s*<", "\n<", svg)
    # Only within tags: what stands between them is the user's own.
    svg = re.sub(r"<[^>]*>", lambda tag: _in_page(tag.group(), name), svg)
    width = float(re.search(r'width="([\d.]+)pt"', svg).group(1))  # type: ignore[union-attr]
    return svg, width


def _in_page(tag: str, name: str) -> str:
    """Return a tag of a picture for the page: own names, the page's colours and letters, few digits."""
    tag = re.sub(r"(\d\.\d\d)\d+", r"\1", tag)  # hundredths of a point are plenty
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r'(url\(|href=")#', rf"\1#{name}-", tag)
    tag = _COLORS.sub(_themed, tag)
    tag = re.sub(r"font-family: [^;\"]*;", "", tag)
    tag = re.sub(r"(font: [\d.]+px) [^;\"]*", r"\1 sans-serif", tag)
    return re.sub(r' transform="rotate\(-0 [^"]*"', "", tag)


def _themed(match: re.Match) -> str:
    """Return a colour of the page, as a style if it was an attribute of its own, which knows no variables."""
    before, color = match.groups()
    return f"{before}{_LOWER[color.lower()]}"
