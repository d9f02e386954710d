"""Explain one answer of a network: which side of each hyperplane, why, and what would change the answer.

numpy and scipy only. All distances are in standardised units, standard deviations of the training rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import enough_digits, listed, wrapped
from netlines.inspection.domains import standard_distances, standardised_weights
from netlines.inspection.inputs import as_row, input_limits, input_names, input_numbers, network_of
from netlines.inspection.nearest import Flip, search_likely, search_other
from netlines.inspection.nearest.decisive import decisive_units
from netlines.inspection.nearest.wording import ROUNDING, flip_text

CHANGES = ("likely", "any")
MOST_PUSHING = 4  # inputs that are named for each hyperplane


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a network gives a row its answer, and what would change it.

    Attributes
    ----------
    label : object
        The answer.
    row : array of shape (N,)
    names : tuple of str
        The names of the inputs.
    code : array of shape (H,)
        States ±1 of the hidden units, of several networks those of all parts in their order.
    distances : array of shape (H,)
        Signed distances to the hyperplanes in standardised units; ±∞ from a unit that is the same everywhere.
    contributions : array of shape (H, N)
        What each input adds to each distance, relative to the mean training row.
    offsets : array of shape (H,)
        The distances of the mean training row: with the contributions they add up to the distances.
    decisive : array of bool, shape (H,)
        Whether the answer would be another if this unit alone were on the other side of its hyperplane, as
        far away. Where the hidden states decide, this is the answer with the unit's state turned over; else,
        with changed priors or where networks compare margins, these are taken at the weighted sum of the
        other sign.
    flip : Flip or None
        The smallest change that changes the answer, of those that count, see `explain`.
    flip_exact : bool
        Whether no smaller one of these does, or without a flip none at all; else none was found.
    limited : bool
        Whether only some inputs were allowed to change, or only within ranges.
    probability : float or None
        That of the answer; None if the network is not calibrated.
    confidence : float
        How sure the network is, given the distances to the hyperplanes that matter for this answer.
    scale : array of shape (N,)
        The standard deviations of the inputs.
    """

    label: Any
    row: NDArray
    names: tuple[str, ...]
    code: NDArray
    distances: NDArray
    contributions: NDArray
    offsets: NDArray
    decisive: NDArray
    flip: Flip | None
    flip_exact: bool
    limited: bool
    probability: float | None
    confidence: float
    scale: NDArray

    def __post_init__(self) -> None:
        for name in ("row", "code", "distances", "contributions", "offsets", "decisive"):
            getattr(self, name).setflags(write=False)

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int = 3, width: int = 100) -> str:
        """Return the explanation as readable text.

        Parameters
        ----------
        digits : int, default=3
            Significant digits. They are rounded: only `flip.row` itself surely has another answer.
        width : int, default=100
            Longest line.
        """
        for name, value in (("digits", digits), ("width", width)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
        return "\n".join(wrapped(line, width) for line in self._lines(digits))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON, inputs by their names; None for an infinite distance."""
        flip = None
        if self.flip is not None:
            changed = np.flatnonzero(self.flip.change).tolist()
            flip = {
                "label": self.flip.label,
                "norm": self.flip.norm,
                "exact": self.flip.exact,
                "row": self._by_name(self.flip.row),
                "change": {self.names[i]: float(self.flip.change[i]) for i in changed},
            }
        hyperplanes = [
            {
                "state": int(self.code[k]),
                "distance": _finite(self.distances[k]),
                "offset": _finite(self.offsets[k]),
                "contributions": self._by_name(self.contributions[k]),
                "decisive": bool(self.decisive[k]),
            }
            for k in range(len(self.code))
        ]
        return {
            "label": self.label,
            "probability": self.probability,
            "confidence": self.confidence,
            "row": self._by_name(self.row),
            "hyperplanes": hyperplanes,
            "flip": flip,
            "flip_exact": self.flip_exact,
        }

    def _by_name(self, values: NDArray) -> dict[str, float]:
        return dict(zip(self.names, values.tolist(), strict=True))

    def _lines(self, digits: int) -> Iterator[str]:
        """Yield the lines of the text, each to be wrapped."""
        sure = [] if self.probability is None else [f"probability {self.probability:.{digits}g}"]
        sure.append(f"confidence {self.confidence:.{digits}g}")
        yield f"the answer is {self.label!r} ({', '.join(sure)})"
        for k, distance in enumerate(self.distances.tolist()):
            decisive = ", decisive" if self.decisive[k] else ""
            if np.isinf(distance):
                yield f"unit {k + 1} is {self.code[k]:+.0f} everywhere{decisive}"
                continue
            sign = "+" if self.code[k] > 0 else "-"
            away = f"{abs(distance):.{digits}g} from" if abs(distance) > self._rounding(k) else "on"
            side = f"unit {k + 1} is {sign}1, {away} its hyperplane{decisive}"
            yield f"{side}: {self._pushing(k, digits)}"
        yield self._flip_text(digits)

    def _rounding(self, k: int) -> float:
        """Return up to which distance from a hyperplane a row is on it, but for rounding."""
        parts = np.abs(self.contributions[k]).sum() + abs(self.offsets[k])
        return float(ROUNDING * (1 + parts)) if np.isfinite(parts) else 0.0

    def _pushing(self, k: int, digits: int) -> str:
        """Name the inputs that push most to either side of a hyperplane, and what the mean row has."""
        order = np.argsort(-np.abs(self.contributions[k]), kind="stable")[:MOST_PUSHING].tolist()
        told = [
            f"{self.names[i]} {self._value(i, digits)} ({self.contributions[k, i]:+.{digits}g})"
            for i in order
            if self.contributions[k, i] != 0
        ]
        left = np.count_nonzero(self.contributions[k]) - len(told)
        rest = self.distances[k] - self.offsets[k] - self.contributions[k, order].sum()
        told += [f"{left} more ({rest:+.{digits}g})"] if left else []
        return ", ".join([*told, f"the mean row {self.offsets[k]:+.{digits}g}"])

    def _value(self, i: int, digits: int) -> str:
        """Write the value of an input, with more digits if it is far from 0 for the spread of its column."""
        value, spread = float(self.row[i]), float(self.scale[i])
        return f"{value:.{enough_digits(value, spread, digits)}g}"

    def _flip_text(self, digits: int) -> str:
        if self.flip is not None:
            told = flip_text(self.flip, self.row, self.names, self.scale, digits)
            return f"the nearest other answer: {told}"
        within = " within these limits" if self.limited else ""
        if not self.flip_exact:
            return f"no change{within} was found that changes the answer"
        return f"no change{within} changes the answer"


def explain(
    model: Any,
    x: Any,
    *,
    features: Any = None,
    ranges: Mapping[Any, Any] | None = None,
    change: str = "likely",
) -> Explanation:
    """Return why a model gives a row its answer, and the smallest change that would change the answer.

    Parameters
    ----------
    model : fitted classifier of netlines, Network or Networks
    x : array-like of N numbers, mapping or pandas Series by the inputs' names, or a table of one row
    features : sequence of names or numbers of inputs, one of them or None
        The inputs that may change for another answer; None: all.
    ranges : mapping from name or number of an input to (low, high), or None
        The values that a changed input may have, None for an open end. They must allow the row itself.
    change : {"likely", "any"}
        Which changes count. "likely": to a row that could be a real one. Inputs without a range keep to that
        of the training rows; inputs of two values, and categories, change only if the others cannot change
        the answer, and then as a whole if one of them can. "any": the smallest change of all, also to
        half a category, and to values that were never seen.

    Examples
    --------
    >>> from netlines.inspection.explanation import explain
    >>> from netlines.network.network import Network
    >>> both = Network(
    ...     hidden_weights=[[-1, 1, 0], [-1, 0, 1]],
    ...     output_weights=[[-1, 1, 1]],
    ...     classes=["no", "yes"],
    ...     feature_names=("left", "right"),
    ... )
    >>> print(explain(both, {"left": 2, "right": 3}))
    the answer is 'yes' (confidence 0.905)
    unit 1 is +1, 1 from its hyperplane, decisive: left 2 (+2), the mean row -1
    unit 2 is +1, 2 from its hyperplane, decisive: right 3 (+3), the mean row -1
    the nearest other answer: left 2 → 1 gives 'no' (1 standard deviation away)
    >>> explain(both, [2, 3], features=["right"], ranges={"right": (1.5, None)}).flip is None
    True
    """
    from netlines.inspection.confidence import domain_confidence

    if change not in CHANGES:
        raise ValueError(f"change must be one of {listed(CHANGES)}, got {change!r}")
    network = network_of(model)
    row = as_row(network, x)
    known = network.surroundings
    seen = np.minimum(known.low, row), np.maximum(known.high, row)
    low, high = input_limits(network, ranges, seen if change == "likely" else None)
    slopes, offsets = standardised_weights(network)
    free = None if features is None else input_numbers(network, features)
    search = search_likely if change == "likely" else search_other
    flip, exact = search(network, row, features=free, low=low, high=high)
    probability = network.probability(row[None]).max() if network.has_probability else None
    return Explanation(
        label=network.predict(row[None]).tolist()[0],
        row=row,
        names=tuple(input_names(network)),
        code=network.internal_representation(row[None])[0],
        distances=standard_distances(network, row[None])[0],
        contributions=slopes * known.standardised(row),
        offsets=offsets,
        decisive=decisive_units(network, row),
        flip=flip,
        flip_exact=exact,
        limited=features is not None or bool(np.isfinite([low, high]).any()),
        probability=None if probability is None else float(probability),
        confidence=float(domain_confidence(network, row[None])[0]),
        scale=known.scale,
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
