"""The bundled tables and the generators: sizes, rules, scikit-learn's manner, clear errors."""

import doctest
import subprocess
import sys
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from sklearn import datasets as scikit

from netlines.datasets import (
    generators,
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_clumps,
    make_parity,
    make_teacher,
    make_waveform,
    tables,
)

LOADERS = {
    "cancer": (load_breast_cancer_wisconsin, (683, 9), {"benign": 444, "malignant": 239}),
    "diabetes": (load_pima_diabetes, (768, 8), {"neg": 500, "pos": 268}),
    "sonar": (load_sonar, (208, 60), {"mine": 111, "rock": 97}),
    "iris": (load_iris, (150, 4), {"setosa": 50, "versicolor": 50, "virginica": 50}),
    "monks 1": (lambda **options: load_monks(1, **options), (124, 17), {0: 62, 1: 62}),
    "monks 2": (lambda **options: load_monks(2, **options), (169, 17), {0: 105, 1: 64}),
    "monks 3": (lambda **options: load_monks(3, **options), (122, 17), {0: 62, 1: 60}),
}

MAKERS = {
    "parity": (lambda **options: make_parity(4, **options), (16, 4), [-1, 1]),
    "clumps": (lambda **options: make_clumps(50, 10, random_state=0, **options), (50, 10), [-1, 1]),
    "waveform": (lambda **options: make_waveform(50, random_state=0, **options), (50, 21), [0, 1, 2]),
    "teacher": (lambda **options: make_teacher(50, 6, 3, random_state=0, **options), (50, 6), [-1, 1]),
}

SEEDED = {
    "clumps": lambda seed: make_clumps(50, 10, random_state=seed),
    "waveform": lambda seed: make_waveform(50, random_state=seed),
    "teacher": lambda seed: make_teacher(50, 6, 3, noise=0.2, random_state=seed),
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


@pytest.mark.parametrize("name", MAKERS)
def test_a_generator_gives_a_pair_a_bunch_or_frames(name):
    make, shape, classes = MAKERS[name]
    X, y = make()
    bunch, framed = make(return_X_y=False), make(return_X_y=False, as_frame=True)
    assert X.shape == shape
    assert (X.dtype, y.dtype) == (np.float64, np.int64)
    np.testing.assert_array_equal(bunch.data, X)
    np.testing.assert_array_equal(bunch.target, y)
    assert bunch.frame is None
    assert bunch.target_names.tolist() == classes
    assert str(shape[0]) in bunch.DESCR
    assert len(set(bunch.feature_names)) == shape[1]
    assert framed.frame.columns.tolist() == [*bunch.feature_names, "class"]
    assert framed.data.columns.tolist() == framed.feature_names == bunch.feature_names
    np.testing.assert_array_equal(framed.data.to_numpy(), X)
    assert framed.target.tolist() == y.tolist()
    X_frame, y_frame = make(as_frame=True)
    assert X_frame.equals(framed.data)
    assert y_frame.equals(framed.target)


def test_a_generator_names_the_classes_it_did_not_draw():
    assert make_waveform(1, random_state=0, return_X_y=False).target_names.tolist() == [0, 1, 2]
    assert make_clumps(1, 10, random_state=0, return_X_y=False).target_names.tolist() == [-1, 1]


@pytest.mark.parametrize("name", SEEDED)
def test_a_generator_is_decided_by_its_seed(name):
    X, y = SEEDED[name](3)
    again, labels = SEEDED[name](3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert not np.array_equal(X, SEEDED[name](4)[0])


def test_iris_is_that_of_scikit_learn_with_names_for_labels():
    iris, original = load_iris(), scikit.load_iris()
    np.testing.assert_array_equal(iris.data, original.data)
    assert iris.feature_names == original.feature_names
    assert iris.target.tolist() == [original.target_names[label] for label in original.target]


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


def clumps(ring):
    """The runs of bits 1 that follow a bit -1, counted one by one around the ring."""
    return sum(before == -1 and bit == 1 for before, bit in zip([ring[-1], *ring[:-1]], ring, strict=True))


@pytest.mark.parametrize("n", [2, 3, 4, 10, 25])
def test_clumps_are_counted_around_the_ring(n):
    X, y = make_clumps(500, n, k=1.9, random_state=0)
    assert X.shape == (500, n)
    assert set(X.flat) == {-1, 1}
    assert y.tolist() == [1 if clumps(ring) >= 2 else -1 for ring in X.tolist()]
    assert set(y) == ({-1, 1} if n >= 4 else {-1})


@pytest.mark.parametrize(("n", "published"), [(10, 1.499), (25, 1.496)])
def test_three_walls_make_one_and_a_half_clumps(n, published):
    weights = {w: comb(n, w) * 3**w * (n - 3) ** (n - w) for w in range(0, n + 1, 2)}
    mean = sum(weight * w / 2 for w, weight in weights.items()) / sum(weights.values())
    assert round(mean, 3) == published
    X, _ = make_clumps(40_000, n, random_state=0)
    found = np.mean([clumps(ring) for ring in X.tolist()])
    # The number of clumps has a variance below 1: four standard errors are 4/√40000 = 0.02.
    assert abs(found - mean) < 0.02


@pytest.mark.parametrize(("n", "k"), [(5, 1.5), (6, 3), (5, 4.9)])
def test_every_ring_has_its_weight_in_the_ising_model(n, k):
    rings = list(product([-1, 1], repeat=n))
    cost = log((n - k) / k)
    weight = np.array([exp(-cost * 2 * clumps(ring)) for ring in rings])
    X, _ = make_clumps(40_000, n, k, random_state=0)
    index = {ring: i for i, ring in enumerate(rings)}
    share = np.bincount([index[tuple(x)] for x in X.astype(int).tolist()], minlength=len(rings)) / len(X)
    expected = weight / weight.sum()
    assert (np.abs(share - expected) < 4.5 * np.sqrt(expected / len(X))).all()


@pytest.mark.parametrize("k", [1e-300, 1e-9, 11 * (1 - 1e-15)])
def test_clumps_can_be_as_rare_or_as_dense_as_possible(k):
    X, _ = make_clumps(20, 11, k, random_state=0)
    assert {clumps(ring) for ring in X.tolist()} == ({0} if k < 1 else {5})


@pytest.mark.parametrize("n_units", [1, 5])
def test_a_teacher_labels_by_the_majority_of_its_units(n_units):
    bunch = make_teacher(300, 7, n_units, random_state=0, return_X_y=False)
    assert bunch.teacher.shape == (n_units, 7)
    np.testing.assert_allclose(np.linalg.norm(bunch.teacher, axis=1), 1)
    for x, label in zip(bunch.data, bunch.target, strict=True):
        votes = [1 if sum(x * unit) >= 0 else -1 for unit in bunch.teacher]
        assert label == (1 if sum(votes) > 0 else -1)


def test_a_teacher_can_be_asked_again():
    first = make_teacher(100, 8, 3, random_state=0, return_X_y=False)
    longer = make_teacher(200, 8, 3, random_state=0, return_X_y=False)
    fresh = make_teacher(100, 8, teacher=first.teacher, random_state=1, return_X_y=False)
    same = make_teacher(100, 8, 3, teacher=first.teacher, random_state=0, return_X_y=False)
    np.testing.assert_array_equal(longer.teacher, first.teacher)
    np.testing.assert_array_equal(longer.data[:100], first.data)
    np.testing.assert_array_equal(fresh.teacher, first.teacher)
    assert not np.isin(fresh.data, first.data).any()
    np.testing.assert_array_equal(same.data, first.data)
    np.testing.assert_array_equal(same.target, first.target)
    # The scale of the weights does not matter.
    X, y = make_teacher(50, 2, teacher=[[0, -5]], random_state=0)
    assert y.tolist() == np.where(X[:, 1] > 0, -1, 1).tolist()


def test_noise_flips_its_share_of_the_labels():
    clean = make_teacher(10_000, 5, random_state=0, return_X_y=False)
    noisy = make_teacher(10_000, 5, noise=0.1, random_state=0, return_X_y=False)
    opposite = make_teacher(10_000, 5, noise=1, random_state=0, return_X_y=False)
    np.testing.assert_array_equal(noisy.data, clean.data)
    # Four standard errors are 4√(0.1·0.9/10000) = 0.012.
    assert abs((noisy.target != clean.target).mean() - 0.1) < 0.012
    np.testing.assert_array_equal(opposite.target, -clean.target)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: load_breast_cancer_wisconsin(incomplete="all"),
            "'incomplete' .*'drop'.* Got 'all'",
        ),
        (lambda: load_monks(4), "'k' .* among {.*}. Got 4"),
        (lambda: load_monks(1, subset="all"), "'subset' .*'train'.* Got 'all'"),
        (lambda: load_monks(1, encoding=(1, 1)), r"encoding .* got \(1, 1\)"),
        (lambda: load_monks(1, encoding=(0, 1, 2)), r"encoding .* got \(0, 1, 2\)"),
        (lambda: load_monks(1, encoding="01"), "'encoding' .* Got '01'"),
        (lambda: make_parity(0), r"'n' .* in the range \[1, 20\]. Got 0"),
        (lambda: make_parity(2.0), r"'n' .* int in the range \[1, 20\]. Got 2.0"),
        (lambda: make_waveform(0, random_state=0), r"'n_samples' .* int in the range \[1, inf\). Got 0"),
        (lambda: make_clumps(0, 10), r"'n_samples' .* int in the range \[1, inf\). Got 0"),
        (lambda: make_clumps(5, 1), r"'n_bits' .* int in the range \[2, inf\). Got 1"),
        (lambda: make_clumps(5, 10, 0), r"'k' .* in the range \(0.0, inf\). Got 0"),
        (lambda: make_clumps(5, 3), "k .* less than n_bits = 3, got 3"),
        (lambda: make_clumps(5, 10, "3"), "'k' .* float .* Got '3'"),
        (lambda: make_clumps(5, 10, float("nan")), "'k' .* float .* Got nan"),
        (lambda: make_teacher(5.0, 3), r"'n_samples' .* int in the range \[1, inf\). Got 5.0"),
        (lambda: make_teacher(5, 0), r"'n_features' .* int in the range \[1, inf\). Got 0"),
        (lambda: make_teacher(5, 3, 2), "n_units must be odd, got 2"),
        (lambda: make_teacher(5, 3, -1), r"'n_units' .* int in the range \[1, inf\) or None. Got -1"),
        (lambda: make_teacher(5, 3, noise=1.5), r"'noise' .* float in the range \[0.0, 1.0\]. Got 1.5"),
        (lambda: make_teacher(5, 3, noise=None), r"'noise' .* float in the range \[0.0, 1.0\]. Got None"),
        (
            lambda: make_teacher(5, 3, teacher=np.ones((1, 4))),
            r"an odd number of rows and n_features = 3 columns, got shape \(1, 4\)",
        ),
        (lambda: make_teacher(5, 3, teacher=np.ones((2, 3))), r"an odd number of rows .* got shape \(2, 3\)"),
        (lambda: make_teacher(5, 3, teacher=np.ones(3)), r"an odd number of rows .* got shape \(3,\)"),
        (lambda: make_teacher(5, 3, 1, teacher=np.ones((3, 3))), r"n_units = 1 rows .* got shape \(3, 3\)"),
        (lambda: make_teacher(5, 3, teacher="me"), "teacher must be an array of numbers, got 'me'"),
        (lambda: make_teacher(5, 2, teacher=[[0, 0]]), r"teacher .* not all 0 in a row, got \[\[0, 0\]\]"),
        (lambda: make_teacher(5, 2, teacher=[[1, np.inf]]), "teacher must have finite weights"),
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
        "assert 'sklearn.datasets' not in sys.modules\n"
        "try: load_sonar(as_frame=True)\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'as_frame=True needs pandas: pip install "netlines[cli]"'


@pytest.mark.parametrize("module", [generators, tables])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
