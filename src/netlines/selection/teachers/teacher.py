"""What a teacher is: a regularised model whose probabilities a small network can learn from.

Two that are fitted here, a logistic regression and an average of soft networks, each with its
regularisation chosen by the log-loss on rows that it has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.network.probability import expit, log_loss
from netlines.selection.folds import Examples, Fold
from netlines.training.calibration import fit_logistic

SLOPES = (1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
UNITS, STARTS, STEPS = 8, 5, 100
DECAYS = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4)
FEW = 2000  # patterns up to which soft networks have all their starts

# Rows in the user's units to the probability of +1, or with many classes to one column a class.
Probability = Callable[[NDArray], NDArray]


@dataclass(frozen=True, eq=False)
class Units:
    """The user's units: means and scales of the columns."""

    mean: NDArray
    scale: NDArray

    def standardised(self, rows: NDArray) -> NDArray:
        """Return rows in the user's units as patterns (M, n), the constant input first."""
        return np.vstack([np.ones(len(rows)), ((rows - self.mean) / self.scale).T])


@dataclass(frozen=True, eq=False)
class Data:
    """What a teacher is fitted to.

    `rows` (P, N) are the distinct patterns in the user's units, `X` (M, P) the same standardised, `all`
    every example, `folds` how to judge; `classes` the labels of -1 and +1, `names` those of the columns.
    """

    rows: NDArray
    X: NDArray
    units: Units
    all: Examples
    folds: Sequence[Fold]
    classes: NDArray
    names: Sequence[str] | None = None

    def labels(self, examples: Examples) -> NDArray:
        """Return the labels of examples, as the user gave them."""
        return np.asarray(self.classes[examples.labels])


@dataclass(frozen=True, eq=False)
class Teacher:
    """A fitted teacher and its copies that have not seen a fold.

    Attributes
    ----------
    name : str
    probability : callable
        Maps rows in the user's units to the probability of +1, or, of many classes, to those of all.
    in_folds : list of callables
        The same of the copies, each fitted to a fold's training part.
    held_out : list of arrays
        What these say about the test examples of their fold.
    """

    name: str
    probability: Probability
    in_folds: Sequence[Probability]
    held_out: list[NDArray]

    def mean_loss(self, folds: Sequence[Fold]) -> float:
        """Return the weighted log-loss on the examples held out."""
        return mean_loss(self.held_out, folds)

    def answers(self, data: Data) -> NDArray:
        """Return what to teach about the rows themselves.

        That is the mean of what the teacher says and what its copies say that have not seen them: a forest
        knows its own rows too well.
        """
        pattern = np.concatenate([fold.test.pattern for fold in data.folds])
        weights = np.concatenate([fold.test.weights for fold in data.folds])
        tested = np.bincount(pattern, weights, data.X.shape[1])
        p = np.array(self.probability(data.rows), dtype=float)
        sums = np.zeros_like(p)
        np.add.at(sums, pattern, (weights * np.concatenate(self.held_out).T).T)
        seen = tested > 0
        p[seen] = (p[seen] + (sums[seen].T / tested[seen]).T) / 2
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
        p = self.probability(np.asarray(X, dtype=float))
        return p if p.ndim == 2 else np.column_stack([1.0 - p, p])

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the class of each row."""
        p = self.predict_proba(X)
        return self.classes_[np.where(p[:, -1] >= 0.5, p.shape[1] - 1, p.argmax(axis=1))]


def mean_loss(held_out: Sequence[NDArray], folds: Sequence[Fold]) -> float:
    """Return the weighted mean log-loss of probabilities of the folds' test examples."""
    total = sum(fold.test.weights.sum() for fold in folds)
    pairs = zip(held_out, folds, strict=True)
    return float(sum(fold.test.weights @ log_loss(p, fold.test.targets) for p, fold in pairs) / total)


def fit_linear(data: Data) -> Teacher:
    """Fit a logistic regression, its ridge chosen by the held-out loss."""

    def fit(examples: Examples, ridge: float) -> NDArray:
        labels = (examples.targets > 0).astype(float)
        return fit_logistic(data.X[1:, examples.pattern].T, labels, examples.share, ridge)[0]

    best: tuple[float, Any] = (np.inf, None)
    for ridge in SLOPES:
        fits = [fit(fold.train, ridge) for fold in data.folds]
        pairs = zip(fits, data.folds, strict=True)
        held_out = [expit(w @ data.X[:, fold.test.pattern]) for w, fold in pairs]
        loss = mean_loss(held_out, data.folds)
        if loss < best[0]:
            best = loss, (ridge, fits, held_out)
    ridge, fits, held_out = best[1]
    whole, *in_folds = (Linear(data.units, w) for w in [fit(data.all, ridge), *fits])
    return Teacher("logistic regression", whole, in_folds, held_out)


@dataclass(frozen=True, eq=False)
class Linear:
    """The probability by log-odds that are linear in the standardised inputs."""

    units: Units
    weights: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        return np.asarray(expit(self.weights @ self.units.standardised(rows)))


def fit_soft_networks(data: Data, *, seed: int, run: Callable = map) -> Teacher:
    """Average networks of tanh units from several starts, their weight decay chosen by the held-out loss.

    From each start the decay falls step by step, each solution the start of the next.
    """
    from netlines.training._soft import cool

    m = len(data.X)
    size = UNITS * (m + 1) + 1
    n_starts = STARTS if data.X.shape[1] <= FEW else 2
    rng = np.random.default_rng([seed, 1])
    starts = [
        np.concatenate([rng.standard_normal(UNITS * m) / np.sqrt(m), 0.5 * rng.standard_normal(UNITS + 1)])
        for _ in range(n_starts)
    ]

    def descend(job: tuple[Examples, NDArray, int]) -> NDArray:
        examples, start, n_decays = job
        X = np.ascontiguousarray(data.X[:, examples.pattern])
        w, found = start, np.empty((n_decays, size))
        for j in range(n_decays):
            w, _, _ = cool(X, examples.targets, examples.share, w, UNITS, np.ones(1), DECAYS[j], STEPS)
            found[j] = w
        return found

    jobs = [(fold.train, start, len(DECAYS)) for fold in data.folds for start in starts]
    found = list(run(descend, jobs))
    paths = [found[k * n_starts : (k + 1) * n_starts] for k in range(len(data.folds))]
    held_out = []  # of each fold, one row a decay
    for path, fold in zip(paths, data.folds, strict=True):
        X = data.X[:, fold.test.pattern]
        held_out.append(np.mean([[_soft_probability(w, X) for w in weights] for weights in path], axis=0))
    losses = [mean_loss([p[j] for p in held_out], data.folds) for j in range(len(DECAYS))]
    best = int(np.argmin(losses))
    final = [weights[-1] for weights in run(descend, [(data.all, start, best + 1) for start in starts])]
    in_folds: list[Probability] = [SoftNetworks(data.units, [weights[best] for weights in p]) for p in paths]
    whole = SoftNetworks(data.units, final)
    return Teacher("soft networks", whole, in_folds, [p[best] for p in held_out])


@dataclass(frozen=True, eq=False)
class SoftNetworks:
    """The mean probability of soft networks."""

    units: Units
    weights: list[NDArray]

    def __call__(self, rows: NDArray) -> NDArray:
        X = self.units.standardised(rows)
        return np.asarray(np.mean([_soft_probability(w, X) for w in self.weights], axis=0))


def _soft_probability(w: NDArray, X: NDArray) -> NDArray:
    """Return the probability of +1 by the soft network w = (A, V) flattened."""
    hidden, output = w[: UNITS * len(X)].reshape(UNITS, len(X)), w[UNITS * len(X) :]
    return np.asarray(expit(output[0] + output[1:] @ np.tanh(hidden @ X)))
