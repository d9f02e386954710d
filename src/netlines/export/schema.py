"""The JSON Schema of model files, made of the tables that check them.

`python -m netlines.export.schema` writes it anew, beside this module. It says of what type and size each
entry is; the check on load demands more: that lengths fit each other, and that what is said is possible.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from netlines.export.facts import CANDIDATE, FACTS, FOLDS, OPTIONS, SIZE, SOURCE, VERDICT
from netlines.export.kinds import (
    LARGEST_FACT,
    LARGEST_WEIGHT,
    MOST_CLASSES,
    MOST_FACTS,
    MOST_INPUTS,
    MOST_PARTS,
    MOST_UNITS,
    Kind,
)
from netlines.export.model_file import FORMAT, NAME, PARAMETERS
from netlines.export.network_json import (
    BACKGROUND,
    CALIBRATION,
    LABELS,
    NAMES,
    NETWORK,
    NETWORKS,
    PART,
    RECORD,
)
from netlines.network.layout import (
    DECIMALS,
    KINDS,
    LARGEST,
    LONGEST_TEXT,
    MOST_CATEGORIES,
    ORDERS,
    PARTS,
)

FILE = Path(__file__).with_name("model_file.schema.json")

_NULL, _TEXT, _FACT = {"type": "null"}, {"$ref": "#/$defs/text"}, {"$ref": "#/$defs/fact"}
_NETWORK, _BACKGROUND = {"$ref": "#/$defs/network"}, {"$ref": "#/$defs/background"}
_TYPES = {"number": "number", "integer": "integer", "flag": "boolean", "object": "object", "prose": "string"}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the format that this version writes."""
    part = _object({**_entries(PART), "network": _NETWORK})
    metadata = {"fit": {"$ref": "#/$defs/fit"}, **_entries(PARAMETERS)}
    around = {
        "format": {"const": NAME},
        "version": {"const": FORMAT},
        "feature_names": _kind(NAMES),
        "background": _or_null(_BACKGROUND),
        "table": _or_null({"$ref": "#/$defs/table"}),
        "metadata": {"type": "object", "properties": metadata},
    }
    several = {
        **_entries(NETWORKS),
        "classes": _labels(many=True),
        "parts": _list(part, 1, MOST_PARTS),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A model file of netlines, format {FORMAT}",
        "oneOf": [_object({**around, **_network(many=True)}), _object({**around, **several})],
        "$defs": {
            "network": _object(_network(many=False)),
            "background": _object(_entries(BACKGROUND)),
            "table": _table(),
            "fit": _facts(),
            "fact": _fact(),
            "text": {"type": "string", "maxLength": LONGEST_TEXT},
        },
    }


def _network(many: bool) -> dict[str, Any]:
    """Return the entries of one network."""
    record = {"type": "object", "maxProperties": MOST_FACTS, "properties": _entries(RECORD)}
    record["additionalProperties"] = _FACT
    trace = _kind(NETWORK["growth_trace"])
    return {
        "classes": _labels(many),
        "hidden_weights": _weights(MOST_UNITS, MOST_INPUTS + 1),
        "output_weights": _weights(MOST_CLASSES, MOST_UNITS + 1),
        **_entries(NETWORK),
        "growth_trace": {**trace, "items": record},
        "calibration": _or_null(_object(_entries(CALIBRATION))),
    }


def _labels(many: bool) -> dict[str, Any]:
    most = MOST_CLASSES if many else 2
    types: dict[type, dict[str, Any]] = {str: _TEXT}
    types |= {bool: {"type": "boolean"}, int: {"type": "integer"}, float: {"type": "number"}}
    kinds = []
    for own, label in types.items():
        dtypes = [dtype for dtype, kind in LABELS.items() if kind is own]
        kinds.append({"dtype": {"enum": dtypes}, "values": _list(label, 2, most, uniqueItems=True)})
    return {"oneOf": [_object(kind) for kind in kinds]}


def _weights(rows: int, columns: int) -> dict[str, Any]:
    return {
        "oneOf": [
            _object(
                {
                    "dtype": {"const": dtype},
                    "values": _list(_list(_kind(Kind(least=-most, most=most)), 2, columns), 1, rows),
                }
            )
            for dtype, most in LARGEST_WEIGHT.items()
        ]
    }


def _table() -> dict[str, Any]:
    """Return what a `Layout` is as JSON."""
    flag = {"type": "boolean"}
    column = {
        "name": _TEXT,
        "kind": {"enum": list(KINDS)},
        "source": _TEXT,
        "part": {"enum": list(PARTS)},
        "categories": _list(_TEXT, 0, MOST_CATEGORIES, uniqueItems=True),
        "base": _or_null(_TEXT),
        "other": _TEXT,
        "gaps": flag,
        "fill": _or_null({"type": "number", "minimum": -LARGEST, "maximum": LARGEST}),
        "decimal": {"enum": list(DECIMALS)},
        "start": {"type": "integer"},
        "order": {"enum": list(ORDERS)},
    }
    pairs = _list(_list(_TEXT, 2, 2), 0, MOST_INPUTS)
    return _object(
        {
            "names": _list(_TEXT, 1, MOST_INPUTS, uniqueItems=True),
            "columns": _list(_object(column), 1, MOST_INPUTS),
            "left_out": pairs,
            "target": _or_null(_TEXT),
            "named": flag,
            "labels": pairs,
        }
    )


def _facts() -> dict[str, Any]:
    """Return what `Facts` are as JSON; older files lack some of them."""
    entries = _entries(FACTS)
    for name, kind in FOLDS.items():
        by_fold = {**_kind(kind), "minItems": 2}
        entries[name] = {"type": "object", "propertyNames": _TEXT, "additionalProperties": by_fold}
    entries["candidates"] = {**entries["candidates"], "items": _with_facts(CANDIDATE)}
    entries["sizes"] = {**entries["sizes"], "items": _with_facts(SIZE)}
    entries |= {"verdict": _with_facts(VERDICT), "source": _with_facts(SOURCE)}
    entries["options"] = {"type": "object", "properties": _entries(OPTIONS), "additionalProperties": False}
    needed = ["netlines", "rows", "seed", "training_errors", "stop_reason", "cross_validated_errors"]
    return {"type": "object", "properties": entries, "required": needed}


def _with_facts(table: Mapping[str, Kind]) -> dict[str, Any]:
    """Return what an object is that has values of a table, and may have plain facts beside."""
    return {
        "type": "object",
        "maxProperties": MOST_FACTS,
        "properties": _entries(table),
        "additionalProperties": _FACT,
    }


def _fact() -> dict[str, Any]:
    """Return what else a record may hold."""
    number = {"type": "number", "minimum": -LARGEST_FACT, "maximum": LARGEST_FACT}
    simple = {"anyOf": [_NULL, {"type": "boolean"}, number, _TEXT]}
    return {"anyOf": [simple, _list(simple, 0, MOST_FACTS)]}


def _entries(table: Mapping[str, Kind]) -> dict[str, Any]:
    return {name: _kind(kind) for name, kind in table.items()}


def _kind(kind: Kind) -> dict[str, Any]:
    """Return the schema of one entry of a table."""
    found = _item(kind)
    for letter in reversed(kind.shape):
        found = {"type": "array", "items": found, **({"maxItems": kind.long} if letter == "*" else {})}
    return _or_null(found) if kind.null else found


def _item(kind: Kind) -> dict[str, Any]:
    if kind.item == "choice":
        return {"enum": list(kind.choices)}
    if kind.item == "text":
        return _TEXT
    found: dict[str, Any] = {"type": _TYPES[kind.item]}
    if kind.least > -sys.float_info.max:
        found["minimum"] = kind.least
    if kind.most < sys.float_info.max:
        found["maximum"] = kind.most
    return found


def _object(entries: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": entries,
        "required": list(entries),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any], least: int, most: int, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most, **more}


def _or_null(other: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [_NULL, other]}


def text() -> str:
    """Return the schema as it stands in the file."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
