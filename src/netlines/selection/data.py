"""What is learnt: the patterns of a table, standardised and not, their examples, and the folds that judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame
from netlines.network.weights import fold, stretch
from netlines.selection.folds import Examples, Fold
from netlines.training.patterns import Patterns


@dataclass(frozen=True, eq=False)
class Standardisation:
    """From the user's units to standardised ones: means and scales of the columns inside their frame."""

    mean: NDArray
    scale: NDArray
    frame: Frame

    @classmethod
    def of(cls, patterns: Patterns) -> Standardisation:
        """Return that of a training set."""
        return cls(patterns.mean, patterns.scale, patterns.frame)

    def standardised(self, rows: NDArray) -> NDArray:
        """Return rows in the user's units as patterns (M, n), the constant input first."""
        return np.vstack([np.ones(len(rows)), ((self.frame.inside(rows) - self.mean) / self.scale).T])

    def folded(self, weights: NDArray) -> tuple[NDArray, NDArray]:
        """Return weights (H, M) in the user's units, and what multiplies weighted sums by that, (H,)."""
        inside = fold(weights, self.mean, self.scale)
        outside, factor = self.frame.outside(inside)
        return outside, factor * stretch(weights, self.mean, self.scale)


@dataclass(frozen=True, eq=False)
class Data:
    """What a teacher is fitted to.

    `rows` (P, N) are the distinct patterns in the user's units, `X` (M, P) the same standardised, `all`
    every example, `folds` how to judge; `classes` the labels of the classes, `names` those of the columns.
    """

    rows: NDArray
    X: NDArray
    standardisation: Standardisation
    all: Examples
    folds: Sequence[Fold]
    classes: NDArray
    names: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        X: NDArray,
        classes: NDArray,
        names: Sequence[str] | None = None,
        folds: Sequence[Fold] = (),
    ) -> Data:
        """Put together the patterns of rows X with their folds."""
        rows = np.asarray(X[patterns.first], dtype=float)
        standardisation = Standardisation.of(patterns)
        names = None if names is None else tuple(names)
        return cls(rows, patterns.X, standardisation, Examples.of(patterns.counts), folds, classes, names)

    def first(self, n: int) -> Data:
        """Return the first n patterns, which are in no particular order, with their folds."""

        def within(examples: Examples) -> Examples:
            return examples.where(examples.pattern < n)

        folds = [Fold(within(fold.train), within(fold.test)) for fold in self.folds]
        own = {"rows": self.rows[:n], "X": self.X[:, :n], "all": within(self.all), "folds": folds}
        return replace(self, **own)  # type: ignore[arg-type]

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return len(self.classes)

    @property
    def priors(self) -> NDArray:
        """The classes' shares of the weight of all examples."""
        return self.all.priors(self.n_classes)

    def labels(self, examples: Examples) -> NDArray:
        """Return the labels of examples, as the user gave them."""
        return np.asarray(self.classes[examples.labels])
