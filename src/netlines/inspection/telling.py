"""The words of an explanation: the answer, how sure, the reasons, the nearest other answer, and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from netlines._words import enough_digits, joined, number_text, percent
from netlines.inspection.attributes import told_name, value_text
from netlines.network.attributes import Attribute

if TYPE_CHECKING:
    from netlines.inspection.explanation import Explanation

MOST_REASONS = 5  # attributes that are named on each side
MOST_CHANGED = 6  # attributes of the nearest other answer that are named
MOST_PUSHING = 4  # attributes that are named for each hyperplane
MOST_EXPECTED = 6  # unknown ones whose expected values are told
ROUNDING = 32 * np.finfo(float).eps  # smaller distances, in parts of what they are made of, are none
WORTH = 0.1  # by how much confidence and probability differ if it is worth a word


def lines_of(told: Explanation, digits: int, verbose: bool) -> Iterator[str]:
    """Yield the lines of the text, each to be wrapped."""
    yield from _first_lines(told, digits)
    for warning in told.warnings:
        yield f"Caution: {warning}; the answer is an extrapolation."
    for note in told.notes:
        yield f"Note: {note}."
    yield from _reason_lines(told)
    if verbose:
        yield from _hyperplane_lines(told, digits)
    yield change_text(told, digits=digits)


def change_text(told: Explanation, most: int = MOST_CHANGED, digits: int = 3) -> str:
    """Say in a sentence what would change the answer, the largest changes first.

    Parameters
    ----------
    told : Explanation
    most : int
        How many attributes are named.
    digits : int
        Significant digits, at least.

    Examples
    --------
    >>> from netlines.inspection.explanation import explain
    >>> from netlines.inspection.telling import change_text
    >>> from netlines.network.network import PASS_ON, Network
    >>> warm = Network([[-20.0, 1.0]], PASS_ON, ["cold", "warm"], feature_names=("degrees",))
    >>> print(change_text(explain(warm, [23.5], change="any")).partition(" (")[0])
    It would be 'cold' if degrees were 19.99 instead of 23.5
    """
    flip = told.flip
    if flip is None:
        return _without_flip(told)
    label, pairs = repr(flip.label), list(told.changes.items())
    if flip.norm <= ROUNDING + 2 * (np.spacing(np.abs(told.row)) / told.scale).max() or not pairs:
        moved = [told.names[i] for i in np.flatnonzero(flip.change).tolist()]
        names = moved[:most] + [f"{len(moved) - most} more"] * (len(moved) > most)
        return f"It is on the border: the smallest step of {joined(names)} makes it {label}."
    words = [_pair_text(told, name, pair, digits, k == 0) for k, (name, pair) in enumerate(pairs[:most])]
    if len(pairs) > most:
        left = len(pairs) - most
        words.append(f"{left} more {'was' if left == 1 else 'were'} changed by less")
    norm = number_text(flip.norm, digits)
    away = f"{norm} standard deviation{'' if norm == '1' else 's'} away"
    return f"It would be {label} if {joined(words)} ({away}{_how_sure(told)})."


def _how_sure(told: Explanation) -> str:
    if not told.flip_exact:
        return ", the smallest change found"
    within = " within these limits" if told.user_limits else ""
    if told.change == "fewest":
        return f"; fewer attributes cannot do it{within}, and as many not by less"
    return f"; no smaller change{' in whole steps' if told.change == 'likely' else ''}{within} does"


def _without_flip(told: Explanation) -> str:
    kind = "" if told.change == "any" else " in whole steps"
    within = " within these limits" if told.user_limits else ""
    if told.limited and not within:
        within = " within the range of the training rows"
    if told.flip_exact:
        return f"No change{kind}{within} gives another answer."
    return f"No change{kind}{within} was found that gives another answer."


def _pair_text(told: Explanation, name: str, pair: tuple[Any, Any], digits: int, first: bool) -> str:
    before, after = _two_texts(told, name, *pair, digits) if _are_floats(*pair) else map(_shown, pair)
    return f"{name} {'were ' if first else ''}{after} instead of {before}"


def _are_floats(*pair: Any) -> bool:
    return all(isinstance(one, float) for one in pair)


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)


def _two_texts(told: Explanation, name: str, before: float, after: float, digits: int) -> tuple[str, str]:
    """Write two numbers, the second with all digits if it was rounded, and the first with as many."""
    whole = f"{after:.12g}"
    if float(whole) == after and "e" not in whole:
        places = len(whole.partition(".")[2])
        first = f"{before:.{places}f}"
        first = first.rstrip("0").rstrip(".") if places else first
        return (first, whole) if first != whole else (f"{before:.12g}", whole)
    one = next((one for one in told.attributes if told_name(one) == name), None)
    spread = 1.0 if one is None else float(told.scale[one.inputs[0]])
    for more in range(enough_digits(before, spread, digits), 18):
        texts = number_text(before, more), number_text(after, more)
        if texts[0] != texts[1]:
            break
    return texts


def _first_lines(told: Explanation, digits: int) -> Iterator[str]:
    """Yield the answer and how sure it is; of a row that lacks values first what it can be."""
    if told.possible is None or told.probability is None:
        share = "" if told.probability is None else f", with a probability of {_percent(told.probability)}"
        yield f"The answer is {told.label!r}{share}."
        yield from _confidence_line(told, digits)
        return
    yield f"missing: {', '.join(told.missing)}"
    yield str(told.possible)
    if not told.possible.certain:
        share = percent(told.probability, 0)
        yield f"most probable, given the other values: {told.label} ({share})"
    unknown = [
        one
        for one in told.attributes
        if {one.name, told_name(one), *(told.names[i] for i in one.inputs)} & set(told.missing)
    ]
    values = [_told(told, one, digits) for one in unknown[:MOST_EXPECTED]]
    values += [f"{len(unknown) - len(values)} more"] if len(unknown) > len(values) else []
    # Inputs of a row that has parts of categories have other names than what is missing.
    expected = f", {joined(values)}" if values else ""
    sure = f"confidence {told.confidence:.{digits}g}"
    yield f"with what is expected{expected}, the answer is {told.completed_label!r} ({sure})"


def _confidence_line(told: Explanation, digits: int) -> Iterator[str]:
    """Yield what the confidence means, if it says anything that the probability does not."""
    number = f"Confidence {told.confidence:.{digits}g}"
    if told.probability is None:
        yield f"{number}: how clearly the row lies on its side of the border between the answers, at most 1."
    elif told.confidence - told.probability >= WORTH:
        yield (
            f"{number}: the row lies clearly on its side of the border between the answers, but rows there "
            "are not always what they seem, as the probability says."
        )
    elif told.probability - told.confidence >= WORTH:
        yield (
            f"{number}: the row lies close to the border between the answers, closer than its probability "
            "makes it seem."
        )


def _percent(share: float) -> str:
    """Write a probability: with more digits where it is nearly certain, and never as certain."""
    if share >= 0.9995:
        return "more than 99.9 %"
    return percent(share, 1 if share > 0.99 else 0)


def _reason_lines(told: Explanation) -> Iterator[str]:
    """Yield what speaks for the answer and what against it, the most important first."""
    for head, sign in (("For it", 1), ("Against it", -1)):
        own = [one.text for one in told.reasons if one.effect * sign > 0]
        named = own[:MOST_REASONS] + [f"{len(own) - MOST_REASONS} more"] * (len(own) > MOST_REASONS)
        if named:
            yield f"{head}: {joined(named)}."


def _hyperplane_lines(told: Explanation, digits: int) -> Iterator[str]:
    """Yield on which side of each hyperplane the row lies, how far away, and what pushes it there."""
    for k, distance in enumerate(told.distances.tolist()):
        decisive = ", decisive" if told.decisive[k] else ""
        if np.isinf(distance):
            yield f"unit {k + 1} is {told.code[k]:+.0f} everywhere{decisive}"
            continue
        sign = "+" if told.code[k] > 0 else "-"
        away = f"{abs(distance):.{digits}g} from" if abs(distance) > _rounding(told, k) else "on"
        yield f"unit {k + 1} is {sign}1, {away} its hyperplane{decisive}: {_pushing(told, k, digits)}"


def _rounding(told: Explanation, k: int) -> float:
    """Return up to which distance from a hyperplane a row is on it, but for rounding."""
    parts = np.abs(told.contributions[k]).sum() + abs(told.offsets[k])
    return float(ROUNDING * (1 + parts)) if np.isfinite(parts) else 0.0


def _pushing(told: Explanation, k: int, digits: int) -> str:
    """Name the attributes that push most to either side of a hyperplane, and what the mean row has."""
    parts = told.attribute_contributions[k]
    order = np.argsort(-np.abs(parts), kind="stable")[:MOST_PUSHING].tolist()
    named = [
        f"{_told(told, told.attributes[i], digits)} ({parts[i]:+.{digits}g})" for i in order if parts[i] != 0
    ]
    left = np.count_nonzero(parts) - len(named)
    rest = told.distances[k] - told.offsets[k] - parts[order].sum()
    named += [f"{left} more ({rest:+.{digits}g})"] if left else []
    return ", ".join([*named, f"the mean row {told.offsets[k]:+.{digits}g}"])


def _told(told: Explanation, one: Attribute, digits: int) -> str:
    """Write the value of an attribute, its name before it."""
    return f"{told_name(one)} {value_text(one, told.row, told.scale, digits)}"
