"""The bundled tables and the generators: sizes, rules, scikit-learn's manner, clear errors."""

import doctest
import subprocess
import sys

import numpy as np
import pytest

from netlines import datasets
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_parity,
    make_waveform,
)

LOADERS = {
    "cancer": (load_breast_cancer_wisconsin, (683, 9), {"benign": 444, "malignant": 239}),
    "diabetes": (load_pima_diabetes, (768, 8), {"neg": 500, "pos": 268}),
    "sonar": (load_sonar, (208, 60), {"mine": 111, "rock": 97}),
    "monks 1": (lambda **options: load_monks(1, **options), (124, 17), {0: 62, 1: 62}),
    "monks 2": (lambda **options: load_monks(2, **options), (169, 17), {0: 105, 1: 64}),
    "monks 3": (lambda **options: load_monks(3, **options), (122, 17), {0: 62, 1: 60}),
}


@pytest.mark.parametrize("name", LOADERS)
def test_a_loader_gives_the_published_counts(name):
    load, shape, counts = LOADERS[name]
    bunch = load()
    assert bunch.data.shape == shape
    assert bunch.data.dtype == np.float64
    assert np.isfinite(bunch.data).all()
    assert len(bunch.feature_names) == shape[1]
    assert bunch.target_names.tolist() == list(counts)
    assert {label: int((bunch.target == label).sum()) for label in counts} == counts
    assert bunch.frame is None
    assert str(shape[0]) in bunch.DESCR


@pytest.mark.parametrize("name", LOADERS)
def test_arrays_and_frames_hold_the_same(name):
    load, _, _ = LOADERS[name]
    bunch, framed = load(), load(as_frame=True)
    X, y = load(return_X_y=True)
    np.testing.assert_array_equal(X, bunch.data)
    np.testing.assert_array_equal(y, bunch.target)
    assert framed.data.columns.tolist() == bunch.feature_names
    np.testing.assert_array_equal(framed.data.to_numpy(), X)
    assert framed.target.tolist() == y.tolist()
    assert framed.frame.columns.tolist() == [*bunch.feature_names, "class"]
    X_frame, y_frame = load(as_frame=True, return_X_y=True)
    assert X_frame.equals(framed.data)
    assert y_frame.equals(framed.target)


def test_the_first_rows_are_those_of_the_files():
    assert load_breast_cancer_wisconsin().data[0].tolist() == [5, 1, 1, 1, 2, 1, 3, 1, 1]
    assert load_pima_diabetes().data[0].tolist() == [6, 148, 72, 35, 0, 33.6, 0.627, 50]
    assert load_sonar().data[0, :3].tolist() == [0.02, 0.0371, 0.0428]


def test_incomplete_rows_can_be_kept_or_taken_alone():
    everything = load_breast_cancer_wisconsin(incomplete="keep")
    alone = load_breast_cancer_wisconsin(incomplete="only")
    assert everything.data.shape == (699, 9)
    assert alone.data.shape == (16, 9)
    bare_nuclei = everything.feature_names.index("bare_nuclei")
    assert np.isnan(alone.data[:, bare_nuclei]).all()
    assert np.isnan(everything.data).sum() == np.isnan(alone.data).sum() == 16


def rule(k, a):
    """The Monk's rules once more, written for one pattern."""
    if k == 1:
        return a[0] == a[1] or a[4] == 1
    if k == 2:
        return sum(value == 1 for value in a) == 2
    return (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3)


def decoded(bunch):
    """The six attributes of each row, read back from the names of the inputs that are on."""
    return [
        [int(name.split("=")[1]) for name, on in zip(bunch.feature_names, row > 0, strict=True) if on]
        for row in bunch.data
    ]


@pytest.mark.parametrize(("k", "noise"), [(1, 0), (2, 0), (3, 6)])
def test_monks_follow_their_rules(k, noise):
    test, train = load_monks(k, subset="test"), load_monks(k)
    assert len(np.unique(test.data, axis=0)) == 432
    assert test.target.tolist() == [rule(k, a) for a in decoded(test)]
    assert sum(label != rule(k, a) for a, label in zip(decoded(train), train.target, strict=True)) == noise


def test_monks_are_one_hot_in_the_chosen_encoding():
    plus_minus, zero_one = load_monks(1), load_monks(1, encoding=(0, 1))
    assert set(plus_minus.data.flat) == {-1, 1}
    np.testing.assert_array_equal(zero_one.data, (plus_minus.data + 1) / 2)
    assert (zero_one.data.sum(axis=1) == 6).all()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_parity_changes_with_every_input(n):
    X, y = make_parity(n)
    assert X.shape == (2**n, n)
    assert len(np.unique(X, axis=0)) == 2**n
    assert set(y) == {-1, 1}
    label = {tuple(x): t for x, t in zip(X.tolist(), y, strict=True)}
    for x, t in label.items():
        assert label[(-x[0], *x[1:])] == -t
    assert label[(1,) * n] == 1


def test_waveform_mixes_two_waves_a_class():
    X, y = make_waveform(6000, random_state=0)
    assert X.shape == (6000, 21)
    assert set(y) == {0, 1, 2}
    t = np.arange(1, 22)
    h = [np.maximum(6 - abs(t - centre), 0) for centre in (11, 15, 7)]
    for c, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        mine = X[y == c]
        # The mean of u is 1/2; a mean of 2000 has a standard error of at most 2/√2000 = 0.045.
        assert np.abs(mine.mean(axis=0) - (h[i] + h[j]) / 2).max() < 0.2
        # Var(u) = 1/12, and the noise adds 1.
        assert np.abs(mine.var(axis=0) - (1 + (h[i] - h[j]) ** 2 / 12)).max() < 0.35


def test_waveform_is_decided_by_its_seed():
    X, y = make_waveform(50, random_state=3)
    again, labels = make_waveform(50, random_state=3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert not np.array_equal(X, make_waveform(50, random_state=4)[0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: load_breast_cancer_wisconsin(incomplete="all"),
            "incomplete .*'drop', 'keep', 'only', got 'all'",
        ),
        (lambda: load_monks(4), "k must be an integer from 1 to 3, got 4"),
        (lambda: load_monks(True), "k must be an integer from 1 to 3, got True"),
        (lambda: load_monks(1, subset="all"), "subset .*'train', 'test', got 'all'"),
        (lambda: load_monks(1, encoding=(1, 1)), r"encoding .* got \(1, 1\)"),
        (lambda: load_monks(1, encoding="01"), "encoding .* got '01'"),
        (lambda: make_parity(0), "n must be an integer from 1 to 20, got 0"),
        (lambda: make_parity(2.0), "n must be an integer from 1 to 20, got 2.0"),
        (lambda: make_waveform(0, random_state=0), "n_samples must be an integer of at least 1, got 0"),
    ],
)
def test_a_bad_argument_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_frames_without_pandas_name_the_extra():
    script = (
        "import sys; sys.modules['pandas'] = None\n"
        "from netlines.datasets import load_sonar\n"
        "load_sonar()\n"
        "try: load_sonar(as_frame=True)\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'as_frame=True needs pandas: pip install "netlines[cli]"'


def test_the_examples_run():
    assert doctest.testmod(datasets).failed == 0
