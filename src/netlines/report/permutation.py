"""How much a model needs each attribute: what its answers lose when the values of one are shuffled.

1. All inputs of an attribute are shuffled together among the rows that a copy has not seen.
2. Row by row, wrong answers and logarithmic losses are compared with those before, over some shuffles.
3. The mean over the rows is what the attribute is worth; how the rows differ tells how sure that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.attributes import Attribute
from netlines.network.protocol import AnyNetwork
from netlines.network.shares import Z

REPEATS = 5
MOST_ROWS = 5000
MOST_WORK = 1e9  # multiplications of all shuffled rows: about a second
SMALLEST = float(np.finfo(float).eps)  # probability, as in scikit-learn's log_loss


@dataclass(frozen=True, eq=False)
class Permuted:
    """By how much a model does worse on each row without each attribute.

    Attributes
    ----------
    attributes : tuple of Attribute
    errors : array of shape (A, n)
        By how much more often a row is answered wrongly, from -1 to 1.
    losses : array of shape (A, n) or None
        By how much the logarithmic loss grows; None without probabilities.
    out_of_fold : bool
        Whether the answers are those of copies that had not seen the row.
    """

    attributes: tuple[Attribute, ...]
    errors: NDArray
    losses: NDArray | None
    out_of_fold: bool

    @property
    def order(self) -> list[int]:
        """The attributes by what they are worth, the most important first; by the loss if there is one."""
        worth = (self.errors if self.losses is None else self.losses).mean(axis=1)
        return np.argsort(-worth.round(12), kind="stable").tolist()

    def interval(self, kind: str, k: int) -> tuple[float, float, float]:
        """Return the mean of an attribute's `errors` or `losses`, and the ends of its 95 % interval."""
        values = getattr(self, kind)[k]
        mean, half = float(values.mean()), float(Z * values.std() / np.sqrt(len(values)))
        return mean, mean - half, mean + half


class Permutation:
    """Collects what shuffled attributes cost, copy by copy.

    Parameters
    ----------
    network : Network or Networks
        Whose attributes they are.
    attributes : of its inputs
    X, y : arrays
        Inputs and labels.
    seed : int
        Decides how values are shuffled.
    """

    def __init__(
        self, network: AnyNetwork, attributes: Sequence[Attribute], X: NDArray, y: NDArray, seed: int
    ) -> None:
        self.attributes, self.X, self.y, self.seed = tuple(attributes), X, y, seed
        each = max(len(self.attributes) * X.shape[1] * network.n_hidden, 1)
        rows = max(int(MOST_WORK / each), 200)
        self.some = np.zeros(len(y), dtype=bool)
        self.some[:: -(-len(y) // min(MOST_ROWS, rows))] = True
        self.repeats = int(np.clip(rows // max(self.some.sum(), 1), 1, REPEATS))
        self.errors = np.full((len(self.attributes), len(y)), np.nan)
        self.losses: NDArray | None = np.full_like(self.errors, np.nan)

    def add(self, model: Any, test: NDArray) -> None:
        """Shuffle the values of some rows, each attribute in turn, and ask a fitted classifier."""
        test = test[self.some[test]]
        if not len(test):
            return
        X, y = self.X[test], self.y[test]
        rng = np.random.default_rng([self.seed, int(test[0])])  # the order of the copies does not matter
        before = self._costs(model, X, y)
        orders = [rng.permutation(len(test)) for _ in range(self.repeats)]
        for k, one in enumerate(self.attributes):
            own = list(one.inputs)
            many = np.tile(X, (self.repeats, 1))
            many[:, own] = np.vstack([X[order][:, own] for order in orders])
            wrong, loss = self._costs(model, many, np.tile(y, self.repeats))
            self.errors[k, test] = wrong.reshape(self.repeats, -1).mean(axis=0) - before[0]
            if self.losses is not None and loss is not None and before[1] is not None:
                self.losses[k, test] = loss.reshape(self.repeats, -1).mean(axis=0) - before[1]
            else:
                self.losses = None

    def _costs(self, model: Any, X: NDArray, y: NDArray) -> tuple[NDArray, NDArray | None]:
        """Return which answers are wrong and, if there are probabilities, the losses."""
        wrong = (model.predict(X) != y).astype(float)
        if not hasattr(model, "predict_proba"):
            return wrong, None
        hit = y[:, None] == np.asarray(model.classes_)
        p = np.where(hit, model.predict_proba(X), 0.0).sum(axis=1)
        return wrong, -np.log(np.maximum(p, SMALLEST))

    def result(self, out_of_fold: bool) -> Permuted | None:
        """Return what was found; None if no copy was asked."""
        there = ~np.isnan(self.errors[0]) if len(self.errors) else np.zeros(0, dtype=bool)
        if not there.any():
            return None
        losses = None if self.losses is None else self.losses[:, there]
        return Permuted(self.attributes, self.errors[:, there], losses, out_of_fold)


class AsClassifier:
    """A network that answers as a classifier does, for rows of inputs."""

    def __init__(self, network: AnyNetwork) -> None:
        self.network, self.classes_ = network, network.classes
        if network.has_probability:
            self.predict_proba = network.probability

    def predict(self, X: NDArray) -> NDArray:
        """Return the labels of rows."""
        return self.network.predict(X)
