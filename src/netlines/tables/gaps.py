"""Missing values of training rows: which are worth an input of their own, and what the others may have been.

The expected values are those of a normal distribution of all inputs, given what is known of a row:

1. Inputs are standardised by their known values; the rest begins at the mean.
2. Mean and covariance of the rows are taken, with the covariance that the missing values have left.
3. Correlations are shrunk towards 0, the more so the fewer rows there are for an input.
4. Missing values become their means given the known ones of their row; then from 2 again, five times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.layout import Layout

MOST_INPUTS = 200  # up to which they are expected from each other, else from their own mean


@dataclass(frozen=True)
class Rules:
    """How missing values are treated; found on tables that docs/missing.md does not report on."""

    least_gaps: int = 5  # for an input of their own
    chance: float = 0.0125  # that gaps without a meaning would go together with the classes so well
    ridge: float = 1e-3  # of the regression that takes away what is known
    usual: float = 0.5  # share of missing values from which on a value is the exception
    passes: int = 5
    shrinkage: float = 0.1  # at most
    most_rows: int = 2000  # that the distribution is taken of


RULES = Rules()


def telling(missing: NDArray[np.bool_], inputs: NDArray, labels: NDArray) -> NDArray[np.bool_]:
    """Tell of which columns the gaps say more of the class than the known values of the rows do.

    What a linear regression on the inputs leaves of the gaps and of the classes must go together, better than
    by chance. Where most values are missing, having one says something in any case.

    Parameters
    ----------
    missing : array of shape (n, K)
        Where each of K columns has gaps.
    inputs : array of shape (n, N)
        What is known of the rows, NaN for what is not.
    labels : array of shape (n,)
        The numbers of their classes.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.tables.gaps import telling
    >>> labels, x = np.repeat([0, 1], 50), np.tile(np.arange(50.0), 2)[:, None]
    >>> often = np.arange(100) % 4 == 0
    >>> telling(np.column_stack([often, often & (labels == 1)]), x, labels).tolist()
    [False, True]
    """
    from scipy.special import chdtrc  # predictions do without scipy

    share = missing.mean(axis=0)
    enough = (missing.sum(axis=0) >= RULES.least_gaps) & (share < 1)
    found = enough & (share > RULES.usual)
    open_ = np.flatnonzero(enough & ~found)
    if not len(open_):
        return found

    some = slice(None, None, -(-len(labels) // RULES.most_rows))
    rows = expected(inputs[some]) if inputs.shape[1] else inputs[some]
    z = np.column_stack([np.ones(len(rows)), _standardised(rows)])
    classes = np.eye(int(labels.max()) + 1)[labels[some]][:, 1:]
    gaps, classes = (_rest(z, one) for one in (missing[some][:, open_].astype(float), classes))
    slopes = np.linalg.lstsq(classes, gaps, rcond=None)[0]
    explained = ((classes @ slopes) ** 2).sum(axis=0) / np.maximum((gaps**2).sum(axis=0), 1e-12)
    found[open_] = chdtrc(classes.shape[1], len(rows) * explained) < RULES.chance
    return found


def _standardised(rows: NDArray) -> NDArray:
    spread = rows.std(axis=0)
    return (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _rest(z: NDArray, values: NDArray) -> NDArray:
    """Return what a ridge regression on standardised inputs leaves of values."""
    products = z.T @ z + RULES.ridge * len(z) * np.eye(z.shape[1])
    return values - z @ np.linalg.solve(products, z.T @ values)


def expected(inputs: NDArray[np.float64], weights: NDArray | None = None) -> NDArray[np.float64]:
    """Return rows whose missing values, NaN, are what is expected of them given the known ones.

    Parameters
    ----------
    inputs : array of shape (n, N)
        Each column has a known value.
    weights : of the rows, None: 1 each

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.tables.gaps import expected
    >>> x = np.linspace(0.0, 1.0, 50)
    >>> rows = np.column_stack([x, 2 * x])
    >>> rows[40, 1] = np.nan
    >>> expected(rows)[40].round(1).tolist()
    [0.8, 1.6]
    """
    unknown = np.isnan(inputs)
    if not unknown.any():
        return inputs
    share = np.ones(len(inputs)) if weights is None else weights / weights.max()
    known = np.where(unknown, 0.0, share[:, None])
    total = known.sum(axis=0)
    values = np.where(unknown, 0.0, inputs)
    mean = (known * values).sum(axis=0) / total
    apart = np.where(unknown, 0.0, inputs - mean)
    scale = np.sqrt((known * apart**2).sum(axis=0) / total)
    scale = np.where(scale > 0, scale, 1.0)
    if inputs.shape[1] > MOST_INPUTS:
        return np.where(unknown, mean, inputs)
    z = np.where(unknown, np.nan, apart / scale)
    some = slice(None, None, -(-len(z) // RULES.most_rows))
    centre, precision = _distribution(z[some], share[some])
    filled = _filled(z, centre, precision)[0] * scale + mean
    low, high = (end(np.where(unknown, mean, inputs), axis=0) for end in (np.min, np.max))
    return np.where(unknown, np.clip(filled, low, high), inputs)


def _distribution(z: NDArray, share: NDArray) -> tuple[NDArray, NDArray]:
    """Return the centre of rows with missing values and the inverse of their covariance."""
    n, size = z.shape
    shrinkage = min(RULES.shrinkage, size / (size + n))
    filled, left = np.where(np.isnan(z), 0.0, z), np.diag(share @ np.isnan(z) / share.sum())
    for number in range(RULES.passes):
        centre = share @ filled / share.sum()
        apart = filled - centre
        covariance = (apart * share[:, None]).T @ apart / share.sum() + left
        spread = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
        correlation = (1 - shrinkage) * covariance / np.outer(spread, spread) + shrinkage * np.eye(size)
        precision = np.linalg.inv(correlation * np.outer(spread, spread))
        if number < RULES.passes - 1:
            filled, left = _filled(z, centre, precision, share)
    return centre, precision


def _filled(
    z: NDArray, centre: NDArray, precision: NDArray, share: NDArray | None = None
) -> tuple[NDArray, NDArray]:
    """Return rows with the means of what is missing given the rest, and the mean covariance that is left."""
    filled, left = z - centre, np.zeros_like(precision)
    for rows, missing in _patterns(np.isnan(z)):
        given = np.setdiff1d(np.arange(z.shape[1]), missing)
        own = np.linalg.inv(precision[np.ix_(missing, missing)])
        slopes = precision[np.ix_(given, missing)] @ own
        filled[np.ix_(rows, missing)] = -filled[np.ix_(rows, given)] @ slopes
        if share is not None:
            left[np.ix_(missing, missing)] += share[rows].sum() * own
    return filled + centre, left if share is None else left / share.sum()


def _patterns(unknown: NDArray[np.bool_]) -> Iterator[tuple[NDArray, NDArray]]:
    """Yield the numbers of rows of which the same inputs are missing, and the numbers of these."""
    rows = np.flatnonzero(unknown.any(axis=1))
    patterns, which = np.unique(np.packbits(unknown[rows], axis=1), axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(patterns)))[:-1]
    for own in np.split(rows[order], ends):
        if len(own):
            yield own, np.flatnonzero(unknown[own[0]])


def settled(filled: NDArray, inputs: NDArray, layout: Layout) -> NDArray[np.float64]:
    """Return filled rows whose expected values are some that the columns have: whole numbers, one category.

    What a network remembers of its training rows is taken of these.
    """
    unknown = np.isnan(inputs)
    rows = filled.copy()
    for column, own in layout.placed():
        places = np.array(own)
        lacking = np.flatnonzero(unknown[:, places].any(axis=1))
        if not len(lacking):
            continue
        if column.is_group:
            rows[np.ix_(lacking, places)] = np.eye(len(places))[rows[np.ix_(lacking, places)].argmax(axis=1)]
            continue
        values = inputs[~unknown[:, places[0]], places[0]]
        if (values == np.rint(values)).all():
            rows[lacking, places[0]] = np.rint(rows[lacking, places[0]])
    return rows
