"""What matters of a choice: the models that were tried, in plain names, and those of them to show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

BEST = 5  # that are shown beside the chosen one

# Settings of the training in names: for `--verbose`.
_SETTINGS = re.compile(r",? (at )?(T|θ|ridge) ?=? ?[\w.+-]+| \(cold [^)]*\)")
_ONE, _PAIRS = "one class after the other", "one for each pair of classes"
_PLAIN = {
    "hyperplane (logistic regression)": "logistic regression",
    "hyperplane": "one weighted sum",
    "single hyperplane": "one weighted sum",
    "pruned hyperplane": "one weighted sum of few weights",
    "tree of hyperplanes": f"weighted sums, {_ONE}",
    "pairs of hyperplanes": f"weighted sums, {_PAIRS}",
    "tree of hyperplanes, logistic regression": f"logistic regressions, {_ONE}",
    "pairs of hyperplanes, logistic regression": f"logistic regressions, {_PAIRS}",
    "pairs of hyperplanes, multinomial logistic regression": "multinomial logistic regression",
    "tree of logistic regressions": f"logistic regressions, {_ONE}",
    "pairs of logistic regressions": f"logistic regressions, {_PAIRS}",
}


def plain_name(candidate: str) -> str:
    """Return what a candidate is called in plain words: as what, not by which setting it was trained.

    Examples
    --------
    >>> from netlines.cli.candidates import plain_name
    >>> plain_name("distilled network of 4 units"), plain_name("pairs of units, T = 0.5, θ = inf")
    ('network of 4 hyperplanes', 'weighted sums, one for each pair of classes')
    """
    name = _SETTINGS.sub("", candidate).removeprefix("teacher: ").removeprefix("distilled ")
    name = re.sub(r"\bunit(s?)\b", r"hyperplane\1", name)
    return _PLAIN.get(name, name)


ROLES = {"single": "unit", "reference": "teacher", "network": "network"}  # in a model file


def shortened(results: Mapping[str, NDArray]) -> list[dict[str, Any]]:
    """Return `cv_results_` as a model file keeps them: one dict of plain values for each candidate.

    Its `role` comes first: chosen, teacher, unit or network; what is not known is None. A single candidate
    was not chosen: none is returned.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.cli.candidates import shortened
    >>> results = {"candidate": ["hot unit", "teacher: forest", "network of 2 units"]}
    >>> results |= {"error": [0.2, 0.1, 0.1], "n_hidden": [1, np.nan, 2], "chosen": [False, False, True]}
    >>> for one in shortened({name: np.array(column) for name, column in results.items()}):
    ...     print(one["role"], "-", one["candidate"])
    unit - hot unit
    teacher - forest
    chosen - network of 2 units
    """
    if len(results.get("chosen", ())) < 2:
        return []
    entries = []
    for i in range(len(results["chosen"])):
        entry = {name: _plain(column[i]) for name, column in results.items() if name != "role"}
        size = entry["n_hidden"]
        told = str(results["role"][i]) if "role" in results else ""
        role = ROLES.get(told, "teacher" if size is None else "unit" if size == 1 else "network")
        name = entry["candidate"].removeprefix("teacher: ")
        entries.append({"role": "chosen" if entry["chosen"] else role, **entry, "candidate": name})
    return entries


def best_of(candidates: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the best candidates that could have been chosen, by error, and the chosen one.

    Of those of one name and size, which were trained by other settings, the best is returned. Descriptions
    are compared by their bits.
    """
    seen: dict[Any, Mapping[str, Any]] = {}
    for one in sorted(candidates, key=_rank):
        if one.get("role") != "teacher":
            same = plain_name(one.get("candidate", "")), one.get("n_weights")
            worse = same in seen and _rank(one)[:2] > _rank(seen[same])[:2]
            if same not in seen or (one.get("chosen") and not worse):
                seen[same] = one
            elif one.get("chosen"):
                seen[*same, "chosen"] = one
    best = list(seen.values())
    return [*best[:BEST], *(one for one in best[BEST:] if one.get("chosen"))]


def _rank(one: Mapping[str, Any]) -> tuple[float, ...]:
    """Return what candidates are ordered by: the error, or the bits, then the size and the log-loss."""
    values = (one.get(name) for name in ("error", "bits", "n_weights", "log_loss"))
    return tuple(inf if value is None else value for value in values)


def _plain(value: Any) -> Any:
    value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
