"""What the user of `NetLinesClassifierCV` wants, what was chosen for it, and the folds that decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from netlines.network.network import Network
from netlines.network.networks import Networks
from netlines.selection.choice import Terms
from netlines.selection.folds import Examples, Fold


@dataclass(frozen=True, eq=False)
class Wishes:
    """The parameters of `NetLinesClassifierCV`, `terms` the usual ones."""

    terms: Terms
    teacher: Any
    cv: Any
    scoring: Any
    only_shared: bool = False


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was chosen, as networks in the user's units, and all that is known about the choice."""

    network: Network | Networks
    choice: Any
    results: dict[str, NDArray]
    teacher: Any = None


def wanted_folds(
    wishes: Wishes,
    X: NDArray,
    y: NDArray,
    deal: Callable[[int], list[Fold]],
    turn: Callable[[Iterable], list[Fold]],
) -> list[Fold]:
    """Return the folds that the user wants; none if the rows are too few to hold some out.

    Parameters
    ----------
    wishes : what the user wants
    X, y : rows and labels
    deal : makes a number of folds
    turn : makes folds of splits of the rows
    """
    cv = wishes.cv
    if cv is None or isinstance(cv, Integral):
        folds = deal(5 if cv is None else int(cv))
        return folds if all(_several(fold.train) for fold in folds) else []
    folds = turn(check_cv(cv, y, classifier=True).split(X, y))
    lacking = [k for k, fold in enumerate(folds) if not _several(fold.train)]
    if lacking or not folds:
        what = f"fold {lacking[0]} (counted from 0) trains on one class only" if lacking else "no folds"
        raise ValueError(f"cv={cv!r}: {what}; allowed are folds with rows of several classes")
    return folds


def _several(examples: Examples) -> bool:
    return len(np.unique(examples.labels)) > 1
