"""How the shares of the classes are read from the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from netlines.network.network import Network
from netlines.network.networks import Networks


def read_shares(text: str, labels: Sequence[str]) -> list[float] | None:
    """Return the shares of LABEL=SHARE,LABEL=SHARE,... in the order of the labels; None if it is not that.

    Labels may have commas and equals signs in them, and come in any order.

    Examples
    --------
    >>> from netlines.cli.priors import read_shares
    >>> read_shares("well=0.7, ill=0.2, a,b=0.1", ["a,b", "ill", "well"])
    [0.1, 0.2, 0.7]
    >>> read_shares("well=1", ["ill", "well"])
    """
    found = _read(text, frozenset(labels))
    return None if found is None else [found[label] for label in labels]


def _read(text: str, labels: frozenset[str]) -> dict[str, float] | None:
    """Return the share of each label, whichever comes first; one label may begin like another."""
    for label in sorted(labels):
        first = re.match(rf"\s*{re.escape(label)}\s*=([^,=]+)(,|$)", text)
        share = None if first is None else _number(first[1])
        if first is None or share is None:
            continue
        rest = labels - {label}
        if (first[2] == ",") != bool(rest):
            continue
        others = _read(text[first.end() :], rest) if rest else {}
        if others is not None:
            return {label: share, **others}
    return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def with_priors(network: Network | Networks, text: str, path: Path) -> Network | Networks:
    """Return the network that expects the shares LABEL=SHARE,LABEL=SHARE."""
    if not network.has_probability:
        raise ValueError(
            f"--priors {text} needs probabilities, which {path} does not have: `netlines fit` gives them to "
            "models without --error-free"
        )
    labels = [str(label) for label in network.classes.tolist()]
    shares = read_shares(text, labels)
    if shares is None:
        expected = ",".join(f"{label}=SHARE" for label in labels)
        numbers = "two numbers" if len(labels) == 2 else "a number for each class"
        raise ValueError(f"--priors {text}: expected {expected}, with {numbers}")
    try:
        return network.with_priors(shares)
    except ValueError as error:
        raise ValueError(f"--priors {text}: {error}") from error
