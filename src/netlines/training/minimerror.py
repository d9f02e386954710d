"""Minimerror: trains one binary unit. Where it starts, how it cools, which weights it keeps.

1. Start from Hebb's rule, later from Hebb's rule with noise.
2. Cool: at each 1/T₊ step along the sum of the patterns, each weighted by sech²(γ/2T), T₊ for right and
   θT₊ for wrong ones (`_kernel.anneal`); the steps are preconditioned and have momentum.
3. Keep the weights with the fewest errors, the coldest among equals.
4. Do so for each θ of the portfolio, and leave it at the first unit without errors.

`paper_unit` is the paper's own schedule, `unit_path` the weights at given temperatures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

SLACK = 1e-9  # patterns closer to the hyperplane than this count as errors
NO_MARKS = np.empty(0, dtype=np.int64)

# Deviation: short anneals with different θ instead of a single long one with θ = 6. The first starts
# from Hebb's rule, the others from Hebb's rule with noise, at 1/T₊ = 2, 3 and 10. The last four see each
# pattern scaled to the norm 1, which changes no error but lets outliers count like any other.
PORTFOLIO = (6.0, 3.0, 20.0, 4.0, 2.0, 10.0, 5.0, 8.0, 3.0, 15.0, 6.0, 3.0, 20.0, 4.0)
SCALED_FROM = 10
COLDEST, STEPS, MOMENTUM = 3000.0, 300, 0.9
COOLING = [np.geomspace(hottest, COLDEST, STEPS) for hottest in (2.0, 3.0, 10.0)]
PAPER_EPOCHS = 50_000
MOST_EPOCHS = 10_000_000
INVERSE_TEMPERATURES = np.array([0.8, 1.3, 2.0, 3.2, 5.0, 8.0, 13.0, 20.0, 32.0])  # of a path
MANY = 20_000  # from twice as many patterns on, a part of them chooses start and θ
LAST_COOLING = np.geomspace(20.0, COLDEST, 100)


@dataclass(frozen=True, eq=False)
class Unit:
    """A trained binary neuron over the inputs it was trained on.

    `weights` has the norm 1, `errors` is the weight of the patterns it gets wrong, `beta` is 1/T₊ when
    these weights were found, `epochs` the passes over the patterns of all its anneals.
    """

    weights: NDArray
    errors: float
    beta: float
    theta: float
    epochs: int


@dataclass(frozen=True, eq=False)
class TemperaturePath:
    """The weights of one unit at falling temperatures.

    Attributes
    ----------
    temperatures : array of shape (K,)
        T₊ in standardised units, falling.
    weights : array of shape (K, n_features + 1)
        Bias first, in the user's units, norm √(N + 1).
    errors : array of shape (K,)
        Weight of the training errors at each temperature.
    origin : array of shape (n_features,) or None
        What the weights count the inputs from, as in `Network`; None: 0.
    """

    temperatures: NDArray
    weights: NDArray
    errors: NDArray
    origin: NDArray | None = None


def hebb(X: NDArray, s: NDArray) -> NDArray:
    """Return the normalised sum of the folded patterns; the constant input alone if it vanishes."""
    u = _hebb_or_none(X, s)
    return np.eye(len(X))[0] if u is None else u


def _hebb_or_none(X: NDArray, s: NDArray) -> NDArray | None:
    u = X @ s
    norm = np.sqrt(u @ u)
    return None if norm <= 1e-12 * s.sum() else np.asarray(u / norm, dtype=float)


def random_start(X: NDArray, seed: int) -> NDArray:
    """Return a random direction among the inputs that are not constant zeros."""
    u = np.random.default_rng(seed).standard_normal(len(X)) * X.any(axis=1)
    return np.asarray(u / np.sqrt(u @ u), dtype=float)


def preconditioner(X: NDArray, s: NDArray) -> NDArray:
    """Return (A + λ tr(A)/M I)⁻¹/√M with A the mean of x xᵀ and λ = max(10⁻³, M/P)."""
    m, total = len(X), float(s.sum())
    A = np.zeros((m, m))
    for start in range(0, X.shape[1], 4096):
        block = X[:, start : start + 4096]
        if s.dtype != X.dtype:
            block = block.astype(s.dtype)
        A += (block * s[start : start + 4096]) @ block.T
    effective = total**2 / float(s @ s)  # P where all weights are equal
    ridge = max(1e-3, m / effective) * A.trace() / m
    A.flat[:: m + 1] += ridge
    return np.asarray(np.linalg.inv(A) * (total / sqrt(m)))


def paper_unit(
    X: NDArray,
    s: NDArray,
    *,
    theta: float = 6.0,
    learning_rate: float = 0.02,
    annealing_rate: float = 1e-3,
    coldest: float | None = None,
    seed: int = 0,
) -> Unit:
    """Train a unit by the schedule that the paper prints.

    Steps of ε times the SUM over the patterns, 1/T₊ growing by δT⁻¹ an epoch. The paper leaves open where
    it starts and ends: here from Hebb's rule and 1/T₊ = 0 until the window is empty, 50,000 epochs at most,
    and the weights with the fewest errors are kept. With `coldest` it ends at that 1/T₊, with its weights.
    Where Hebb's rule vanishes, as for the parity, every step would be as symmetric as the patterns; the start
    is then a random direction.
    """
    from netlines.training._kernel import anneal

    m = len(X)
    epochs = PAPER_EPOCHS if coldest is None else int(np.ceil(coldest / annealing_rate - 1e-9))
    if epochs > MOST_EPOCHS:
        raise ValueError(
            f"temperature: {epochs} epochs of the paper's schedule away; allowed are {MOST_EPOCHS}"
        )
    betas = annealing_rate * np.arange(max(epochs, 1))
    # The paper's w has the norm √M and ours 1, so ours moves by its step over √M.
    G = np.eye(m) * (learning_rate / np.sqrt(m))
    marks = NO_MARKS if coldest is None else np.array([len(betas)])
    start = _hebb_or_none(X, s)
    start = random_start(X, seed) if start is None else start
    u, _, beta, steps, path = anneal(X, s, start, G, betas, theta, 0.0, SLACK, marks, np.inf)
    if coldest is not None:
        u, beta = path[0], coldest
    return Unit(u, float(s[u @ X <= SLACK].sum()), beta, theta, steps)


def unit_path(X: NDArray, s: NDArray, wanted: NDArray, *, theta: float = 2.0) -> tuple[NDArray, int]:
    """Cool one unit from Hebb's rule and return its weights at the inverse temperatures `wanted`.

    Parameters
    ----------
    X, s : as in `train_unit`
    wanted : array (K,) of 1/T₊, increasing
    theta : T₋/T₊; infinity lets every error count in full

    Returns
    -------
    (weights of shape (K, M), rows of norm 1; epochs)
    """
    from netlines.training._kernel import anneal

    hottest, coldest = min(0.5, wanted[0]), wanted[-1]
    steps = max(50, int(np.ceil(np.log(coldest / hottest) / np.log(COLDEST / 2.0) * STEPS)))
    betas = np.geomspace(hottest, coldest, steps)
    marks = np.minimum(np.searchsorted(betas, wanted * (1 - 1e-9)), steps - 1) + 1
    G = preconditioner(X, s)
    *_, epochs, path = anneal(X, s / s.sum(), hebb(X, s), G, betas, theta, MOMENTUM, SLACK, marks, np.inf)
    return path, epochs


def train_unit(
    X: NDArray,
    s: NDArray,
    *,
    seed: int = 0,
    thetas: Iterable[float] = PORTFOLIO,
    run: Callable = map,
) -> Unit:
    """Train a unit by short preconditioned anneals over a portfolio of θ and keep the fewest errors.

    Deviation: of many patterns only the first are used for that; a last anneal of the best weights over all
    patterns follows, from a temperature at which the hyperplane is already in its place.

    Parameters
    ----------
    X : array (M, P), patterns folded with their targets, in no particular order
    s : array (P,), their weights
    seed : int, decides the noise of the starts
    thetas : the temperature ratios T₋/T₊, one anneal each; left as soon as one has no errors
    run : `map`, or a parallel one with the same order of results
    """
    enough = max(MANY, 400 * len(X))
    if X.shape[1] > 2 * enough:
        unit = train_unit(np.ascontiguousarray(X[:, :enough]), s[:enough], seed=seed, thetas=thetas, run=run)
        last = _anneal(X, s, preconditioner(X, s), unit.weights, LAST_COOLING, unit.theta)
        return replace(last, epochs=last.epochs + unit.epochs * enough // X.shape[1])
    used = X.any(axis=1)  # noise on a constant input would stay for ever

    @cache
    def view(scaled: bool) -> tuple[NDArray, NDArray, NDArray]:
        """Return the patterns, as they are or scaled to the norm 1, their preconditioner and Hebb's rule."""
        Z = X / np.sqrt((X**2).sum(axis=0)) if scaled else X
        return Z, preconditioner(Z, s), hebb(Z, s)

    def attempt(job: tuple[int, float]) -> Unit:
        k, theta = job
        Z, G, u = view(k % len(PORTFOLIO) >= SCALED_FROM)
        if k > 0:
            noise = np.random.default_rng([seed, k]).standard_normal(len(X)) * used
            noisy = u + noise / np.sqrt(noise @ noise)
            u = noisy / np.sqrt(noisy @ noisy) if noisy @ noisy > 1e-6 else u
        unit = _anneal(Z, s, G, u, COOLING[0 if k == 0 else 1 + (k - 1) % 2], theta)
        return unit if Z is X else replace(unit, errors=float(s[unit.weights @ X <= SLACK].sum()))

    best, epochs = None, 0
    for unit in run(attempt, enumerate(thetas)):
        epochs += unit.epochs
        if best is None or unit.errors < best.errors * (1 - 1e-12):
            best = unit
        if best.errors == 0:
            break
    assert best is not None
    return replace(best, epochs=epochs)


def _anneal(X: NDArray, s: NDArray, G: NDArray, start: NDArray, betas: NDArray, theta: float) -> Unit:
    """Run one anneal.

    Deviation: a mean instead of a sum over the patterns, a preconditioner, momentum, geometric cooling.
    """
    from netlines.training._kernel import anneal

    u, _, beta, steps, _ = anneal(X, s / s.sum(), start, G, betas, theta, MOMENTUM, SLACK, NO_MARKS, np.inf)
    return Unit(u, float(s[u @ X <= SLACK].sum()), beta, theta, steps)
