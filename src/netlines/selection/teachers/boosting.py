"""Boosting with small symmetric trees as a teacher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import probabilities
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples, Fold
from netlines.selection.teachers.teacher import Teacher, log_losses, mean_loss
from netlines.training import soft
from netlines.training._boosting import Trees, binned, boost, edges_of, scores_along

PRIOR = 1.0  # rows that each class has before there are any


@dataclass(frozen=True)
class Boosting:
    """How trees are grown.

    Attributes
    ----------
    trees : numbers of them, of which that with the lowest held-out loss is taken
    depth : of each, in questions
    rate : the part of Newton's step that each takes
    ridge : what holds its leaves back, in rows
    """

    trees: tuple[int, ...] = (20, 40, 80, 160)
    depth: int = 4
    rate: float = 0.08
    ridge: float = 3.0


BOOSTING = Boosting()


def fit_boosting(
    data: Data, rival: Teacher | None = None, *, run: Callable = map, how: Boosting = BOOSTING
) -> Teacher | None:
    """Fit trees to the folds, and to everything when they are asked.

    None, if in the first fold their log-loss, and that of their mean with a rival, is above the rival's by
    more than a standard error of the paired differences.
    """
    edges = edges_of(data.X[1:])
    B = binned(data.X[1:], edges)

    def fit(examples: Examples, n_trees: int) -> Trees:
        T = np.atleast_2d(soft.targets_of(examples.labels, data.n_classes)).astype(float)
        T = (T + 1.0) / 2.0 if len(T) == 1 else T
        weights = examples.weights * (data.X.shape[1] / data.all.weights.sum())
        shares = (T @ weights + PRIOR) / (weights.sum() + PRIOR * data.n_classes)
        first = np.log(shares) - (np.log(1.0 - shares) if len(T) == 1 else 0.0)
        own = np.ascontiguousarray(B[:, examples.pattern])
        return boost(own, T, weights, first, n_trees, how.depth, how.rate, how.ridge)

    def held_out(fold: Fold) -> list[NDArray]:
        trees = fit(fold.train, how.trees[-1])
        return [probabilities(f.T) for f in scores_along(trees, B[:, fold.test.pattern], how.trees)]

    each = list(run(held_out, data.folds[:1]))
    if rival is not None and _lost(each[0], rival.held_out[0], data.folds[0].test):
        return None
    each += run(held_out, data.folds[1:])
    losses = [mean_loss([p[j] for p in each], data.folds) for j in range(len(how.trees))]
    best = int(np.argmin(losses))

    def whole() -> Boosted:
        return Boosted(data.standardisation, edges, fit(data.all, how.trees[best]))

    return Teacher("boosted trees", whole, [p[best] for p in each])


def _lost(own: list[NDArray], other: NDArray, test: Examples) -> bool:
    """Tell whether the best of several probabilities, and its mean with another, are clearly behind that."""
    losses = [log_losses(p, test.labels) for p in own]
    best = min(range(len(own)), key=lambda j: test.share @ losses[j])
    theirs, rows = log_losses(other, test.labels), 1.0 / (test.share @ test.share)
    for mine in losses[best], log_losses((own[best] + other) / 2, test.labels):
        lag = mine - theirs
        mean = test.share @ lag
        if mean <= np.sqrt(test.share @ (lag - mean) ** 2 / rows):
            return False
    return True


@dataclass(frozen=True, eq=False)
class Boosted:
    """The probabilities by boosted trees."""

    standardisation: Standardisation
    edges: list[NDArray]
    trees: Trees

    def __call__(self, rows: NDArray) -> NDArray:
        B = binned(self.standardisation.standardised(rows)[1:], self.edges)
        (f,) = scores_along(self.trees, B, [len(self.trees.bins)])
        return probabilities(f.T)
