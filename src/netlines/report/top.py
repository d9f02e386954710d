"""What stands on top of the report: the verdict, and few figures that say where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from netlines._words import count, percent
from netlines.export.facts import Facts
from netlines.network.protocol import AnyNetwork
from netlines.network.shares import counted, wilson
from netlines.network.verdict import CHOSEN_ANEW, CHOSEN_BY, Verdict, verdict_of_facts
from netlines.report.evidence import OWN, Evidence
from netlines.report.html import paragraph

NOT_MEASURED = "not measured"
AT_THE_FIT = "These figures are from the fit of the model: this report did not measure them anew."


def known_of(facts: Facts | None) -> dict[str, Any]:
    """Return what a model file knows of errors on new rows, as its verdict says it.

    A file without a verdict, of an older version, still has errors of folds, or of the chosen candidate.

    Examples
    --------
    >>> from netlines.export.facts import Facts
    >>> from netlines.report.top import known_of
    >>> old = Facts("0.1.0", 200, 0, 0, "", {"netlines": [0.08, 0.12]})
    >>> known_of(old)["error"], known_of(old)["how"]
    (0.1, 'measured in 2 folds, all chosen anew in each')
    """
    if facts is None or "error" in facts.verdict:
        return {} if facts is None else dict(facts.verdict)
    errors = facts.cross_validated_errors.get(OWN)
    chosen = [one["error"] for one in facts.candidates if one.get("chosen") and one.get("error") is not None]
    if errors:
        error, how = float(np.mean(errors)), CHOSEN_ANEW.format(folds=len(errors))
    elif chosen:
        error, how = float(np.mean(chosen)), CHOSEN_BY
    else:
        return dict(facts.verdict)
    low, high = wilson(error * facts.rows, facts.rows)
    return {**facts.verdict, "error": error, "low": low, "high": high, "how": how}


def error_on_new_rows(evidence: Evidence) -> Mapping[str, Any]:
    """Return `error`, `low`, `high` and `how` of what is known of new rows; empty if nothing is.

    Never from answers to rows that the model was trained on.
    """
    error = None if evidence.verdict is None else evidence.verdict.error
    if evidence.verdict is not None and error is not None:
        return {"error": error.value, "low": error.low, "high": error.high, "how": evidence.verdict.how}
    return evidence.known if "error" in evidence.known else {}


def sentences(evidence: Evidence) -> list[str]:
    """Return what to think of the model, the most important first."""
    verdict, known = evidence.verdict, evidence.known
    if verdict is not None and verdict.error is not None:
        return list(verdict.sentences)
    if "error" not in known:
        return [] if verdict is None else list(verdict.sentences)
    return [*_told(verdict, known), AT_THE_FIT]


def known_sentences(network: AnyNetwork, facts: Facts | None) -> list[str]:
    """Return what a model file says of its model; nothing if it does not know how often that errs."""
    known = known_of(facts)
    if facts is None or "error" not in known:
        return []
    about = verdict_of_facts(facts.verdict, network, facts.rows, "balanced")
    return _told(about, known)


def _told(verdict: Verdict | None, known: Mapping[str, Any]) -> list[str]:
    told = list(known.get("sentences", ()))
    if not told and verdict is not None:
        what = verdict.what[:1].upper() + verdict.what[1:]
        told = [f"{what}: errs on {percent(known['error'])} of new rows ({_interval(known)})."]
    return told


def verdict_box(evidence: Evidence) -> str:
    """Return the verdict as HTML."""
    kind = "verdict" if error_on_new_rows(evidence) else "verdict unknown"
    told = "".join(map(paragraph, sentences(evidence)))
    return f'<div class="{kind}" role="note" aria-label="Verdict">{told}</div>'


def tiles(evidence: Evidence) -> list[tuple[str, ...]]:
    """Return the figures below the verdict, each with what it is and how it came about."""
    n, present = len(evidence.y), len(set(evidence.y.tolist()))
    rows = f"{'row' if n == 1 else 'rows'} of {count(present, 'class', 'classes')}"
    gaps = lacking(evidence) or "no value is missing"
    return [_error_tile(evidence), _guess_tile(evidence), _size_tile(evidence), (f"{n:,}", rows, gaps)]


def lacking(evidence: Evidence) -> str:
    """Say how many rows lack values, and whether the figures of the page count them; "" of none."""
    n = len(evidence.incomplete)
    if not n:
        return ""
    if np.isin(evidence.incomplete_numbers, evidence.numbers).any():
        return f"{n:,} of them {'lacks' if n == 1 else 'lack'} values"
    return f"{count(n, 'more row lacks', 'more rows lack')} values"


def _error_tile(evidence: Evidence) -> tuple[str, ...]:
    found = error_on_new_rows(evidence)
    if not found:
        return (NOT_MEASURED, "error on new rows", "the rows it was trained on cannot tell")
    return (percent(found["error"]), "of new rows answered wrongly", _interval(found))


def _interval(found: Mapping[str, Any]) -> str:
    ends = f"95 % interval {100 * found['low']:.1f} to {100 * found['high']:.1f} %"
    return f"{ends}, {found['how']}" if found.get("how") else ends


def _guess_tile(evidence: Evidence) -> tuple[str, ...]:
    labels, sizes = np.unique(evidence.y, return_counts=True)
    if not len(labels):
        return (NOT_MEASURED, "error of guessing")
    share = counted(int(len(evidence.y) - sizes.max()), len(evidence.y))
    guess = labels.tolist()[int(sizes.argmax())]
    return (percent(share.value), f"if always answered “{guess}”", "what a model has to beat")


def _size_tile(evidence: Evidence) -> tuple[str, ...]:
    network = evidence.network
    units = "one weighted sum" if network.n_hidden == 1 else count(network.n_hidden, "hyperplane")
    zeros = "" if network.n_nonzero == network.n_weights else f", {network.n_nonzero:,} not 0"
    return (f"{network.n_weights:,}", f"weights in {units}{zeros}", fold_sizes(evidence))


def fold_sizes(evidence: Evidence) -> str:
    """Say how large the models of the folds were, that the error on new rows is of; "" without folds."""
    if not evidence.scores:
        return ""
    low, high = min(evidence.scores[OWN].sizes), max(evidence.scores[OWN].sizes)
    spread = f"{low:,} to {high:,} weights" if low < high else f"{count(low, 'weight')} each"
    return f"the models of the folds had {spread}"
