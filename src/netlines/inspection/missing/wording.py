"""Sentences about incomplete rows: which values or categories of what is missing lead to which class."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from netlines._words import enough_digits, joined
from netlines.network.attributes import shared_name

if TYPE_CHECKING:
    from netlines.inspection.missing.possible import Piece


def pieces_text(pieces: Sequence[Piece], name: str, finite: bool) -> str:
    """Say for which values of an input which class is the answer."""
    digits = _digits([end for piece in pieces for end in (piece.low, piece.high) if isfinite(end)])
    if len(pieces) == 2:
        below, above = pieces
        if above.low_closed:
            return f"{above.label} from {name} ≥ {_number(above.low, digits)}, {below.label} below"
        return f"{below.label} up to {name} ≤ {_number(below.high, digits)}, {above.label} above"
    by_label: dict[Any, list[str]] = {}
    for k, piece in enumerate(pieces):
        by_label.setdefault(piece.label, []).append(_condition(piece, k, len(pieces), finite, digits))
    *listed_ones, last = by_label
    texts = [f"{label} for {name} {' or '.join(by_label[label])}" for label in listed_ones]
    rest = "between" if len(pieces) == 3 and last == pieces[1].label else "elsewhere"
    return ", ".join([*texts, f"{last} {rest}"])


def categories_text(categories: Sequence[tuple[str, Any]], name: str | None = None) -> str:
    """Say for which categories, given as NAME=VALUE with their labels, which class is the answer.

    The name may have a = in it if it is given.

    Examples
    --------
    >>> from netlines.inspection.missing.wording import categories_text
    >>> categories_text([("hue=red", "stop"), ("hue=amber", "stop"), ("hue=green", "go")])
    'go for hue = green, stop otherwise'
    """
    if name is None or not all(category.startswith(f"{name}=") for category, _ in categories):
        name = shared_name([category for category, _ in categories])
    by_label: dict[Any, list[str]] = {}
    for category, label in categories:
        value = category if name is None else category.removeprefix(f"{name}=")
        by_label.setdefault(label, []).append(value)
    *first, last = sorted(by_label, key=lambda label: len(by_label[label]))
    of = "" if name is None else f"{name} = "
    return ", ".join(
        [*(f"{label} for {of}{joined(by_label[label], 'or')}" for label in first), f"{last} otherwise"]
    )


def _condition(piece: Piece, k: int, n_pieces: int, finite: bool, digits: int) -> str:
    """Say for which values the k-th of some pieces holds; the ends of all of them need no word."""
    low, high = _number(piece.low, digits), _number(piece.high, digits)
    if piece.low == piece.high:
        return f"= {low}"
    if k == 0:
        return f"{'≤' if piece.high_closed else '<'} {high}"
    if k == n_pieces - 1:
        return f"{'≥' if piece.low_closed else '>'} {low}"
    if finite:
        return f"from {low} to {high}"
    return f"in {'[' if piece.low_closed else '('}{low}, {high}{']' if piece.high_closed else ')'}"


def _digits(values: Sequence[float]) -> int:
    """Return the number of digits, at least 6, by which different values look different, the last exactly."""
    different = set(values)
    least = enough_digits(max(different), max(different) - min(different), 6) if different else 6
    return next(
        n for n in range(least, 18) if n == 17 or len({f"{one:.{n}g}" for one in different}) == len(different)
    )


def _number(value: float, digits: int) -> str:
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else f"{value:.{digits}g}"
