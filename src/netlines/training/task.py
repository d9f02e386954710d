"""What a network has to learn, and a network in training."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from netlines.network.frame import Frame
from netlines.training.cases import Cases
from netlines.training.geometry import Geometry
from netlines.training.outputs import ArgmaxOutput, Output, SignOutput
from netlines.training.patterns import Patterns

ALONE = np.array([0.0, 1.0])  # the output weights of a unit alone, which answers the class itself
KINDS = Cases[type[SignOutput | ArgmaxOutput]](two=SignOutput, more=ArgmaxOutput)
Kind = TypeVar("Kind", bound=Output)


@dataclass(frozen=True, eq=False)
class Task(Geometry, Generic[Kind]):
    """Patterns on which answers differ in what they cost, and what each answer costs.

    `unavoidable` is the weight of the errors that any function of the inputs makes.
    """

    answers: Kind
    unavoidable: float = 0.0

    @classmethod
    def of(
        cls, patterns: Patterns, rows: NDArray, kind: type[SignOutput | ArgmaxOutput] | None = None
    ) -> Task[Any]:
        """Keep the patterns of a table on which answers differ in what they cost.

        Two classes have one output and more an output each, unless a `kind` is given.
        """
        answers = (kind or KINDS.of(patterns.counts.shape[1])).of(patterns)
        lead = answers.weights > 0
        X = patterns.X if lead.all() else np.ascontiguousarray(patterns.X[:, lead])
        rows, answers = patterns.frame.inside(rows[patterns.first[lead]]), answers.some(lead)
        return Task(X, rows, patterns.mean, patterns.scale, patterns.frame, answers, patterns.unavoidable)

    @classmethod
    def standardised(cls, X: NDArray, answers: Kind) -> Task[Kind]:
        """Take patterns (M, P) that are standardised already."""
        n = len(X) - 1
        return Task(X, X[1:].T, np.zeros(n), np.ones(n), Frame.plain(n), answers)

    def layer(self, hidden: NDArray, output: NDArray, origin: str, **more: Any) -> Layer:
        """Return the network of these weights, over standardised inputs."""
        codes = self.codes(hidden)
        return Layer(hidden, output, codes, self.answers.errors(codes, output), origin, **more)

    @property
    def weights(self) -> NDArray:
        """What a wrong answer costs at least on each pattern, shape (P,)."""
        return self.answers.weights

    @property
    def least(self) -> float:
        """By how much errors have to fall at least: the smallest weight of a pattern."""
        return float(self.weights.min() * (1 - 1e-9))


@dataclass(frozen=True, eq=False)
class Layer:
    """A network in training, over standardised inputs.

    Attributes
    ----------
    hidden : array (H, M)
        Hidden weights over standardised inputs, rows of norm 1.
    output : array (H + 1,) or (C, H + 1)
        Output weights, bias first.
    codes : array (P, H) of int8
        The states of the hidden units.
    errors : float
        Weight of the errors.
    origin : str
        How the network was found.
    unit_errors, beta : float or None
        Errors of the newest hidden unit on its own targets, and 1/T₊ when it was found.
    cost : float
        The soft cost at the end of a joint annealing.
    epochs, updates : int
        What finding the network took.
    folded : array (H, N + 1) or None
        The hidden weights inside the frame where they are more exact than `hidden` folded.
    """

    hidden: NDArray
    output: NDArray
    codes: NDArray
    errors: float
    origin: str
    unit_errors: float | None = None
    beta: float | None = None
    cost: float = np.inf
    epochs: int = 0
    updates: int = 0
    folded: NDArray | None = None

    def weights_in(self, task: Geometry) -> NDArray:
        """Return the hidden weights inside the frame: as they were made, or folded."""
        return task.fold(self.hidden) if self.folded is None else self.folded

    def user_weights(self, task: Geometry) -> NDArray:
        """Return the hidden weights in the user's units, about the origin of the frame."""
        return task.frame.outside(self.weights_in(task))[0]

    def after(self, tried: Iterable[Layer], epochs: int = 0, updates: int = 0) -> Layer:
        """Return the same network with the effort of everything that was tried for it."""
        for one in tried:
            epochs, updates = epochs + one.epochs, updates + one.updates
        return replace(self, epochs=epochs, updates=updates)
