"""Networks as text for people: hyperplanes over the names of the inputs, outputs, and who decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from netlines._words import count, joined, wrapped
from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.network.protocol import AnyNetwork


def to_text(network: AnyNetwork, *, digits: int = 4, width: int = 100) -> str:
    """Return the sizes, the hyperplanes and the outputs of one network or of several as readable text.

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
    if isinstance(network, Networks):
        lines = list(_several(network, digits))
    else:
        lines = list(_one(network.parts[0].network, digits))
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


def _one(network: Network, digits: int) -> Iterator[str]:
    """Yield the lines of a network, each to be wrapped."""
    labels = [repr(label) for label in network.classes.tolist()]
    if len(network.output_weights) > 1:
        yield f"{_size(network)}; classes {joined(labels)}"
        yield from _units(network, digits)
        for label, row in zip(labels, network.output_weights.tolist(), strict=True):
            yield f"score of {label} =  {_weighted_sum(row, _states(network), digits)}"
        yield "the class is the one with the largest score"
    else:
        low, high = labels
        yield f"{_size(network)}; classes {low} (-1) and {high} (+1)"
        if network.n_hidden > 1:
            yield from _units(network, digits)
        yield f"the class is {high} where  {_output(network, digits)} ≥ 0, {low} elsewhere"


def _several(networks: Networks, digits: int) -> Iterator[str]:
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
            yield from (f"  {line}" for line in _units(part.network, digits))
        yield f"  the answer is +1 where  {_output(part.network, digits)} ≥ 0"


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


def _units(network: Network, digits: int) -> Iterator[str]:
    for state, terms in zip(_states(network), _sums(network, digits), strict=True):
        yield f"{state} is +1 where  {terms} ≥ 0"


def _output(network: Network, digits: int) -> str:
    """Write the weighted sum that decides between two classes."""
    if network.n_hidden == 1:
        return _sums(network, digits)[0]
    return _weighted_sum(network.output_weights[0].tolist(), _states(network), digits)


def _states(network: Network) -> list[str]:
    return [f"unit {i}" for i in range(1, network.n_hidden + 1)]


def _sums(network: Network, digits: int) -> list[str]:
    names = list(network.feature_names or [f"x{i}" for i in range(network.n_features)])
    for i in np.flatnonzero([] if network.origin is None else network.origin):
        names[i] = f"({names[i]} - {network.origin[i]:.17g})"  # type: ignore[index]
    return [_weighted_sum(row, names, digits) for row in network.hidden_weights.tolist()]


def _weighted_sum(weights: Sequence[Any], names: Sequence[str], digits: int) -> str:
    """Write bias + weight name ± ..., leaving out the inputs of weight 0."""
    bias, *slopes = weights
    terms = [
        f"{'-' if weight < 0 else '+'} {abs(weight):.{digits}g} {name}"
        for weight, name in zip(slopes, names, strict=True)
        if weight != 0
    ]
    return " ".join([f"{bias:.{digits}g}", *terms])
