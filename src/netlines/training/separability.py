"""How easily a class is separated from others, measured on the training rows alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

RIDGE = 1e-2  # penalty on the squared slopes of standardised inputs
MOST_COLUMNS = 512
MOST_ROWS = 4096  # that are made dense at a time
EQUAL = 1e-9  # losses that differ by less, relatively, are the same but for rounding


class Separability:
    """The losses of classes against others: what a ridge regression leaves of a class's indicator.

    The regression and its loss follow from sums over the rows of each class, so that one pass over the rows
    serves any set of classes.
    """

    def __init__(self, X: Any, labels: NDArray, weights: NDArray, n_classes: int):
        self.n_classes = n_classes
        self._losses: dict[tuple[int, ...], NDArray] = {}
        numbers = _numbers(X)
        share = weights / weights.max()
        share /= share.sum()
        # The share of each class, the sums of its rows and of their products.
        self._weight = np.bincount(labels, share, n_classes)
        self._sums, self._products = _moments(numbers, labels, share, n_classes)

    def ranked(self, rest: Iterable[int]) -> list[int]:
        """Return classes ordered by how easily each is separated from the others, the easiest first."""
        codes = tuple(sorted(rest))
        losses = self.losses(codes)
        left, result = list(range(len(codes))), []
        while left:
            least = losses[left].min()
            pick = next(k for k in left if losses[k] <= least + EQUAL * abs(least) + 1e-15)
            left.remove(pick)
            result.append(codes[pick])
        return result

    def losses(self, rest: Iterable[int]) -> NDArray:
        """Return the mean square that is left of each class's indicator among the classes `rest`."""
        codes = tuple(rest)
        if codes not in self._losses:
            self._losses[codes] = self._measure(list(codes))
        return self._losses[codes]

    def _measure(self, rest: list[int]) -> NDArray:
        total = self._weight[rest].sum()
        q = self._weight[rest] / total
        if len(rest) < 3 or not self._sums.size:
            # Two classes are equally easy. Without numbers all are, and the order of the classes is kept.
            return np.ones(len(rest))
        means = self._sums[rest] / total
        mean = means.sum(axis=0)
        covariance = self._products[rest].sum(axis=0) / total - np.outer(mean, mean)
        both = means - q[:, None] * mean  # covariances of the inputs and each indicator
        penalised = covariance.copy()
        penalised.flat[:: len(mean) + 1] += RIDGE
        slopes = np.linalg.solve(penalised, both.T)
        explained = 2.0 * (both.T * slopes).sum(axis=0) - (slopes * (covariance @ slopes)).sum(axis=0)
        return np.asarray(q * (1.0 - q) - explained)


def _numbers(X: Any) -> Any:
    """Return X as an array (n, K) of numbers, sparse if it is; K = 0 if it holds none.

    Columns of a table that are not numbers are left aside.
    """
    if sparse.issparse(X):
        return sparse.csr_array(X if X.dtype.kind in "biuf" else (X.shape[0], 0), dtype=float)
    try:
        if hasattr(X, "select_dtypes"):
            return X.select_dtypes(["number", "bool"]).to_numpy(dtype=float, na_value=np.nan)
        array = np.asarray(X)
        if array.ndim == 2 and array.dtype.kind in "biufO":
            return array.astype(float)
    except (TypeError, ValueError):  # rows of different lengths, or of texts
        pass
    return np.zeros((len(X), 0))


def _moments(X: Any, codes: NDArray, share: NDArray, n_classes: int) -> tuple[NDArray, NDArray]:
    """Return sums (C, K) and sums of products (C, K, K) of the standardised inputs of each class."""
    present = np.flatnonzero(share > 0)
    X, codes, share = X[present], codes[present], share[present]
    _fill_in(X, share)
    largest = _dense(abs(X).max(axis=0)).ravel() if X.shape[1] else np.zeros(0)
    unit = 1.0 / np.where(largest > 0, largest, 1.0)  # so that squares neither overflow nor vanish
    X = X @ sparse.diags_array(unit) if sparse.issparse(X) else X * unit
    belongs = sparse.csr_array((share, (codes, np.arange(len(codes)))), shape=(n_classes, len(codes)))
    sums = _dense(belongs @ X)
    mean = sums.sum(axis=0)
    spread = np.sqrt(np.maximum(share @ _squared(X) - mean**2, 0.0))
    used = _best_columns(sums, belongs.sum(axis=1), mean, spread)
    X, mean, spread = X[:, used], mean[used], spread[used]
    sums, products = np.zeros((n_classes, len(used))), np.zeros((n_classes, len(used), len(used)))
    for code in range(n_classes):
        own = np.flatnonzero(codes == code)
        for begin in range(0, len(own), MOST_ROWS):
            rows = own[begin : begin + MOST_ROWS]
            Z = (_dense(X[rows]) - mean) / spread
            weighted = share[rows, None] * Z
            sums[code] += weighted.sum(axis=0)
            products[code] += weighted.T @ Z
    return sums, products


def _fill_in(X: Any, share: NDArray) -> None:
    """Put the mean of its column at the place of each missing or infinite value, 0 in a sparse X."""
    if sparse.issparse(X):
        X.data[~np.isfinite(X.data)] = 0.0
        return
    for column in np.flatnonzero(~np.isfinite(X).all(axis=0)):
        values = X[:, column]
        known = np.isfinite(values)
        values[~known] = share[known] @ values[known] / share[known].sum() if known.any() else 0.0


def _best_columns(sums: NDArray, weight: NDArray, mean: NDArray, spread: NDArray) -> NDArray:
    """Return the columns to use: those that vary; of too many those whose class means differ most."""
    varies = np.flatnonzero(spread > 1e-7)
    if len(varies) <= MOST_COLUMNS:
        return varies
    between = (sums**2 / weight[:, None]).sum(axis=0) - mean**2
    best = np.argsort(-between[varies] / spread[varies] ** 2, kind="stable")[:MOST_COLUMNS]
    return np.sort(varies[best])


def _dense(X: Any) -> NDArray:
    return X.toarray() if sparse.issparse(X) else X


def _squared(X: Any) -> Any:
    return X.power(2) if sparse.issparse(X) else X**2
