"""What the states of the hidden units decide: the classes of internal representations, without any row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.combination import count_votes, first_positive
from netlines.network.network import Network
from netlines.network.networks import Networks


def hidden_weights(network: Network | Networks) -> NDArray[np.float64]:
    """Return the weights of the hidden units of all parts, shape (H, N + 1)."""
    parts = [network] if isinstance(network, Network) else [part.network for part in network.parts]
    return np.vstack([part.hidden_weights for part in parts]).astype(float)


def code_decides(network: Network | Networks) -> bool:
    """Tell whether the answer depends on the states of the hidden units alone.

    Not so with changed priors, and where networks compare margins: the schemes "wta", "pairs" and "vote" by
    confidence. A hard vote of several trees counts, though the margins decide between tied classes.
    """
    if network.moved:
        return False
    if isinstance(network, Network) or network.scheme == "tree":
        return True
    return network.scheme == "vote" and (network.voting == "hard" or len(network.trees) == 1)


def answers_of_codes(network: Network | Networks, codes: NDArray) -> NDArray[np.intp]:
    """Return the number of the class for each code (m, H) of ±1 of all parts; -1 where a vote is tied.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.codes import answers_of_codes
    >>> from netlines.network.network import Network
    >>> network = Network([[-1.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])
    >>> answers_of_codes(network, np.array([[1.0, -1.0], [1.0, 1.0]])).tolist()
    [0, 1]
    """
    if isinstance(network, Network):
        if network.n_hidden == 1 and network.n_classes == 2:
            return (codes[:, 0] >= 0).astype(int)
        sums = network.output_weights[:, 0] + codes @ network.output_weights[:, 1:].T
        return (sums[:, 0] >= 0).astype(int) if network.n_classes == 2 else sums.argmax(axis=1)
    ends = np.cumsum([part.network.n_hidden for part in network.parts])[:-1]
    by_part = zip(network.parts, np.split(codes, ends, axis=1), strict=True)
    says = np.column_stack([answers_of_codes(part.network, own) == 1 for part, own in by_part])
    numbers = {label: i for i, label in enumerate(network.classes.tolist())}
    orders = [np.array([numbers[label] for label in order]) for order in network.learning_sequences]
    pairs = zip(network.trees, orders, strict=True)
    answers = np.column_stack([order[first_positive(says[:, tree])] for tree, order in pairs])
    votes = count_votes(answers, network.n_classes)
    tied = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return np.where(tied, -1, votes.argmax(axis=1))
