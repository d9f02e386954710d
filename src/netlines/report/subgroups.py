"""The section of the report on groups of rows: where the model errs more often than elsewhere.

1. Groups are the values of categories, and quarters of the rows by a number; they have at least 20 rows.
2. The errors in a group are compared with those outside of it by Fisher's exact test.
3. As many groups are looked at, chances are corrected for their number, as Holm (1979) says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import fisher_exact

from netlines._words import count, joined
from netlines.inspection.attributes import told_name
from netlines.network.attributes import Attribute
from netlines.report.attribute_values import seen_values
from netlines.report.column_values import Seen
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import Cell, paragraph, table
from netlines.report.plain_table import one_line
from netlines.report.quality import with_interval

LEAST = 20  # rows of a group, and outside of it
MOST_ATTRIBUTES = 12
MOST_LINES = 12
FEW_VALUES = 5  # whole numbers, each of which is a group
CHANCE = 0.05


@dataclass(frozen=True)
class Group:
    """Rows that have something in common.

    Attributes
    ----------
    name : str
    rows, errors : int
        How many there are, and how many of them were answered wrongly.
    elsewhere : float
        The share of wrong answers outside of the group.
    chance : float
        How likely so large a difference is if there is none, corrected for the number of groups.
    """

    name: str
    rows: int
    errors: int
    elsewhere: float
    chance: float

    @property
    def lead(self) -> float:
        """By how much the group is answered wrongly more often than the others."""
        return self.errors / self.rows - self.elsewhere

    @property
    def differs(self) -> bool:
        """Whether the difference is hardly chance."""
        return self.chance < CHANCE


def subgroups(evidence: Evidence) -> str:
    """Return the groups of rows with the most errors out of fold; "" without folds or groups."""
    if not evidence.scores:
        return ""
    wrong = evidence.scores[OWN].answers != evidence.y
    found = find_groups(evidence.important[:MOST_ATTRIBUTES], evidence.X, wrong)
    if not found:
        return ""
    if not wrong.any():
        return paragraph("No row was answered wrongly by models that had not seen it: no group is worse.")
    worse, better = ([one for one in found if one.differs and sign * one.lead > 0] for sign in (1, -1))
    said = f"No group of at least {LEAST} rows is answered clearly worse than the others."
    if worse:
        names = joined([one_line(one.name, 60) for one in worse[:3]])
        more = f" ({len(worse) - 3} more)" if len(worse) > 3 else ""
        said = (
            f"Answered clearly worse than the other rows: {names}{more}. Take answers there with more care."
        )
    shown = found[:MOST_LINES]
    rows: list[list[Any]] = []
    for one in shown:
        flag = Cell("", mark=("no", "clearly worse") if one.lead > 0 else ("yes", "clearly better"))
        elsewhere = f"{100 * one.elsewhere:.1f} %"
        told = with_interval(one.errors, one.rows)
        rows.append([one.name, one.rows, one.errors, told, elsewhere, flag if one.differs else ""])
    left = len(found) - len(shown)
    notes = [
        f"{count(len(found), 'group')} of at least {LEAST} rows were looked at, by the values of the most "
        "important attributes; numbers were cut into four parts of about equally many rows.",
        f"The {MOST_LINES} with the most errors are shown." if left > 0 else "",
        f"{count(len(better), 'group is', 'groups are')} answered clearly better." if better and left else "",
        "“Clearly” is beyond what chance does in one of twenty such tables (Fisher's exact test, corrected "
        "for the number of groups). Errors are those of models that had not seen the row.",
    ]
    heads = ["group", "rows", "errors", "error (95 % interval)", "error elsewhere", ""]
    soft = paragraph(" ".join(filter(None, notes)), "soft")
    return "\n".join([paragraph(said), table(heads, rows), soft])


def find_groups(attributes: list[Attribute], X: NDArray, wrong: NDArray[np.bool_]) -> list[Group]:
    """Return the groups of rows by attributes, those with the highest share of wrong answers first.

    Parameters
    ----------
    attributes : by which rows are put together
    X : array of shape (n, N)
        Inputs.
    wrong : array of bool, shape (n,)
        Which rows were answered wrongly.
    """
    found: dict[bytes, tuple[str, NDArray[np.bool_]]] = {}
    for one in attributes:
        for name, own in groups_of(told_name(one), seen_values(one, X)):
            if LEAST <= own.sum() <= len(own) - LEAST:
                found.setdefault(own.tobytes(), (name, own))  # the same rows under another name are one group
    lines, total, n = [], int(wrong.sum()), len(wrong)
    for name, own in found.values():
        rows, errors = int(own.sum()), int(wrong[own].sum())
        cells = [[errors, rows - errors], [total - errors, n - rows - total + errors]]
        lines.append((name, rows, errors, (total - errors) / (n - rows), float(fisher_exact(cells)[1])))
    chances = _corrected([line[-1] for line in lines])
    groups = [Group(*line[:-1], chance) for line, chance in zip(lines, chances, strict=True)]
    return sorted(groups, key=lambda one: (-one.errors / one.rows, one.chance, one.name))


def groups_of(name: str, seen: Seen) -> list[tuple[str, NDArray[np.bool_]]]:
    """Return the groups that an attribute makes: their names, and which rows are in each.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.report.column_values import Seen
    >>> from netlines.report.subgroups import groups_of
    >>> ages = Seen("whole number", np.arange(20.0, 60.0), np.zeros(40, dtype=bool))
    >>> [(one, int(rows.sum())) for one, rows in groups_of("age", ages)]
    [('age up to 29', 10), ('age 30 to 39', 10), ('age 40 to 49', 10), ('age from 50 on', 10)]
    >>> often = Seen("number", np.repeat([0.0, 0.5, 2.0, 7.0], (7, 1, 1, 1)), np.zeros(10, dtype=bool))
    >>> [one for one, _ in groups_of("cost", often)]
    ['cost: 0', 'cost from 0.5 on']
    """
    there = ~seen.missing
    found = [(f"{name} is missing", seen.missing)] if seen.missing.any() else []
    if not there.any():
        return []
    if not seen.is_ordered:
        return [
            (f"{name}: {level}", there & (seen.values == k)) for k, level in enumerate(seen.levels)
        ] + found
    values = np.unique(seen.present)
    if len(values) <= FEW_VALUES and seen.kind == "whole number":
        return [
            (f"{name}: {seen.shown(one)}", there & (seen.values == one)) for one in values.tolist()
        ] + found
    cuts = np.unique(np.quantile(seen.present, (0.25, 0.5, 0.75), method="lower"))
    cuts = cuts[cuts < values[-1]]
    part = np.searchsorted(cuts, seen.values, side="left")
    if not len(cuts):
        return found
    parts = [there & (part == k) for k in range(len(cuts) + 1)]
    ends = [[seen.shown(float(end(seen.values[own]))) for end in (np.min, np.max)] for own in parts]
    least, first = ends[0]
    names = [f"{name} up to {first}" if least != first else f"{name}: {first}"]
    names += [f"{name} {low} to {high}" if low != high else f"{name}: {low}" for low, high in ends[1:-1]]
    names.append(f"{name} from {ends[-1][0]} on")
    return [*zip(names, parts, strict=True), *found]


def _corrected(chances: list[float]) -> list[float]:
    """Return chances corrected for their number, as Holm says."""
    order = np.argsort(chances, kind="stable")
    corrected, most = np.zeros(len(chances)), 0.0
    for rank, k in enumerate(order.tolist()):
        most = max(most, min((len(chances) - rank) * chances[k], 1.0))
        corrected[k] = most
    return corrected.tolist()
