"""The classes that rows can have if several of their attributes are missing.

Which way is taken, the first that applies. After the first some hundred points are tried, which may meet all.

| way | applies | exact |
|---|---|---|
| all combinations are tried | up to 20,000 | yes |
| one runs along lines (`pieces`) | codes decide, up to 64 combinations of the others | unless votes tie |
| all sums of units (`combinations`) | codes decide, up to six million numbers | yes |
| search (`branching`) | codes decide without ties, up to 11 units can change | if it ends |
| more points | else | if all classes are met |
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from netlines.inspection.domains import standardised_weights
from netlines.inspection.missing.branching import search_classes
from netlines.inspection.missing.combinations import ROUNDING, Table, combinations, count_combinations
from netlines.inspection.missing.integration import drawn, normal_points
from netlines.inspection.missing.pieces import find_pieces
from netlines.inspection.missing.unknowns import Unknown, filled, inputs_of, values_of
from netlines.network.protocol import AnyNetwork

MOST_COMBINATIONS = 20_000  # of values that are all tried by any network
MOST_LINES = 64  # of other values, for each of which one input runs along a line
MOST_CHANGING = 11  # hidden units up to which a class is searched for: the search looks at 2^11 states
POINTS, MORE_POINTS = 256, 4096  # tried first, and where nothing else can be done
MOST_DIMENSIONS = 1000  # of evenly spread points; above they are random
CELLS = 6_000_000  # numbers held at once
THIN = 1e-7  # parts of the allowed values that a search may overlook


def find_classes(network: AnyNetwork, X: NDArray, unknowns: Sequence[Unknown]) -> list[tuple[set[int], bool]]:
    """Return the numbers of the classes that each row can have, and whether it is exactly these.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
    unknowns : what is missing in all of the rows

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> from netlines.inspection.missing.several import find_classes
    >>> from netlines.inspection.missing.unknowns import Unknown
    >>> from netlines.network.network import PASS_ON, Network
    >>> network = Network([[-3.0, 1.0, 1.0, 1.0]], PASS_ON, ["few", "many"])
    >>> unknowns = [Unknown((0,), Allowed(0.0, 1.0)), Unknown((1,), Allowed(0.0, 1.0))]
    >>> find_classes(network, np.array([[np.nan, np.nan, 0.5], [np.nan, np.nan, 1.5]]), unknowns)
    [({0}, True), ({0, 1}, True)]
    """
    if count_combinations(unknowns) <= MOST_COMBINATIONS:
        return [(one, True) for one in _try(network, X, unknowns, combinations(unknowns))]
    found = _try(network, X, unknowns, _spread(network, unknowns, POINTS))
    exact = [len(one) == network.n_classes for one in found]
    if all(exact):
        return list(zip(found, exact, strict=True))
    (changing, thin), lines = _changing(network, X, unknowns), _as_lines(unknowns)
    size = count_combinations(unknowns) * (network.n_hidden + len(inputs_of(unknowns)))
    small = network.code_decides and lines is None and size <= CELLS
    table = Table(network, unknowns) if small else None
    for k in [k for k, sure in enumerate(exact) if not sure]:
        row, units = X[k], changing[k]
        if network.code_decides and not units.any():
            exact[k] = True
        elif network.code_decides and lines is not None:
            found[k], exact[k] = _along_lines(network, row, *lines)
        elif table is not None:
            found[k], exact[k] = table.classes(row, units)
        elif network.code_decides and units.sum() <= MOST_CHANGING and not _tied(network, row, unknowns):
            found[k], sure = search_classes(network, row, unknowns, found[k])
            exact[k] = sure and not thin[k]
        else:
            found[k], exact[k] = _try_more(network, row, unknowns, found[k])
    return list(zip(found, exact, strict=True))


def _try_more(
    network: AnyNetwork, row: NDArray, unknowns: Sequence[Unknown], found: set[int]
) -> tuple[set[int], bool]:
    """Add the classes at more points, also at probable ones: with many inputs others are unlike real rows."""
    (more,) = _try(network, row[None], unknowns, _spread(network, unknowns, MORE_POINTS))
    rows = drawn(network, row[None], unknowns, normal_points(len(unknowns)))
    found = found | more | set(network.answers(rows).tolist())
    return found, len(found) == network.n_classes


def _try(network: AnyNetwork, X: NDArray, unknowns: Sequence[Unknown], points: NDArray) -> list[set[int]]:
    """Return the classes that each row has at points (k, number of unknowns)."""
    values = values_of(unknowns, points)
    return [set(network.answers(filled(row, unknowns, values)).tolist()) for row in X]


def _tied(network: AnyNetwork, row: NDArray, unknowns: Sequence[Unknown]) -> bool:
    """Tell whether votes are tied at some point: then no search by the states of the units is exact."""
    if len(network.trees) <= 1:
        return False
    rows = filled(row, unknowns, values_of(unknowns, _spread(network, unknowns, POINTS)))
    return bool((network.answers_of_codes(network.internal_representation(rows)) < 0).any())


def _spread(network: AnyNetwork, unknowns: Sequence[Unknown], n_points: int) -> NDArray[np.float64]:
    """Return points spread over the allowed values, shape (k, number of unknowns), and corners if few."""
    n = len(unknowns)
    if n <= MOST_DIMENSIONS:
        shares = qmc.Sobol(n, seed=0).random(n_points)
    else:
        shares = np.random.default_rng(0).random((n_points, n))
    if n <= 8:
        shares = np.vstack([shares, list(product((0.0, 1.0), repeat=n))])
    about = network.surroundings
    columns = []
    for share, one in zip(shares.T, unknowns, strict=True):
        i = one.inputs[0]
        columns.append(one.allowed.spread(share, about.mean[i], about.scale[i]))
    return np.column_stack(columns)


def _changing(
    network: AnyNetwork, X: NDArray, unknowns: Sequence[Unknown]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which hidden units may change their states with the unknown values of each row, shape (n, H).

    And in which rows one of them cuts off so thin a slice of the allowed values, or two of them leave so thin
    a one between them, that a search may overlook it, shape (n,).
    """
    weights, inputs = network.hidden_weights.astype(float), inputs_of(unknowns)
    known = X.copy()
    known[:, inputs] = 0.0
    low = high = weights[:, 0] + known @ weights[:, 1:].T
    low_size = high_size = np.abs(weights[:, 0]) + np.abs(known) @ np.abs(weights[:, 1:]).T
    for one in unknowns:
        slopes = weights[:, [1 + i for i in one.inputs]]
        ends = one.choices if one.choices is not None else [[one.allowed.low], [one.allowed.high]]
        with np.errstate(invalid="ignore"):  # 0 · ∞
            sums = np.where(slopes == 0, 0.0, np.asarray(ends)[:, None, :] * slopes).sum(axis=2)
        least, most = sums.min(axis=0), sums.max(axis=0)
        low, high = low + least, high + most
        low_size, high_size = low_size + np.abs(least), high_size + np.abs(most)
    # Within the rounding of a sum its sign is open.
    fixed = (low > ROUNDING * low_size) | (high < -ROUNDING * high_size)
    changing = np.asarray(~fixed & weights[:, 1:][:, inputs].any(axis=1))
    with np.errstate(invalid="ignore"):  # ∞/∞ of endless values
        thin = changing & (
            np.minimum(np.abs(low), np.abs(high)) < THIN * np.maximum(np.abs(low), np.abs(high))
        )
    beside = changing.astype(np.float32) @ _alike(network)  # how many units of next to the same hyperplane
    return changing, (thin | changing & (beside > 0)).any(axis=1)


def _alike(network: AnyNetwork) -> NDArray[np.bool_]:
    """Tell which two units have next to the same hyperplane, but not the very same, shape (H, H)."""
    slopes, offsets = standardised_weights(network)
    planes = np.column_stack([slopes, np.nan_to_num(offsets, posinf=0.0, neginf=0.0)])
    norms = np.sqrt((planes**2).sum(axis=1, keepdims=True))
    planes /= np.where(norms > 0, norms, 1.0)
    alike = np.abs(planes @ planes.T) > 1 - THIN**2
    sizes = np.abs(network.hidden_weights)
    for unit, others in enumerate(alike):
        (found,) = np.nonzero(others)
        alike[unit, found] = (sizes[found] != sizes[unit]).any(axis=1)
    return np.asarray(alike)


def _as_lines(unknowns: Sequence[Unknown]) -> tuple[list[Unknown], Unknown] | None:
    """Split unknowns into those of few combinations and one that runs along a line; None: it cannot be."""
    single = [one for one in unknowns if one.choices is None]
    if not single:
        return None
    longest = max(single, key=lambda one: one.allowed.size if one.allowed.finite else np.inf)
    others = [one for one in unknowns if one is not longest]
    return (others, longest) if count_combinations(others) <= MOST_LINES else None


def _along_lines(
    network: AnyNetwork, row: NDArray, others: Sequence[Unknown], longest: Unknown
) -> tuple[set[int], bool]:
    """Return the classes along the lines of one input for all combinations of the others."""
    rows = filled(row, others, values_of(others, combinations(others)))
    pieces = find_pieces(network, rows, longest.inputs[0], longest.allowed)
    return set(pieces.label.tolist()), bool(pieces.exact.all())
