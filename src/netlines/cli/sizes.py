"""Sizes of a model: what it would be if something else were preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netlines.classifiers.netlines_cv import NetLinesClassifierCV
from netlines.network.verdict import Verdict

SIZES = ("readable", "balanced", "accurate")


def sizes_beside(classifier: Any) -> list[str]:
    """Return what else could be preferred to what a classifier prefers; nothing if it does not choose."""
    if not isinstance(classifier, NetLinesClassifierCV) or classifier.criterion == "mdl":
        return []
    return [prefer for prefer in SIZES if prefer != classifier.prefer]


def described_sizes(classifiers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what each size is, given fitted classifiers by what they prefer.

    Each is a dict of `prefer`, `what`, `error`, `low` and `high` in the folds that chose it, `n_weights`,
    and the `formula` of the readable one.
    """
    order = [*SIZES, *(prefer for prefer in classifiers if prefer not in SIZES)]
    return [_size(prefer, classifiers[prefer]) for prefer in order if prefer in classifiers]


def advised(prefer: str, sizes: Sequence[Mapping[str, Any]]) -> str:
    """Return what advice is given to: "accurate" if preferring that would give the same model.

    Examples
    --------
    >>> from netlines.cli.sizes import advised
    >>> own, other = ({"prefer": one, "n_weights": 9, "error": 0.1} for one in ("balanced", "accurate"))
    >>> advised("balanced", [own, other]), advised("balanced", [own, {**other, "n_weights": 41}])
    ('accurate', 'balanced')
    """
    own, most = (
        next(((one.get("n_weights"), one.get("error")) for one in sizes if one.get("prefer") == name), None)
        for name in (prefer, "accurate")
    )
    return "accurate" if own is not None and own == most else prefer


def _size(prefer: str, classifier: Any) -> dict[str, Any]:
    verdict: Verdict = classifier.verdict_
    error = verdict.error
    figures = {} if error is None else {"error": error.value, "low": error.low, "high": error.high}
    about = {"prefer": prefer, "what": verdict.what, "n_weights": int(classifier.n_weights_), **figures}
    if prefer == "readable":
        formula = classifier.as_points().formula
        about["formula"] = (
            f"{classifier.classes_[1]} if {formula}" if len(classifier.classes_) == 2 else formula
        )
    return about
