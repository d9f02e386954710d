"""Points scores: what is searched, how integers and cuts are found, and what is chosen."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netlines import NetLinesClassifierCV
from netlines.datasets import load_monks
from netlines.selection.points.conditions import conditions, roundest
from netlines.selection.points.rounding import rounded
from netlines.selection.points.search import Search
from netlines.training._stepped import cut_totals
from netlines.training._totals import line_cost


def readable(**options):
    return NetLinesClassifierCV(prefer="readable", **options)


def boolean_problem(seed, terms=9, rows=80):
    """Return terms of 0 and 1, shares, and labels that some of the terms make likely."""
    rng = np.random.default_rng(seed)
    Z = (rng.random((terms, rows)) < 0.4).astype(float)
    z = 2.0 * Z[0] - 1.5 * Z[3] + Z[5] - 0.4
    return Z, np.full(rows, 1 / rows), (rng.random(rows) < 1 / (1 + np.exp(-z))).astype(float)


@pytest.mark.parametrize("seed", range(4))
def test_the_search_finds_the_best_terms_of_all(seed):
    search = Search(*boolean_problem(seed))
    path = search.path(3)
    for size, found in enumerate(path, start=1):
        every = (search._fit(terms, None).cost for terms in combinations(range(9), size))
        assert found.cost <= min(every) + 1e-5
        assert len(found.terms) == size


@pytest.mark.parametrize("seed", range(3))
def test_integers_cost_hardly_more_than_the_best_of_all_integers(seed):
    Z, share, p = boolean_problem(seed)
    Z = Z[[0, 3, 5]]
    search = Search(Z, share, p)
    weights = search.weights_of(search._fit((0, 1, 2), None))[1:]
    points = rounded(weights, Z, share, p, largest=5)
    assert (points == np.rint(points)).all()
    assert np.abs(points).max() <= 5
    best = min(line_cost(np.array(own) @ Z, share, p)[0] for own in product(np.arange(-5.0, 6.0), repeat=3))
    assert line_cost(points @ Z, share, p)[0] <= 1.004 * best


def naive_cuts(first, second, most, price):
    """Return the lowest cost of all ways to cut a histogram."""
    found = []
    for k in range(most + 1):
        for places in combinations(range(1, len(first)), k):
            bounds = [0, *places, len(first)]
            sums = [(first[a:b].sum(), second[a:b].sum()) for a, b in pairwise(bounds)]
            found.append(k * price + sum(2 * p * q / (p + q) for p, q in sums if p + q > 0))
    return min(found)


@pytest.mark.parametrize("seed", range(5))
def test_cuts_of_totals_are_the_best_ones(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.random(8) * (rng.random(8) < 0.8), rng.random(8) * (rng.random(8) < 0.8)
    cost, k, places = cut_totals(first, second, 3, 0.05)
    assert cost == pytest.approx(naive_cuts(first, second, 3, 0.05))
    assert len(places) == k


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_round_threshold_lies_between_the_values(low, gap, integer):
    if integer:
        low, gap = round(low), max(1, round(gap))
    high = low + gap
    number = roundest(float(low), float(high), integer)
    assert low < number <= high
    assert not integer or gap > 4 or number == int(number)


def test_thresholds_are_round_and_split_where_the_classes_do():
    rng = np.random.default_rng(0)
    low = np.concatenate([rng.uniform(1, 1.9, 50), rng.uniform(3, 7, 100)])
    share, p = np.full(150, 1 / 150), (low < 2).astype(float)
    found = conditions(low[:, None], share, p).start
    assert 2.5 in found
    assert all(len(f"{one:.12g}") <= 4 for one in found)


@pytest.mark.slow
def test_monks_2_is_exactly_two_of_six():
    X, y = load_monks(2, return_X_y=True, as_frame=True)
    clf = readable().fit(X, y)
    card = clf.as_points()
    assert card.formula == " + ".join(f"[a{i}=1]" for i in range(1, 7)) + " = 2"
    assert clf.n_weights_ == card.n_weights == 8
    rows, labels = load_monks(2, subset="test", return_X_y=True, as_frame=True)
    assert (clf.predict(rows) == labels).all()
    assert clf.cv_results_["n_weights"][clf.cv_results_["chosen"]] == 8


def test_monks_1_has_a_total_with_three_cuts():
    X, y = load_monks(1, return_X_y=True)
    clf = readable().fit(X, y)
    rows, labels = load_monks(1, subset="test", return_X_y=True)
    assert (clf.predict(rows) == labels).all()
    assert clf.n_weights_ <= 10
    assert len(clf.as_points().totals[0].cuts) == 3


def noisy(seed=0, n=160, classes=2):
    """Return rows of integers, real numbers and two values, and noisy labels."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.integers(0, 9, n), rng.normal(50, 20, n).round(1), rng.integers(0, 2, n), rng.normal(0, 1e-3, n)]
    )
    z = 0.5 * (X[:, 0] - 4) + 0.04 * (X[:, 1] - 50) + X[:, 2] + rng.normal(0, 0.8, n)
    return X, np.digitize(z, [0.3] if classes == 2 else [-1.0, 1.0])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_score_is_small_and_of_two_digits(classes):
    X, y = noisy(classes=classes)
    clf = readable(cv=3).fit(X, y)
    card = clf.as_points()
    assert clf.n_weights_ == card.n_weights <= (10 if classes == 2 else 20)
    numbers = [n for total in card.totals for n in (*total.cuts, *(one.points for one in total.entries))]
    assert all(isinstance(n, int) and abs(n) <= 99 for n in numbers)
    assert clf.score(X, y) > (0.8 if classes == 2 else 0.65)
    results = clf.cv_results_
    assert {"candidate", "error", "error_se", "log_loss", "n_weights", "chosen"} <= set(results)
    assert np.isfinite(results["error"]).all()
    assert results["chosen"].sum() == 1
    assert results["n_weights"].max() <= (10 if classes == 2 else 20)
    assert "points score" in clf.chosen_


def test_an_integer_is_near_the_best_cut_of_real_totals():
    X = np.random.default_rng(0).normal(size=(300, 2))
    y = X.sum(axis=1) >= 0.5  # [1, 1] has no integer cut there, [2, 2] has
    clf = readable(cv=3).fit(X, y)
    assert clf.score(X, y) > 0.97
    assert clf.n_weights_ == 3


def test_scores_are_compared_as_sure_as_they_will_be():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 8)), np.arange(80) % 2  # noise, of which long scores are most sure
    results = readable().fit(X, y).cv_results_
    assert results["n_weights"].max() >= 9
    assert results["log_loss"].max() < np.log(2) + 0.02


def test_weights_are_repetitions_and_the_order_of_rows_does_not_matter():
    X, y = noisy(n=80)
    weights = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = readable(cv=3).fit(X, y, sample_weight=weights)
    order = np.random.default_rng(2).permutation(int(weights.sum()))
    repeated = readable(cv=3).fit(np.repeat(X, weights, axis=0)[order], np.repeat(y, weights)[order])
    assert weighted.as_points().formula == repeated.as_points().formula
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)


def test_class_weights_move_the_cut():
    X, y = noisy(n=300)
    rare = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:25]])
    usual, fair = (readable(cv=3, class_weight=one).fit(X[rare], y[rare]) for one in (None, "balanced"))
    recall = [(clf.predict(X[y == 1]) == 1).mean() for clf in (usual, fair)]
    assert recall[1] > recall[0] + 0.05


def test_many_rows_and_columns_are_searched_in_part(monkeypatch):
    from netlines.selection.points import build

    monkeypatch.setattr(build, "MOST_ROWS", 100)
    monkeypatch.setattr(build, "MOST_COLUMNS", 3)
    X, y = noisy(n=400)
    wide = np.hstack([np.random.default_rng(3).normal(size=(400, 6)), X])
    clf = readable(cv=2).fit(wide, y)
    assert clf.score(wide, y) > 0.75
    assert (np.flatnonzero(clf.network_.hidden_weights[:, 1:].any(axis=0)) >= 6).any()


def test_too_few_rows_get_a_short_score():
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 0, 1])
    clf = readable().fit(X, y)
    assert clf.predict(X).tolist() == [0, 0, 1]
    assert "too few rows" in clf.chosen_


def test_a_table_that_tells_nothing_gets_one_answer():
    X, y = np.zeros((30, 2)), np.arange(30) % 3 == 0
    clf = readable().fit(X, y)
    assert not clf.predict(X).any()
    assert clf.predict_proba(X)[0, 1] == pytest.approx(1 / 3)
    assert clf.n_weights_ == 0
    assert clf.as_points().formula == "never"


def test_schemes_that_are_no_sequence_are_refused():
    X, y = noisy(classes=3)
    with pytest.raises(ValueError, match=r"multiclass='vote'.*allowed are 'auto' and 'tree'"):
        readable(multiclass="vote").fit(X, y)
