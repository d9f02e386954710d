"""Two teachers for many classes: a multinomial logistic regression and an average of soft networks.

Each has its regularisation chosen by the log-loss on rows that it has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import softmax
from netlines.selection.folds import Examples, Fold
from netlines.selection.teachers.teacher import Data, Probability, Teacher, Units
from netlines.training import _softmax, soft

SLOPES = (3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5)
UNITS, STARTS, STEPS = 24, 3, 80
DECAYS = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4)
FEW = 2000  # patterns up to which soft networks have all their starts


def log_losses(p: NDArray, labels: NDArray) -> NDArray:
    """Return -log of the probability (n, C) given to each label."""
    return np.asarray(-np.log(np.maximum(p[np.arange(len(p)), labels], 1e-15)))


def mean_loss(held_out: Sequence[NDArray], folds: Sequence[Fold]) -> float:
    """Return the weighted mean log-loss of probabilities of the folds' test examples."""
    total = sum(fold.test.weights.sum() for fold in folds)
    pairs = zip(held_out, folds, strict=True)
    return float(sum(fold.test.weights @ log_losses(p, fold.test.labels) for p, fold in pairs) / total)


def fit_linear(data: Data) -> Teacher:
    """Fit a multinomial logistic regression, its ridge chosen by the held-out loss."""
    n_classes = len(data.classes)
    bias = np.arange(len(data.X)) == 0

    def descend(examples: Examples, n_slopes: int) -> list[NDArray]:
        """Return the weights at falling ridges, each solution the start of the next."""
        X = np.ascontiguousarray(data.X[:, examples.pattern])
        T, found = _softmax.one_hot(examples.labels, n_classes), []
        start = None
        for ridge in SLOPES[:n_slopes]:
            start, _ = _softmax.fit_outputs(X, T, examples.share, np.where(bias, 1e-9, ridge), start=start)
            found.append(start)
        return found

    paths = [descend(fold.train, len(SLOPES)) for fold in data.folds]
    held_out = [
        [softmax((W @ data.X[:, fold.test.pattern]).T) for W in path]
        for path, fold in zip(paths, data.folds, strict=True)
    ]
    losses = [mean_loss([p[j] for p in held_out], data.folds) for j in range(len(SLOPES))]
    best = int(np.argmin(losses))
    whole = Linear(data.units, descend(data.all, best + 1)[-1])
    in_folds: list[Probability] = [Linear(data.units, path[best]) for path in paths]
    return Teacher("logistic regression", whole, in_folds, [p[best] for p in held_out])


@dataclass(frozen=True, eq=False)
class Linear:
    """The probabilities by scores (C, M) that are linear in the standardised inputs."""

    units: Units
    weights: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        return softmax((self.weights @ self.units.standardised(rows)).T)


def fit_soft_networks(data: Data, *, seed: int, run: Callable = map) -> Teacher:
    """Average networks of tanh units from several starts, their weight decay chosen by the held-out loss.

    From each start the decay falls step by step, each solution the start of the next.
    """
    m, n_classes = len(data.X), len(data.classes)
    n_starts = STARTS if data.X.shape[1] <= FEW else 1
    rng = np.random.default_rng([seed, 1])
    starts = [soft.start(UNITS, m, n_classes, rng) for _ in range(n_starts)]

    def descend(job: tuple[Examples, NDArray, int]) -> list[NDArray]:
        examples, w, n_decays = job
        X, T = data.X[:, examples.pattern], _softmax.one_hot(examples.labels, n_classes)
        found = []
        for decay in DECAYS[:n_decays]:
            w, _, _ = _softmax.cool(X, T, examples.share, w, UNITS, (1.0,), decay, STEPS)
            found.append(w)
        return found

    jobs = [(fold.train, start, len(DECAYS)) for fold in data.folds for start in starts]
    found = list(run(descend, jobs))
    paths = [found[k * n_starts : (k + 1) * n_starts] for k in range(len(data.folds))]
    held_out: list[Any] = []  # of each fold, one entry a decay
    for path, fold in zip(paths, data.folds, strict=True):
        X = data.X[:, fold.test.pattern]
        held_out.append(
            np.mean([[_probability(w, X, n_classes) for w in weights] for weights in path], axis=0)
        )
    losses = [mean_loss([p[j] for p in held_out], data.folds) for j in range(len(DECAYS))]
    best = int(np.argmin(losses))
    final = [weights[-1] for weights in run(descend, [(data.all, start, best + 1) for start in starts])]
    in_folds: list[Probability] = [
        SoftNetworks(data.units, [weights[best] for weights in path], n_classes) for path in paths
    ]
    whole = SoftNetworks(data.units, final, n_classes)
    return Teacher("soft networks", whole, in_folds, [p[best] for p in held_out])


@dataclass(frozen=True, eq=False)
class SoftNetworks:
    """The mean probabilities of soft networks."""

    units: Units
    weights: list[NDArray]
    n_classes: int

    def __call__(self, rows: NDArray) -> NDArray:
        X = self.units.standardised(rows)
        return np.asarray(np.mean([_probability(w, X, self.n_classes) for w in self.weights], axis=0))


def _probability(w: NDArray, X: NDArray, n_classes: int) -> NDArray:
    """Return the probabilities (n, C) by the soft network w."""
    hidden, outputs = _softmax.split(w, UNITS, n_classes)
    return softmax((outputs[:, :1] + outputs[:, 1:] @ np.tanh(hidden @ X)).T)
