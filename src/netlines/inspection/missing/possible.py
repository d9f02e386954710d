"""What missing attributes could do to a prediction: which classes are possible, and for which values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import joined
from netlines.inspection.attributes import unknown_names
from netlines.inspection.inputs import as_rows, input_names, network_of
from netlines.inspection.missing.allowed import allowed_values
from netlines.inspection.missing.pieces import Pieces, find_pieces
from netlines.inspection.missing.several import find_classes
from netlines.inspection.missing.unknowns import Unknown, by_unknowns
from netlines.inspection.missing.wording import categories_text, pieces_text
from netlines.network.attributes import attributes_of
from netlines.network.frame import Frame
from netlines.network.protocol import AnyNetwork


class Piece(NamedTuple):
    """Values of the missing attribute, from `low` to `high`, for which the answer is `label`.

    Of a finite set of values `low` and `high` are the first and the last of a run.
    """

    low: float
    high: float
    label: Any
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, repr=False)
class Possible:
    """The classes that a row with missing attributes can have.

    Attributes
    ----------
    labels : tuple
        The possible classes, in the order of the classes of the network.
    missing : tuple of str
        The names of the columns that are missing. Without a layout a one-hot group that is missing as a whole
        has one name, what stands before "=" in all of its inputs, if they have that in common.
    pieces : tuple of Piece
        Of exactly one missing number: which values lead to which class, in increasing order. Else empty.
    exact : bool
        Whether each of the labels is possible and none is left out. If not, points were tried instead.
    finite : bool
        Whether the values of the one missing input or group are a finite set.
    categories : tuple of (str, label)
        Of exactly one missing category: each one that is possible, and the class it leads to. Else empty.
    """

    labels: tuple[Any, ...]
    missing: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    exact: bool = True
    finite: bool = False
    categories: tuple[tuple[str, Any], ...] = ()

    @property
    def certain(self) -> bool:
        """Whether a single class is possible, whatever the missing values are."""
        return len(self.labels) == 1

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if not self.missing:
            return f"certain: {self.labels[0]}, nothing is missing"
        names = joined(self.missing, "and")
        if self.certain:
            text = f"certain: {self.labels[0]} whatever {names} {'is' if len(self.missing) == 1 else 'are'}"
        elif self.pieces:
            text = pieces_text(self.pieces, names, self.finite)
        elif self.categories:
            text = categories_text(self.categories, names)
        else:
            text = f"{joined(self.labels, 'or')} depending on {names}"
        return text if self.exact else f"{text} (as far as tried)"


def possible_classes(model: Any, X: ArrayLike, *, ranges: Mapping[Any, Any] | None = None) -> list[Possible]:
    """Return the classes that each row can have, whatever its missing values are within their ranges.

    Parameters
    ----------
    model : fitted classifier, Network or Networks
    X : array-like of shape (n, N) or DataFrame
        Rows of the user's table or of inputs; NaN stands for a missing value. Of the table it is unknown,
        also where training had missing values: the value is there, but not known.
    ranges : mapping from the name or number of an input to its values, or None
        A tuple (low, high) is a closed interval, None in it an open end; a `range`, a list or an array are
        all the values. Inputs without one have those between the smallest and the largest of the training
        rows, only these two if no others occurred, only integers if all of them were, and any value if the
        network knows nothing of its training rows. Of a one-hot group, a text column that was encoded, the
        categories are tried; if a missing input of it has a range here, its missing inputs count one by one.

    Returns
    -------
    list of Possible
        One a row.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing import possible_classes
    >>> from netlines.network.network import Network
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
    X = np.asarray(as_rows(network, X, missing=True, known=False))
    allowed = allowed_values(network, ranges)
    frame = network.frame
    if frame is not None:  # inside nothing is lost by rounding
        X, network = frame.inside(X), network.inside(frame)
        places = zip(allowed, frame.origin.tolist(), frame.unit.tolist(), strict=True)
        allowed = [one.inside(origin, unit) for one, origin, unit in places]
    found: list[Possible] = [Possible(())] * len(X)
    for rows, unknowns in by_unknowns(network.surroundings, X, allowed):
        for row, one in zip(rows.tolist(), _of_rows(network, X[rows], unknowns, frame), strict=True):
            found[row] = one
    return found


def _of_rows(network: AnyNetwork, X: NDArray, unknowns: list[Unknown], frame: Frame | None) -> list[Possible]:
    """Return the possible classes of rows of which the same is unknown, all of them inside a frame."""
    if not unknowns:
        return [Possible((label,)) for label in network.predict(X).tolist()]
    names = unknown_names(network, [one.inputs for one in unknowns])
    labels = network.classes.tolist()
    if len(unknowns) == 1:
        (one,) = unknowns
        words, choices = _categories(network, one)
        if choices is not None:
            return _of_categories(network, X, one, choices, names, words)
        pieces = find_pieces(network, X, one.inputs[0], one.allowed, frame)
        if frame is not None:
            origin, unit = frame.origin[one.inputs[0]], frame.unit[one.inputs[0]]
            pieces = pieces._replace(low=pieces.low * unit + origin, high=pieces.high * unit + origin)
        return _of_pieces(pieces, labels, names, one.allowed.finite)
    return [
        Possible(tuple(labels[k] for k in sorted(classes)), names, exact=exact)
        for classes, exact in find_classes(network, X, unknowns)
    ]


def _categories(network: AnyNetwork, unknown: Unknown) -> tuple[list[str], NDArray | None]:
    """Return what unknown inputs can be, as NAME=VALUE, and their values then; None of a number."""
    i = unknown.inputs[0]
    one = next(one for one in attributes_of(network) if i in one.inputs)
    if unknown.choices is not None:
        names, on = input_names(network), f"={unknown.choices.max():g}"
        return [names[i] if one.is_category else f"{names[i]}{on}" for i in unknown.inputs], unknown.choices
    two = not unknown.allowed.given and unknown.allowed.finite and unknown.allowed.size == 2
    if one.column is None or not two or one.kind == "number":
        return [], None
    words = [f"{one.name}=0", f"{one.name}=1"] if one.kind == "boolean" else [one.off(i), one.on(i)]
    return words, unknown.allowed.at([0, 1])[:, None]


def _of_categories(
    network: AnyNetwork,
    X: NDArray,
    unknown: Unknown,
    choices: NDArray,
    names: tuple[str, ...],
    words: list[str],
) -> list[Possible]:
    """Return what each category of the one unknown attribute leads to, row by row."""
    filled = np.repeat(X, len(choices), axis=0)
    filled[:, list(unknown.inputs)] = np.tile(choices, (len(X), 1))
    labels = network.classes.tolist()
    result = []
    for answers in network.predict(filled).reshape(len(X), -1).tolist():
        # Inputs that a known one settles have no category of their own.
        pairs = zip(words, answers, strict=True) if len(answers) == len(words) else ()
        possible = tuple(label for label in labels if label in answers)
        result.append(Possible(possible, names, finite=True, categories=tuple(pairs)))
    return result


def _of_pieces(pieces: Pieces, labels: list, names: tuple[str, ...], finite: bool) -> list[Possible]:
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
