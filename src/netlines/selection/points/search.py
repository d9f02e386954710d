"""Which few terms tell two classes apart best: a logistic regression that takes in one term after the other.

1. From each of a few sets of terms the gain of every further term is estimated, with all others refitted: one
   step of Newton's method.
2. The best of them are fitted, and the best few sets of each size are kept.
3. Of the best set of a size each term is taken out once, and another put in if that is better.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RIDGE = 1e-2  # on the squared slopes of standardised terms
BEAM = 4  # sets of a size that are kept
TRIED = 5  # terms that are fitted beside each of them
STEPS = 25  # of Newton's method, at most
ENOUGH = 1e-6  # by which a step has to lower the cost


@dataclass(frozen=True, eq=False)
class Support:
    """Some terms, the weights that the log-odds give them, bias first, and the cost."""

    terms: tuple[int, ...]
    weights: NDArray
    cost: float


class Search:
    """Searches among terms by rows.

    Parameters
    ----------
    Z : array (m, n), the values of the terms
    share, p : arrays (n,), weights of the rows with the sum 1, and their share of the second class
    """

    def __init__(self, Z: NDArray, share: NDArray, p: NDArray):
        self.share, self.p = share, p
        mean = Z @ share
        spread = np.sqrt(np.maximum((Z * Z) @ share - mean**2, 0.0))
        self.mean, self.spread = mean, np.where(spread > 0, spread, np.inf)
        self.Z = (Z - mean[:, None]) / self.spread[:, None]
        self.usable = spread > 1e-9 * (1.0 + np.abs(mean))

    def path(self, largest: int) -> list[Support]:
        """Return the best set found of each size up to the largest, fewer if there are not so many terms."""
        beam = [self._fit((), None)]
        found = []
        for _ in range(min(largest, int(self.usable.sum()))):
            children: dict[tuple[int, ...], Support] = {}
            for parent in beam:
                for term in self._promising(parent):
                    terms = tuple(sorted((*parent.terms, term)))
                    if terms not in children:
                        children[terms] = self._fit(terms, parent)
            if not children:
                break
            beam = sorted(children.values(), key=lambda one: (one.cost, one.terms))[:BEAM]
            beam[0] = self._swapped(beam[0])
            found.append(beam[0])
        return found

    def weights_of(self, support: Support) -> NDArray:
        """Return bias and weights of the terms themselves, not standardised."""
        some = list(support.terms)
        slopes = support.weights[1:] / self.spread[some]
        return np.concatenate([[support.weights[0] - slopes @ self.mean[some]], slopes])

    def _promising(self, parent: Support, most: int = TRIED) -> list[int]:
        """Return the terms that promise to lower the cost most."""
        F = self._features(parent.terms)
        q = _expit(parent.weights @ F)
        residual, h = self.share * (self.p - q), self.share * q * (1.0 - q)
        slope = self.Z @ residual
        hF = F * h
        H = hF @ F.T
        H.flat[:: len(H) + 1] += RIDGE
        cross = self.Z @ hF.T
        own = (self.Z * self.Z) @ h + RIDGE
        left = own - (cross * np.linalg.solve(H, cross.T).T).sum(axis=1)
        gain = np.where(self.usable & (left > 1e-9), slope**2 / np.maximum(left, 1e-9), 0.0)
        gain[list(parent.terms)] = 0.0
        order = np.argsort(-gain, kind="stable")[:most]
        return [int(one) for one in order if gain[one] > 0]

    def _swapped(self, support: Support) -> Support:
        """Return the set with single terms replaced as long as that lowers the cost."""
        if len(support.terms) < 2:
            return support
        better = True
        for _ in range(2):
            if not better:
                break
            better = False
            for term in support.terms:
                rest = self._fit(tuple(one for one in support.terms if one != term), None)
                for other in self._promising(rest, 2):
                    if other == term:
                        continue
                    trial = self._fit(tuple(sorted((*rest.terms, other))), rest)
                    if trial.cost < support.cost - 1e-9:
                        support, better = trial, True
                        break
                if better:
                    break
        return support

    def _features(self, terms: Iterable[int]) -> NDArray:
        return np.vstack([np.ones(len(self.p)), self.Z[list(terms)]])

    def _fit(self, terms: tuple[int, ...], like: Support | None) -> Support:
        """Fit the log-odds to some terms by Newton's method, beginning with what a similar set has."""
        F = self._features(terms)
        b = np.zeros(len(F))
        if like is not None:
            known = dict(zip(like.terms, like.weights[1:], strict=True))
            b = np.array([like.weights[0], *(known.get(term, 0.0) for term in terms)])
        penalty = np.full(len(b), RIDGE)
        penalty[0] = 1e-9
        cost = np.inf
        for _ in range(STEPS):
            z = b @ F
            q = _expit(z)
            new = float(self.share @ (np.logaddexp(0.0, z) - self.p * z)) + 0.5 * float(penalty @ b**2)
            if new > cost - ENOUGH:
                cost = min(new, cost)
                break
            cost = new
            slope = F @ (self.share * (q - self.p)) + penalty * b
            H = (F * (self.share * q * (1.0 - q))) @ F.T
            H.flat[:: len(H) + 1] += penalty
            step = np.linalg.solve(H, slope)
            largest = float(np.abs(step).max())
            b = b - step * min(1.0, 3.0 / max(largest, 1e-300))
        return Support(terms, b, cost)


def _expit(z: NDArray) -> NDArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -700.0, 700.0))))
