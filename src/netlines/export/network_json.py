"""A network, or several that decide together, as plain JSON values and back, with every number exact.

What is wrong with values that are read is a `Damage`, whose text names the entry.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.background import Background
from netlines.network.network import Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration

NETWORK_KEYS = (
    "classes",
    "feature_names",
    "hidden_weights",
    "output_weights",
    "temperature",
    "growth_trace",
    "calibration",
    "background",
)
NETWORKS_KEYS = (
    "scheme",
    "classes",
    "feature_names",
    "parts",
    "trees",
    "voting",
    "training_priors",
    "priors",
    "background",
)
_PART = ("positive", "negative", "scale", "network")
_SHARED = ("feature_names", "background")  # of all parts
_PART_NETWORK = tuple(key for key in NETWORK_KEYS if key not in _SHARED)
_FLOATS = ("float32", "float64")
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_LABELS = {"str": str, "object": str, "bool": bool, **dict.fromkeys(_INTEGERS, int)}
_TWO = ("intercept", "slopes", "steps", "steepness", "training_priors", "priors")
_MANY = ("intercepts", *_TWO[1:])
_BACKGROUND = ("mean", "scale", "low", "high", "integer", "two", "groups", "correlation", "temperature")


class Damage(Exception):
    """What is wrong with the values that should be a network."""


def value_to_json(network: Network | Networks) -> dict[str, Any]:
    """Return the entries of a network, or of several; what JSON cannot hold is an error that names it."""
    names = network.feature_names
    entries: dict[str, Any] = {"feature_names": None if names is None else [str(name) for name in names]}
    entries["background"] = _background_to_json(network.background)
    if isinstance(network, Network):
        return _in_order(NETWORK_KEYS, {**_network_to_json(network), **entries})
    numbers = {label: i for i, label in enumerate(network.classes.tolist())}
    parts = [
        {
            "positive": [numbers[label] for label in part.positive],
            "negative": [numbers[label] for label in part.negative],
            "scale": plain(f"parts[{k}].scale", part.scale),
            "network": _network_to_json(part.network, f"parts[{k}].network."),
        }
        for k, part in enumerate(network.parts)
    ]
    entries |= {"classes": _array_to_json("classes", network.classes), "parts": parts}
    for name in ("scheme", "trees", "voting", "training_priors", "priors"):
        entries[name] = plain(name, getattr(network, name))
    return _in_order(NETWORKS_KEYS, entries)


def value_from_json(document: dict[str, Any], *, many: bool = True) -> Network | Networks:
    """Read what `value_to_json` gave; `many` tells whether more than two classes are allowed."""
    if "parts" not in document:
        network = _network_from_json(document, many)
        return _with_what_is_shared(network, document)
    classes = _classes_from_json(document, many)
    parts = document["parts"]
    if not isinstance(parts, list) or not parts:
        raise Damage("parts must be a list of networks that is not empty")
    for name in ("training_priors", "priors"):
        if document[name] is not None and not _are_numbers(document[name], len(classes)):
            raise Damage(f"{name} must be null or {len(classes)} finite numbers, one a class")
    trees = document["trees"]
    if not isinstance(trees, list) or not all(_are_integers(tree) for tree in trees):
        raise Damage("trees must be a list of lists of numbers of parts")
    try:
        networks = Networks(
            scheme=document["scheme"],
            classes=classes,
            parts=tuple(_part_from_json(part, classes, f"parts[{k}]") for k, part in enumerate(parts)),
            trees=tuple(map(tuple, trees)),
            voting=document["voting"],
            training_priors=document["training_priors"],
            priors=document["priors"],
        )
    except ValueError as error:
        raise Damage(str(error)) from error
    return _with_what_is_shared(networks, document)


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


def _in_order(keys: tuple[str, ...], entries: dict[str, Any]) -> dict[str, Any]:
    return {key: entries[key] for key in keys}


def _part_from_json(entry: Any, classes: NDArray, where: str) -> Part:
    if not isinstance(entry, dict) or set(entry) != set(_PART):
        raise Damage(f"{where} must be an object with the entries {', '.join(_PART)}")
    labels = classes.tolist()
    for name in ("positive", "negative"):
        if not _are_integers(entry[name]) or not all(0 <= i < len(labels) for i in entry[name]):
            raise Damage(f"{where}.{name} must be a list of numbers of classes from 0 to {len(labels) - 1}")
    if not _is_number(entry["scale"]):
        raise Damage(f"{where}.scale must be a finite number, got {entry['scale']!r}")
    network = entry["network"]
    if not isinstance(network, dict) or set(network) != set(_PART_NETWORK):
        raise Damage(f"{where}.network must be an object with the entries {', '.join(_PART_NETWORK)}")
    try:
        positive, negative = (tuple(labels[i] for i in entry[name]) for name in ("positive", "negative"))
        return Part(positive, negative, _network_from_json(network, many=False), float(entry["scale"]))
    except (Damage, ValueError) as damage:
        raise Damage(f"{where}: {damage}") from damage


def _network_to_json(network: Network, where: str = "") -> dict[str, Any]:
    return {
        "classes": _array_to_json(f"{where}classes", network.classes),
        "hidden_weights": _array_to_json(f"{where}hidden_weights", network.hidden_weights, _FLOATS),
        "output_weights": _array_to_json(f"{where}output_weights", network.output_weights, _FLOATS),
        "temperature": plain(f"{where}temperature", network.temperature),
        "growth_trace": plain(f"{where}growth_trace", network.growth_trace),
        "calibration": _calibration_to_json(network, f"{where}calibration"),
    }


def _network_from_json(entries: dict[str, Any], many: bool) -> Network:
    hidden = _weights_from_json(entries, "hidden_weights")
    output = _weights_from_json(entries, "output_weights")
    classes = _classes_from_json(entries, many)
    if hidden.shape[1] < 2:
        raise Damage(f"hidden_weights must have at least 2 columns, got {hidden.shape[1]}")
    shape = (1 if len(classes) == 2 else len(classes), len(hidden) + 1)
    if output.shape != shape:
        raise Damage(f"output_weights must have shape {shape}, got {output.shape}")
    temperature = entries["temperature"]
    if temperature is not None and not _is_number(temperature):
        raise Damage(f"temperature must be null or a finite number, got {temperature!r}")
    trace = entries["growth_trace"]
    if not isinstance(trace, list) or not all(isinstance(record, dict) for record in trace):
        raise Damage("growth_trace must be a list of objects")
    return Network(
        hidden_weights=hidden,
        output_weights=output,
        classes=classes,
        growth_trace=tuple(trace),
        temperature=temperature,
        calibration=_calibration_from_json(entries["calibration"], len(hidden), len(classes)),
    )


def _with_what_is_shared(network: Any, document: dict[str, Any]) -> Any:
    """Return a network, or several, with the names of their inputs and their background."""
    named = network.with_feature_names(_names_from_json(document, network.n_features))
    return replace(named, background=_background_from_json(document["background"], network.n_features))


def _background_to_json(background: Background | None) -> dict[str, Any] | None:
    if background is None:
        return None
    return {name: plain(f"background[{name!r}]", getattr(background, name)) for name in _BACKGROUND}


def _background_from_json(entry: Any, n_features: int) -> Background | None:
    if entry is None:
        return None
    if not isinstance(entry, dict) or set(entry) != set(_BACKGROUND):
        raise Damage(f"background must be null or an object with the entries {', '.join(_BACKGROUND)}")
    for name in ("mean", "scale", "low", "high"):
        if not _are_numbers(entry[name], n_features):
            raise Damage(f"background[{name!r}] must be {n_features} finite numbers, one an input")
    for name in ("integer", "two"):
        if not _is_list(entry[name], lambda value: type(value) is bool):
            raise Damage(f"background[{name!r}] must be a list of true and false")
    if not _is_list(entry["groups"], _are_integers):
        raise Damage("background['groups'] must be a list of lists of numbers of inputs")
    rows = entry["correlation"]
    if rows is not None and not _is_list(rows, lambda row: _are_numbers(row, n_features)):
        raise Damage(f"background['correlation'] must be null or rows of {n_features} finite numbers")
    if not _is_number(entry["temperature"]):
        raise Damage(f"background['temperature'] must be a finite number, got {entry['temperature']!r}")
    try:
        return Background(**entry)
    except ValueError as error:
        raise Damage(str(error)) from error


def _names_from_json(document: dict[str, Any], n_features: int) -> tuple[str, ...] | None:
    names = document["feature_names"]
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Damage("feature_names must be null or a list of strings")
    if len(names) != n_features:
        raise Damage(f"feature_names must name {n_features} inputs, got {len(names)} names")
    return tuple(names)


def _calibration_to_json(network: Network, where: str) -> dict[str, Any] | None:
    """Return what `_calibration_from_json` reads; a calibration that it would refuse is a `ValueError`."""
    if network.calibration is None:
        return None
    entry = {name: plain(f"{where}[{name!r}]", getattr(network.calibration, name)) for name in _MANY}
    if network.n_classes == 2:
        entry = {"intercept": entry.pop("intercepts")[0], **entry}
        entry |= {name: entry[name][0] for name in ("slopes", "steps")}
    try:
        _calibration_from_json(entry, network.n_hidden, network.n_classes)
    except Damage as damage:
        raise ValueError(f"{where.removesuffix('calibration')}{damage}") from None
    return entry


def _calibration_from_json(entry: Any, n_hidden: int, n_classes: int) -> Calibration | None:
    if entry is None:
        return None
    names = _TWO if n_classes == 2 else _MANY
    if not isinstance(entry, dict) or set(entry) != set(names):
        raise Damage(f"calibration must be null or an object with the entries {', '.join(names)}")
    if n_classes == 2 and not _is_number(entry["intercept"]):
        raise Damage(f"calibration['intercept'] must be a finite number, got {entry['intercept']!r}")
    for name in names:
        _check_numbers(entry[name], name, n_hidden, n_classes)
    return Calibration(*(entry[name] for name in names))


def _check_numbers(numbers: Any, name: str, n_hidden: int, n_classes: int) -> None:
    """Raise a `Damage` if an entry of a calibration has not the numbers that it must have."""
    where = f"calibration[{name!r}]"
    if name in ("slopes", "steps") and n_classes > 2:
        rows = numbers if isinstance(numbers, list) and len(numbers) == n_classes else [None]
        if not all(_are_numbers(row, n_hidden) for row in rows):
            each = f"of {n_hidden} finite numbers, one a hidden unit"
            raise Damage(f"{where} must be {n_classes} rows, one a class, {each}")
    elif name != "intercept":
        of_classes = name in ("intercepts", "training_priors", "priors")
        length, what = (n_classes, "class") if of_classes else (n_hidden, "hidden unit")
        if not _are_numbers(numbers, length):
            raise Damage(f"{where} must be {length} finite numbers, one a {what}")
        if name.endswith("priors") and not (min(numbers) > 0 and abs(sum(numbers) - 1) < 1e-6):
            raise Damage(f"{where} must be positive with the sum 1, got {numbers!r}")


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
    if not isinstance(entry, dict) or set(entry) != {"dtype", "values"}:
        raise Damage(f"{name} must be an object with the entries dtype and values")
    if entry["dtype"] not in allowed:
        raise Damage(f"{name} must have a dtype among {', '.join(allowed)}, got {entry['dtype']!r}")
    if not isinstance(entry["values"], list) or not entry["values"]:
        raise Damage(f"{name} must have a list of values that is not empty")
    return entry["dtype"], entry["values"]


def _weights_from_json(document: dict[str, Any], name: str) -> NDArray:
    dtype, rows = _array_from_json(document, name, _FLOATS)
    if not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise Damage(f"{name} must be a list of rows of one length")
    largest = float(np.finfo(dtype).max)
    for weight in (weight for row in rows for weight in row):
        if not _is_number(weight) or abs(weight) > largest:
            raise Damage(f"{name} must be finite numbers of {dtype}, got {weight!r}")
    return np.array(rows, dtype=dtype)


def _classes_from_json(document: dict[str, Any], many: bool) -> NDArray:
    dtype, labels = _array_from_json(document, "classes", (*_LABELS, *_FLOATS))
    for label in labels:
        fits = _is_number(label) if dtype in _FLOATS else type(label) is _LABELS[dtype]
        if not fits:
            raise Damage(f"classes: {label!r} is not a label of dtype {dtype}")
    if len(labels) < 2 or len(set(labels)) < len(labels) or (len(labels) > 2 and not many):
        raise Damage(f"classes must be 2 different labels{' or more' * many}, got {labels!r}")
    try:
        return np.array(labels, dtype=dtype)
    except OverflowError as error:
        raise Damage(f"classes: {error}") from error


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _are_numbers(values: Any, length: int) -> bool:
    return _is_list(values, _is_number) and len(values) == length


def _are_integers(values: Any) -> bool:
    return _is_list(values, lambda value: type(value) is int)


def _is_list(values: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(values, list) and all(map(holds, values))
