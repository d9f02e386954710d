"""Turns the points scores that were chosen into a network, or several in a sequence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from netlines._words import count
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.selection.candidate import Candidate
from netlines.selection.data import Data
from netlines.selection.fit import Fitted
from netlines.selection.judge import unjudged
from netlines.selection.points.build import margins_of
from netlines.selection.points.card import Card
from netlines.selection.points.sides import Side


def name_of(cards: Sequence[Card | None]) -> str:
    """Return what scores are called that decide together."""
    found = [card for card in cards if card is not None]
    points = sum(len(card.points) for card in found)
    if not found:
        return "no points score"
    if len(cards) > 1:
        return f"{len(cards)} points scores in sequence, {count(points, 'point')} in all"
    (card,) = found
    if len(card.cuts) > 1:
        return f"points score of {count(points, 'column')} with {len(card.cuts)} cuts"
    return f"points score of {count(points, 'column' if card.is_sum else 'condition')}"


def fitted_cards(
    cards: Sequence[Card | None], sides: list[Side], data: Data, results: dict | None, reason: str
) -> Fitted:
    """Return the network of the scores that were chosen."""
    origin, n = data.standardisation.frame.offset, data.rows.shape[1]
    networks = []
    for card, side in zip(cards, sides, strict=True):
        two = len(sides) == 1
        priors = data.priors if two else np.full(2, 0.5)
        more = {
            "priors": priors,
            "classes": data.classes if two else np.array([0, 1]),
            "feature_names": data.names,
        }
        networks.append(_network(card, side, data, n, origin, more))
    size = sum(0 if card is None else card.size for card in cards)
    network: Network | Networks = networks[0]
    if len(sides) > 1:
        labels = data.classes.tolist()
        parts = [
            Part((labels[side.positive],), tuple(labels[c] for c in side.negative), one)
            for side, one in zip(sides, networks, strict=True)
        ]
        tree = (tuple(range(len(parts))),)
        network = Networks("tree", data.classes, tuple(parts), tree, training_priors=data.priors)
    name = name_of(cards)
    if results is None:
        results = unjudged(Candidate(name, network.n_hidden, size, []))
    article = "a " if len(cards) == 1 and size else ""
    return Fitted(network, f"{name}: {reason}", results, size, what=f"{article}{name}")


def _network(
    card: Card | None, side: Side, data: Data, n: int, origin: NDArray | None, more: dict
) -> Network:
    """Return the network of a score, or without one a network that always answers the same."""
    priors = more.pop("priors")
    if card is None:
        problem = side.of(data, data.all)
        p = 0.5 if problem is None else min(max(problem.mean, 1e-6), 1.0 - 1e-6)
        z = np.log(p / (1.0 - p))
        hidden = np.zeros((1, n + 1))
        hidden[0, 0] = 1.0 if z >= 0 else -1.0
        line = Calibration(z, np.zeros(1), np.zeros(1), np.zeros(1), priors, priors)
        return Network(hidden, PASS_ON, calibration=line, origin=origin, **more)
    return card.network(n, margins_of(card, data.rows), origin, priors=priors, **more)
