"""A network, or several that decide together, as plain JSON values and back, with every number exact.

What each value must be stands in the tables below. What is wrong with values that are read is a `Damage`,
whose text names the entry, what is allowed and what was found.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.background import Background
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.parts import Part
from netlines.network.probability import Calibration, are_shares
from netlines.network.protocol import AnyNetwork


class Kind(NamedTuple):
    """What a value must be.

    `shape` has a letter for each dimension: one of `_EACH` for as many items as there are of these, "*" for
    any number; "" is a single item. `item` is what one is, see `_ITEMS`; `of` is what integers are numbers
    of; `null` tells whether null will do.
    """

    shape: str = ""
    item: str = "number"
    of: str = ""
    null: bool = False


_EACH = {"N": "an input", "H": "a hidden unit", "K": "an output", "C": "a class"}
_ITEMS = {  # what one is, and several
    "number": ("a finite number", "finite numbers"),
    "flag": ("true or false", "values true or false"),
    "integer": ("an integer", "numbers of {of}"),
    "text": ("a string", "strings"),
    "object": ("an object", "objects"),
}
_CALIBRATION = {
    "intercepts": Kind("K"),
    "slopes": Kind("KH"),
    "steps": Kind("KH"),
    "steepness": Kind("H"),
    "training_priors": Kind("C"),
    "priors": Kind("C"),
}
_BACKGROUND = {
    **dict.fromkeys(("mean", "scale", "low", "high"), Kind("N")),
    **dict.fromkeys(("integer", "two"), Kind("N", "flag")),
    "groups": Kind("**", "integer", "inputs"),
    "correlation": Kind("NN", null=True),
    "temperature": Kind(),
}
_NETWORK = {"temperature": Kind(null=True), "growth_trace": Kind("*", "object")}
_NETWORKS = {
    "trees": Kind("**", "integer", "parts"),
    **dict.fromkeys(("training_priors", "priors"), Kind("C", null=True)),
}
_PART = {**dict.fromkeys(("positive", "negative"), Kind("*", "integer", "classes")), "scale": Kind()}

_OF_PART = ("classes", "hidden_weights", "output_weights", "temperature", "growth_trace", "calibration")
NETWORK_KEYS = ("classes", "feature_names", *_OF_PART[1:], "background")
_OF_SCHEME = ("trees", "voting", "training_priors", "priors")
NETWORKS_KEYS = ("scheme", "classes", "feature_names", "parts", *_OF_SCHEME, "background")
_FLOATS = ("float32", "float64")
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_LABELS = {"str": str, "object": str, "bool": bool, **dict.fromkeys(_INTEGERS, int)}


class Damage(Exception):
    """What is wrong with the values that should be a network."""


def value_to_json(network: AnyNetwork) -> dict[str, Any]:
    """Return the entries of a network, or of several; what JSON cannot hold is an error that names it."""
    names, about = network.feature_names, network.background
    entries: dict[str, Any] = {"feature_names": None if names is None else [str(name) for name in names]}
    entries["background"] = None if about is None else _plain_entries("background", about, _BACKGROUND)
    if network.scheme is None:
        entries |= _network_to_json(network.parts[0].network)
        return {key: entries[key] for key in NETWORK_KEYS}
    numbers = {label: i for i, label in enumerate(network.classes.tolist())}
    entries["parts"] = [
        {
            "positive": [numbers[label] for label in part.positive],
            "negative": [numbers[label] for label in part.negative],
            "scale": plain(f"parts[{k}].scale", part.scale),
            "network": _network_to_json(part.network, f"parts[{k}].network."),
        }
        for k, part in enumerate(network.parts)
    ]
    entries["classes"] = _array_to_json("classes", network.classes)
    for name in ("scheme", *_OF_SCHEME):
        entries[name] = plain(name, getattr(network, name))
    return {key: entries[key] for key in NETWORKS_KEYS}


def value_from_json(document: dict[str, Any], *, many: bool = True) -> Network | Networks:
    """Read what `value_to_json` gave; `many` tells whether more than two classes are allowed."""
    several = "parts" in document
    network: Any = _networks_from_json(document) if several else _network_from_json(document, many)
    sizes = {"N": network.n_features}
    _check("feature_names", document["feature_names"], Kind("*", "text", null=True), sizes)
    background = document["background"]
    if background is not None:
        _check_entries("background", background, _BACKGROUND, sizes)
    try:
        named = network.with_feature_names(document["feature_names"])
        return replace(named, background=None if background is None else Background(**background))
    except ValueError as error:
        raise Damage(str(error)) from error


def plain(where: str, value: Any) -> Any:
    """Turn numpy values, mappings and tuples into plain JSON values; `where` names what is refused."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{where} must have strings as keys, got {key!r}")
        return {key: plain(f"{where}[{key!r}]", item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(f"{where}[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} must be finite, got {value!r}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{where} must be a JSON value, got {type(value).__name__}")


def _plain_entries(where: str, value: Any, names: Any) -> dict[str, Any]:
    return {name: plain(f"{where}[{name!r}]", getattr(value, name)) for name in names}


def _network_to_json(network: Network, where: str = "") -> dict[str, Any]:
    return {
        "classes": _array_to_json(f"{where}classes", network.classes),
        "hidden_weights": _array_to_json(f"{where}hidden_weights", network.hidden_weights, _FLOATS),
        "output_weights": _array_to_json(f"{where}output_weights", network.output_weights, _FLOATS),
        "temperature": plain(f"{where}temperature", network.temperature),
        "growth_trace": plain(f"{where}growth_trace", network.growth_trace),
        "calibration": _calibration_to_json(network, where),
    }


def _network_from_json(entries: dict[str, Any], many: bool) -> Network:
    hidden = _weights_from_json(entries, "hidden_weights")
    output = _weights_from_json(entries, "output_weights")
    classes = _classes_from_json(entries, many)
    if hidden.shape[1] < 2:
        raise Damage(f"hidden_weights must have at least 2 columns, got {hidden.shape[1]}")
    for name, kind in _NETWORK.items():
        _check(name, entries[name], kind, {})
    try:
        network = Network(hidden, output, classes, tuple(entries["growth_trace"]), entries["temperature"])
    except ValueError as error:
        raise Damage(str(error)) from error
    return replace(network, calibration=_calibration_from_json(entries["calibration"], network))


def _networks_from_json(document: dict[str, Any]) -> Networks:
    classes = _classes_from_json(document, many=True)
    parts = document["parts"]
    if not isinstance(parts, list) or not parts:
        raise Damage(f"parts must be a list of networks that is not empty, got {_short(parts)}")
    for name, kind in _NETWORKS.items():
        _check(name, document[name], kind, {"C": len(classes)})
    try:
        return Networks(
            parts=tuple(_part_from_json(part, classes, f"parts[{k}]") for k, part in enumerate(parts)),
            classes=classes,
            **{name: document[name] for name in ("scheme", *_OF_SCHEME)},
        )
    except ValueError as error:
        raise Damage(str(error)) from error


def _part_from_json(entry: Any, classes: NDArray, where: str) -> Part:
    _check_keys(where, entry, (*_PART, "network"))
    for name, kind in _PART.items():
        _check(f"{where}.{name}", entry[name], kind, {})
    labels, network, sides = classes.tolist(), entry["network"], []
    for name in ("positive", "negative"):
        if not all(0 <= i < len(labels) for i in entry[name]):
            allowed = f"a list of numbers of classes from 0 to {len(labels) - 1}"
            raise Damage(f"{where}.{name} must be {allowed}, got {_short(entry[name])}")
        sides.append(tuple(labels[i] for i in entry[name]))
    _check_keys(f"{where}.network", network, _OF_PART)
    try:
        return Part(sides[0], sides[1], _network_from_json(network, many=False), float(entry["scale"]))
    except (Damage, ValueError) as damage:
        raise Damage(f"{where}: {damage}") from damage


def _calibration_to_json(network: Network, where: str) -> dict[str, Any] | None:
    """Return what `_calibration_from_json` reads; a calibration that it would refuse is a `ValueError`."""
    if network.calibration is None:
        return None
    entry = _plain_entries(f"{where}calibration", network.calibration, _CALIBRATION)
    try:
        _calibration_from_json(entry, network)
    except Damage as damage:
        raise ValueError(f"{where}{damage}") from None
    return entry


def _calibration_from_json(entry: Any, network: Network) -> Calibration | None:
    if entry is None:
        return None
    sizes = {"K": len(network.output_weights), "H": network.n_hidden, "C": network.n_classes}
    _check_entries("calibration", entry, _CALIBRATION, sizes)
    for name in ("training_priors", "priors"):
        if not are_shares(np.array(entry[name], dtype=float), network.n_classes):
            raise Damage(f"calibration[{name!r}] must be positive with the sum 1, got {entry[name]!r}")
    return Calibration(**entry)


def _array_to_json(
    name: str, array: NDArray, allowed: tuple[str, ...] = (*_LABELS, *_FLOATS)
) -> dict[str, Any]:
    """Keep the type of an array beside its values; the width of strings is found again on load."""
    dtype = "str" if array.dtype.kind == "U" else array.dtype.name
    if allowed == _FLOATS and dtype not in _FLOATS:
        raise TypeError(f"{name} must be an array of {' or '.join(_FLOATS)}, got {dtype}")
    if dtype not in allowed or (dtype == "object" and {*map(type, array.flat)} != {str}):
        raise TypeError(f"{name} must be strings, booleans, integers or floats of one type, got {array!r}")
    return {"dtype": dtype, "values": plain(name, array)}


def _array_from_json(document: dict[str, Any], name: str, allowed: tuple[str, ...]) -> tuple[str, list]:
    entry = document[name]
    _check_keys(name, entry, ("dtype", "values"))
    if entry["dtype"] not in allowed:
        raise Damage(f"{name} must have a dtype among {', '.join(allowed)}, got {entry['dtype']!r}")
    if not isinstance(entry["values"], list) or not entry["values"]:
        raise Damage(f"{name} must have a list of values that is not empty, got {_short(entry['values'])}")
    return entry["dtype"], entry["values"]


def _weights_from_json(document: dict[str, Any], name: str) -> NDArray:
    dtype, rows = _array_from_json(document, name, _FLOATS)
    if not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise Damage(f"{name} must be a list of rows of one length, got {_short(rows)}")
    largest = float(np.finfo(dtype).max)
    for weight in (weight for row in rows for weight in row):
        if not _is_item(weight, "number") or abs(weight) > largest:
            raise Damage(f"{name} must be finite numbers of {dtype}, got {_short(weight)}")
    return np.array(rows, dtype=dtype)


def _classes_from_json(document: dict[str, Any], many: bool) -> NDArray:
    dtype, labels = _array_from_json(document, "classes", (*_LABELS, *_FLOATS))
    for label in labels:
        fits = _is_item(label, "number") if dtype in _FLOATS else type(label) is _LABELS[dtype]
        if not fits:
            raise Damage(f"classes: {label!r} is not a label of dtype {dtype}")
    if len(labels) < 2 or len(set(labels)) < len(labels) or (len(labels) > 2 and not many):
        raise Damage(f"classes must be 2 different labels{' or more' * many}, got {labels!r}")
    try:
        return np.array(labels, dtype=dtype)
    except OverflowError as error:
        raise Damage(f"classes: {error}") from error


def _check_keys(where: str, entry: Any, names: Iterable[str], null: str = "") -> None:
    """Raise a `Damage` if an entry is not an object with these names."""
    if not isinstance(entry, dict) or set(entry) != set(names):
        raise Damage(
            f"{where} must be {null}an object with the entries {', '.join(names)}, got {_short(entry)}"
        )


def _check_entries(where: str, entry: Any, table: Mapping[str, Kind], sizes: Mapping[str, int]) -> None:
    """Raise a `Damage` if an entry is not an object with the values of a table."""
    _check_keys(where, entry, table, "null or ")
    for name, kind in table.items():
        _check(f"{where}[{name!r}]", entry[name], kind, sizes)


def _check(where: str, value: Any, kind: Kind, sizes: Mapping[str, int]) -> None:
    """Raise a `Damage` that says what a value must be unless it is that."""
    if (value is None and kind.null) or _fits(value, kind.shape, kind.item, sizes):
        return
    one, several = _ITEMS[kind.item]
    words = several.format(of=kind.of)
    for number, letter in enumerate(reversed(kind.shape)):
        if letter == "*":
            words = f"a list of {words.replace('a list', 'lists')}"
        elif number:
            rows = "1 row" if sizes[letter] == 1 else f"{sizes[letter]} rows"
            words = f"{rows}, one {_EACH[letter]}, of {words}"
        else:
            words = f"{sizes[letter]} {words if sizes[letter] > 1 else one[2:]}, one {_EACH[letter]}"
    allowed = f"{'null or ' * kind.null}{words if kind.shape else one}"
    raise Damage(f"{where} must be {allowed}, got {_short(value)}")


def _fits(value: Any, shape: str, item: str, sizes: Mapping[str, int]) -> bool:
    if not shape:
        return _is_item(value, item)
    if not isinstance(value, list) or (shape[0] != "*" and len(value) != sizes[shape[0]]):
        return False
    return all(_fits(one, shape[1:], item, sizes) for one in value)


def _is_item(value: Any, item: str) -> bool:
    if item == "number":
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    return type(value) is {"flag": bool, "integer": int, "text": str, "object": dict}[item]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
