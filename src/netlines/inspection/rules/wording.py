"""Writes rules for people: conditions over the names of the inputs, joined by AND and OR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.rules.attributes import Inputs
from netlines.inspection.rules.boolean import Cubes, n_literals, shortest_cover
from netlines.network.network import sign

if TYPE_CHECKING:
    from netlines.inspection.rules.extraction import Rules

MOST_CASES = 1024  # combinations, up to which one hyperplane is written as a formula
FEW = 3  # conditions joined by AND or OR; more are counted
GLUE = "\N{NO-BREAK SPACE}"  # between a sign and what it belongs to, until lines are wrapped
MOST_DIGITS = 17  # of a double
TINY, LARGE = 2.0**-1000, 2.0**1000
LARGEST_INTEGER = 999  # weights that are proportional to integers up to it are written as these


class Count(NamedTuple):
    """The condition that from `least` to `most` of some conditions hold; each with its opposite."""

    pairs: tuple[tuple[str, str], ...]
    least: int
    most: int

    def text(self) -> str:
        """Write the condition, by AND or OR if there are few."""
        yes, no = (tuple(pair[k] for pair in self.pairs) for k in (0, 1))
        n, least, most = len(yes), max(self.least, 0), min(self.most, len(yes))
        if least > most:
            return "never"
        if (least, most) == (0, n):
            return "always"
        listing = f"of ({', '.join(yes)})"
        forms = {
            (n, n): (" AND ".join(yes), "all"),
            (0, 0): (" AND ".join(no), "none"),
            (1, n): (" OR ".join(yes), "any"),
            (0, n - 1): (" OR ".join(no), "not all"),
        }
        if (least, most) in forms:
            short, word = forms[least, most]
            return short if n <= FEW else f"{word} {listing}"
        if least == most:
            return f"exactly {least} {listing}"
        if most == n:
            return f"at least {least} {listing}"
        return f"at most {most} {listing}" if least == 0 else f"{least} to {most} {listing}"


def write_rules(rules: Rules, digits: int, width: int) -> list[str]:
    """Return the lines of the rules: without letters if all conditions are literals or few and short."""
    used = rules.used_units
    units = rules.units if rules.network is None else rules.network.hidden_weights  # about the origin

    @cache
    def condition(unit: int, state: int) -> Count | str:
        return _condition(units[unit], state, rules.inputs, digits)

    def in_full(cube: Cubes) -> str:
        return _joined([condition(h, int(cube[h])) for h in np.flatnonzero(cube).tolist()])

    if rules.network is None or len(used) <= 2:
        lines = _clauses(rules, in_full, width)
        if rules.network is None or len(used) < 2 or max(map(len, lines)) <= width:
            return lines
    # A unit that is mentioned in one state only has its letter for this state: no NOT is needed.
    states = {h: {int(s) for cubes in rules.covers for s in cubes[:, h] if s} for h in used}
    named = {h: (_letter(k), 1 if len(states[h]) > 1 else min(states[h])) for k, h in enumerate(used)}

    def by_letters(cube: Cubes) -> str:
        pairs = [(named[h], cube[h]) for h in np.flatnonzero(cube).tolist()]
        return " AND ".join(name if state == own else f"NOT {name}" for (name, own), state in pairs)

    letters = [f"{name}: {_joined([condition(h, state)])}" for h, (name, state) in named.items()]
    return letters + _clauses(rules, by_letters, width)


def _clauses(rules: Rules, write: Callable[[Cubes], str], width: int) -> list[str]:
    """Return the rules, given how to write a cube: a line each class, or each cube if that is too long."""
    lines: list[str] = []
    for label, cubes in rules.cubes.items():
        begin = "ELSE IF" if lines else "IF"
        texts = [write(cube) for cube in cubes]
        several = len(texts) > 1
        whole = " OR ".join(f"({text})" if several and " AND " in text else text for text in texts)
        if several and len(f"{begin} {whole} THEN {label}") > width:
            lines += [f"{'OR IF' if k else begin} {text} THEN {label}" for k, text in enumerate(texts)]
        else:
            lines.append(f"{begin} {whole} THEN {label}")
    return [*lines, f"{'ELSE' if lines else 'ALWAYS'} {rules.default}"]


def _joined(conditions: Sequence[Count | str]) -> str:
    """Join conditions by AND; those that count the same conditions become one."""
    merged: dict[Any, Count | str] = {}
    for k, one in enumerate(conditions):
        key = one.pairs if isinstance(one, Count) else k
        other = merged.get(key)
        if isinstance(one, Count) and isinstance(other, Count):
            one = Count(one.pairs, max(one.least, other.least), min(one.most, other.most))
        merged[key] = one
    texts = [one.text() if isinstance(one, Count) else one for one in merged.values()]
    return " AND ".join(f"({text})" if " OR " in text and len(texts) > 1 else text for text in texts)


def _condition(unit: NDArray, state: int, inputs: Inputs, digits: int) -> Count | str:
    """Return the condition that a unit has a state, +1 or -1, in the form that reads best."""
    columns = np.flatnonzero(unit[1:])
    if not inputs.binary[columns].all() or not len(columns):
        return _sum_text(unit, state, inputs, digits)
    attributes = inputs.attributes(columns)
    counted = _count(unit, state, inputs, attributes)
    if counted is not None:
        return counted
    whole = _sum_text(unit, state, inputs, digits)
    if inputs.n_combinations(attributes) > MOST_CASES:
        return whole
    formula, size = _formula(unit, state, inputs, attributes)
    return formula if size <= len(columns) or len(formula) <= len(whole) else whole


def _count(unit: NDArray, state: int, inputs: Inputs, attributes: list[tuple[int, ...]]) -> Count | None:
    """Return the condition as a count, if each attribute adds either nothing or the same to the sum."""
    bias, step, choices = float(unit[0]), 0.0, []
    for attribute in attributes:
        rows, _ = inputs.combinations([attribute])
        parts = rows @ unit[1:]
        bias += parts.min()
        parts = parts - parts.min()
        step = step or parts.max()
        on = parts > step / 2
        if not np.allclose(parts, np.where(on, step, 0.0), rtol=0, atol=1e-9 * step):
            return None
        if on.any():
            choices.append((inputs.choice(attribute, on), inputs.choice(attribute, ~on)))
    if not choices:
        return None
    n, needed = len(choices), int(np.ceil(-bias / step - 1e-9))
    least, most = (needed, n) if state > 0 else (0, needed - 1)
    yes, no = ("".join(texts).count("≠") for texts in zip(*choices, strict=True))
    if no < yes:  # counting the opposite reads better
        choices = [(b, a) for a, b in choices]
        least, most = n - most, n - least
    return Count(tuple(choices), least, most)


def _formula(unit: NDArray, state: int, inputs: Inputs, attributes: list[tuple[int, ...]]) -> tuple[str, int]:
    """Write the condition as an OR of ANDs of single inputs; also return how many there are."""
    rows, members = inputs.combinations(attributes)
    holds = sign(unit[0] + rows @ unit[1:]) == state
    if holds.all() or not holds.any():
        return "always" if holds.all() else "never", 0
    codes = np.where(rows[:, members] == inputs.high[members], 1, -1)
    cubes = shortest_cover(codes[holds], codes[~holds]).cubes
    texts = [
        " AND ".join(inputs.literal(i, value > 0) for i, value in zip(members, cube, strict=True) if value)
        for cube in cubes
    ]
    several = len(texts) > 1
    joined = " OR ".join(f"({text})" if several and " AND " in text else text for text in texts)
    return joined, n_literals(cubes)


def _sum_text(unit: NDArray, state: int, inputs: Inputs, digits: int) -> str:
    """Write the condition as a weighted sum and a threshold, what matters most first."""
    columns = np.flatnonzero(unit[1:])
    if not len(columns):
        return "always" if (unit[0] >= 0) == (state > 0) else "never"
    weights, bias = unit[1:][columns].astype(float), float(unit[0])
    if np.abs(weights).max() < TINY:  # its reciprocal may be infinite
        weights, bias = weights * LARGE, bias * LARGE
    spreads = np.abs(weights) * inputs.scale[columns]
    two = inputs.binary[columns]  # counted as 0 and 1, whatever their values
    bias += float(weights[two] @ inputs.low[columns[two]])
    weights[two] *= (inputs.high - inputs.low)[columns[two]]
    order = np.argsort(-spreads, kind="stable")
    columns, weights = columns[order], weights[order]
    integers = _as_integers(weights)
    scaled = weights / np.abs(weights).max() if integers is None else integers
    threshold = -bias * float(scaled[0] / weights[0])
    up = scaled[0] > 0  # the first weight is written as positive
    scaled, threshold = (scaled, threshold) if up else (-scaled, -threshold)
    if integers is not None and (inputs.integer[columns] | inputs.binary[columns]).all():
        threshold = np.ceil(threshold - 1e-9) if up else np.floor(threshold + 1e-9)
    relation = {(True, True): "≥", (True, False): "<", (False, True): "≤", (False, False): ">"}
    spread = float(spreads.max()) * abs(float(scaled[0] / weights[0]))
    about_zero = threshold + float(scaled @ inputs.origin[columns])
    alone = len(columns) == 1 and about_zero - threshold == inputs.origin[columns[0]]  # reads better
    threshold = about_zero if alone else threshold
    names = [_in_sums(inputs, int(i), from_origin=not alone) for i in columns]
    terms = [_term(weight, name, digits) for weight, name in zip(scaled, names, strict=True)]
    left = " ".join(terms).removeprefix(f"+{GLUE}")
    with np.errstate(over="ignore", divide="ignore"):
        finer = int(np.clip(np.log10(np.float64(max(abs(threshold), 1e-300)) / spread), 0, MOST_DIGITS))
    number = _number(threshold, min(digits + 1 + finer, MOST_DIGITS))
    return f"{left}{GLUE}{relation[bool(up), state > 0]}{GLUE}{number}"


def _in_sums(inputs: Inputs, i: int, *, from_origin: bool) -> str:
    """Write an input in a sum: in [] if it counts as 0 or 1, in quotes if its name would be misread."""
    odd = "=" in inputs.names[i]
    if inputs.binary[i] and (odd or inputs.low[i] != 0):
        return f"[{inputs.literal(i, True)}]"
    name = repr(inputs.names[i]) if odd else inputs.names[i]
    if not from_origin or not inputs.origin[i]:
        return name
    return f"({name} {'-' if inputs.origin[i] > 0 else '+'} {_number(abs(inputs.origin[i]), MOST_DIGITS)})"


def _term(weight: float, name: str, digits: int) -> str:
    size = _number(abs(weight), digits)
    sized = name if size == "1" else f"{size}·{name}"
    return f"{'-' if weight < 0 else '+'} {sized}".replace(" ", GLUE)


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}g}"
    if "e" in text and 1 <= abs(value) < 1e12:
        text = f"{value:.0f}"
    return "0" if text == "-0" else text


def _as_integers(weights: NDArray) -> NDArray | None:
    """Return small integers in the proportions of weights, or None if there are none."""
    if (weights == np.rint(weights)).all() and np.abs(weights).max() <= 2**53:
        divided = weights / np.gcd.reduce(np.abs(weights).astype(np.int64))
        return divided if np.abs(divided).max() <= LARGEST_INTEGER else None
    with np.errstate(over="ignore"):  # of a weight next to 0
        ratios = weights / np.abs(weights).min()
    for multiple in range(1, 13):
        integers = np.rint(multiple * ratios)
        if not np.abs(integers).max() <= LARGEST_INTEGER:
            return None
        if np.allclose(integers, multiple * ratios, rtol=1e-9, atol=0):
            return integers
    return None


def _letter(k: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    return (_letter(k // 26 - 1) if k >= 26 else "") + chr(ord("A") + k % 26)
