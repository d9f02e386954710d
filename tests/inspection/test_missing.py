"""Missing attributes: possible classes against brute force, integration against Monte Carlo, the study."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import erf

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from netlines import MinimerrorClassifier, NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_monks, load_pima_diabetes
from netlines.family import MonoPlaneClassifier
from netlines.inspection.inputs import as_rows
from netlines.inspection.missing import missing_study, possible_classes
from netlines.inspection.missing.integration import RIDGE, conditional, integrate
from netlines.network.background import describe
from netlines.network.network import PASS_ON, Network
from netlines.network.probability import Calibration

LOADERS = {"cancer": load_breast_cancer_wisconsin, "diabetes": load_pima_diabetes, "iris": load_iris}
MAKERS = {"net": lambda **more: NetLinesClassifier(max_hidden=5, **more), "cv": NetLinesClassifierCV}
NAN = np.nan


def fitted(name, maker, scheme=None):
    """Return a network with what it remembers, its rows and labels; complete rows with names."""
    return _fitted(name, maker, scheme)


@cache
def _fitted(name, maker, scheme):
    data = LOADERS[name]()
    more = {} if scheme is None else {"multiclass": scheme}
    network = MAKERS[maker](random_state=0, **more).fit(data.data, data.target).network_
    network = network.with_feature_names([str(one) for one in data.feature_names])
    return replace(network, background=describe(data.data)), data.data, data.target


def without(X, *features):
    X = np.array(X, dtype=float)
    X[:, list(features)] = NAN
    return X


def with_value(X, feature, value):
    X = np.array(X, dtype=float)
    X[:, feature] = value
    return X


def holds(piece, value):
    left = piece.low <= value if piece.low_closed else piece.low < value
    return left and (value <= piece.high if piece.high_closed else value < piece.high)


def label_at(possible, value):
    (label,) = [piece.label for piece in possible.pieces if holds(piece, value)]
    return label


def assert_in_order(possible, low, high):
    """Assert that the pieces cover an interval without gaps, and that neighbours differ."""
    pieces = possible.pieces
    assert pieces[0].low == low
    assert pieces[-1].high == high
    assert set(possible.labels) == {piece.label for piece in pieces}
    for one, following in pairwise(pieces):
        assert one.high == following.low
        assert one.high_closed != following.low_closed
        assert one.label != following.label


@pytest.mark.sample(1)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("feature", range(9))
def test_possible_classes_of_cancer_are_those_of_brute_force(maker, feature):
    network, X, _ = fitted("cancer", maker)
    assert maker != "net" or network.n_hidden >= 2
    X = X[:500]
    found = possible_classes(network, without(X, feature))
    by_value = {v: network.predict(with_value(X, feature, v)).tolist() for v in range(1, 11)}
    for row, one in enumerate(found):
        assert one.exact
        assert one.missing == (network.feature_names[feature],)
        labels = {by_value[v][row] for v in range(1, 11)}
        assert one.labels == tuple(label for label in network.classes.tolist() if label in labels)
        assert one.certain == (len(labels) == 1)
        assert (one.pieces[0].low, one.pieces[-1].high) == (1, 10)
        assert [label_at(one, v) for v in range(1, 11)] == [by_value[v][row] for v in range(1, 11)]
        assert all(a.label != b.label for a, b in pairwise(one.pieces))


@pytest.mark.sample(1)
@pytest.mark.parametrize("maker", MAKERS)
def test_long_runs_of_integers_are_those_of_brute_force(maker):
    """Only the values around the changes are evaluated: all others must follow."""
    network, X, _ = fitted("diabetes", maker)
    rows, values = X[:40], np.arange(-300, 900)
    for feature in range(8):
        truth = np.array([network.predict(with_value(rows, feature, v)) for v in values]).T
        ranges = {feature: range(-300, 900)}
        for one, labels in zip(
            possible_classes(network, without(rows, feature), ranges=ranges), truth, strict=True
        ):
            starts = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
            assert [piece.low for piece in one.pieces] == values[starts].tolist()
            assert [piece.high for piece in one.pieces] == [*(values[starts[1:]] - 1), 899]
            assert [piece.label for piece in one.pieces] == labels[starts].tolist()


@pytest.mark.parametrize("maker", MAKERS)
def test_intervals_of_diabetes_are_those_of_a_dense_grid(maker):
    network, X, _ = fitted("diabetes", maker)
    network = replace(network, background=replace(network.background, integer=np.zeros(8, dtype=bool)))
    rows = X[100:120]
    changed = 0
    for feature in range(8):
        low, high = network.background.low[feature], network.background.high[feature]
        grid = np.linspace(low, high, 501)
        for row, one in enumerate(possible_classes(network, without(rows, feature))):
            assert one.exact
            assert_in_order(one, low, high)
            labels = network.predict(with_value(np.repeat(rows[[row]], 501, axis=0), feature, grid))
            assert [label_at(one, t) for t in grid] == labels.tolist()
            changed += len(one.pieces) > 1
            for piece in one.pieces[1:]:  # next to a border the network itself changes its answer
                near = piece.low + np.array([-1e-9, 1e-9]) * (high - low)
                both = network.predict(with_value(np.repeat(rows[[row]], 2, axis=0), feature, near))
                assert both[0] != both[1]
    assert changed > 10


# Unit 1 is +1 from 2 on, unit 2 up to 2: both only at the point 2 itself.
POINT = Network([[-2.0, 1.0], [2.0, -1.0]], [[-1.0, 1.0, 1.0]], ["off", "on"], feature_names=("t",))


def test_a_single_point_is_a_piece():
    (one,) = possible_classes(POINT, [[NAN]])
    assert one.pieces == (
        (-np.inf, 2.0, "off", False, False),
        (2.0, 2.0, "on", True, True),
        (2.0, np.inf, "off", False, False),
    )
    assert one.labels == ("off", "on")
    assert one.exact
    assert str(one) == "off for t < 2 or > 2, on between"
    (inside,) = possible_classes(POINT, [[NAN]], ranges={"t": (0, 2)})
    assert inside.pieces == ((0.0, 2.0, "off", True, False), (2.0, 2.0, "on", True, True))
    (half,) = possible_classes(POINT, [[NAN]], ranges={"t": (None, 1)})
    assert half.pieces == ((-np.inf, 1.0, "off", False, True),)
    (only,) = possible_classes(POINT, [[NAN]], ranges={"t": (2, 2)})
    assert only.pieces == ((2.0, 2.0, "on", True, True),)
    (without_it,) = possible_classes(POINT, [[NAN]], ranges={0: [1, 3, 2.5]})
    assert without_it.pieces == ((1.0, 3.0, "off", True, True),)
    assert str(without_it) == "certain: off whatever t is"


def test_borders_belong_to_the_side_where_the_unit_is_on():
    up = Network([[-2.0, 1.0]], PASS_ON, ["a", "b"])  # b from 2 on
    down = Network([[2.0, -1.0]], PASS_ON, ["a", "b"])  # b up to 2
    (one,), (other,) = possible_classes(up, [[NAN]]), possible_classes(down, [[NAN]])
    assert one.pieces == ((-np.inf, 2.0, "a", False, False), (2.0, np.inf, "b", True, False))
    assert other.pieces == ((-np.inf, 2.0, "b", False, True), (2.0, np.inf, "a", False, False))
    assert str(one) == "b from x0 ≥ 2, a below"
    assert str(other) == "b up to x0 ≤ 2, a above"


def test_random_networks_of_exact_numbers():
    """All changes are multiples of 1/8, so that the network itself can be asked at them and between."""
    rng = np.random.default_rng(0)
    grid = np.arange(-20, 20.0, 1 / 16)
    points = 0
    for _ in range(150):
        h, n_classes = rng.integers(1, 8), rng.integers(2, 5)
        weights = rng.integers(-2, 3, (h, 3)).astype(float)
        weights[:, 2] = rng.choice([-8, -4, -2, -1, 0, 1, 2, 4, 8], h)
        weights[1:2] = -weights[: len(weights[1:2])]  # both on at one point only
        outputs = rng.integers(-5, 6, (1 if n_classes == 2 else n_classes, h + 1))
        network = Network(weights, PASS_ON if h == 1 and n_classes == 2 else outputs, np.arange(n_classes))
        row = [float(rng.integers(-3, 4)), NAN]
        (one,) = possible_classes(network, [row])
        assert_in_order(one, -np.inf, np.inf)
        labels = network.predict(np.column_stack([np.full(len(grid), row[0]), grid]))
        assert [label_at(one, t) for t in grid] == labels.tolist()
        points += any(piece.low == piece.high for piece in one.pieces)
    assert points > 5


def test_a_unit_that_does_not_read_the_missing_input_keeps_its_state():
    network = Network([[0.0, 0.0, 1.0], [-1.0, 1.0, 0.0]], [[1.0, 1.0, 1.0]], [0, 1])
    high, low = possible_classes(network, [[NAN, 0.0], [NAN, -1.0]])
    assert high.certain
    assert high.labels == (1,)
    assert [piece.low for piece in low.pieces] == [-np.inf, 1.0]


def test_sentences():
    network, X, y = fitted("cancer", "net")
    assert str(possible_classes(network, X[:1])[0]) == f"certain: {y[0]}, nothing is missing"
    rows = np.array([[NAN], [NAN]])
    three = Network(
        [[-1.0, 1.0], [-2.0, 1.0], [-3.0, 1.0]], [[0, 1, -1, 1]], ["no", "yes"], feature_names=("dose",)
    )
    assert str(possible_classes(three, rows)[1]) == "no for dose < 1 or in [2, 3), yes elsewhere"
    values = {"dose": [0, 1, 1.5, 2, 2.5, 3]}
    text = "no for dose = 0 or from 2 to 2.5, yes elsewhere"
    assert str(possible_classes(three, rows, ranges=values)[0]) == text


def brute(network, row, missing, values):
    """Return the labels of all combinations of values of the missing inputs."""
    grid = np.array(list(product(*values)))
    rows = np.repeat(row[None], len(grid), axis=0)
    rows[:, missing] = grid
    return tuple(label for label in network.classes.tolist() if label in network.predict(rows))


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("missing", [(0, 5), (1, 2, 7)])
def test_several_missing_attributes_of_cancer_are_those_of_enumeration(maker, missing):
    network, X, _ = fitted("cancer", maker)
    found = possible_classes(network, without(X[:60], *missing))
    assert {one.certain for one in found} == {True, False}
    for row, one in zip(X[:60], found, strict=True):
        assert one.exact
        assert one.pieces == ()
        assert one.labels == brute(network, row, missing, [range(1, 11)] * len(missing))
    names = " and ".join(network.feature_names[i] for i in missing)
    names = names if len(missing) == 2 else names.replace(" and ", ", ", 1)
    texts = {str(one) for one in found}
    assert f"benign or malignant depending on {names}" in texts
    assert any(
        text in texts for text in (f"certain: {label} whatever {names} are" for label in network.classes)
    )


@pytest.mark.parametrize("maker", MAKERS)
def test_several_missing_numbers_are_found_by_the_nearest_points(maker):
    network, X, _ = fitted("diabetes", maker)
    missing = (1, 5)
    ranges = {1: (60, 200), 5: (20, 50)}
    found = possible_classes(network, without(X[:25], *missing), ranges=ranges)
    grids = [np.linspace(*ranges[i], 60) for i in missing]
    for row, one in zip(X[:25], found, strict=True):
        assert one.exact
        assert set(brute(network, row, missing, grids)) <= set(one.labels)
    narrow = {1: (119, 121), 5: (31, 33)}
    small = possible_classes(network, without(X[:25], *missing), ranges=narrow)
    grids = [np.linspace(*narrow[i], 60) for i in missing]
    assert any(one.certain for one in small)
    for row, one in zip(X[:25], small, strict=True):
        assert one.exact
        assert set(brute(network, row, missing, grids)) <= set(one.labels)


def test_a_thin_sliver_of_another_class_is_found():
    """Draws miss a strip of a millionth of the square; the search for a nearest point does not."""
    sliver = Network([[-0.3, 1.0, 1.0], [0.300001, -1.0, -1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"])
    box = {0: (0, 1), 1: (0, 1)}
    (one,) = possible_classes(sliver, [[NAN, NAN]], ranges=box)
    assert one.labels == ("out", "in")
    assert one.exact
    many = {0: range(0, 3000), 1: range(0, 3000)}  # integers never lie in it, though numbers do
    (apart,) = possible_classes(
        replace(sliver, hidden_weights=[[-0.3, 1, 1], [0.31, -1, -1]]), [[NAN, NAN]], ranges=many
    )
    assert (apart.labels, apart.exact) == (("out",), True)
    (same,) = possible_classes(sliver, [[NAN, NAN]], ranges={0: range(0, 9), 1: range(0, 9)})
    assert same.labels == ("out",)
    assert same.exact


def exact_labels(network, row):
    """Return the classes over two missing inputs, by fractions: at crossings, on lines and beside them."""
    weights = [[Fraction(int(w)) for w in unit] for unit in network.hidden_weights]
    lines = [(unit[0] + unit[3] * Fraction(int(row[2])), unit[1], unit[2]) for unit in weights]
    crossings = {(Fraction(0), Fraction(0))}
    for (c, a, b), (f, d, e) in combinations(lines, 2):
        if a * e != b * d:
            crossings.add(((b * f - c * e) / (a * e - b * d), (c * d - a * f) / (a * e - b * d)))
    points = set(crossings)
    for c, a, b in lines:
        if not (a or b):
            continue
        foot = (-c * a / (a * a + b * b), -c * b / (a * a + b * b))
        steps = {
            (x - foot[0]) / b if b else (foot[1] - y) / a for x, y in crossings if a * x + b * y + c == 0
        }
        steps = sorted(steps | {Fraction(0)})
        steps += [(left + right) / 2 for left, right in pairwise(steps)] + [steps[0] - 999, steps[-1] + 999]
        for step, aside in product(steps, (0, Fraction(1, 10**6), Fraction(-1, 10**6))):
            points.add((foot[0] + step * b + aside * a, foot[1] - step * a + aside * b))
    codes = [[1.0 if c + a * x + b * y >= 0 else -1.0 for c, a, b in lines] for x, y in points]
    return set(network.answers_of_codes(np.array(codes)).tolist())


def test_classes_that_live_on_hyperplanes_only_are_not_left_out():
    fifty = Network([[-50, 1, 1], [50, -1, -1]], [[-1, 1, 1]], ["no", "50"])  # x0 + x1 = 50
    (one,) = possible_classes(fifty, [[NAN, NAN]])
    assert one.labels == ("no", "50")
    assert not one.certain
    rng = np.random.default_rng(1)
    n_exact = 0
    for _ in range(100):
        n_hidden, n_classes = rng.integers(2, 6), rng.integers(2, 4)
        weights = rng.integers(-3, 4, (n_hidden, 4)).astype(float)
        weights[1] = -weights[0]
        outputs = rng.integers(-3, 4, (1 if n_classes == 2 else n_classes, n_hidden + 1))
        network = Network(weights, outputs.astype(float), np.arange(n_classes))
        row = [NAN, NAN, float(rng.integers(-3, 4))]
        (one,) = possible_classes(network, [row])
        assert set(one.labels) >= exact_labels(network, row)
        assert not one.exact or set(one.labels) == exact_labels(network, row)
        n_exact += one.exact
    assert n_exact >= 90


def test_categories_and_numbers_that_are_missing_together():
    """A group, integers and numbers: what is said to be exact holds on a grid for every category."""
    rng = np.random.default_rng(2)
    searched = 0
    for trial in range(25):
        hidden = np.eye(4)[rng.integers(0, 4, 60)] * 2 - 1
        X = np.column_stack([hidden, rng.integers(0, 40, 60), rng.normal(size=(60, 2))])
        n_hidden, n_classes = rng.integers(2, 8), rng.integers(2, 4)
        weights = rng.normal(size=(n_hidden, 8)) / [1, 1, 1, 1, 1, 5, 1, 1]
        outputs = rng.normal(size=(1 if n_classes == 2 else n_classes, n_hidden + 1))
        outputs[:, 0] -= 1.5
        network = Network(weights, outputs, np.arange(n_classes), background=describe(X))
        about = network.background
        for missing in ((0, 1, 2, 3, 5), (0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 5, 6), (4, 5, 6)):
            grids = [
                np.linspace(about.low[i], about.high[i], 15) if i in missing else X[[trial], i]
                for i in (5, 6)
            ]
            integers = np.arange(about.low[4], about.high[4] + 1, 3) if 4 in missing else X[[trial], 4]
            categories = np.eye(4) * 2 - 1 if 0 in missing else X[[trial], :4]
            rows = np.array([np.r_[one, more] for one in categories for more in product(integers, *grids)])
            (one,) = possible_classes(network, without(X[[trial]], *missing))
            assert one.exact
            assert set(network.predict(rows).tolist()) <= set(one.labels)
            searched += len(one.labels) < n_classes
    assert searched > 10


@pytest.mark.parametrize("scheme", ["tree", "vote"])
def test_very_many_combinations_are_tried_by_their_codes(scheme):
    network, X, _ = fitted("iris", "net", scheme)
    about = network.background
    values = [np.linspace(about.low[i], about.high[i], 180) for i in (0, 1)]
    ranges = dict(enumerate(values))
    rows = X[50::12]
    found = possible_classes(network, without(rows, 0, 1), ranges=ranges)
    for row, one in zip(rows, found, strict=True):
        assert one.exact
        assert one.labels == brute(network, row, (0, 1), values)
    assert {len(one.labels) for one in found} > {1}


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("maker", "scheme"),
    [("net", scheme) for scheme in ("tree", "vote", "wta", "pairs", None)] + [("cv", None)],
)
def test_classes_of_iris_are_those_of_a_dense_grid(maker, scheme):
    network, X, _ = fitted("iris", maker, scheme)
    rows = X[::10]
    for feature in range(4):
        low, high = network.background.low[feature], network.background.high[feature]
        grid = np.linspace(low, high, 201)
        for row, one in enumerate(possible_classes(network, without(rows, feature))):
            assert_in_order(one, low, high)
            labels = network.predict(with_value(np.repeat(rows[[row]], 201, axis=0), feature, grid))
            assert [label_at(one, t) for t in grid] == labels.tolist()
            if scheme == "tree":
                assert one.exact
            if scheme in ("wta", "pairs"):
                assert not one.exact
                assert str(one).endswith("(as far as tried)")


@pytest.mark.parametrize("scheme", ["tree", "wta", "pairs"])
def test_several_missing_of_iris_contain_those_of_a_grid(scheme):
    network, X, _ = fitted("iris", "net", scheme)
    rows = X[::15]
    about = network.background
    grids = [np.linspace(about.low[i], about.high[i], 40) for i in (2, 3)]
    for row, one in zip(rows, possible_classes(network, without(rows, 2, 3)), strict=True):
        assert set(brute(network, row, (2, 3), grids)) <= set(one.labels)
        assert one.exact or scheme != "tree"
    values = {i: np.linspace(about.low[i], about.high[i], 40) for i in (2, 3)}
    for row, one in zip(rows, possible_classes(network, without(rows, 2, 3), ranges=values), strict=True):
        assert one.exact  # all combinations are tried
        assert one.labels == brute(network, row, (2, 3), grids)


SIGNED = (-1.0, 1.0)


@cache
def monks(k, maker, encoding):
    data = load_monks(k, encoding=encoding, as_frame=True)
    estimator = (NetLinesClassifier if maker == "net" else NetLinesClassifierCV)(max_hidden=3, random_state=0)
    network = estimator.fit(data.data, data.target).network_
    return network, data.data.to_numpy(), list(data.data.columns)


def members(names, attribute):
    return [i for i, name in enumerate(names) if name.startswith(f"{attribute}=")]


@pytest.mark.sample(2)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("k", "encoding"), [(1, SIGNED), (2, (0.0, 1.0)), (3, SIGNED)])
def test_a_missing_attribute_of_the_monks_has_the_classes_of_its_values(k, maker, encoding):
    network, X, names = monks(k, maker, encoding)
    networks = [network, network.with_priors([0.3, 0.7])] if network.has_probability else [network]
    for network, attribute in product(networks, ("a1", "a2", "a3", "a4", "a5", "a6")):
        inputs = members(names, attribute)
        answers = []
        for i in inputs:
            rows = with_value(X, inputs, encoding[0])
            answers.append(network.predict(with_value(rows, i, encoding[1])))
        for one, truth in zip(
            possible_classes(network, without(X, *inputs)), np.transpose(answers), strict=True
        ):
            assert one.exact
            assert one.missing == (attribute,)
            assert one.labels == tuple(np.unique(truth).tolist())
            assert one.categories == tuple(zip([names[i] for i in inputs], truth.tolist(), strict=True))


@pytest.mark.slow
def test_two_missing_attributes_of_the_monks():
    network, X, names = monks(1, "cv", SIGNED)
    first, second = members(names, "a5"), members(names, "a6")
    found = possible_classes(network, without(X[:40], *first, *second))
    codes = [np.r_[one, other] for one in np.eye(4) * 2 - 1 for other in np.eye(2) * 2 - 1]
    for row, one in zip(X[:40], found, strict=True):
        rows = np.repeat(row[None], 8, axis=0)
        rows[:, first + second] = codes
        assert one.labels == tuple(np.unique(network.predict(rows)).tolist())
        assert (one.exact, one.missing, one.categories) == (True, ("a5", "a6"), ())
    assert {str(one) for one in found} > {"0 or 1 depending on a5 and a6"}


# "yes" where the colour is red or green, or the size at least 2.
COLOURS = describe(np.column_stack([np.eye(3)[[0, 1, 2, 0]], [1.0, 2.0, 3.0, 1.5]]))
COLOUR = Network(
    [[-1.5, 1.0, 0.0, 1.0, 1.0]],
    PASS_ON,
    ["no", "yes"],
    feature_names=("colour=red", "colour=blue", "colour=green", "size"),
    background=COLOURS,
)


def test_sentences_about_groups():
    rows = np.array([[NAN, NAN, NAN, 1.0], [NAN, NAN, NAN, 2.0]])
    one, certain = possible_classes(COLOUR, rows)
    assert str(one) == "no for colour = blue, yes otherwise"
    assert one.categories == (("colour=red", "yes"), ("colour=blue", "no"), ("colour=green", "yes"))
    assert str(certain) == "certain: yes whatever colour is"
    unnamed = possible_classes(replace(COLOUR, feature_names=None), rows)
    assert [str(one) for one in unnamed] == [
        "no for x1=1, yes otherwise",
        "certain: yes whatever x0, x1 and x2 are",
    ]
    assert unnamed[0].missing == ("x0", "x1", "x2")


def test_known_inputs_of_a_group_narrow_its_categories():
    found = possible_classes(
        COLOUR,
        np.array(
            [
                [NAN, 0.0, NAN, 1.0],  # red or green
                [NAN, NAN, 0.0, 1.0],  # red or blue
                [NAN, 1.0, NAN, 1.0],  # blue
                [0.0, NAN, 0.0, 1.0],  # blue
                [1.0, NAN, 0.0, 1.0],  # red
                [1.0, 1.0, NAN, 0.0],  # no category agrees: each input for itself
                [NAN, 0.5, NAN, 0.0],
            ]
        ),
    )
    assert [one.labels for one in found] == [
        ("yes",),
        ("no", "yes"),
        ("no",),
        ("no",),
        ("yes",),
        ("no", "yes"),
        ("no", "yes"),
    ]
    assert all(one.exact for one in found)
    assert str(found[1]) == "yes for colour = red, no otherwise"
    assert found[1].missing == ("colour=red", "colour=blue")
    assert [piece[:3] for piece in found[3].pieces] == [(1.0, 1.0, "no")]
    assert str(found[5]) == "yes from colour=green ≥ 1, no below"


def test_ranges_take_the_inputs_of_a_group_one_by_one():
    row = np.array([[NAN, NAN, NAN, 0.4]])
    (together,) = possible_classes(COLOUR, row)
    assert together.labels == ("no",)
    (apart,) = possible_classes(COLOUR, row, ranges={"colour=red": [0, 1]})  # red and green at once
    assert (apart.labels, apart.missing) == (("no", "yes"), COLOUR.feature_names[:3])
    (never,) = possible_classes(COLOUR, row, ranges={"colour=red": [0]})
    assert never.labels == ("no",)


def test_an_input_of_two_values_has_no_others():
    about = describe(np.array([[-1.0, 0.0], [1.0, 1.0], [-1.0, 2.5]]))
    network = Network([[-0.5, 1, 0], [0.5, -1, 0]], [[1.0, 1.0, 1.0]], ["in", "out"], background=about)
    network = replace(network, hidden_weights=[[0.5, 1, 0], [0.5, -1, 0]], output_weights=[[-1, 1, 1]])
    (one,) = possible_classes(network, [[NAN, 1.0]])  # "out" only around 0
    assert (one.labels, one.exact, one.finite) == (("in",), True, True)
    assert integrate(network, np.array([[NAN, 1.0], [NAN, NAN]])).tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert missing_study(network, [[NAN, 1.0]], ["in"], 0).values.tolist() == [-1.0, 1.0]


def test_text_columns_of_tables():
    """A missing cell is a missing category."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "hue": rng.choice(["red", "green", "blue", "grey"], 120),
            "size": rng.normal(size=120).round(2).astype(str),
            "kind": rng.choice(["old", "new"], 120),
        }
    )
    odd = (frame["hue"] == "red") ^ (frame["size"].astype(float) > 0) ^ (frame["kind"] == "old")
    network = (
        NetLinesClassifier(random_state=0, max_hidden=6).fit(frame, np.where(odd, "odd", "even")).network_
    )
    assert network.feature_names == ("hue=blue", "hue=green", "hue=grey", "hue=red", "size", "kind=old")
    for column in ("hue", "kind"):
        values = sorted(set(frame[column]))
        truth = [
            network.predict(np.asarray(as_rows(network, frame.assign(**{column: one})))) for one in values
        ]
        found = possible_classes(network, frame.assign(**{column: None}))
        assert [one.labels for one in found] == [
            tuple(np.unique(one).tolist()) for one in np.transpose(truth)
        ]
        assert all(one.exact and one.missing == (column,) for one in found)
        assert {one.certain for one in found} == {True, False}
        open_one = next(one for one in found if not one.certain)
        assert [category for category, _ in open_one.categories] == [f"{column}={one}" for one in values]


@pytest.mark.parametrize("finite", [True, False])
def test_moved_priors_are_heeded(finite):
    network, X, _ = fitted("diabetes", "cv")
    moved = network.with_priors([0.2, 0.8])
    rows = X[:30]
    grid = np.arange(60, 200.0)
    ranges = {1: range(60, 200) if finite else (60, 199)}
    before, after = (possible_classes(one, without(rows, 1), ranges=ranges) for one in (network, moved))
    assert [one.pieces for one in before] != [one.pieces for one in after]
    for row, one in enumerate(after):
        assert one.exact == finite
        labels = moved.predict(with_value(np.repeat(rows[[row]], len(grid), axis=0), 1, grid))
        assert [label_at(one, t) for t in grid] == labels.tolist()


def test_moved_priors_on_an_endless_line():
    calibration = Calibration(0.0, [1e-6], [0.0], [1.0], [0.5, 0.5], [0.1, 0.9])
    network = Network([[0.0, 1.0]], PASS_ON, ["a", "b"], calibration=calibration)
    (one,) = possible_classes(network, [[NAN]])  # the border is where 1e-6 t = -log 9
    assert [piece.label for piece in one.pieces] == ["a", "b"]
    assert one.pieces[1].low == pytest.approx(-1e6 * np.log(9))
    assert (one.pieces[0].low, one.pieces[1].high) == (-np.inf, np.inf)
    assert not one.exact


def test_very_many_integers_where_the_code_does_not_decide():
    calibration = Calibration(0.0, [1e-6], [0.0], [1.0], [0.5, 0.5], [0.1, 0.9])
    network = Network([[0.0, 1.0]], PASS_ON, ["a", "b"], calibration=calibration)
    (one,) = possible_classes(network, [[NAN]], ranges={0: range(-(10**8), 10**8)})
    border = np.ceil(-1e6 * np.log(9))
    assert [piece[:3] for piece in one.pieces] == [(-1e8, border - 1, "a"), (border, 1e8 - 1, "b")]
    assert not one.exact


def test_rows_of_all_kinds_keep_their_places():
    network, X, _ = fitted("cancer", "net")
    mixed = X[:40].copy()
    mixed[1::4, 5] = NAN
    mixed[2::4, 0] = NAN
    mixed[3::4, [0, 5]] = NAN
    together = possible_classes(network, mixed)
    assert together == [possible_classes(network, row[None])[0] for row in mixed]
    assert [one.missing for one in together[:4]] == [
        (),
        ("bare_nuclei",),
        ("clump_thickness",),
        ("clump_thickness", "bare_nuclei"),
    ]
    assert [one.labels[0] for one in together[::4]] == network.predict(X[:40:4]).tolist()
    assert possible_classes(network, np.empty((0, 9))) == []


def test_tables_with_names_may_lack_columns():
    pd = pytest.importorskip("pandas")
    network, X, _ = fitted("cancer", "net")
    table = pd.DataFrame(X[:5], columns=network.feature_names)
    lacking = table.drop(columns="bare_nuclei")[table.columns[::-1].drop("bare_nuclei")]
    assert possible_classes(network, lacking) == possible_classes(network, without(X[:5], 5))
    nullable = table.convert_dtypes()
    nullable.loc[:, "bare_nuclei"] = pd.NA
    assert possible_classes(network, nullable) == possible_classes(network, without(X[:5], 5))
    objects = table.astype(object)
    objects["bare_nuclei"] = [None, pd.NA, NAN, None, pd.NA]
    assert possible_classes(network, objects) == possible_classes(network, without(X[:5], 5))
    with pytest.raises(ValueError, match="X has the value 'many' in column 'mitoses', row 2"):
        possible_classes(network, table.astype(object).assign(mitoses=[1, 2, "many", 3, 4]))
    with pytest.raises(ValueError, match="X has values for 'age'; the inputs are"):
        possible_classes(network, table.assign(age=1))


@pytest.mark.parametrize(
    ("X", "ranges", "message"),
    [
        ([[NAN, 1]], None, "X must be rows of 1 values, got shape"),
        ([NAN], None, "X must be rows of 1 values"),
        ([[1], [2, 3]], None, r"X must be rows of 1 values, got shape \(2,\)"),
        ([["much"]], None, "X has the value 'much' in column 't', row 0"),
        ([[1.0], [1j]], None, "X has the value 1j in column 't', row 1"),
        ([[np.inf]], None, "X has the value inf in column 't', row 0 .* and NaN for missing ones"),
        ([[NAN]], {"u": (0, 1)}, "there is no input 'u'"),
        ([[NAN]], {"t": (2, 1)}, r"ranges\['t'\] as a tuple must be two numbers .* got \(2, 1\)"),
        ([[NAN]], {"t": (1, 2, 3)}, r"ranges\['t'\] as a tuple must be two numbers"),
        ([[NAN]], {"t": (NAN, 1)}, r"ranges\['t'\] as a tuple"),
        ([[NAN]], {"t": []}, r"ranges\['t'\] must be a tuple .* got \[\]"),
        ([[NAN]], {"t": [1, np.inf]}, r"ranges\['t'\] must be"),
        ([[NAN]], {"t": "all"}, r"ranges\['t'\] must be"),
        ([[NAN]], {"t": "12"}, r"ranges\['t'\] must be .* got '12'"),
        ([[NAN]], {"t": ["1", "2"]}, r"ranges\['t'\] must be .* got \['1', '2'\]"),
        ([[NAN]], {"t": ("1", "2")}, r"ranges\['t'\] as a tuple .* got \('1', '2'\)"),
        ([[NAN]], {"t": 3}, r"ranges\['t'\] must be .* got 3"),
    ],
)
def test_errors_name_what_is_wrong(X, ranges, message):
    with pytest.raises(ValueError, match=message):
        possible_classes(POINT, X, ranges=ranges)


def test_only_models_with_a_network_are_read():
    with pytest.raises(NotFittedError):
        possible_classes(NetLinesClassifier(), [[NAN]])
    with pytest.raises(TypeError, match="ranges must be a mapping"):
        possible_classes(POINT, [[NAN]], ranges=[(0, 1)])


def monte_carlo(network, row, n=20_000):
    """Integrate naively: many draws from the conditional distribution, made from the joint covariance."""
    about = network.background
    rng = np.random.default_rng(0)
    missing, known = np.flatnonzero(np.isnan(row)), np.flatnonzero(~np.isnan(row))
    covariance = about.correlation * np.outer(about.scale, about.scale)
    inverse = np.linalg.pinv(covariance[np.ix_(known, known)])
    across = covariance[np.ix_(missing, known)] @ inverse
    mean = about.mean[missing] + across @ (row[known] - about.mean[known])
    spread = covariance[np.ix_(missing, missing)] - across @ covariance[np.ix_(known, missing)]
    draws = np.clip(rng.multivariate_normal(mean, spread, n), about.low[missing], about.high[missing])
    rows = np.repeat(row[None], n, axis=0)
    rows[:, missing] = np.where(about.integer[missing], np.rint(draws), draws)
    if network.has_probability:
        return network.probability(rows).mean(axis=0)
    return (network.predict(rows)[:, None] == network.classes).mean(axis=0)


@pytest.mark.parametrize(
    ("name", "maker", "scheme"),
    [("cancer", "net", None), ("cancer", "cv", None), ("diabetes", "net", None), ("diabetes", "cv", None)]
    + [("iris", "net", scheme) for scheme in ("tree", "wta", "pairs")],
)
@pytest.mark.parametrize(("missing", "tolerance"), [((1,), 0.012), ((0, 2), 0.03), (None, 0.03)])
def test_integrals_are_those_of_monte_carlo(name, maker, scheme, missing, tolerance):
    network, X, _ = fitted(name, maker, scheme)
    rows = without(X[::60], *(range(X.shape[1]) if missing is None else missing))[
        : 1 if missing is None else 9
    ]
    found = integrate(network, rows)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    for row, one in zip(rows, found, strict=True):
        np.testing.assert_allclose(one, monte_carlo(network, row), atol=tolerance)


def test_the_integral_over_one_input_is_the_normal_share_of_its_pieces():
    about = describe(np.array([[-2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]))
    network = Network(
        [[-1.0, 1.0, 0.0], [1.5, -1.0, 0.0]], [[-1.0, 1.0, 1.0]], ["out", "in"], background=about
    )
    network = replace(network, background=replace(about, integer=[False, False]))
    shares = [0.5 * (1 + erf(t / about.scale[0] / 2**0.5)) for t in (1.0, 1.5)]
    expected = shares[1] - shares[0]
    assert integrate(network, np.array([[NAN, 0.3]]))[0] == pytest.approx([1 - expected, expected])
    # As integers only 1 lies inside; it stands for what rounds to it.
    integers = replace(network, background=about)
    shares = [0.5 * (1 + erf(t / about.scale[0] / 2**0.5)) for t in (0.5, 1.5)]
    expected = shares[1] - shares[0]
    assert integrate(integers, np.array([[NAN, 0.3]]))[0] == pytest.approx([1 - expected, expected])
    # What lies beyond the range counts for its end, here 1.
    short = replace(about, high=[1.0, 1.0])
    expected = 1 - shares[0]
    ended = replace(network, background=short)
    assert integrate(ended, np.array([[NAN, 0.3]]))[0] == pytest.approx([1 - expected, expected])


def chances(network, row, group):
    """Return the chances of the categories naively: conditional means of the indicators."""
    about = network.background
    correlation = (about.correlation + RIDGE * np.eye(len(row))) / (1 + RIDGE)
    missing, known = np.flatnonzero(np.isnan(row)), np.flatnonzero(~np.isnan(row))
    z = (row - about.mean) / about.scale
    means = np.zeros(len(row))
    slopes = correlation[np.ix_(missing, known)] @ np.linalg.inv(correlation[np.ix_(known, known)])
    means[missing] = slopes @ z[known]
    low, high = about.low[group].min(), about.high[group].max()
    share = np.maximum((about.mean + about.scale * means - low)[group] / (high - low), 1e-3)
    return share / share.sum()


@pytest.mark.parametrize("maker", MAKERS)
def test_a_missing_group_is_integrated_over_its_categories(maker):
    network, X, names = monks(1, maker, SIGNED)
    group = members(names, "a5")
    rows = without(X[:30], *group)
    found = integrate(network, rows)
    for row, one in zip(rows, found, strict=True):
        filled = np.repeat(row[None], 4, axis=0)
        filled[:, group] = np.eye(4) * 2 - 1
        answers = (network.predict(filled)[:, None] == network.classes).astype(float)
        answers = network.probability(filled) if network.has_probability else answers
        np.testing.assert_allclose(one, chances(network, row, group) @ answers)
    np.testing.assert_array_equal(found, integrate(network, rows))


def test_several_missing_groups_are_drawn_one_after_the_other():
    network, X, names = monks(3, "net", SIGNED)
    first, second = members(names, "a2"), members(names, "a5")
    rows = without(X[:20], *first, *second)
    found = integrate(network, rows)
    for row, one in zip(rows, found, strict=True):
        expected = np.zeros(2)
        for k, chance in enumerate(chances(network, row, first)):
            filled = row.copy()
            filled[first] = np.where(np.arange(3) == k, 1.0, -1.0)
            for j, then in enumerate(chances(network, filled, second)):
                filled[second] = np.where(np.arange(4) == j, 1.0, -1.0)
                expected += chance * then * (network.predict(filled[None]) == network.classes)
                filled[second] = NAN
        np.testing.assert_allclose(one, expected, atol=0.02)


def test_numbers_depend_on_the_category_that_is_drawn():
    rng = np.random.default_rng(0)
    category = rng.integers(0, 2, 400)
    X = np.column_stack([np.eye(2)[category], 4.0 * category + 0.1 * rng.standard_normal(400)])
    network = Network(  # the first category, or a large number: never the second with a small one
        [[-0.5, 1.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 1.0]],
        [[1.0, 1.0, 1.0]],
        ["odd", "fits"],
        background=describe(X),
    )
    assert integrate(network, np.full((1, 3), NAN))[0, 1] > 0.99
    assert integrate(network, np.array([[0.0, NAN, NAN]]))[0, 1] > 0.99  # the second category, settled


def test_complete_rows_get_their_answers():
    for maker in MAKERS:
        network, X, _ = fitted("diabetes", maker)
        found = integrate(network, X[:50])
        assert (network.classes[found.argmax(axis=1)] == network.predict(X[:50])).all()
        if maker == "cv":
            np.testing.assert_array_equal(found, network.probability(X[:50]))
        else:
            assert set(found.ravel()) == {0.0, 1.0}


def test_many_patterns_of_missing_values_are_treated_row_by_row():
    network, X, _ = fitted("cancer", "net")
    rng = np.random.default_rng(1)
    rows = np.where(rng.random((60, 9)) < 0.3, NAN, X[:60])
    rows[7] = NAN
    together = integrate(network, rows)
    np.testing.assert_allclose(together, [integrate(network, row[None])[0] for row in rows])
    np.testing.assert_array_equal(together, integrate(network, rows))


def test_inputs_that_determine_each_other_can_be_integrated():
    rng = np.random.default_rng(0)
    one = rng.standard_normal(200)
    X = np.column_stack([one, 2 * one + 1, rng.standard_normal(200)])
    network = Network([[0.0, 1.0, 0.0, 0.0]], PASS_ON, [0, 1], background=describe(X))
    mean, covariance = conditional(network, np.array([[NAN, 3.0, 0.0]]), np.array([0]))
    assert network.background.mean[0] + network.background.scale[0] * mean[0, 0] == pytest.approx(
        1.0, abs=0.01
    )
    assert 0 < covariance[0, 0] < 0.01
    assert integrate(network, np.array([[NAN, 3.0, 0.0]]))[0, 1] > 0.999
    assert integrate(network, np.array([[NAN, NAN, 0.0]]))[0, 1] == pytest.approx(0.5, abs=0.05)


def test_a_network_that_remembers_nothing_takes_standardised_inputs():
    network = Network([[-1.0, 1.0, 1.0]], PASS_ON, [0, 1])
    found = integrate(network, np.array([[NAN, 1.0], [NAN, -1.0], [NAN, NAN]]))
    assert found[:2, 1].tolist() == pytest.approx([0.5, 0.02275], abs=1e-4)
    assert found[2, 1] == pytest.approx(0.2398, abs=0.02)


def test_the_study_of_the_paper():
    network, _, _ = fitted("cancer", "net")
    X, y = load_breast_cancer_wisconsin(incomplete="keep", return_X_y=True)
    study = missing_study(network, X, y, "bare_nuclei")
    rows = np.isnan(X[:, 5])
    assert (study.feature, study.n_rows) == ("bare_nuclei", 16)
    assert study.values.tolist() == list(range(1, 11))
    for value, errors, counts in zip(study.values, study.errors, study.counts, strict=True):
        answers = network.predict(with_value(X[rows], 5, value))
        assert errors == (answers != y[rows]).sum()
        assert counts.tolist() == [(answers == label).sum() for label in network.classes]
    assert study.counts.shape == (10, 2)
    for array in (study.values, study.errors, study.counts, study.classes):
        assert not array.flags.writeable
    assert str(study).count("\n") == 10


def test_values_of_a_study():
    network, X, y = fitted("diabetes", "net")
    incomplete = without(X[:20], 1)
    assert missing_study(network, incomplete, y[:20], 1, values=[100, 120.5]).values.tolist() == [100, 120.5]
    study = missing_study(network, incomplete, y[:20], 1)
    assert len(study.values) == 51
    assert (study.values == np.rint(study.values)).all()
    assert (study.values[[0, -1]] == [X[:, 1].min(), X[:, 1].max()]).all()


@pytest.mark.parametrize(
    ("X", "y", "feature", "values", "message"),
    [
        ([[NAN]], ["on"], "t", None, "does not know the range of 't'"),
        ([[NAN]], ["on", "off"], "t", [1], "y must have one label for each"),
        ([[NAN]], ["on"], "u", [1], "there is no input 'u'"),
        ([[1.0]], ["on"], "t", [1], "no row of X misses 't'"),
        ([[NAN]], ["on"], "t", [NAN], "values of 't' must be"),
        ([[NAN]], ["on"], "t", ["u"], r"values of 't' must be .* got \['u'\]"),
        ([[NAN]], ["on"], "t", "12", "values of 't' must be .* got '12'"),
        ([[NAN]], ["On"], "t", [1], "y has the label 'On'; allowed are 'off', 'on'"),
    ],
)
def test_errors_of_a_study_name_what_is_wrong(X, y, feature, values, message):
    with pytest.raises(ValueError, match=message):
        missing_study(POINT, X, y, feature, values=values)


def test_a_study_refuses_rows_that_miss_more():
    network, X, y = fitted("cancer", "net")
    with pytest.raises(ValueError, match="rows without 'bare_nuclei' also miss 'mitoses'"):
        missing_study(network, without(X[:3], 5, 8), y[:3], "bare_nuclei")


# Far from 0


@pytest.mark.parametrize("model", [MinimerrorClassifier(), NetLinesClassifier(max_hidden=4)])
def test_rows_far_from_zero_are_never_wrongly_certain(model):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = 1e15 + rng.integers(0, 8, (50, 2)) * 0.125
        clf = clone(model).fit(X, rng.integers(0, 2, 50))
        for column in (0, 1):
            lacking = X.copy()
            lacking[:, column] = np.nan
            for row, possible in zip(X, possible_classes(clf, lacking), strict=True):
                (label,) = clf.predict(row[None])
                assert label in possible.labels
                own = [one for one in possible.pieces if one.low <= row[column] <= one.high]
                assert label in [one.label for one in own]


def test_a_class_that_rounding_hides_between_two_changes_is_not_denied():
    # The units change at 1/3 and at 1/3 + 1e-17, but for rounding.
    narrow = Network([[-1.0, 3.0, 0.0], [1.0 + 3e-17, -3.0, 1e-17]], [[-1.0, 1.0, 1.0]], ["out", "in"])
    (possible,) = possible_classes(narrow, [[np.nan, 1.0]])
    assert "in" in possible.labels or not possible.exact


def test_values_of_odd_size_are_never_wrongly_certain():
    tiny = [[1e-323], [3.5e-323], [3e-323], [3.5e-323], [3e-323], [3.5e-323]]
    clf = MonoPlaneClassifier().fit(tiny, [3, 3, 3, 1, 3, 1])
    (possible,) = possible_classes(clf, [[np.nan]])
    assert set(clf.predict(tiny)) <= set(possible.labels)
    # The first class lies in a slice of the values that is 1e-19 of their range.
    wide = np.array(
        [[-1.2, 5.0], [-0.2, 4.0], [1.1, -1e20], [1e100, 3.0], [0.9, 1.0], [0.2, 8.0], [-0.1, 3.0]]
    )
    clf = NetLinesClassifier(max_hidden=2).fit(wide, [1, 3, 3, 3, 1, 1, 3])
    (possible,) = possible_classes(clf, [[np.nan, np.nan]])
    assert set(clf.predict(wide)) <= set(possible.labels) or not possible.exact


@pytest.mark.parametrize(
    ("weights", "known", "ends"),
    [([-64.0, 64.0, 32.0], 0.6, (0.7, 1.0)), ([-0.4, 3.0, 1.0], 0.1, (0.0, 0.1))],
)
def test_the_ends_of_a_range_have_the_answers_of_the_network(weights, known, ends):
    network = Network([weights], PASS_ON, ["no", "yes"])
    (found,) = possible_classes(network, [[np.nan, known]], ranges={0: ends})
    answers = network.predict(np.array([[end, known] for end in ends])).tolist()
    assert [found.pieces[0].label, found.pieces[-1].label] == answers
    assert set(found.labels) >= set(answers)


def test_pieces_of_columns_far_from_0_end_where_the_answer_changes():
    values = 1e15 + np.arange(6) / 8
    for changed in range(1, 6):
        y = (np.arange(6) >= changed).astype(int)
        clf = NetLinesClassifier().fit(values[:, None], y)
        (found,) = possible_classes(clf, [[np.nan]])
        for value, label in zip(values, y, strict=True):
            piece = [
                one.label
                for one in found.pieces
                if (one.low < value or (one.low == value and one.low_closed))
                and (value < one.high or (value == one.high and one.high_closed))
            ]
            assert piece == [label]
