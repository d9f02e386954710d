"""What a teacher is: a regularised model whose probabilities a small network can learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.network.probability import most_probable
from netlines.selection.data import Data
from netlines.selection.folds import Fold

Probability = Callable[[NDArray], NDArray]  # rows in the user's units to the probabilities (n, C)


@dataclass(frozen=True, eq=False)
class Teacher:
    """A teacher, and what its copies say that have not seen a fold.

    Attributes
    ----------
    name : str
    fit : callable
        Fits it to everything, when it is first asked; returns `probability`.
    held_out : list of arrays
        What copies, each fitted to a fold's training part, say about the test examples of their fold.
    """

    name: str
    fit: Callable[[], Probability]
    held_out: list[NDArray]

    @cached_property
    def probability(self) -> Probability:
        """Maps rows in the user's units to the probabilities (n, C) of the classes."""
        return self.fit()

    def answers(self, data: Data) -> NDArray:
        """Return what to teach about the rows themselves.

        That is the mean of what the teacher says and what its copies say that have not seen them: a forest
        knows its own rows too well.
        """
        pattern = np.concatenate([fold.test.pattern for fold in data.folds])
        weights = np.concatenate([fold.test.weights for fold in data.folds])
        tested = np.bincount(pattern, weights, data.X.shape[1])[:, None]
        p = np.array(self.probability(data.rows), dtype=float)
        sums = np.zeros_like(p)
        np.add.at(sums, pattern, weights[:, None] * np.concatenate(self.held_out))
        seen = tested[:, 0] > 0
        p[seen] = (p[seen] + sums[seen] / tested[seen]) / 2
        return p

    def fitted(self, classes: NDArray) -> Any:
        """Return the classifier that was fitted to everything: the user's own, or one to ask as such."""
        own = getattr(self.probability, "own", None)
        return FittedTeacher(self.name, self.probability, classes) if own is None else own


@dataclass(frozen=True, eq=False)
class FittedTeacher:
    """A teacher that was chosen: its name, and what it says."""

    name: str
    probability: Probability
    classes_: NDArray

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Return the probabilities of the classes, shape (n, C)."""
        return self.probability(np.asarray(X, dtype=float))

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the class of each row."""
        return np.asarray(self.classes_[most_probable(self.predict_proba(X))])


def log_losses(p: NDArray, labels: NDArray) -> NDArray:
    """Return -log of the probability (n, C) given to each label."""
    return np.asarray(-np.log(np.maximum(p[np.arange(len(p)), labels], 1e-15)))


def mean_loss(held_out: Sequence[NDArray], folds: Sequence[Fold]) -> float:
    """Return the weighted mean log-loss of probabilities of the folds' test examples."""
    total = sum(fold.test.weights.sum() for fold in folds)
    pairs = zip(held_out, folds, strict=True)
    return float(sum(fold.test.weights @ log_losses(p, fold.test.labels) for p, fold in pairs) / total)
