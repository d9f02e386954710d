"""Networks in words: what they are, their sums over the attributes of the table, and who decides.

1. A weighted sum is written by attributes, the most important first: those whose values move it most.
2. A sum that decides alone has a line for each attribute; a hyperplane among others has one line.
3. A hyperplane among others has a name, h1, h2, …; [h1] counts as 1 on its side, else as 0.
4. Short texts show what matters most in ten lines, and say how many more there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines._words import count, joined, number_text, wrapped
from netlines.network.formula import GLUE, MOST, Style, Words, signed
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork
from netlines.network.verdict import what_it_is

MOST_HYPERPLANES = 8  # lines of hyperplanes
MOST_CLASSES = 8  # that are listed
COUNTS = "[h1] counts as 1 where the condition of h1 holds, else as 0"


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
            yield f"score of {label}:  {votes} {signed(bias, words.style.digits)}"
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
    yield f"{positive} where  {votes} ≥{GLUE}{number_text(-bias, words.style.digits)}{otherwise}"


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
    terms = [f"{signed(weight, style.digits)}·[h{h}]" for h, weight in shown]
    if terms:
        terms[0] = terms[0].removeprefix(f"+{GLUE}").replace(f"-{GLUE}", "-", 1)
    terms += [f"+{GLUE}…"] if len(shown) < len(ordered) else []
    return " ".join(terms) or "0", float(row[0] - row[1:].sum())


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
