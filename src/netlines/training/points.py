"""Synthetic points between and around rows, where a teacher is asked.

1. Half of the points lie on segments between two rows, near the first; half are rows with columns of others.
2. Columns that are one category go together: a point has exactly one of its values.
3. Of two values, or of categories, a point has one or the other; numbers that are whole in all rows stay so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SWAPPED = 0.25  # how often a column is another row's


@dataclass(frozen=True, eq=False)
class Columns:
    """How the columns of rows may be mixed.

    Attributes
    ----------
    group : array (N,), the number of the group of each column; those of one category have the same
    either : array (N,) of bool, columns that have one value or another, and nothing between
    whole : array (N,) of bool, columns of whole numbers
    """

    group: NDArray
    either: NDArray
    whole: NDArray

    @classmethod
    def of(cls, rows: NDArray) -> Columns:
        """Return those that rows (P, N) show.

        Examples
        --------
        >>> import numpy as np
        >>> from netlines.training.points import Columns
        >>> rows = np.array([[0.5, 1, 0, 0, 7], [1.5, 0, 1, 0, 8], [0.1, 0, 0, 1, 9], [0.2, 1, 0, 0, 7]])
        >>> columns = Columns.of(rows)
        >>> columns.group.tolist(), columns.either.tolist(), columns.whole.tolist()
        ([0, 1, 1, 1, 2], [False, True, True, True, False], [False, True, True, True, True])
        """
        whole = (rows == np.rint(rows)).all(axis=0)
        least, most = rows.min(axis=0), rows.max(axis=0)
        either = ((rows == least) | (rows == most)).all(axis=0)
        single = either & (least == 0) & (most == 1)
        group, number, start = np.empty(rows.shape[1], dtype=int), 0, 0
        while start < rows.shape[1]:
            end = start + _category(rows, single, start)
            group[start:end] = number
            start, number = end, number + 1
        return cls(group, either, whole)

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.group[-1]) + 1 if len(self.group) else 0

    def mixed(self, start: NDArray, end: NDArray, part: NDArray, chance: NDArray) -> NDArray:
        """Return points (n, N) at a part (n, 1) of the way from some points to others.

        `chance` (n, groups), between 0 and 1, decides which of both gives what has nothing between.
        """
        points = start + part * (end - start)
        points = np.where(self.whole & ~self.either, np.rint(points), points)
        other = (chance < part)[:, self.group]
        return np.where(self.either, np.where(other, end, start), points)


def _category(rows: NDArray, single: NDArray, start: int) -> int:
    """Return how many columns from `start` on are one category: of each row exactly one is 1."""
    total = np.zeros(len(rows))
    for width in range(rows.shape[1] - start):
        if not single[start + width]:
            break
        total += rows[:, start + width]
        if width and (total == 1).all():
            return width + 1
        if (total > 1).any():
            break
    return 1


def synthetic(
    rows: NDArray, share: NDArray, n: int, rng: np.random.Generator, columns: Columns | None = None
) -> NDArray:
    """Return n points like the rows: half on segments between two rows, half with columns of others.

    Parameters
    ----------
    rows : array (P, N)
    share : array (P,), how often a row is drawn, with the sum 1
    n : number of points
    rng : source of chance
    columns : how they may be mixed; found out if it is not given
    """
    columns = Columns.of(rows) if columns is None else columns
    half = n // 2
    start, end = rows[_drawn(share, half, rng)], rows[_drawn(share, half, rng)]
    between = columns.mixed(start, end, 0.5 * rng.random((half, 1)), rng.random((half, columns.n_groups)))
    return np.vstack([between, mixed(rows, share, n - half, rng, columns.group)])


def mixed(
    rows: NDArray, share: NDArray, n: int, rng: np.random.Generator, group: NDArray | None = None
) -> NDArray:
    """Return n rows with about a quarter of their columns from others; parameters as in `synthetic`.

    `group` are the numbers of the groups of columns that go together; without it each column is its own.
    """
    group = np.arange(rows.shape[1]) if group is None else group
    shape = n, int(group[-1]) + 1
    own = rows[_drawn(share, n, rng)]
    swapped = rng.random(shape) < SWAPPED
    swapped[np.arange(n), rng.integers(shape[1], size=n)] = True  # else it would be a row
    donors = np.take_along_axis(rows, _drawn(share, shape, rng)[:, group], axis=0)
    return np.where(swapped[:, group], donors, own)


def _drawn(share: NDArray, size: int | tuple[int, ...], rng: np.random.Generator) -> NDArray:
    """Return numbers of rows, each as often as its share."""
    if (share == share[0]).all():
        places = (rng.random(size) * len(share)).astype(np.intp)
    else:
        places = np.searchsorted(np.cumsum(share), rng.random(size))
    return np.minimum(places, len(share) - 1)


def on_boundary(
    rows: NDArray,
    log_p: NDArray,
    answers: NDArray,
    n: int,
    rng: np.random.Generator,
    columns: Columns,
) -> NDArray:
    """Return about n points where a teacher changes its answer, between points that it answers differently.

    Parameters
    ----------
    rows : array (P, N)
    log_p, answers : array (P, C) of the logarithms of its probabilities, and (P,) of its answers
    n : number of points; there are none if it answers all alike
    rng : source of chance
    columns : how they may be mixed
    """
    one, other = rng.integers(len(rows), size=(2, 4 * n))
    differ = np.flatnonzero(answers[one] != answers[other])[:n]
    one, other = one[differ], other[differ]
    lead = log_p[one, answers[one]] - log_p[one, answers[other]]
    lag = log_p[other, answers[other]] - log_p[other, answers[one]]
    part = lead / np.maximum(lead + lag, 1e-12) + BESIDE * rng.standard_normal(len(one))
    part = np.clip(part, 0.0, 1.0)[:, None]
    return columns.mixed(rows[one], rows[other], part, rng.random((len(one), columns.n_groups)))


BESIDE = 0.1  # the spread of such points along the way from one to the other
