"""All combinations of the values of unknown inputs, and the classes that they give."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.missing.unknowns import Unknown, filled, inputs_of, values_of
from netlines.network.protocol import AnyNetwork

MOST_ASKED = 20_000  # combinations for which the network itself is asked
ROUNDING = 16 * np.finfo(float).eps  # of a sum, in parts of its size


def count_combinations(unknowns: Sequence[Unknown]) -> float:
    """Count the combinations of allowed values, ∞ if there is no end of them."""
    return prod(float(one.allowed.size) if one.allowed.finite else inf for one in unknowns)


def combinations(unknowns: Sequence[Unknown]) -> NDArray[np.float64]:
    """Return all combinations of allowed values, shape (k, number of unknowns)."""
    sets = [one.allowed.at(np.arange(one.allowed.size)) for one in unknowns]
    return np.column_stack([grid.ravel() for grid in np.meshgrid(*sets, indexing="ij")])


class Table:
    """What all combinations add to the sums of the hidden units, so that no rows need be made of them.

    Only for networks whose hidden states decide.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> from netlines.inspection.missing.combinations import Table
    >>> from netlines.inspection.missing.unknowns import Unknown
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[-3.0, 1.0, 1.0, 1.0]], PASS_ON, ["few", "many"])
    >>> two = Allowed(0.0, 1.0, integer=True)
    >>> table = Table(network, [Unknown((0,), two), Unknown((1,), two)])
    >>> table.classes(np.array([np.nan, np.nan, 0.5]), np.array([True]))
    ({0}, True)
    """

    def __init__(self, network: AnyNetwork, unknowns: Sequence[Unknown]) -> None:
        self.network, self.unknowns, self.inputs = network, unknowns, inputs_of(unknowns)
        self.values = values_of(unknowns, combinations(unknowns))
        self.weights = network.hidden_weights.astype(float)
        own = self.weights[:, [1 + i for i in self.inputs]]
        self.sums = np.asfortranarray(self.values @ own.T)
        self.most = np.abs(own) @ np.abs(self.values).max(axis=0)

    def classes(self, row: NDArray, changing: NDArray) -> tuple[set[int], bool]:
        """Return the classes of a row, and whether it is exactly these.

        The network itself is asked where a sum is so near to 0 that rounding decides, and where a vote is
        tied; only if these are very many, at some of them.

        Parameters
        ----------
        row : array of shape (N,)
        changing : array of shape (H,)
            Which hidden units do not have the same state for all combinations.
        """
        row = row.copy()
        row[self.inputs] = self.values[0]
        (start,) = self.network.internal_representation(row[None])
        bits, unsure = self._bits(row, np.flatnonzero(changing))
        first, which = _different(bits)
        codes = np.repeat(start[None], len(first), axis=0)
        codes[:, changing] = np.where(bits[first], 1.0, -1.0)
        numbers = self.network.answers_of_codes(codes)
        unsure |= (numbers < 0)[which]
        found = set(np.unique(numbers[which[~unsure]]).tolist())
        asked = np.flatnonzero(unsure)
        some = asked[:: -(-len(asked) // MOST_ASKED)] if len(asked) else asked
        found |= set(self.network.answers(filled(row, self.unknowns, self.values[some])).tolist())
        return found, len(some) == len(asked) or len(found) == self.network.n_classes

    def _bits(self, row: NDArray, units: NDArray) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return whether units are +1, shape (combinations, units), and where rounding decides on any."""
        known = row.copy()
        known[self.inputs] = 0.0
        fields = self.weights[:, 0] + self.weights[:, 1:] @ known
        size = np.abs(self.weights[:, 0]) + np.abs(self.weights[:, 1:]) @ np.abs(known) + self.most
        bits = np.empty((len(self.values), len(units)), dtype=bool)
        unsure = np.zeros(len(self.values), dtype=bool)
        for column, unit in enumerate(units.tolist()):
            sums = self.sums[:, unit] + fields[unit]
            bits[:, column] = sums >= 0
            unsure |= np.abs(sums) <= ROUNDING * size[unit]
        return bits, unsure


def _different(bits: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of the different rows of bits, and of each row which of these it is."""
    packed = np.packbits(bits, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    keys = padded.view(np.uint64)
    which = np.zeros(len(keys), dtype=np.intp)
    for column in keys.T:  # one for 64 units
        _, number = np.unique(column, return_inverse=True)
        _, first, which = np.unique(
            which * (number.max() + 1) + number, return_index=True, return_inverse=True
        )
    return first, which
