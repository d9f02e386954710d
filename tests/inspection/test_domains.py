"""The table of domains: which codes rows have, of which class, with which errors, next to what."""

import numpy as np
import pytest

from netlines.inspection.domains import find_domains, standard_distances
from netlines.network.background import describe
from netlines.network.network import Network

CORNER = Network([[0, 1, 0], [0, 0, 1]], [[-1, 1, 1]], ["out", "in"])
X = np.array([[1.0, 2.0], [3.0, 0.5], [-0.1, 4.0], [-5.0, -0.2], [2.0, 1.0]])
Y = ["in", "in", "out", "in", "out"]


def test_a_table_worked_by_hand():
    domains = find_domains(CORNER, X, Y)
    assert [tuple(one)[:5] for one in domains] == [
        ("+ +", "in", 3, (1, 2), 1),
        ("- -", "out", 1, (0, 1), 1),
        ("- +", "out", 1, (1, 0), 0),
    ]
    assert domains.nearest.tolist() == [2, 2, 1]
    np.testing.assert_allclose(domains.distances, [3.5 / 3, 0.2, 0.1])
    assert not domains.faithful
    assert str(domains).splitlines()[-1] == "1 of 3 domains have rows of more than one class"
    assert find_domains(CORNER, X[:4], Y[:4]).faithful


def test_the_frame_has_the_columns_of_the_text():
    frame = find_domains(CORNER, X, Y).to_frame()
    assert frame.columns.tolist() == [
        "code", "class", "patterns", "out", "in", "errors", "nearest hyperplane", "distance",
    ]  # fmt: skip
    assert frame["patterns"].sum() == 5


@pytest.mark.parametrize("model", ["grown", "chosen"])
def test_domains_of_a_classifier_count_every_row_and_error(fitted, model):
    clf, X, y = fitted("cancer", model, as_frame=True)
    domains = clf.domains(X, y)
    assert domains.counts.sum() == len(X)
    assert domains.counts.sum(axis=0).tolist() == [444, 239]
    assert domains.errors.sum() == clf.n_training_errors_
    codes = clf.internal_representation(X)
    for code, label, count in zip(domains.codes, domains.labels, domains.counts.sum(axis=1), strict=True):
        inside = (codes == code).all(axis=1)
        assert inside.sum() == count
        assert set(clf.predict(X[inside])) == {label}
    assert domains.faithful == (clf.n_training_errors_ == 0)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tree", "pairs", "shared"])
def test_domains_of_many_classes(fitted, model):
    clf, X, y = fitted("iris", model)
    domains = clf.domains(X, y)
    assert domains.codes.shape[1] == clf.n_hidden_
    assert domains.counts.sum(axis=0).tolist() == [50, 50, 50]
    assert domains.errors.sum() == clf.n_training_errors_


def test_distances_are_those_of_standardised_inputs():
    rng = np.random.default_rng(0)
    X, weights = rng.normal([5.0, -2.0], [3.0, 0.1], size=(50, 2)), rng.normal(size=(3, 3))
    known = describe(X)
    network = Network(weights, np.ones((1, 4)), [0, 1], background=known)
    bias, slopes = weights[:, :1] + weights[:, 1:] @ known.mean[:, None], weights[:, 1:] * known.scale
    standardised = Network(np.hstack([bias, slopes]), np.ones((1, 4)), [0, 1])
    expected = standardised.distances((X - X.mean(axis=0)) / X.std(axis=0))
    np.testing.assert_allclose(standard_distances(network, X), expected)


def test_bad_labels_are_named():
    with pytest.raises(ValueError, match="y has the label 'inside'; allowed are 'out', 'in'"):
        find_domains(CORNER, X, ["in", "inside", "out", "in", "in"])
    with pytest.raises(ValueError, match="one label for each of the 5 rows of X, got 2"):
        find_domains(CORNER, X, ["in", "out"])


def test_a_long_table_is_cut():
    network = Network(np.column_stack([-np.arange(60) - 0.5, np.ones(60)]), [[0.0, *([1.0] * 60)]], [0, 1])
    rows = np.arange(61.0)[:, None]
    text = str(find_domains(network, rows, network.predict(rows)))
    assert "... and 21 domains more" in text
    assert len(text.splitlines()) == 43
