"""The hidden units of one network or of several as pictures show them: numbers, hyperplanes, codes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.network import Network
from netlines.network.protocol import AnyNetwork


def single_networks(network: AnyNetwork) -> list[Network]:
    """Return the networks with hidden units of their own."""
    return [part.network for part in network.parts]


def unit_names(network: AnyNetwork) -> list[str]:
    """Return the numbers of all hidden units; of several networks 2.1 is the first unit of the second."""
    if network.scheme is None:
        return [str(unit) for unit in range(1, network.n_hidden + 1)]
    return [
        str(k) if one.n_hidden == 1 else f"{k}.{unit}"
        for k, one in enumerate(single_networks(network), 1)
        for unit in range(1, one.n_hidden + 1)
    ]


def standardised_weights(network: AnyNetwork) -> tuple[NDArray, NDArray]:
    """Return all hyperplanes in standardised units: slopes of norm 1, shape (H, N), and offsets, shape (H,).

    The offset is the signed distance of the mean row from the hyperplane; ±∞ of a unit without slopes.
    """
    weights, about = network.hidden_weights.astype(float), network.surroundings
    slopes, offsets = weights[:, 1:] * about.scale, weights[:, 0] + weights[:, 1:] @ about.mean
    norms = np.linalg.norm(slopes, axis=1)
    offsets = np.divide(offsets, norms, out=np.copysign(np.inf, offsets), where=norms > 0)
    return slopes / np.where(norms > 0, norms, 1.0)[:, None], offsets
