"""Learning sequences: a user's order, the easiest class first, the sequences of a vote."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, make_blobs

from netlines.classifiers.multiclass.tree import check_order
from netlines.training.separability import MOST_COLUMNS, RIDGE, Separability
from netlines.training.sequences import easiest_first, vote_orders

CLASSES = np.array(["ant", "bee", "cat"])


def separability_of(X, y, weights=None):
    classes, codes = np.unique(y, return_inverse=True)
    weights = np.ones(len(codes)) if weights is None else np.asarray(weights, dtype=float)
    return Separability(X, codes, weights, len(classes))


def naive_losses(X, y, weights, rest):
    """Ridge regression of each indicator on inputs standardised over all rows, solved as it stands."""
    share = weights / weights.sum()
    mean = share @ X
    Z = (X - mean) / np.sqrt(share @ (X - mean) ** 2)
    own = np.isin(y, rest)
    Z, t, w = Z[own], y[own], weights[own] / weights[own].sum()
    F = np.column_stack([np.ones(len(Z)), Z])
    penalty = np.diag([0.0] + [RIDGE] * X.shape[1])
    losses = []
    for label in rest:
        target = (t == label).astype(float)
        b = np.linalg.solve((F.T * w) @ F + penalty, F.T @ (w * target))
        losses.append(w @ (target - F @ b) ** 2)
    return losses


@pytest.fixture(scope="module")
def blobs():
    centers = [[0, 0, 0], [9, 0, 1], [0, 3, 0], [1, 1, 1]]
    return make_blobs([40, 30, 20, 35], centers=centers, cluster_std=1.0, random_state=0)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["ant", "cat"], ["misses 'bee'"]),
        (["ant", "bee", "cat", "ant"], ["repeats 'ant'"]),
        (["ant", "bee", "dog"], ["misses 'cat'", "unknown classes 'dog'"]),
        ([], ["misses 'ant', 'bee', 'cat'"]),
        ([1, 2, 3], ["unknown classes 1, 2, 3"]),
    ],
)
def test_a_wrong_order_is_refused_with_what_is_wrong(order, words):
    with pytest.raises(ValueError, match="order=") as error:
        check_order(order, CLASSES)
    assert all(word in str(error.value) for word in words)


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_an_order_is_any_sequence_of_the_labels(kind):
    assert check_order(kind(["cat", "ant", "bee"]), CLASSES) == (2, 0, 1)
    assert check_order(kind([3, 1, 2]), np.array([1, 2, 3])) == (2, 0, 1)


def test_the_loss_is_that_of_a_ridge_regression(blobs):
    X, y = blobs
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    found = separability_of(X, y, weights)
    for rest in ([0, 1, 2, 3], [0, 2, 3], [1, 2, 3]):
        np.testing.assert_allclose(found.losses(rest), naive_losses(X, y, weights, rest), rtol=1e-9)


def test_the_easiest_class_comes_first(blobs):
    X, y = blobs
    assert easiest_first(separability_of(X, y))[0] == 1  # far from all others
    X, y = load_iris(return_X_y=True)
    assert easiest_first(separability_of(X, y)) == (0, 1, 2)
    assert easiest_first(separability_of(X, y), [2])[:2] == (2, 0)


def test_two_classes_are_equally_easy_and_keep_their_order(blobs):
    X, y = blobs
    for labels in ([0, 1], [1, 2], [2, 3]):
        own = np.isin(y, labels)
        assert easiest_first(separability_of(X[own], y[own])) == (0, 1)


def test_the_order_of_the_rows_and_of_the_columns_and_units_do_not_matter(blobs):
    X, y = blobs
    expected = separability_of(X, y).losses(range(4))
    again = np.random.default_rng(1).permutation(len(y))
    for other in (X[again], X[again][:, [2, 0, 1]], X[again] * [1e200, 1e-200, 3.0] + [0, 0, 7.0]):
        np.testing.assert_allclose(separability_of(other, y[again]).losses(range(4)), expected, rtol=1e-8)


def test_a_weight_counts_rows(blobs):
    X, y = blobs
    counts = np.random.default_rng(2).integers(0, 3, len(y))
    repeated = separability_of(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    X = np.where(counts[:, None] > 0, X, np.nan)  # a row of weight 0 is not even looked at
    weighted = separability_of(X, y, counts * 1e300)
    np.testing.assert_allclose(weighted.losses(range(4)), repeated.losses(range(4)), rtol=1e-9)


def test_sparse_rows_and_lists_and_tables_are_measured_alike(blobs):
    pd = pytest.importorskip("pandas")
    X, y = blobs
    X = np.where(np.abs(X) > 0.5, X, 0.0)
    expected = separability_of(X, y).losses(range(4))
    table = pd.DataFrame(X, columns=list("abc")).assign(name="text")  # the text is left aside
    for other in (sparse.csr_array(X), sparse.csr_matrix(X), X.tolist(), X.astype(object), table):
        np.testing.assert_allclose(separability_of(other, y).losses(range(4)), expected, rtol=1e-9)


def test_missing_values_become_the_mean_of_their_column(blobs):
    pd = pytest.importorskip("pandas")
    X, y = blobs
    holes = X.copy()
    holes[::7, 1] = np.nan
    holes[::11, 2] = np.inf
    filled = holes.copy()
    for k in (1, 2):
        known = np.isfinite(holes[:, k])
        filled[~known, k] = holes[known, k].mean()
    expected = separability_of(filled, y).losses(range(4))
    np.testing.assert_allclose(separability_of(holes, y).losses(range(4)), expected, rtol=1e-9)
    missing = pd.DataFrame(np.where(np.isfinite(holes), holes, np.nan)).convert_dtypes()
    np.testing.assert_allclose(separability_of(missing, y).losses(range(4)), expected, rtol=1e-9)


@pytest.mark.parametrize(
    "X",
    [
        [["a"], ["b"], ["c"], ["d"]],
        ["some text", "more text", "other", "words"],
        np.zeros((4, 0)),
        np.ones((4, 3)),
        np.array([1.0, 2.0, 3.0, 4.0]),
        np.full((4, 2), np.nan),
        np.full((4, 2), 1j),
        [[1.0], [2.0, 3.0], [4.0], [5.0]],
    ],
)
def test_without_numbers_that_differ_the_order_is_that_of_the_classes(X):
    assert easiest_first(separability_of(X, [2, 0, 1, 3])) == (0, 1, 2, 3)


def test_of_many_columns_those_that_differ_between_the_classes_are_used(blobs):
    X, y = blobs
    X, y = np.tile(X, (40, 1)), np.tile(y, 40)
    noise = np.random.default_rng(3).normal(size=(len(y), MOST_COLUMNS + 10))
    wide = np.hstack([noise, X])
    found = [separability_of(rows, y) for rows in (wide, sparse.csr_array(wide))]
    assert all(one._sums.shape == (4, MOST_COLUMNS) for one in found)
    np.testing.assert_allclose(found[0].losses(range(4)), found[1].losses(range(4)), rtol=1e-9)
    # The noise explains a little too, but the inputs that tell the classes apart are still there.
    assert (found[0].losses(range(4)) < separability_of(X, y).losses(range(4))).all()
    assert found[0].ranked(range(4))[0] == 1


@pytest.mark.parametrize(("n_classes", "n_trees"), [(2, 1), (3, 3), (4, 5), (5, 5), (8, 9), (8, 3), (3, 5)])
def test_every_class_comes_first_about_equally_often(n_classes, n_trees):
    X, y = make_blobs(30 * n_classes, centers=n_classes, random_state=n_classes)
    separability = separability_of(X, y)
    orders = vote_orders(separability, n_trees, np.random.RandomState(0))
    assert len(set(orders)) == len(orders) == n_trees
    assert all(sorted(order) == list(range(n_classes)) for order in orders)
    counts = np.bincount([order[0] for order in orders], minlength=n_classes)
    assert np.ptp(counts) <= 1
    assert orders == vote_orders(separability, n_trees, np.random.RandomState(1))  # nothing is drawn


@pytest.mark.parametrize(("n_classes", "n_trees"), [(3, 9), (4, 15), (4, 51), (7, 99), (2, 5)])
def test_more_trees_than_rounds_are_drawn_and_differ_as_long_as_they_can(n_classes, n_trees):
    X, y = make_blobs(30 * n_classes, centers=n_classes, random_state=n_classes)
    separability = separability_of(X, y)
    orders = vote_orders(separability, n_trees, np.random.RandomState(0))
    possible = int(np.prod(np.arange(1, n_classes + 1)))
    assert len(orders) == n_trees
    assert len(set(orders)) == min(n_trees, possible)
    assert all(sorted(order) == list(range(n_classes)) for order in orders)
    assert np.ptp(np.bincount([order[0] for order in orders])) <= 1
    assert orders == vote_orders(separability, n_trees, np.random.RandomState(0))
