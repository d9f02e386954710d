"""Where a report comes from: the files with their hashes, the rows, the versions, the commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from typing import Any

from netlines import __version__
from netlines._words import count
from netlines.report.evidence import Evidence
from netlines.report.html import items, pairs, paragraph

MOST_LEFT_OUT = 200


@dataclass(frozen=True)
class Provenance:
    """Where a model and a report of it come from.

    Parameters
    ----------
    table : mapping
        The table reported on: `file` and `sha256`; empty if it was no file.
    model : mapping
        The model file: `file` and `sha256`; empty if it was none.
    seed : int or None
        What decided everything random at the fit.
    fitted_by : str
        The version that fitted the model, "" if it is not known.
    rows : int or None
        Of the fit.
    parameters : str
        How the model was asked for.
    command : str
        What made the report.
    """

    table: Mapping[str, str] = field(default_factory=dict)
    model: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    fitted_by: str = ""
    rows: int | None = None
    parameters: str = ""
    command: str = ""


def provenance_rows(evidence: Evidence, about: Provenance) -> list[tuple[str, str]]:
    """Return what is known of where the model and the page come from, each with its name."""
    source: Mapping[str, Any] = evidence.source
    rows = len(evidence.y) + sum(1 for one in evidence.incomplete_numbers if one not in evidence.numbers)
    layout = evidence.network.layout
    columns = count(evidence.network.n_features if layout is None else len(layout.names), "column")
    told = [
        ("reported on", f"{_file(about.table)}{count(rows, 'row')} × {columns}"),
        ("trained on", _trained_on(source, about)),
        ("model file", _file(about.model).rstrip("; ")),
        ("fitted", ", ".join(filter(None, [source.get("date", ""), about.fitted_by]))),
        ("seed", "" if about.seed is None else str(about.seed)),
        ("asked for", about.parameters),
        # Newer models are told by their verdict, which stands on top of the page.
        ("how it was chosen", "" if evidence.known.get("sentences") else evidence.chosen or ""),
        ("command of the fit", source.get("command", "")),
        ("command of this page", about.command),
        ("this page", f"{date.today().isoformat()}, {versions()}"),
    ]
    return [(name, text) for name, text in told if text]


def provenance(evidence: Evidence, about: Provenance) -> str:
    """Return the section on where the model and the page come from."""
    left = left_out(evidence.network.layout)
    parts = [pairs(provenance_rows(evidence, about))]
    if about.table and evidence.source.get("sha256"):
        same = about.table["sha256"] == evidence.source["sha256"]
        parts.insert(0, paragraph(SAME if same else OTHER))
    if left:
        parts += ["<h3>Columns left out</h3>", items(left[:MOST_LEFT_OUT])]
    return "\n".join(parts)


SAME = "The table reported on is the one that the model was trained on, byte for byte."
OTHER = "The table reported on is not the one that the model was trained on: their hashes differ."


def left_out(layout: Any) -> list[str]:
    """Return the columns of the table that the model does not use, each with the reason."""
    return [] if layout is None else [f"{name}: {reason}" for name, reason in layout.left_out]


def versions() -> str:
    """Return the versions that a report depends on."""
    others = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    return f"netlines {__version__}, {others}"


def _file(facts: Mapping[str, str]) -> str:
    return f"{facts['file']}, SHA-256 {facts['sha256']}; " if facts else ""


def _trained_on(source: Mapping[str, Any], about: Provenance) -> str:
    told = [source.get("file", "")]
    told += [f"SHA-256 {source['sha256']}"] if source.get("sha256") else []
    told += [] if about.rows is None else [count(about.rows, "row")]
    return ", ".join(filter(None, told))
