"""Networks as text for people: hyperplanes over the attributes of the table, outputs, and who decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from netlines._words import count, joined, wrapped
from netlines.network.attributes import Attribute, Term, as_terms, attributes_of
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork


def to_text(network: AnyNetwork, *, digits: int = 4, width: int = 100) -> str:
    """Return the sizes, the hyperplanes and the outputs of one network or of several as readable text.

    The inputs of one column are written as one attribute: `[sex=male]` counts as 1 where it is so and else as
    0, and `2 age (+80 if missing)` adds 80 where the age is missing.

    Parameters
    ----------
    network : Network or Networks
        The network to show, or the networks that decide together.
    digits : int, default=4
        Significant digits of the weights. The text is for reading: the model file has all digits.
    width : int, default=100
        Longest line.

    Examples
    --------
    >>> from netlines.export.text import to_text
    >>> from netlines.network.network import Network
    >>> exclusive_or = Network(
    ...     hidden_weights=[[1, 1, 1], [1, -1, -1]],
    ...     output_weights=[[1, -1, -1]],
    ...     classes=["same", "different"],
    ...     feature_names=("left", "right"),
    ... )
    >>> print(to_text(exclusive_or))
    2 hidden units over 2 inputs, 9 weights; classes 'same' (-1) and 'different' (+1)
    unit 1 is +1 where  1 + 1 left + 1 right ≥ 0
    unit 2 is +1 where  1 - 1 left - 1 right ≥ 0
    the class is 'different' where  1 - 1 unit 1 - 1 unit 2 ≥ 0, 'same' elsewhere
    """
    hyperplanes = _Hyperplanes(attributes_of(network), digits)
    if isinstance(network, Networks):
        lines = list(_several(network, hyperplanes))
    else:
        lines = list(_one(network.parts[0].network, hyperplanes))
    if network.moved:
        lines.append(f"so at the classes' shares of the training rows; at others, {priors_text(network)},")
        lines[-1] += " the class is the one with the largest probability"
    return "\n".join(wrapped(line, width) for line in lines)


def zeros_text(network: AnyNetwork) -> str:
    """Return what to add to the number of weights if some of them are 0: how many are not."""
    return "" if network.n_nonzero == network.n_weights else f" ({network.n_nonzero} not 0)"


def priors_text(network: AnyNetwork) -> str:
    """Return the shares of the classes that a calibrated network expects, in words; "" if it knows none."""
    if network.priors is None:
        return ""
    shares = zip(network.classes.tolist(), network.priors.tolist(), strict=True)
    return joined([f"{100 * share:.4g} % {label!r}" for label, share in shares])


class _Hyperplanes(NamedTuple):
    """How hyperplanes are written: over which attributes, and with how many digits."""

    attributes: tuple[Attribute, ...]
    digits: int

    def sums(self, network: Network) -> list[str]:
        """Write the weighted sum of each hidden unit."""
        origin = network.origin
        found = (as_terms(unit, self.attributes, origin) for unit in network.hidden_weights)
        return [
            " ".join([f"{bias:.{self.digits}g}", *(self._term(term, origin) for term in terms)])
            for bias, terms in found
        ]

    def _term(self, term: Term, origin: NDArray | None) -> str:
        (i, *_), digits = term.inputs, self.digits
        one = term.attribute
        name = f"[{one.one_of(term.inputs)}]" if term.is_condition else one.name
        if not term.is_condition and one.column is not None and one.column.part:
            name = repr(name)  # it has a colon and digits in it
        if not term.is_condition and origin is not None and origin[i] != 0:
            name = f"({name} - {origin[i]:.17g})"
        missing = "" if term.missing is None else f" ({term.missing:+.{digits}g} if missing)"
        return f"{_signed(term.weight, name, digits)}{missing}"


def _one(network: Network, hyperplanes: _Hyperplanes) -> Iterator[str]:
    """Yield the lines of a network, each to be wrapped."""
    labels = [repr(label) for label in network.classes.tolist()]
    if len(network.output_weights) > 1:
        yield f"{_size(network)}; classes {joined(labels)}"
        yield from _units(network, hyperplanes)
        for label, row in zip(labels, network.output_weights.tolist(), strict=True):
            yield f"score of {label} =  {_weighted_sum(row, _states(network), hyperplanes.digits)}"
        yield "the class is the one with the largest score"
    else:
        low, high = labels
        yield f"{_size(network)}; classes {low} (-1) and {high} (+1)"
        if network.n_hidden > 1:
            yield from _units(network, hyperplanes)
        yield f"the class is {high} where  {_output(network, hyperplanes)} ≥ 0, {low} elsewhere"


def _several(networks: Networks, hyperplanes: _Hyperplanes) -> Iterator[str]:
    """Yield the lines of networks that decide together, those of each part indented under its heading."""
    labels = [repr(label) for label in networks.classes.tolist()]
    yield f"{count(len(networks.parts), 'network')} with {_size(networks)}; classes {joined(labels)}"
    yield _scheme_text(networks)
    if networks.scheme == "vote":
        for t, (tree, order) in enumerate(zip(networks.trees, networks.learning_sequences, strict=True), 1):
            numbers = ", ".join(str(k + 1) for k in tree)
            yield f"tree {t}: {', '.join(map(repr, order))} by the networks {numbers}"
    for k, part in enumerate(networks.parts, 1):
        positive, negative = (", ".join(map(repr, labels)) for labels in (part.positive, part.negative))
        yield f"network {k}: {positive} (+1) against {negative} (-1)"
        if part.network.n_hidden > 1:
            yield from (f"  {line}" for line in _units(part.network, hyperplanes))
        yield f"  the answer is +1 where  {_output(part.network, hyperplanes)} ≥ 0"


def _scheme_text(networks: Networks) -> str:
    """Say in a sentence how the networks decide together."""
    margin = "log-odds" if networks.has_probability else "weighted sum"
    if networks.scheme == "tree":
        (order,) = networks.learning_sequences
        sequence = ", ".join(map(repr, order))
        return (
            f"a tree in the learning sequence {sequence}: the first network that answers +1 gives the class, "
            f"{order[-1]!r} if none does"
        )
    if networks.scheme == "vote":
        rule = {
            "hard": "the class of most trees wins, of tied ones the one with the larger mean confidence",
            "confidence": "the class with the largest mean confidence wins",
        }
        return (
            f"a vote of {count(len(networks.trees), 'tree')}: in each the first network that answers +1 "
            f"gives the class, the last class of the sequence if none does; {rule[networks.voting]}"
        )
    if networks.scheme == "wta":
        return f"the winner takes all: the class is that of the network with the largest {margin}"
    return "all pairs of classes: the class is the one with the largest sum of its confidences in its pairs"


def _size(network: AnyNetwork) -> str:
    units, inputs = count(network.n_hidden, "hidden unit"), count(network.n_features, "input")
    return f"{units} over {inputs}, {network.n_weights} weights{zeros_text(network)}"


def _units(network: Network, hyperplanes: _Hyperplanes) -> Iterator[str]:
    for state, terms in zip(_states(network), hyperplanes.sums(network), strict=True):
        yield f"{state} is +1 where  {terms} ≥ 0"


def _output(network: Network, hyperplanes: _Hyperplanes) -> str:
    """Write the weighted sum that decides between two classes."""
    if network.n_hidden == 1:
        return hyperplanes.sums(network)[0]
    return _weighted_sum(network.output_weights[0].tolist(), _states(network), hyperplanes.digits)


def _states(network: Network) -> list[str]:
    return [f"unit {i}" for i in range(1, network.n_hidden + 1)]


def _weighted_sum(weights: Sequence[Any], names: Sequence[str], digits: int) -> str:
    """Write bias + weight name ± ..., leaving out the inputs of weight 0."""
    bias, *slopes = weights
    pairs = zip(slopes, names, strict=True)
    return " ".join([f"{bias:.{digits}g}", *(_signed(*pair, digits) for pair in pairs if pair[0] != 0)])


def _signed(weight: float, name: str, digits: int) -> str:
    return f"{'-' if weight < 0 else '+'} {abs(weight):.{digits}g} {name}"
