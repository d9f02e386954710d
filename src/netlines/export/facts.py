"""What `netlines fit` remembers of a fit in the model file's metadata: the choice and the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any

from netlines.export.kinds import (
    LARGEST_COUNT,
    LARGEST_FACT,
    MOST_CLASSES,
    Damage,
    Kind,
    check,
    check_facts,
    check_text,
    short,
)

TEXTS = ("role", "candidate", "scheme")

_WHERE = "metadata['fit']"


def _count(least: int = 0, most: float = LARGEST_COUNT, null: bool = False) -> Kind:
    return Kind(item="integer", least=least, most=most, null=null)


_NUMBER = Kind(null=True, least=-LARGEST_FACT, most=LARGEST_FACT)
FACTS = {
    "netlines": Kind(item="text"),
    "rows": _count(1),
    "seed": _count(most=2**32 - 1),
    "training_errors": _count(),
    "stop_reason": Kind(item="prose"),
    "cross_validated_errors": Kind(item="object"),
    "parameters": Kind(item="object"),
    "chosen": Kind(item="prose", null=True),
    "candidates": Kind("*", "object", long=1_000_000),
    "options": Kind(item="object"),
    "verdict": Kind(item="object"),
    "source": Kind(item="object"),
    "sizes": Kind("*", "object", long=10),
}
FOLDS = {
    "cross_validated_errors": Kind("*", least=0, most=1, long=LARGEST_COUNT),
    "parameters": Kind("*", least=0, most=LARGEST_COUNT, long=LARGEST_COUNT),
}
CANDIDATE = {
    **dict.fromkeys(TEXTS, Kind(item="text")),
    **dict.fromkeys(("error", "error_se", "log_loss", "log_loss_se", "training_error", "fidelity"), _NUMBER),
    **dict.fromkeys(("bits", "n_hidden", "n_weights"), _NUMBER),
    "chosen": Kind(item="flag"),
}
_SHARE = Kind(least=0, most=1)
VERDICT = {
    "sentences": Kind("*", "prose", long=100),
    **dict.fromkeys(("how", "what"), Kind(item="prose")),
    "logistic": Kind(item="flag"),
    "remarks": Kind("*", "prose", long=100),
    **dict.fromkeys(("error", "low", "high"), _SHARE),
    "errors": Kind("*", least=0, most=1, long=100),  # of it and of the others of the closing check
}
SIZE = {
    **dict.fromkeys(("prefer", "what", "formula"), Kind(item="prose")),
    **dict.fromkeys(("error", "low", "high"), _SHARE),
    "n_weights": _count(),
}
SOURCE = dict.fromkeys(("file", "sha256", "date", "command"), Kind(item="prose"))
OPTIONS = {  # what `netlines fit` can be asked for: the parameters of its classifiers, and two of its own
    "error_free": Kind(item="flag"),
    "folds": _count(),
    "max_hidden": _count(1, null=True),
    "max_errors": Kind(least=0, most=LARGEST_COUNT),
    "prefer": Kind(item="choice", choices=("readable", "small", "balanced", "accurate")),
    "criterion": Kind(item="choice", choices=("cv", "mdl")),
    "multiclass": Kind(item="choice", choices=("shared", "pairs", "vote", "tree", "wta")),
    "class_weight": Kind(item="choice", choices=("balanced",)),
    "class_weights": Kind("*", least=1e-9, most=1e9, long=MOST_CLASSES),  # in the order of the classes
}
_CHOOSING, _COUNTING = ("prefer", "criterion"), ("max_errors",)  # without and with error_free


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
    verdict : dict
        What to think of the model: `sentences`, and the `error` on new rows with the ends `low` and `high` of
        its 95 % interval, measured as `how` says; empty if nobody judged it.
    source : dict
        The `file` it was fitted to and the `sha256` of its bytes, the `date` and the `command`.
    sizes : list of dict
        What it would be if something else were preferred: see `netlines.cli.sizes`.
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
    verdict: dict[str, Any] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)
    sizes: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the facts as a plain JSON value."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Facts:
        """Read what `to_json` gave, or gave before there was a choice; anything else is a `Damage`."""
        if not isinstance(value, dict):
            raise Damage(f"{_WHERE} must be an object, got {short(value)}")
        needed = [one.name for one in fields(cls) if one.default is one.default_factory is MISSING]
        lacking = [name for name in needed if name not in value]
        if lacking:
            raise Damage(f"{_WHERE}: these entries are missing: {', '.join(lacking)}")
        facts = cls(**{one.name: value[one.name] for one in fields(cls) if one.name in value})
        for name, kind in FACTS.items():
            check(f"{_WHERE}[{name!r}]", getattr(facts, name), kind, {})
        check(f"{_WHERE}['training_errors']", facts.training_errors, _count(most=facts.rows), {})
        _check_options(facts.options)
        check_facts(f"{_WHERE}['verdict']", facts.verdict, VERDICT)
        check_facts(f"{_WHERE}['source']", facts.source, SOURCE)
        for k, candidate in enumerate(facts.candidates):
            check_facts(f"{_WHERE}['candidates'][{k}]", candidate, CANDIDATE)
        for k, size in enumerate(facts.sizes):
            check_facts(f"{_WHERE}['sizes'][{k}]", size, SIZE)
        for name, kind in FOLDS.items():
            _check_folds(name, getattr(facts, name), kind)
        sizes, errors = _folds(facts.parameters), _folds(facts.cross_validated_errors)
        if len(set(errors.values())) > 1 or sizes not in ({}, errors):
            raise Damage(f"{_WHERE} must have as many folds of each method, got {short(errors)}")
        return facts


def _check_options(options: Mapping[str, Any]) -> None:
    """Raise a `Damage` if these are not options that `netlines fit` takes together."""
    where, free = f"{_WHERE}['options']", options.get("error_free") is True
    known = [name for name in OPTIONS if name not in (_CHOOSING if free else _COUNTING)]
    for name, value in options.items():
        if name not in known:
            raise Damage(f"{where} may have the entries {', '.join(known)}, got {short(name)}")
        check(f"{where}[{name!r}]", value, OPTIONS[name], {})
    fraction = options.get("max_errors")
    if isinstance(fraction, float) and fraction > 1:
        raise Damage(f"{where}['max_errors'] must be a count or a fraction up to 1, got {fraction!r}")


def _check_folds(name: str, by_method: Mapping[str, Any], kind: Kind) -> None:
    for method, numbers in by_method.items():
        check_text(f"the names in {_WHERE}[{name!r}]", method)
        check(f"{_WHERE}[{name!r}][{method!r}]", numbers, kind, {})
        if len(numbers) < 2:
            raise Damage(f"{_WHERE}[{name!r}][{method!r}] must be of 2 folds or more, got {short(numbers)}")


def _folds(by_method: Mapping[str, list[Any]]) -> dict[str, int]:
    """Return the number of folds of each method."""
    return {name: len(numbers) for name, numbers in by_method.items()}
