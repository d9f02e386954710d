"""Teachers: regularised models whose probabilities a small network can learn from.

A logistic regression, an average of soft networks, a kernel ridge regression and a random forest; or any
classifier of scikit-learn. Each is judged on rows that it has not seen, and the best of them or of their
means is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.validation import has_fit_parameter

from netlines.folds import Examples, Fold
from netlines.probability import expit, fit_line, fit_logistic, log_loss

UNITS, STARTS, STEPS = 8, 5, 100
DECAYS = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4)
SLOPES = (1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
WIDTHS = (1 / 8, 1 / 2, 2.0)
RIDGES = (0.03, 0.1, 0.3, 1.0, 3.0)
AFFORDABLE = 2000  # patterns up to which the kernel, whose cost is cubic, is tried
MOST_COPIES = 100  # of a row for a teacher that takes no weights
SURE = 0.005  # a forest's shares of votes stay this far from 0 and 1

Probability = Callable[[NDArray], NDArray]  # rows in the user's units to the probability of +1


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


@dataclass(frozen=True, eq=False)
class Teacher:
    """A fitted teacher and its copies that have not seen a fold.

    Attributes
    ----------
    name : str
    probability : callable
        Maps rows in the user's units to the probability of +1.
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

    def fitted(self, classes: NDArray) -> Any:
        """Return the classifier that was fitted to everything: the user's own, or one to ask as such."""
        if isinstance(self.probability, Classifier) and self.probability.edge == 0:
            return self.probability.model
        return FittedTeacher(self.name, self.probability, classes)


@dataclass(frozen=True, eq=False)
class FittedTeacher:
    """A teacher that was chosen: its name, and what it says."""

    name: str
    probability: Probability
    classes_: NDArray

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Return the probabilities of the two classes, shape (n, 2)."""
        p = self.probability(np.asarray(X, dtype=float))
        return np.column_stack([1.0 - p, p])

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the class of each row."""
        return self.classes_[(self.probability(np.asarray(X, dtype=float)) >= 0.5).astype(int)]


def mean_loss(held_out: Sequence[NDArray], folds: Sequence[Fold]) -> float:
    """Return the weighted mean log-loss of probabilities of the folds' test examples."""
    total = sum(fold.test.weights.sum() for fold in folds)
    pairs = zip(held_out, folds, strict=True)
    return float(sum(fold.test.weights @ log_loss(p, fold.test.targets) for p, fold in pairs) / total)


def choose_teacher(data: Data, linear: Teacher, *, seed: int, run: Callable = map) -> Teacher:
    """Fit the teachers that are affordable and return the best of them or of the means of some.

    Parameters
    ----------
    data : what to learn
    linear : what `fit_linear` returned
    seed : decides the starts of the soft networks and the trees of the forest
    run : `map`, or a parallel one with the same order of results
    """
    teachers = [linear, fit_soft_networks(data, seed=seed, run=run)]
    if data.X.shape[1] <= AFFORDABLE:
        teachers.append(fit_kernel(data))
    teachers.append(fit_forest(data, seed=seed, run=run))
    sizes = range(1, len(teachers) + 1)
    means = map(_average, chain.from_iterable(combinations(teachers, size) for size in sizes))
    return min(means, key=lambda teacher: teacher.mean_loss(data.folds))


def _average(teachers: Sequence[Teacher]) -> Teacher:
    """Return the teacher whose probability is the mean of the others'."""
    if len(teachers) == 1:
        return teachers[0]

    held_out = [np.mean(parts, axis=0) for parts in zip(*(t.held_out for t in teachers), strict=True)]
    in_folds: list[Probability] = [Mean(list(p)) for p in zip(*(t.in_folds for t in teachers), strict=True)]
    name = " + ".join(teacher.name for teacher in teachers)
    return Teacher(name, Mean([teacher.probability for teacher in teachers]), in_folds, held_out)


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of several probabilities."""

    parts: list[Probability]

    def __call__(self, rows: NDArray) -> NDArray:
        return np.asarray(np.mean([part(rows) for part in self.parts], axis=0))


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
    from netlines._soft import cool

    m = len(data.X)
    size = UNITS * (m + 1) + 1
    n_starts = STARTS if data.X.shape[1] <= AFFORDABLE else 2
    rng = np.random.default_rng([seed, 1])
    starts = [
        np.concatenate([rng.standard_normal(UNITS * m) / np.sqrt(m), 0.5 * rng.standard_normal(UNITS + 1)])
        for _ in range(n_starts)
    ]

    def descend(job: tuple[Examples, NDArray, int]) -> NDArray:
        examples, start, n_decays = job
        X = np.ascontiguousarray(data.X[:, examples.pattern])
        w, found = start.copy(), np.empty((n_decays, size))
        for j in range(n_decays):
            cool(X, examples.targets, examples.share, w, UNITS, np.ones(1), DECAYS[j], STEPS)
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


def fit_kernel(data: Data) -> Teacher:
    """Fit a kernel ridge regression on ±1, its width and ridge chosen by the held-out loss.

    The kernel is exp(-width · |z - z'|² / 2N) over standardised inputs, the ridge is counted in rows of the
    mean weight; a line through the held-out values turns them into log-odds.
    """
    Z, n_patterns = data.X[1:], data.X.shape[1]
    weights, targets = _by_pattern(data.all, n_patterns)
    weights = weights / weights.mean()
    root = np.sqrt(weights)
    best: tuple[float, Any] = (np.inf, None)
    for width in WIDTHS:
        K = _kernel(Z, Z, width)
        d, U = np.linalg.eigh(root[:, None] * K * root)
        U = root[:, None] * U  # (K + r/w)⁻¹ = U (d + r)⁻¹ Uᵀ
        for ridge in RIDGES:
            inverse = 1.0 / (np.maximum(d, 0.0) + ridge)
            alpha = U @ (inverse * (U.T @ targets))
            values = [_without(data, fold, U, inverse, alpha, weights, targets, ridge) for fold in data.folds]
            line = _line(values, data.folds)
            held_out = [expit(line[0] + line[1] * f) for f in values]
            loss = mean_loss(held_out, data.folds)
            if loss < best[0]:
                best = loss, (width, ridge, line, held_out)
    width, ridge, line, held_out = best[1]
    K = _kernel(Z, Z, width)
    examples = [data.all, *(fold.train for fold in data.folds)]
    whole, *in_folds = (_fit_ridge(data, K, part, width, ridge, line) for part in examples)
    return Teacher("kernel", whole, in_folds, held_out)


def _fit_ridge(
    data: Data, K: NDArray, examples: Examples, width: float, ridge: float, line: NDArray
) -> KernelRidge:
    """Fit the regression to some of the examples."""
    mean = data.all.weights.sum() / len(K)
    weights, targets = _by_pattern(examples, len(K))
    use = np.flatnonzero(weights > 0)
    system = K[np.ix_(use, use)]
    system.flat[:: len(use) + 1] += ridge * mean / weights[use]
    alpha = np.linalg.solve(system, targets[use])
    return KernelRidge(data.units, np.ascontiguousarray(data.X[1:, use]), width, alpha, line)


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """The probability by a kernel ridge regression and a line for its log-odds."""

    units: Units
    centers: NDArray
    width: float
    alpha: NDArray
    line: NDArray

    def __call__(self, rows: NDArray) -> NDArray:
        parts = (self.units.standardised(part)[1:] for part in np.array_split(rows, len(rows) // 2000 + 1))
        f = np.concatenate([_kernel(part, self.centers, self.width) @ self.alpha for part in parts])
        return np.asarray(expit(self.line[0] + self.line[1] * f))


def _kernel(A: NDArray, B: NDArray, width: float) -> NDArray:
    squares = (A**2).sum(axis=0)[:, None] + (B**2).sum(axis=0) - 2.0 * (A.T @ B)
    return np.asarray(np.exp(np.maximum(squares, 0.0) * (-width / (2 * max(len(A), 1)))))


def _by_pattern(examples: Examples, n_patterns: int) -> tuple[NDArray, NDArray]:
    """Return the weight of each pattern and its mean target; the target of an absent one is NaN."""
    weights = np.bincount(examples.pattern, examples.weights, n_patterns)
    sums = np.bincount(examples.pattern, examples.weights * examples.targets, n_patterns)
    return weights, np.divide(sums, weights, out=np.full(n_patterns, np.nan), where=weights > 0)


def _without(
    data: Data,
    fold: Fold,
    U: NDArray,
    inverse: NDArray,
    alpha: NDArray,
    weights: NDArray,
    targets: NDArray,
    ridge: float,
) -> NDArray:
    """Return the values for a fold's test examples of the regression fitted to its training part.

    Exact without a new fit: with weights w → w' and targets y → y' on some patterns S only, the regression
    at S is y' - r (w' + G r(w - w')/w)⁻¹ (α + G (y' - y)), G = (K + r/w)⁻¹ restricted to S.
    """
    total, _ = _by_pattern(data.all, len(targets))
    kept, new = _by_pattern(fold.train, len(targets))
    kept = weights * (kept / total)
    new = np.where(kept > 0, new, targets)
    S = np.flatnonzero(
        (np.abs(kept - weights) > 1e-12 * weights)
        | (new != targets)
        | (np.bincount(fold.test.pattern, minlength=len(kept)) > 0)
    )
    G = (U[S] * inverse) @ U[S].T
    change = new[S] - targets[S]
    system = G * (ridge * (weights[S] - kept[S]) / weights[S])
    system.flat[:: len(S) + 1] += kept[S]
    f = np.empty(len(targets))
    f[S] = new[S] - ridge * np.linalg.solve(system, alpha[S] + G @ change)
    return f[fold.test.pattern]


def _line(values: Sequence[NDArray], folds: Sequence[Fold]) -> NDArray:
    """Fit log-odds to the values of the folds' test examples."""
    targets = np.concatenate([fold.test.targets for fold in folds])
    weights = np.concatenate([fold.test.weights for fold in folds])
    return fit_line(np.concatenate(values), targets, weights)


def fit_forest(data: Data, *, seed: int, run: Callable = map) -> Teacher:
    """Fit a random forest, to standardised inputs: its numbers have single precision."""
    forest = RandomForestClassifier(100, random_state=seed, n_jobs=1)
    return fit_classifier(data, forest, name="random forest", edge=SURE, units=data.units, run=run)


def fit_classifier(
    data: Data,
    classifier: Any,
    *,
    name: str | None = None,
    edge: float = 0.0,
    units: Units | None = None,
    run: Callable = map,
) -> Teacher:
    """Fit copies of a classifier of scikit-learn to the folds and to everything.

    Parameters
    ----------
    data : what to learn
    classifier : an estimator with `predict_proba` or `decision_function`, or `predict` alone
    name : what to call it; its class by default
    edge : how far its probabilities stay from 0 and 1
    units : how to standardise its inputs, if at all
    run : `map`, or a parallel one with the same order of results
    """

    def fit(examples: Examples) -> Classifier:
        view = Classifier(None, data.classes, None if units else data.names, edge, units)
        model = _fit_weighted(clone(classifier), view, data, examples)
        return replace(view, model=model).fitted_to(data.rows[examples.pattern])

    whole, *in_folds = run(fit, [data.all, *(fold.train for fold in data.folds)])
    pairs = zip(in_folds, data.folds, strict=True)
    held_out = [fitted(data.rows[fold.test.pattern]) for fitted, fold in pairs]
    return Teacher(name or type(classifier).__name__, whole, in_folds, held_out)


@dataclass(frozen=True, eq=False)
class Classifier:
    """The probability of the second class by a fitted classifier.

    One that offers decisions only has them squashed, at the scale of their mean size on some rows; one that
    offers labels only is sure of each. `offset` is taken from the log-odds of one whose answers change at
    another probability than ½.
    """

    model: Any
    classes: NDArray
    names: Sequence[str] | None = None
    edge: float = 0.0
    units: Units | None = None
    scale: float = 1.0
    offset: float = 0.0

    def inputs(self, rows: NDArray) -> Any:
        """Return rows as the model wants them: standardised, or in a table with named columns."""
        if self.units is not None:
            return np.ascontiguousarray(self.units.standardised(rows)[1:].T)
        return as_frame(rows, self.names)

    def fitted_to(self, rows: NDArray) -> Classifier:
        """Return the same with the scale, or the offset, that these rows show."""
        if hasattr(self.model, "predict_proba"):
            p, answers = self(rows), np.asarray(self.model.predict(self.inputs(rows))) == self.classes[1]
            if ((p >= 0.5) == answers).mean() > 0.99 or answers.all() or not answers.any():
                return self
            border = np.clip((p[~answers].max() + p[answers].min()) / 2, 1e-12, 1.0 - 1e-12)
            return replace(self, offset=float(np.log(border / (1.0 - border))))
        if not hasattr(self.model, "decision_function"):
            return self
        f = np.asarray(self.model.decision_function(self.inputs(rows)), dtype=float)
        return replace(self, scale=max(float(np.abs(f).mean()), 1e-300))

    def __call__(self, rows: NDArray) -> NDArray:
        X = self.inputs(rows)
        if hasattr(self.model, "predict_proba"):
            column = list(self.model.classes_).index(self.classes[1])
            p = np.asarray(self.model.predict_proba(X), dtype=float)[:, column]
            if self.offset:
                p = np.clip(p, 1e-15, 1.0 - 1e-15)
                p = expit(np.log(p / (1.0 - p)) - self.offset)
        elif hasattr(self.model, "decision_function"):
            p = expit(2.0 / self.scale * np.asarray(self.model.decision_function(X), dtype=float))
        else:
            p = (np.asarray(self.model.predict(X)) == self.classes[1]).astype(float)
        return np.clip(p, self.edge, 1.0 - self.edge)


def as_frame(rows: NDArray, names: Sequence[str] | None) -> Any:
    """Return rows as a table with named columns, if there are names."""
    if names is None:
        return rows
    import pandas as pd

    return pd.DataFrame(rows, columns=list(names))


def _fit_weighted(model: Any, view: Classifier, data: Data, examples: Examples) -> Any:
    """Fit a model to weighted examples.

    One that takes no `sample_weight` is given rows repeated in proportion to their weights, rounded.
    """
    rows, y = data.rows[examples.pattern], data.classes[(examples.targets > 0).astype(int)]
    weights = examples.weights
    if np.ptp(weights) <= 1e-9 * weights.max():
        return model.fit(view.inputs(rows), y)
    if has_fit_parameter(model, "sample_weight"):
        return model.fit(view.inputs(rows), y, sample_weight=weights)
    steps = getattr(model, "steps", None)
    if steps and has_fit_parameter(steps[-1][1], "sample_weight"):
        return model.fit(view.inputs(rows), y, **{f"{steps[-1][0]}__sample_weight": weights})
    counts = np.clip(np.rint(weights / np.median(weights)), 1, MOST_COPIES).astype(int)
    again = np.repeat(np.arange(len(rows)), counts)
    return model.fit(view.inputs(rows[again]), y[again])
