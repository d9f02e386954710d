"""What was answered to held-out examples: by what was chosen, and by the models beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from netlines._words import joined
from netlines.network.probability import most_probable
from netlines.selection.judge import Judge
from netlines.selection.teachers.teacher import Teacher

PLAIN = {
    "soft networks": "mean of soft neural networks",
    "kernel": "kernel regression",
    "boosted trees": "model of boosted trees",
}


@dataclass(frozen=True, eq=False)
class Tested:
    """Answers to examples that a model had not seen.

    Attributes
    ----------
    truth, answers : arrays of shape (n,)
        The numbers of the classes, and those that what was chosen answered.
    others : mapping from name to answers
    share : array of shape (n,)
        What each example counts, with the sum 1.
    logistic : bool
        Whether what was chosen is the logistic regression.
    """

    truth: NDArray
    answers: NDArray
    others: Mapping[str, NDArray]
    share: NDArray
    logistic: bool

    @classmethod
    def of(cls, judge: Judge, own: list[NDArray], linear: Teacher, teacher: Teacher | None = None) -> Tested:
        """Gather the answers of what was chosen, of the logistic regression and of the large model.

        Parameters
        ----------
        judge : whose examples they are
        own : the probabilities that what was chosen gives them, one array a fold
        linear, teacher : the logistic regression, and the large model if there is one
        """
        beside = [linear] if teacher is None or teacher is linear else [linear, teacher]
        others = {plain_name(one.name): _answers(one.held_out) for one in beside}
        return cls(judge.labels, _answers(own), others, judge.share, own is linear.held_out)


def _answers(held_out: Sequence[NDArray]) -> NDArray:
    return most_probable(np.concatenate(held_out))


def plain_name(name: str) -> str:
    """Return what a large model is called to the user, to stand after "a".

    Examples
    --------
    >>> from netlines.selection.tested import plain_name
    >>> plain_name("soft networks + boosted trees")
    'mixture of a mean of soft neural networks and a model of boosted trees'
    """
    parts = [PLAIN.get(part, part) for part in name.split(" + ")]
    if len(parts) == 1:
        return parts[0]
    return f"mixture of {joined(f'a {part}' for part in parts)}"
