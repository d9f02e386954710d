"""Checks of the arguments: an error names the argument, the values allowed and the value got."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Refuse what is not one of the words allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def check_count(name: str, value: Any, smallest: int = 1, largest: int | None = None) -> None:
    """Refuse what is not an integer from `smallest` to `largest`."""
    is_count = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_count or not smallest <= int(value) <= (int(value) if largest is None else largest):
        bounds = f"of at least {smallest}" if largest is None else f"from {smallest} to {largest}"
        raise ValueError(f"{name} must be an integer {bounds}, got {value!r}")


def check_odd(name: str, value: Any) -> None:
    """Refuse what is not an odd integer of at least 1."""
    is_count = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_count or int(value) < 1 or int(value) % 2 == 0:
        raise ValueError(f"{name} must be an odd integer of at least 1, got {value!r}")


def check_share(name: str, value: Any) -> None:
    """Refuse what is not a number from 0 to 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")


def check_walls(k: Any, n_bits: int) -> None:
    """Refuse a number of walls that is not between 0 and the number of bits, both excluded."""
    if not isinstance(k, Real) or isinstance(k, bool) or not 0 < float(k) < n_bits:
        raise ValueError(f"k must be a number greater than 0 and less than n_bits = {n_bits}, got {k!r}")


def check_teacher(teacher: Any, n_units: int | None, n_features: int) -> NDArray[np.float64]:
    """Return the teacher as a new float array of one row a unit and `n_features` columns."""
    try:
        weights = np.array(teacher, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"teacher must be an array of numbers, got {teacher!r}") from error
    rows = "an odd number of" if n_units is None else f"n_units = {n_units}"
    is_fit = weights.ndim == 2 and len(weights) % 2 == 1 and len(weights) == (n_units or len(weights))
    if not is_fit or weights.shape[1] != n_features:
        raise ValueError(
            f"teacher must have {rows} rows and n_features = {n_features} columns, got shape {weights.shape}"
        )
    if not np.isfinite(weights).all() or not weights.any(axis=1).all():
        raise ValueError(f"teacher must have finite weights, not all 0 in a row, got {teacher!r}")
    return weights


def check_encoding(encoding: Any) -> tuple[float, float]:
    """Return the two different finite numbers of a one-hot code."""
    pair = tuple(encoding) if isinstance(encoding, (tuple, list)) else ()
    if (
        len(pair) != 2
        or not all(isinstance(v, Real) and np.isfinite(float(v)) for v in pair)
        or pair[0] == pair[1]
    ):
        raise ValueError(
            f"encoding must be two different finite numbers, such as (-1, 1) or (0, 1), got {encoding!r}"
        )
    return float(pair[0]), float(pair[1])
