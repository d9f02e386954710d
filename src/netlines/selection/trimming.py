"""Drops hidden units that nobody would miss.

1. A unit whose state is the same on all training rows is a constant: it goes into the biases of the outputs.
2. A unit that repeats another, or says the opposite, gives the other its output weights.
3. A unit without which no answer changes, on the rows and on the lessons, is left out.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from netlines.network.probability import most_probable
from netlines.selection.students import Student, hardened


def trimmed(student: Student, X: NDArray, more: NDArray) -> Student:
    """Return a student that answers the same on the training rows, without the units that it can spare.

    Parameters
    ----------
    student : the network
    X : array (M, n), the training rows, standardised
    more : array (M, n'), further points whose answers are not to change when a unit is left out

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.selection.students import Student
    >>> from netlines.selection.trimming import trimmed
    >>> X = np.array([[1.0, 1.0, 1.0], [-1.0, 0.0, 1.0]])
    >>> always, twice = [0.8, 0.6], [0.6, 0.8]
    >>> hidden, output = np.array([always, twice, twice]), np.array([[0.5, 0.0, 1.0, 1.0]])
    >>> trimmed(Student(hidden, output), X, X).hidden.tolist()
    [[0.6, 0.8]]
    """
    if student.size == 1:
        return student
    joined = _without_repeats(student, X)
    if not np.array_equal(joined.answers(X), student.answers(X)):  # by what was rounded, at a tie
        joined = student
    spared = _without_idle(joined, np.hstack([X, more]))
    if spared.size == len(spared.output) == 1:
        spared = replace(hardened(spared.hidden, spared.output), epochs=student.epochs)
    same = np.array_equal(spared.answers(X), student.answers(X))
    return spared if same else student


def _without_repeats(student: Student, X: NDArray) -> Student:
    """Put units that are constant into the biases, and units that are alike into one of them."""
    states, output = student.codes(X), student.output.copy()
    first: dict[bytes, int] = {}
    kept: list[int] = []
    for j, state in enumerate(states):
        if (state == state[0]).all():
            output[:, 0] += state[0] * output[:, j + 1]
            continue
        i = first.setdefault((state * state[0]).tobytes(), j)
        if i == j:
            kept.append(j)
        else:
            output[:, i + 1] += state[0] * states[i, 0] * output[:, j + 1]
    if not kept:  # a network has a unit
        kept, output[:, 1] = [0], 0.0
    return _with_units(student, output, kept)


def _without_idle(student: Student, X: NDArray) -> Student:
    """Leave out, the weakest first, units without which every point has the same answer."""
    states, output = student.codes(X).astype(float), student.output.copy()
    scores = output[:, :1] + output[:, 1:] @ states
    answers, kept = most_probable(scores.T), list(range(student.size))
    means = states.mean(axis=1)
    weak = np.argsort(np.ptp(np.vstack([output[:, 1:], np.zeros(student.size)]), axis=0), kind="stable")
    for j in weak[: student.size - 1].tolist():
        without = scores - np.outer(output[:, j + 1], states[j] - means[j])
        if np.array_equal(most_probable(without.T), answers):
            scores = without
            output[:, 0] += means[j] * output[:, j + 1]
            kept.remove(j)
    return _with_units(student, output, kept)


def _with_units(student: Student, output: NDArray, kept: list[int]) -> Student:
    """Return the student with some of its units, and with these outputs."""
    if len(kept) == student.size:
        return student
    columns = [0, *(j + 1 for j in kept)]
    return replace(student, hidden=student.hidden[kept], output=output[:, columns])
