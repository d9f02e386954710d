"""How answers of two-class networks become one of many classes, by hand."""

from itertools import combinations

import numpy as np
import pytest

from netlines.network.schemes import (
    agreeing_margins,
    agreeing_scores,
    by_class,
    count_votes,
    coupled_probabilities,
    first_positive,
    pair_probabilities,
    path_margins,
    path_probabilities,
    settle,
)


def test_the_first_network_that_says_yes_decides():
    says = np.array([[True, False], [True, True], [False, True], [False, False]])
    assert first_positive(says).tolist() == [0, 0, 1, 2]


def test_the_smallest_margin_on_the_path_counts():
    margins = np.array([[-2.0, 0.5, -1.0], [3.0, -0.1, 7.0]])
    expected = [[-2.0, 0.5, -1.0, -0.5], [3.0, -3.0, -3.0, -7.0]]
    assert path_margins(margins).tolist() == expected


def test_only_the_answer_of_a_tree_has_a_positive_margin():
    margins = np.random.default_rng(0).normal(size=(200, 4))
    paths = path_margins(margins)
    assert ((paths > 0).sum(axis=1) == 1).all()
    assert (paths.argmax(axis=1) == first_positive(margins > 0)).all()


def test_probabilities_of_paths_are_products():
    p = np.array([[0.25, 0.5], [1.0, 0.0], [0.0, 0.0]])
    assert path_probabilities(p).tolist() == [[0.25, 0.375, 0.375], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_columns_of_a_sequence_become_those_of_the_classes():
    assert by_class(np.array([[1.0, 2.0, 3.0]]), [2, 0, 1]).tolist() == [[2.0, 3.0, 1.0]]


def test_votes_are_counted():
    assert count_votes(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist() == [[1, 0, 2], [0, 3, 0]]


def test_the_probabilities_of_pairs_are_summed():
    p = np.array([[1.0, 0.5, 0.25]])
    found = pair_probabilities(p, [(0, 1), (0, 2), (1, 2)], 3)
    assert found.tolist() == [[1.5 / 3, 0.25 / 3, 1.25 / 3]]


def test_the_probabilities_that_fit_those_of_pairs_are_found():
    p, pairs = np.array([[0.5, 0.2, 0.2, 0.1]]), list(combinations(range(4), 2))
    of_pairs = np.array([[p[0, i] / (p[0, i] + p[0, j]) for i, j in pairs]])
    np.testing.assert_allclose(coupled_probabilities(of_pairs, pairs, 4), p, atol=1e-12)


def test_pairs_that_contradict_each_other_still_give_probabilities():
    pairs = list(combinations(range(3), 2))
    found = coupled_probabilities(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.5]]), pairs, 3)
    np.testing.assert_allclose(found, [[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0]], atol=1e-6)


@pytest.mark.parametrize("answer", [0, 1, 2])
@pytest.mark.parametrize("scores", [[0.2, 0.5, 0.3], [0.0, 0.0, 0.0], [-3.0, -3.0, -5.0], [1e9, 1.0, 1e9]])
def test_the_answer_gets_the_largest_score(scores, answer):
    found = agreeing_scores(np.array([scores]), np.array([answer]))[0]
    others = np.arange(3) != answer
    assert (found[others] < found[answer]).all()
    assert (found[others] == np.array(scores)[others]).all()


def test_scores_that_agree_already_are_kept():
    scores = np.array([[0.2, 0.5, 0.3]])
    assert (agreeing_scores(scores, np.array([1])) == scores).all()


def test_margins_have_the_sign_of_the_answer():
    margins = np.array([1.0, -1.0, 0.0, 0.0, 2.0, -1e-12])
    says = np.array([True, False, True, False, False, False])
    found = agreeing_margins(margins, says)
    assert ((found > 0) == says).all()
    assert (found != 0).all()
    assert found[[0, 1, 5]].tolist() == [1.0, -1.0, -1e-12]


def test_a_tie_is_settled_by_confidence_then_by_the_sequence():
    votes = np.array([[1.0, 1, 1], [2, 1, 2], [1, 1, 1], [0, 3, 0]])
    confidence = np.array([[0.2, 0.5, 0.3], [0.1, 0.8, 0.1], [0.4, 0.2, 0.4], [0.9, 0.1, 0.0]])
    assert settle(votes, confidence, [2, 1, 0]).tolist() == [1, 2, 2, 1]
    assert settle(votes, confidence, [0, 1, 2]).tolist() == [1, 0, 0, 1]
