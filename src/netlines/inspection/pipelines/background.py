"""What a network remembers of its training rows, told of the columns of the table that a pipeline took.

1. The outputs of the steps are A · inputs + b. An output with one input that is not known yet gives this one;
   of the inputs of a category, of which one is 1, the last one is what the others lack.
2. Gaps that no output shows are taken for rare ones, which training did not have, with the spread of one row
   in a hundred; categories that none shows share what is left.
3. So inputs are B · outputs + c: means, spreads, ranges and correlations follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines.network.background import LARGEST_INTEGER, MOST_INPUTS, ROUNDED, Background
from netlines.network.layout import Layout

DIGITS = 12  # of ends of a range, which scaling and coming back may have rounded
NEGLIGIBLE = 1e-9
RARE = 0.1  # spread of an input that is 1 in one row of a hundred


def background_of_table(about: Background, layout: Layout, A: NDArray, b: NDArray) -> Background:
    """Return the background of the inputs of a layout.

    Parameters
    ----------
    about : that of the outputs of the steps
    layout : whose inputs they are made of
    A, b : arrays of shape (outputs, inputs) and (outputs,)
        The outputs are A · inputs + b.
    """
    binary, gaps = _binary(layout)
    B, c, hidden = _inverse(A, b, layout.groups, gaps)
    single = np.count_nonzero(B, axis=1) == 1
    mean, same = _times(B, about.mean) + c, single & (B.sum(axis=1) == 1) & (c == 0)
    low = _times(np.maximum(B, 0), about.low) + _times(np.minimum(B, 0), about.high) + c
    high = _times(np.maximum(B, 0), about.high) + _times(np.minimum(B, 0), about.low) + c
    low, high = (np.where(same, end, _short(end, low, high)) for end in (low, high))
    covariance = _covariance(about, B)
    scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    share = np.clip(mean, 0.0, 1.0)
    share = np.where(np.minimum(share, 1.0 - share) < NEGLIGIBLE, np.rint(share), share)
    odds = binary & ~single  # their ends would be too wide
    low, high = np.where(odds, share == 1.0, low), np.where(odds, share > 0.0, high)
    scale = np.where(odds, np.sqrt(share * (1.0 - share)), scale)
    low, high = (np.where(binary, np.clip(np.rint(end), 0.0, 1.0), end) for end in (low, high))
    for group in map(list, layout.groups):
        low[group] = 0.0
        high[group] = high[group] if high[group].any() else 1.0
    scale = np.where(hidden, RARE, np.where(scale > 0, scale, 1.0))
    two = binary | (single & _of_output(about.two, B))
    whole = (low == np.rint(low)) & (high == np.rint(high))
    whole &= np.maximum(np.abs(low), np.abs(high)) <= LARGEST_INTEGER
    integer = whole & (two | (same & _of_output(about.integer, B)))
    mean = np.clip(np.where(binary, share, mean), low, high)
    correlation = None
    if about.correlation is not None and len(mean) <= MOST_INPUTS:
        correlation = _correlation(covariance)
    # Distances stay what they are if each input is one output, counted otherwise.
    alone = single.all() and len(about.mean) == len(mean) and (np.count_nonzero(B, axis=0) == 1).all()
    farthest = about.farthest if alone else None
    about_table = mean, scale, low, high, integer, two, layout.groups, correlation
    return Background(*about_table, temperature=about.temperature, farthest=farthest)


def _binary(layout: Layout) -> tuple[NDArray, NDArray]:
    """Return which inputs are 0 or 1, and which of them tell that a value is missing."""
    binary, gaps = [], []
    for column, inputs in layout.placed():
        last = inputs[-1] if column.gaps else None
        gaps += [i == last for i in inputs]
        binary += [column.kind != "number" or i == last for i in inputs]
    return np.array(binary), np.array(gaps)


def _inverse(
    A: NDArray, b: NDArray, groups: Sequence[Sequence[int]], gaps: NDArray
) -> tuple[NDArray, NDArray, NDArray]:
    """Return B and c with the inputs as B · outputs + c, and which inputs are gaps that no output shows."""
    B, c, known = np.zeros(A.T.shape), np.zeros(A.shape[1]), np.zeros(A.shape[1], dtype=bool)
    # A row of `rules` says that a sum of inputs is an output minus a constant, or 1.
    ones = np.zeros((len(groups), A.shape[1]))
    for row, group in zip(ones, groups, strict=True):
        row[list(group)] = 1.0
    rules, outputs = np.vstack([A, ones]), np.eye(len(A) + len(groups), len(A))
    constants = np.append(-b, np.ones(len(groups)))
    order = np.argsort(np.count_nonzero(rules, axis=1), kind="stable")

    def settle() -> None:
        changed = True
        while changed:
            changed = False
            for k in order:
                (left,) = np.nonzero((rules[k] != 0) & ~known)
                if len(left) == 1:
                    _share(k, left)
                    changed = True

    def _share(k: int, left: NDArray) -> None:
        """Let the inputs that are left have equal shares of what the known ones leave."""
        rest, factor = np.where(known, rules[k], 0.0), rules[k, left][:, None] * len(left)
        B[left] = (outputs[k] - rest @ B) / factor
        c[left] = ((constants[k] - rest @ c) / factor)[:, 0]
        known[left] = True

    settle()
    hidden = gaps & ~known
    known |= hidden
    settle()
    for k in range(len(A), len(rules)):
        (left,) = np.nonzero((rules[k] != 0) & ~known)
        if len(left):
            _share(k, left)
    settle()
    return B, c, hidden


def _times(B: NDArray, values: NDArray) -> NDArray:
    """Return B · values, where 0 times an infinite end is 0."""
    finite = np.isfinite(values)
    if finite.all():
        return np.asarray(B @ values)
    products = np.zeros_like(B)
    np.multiply(B, values, out=products, where=B != 0)
    return np.asarray(products.sum(axis=1))


def _of_output(flags: NDArray, B: NDArray) -> NDArray:
    return flags[np.abs(B).argmax(axis=1)]


def _short(end: NDArray, low: NDArray, high: NDArray) -> NDArray:
    """Return ends of ranges as they were most probably written, without the digits of rounding errors."""
    short = np.array([float(f"{one:.{DIGITS}g}") for one in end])
    with np.errstate(invalid="ignore"):
        close = np.abs(short - end) <= NEGLIGIBLE * (high - low)
    return np.where(close | (low == high), short, end)


def _covariance(about: Background, B: NDArray) -> NDArray:
    spread = np.where(about.low == about.high, 0.0, about.scale)
    if about.correlation is None:
        return np.asarray((B * spread**2) @ B.T)
    return np.asarray(B @ (about.correlation * np.outer(spread, spread)) @ B.T)


def _correlation(covariance: NDArray) -> NDArray:
    """Return the correlation of a covariance; inputs that do not vary go with none."""
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    there = spread > 0
    size = np.where(there, spread, 1.0)
    found = np.where(there[:, None] & there, covariance / np.outer(size, size), 0.0)
    found = np.clip((found + found.T) / 2, -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    values, vectors = np.linalg.eigh(found)
    if values[0] < -ROUNDED / 2:  # as the correlations were rounded
        found = (vectors * np.maximum(values, 0.0)) @ vectors.T
        size = np.sqrt(np.diag(found))
        found = found / np.outer(size, size)
    return found
