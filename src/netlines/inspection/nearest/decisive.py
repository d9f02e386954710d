"""The units that an answer hangs on: turned over alone, each of them changes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.nearest.bounds import TIED
from netlines.network.protocol import AnyNetwork


def decisive_units(network: AnyNetwork, row: NDArray) -> NDArray[np.bool_]:
    """Tell of each unit whether the answer would be another if it alone were on its other side, as far away.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.nearest.decisive import decisive_units
    >>> from netlines.network.network import Network
    >>> both = Network([[-1, 1, 0], [-1, 0, 1]], [[-1, 1, 1]], ["no", "yes"])  # both inputs at least 1
    >>> decisive_units(both, np.array([2.0, 0.0])).tolist()
    [False, True]
    """
    answers = np.full(network.n_hidden, TIED)
    if network.code_decides:
        code = network.internal_representation(row[None])[0]
        answers = network.answers_of_codes(code * (1 - 2 * np.eye(len(code))))
    labels = network.classes[answers]
    for k in np.flatnonzero(answers == TIED).tolist():
        labels[k] = _turned_over(network, row, k).predict(row[None])[0]
    return np.asarray(labels != network.predict(row[None])[0])


def _turned_over(network: AnyNetwork, row: NDArray, k: int) -> AnyNetwork:
    """Return the network with the k-th unit of all parts fixed at its weighted sum with the other sign."""
    networks = [part.network for part in network.parts]
    number = 0
    while k >= networks[number].n_hidden:
        k, number = k - networks[number].n_hidden, number + 1
    field = float(networks[number].fields(row[None])[0, k])
    weights = networks[number].hidden_weights.astype(float)
    weights[k] = 0.0
    weights[k, 0] = -field if field != 0 else -np.finfo(float).tiny  # 0 counts as positive
    networks[number] = replace(networks[number], hidden_weights=weights)
    return network.with_networks(networks)
