"""Finds how large a student has to be.

1. Sizes grow by large steps, until a student costs no more than a tolerance beyond its teacher; one that is
   far from it passes over the next steps.
2. Then the sizes that were passed over last are tried, the largest first, while they are good enough.
3. Taken is the smallest that costs at most the tolerance more than the best of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from netlines.selection.course import Course
from netlines.selection.students import Student, name_of
from netlines.selection.teaching import DESCENT, teach
from netlines.training.cases import Cases
from netlines.training.descent import Descent

STEPS = Cases(two=(3, 6, 11, 32, 64, 128), more=(2, 4, 8, 16, 32, 64, 128))
PASSED = Cases(two=(1, 2, 4, 5, 8, 16), more=(3, 6, 12, 24, 48, 96))
USUAL = {  # the most hidden units
    "small": Cases(two=11, more=64),
    "balanced": Cases(two=64, more=64),
    "accurate": Cases(two=128, more=128),
}
FEW = 11  # hidden units that are tried whatever the number of columns
EASY = 1000  # patterns from which on large students have all their steps
PER_CLASS = 4  # that may be tried for each class, where that is more
FAR, LEAST = (5.0, 15.0), 0.002  # times a tolerance, of at least so much, beyond which steps are passed over
MOST_WEIGHTS = {"small": 1000, "balanced": 1000, "accurate": 2500}  # where columns are many, of two classes


def most_hidden(prefer: str, n_inputs: int, n_classes: int) -> int:
    """Return the most hidden units that are tried if nobody wants another number.

    Parameters
    ----------
    prefer : "small", "balanced" or "accurate"
    n_inputs : columns
    n_classes : two, or more
    """
    most = USUAL[prefer].of(n_classes)
    if n_classes > 2:
        return max(most, PER_CLASS * n_classes)
    return max(min(most, MOST_WEIGHTS[prefer] // (n_inputs + 2)), min(most, FEW))


def effort(prefer: str, n_patterns: int, n_classes: int) -> Descent:
    """Return how large students descend: with fewer steps where few patterns tell the teacher little.

    More classes have more to be told.
    """
    how = DESCENT.of(n_classes)
    part = 2.0 if prefer == "accurate" else float(np.clip(n_patterns / EASY, 0.4, 1.0))
    return replace(how, steps=round(part * how.steps * float(np.clip(n_classes / 3, 1.0, 3.0))))


def steps_up_to(largest: int, n_classes: int) -> list[int]:
    """Return the sizes of the large steps, up to `largest` and with it.

    Fewer than the logarithm of the number of classes would not have a code for each of them.
    """
    smallest = max(2, int(np.ceil(np.log2(n_classes))))
    steps = [one for one in STEPS.of(n_classes) if smallest <= one < largest]
    while steps and 2 * steps[-1] < largest:
        steps.append(2 * steps[-1])
    return [*steps, largest]


def sizes_up_to(largest: int, n_classes: int) -> list[int]:
    """Return all sizes that may be tried."""
    steps = steps_up_to(largest, n_classes)
    return sorted({*steps, *(one for one in PASSED.of(n_classes) if one < largest)})


def teach_sizes(
    course: Course,
    largest: int,
    *,
    tolerance: float,
    seed: int,
    descent: Descent | None = None,
    run: Callable = map,
    report: Callable[[str], Any] = lambda name: None,
) -> list[Student]:
    """Train students of growing size until one costs no more than `tolerance`; return them by size.

    The name of each is reported when it begins.
    """
    n_classes = course.exam.p.shape[1]
    students: dict[int, Student] = {}

    def taught(size: int) -> Student:
        report(name_of(size))
        students[size] = teach(course, size, seed=seed, run=run, descent=descent)
        return students[size]

    steps = steps_up_to(largest, n_classes)
    k = 0
    while k < len(steps):
        excess = taught(steps[k]).excess
        if excess <= tolerance:
            break
        far = sum(excess > times * max(tolerance, LEAST) for times in FAR)
        k += 1 + min(far, max(len(steps) - 2 - k, 0))
    good = smallest_good([students[size] for size in sorted(students)], tolerance).size
    for size in _between(students, good, largest, n_classes):
        if taught(size).excess > min(one.excess for one in students.values()) + tolerance:
            break
    return [students[size] for size in sorted(students)]


def _between(tried: Iterable[int], size: int, largest: int, n_classes: int) -> list[int]:
    """Return the sizes that were passed over between one and the next smaller one, the largest first."""
    before = max((one for one in tried if one < size), default=0)
    return [one for one in reversed(sizes_up_to(largest, n_classes)) if before < one < size]


def smallest_good(students: Sequence[Student], tolerance: float) -> Student:
    """Return the smallest student that costs at most `tolerance` more than the best of all."""
    least = min(student.excess for student in students)
    return next(student for student in students if student.excess <= least + tolerance)
