"""Scorecards as text and as HTML: what is added up, how to read the total, and how probable that is."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from netlines._words import joined, wrapped
from netlines.inspection.scorecard.terms import written
from netlines.inspection.scorecard.totals import Total
from netlines.network.probability import expit

WIDTH = 80
SHOWN = 7  # totals with their probability
LONGEST = 60  # characters of a condition before it is cut


def formula_of(total: Total) -> str:
    """Return the total and its cut in one line: 2·[age ≥ 50] − [sex=female] ≥ 1."""
    parts = []
    for k, entry in enumerate(total.entries):
        size = abs(entry.points)
        text = entry.term if size == 1 else f"{size}·{entry.term}"
        sign = "− " if entry.points < 0 else "+ "
        parts.append((sign.strip() if k == 0 and entry.points < 0 else "" if k == 0 else sign) + text)
    if not parts:
        return "always" if total.answers[0] else "never"
    left = " ".join(parts)
    steps = [between(total, k) for k, yes in enumerate(total.answers) if yes]
    if len(steps) == 1:
        return steps[0].replace("total", left)
    return f"{left}: " + joined(steps, "or")


def between(total: Total, k: int) -> str:
    """Return which totals a step between cuts has, in words."""
    cuts = total.cuts
    if k == 0:
        return f"total < {number(cuts[0])}" if cuts else "any total"
    if k == len(cuts):
        return f"total ≥ {number(cuts[-1])}"
    low, high = cuts[k - 1], cuts[k]
    if total.whole:
        return f"total = {number(low)}" if high == low + 1 else f"{number(low)} ≤ total ≤ {number(high - 1)}"
    return f"{number(low)} ≤ total < {number(high)}"


def number(value: float) -> str:
    """Return a total as text."""
    return written(float(value))


def handful(total: Total) -> list[float]:
    """Return a few totals that rows can have: the ends, those next to the cuts, and some between."""
    if not total.possible:
        return [float(cut + side) for cut in total.cuts for side in (-1, 0)]
    if not total.whole:
        low, high = total.possible
        if not np.isfinite([low, high]).all():
            return [float(cut + more) for cut in total.cuts for more in (-10, -5, 0, 5, 10)]
        return sorted({float(round(one)) for one in (*np.linspace(low, high, SHOWN - 1), *total.cuts)})
    every = list(total.possible)
    if len(every) <= SHOWN + 2:
        return every
    places = set(np.rint(np.linspace(0, len(every) - 1, SHOWN - 2 * len(total.cuts))).astype(int).tolist())
    for cut in total.cuts:
        at = int(np.searchsorted(every, cut))
        places |= {k for k in (at - 1, at) if 0 <= k < len(every)}
    return [every[k] for k in sorted(places)]


def chances(total: Total) -> dict[float, float]:
    """Return the probability of the second class at a handful of totals; none if they are not known."""
    some = np.array(handful(total))
    z = total.log_odds(some)
    if z is None:
        return {}
    second = total.second(some)
    p = np.where(second, np.maximum(expit(z), 0.5), np.minimum(expit(z), 0.5))
    return {plain(value): float(one) for value, one in zip(some, p, strict=True)}


def plain(value: float) -> Any:
    """Return a whole number as an integer."""
    return int(value) if value == int(value) else float(value)


def percent(p: float) -> str:
    """Return a probability for a small table: never 0 or 100 %."""
    return "<1 %" if p < 0.005 else ">99 %" if p > 0.995 else f"{100 * p:.0f} %"


def card_lines(total: Total, first: str, second: str) -> list[str]:
    """Return the lines of one total: the table, how to read it, and probabilities.

    Parameters
    ----------
    total : what is added up
    first, second : what its answers are
    """
    if not total.entries:
        return [f"  always {second if total.answers[0] else first}"]
    texts = [_short(entry.condition) for entry in total.entries]
    width = max(map(len, [*texts, "condition"]))
    lines = [f"  {'condition':<{width}}  points"]
    for text, entry in zip(texts, total.entries, strict=True):
        lines.append(f"  {text:<{width}}  {_signed(entry.points):>6}")
    lines += ["", *_reading(total, first, second)]
    found = chances(total)
    if found:
        cells = [(number(value), percent(p)) for value, p in found.items()]
        head = f"  chance of {second}"
        head = head if len(head) <= 24 else f"{head[:23]}…"
        size = max(max(map(len, pair)) for pair in cells) + 2
        rows = ["  total".ljust(len(head)), head]
        per = max(1, (WIDTH - len(head)) // size)
        for start in range(0, len(cells), per):
            some = cells[start : start + per]
            lines += [
                "",
                *(row + "".join(pair[k].rjust(size) for pair in some) for k, row in enumerate(rows)),
            ]
    return lines


def _reading(total: Total, first: str, second: str) -> list[str]:
    """Return how to read the total."""
    steps = [between(total, k) for k, yes in enumerate(total.answers) if yes]
    if not steps:
        return [wrapped(f"any total: {first}", WIDTH)]
    return wrapped(f"{joined(steps, 'or')}: {second}, otherwise {first}", WIDTH).split("\n")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}"


def card_html(total: Total, first: str, second: str) -> str:
    """Return one total as HTML, all that users named as text."""
    rows = "".join(
        f"<tr><td>{escape(entry.condition)}</td>"
        f"<td style='text-align:right'>{_signed(entry.points)}</td></tr>"
        for entry in total.entries
    )
    found = chances(total)
    table = ""
    if found:
        heads = "".join(f"<td style='text-align:right'>{number(value)}</td>" for value in found)
        cells = "".join(f"<td style='text-align:right'>{escape(percent(p))}</td>" for p in found.values())
        table = (
            f"<table><tr><th scope='row'>total</th>{heads}</tr>"
            f"<tr><th scope='row'>chance of {escape(second)}</th>{cells}</tr></table>"
        )
    reading = escape(" ".join(line.strip() for line in _reading(total, first, second)))
    return (
        f"<table><thead><tr><th>condition</th><th>points</th></tr></thead><tbody>{rows}</tbody></table>"
        f"<p>{reading}</p>{table}"
    )
