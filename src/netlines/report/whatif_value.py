"""A network as one plain JSON value, complete enough that a page can answer as the network does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import floor, isfinite, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from netlines.inspection.domains import standardised_weights
from netlines.inspection.inputs import as_rows
from netlines.inspection.missing.allowed import Allowed, allowed_values
from netlines.inspection.missing.integration import DRAWS, normal_points
from netlines.network.attributes import Attribute, attributes_of
from netlines.network.background import Background
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork
from netlines.tables.cells import MICROSECONDS_A_DAY

MOST_UNKNOWN = 12  # values of a row that may be unknown at once
BITS = 30  # of evenly spread draws
STEPS = 100  # a slider has at least so many
UNKNOWN, MISSING = None, False  # settings that are no values; the program knows them as null and false


def network_value(network: AnyNetwork) -> dict[str, Any]:
    """Return what the page computes answers from: weights, calibration, scheme, what training rows were like.

    Weights and the background are those inside the network's frame, in which the page counts.

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.report.whatif_value import network_value
    >>> value = network_value(Network([[1.0, -1.0]], PASS_ON, ["out", "in"]))
    >>> value["classes"], value["parts"][0]["weights"]
    (['out', 'in'], [[1, -1]])
    """
    frame = network.frame
    inner = network if frame is None else network.inside(frame)
    about = inner.surroundings
    value = {
        "target": None if network.layout is None else network.layout.target,
        "classes": [str(label) for label in network.classes.tolist()],
        "probability": network.has_probability,
        "pure": network.code_decides and len(network.trees) <= 1,
        "frame": None if frame is None else [_plain(frame.origin), _plain(frame.unit)],
        "parts": [_part(part.network, part.scale) for part in inner.parts],
        "mean": _plain(about.mean),
        "scale": _plain(about.scale),
        "allowed": [_allowed(one) for one in allowed_values(inner)],
        "groups": [[*group] for group in about.groups],
        "correlation": _correlation(about),
        "draws": _draws(min(MOST_UNKNOWN, network.n_features)),
    }
    return value | (_scheme(inner) if isinstance(inner, Networks) else {"scheme": None})


def _part(network: Network, scale: float) -> dict[str, Any]:
    """Return one network; `outputs` is null if its only unit answers itself."""
    one = network.calibration
    found: dict[str, Any] = {
        "weights": _plain(network.hidden_weights),
        "outputs": None if network.passes_on else _plain(network.output_weights),
        "scale": scale,
        "calibration": None,
    }
    if one is not None:
        names = "intercepts", "slopes", "steps", "steepness", "shift"
        found["calibration"] = {name: _plain(getattr(one, name)) for name in names}
    return found


def _scheme(network: Networks) -> dict[str, Any]:
    """Return how several networks decide together, classes by their numbers."""
    numbers = {label: i for i, label in enumerate(network.classes.tolist())}
    moved = network.moved and network.priors is not None and network.training_priors is not None
    return {
        "scheme": network.scheme,
        "confidence": network.voting == "confidence",
        "pairs": [[numbers[part.positive[0]], numbers[part.negative[0]]] for part in network.parts],
        "trees": [[*tree] for tree in network.trees],
        "orders": [[numbers[label] for label in sequence] for sequence in network.learning_sequences],
        "ratio": _plain(network.priors / network.training_priors) if moved else None,  # type: ignore[operator]
    }


def _allowed(one: Allowed) -> list[Any]:
    """Return the ends and the kind of an input's values: 0 all between, 1 whole numbers, 2 the ends only."""
    ends = [_finite(one.low), _finite(one.high)]
    return [*ends, 2 if one.values is not None else int(one.integer)]


def _correlation(about: Background) -> list | None:
    """Return the correlations; row by row up to the diagonal if that is all."""
    matrix = about.correlation
    if matrix is None:
        return None
    whole = _plain(matrix)
    return [row[: i + 1] for i, row in enumerate(whole)] if (matrix == matrix.T).all() else whole


def _draws(most: int) -> list[list[list[int]]]:
    """Return of 2, 3, ... unknown values what their evenly spread draws are made of.

    Each draw differs from the one before, in each column, by one of eight patterns of bits, in the order of
    Gray's code: the first draw and these patterns are all that the page needs.
    """
    found = []
    for n in range(2, most + 1):
        draws = np.rint(ndtr(normal_points(n)) * 2.0**BITS).astype(np.int64)
        patterns = np.array([draws[2**k] ^ draws[2**k - 1] for k in range(DRAWS.bit_length() - 1)])
        again = [draws[0]]
        for i in range(1, DRAWS):
            again.append(again[-1] ^ patterns[(i & -i).bit_length() - 1])
        if not np.array_equal(again, draws):  # points of another kind than those this knows
            break
        found.append(np.vstack([draws[:1], patterns]).T.tolist())
    return found


def attribute_values(network: AnyNetwork) -> list[dict[str, Any]]:
    """Return what a person can set, the most important first: numbers, lists of choices, dates.

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.report.whatif_value import attribute_values
    >>> network = Network([[1.0, -1.0, 5.0]], PASS_ON, ["out", "in"], feature_names=("age", "dose"))
    >>> [(one["name"], one["kind"], one["low"]) for one in attribute_values(network)]
    [('dose', 'number', -3), ('age', 'number', -3)]
    """
    by_origin: dict[str, list[Attribute]] = defaultdict(list)
    for one in attributes_of(network):
        part = one.column is not None and one.column.part and one.column.source
        by_origin[f"date {one.column.origin}" if part and one.column else f"own {one.name}"].append(one)
    slopes, _ = standardised_weights(network)
    weights = np.sqrt((slopes**2).mean(axis=0))
    found = []
    for some in by_origin.values():
        dates = any(one.column is not None and one.column.part == "days" for one in some)
        for own in [some] if dates else [[one] for one in some]:
            inputs = [i for one in own for i in one.inputs]
            about = _date(network, own) if dates else _number_or_choice(network, own[0])
            found.append(about | {"weight": float(np.sqrt((weights[inputs] ** 2).sum()))})
    return sorted(found, key=lambda one: -one["weight"])


def _number_or_choice(network: AnyNetwork, one: Attribute) -> dict[str, Any]:
    known, (first, *_) = network.surroundings, one.inputs
    both = float(known.low[first]), float(known.high[first])
    if one.is_category:
        return _choice(network, one, [one.value(i) for i in one.choices if i != one.gap], one.levels)
    if one.kind == "boolean":
        return _choice(network, one, ["no", "yes"], (0.0, 1.0))
    if known.two[first] and isfinite(both[0]) and both[0] < both[1] and one.gap is None:
        return _choice(network, one, [str(_number(end)) for end in both], both)
    seen = isfinite(both[0])
    mean, scale = float(known.mean[first]), float(known.scale[first])
    low, high = both if seen else (mean - 3 * scale, mean + 3 * scale)
    whole = bool(known.integer[first]) and seen
    exponent = _exponent(high - low, whole)
    decimals = max(0, -exponent)
    usual = min(max(round(mean, decimals), low), high)
    clock = one.column is not None and one.column.part == "hour"
    return {
        "name": f"{one.name} (hour of the day)" if clock and "hour" not in one.name else one.name,
        "kind": "number",
        "inputs": [*one.inputs],
        "gap": one.gap is not None,
        "fill": one.fill,
        "low": _number(low),
        "high": _number(high),
        "seen": seen,
        "whole": whole,
        "decimals": decimals,
        "step": _number(10.0**exponent),
        "usual": _number(usual),
    }


def _choice(network: AnyNetwork, one: Attribute, texts: list[str], levels: Iterable[float]) -> dict[str, Any]:
    """Return a list of choices: each turns one of the inputs on, or none (-1)."""
    own = list(one.own)
    on = [-1, *own] if len(texts) > len(own) else own
    low, high = levels
    shares = (network.surroundings.mean[own] - low) / (high - low)
    gaps = 0.0 if one.gap is None else float(network.surroundings.mean[one.gap])
    chances = [1.0 - gaps - float(shares.sum())] * (len(on) > len(own)) + shares.tolist()
    usual = MISSING if gaps > max(chances) else texts[int(np.argmax(chances))]
    return {
        "name": one.name,
        "kind": "choice",
        "inputs": [*one.inputs],
        "gap": one.gap is not None,
        "texts": texts,
        "on": on,
        "levels": [_number(low), _number(high)],
        "usual": usual,
    }


def _date(network: AnyNetwork, own: list[Attribute]) -> dict[str, Any]:
    """Return a column of dates, whose parts are inputs of several kinds."""
    known, parts, days = network.surroundings, [], None
    for one in own:
        column = one.column
        assert column is not None
        days = (one, column) if column.part == "days" else days
        parts.append(
            {
                "part": column.part,
                "inputs": [*one.inputs],
                "gap": one.gap is not None,
                "fill": one.fill,
                "texts": [*column.categories],
                "base": column.base,
                "other": bool(column.other),
            }
        )
    assert days is not None
    attribute, column = days
    first = attribute.inputs[0]
    timed = any(one["part"] == "hour" for one in parts) or not bool(known.integer[first])
    start = column.start / MICROSECONDS_A_DAY
    low, mean, high = (float(one[first]) for one in (known.low, known.mean, known.high))
    return {
        "name": column.origin,
        "kind": "date",
        "inputs": [i for one in own for i in one.inputs],
        "days": first,
        "gap": any(one["gap"] for one in parts),
        "start": column.start / 1000,
        "timed": timed,
        "low": _iso(start + low, timed),
        "high": _iso(start + high, timed),
        "seen": True,
        "usual": _iso(start + round(mean), timed),
        "parts": parts,
    }


def settings(network: AnyNetwork, attributes: list[dict[str, Any]], X: Any) -> list[list[Any]]:
    """Return rows as what a person would set, in the order of the attributes.

    Parameters
    ----------
    network : Network or Networks
    attributes : what `attribute_values` gave
    X : rows of the user's table, or of inputs as `InputRows`

    Examples
    --------
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.report.whatif_value import attribute_values, settings
    >>> network = Network([[1.0, -1.0, 5.0]], PASS_ON, ["out", "in"], feature_names=("age", "dose"))
    >>> settings(network, attribute_values(network), [[50.0, float("nan")]])
    [[None, 50]]
    """
    rows = np.asarray(as_rows(network, X, missing=True), dtype=float)
    return [[_setting(one, row) for one in attributes] for row in rows]


def _setting(one: dict[str, Any], row: NDArray) -> Any:
    own = row[one["inputs"]]
    if one["gap"] and one["kind"] != "date" and own[-1] == 1:
        return MISSING
    if one["kind"] == "number":
        return UNKNOWN if np.isnan(own[0]) else _number(float(own[0]))
    if one["kind"] == "date":
        days = float(row[one["days"]])
        gaps = [part["inputs"][-1] for part in one["parts"] if part["gap"]]
        if one["gap"] and row[gaps].all():
            return MISSING
        start = one["start"] * 1000 / MICROSECONDS_A_DAY
        return UNKNOWN if np.isnan(days) else _iso(start + days, one["timed"])
    on = [i for i in one["on"] if i >= 0 and row[i] == one["levels"][1]]
    if np.isnan(own).any() or len(on) > 1 or not (on or -1 in one["on"]):
        return UNKNOWN
    return one["texts"][one["on"].index(on[0] if on else -1)]


def _iso(days: float, timed: bool) -> str:
    """Return days from 1970 on as the text that a page's field for dates has."""
    micro = round(days * MICROSECONDS_A_DAY)
    return str(np.datetime64(micro, "us").astype("M8[m]" if timed else "M8[D]"))


def _exponent(span: float, whole: bool) -> int:
    """Return the power of ten that is a step of a slider over a span of values."""
    found = floor(log10(span / STEPS)) if span > 0 else -3
    return max(found, 0) * (span > 20 * STEPS) if whole else found


def _finite(value: float) -> Any:
    return _number(value) if isfinite(value) else None


def _number(value: float) -> int | float:
    """Return a number as short as JSON can have it."""
    return int(value) if value == int(value) and abs(value) < 2**53 else float(value)


def _plain(array: NDArray) -> list:
    """Return an array as lists of short numbers."""
    return [_plain(one) if one.ndim else _number(float(one)) for one in np.asarray(array, dtype=float)]
