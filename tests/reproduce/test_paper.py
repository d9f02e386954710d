"""The paper's exact claims, by the default configuration: the small ones always, the long ones on demand.

The long ones are marked `paper` and run by `make paper`.
"""

import numpy as np
import pytest

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.datasets import load_breast_cancer_wisconsin, load_monks, load_sonar, make_parity, make_waveform


def disguised(X, seed=0):
    """Permute, scale, shift and sign-flip the columns."""
    rng = np.random.default_rng([seed, X.shape[1]])
    scale = np.where(rng.random(X.shape[1]) < 0.5, -1.0, 1.0) * 10.0 ** rng.uniform(-3, 3, X.shape[1])
    return X[:, rng.permutation(X.shape[1])] * scale + scale * rng.standard_normal(X.shape[1])


def committee(k, rng, p=1000, n=10):
    """Return rows labelled by the majority of k random hyperplanes."""
    X, W = rng.standard_normal((p, n)), rng.standard_normal((k, n))
    return X, np.sign(X @ W.T).sum(axis=1) > 0


def learnt(X, y, **options):
    """Return a network that has learnt the rows without an error."""
    clf = NetLinesClassifier(**options).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), y)
    return clf


def check_parity(n, seed=0):
    X, y = make_parity(n)
    assert learnt(X, y).n_hidden_ == n
    assert learnt(disguised(X, seed), y).n_hidden_ == n


def check_monks(k, encoding, seed=0):
    X, y = load_monks(k, encoding=encoding, return_X_y=True)
    clf = learnt(X, y, random_state=seed)
    assert clf.n_hidden_ <= {1: 3, 2: 2}[k]
    X, y = load_monks(k, subset="test", encoding=encoding, return_X_y=True)
    assert (clf.predict(X) != y).sum() == 0


def check_sonar(seed=0):
    X, y = load_sonar(return_X_y=True)
    unit = MinimerrorClassifier(random_state=seed).fit(X, y)
    np.testing.assert_array_equal(unit.predict(X), y)
    assert learnt(X, y, random_state=seed).n_hidden_ == 1


def waveform_sizes(sets):
    sizes = []
    for seed in range(sets):
        X, y = make_waveform(300, random_state=seed)
        sizes += [learnt(X, y == c).n_hidden_ for c in range(3)]
    return sizes


ENCODINGS = pytest.mark.parametrize("encoding", [(-1.0, 1.0), (0.0, 1.0)])


@pytest.mark.sample(2)
@pytest.mark.parametrize("n", range(2, 9))
def test_parity_takes_as_many_units_as_inputs(n):
    check_parity(n)


@ENCODINGS
@pytest.mark.parametrize("k", [1, 2])
def test_monks_are_learnt_with_no_test_errors(k, encoding):
    check_monks(k, encoding)


def test_sonar_is_separated_by_one_unit():
    check_sonar()


@pytest.mark.parametrize("k", [3, 5])
def test_a_planted_committee_is_found_with_its_size(k):
    assert learnt(*committee(k, np.random.default_rng(21))).n_hidden_ == k


@pytest.mark.slow
def test_a_waveform_class_takes_few_units():
    assert max(waveform_sizes(1)) <= 4


@pytest.mark.paper
@pytest.mark.parametrize("n", range(9, 12))
def test_parity_of_many_inputs_takes_as_many_units(n):
    check_parity(n)


@pytest.mark.paper
@pytest.mark.parametrize("seed", range(1, 5))
def test_small_parities_take_as_many_units_in_every_disguise(seed):
    for n in range(2, 9):
        check_parity(n, seed)


@pytest.mark.paper
@ENCODINGS
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [1, 2])
def test_monks_are_learnt_with_no_test_errors_whatever_the_seed(k, encoding, seed):
    check_monks(k, encoding, seed)


@pytest.mark.paper
@pytest.mark.parametrize("seed", range(10))
def test_sonar_is_separated_by_one_unit_whatever_the_seed(seed):
    check_sonar(seed)


@pytest.mark.paper
def test_waveform_classes_take_few_units_on_average():
    sizes = waveform_sizes(11)
    assert len(sizes) == 33
    assert np.mean(sizes) <= 3.6


@pytest.mark.paper
def test_breast_cancer_takes_few_units_on_average():
    X, y = load_breast_cancer_wisconsin(return_X_y=True)
    sizes = []
    for seed in range(20):
        rows = np.random.default_rng(seed).permutation(len(y))[:525]
        sizes.append(learnt(X[rows], y[rows]).n_hidden_)
    assert len(sizes) == 20
    assert np.mean(sizes) <= 5.5


@pytest.mark.paper
def test_random_labels_take_few_units_on_average():
    rng = np.random.default_rng(5)
    sizes = [learnt(rng.standard_normal((100, 10)), rng.integers(0, 2, 100)).n_hidden_ for _ in range(10)]
    assert np.mean(sizes) <= 5


@pytest.mark.paper
@pytest.mark.parametrize("trial", range(3))
@pytest.mark.parametrize("k", [3, 5])
def test_planted_committees_are_found_with_their_size(k, trial):
    assert learnt(*committee(k, np.random.default_rng([k, trial]))).n_hidden_ == k
