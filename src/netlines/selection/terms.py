"""What the user of `NetLinesClassifierCV` wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from netlines.selection.sizes import most_hidden
from netlines.selection.stages import Stage, Stages
from netlines.training.threads import in_order


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

    def most_hidden(self, n_inputs: int, n_classes: int) -> int:
        """Return the most hidden units that are tried."""
        return self.max_hidden or most_hidden(self.prefer, n_inputs, n_classes)

    @property
    def run(self) -> Callable:
        """A `map` of so many threads, with the same order of results."""
        return partial(in_order, n_threads=self.n_threads)

    @cached_property
    def stages(self) -> Stages:
        """What tells of the stages."""
        return Stages(self.report)
