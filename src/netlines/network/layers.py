"""What follows from the weighted sums of many rows: of one network, or of all parts of several side by side.

A layer is what a network keeps ready for `sweep`: its numbers in the order in which blocks of rows need them.
The hidden units of all parts are columns of one product; block matrices say which output reads which.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import EDGE, LARGEST_SCORE, most_probable
from netlines.network.sums import compared_sums

if TYPE_CHECKING:
    from netlines.network.network import Network

MOST_UNITS = 12  # whose codes are all asked about before
MOST_ODDS = 650.0  # of which the exponential is a number, and that of priors on top
LEAST_LOG = float(np.log(np.finfo(float).tiny))
SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
EPS = {kind: float(np.finfo(kind).eps) for kind in (SINGLE, DOUBLE)}


class Planes:
    """The hidden units in one precision.

    Attributes
    ----------
    slopes : array (N, H)
    bias : array (H,)
    rounding : float
        Times the largest input, or 1 if that is less, by how much weighted sums may be wrong.
    """

    def __init__(self, weights: NDArray, kind: np.dtype) -> None:
        own = weights.astype(kind)
        self.kind, self.slopes, self.bias = kind, np.ascontiguousarray(own[:, 1:].T), own[:, 0].copy()
        self.rounding = (weights.shape[1] + 3) * EPS[kind] * float(np.abs(weights).sum(axis=1).max())


class Layer:
    """What layers share: the planes, and the scores before they agree with the answers.

    With a calibration the weighted sums are multiplied by twice its steepness: of such a sum u it is
    tanh(u/2) = 1 - 2/(1 + exp(u)), of which numpy is quicker than of tanh.
    """

    def __init__(self, network: Any, networks: list[Network]) -> None:
        self.classes, self.moved = network.classes, network.moved
        self.has_scores, self.origin = network.has_probability, network.origin
        weights, own = network.hidden_weights.astype(float), [cast(Any, one.calibration) for one in networks]
        self.reach, most = 1.0, 0.0  # by which a sum is multiplied at most
        if self.has_scores:
            slopes, steps = blocks([one.slopes for one in own]), blocks([one.steps for one in own])
            factors = 2.0 * np.concatenate([one.steepness for one in own])
            steps = (steps.T * np.sign(factors)).T
            factors = np.where(steps.reshape(len(factors), -1).any(axis=1), np.abs(factors), 1.0)
            weights *= factors[:, None]
            self.slopes, self.steps = (slopes.T / factors).T.copy(), -2.0 * steps
            self.least = np.concatenate([one.intercepts for one in own])
            self.least += steps if steps.ndim == 1 else steps.sum(axis=0)
            self.bent, self.lines = bool(steps.any()), bool(slopes.any())
            self.reach += float(np.abs(self.slopes).sum())
            most = float(np.abs(self.steps).sum() + np.abs(self.least).sum())
        sizes = np.abs(weights).sum(axis=1)
        self.reach *= float(sizes.max())
        self.double = Planes(weights, DOUBLE)
        # Beyond these sizes single precision would overflow, or lose what matters.
        fits = self.origin is None and sizes.min() > 1e-18 and self.reach < 1e18
        self.single = Planes(weights, SINGLE) if fits else None
        self.usable = sizes.min() > 1e-200 and self.reach < 1e200 and most < 1e200

    def calibrated(self, sums: NDArray) -> NDArray:
        """Return the scores of the calibrations, outputs first: (K, n)."""
        if self.slopes.ndim == 1:
            sums = by_output(sums)
        found = times(sums, self.slopes) if self.lines or not self.bent else None
        if self.bent:
            bent = np.exp(sums)
            bent += 1.0
            steps = times(np.divide(1.0, bent, out=bent), self.steps)
            found = steps if found is None else np.add(found, steps, out=found)
        scores = np.asarray(found) if self.slopes.ndim == 1 else by_output(np.asarray(found))
        scores += self.least[:, None]
        return scores


class Signs(Layer):
    """Two-class networks, whose K outputs answer by their signs: one of them, or the parts of several."""

    def __init__(self, network: Any, networks: list[Network]) -> None:
        super().__init__(network, networks)
        self.networks = networks
        self.ends = np.cumsum([0, *(one.n_hidden for one in networks)])
        self.passing = all(one.passes_on for one in networks)

    @cached_property
    def _tables(self) -> list[NDArray | None]:
        """The sums of each output over all codes of its units, None where it passes on, or has too many."""
        return [
            None
            if one.passes_on or one.n_hidden > MOST_UNITS
            else compared_sums(codes(one.n_hidden), one.output_weights)[:, 0]
            for one in self.networks
        ]

    @cached_property
    def _readers(self) -> tuple[NDArray, NDArray, list[tuple[int, float]]]:
        """What multiplies states 0 and 1, (H, K), the thresholds (K,), and the outputs to look at closer.

        An output of few units has a gap between the sums of the codes with its two answers: a threshold in
        its middle decides without rounding. Of others, sums next to 0 are settled in the careful way.
        """
        weights = [_read(one) for one in self.networks]
        factors, least = blocks([2.0 * own[:, 1:] for own in weights]), np.empty(len(weights))
        close: list[tuple[int, float]] = []
        kind: np.dtype = SINGLE
        for k, (own, table) in enumerate(zip(weights, self._tables, strict=True)):
            size = float(np.abs(own).sum())
            rounding, (low, high) = 16 * own.shape[1] * size, gap(own, table, size)
            least[k] = own[0, 1:].sum() - own[0, 0] + (low + high) / 2
            if not high - low > rounding * EPS[SINGLE]:
                kind = DOUBLE
            if not high - low > rounding * EPS[DOUBLE]:
                least[k] = own[0, 1:].sum() - own[0, 0]
                close.append((k, rounding * EPS[DOUBLE]))
        return factors.astype(kind), least.astype(kind), close

    def says(self, sums: NDArray) -> NDArray[np.bool_]:
        """Tell which outputs answer +1, shape (K, n)."""
        states = sums >= 0
        if self.passing:
            return by_output(states)
        factors, least, close = self._readers
        found = by_output(states.astype(factors.dtype) @ factors)
        says = found >= least[:, None]
        for k, bound in close:
            near = np.flatnonzero(np.abs(found[k] - least[k]) <= bound)
            if len(near):
                says[k, near] = self._sum(k, states[near]) >= 0
        return np.asarray(says)

    def _sum(self, k: int, states: NDArray[np.bool_]) -> NDArray:
        """Return the sums of an output that passes nothing on, shape (n,)."""
        own, table = states[:, self.ends[k] : self.ends[k + 1]], self._tables[k]
        if table is not None:
            return np.asarray(table[(own.astype(float) @ powers(own.shape[1])).astype(np.intp)])
        return compared_sums(2.0 * own - 1.0, self.networks[k].output_weights)[:, 0]

    def margins(self, sums: NDArray, most: float = LARGEST_SCORE) -> NDArray:
        """Return the log-odds of +1 of each output, or without a calibration its sum, shape (K, n)."""
        if not self.has_scores:
            states = sums >= 0
            known = [
                sums[:, self.ends[k]] if one.passes_on else self._sum(k, states)
                for k, one in enumerate(self.networks)
            ]
            return np.array(known, dtype=float)
        side = self.says(sums).astype(float)
        side *= 2.0
        side -= 1.0
        found = self.calibrated(sums)
        found *= side
        found.clip(EDGE, most, out=found)  # on the side of the answer
        found *= side
        return found


class Two(Signs):
    """One network of two classes."""

    def __init__(self, network: Any) -> None:
        super().__init__(network, [network])
        if self.moved:
            self.shift = network.calibration.shift

    def predict(self, sums: NDArray) -> NDArray:
        """Return the classes."""
        says = most_probable(self.scores(sums)) if self.moved else self.says(sums)[0]
        return np.asarray(self.classes.take(says))

    def scores(self, sums: NDArray, most: float = LARGEST_SCORE) -> NDArray:
        """Return what speaks for the second class."""
        found = self.margins(sums, most)[0]
        if self.moved:
            found += self.shift
        return np.asarray(found)

    def probability(self, sums: NDArray) -> NDArray:
        """Return the probabilities of the classes."""
        odds = self.scores(sums, MOST_ODDS)
        np.exp(odds, out=odds)
        found = np.empty((len(odds), 2))
        np.divide(1.0, odds + 1.0, out=found[:, 0])
        np.multiply(odds, found[:, 0], out=found[:, 1])
        return found


class Each(Layer):
    """One network of more classes: an output for each, of which the largest is the answer."""

    def __init__(self, network: Any) -> None:
        super().__init__(network, [network])
        self.outputs = network.output_weights
        self.small = network.n_hidden <= MOST_UNITS
        self.powers = powers(network.n_hidden)
        if self.moved:
            self.shift = network.calibration.shift[:, None]

    @cached_property
    def _all(self) -> NDArray:
        """What the outputs say to each code of few units, shape (2^H, C)."""
        return compared_sums(codes(len(self.powers)), self.outputs)

    @cached_property
    def _answers(self) -> NDArray[np.intp]:
        return most_probable(self._all)

    @cached_property
    def _readers(self) -> tuple[NDArray, NDArray, float]:
        """What multiplies states 0 and 1, (H, C), what is added, (C,), and by how much sums may be wrong."""
        weights = self.outputs
        bound = 8 * weights.shape[1] * EPS[DOUBLE] * float(np.abs(weights).sum(axis=1).max())
        return 2.0 * weights[:, 1:].T, weights[:, 0] - weights[:, 1:].sum(axis=1), bound

    def sums(self, sums: NDArray) -> NDArray:
        """Return what the outputs say, shape (n, C)."""
        states = sums >= 0
        if self.small:
            return np.asarray(self._all[(states @ self.powers).astype(np.intp)])
        factors, base, bound = self._readers
        found = states.astype(float) @ factors
        found += base
        second, first = np.partition(found, -2, axis=1)[:, -2:].T
        close = np.flatnonzero(first - second <= bound)
        if len(close):
            found[close] = compared_sums(2.0 * states[close] - 1.0, self.outputs)
        return found

    def answers(self, sums: NDArray) -> NDArray[np.intp]:
        """Return the numbers of the classes, before a shift of the priors."""
        if self.small:
            return self._answers.take(((sums >= 0).astype(float) @ self.powers).astype(np.intp))
        return most_probable(self.sums(sums))

    def predict(self, sums: NDArray) -> NDArray:
        """Return the classes."""
        found = most_probable(self.scores(sums)) if self.moved else self.answers(sums)
        return np.asarray(self.classes.take(found))

    def scores(self, sums: NDArray) -> NDArray:
        """Return the logarithms of the probabilities, or without a calibration what the outputs say."""
        if not self.has_scores:
            return self.sums(sums)
        z = self._agreeing(sums)
        z -= np.log(np.exp(z).sum(axis=0))
        return np.maximum(z, LEAST_LOG, out=z).T

    def probability(self, sums: NDArray) -> NDArray:
        """Return the probabilities of the classes."""
        p = self._agreeing(sums)
        np.exp(p, out=p)
        p /= p.sum(axis=0)
        return p.T

    def _agreeing(self, sums: NDArray) -> NDArray:
        """Return scores (C, n), the largest 0 and the answer's: where another is, its is put next above."""
        z = self.calibrated(sums)
        flat, own = z.reshape(-1), self.answers(sums) * len(sums) + np.arange(len(sums))
        z -= z.max(axis=0)  # what is added is not lost in rounding
        mine = flat[own]
        flat[own] = -np.inf
        best = z.max(axis=0)
        best += EDGE
        np.maximum(mine, best, out=best)
        flat[own] = best
        if self.moved:
            z += self.shift
            best = z.max(axis=0)
        z -= best
        return z


class Several(Signs):
    """Two-class networks that decide together."""

    def __init__(self, network: Any) -> None:
        super().__init__(network, [part.network for part in network.parts])
        self.whole, n = network, len(self.networks)
        self.powers = powers(n)
        self.small = n <= MOST_UNITS
        self.single = None  # where it depends on how sure parts are, double precision is needed
        self.stretch = 1.0 if self.has_scores else np.array([[2.0 / part.scale] for part in network.parts])

    @cached_property
    def _answers(self) -> NDArray[np.intp]:
        """What is answered where the parts say this or that; -1 where it depends on how sure they are."""
        return np.asarray(self.whole.answers_of_signs(codes(len(self.networks)) > 0))

    def predict(self, sums: NDArray) -> NDArray:
        """Return the classes."""
        if self.moved:
            return np.asarray(self.classes.take(self._said(sums).labels))
        says = self.says(sums)
        if self.small:
            found = self._answers.take((self.powers @ says.astype(float)).astype(np.intp))
        else:
            found = self.whole.answers_of_signs(says.T)
        open_ = np.flatnonzero(found < 0)
        if len(open_):
            found[open_] = self._together(sums[open_]).answers
        return np.asarray(self.classes.take(found))

    def scores(self, sums: NDArray) -> NDArray:
        """Return what speaks for the classes."""
        return np.asarray(self._said(sums).scores)

    def probability(self, sums: NDArray) -> NDArray:
        """Return the probabilities of the classes."""
        return np.asarray(self._said(sums).probability)

    def _together(self, sums: NDArray) -> Any:
        margins = self.margins(sums)
        p = margins * -self.stretch
        np.exp(np.minimum(p, 700.0, out=p), out=p)
        p += 1.0
        return self.whole.together(margins.T, np.divide(1.0, p, out=p).T)

    def _said(self, sums: NDArray) -> Any:
        return self.whole.said(self._together(sums))


def layer_of(network: Any) -> Two | Each | Several | None:
    """Return the layer of a network, None for odd ones: of mixed parts, or of sizes that could overflow."""
    if len({part.network.has_probability for part in network.parts}) > 1:
        return None
    with np.errstate(all="ignore"):
        kind = Several if network.scheme else Two if network.n_classes == 2 else Each
        layer = kind(network)
    return layer if layer.usable else None


def by_output(values: NDArray) -> NDArray:
    """Return what belongs to rows (n, K) outputs first, (K, n): numpy is quickest along the rows."""
    return np.ascontiguousarray(values.T)


def times(values: NDArray, factors: NDArray) -> NDArray:
    """Return a product of (n, H) and (H, K), or of (H, n) by elements with factors (H,)."""
    return values * factors[:, None] if factors.ndim == 1 else values @ factors


def blocks(parts: list[NDArray]) -> NDArray:
    """Return arrays (K, H) of several networks as one of (ΣH, ΣK): each reads its own units alone.

    Where each reads one unit, these are the factors (ΣH,).
    """
    if all(part.size == 1 for part in parts):
        return np.concatenate(parts)[:, 0]
    found = np.zeros(np.sum([part.shape[::-1] for part in parts], axis=0))
    row = column = 0
    for part in parts:
        found[row : row + part.shape[1], column : column + part.shape[0]] = part.T
        row, column = row + part.shape[1], column + part.shape[0]
    return found


def powers(n: int) -> NDArray:
    """Return what makes states 0 and 1 the number of a code."""
    return np.ldexp(1.0, np.arange(n))


def codes(n: int) -> NDArray:
    """Return all codes ±1 of n units, shape (2^n, n): the first unit is the lowest digit of their number."""
    return 2.0 * (np.arange(1 << n)[:, None] >> np.arange(n) & 1) - 1.0


def gap(weights: NDArray, table: NDArray | None, size: float) -> tuple[float, float]:
    """Return the largest sum below 0 that an output (1, H + 1) has, and the least other, at most of a size.

    Parameters
    ----------
    weights : array (1, H + 1)
    table : its sums over all codes; None: of one unit that is passed on they are known, else 0 and 0
    size : float
    """
    if table is None:
        return (-1.0, 1.0) if weights.shape[1] == 2 else (0.0, 0.0)
    return float(table[table < 0].max(initial=-size)), float(table[table >= 0].min(initial=size))


def _read(network: Network) -> NDArray:
    """Return the weights of the output (1, H + 1); those that pass a state on do not count."""
    return np.array([[0.0, 1.0]]) if network.passes_on else network.output_weights.astype(float)
