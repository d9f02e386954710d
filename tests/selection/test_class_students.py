"""Shared layers of many classes: what they are taught, what they answer, and their calibration."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from class_data import class_data_of, contradictory_classes, rays
from class_tables import blobs

from netlines.network.network import Network
from netlines.network.probability import softmax
from netlines.network.weights import normalised_outputs
from netlines.selection import course as course_module
from netlines.selection import students
from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.course import Course
from netlines.selection.students import (
    Lessons,
    Student,
    examined,
    prepare,
    sizes_up_to,
    teach,
    teach_sizes,
)
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teachers.kernel import fit_kernel
from netlines.training.cases import Cases
from netlines.training.threads import in_order

SOME = 1200  # synthetic points


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Teach with few synthetic points."""
    both = students.SCHEDULES.two, replace(students.SCHEDULES.more, synthetic=SOME, steps=1000, batch=128)
    for module in (students, course_module):
        monkeypatch.setattr(module, "SCHEDULES", Cases(*both))
    monkeypatch.setattr("netlines.selection.students.FRESH", 800)


def planted(n=400, seed=0):
    """Return lessons in which two hyperplanes decide about four classes."""
    rng = np.random.default_rng(seed)
    X = np.vstack([np.ones(n), rng.standard_normal((3, n))])
    labels = (X[1] > 0.3) * 2 + (X[2] - X[3] > 0)
    return Lessons(X, np.eye(4)[labels] * 0.8 + 0.05, np.full(n, 1 / n))


def random_student(h=4, m=4, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((h, m))
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    return Student(hidden, rng.standard_normal((n_classes, h + 1)))


def patterns(n=50, m=4, seed=1):
    return np.vstack([np.ones(n), np.random.default_rng(seed).standard_normal((m - 1, n))])


# Lessons and students


def test_an_answer_counts_by_how_much_it_leads():
    lessons = Lessons(
        np.ones((1, 3)),
        np.array([[0.6, 0.3, 0.1], [0.1, 0.5, 0.4], [1.0, 0.0, 0.0]]),
        np.array([0.5, 0.25, 0.25]),
    )
    np.testing.assert_array_equal(lessons.labels, [0, 1, 0])
    expected = np.array([0.5 * 0.3, 0.25 * 0.1, 0.25])
    np.testing.assert_allclose(lessons.weights, expected / expected.sum(), rtol=1e-4)
    assert lessons.weights.sum() == pytest.approx(1)


def test_where_a_teacher_cannot_tell_there_are_weights_all_the_same():
    lessons = Lessons(np.ones((1, 2)), np.full((2, 3), 1 / 3), np.array([0.75, 0.25]))
    np.testing.assert_allclose(lessons.weights, [0.75, 0.25])


def test_answers_are_those_of_plain_loops():
    student, X = random_student(), patterns()
    for k, found in enumerate(student.answers(X)):
        states = [1.0 if row @ X[:, k] >= 0 else -1.0 for row in student.hidden]
        sums = [v[0] + sum(v[1:] * states) for v in student.output]
        assert found == int(np.argmax(sums))
        np.testing.assert_array_equal(student.codes(X)[:, k], states)
        np.testing.assert_allclose(student.fields(X)[k], student.hidden @ X[:, k])


def test_the_sign_of_zero_is_positive():
    student = Student(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, -1.0], [-2.0, 0.0]]))
    np.testing.assert_array_equal(student.answers(np.array([[1.0, 1.0], [0.0, -1e-9]])), [0, 1])


def test_a_student_counts_what_a_network_counts():
    student = random_student(h=5, n_classes=4)
    network = Network(student.hidden, normalised_outputs(student.output), np.arange(4))
    assert student.n_weights == network.n_weights == 5 * 4 + 4 * 6
    assert student.size == network.n_hidden == 5
    assert student.name == "network of 5 hyperplanes"


def test_a_record_has_the_weight_of_the_errors():
    student, X = random_student(), patterns()
    labels, weights = np.arange(50) % 3, np.random.default_rng(0).uniform(1, 2, 50)
    record = student.record(X, labels, weights)
    wrong = sum(w for w, a, b in zip(weights, student.answers(X), labels, strict=True) if a != b)
    assert record["errors"] == pytest.approx(wrong)
    assert (record["n_hidden"], record["origin"], record["epochs"]) == (4, "distilled", 0)


def test_the_exam_is_marked_by_hand():
    student, X = random_student(), patterns()
    answers = student.answers(X)
    p = np.random.default_rng(2).dirichlet(np.ones(3), 50)
    exam = Lessons(X, p, np.full(50, 0.02))
    marked = examined(student, exam)
    alike = [a == int(np.argmax(one)) for a, one in zip(answers, p, strict=True)]
    assert marked.fidelity == pytest.approx(np.mean(alike))
    assert marked.disagreement == pytest.approx(
        sum(w for w, same in zip(exam.weights, alike, strict=True) if not same)
    )
    assert np.isnan(student.fidelity)


# Preparing


def test_synthetic_points_have_half_of_the_weight():
    data = class_data_of(*rays())
    linear = fit_linear(data)
    share = np.bincount(data.all.pattern, data.all.share)
    p = linear.probability(data.rows)
    lessons, exam = prepare(data.rows, p, share, data.standardisation, linear.probability, n=300, seed=0)
    assert lessons.X.shape == (4, 90 + 300)
    np.testing.assert_allclose(lessons.share[:90], share / 2)
    np.testing.assert_allclose(lessons.share[90:], 0.5 / 300)
    np.testing.assert_allclose(lessons.X[:, :90], data.X)
    np.testing.assert_array_equal(lessons.p[:90], p)
    to_user = data.standardisation
    rows = (lessons.X[1:, 90:].T * to_user.scale + to_user.mean) * to_user.frame.unit
    np.testing.assert_allclose(lessons.p[90:], linear.probability(rows), atol=1e-9)
    assert exam.X.shape == (4, 800)
    assert exam.share.sum() == pytest.approx(1)
    assert not np.isin(exam.X[1], lessons.X[1]).all()


def test_of_very_many_rows_the_first_are_learnt(monkeypatch):
    monkeypatch.setattr("netlines.selection.students.MOST_ROWS", 30)
    data = class_data_of(*rays())
    linear = fit_linear(data)
    share = np.bincount(data.all.pattern, data.all.share)
    p = linear.probability(data.rows)
    lessons, _ = prepare(data.rows, p, share, data.standardisation, linear.probability, n=300, seed=0)
    assert len(lessons.share) == 330
    np.testing.assert_array_equal(lessons.p[:30], p[:30])
    assert lessons.share[:30].sum() == pytest.approx(0.5)


# Teaching


def test_planted_units_are_learnt():
    student = teach(planted(1500), planted(seed=1), 2, seed=0)
    assert student.fidelity > 0.97
    assert student.disagreement < 0.03
    assert student.epochs > 0
    np.testing.assert_allclose(np.linalg.norm(student.hidden, axis=1), 1)
    normal = np.array([0, 0, 1, -1]) / np.sqrt(2)
    assert np.abs(student.hidden @ normal).max() > 0.99


def test_too_few_units_are_found_out():
    one, two = (teach(planted(), planted(seed=1), size, seed=0) for size in (1, 2))
    assert one.fidelity < 0.75 < 0.95 < two.fidelity


def test_what_is_taught_depends_on_the_seed_alone():
    lessons, exam = planted(), planted(seed=1)
    first, again, other = (teach(lessons, exam, 3, seed=seed) for seed in (0, 0, 1))
    threads = teach(lessons, exam, 3, seed=0, run=partial(in_order, n_threads=2))
    for same in (again, threads):
        np.testing.assert_array_equal(first.hidden, same.hidden)
        np.testing.assert_array_equal(first.output, same.output)
    assert not np.array_equal(first.hidden, other.hidden)


def test_the_best_of_several_starts_is_taken():
    lessons, exam = planted(), planted(seed=1)
    how = {"steps": 60, "batch": 32}
    starts = []

    def watched(function, jobs):
        starts.extend(map(function, jobs))
        return starts

    taken = teach(lessons, exam, 2, seed=0, starts=4, run=watched, **how)
    wrong = [lessons.weights[one.answers(lessons.X) != lessons.labels].sum() for one in starts]
    assert len(wrong) == 4
    np.testing.assert_array_equal(taken.hidden, starts[int(np.argmin(wrong))].hidden)


# The course


@pytest.mark.parametrize(
    "table",
    [(*rays(p=60), None), (*contradictory_classes(), np.linspace(0.5, 2, 60))],
    ids=["plain", "weighted"],
)
def test_rows_are_taught_what_teacher_and_copies_say_on_average(table):
    data = class_data_of(*table)
    teacher = fit_kernel(data)
    course = Course.of(data, teacher, seed=0)
    n = data.X.shape[1]
    p = teacher.probability(data.rows)
    for k in range(n):
        said, total = np.zeros(3), 0.0
        for fold, held_out in zip(data.folds, teacher.held_out, strict=True):
            for pattern, weight, one in zip(fold.test.pattern, fold.test.weights, held_out, strict=True):
                if pattern == k:
                    said, total = said + weight * one, total + weight
        np.testing.assert_allclose(course.lessons.p[k], (p[k] + said / total) / 2)
    weights = np.bincount(data.all.pattern, data.all.weights)
    np.testing.assert_allclose(course.lessons.share[:n], weights / weights.sum() / 2)
    assert len(course.lessons.share) == n + SOME


def test_rows_that_are_never_tested_are_taught_by_the_teacher_alone():
    data = class_data_of(*rays(p=60))
    one = type(data)(data.rows, data.X, data.standardisation, data.all, data.folds[:1], data.classes)
    teacher = fit_kernel(one)
    lessons = Course.of(one, teacher, seed=0).lessons
    never = np.setdiff1d(np.arange(60), one.folds[0].test.pattern)
    np.testing.assert_array_equal(lessons.p[never], teacher.probability(data.rows)[never])


def test_sizes_grow_until_one_agrees():
    X, y = blobs(p=80)
    data = class_data_of(X, y)
    course, seen = Course.of(data, fit_kernel(data), seed=0), []
    lessons, how = (course.lessons, course.exam), {"seed": 0, "report": seen.append}
    tried = teach_sizes(*lessons, 6, tolerance=0.0, **how)
    assert [one.size for one in tried] == [2, 3, 4, 6]
    assert seen == [one.name for one in tried]
    enough = teach_sizes(*lessons, 6, tolerance=tried[1].disagreement, **how)
    assert len(enough) <= 2
    np.testing.assert_array_equal(enough[0].hidden, tried[0].hidden)
    assert [one.size for one in teach_sizes(*lessons, 1, tolerance=0.0, seed=0)] == [1]


@pytest.mark.parametrize(
    ("largest", "n_classes", "sizes"),
    [
        (1, 3, [1]),
        (2, 3, [2]),
        (5, 3, [2, 3, 4, 5]),
        (8, 5, [3, 4, 6, 8]),
        (3, 26, [3]),
        (7, 26, [6, 7]),
        (200, 3, [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 171, 200]),
        (None, 7, [3, 4, 6, 8, 12, 16, 24, 32, 48, 64]),
        (None, 26, [6, 8, 12, 16, 24, 32, 48, 64, 96, 104]),
    ],
)
def test_sizes_have_a_code_for_each_class(largest, n_classes, sizes):
    assert list(sizes_up_to(largest, n_classes)) == sizes


def test_a_layer_is_judged_by_copies_that_have_not_seen_the_fold():
    X, y = blobs(p=80)
    data = class_data_of(X, y)
    teacher = fit_kernel(data)
    course = Course.of(data, teacher, seed=0)
    candidate = course.candidate(data, 4, seed=0)
    assert (candidate.name, candidate.role) == ("network of 4 hyperplanes", "network")
    assert (candidate.n_hidden, candidate.n_weights) == (4, 4 * 3 + 3 * 5)
    assert 0.8 < candidate.fidelity < 1
    right = []
    for p, fold in zip(candidate.held_out, data.folds, strict=True):
        assert p.shape == (len(fold.test.pattern), 3)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        right.extend(p.argmax(axis=1) == fold.test.labels)
    assert np.mean(right) > 0.85
    threads = course.candidate(data, 4, seed=0, run=partial(in_order, n_threads=2))
    np.testing.assert_array_equal(np.concatenate(threads.held_out), np.concatenate(candidate.held_out))
    # A copy is taught by the copy of the teacher, on the rows of the fold alone.
    fold, rest = data.folds[0], np.unique(data.folds[0].train.pattern)
    share = np.bincount(fold.train.pattern, fold.train.share)[rest]
    few = SOME // course_module.LESS_EFFORT.more.part
    probability, rows = teacher.in_folds[0], data.rows[rest]
    lessons, exam = prepare(rows, probability(rows), share, data.standardisation, probability, n=few, seed=0)
    copy = teach(lessons, exam, 4, seed=0, **course_module.LESS_EFFORT.more.changes)
    answers = copy.answers(data.X[:, fold.test.pattern])
    np.testing.assert_array_equal(candidate.held_out[0].argmax(axis=1), answers)


# Calibration


def test_the_answer_is_the_most_probable_class():
    lessons = planted()
    student = random_student(h=3, n_classes=4)  # it has learnt nothing
    calibration = calibrated(student, lessons, np.full(4, 0.25))
    p = student_probabilities(student, calibration, lessons.X)
    plain = softmax(calibration.scores(student.fields(lessons.X)))
    answers = student.answers(lessons.X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(p.argmax(axis=1), answers)
    agrees = plain.argmax(axis=1) == answers
    assert 0 < agrees.sum() < len(agrees)
    np.testing.assert_allclose(p[agrees], plain[agrees])
    for one, before, answer in zip(p[~agrees], plain[~agrees], answers[~agrees], strict=True):
        before[answer] = before.max()
        np.testing.assert_allclose(one, before / before.sum(), rtol=1e-8)


def test_a_student_that_has_learnt_is_as_sure_as_its_teacher():
    lessons = planted(1500)
    student = teach(lessons, planted(seed=1), 2, seed=0)
    p = student_probabilities(student, calibrated(student, lessons, np.full(4, 0.25)), lessons.X)
    assert np.abs(p - lessons.p).mean() < 0.05
    assert p.max(axis=1).mean() == pytest.approx(0.85, abs=0.08)


def test_of_many_lessons_some_calibrate(monkeypatch):
    lessons, student = planted(400), random_student(h=3, n_classes=4)
    monkeypatch.setattr("netlines.selection.calibration.MOST_LESSONS", Cases(two=0, more=100))
    some = Lessons(lessons.X[:, ::4], lessons.p[::4], np.full(100, 0.01))
    first, second = (calibrated(student, one, np.full(4, 0.25)) for one in (lessons, some))
    np.testing.assert_allclose(first.slopes, second.slopes)


def test_shares_of_the_classes_are_weighted():
    X, y = contradictory_classes()
    weights = np.linspace(0.5, 2, 60)
    expected = [weights[y == c].sum() / weights.sum() for c in range(3)]
    np.testing.assert_allclose(class_data_of(X, y, weights).all.priors(3), expected)
