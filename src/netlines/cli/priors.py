"""How the shares of the classes are read from the command line."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from netlines.network.protocol import AnyNetwork


def read_shares(text: str, labels: Sequence[str]) -> list[float] | None:
    """Return the shares of LABEL=SHARE,LABEL=SHARE,... in the order of the labels; None if it is not that.

    They come in any order. An entry whose label has a comma stands in quotes.

    Examples
    --------
    >>> from netlines.cli.priors import read_shares
    >>> read_shares('well=0.7, ill=0.2, "a,b=0.1"', ["a,b", "ill", "well"])
    [0.1, 0.2, 0.7]
    >>> read_shares("well=1", ["ill", "well"])
    """
    cells = [cell.rpartition("=") for cell in next(csv.reader([text], skipinitialspace=True), [])]
    try:
        shares = {label.strip(): float(share) for label, _, share in cells}
    except ValueError:
        return None
    same = len(cells) == len(labels) and shares.keys() == set(labels)
    return [shares[label] for label in labels] if same else None


def with_priors(network: AnyNetwork, text: str, path: Path) -> AnyNetwork:
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
        raise ValueError(
            f"--priors {text}: expected {expected}, with a number for each class; an entry whose label has a "
            "comma stands in quotes"
        )
    try:
        return network.with_priors(shares)
    except ValueError as error:
        raise ValueError(f"--priors {text}: {error}") from error
