"""What the command line says of classes: their shares, their weights and their names."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from netlines._words import listed
from netlines.network.protocol import AnyNetwork
from netlines.tables.target import canonical

QUOTES = "an entry whose label has a comma stands in quotes"


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Return the pairs of LABEL=VALUE,LABEL=VALUE,...; an entry with a comma stands in quotes.

    Examples
    --------
    >>> from netlines.cli.labels import pairs_of
    >>> pairs_of('well=0.7, "a,b=0.1"')
    [('well', '0.7'), ('a,b', '0.1')]
    """
    cells = next(csv.reader([text], skipinitialspace=True), [])
    parts = [cell.rpartition("=") for cell in cells]
    return [(label.strip(), value.strip()) for label, _, value in parts]


def read_numbers_of_classes(text: str, labels: Sequence[Any]) -> list[float] | None:
    """Return the numbers of LABEL=NUMBER,... in the order of the labels; None if it is not that.

    Examples
    --------
    >>> from netlines.cli.labels import read_numbers_of_classes
    >>> read_numbers_of_classes('well=0.7, ill=0.2, "a,b=0.1"', ["a,b", "ill", "well"])
    [0.1, 0.2, 0.7]
    >>> read_numbers_of_classes("well=1", ["ill", "well"])
    """
    pairs, known = pairs_of(text), [canonical(label) for label in labels]
    try:
        found = {canonical(label): float(number) for label, number in pairs}
    except ValueError:
        return None
    same = len(pairs) == len(known) and found.keys() == set(known)
    return [found[label] for label in known] if same else None


def with_priors(network: AnyNetwork, text: str, path: Path) -> AnyNetwork:
    """Return the network that expects the shares LABEL=SHARE,LABEL=SHARE."""
    if not network.has_probability:
        raise ValueError(
            f"--priors {text} needs probabilities, which {path} does not have: `netlines fit` gives them to "
            "models without --error-free"
        )
    labels = network.classes.tolist()
    shares = read_numbers_of_classes(text, labels)
    if shares is None:
        expected = ",".join(f"{label}=SHARE" for label in labels)
        raise ValueError(f"--priors {text}: expected {expected}, with a number for each class; {QUOTES}")
    try:
        return network.with_priors(shares)
    except ValueError as error:
        raise ValueError(f"--priors {text}: {error}") from error


def read_weights(text: str, labels: Sequence[Any]) -> str | dict[Any, float]:
    """Return "balanced", or the weights LABEL=WEIGHT,LABEL=WEIGHT of all classes."""
    if text == "balanced":
        return text
    weights = read_numbers_of_classes(text, labels)
    if weights is None or not all(0 < weight < 1e9 for weight in weights):
        expected = ",".join(f"{label}=WEIGHT" for label in labels)
        each = "with a positive number for each class"
        raise ValueError(f"--class-weight {text}: expected balanced, or {expected} {each}; {QUOTES}")
    return dict(zip(labels, weights, strict=True))


def read_labels_option(text: str) -> dict[str, str]:
    """Return what classes are called, VALUE=NAME,VALUE=NAME, by their texts in the table."""
    pairs = pairs_of(text)
    names = [name for _, name in pairs]
    if not pairs or not all(value and name for value, name in pairs) or len(dict(pairs)) < len(pairs):
        raise ValueError(f"--labels {text}: expected VALUE=NAME,VALUE=NAME, each value once; {QUOTES}")
    if len(set(names)) < len(names):
        raise ValueError(f"--labels {text}: two classes would have one name among {listed(names)}")
    return dict(pairs)
