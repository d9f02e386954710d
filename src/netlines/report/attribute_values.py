"""The values of an attribute in all rows, as its reader knows them: numbers, dates, categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from netlines.network.attributes import BASE, Attribute
from netlines.report.column_values import Seen, by_frequency
from netlines.tables.cells import MICROSECONDS_A_DAY


def seen_values(one: Attribute, X: NDArray) -> Seen:
    """Return the values of an attribute in rows of inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.attributes import Attribute
    >>> from netlines.report.attribute_values import seen_values
    >>> hue = Attribute("hue", "category", (0, 1, 2), ("red", "blue"), gap=2)
    >>> seen = seen_values(hue, np.array([[0.0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    >>> seen.levels, seen.values.tolist(), seen.missing.tolist()
    (('blue', 'red'), [0, 1, 0, 0], [False, False, False, True])
    """
    X = np.asarray(X)
    missing = np.zeros(len(X), dtype=bool) if one.gap is None else X[:, one.gap] == 1
    if one.is_category:
        choices = [choice for choice in one.choices if choice != one.gap]
        on = X[:, [i for i in choices if i != BASE]] == one.levels[1]
        codes = on.argmax(axis=1) + (one.base is not None)
        codes[~on.any(axis=1)] = 0
        return by_frequency([one.value(choice) for choice in choices], codes, missing, "category")
    values = np.where(missing, 0.0, X[:, one.inputs[0]].astype(float))
    if one.kind == "boolean" and np.isin(values, (0, 1)).all():
        return by_frequency(("no", "yes"), values.astype(np.int64), missing, "yes/no")
    part = "" if one.column is None else one.column.part
    if part == "days" and one.column is not None:
        return Seen("date", values + one.column.start / MICROSECONDS_A_DAY, missing)
    if part == "hour":
        return Seen("time of day", values, missing)
    whole = bool((values == np.rint(values)).all())
    return Seen("whole number" if whole else "number", values, missing)
