"""Problems made by a rule: parity, clumps on a ring, waveforms, rows labelled by a random teacher."""

from __future__ import annotations

from itertools import product
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, validate_params

from netlines.datasets.form import give

_PARITY = """Parity: all {rows} patterns of {n} inputs ±1, labelled by the product of their inputs."""

_CLUMPS = """Two or more clumps: {rows} rings of {n} bits ±1, class 1 if two or more clumps, else -1.

A clump is a run of bits 1 bounded by bits -1. Every bond of the ring is a wall with probability {k}/{n},
given that the number of walls is even."""

_WAVEFORM = """Waveforms of the CART book: {rows} noisy mixtures of two among three triangular waves.

21 points; classes 0, 1 and 2 with equal probabilities."""

_TEACHER = """Teacher: {rows} Gaussian rows of {n} inputs, labelled -1 or 1 by {teacher}.

Each label was flipped with probability {noise}."""

# The three waves of `make_waveform` at t = 1 … 21, and which two of them each class mixes.
WAVES = np.maximum(6.0 - np.abs(np.arange(1, 22) - np.array([[11], [15], [7]])), 0.0)
MIXED = ((0, 1), (0, 2), (1, 2))

COUNT = [Interval(Integral, 1, None, closed="left")]


@validate_params({"n": [Interval(Integral, 1, 20, closed="both")]}, prefer_skip_nested_validation=True)
def make_parity(n: int, *, return_X_y: bool = True, as_frame: bool = False) -> Any:
    """Make all 2ⁿ patterns of n inputs ±1, labelled by the product of their inputs.

    Parameters
    ----------
    n : int
        Number of inputs, from 1 to 20.
    return_X_y : bool, default=True
        Return `(X, y)`; otherwise a Bunch.
    as_frame : bool, default=False
        Give pandas objects instead of arrays; needs the extra `netlines[cli]`.

    Returns
    -------
    (X, y), or Bunch with data, target, feature_names, target_names, DESCR and frame

    Examples
    --------
    >>> from netlines.datasets import make_parity
    >>> X, y = make_parity(2)
    >>> y.tolist()
    [1, -1, -1, 1]
    >>> make_parity(2, return_X_y=False).feature_names
    ['x1', 'x2']
    """
    X = np.array(list(product([-1.0, 1.0], repeat=n)))
    y = X.prod(axis=1).astype(np.int64)
    text = _PARITY.format(rows=len(X), n=n)
    return give(X, y, _names("x", n), text, return_X_y=return_X_y, as_frame=as_frame, classes=[-1, 1])


@validate_params(
    {
        "n_samples": COUNT,
        "n_bits": [Interval(Integral, 2, None, closed="left")],
        "k": [Interval(Real, 0, None, closed="neither")],
    },
    prefer_skip_nested_validation=True,
)
def make_clumps(
    n_samples: int,
    n_bits: int,
    k: float = 3,
    *,
    random_state: Any = None,
    return_X_y: bool = True,
    as_frame: bool = False,
) -> Any:
    """Make rings of bits ±1, class 1 if a ring holds two or more clumps, else -1.

    A clump is a run of bits 1 bounded by bits -1; a wall is a bond between two neighbours that differ, so
    that a ring of w walls holds w/2 clumps. Every bond is a wall with probability k/n_bits, given that the
    number of walls is even: an Ising ring whose walls cost J = ln((n_bits - k)/k). The rings are independent
    draws of exactly this distribution.

    Parameters
    ----------
    n_samples : int
        Number of rings, at least 1.
    n_bits : int
        Bits of a ring, at least 2; both classes need at least 4.
    k : float, default=3
        Sets the mean number of clumps, close to k/2 unless k is near 0 or `n_bits`, both excluded. The
        paper's 3 gives 1.499 clumps on rings of 10 bits and 1.496 on rings of 25.
    random_state : int, RandomState or None, default=None
        Decides the rings.
    return_X_y, as_frame : bool, default=True, False
        As in `make_parity`.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.datasets import make_clumps
    >>> X, y = make_clumps(1000, 25, random_state=0)
    >>> walls = (X != np.roll(X, 1, axis=1)).sum(axis=1)
    >>> bool(((walls >= 4) == (y == 1)).all())
    True
    """
    if k >= n_bits:
        raise ValueError(f"k must be less than n_bits = {n_bits}, got {k!r}")
    random = check_random_state(random_state)
    possible = np.arange(0, n_bits + 1, 2)
    walls = random.choice(possible, size=n_samples, p=_wall_probabilities(possible, n_bits, float(k)))
    # Given their number, the walls lie anywhere with equal probability: where a random order is below it.
    order = random.uniform(size=(n_samples, n_bits)).argsort(axis=1)
    bonds = np.where(order < walls[:, np.newaxis], -1.0, 1.0)
    X = random.choice([-1.0, 1.0], size=(n_samples, 1)) * bonds.cumprod(axis=1)
    y = np.where(walls >= 4, 1, -1).astype(np.int64)
    text = _CLUMPS.format(rows=n_samples, n=n_bits, k=k)
    names = _names("bit", n_bits)
    return give(X, y, names, text, return_X_y=return_X_y, as_frame=as_frame, classes=[-1, 1])


@validate_params({"n_samples": COUNT}, prefer_skip_nested_validation=True)
def make_waveform(
    n_samples: int, *, random_state: Any = None, return_X_y: bool = True, as_frame: bool = False
) -> Any:
    """Make noisy mixtures of two among three triangular waves: the three classes of the CART book.

    The waves h₁, h₂, h₃ have height 6 and half-width 6 and are centred on t = 11, 15 and 7. A pattern
    of 21 points is u hᵢ + (1 - u) hⱼ plus unit Gaussian noise, u uniform on [0, 1]; class 0 mixes h₁
    and h₂, class 1 h₁ and h₃, class 2 h₂ and h₃, with equal probabilities.

    Parameters
    ----------
    n_samples : int
        Number of patterns, at least 1.
    random_state : int, RandomState or None, default=None
        Decides the classes, the mixtures and the noise.
    return_X_y, as_frame : bool, default=True, False
        As in `make_parity`.

    Examples
    --------
    >>> from netlines.datasets import make_waveform
    >>> X, y = make_waveform(300, random_state=0)
    >>> X.shape
    (300, 21)
    """
    random = check_random_state(random_state)
    y = random.randint(0, 3, size=n_samples).astype(np.int64)
    u = random.uniform(size=(n_samples, 1))
    first, second = (WAVES[np.array(numbers)[y]] for numbers in zip(*MIXED, strict=True))
    X = u * first + (1 - u) * second + random.standard_normal((n_samples, 21))
    text = _WAVEFORM.format(rows=n_samples)
    return give(X, y, _names("t", 21), text, return_X_y=return_X_y, as_frame=as_frame, classes=[0, 1, 2])


@validate_params(
    {
        "n_samples": COUNT,
        "n_features": COUNT,
        "n_units": [*COUNT, None],
        "noise": [Interval(Real, 0, 1, closed="both")],
    },
    prefer_skip_nested_validation=True,
)
def make_teacher(
    n_samples: int,
    n_features: int,
    n_units: int | None = None,
    *,
    teacher: Any = None,
    noise: float = 0.0,
    random_state: Any = None,
    return_X_y: bool = True,
    as_frame: bool = False,
) -> Any:
    """Make Gaussian rows labelled ±1 by a random perceptron, or by the majority of a committee of them.

    The perceptrons have no bias, and their weights point in any direction with equal probability.

    Parameters
    ----------
    n_samples : int
        Number of rows, at least 1.
    n_features : int
        Number of inputs, at least 1.
    n_units : odd int or None, default=None
        Number of perceptrons that vote; None means 1 or, with `teacher`, as many as it has rows.
    teacher : array of shape (n_units, n_features) or None, default=None
        Weights that label the rows, such as the `teacher` of an earlier Bunch; None draws new ones.
    noise : float, default=0.0
        Probability with which each label is flipped, from 0 to 1.
    random_state : int, RandomState or None, default=None
        Decides the teacher, then the rows, then the flips. One integer gives the same teacher whatever
        `n_samples`, and the same rows with a `teacher` as without: fresh rows need another one.
    return_X_y, as_frame : bool, default=True, False
        As in `make_parity`. The Bunch also holds `teacher`, its rows of norm 1 if drawn here.

    Examples
    --------
    >>> from netlines.datasets import make_teacher
    >>> train = make_teacher(200, 50, 3, noise=0.1, random_state=0, return_X_y=False)
    >>> train.teacher.shape
    (3, 50)
    >>> X_test, y_test = make_teacher(5000, 50, teacher=train.teacher, random_state=1)
    >>> X_test.shape
    (5000, 50)
    """
    if n_units is not None and n_units % 2 == 0:
        raise ValueError(f"n_units must be odd, got {n_units!r}")
    given = None if teacher is None else _checked_teacher(teacher, n_units, n_features)
    random = check_random_state(random_state)
    # Drawn even if not used: otherwise its numbers would come back as rows under the same seed.
    drawn = random.standard_normal((n_units or 1, n_features) if given is None else given.shape)
    weights = drawn / np.linalg.norm(drawn, axis=1, keepdims=True) if given is None else given
    X = random.standard_normal((n_samples, n_features))
    votes = np.where(X @ weights.T >= 0, 1, -1).sum(axis=1)
    flips = np.where(random.uniform(size=n_samples) < noise, -1, 1)
    y = (np.sign(votes) * flips).astype(np.int64)
    who = "a perceptron" if len(weights) == 1 else f"the majority of {len(weights)} perceptrons"
    text = _TEACHER.format(rows=n_samples, n=n_features, teacher=who, noise=noise)
    names = _names("x", n_features)
    return give(X, y, names, text, return_X_y=return_X_y, as_frame=as_frame, classes=[-1, 1], teacher=weights)


def _names(letter: str, n: int) -> list[str]:
    return [f"{letter}{i}" for i in range(1, n + 1)]


def _wall_probabilities(walls: NDArray, n_bits: int, k: float) -> NDArray[np.float64]:
    """Return the probabilities of these numbers of walls: the ways to place them times exp(-J walls)."""
    ways = gammaln(n_bits + 1) - gammaln(walls + 1) - gammaln(n_bits - walls + 1)
    log_weights = ways - walls * (np.log(n_bits - k) - np.log(k))
    weights = np.exp(log_weights - log_weights.max())
    return weights / weights.sum()


def _checked_teacher(teacher: Any, n_units: int | None, n_features: int) -> NDArray[np.float64]:
    """Return the teacher as a new float array of one row a unit and `n_features` columns."""
    try:
        weights = np.array(teacher, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"teacher must be an array of numbers, got {teacher!r}") from error
    rows = "an odd number of" if n_units is None else f"n_units = {n_units}"
    is_fit = weights.ndim == 2 and len(weights) % 2 == 1 and len(weights) == (n_units or len(weights))
    if not is_fit or weights.shape[1] != n_features:
        raise ValueError(
            f"teacher must have {rows} rows and n_features = {n_features} columns, got shape {weights.shape}"
        )
    if not np.isfinite(weights).all() or not weights.any(axis=1).all():
        raise ValueError(f"teacher must have finite weights, not all 0 in a row, got {teacher!r}")
    return weights
