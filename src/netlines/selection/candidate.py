"""Something to choose."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Candidate:
    """Something to choose: its name and size, and the probabilities it gives to what it has not seen.

    `held_out` has one array (n, C) a fold, the probabilities of the fold's test examples, the largest that of
    the answer. It is empty if nobody asked. `fidelity` tells how often a network agrees with its teacher.
    `role` is "single" of units, "network" of networks, and "reference" of the large model that networks learn
    from, which is no choice.
    """

    name: str
    n_hidden: int | None
    n_weights: int | None
    held_out: list[NDArray]
    fidelity: float | None = None
    role: str = field(default="single", kw_only=True)

    @property
    def temperature(self) -> float | None:
        """T₊ of units of the temperature path."""
        return None

    @property
    def theta(self) -> float | None:
        """T₋/T₊ of units of the temperature path."""
        return None
