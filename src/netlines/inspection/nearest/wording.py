"""The words for the smallest change of a row that changes the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines._words import enough_digits, joined
from netlines.inspection.attributes import told_name, two_texts
from netlines.inspection.nearest.flip import Flip
from netlines.network.attributes import Attribute

MOST_CHANGED = 5  # attributes that are named
ROUNDING = 32 * np.finfo(float).eps  # smaller distances, in parts of what they are made of, are none


def flip_text(
    flip: Flip,
    row: NDArray,
    names: Sequence[str],
    scale: NDArray,
    digits: int = 3,
    most: int = MOST_CHANGED,
    attributes: Sequence[Attribute] = (),
) -> str:
    """Say what has to change, the most important attributes first, and how far away the other answer is.

    Parameters
    ----------
    flip : Flip
    row : array of shape (N,)
    names, scale : of the inputs
    digits : significant digits
    most : how many attributes are named
    attributes : those of the inputs; without them each input is one

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
    order = [i for i in np.argsort(-shares, kind="stable").tolist() if shares[i] > 0]
    changed = dict.fromkeys(_what_changed(i, flip, row, names, attributes) for i in order)
    size = {one: max(parts[i] for i in one.inputs) for one in changed}
    first, others = list(changed)[:most], list(changed)[most:]
    if flip.norm <= ROUNDING + 2 * (np.spacing(np.abs(row)) / scale).max():
        told = [told_name(one) for one in first] + [f"{len(others)} more"] * bool(others)
        return f"the smallest step of {joined(told)} gives {flip.label!r} (on the border)"
    told = [_change_text(one, flip, row, scale, digits) for one in first]
    told += [f"{len(others)} more by at most {size[others[0]]:.{digits}g} each"] if others else []
    about = "" if flip.exact else ", the smallest change found"
    norm = f"{flip.norm:.{digits}g}"
    away = f"{norm} standard deviation{'' if norm == '1' else 's'} away{about}"
    return f"{joined(told)} gives {flip.label!r} ({away})"


def _what_changed(
    i: int, flip: Flip, row: NDArray, names: Sequence[str], attributes: Sequence[Attribute]
) -> Attribute:
    """Return the category that changes as a whole with an input, or the input as an attribute of its own."""
    one = next((one for one in attributes if i in one.inputs), None)
    if one is not None and one.is_category and None not in (one.choice(row), one.choice(flip.row)):
        return one
    column = None if one is None or i == one.gap else one.column
    return Attribute(names[i], "number", (i,), column=column)


def _change_text(one: Attribute, flip: Flip, row: NDArray, scale: NDArray, digits: int) -> str:
    if one.is_category:
        before, after = (
            one.value(choice) for choice in map(one.choice, (row, flip.row)) if choice is not None
        )
        return f"{one.name}: {before} → {after}"
    (i,) = one.inputs
    fine = enough_digits(float(row[i]), float(scale[i]), digits)
    return "{} {} → {}".format(told_name(one), *two_texts(one, float(row[i]), float(flip.row[i]), fine))
