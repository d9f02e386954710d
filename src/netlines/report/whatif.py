"""The what-if panel: a model that answers in the page itself, as values are changed by sliders and lists."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import Any

from netlines._words import count
from netlines.inspection.inputs import network_of
from netlines.report.whatif_value import attribute_values, network_value, settings

MOST_ATTRIBUTES = 200
MOST_LETTERS = 150_000  # of the network as text: a page stays small
MOST_STARTS = 30  # rows that can be begun with
PROGRAM = ("whatif_network.js", "whatif_missing.js", "whatif_reasons.js", "whatif.js")


def panel(model: Any, start: Any = None, *, names: Sequence[str] | None = None) -> str:
    """Return the panel as HTML with its own style and program: a page has one at most.

    Parameters
    ----------
    model : Network, Networks or fitted classifier
    start : table, array or None
        Rows to begin with, 30 at most are taken: rows of the user's table, or inputs as `InputRows`. None:
        the mean of each number and the most frequent of each category.
    names : sequence of str or None
        What these rows are called, for example "row 17, wrongly answered".

    Returns
    -------
    str
        A sentence instead if the model is too large for a page.

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.report.whatif import panel
    >>> panel(Network([[1.0, -1.0]], PASS_ON, ["out", "in"]))[:38]
    '<div class="whatif" id="whatif-panel">'
    >>> panel(Network([[1.0] * 999], PASS_ON, ["out", "in"]))
    '<p>The what-if panel is left out: the model has 998 attributes.</p>'
    """
    network = network_of(model)
    attributes = attribute_values(network)
    if len(attributes) > MOST_ATTRIBUTES:
        return _left_out(f"the model has {count(len(attributes), 'attribute')}")
    rows = [] if start is None else settings(network, attributes, start[:MOST_STARTS])
    given = [f"row {k}" for k in range(1, len(rows) + 1)] if names is None else names
    value = network_value(network) | {
        "attributes": attributes,
        "starts": rows or [[one["usual"] for one in attributes]],
        "names": [*given][: len(rows)] or ["usual values"],
    }
    text = as_script_text(value)
    if len(text) > MOST_LETTERS:
        size = f"{count(network.n_hidden, 'hyperplane')} and {count(len(attributes), 'attribute')}"
        return _left_out(f"the model is too large for a page, with {size}")
    program = "\n".join(_file(name) for name in PROGRAM)
    return f"""<div class="whatif" id="whatif-panel">
<style>
{_file("whatif.css")}</style>
<noscript><p>This panel computes in the page and needs JavaScript, which is switched off.</p></noscript>
<p class="wi-paper">The what-if panel works on a screen only.</p>
<script type="application/json" id="whatif-value">{text}</script>
<script>
(() => {{
"use strict";
{program}}})();
</script>
</div>"""


def as_script_text(value: Any) -> str:
    """Return a value as JSON that is safe inside of a script element, whatever texts are in it.

    Examples
    --------
    >>> from netlines.report.whatif import as_script_text
    >>> as_script_text(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _file(name: str) -> str:
    return (resources.files("netlines.report") / name).read_text(encoding="utf-8")


def _left_out(why: str) -> str:
    return f"<p>The what-if panel is left out: {escape(why)}.</p>"
