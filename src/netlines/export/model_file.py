"""The model file: a network as versioned JSON, read back exactly and without executing any code."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from netlines._atomic import atomic_write
from netlines.network import Network
from netlines.probability import Calibration

# The number of the format that this version writes. To change the format: raise it by one, keep reading
# the older numbers (turn an older document into the new one in `_read_document`), and add a file
# tests/data/format_<number>.json made by the new version, which a test loads from then on.
FORMAT = 2
NAME = "netlines model"

_KEYS = (
    "format",
    "version",
    "classes",
    "feature_names",
    "hidden_weights",
    "output_weights",
    "temperature",
    "growth_trace",
    "calibration",
    "table",
    "metadata",
)
_FLOATS = ("float32", "float64")
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_CALIBRATION = ("intercept", "slopes", "steps", "steepness", "training_priors", "priors")
_LABELS = {"str": str, "object": str, "bool": bool, **dict.fromkeys(_INTEGERS, int)}


@dataclass(frozen=True, eq=False)
class Model:
    """Everything that a model file holds.

    Parameters
    ----------
    network : Network
        The network itself.
    table : JSON value
        How the columns of a table become the network's inputs, if the network came from a table.
    metadata : dict
        What else the writer wanted to remember.
    """

    network: Network
    table: Any
    metadata: dict[str, Any]


def save_network(
    network: Network,
    path: str | os.PathLike[str],
    *,
    table: Any = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Write a network to a JSON model file, whole or not at all.

    Every number is written with the digits that give back the same float. Numpy numbers in
    `growth_trace`, `table` and `metadata` are written as plain numbers, arrays and tuples as lists.

    Parameters
    ----------
    network : Network
        The network to write; its labels are strings, integers, booleans or floats.
    path : str or path
        The file to write or to replace.
    table : JSON value, default=None
        How the columns of a table become the network's inputs.
    metadata : dict of JSON values, default=None
        Anything else to remember with the network.

    Examples
    --------
    >>> import os, tempfile
    >>> from netlines.export.model_file import load_network, save_network
    >>> from netlines.network import Network
    >>> unit = Network([[0.1, -1.0, 1.4]], [[0.0, 2**0.5]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_network(unit, os.path.join(folder, "unit.json"))
    ...     load_network(os.path.join(folder, "unit.json")).hidden_weights
    array([[ 0.1, -1. ,  1.4]])
    """
    names = network.feature_names
    document = {
        "format": NAME,
        "version": FORMAT,
        "classes": _array_to_json("classes", network.classes),
        "feature_names": None if names is None else [str(name) for name in names],
        "hidden_weights": _array_to_json("hidden_weights", network.hidden_weights),
        "output_weights": _array_to_json("output_weights", network.output_weights),
        "temperature": _plain("temperature", network.temperature),
        "growth_trace": _plain("growth_trace", network.growth_trace),
        "calibration": _calibration_to_json(network),
        "table": _plain("table", table),
        "metadata": _plain("metadata", {} if metadata is None else metadata),
    }
    text = json.dumps(document, allow_nan=False, indent=1)
    with atomic_write(path) as file:
        file.write(text.encode("ascii") + b"\n")


def load_network(path: str | os.PathLike[str]) -> Network:
    """Read the network from a model file; a damaged or foreign file ends in a `ValueError`."""
    return load_model(path).network


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read everything from a model file; a damaged or foreign file ends in a `ValueError`."""
    try:
        return _read_document(path)
    except _Damage as damage:
        raise ValueError(f"{os.fspath(path)} is not a readable model file: {damage}") from damage.__cause__


class _Damage(Exception):
    """What is wrong with a model file."""


def _read_document(path: str | os.PathLike[str]) -> Model:
    with open(path, "rb") as file:
        content = file.read()
    try:
        document = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _Damage(f"it is not JSON, or only the beginning of it ({error})") from error
    if not isinstance(document, dict) or document.get("format") != NAME:
        raise _Damage(f"it does not begin with the format {NAME!r}")
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= FORMAT:
        raise _Damage(f"its format version is {version!r}, this version of netlines reads 1 to {FORMAT}")
    if version == 1:
        if "calibration" in document:
            raise _Damage("these entries are missing or unknown: calibration")
        document["calibration"] = None
    if set(document) != set(_KEYS):
        differ = ", ".join(sorted(set(document) ^ set(_KEYS)))
        raise _Damage(f"these entries are missing or unknown: {differ}")
    if not isinstance(document["metadata"], dict):
        raise _Damage("metadata must be an object")
    return Model(_network_from_json(document), document["table"], document["metadata"])


def _network_from_json(document: dict[str, Any]) -> Network:
    hidden = _weights_from_json(document, "hidden_weights")
    output = _weights_from_json(document, "output_weights")
    if hidden.shape[1] < 2:
        raise _Damage(f"hidden_weights must have at least 2 columns, got {hidden.shape[1]}")
    if output.shape != (1, len(hidden) + 1):
        raise _Damage(f"output_weights must have shape {(1, len(hidden) + 1)}, got {output.shape}")
    names = document["feature_names"]
    if names is not None:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _Damage("feature_names must be null or a list of strings")
        if len(names) != hidden.shape[1] - 1:
            raise _Damage(f"feature_names must name {hidden.shape[1] - 1} inputs, got {len(names)} names")
    temperature = document["temperature"]
    if temperature is not None and not _is_number(temperature):
        raise _Damage(f"temperature must be null or a finite number, got {temperature!r}")
    trace = document["growth_trace"]
    if not isinstance(trace, list) or not all(isinstance(record, dict) for record in trace):
        raise _Damage("growth_trace must be a list of objects")
    return Network(
        hidden_weights=hidden,
        output_weights=output,
        classes=_classes_from_json(document),
        growth_trace=tuple(trace),
        temperature=temperature,
        feature_names=None if names is None else tuple(names),
        calibration=_calibration_from_json(document["calibration"], len(hidden)),
    )


def _calibration_to_json(network: Network) -> dict[str, Any] | None:
    """Return what `_calibration_from_json` reads; a calibration that it would refuse is a `ValueError`."""
    if network.calibration is None:
        return None
    values = {name: getattr(network.calibration, name) for name in _CALIBRATION}
    entry = {name: _plain(f"calibration[{name!r}]", value) for name, value in values.items()}
    try:
        _calibration_from_json(entry, network.n_hidden)
    except _Damage as damage:
        raise ValueError(str(damage)) from None
    return entry


def _calibration_from_json(entry: Any, n_hidden: int) -> Calibration | None:
    if entry is None:
        return None
    if not isinstance(entry, dict) or set(entry) != set(_CALIBRATION):
        raise _Damage(f"calibration must be null or an object with the entries {', '.join(_CALIBRATION)}")
    if not _is_number(entry["intercept"]):
        raise _Damage(f"calibration['intercept'] must be a finite number, got {entry['intercept']!r}")
    for name in _CALIBRATION[1:]:
        length, what = (2, "class") if name.endswith("priors") else (n_hidden, "hidden unit")
        numbers = entry[name]
        if not isinstance(numbers, list) or not all(map(_is_number, numbers)) or len(numbers) != length:
            raise _Damage(f"calibration[{name!r}] must be {length} finite numbers, one a {what}")
        if name.endswith("priors") and not (min(numbers) > 0 and abs(sum(numbers) - 1) < 1e-6):
            raise _Damage(f"calibration[{name!r}] must be positive with the sum 1, got {numbers!r}")
    return Calibration(**{**entry, "intercept": float(entry["intercept"])})


def _array_to_json(name: str, array: NDArray) -> dict[str, Any]:
    """Keep the type of an array beside its values; the width of strings is found again on load."""
    dtype = "str" if array.dtype.kind == "U" else array.dtype.name
    if name != "classes" and dtype not in _FLOATS:
        raise TypeError(f"{name} must be an array of {' or '.join(_FLOATS)}, got {dtype}")
    if dtype not in (*_LABELS, *_FLOATS) or (dtype == "object" and {*map(type, array.flat)} != {str}):
        raise TypeError(f"{name} must be strings, booleans, integers or floats of one type, got {array!r}")
    return {"dtype": dtype, "values": _plain(name, array)}


def _array_from_json(document: dict[str, Any], name: str, allowed: tuple[str, ...]) -> tuple[str, list]:
    entry = document[name]
    if not isinstance(entry, dict) or set(entry) != {"dtype", "values"}:
        raise _Damage(f"{name} must be an object with the entries dtype and values")
    if entry["dtype"] not in allowed:
        raise _Damage(f"{name} must have a dtype among {', '.join(allowed)}, got {entry['dtype']!r}")
    if not isinstance(entry["values"], list) or not entry["values"]:
        raise _Damage(f"{name} must have a list of values that is not empty")
    return entry["dtype"], entry["values"]


def _weights_from_json(document: dict[str, Any], name: str) -> NDArray:
    dtype, rows = _array_from_json(document, name, _FLOATS)
    if not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise _Damage(f"{name} must be a list of rows of one length")
    largest = float(np.finfo(dtype).max)
    for weight in (weight for row in rows for weight in row):
        if not _is_number(weight) or abs(weight) > largest:
            raise _Damage(f"{name} must be finite numbers of {dtype}, got {weight!r}")
    return np.array(rows, dtype=dtype)


def _classes_from_json(document: dict[str, Any]) -> NDArray:
    dtype, labels = _array_from_json(document, "classes", (*_LABELS, *_FLOATS))
    for label in labels:
        fits = _is_number(label) if dtype in _FLOATS else type(label) is _LABELS[dtype]
        if not fits:
            raise _Damage(f"classes: {label!r} is not a label of dtype {dtype}")
    if len(labels) != 2 or labels[0] == labels[1]:
        raise _Damage(f"classes must be 2 different labels, got {labels!r}")
    try:
        return np.array(labels, dtype=dtype)
    except OverflowError as error:
        raise _Damage(f"classes: {error}") from error


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number of JSON")


def _plain(where: str, value: Any) -> Any:
    """Turn numpy values, mappings and tuples into plain JSON values; `where` names what is refused."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{where} must have strings as keys, got {key!r}")
        return {key: _plain(f"{where}[{key!r}]", item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(f"{where}[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} must be finite, got {value!r}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{where} must be a JSON value, got {type(value).__name__}")
