"""Two classes or more: where the two cases really differ, what each of them has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Cases(Generic[T]):
    """Tuned numbers, or functions, that are not the same for two classes and for more."""

    two: T
    more: T

    def of(self, n_classes: int) -> T:
        """Return those for this number of classes."""
        return self.two if n_classes == 2 else self.more
