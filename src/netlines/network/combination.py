"""How the answers of several two-class networks become one of many classes: trees, votes, pairs.

numpy only, so that whatever reads networks can combine them. Columns are classes, rows are patterns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

EDGE = 1e-9  # the least part of the largest score by which the answer's score leads


def first_positive(says: NDArray) -> NDArray:
    """Return the position in the learning sequence of each answer of a tree, shape (n,).

    Parameters
    ----------
    says : array (n, C - 1) of bool
        Which networks of the sequence answer +1. The first that does decides; the last class if none does.
    """
    certain = np.hstack([says, np.ones((len(says), 1), dtype=bool)])
    return np.asarray(certain.argmax(axis=1))


def path_margins(margins: NDArray) -> NDArray:
    """Return the smallest margin on the path to each class of a tree, shape (n, C).

    Parameters
    ----------
    margins : array (n, C - 1)
        At least 0 where a network of the sequence answers +1. On the path to class i the networks before i
        answer -1 and network i answers +1; a margin against the path counts negative.
    """
    against = np.minimum.accumulate(-margins, axis=1)
    unbounded = np.full((len(margins), 1), np.inf)
    return np.minimum(np.hstack([unbounded, against]), np.hstack([margins, unbounded]))


def path_probabilities(p: NDArray) -> NDArray:
    """Return the probability of the path to each class of a tree, shape (n, C).

    Parameters
    ----------
    p : array (n, C - 1)
        Probabilities that the networks of the sequence give to +1.
    """
    one = np.ones((len(p), 1))
    return np.hstack([one, np.cumprod(1.0 - p, axis=1)]) * np.hstack([p, one])


def by_class(values: NDArray, order: Sequence[int] | NDArray) -> NDArray:
    """Return columns in the order of a learning sequence as columns in the order of the classes."""
    result = np.empty_like(values)
    result[:, np.asarray(order)] = values
    return result


def count_votes(answers: NDArray, n_classes: int) -> NDArray:
    """Return how often each class is among the answers (n, T), shape (n, C)."""
    return np.asarray((answers[:, :, None] == np.arange(n_classes)).sum(axis=1, dtype=float))


def pair_probabilities(p: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int) -> NDArray:
    """Return what each class gets from its pairs with the others, shape (n, C), rows with the sum 1.

    Parameters
    ----------
    p : array (n, number of pairs)
        Probability of the first class of each pair against the second.
    pairs : sequence of (first, second)
        Numbers of the classes; every pair once.
    n_classes : int
    """
    total = np.zeros((len(p), n_classes))
    for k, (first, second) in enumerate(pairs):
        total[:, first] += p[:, k]
        total[:, second] += 1.0 - p[:, k]
    return total / len(pairs)


def pair_answers(wins: NDArray, shares: NDArray, pairs: Sequence[tuple[int, int]]) -> NDArray:
    """Return the class that wins all its pairs, or else the one with the largest share, shape (n,).

    So that networks without errors make none together.

    Parameters
    ----------
    wins : array (n, number of pairs) of bool
        Whether the first class of each pair wins.
    shares : array (n, C)
        What `pair_probabilities` returns.
    pairs : as there
    """
    won = np.zeros(shares.shape, dtype=int)
    for k, (first, second) in enumerate(pairs):
        won[:, first] += wins[:, k]
        won[:, second] += ~wins[:, k]
    champion = won == shares.shape[1] - 1
    return np.where(champion.any(axis=1), champion.argmax(axis=1), shares.argmax(axis=1))


def coupled_probabilities(p: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int) -> NDArray:
    """Return the probabilities of the classes, shape (n, C), that fit those of the pairs.

    If the probabilities r of the pairs are those of the classes themselves, r = p₁/(p₁ + p₂), a class has
    p = 1/(Σ 1/r - (C - 2)), the sum over its pairs (Price, Knerr, Personnaz and Dreyfus, 1995); else this is
    a compromise. The parameters are those of `pair_probabilities`.
    """
    p = np.clip(p, 1e-9, 1.0 - 1e-9)  # else the other terms of a sum would be lost
    inverse = np.full((len(p), n_classes), 2.0 - n_classes)
    for k, (first, second) in enumerate(pairs):
        inverse[:, first] += 1.0 / p[:, k]
        inverse[:, second] += 1.0 / (1.0 - p[:, k])
    result = 1.0 / inverse
    return np.asarray(result / result.sum(axis=1, keepdims=True))


def agreeing_scores(scores: NDArray, answers: NDArray) -> NDArray:
    """Return scores (n, C) whose largest is that of the answer: where it is another, it is put next above.

    So that the class with the largest probability or decision is always the one that is predicted.
    """
    rows = np.arange(len(scores))
    others = scores.copy()
    others[rows, answers] = -np.inf
    best = others.max(axis=1)
    scores = scores.copy()
    scores[rows, answers] = np.maximum(scores[rows, answers], best + EDGE * np.maximum(np.abs(best), EDGE))
    return scores


def agreeing_margins(margins: NDArray, says: NDArray) -> NDArray:
    """Return margins that are positive exactly where the answer is +1: where they are not, next to 0.

    A classifier may answer by something else than the sign of its margin, and 0 may mean either answer.
    """
    right = np.where(says, margins > 0, margins < 0)
    return np.where(right, margins, np.where(says, EDGE, -EDGE))


def settle(votes: NDArray, confidence: NDArray, order: Sequence[int] | NDArray) -> NDArray:
    """Return the class of each row with the most votes, shape (n,).

    Parameters
    ----------
    votes : array (n, C)
    confidence : array (n, C)
        Decides between classes with equally many votes.
    order : sequence of the C classes
        The first in it is the answer if that is equal too.
    """
    order = np.asarray(order)
    votes, confidence = votes[:, order], confidence[:, order]
    candidates = votes == votes.max(axis=1, keepdims=True)
    return np.asarray(order[np.where(candidates, confidence, -np.inf).argmax(axis=1)])
