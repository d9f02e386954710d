"""The model file: a network as versioned JSON, read back exactly and without executing any code."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from netlines._files import atomic_write
from netlines._words import count
from netlines.export.facts import Facts
from netlines.export.kinds import Damage, Kind, check, short
from netlines.export.network_json import (
    NETWORK_KEYS,
    NETWORKS_KEYS,
    plain,
    value_from_json,
    value_to_json,
)
from netlines.network.layout import Column, Layout
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork

# The number of the format that this version writes. To change the format: raise it by one, keep reading
# the older numbers (turn an older document into the new one in `_read_document`), and add a file
# tests/data/format_<number>.json made by the new version, which a test loads from then on; then write the
# schema anew: `python -m netlines.export.schema`.
# 1: a network of two classes; 2: its calibration; 3: more classes, by outputs or by parts; 4: the background;
# 5: a calibration has one layout, rows of scores, for any number of classes; 6: the origin of the inputs;
# 7: columns of a table that are dates, have gaps or many categories, and those that were left out;
# 8: how far the farthest training row is from the others.
FORMAT = 8
NAME = "netlines model"

PARAMETERS = {  # of a classifier that are kept with it: what predictions do with missing and unknown values
    "missing": Kind(item="choice", choices=("auto", "error", "integrate")),
    "strict": Kind(item="flag"),
}

_AROUND = ("format", "version", "table", "metadata")


@dataclass(frozen=True, eq=False)
class ModelFile:
    """Everything that a model file holds.

    Parameters
    ----------
    network : Network or Networks
        The network itself, or the networks that decide together.
    metadata : dict
        What else the writer wanted to remember.
    facts : Facts or None
        How `netlines fit` came to the network, if it did: what it remembered in the metadata "fit".
    """

    network: Network | Networks
    metadata: dict[str, Any]
    facts: Facts | None


def save_network(
    network: AnyNetwork,
    path: str | os.PathLike[str],
    *,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Write a network, or several that decide together, to a JSON model file, whole or not at all.

    Every number is written with the digits that give back the same float. Numpy numbers in
    `growth_trace` and `metadata` are written as plain numbers, arrays and tuples as lists. What
    could not be loaded again is an error, and nothing is written.

    Parameters
    ----------
    network : Network or Networks
        What to write; its labels are strings, integers, booleans or floats.
    path : str or path
        The file to write or to replace.
    metadata : dict of JSON values, default=None
        Anything else to remember with the network.

    Examples
    --------
    >>> import os, tempfile
    >>> from netlines.export.model_file import load_network, save_network
    >>> from netlines.network.network import Network
    >>> unit = Network([[0.1, -1.0, 1.4]], [[0.0, 2**0.5]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_network(unit, os.path.join(folder, "unit.json"))
    ...     load_network(os.path.join(folder, "unit.json")).hidden_weights
    array([[ 0.1, -1. ,  1.4]])
    """
    document = {
        "format": NAME,
        "version": FORMAT,
        **value_to_json(network),
        "table": None if network.layout is None else plain("table", network.layout.to_json()),
        "metadata": plain("metadata", {} if metadata is None else metadata),
    }
    try:
        _check_document(document)
    except Damage as damage:
        raise ValueError(
            f"{os.fspath(path)} cannot be written as a model file: {damage}"
        ) from damage.__cause__
    text = json.dumps(document, allow_nan=False, indent=1)
    with atomic_write(path) as file:
        file.write(text.encode("ascii") + b"\n")


def load_network(path: str | os.PathLike[str]) -> Network | Networks:
    """Read the network from a model file; a damaged or foreign file ends in a `ValueError`."""
    return read_model_file(path).network


def read_model_file(path: str | os.PathLike[str]) -> ModelFile:
    """Read everything from a model file; a damaged or foreign file ends in a `ValueError`."""
    try:
        return _read_document(path)
    except Damage as damage:
        raise ValueError(f"{os.fspath(path)} is not a readable model file: {damage}") from damage.__cause__


def _read_document(path: str | os.PathLike[str]) -> ModelFile:
    with open(path, "rb") as file:
        content = file.read()
    try:
        document = json.loads(content, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Damage(f"it is not JSON, or only the beginning of it ({error})") from error
    if not isinstance(document, dict) or document.get("format") != NAME:
        raise Damage(f"it does not begin with the format {NAME!r}")
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= FORMAT:
        raise Damage(f"its format version is {short(version)}, this version of netlines reads 1 to {FORMAT}")
    for first, entry in ((2, "calibration"), (4, "background")):
        if version < first:
            if entry in document:
                raise Damage(f"these entries are missing or unknown: {entry}")
            document[entry] = None
    if version < 5:
        _update_calibrations(document)
    if version < 6:
        _add_origins(document)
    if version < 7:
        _update_table(document)
    if version < 8:
        _add_farthest(document)
    return _check_document(document)


def _check_document(document: dict[str, Any]) -> ModelFile:
    """Return what a document of the present format says, all of it checked."""
    several = document["version"] >= 3 and "parts" in document
    keys = {*_AROUND, *(NETWORKS_KEYS if several else NETWORK_KEYS)}
    if set(document) != keys:
        strange = ", ".join(sorted(set(document) ^ keys))[:200]
        strange = strange if strange.isprintable() else ascii(strange)
        raise Damage(f"these entries are missing or unknown: {strange}")
    network = value_from_json(document, many=document["version"] >= 3)
    network = _with_table(network, document["table"])
    metadata = document["metadata"]
    if not isinstance(metadata, dict):
        raise Damage(f"metadata must be an object, got {short(metadata)}")
    try:
        metadata = plain("metadata", metadata)
    except (ValueError, RecursionError) as error:
        raise Damage(f"metadata: {error}") from error
    for name, kind in PARAMETERS.items():
        if name in metadata:
            check(f"metadata[{name!r}]", metadata[name], kind, {})
    facts = Facts.from_json(metadata["fit"]) if "fit" in metadata else None
    return ModelFile(network, metadata, facts)


def _with_table(network: Any, table: Any) -> Any:
    """Return a network with the layout of the table it came from, which must make as many inputs."""
    if table is None:
        return network
    try:
        layout = Layout.from_json(table)
    except ValueError as error:
        raise Damage(f"table: {error}") from error
    names, inputs = layout.feature_names, network.feature_names
    if len(names) != network.n_features:
        raise Damage(
            f"table: its columns give {count(len(names), 'input')}, the network has {network.n_features}"
        )
    for i, (name, own) in enumerate(zip(names, inputs or names, strict=True)):
        if name != own:
            other = f"the network the name {short(own)}"
            raise Damage(f"table: its columns give input {i} the name {short(name)}, {other}")
    return network.with_layout(layout)


def _networks_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the networks of an older document, itself or its parts, as far as they are objects."""
    if not isinstance(document.get("parts"), list):
        return [document]
    networks = [part.get("network") for part in document["parts"] if isinstance(part, dict)]
    return [one for one in networks if isinstance(one, dict)]


def _add_origins(document: dict[str, Any]) -> None:
    """Count the inputs of networks from 0, as all did."""
    for network in _networks_of(document):
        if "origin" in network:
            raise Damage("these entries are missing or unknown: origin")
        if "parts" not in network:  # what is no list of networks is said by the check of the whole
            network["origin"] = None


def _add_farthest(document: dict[str, Any]) -> None:
    """Say of a background that it does not know how far training rows are from each other, as none did."""
    about = document.get("background")
    if isinstance(about, dict):
        if "farthest" in about:
            raise Damage("these entries are missing or unknown: background['farthest']")
        about["farthest"] = None


def _update_table(document: dict[str, Any]) -> None:
    """Give the description of a table its present form: columns had a name, a kind and categories."""
    table = document.get("table")
    if table is None:
        return
    known = {"target", "columns"}, {"name", "kind", "categories"}
    columns = table.get("columns") if isinstance(table, dict) else None
    fits = isinstance(columns, list) and set(table) == known[0]
    if not fits or not all(isinstance(one, dict) and set(one) == known[1] for one in columns or ()):
        entries = "its entries are target and columns, those of a column name, kind and categories"
        raise Damage(f"table: the description of the table is damaged: {entries}")
    kinds = {"number": "number", "boolean": "boolean", "text": "category"}
    new = []
    for one in columns or ():
        kind = one["kind"] if isinstance(one["kind"], str) else None
        if kind not in kinds:
            raise Damage(
                f"table: a column must be of a kind among {', '.join(kinds)}, got {short(one['kind'])}"
            )
        new.append({**Column("", "number").to_json(), **one, "kind": kinds[kind]})
    names = [one["name"] for one in new]
    document["table"] = {
        **Layout((), ()).to_json(),
        "names": names,
        "columns": new,
        "target": table["target"],
    }


def _update_calibrations(document: dict[str, Any]) -> None:
    """Give calibrations of two classes the present layout: theirs had a single intercept and no rows."""
    for old in (network.get("calibration") for network in _networks_of(document)):
        if isinstance(old, dict) and "intercept" in old:
            if "intercepts" in old:
                raise Damage("these entries are missing or unknown: calibration['intercepts']")
            old |= {name: [old[name]] for name in ("slopes", "steps") if name in old}
            old["intercepts"] = [old.pop("intercept")]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; a name that is there twice would hide what it says first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{short(max(names, key=names.count))} is there twice in one object")
    return found


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number of JSON")
