"""Writes rules for people: conditions over the names of the inputs, joined by AND and OR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import number_text
from netlines.inspection.rules.attributes import Choice, Inputs
from netlines.inspection.rules.boolean import Cubes, n_literals, shortest_cover
from netlines.network.attributes import Term
from netlines.network.layout import LARGEST
from netlines.network.network import sign
from netlines.network.weights import as_integers

if TYPE_CHECKING:
    from netlines.inspection.rules.extraction import Rules

MOST_CASES = 1024  # combinations, up to which one hyperplane is written as a formula
FEW = 3  # conditions joined by AND or OR; more are counted
GLUE = "\N{NO-BREAK SPACE}"  # between a sign and what it belongs to, until lines are wrapped
MOST_DIGITS = 17  # of a double
TINY, LARGE = 2.0**-1000, 2.0**1000


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


def write_rules(rules: Rules, digits: int, width: int, terms: int | None = None) -> list[str]:
    """Return the lines of the rules: without letters if all conditions are literals or few and short.

    Of sums of more terms those that matter most are written.
    """
    used = rules.used_units
    units = rules.units if rules.network is None else rules.network.hidden_weights  # about the origin

    @cache
    def condition(unit: int, state: int) -> Count | str:
        return _condition(units[unit], state, rules.inputs, digits, terms)

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


def _condition(
    unit: NDArray, state: int, inputs: Inputs, digits: int, most: int | None = None
) -> Count | str:
    """Return the condition that a unit has a state, +1 or -1, in the form that reads best."""
    columns = np.flatnonzero(unit[1:])
    if not inputs.binary[columns].all() or not len(columns):
        return _sum_text(unit, state, inputs, digits, most)
    choices = inputs.choices(columns)
    counted = _count(unit, state, inputs, choices)
    if counted is not None:
        return counted
    whole = _sum_text(unit, state, inputs, digits, most)
    if inputs.n_combinations(choices) > MOST_CASES:
        return whole
    formula, size = _formula(unit, state, inputs, choices)
    return formula if size <= len(columns) or len(formula) <= len(whole) else whole


def _count(unit: NDArray, state: int, inputs: Inputs, choices: list[Choice]) -> Count | None:
    """Return the condition as a count, if each attribute adds either nothing or the same to the sum."""
    bias, step, pairs = float(unit[0]), 0.0, []
    for one in choices:
        rows, _ = inputs.combinations([one])
        parts = np.asarray(rows @ unit[1:])
        bias += parts.min()
        parts = parts - parts.min()
        step = step or parts.max()
        on = parts > step / 2
        if not np.allclose(parts, np.where(on, step, 0.0), rtol=0, atol=1e-9 * step):
            return None
        if on.any():
            pairs.append((one.text(on), one.text(~on)))
    if not pairs:
        return None
    n, needed = len(pairs), int(np.ceil(-bias / step - 1e-9))
    least, most = (needed, n) if state > 0 else (0, needed - 1)
    yes, no = ("".join(texts).count("≠") for texts in zip(*pairs, strict=True))
    if no < yes:  # counting the opposite reads better
        pairs = [(b, a) for a, b in pairs]
        least, most = n - most, n - least
    return Count(tuple(pairs), least, most)


def _formula(unit: NDArray, state: int, inputs: Inputs, choices: list[Choice]) -> tuple[str, int]:
    """Write the condition as an OR of ANDs of single inputs; also return how many there are."""
    rows, members = inputs.combinations(choices)
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


class Sum(NamedTuple):
    """A weighted sum and its threshold, scaled to read well: the first weight is positive."""

    terms: list[Term]
    weights: NDArray
    missing: list[float | None]  # what each attribute adds where it is missing
    threshold: float
    factor: float  # by which all was multiplied; negative if that turned ≥ into ≤

    @classmethod
    def of(cls, bias: float, terms: list[Term], inputs: Inputs) -> Sum:
        """Scale a sum to small integers if there are any in its proportions, else to the largest weight 1."""
        weights = np.array([term.weight for term in terms])
        integers = as_integers(weights)
        scaled = weights / np.abs(weights).max() if integers is None else integers
        factor = float(scaled[0] / weights[0])
        factor, scaled = (factor, scaled) if scaled[0] > 0 else (-factor, -scaled)
        missing = [None if term.missing is None else term.missing * factor for term in terms]
        threshold = -bias * factor
        if integers is not None and _are_whole(terms, missing, inputs):
            threshold = np.ceil(threshold - 1e-9) if factor > 0 else np.floor(threshold + 1e-9)
        return cls(terms, scaled, missing, threshold, factor)


def _are_whole(terms: Sequence[Term], missing: Sequence[float | None], inputs: Inputs) -> bool:
    """Tell whether all that terms of integer weights can add are integers."""
    own = [term.inputs[0] for term in terms if not term.is_condition]
    added = np.array([add for add in missing if add is not None])
    whole = (inputs.integer[own] | inputs.binary[own]).all()
    return bool(whole and (np.abs(added - np.rint(added)) <= 1e-9).all())


def _sum_text(unit: NDArray, state: int, inputs: Inputs, digits: int, most: int | None) -> str:
    """Write the condition as a weighted sum and a threshold, what matters most first."""
    bias, terms, spreads = inputs.terms(unit)
    reach = sum(2 * LARGEST * abs(term.weight) + abs(term.missing or 0.0) for term in terms)
    if reach < abs(bias) or not terms:
        return "always" if (bias >= 0) == (state > 0) else "never"
    if max(abs(term.weight) for term in terms) < TINY:  # its reciprocal may be infinite
        bias, terms, spreads = inputs.terms(unit.astype(float) * LARGE)
    whole = Sum.of(bias, terms, inputs)
    origins = np.array([0.0 if term.is_condition else inputs.origin[term.inputs[0]] for term in terms])
    about_zero = whole.threshold + float(whole.weights @ origins)
    alone = len(terms) == 1 and about_zero - whole.threshold == origins[0]  # reads better
    threshold = about_zero if alone else whole.threshold
    spread = float(spreads.max()) * abs(whole.factor)
    with np.errstate(over="ignore", divide="ignore"):
        finer = int(np.clip(np.log10(np.float64(max(abs(threshold), 1e-300)) / spread), 0, MOST_DIGITS))
    relation = {(True, True): "≥", (True, False): "<", (False, True): "≤", (False, False): ">"}
    least = number_text(threshold, min(digits + 1 + finer, MOST_DIGITS))
    end = f"{GLUE}{relation[whole.factor > 0, state > 0]}{GLUE}{least}"
    names = [_in_sums(inputs, term, from_origin=not alone) for term in terms]
    texts = [_term(weight, name, digits) for weight, name in zip(whole.weights, names, strict=True)]
    texts[0] = texts[0].removeprefix(f"+{GLUE}")
    if len(terms) == 1 and terms[0].missing is not None:  # a condition more instead of what it adds
        holds = (bias + terms[0].missing >= 0) == (state > 0)
        return f"{terms[0].attribute.name} is missing OR " * holds + texts[0] + end
    added = [_if_missing(add, digits) for add in whole.missing]
    texts = [f"{text}{add}" for text, add in zip(texts, added, strict=True)]
    if most is not None and len(texts) > most + 1:
        texts[most:] = [f"+ … ({len(texts) - most} smaller)".replace(" ", GLUE)]
    return " ".join(texts) + end


def _if_missing(value: float | None, digits: int) -> str:
    """Write what a number with gaps adds where it is missing, with its sign; "" of any other."""
    if value is None:
        return ""
    text = number_text(abs(value), digits)
    return f" ({'-' if value < 0 and text != '0' else '+'}{text} if missing)".replace(" ", GLUE)


def _in_sums(inputs: Inputs, term: Term, *, from_origin: bool) -> str:
    """Write what a weight multiplies: in [] if it counts as 0 or 1, in quotes if it would be misread."""
    if term.is_condition:
        return f"[{term.attribute.one_of(term.inputs)}]"
    (i,), column = term.inputs, term.attribute.column
    odd = "=" in inputs.names[i]
    if inputs.binary[i] and (odd or inputs.low[i] != 0):
        return f"[{inputs.literal(i, True)}]"
    name = repr(inputs.names[i]) if odd or (column is not None and column.part) else inputs.names[i]
    if not from_origin or not inputs.origin[i]:
        return name
    return (
        f"({name} {'-' if inputs.origin[i] > 0 else '+'} {number_text(abs(inputs.origin[i]), MOST_DIGITS)})"
    )


def _term(weight: float, name: str, digits: int) -> str:
    size = number_text(abs(weight), digits)
    sized = name if size == "1" else f"{size}·{name}"
    return f"{'-' if weight < 0 else '+'} {sized}".replace(" ", GLUE)


def _letter(k: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    return (_letter(k // 26 - 1) if k >= 26 else "") + chr(ord("A") + k % 26)
