"""One self-contained page: claim → published → measured → holds?, then every experiment with its figures."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from netlines.reproduce.report.chapters import Chapter
from netlines.reproduce.report.facts import Facts
from netlines.reproduce.report.tables import (
    MARKS,
    MEANS,
    Table,
    claims_table,
    departures_in_words,
    departures_table,
    describe_counts,
    describe_work,
    headline_table,
    means_table,
)

STYLE = """
:root { --ink: #1b1b1b; --soft: #5a5a5a; --line: #d9d9d9; --yes: #00714f; --no: #b34700; --paper: #ffffff; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 76rem; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
p, li { max-width: 46rem; } .soft { color: var(--soft); font-size: .9rem; }
nav a { display: inline-block; margin: 0 .9rem .3rem 0; } a { color: #0060a0; }
.counts { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; list-style: none; }
.counts li { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; }
.counts b { font-size: 1.3rem; display: block; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .86rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 600; background: #f5f5f3; position: sticky; top: 0; }
.group td { font-weight: 600; font-size: 1rem; padding-top: 1.1rem; }
.yes { color: var(--yes); font-weight: 600; } .no { color: var(--no); font-weight: 600; }
figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 46rem; }
summary { cursor: pointer; color: #0060a0; padding: .3rem 0; }
@media (max-width: 46rem) {
  table.cards, .cards tbody, .cards tr, .cards td { display: block; width: 100%; }
  .cards thead { display: none; } .cards tr { border-bottom: 2px solid var(--line); padding: .6rem 0; }
  .cards td { border: 0; padding: .15rem 0; } .cards td:first-child { font-weight: 600; }
  .cards td:empty { display: none; }
  .wide { overflow-x: auto; } .wide img { max-width: none; width: 44rem; }
  .cards td[data-head]:not(:first-child)::before { content: attr(data-head) ": "; color: var(--soft); }
}
@media print {
  html { font-size: 9pt; } body { font-size: 9.5pt; max-width: none; padding: 0; }
  nav, details { display: none; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
  th { position: static; }
}
"""


INTRODUCTION = """\
<p>Every claim that the text of Torres-Moreno and Gordon's paper makes about its experiments, measured anew:
by the paper's own algorithm, <code>NetLinesClassifier(schedule="paper", refine=False)</code>, by the default
<code>NetLinesClassifier</code> and by <code>NetLinesClassifierCV</code>, with today's classifiers on the same
patterns. Where the paper leaves something open, ours is one reading of it.</p>"""
CAPTION = "Means over the runs; error bars, where there are any, are standard deviations."


def make_page(
    chapters: Sequence[Chapter], pictures: Mapping[str, bytes], facts: Facts, command: str, seconds: float
) -> str:
    """Return the page.

    Parameters
    ----------
    chapters : the experiments
    pictures : SVG figures by name
    facts : versions and machine
    command : what made it
    seconds : work of all runs, on one core
    """
    title = "Adaptive learning with binary neurons, reproduced"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{title}</title><style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        INTRODUCTION,
        f'<p class="soft"><code>{escape(command)}</code>, {facts.date}, {escape(facts.versions())}. '
        f"{escape(facts.machine)}. {describe_work(chapters, seconds)}.</p>",
        _counts(chapters),
        _navigation(chapters),
        '<h2 id="claims">The claims</h2>',
        _table(claims_table(chapters), cards=True),
        '<h2 id="figures">All figures beside the paper\'s</h2>',
        f"<p>{MEANS}</p>",
        _table(headline_table(chapters), cards=True),
        '<h2 id="departures">What each departure from the paper is worth</h2>',
        "<ul>",
        *(f"<li>{escape(sentence)}</li>" for sentence in departures_in_words(chapters)),
        "</ul>",
        _table(departures_table(chapters), cards=True),
        *(_chapter(chapter, pictures) for chapter in chapters),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _counts(chapters: Sequence[Chapter]) -> str:
    items = [f"<li><b>{number}</b>claims hold: {escape(of)}</li>" for number, of in describe_counts(chapters)]
    return f'<ul class="counts">{"".join(items)}</ul>'


def _navigation(chapters: Sequence[Chapter]) -> str:
    fixed = {"claims": "The claims", "figures": "All figures", "departures": "Departures"}
    links = {**fixed, **{c.experiment.name: c.experiment.title for c in chapters}}
    anchors = (f'<a href="#{name}">{escape(title)}</a>' for name, title in links.items())
    return f"<nav>{''.join(anchors)}</nav>"


def _chapter(chapter: Chapter, pictures: Mapping[str, bytes]) -> str:
    experiment = chapter.experiment
    parts = [
        f'<h2 id="{experiment.name}">{escape(experiment.title)}</h2>',
        f"<p>{escape(experiment.about)}</p>",
    ]
    if experiment.remarks:
        parts.append(f"<p>{escape(experiment.remarks)}</p>")
    for name, figure in chapter.figures.items():
        source = f"data:image/svg+xml;base64,{base64.b64encode(pictures[name]).decode()}"
        alt = escape(f"{experiment.title}: {name.replace('-', ' ')}")
        kind = ' class="wide"' if figure.get_figwidth() > 7 else ""
        picture = f'<img alt="{alt}" src="{source}">'
        parts.append(f"<figure{kind}>{picture}<figcaption>{CAPTION}</figcaption></figure>")
    parts.append(f"<details><summary>All means</summary>{_table(means_table(chapter))}</details>")
    return "\n".join(parts)


def _table(table: Table, *, cards: bool = False) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.head)
    body = "".join(_row(table.head, row) for row in table.rows)
    kind = ' class="cards"' if cards else ""
    return (
        f'<div class="scroll"><table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _row(head: Sequence[str], row: Sequence[str | None]) -> str:
    cells = []
    for k, cell in enumerate(row):
        if cell is None:
            continue
        span = 1 + next((n for n, later in enumerate(row[k + 1 :]) if later is not None), len(row) - k - 1)
        wide = f' colspan="{span}"' if span > 1 else ""
        name = "" if span > 1 else f' data-head="{escape(head[k])}"'
        cells.append(f"<td{wide}{name}>{_cell(cell)}</td>")
    kind = ' class="group"' if len(cells) == 1 else ""
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _cell(text: str) -> str:
    """Return a cell, a verdict's mark in its colour and in words for who cannot see it."""
    for holds, kind, word in ((True, "yes", "holds"), (False, "no", "does not hold")):
        if text.startswith(MARKS[holds]):
            rest = escape(text[len(MARKS[holds]) :].strip())
            return f'<span class="{kind}" title="{word}">{MARKS[holds]} {word}</span> {rest}'
    return escape(text)
