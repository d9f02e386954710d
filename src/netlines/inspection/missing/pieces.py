"""The classes along a line: one input runs over its allowed values, the others stay, and the answer changes.

Along the line every hidden unit changes its state at one point at most. Between these points the internal
representation stays, and with it the answer of models that read nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.missing.allowed import Allowed
from netlines.network.frame import Frame
from netlines.network.protocol import AnyNetwork

MOST_VALUES = 20_000  # of a finite set that are all tried where the code does not decide
STEPS = 32  # points tried between two changes of the code where it does not decide
OCTAVES = 40  # on an endless line these points go out to 2^40 times the scale
ROUNDS = 4  # of bisection: a later one finds a class that an earlier one met on its way
CELLS = 4_000_000  # numbers held at once
MOST_CLOSE = 6  # units that change within rounding of each other, of which all states are tried


class Pieces(NamedTuple):
    """The longest pieces of the lines of n rows in which the answer is one class, row by row, increasing.

    Of M pieces: the row, the ends, the number of the class, and whether the ends belong to it, each (M,). Of
    a finite set of values the ends are the first and the last value of a run. `exact`, (n,), tells of each
    row whether the pieces are derived; else points were tried, and short pieces may be overlooked.
    """

    row: NDArray
    low: NDArray
    high: NDArray
    label: NDArray
    low_closed: NDArray
    high_closed: NDArray
    exact: NDArray


def find_pieces(
    network: AnyNetwork, X: NDArray, feature: int, allowed: Allowed, frame: Frame | None = None
) -> Pieces:
    """Return the pieces of the lines along which one input of each row runs over its allowed values.

    An end that belongs to a piece has its class, as the network itself answers.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
        The value of the input itself is not read.
    feature : int
        The number of the input that runs.
    allowed : Allowed
    frame : Frame or None
        What all of this is inside of: the ends are numbers that are one outside of it too.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing.allowed import Allowed
    >>> from netlines.network.network import Network
    >>> from netlines.inspection.missing.pieces import find_pieces
    >>> band = Network([[-1.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])  # in from 1 to 2
    >>> found = find_pieces(band, np.array([[np.nan]]), 0, Allowed(-np.inf, np.inf))
    >>> found.low.tolist(), found.low_closed.tolist(), band.classes[found.label].tolist()
    ([-inf, 1.0, 2.0], [False, True, False], ['out', 'in', 'out'])
    """
    X = np.array(X, dtype=float)
    X[:, feature] = 0.0
    pure = network.code_decides and len(network.trees) <= 1
    tried = allowed.size if allowed.finite else (network.n_hidden + 2 * OCTAVES) * STEPS
    points = 4 * network.n_hidden + 3 if pure else min(tried, MOST_VALUES)
    chunk = max(1, CELLS // (points * (network.n_hidden + X.shape[1])))
    starts = range(0, len(X), chunk)
    some = [_of_some(network, X[k : k + chunk], feature, allowed, frame, pure) for k in starts]
    return _joined([one._replace(row=one.row + k) for k, one in zip(starts, some, strict=True)])


def _of_some(
    network: AnyNetwork, X: NDArray, feature: int, allowed: Allowed, frame: Frame | None, pure: bool
) -> Pieces:
    line = _Line(network, X, feature)
    if allowed.finite:
        return _runs(line, allowed, pure)
    if not network.code_decides:
        return _tried(line, allowed)
    found = _intervals(line, allowed, frame)
    tied = np.unique(found.row[found.label < 0])
    if not len(tied):
        return found
    again = _tried(_Line(network, X[tied], feature), allowed)
    keep = ~np.isin(found.row, tied)
    kept = Pieces._make([*(column[keep] for column in found[:-1]), found.exact])
    both = _joined([kept, again._replace(row=tied[again.row])])
    order = np.argsort(both.row, kind="stable")
    exact = ~np.isin(np.arange(len(X)), tied)
    return Pieces._make([*(column[order] for column in both[:-1]), exact])


def _joined(some: list[Pieces]) -> Pieces:
    return Pieces._make(np.concatenate(columns) for columns in zip(*some, strict=True))


class _Line:
    """Rows of which one input runs: where the hidden units change, and the answers at points."""

    def __init__(self, network: AnyNetwork, X: NDArray, feature: int) -> None:
        self.network, self.X, self.feature = network, X, feature
        weights = network.hidden_weights.astype(float)
        self.slopes = weights[:, 1 + feature]
        self.fields = weights[:, 0] + X @ weights[:, 1:].T  # at the value 0 of the input that runs
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            self.changes = np.where(self.slopes != 0, -self.fields / self.slopes, np.nan)  # (n, H)
            size = np.abs(weights[:, 0]) + np.abs(X) @ np.abs(weights[:, 1:]).T
            blur = (weights.shape[1] + 2) * np.finfo(float).eps * size / np.abs(self.slopes)
            self.blur = blur + np.spacing(np.abs(self.changes))  # by how much rounding may move a change

    def answers(self, rows: NDArray, points: NDArray) -> NDArray[np.intp]:
        """Return the numbers of the classes of rows at points, both of shape (m,)."""
        filled = self.X[rows]
        filled[:, self.feature] = points
        return self.network.answers(filled)

    def codes(self, low: NDArray, high: NDArray) -> NDArray[np.float64]:
        """Return the codes (n, E, H) in stretches (n, E) that no unit changes within; low = high is a point.

        A unit is +1 where its weighted sum is at least 0, hence also at the point of its change.
        """
        changes = self.changes[:, None, :]
        up, down = low[..., None] >= changes, high[..., None] <= changes
        constant = np.broadcast_to((self.fields >= 0)[:, None, :], up.shape)
        positive = np.where(self.slopes > 0, up, np.where(self.slopes < 0, down, constant))
        return np.where(positive, 1.0, -1.0)

    def codes_around(self, row: int, units: NDArray) -> NDArray[np.float64]:
        """Return the codes (2^k, H) of a row where k units change, with all states that these could have."""
        point = self.changes[row, units[:1]][None]
        codes = np.repeat(
            _Line(self.network, self.X[[row]], self.feature).codes(point, point)[0], 2 ** len(units), axis=0
        )
        codes[:, units] = 1.0 - 2.0 * (np.arange(len(codes))[:, None] >> np.arange(len(units)) & 1)
        return codes


def _intervals(line: _Line, allowed: Allowed, frame: Frame | None) -> Pieces:
    """Return the pieces of an interval from the answers at the changes and the codes between them."""
    n = len(line.X)
    changes = np.where(np.isnan(line.changes), allowed.low, line.changes)
    ends = np.broadcast_to([allowed.low, allowed.high], (n, 2))
    cuts = np.sort(np.hstack([np.clip(changes, allowed.low, allowed.high), ends]), axis=1)
    # Points and the stretches between them take turns. With changes at a and b:
    #         low ●────────●────────●────────● high
    #    [low, low] (low, a) [a, a] (a, b) [b, b] (b, high) [high, high]
    low, high = np.repeat(cuts, 2, axis=1)[:, :-1], np.repeat(cuts, 2, axis=1)[:, 1:]
    point = np.arange(low.shape[1]) % 2 == 0
    high = np.where(point, low, high)
    codes = line.codes(low, high)
    labels = line.network.answers_of_codes(codes.reshape(-1, codes.shape[2])).reshape(low.shape)
    if frame is not None:
        origin, unit = frame.origin[line.feature], frame.unit[line.feature]
        low, high = (((ends * unit + origin) - origin) / unit for ends in (low, high))
    met = np.zeros(low.shape, dtype=bool)
    met[:, 2::2] = low[:, 2::2] == low[:, :-2:2]  # the same point as the one before
    real = np.where(point, np.isfinite(low) & ~met, low < high)
    # A change is rounded: the point itself may be on either side of it.
    rows, places = np.nonzero(real & point & (labels >= 0))
    labels[rows, places] = line.answers(rows, low[rows, places])
    row = np.broadcast_to(np.arange(n)[:, None], low.shape)[real]
    label, low, high = labels[real], low[real], high[real]
    closed = np.broadcast_to(point, real.shape)[real]
    first, last = _runs_of(row, label)
    exact = ~_hidden_by_rounding(line, allowed, np.where(real, labels, -1))
    return Pieces(row[first], low[first], high[last], label[first], closed[first], closed[last], exact)


def _hidden_by_rounding(line: _Line, allowed: Allowed, labels: NDArray) -> NDArray[np.bool_]:
    """Tell in which rows units change so close together that rounding could hide a class between them.

    `labels` (n, E) are the numbers of the classes that were found, or -1.
    """
    order = np.argsort(np.where(np.isnan(line.changes), np.inf, line.changes), axis=1)
    changes, blur = (np.take_along_axis(one, order, axis=1) for one in (line.changes, line.blur))
    with np.errstate(invalid="ignore"):
        near = (changes + blur >= allowed.low) & (changes - blur <= allowed.high)
        close = near[:, 1:] & near[:, :-1] & (np.diff(changes, axis=1) <= blur[:, 1:] + blur[:, :-1])
    hidden = np.zeros(len(changes), dtype=bool)
    for row in np.flatnonzero(close.any(axis=1)).tolist():
        found = set(labels[row].tolist())
        for units in np.split(order[row], 1 + np.flatnonzero(~close[row])):
            if len(units) > 1:
                codes = line.codes_around(row, units[:MOST_CLOSE])
                new = set(line.network.answers_of_codes(codes).tolist()) - found
                hidden[row] |= bool(new) or len(units) > MOST_CLOSE
    return hidden


def _runs(line: _Line, allowed: Allowed, pure: bool) -> Pieces:
    """Return the runs of a finite set of values; `pure` tells whether the code alone decides."""
    n, size = len(line.X), allowed.size
    pure = pure and bool((np.nan_to_num(line.blur, posinf=0.0) < allowed.step).all())
    if not pure and size > MOST_VALUES:
        return _tried(line, allowed)
    if not pure or size <= 4 * line.network.n_hidden + 1:
        places = np.broadcast_to(np.arange(size), (n, size))
    else:
        # The values around each change, one more on both sides because the change itself is rounded.
        changes = np.where(np.isnan(line.changes), allowed.low, line.changes)
        around = allowed.position(changes)[:, :, None] + np.arange(-2, 2)
        around = np.clip(around.reshape(n, -1), 0, size - 1)
        places = np.sort(np.hstack([np.zeros((n, 1), dtype=around.dtype), around]), axis=1)
    row = np.repeat(np.arange(n), places.shape[1])
    first, _ = _runs_of(row, places.ravel())
    row, place = row[first], places.ravel()[first]
    return _from_starts(row, place, line.answers(row, allowed.at(place)), allowed, np.ones(n, dtype=bool))


def _tried(line: _Line, allowed: Allowed) -> Pieces:
    """Return pieces found by trying points and halving the gaps between those with different answers."""
    n = len(line.X)
    row, place = _places_to_try(line, allowed)
    label = line.answers(row, allowed.at(place) if allowed.finite else place)
    for _ in range(ROUNDS):
        gap = place[1:] - place[:-1]
        fine = 1.0 if allowed.finite else 2.0 * np.spacing(np.maximum(np.abs(place[1:]), np.abs(place[:-1])))
        differ = np.flatnonzero((row[1:] == row[:-1]) & (label[1:] != label[:-1]) & (gap > fine))
        if not len(differ):
            break
        left, right = _halve(line, allowed, row[differ], place[differ], place[differ + 1], label[differ])
        row = np.concatenate([row, row[differ], row[differ]])
        place = np.concatenate([place, left, right])
        values = allowed.at(right) if allowed.finite else right
        label = np.concatenate([label, label[differ], line.answers(row[-len(differ) :], values)])
        order = np.lexsort([place, row])
        row, place, label = row[order], place[order], label[order]
    return _from_starts(row, place, label, allowed, np.zeros(n, dtype=bool))


def _places_to_try(line: _Line, allowed: Allowed) -> tuple[NDArray, NDArray]:
    """Return rows and points to try, or positions in a finite set: ends, changes and some between."""
    n = len(line.X)
    low, high = (0.0, allowed.size - 1.0) if allowed.finite else (allowed.low, allowed.high)
    changes = allowed.position(np.nan_to_num(line.changes)).astype(float) if allowed.finite else line.changes
    about = line.network.surroundings
    far = about.scale[line.feature] * 2.0 ** np.arange(OCTAVES)
    outer = about.mean[line.feature] + np.r_[-far, far]
    bases = outer if np.isinf(high - low) else np.array([])
    bases = np.r_[bases, [end for end in (low, high) if np.isfinite(end)]]
    cuts = np.hstack([changes, np.broadcast_to(bases, (n, len(bases)))])
    cuts = np.where(np.isfinite(cuts), cuts, bases[0])
    cuts = np.sort(np.clip(cuts, low, high), axis=1)
    share = np.arange(STEPS) / STEPS
    between = cuts[:, :-1, None] + (cuts[:, 1:] - cuts[:, :-1])[:, :, None] * share
    places = np.hstack([between.reshape(n, -1), cuts[:, -1:]])
    places = np.floor(places) if allowed.finite else places
    row, place = np.repeat(np.arange(n), places.shape[1]), places.ravel()
    first, _ = _runs_of(row, place)
    return row[first], place[first]


def _halve(
    line: _Line, allowed: Allowed, row: NDArray, left: NDArray, right: NDArray, label: NDArray
) -> tuple[NDArray, NDArray]:
    """Return neighbours left and right between which the answer stops being the label."""
    for _ in range(64):
        middle = left + (right - left) / 2
        middle = np.floor(middle) if allowed.finite else middle
        same = line.answers(row, allowed.at(middle) if allowed.finite else middle) == label
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    return left, right


def _from_starts(row: NDArray, place: NDArray, label: NDArray, allowed: Allowed, exact: NDArray) -> Pieces:
    """Return the pieces that begin where the label changes, each with the first point of its label."""
    first, _ = _runs_of(row, label)
    row, start, label = row[first], place[first], label[first]
    last = np.r_[row[1:] != row[:-1], True]
    following = np.r_[start[1:], 0.0]
    if allowed.finite:
        low, high = allowed.at(start), allowed.at(np.where(last, allowed.size - 1, following - 1))
        closed = np.ones(len(row), dtype=bool)
        return Pieces(row, low, high, label, closed, closed, exact)
    opening = np.r_[True, last[:-1]]
    low = np.where(opening, allowed.low, start)
    high = np.where(last, allowed.high, following)
    return Pieces(row, low, high, label, np.isfinite(low), last & np.isfinite(high), exact)


def _runs_of(row: NDArray, label: NDArray) -> tuple[NDArray, NDArray]:
    """Return the first and the last places of runs of equal labels in one row."""
    new = (row[1:] != row[:-1]) | (label[1:] != label[:-1])
    return np.flatnonzero(np.r_[True, new]), np.flatnonzero(np.r_[new, True])
