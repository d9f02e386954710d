"""Distillation: synthetic points, what a student learns of a known teacher, and how it is examined."""

import numpy as np
import pytest
from example_tables import xor

from netlines.network.frame import Frame
from netlines.network.probability import expit
from netlines.selection import students as module
from netlines.selection.data import Standardisation
from netlines.selection.students import (
    Lessons,
    Student,
    prepare,
    sizes_up_to,
    smallest_good,
    teach,
    teach_sizes,
)
from netlines.training.points import synthetic

PLANES = np.array([[0.2, 1.0, 0.1], [-0.3, -0.5, 1.0], [0.1, -0.6, -1.0]])
NOTHING = Standardisation(np.zeros(2), np.ones(2), Frame.plain(2))


def fields(rows):
    return PLANES[:, 0] + rows @ PLANES[:, 1:].T


def both(p):
    """Return the probabilities of two classes by that of the second."""
    return np.column_stack([1 - p, p])


def majority(rows):
    """Answer, surely, as most of three hyperplanes do."""
    return both(np.where(np.sign(fields(rows)).sum(axis=1) > 0, 0.95, 0.05))


def linear(rows):
    return both(expit(4 * fields(rows)[:, 0]))


def lessons_of(probability, p=300, n=3000, seed=0):
    rows = np.random.default_rng(seed).standard_normal((p, 2))
    share = np.full(p, 1 / p)
    return prepare(rows, probability(rows), share, NOTHING, probability, n=n, seed=seed)


def student(disagreement, size):
    return Student(
        np.eye(1, 3).repeat(size, axis=0), np.ones((1, size + 1)), 0, disagreement, 1 - disagreement
    )


# Sizes and points


@pytest.mark.parametrize("largest", [1, 2, 3, 7, 11, 12, 13, 14, 15, 16, 40])
def test_sizes_rise_from_one_to_the_largest(largest):
    sizes = list(sizes_up_to(largest, 2))
    assert sizes[0] == 1
    assert sizes[-1] == largest
    assert (np.diff(sizes) > 0).all()
    assert len(sizes) <= 14


def test_small_sizes_leave_nothing_out():
    assert list(sizes_up_to(1, 2)) == [1]
    assert list(sizes_up_to(3, 2)) == [1, 2, 3]
    assert list(sizes_up_to(5, 2)) == [1, 2, 3, 4, 5]


def test_synthetic_points_lie_between_rows_or_have_columns_of_rows():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((6, 3))
    points = synthetic(rows, np.full(6, 1 / 6), 200, rng)
    assert points.shape == (200, 3)
    for point in points[:100]:
        gaps = [
            np.linalg.norm(point - a) + np.linalg.norm(point - b) - np.linalg.norm(a - b)
            for a in rows
            for b in rows
        ]
        assert min(gaps) < 1e-9
    for column in range(3):
        assert np.isin(points[100:, column], rows[:, column]).all()
    assert len(np.unique(points[100:], axis=0)) > 6


def test_synthetic_points_of_one_row_are_that_row():
    points = synthetic(np.array([[2.0, 5.0]]), np.ones(1), 11, np.random.default_rng(0))
    np.testing.assert_array_equal(points, np.tile([2.0, 5.0], (11, 1)))


def test_rows_without_weight_have_no_synthetic_points():
    rows = np.array([[1.0], [2.0], [77.0]])
    points = synthetic(rows, np.array([0.5, 0.5, 0.0]), 1000, np.random.default_rng(0))
    assert points.max() <= 2


def test_heavy_rows_have_more_synthetic_points():
    rows = np.array([[0.0], [1.0]])
    points = synthetic(rows, np.array([0.9, 0.1]), 4000, np.random.default_rng(0))
    assert points.mean() == pytest.approx(0.1, abs=0.03)


# Lessons


def test_lessons_are_the_rows_and_synthetic_points_with_half_of_the_weight_each():
    rng = np.random.default_rng(0)
    rows, share = 5 + 3 * rng.standard_normal((40, 2)), rng.random(40)
    share /= share.sum()
    units = Standardisation(rows.mean(axis=0), rows.std(axis=0), Frame.plain(rows.shape[1]))
    own = both(rng.random(40))
    lessons, exam = prepare(rows, own, share, units, linear, n=100, seed=0)
    np.testing.assert_allclose(lessons.X[:, :40], units.standardised(rows))
    np.testing.assert_array_equal(lessons.p[:40], own)
    made = lessons.X[1:, 40:].T * units.scale + units.mean
    np.testing.assert_allclose(lessons.p[40:], linear(made))
    assert lessons.share[:40].sum() == pytest.approx(0.5)
    assert lessons.share.sum() == pytest.approx(1)
    np.testing.assert_allclose(lessons.share[:40], share / 2)
    assert exam.share.sum() == pytest.approx(1)
    np.testing.assert_allclose(exam.p, linear(exam.X[1:].T * units.scale + units.mean))


def test_fresh_points_are_not_those_of_the_lessons():
    lessons, exam = lessons_of(linear)
    learnt = set(map(tuple, lessons.X.T))
    between = exam.X.T[: exam.X.shape[1] // 2]  # the others may be rows with all of their own columns
    assert np.mean([tuple(point) in learnt for point in between]) < 0.05


def test_an_answer_counts_as_much_as_the_teacher_is_sure():
    lessons = Lessons(np.ones((1, 3)), both(np.array([0.0, 0.5, 0.75])), np.full(3, 1 / 3))
    np.testing.assert_array_equal(lessons.labels, [0, 1, 1])
    np.testing.assert_allclose(lessons.weights, [2 / 3, 0, 1 / 3], atol=1e-5)
    assert lessons.weights.sum() == pytest.approx(1)


# Teaching


def test_a_linear_teacher_takes_one_unit():
    lessons, exam = lessons_of(linear)
    found = teach(lessons, exam, 1, seed=0)
    assert found.fidelity > 0.99
    cosine = found.hidden[0] @ PLANES[0] / np.linalg.norm(PLANES[0])
    assert cosine > 0.999
    np.testing.assert_array_equal(found.output, [[0.0, 1.0]])


def test_a_majority_of_three_hyperplanes_takes_three_units():
    lessons, exam = lessons_of(majority)
    one, three = (teach(lessons, exam, size, seed=0) for size in (1, 3))
    assert three.fidelity > 0.97
    assert three.fidelity > one.fidelity + 0.05


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_exam_is_marked_as_a_naive_count_does(size):
    lessons, exam = lessons_of(majority, n=600)
    found = teach(lessons, exam, size, seed=0)
    agree = wrong = total = 0
    for k in range(exam.X.shape[1]):
        states = [1 if row @ exam.X[:, k] >= 0 else -1 for row in found.hidden]
        answer = found.output[0, 0] + found.output[0, 1:] @ states >= 0
        same = answer == (exam.p[k, 1] >= 0.5)
        agree += same
        wrong += 0 if same else abs(2 * exam.p[k, 1] - 1)
        total += abs(2 * exam.p[k, 1] - 1)
    assert found.fidelity == pytest.approx(agree / exam.X.shape[1])
    assert found.disagreement == pytest.approx(wrong / total, abs=1e-5)


def test_hidden_rows_have_the_norm_one():
    lessons, exam = lessons_of(majority, n=600)
    for size in (1, 4):
        norms = np.linalg.norm(teach(lessons, exam, size, seed=0).hidden, axis=1)
        np.testing.assert_allclose(norms, np.ones(size))


def test_the_heavier_answer_is_learnt():
    rows = np.linspace(-1, 1, 40)
    X = np.vstack([np.ones(80), np.tile(rows, 2)])
    right = np.where(rows > 0.3, 0.9, 0.1)
    for share in (0.8, 0.2):
        shares = np.repeat([share / 40, (1 - share) / 40], 40)
        lessons = Lessons(X, both(np.r_[right, 1 - right]), shares)
        found = teach(lessons, lessons, 1, seed=0)
        expected = right if share > 0.5 else 1 - right
        assert ((found.answers(X[:, :40]) == 1) == (expected > 0.5)).mean() > 0.95


@pytest.mark.parametrize("p", [0.0, 0.9])
def test_a_teacher_that_always_answers_the_same_is_learnt(p):
    lessons, exam = lessons_of(lambda rows: both(np.full(len(rows), p)), n=400)
    for size in (1, 2):
        assert teach(lessons, exam, size, seed=0).fidelity == 1


def test_the_seed_decides():
    lessons, exam = lessons_of(majority, n=400)
    first, again, other = (teach(lessons, exam, 2, seed=seed, sweeps=0) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.hidden, again.hidden)
    assert not np.array_equal(first.hidden, other.hidden)


def test_mending_does_not_add_errors():
    X, _ = xor(p=100)

    def probability(rows):
        return both(np.where(rows[:, 0] * rows[:, 1] > 0, 0.9, 0.1))

    lessons, exam = prepare(X, probability(X), np.full(100, 0.01), NOTHING, probability, n=400, seed=0)
    rough, mended = (teach(lessons, exam, 3, seed=0, sweeps=sweeps) for sweeps in (0, 2))
    wrong = [lessons.weights[one.answers(lessons.X) != lessons.labels].sum() for one in (rough, mended)]
    assert wrong[1] <= wrong[0] + 1e-12


# A row of sizes


def test_growth_ends_with_the_first_student_that_is_good_enough():
    lessons, exam = lessons_of(majority)
    seen = []
    students = teach_sizes(lessons, exam, 8, tolerance=0.05, seed=0, report=seen.append)
    assert seen == [one.name for one in students]
    assert [one.size for one in students] == list(range(1, len(students) + 1))
    assert students[-1].disagreement <= 0.05
    assert all(one.disagreement > 0.05 for one in students[:-1])
    assert len(students) <= 4


def test_growth_ends_with_the_largest_size():
    lessons, exam = lessons_of(majority, n=400)
    assert [one.size for one in teach_sizes(lessons, exam, 2, tolerance=-1.0, seed=0)] == [1, 2]


def test_the_smallest_good_student_is_taken():
    students = [student(0.3, 1), student(0.11, 2), student(0.1, 3), student(0.12, 4)]
    assert smallest_good(students, 0.0).size == 3
    assert smallest_good(students, 0.02).size == 2
    assert smallest_good(students, 0.5).size == 1


# A student


def test_a_student_is_described():
    one, three = student(0.1, 1), student(0.1, 3)
    assert (one.name, one.size, one.n_weights) == ("network of 1 hyperplane", 1, 3)
    assert (three.name, three.size, three.n_weights) == ("network of 3 hyperplanes", 3, 13)


def test_a_student_answers_as_worked_by_hand():
    two = Student(np.array([[0.0, 1.0], [0.5, -1.0]]), np.array([[-1.0, 1.0, 1.0]]))
    X = np.array([[1.0, 1.0, 1.0, 1.0], [-1.0, 0.0, 0.5, 0.75]])
    np.testing.assert_array_equal(two.fields(X), [[-1, 1.5], [0, 0.5], [0.5, 0], [0.75, -0.25]])
    np.testing.assert_array_equal(two.answers(X), [0, 1, 1, 0])
    record = two.record(X, np.array([1, 1, 1, 0]), np.array([4.0, 2.0, 1.0, 1.0]))
    assert (record["n_hidden"], record["errors"]) == (2, 4.0)


def test_of_very_many_rows_only_some_are_lessons(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    rng = np.random.default_rng(0)
    rows, share = rng.standard_normal((200, 3)), rng.random(200)
    p, units = both(rng.random(200)), Standardisation(np.zeros(3), np.ones(3), Frame.plain(3))

    def sure(rows):
        return both(np.ones(len(rows)))

    lessons, _ = prepare(rows, p, share / share.sum(), units, sure, n=80, seed=0)
    np.testing.assert_array_equal(lessons.X[1:, :50].T, rows[:50])
    np.testing.assert_array_equal(lessons.p, np.r_[p[:50], sure(range(80))])
    np.testing.assert_allclose(lessons.share[:50], share[:50] / share[:50].sum() / 2)
