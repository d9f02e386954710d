"""Two teachers: a logistic regression and an average of soft networks.

Each has its regularisation chosen by the log-loss on rows that it has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import probabilities
from netlines.selection.data import Data, Standardisation
from netlines.selection.folds import Examples
from netlines.selection.teachers.teacher import Teacher, mean_loss
from netlines.training import _softmax, soft
from netlines.training.calibration import fit_logistics
from netlines.training.cases import Cases

SLOPES = Cases(
    two=(3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4),  # falling: each solution starts the next
    more=(3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5),
)


@dataclass(frozen=True)
class SoftSchedule:
    """Of soft networks: hidden units, starts, steps at each decay, and decays."""

    units: int
    starts: int
    steps: int
    decays: tuple[float, ...]


SOFT = Cases(
    two=SoftSchedule(8, 2, 50, (3e-2, 1e-2, 3e-3, 1e-3)),
    more=SoftSchedule(24, 1, 50, (3e-2, 1e-2, 3e-3, 1e-3)),
)


def fit_linear(data: Data) -> Teacher:
    """Fit a logistic regression, of many classes a multinomial one, its ridge chosen by the held-out loss."""
    slopes = SLOPES.of(data.n_classes)
    paths = [fit_ridges(data, fold.train, slopes) for fold in data.folds]
    held_out = [
        [probabilities((W @ data.X[:, fold.test.pattern]).T) for W in path]
        for path, fold in zip(paths, data.folds, strict=True)
    ]
    losses = [mean_loss([p[j] for p in held_out], data.folds) for j in range(len(slopes))]
    best = int(np.argmin(losses))

    def whole() -> Linear:
        return Linear(data.standardisation, fit_ridges(data, data.all, slopes[: best + 1])[-1])

    return Teacher("logistic regression", whole, [p[best] for p in held_out])


def fit_ridges(data: Data, examples: Examples, ridges: Sequence[float]) -> list[NDArray]:
    """Return the weights (K, M) of logistic regressions over standardised inputs, one for each ridge."""
    return REGRESSIONS.of(data.n_classes)(data, examples, ridges)


def _binomial(data: Data, examples: Examples, ridges: Sequence[float]) -> list[NDArray]:
    features, labels = data.X[1:, examples.pattern].T, examples.labels.astype(float)
    return [line[None] for line, _ in fit_logistics(features, labels, examples.share, ridges)]


def _multinomial(data: Data, examples: Examples, ridges: Sequence[float]) -> list[NDArray]:
    X = np.ascontiguousarray(data.X[:, examples.pattern])
    T = soft.targets_of(examples.labels, data.n_classes)
    bias, W, found = np.arange(len(X)) == 0, None, []
    for ridge in ridges:
        W, _ = _softmax.fit_outputs(X, T, examples.share, np.where(bias, 1e-9, ridge), start=W)
        found.append(W)
    return found


REGRESSIONS = Cases(two=_binomial, more=_multinomial)


@dataclass(frozen=True, eq=False)
class Linear:
    """The probabilities by scores (K, M) that are linear in the standardised inputs."""

    standardisation: Standardisation
    weights: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        return probabilities((self.weights @ self.standardisation.standardised(rows)).T)


def fit_soft_networks(
    data: Data, *, seed: int, run: Callable = map, announced: Callable | None = None
) -> Teacher:
    """Average networks of tanh units from several starts, their weight decay chosen by the held-out loss.

    From each start the decay falls step by step, each solution the start of the next. `announced` is the
    `run` of the folds, if it is another one than that of the fit to everything.
    """
    n_classes, n_outputs = data.n_classes, soft.n_outputs_of(data.n_classes)
    schedule = SOFT.of(n_classes)
    units, decays = schedule.units, schedule.decays
    n_starts = schedule.starts
    rng = np.random.default_rng([seed, 1])
    starts = [soft.start(units, len(data.X), n_outputs, rng) for _ in range(n_starts)]

    def descend(job: tuple[Examples, NDArray, int]) -> list[NDArray]:
        examples, w, n_decays = job
        targets = soft.targets_of(examples.labels, n_classes)
        lessons = np.ascontiguousarray(data.X[:, examples.pattern]), targets, examples.share
        found = []
        for decay in decays[:n_decays]:
            w, _, _ = soft.cool(*lessons, w, units, (1.0,), decay, schedule.steps)
            found.append(w)
        return found

    def networks(weights: list[NDArray]) -> SoftNetworks:
        return SoftNetworks(data.standardisation, weights, units, n_outputs)

    jobs = [(fold.train, start, len(decays)) for fold in data.folds for start in starts]
    found = list((announced or run)(descend, jobs))
    paths = [found[k * n_starts : (k + 1) * n_starts] for k in range(len(data.folds))]
    in_folds = [[networks([path[j] for path in each]) for j in range(len(decays))] for each in paths]
    held_out = [
        [one.of_patterns(data.X[:, fold.test.pattern]) for one in each]
        for each, fold in zip(in_folds, data.folds, strict=True)
    ]
    losses = [mean_loss([p[j] for p in held_out], data.folds) for j in range(len(decays))]
    best = int(np.argmin(losses))

    def whole() -> SoftNetworks:
        return networks(
            [path[-1] for path in run(descend, [(data.all, start, best + 1) for start in starts])]
        )

    return Teacher("soft networks", whole, [p[best] for p in held_out])


@dataclass(frozen=True, eq=False)
class SoftNetworks:
    """The mean probabilities of soft networks."""

    standardisation: Standardisation
    weights: list[NDArray]
    units: int
    n_outputs: int

    def __call__(self, rows: NDArray) -> NDArray:
        return self.of_patterns(self.standardisation.standardised(rows))

    def of_patterns(self, X: NDArray) -> NDArray:
        """Return the probabilities (n, C) of standardised patterns (M, n)."""
        each = [probabilities(soft.outputs(w, X, self.units, self.n_outputs).T) for w in self.weights]
        return np.asarray(np.mean(each, axis=0))
