"""Mutations of model files: of what the JSON says, and of its bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Rng = np.random.Generator

NUMBERS = (
    *(0, -0.0, 1, -1, 2, 0.5, 1e308, -1e308, 1e300, 1e150, 1e100, 1e51, 1e16, 1e-320, 5e-324, 1e-300, 1e-12),
    *(float("nan"), float("inf"), -float("inf"), 10**400, -(10**400), 2**53 + 1, 2**63, 2**64, 1e39, 3.5),
)
TEXTS = (
    *("", "a", "a\0", "\0", "no", "yes", "number", "text", "boolean", "float32", "float64", "object", "int8"),
    *(
        "\ud800",
        "\x1b]0;title\x07",
        "=1+1",
        "naïve ☃",
        "a=b",
        "<b>",
        "[red]x",
        "{}",
        "%s",
        "\n\r\t",
        "\u202e",
    ),
    *("x" * 9_999, "x" * 10_001, "tree", "vote", "wta", "pairs", "hard", "cv", "mdl", "small", "error"),
)
OTHERS = (None, True, False, [], {}, [[]], [None], {"a": 1}, [1.0, "a"], [[1.0]], [0, 0], [[0, 1], [0, 1]])


def mutated(texts: Sequence[bytes], rng: Rng) -> bytes:
    """Return one of some files, changed: mostly in what it says, else in its bytes; some of both."""
    text = texts[rng.integers(len(texts))]
    if rng.random() < 0.8:
        document = json.loads(text)
        for _ in range(1 + rng.integers(3) * (rng.random() < 0.3)):
            other = json.loads(texts[rng.integers(len(texts))])
            document = _changed(document, other, rng)
        text = _written(document, rng)
    if rng.random() < 0.22:
        text = other_bytes(text, texts[rng.integers(len(texts))], rng)
    return text


def _written(document: Any, rng: Rng) -> bytes:
    text = json.dumps(document)
    if rng.random() < 0.02 and text.startswith("{"):  # an entry that is there twice
        text = '{"version": 1, ' + text[1:]
    return text.encode()


def _changed(document: Any, other: Any, rng: Rng) -> Any:
    """Return a document with one change."""
    place = _place(document, rng)
    if place is None:
        return _hostile(rng)
    holder, key = place
    how = CHANGES[rng.integers(len(CHANGES))]
    how(document, other, holder, key, rng)
    return document


def _place(document: Any, rng: Rng) -> tuple[Any, Any] | None:
    """Walk down from the top, so that long lists are no likelier than other entries; return where it ends."""
    holder, key, value = None, None, document
    while isinstance(value, dict | list) and len(value) and (holder is None or rng.random() < 0.85):
        holder = value
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = keys[rng.integers(len(keys))]
        value = holder[key]
    return None if holder is None else (holder, key)


def _hostile(rng: Rng) -> Any:
    kind = (NUMBERS, TEXTS, OTHERS)[rng.integers(3)]
    return copy.deepcopy(kind[rng.integers(len(kind))])


def _same_type(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Put another value of the same type."""
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int | float):
        holder[key] = NUMBERS[rng.integers(len(NUMBERS))]
    elif isinstance(value, str):
        holder[key] = TEXTS[rng.integers(len(TEXTS))]
    else:
        holder[key] = copy.deepcopy(OTHERS[rng.integers(len(OTHERS))])


def _number(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Move a number: by one, its sign, its size, its last digits."""
    value = holder[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e308:
        return _list(document, other, holder, key, rng)
    with np.errstate(all="ignore"):
        size = float(10.0 ** rng.integers(-120, 120))
        choices = (value + 1, value - 1, -value, value * size, value * (1 + 1e-3), value * 2, float(value))
        holder[key] = choices[rng.integers(len(choices))]


def _list(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Shuffle, shorten, lengthen, or repeat what a list holds; of an object swap two entries."""
    value = holder[key]
    if isinstance(value, dict) and len(value) > 1:
        a, b = rng.choice(list(value), 2, replace=False).tolist()
        value[a], value[b] = value[b], value[a]
    elif isinstance(value, list) and value:
        i, how = int(rng.integers(len(value))), rng.integers(6)
        if how == 0:
            rng.shuffle(value)
        elif how == 1:
            del value[i]
        elif how == 2:
            value.insert(i, copy.deepcopy(value[i]))
        elif how == 3:
            value[:] = [copy.deepcopy(value[i]) for _ in value]
        elif how == 4:
            value.append(_hostile(rng))
        else:
            value.reverse()
    else:
        _same_type(document, other, holder, key, rng)


def _replace(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    holder[key] = _hostile(rng)


def _delete(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    del holder[key]


def _rename(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Rename an entry, or add one beside it."""
    if isinstance(holder, list):
        return _list(document, other, holder, key, rng)
    value = holder[key] if rng.random() < 0.5 else holder.pop(key)
    holder[TEXTS[rng.integers(len(TEXTS))] if rng.random() < 0.5 else f"{key}s"] = copy.deepcopy(value)


def _swap(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Swap two values, or take one that stands elsewhere in the document."""
    place = _place(document, rng)
    if place is not None:
        there, name = place
        value = copy.deepcopy(there[name])
        if rng.random() < 0.5 and len(json.dumps(holder[key])) < 10_000:
            there[name] = copy.deepcopy(holder[key])
        holder[key] = value


def _from_other(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Take an entry of the same name from another file, or any."""
    found = [own for own in _objects(other) if isinstance(key, str) and key in own]
    if found:
        holder[key] = found[rng.integers(len(found))][key]
    elif (place := _place(other, rng)) is not None:
        holder[key] = place[0][place[1]]


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return all objects in a document."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] * isinstance(value, dict) + [one for part in inside for one in _objects(part)]


def _nest(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    value = holder[key]
    for _ in range(int(rng.choice([1, 2, 50, 400]))):
        value = [value] if rng.random() < 0.5 else {"a": value}
    holder[key] = value


def _correlation(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Put correlations that are nearly some, or none."""
    about = document.get("background") if isinstance(document, dict) else None
    if not isinstance(about, dict) or not isinstance(about.get("mean"), list):
        return _number(document, other, holder, key, rng)
    n = len(about["mean"])
    loose = rng.normal(size=(n, n + 1))
    loose /= np.sqrt((loose**2).sum(axis=1, keepdims=True))
    matrix = loose @ loose.T
    matrix += rng.choice([0.0, 1e-4, 1e-3, 0.1, 2.0]) * rng.normal(size=(n, n))
    if rng.random() < 0.5:
        matrix = (matrix + matrix.T) / 2
    if rng.random() < 0.7:
        np.fill_diagonal(matrix, 1.0)
    about["correlation"] = matrix.tolist()


def _leaf(document: Any, other: Any, holder: Any, key: Any, rng: Rng) -> None:
    """Change a number or a text deep inside, of any object: most of a document's weight is elsewhere."""
    found = [one for one in _objects(document) if one]
    if found:
        place = _place(found[rng.integers(len(found))], rng)
        while place is not None:
            holder, key = place
            place = _place(holder[key], rng)
    (_same_type, _number)[rng.integers(2)](document, other, holder, key, rng)


Change = Callable[[Any, Any, Any, Any, Rng], None]
CHANGES: tuple[Change, ...] = (
    *(_same_type, _same_type, _number, _number, _number, _list, _list, _replace, _delete, _rename, _swap),
    *(_from_other, _from_other, _nest, _correlation, _leaf, _leaf, _leaf),
)


def other_bytes(text: bytes, other: bytes, rng: Rng) -> bytes:
    """Flip, cut, insert, repeat or splice bytes."""
    content = bytearray(text)
    for _ in range(1 + rng.integers(4)):
        at, how = int(rng.integers(len(content) + 1)), rng.integers(6)
        if how == 0 and at < len(content):
            content[at] ^= 1 << int(rng.integers(8))
        elif how == 1 and rng.random() < 0.3:
            del content[at:]
        elif how == 2:
            content[at:at] = bytes(rng.integers(32, 127, rng.integers(1, 5), dtype=np.uint8))
        elif how == 3:
            del content[at : at + int(rng.integers(1, 4))]
        elif how == 4:
            digits = np.flatnonzero((np.frombuffer(bytes(content), np.uint8) & 0xF0) == 0x30)
            if len(digits):
                content[int(digits[rng.integers(len(digits))])] = int(rng.integers(48, 58))
        elif rng.random() < 0.1:
            content[at:] = other[int(rng.integers(len(other))) :]
    return bytes(content)
