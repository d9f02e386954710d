"""What the user decided about columns: to leave them out, or to take them as numbers, categories or dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from netlines._words import listed


@dataclass(frozen=True)
class Choices:
    """Names of columns that the user has decided about.

    Attributes
    ----------
    drop, only, categorical, numeric, date : tuple of str
        Those to leave out; the only ones to take, if there are any; those that are categories, numbers or
        dates whatever they look like.
    by_type : bool
        Whether what the table itself declares as categories are some.
    gaps : {"auto", "integrate", "error"}
        What missing values become: an input of their own; nothing, as what they were is integrated out; or
        an error.
    options : dict from str to str
        How the user calls these decisions, for messages: by options of the command line, or by parameters.
    """

    drop: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    by_type: bool = True
    gaps: str = "auto"
    options: dict[str, str] = field(default_factory=dict)

    def option(self, name: str) -> str:
        """Return how the user calls a decision."""
        return self.options.get(name, f"--{name}")

    def forced(self, name: str) -> str | None:
        """Return what a column is to be taken for, "categorical", "numeric" or "date"; None if it is open."""
        found = [kind for kind in ("categorical", "numeric", "date") if name in getattr(self, kind)]
        if len(found) > 1:
            both = " and ".join(map(self.option, found))
            raise ValueError(f"column {name!r} is in {both}: allowed is one of them")
        return found[0] if found else None

    def check(self, names: Sequence[str]) -> None:
        """Raise an error that names a column which is not there."""
        for one in fields(self)[:5]:
            strange = [name for name in getattr(self, one.name) if name not in names]
            if strange:
                known = f"the columns are {listed(names)}"
                raise ValueError(f"{self.option(one.name)}: there is no column {listed(strange)}; {known}")


def column_names(given: Any, names: Sequence[str], parameter: str) -> tuple[str, ...]:
    """Return the columns that a parameter names: by names, numbers or a mask; one may stand alone.

    Examples
    --------
    >>> from netlines.tables.choices import column_names
    >>> names = ("age", "sex", "dose")
    >>> column_names("sex", names, "drop"), column_names([0, -1], names, "drop")
    (('sex',), ('age', 'dose'))
    >>> column_names([False, True, False], names, "drop")
    ('sex',)
    """
    if given is None:
        return ()
    if isinstance(given, str | int | np.integer) and not isinstance(given, bool):
        given = [given]
    entries = list(given) if isinstance(given, Iterable) else [given]
    if entries and all(isinstance(one, bool | np.bool_) for one in entries):
        if len(entries) != len(names):
            raise ValueError(f"{parameter} is a mask of {len(entries)} entries, X has {len(names)} columns")
        return tuple(name for name, wanted in zip(names, entries, strict=True) if wanted)
    found = []
    for one in entries:
        if isinstance(one, str) and one in names:
            found.append(one)
        elif (
            isinstance(one, int | np.integer)
            and not isinstance(one, bool)
            and -len(names) <= one < len(names)
        ):
            found.append(names[int(one)])
        else:
            raise ValueError(
                f"{parameter} names {one!r}; allowed are names of columns ({listed(names)}), their numbers "
                f"from 0 to {len(names) - 1}, or a mask"
            )
    return tuple(dict.fromkeys(found))
