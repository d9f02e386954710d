"""Find the smallest change of a row that changes the answer of a network.

numpy and scipy only. Small is the Euclidean norm in standardised units. Where the answer is a function of the
hidden states, the search is exact. Where networks compare margins, the change is only nearly the smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from netlines.inspection.nearest.around import look_around
from netlines.inspection.nearest.bounds import Codes
from netlines.inspection.nearest.search import search
from netlines.inspection.nearest.start import Start, length
from netlines.network.protocol import AnyNetwork


@dataclass(frozen=True, eq=False)
class Flip:
    """The smallest change of a row that changes the answer.

    Attributes
    ----------
    row : array of shape (N,)
        The changed row, which the network answers with another class.
    change : array of shape (N,)
        What was added to the row, in the user's units.
    norm : float
        The Euclidean norm of the change in standardised units.
    label : object
        The new answer.
    exact : bool
        Whether no smaller change of those that count has an allowed answer, up to 1e-8 of it or of a standard
        deviation; else none was found.
    """

    row: NDArray
    change: NDArray
    norm: float
    label: Any
    exact: bool

    def __post_init__(self) -> None:
        for name in ("row", "change"):
            getattr(self, name).setflags(write=False)


def nearest_other(
    network: AnyNetwork,
    x: Any,
    *,
    classes: Any = None,
    features: Any = None,
    low: Any = None,
    high: Any = None,
) -> Flip | None:
    """Return the smallest change of a row that changes the answer, or None if no change does.

    It is the smallest one where the hidden states decide: of a `Network`, of a tree, and of a vote without a
    tie nearby, if the search ends within 3,000 steps. Else, so with changed priors and where several networks
    compare their margins, it is only the smallest one found: changes in many directions, turned step by step
    towards a nearer border. `exact` tells which, also of None: `search_other`. In any case `network.predict`
    answers the changed row with an allowed class, and does not if the row is changed by 99 % of it, unless
    rounding decides.

    A class may exist only on hyperplanes, whose points are +1, as "exactly 50". Such rows are not looked for:
    the result is not exact then.

    Parameters
    ----------
    network : Network or Networks
    x : array-like of N numbers
    classes : sequence of labels, a label or None
        The new answers that are allowed; None: any but the present one.
    features : sequence of numbers or names of inputs, one of them or None
        The inputs that may change; None: all.
    low, high : array-like of shape (N,) or None
        The limits of the changed row; None or ±∞: no limit. They must allow the row itself.

    Examples
    --------
    >>> from netlines.inspection.nearest import nearest_other
    >>> from netlines.network.network import Network
    >>> both = Network([[-1, 1, 0], [-1, 0, 1]], [[-1, 1, 1]], ["no", "yes"])  # both inputs at least 1
    >>> flip = nearest_other(both, [0.0, -1.0])
    >>> flip.label, flip.row.round(3).tolist(), round(flip.norm, 3), flip.exact
    ('yes', [1.0, 1.0], 2.236, True)
    >>> nearest_other(both, [0.0, -1.0], high=[0.9, 5.0]) is None
    True
    """
    return search_other(network, x, classes=classes, features=features, low=low, high=high)[0]


def search_other(
    network: AnyNetwork,
    x: Any,
    *,
    classes: Any = None,
    features: Any = None,
    low: Any = None,
    high: Any = None,
) -> tuple[Flip | None, bool]:
    """Return what `nearest_other` returns, and whether it is exact: a None then means that no change does.

    Examples
    --------
    >>> from netlines.inspection.nearest import search_other
    >>> from netlines.network.network import Network
    >>> both = Network([[-1, 1, 0], [-1, 0, 1]], [[-1, 1, 1]], ["no", "yes"])  # both inputs at least 1
    >>> search_other(both, [0.0, -1.0], high=[0.9, 5.0])
    (None, True)
    """
    start = Start.of(network, x, classes, features, low, high)
    if not start.wanted.any():
        return None, True
    row, exact = search(start, Codes(network) if network.code_decides else None)
    if not exact:
        row = look_around(start, row)
    if row is None:
        return None, exact
    row = shortened(start, row)
    label = network.predict(row[None]).tolist()[0]
    return Flip(row, row - start.x, start.norm(row), label, exact), exact


def shortened(start: Start, row: NDArray) -> NDArray:
    """Return a row changed only as far as needed: 99 % of the change do not give an allowed answer any more.

    Unless the whole is so small that rounding decides.
    """
    change = start.change_to(row)
    while length(change) > start.rounding and start.flips_one(0.99 * change):
        short, enough = 0.0, 0.99
        while short < 0.995 * enough:
            middle = (short + enough) / 2
            if middle * length(change) > start.rounding and start.flips_one(middle * change):
                enough = middle
            else:
                short = middle
        change = enough * change
        row = start.rows(change)
    return row
