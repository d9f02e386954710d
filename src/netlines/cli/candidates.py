"""What matters of a choice: the candidate that was chosen, and those it was chosen against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def shortened(results: Mapping[str, NDArray]) -> list[dict[str, Any]]:
    """Return of `cv_results_` the chosen one, the best single unit, the teacher and the networks.

    Each is a dict of plain values with its `role` first; what is not known is None. The results of the
    criterion "mdl" are few: all of them are kept. A single candidate was not chosen: none is returned.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.cli.candidates import shortened
    >>> results = {"candidate": ["hot unit", "cold unit", "forest", "network of 2 units"]}
    >>> results |= {"error": [0.2, 0.3, 0.1, 0.1], "log_loss": [0.5, 0.6, 0.4, 0.4]}
    >>> results |= {"n_hidden": [1, 1, np.nan, 2], "chosen": [False, False, False, True]}
    >>> for one in shortened({name: np.array(column) for name, column in results.items()}):
    ...     print(one["role"], "-", one["candidate"])
    best unit - hot unit
    teacher - forest
    chosen - network of 2 units
    """
    if len(results.get("chosen", ())) < 2:
        return []
    n_hidden, chosen = results["n_hidden"], results["chosen"]
    roles = dict.fromkeys(range(len(chosen)), "")
    if "error" in results:
        units = np.flatnonzero(n_hidden == 1)
        best = sorted(units, key=lambda i: (results["error"][i], results["log_loss"][i]))[:1]
        teachers, networks = np.flatnonzero(np.isnan(n_hidden)), np.flatnonzero(n_hidden > 1)
        roles = {
            **dict.fromkeys(map(int, best), "best unit"),
            **dict.fromkeys(teachers, "teacher"),
            **dict.fromkeys(networks, "network"),
        }
    roles[int(np.argmax(chosen))] = "chosen"
    entries = []
    for i, role in sorted(roles.items()):
        known = {name: _plain(column[i]) for name, column in results.items()}
        entries.append({"role": role, **{name: known[name] for name in known if name != "role"}})
    return entries


def _plain(value: Any) -> Any:
    value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
