"""An incomplete row: its possible classes, the most probable one, and what is expected of unknown inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.inspection.answers import Answers, completed
from netlines.inspection.inputs import InputRows, input_number
from netlines.inspection.missing.allowed import allowed_values
from netlines.inspection.missing.possible import Possible, possible_classes
from netlines.inspection.missing.unknowns import by_unknowns
from netlines.network.protocol import AnyNetwork


class Expected(NamedTuple):
    """What is said of an incomplete row.

    Attributes
    ----------
    label : object
        The most probable class, given the known inputs.
    probability : float
        That of this class.
    possible : Possible
        The classes that the row can have, whatever is unknown.
    row : array of shape (N,)
        The row with what is expected of its unknown inputs.
    """

    label: Any
    probability: float
    possible: Possible
    row: NDArray


def expect(
    network: AnyNetwork, row: NDArray, ranges: Mapping[Any, Any] | None, low: NDArray, high: NDArray
) -> Expected:
    """Return what a network says of a row with NaN.

    Parameters
    ----------
    network : Network or Networks
    row : array of shape (N,)
    ranges : mapping from the name or number of an input to (low, high), or None
        Where the values lie, as far as they are unknown; others do not matter.
    low, high : arrays of shape (N,)
        The limits of what is expected.
    """
    unknown = [which for which in ranges or {} if np.isnan(row[input_number(network, which)])]
    values = {which: tuple((ranges or {})[which]) for which in unknown}
    (possible,) = possible_classes(network, row[None].view(InputRows), ranges=values or None)
    found = Answers(network, row[None])
    whole = np.where(np.isnan(row), np.clip(expected_row(network, row), low, high), row)
    return Expected(found.labels().tolist()[0], float(found.shares.max()), possible, whole)


def expected_row(network: AnyNetwork, row: NDArray) -> NDArray[np.float64]:
    """Return a row with what is expected of its unknown inputs, given the others, instead of NaN, shape (N,).

    A number has its conditional mean, rounded if all training values were integers; a category is the most
    probable one.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.inspection.missing.expected import expected_row
    >>> from netlines.network.background import describe
    >>> from netlines.network.network import PASS_ON, Network
    >>> rows = np.array([[5.0, 0, 1], [6.5, 1, 0], [7.0, 1, 0], [4.5, 0, 1]])
    >>> network = Network([[0, 1, 1, 0]], PASS_ON, [0, 1], background=describe(rows))
    >>> expected_row(network, np.array([6.8, np.nan, np.nan])).tolist()
    [6.8, 1.0, 0.0]
    """
    result = completed(network, row[None])[0]
    for _, unknowns in by_unknowns(network.surroundings, row[None], allowed_values(network)):
        for one in unknowns:
            inputs = list(one.inputs)
            if one.choices is None:
                result[inputs] = one.allowed.nearest(result[inputs])
            else:
                result[inputs] = one.choices[int(np.argmax(one.choices @ result[inputs]))]
    return result
