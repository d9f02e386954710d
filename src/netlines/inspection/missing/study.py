"""Errors on incomplete rows against the value that is put in the place of a missing one, as in the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from netlines._words import enough_digits
from netlines.inspection.inputs import as_data, input_names, input_number, network_of
from netlines.inspection.missing.allowed import allowed_values, finite_numbers
from netlines.network.protocol import AnyNetwork

MOST_VALUES = 51  # at which a study is made if none are given


@dataclass(frozen=True, eq=False)
class Study:
    """How the answers on incomplete rows depend on the value assumed for their missing input.

    Attributes
    ----------
    feature : str
        The name of the input.
    values : array of shape (V,)
        The values that were put in its place.
    errors : array of shape (V,)
        How many rows are then classified otherwise than y says.
    counts : array of shape (V, C)
        How many rows are answered by each class.
    classes : array of shape (C,)
    n_rows : int
        The number of rows that miss the input.
    """

    feature: str
    values: NDArray
    errors: NDArray
    counts: NDArray
    classes: NDArray
    n_rows: int

    def __post_init__(self) -> None:
        for name in ("values", "errors", "counts", "classes"):
            getattr(self, name).setflags(write=False)

    def __str__(self) -> str:
        lines = [f"{self.n_rows} rows without {self.feature}: errors against its value"]
        cells = zip(self.values.tolist(), self.errors.tolist(), strict=True)
        digits = enough_digits(float(np.abs(self.values).max()), float(np.ptp(self.values)), 6)
        return "\n".join([*lines, *(f"{value:>10.{digits}g}{errors:>6d}" for value, errors in cells)])


def missing_study(
    model: Any, X: ArrayLike, y: ArrayLike, feature: Any, *, values: ArrayLike | None = None
) -> Study:
    """Count the errors on the rows that miss one input, for each value that could stand there.

    Parameters
    ----------
    model : fitted classifier, Network or Networks
    X : array-like of shape (n, N) or DataFrame
        Only the rows whose value of the feature is NaN count; nothing else may be missing in them.
    y : array-like of shape (n,)
        Their labels.
    feature : str or int
        The name or the number of the input.
    values : array-like of numbers or None
        What is put in its place. None: the integers of the training range if all training values were
        integers and these are not more than 51, the only two values if there were no others, else 51 values
        evenly spread over the range.

    Returns
    -------
    Study

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.network.network import PASS_ON, Network
    >>> from netlines.inspection.missing import missing_study
    >>> network = Network([[-3.0, 1.0, 1.0]], PASS_ON, ["no", "yes"], feature_names=("age", "dose"))
    >>> rows = np.array([[np.nan, 1.0], [np.nan, 2.0], [5.0, 5.0]])
    >>> print(missing_study(network, rows, ["no", "yes", "yes"], "age", values=[0, 1, 2]))
    2 rows without age: errors against its value
             0     1
             1     0
             2     1
    """
    network = network_of(model)
    X, numbers = as_data(network, X, y, missing=True)
    i = input_number(network, feature)
    name = input_names(network)[i]
    points = _values(network, i, name) if values is None else finite_numbers(values)
    if points is None:
        raise ValueError(f"values of {name!r} must be at least one finite number, got {values!r}")
    rows, truth = X[np.isnan(X[:, i])], network.classes[numbers[np.isnan(X[:, i])]]
    if not len(rows):
        raise ValueError(f"no row of X misses {name!r}; allowed are rows with NaN there")
    others = np.flatnonzero(np.isnan(np.delete(rows, i, axis=1)).any(axis=0))
    if len(others):
        also = np.delete(input_names(network), i)[others[0]]
        raise ValueError(f"rows without {name!r} also miss {str(also)!r}; allowed is one missing input a row")
    filled = np.repeat(rows, len(points), axis=0)
    filled[:, i] = np.tile(points, len(rows))
    answers = network.predict(filled).reshape(len(rows), len(points))
    errors = (answers != truth[:, None]).sum(axis=0)
    counts = np.stack([(answers == label).sum(axis=0) for label in network.classes], axis=1)
    return Study(name, points, errors, counts, network.classes, len(rows))


def _values(network: AnyNetwork, i: int, name: str) -> NDArray[np.float64]:
    """Return the values of a study from what the network remembers of its training rows."""
    allowed = allowed_values(network)[i]
    if not np.isfinite(allowed.high - allowed.low):
        raise ValueError(f"the network does not know the range of {name!r}: values must be given, got None")
    if allowed.finite and allowed.size <= MOST_VALUES:
        return allowed.at(np.arange(allowed.size))
    return allowed.nearest(np.linspace(allowed.low, allowed.high, MOST_VALUES))
