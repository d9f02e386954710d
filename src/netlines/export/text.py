"""A network as text for people: its hyperplanes over the names of the inputs, and its output unit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from netlines.network import Network


def to_text(network: Network, *, digits: int = 4, width: int = 100) -> str:
    """Return the sizes, the hyperplanes and the output unit of a network as readable text.

    Parameters
    ----------
    network : Network
        The network to show.
    digits : int, default=4
        Significant digits of the weights. The text is for reading: the model file has all digits.
    width : int, default=100
        Longest line.

    Examples
    --------
    >>> from netlines.export.text import to_text
    >>> from netlines.network import Network
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
    low, high = (repr(label) for label in network.classes.tolist())
    units = f"{network.n_hidden} hidden unit{'s' if network.n_hidden > 1 else ''}"
    inputs = f"{network.n_features} input{'s' if network.n_features > 1 else ''}"
    weights = f"{network.n_weights} weights{zeros_text(network)}"
    size = f"{units} over {inputs}, {weights}; classes {low} (-1) and {high} (+1)"
    names = network.feature_names or [f"x{i}" for i in range(network.n_features)]
    sums = [_weighted_sum(row, names, digits) for row in network.hidden_weights.tolist()]
    if network.n_hidden == 1:
        lines = [size, f"the class is {high} where  {sums[0]} ≥ 0, {low} elsewhere"]
    else:
        states = [f"unit {i}" for i in range(1, network.n_hidden + 1)]
        output = _weighted_sum(network.output_weights[0].tolist(), states, digits)
        lines = [
            size,
            *(f"{state} is +1 where  {terms} ≥ 0" for state, terms in zip(states, sums, strict=True)),
            f"the class is {high} where  {output} ≥ 0, {low} elsewhere",
        ]
    if network.moved:
        lines.append(f"so at the classes' shares of the training rows; at others, {priors_text(network)},")
        lines[-1] += " the class is the one with the larger probability"
    wrap = textwrap.TextWrapper(
        width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(wrap.fill(line) for line in lines)


def zeros_text(network: Network) -> str:
    """Return what to add to the number of weights if some of them are 0: how many are not."""
    return "" if network.n_nonzero == network.n_weights else f" ({network.n_nonzero} not 0)"


def priors_text(network: Network) -> str:
    """Return the shares of the classes that a calibrated network expects, in words."""
    assert network.calibration is not None
    shares = zip(network.classes.tolist(), network.calibration.priors.tolist(), strict=True)
    return " and ".join(f"{100 * share:.4g} % {label!r}" for label, share in shares)


def _weighted_sum(weights: Sequence[Any], names: Sequence[str], digits: int) -> str:
    """Write bias + weight name ± ..., leaving out the inputs of weight 0."""
    bias, *slopes = weights
    terms = [
        f"{'-' if weight < 0 else '+'} {abs(weight):.{digits}g} {name}"
        for weight, name in zip(slopes, names, strict=True)
        if weight != 0
    ]
    return " ".join([f"{bias:.{digits}g}", *terms])
