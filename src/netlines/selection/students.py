"""Small networks of binary neurons that learn what a teacher says, or labels.

Two classes have one output, more one a class; `teaching` trains them, `sizes` finds how large they must be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.network import sign
from netlines.network.probability import most_probable
from netlines.selection.course import Lessons
from netlines.training.geometry import unit_rows


@dataclass(frozen=True, eq=False)
class Student:
    """A small network over standardised inputs: hidden rows (H, M) of norm 1, output weights (K, H + 1).

    Of two classes it has K = 1 output, of more one a class. `excess` is what its answers to fresh points cost
    beyond its teacher's, as an error: the mean lead of the answers that it does not share; `fidelity` is the
    plain share of those that it does.
    """

    hidden: NDArray
    output: NDArray
    epochs: int = 0
    excess: float = np.nan
    fidelity: float = np.nan

    def codes(self, X: NDArray) -> NDArray:
        """Return the states ±1 of the hidden units for patterns (M, n), shape (H, n)."""
        return sign(self.hidden @ X)

    def answers(self, X: NDArray) -> NDArray:
        """Return the numbers of the classes for patterns (M, n)."""
        return most_probable((self.output[:, :1] + self.output[:, 1:] @ self.codes(X)).T)

    def fields(self, X: NDArray) -> NDArray:
        """Return the weighted sums of the hidden units for patterns (M, n), shape (n, H)."""
        return (self.hidden @ X).T

    def record(self, X: NDArray, labels: NDArray, weights: NDArray) -> dict[str, Any]:
        """Return a record for the trace of a growth, with the errors on these patterns."""
        errors = float(weights[self.answers(X) != labels].sum())
        return {
            "n_hidden": self.size,
            "origin": "distilled",
            "unit_errors": None,
            "errors": errors,
            "temperature": None,
            "epochs": self.epochs,
        }

    def examined(self, exam: Lessons) -> Student:
        """Return the student with how it did in an exam."""
        alike = self.answers(exam.X) == exam.labels
        return replace(
            self, excess=float((exam.share * exam.lead)[~alike].sum()), fidelity=float(alike.mean())
        )

    @property
    def size(self) -> int:
        """Number of hidden units."""
        return len(self.hidden)

    @property
    def passes_on(self) -> bool:
        """Whether it is a single unit, of which the output only passes on the state."""
        return self.size == len(self.output) == 1

    @property
    def name(self) -> str:
        """What to call it."""
        return name_of(self.size)

    @property
    def n_weights(self) -> int:
        """Number of weights as the paper counts them."""
        return self.hidden.size + (0 if self.passes_on else self.output.size)


def name_of(size: int) -> str:
    """Return what a student of a size is called."""
    return f"network of {count(size, 'hyperplane')}"


def hardened(hidden: NDArray, output: NDArray, passes: int = 0) -> Student:
    """Return the network of signs at infinite gain; of one unit the output only passes on the state."""
    if len(hidden) == len(output) == 1:
        bias, weight = output[0]
        hidden = sign(weight) * hidden if abs(weight) > abs(bias) else sign(bias) * np.eye(1, hidden.shape[1])
        output = np.array([[0.0, 1.0]])
    return Student(unit_rows(hidden), output, passes)
