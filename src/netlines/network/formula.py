"""Weighted sums in words: over the attributes of the table, the most important first, as points if they are.

numpy only. What matters most are the attributes whose values move the sum most: the weight times the spread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, enough_digits, joined, number_text, wrapped
from netlines.network.attributes import Attribute, Term, as_terms, attributes_of
from netlines.network.protocol import AnyNetwork
from netlines.network.weights import as_integers

MOST = 10  # attributes of a sum, hyperplanes of a network, and networks, in a short text
MOST_TERMS = 4  # a line, of a hyperplane among others
MOST_LINES = 3  # of it, if they are few
MOST_VALUES = 4  # of a category
INDENT = 4  # of the further lines of a wrapped one
NEARLY = 1e-9  # as rounding makes integers
GLUE = "\N{NO-BREAK SPACE}"  # between a sign and what it belongs to, until lines are wrapped


@dataclass(frozen=True)
class Style:
    """How a network is written: digits of its weights, length of a line, all of it or what matters most."""

    digits: int = 4
    width: int = 100
    full: bool = True
    more: str = ""  # where the rest can be seen

    def some(self, items: Sequence[Any], most: int = MOST) -> Sequence[Any]:
        """Return the items to show: all of them, or so many."""
        return items if self.full else items[:most]

    def fitting(self, lines: Iterable[str], most: int = MOST) -> list[str]:
        """Return all lines, or the first of them, at least one, that take so many when they are wrapped."""
        if self.full:
            return list(lines)
        found: list[str] = []
        for line in lines:
            most -= wrapped(line, self.width).count("\n") + 1
            if most < 0 and found:
                break
            found.append(line)
        return found

    def rest(self, hidden: int, one: str, many: str | None = None) -> Iterator[str]:
        """Yield the line that says how many are not shown."""
        if hidden:
            yield f"… and {count(hidden, one, many)}" + (f": {self.more}" if self.more else "")


class Weighted(NamedTuple):
    """A weighted sum: its threshold, and the terms of each attribute, what matters most first."""

    threshold: float
    groups: list[tuple[Attribute, list[Term]]]
    moves: list[float]  # how far each attribute moves the sum: a standard deviation
    relation: str = "≥"

    def upright(self) -> Weighted:
        """Return a sum without a positive weight the other way round: x ≤ 3 instead of -x ≥ -3."""
        every = [term for _, terms in self.groups for term in terms]
        if not every or any(term.weight > 0 for term in every):
            return self
        groups = [
            (
                one,
                [
                    t._replace(weight=-t.weight, missing=None if t.missing is None else -t.missing)
                    for t in own
                ],
            )
            for one, own in self.groups
        ]
        return Weighted(0.0 - self.threshold, groups, self.moves, "≤")


@dataclass(frozen=True)
class Words:
    """Writes weighted sums of the inputs of a network."""

    attributes: tuple[Attribute, ...]
    mean: NDArray
    scale: NDArray
    origin: NDArray | None
    style: Style
    integer: NDArray  # which inputs are
    scales: bool = True  # whether a sum may be multiplied by a positive number: not if sums are compared
    lines: int = 1  # of a hyperplane among others in a short text

    @classmethod
    def of(cls, network: AnyNetwork, style: Style) -> Words:
        """Return the words for the inputs of a network."""
        about, lines = network.surroundings, min(max(MOST // network.n_hidden, 1), MOST_LINES)
        scales = network.scheme != "wta"
        attributes = attributes_of(network)
        return cls(attributes, about.mean, about.scale, network.origin, style, about.integer, scales, lines)

    def weighted(self, unit: NDArray) -> Weighted:
        """Return a weighted sum by attributes, those first that move it most."""
        bias, terms = self._in_integers(*as_terms(unit, self.attributes, self.origin))
        groups: dict[Attribute, list[Term]] = {}
        for term in terms:
            groups.setdefault(term.attribute, []).append(term)
        moves = {one: self._moves(one, own) for one, own in groups.items()}
        order = sorted(groups, key=lambda one: -moves[one])
        threshold = -bias if bias else 0.0
        return Weighted(threshold, [(one, groups[one]) for one in order], [moves[one] for one in order])

    def _in_integers(self, bias: float, terms: list[Term]) -> tuple[float, list[Term]]:
        """Return the same sum in small integers, if there are any in its proportions, as points to add up."""
        integers = as_integers(np.array([term.weight for term in terms])) if terms and self.scales else None
        if integers is None:
            return bias, terms
        with np.errstate(over="ignore"):  # of weights next to 0
            factor = float(integers[0] / np.float64(terms[0].weight))
        if not np.isfinite(
            max(factor, *(abs(factor * (term.missing or 0.0)) for term in terms), abs(bias * factor))
        ):
            return bias, terms
        found = [
            term._replace(weight=weight, missing=None if term.missing is None else factor * term.missing)
            for term, weight in zip(terms, integers.tolist(), strict=True)
        ]
        bias *= factor
        own = [term.inputs[0] for term in found if not term.is_condition]
        added = [*(0.0 if term.missing is None else term.missing for term in found)]
        added += [] if self.origin is None else self.origin[own].tolist()
        if self.integer[own].all() and all(abs(add - round(add)) <= NEARLY for add in added):
            bias = float(np.floor(bias + NEARLY))  # of whole sums the threshold is whole, too
        return bias, found

    def _moves(self, one: Attribute, terms: list[Term]) -> float:
        """Return the spread of what an attribute adds over the training rows."""
        if not one.is_category:
            (term,) = terms
            return abs(term.weight) * float(self.scale[term.inputs[0]])
        low, high = one.levels
        shares = dict(zip(one.inputs, (self.mean[list(one.inputs)] - low) / (high - low), strict=True))
        base = 1.0 - sum(shares.values())
        most = max(abs(term.weight) for term in terms)
        parts = [(t.weight / most, max(sum(shares.get(i, base) for i in t.inputs), 0.0)) for t in terms]
        mean = sum(part * share for part, share in parts)
        spread = sum(part**2 * share for part, share in parts) - mean**2
        if spread > 0 and np.isfinite(spread):
            return most * float(np.sqrt(spread))
        return most  # nothing is known of the rows

    def threshold(self, whole: Weighted) -> str:
        """Write the threshold with as many digits as its terms need."""
        digits = enough_digits(whole.threshold, max(whole.moves, default=0.0), self.style.digits)
        return number_text(whole.threshold, digits)

    def condition(self, unit: NDArray, taken: int = 0) -> str:
        """Write the side of a hyperplane on which its sum is not negative.

        A short text has the terms that matter most, no more than fit into what is left of its lines.
        """
        whole = self.weighted(unit).upright()
        if not whole.groups:
            return "always" if whole.threshold <= 0 else "never"
        if self.style.full:
            return self._inequality(whole, len(whole.groups))
        most, every = self.lines * MOST_TERMS, len(whole.groups)
        sizes = [*([every] if every <= most + 1 else []), *range(min(most, every - 1), 0, -1)]
        texts = [self._inequality(whole, n) for n in sizes]
        room = self.lines * (self.style.width - INDENT) + INDENT - taken
        return next((text for text in texts if len(text) <= room), texts[-1])

    def _inequality(self, whole: Weighted, n: int) -> str:
        """Write a sum of its first n attributes and its threshold."""
        terms = (self.style.some(terms, MOST_VALUES) for _, terms in whole.groups[:n])
        texts = [self._inline(term) for own in terms for term in own]
        texts[0] = texts[0].removeprefix(f"+{GLUE}").replace(f"-{GLUE}", "-", 1)
        hidden = len(whole.groups) - n
        rest = [f"+{GLUE}…{GLUE}({hidden}{GLUE}smaller)"] if hidden else []
        return " ".join([*texts, *rest, f"{whole.relation}{GLUE}{self.threshold(whole)}"])

    def _inline(self, term: Term) -> str:
        name = f"[{term.attribute.one_of(term.inputs)}]" if term.is_condition else self._name(term)
        size = number_text(abs(term.weight), self.style.digits)
        missing = "" if term.missing is None else f" ({self._signed(term.missing)} if missing)"
        sized = name if size == "1" else f"{size}·{name}"
        return f"{'-' if term.weight < 0 else '+'} {sized}{missing}".replace(" ", GLUE)

    def listing(self, unit: NDArray) -> Iterator[str]:
        """Yield a line for each attribute of a sum, what matters most first."""
        whole = self.weighted(unit)
        rows = [self._row(one, terms) for one, terms in self.style.some(whole.groups)]
        wide = max(len(size) for size, _ in rows)
        lines = self.style.fitting(f"  {size.rjust(wide)} {what}" for size, what in rows)
        yield from lines
        for line in self.style.rest(len(whole.groups) - len(lines), "smaller term"):
            yield f"  {line}"

    def _row(self, one: Attribute, terms: list[Term]) -> tuple[str, str]:
        """Return what an attribute adds, and of what; of a category with several values all in one."""
        if len(terms) == 1:
            (term,) = terms
            missing = "" if term.missing is None else f" ({self._signed(term.missing)} if missing)"
            if term.is_condition:
                return self._signed(term.weight), f"if {one.one_of(term.inputs)}"
            return self._signed(term.weight), f"× {self._name(term)}{missing}"
        values = sorted(terms, key=lambda term: -abs(term.weight))
        shown = self.style.some(values, MOST_VALUES)
        told = [f"{self._signed(term.weight)} if {self._values(term)}" for term in shown]
        rest = len(values) - len(shown)
        return "", f"{one.name}: " + ", ".join([*told, f"… ({rest} more)"] if rest else told)

    def _signed(self, weight: float) -> str:
        return signed(weight, self.style.digits).replace(GLUE, "")

    @staticmethod
    def _values(term: Term) -> str:
        return joined([term.attribute.value(i) for i in term.inputs], "or")

    def _name(self, term: Term) -> str:
        """Write what a weight multiplies: in quotes if it has a colon and digits in it."""
        one, (i, *_) = term.attribute, term.inputs
        name = repr(one.name) if one.column is not None and one.column.part else one.name
        if self.origin is None or self.origin[i] == 0:
            return name
        return f"({name} - {self.origin[i]:.17g})"


def signed(value: float, digits: int) -> str:
    """Write a number after its sign, as a term of a sum."""
    text = number_text(abs(value), digits)
    return f"{'-' if value < 0 and text != '0' else '+'}{GLUE}{text}"
