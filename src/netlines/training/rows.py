"""Patterns that stay where they are, the rows of a large table: only those that are needed are copied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame
from netlines.network.probability import most_probable
from netlines.training.many import Columns, Near, n_first
from netlines.training.patterns import Groups, centre


@dataclass(frozen=True, eq=False)
class Rows:
    """The patterns of a table for a single unit, folded with their targets, contradictions twice.

    Attributes
    ----------
    X : array (n, N), C-ordered
    rows : array (P,), a row of each pattern
    signs : array (P,) of int8, the targets
    s : array (P,), the weights
    frame : Frame
    mean, scale : arrays (N,), the standardisation inside the frame, of the patterns that find the start
    """

    X: NDArray
    rows: NDArray
    signs: NDArray
    s: NDArray
    frame: Frame
    mean: NDArray
    scale: NDArray

    @classmethod
    def of(cls, X: NDArray, groups: Groups) -> Rows:
        """Return the patterns of two classes that groups of rows X make."""
        counts, rows = groups.counts, groups.first
        signs = (2 * most_probable(counts) - 1).astype(np.int8)
        s, less = np.maximum(*counts.T), np.minimum(*counts.T)
        mean, scale = _standardisation(X, groups.frame, rows, counts)
        both = np.flatnonzero(less > 0)
        if len(both):
            rows, signs = np.concatenate([rows, rows[both]]), np.concatenate([signs, -signs[both]])
            s = np.concatenate([s, less[both]])
        return cls(X, rows, signs, s, groups.frame, mean, scale)

    def first(self, n: int) -> Columns:
        """Return the first n, or all."""
        return self._columns(slice(n))

    def near(self, u: NDArray, reach: NDArray) -> Near:
        """Return those that count for unit vectors near u."""
        from netlines.training._rows import near_rows, select

        codes, found = np.empty(len(self.X), dtype=np.uint8), np.empty(len(self.s), dtype=np.int64)
        slope, shift = self._times / self.scale, self.mean / self.scale
        near_rows(self.X, self.frame.origin, slope, shift, u, reach, codes)
        count, outside = select(codes, self.rows, self.signs, self.s, found)
        return Near(self._columns(found[:count]), outside)

    @property
    def _times(self) -> NDArray:
        return np.asarray(1.0 / self.frame.unit)

    def _columns(self, which: slice | NDArray) -> Columns:
        from netlines.training._rows import gather

        rows, s = self.rows[which], self.s[which]
        X = np.empty((self.X.shape[1] + 1, len(rows)), dtype=self.X.dtype)
        units = self.frame.origin, self._times, self.mean, 1.0 / self.scale
        gather(self.X, rows, self.signs[which], *units, X)
        return Columns(X, s)


def _standardisation(X: NDArray, frame: Frame, rows: NDArray, counts: NDArray) -> tuple[NDArray, NDArray]:
    """Return means and scales of the patterns that find the start; of columns that seldom change of all."""
    n_features = X.shape[1]
    mean, scale = np.zeros(n_features), np.full(n_features, np.inf)
    for some in (slice(n_first(len(rows), n_features + 1)), slice(None)):
        if not np.isinf(scale).any():
            break
        share = counts[some].sum(axis=1)
        share /= share.sum()
        for i in np.flatnonzero(np.isinf(scale)).tolist():
            mean[i], scale[i] = centre(frame.column(X, rows[some], i), share)
    return mean, scale
