"""The answers to rows, complete or not: labels, decisions and probabilities that agree with each other.

What a row lacks is integrated out. Classifiers, `netlines predict`, `netlines explain` and the report ask
here, so that all of them decide ties alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import most_probable
from netlines.network.protocol import AnyNetwork
from netlines.network.sweep import sweep


class Answers:
    """What a network answers to rows of which some may lack values.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
        NaN stands for a missing value.

    Attributes
    ----------
    lacking : array of bool, shape (n,)
        Which rows lack values.
    shares : array of shape (number of these rows, C)
        The probabilities of their classes, see `integrate`; also of a network that has none.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.answers import Answers
    >>> from netlines.network.network import PASS_ON, Network
    >>> warm = Network([[-20.0, 1.0]], PASS_ON, ["cold", "warm"])
    >>> found = Answers(warm, np.array([[25.0], [np.nan]]))  # without a background values are around 0
    >>> found.labels().tolist(), found.lacking.tolist()
    (['warm', 'cold'], [False, True])
    """

    def __init__(self, network: AnyNetwork, X: NDArray) -> None:
        self.network, self.X = network, X
        incomplete = X.size and np.isnan(X.min())  # one pass: most tables are complete
        self.lacking = np.isnan(X).any(axis=1) if incomplete else np.zeros(len(X), dtype=bool)
        self.shares = np.empty((0, network.n_classes))
        if self.lacking.any():
            from netlines.inspection.missing import integrate  # needs scipy, complete rows do not

            self.shares = integrate(network, X[self.lacking])

    def labels(self) -> NDArray:
        """Return the classes, shape (n,)."""
        return self._merged("predict", lambda: self.network.classes[most_probable(self.shares)])

    def probabilities(self) -> NDArray:
        """Return the probabilities of the classes, shape (n, C)."""
        return self._merged("probability", lambda: self.shares)

    def decisions(self) -> NDArray:
        """Return the decisions, shape (n,) of one network of two classes, else (n, C).

        With probabilities they are log-odds or logarithms of them. Without, those about incomplete rows are
        the decisions about the rows completed by what is expected of them, made to agree with the labels.
        """
        return self._merged("scores", self._of_incomplete)

    def _merged(self, what: str, incomplete: Callable[[], NDArray]) -> NDArray:
        """Return what the network is asked of complete rows, and what is said of those that lack values."""
        if not self.lacking.any():
            return answered(self.network, self.X, what)
        found = incomplete()
        merged = np.empty((len(self.X), *found.shape[1:]), dtype=found.dtype)
        merged[self.lacking] = found
        if not self.lacking.all():
            merged[~self.lacking] = answered(self.network, self.X[~self.lacking], what)
        return merged

    def _of_incomplete(self) -> NDArray[np.float64]:
        readout = self.network.readout
        if self.network.has_probability:
            return readout.of_probabilities(self.shares)
        decision = self.network.decision(completed(self.network, self.X[self.lacking])).astype(float)
        return readout.agreeing(decision, most_probable(self.shares))


def answered(network: AnyNetwork, X: NDArray, what: str) -> NDArray:
    """Return what `sweep` does of complete rows, where it says nothing the network itself."""
    found = sweep(network, X, what) if len(X) else None
    return np.asarray(getattr(network, what)(X)) if found is None else found


def completed(network: AnyNetwork, X: NDArray) -> NDArray[np.float64]:
    """Return rows with what is expected of their missing values, given the known ones, instead of NaN."""
    from netlines.inspection.missing.integration import conditional

    about, rows = network.surroundings, np.array(X, dtype=float)
    patterns, which = np.unique(np.isnan(rows), axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        some, missing = np.flatnonzero(which.ravel() == k), np.flatnonzero(pattern)
        if len(missing):
            mean, _ = conditional(network, rows[some], missing)
            values = about.mean[missing] + about.scale[missing] * mean
            rows[np.ix_(some, missing)] = np.clip(values, about.low[missing], about.high[missing])
    return rows
