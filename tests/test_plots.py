"""Pictures of networks worked out by hand: what is drawn, where, and the errors that name what is wrong."""

import doctest
import sys
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.network import PASS_ON, Network
from netlines.networks import Networks, Part
from netlines.plots import GrowthDisplay, HyperplaneDisplay, TreeDisplay, growth, hyperplanes, style, tree

matplotlib.use("agg")

import matplotlib.pyplot as plt


def record(n_hidden, unit_errors, errors):
    return {
        "n_hidden": n_hidden,
        "origin": "the classes",
        "unit_errors": unit_errors,
        "errors": errors,
        "temperature": None,
        "epochs": 1,
    }


# +1 where exactly one of the two inputs is positive.
EXCLUSIVE_OR = Network(
    hidden_weights=[[0.5, -1.0, -1.0], [0.5, 1.0, 1.0]],
    output_weights=[[-1.0, 1.0, 1.0]],
    classes=["same", "other"],
    growth_trace=(record(1, 7.0, 7.0), record(2, None, 3.0), record(3, 2.0, 0.0)),
    feature_names=("left", "right"),
)
CORNERS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
LABELS = np.array(["same", "other", "other", "same"])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_growth_shows_errors_and_weights():
    display = GrowthDisplay.from_network(EXCLUSIVE_OR)
    assert display.line_.get_xdata().tolist() == [1, 2, 3]
    assert display.line_.get_ydata().tolist() == [7, 3, 0]
    np.testing.assert_array_equal(display.unit_line_.get_ydata(), [7, np.nan, 2])
    assert [tick.get_text() for tick in display.weights_ax_.get_xticklabels()] == ["3", "9", "13"]
    assert display.ax_.get_xlabel() == "hidden units"
    assert display.figure_ is display.ax_.figure


def test_curves_differ_without_colours():
    display = GrowthDisplay.from_network(EXCLUSIVE_OR)
    lines = (display.line_, display.unit_line_)
    assert len({line.get_marker() for line in lines}) == 2
    assert len({line.get_linestyle() for line in lines}) == 2


def test_growth_weights_are_those_of_the_network():
    X = np.random.default_rng(0).standard_normal((60, 3))
    clf = NetLinesClassifier().fit(X, X[:, 0] * X[:, 1] > 0)
    display = GrowthDisplay.from_estimator(clf)
    assert display.n_weights[-1] == clf.n_weights_
    assert display.errors[-1] == clf.n_training_errors_


def test_displays_draw_into_given_axes():
    _, axes = plt.subplots(1, 2)
    assert GrowthDisplay.from_network(EXCLUSIVE_OR, ax=axes[0]).ax_ is axes[0]
    assert HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS, ax=axes[1]).ax_ is axes[1]
    assert len(plt.get_fignums()) == 1


def test_long_growth_has_room_for_its_labels():
    trace = tuple(record(h, None, 40.0 - h) for h in range(1, 41))
    network = Network(np.ones((1, 3)), [[0.0, 2**0.5]], [0, 1], growth_trace=trace)
    display = GrowthDisplay.from_network(network)
    assert len(display.ax_.get_xticks()) <= growth.MOST_NUMBERS
    assert len(display.ax_.texts) == 0
    assert display.ax_.get_legend() is None


def test_growth_needs_a_trace():
    unit = MinimerrorClassifier().fit(CORNERS, [0, 0, 0, 1])
    with pytest.raises(ValueError, match="no growth trace"):
        GrowthDisplay.from_estimator(unit)


def test_hyperplanes_lie_where_the_field_vanishes():
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS)
    assert len(display.lines_) == 2
    for k, line in enumerate(display.lines_):
        points = np.column_stack(line.get_data())
        np.testing.assert_allclose(EXCLUSIVE_OR.fields(points)[:, k], 0, atol=1e-12)
        for values, limits in zip(points.T, (display.ax_.get_xlim(), display.ax_.get_ylim()), strict=True):
            assert values.min() >= limits[0] - 1e-12
            assert values.max() <= limits[1] + 1e-12
    assert display.ax_.get_xlabel() == "left"
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["same", "other"]


def test_arrows_point_to_the_positive_side():
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS)
    for number in display.ax_.texts:
        k = int(number.get_text()) - 1
        assert EXCLUSIVE_OR.fields(np.array([number.xy]))[0, k] > 0
        assert EXCLUSIVE_OR.fields(np.array([number.xyann]))[0, k] == pytest.approx(0, abs=1e-12)


def test_points_and_regions_follow_the_classes():
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS)
    for points, label in zip(display.points_, EXCLUSIVE_OR.classes, strict=True):
        np.testing.assert_array_equal(points.get_offsets(), CORNERS[label == LABELS])
    markers = [points.get_paths()[0].vertices.shape for points in display.points_]
    assert markers[0] != markers[1]


def test_solid_lines_divide_the_answers():
    # Class b where both units are +1: x ≥ 0 and y ≥ 0, so each line divides on half its length.
    corner = Network([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[-1.0, 1.0, 1.0]], ["a", "b"])
    display = HyperplaneDisplay.from_network(corner, CORNERS, ["a", "a", "a", "b"])
    for k, line in enumerate(display.boundaries_):
        along = line.get_data()[1 - k]
        solid = along[np.isfinite(along)]
        assert 0 <= solid.min() < 0.01
        assert solid.max() == pytest.approx(1.16)


def test_a_hyperplane_outside_the_picture_is_left_out():
    far = Network([[1.0, 1.0, 0.0], [100.0, 1.0, 0.0]], [[-1.0, 1.0, 1.0]], ["a", "b"])
    display = HyperplaneDisplay.from_network(far, CORNERS, ["a", "a", "b", "b"])
    assert len(display.lines_) == 1


def test_a_single_unit_divides_everywhere():
    unit = MinimerrorClassifier().fit(CORNERS, [0, 0, 1, 1])
    display = HyperplaneDisplay.from_estimator(unit, CORNERS, [0, 0, 1, 1])
    assert np.isfinite(display.boundaries_[0].get_data()).all()


def test_hyperplanes_need_two_inputs():
    network = Network(np.ones((1, 4)), [[0.0, 2**0.5]], [0, 1])
    with pytest.raises(ValueError, match="networks with 2 inputs, got 3"):
        HyperplaneDisplay.from_network(network, np.zeros((2, 3)), [0, 1])


def test_unfitted_estimators_are_refused():
    with pytest.raises(NotFittedError):
        GrowthDisplay.from_estimator(NetLinesClassifier())
    with pytest.raises(NotFittedError):
        HyperplaneDisplay.from_estimator(NetLinesClassifier(), CORNERS, LABELS)


def test_missing_matplotlib_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "netlines\[plots\]"'):
        GrowthDisplay.from_network(EXCLUSIVE_OR)


# Many classes

THREE = Network(
    hidden_weights=[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    output_weights=[[0.0, 1.0, 0.0], [0.0, -1.0, 1.0], [0.0, -1.0, -1.0]],
    classes=["a", "b", "c"],
    growth_trace=(record(1, 7.0, 7.0), record(2, 3.0, 0.0)),
)
OF_THREE = np.array(["c", "b", "a", "a"])


def part(positive, negative, *weights, **more):
    hidden = np.array(weights)
    output = PASS_ON if len(hidden) == 1 else np.ones((1, len(hidden) + 1))
    return Part(positive, negative, Network(hidden, output, [0, 1], **more))


def of_scheme(scheme):
    separated = {
        "tree": [("a", "bc"), ("b", "c")],
        "vote": [("a", "bc"), ("b", "c")],
        "wta": [("a", "bc"), ("b", "ac"), ("c", "ab")],
        "pairs": [("a", "b"), ("a", "c"), ("b", "c")],
    }
    lines = [[[0.0, 1.0, 0.0]], [[0.1, 0.3, 1.0], [-0.1, 1.0, -1.0]], [[0.2, -1.0, -1.0]]]
    parts = [part(*names, *line) for names, line in zip(separated[scheme], lines, strict=False)]
    trees = {"tree": [(0, 1)], "vote": [(0, 1)] * 3}.get(scheme, [])
    return Networks(scheme, ["a", "b", "c"], parts, trees)


def test_growth_counts_the_weights_of_all_outputs():
    display = GrowthDisplay.from_network(THREE)
    assert display.n_weights.tolist() == [3 + 3 * 2, 6 + 3 * 3]
    assert display.n_weights[-1] == THREE.n_weights


def test_growth_is_that_of_one_network():
    with pytest.raises(
        ValueError, match=r"shows how one network grew, these are 2 .* `networks_\[k\].network`"
    ):
        GrowthDisplay.from_network(of_scheme("tree"))


@pytest.mark.parametrize("network", [THREE, *map(of_scheme, ("tree", "vote", "wta", "pairs"))], ids=str)
def test_regions_of_many_classes_are_their_answers(network):
    display = HyperplaneDisplay.from_network(network, CORNERS, OF_THREE)
    numbers = display.regions_.get_array()
    sides = np.linspace(-1.16, 1.16, 400)
    grid = np.stack(np.meshgrid(sides, sides), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(network.classes[numbers.ravel()], network.predict(grid))
    assert len({points.get_paths()[0].vertices.shape for points in display.points_}) == 3
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["a", "b", "c"]


def test_hyperplanes_divide_the_answers_of_many_outputs():
    display = HyperplaneDisplay.from_network(THREE, CORNERS, OF_THREE)
    upright, level = (np.column_stack(line.get_data()) for line in display.boundaries_)
    assert np.isfinite(upright).all()
    assert (np.isfinite(level[:, 0]) == (display.lines_[1].get_xdata() < 0)).mean() > 0.99


def test_hyperplanes_of_networks_bear_their_numbers():
    display = HyperplaneDisplay.from_network(of_scheme("tree"), CORNERS, OF_THREE)
    assert [number.get_text() for number in display.ax_.texts] == ["1", "2.1", "2.2"]
    assert len(display.boundaries_) == 3


@pytest.mark.parametrize("scheme", ["vote", "wta", "pairs"])
def test_other_schemes_have_lines_around_their_answers(scheme):
    networks = of_scheme(scheme)
    display = HyperplaneDisplay.from_network(networks, CORNERS, OF_THREE)
    assert len(display.boundaries_) == len(np.unique(display.regions_.get_array()))
    vertices = np.vstack([path.vertices for lines in display.boundaries_ for path in lines.get_paths()])
    nearby = vertices + 0.02 * np.array([[[0, 1]], [[0, -1]], [[1, 0]], [[-1, 0]]])
    answers = networks.predict(nearby.reshape(-1, 2)).reshape(4, -1)
    assert (answers != answers[0]).any(axis=0).mean() > 0.95


def test_a_long_legend_is_put_beside_the_picture():
    names = [f"a long name of class {letter}" for letter in "abc"]
    labels = np.array(names)[[2, 1, 0, 0]]
    network = Network(THREE.hidden_weights, THREE.output_weights, names)
    display = HyperplaneDisplay.from_network(network, CORNERS, labels)
    display.figure_.draw_without_rendering()
    legend = display.ax_.get_legend().get_window_extent()
    assert legend.x0 >= display.ax_.get_window_extent().x1 - 1
    assert legend.x1 <= display.figure_.bbox.x1


def test_classes_differ_in_looks():
    looks = {(style.class_style(i)["marker"], style.class_style(i)["color"]) for i in range(70)}
    assert len(looks) == 70


# Trees


class FittedTree(BaseEstimator):
    """What a picture needs of a fitted tree."""

    def fit(self, order, models):
        self.order_, self.estimators_ = np.array(order), models
        self.classes_ = np.sort(self.order_)
        return self


class FittedVote(BaseEstimator):
    """What a picture needs of a fitted vote."""

    def fit(self, trees):
        self.trees_, self.classes_ = trees, trees[0].classes_
        return self


def written(display):
    return [text.get_text() for text in display.texts_]


def overlaps(display):
    """Pairs of boxes and leaves that meet, and texts that are not inside one of them."""
    display.figure_.canvas.draw()
    patches = [patch.get_window_extent() for patch in (*display.boxes_, *display.leaves_)]
    met = [pair for pair in combinations(patches, 2) if pair[0].overlaps(pair[1])]
    outside = []
    for text in display.texts_:
        extent = text.get_window_extent()
        if not any(box.x0 < extent.x0 and extent.x1 < box.x1 and box.y0 < extent.y0 for box in patches):
            outside.append(text.get_text())
    frame = display.figure_.bbox
    beyond = [box for box in patches if box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0]
    return met, outside, beyond


def test_a_tree_says_what_its_networks_separate_and_how_large_they_are():
    display = TreeDisplay.from_networks(of_scheme("tree"))
    assert written(display) == [
        *("a against b, c", "network 1: 1 hidden unit, 3 weights", "a"),
        *("b against c", "network 2: 2 hidden units, 9 weights", "b"),
        "c",
    ]
    assert (len(display.boxes_), len(display.leaves_)) == (2, 3)
    answers = [text.get_text() for text in display.ax_.texts if text.get_text() in ("+1", "−1")]
    assert answers == ["+1", "−1"] * 2


@pytest.mark.parametrize(
    ("labels", "separates"),
    [
        (["setosa", "versicolor", "virginica"], "setosa against versicolor, virginica"),
        (list(range(10)), "0 against 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ([f"class of number {i}" for i in range(10)], "class of number 0 against 9 others"),
        (["$a_1$ $\\x$", "a very long name of a class " * 2, "c"], "$a_1$ $\\x$ against 2 others"),
    ],
    ids=["iris", "digits", "long", "odd"],
)
def test_nothing_overlaps(labels, separates):
    display = TreeDisplay(
        sequence=labels, sizes=["network: 1 hidden unit, 5 weights"] * (len(labels) - 1)
    ).plot()
    assert written(display)[0] == separates
    assert overlaps(display) == ([], [], [])


def test_a_tree_shrinks_into_given_axes():
    figure, axes = plt.subplots(1, 2, figsize=(7, 3))
    display = TreeDisplay.from_networks(of_scheme("tree"), ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert overlaps(display) == ([], [], [])
    assert min(leaf.get_window_extent().x0 for leaf in display.boxes_) >= axes[0].get_window_extent().x1


def test_leaves_have_the_colours_of_the_points():
    reordered = TreeDisplay(sequence=["c", "a", "b"], sizes=["", ""], classes=["a", "b", "c"]).plot()
    colors = [matplotlib.colors.to_hex(leaf.get_edgecolor()).upper() for leaf in reordered.leaves_]
    assert colors == [style.class_color(number) for number in (2, 0, 1)]


def test_a_tree_of_any_classifiers_names_them():
    network = NetLinesClassifier().fit(CORNERS, [0, 0, 1, 1])
    fitted = FittedTree().fit(["b", "c", "a"], [network, LogisticRegression()])
    assert written(TreeDisplay.from_estimator(fitted))[:5] == [
        *("b against c, a", "network 1: 1 hidden unit, 3 weights", "b"),
        *("c against a", "network 2: LogisticRegression"),
    ]


def test_one_tree_of_a_vote_is_shown():
    models = [LogisticRegression(), LogisticRegression()]
    vote = FittedVote().fit([FittedTree().fit(list(order), models) for order in ("abc", "cab", "bca")])
    display = TreeDisplay.from_estimator(vote, tree=1)
    assert written(display)[0] == "c against a, b"
    assert display.ax_.texts[0].get_text() == "tree 2 of 3"
    assert TreeDisplay.from_networks(of_scheme("vote"), tree=2).title == "tree 3 of 3"
    for show, what in ((TreeDisplay.from_estimator, vote), (TreeDisplay.from_networks, of_scheme("vote"))):
        with pytest.raises(ValueError, match="tree must be a number from 0 to 2, got 3"):
            show(what, tree=3)


def test_the_networks_of_an_estimator_are_shown():
    clf = NetLinesClassifier().fit(CORNERS, [0, 0, 1, 1])
    with pytest.raises(ValueError, match="shows trees of networks, got one network"):
        TreeDisplay.from_estimator(clf)
    clf.network_ = of_scheme("tree")
    assert written(TreeDisplay.from_estimator(clf))[0] == "a against b, c"
    clf.network_ = of_scheme("pairs")
    with pytest.raises(ValueError, match="shows trees of networks, got the scheme 'pairs'"):
        TreeDisplay.from_estimator(clf)


def test_what_has_no_tree_is_refused():
    with pytest.raises(ValueError, match="shows trees of networks, LogisticRegression has none"):
        TreeDisplay.from_estimator(LogisticRegression().fit(CORNERS, [0, 0, 1, 1]))
    with pytest.raises(NotFittedError):
        TreeDisplay.from_estimator(LogisticRegression())
    with pytest.raises(ValueError, match="a tree of 3 classes has 2 networks, got 1 sizes"):
        TreeDisplay(sequence="abc", sizes=["one"])


@pytest.mark.parametrize("module", [growth, hyperplanes, tree])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
