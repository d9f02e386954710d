"""Explain one answer of a network: which side of each hyperplane, why, and what would change the answer.

numpy and scipy only. Texts speak of attributes, the columns of the user's table; fields are by inputs. All
distances are in standardised units, standard deviations of the training rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import joined, listed, percent, wrapped
from netlines.inspection.attributes import (
    attributes_in,
    check_ranges,
    feature_numbers,
    held_inputs,
    told_name,
    value_of,
    value_text,
)
from netlines.inspection.domains import standard_distances, standardised_weights
from netlines.inspection.inputs import (
    InputRows,
    as_row,
    input_limits,
    input_names,
    network_of,
)
from netlines.inspection.nearest import Flip, search_likely, search_other
from netlines.inspection.nearest.decisive import decisive_units
from netlines.inspection.nearest.wording import ROUNDING, flip_text
from netlines.network.attributes import Attribute

if TYPE_CHECKING:
    from netlines.inspection.missing import Possible

CHANGES = ("likely", "any")
MOST_PUSHING = 4  # attributes that are named for each hyperplane
MOST_EXPECTED = 6  # unknown ones whose expected values are told


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a network gives a row its answer, and what would change it.

    Attributes
    ----------
    label : object
        The answer; of a row that lacks values the most probable one, given the others.
    row : array of shape (N,)
        Its inputs; unknown ones are what is expected of them, given the others.
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
        That of the answer; None if the network is not calibrated and no value is unknown.
    confidence : float
        How sure the network is, given the distances to the hyperplanes that matter for this answer.
    scale : array of shape (N,)
        The standard deviations of the inputs.
    attributes : tuple of Attribute
        The columns of the user's table and the inputs of each.
    missing : tuple of str
        What is unknown, by the names of the columns. A value that is missing in a column where training had
        missing ones is not: the network knows what that means.
    possible : Possible or None
        The classes that the row can have, whatever the unknown values are; None if there are none.
    completed_label : object
        The answer to `row`, which the distances, the confidence and the flip are about; it may differ from
        `label` if values are unknown.
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
    attributes: tuple[Attribute, ...] = ()
    missing: tuple[str, ...] = ()
    possible: Possible | None = None
    completed_label: Any = None

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

    @property
    def attribute_contributions(self) -> NDArray:
        """What each attribute adds to each distance, shape (H, number of attributes)."""
        columns = [self.contributions[:, list(one.inputs)].sum(axis=1) for one in self.attributes]
        return np.array(columns).T.reshape(len(self.code), len(columns))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON; None for an infinite distance.

        `row`, `contributions` and `change` are by the names of the inputs. `attributes` are by those of the
        columns: the values as the user's table has them (None: missing), and what each adds to a distance.
        """
        by_attribute = self.attribute_contributions
        hyperplanes = [
            {
                "state": int(self.code[k]),
                "distance": _finite(self.distances[k]),
                "offset": _finite(self.offsets[k]),
                "contributions": self._by_name(self.contributions[k]),
                "attributes": {
                    told_name(one): float(part)
                    for one, part in zip(self.attributes, by_attribute[k], strict=True)
                },
                "decisive": bool(self.decisive[k]),
            }
            for k in range(len(self.code))
        ]
        possible = None
        if self.possible is not None:
            exact = self.possible.exact
            possible = {"labels": list(self.possible.labels), "exact": exact, "text": str(self.possible)}
        return {
            "label": self.label,
            "probability": self.probability,
            "confidence": self.confidence,
            "missing": list(self.missing),
            "possible": possible,
            "completed_label": self.completed_label,
            "attributes": self._values(self.row),
            "row": self._by_name(self.row),
            "hyperplanes": hyperplanes,
            "flip": None if self.flip is None else self._flip_dict(self.flip),
            "flip_exact": self.flip_exact,
        }

    def _flip_dict(self, flip: Flip) -> dict[str, Any]:
        before, after = self._values(self.row), self._values(flip.row)
        return {
            "label": flip.label,
            "norm": flip.norm,
            "exact": flip.exact,
            "attributes": {name: value for name, value in after.items() if value != before[name]},
            "row": self._by_name(flip.row),
            "change": {self.names[i]: float(flip.change[i]) for i in np.flatnonzero(flip.change).tolist()},
        }

    def _by_name(self, values: NDArray) -> dict[str, float]:
        return dict(zip(self.names, values.tolist(), strict=True))

    def _values(self, row: NDArray) -> dict[str, Any]:
        """Return the values of the attributes by name; of a category that is none its inputs."""
        return {
            told_name(one): {self.names[i]: float(row[i]) for i in one.inputs}
            if one.is_category and one.choice(row) is None
            else value_of(one, row)
            for one in self.attributes
        }

    def _lines(self, digits: int) -> Iterator[str]:
        """Yield the lines of the text, each to be wrapped."""
        yield from self._first_lines(digits)
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

    def _first_lines(self, digits: int) -> Iterator[str]:
        """Yield the answer; of a row that lacks values first what it can be."""
        sure = f"confidence {self.confidence:.{digits}g}"
        if self.possible is None or self.probability is None:
            likely = "" if self.probability is None else f"probability {self.probability:.{digits}g}, "
            yield f"the answer is {self.label!r} ({likely}{sure})"
            return
        yield f"missing: {', '.join(self.missing)}"
        yield str(self.possible)
        if not self.possible.certain:
            share = percent(self.probability, 0)
            yield f"most probable, given the other values: {self.label} ({share})"
        unknown = [
            one
            for one in self.attributes
            if {one.name, told_name(one), *(self.names[i] for i in one.inputs)} & set(self.missing)
        ]
        told = [self._told(one, digits) for one in unknown[:MOST_EXPECTED]]
        told += [f"{len(unknown) - len(told)} more"] if len(unknown) > len(told) else []
        # Inputs of a row that has parts of categories have other names than what is missing.
        expected = f", {joined(told)}" if told else ""
        yield f"with what is expected{expected}, the answer is {self.completed_label!r} ({sure})"

    def _rounding(self, k: int) -> float:
        """Return up to which distance from a hyperplane a row is on it, but for rounding."""
        parts = np.abs(self.contributions[k]).sum() + abs(self.offsets[k])
        return float(ROUNDING * (1 + parts)) if np.isfinite(parts) else 0.0

    def _pushing(self, k: int, digits: int) -> str:
        """Name the attributes that push most to either side of a hyperplane, and what the mean row has."""
        parts = self.attribute_contributions[k]
        order = np.argsort(-np.abs(parts), kind="stable")[:MOST_PUSHING].tolist()
        told = [
            f"{self._told(self.attributes[i], digits)} ({parts[i]:+.{digits}g})"
            for i in order
            if parts[i] != 0
        ]
        left = np.count_nonzero(parts) - len(told)
        rest = self.distances[k] - self.offsets[k] - parts[order].sum()
        told += [f"{left} more ({rest:+.{digits}g})"] if left else []
        return ", ".join([*told, f"the mean row {self.offsets[k]:+.{digits}g}"])

    def _told(self, one: Attribute, digits: int) -> str:
        """Write the value of an attribute, its name before it."""
        return f"{told_name(one)} {value_text(one, self.row, self.scale, digits)}"

    def _flip_text(self, digits: int) -> str:
        if self.flip is not None:
            told = flip_text(self.flip, self.row, self.names, self.scale, digits, attributes=self.attributes)
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
    x : row of the user's table, or of inputs
        A mapping or pandas Series by the names of the columns, a table of one row, or all values in their
        order. Values may be missing: NaN, None, or left out of a mapping. Where training had missing values
        in their column, that is what is explained. Other missing values are unknown: the explanation then
        begins with the classes that are possible and the most probable one, and goes on with the row that
        has what is expected of them, given the others.
    features : sequence of names of columns, names or numbers of inputs, one of them or None
        What may change for another answer; None: all. Missing and unknown values never change.
    ranges : mapping from name or number of an input to (low, high), or None
        The values that a changed input may have, None for an open end. They must allow the row itself. Of an
        unknown number it is the range in which its value lies.
    change : {"likely", "any"}
        Which changes count. "likely": to a row that could be a real one. Inputs without a range keep to that
        of the training rows; inputs of two values, and categories, change only if the others cannot change
        the answer, and then as a whole if one of them can. "any": the smallest change of all, also to
        half a category, and to values that were never seen.

    Returns
    -------
    Explanation

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
    given, known = as_row(network, x, missing=True), network.surroundings
    check_ranges(network, ranges)
    seen = np.fmin(known.low, given), np.fmax(known.high, given)
    low, high = input_limits(network, ranges, seen if change == "likely" else None)
    lacking = None
    if np.isnan(given).any():
        from netlines.inspection.missing.expected import expect

        lacking = expect(network, given, ranges, low, high)
    row = given if lacking is None else lacking.row
    held = set(held_inputs(network, row, every_gap=change == "likely"))
    held.update(np.flatnonzero(np.isnan(given)).tolist())
    low[list(held)] = high[list(held)] = row[list(held)]
    wanted = range(network.n_features) if features is None else feature_numbers(network, features)
    free = [i for i in wanted if i not in held]
    search = search_likely if change == "likely" else search_other
    flip, exact = search(network, row.view(InputRows), features=free, low=low, high=high)
    slopes, offsets = standardised_weights(network)
    label = network.predict(row[None]).tolist()[0]
    probability = float(network.probability(row[None]).max()) if network.has_probability else None
    return Explanation(
        label=label if lacking is None else lacking.label,
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
        probability=probability if lacking is None else lacking.probability,
        confidence=float(domain_confidence(network, row[None].view(InputRows))[0]),
        scale=known.scale,
        attributes=attributes_in(network, row),
        missing=() if lacking is None else lacking.possible.missing,
        possible=None if lacking is None else lacking.possible,
        completed_label=label,
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
