"""Networks as text for people: hyperplanes over the attributes of the table, outputs, and who decides."""

from __future__ import annotations

from netlines.network.formula import Style
from netlines.network.protocol import AnyNetwork
from netlines.network.wording import network_lines


def to_text(
    network: AnyNetwork, *, digits: int = 4, width: int = 100, full: bool = True, more: str = ""
) -> str:
    """Return the size, the hyperplanes and the outputs of one network or of several as readable text.

    The inputs of one column are written as one attribute: `[sex=male]` counts as 1 where it is so and else as
    0, and `2·age (+80 if missing)` adds 80 where the age is missing. Attributes stand in the order of how far
    they move the sum. A hyperplane among others has a name: `[h1]` counts as 1 where its condition holds.

    Parameters
    ----------
    network : Network or Networks
        The network to show, or the networks that decide together.
    digits : int, default=4
        Significant digits of the weights. The text is for reading: the model file has all digits.
    width : int, default=100
        Longest line.
    full : bool, default=True
        Whether all is shown, or the ten attributes or hyperplanes that matter most, as by `print(network)`.
    more : str, default=""
        What a short text says about where the rest can be seen.

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
    2 hyperplanes over 2 attributes, 9 weights; classes 'same' and 'different'
    h1:  left + right ≥ -1
    h2:  left + right ≤ 1
    'different' where  -2·[h1] - 2·[h2] ≥ -3, else 'same'
    [h1] counts as 1 where the condition of h1 holds, else as 0
    """
    return "\n".join(network_lines(network, Style(digits, width, full, more)))
