"""What the values of a model file must be: a small table language, its check, and its limits.

What is wrong with a value is a `Damage`, whose text names the entry, what is allowed and what was found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from netlines.network.layout import LONGEST_TEXT, is_usable

# The limits of what a file may say: docs/saving.md lists them. Inputs are at most 1e100, so that no answer
# overflows; training ends far below all of them.
LARGEST_WEIGHT = {"float64": 1e150, "float32": 1e18}
LARGEST_SCORE = 1e150  # of the terms that a calibration adds
LARGEST_STRETCH = 1e307  # of what a calibration multiplies fields by, which may be as small as the inputs
LEAST_SHARE, LARGEST_SHARE = 1e-150, 1 + 1e-6  # of a class: their sum is 1 but for rounding
LARGEST_FACT = 1e110  # of numbers that are only shown
LARGEST_COUNT = 2**53
MOST_CLASSES = 10_000
MOST_UNITS = 100_000  # of one network
MOST_INPUTS = 1_000_000
MOST_PARTS = 100_000
MOST_RECORDS = 10_000  # of the growth of one network
MOST_FACTS = 100  # in one of these records, and in a list of facts


class Kind(NamedTuple):
    """What a value must be.

    `shape` has a letter for each dimension: one of `_EACH` for as many items as there are of these, "*" for
    any number up to `long`; "" is a single item. `item` is what one is, see `_ITEMS`; `of` is what integers
    are numbers of; `null` tells whether null will do; numbers are from `least` to `most`; a choice is among
    `choices`.
    """

    shape: str = ""
    item: str = "number"
    of: str = ""
    null: bool = False
    least: float = -sys.float_info.max
    most: float = sys.float_info.max
    choices: tuple[Any, ...] = ()
    long: int = MOST_PARTS


FACT = Kind(item="fact")

_EACH = {"N": "an input", "H": "a hidden unit", "K": "an output", "C": "a class"}
_ITEMS = {  # what one is, and several
    "number": ("a finite number", "finite numbers"),
    "flag": ("true or false", "values true or false"),
    "integer": ("an integer", "numbers of {of}"),
    "text": ("a string", "strings"),
    "prose": ("a string", "strings"),
    "object": ("an object", "objects"),
    "fact": ("null, true, false, a number, a string or a list of these", ""),
}
_TYPES = {"flag": bool, "integer": int, "text": str, "prose": str, "object": dict}


class Damage(Exception):
    """What is wrong with the values of a model file."""


def check_keys(where: str, entry: Any, names: Iterable[str], null: str = "") -> None:
    """Raise a `Damage` if an entry is not an object with these names."""
    if not isinstance(entry, dict) or set(entry) != set(names):
        raise Damage(
            f"{where} must be {null}an object with the entries {', '.join(names)}, got {short(entry)}"
        )


def check_entries(where: str, entry: Any, table: Mapping[str, Kind], sizes: Mapping[str, int]) -> None:
    """Raise a `Damage` if an entry is not an object with the values of a table."""
    check_keys(where, entry, table, "null or ")
    for name, kind in table.items():
        check(f"{where}[{name!r}]", entry[name], kind, sizes)


def check_facts(where: str, entry: dict[str, Any], table: Mapping[str, Kind]) -> None:
    """Raise a `Damage` if an object has other values than a table says, or what is no plain fact beside."""
    if len(entry) > MOST_FACTS:
        raise Damage(f"{where} must have at most {MOST_FACTS} entries, got {len(entry)}")
    for name, value in entry.items():
        check_text(f"a name in {where}", name)
        check(f"{where}[{name!r}]", value, table.get(name, FACT), {})


def check(where: str, value: Any, kind: Kind, sizes: Mapping[str, int]) -> None:
    """Raise a `Damage` that says what a value must be unless it is that."""
    if value is None and kind.null:
        return
    if kind.item == "choice":
        if type(value) not in map(type, kind.choices) or value not in kind.choices:
            raise Damage(f"{where} must be among {', '.join(map(str, kind.choices))}, got {short(value)}")
        return
    if not _fits(value, kind.shape, kind, sizes):
        raise Damage(f"{where} must be {_allowed(kind, sizes)}, got {short(value)}")
    for item in _items(value, len(kind.shape)):
        _check_size(where, item, kind)


def check_text(where: str, text: str) -> None:
    """Raise a `Damage` if a text is too long, or is none that can be written to a file or a terminal."""
    if not is_usable(text):
        raise Damage(f"{where} must be text of at most {LONGEST_TEXT} characters, got {short(text)}")


def is_number(value: Any) -> bool:
    """Tell whether a value is a number that a float can hold."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def short(value: Any) -> str:
    """Return the beginning of a value as text; whole would be too long in an error."""
    if isinstance(value, str | list):
        value = value[:61]
    try:
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    except ValueError:  # an integer of thousands of digits
        return "a number of thousands of digits"
    except RecursionError:
        return "lists in lists without end"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _check_size(where: str, item: Any, kind: Kind) -> None:
    """Raise a `Damage` if an item of the right type is outside of the limits."""
    if kind.item in ("number", "integer") and not kind.least <= item <= kind.most:
        raise Damage(f"{where} must be from {kind.least:g} to {kind.most:g}, got {short(item)}")
    if kind.item == "text":
        check_text(where, item)
    if kind.item == "prose":
        for start in range(0, len(item), LONGEST_TEXT):
            check_text(where, item[start : start + LONGEST_TEXT])
    if kind.item == "fact":
        for one in _listed(item):
            if isinstance(one, str):
                check_text(where, one)
            elif type(one) in (int, float) and not abs(one) <= LARGEST_FACT:
                raise Damage(f"{where} must be from {-LARGEST_FACT:g} to {LARGEST_FACT:g}, got {short(one)}")


def _allowed(kind: Kind, sizes: Mapping[str, int]) -> str:
    """Say what is allowed."""
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
    return f"{'null or ' * kind.null}{words if kind.shape else one}"


def _fits(value: Any, shape: str, kind: Kind, sizes: Mapping[str, int]) -> bool:
    if not shape:
        return _is_item(value, kind.item)
    if not isinstance(value, list):
        return False
    if len(value) > kind.long if shape[0] == "*" else len(value) != sizes[shape[0]]:
        return False
    return all(_fits(one, shape[1:], kind, sizes) for one in value)


def _is_item(value: Any, item: str) -> bool:
    if item == "number":
        return is_number(value)
    if item == "fact":
        facts = _listed(value)
        simple = all(one is None or type(one) in (bool, int, float, str) for one in facts)
        return simple and len(facts) <= MOST_FACTS
    return type(value) is _TYPES[item]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _items(value: Any, depth: int) -> Iterator[Any]:
    """Yield the items of lists of lists."""
    if not depth:
        yield value
    else:
        for one in value:
            yield from _items(one, depth - 1)
