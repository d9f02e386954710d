"""The hidden units of one network or of several as pictures show them: numbers, hyperplanes, codes."""

from __future__ import annotations

from netlines.network.protocol import AnyNetwork


def unit_names(network: AnyNetwork) -> list[str]:
    """Return the numbers of all hidden units; of several networks 2.1 is the first unit of the second."""
    if network.scheme is None:
        return [str(unit) for unit in range(1, network.n_hidden + 1)]
    return [
        str(k) if part.network.n_hidden == 1 else f"{k}.{unit}"
        for k, part in enumerate(network.parts, 1)
        for unit in range(1, part.network.n_hidden + 1)
    ]
