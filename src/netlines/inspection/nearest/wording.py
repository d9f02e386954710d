"""The words for the smallest change of a row that changes the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines._words import enough_digits, joined
from netlines.inspection.nearest.flip import Flip

MOST_CHANGED = 5  # inputs that are named
ROUNDING = 32 * np.finfo(float).eps  # smaller distances, in parts of what they are made of, are none


def flip_text(
    flip: Flip, row: NDArray, names: Sequence[str], scale: NDArray, digits: int = 3, most: int = MOST_CHANGED
) -> str:
    """Say what has to change, the most important inputs first, and how far away the other answer is.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.nearest import nearest_other
    >>> from netlines.inspection.nearest.wording import flip_text
    >>> from netlines.network.network import Network
    >>> row, warm = np.array([3.0]), Network([[-20.0, 1.0]], [[0.0, 1.0]], ["cold", "warm"])
    >>> print(flip_text(nearest_other(warm, row), row, ["degrees"], np.ones(1), digits=3))
    degrees 3 → 20 gives 'warm' (17 standard deviations away)
    """
    parts = np.abs(flip.change / scale)
    shares = (parts / parts.max()).round(9)  # equal ones stay in their order
    order = [i for i in np.argsort(-shares, kind="stable").tolist() if parts[i] > 0]
    first, more = order[:most], len(order) - most
    if flip.norm <= ROUNDING + 2 * (np.spacing(np.abs(row)) / scale).max():
        told = [names[i] for i in first] + [f"{more} more"] * (more > 0)
        return f"the smallest step of {joined(told)} gives {flip.label!r} (on the border)"
    fine = {i: enough_digits(float(row[i]), float(scale[i]), digits) for i in first}
    told = ["{} {} → {}".format(names[i], *_apart(row[i], flip.row[i], fine[i])) for i in first]
    told += [f"{more} more by at most {parts[order[most]]:.{digits}g} each"] if more > 0 else []
    about = "" if flip.exact else ", the smallest change found"
    norm = f"{flip.norm:.{digits}g}"
    away = f"{norm} standard deviation{'' if norm == '1' else 's'} away{about}"
    return f"{joined(told)} gives {flip.label!r} ({away})"


def _apart(before: float, after: float, digits: int) -> tuple[str, str]:
    """Return two different numbers with so many digits that they look different."""
    texts = f"{before:.{digits}g}", f"{after:.{digits}g}"
    return texts if texts[0] != texts[1] or digits >= 17 else _apart(before, after, digits + 1)
