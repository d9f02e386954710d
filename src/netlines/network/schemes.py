"""The schemes by which two-class networks decide together: from what each says to answers and scores.

numpy only. Of each network come its margins, at least 0 where it answers +1, and its chances of +1, at least
one half there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from netlines.network.combination import (
    agreeing_margins,
    agreeing_scores,
    by_class,
    count_votes,
    coupled_probabilities,
    first_positive,
    pair_answers,
    pair_probabilities,
    path_margins,
    path_probabilities,
    settle,
)

TIE = 0.999  # what a chance of 1 adds to the votes: less than one vote


class Combined(NamedTuple):
    """What networks say together of n rows.

    The numbers of the classes (n,); scores (n, C), the largest for the answer; chances (n, C) with the sum 1,
    the largest not always for the answer.
    """

    answers: NDArray
    scores: NDArray
    chances: NDArray


def walk_tree(margins: NDArray, p: NDArray, order: NDArray) -> Combined:
    """Return what a tree says: the first network that answers +1 decides, the last class if none does.

    Parameters
    ----------
    margins, p : arrays (n, C - 1)
        Margins and chances in the order of the learning sequence.
    order : array (C,)
        The learning sequence as numbers of classes.

    Returns
    -------
    Combined
        The scores are the smallest margins on the paths, the chances the products along them.
    """
    says = margins >= 0
    return Combined(
        order[first_positive(says)],
        by_class(path_margins(agreeing_margins(margins, says)), order),
        by_class(path_probabilities(p), order),
    )


def hold_vote(trees: Sequence[Combined], order: NDArray, *, confidence: bool) -> Combined:
    """Return what trees say by a vote; a single one keeps what it says.

    Parameters
    ----------
    trees : sequence of Combined
    order : array (C,)
        The learning sequence of the first tree, which decides last.
    confidence : bool
        Whether the mean chance of the trees decides alone. Else the class of most trees wins, among equals
        the one with the largest mean chance.

    Returns
    -------
    Combined
        The chances are their means. The scores are the numbers of votes plus 0.999 times the mean chances,
        or by confidence these means.
    """
    if len(trees) == 1:
        return trees[0]
    chances = np.mean([tree.chances for tree in trees], axis=0)
    votes = count_votes(np.column_stack([tree.answers for tree in trees]), chances.shape[1])
    votes = np.zeros_like(votes) if confidence else votes
    answers = settle(votes, chances, order)
    scores = chances if confidence else votes + TIE * chances
    return Combined(answers, agreeing_scores(scores, answers), chances)


def take_largest(margins: NDArray, p: NDArray, order: Sequence[int]) -> Combined:
    """Return what networks of one class each against the rest say: the largest margin wins.

    Parameters
    ----------
    margins, p : arrays (n, C)
    order : sequence of C numbers of classes
        The class of each network. The first class of equal margins wins.

    Returns
    -------
    Combined
        The scores are the margins, the chances those of +1 divided by their sum; all equal if that is 0.
    """
    scores, p = by_class(margins, order), by_class(p, order)
    total = p.sum(axis=1, keepdims=True)
    chances = np.where(total > 0, p, 1.0) / np.where(total > 0, total, p.shape[1])
    return Combined(scores.argmax(axis=1), scores, chances)


def sum_pairs(
    p: NDArray, pairs: Sequence[tuple[int, int]], n_classes: int, wins: NDArray | None = None
) -> Combined:
    """Return what the networks of all pairs of classes say: the largest sum of chances wins.

    A class that wins all its pairs wins in any case.

    Parameters
    ----------
    p : array (n, number of pairs)
    pairs : sequence of (class of +1, class of -1)
    n_classes : int
    wins : array (n, number of pairs) of bool or None
        Which networks answer +1; None: those with a chance of at least one half.

    Returns
    -------
    Combined
        The scores are the sums divided by the number of pairs, the first of equal ones wins; the chances are
        those that fit the pairs.
    """
    shares = pair_probabilities(p, pairs, n_classes)
    answers = pair_answers(p >= 0.5 if wins is None else wins, shares, pairs)
    return Combined(answers, agreeing_scores(shares, answers), coupled_probabilities(p, pairs, n_classes))
