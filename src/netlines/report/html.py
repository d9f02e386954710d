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
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
# What a terminal or a browser would obey rather than show, but for the ends of lines and tabs.
_SYMBOLS = {
    **{code: 0x2400 + code for code in range(32) if code not in (9, 10)},
    127: 0x2421,
    **dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF], 0xFFFD),
}


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, a CSS class, and the length from 0 to 1 of a bar behind it.

    `mark` is a CSS class and what stands before the text in its colour. A `signed` bar begins in the middle
    and goes to the right up to 1, or to the left down to -1.
    """

    text: Any
    kind: str = ""
    bar: float | None = None
    mark: tuple[str, str] | None = None
    signed: bool = False


def document(
    title: str,
    *header: str,
    sections: Mapping[str, tuple[str, str]],
    footer: str,
    parts: Mapping[str, str] | None = None,
) -> str:
    """Return a whole page: a headline, what stands below it, contents in sight, the sections, a footer.

    It can load nothing and send nothing: its own policy forbids that to the browser. Control characters of
    names are shown as symbols.

    Parameters
    ----------
    title : plain text
    header : HTML
    sections : heading, as plain text, and content, as HTML, by name
    footer : HTML
    parts : the name of the part of the page, as plain text, by the name of the section that begins it
    """
    parts = parts or {}
    links, body = [], []
    for name, (heading, content) in sections.items():
        part = parts.get(name)
        if part is not None:
            links.append(f'<li class="part" aria-hidden="true">{escape(part)}</li>')
        above = f'<p class="part">{escape(part)}</p>' if part and part != heading else ""
        links.append(f'<li><a href="#{name}">{escape(heading)}</a></li>')
        body.append(
            f'<section id="{name}" aria-labelledby="{name}-heading">{above}'
            f'<h2 id="{name}-heading">{escape(heading)}</h2>\n{content}</section>'
        )
    lines, joined = "\n".join(header), "\n".join(body)
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="netlines {__version__}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>
{_file("style.css")}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<div class="page">
<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>
<ul>{"".join(links)}</ul></details></nav>
<main id="main">
<header>
<h1>{escape(title)}</h1>
{lines}
</header>
{joined}
<footer>{footer}</footer>
</main>
</div>
<script class="marks">
{_file("page.js")}</script>
</body>
</html>
"""
    return page.translate(_SYMBOLS)


def _file(name: str) -> str:
    return (resources.files("netlines.report") / name).read_text(encoding="utf-8")


def in_words(text: Any) -> str:
    """Return plain text as HTML, in which no line ends between a number and its percent sign.

    Examples
    --------
    >>> from netlines.report.html import in_words
    >>> in_words("a<b: 3.5 %")
    'a&lt;b: 3.5\\xa0%'
    """
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", escape(str(text)))


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    left: int = 1,
    own: int | None = None,
    stacked: bool | None = None,
) -> str:
    """Return a table; the first `left` columns are aligned left, row `own` stands out.

    A cell before a None takes its place too. A `stacked` table has its cells one below the other on a phone;
    None: if a column of texts stands beside several others.
    """

    rows = [list(row) for row in rows]
    if stacked is None:
        texts = [cell for cell in (rows[0] if rows else ()) if isinstance(cell, Cell) and cell.kind == "text"]
        stacked = bool(texts) and len(head) > 3

    def side(k: int) -> str:
        first = rows[0][k] if rows else None
        wide = isinstance(first, Cell) and (first.kind in ("text", "code") or first.bar is not None)
        return "left" if k < left or wide else ""

    heads = "".join(f'<th class="{side(k)}">{in_words(name)}</th>' for k, name in enumerate(head))
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
    text = in_words(cell.text)
    if cell.bar is not None and cell.signed:
        long, side = 50 * min(abs(cell.bar), 1.0), "plus" if cell.bar >= 0 else "minus"
        edge = f"{'left' if side == 'plus' else 'right'}: 50%; width: {long:.1f}%"
        return f'<td class="meter signed"{more}><i class="{side}" style="{edge}"></i><span>{text}</span></td>'
    if cell.bar is not None:
        width = f"{100 * min(max(cell.bar, 0.0), 1.0):.1f}"
        return (
            f'<td class="meter"{more}><i style="width: calc({width}% - .4rem)"></i><span>{text}</span></td>'
        )
    if cell.mark is not None:
        kind, word = cell.mark
        text = f'<span class="{kind}">{escape(word)}</span> {text}'
    return f'<td class="{cell.kind}"{more}>{text}</td>'


def cards(entries: Sequence[tuple[str, ...]]) -> str:
    """Return a row of cards, each with a figure, what it is and, in small print, what else is to be known."""
    cells = []
    for number, what, *more in entries:
        small = "".join(f"<small>{in_words(text)}</small>" for text in more if text)
        cells.append(f"<li><b>{in_words(number)}</b><span>{in_words(what)}</span>{small}</li>")
    return f'<ul class="cards">{"".join(cells)}</ul>'


def paragraph(text: str, kind: str = "", *, code: bool = False) -> str:
    """Return a paragraph of plain text; `code` says whether what stands between backticks is code."""
    inner = re.sub("`([^`]+)`", r"<code>\1</code>", in_words(text)) if code else in_words(text)
    return f"<p{f' class={kind}' if kind else ''}>{inner}</p>"


def items(texts: Iterable[str]) -> str:
    """Return a list of plain texts, nothing if there are none."""
    found = "".join(f"<li>{in_words(text)}</li>" for text in texts)
    return f"<ul>{found}</ul>" if found else ""


def folded(heading: str, content: str) -> str:
    """Return HTML that is shown when its heading is clicked."""
    return f"<details><summary>{in_words(heading)}</summary>{content}</details>"


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
    label = f'role="img" aria-label="{escape(caption)}"'
    return (
        f'<figure style="--wide: {width * 4 / 3:.0f}px">'
        f'<div class="scroll">{svg.replace("<svg", f"<svg {label}", 1)}</div>'
        f"<figcaption>{in_words(caption)}</figcaption></figure>"
    )


def beside(parts: Iterable[str], *, narrow: bool = False) -> str:
    """Return pictures or tables next to each other as far as the page is wide enough.

    `narrow` says that the first is text, which is as wide as what stands beside it lets it be.
    """
    kind = "figures narrow" if narrow else "figures"
    return f'<div class="{kind}">{"".join(f"<div>{one}</div>" for one in parts if one)}</div>'


def tabs(name: str, what: str, panels: Mapping[str, str]) -> str:
    """Return HTML of which one piece is shown, chosen by a row of buttons that work without a script.

    Parameters
    ----------
    name : what tells the buttons from others of the page
    what : what is chosen, as plain text
    panels : HTML by the text of its button, at most 6
    """
    if len(panels) == 1:
        return next(iter(panels.values()))
    parts = [f"<legend>{escape(what)}</legend>"]
    for k, text in enumerate(panels):
        on, button = " checked" if k == 0 else "", f"{name}-{k}"
        parts.append(f'<input type="radio" name="{name}" id="{button}"{on}>')
        parts.append(f'<label for="{button}">{escape(text)}</label>')
    parts += [f'<div class="panel">{content}</div>' for content in panels.values()]
    return f'<fieldset class="tabs">{"".join(parts)}</fieldset>'


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Return names with what they are, plain texts, as a list of definitions."""
    found = "".join(f"<dt>{in_words(name)}</dt><dd>{in_words(text)}</dd>" for name, text in rows)
    return f'<dl class="pairs">{found}</dl>' if found else ""


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
    svg = _few_letters(svg, name)
    width = float(re.search(r'width="([\d.]+)pt"', svg).group(1))  # type: ignore[union-attr]
    return svg, width


def _few_letters(svg: str, name: str) -> str:
    """Return a picture that looks the same in fewer letters: short names, one style for marks in a row."""
    short: dict[str, str] = {}
    svg = re.sub(
        rf'{re.escape(name)}-([mpCh][0-9a-f]{{9,}}(?:_[0-9a-f_]+)?)(?=["\)])',
        lambda found: f"{name}-{short.setdefault(found[1], f'{len(short):x}')}",
        svg,
    )
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', svg)) | {f"{name}-figure_1"}
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r' d="[^"]+"', lambda path: re.sub(r"\s*\n\s*", "", path[0]), svg)
    return re.sub(
        r'(<use [^>]*)( style="[^"]*")/>(?:\s*<use [^>]*\2/>)+',
        lambda marks: f"<g{marks[2]}>{marks[0].replace(marks[2], '')}</g>",
        svg,
    )


def _in_page(tag: str, name: str) -> str:
    """Return a tag of a picture for the page: own names, the page's colours and letters, few digits."""
    tag = re.sub(r"(\d\.\d\d)\d+", r"\1", tag)  # hundredths of a point are plenty, of places tenths
    places = r'( d| x| y)="[^"]+"'
    tag = re.sub(places, lambda found: re.sub(r"(\d\.\d)\d", r"\1", found[0]).replace(".0 ", " "), tag)
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r'(url\(|href=")#', rf"\1#{name}-", tag)
    tag = _COLORS.sub(lambda found: f"{found[1]}{_LOWER[found[2].lower()]}", tag)
    tag = re.sub(r"font-family: [^;\"]*;", "", tag)
    tag = re.sub(r"(font: [\d.]+px) [^;\"]*", r"\1 sans-serif", tag)
    return re.sub(r' transform="rotate\(-0 [^"]*"', "", tag)
