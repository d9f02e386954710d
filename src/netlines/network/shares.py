"""Shares of rows, with Wilson's intervals: how far off they may be."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z = 1.959963984540054  # of an interval of 95 %


@dataclass(frozen=True)
class Share:
    """A share of rows that was counted: `hits` of `of`, and the ends of its 95 % interval.

    Of rows with weights both are those of as many equal rows as tell as much.
    """

    hits: int
    of: int
    value: float
    low: float
    high: float


def wilson(hits: float, of: float) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of a share of which `hits` of `of` were seen.

    Examples
    --------
    >>> from netlines.network.shares import wilson
    >>> [round(end, 3) for end in wilson(40, 320)]
    [0.093, 0.166]
    """
    share, extra = hits / of, Z * Z / of
    middle = share + extra / 2
    half = Z * sqrt((share * (1 - share) + extra / 4) / of)
    low, high = (middle - half) / (1 + extra), (middle + half) / (1 + extra)
    return (0.0 if hits <= 0 else low), (1.0 if hits >= of else high)


def counted(hits: int, of: int) -> Share:
    """Return a share of rows with its interval."""
    return Share(int(hits), int(of), float(hits / of), *wilson(int(hits), int(of)))
