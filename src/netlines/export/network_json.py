"""A network, or several that decide together, as plain JSON values and back, with every number exact.

What each value must be stands in the tables below. What is wrong with values that are read is a `Damage`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.export.kinds import (
    LARGEST_COUNT,
    LARGEST_FACT,
    LARGEST_SCORE,
    LARGEST_SHARE,
    LARGEST_STRETCH,
    LARGEST_WEIGHT,
    LEAST_SHARE,
    MOST_CLASSES,
    MOST_INPUTS,
    MOST_PARTS,
    MOST_RECORDS,
    MOST_UNITS,
    Damage,
    Kind,
    check,
    check_entries,
    check_facts,
    check_keys,
    check_text,
    is_number,
    short,
)
from netlines.network.background import COLDEST, SMALLEST, Background
from netlines.network.layout import LARGEST
from netlines.network.network import Network
from netlines.network.networks import SCHEMES, VOTING, Networks
from netlines.network.parts import Part
from netlines.network.probability import Calibration, are_shares
from netlines.network.protocol import AnyNetwork

CALIBRATION = {
    "intercepts": Kind("K", least=-LARGEST_SCORE, most=LARGEST_SCORE),
    "slopes": Kind("KH", least=-LARGEST_STRETCH, most=LARGEST_STRETCH),
    "steps": Kind("KH", least=-LARGEST_SCORE, most=LARGEST_SCORE),
    "steepness": Kind("H", least=-LARGEST_STRETCH, most=LARGEST_STRETCH),
    **dict.fromkeys(("training_priors", "priors"), Kind("C", least=LEAST_SHARE, most=LARGEST_SHARE)),
}
BACKGROUND = {
    "mean": Kind("N", least=-LARGEST, most=LARGEST),
    "scale": Kind("N", least=SMALLEST, most=LARGEST),
    **dict.fromkeys(("low", "high"), Kind("N", least=-LARGEST, most=LARGEST)),
    **dict.fromkeys(("integer", "two"), Kind("N", "flag")),
    "groups": Kind("**", "integer", "inputs"),
    "correlation": Kind("NN", null=True),
    "temperature": Kind(least=COLDEST, most=1e9),
    "farthest": Kind(null=True, least=0, most=1e160),
}
RECORD = {  # what is known of a record of growth; it may have other facts
    "n_hidden": Kind(item="integer", least=0, most=MOST_UNITS),
    "origin": Kind(item="text"),
    "unit_errors": Kind(null=True, least=0, most=LARGEST_FACT),
    "errors": Kind(least=0, most=LARGEST_FACT),
    "temperature": Kind(null=True, least=0, most=LARGEST_FACT),
    "epochs": Kind(item="integer", least=0, most=LARGEST_COUNT),
}
NETWORK = {
    "temperature": Kind(null=True, least=0, most=LARGEST_FACT),
    "growth_trace": Kind("*", "object", long=MOST_RECORDS),
    "origin": Kind("N", null=True, least=-LARGEST, most=LARGEST),
}
NETWORKS = {
    "scheme": Kind(item="choice", choices=SCHEMES),
    "trees": Kind("**", "integer", "parts"),
    "voting": Kind(item="choice", choices=VOTING),
    **dict.fromkeys(
        ("training_priors", "priors"), Kind("C", null=True, least=LEAST_SHARE, most=LARGEST_SHARE)
    ),
}
PART = {
    **dict.fromkeys(("positive", "negative"), Kind("*", "integer", "classes")),
    "scale": Kind(least=1 / LARGEST_STRETCH, most=LARGEST_STRETCH),
}
NAMES = Kind("*", "text", null=True, long=MOST_INPUTS)

_OF_PART = ("classes", "hidden_weights", "output_weights", *NETWORK, "calibration")
NETWORK_KEYS = ("classes", "feature_names", *_OF_PART[1:], "background")
_OF_SCHEME = tuple(name for name in NETWORKS if name != "scheme")
NETWORKS_KEYS = ("scheme", "classes", "feature_names", "parts", *_OF_SCHEME, "background")
_FLOATS = ("float32", "float64")
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
LABELS = {  # the types of labels by the types of arrays
    **{"str": str, "object": str, "bool": bool},
    **dict.fromkeys(_INTEGERS, int),
    **dict.fromkeys(_FLOATS, float),
}


def value_to_json(network: AnyNetwork) -> dict[str, Any]:
    """Return the entries of a network, or of several; what JSON cannot hold is an error that names it."""
    names, about = network.feature_names, network.background
    entries: dict[str, Any] = {"feature_names": None if names is None else [str(name) for name in names]}
    entries["background"] = None if about is None else _plain_entries("background", about, BACKGROUND)
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
    for name in NETWORKS:
        entries[name] = plain(name, getattr(network, name))
    return {key: entries[key] for key in NETWORKS_KEYS}


def value_from_json(document: dict[str, Any], *, many: bool = True) -> Network | Networks:
    """Read what `value_to_json` gave; `many` tells whether more than two classes are allowed."""
    several = "parts" in document
    network: Any = _networks_from_json(document) if several else _network_from_json(document, many)
    sizes = {"N": network.n_features}
    check("feature_names", document["feature_names"], NAMES, sizes)
    background = document["background"]
    if background is not None:
        check_entries("background", background, BACKGROUND, sizes)
    try:
        named = network.with_feature_names(document["feature_names"])
        whole = replace(named, background=None if background is None else Background(**background))
    except ValueError as error:
        raise Damage(str(error)) from error
    _check_reach(whole)
    return whole


def _check_reach(network: AnyNetwork) -> None:
    """Raise a `Damage` if squares of weights times the values of the training rows would overflow."""
    about, largest = network.background, LARGEST_WEIGHT["float64"]
    if about is None:
        return
    reach = np.maximum(np.maximum(np.abs(about.low), np.abs(about.high)), about.scale)
    for k, part in enumerate(network.parts):
        sizes = np.abs(part.network.hidden_weights[:, 1:].astype(float)) * reach
        if not (sizes <= largest).all():
            where = f"parts[{k}]: " if network.scheme else ""
            product = "hidden_weights times the values of the background"
            raise Damage(f"{where}{product} must be up to {largest:g}, got {sizes.max():g}")


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
    about = network.calibration
    return {
        "classes": _array_to_json(f"{where}classes", network.classes),
        "hidden_weights": _array_to_json(f"{where}hidden_weights", network.hidden_weights, _FLOATS),
        "output_weights": _array_to_json(f"{where}output_weights", network.output_weights, _FLOATS),
        "temperature": plain(f"{where}temperature", network.temperature),
        "growth_trace": plain(f"{where}growth_trace", network.growth_trace),
        "origin": plain(f"{where}origin", network.origin),
        "calibration": None if about is None else _plain_entries(f"{where}calibration", about, CALIBRATION),
    }


def _network_from_json(entries: dict[str, Any], many: bool) -> Network:
    hidden = _weights_from_json(entries, "hidden_weights")
    output = _weights_from_json(entries, "output_weights")
    classes = _classes_from_json(entries, many)
    if not 2 <= hidden.shape[1] <= MOST_INPUTS + 1:
        allowed = f"at least 2 columns and at most {MOST_INPUTS + 1}"
        raise Damage(f"hidden_weights must have {allowed}, got {hidden.shape[1]}")
    if len(hidden) > MOST_UNITS:
        raise Damage(f"hidden_weights must have at most {MOST_UNITS} rows, got {len(hidden)}")
    for name, kind in NETWORK.items():
        check(name, entries[name], kind, {"N": hidden.shape[1] - 1})
    for k, record in enumerate(entries["growth_trace"]):
        check_facts(f"growth_trace[{k}]", record, RECORD)
    try:
        trace, temperature = tuple(entries["growth_trace"]), entries["temperature"]
        network = Network(hidden, output, classes, trace, temperature, origin=entries["origin"])
    except ValueError as error:
        raise Damage(str(error)) from error
    return replace(network, calibration=_calibration_from_json(entries["calibration"], network))


def _networks_from_json(document: dict[str, Any]) -> Networks:
    classes = _classes_from_json(document, many=True)
    parts = document["parts"]
    if not isinstance(parts, list) or not parts:
        raise Damage(f"parts must be a list of networks that is not empty, got {short(parts)}")
    if len(parts) > MOST_PARTS:
        raise Damage(f"parts must be at most {MOST_PARTS} networks, got {len(parts)}")
    for name, kind in NETWORKS.items():
        check(name, document[name], kind, {"C": len(classes)})
    try:
        return Networks(
            parts=tuple(_part_from_json(part, classes, f"parts[{k}]") for k, part in enumerate(parts)),
            classes=classes,
            **{name: document[name] for name in NETWORKS},
        )
    except ValueError as error:
        raise Damage(str(error)) from error


def _part_from_json(entry: Any, classes: NDArray, where: str) -> Part:
    check_keys(where, entry, (*PART, "network"))
    for name, kind in PART.items():
        check(f"{where}.{name}", entry[name], kind, {})
    labels, network, sides = classes.tolist(), entry["network"], []
    for name in ("positive", "negative"):
        if not all(0 <= i < len(labels) for i in entry[name]):
            allowed = f"a list of numbers of classes from 0 to {len(labels) - 1}"
            raise Damage(f"{where}.{name} must be {allowed}, got {short(entry[name])}")
        if len(set(entry[name])) < len(entry[name]):
            raise Damage(f"{where}.{name} must name each class once, got {short(entry[name])}")
        sides.append(tuple(labels[i] for i in entry[name]))
    check_keys(f"{where}.network", network, _OF_PART)
    try:
        return Part(sides[0], sides[1], _network_from_json(network, many=False), float(entry["scale"]))
    except (Damage, ValueError) as damage:
        raise Damage(f"{where}: {damage}") from damage


def _calibration_from_json(entry: Any, network: Network) -> Calibration | None:
    if entry is None:
        return None
    sizes = {"K": len(network.output_weights), "H": network.n_hidden, "C": network.n_classes}
    check_entries("calibration", entry, CALIBRATION, sizes)
    for name in ("training_priors", "priors"):
        if not are_shares(np.array(entry[name], dtype=float), network.n_classes):
            raise Damage(f"calibration[{name!r}] must be positive with the sum 1, got {short(entry[name])}")
    return Calibration(**entry)


def _array_to_json(name: str, array: NDArray, allowed: tuple[str, ...] = tuple(LABELS)) -> dict[str, Any]:
    """Keep the type of an array beside its values; the width of strings is found again on load."""
    dtype = "str" if array.dtype.kind == "U" else array.dtype.name
    if allowed == _FLOATS and dtype not in _FLOATS:
        raise TypeError(f"{name} must be an array of {' or '.join(_FLOATS)}, got {dtype}")
    if dtype not in allowed or (dtype == "object" and {*map(type, array.flat)} != {str}):
        raise TypeError(f"{name} must be strings, booleans, integers or floats of one type, got {array!r}")
    return {"dtype": dtype, "values": plain(name, array)}


def _array_from_json(document: dict[str, Any], name: str, allowed: tuple[str, ...]) -> tuple[str, list]:
    entry = document[name]
    check_keys(name, entry, ("dtype", "values"))
    if entry["dtype"] not in allowed:
        raise Damage(f"{name} must have a dtype among {', '.join(allowed)}, got {short(entry['dtype'])}")
    if not isinstance(entry["values"], list) or not entry["values"]:
        raise Damage(f"{name} must have a list of values that is not empty, got {short(entry['values'])}")
    return entry["dtype"], entry["values"]


def _weights_from_json(document: dict[str, Any], name: str) -> NDArray:
    dtype, rows = _array_from_json(document, name, _FLOATS)
    if not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise Damage(f"{name} must be a list of rows of one length, got {short(rows)}")
    largest = LARGEST_WEIGHT[dtype]
    for weight in (weight for row in rows for weight in row):
        if not is_number(weight):
            raise Damage(f"{name} must be finite numbers of {dtype}, got {short(weight)}")
        if abs(weight) > largest:
            raise Damage(f"{name} must be from {-largest:g} to {largest:g} as {dtype}, got {short(weight)}")
    return np.array(rows, dtype=dtype)


def _classes_from_json(document: dict[str, Any], many: bool) -> NDArray:
    dtype, labels = _array_from_json(document, "classes", tuple(LABELS))
    for label in labels:
        fits = is_number(label) if dtype in _FLOATS else type(label) is LABELS[dtype]
        if not fits:
            raise Damage(f"classes: {short(label)} is not a label of dtype {dtype}")
        if isinstance(label, str):
            check_text("classes", label)
    allowed = f"2 different labels{' or more' * many}"
    if len(labels) < 2 or len(set(labels)) < len(labels) or (len(labels) > 2 and not many):
        raise Damage(f"classes must be {allowed}, got {short(labels)}")
    if len(labels) > MOST_CLASSES:
        raise Damage(f"classes must be at most {MOST_CLASSES}, got {len(labels)}")
    try:
        with np.errstate(over="raise"):
            classes = np.array(labels, dtype=dtype)
    except (OverflowError, FloatingPointError) as error:
        raise Damage(f"classes: {error}") from error
    # A NUL at the end of a text is lost in an array, so are digits of numbers.
    if len(set(classes.tolist())) < len(labels) or (dtype == "str" and classes.tolist() != labels):
        raise Damage(f"classes must be {allowed} as {dtype}, got {short(labels)}")
    return classes
