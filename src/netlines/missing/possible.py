"""What missing attributes could do to a prediction: which classes are possible, and for which values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines.missing.allowed import Allowed, allowed_values, by_pattern, table_of
from netlines.missing.pieces import Pieces, find_pieces
from netlines.missing.several import find_classes
from netlines.network import Network
from netlines.networks import Networks
from netlines.reading import input_names, network_of


class Piece(NamedTuple):
    """Values of the missing attribute, from `low` to `high`, for which the answer is `label`.

    Of a finite set of values `low` and `high` are the first and the last of a run.
    """

    low: float
    high: float
    label: Any
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True)
class Possible:
    """The classes that a row with missing attributes can have.

    Attributes
    ----------
    labels : tuple
        The possible classes, in the order of the classes of the network.
    missing : tuple of str
        The names of the missing inputs.
    pieces : tuple of Piece
        Of exactly one missing input: which values lead to which class, in increasing order. Else empty.
    exact : bool
        Whether each of the labels is possible and none is left out. If not, points were tried instead.
    finite : bool
        Whether the values of the one missing input are a finite set.
    """

    labels: tuple[Any, ...]
    missing: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    exact: bool = True
    finite: bool = False

    @property
    def certain(self) -> bool:
        """Whether a single class is possible, whatever the missing values are."""
        return len(self.labels) == 1

    def __str__(self) -> str:
        if not self.missing:
            return f"certain: {self.labels[0]}, nothing is missing"
        names = _joined(self.missing, "and")
        if self.certain:
            text = f"certain: {self.labels[0]} whatever {names} {'is' if len(self.missing) == 1 else 'are'}"
        elif not self.pieces:
            text = f"{_joined(self.labels, 'or')} depending on {names}"
        else:
            text = _pieces_text(self.pieces, names, self.finite)
        return text if self.exact else f"{text} (as far as tried)"


def possible_classes(model: Any, X: ArrayLike, *, ranges: Mapping[Any, Any] | None = None) -> list[Possible]:
    """Return the classes that each row can have, whatever its missing values are within their ranges.

    Parameters
    ----------
    model : fitted classifier, Network or Networks
    X : array-like of shape (n, N) or DataFrame
        Rows; NaN stands for a missing value.
    ranges : mapping from the name or number of an input to its values, or None
        A tuple (low, high) is a closed interval; a `range`, a list or an array are all the values. Inputs
        without one have those between the smallest and the largest of the training rows, only integers if
        all of these were, and any value if the network knows nothing of its training rows.

    Returns
    -------
    list of Possible
        One a row.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.missing import possible_classes
    >>> from netlines.network import Network
    >>> band = Network(
    ...     [[-1.0, 1.0, 0.0], [2.0, -1.0, 1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"], feature_names=("t", "u")
    ... )
    >>> print(*possible_classes(band, np.array([[np.nan, 3.0], [0.5, np.nan], [np.nan, -2.0]])), sep="\\n")
    out for t < 1 or > 5, in between
    certain: out whatever u is
    certain: out whatever t is
    >>> ranges = {"t": range(4, 9), "u": (0, 9)}
    >>> print(*possible_classes(band, [[np.nan, 3.0], [np.nan, np.nan]], ranges=ranges), sep="\\n")
    out from t ≥ 6, in below
    out or in depending on t and u
    """
    network = network_of(model)
    X = table_of(network, X)
    allowed = allowed_values(network, ranges)
    found: list[Possible] = [Possible(())] * len(X)
    for rows, missing in by_pattern(X):
        for row, one in zip(rows.tolist(), _of_pattern(network, X[rows], missing, allowed), strict=True):
            found[row] = one
    return found


def _of_pattern(
    network: Network | Networks, X: NDArray, missing: NDArray, allowed: list[Allowed]
) -> list[Possible]:
    """Return the possible classes of rows that all miss the same inputs."""
    if not len(missing):
        return [Possible((label,)) for label in network.predict(X).tolist()]
    names = tuple(input_names(network)[i] for i in missing)
    labels = network.classes.tolist()
    if len(missing) == 1:
        (feature,) = missing.tolist()
        pieces = find_pieces(network, X, feature, allowed[feature])
        return _as_possible(pieces, labels, names, allowed[feature].finite)
    some = {int(i): allowed[i] for i in missing}
    return [
        Possible(tuple(labels[k] for k in sorted(classes)), names, exact=exact)
        for classes, exact in find_classes(network, X, some)
    ]


def _as_possible(pieces: Pieces, labels: list, names: tuple[str, ...], finite: bool) -> list[Possible]:
    """Return the pieces of one missing input, row by row."""
    numbers = pieces.label.tolist()
    columns = (pieces.low, pieces.high, pieces.label, pieces.low_closed, pieces.high_closed)
    cells = zip(*(column.tolist() for column in columns), strict=True)
    all_of_them = [Piece(low, high, labels[k], left, right) for low, high, k, left, right in cells]
    ends = np.searchsorted(pieces.row, np.arange(len(pieces.exact) + 1)).tolist()
    result = []
    for start, end, exact in zip(ends[:-1], ends[1:], pieces.exact.tolist(), strict=True):
        classes = tuple(labels[k] for k in sorted(set(numbers[start:end])))
        result.append(Possible(classes, names, tuple(all_of_them[start:end]), exact, finite))
    return result


def _pieces_text(pieces: tuple[Piece, ...], name: str, finite: bool) -> str:
    """Say for which values of an input which class is the answer."""
    if len(pieces) == 2:
        below, above = pieces
        if above.low_closed:
            return f"{above.label} from {name} ≥ {_number(above.low)}, {below.label} below"
        return f"{below.label} up to {name} ≤ {_number(below.high)}, {above.label} above"
    by_label: dict[Any, list[str]] = {}
    for k, piece in enumerate(pieces):
        by_label.setdefault(piece.label, []).append(_condition(piece, k, len(pieces), finite))
    *listed_ones, last = by_label
    texts = [f"{label} for {name} {' or '.join(by_label[label])}" for label in listed_ones]
    rest = "between" if len(pieces) == 3 and last == pieces[1].label else "elsewhere"
    return ", ".join([*texts, f"{last} {rest}"])


def _condition(piece: Piece, k: int, n_pieces: int, finite: bool) -> str:
    """Say for which values the k-th of some pieces holds; the ends of all of them need no word."""
    low, high = _number(piece.low), _number(piece.high)
    if piece.low == piece.high:
        return f"= {low}"
    if k == 0:
        return f"{'≤' if piece.high_closed else '<'} {high}"
    if k == n_pieces - 1:
        return f"{'≥' if piece.low_closed else '>'} {low}"
    if finite:
        return f"from {low} to {high}"
    return f"in {'[' if piece.low_closed else '('}{low}, {high}{']' if piece.high_closed else ')'}"


def _number(value: float) -> str:
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


def _joined(words: Iterable[Any], link: str) -> str:
    *first, last = map(str, words)
    return f"{', '.join(first)} {link} {last}" if first else last
