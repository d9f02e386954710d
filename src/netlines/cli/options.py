"""What the options of the commands may be, and which of them go together."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import Any

import typer

from netlines.export.kinds import LARGEST_COUNT


class Prefer(StrEnum):
    """What to prefer where errors hardly differ."""

    READABLE = "readable"
    SMALL = "small"
    BALANCED = "balanced"
    ACCURATE = "accurate"


class Criterion(StrEnum):
    """What decides between candidates."""

    CV = "cv"
    MDL = "mdl"


class Missing(StrEnum):
    """What to do with missing values."""

    AUTO = "auto"
    INTEGRATE = "integrate"
    ERROR = "error"


class Change(StrEnum):
    """Which changes count for the nearest other answer."""

    LIKELY = "likely"
    FEWEST = "fewest"
    ANY = "any"


class Scheme(StrEnum):
    """How more than two classes are told apart."""

    AUTO = "auto"
    SHARED = "shared"
    PAIRS = "pairs"
    VOTE = "vote"
    TREE = "tree"
    WTA = "wta"


def count_or_fraction(text: str) -> int | float:
    """Read a count such as 3 or a fraction such as 0.05."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    raise typer.BadParameter(f"{text!r} is neither a count such as 3 nor a fraction such as 0.05.")


def check_folds(folds: int) -> None:
    """Refuse a number of folds that are none."""
    if folds < 0 or folds == 1:
        raise ValueError(f"--folds must be 0 or at least 2, got {folds}")


def check_jobs(jobs: int | None) -> None:
    """Refuse a number of workers that are none."""
    if jobs == 0:
        raise ValueError("--jobs 0 has no workers; allowed are numbers from 1 on, or -1 for all cores")


def fit_options(
    error_free: bool,
    prefer: Prefer | None,
    criterion: Criterion | None,
    max_hidden: int | None,
    max_errors: float | None,
) -> dict[str, Any]:
    """Return the parameters of the estimator, without options that would have no effect."""
    if max_hidden is not None and max_hidden < 1:
        raise ValueError(f"--max-hidden {max_hidden} leaves no hyperplane; allowed are numbers from 1 on")
    for name, number in {"--max-hidden": max_hidden, "--max-errors": max_errors}.items():
        if number is not None and number > LARGEST_COUNT:
            raise ValueError(f"{name} {number} is too large; allowed are numbers up to {LARGEST_COUNT}")
    if error_free:
        for name, value in {"--prefer": prefer, "--criterion": criterion}.items():
            if value is not None:
                raise ValueError(f"{name} {value} has no meaning with --error-free, which chooses nothing")
        return {"max_hidden": max_hidden, "max_errors": 0 if max_errors is None else max_errors}
    if max_errors is not None:
        raise ValueError(f"--max-errors {max_errors} needs --error-free: without it errors are not counted")
    if criterion == Criterion.MDL and prefer is not None:
        raise ValueError(f"--prefer {prefer} has no meaning with --criterion mdl")
    return {
        "max_hidden": max_hidden,
        "prefer": (prefer or Prefer.BALANCED).value,
        "criterion": (criterion or Criterion.CV).value,
    }
