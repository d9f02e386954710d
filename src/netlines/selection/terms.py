"""What the user of `NetLinesClassifierCV` wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from netlines.selection.stages import Stage, Stages
from netlines.selection.students import sizes_up_to
from netlines.training.cases import Cases
from netlines.training.threads import in_order

MOST = Cases(two=None, more=128)  # hidden units that are tried for accuracy; None: as many as always


@dataclass(frozen=True, eq=False)
class Terms:
    """How to choose.

    Attributes
    ----------
    prefer, teacher, cv, scoring : the parameters of `NetLinesClassifierCV`
    max_hidden : the largest size, None for the usual one
    only_shared : whether units in pairs or a tree are no candidates
    seed : decides everything random
    n_threads : how many work at the same time
    report : called with each stage when it begins
    """

    prefer: str = "balanced"
    max_hidden: int | None = None
    seed: int = 0
    teacher: Any = "auto"
    cv: Any = 5
    scoring: Any = None
    only_shared: bool = False
    n_threads: int = 1
    report: Callable[[Stage], Any] = lambda stage: None

    def sizes(self, n_classes: int) -> list[int]:
        """Return the numbers of hidden units to try."""
        sizes = list(sizes_up_to(self.max_hidden, n_classes))
        most = MOST.of(n_classes) if self.prefer == "accurate" and self.max_hidden is None else None
        return sizes if most is None else list(sizes_up_to(max(most, sizes[-1]), n_classes))

    @property
    def run(self) -> Callable:
        """A `map` of so many threads, with the same order of results."""
        return partial(in_order, n_threads=self.n_threads)

    @cached_property
    def stages(self) -> Stages:
        """What tells of the stages."""
        return Stages(self.report)
