"""The schemes by which two-class networks decide together: trees, votes, the largest, all pairs.

numpy only. Of each network come its margins, at least 0 where it answers +1, and its chances of +1, at least
one half there. Columns are classes, rows are patterns. First what each scheme says, then how it is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import most_probable

EDGE = 1e-9  # the least part of the largest score by which the answer's score leads
TIE = 0.999  # what a chance of 1 adds to the votes: less than one vote


Made = NDArray | Callable[[], NDArray]


class Combined:
    """What networks say together of n rows.

    Attributes
    ----------
    answers : array (n,)
        The numbers of the classes.
    scores : array (n, C)
        The largest is that of the answer.
    chances : array (n, C)
        With the sum 1, the largest not always that of the answer.

    Scores and chances that are given as functions are made when they are asked for.
    """

    def __init__(self, answers: NDArray, scores: Made, chances: Made) -> None:
        self.answers, self._scores, self._chances = answers, scores, chances

    @property
    def scores(self) -> NDArray:
        """See above."""
        return self._scores() if callable(self._scores) else self._scores

    @property
    def chances(self) -> NDArray:
        """See above."""
        return self._chances() if callable(self._chances) else self._chances


def walk_tree(margins: NDArray, p: NDArray, order: NDArray) -> Combined:
    """Return what a tree says: the first network that answers +1 decides, the last class if none does.

    The scores are the smallest margins on the paths, the chances the products along them.

    Parameters
    ----------
    margins, p : arrays (n, C - 1), in the order of the learning sequence
    order : array (C,), the learning sequence as numbers of classes
    """
    says = margins >= 0
    return Combined(
        order[first_positive(says)],
        lambda: by_class(path_margins(agreeing_margins(margins, says)), order),
        by_class(path_probabilities(p), order),
    )


def hold_vote(trees: Sequence[Combined], order: NDArray, *, confidence: bool) -> Combined:
    """Return what trees say by a vote; a single one keeps what it says.

    The chances are their means. The class of most trees wins, among equals the one with the largest chance;
    the scores are the numbers of votes plus 0.999 times the chances. By confidence these alone decide.

    Parameters
    ----------
    trees : sequence of Combined
    order : array (C,), the learning sequence of the first tree, which decides last
    confidence : bool
    """
    if len(trees) == 1:
        return trees[0]
    chances = np.mean([tree.chances for tree in trees], axis=0)
    votes = count_votes(np.column_stack([tree.answers for tree in trees]), chances.shape[1])
    votes = np.zeros_like(votes) if confidence else votes
    answers = settle(votes, chances, order)
    scores = chances if confidence else votes + TIE * chances
    return Combined(answers, lambda: agreeing_scores(scores, answers), chances)


def take_largest(margins: NDArray, p: NDArray, order: Sequence[int]) -> Combined:
    """Return what networks of one class each against the rest say: the largest margin wins.

    The scores are the margins, the chances those of +1 divided by their sum; all equal if that is 0.

    Parameters
    ----------
    margins, p : arrays (n, C)
    order : sequence of C numbers, the class of each network
    """
    scores, p = by_class(margins, order), by_class(p, order)
    total = p.sum(axis=1, keepdims=True)
    chances = np.where(total > 0, p, 1.0) / np.where(total > 0, total, p.shape[1])
    return Combined(most_probable(scores), scores, chances)


def sum_pairs(
    p: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int, wins: NDArray | None = None
) -> Combined:
    """Return what the networks of all pairs of classes say: the largest sum of chances wins.

    A class that wins all its pairs wins in any case. The scores are the sums divided by the number of pairs,
    the first of equal ones wins; the chances are those that fit the pairs.

    Parameters
    ----------
    p : array (n, number of pairs)
    pairs : sequence of (class of +1, class of -1)
    n_classes : int
    wins : which networks answer +1, array (n, number of pairs) of bool; None: by chances of one half or more
    """
    answers = pair_answers(p, p >= 0.5 if wins is None else wins, pairs, n_classes)
    return Combined(
        answers,
        lambda: agreeing_scores(pair_probabilities(p, pairs, n_classes), answers),
        lambda: coupled_probabilities(p, pairs, n_classes),
    )


def first_positive(says: NDArray) -> NDArray:
    """Return the position in the learning sequence of each answer of a tree, shape (n,).

    Parameters
    ----------
    says : array (n, C - 1) of bool
        Which networks of the sequence answer +1. The first that does decides; the last class if none does.
    """
    return np.asarray(np.logical_and.accumulate(~says, axis=1).sum(axis=1))


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
    sides = _sides(tuple(pairs), n_classes)
    total = sides.more @ p.T
    total += sides.n_second
    return np.asarray(total.T / len(pairs))


class _Sides(NamedTuple):
    """Of each class in which pairs it is the first and the second, (C, pairs), and in how many, (C, 1)."""

    first: NDArray
    second: NDArray
    more: NDArray  # first - second
    n_first: NDArray
    n_second: NDArray
    numbers: NDArray  # 1, 2, ..., C


@lru_cache(maxsize=64)
def _sides(pairs: tuple[tuple[int, int], ...], n_classes: int) -> _Sides:
    own = np.arange(n_classes)[:, None] == np.array(pairs).T[:, None, :]
    first, second = own.astype(float)
    n_first, n_second = (side.sum(axis=1, keepdims=True) for side in (first, second))
    return _Sides(first, second, first - second, n_first, n_second, np.arange(1.0, n_classes + 1.0))


def pair_answers(
    p: NDArray, wins: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int
) -> NDArray[np.intp]:
    """Return the class that wins all its pairs, or else the one with the largest share, shape (n,).

    So that networks without errors make none together.

    Parameters
    ----------
    wins : array (n, number of pairs) of bool
        Whether the first class of each pair wins.
    p, pairs, n_classes : those of `pair_probabilities`
    """
    found = champions(wins, pairs, n_classes)
    none = np.flatnonzero(found < 0)
    if len(none):
        found[none] = pair_probabilities(p[none], pairs, n_classes).argmax(axis=1)
    return found


def champions(wins: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int) -> NDArray[np.intp]:
    """Return the class that wins all its pairs, shape (n,), -1 if there is none."""
    sides = _sides(tuple(pairs), n_classes)
    won = sides.more @ wins.T.astype(float)
    # At most one class has won all, n_first - 0 · n_second: its number is a sum.
    return (sides.numbers @ (won > sides.n_first - 0.5)).astype(np.intp) - 1


def coupled_probabilities(p: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int) -> NDArray:
    """Return the probabilities of the classes, shape (n, C), that fit those of the pairs.

    If the probabilities r of the pairs are those of the classes themselves, r = p₁/(p₁ + p₂), a class has
    p = 1/(Σ 1/r - (C - 2)), the sum over its pairs (Price, Knerr, Personnaz and Dreyfus, 1995); else this is
    a compromise. The parameters are those of `pair_probabilities`.
    """
    p = np.minimum(np.maximum(p, 1e-9), 1.0 - 1e-9)  # else the other terms of a sum would be lost
    sides = _sides(tuple(pairs), n_classes)
    inverse = sides.first @ (1.0 / p).T
    inverse += sides.second @ (1.0 / (1.0 - p)).T
    inverse += 2.0 - n_classes
    result = np.divide(1.0, inverse, out=inverse)
    result /= result.sum(axis=0)
    return np.asarray(result.T)


def agreeing_scores(scores: NDArray, answers: NDArray) -> NDArray:
    """Return scores (n, C) whose largest is that of the answer: where it is another, it is put next above.

    So that the class with the largest probability or decision is always the one that is predicted.
    """
    columns = np.array(scores.T, order="C")  # rows last: numpy is quickest along them
    flat, own = columns.reshape(-1), answers * len(scores) + np.arange(len(scores))
    mine = flat[own]
    flat[own] = -np.inf
    best = columns.max(axis=0)
    flat[own] = np.maximum(mine, best + EDGE * np.maximum(np.abs(best), EDGE))
    return np.asarray(columns.T)


def agreeing_shares(chances: NDArray, answers: NDArray) -> NDArray:
    """Return probabilities (n, C), the largest that of the answer, of chances that may say otherwise."""
    shares = agreeing_scores(chances, answers)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


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
