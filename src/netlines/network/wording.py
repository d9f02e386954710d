"""Networks in words: what they are, their sums over the attributes of the table, and who decides.

1. A weighted sum is written by attributes, the most important first: those whose values move it most.
2. A sum that decides alone has a line for each attribute; a hyperplane among others has one line.
3. A hyperplane among others has a name, h1, h2, …; [h1] counts as 1 on its side, else as 0.
4. Short texts show what matters most in ten lines, and say how many more there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, enough_digits, joined, plain_number, wrapped
from netlines.network.attributes import Attribute, Term, as_terms, attributes_of
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork
from netlines.network.verdict import what_it_is

MOST = 10  # attributes of a sum, hyperplanes of a network, and networks, in a short text
MOST_HYPERPLANES = 8  # lines of hyperplanes
MOST_TERMS = 4  # a line, of a hyperplane among others
MOST_LINES = 3  # of it, if they are few
INDENT = 4  # of the further lines of a wrapped one
MOST_VALUES = 4  # of a category
MOST_CLASSES = 8  # that are listed
COUNTS = "[h1] counts as 1 where the condition of h1 holds, else as 0"
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


def network_lines(network: AnyNetwork, style: Style) -> list[str]:
    """Return the lines that say what a network is and how it decides, each no longer than the style says."""
    return [headline(network, style), *_body(network, style)]


def headline(network: AnyNetwork, style: Style) -> str:
    """Return what a network is, its size and its classes."""
    what = what_it_is(network)
    size = f"{count(network.n_weights, 'weight')}{zeros_text(network)}"
    head = f"{what[:1].upper()}{what[1:]}, {size}; classes {_class_list(network, style)}"
    return wrapped(head, style.width)


def _body(network: AnyNetwork, style: Style) -> Iterator[str]:
    """Yield the lines that say how a network decides, without the one that says what it is."""
    words = Words.of(network, style)
    lines = _several(network, words) if isinstance(network, Networks) else _one(network, words)
    for line in lines:
        yield wrapped(line, style.width)
    if network.moved:
        yield wrapped(
            "This holds at the shares that the classes had in training. At those expected now, "
            f"{priors_text(network)}, the class is the one with the largest probability.",
            style.width,
        )


def zeros_text(network: AnyNetwork) -> str:
    """Return what to add to the number of weights if some of them are 0: how many are not."""
    return "" if network.n_nonzero == network.n_weights else f" ({network.n_nonzero} not 0)"


def priors_text(network: AnyNetwork) -> str:
    """Return the shares of the classes that a calibrated network expects, in words; "" if it knows none."""
    if network.priors is None:
        return ""
    shares = zip(network.classes.tolist(), network.priors.tolist(), strict=True)
    return joined([f"{100 * share:.4g} % {label!r}" for label, share in shares])


def _class_list(network: AnyNetwork, style: Style) -> str:
    """Return the labels of the classes in quotes, the first of very many."""
    labels = [repr(label) for label in network.classes.tolist()]
    shown = list(style.some(labels, MOST_CLASSES))
    hidden = len(labels) - len(shown)
    return joined([*shown, f"{hidden} more"] if hidden else shown)


class Weighted(NamedTuple):
    """A weighted sum: its threshold, and the terms of each attribute, what matters most first."""

    threshold: float
    groups: list[tuple[Attribute, list[Term]]]
    moves: list[float]  # how far each attribute moves the sum: a standard deviation


@dataclass(frozen=True)
class Words:
    """Writes weighted sums of the inputs of a network."""

    attributes: tuple[Attribute, ...]
    mean: NDArray
    scale: NDArray
    origin: NDArray | None
    style: Style
    lines: int = 1  # of a hyperplane among others in a short text

    @classmethod
    def of(cls, network: AnyNetwork, style: Style) -> Words:
        """Return the words for the inputs of a network."""
        about, lines = network.surroundings, min(max(MOST // network.n_hidden, 1), MOST_LINES)
        return cls(attributes_of(network), about.mean, about.scale, network.origin, style, lines)

    def weighted(self, unit: NDArray) -> Weighted:
        """Return a weighted sum by attributes, those first that move it most."""
        bias, terms = as_terms(unit, self.attributes, self.origin)
        groups: dict[Attribute, list[Term]] = {}
        for term in terms:
            groups.setdefault(term.attribute, []).append(term)
        moves = {one: self._moves(one, own) for one, own in groups.items()}
        order = sorted(groups, key=lambda one: -moves[one])
        threshold = -bias if bias else 0.0
        return Weighted(threshold, [(one, groups[one]) for one in order], [moves[one] for one in order])

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
        return plain_number(whole.threshold, digits)

    def condition(self, unit: NDArray, taken: int = 0) -> str:
        """Write the side of a hyperplane on which its sum is not negative.

        A short text has the terms that matter most, no more than fit into what is left of its lines.
        """
        whole = self.weighted(unit)
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
        return " ".join([*texts, *rest, f"≥{GLUE}{self.threshold(whole)}"])

    def _inline(self, term: Term) -> str:
        name = f"[{term.attribute.one_of(term.inputs)}]" if term.is_condition else self._name(term)
        size = plain_number(abs(term.weight), self.style.digits)
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
        return _signed(weight, self.style.digits).replace(GLUE, "")

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


def _one(network: AnyNetwork, words: Words) -> Iterator[str]:
    """Yield the lines of one network, each to be wrapped."""
    (part,) = network.parts
    labels = [repr(label) for label in network.classes.tolist()]
    if len(labels) == 2:
        yield from _two_classes(part.network, labels[1], f", else {labels[0]}", words)
        yield from [] if part.network.passes_on else [COUNTS]
        return
    yield from _hyperplanes(part.network, words, speaking=None if words.style.full else labels)
    if words.style.full:
        for label, row in zip(labels, part.network.output_weights, strict=True):
            votes, bias = _votes(row, words.style)
            yield f"score of {label}:  {votes} {_signed(bias, words.style.digits)}"
        yield f"{COUNTS}; the class is the one with the largest score"
    else:
        yield "Each adds to the scores of the classes; the class is the one with the largest score."


def _two_classes(network: Network, positive: str, otherwise: str, words: Words) -> Iterator[str]:
    """Yield the lines of a network that separates two classes, or two sets of them."""
    if network.n_hidden == 1:
        unit = network.hidden_weights[0]
        whole = words.weighted(unit)
        if not whole.groups:
            yield f"{positive} {words.condition(unit)}"
        elif len(whole.groups) <= 2:
            yield f"{positive} where  {words.condition(unit)}{otherwise}"
        else:
            yield f"{positive} where this sum is at least {words.threshold(whole)}{otherwise}:"
            yield from words.listing(unit)
        return
    yield from _hyperplanes(network, words)
    votes, bias = _votes(network.output_weights[0], words.style)
    yield f"{positive} where  {votes} ≥{GLUE}{plain_number(-bias, words.style.digits)}{otherwise}"


def _hyperplanes(network: Network, words: Words, speaking: Sequence[str] | None = None) -> Iterator[str]:
    """Yield a line for each hyperplane, of many those that matter most to the outputs."""
    outputs = network.output_weights[:, 1:]
    weight = np.linalg.norm(outputs - (outputs.mean(axis=0) if len(outputs) > 1 else 0.0), axis=0)
    order = range(network.n_hidden) if words.style.full else np.argsort(-weight, kind="stable").tolist()

    def line(h: int) -> str:
        name, end = f"h{h + 1}:  ", ""
        if speaking is not None:
            most, least = (speaking[int(find(outputs[:, h]))] for find in (np.argmax, np.argmin))
            end = f"  (for {most}, against {least})"
        return f"{name}{words.condition(network.hidden_weights[h], len(name + end))}{end}"

    lines = words.style.fitting(map(line, words.style.some(order)), MOST_HYPERPLANES)
    yield from lines
    yield from words.style.rest(network.n_hidden - len(lines), "more hyperplane")


def _votes(row: NDArray, style: Style) -> tuple[str, float]:
    """Write an output over states ±1 as a sum over conditions that count as 1 or 0, and return its bias."""
    slopes = [(h, 2.0 * weight) for h, weight in enumerate(row[1:].tolist(), 1) if weight]
    ordered = sorted(slopes, key=lambda pair: -abs(pair[1]))
    shown = style.some(ordered)
    terms = [f"{_signed(weight, style.digits)}·[h{h}]" for h, weight in shown]
    if terms:
        terms[0] = terms[0].removeprefix(f"+{GLUE}").replace(f"-{GLUE}", "-", 1)
    terms += [f"+{GLUE}…"] if len(shown) < len(ordered) else []
    return " ".join(terms) or "0", float(row[0] - row[1:].sum())


def _signed(value: float, digits: int) -> str:
    text = plain_number(abs(value), digits)
    return f"{'-' if value < 0 and text != '0' else '+'}{GLUE}{text}"


def _several(networks: Networks, words: Words) -> Iterator[str]:
    """Yield the lines of networks that decide together, those of each part under its heading."""
    style = words.style
    yield _scheme_text(networks)
    if networks.scheme == "vote" and style.full:
        for t, (tree, order) in enumerate(zip(networks.trees, networks.learning_sequences, strict=True), 1):
            numbers = ", ".join(str(k + 1) for k in tree)
            yield f"order {t}: {', '.join(map(repr, order))} by the networks {numbers}"
    spent, shown = 0, 0
    for k, part in enumerate(networks.parts, 1):
        size = part.network.n_hidden
        if not style.full and spent and spent + min(size, MOST) > MOST:
            break
        spent, shown = spent + size, k
        positive, negative = (joined(map(repr, labels), "or") for labels in (part.positive, part.negative))
        if size == 1:
            name = f"{k}. {positive} rather than {negative} where  "
            yield f"{name}{words.condition(part.network.hidden_weights[0], len(name))}"
            continue
        yield f"{k}. {positive} rather than {negative}, by {count(size, 'hyperplane')}:"
        narrower = replace(words, style=replace(style, width=style.width - 2))
        yield from (f"  {line}" for line in _two_classes(part.network, positive, "", narrower))
    yield from style.rest(len(networks.parts) - shown, "more network")
    if any(not part.network.passes_on for part in networks.parts[:shown]):
        yield COUNTS


def _scheme_text(networks: Networks) -> str:
    """Say in a sentence how the networks decide together."""
    if networks.scheme == "tree":
        (order,) = networks.learning_sequences
        return f"The first of these conditions that holds gives the class, {order[-1]!r} if none does."
    if networks.scheme == "vote":
        rule = {
            "hard": "the class of most orders wins, of tied ones the one with the larger mean confidence",
            "confidence": "the class with the largest mean confidence wins",
        }
        return (
            f"A vote of {count(len(networks.trees), 'order')} of the classes: in each the first condition "
            f"that holds gives the class, the last class if none does; {rule[networks.voting]}."
        )
    if networks.scheme == "wta":
        margin = "log-odds" if networks.has_probability else "weighted sum"
        return f"One condition a class: the class is that with the largest {margin}."
    return "Each pair of classes is compared: the class with the largest sum of its probabilities wins."
