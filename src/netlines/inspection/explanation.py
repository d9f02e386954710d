"""Explain one answer of a network: how probable it is, why it is given, and what would change it.

numpy and scipy only. Texts speak of attributes, the columns of the user's table; fields are by inputs. All
distances are in standardised units, standard deviations of the training rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import listed, text_as_html, wrapped
from netlines.inspection.answers import answered
from netlines.inspection.attributes import (
    attributes_in,
    check_ranges,
    feature_numbers,
    held_inputs,
    told_name,
    value_of,
)
from netlines.inspection.changes import changes_of, rounded_row
from netlines.inspection.domains import standard_distances, standardised_weights
from netlines.inspection.inputs import (
    InputRows,
    as_row,
    input_limits,
    input_names,
    input_number,
    network_of,
    raw_row,
)
from netlines.inspection.nearest import Flip, search_other, search_whole
from netlines.inspection.nearest.decisive import decisive_units
from netlines.inspection.reasons import Reason, reasons_of
from netlines.inspection.telling import lines_of
from netlines.inspection.unusual import row_notes, row_warnings
from netlines.network.attributes import Attribute

if TYPE_CHECKING:
    from netlines.inspection.missing import Possible

CHANGES = ("likely", "fewest", "any")


@dataclass(frozen=True, eq=False, repr=False)
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
    changes : dict
        The same in the words of the table: of each attribute that changes what it is and what it would have
        to be. Numbers are rounded, away from what they are, so that the answer still changes. Empty if there
        is no flip.
    reasons : tuple of Reason
        What speaks for the answer and against it, the most important first.
    warnings : tuple of str
        Why the row is unlike those of training: the answer is an extrapolation then.
    notes : tuple of str
        Which of its categories count as "other".
    flip_exact : bool
        Whether no smaller one of these does, or without a flip none at all; else none was found.
    limited : bool
        Whether only some inputs were allowed to change, or only within ranges.
    change : str
        Which changes count, see `explain`.
    user_limits : bool
        Whether the user said which inputs may change, or how far.
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
    changes: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    change: str = "likely"
    user_limits: bool = False

    def __post_init__(self) -> None:
        for name in ("row", "code", "distances", "contributions", "offsets", "decisive"):
            getattr(self, name).setflags(write=False)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return text_as_html("Explanation", self.text())

    def text(self, digits: int = 3, width: int = 100, verbose: bool = False) -> str:
        """Return the explanation as readable text.

        Parameters
        ----------
        digits : int, default=3
            Significant digits.
        width : int, default=100
            Longest line.
        verbose : bool, default=False
            Whether to add on which side of each hyperplane the row lies, how far away, and why.
        """
        for name, value in (("digits", digits), ("width", width)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
        return "\n".join(wrapped(line, width) for line in lines_of(self, digits, verbose))

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
            "reasons": [
                {"name": one.name, "value": one.value, "effect": one.effect, "text": one.text}
                for one in self.reasons
            ],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "changes": {name: list(pair) for name, pair in self.changes.items()},
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
    change : {"likely", "fewest", "any"}
        Which changes count. "likely": those in whole steps, to values that the table could have. Categories
        change as a whole to others that training has seen, integers by whole numbers, inputs of two values to
        the other one, dates by days; nothing leaves the range of the training rows but what `ranges` names.
        Small is the Euclidean distance in standard deviations, of a category that of its inputs. "fewest":
        the same, but first as few attributes as possible. "any": the smallest change of all, also to half a
        category, and to values that were never seen.

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
    >>> told = explain(both, {"left": 2, "right": 3})
    >>> print(told)
    The answer is 'yes'.
    Confidence 0.905: how clearly the row lies on its side of the border between the answers, at most 1.
    For it: right 3 and left 2.
    It would be 'no' if left were 0.99 instead of 2 (1 standard deviation away; no smaller change in
        whole steps does).
    >>> told.changes
    {'left': (2.0, 0.99)}
    >>> explain(both, [2, 3], features=["right"], ranges={"right": (1.5, None)}).flip is None
    True
    """
    from netlines.inspection.confidence import domain_confidence

    if change not in CHANGES:
        raise ValueError(f"change must be one of {listed(CHANGES)}, got {change!r}")
    network = network_of(model)
    # What is strange in the row is told by the explanation itself.
    given, known = as_row(network, x, missing=True, notices=[]), network.surroundings
    raw = raw_row(network, x)
    check_ranges(network, ranges)
    low, high = input_limits(network, ranges, None if change == "any" else (known.low, known.high))
    lacking = None
    if np.isnan(given).any():
        from netlines.inspection.missing.expected import expect

        lacking = expect(network, given, ranges, low, high)
    row = given if lacking is None else lacking.row
    held = set(held_inputs(network, row, every_gap=change != "any"))
    held.update(np.flatnonzero(np.isnan(given)).tolist())
    wanted = range(network.n_features) if features is None else feature_numbers(network, features)
    free = [i for i in wanted if i not in held]
    flip, exact = _search(network, row, free, low, high, ranges, change)
    told = None if flip is None else rounded_row(network, row, flip, low, high)
    slopes, offsets = standardised_weights(network)
    label = network.predict(row[None]).tolist()[0]
    probability = None
    if network.has_probability:
        probability = float(answered(network, row[None], "probability").max())
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
        changes={} if told is None else changes_of(network, row, told),
        reasons=reasons_of(network, row),
        warnings=row_warnings(network, given, raw),
        notes=row_notes(network, raw),
        change=change,
        user_limits=features is not None or bool(ranges),
    )


def _search(
    network: Any,
    row: NDArray,
    free: list[int],
    low: NDArray,
    high: NDArray,
    ranges: Mapping[Any, Any] | None,
    change: str,
) -> tuple[Flip | None, bool]:
    """Return the smallest change of those that count, and whether it is certainly that."""
    named = [input_number(network, which) for which in ranges or ()]
    names = input_names(network)
    for i in named:
        if not low[i] <= row[i] <= high[i]:
            span = f"{low[i]:g} to {high[i]:g}"
            raise ValueError(f"the value of {names[i]!r} must lie within its limits {span}, got {row[i]:g}")
    if change == "any":
        held = [i for i in range(len(row)) if i not in free]
        low[held] = high[held] = row[held]
        return search_other(network, row.view(InputRows), features=free, low=low, high=high)
    fewest = change == "fewest"
    return search_whole(network, row, free=free, low=low, high=high, given=named, fewest=fewest)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
