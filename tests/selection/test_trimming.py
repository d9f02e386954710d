"""Units that nobody would miss: they are dropped, and no answer on the training rows changes."""

from dataclasses import replace

import numpy as np
import pytest

from netlines.selection.students import Student
from netlines.selection.trimming import trimmed
from netlines.training.geometry import unit_rows


def points(n=200, seed=0, scale=1.0):
    return np.vstack([np.ones(n), scale * np.random.default_rng(seed).standard_normal((2, n))])


def some_student(h=4, n_outputs=3, seed=0):
    rng = np.random.default_rng(seed)
    return Student(unit_rows(rng.standard_normal((h, 3))), rng.standard_normal((n_outputs, h + 1)))


def with_unit(student, hidden, weights):
    """Add a unit, in front of the others."""
    output = np.insert(student.output, 1, weights, axis=1)
    return replace(student, hidden=np.vstack([hidden, student.hidden]), output=output)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("which", ["constant", "repeated", "mirrored", "idle"])
def test_a_unit_that_can_be_spared_is_dropped(which, n_outputs):
    student, X = some_student(n_outputs=n_outputs), points()
    hidden = {
        "constant": [0.999, 0.03, 0.0],
        "repeated": student.hidden[1],
        "mirrored": -student.hidden[1] * (1 + 1e-15),
        "idle": [0.0, 0.6, 0.8],
    }[which]
    weights = np.full(n_outputs, 1e-9) if which == "idle" else np.arange(1.0, n_outputs + 1)
    more = with_unit(student, hidden, weights)
    less = trimmed(more, X, X)
    assert less.size < more.size
    np.testing.assert_array_equal(less.answers(X), more.answers(X))


def test_what_decides_is_kept():
    student, X = some_student(), points()
    first = trimmed(student, X, X)
    assert trimmed(first, X, X) is first
    alone = Student(student.hidden[:1], np.array([[0.0, 1.0]]))
    assert trimmed(alone, X, X) is alone


def test_the_lessons_keep_a_unit_that_decides_there_alone():
    X, lessons = points(scale=0.3), points(scale=3.0)
    student = with_unit(some_student(), [0.8, 0.6, 0.0], [3.0, 0.0, -3.0])
    near, far = trimmed(student, X, X), trimmed(student, X, lessons)
    assert near.size <= far.size
    np.testing.assert_array_equal(far.answers(X), student.answers(X))


def test_two_classes_that_one_unit_separates_are_a_unit():
    X = points()
    hidden = unit_rows(np.array([[0.1, -1.0, 0.2], [9.0, 0.1, 0.1]]))
    student = trimmed(Student(hidden, np.array([[0.2, -2.0, 1.0]]), epochs=7), X, X)
    assert student.passes_on
    assert student.epochs == 7
    np.testing.assert_allclose(student.hidden, -hidden[:1])


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_a_network_that_always_says_the_same_keeps_a_unit(n_outputs):
    X = points()
    hidden = unit_rows(np.array([[9.0, 0.1, 0.1], [-9.0, 0.1, 0.1]]))
    output = np.random.default_rng(0).standard_normal((n_outputs, 3))
    student = Student(hidden, output)
    less = trimmed(student, X, X)
    assert less.size == 1
    np.testing.assert_array_equal(less.answers(X), student.answers(X))
