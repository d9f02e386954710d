"""How sure a network is of an answer, given how close a row is to those hyperplanes that matter for it.

Each hidden unit takes its two states with the probabilities (1 ± tanh(γ/2T))/2 of the paper's section
"Interpretation", where γ is the row's stability, its weighted sum over the norm of the weights in
standardised units. The weight of a class is the probability of all internal representations that the outputs
send to it: a hyperplane close by casts no doubt on the answer if both its sides have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from netlines.inspection.inputs import as_rows
from netlines.network.background import COLDEST
from netlines.network.network import Network
from netlines.network.probability import expit
from netlines.network.protocol import AnyNetwork

Doubt = Callable[[NDArray], NDArray]  # chances (n, H) that units are +1 to the weights (n, C) of the classes

MOST_UNITS = 16  # up to which all internal representations are enumerated
CHUNK = 2048  # rows at a time
TEMPERATURES = np.geomspace(0.2, 2.0, 8)  # colder ones fit training rows alone, which are learnt by heart
FEW_ROWS = 500  # of which a temperature is taken
_STEPS, _PARTS = np.polynomial.hermite_e.hermegauss(12)
_NORMAL_RULE = _STEPS, _PARTS / _PARTS.sum()  # the mean of f over a normal distribution: Σ part·f(step)


def domain_confidence(network: AnyNetwork, X: NDArray, *, temperature: float | None = None) -> NDArray:
    """Return the weight of the predicted class of each row, shape (n,); the parameters of `domain_weights`.

    It is near 1 far from all hyperplanes that matter, and near one half next to one that divides two classes.
    Where priors are changed, or networks vote, the predicted class may have less than half of the weight.
    """
    X = as_rows(network, X)
    weights = domain_weights(network, X, temperature=temperature)
    answers = network.answers(X)
    return np.asarray(weights[np.arange(len(weights)), answers])


def domain_weights(network: AnyNetwork, X: NDArray, *, temperature: float | None = None) -> NDArray:
    """Return the weight of each class for each row, shape (n, C), rows with the sum 1.

    Up to 16 hidden units all internal representations are enumerated. Beyond, the outputs' sums are taken to
    be normally distributed: the weight of a class against another is that of their difference being positive,
    and more than two classes are coupled in pairs. Networks that decide together have their chances combined
    by their scheme, as if their units were independent.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
    temperature : float or None
        In standardised units: how close to a hyperplane its unit is in doubt. None: as the background says.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.confidence import domain_weights
    >>> from netlines.network.network import Network
    >>> corner = Network([[0, 1, 0], [0, 0, 1]], [[-1, 1, 1]], ["out", "in"])  # in: both inputs positive
    >>> domain_weights(corner, np.array([[0.0, 2.0], [0.0, -2.0]]), temperature=0.3).round(3)
    array([[0.501, 0.499],
           [0.999, 0.001]])
    """
    X = as_rows(network, X).astype(float)
    if temperature is None:
        temperature = network.surroundings.temperature
    elif not isinstance(temperature, Real) or not COLDEST <= temperature < np.inf:
        raise ValueError(f"temperature must be a number of at least {COLDEST:g}, got {temperature!r}")
    return _weights(network, _stabilities(network, X), temperature, _doubts(network))


def fit_temperature(network: AnyNetwork, X: NDArray, codes: NDArray, weights: NDArray) -> float:
    """Return the temperature at which the weights of the classes fit training rows best, at least 0.2.

    Parameters
    ----------
    network : Network or Networks with a background
    X, codes, weights : rows, the numbers of their classes, and how much they count
    """
    rows = np.flatnonzero(weights > 0)
    rows = rows[:: -(-len(rows) // FEW_ROWS)]
    stabilities, doubts = _stabilities(network, X[rows].astype(float)), _doubts(network)

    def loss(temperature: float) -> float:
        own = _weights(network, stabilities, temperature, doubts)[np.arange(len(rows)), codes[rows]]
        return float(-weights[rows] @ np.log(np.maximum(own, 1e-9)))

    return float(min(TEMPERATURES, key=loss))


def _stabilities(network: AnyNetwork, X: NDArray) -> list[NDArray]:
    """Return the stabilities of the units of each part, shape (n, H), in standardised units.

    A unit that is the same everywhere is in no doubt: its stability is infinite.
    """
    known, found = network.surroundings, []
    for part in network.parts:
        weights = part.network.hidden_weights
        slopes = weights[:, 1:] * known.scale
        bias = weights[:, 0] + weights[:, 1:] @ part.network.relative(known.mean)
        norm = np.sqrt(bias**2 + (slopes**2).sum(axis=1))
        fields = part.network.fields(X)
        always = np.where(fields >= 0, np.inf, -np.inf)
        found.append(np.where(np.any(slopes, axis=1), fields / np.where(norm > 0, norm, 1.0), always))
    return found


def _weights(
    network: AnyNetwork, stabilities: Sequence[NDArray], temperature: float, doubts: Sequence[Doubt]
) -> NDArray:
    """Return the weights of the classes, given how far the rows are from the hyperplanes of each part."""
    by_part = []
    for part, stability, doubt in zip(network.parts, stabilities, doubts, strict=True):
        # (1 + tanh(γ/2T))/2, of an infinite one exactly 0 or 1
        plus = np.where(np.isinf(stability), stability > 0, expit(stability / temperature))
        chunks = [doubt(plus[i : i + CHUNK]) for i in range(0, len(plus), CHUNK)]
        by_part.append(np.vstack(chunks) if chunks else np.empty((0, part.network.n_classes)))
    return network.combined(by_part)


def _doubts(network: AnyNetwork) -> list[Doubt]:
    """Return for each part what makes weights of the classes of the chances that its units are +1."""
    few = (part.network.n_hidden <= MOST_UNITS for part in network.parts)
    pairs = zip(network.parts, few, strict=True)
    return [
        _enumerating(part.network) if each else partial(_approximated, part.network) for part, each in pairs
    ]


def _enumerating(network: Network) -> Doubt:
    """Return what finds the weights of the classes by all internal representations: of two halves apart."""
    n_hidden, n_classes = network.n_hidden, network.n_classes
    half = n_hidden // 2
    answers = network.answers_of_codes(_codes(n_hidden)).reshape(2**half, 2 ** (n_hidden - half))
    where = [(answers == number).astype(float) for number in range(1, n_classes)]

    def weights(plus: NDArray) -> NDArray:
        left, right = _products(plus[:, :half]), _products(plus[:, half:])
        each = [np.einsum("nr,nr->n", left @ there, right) for there in where]
        others = np.clip(np.column_stack(each), 0.0, 1.0)
        return np.column_stack([np.maximum(1.0 - others.sum(axis=1), 0.0), others])

    return weights


def _codes(n_hidden: int) -> NDArray:
    """Return all codes ±1, shape (2**H, H), those of the first unit changing last."""
    bits = np.arange(2**n_hidden)[:, None] >> np.arange(n_hidden)[::-1] & 1
    return 2.0 * bits - 1.0


def _products(plus: NDArray) -> NDArray:
    """Return the probability of each code of independent units, shape (n, 2**H), in the order of `_codes`."""
    product = np.ones((len(plus), 1))
    for p in plus.T:
        both = np.stack([1.0 - p, p], axis=1)
        product = (product[:, :, None] * both[:, None, :]).reshape(len(plus), -1)
    return product


def _approximated(network: Network, plus: NDArray) -> NDArray:
    """Return the weights of the classes by sums that are normally distributed.

    Of more than two classes each sum is taken relative to the mean of all, which decides nothing, and as
    independent of the others: a class has the weight ∫ of its density times the chances that the others are
    below, by Gauss and Hermite's rule.
    """
    mean, variance = 2.0 * plus - 1.0, 4.0 * plus * (1.0 - plus)
    output = network.output_weights - network.class_outputs.mean(axis=0)  # of two classes it is 0
    centre = output[:, 0] + mean @ output[:, 1:].T
    spread = np.sqrt(np.maximum(variance @ (output[:, 1:] ** 2).T, 1e-300))
    if len(output) == 1:
        second = ndtr(centre / spread)[:, 0]
        return np.column_stack([1.0 - second, second])
    each = np.zeros_like(centre)
    for step, part in zip(*_NORMAL_RULE, strict=True):
        at = centre + step * spread  # of each class, shape (n, C)
        below = ndtr((at[:, :, None] - centre[:, None, :]) / spread[:, None, :])
        np.einsum("ncc->nc", below)[:] = 1.0
        each += part * below.prod(axis=2)
    return np.asarray(each / each.sum(axis=1, keepdims=True))
