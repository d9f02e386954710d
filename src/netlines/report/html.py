"""A page and its pieces: tables, cards and pictures as HTML without links to anywhere."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from netlines import __version__
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
    """A cell of a table: its text, a CSS class, and the length from 0 to 1 of a bar behind it.

    `mark` is a CSS class and what stands before the text in its colour.
    """

    text: Any
    kind: str = ""
    bar: float | None = None
    mark: tuple[str, str] | None = None


def document(title: str, *header: str, sections: Mapping[str, tuple[str, str]], footer: str) -> str:
    """Return a whole page: a headline, what stands below it, links to the sections, the sections, a footer.

    `title` and the headings are plain text, all else is HTML; `sections` are heading and content by name.
    """
    links = "".join(f'<a href="#{name}">{escape(heading)}</a>' for name, (heading, _) in sections.items())
    body = "\n".join(
        f'<section id="{name}"><h2>{escape(heading)}</h2>\n{content}</section>'
        for name, (heading, content) in sections.items()
    )
    style = (resources.files("netlines.report") / "style.css").read_text(encoding="utf-8")
    above = "\n".join(header)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="netlines {__version__}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
{above}
<nav>{links}</nav>
</header>
{body}
<footer>{footer}</footer>
</body>
</html>
"""


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    left: int = 1,
    own: int | None = None,
    stacked: bool = False,
) -> str:
    """Return a table; the first `left` columns are aligned left, row `own` stands out.

    A cell before a None takes its place too. A `stacked` table has its cells one below the other on a phone.
    """

    rows = [list(row) for row in rows]

    def side(k: int) -> str:
        first = rows[0][k] if rows else None
        wide = isinstance(first, Cell) and (first.kind in ("text", "code") or first.bar is not None)
        return "left" if k < left or wide else ""

    heads = "".join(f'<th class="{side(k)}">{escape(name)}</th>' for k, name in enumerate(head))
    body = []
    for number, row in enumerate(rows):
        starts = [k for k, cell in enumerate(row) if cell is not None]
        cells = []
        for k, after in zip(starts, [*starts[1:], len(row)], strict=True):
            more = f' data-head="{escape(head[k])}"' if stacked and after == k + 1 else ""
            more += f" colspan={after - k}" if after > k + 1 else ""
            cells.append(_cell(row[k] if isinstance(row[k], Cell) else Cell(row[k], side(k)), more))
        kind = " class=own" if number == own else " class=group" if len(cells) == 1 < len(row) else ""
        body.append(f"<tr{kind}>{''.join(cells)}</tr>")
    kind = " class=stacked" if stacked else ""
    whole = f"<table{kind}><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    return f'<div class="scroll">{whole}</div>'


def _cell(cell: Cell, more: str) -> str:
    text = escape(str(cell.text))
    if cell.bar is not None:
        width = f"{100 * min(max(cell.bar, 0.0), 1.0):.1f}"
        return (
            f'<td class="meter"{more}><i style="width: calc({width}% - .4rem)"></i><span>{text}</span></td>'
        )
    if cell.mark is not None:
        kind, word = cell.mark
        text = f'<span class="{kind}">{escape(word)}</span> {text}'
    return f'<td class="{cell.kind}"{more}>{text}</td>'


def cards(entries: Sequence[tuple[str, str]]) -> str:
    """Return a row of cards, each with a figure and what it is."""
    items = (f"<li><b>{escape(number)}</b><span>{escape(what)}</span></li>" for number, what in entries)
    return f'<ul class="cards">{"".join(items)}</ul>'


def paragraph(text: str, kind: str = "", *, code: bool = False) -> str:
    """Return a paragraph of plain text; `code` says whether what stands between backticks is code."""
    inner = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)) if code else escape(text)
    return f"<p{f' class={kind}' if kind else ''}>{inner}</p>"


def items(texts: Iterable[str]) -> str:
    """Return a list of plain texts, nothing if there are none."""
    found = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{found}</ul>" if found else ""


def folded(heading: str, content: str) -> str:
    """Return HTML that is shown when its heading is clicked."""
    return f"<details><summary>{escape(heading)}</summary>{content}</details>"


def figure(display: Any, name: str, caption: str) -> str:
    """Return a picture as inline SVG with a caption, and close it.

    Parameters
    ----------
    display : a Display with a `figure_`, or a figure of matplotlib
    name : what tells its parts from those of other pictures of the page
    caption : what it shows, also for those who cannot see it
    """
    import matplotlib.pyplot as plt

    picture = getattr(display, "figure_", display)
    svg, width = to_svg(picture, name)
    plt.close(picture)
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
    """Return a matplotlib figure as SVG to stand within a page, in its colours, and its width in points.

    It edits matplotlib's text: test_a_picture_takes_the_colours_of_the_page pins what that looks like.
    """
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
    tag = _COLORS.sub(lambda found: f"{found[1]}{_LOWER[found[2].lower()]}", tag)
    tag = re.sub(r"font-family: [^;\"]*;", "", tag)
    tag = re.sub(r"(font: [\d.]+px) [^;\"]*", r"\1 sans-serif", tag)
    return re.sub(r' transform="rotate\(-0 [^"]*"', "", tag)
