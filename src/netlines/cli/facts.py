"""What `netlines fit` remembers of a fit in the model file's metadata: the choice and the comparison."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

TEXTS = ("role", "candidate", "scheme")


@dataclass(frozen=True)
class Facts:
    """How a model came about.

    Parameters
    ----------
    netlines : str
        The version that fitted it.
    rows, training_errors : int
        Number of training rows, and of those that the model gets wrong.
    seed : int
        What decided everything random.
    stop_reason : str
        Why training ended.
    cross_validated_errors, parameters : dict from method to list
        The error and the number of parameters in each fold; empty without a cross-validation.
    chosen : str or None
        What was chosen and why, if there was a choice.
    candidates : list of dict
        What it was chosen of: see `netlines.cli.candidates`.
    options : dict
        What the user asked for.
    """

    netlines: str
    rows: int
    seed: int
    training_errors: int
    stop_reason: str
    cross_validated_errors: dict[str, list[float]]
    parameters: dict[str, list[int]] = field(default_factory=dict)
    chosen: str | None = None
    candidates: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the facts as a plain JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Facts:
        """Read what `to_json` gave, or gave before there was a choice; anything else is a `ValueError`."""
        if not isinstance(value, dict):
            raise ValueError(
                f"the model file is damaged: its metadata 'fit' must be an object, got {value!r}"
            )
        try:
            facts = cls(**{one.name: value[one.name] for one in fields(cls) if one.name in value})
        except TypeError as error:
            raise ValueError(f"the model file is damaged: its metadata 'fit': {error}") from error
        checks = {
            "rows": _is_count(facts.rows) and facts.rows > 0,
            "training_errors": _is_count(facts.training_errors),
            "stop_reason": isinstance(facts.stop_reason, str),
            "cross_validated_errors": _folds(facts.cross_validated_errors) is not None,
            "parameters": not facts.parameters
            or _folds(facts.parameters) == _folds(facts.cross_validated_errors),
            "chosen": facts.chosen is None or isinstance(facts.chosen, str),
            "candidates": isinstance(facts.candidates, list) and all(map(_is_candidate, facts.candidates)),
        }
        for name, holds in checks.items():
            if not holds:
                raise ValueError(
                    f"the model file is damaged: its metadata 'fit' has {name} {value.get(name)!r}"
                )
        return facts


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _folds(by_method: Any) -> dict[str, int] | None:
    """Return the number of folds of each method; None if these are not numbers in the same folds."""
    if not isinstance(by_method, dict):
        return None
    for numbers in by_method.values():
        if not isinstance(numbers, list) or len(numbers) < 2 or {*map(type, numbers)} - {int, float}:
            return None
    folds = {name: len(numbers) for name, numbers in by_method.items()}
    return folds if len(set(folds.values())) <= 1 else None


def _is_candidate(one: Any) -> bool:
    """Tell whether a candidate has texts for its name, and numbers or nothing for the rest."""
    return isinstance(one, dict) and all(
        isinstance(value, str) if name in TEXTS else value is None or type(value) in (int, float, bool)
        for name, value in one.items()
    )
