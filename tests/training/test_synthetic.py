"""Synthetic points: between rows, with columns of others, on a boundary; categories stay whole."""

import numpy as np
import pytest

from netlines.training.points import Columns, mixed, on_boundary, synthetic

COLOURS, SIZES = slice(1, 4), slice(4, 6)  # of `table`: three columns, of which one is 1, and two


def table(p=60, seed=0):
    """Return rows: a number, two categories in columns of 0 and 1, two values, whole numbers, a constant."""
    rng = np.random.default_rng(seed)
    parts = np.eye(3)[rng.integers(0, 3, p)], np.eye(2)[rng.integers(0, 2, p)]
    more = rng.choice([3.5, 7.0], p), rng.integers(0, 50, p), np.full(p, 0.25)
    return np.column_stack([rng.standard_normal(p), *parts, *more])


def even(rows):
    return np.full(len(rows), 1 / len(rows))


def assert_like(points, rows):
    """Assert that points could be rows: one value a category, two values, whole numbers, the constant."""
    for category in (COLOURS, SIZES):
        assert np.isin(points[:, category], (0, 1)).all()
        assert (points[:, category].sum(axis=1) == 1).all()
    assert set(np.unique(points[:, 6])) <= {3.5, 7.0}
    np.testing.assert_array_equal(points[:, 7], np.rint(points[:, 7]))
    np.testing.assert_array_equal(points[:, 8], 0.25)
    assert (points >= rows.min(axis=0)).all()
    assert (points <= rows.max(axis=0)).all()


# How columns may be mixed


def test_columns_are_known_by_their_values():
    columns = Columns.of(table())
    np.testing.assert_array_equal(columns.group, [0, 1, 1, 1, 2, 2, 3, 4, 5])
    np.testing.assert_array_equal(columns.either, [False] + [True] * 6 + [False, True])
    np.testing.assert_array_equal(columns.whole, [False] + [True] * 5 + [False, True, False])
    assert columns.n_groups == 6


@pytest.mark.parametrize(
    ("rows", "group"),
    [
        ([[1, 0], [0, 1], [0, 0]], [0, 1]),  # neither: no category
        ([[1, 0], [0, 1], [1, 1]], [0, 1]),  # both
        ([[1, 0], [0, 2], [0, 2]], [0, 1]),  # not 0 and 1
        ([[1, 0, 1], [0, 1, 0], [1, 0, 0]], [0, 0, 1]),  # the shortest run of columns
        ([[1, 0, 5.5, 1], [0, 1, 5.0, 0]], [0, 0, 1, 2]),
        ([[1.0], [0.0]], [0]),
    ],
)
def test_columns_are_a_category_if_each_row_has_exactly_one(rows, group):
    np.testing.assert_array_equal(Columns.of(np.array(rows, dtype=float)).group, group)


def test_categories_are_drawn_apart_from_each_other():
    columns = Columns.of(np.array([[0.0, 1, 3, 0.5], [1.0, 0, 7, 0.1], [1.0, 0, 3, 0.2]]))
    start, end, rng = (
        np.tile([0.0, 1, 3, 0.5], (200, 1)),
        np.tile([1.0, 0, 7, 0.1], (200, 1)),
        np.random.default_rng(0),
    )
    points = columns.mixed(start, end, np.full((200, 1), 0.25), rng.random((200, 3)))
    np.testing.assert_allclose(points[:, 3], 0.4)
    first, second = points[:, 0] == 1, points[:, 2] == 7
    assert first.mean() == pytest.approx(0.25, abs=0.1)
    assert second.mean() == pytest.approx(0.25, abs=0.1)
    assert 0 < (first & second).mean() < 0.15


# Points like the rows


def test_points_of_a_table_could_be_rows():
    rows = table()
    points = synthetic(rows, even(rows), 1000, np.random.default_rng(0))
    assert points.shape == (1000, 9)
    assert_like(points, rows)
    assert points[:, COLOURS].any(axis=0).all()
    assert not np.isin(points[:, 7], rows[:, 7]).all()  # whole, but between those of the rows
    assert len(np.unique(points[:, 0])) > 300


def test_points_lie_between_rows_or_have_columns_of_rows():
    rows = np.random.default_rng(0).standard_normal((6, 3))
    points = synthetic(rows, even(rows), 300, np.random.default_rng(0))
    ends = rows[:, None], rows[None]
    between = np.zeros(300, dtype=bool)
    for k, point in enumerate(points):
        ways = (np.linalg.norm(point - end, axis=2) for end in ends)
        between[k] = (sum(ways) - np.linalg.norm(ends[0] - ends[1], axis=2)).min() < 1e-9
    of_rows = np.all([np.isin(points[:, j], rows[:, j]) for j in range(3)], axis=0)
    assert (between | of_rows).all()
    assert between.sum() > 60
    assert of_rows.sum() > 60
    assert len(np.unique(points[of_rows], axis=0)) > 6


def test_columns_that_go_together_come_from_one_row():
    rows = np.arange(40.0)[:, None] + [0.0, 100.0, 200.0]
    points = mixed(rows, even(rows), 500, np.random.default_rng(0), np.array([0, 0, 1]))
    np.testing.assert_array_equal(points[:, 1], points[:, 0] + 100)
    assert (points[:, 2] != points[:, 0] + 200).mean() > 0.5


def test_points_of_one_row_are_that_row():
    points = synthetic(np.array([[2.0, 5.0]]), np.ones(1), 11, np.random.default_rng(0))
    np.testing.assert_array_equal(points, np.tile([2.0, 5.0], (11, 1)))


def test_rows_have_points_by_their_weight():
    rows = np.array([[0.0], [1.0], [77.0]])
    points = synthetic(rows, np.array([0.9, 0.1, 0.0]), 4000, np.random.default_rng(0))
    assert points.max() <= 1
    assert points.mean() == pytest.approx(0.1, abs=0.03)


# Points where a teacher changes its answer


def planes(rows):
    """Return the logarithms of probabilities of three classes by scores that are linear in the columns."""
    scores = rows[:, :2] @ np.array([[2.0, -1.0, 0.5], [0.0, 2.0, -1.5]])
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def boundary_of(rows, log_p, n=400, seed=0):
    answers, rng = log_p.argmax(axis=1), np.random.default_rng(seed)
    return on_boundary(rows, log_p, answers, n, rng, Columns.of(rows))


def lead(log_p):
    return np.diff(np.sort(log_p, axis=1)[:, -2:])[:, 0]


def test_points_on_the_boundary_have_two_answers_that_are_about_as_likely():
    rows = np.random.default_rng(1).standard_normal((300, 2))
    points = boundary_of(rows, planes(rows))
    assert 300 < len(points) <= 400
    assert np.median(lead(planes(points))) < 0.4 * np.median(lead(planes(rows)))
    answers = planes(points).argmax(axis=1)
    assert (np.bincount(answers, minlength=3) > 0).all()


def test_points_on_the_boundary_could_be_rows():
    rows = table(p=200)
    log_p = np.log(np.column_stack([p := 1 / (1 + np.exp(-3 * rows[:, 0])), 1 - p]))
    points = boundary_of(rows, log_p)
    assert_like(points, rows)
    assert np.abs(points[:, 0]).mean() < 0.5 * np.abs(rows[:, 0]).mean()


def test_without_two_answers_there_is_no_boundary():
    rows = table()
    assert boundary_of(rows, np.log(np.tile([0.7, 0.3], (60, 1)))).shape == (0, 9)
