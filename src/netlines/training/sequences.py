"""Learning sequences: the order in which the networks of a tree take the classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from netlines.training.separability import Separability


def easiest_first(separability: Separability, first: Sequence[int] = ()) -> tuple[int, ...]:
    """Return a sequence that begins with given classes and goes on with the easiest of what remains."""
    order = list(first)
    rest = [code for code in range(separability.n_classes) if code not in order]
    while rest:
        order.append(separability.ranked(rest)[0])
        rest.remove(order[-1])
    return tuple(order)


def vote_orders(
    separability: Separability, n_trees: int, random: np.random.RandomState
) -> list[tuple[int, ...]]:
    """Return sequences that begin with every class about equally often, see `TreeVoteClassifier`."""
    n_classes = separability.n_classes
    orders: list[tuple[int, ...]] = []
    for order in _different_orders(separability, random):
        orders.append(order)
        if len(orders) == min(n_trees, factorial(n_classes)):
            break
    return [orders[k % len(orders)] for k in range(n_trees)]


def _different_orders(separability: Separability, random: np.random.RandomState) -> Iterator[tuple[int, ...]]:
    """Yield all sequences of the classes, in rounds in which each class comes first once."""
    n_classes = separability.n_classes
    firsts = separability.ranked(range(n_classes))
    seen = set()
    for place in range(n_classes - 1):  # of the second class among the easiest ones
        for first in firsts:
            rest = separability.ranked([code for code in range(n_classes) if code != first])
            order = easiest_first(separability, [first, rest[place]])
            seen.add(order)
            yield order
    if n_classes > 6:  # too many to list, and too many for the same to be drawn often
        while True:
            for first in firsts:
                order = (first, *random.permutation([code for code in range(n_classes) if code != first]))
                if order not in seen:
                    seen.add(order)
                    yield order
    left = [order for order in permutations(range(n_classes)) if order not in seen]
    random.shuffle(left)
    by_first = [[order for order in left if order[0] == first] for first in firsts]
    for round_ in zip(*by_first, strict=True):
        yield from round_


def separable_order(X: NDArray, codes: NDArray, weights: NDArray) -> tuple[int, ...]:
    """Return the sequence of the classes, by their numbers, that takes the easiest of what remains first."""
    return easiest_first(Separability(X, codes, weights, int(codes.max()) + 1))
