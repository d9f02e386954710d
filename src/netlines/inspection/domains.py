"""The domains that hyperplanes cut the space of the inputs into: which rows lie in each, of which class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import table_as_html
from netlines.inspection.inputs import as_data
from netlines.network.protocol import AnyNetwork
from netlines.network.sums import weighted_sums

MOST_LINES = 40  # of a table as text


class Domain(NamedTuple):
    """One domain: its code, the answer in it, its rows by class, the errors, the hyperplane next to them."""

    code: str
    label: Any
    patterns: int
    counts: tuple[int, ...]
    errors: int
    nearest: int
    distance: float


@dataclass(frozen=True, eq=False, repr=False)
class Domains:
    """A table with one line for each internal representation that rows have, the fullest first.

    Attributes
    ----------
    codes : array of shape (D, H)
        States ±1 of the hidden units.
    labels : array of shape (D,)
        The class that is predicted there. Where networks compare margins or priors are changed, rows of one
        domain may have several answers: it is the most frequent.
    counts : array of shape (D, C)
        Rows of each class, in the order of `classes`.
    errors : array of shape (D,)
        Rows that are predicted wrongly.
    nearest : array of shape (D,)
        The number, from 1 on, of the hyperplane that its rows are closest to in the mean.
    distances : array of shape (D,)
        That mean distance, in standardised units.
    classes : array of shape (C,)

    Examples
    --------
    >>> from netlines import NetLinesClassifier
    >>> from netlines.datasets import make_parity
    >>> X, y = make_parity(2)
    >>> print(NetLinesClassifier(random_state=0).fit(X, y).domains(X, y))
    sides  class  rows  -1  1  errors  nearest hyperplane  distance
    + +        1     2   0  2       0                   1      0.68
    - +       -1     1   1  0       0                   1      0.74
    + -       -1     1   1  0       0                   2      0.71
    no domain has rows of two classes
    """

    codes: NDArray
    labels: NDArray
    counts: NDArray
    errors: NDArray
    nearest: NDArray
    distances: NDArray
    classes: NDArray

    def __post_init__(self) -> None:
        for name in ("codes", "labels", "counts", "errors", "nearest", "distances"):
            getattr(self, name).setflags(write=False)

    @property
    def faithful(self) -> bool:
        """Whether no domain has rows of two classes: the paper's faithful internal representations."""
        return bool(((self.counts > 0).sum(axis=1) <= 1).all())

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Domain]:
        columns = (self.labels, self.counts, self.errors, self.nearest, self.distances)
        lines = zip(self.codes, *(column.tolist() for column in columns), strict=True)
        for code, label, counts, *rest in lines:
            yield Domain(code_text(code), label, sum(counts), tuple(counts), *rest)

    def to_frame(self) -> Any:
        """Return the table as a pandas DataFrame; needs pandas."""
        import pandas as pd

        rows = [self._cells(one) for one in self]
        return pd.DataFrame(rows, columns=self._names())

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        names = self._plain_names()
        lines = [[*map(str, self._cells(one)[:-1]), f"{one.distance:.2f}"] for one in self][:MOST_LINES]
        first, *widths = (max(map(len, column)) for column in zip(names, *lines, strict=True))
        text = [
            "  ".join([code.ljust(first), *map(str.rjust, cells, widths)]) for code, *cells in [names, *lines]
        ]
        if len(self) > MOST_LINES:
            text.append(f"... and {len(self) - MOST_LINES} domains more")
        return "\n".join([*text, self._note()])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the table."""
        rows = [[*self._cells(one)[:-1], round(one.distance, 2)] for one in self][:MOST_LINES]
        more = f"… and {len(self) - MOST_LINES} domains more; " if len(self) > MOST_LINES else ""
        return table_as_html("Domains", self._plain_names(), rows, more + self._note())

    def _note(self) -> str:
        """Say whether domains hold rows of several classes."""
        mixed = int(((self.counts > 0).sum(axis=1) > 1).sum())
        several = f"{mixed} of {len(self)} domains have rows of more than one class"
        return "no domain has rows of two classes" if self.faithful else several

    def _plain_names(self) -> list[str]:
        plain = {"code": "sides", "patterns": "rows"}
        first, label, size, *rest = self._names()
        return [plain[first], label, plain[size], *rest]

    def _names(self) -> list[str]:
        by_class = map(str, self.classes.tolist())
        return ["code", "class", "patterns", *by_class, "errors", "nearest hyperplane", "distance"]

    @staticmethod
    def _cells(one: Domain) -> list[Any]:
        return [one.code, one.label, one.patterns, *one.counts, one.errors, one.nearest, one.distance]


def code_text(code: Iterable[float], between: str = " ", minus: str = "-") -> str:
    """Return a code as signs.

    Examples
    --------
    >>> from netlines.inspection.domains import code_text
    >>> code_text([1, -1, -1])
    '+ - -'
    """
    return between.join("+" if state > 0 else minus for state in code)


def find_domains(network: AnyNetwork, X: NDArray, y: ArrayLike) -> Domains:
    """Return the domains that rows with the labels y lie in.

    Parameters
    ----------
    network : Network or Networks
    X : array of shape (n, N)
    y : array-like of shape (n,)
        Labels among the network's classes.
    """
    X, truth = as_data(network, X, y)
    codes, which = np.unique(network.internal_representation(X), axis=0, return_inverse=True)
    which = which.ravel()
    answers = network.answers(X)
    counts, answered = np.zeros((2, len(codes), network.n_classes), dtype=np.intp)
    np.add.at(counts, (which, truth), 1)
    np.add.at(answered, (which, answers), 1)
    errors = np.bincount(which[truth != answers], minlength=len(codes))
    apart = np.abs(standard_distances(network, X))
    mean = np.array([apart[which == k].mean(axis=0) for k in range(len(codes))]).reshape(len(codes), -1)
    nearest = mean.argmin(axis=1)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    return Domains(
        codes[order],
        network.classes[answered.argmax(axis=1)][order],
        counts[order],
        errors[order],
        nearest[order] + 1,
        mean[np.arange(len(codes)), nearest][order],
        network.classes,
    )


def standardised_weights(network: AnyNetwork) -> tuple[NDArray, NDArray]:
    """Return all hyperplanes in standardised units: slopes of norm 1, shape (H, N), and offsets, shape (H,).

    The offset is the signed distance of the mean row from the hyperplane; ±∞ of a unit without slopes.
    """
    weights, about = network.hidden_weights.astype(float), network.surroundings
    slopes = weights[:, 1:] * about.scale
    offsets = weights[:, 0] + weights[:, 1:] @ network.relative(about.mean)
    norms = np.linalg.norm(slopes, axis=1)
    offsets = np.divide(offsets, norms, out=np.copysign(np.inf, offsets), where=norms > 0)
    return slopes / np.where(norms > 0, norms, 1.0)[:, None], offsets


def standard_distances(network: AnyNetwork, X: NDArray) -> NDArray[np.float64]:
    """Return the signed distances to the hyperplanes of all parts in standardised units, shape (n, H).

    They are ±∞ from a unit that is the same everywhere.
    """
    weights = network.hidden_weights.astype(float)
    norms = np.sqrt(((weights[:, 1:] * network.surroundings.scale) ** 2).sum(axis=1))
    fields = weighted_sums(network.relative(np.asarray(X, dtype=float)), weights)
    return np.divide(fields, norms, out=np.copysign(np.inf, fields), where=norms > 0)
