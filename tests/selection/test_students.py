"""Students of two classes and of more: what they answer, what they are taught, sizes and probabilities."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from class_data import class_data_of, contradictory_classes, rays
from hypothesis import given, settings
from hypothesis import strategies as st

from netlines.network.frame import Frame
from netlines.network.network import Network
from netlines.network.probability import expit, softmax
from netlines.network.weights import normalised_outputs
from netlines.selection import course as course_module
from netlines.selection import sizes
from netlines.selection.calibration import calibrated, student_probabilities
from netlines.selection.course import Course, Lessons, leads
from netlines.selection.data import Standardisation
from netlines.selection.sizes import (
    effort,
    most_hidden,
    sizes_up_to,
    smallest_good,
    steps_up_to,
    teach_sizes,
)
from netlines.selection.students import Student, hardened
from netlines.selection.teachers.fitted import fit_linear
from netlines.selection.teaching import COOLING, DESCENT, LARGE, teach
from netlines.training.cases import Cases
from netlines.training.geometry import unit_rows
from netlines.training.threads import in_order

PLANES = np.array([[0.2, 1.0, 0.1], [-0.3, -0.5, 1.0], [0.1, -0.6, -1.0]])
NOTHING = Standardisation(np.zeros(2), np.ones(2), Frame.plain(2))
BRIEF = replace(DESCENT.two, steps=400, batch=128)


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Teach with few synthetic points."""
    for name, n in {
        "FEWEST": 1200,
        "EACH": 0,
        "FINER": Cases(two=600, more=600),
        "BOUNDARY": 500,
        "FRESH": 800,
    }.items():
        monkeypatch.setattr(course_module, name, n)


def fields(rows):
    return PLANES[:, 0] + rows @ PLANES[:, 1:].T


def both(p):
    """Return the probabilities of two classes by that of the second."""
    return np.column_stack([1 - p, p])


def linear(rows):
    return both(expit(4 * fields(rows)[:, 0]))


def majority(rows):
    """Answer, surely, as most of three hyperplanes do."""
    return both(np.where(np.sign(fields(rows)).sum(axis=1) > 0, 0.95, 0.05))


def four(rows):
    """Answer with one of four classes, about which two hyperplanes decide."""
    labels = 2 * (fields(rows)[:, 0] > 0) + (fields(rows)[:, 1] > 0)
    return np.eye(4)[labels] * 0.8 + 0.05


def disc(rows):
    return both(expit(6 * (1.5 - (rows**2).sum(axis=1))))


def course_of(probability, p=300, seed=0):
    rows = np.random.default_rng(seed).standard_normal((p, 2))
    return Course.of(rows, probability(rows), np.full(p, 1 / p), NOTHING, probability, seed=seed)


def some_student(n_outputs, h=4, m=4, seed=0):
    rng = np.random.default_rng(seed)
    return Student(unit_rows(rng.standard_normal((h, m))), rng.standard_normal((n_outputs, h + 1)))


def patterns(n=50, m=4, seed=1):
    return np.vstack([np.ones(n), np.random.default_rng(seed).standard_normal((m - 1, n))])


OUTPUTS = pytest.mark.parametrize("n_outputs", [1, 3], ids=["two", "classes"])


# A student


@OUTPUTS
def test_answers_are_those_of_plain_loops(n_outputs):
    student, X = some_student(n_outputs), patterns()
    for k, found in enumerate(student.answers(X)):
        states = [1.0 if row @ X[:, k] >= 0 else -1.0 for row in student.hidden]
        sums = [v[0] + sum(v[1:] * states) for v in student.output]
        assert found == (int(np.argmax(sums)) if n_outputs > 1 else int(sums[0] >= 0))
        np.testing.assert_array_equal(student.codes(X)[:, k], states)
        np.testing.assert_allclose(student.fields(X)[k], student.hidden @ X[:, k])


def test_the_sign_of_zero_is_positive():
    X = np.array([[1.0, 1.0], [0.0, -1e-9]])
    classes = Student(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, -1.0], [-2.0, 0.0]]))
    np.testing.assert_array_equal(classes.answers(X), [0, 1])
    two = Student(np.array([[0.0, 1.0], [0.5, -1.0]]), np.array([[-1.0, 1.0, 1.0]]))
    X = np.array([[1.0, 1.0, 1.0, 1.0], [-1.0, 0.0, 0.5, 0.75]])
    np.testing.assert_array_equal(two.fields(X), [[-1, 1.5], [0, 0.5], [0.5, 0], [0.75, -0.25]])
    np.testing.assert_array_equal(two.answers(X), [0, 1, 1, 0])


def test_a_student_counts_what_a_network_counts():
    student = some_student(4, h=5)
    network = Network(student.hidden, normalised_outputs(student.output), np.arange(4))
    assert student.n_weights == network.n_weights == 5 * 4 + 4 * 6
    assert (student.size, student.name) == (5, "network of 5 hyperplanes")
    assert some_student(1, h=5).n_weights == 5 * 4 + 6
    unit = hardened(np.array([[3.0, 4.0, 0.0]]), np.array([[0.5, -2.0]]))
    assert (unit.n_weights, unit.name, unit.passes_on) == (3, "network of 1 hyperplane", True)
    np.testing.assert_allclose(unit.hidden, [[-0.6, -0.8, 0.0]])  # the output turned it round


@OUTPUTS
def test_the_exam_and_the_record_are_marked_by_hand(n_outputs):
    student, X = some_student(n_outputs), patterns()
    rng, answers = np.random.default_rng(2), student.answers(X)
    exam = Lessons(X, rng.dirichlet(np.ones(max(2, n_outputs)), 50), rng.dirichlet(np.ones(50)))
    marked, alike, excess = student.examined(exam), 0, 0.0
    for answer, p, share in zip(answers, exam.p, exam.share, strict=True):
        right = int(np.argmax(p))
        alike += answer == right
        excess += 0 if answer == right else share * (p[right] - np.sort(p)[-2])
    assert marked.fidelity == alike / 50
    assert marked.excess == pytest.approx(excess)
    assert np.isnan(student.excess)
    record = student.record(X, exam.labels, exam.share)
    assert record["errors"] == pytest.approx(exam.share[answers != exam.labels].sum())
    assert (record["n_hidden"], record["origin"], record["epochs"]) == (4, "distilled", 0)


# Lessons


def test_an_answer_counts_by_how_much_it_leads():
    p = np.array([[0.6, 0.3, 0.1], [0.1, 0.5, 0.4], [1.0, 0.0, 0.0]])
    lessons = Lessons(np.ones((1, 3)), p, np.array([0.5, 0.25, 0.25]))
    np.testing.assert_array_equal(lessons.labels, [0, 1, 0])
    expected = np.array([0.5 * 0.3, 0.25 * 0.1, 0.25])
    np.testing.assert_allclose(lessons.weights, expected / expected.sum(), rtol=1e-4)
    two = Lessons(np.ones((1, 3)), both(np.array([0.0, 0.5, 0.75])), np.full(3, 1 / 3))
    np.testing.assert_array_equal(two.labels, [0, 1, 1])
    np.testing.assert_allclose(two.weights, [2 / 3, 0, 1 / 3], atol=1e-5)
    np.testing.assert_allclose(leads(p), [0.3, 0.1, 1.0])


def test_where_a_teacher_cannot_tell_there_are_weights_all_the_same():
    lessons = Lessons(np.ones((1, 2)), np.full((2, 3), 1 / 3), np.array([0.75, 0.25]))
    np.testing.assert_allclose(lessons.weights, [0.75, 0.25])


def taught_table(weights=None):
    data = class_data_of(*rays(p=60), weights)
    teacher, share = fit_linear(data), np.bincount(data.all.pattern, data.all.share)
    p = teacher.answers(data)
    return data, p, share, Course.of(data.rows, p, share, data.standardisation, teacher.probability, seed=0)


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 2, 60)], ids=["plain", "weighted"])
def test_lessons_are_the_rows_and_synthetic_points_with_half_of_the_weight_each(weights):
    data, p, share, course = taught_table(weights)
    lessons, exam, n = course.lessons, course.exam, 60
    np.testing.assert_array_equal(lessons.X[:, :n], data.X)
    np.testing.assert_array_equal(lessons.p[:n], p)
    np.testing.assert_allclose(lessons.share[:n], share / 2)
    assert lessons.share.sum() == pytest.approx(1)
    np.testing.assert_allclose(lessons.share[n:], 0.5 / (len(lessons.share) - n))
    units, teacher = data.standardisation, fit_linear(data).probability
    for points, said in ((lessons.X[1:, n:], lessons.p[n:]), (exam.X[1:], exam.p)):
        rows = (points.T * units.scale + units.mean) * units.frame.unit
        np.testing.assert_allclose(said, teacher(rows), atol=1e-9)
    assert exam.X.shape == (4, 800)
    assert exam.share.sum() == pytest.approx(1)
    assert np.isin(exam.X[1], lessons.X[1]).mean() < 0.7  # others than those of the lessons


def test_of_very_many_rows_the_first_are_learnt(monkeypatch):
    monkeypatch.setattr(course_module, "MOST_ROWS", 30)
    data, _, share, course = taught_table(np.linspace(0.5, 2, 60))
    np.testing.assert_array_equal(course.lessons.X[:, :30], data.X[:, :30])
    np.testing.assert_allclose(course.lessons.share[:30], share[:30] / share[:30].sum() / 2)
    assert not np.isin(data.X[1, 30:], course.lessons.X[1, 30:61]).all()
    assert course.for_large.share.sum() == pytest.approx(1)


def test_large_students_have_more_lessons_many_on_the_boundary():
    course = course_of(disc)
    lessons, finer = course.lessons, course.for_large
    n = len(lessons.share)
    assert len(finer.share) > n + 800
    assert finer.share.sum() == pytest.approx(1)
    np.testing.assert_array_equal(finer.X[:, :n], lessons.X)
    np.testing.assert_array_equal(finer.p[:n], lessons.p)
    np.testing.assert_allclose(finer.p, disc(finer.X[1:].T))
    near = np.abs(np.hypot(*finer.X[1:]) - np.sqrt(1.5)) < 0.25
    assert near[-400:].mean() > 1.4 * near[:n].mean()
    assert course.for_large is finer
    again = course_of(disc)
    np.testing.assert_array_equal(again.for_large.X, finer.X)


def test_a_teacher_of_one_answer_has_no_boundary():
    course = course_of(lambda rows: both(np.full(len(rows), 0.9)))
    assert course.for_large.share.sum() == pytest.approx(1)
    assert (course.for_large.labels == 1).all()


def test_points_of_the_lessons_keep_categories_whole():
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.standard_normal(90), np.eye(3)[rng.integers(0, 3, 90)]])

    def probability(rows):
        return both(expit(3 * rows[:, 0] * (rows[:, 1] - rows[:, 2])))

    units = Standardisation(np.zeros(4), np.ones(4), Frame.plain(4))
    course = Course.of(rows, probability(rows), np.full(90, 1 / 90), units, probability, seed=0)
    for lessons in (course.lessons, course.exam, course.for_large):
        assert np.isin(lessons.X[2:], (0, 1)).all()
        np.testing.assert_array_equal(lessons.X[2:].sum(axis=0), 1)


# Teaching


@pytest.mark.parametrize(
    ("teacher", "size", "fidelity"),
    [(linear, 1, 0.98), (majority, 3, 0.96), (four, 2, 0.95), (disc, 24, 0.95)],
    ids=["unit", "cooled", "classes", "descended"],
)
def test_known_hyperplanes_are_learnt(teacher, size, fidelity):
    found = teach(course_of(teacher), size, seed=0)
    assert found.fidelity > fidelity
    assert found.excess < 0.02
    assert found.epochs > 0
    assert found.size == size
    np.testing.assert_allclose(np.linalg.norm(found.hidden, axis=1), 1)
    known = unit_rows(PLANES[: {linear: 1, four: 2}.get(teacher, 0)])
    assert (np.abs(known @ found.hidden.T) > 0.99).any(axis=1).all()


@pytest.mark.parametrize(("teacher", "few"), [(majority, 1), (four, 1), (disc, 2)])
def test_too_few_units_are_found_out(teacher, few):
    assert teach(course_of(teacher), few, seed=0).excess > 0.05


def test_the_heavier_answer_is_learnt():
    rows = np.linspace(-1, 1, 40)
    X = np.vstack([np.ones(80), np.tile(rows, 2)])
    right = np.where(rows > 0.3, 0.9, 0.1)
    for share in (0.8, 0.2):
        shares = np.repeat([share / 40, (1 - share) / 40], 40)
        lessons = Lessons(X, both(np.r_[right, 1 - right]), shares)
        found = teach(Course(lessons, lessons), 1, seed=0)
        expected = right if share > 0.5 else 1 - right
        assert ((found.answers(X[:, :40]) == 1) == (expected > 0.5)).mean() > 0.95


@pytest.mark.parametrize("size", [1, 2, LARGE.two])
@pytest.mark.parametrize("p", [0.0, 0.9])
def test_a_teacher_that_always_answers_the_same_is_learnt(p, size):
    course = course_of(lambda rows: both(np.full(len(rows), p)))
    assert teach(course, size, seed=0, descent=BRIEF).fidelity == 1


@pytest.mark.parametrize(("teacher", "size"), [(majority, 3), (disc, LARGE.two), (four, 3)])
def test_what_is_taught_depends_on_the_seed_alone(teacher, size):
    course, how = course_of(teacher), {"descent": BRIEF}
    first, again, other = (teach(course, size, seed=seed, **how) for seed in (0, 0, 1))
    threads = teach(course_of(teacher), size, seed=0, run=partial(in_order, n_threads=2), **how)
    for same in (again, threads):
        np.testing.assert_array_equal(first.hidden, same.hidden)
        np.testing.assert_array_equal(first.output, same.output)
    assert not np.array_equal(first.hidden, other.hidden)


def test_the_best_of_the_starts_are_cooled_and_the_best_of_these_is_taken():
    course, done = course_of(majority), []

    def watched(function, jobs):
        done.append([(job, function(job)) for job in jobs])
        return [result for _, result in done[-1]]

    found = teach(course, 4, seed=0, run=watched, cooling=replace(COOLING, sweeps=0, finalists=3))
    begun, ended = done
    first = sorted((cost, w.tobytes()) for _, (cost, _, w) in begun)[:3]
    assert {w.tobytes() for w, _ in ended} == {w for _, w in first}
    wrong = [one.answers(course.lessons.X) != course.lessons.labels for _, one in ended]
    best = int(np.argmin([course.lessons.weights[one].sum() for one in wrong]))
    np.testing.assert_array_equal(found.hidden, ended[best][1].hidden)
    assert len({one.sum() for one in wrong}) > 1


def test_large_students_learn_what_is_made_for_them():
    plain = course_of(disc)
    turned = replace(plain.for_large, p=plain.for_large.p[:, ::-1].copy())
    found = teach(Course(plain.lessons, plain.exam, lambda: turned), 24, seed=0)
    assert found.fidelity < 0.1


def test_retraining_does_not_add_errors():
    def quadrants(rows):
        return both(np.where(rows[:, 0] * rows[:, 1] > 0, 0.9, 0.1))

    course, wrong = course_of(quadrants), []
    for sweeps in (0, 2):
        answers = teach(course, 3, seed=0, cooling=replace(COOLING, sweeps=sweeps)).answers(course.lessons.X)
        wrong.append(course.lessons.weights[answers != course.lessons.labels].sum())
    assert wrong[1] <= wrong[0] + 1e-12


# Sizes


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 300), st.integers(2, 40))
def test_sizes_rise_to_the_largest_and_have_a_code_for_each_class(largest, n_classes):
    steps, every = steps_up_to(largest, n_classes), sizes_up_to(largest, n_classes)
    assert steps[-1] == every[-1] == largest
    assert set(steps) <= set(every)
    assert (np.diff(steps) > 0).all()
    assert all(2**size >= n_classes for size in steps[:-1])
    assert len(steps) < 10


@pytest.mark.parametrize("n_classes", [2, 3, 30])
def test_how_many_units_there_may_be(n_classes):
    usual = [[most_hidden(one, n, n_classes) for n in (1, 10, 100, 10_000)] for one in sizes.USUAL]
    assert (np.diff(usual, axis=0) >= 0).all()  # from small to accurate
    assert (np.diff(usual, axis=1) <= 0).all()  # the more columns, the fewer units
    assert np.min(usual) >= 2
    assert np.min(usual) >= n_classes or n_classes == 2
    if n_classes == 2:
        for prefer, row in zip(sizes.USUAL, usual, strict=True):
            for n, h in zip((1, 10, 100, 10_000), row, strict=True):
                assert h <= sizes.FEW or h * (n + 2) <= sizes.MOST_WEIGHTS[prefer]


def test_few_patterns_have_fewer_steps():
    steps = [effort("balanced", n, 2).steps for n in (30, 500, 5000)]
    assert steps == sorted(steps)
    assert 0 < steps[0] < steps[-1] < effort("accurate", 5000, 2).steps


def of_size(size, excess):
    return Student(np.eye(1, 3).repeat(size, axis=0), np.ones((1, size + 1)), 0, excess, 1 - excess)


def sizes_taught(excess, largest, tolerance, n_classes=2, **more):
    """Return the students of `teach_sizes` if each size has a known excess, and the sizes in their order."""
    said, seen = np.full((1, n_classes), 1 / n_classes), []
    lessons = Lessons(np.ones((1, 1)), said, np.ones(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sizes, "teach", lambda course, size, **_: seen.append(size) or of_size(size, excess(size))
        )
        found = teach_sizes(Course(lessons, lessons), largest, tolerance=tolerance, seed=0, **more)
    assert [one.size for one in found] == sorted(seen)
    assert len(set(seen)) == len(seen)
    return found, seen


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 140),
    st.lists(st.floats(0, 0.5), min_size=8, max_size=8),
    st.floats(0, 0.05),
    st.integers(2, 9),
)
def test_the_smallest_good_size_is_found_if_larger_ones_are_no_worse(largest, falling, tolerance, n_classes):
    costs = sorted(falling, reverse=True)

    def excess(size):
        return costs[min(int(np.log2(size)), 7)]

    found, seen = sizes_taught(excess, largest, tolerance, n_classes)
    least = min(map(excess, seen))
    every = [size for size in sizes_up_to(largest, n_classes) if size <= max(seen)]
    good = [size for size in every if excess(size) <= least + tolerance]
    first = steps_up_to(largest, n_classes)[0]
    assert smallest_good(found, tolerance).size <= max(min(good), first)


def test_growth_passes_over_sizes_that_are_far_too_small():
    near, far = (sizes_taught(lambda size, cost=cost: cost * (size < 40), 64, 0.01) for cost in (0.012, 0.4))
    assert near[1][: near[1].index(64) + 1] == steps_up_to(64, 2)
    assert len(far[1]) < len(near[1])
    assert [smallest_good(found, 0.01).size for found, _ in (near, far)] == [64, 64]


def test_sizes_that_were_passed_over_last_are_tried():
    first, *_, last = steps_up_to(32, 2)
    found, seen = sizes_taught(lambda size: 0.4 * (size < 9), last, 0.01)
    every = [size for size in sizes_up_to(last, 2) if size > first]
    assert smallest_good(found, 0.01).size == min(size for size in every if size >= 9)
    after = seen[seen.index(max(seen)) + 1 :]
    assert after == sorted(after, reverse=True)
    assert len(after) > 1


def test_growth_ends_with_the_first_that_is_good_enough():
    names = []
    _, seen = sizes_taught(lambda size: 1 / size, 64, 0.4, report=names.append)
    assert max(seen) == seen[0] == steps_up_to(64, 2)[0]
    assert names == [of_size(size, 0).name for size in seen]
    assert sizes_taught(lambda size: 1.0, 1, 0.0)[1] == [1]
    assert sizes_taught(lambda size: 0.0, 64, 0.0)[1] == [3, 2, 1]
    assert smallest_good(sizes_taught(lambda size: 0.0, 64, 0.0)[0], 0.0).size == 1


def test_the_smallest_good_student_is_taken():
    students = [of_size(1, 0.3), of_size(2, 0.11), of_size(3, 0.1), of_size(4, 0.12)]
    assert [smallest_good(students, tolerance).size for tolerance in (0.0, 0.02, 0.5)] == [3, 2, 1]


# Calibration


@OUTPUTS
def test_the_answer_is_the_most_probable_class(n_outputs):
    student, X = some_student(n_outputs, h=3), patterns(400)  # it has learnt nothing
    n_classes = max(2, n_outputs)
    lessons = Lessons(
        X, softmax(np.random.default_rng(0).standard_normal((400, n_classes))), np.full(400, 1 / 400)
    )
    calibration = calibrated(student, lessons, np.full(n_classes, 1 / n_classes))
    p, answers = student_probabilities(student, calibration, X), student.answers(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(p.argmax(axis=1), answers)
    scores = calibration.scores(student.fields(X))
    plain = both(expit(scores[:, 0])) if n_classes == 2 else softmax(scores)
    agrees = plain.argmax(axis=1) == answers
    assert 0 < agrees.sum() < len(agrees)
    np.testing.assert_allclose(p[agrees], plain[agrees])


@pytest.mark.parametrize(("teacher", "size"), [(majority, 3), (four, 2), (disc, LARGE.two)])
def test_a_student_that_has_learnt_is_as_sure_as_its_teacher(teacher, size):
    course = course_of(teacher)
    student, n_classes = teach(course, size, seed=0), course.exam.p.shape[1]
    calibration = calibrated(student, course.lessons, np.full(n_classes, 1 / n_classes))
    p = student_probabilities(student, calibration, course.exam.X)
    assert np.abs(p - course.exam.p).mean() < 0.12
    assert p.max(axis=1).mean() == pytest.approx(course.exam.p.max(axis=1).mean(), abs=0.08)


def test_of_many_lessons_some_calibrate():
    lessons, student = course_of(four).lessons, some_student(4, h=3, m=3)
    few = slice(None, None, len(lessons.share) // 100)
    some = Lessons(lessons.X[:, few], lessons.p[few], lessons.share[few])
    priors = np.full(4, 0.25)
    first, second = (
        calibrated(student, lessons, priors, most=100),
        calibrated(student, some, priors, most=1e9),
    )
    np.testing.assert_allclose(first.slopes, second.slopes)


def test_shares_of_the_classes_are_weighted():
    X, y = contradictory_classes()
    weights = np.linspace(0.5, 2, 60)
    expected = [weights[y == c].sum() / weights.sum() for c in range(3)]
    np.testing.assert_allclose(class_data_of(X, y, weights).all.priors(3), expected)
