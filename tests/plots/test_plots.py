"""Pictures of networks worked out by hand: what is drawn, where, and the errors that name what is wrong."""

import re
import sys
from dataclasses import replace
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from netlines import MinimerrorClassifier, NetLinesClassifier
from netlines.inspection.missing import missing_study
from netlines.network.background import Background
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.plots import (
    DomainDisplay,
    GrowthDisplay,
    HyperplaneDisplay,
    MissingAttributeDisplay,
    MissingRowsDisplay,
    NetworkDisplay,
    ReliabilityDisplay,
    TreeDisplay,
    WeightsDisplay,
    domains,
    drawing,
    growth,
    style,
    weights,
)
from netlines.plots.places import text_places

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


@pytest.mark.parametrize("place", [2.0**53, -1.7e18, 1e100])
def test_a_plane_far_from_0_has_room_for_arrows(place):
    X = np.column_stack([[-1.0, 0.0, 1.0, 2.0], np.full(4, place)])
    network = Network([[-0.5, 1.0, 0.0]], PASS_ON, [0, 1])
    HyperplaneDisplay.from_network(network, X, [0, 0, 1, 1]).figure_.draw_without_rendering()


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


SCHEMES = ("tree", "vote", "wta", "pairs")


@pytest.mark.parametrize("network", [THREE, *map(of_scheme, SCHEMES)], ids=("shared", *SCHEMES))
def test_regions_of_many_classes_are_their_answers(network):
    display = HyperplaneDisplay.from_network(network, CORNERS, OF_THREE)
    sides = np.linspace(-1.1, 1.1, 60)
    grid = np.stack(np.meshgrid(sides, sides), axis=-1).reshape(-1, 2)
    answers = network.predict(grid)
    numbers = np.flatnonzero(np.isin(network.classes, answers))
    for number, region in zip(numbers, display.regions_, strict=True):
        (path,) = region.get_paths()
        inside = path.contains_points(grid)
        assert (inside == (answers == network.classes[number])).mean() > 0.97  # but next to the borders
        assert matplotlib.colors.to_hex(region.get_facecolor()[0]).upper() == style.pale_color(number)
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
    assert len(display.boundaries_) == len(display.regions_)
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


# What texts must not do, whatever the picture

LONG = tuple(f"a very long name of the input number {i} $x$" for i in range(60))


def meeting_texts(figure):
    """Pairs of texts that overlap, and texts that leave the figure."""
    figure.canvas.draw()
    unseen = hidden_labels(figure)
    texts = [
        text
        for text in figure.findobj(matplotlib.text.Text)
        if text.get_visible() and text.get_text().strip() and text not in unseen
    ]
    boxes = np.array([text.get_window_extent().extents for text in texts])
    low, high = boxes[:, :2] + 1, boxes[:, 2:] - 1  # a pixel more or less
    meet = (low[:, None] < high).all(axis=2) & (low < high[:, None]).all(axis=2)
    pairs = [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(np.triu(meet, 1))]
    leave = (low < figure.bbox.min - 1).any(axis=1) | (high > figure.bbox.max + 1).any(axis=1)
    return pairs, [texts[i].get_text() for i in np.flatnonzero(leave)]


def hidden_labels(figure):
    """Labels of ticks beyond the axes, or of axes without ticks."""
    labels = set()
    for ax in figure.findobj(matplotlib.axes.Axes):
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not (ax.axison and low <= tick.get_loc() <= high):
                    labels |= {tick.label1, tick.label2}
    return labels


def grown_for(n_inputs, n_units, classes, seed=0, **more):
    """A network of random hyperplanes with long names of its inputs."""
    random = np.random.default_rng(seed)
    outputs = 1 if len(classes) == 2 else len(classes)
    output = PASS_ON if (n_units, outputs) == (1, 1) else random.normal(size=(outputs, n_units + 1))
    hidden = random.normal(size=(n_units, n_inputs + 1))
    return Network(hidden, output, classes, feature_names=LONG[:n_inputs], **more)


FEW_AND_MANY = [
    grown_for(2, 1, ["a", "b"]),
    grown_for(5, 3, ["benign", "malignant"]),
    grown_for(9, 4, [f"a long name of class {i}" for i in range(10)]),
    grown_for(60, 18, ["no", "yes"]),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("network", FEW_AND_MANY, ids=("one unit", "small", "ten classes", "large"))
@pytest.mark.parametrize("display", [DomainDisplay, WeightsDisplay, NetworkDisplay])
def test_texts_do_not_meet(display, network):
    X = np.random.default_rng(1).normal(size=(300, network.n_features))
    y = network.predict(X)[::-1]
    drawn = display.from_network(network, *((X, y) if display is DomainDisplay else ()))
    assert meeting_texts(drawn.figure_) == ([], [])


# Codes of domains, and planes of more inputs


def test_codes_are_those_of_their_domains():
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS, codes=True)
    assert len(display.codes_) == 3  # no point has both sums below 0
    for text in display.codes_:
        states = EXCLUSIVE_OR.internal_representation(np.array([text.get_position()]))[0]
        assert text.get_text().split("\N{THIN SPACE}") == ["+" if state > 0 else "−" for state in states]


def test_codes_stand_inside_their_domains():
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS, codes=True)
    display.figure_.canvas.draw()
    for text in display.codes_:
        box = text.get_window_extent().transformed(display.ax_.transData.inverted())
        codes = EXCLUSIVE_OR.internal_representation(box.corners())
        assert (codes == codes[0]).all()


def test_small_domains_have_no_code():
    sliver = Network([[0.0, 1.0, 0.0], [0.01, -1.0, 0.0]], [[-1.0, 1.0, 1.0]], ["same", "other"])
    texts = [t.get_text() for t in HyperplaneDisplay.from_network(sliver, CORNERS, LABELS, codes=True).codes_]
    assert sorted(texts) == ["+\N{THIN SPACE}−", "−\N{THIN SPACE}+"]


def test_codes_are_left_out_unless_asked_for_and_of_many_units():
    assert HyperplaneDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS).codes_ == []
    many = Network(np.random.default_rng(0).normal(size=(9, 3)), np.ones((1, 10)), ["same", "other"])
    assert HyperplaneDisplay.from_network(many, CORNERS, LABELS, codes=True).codes_ == []


def test_texts_keep_away_from_obstacles():
    whole, room, none = np.zeros((50, 100), dtype=int), np.array([100.0, 50.0]), np.empty((0, 2))
    (middle,) = text_places(whole, room, (10.0, 10.0), none, none).values()
    assert abs(middle[1] - 0.5) <= 0.02
    (aside,) = text_places(whole, room, (10.0, 10.0), np.array([[0.3, 0.5]]), none).values()
    assert aside[0] >= 0.54
    assert text_places(whole, room, (80.0, 50.0), none, none) == {}
    # A circle of radius 10 in the middle leaves a text of 25 x 10 only the sides, one of 60 x 10 nothing.
    circle = np.array([[0.5, 0.5]])
    ((x, _),) = text_places(whole, room, (25.0, 10.0), none, circle).values()
    assert abs(x - 0.5) >= 0.1 + 0.125
    assert text_places(whole[20:30], np.array([100.0, 10.0]), (60.0, 10.0), none, circle) == {}


DEEP = Network(
    hidden_weights=[[0.5, 1.0, 2.0, 0.0], [-1.0, 0.0, 0.5, 1.0]],
    output_weights=[[-1.0, 1.0, 1.0]],
    classes=["no", "yes"],
    feature_names=("age", "height", "weight"),
    background=Background([1.0, 2.0, 3.0], [1.0, 1.0, 2.0], [-9.0] * 3, [9.0] * 3, [False] * 3, [False] * 3),
)
DEEP_X = np.random.default_rng(0).normal(size=(30, 3))
DEEP_Y = DEEP.predict(DEEP_X)


@pytest.mark.parametrize(
    ("at", "row"), [(None, [1.0, 2.0, 3.0]), ([5.0, -1.0, 4.0], [5.0, -1.0, 4.0])], ids=("mean", "given")
)
def test_a_plane_of_three_inputs_shows_the_network_in_it(at, row):
    display = HyperplaneDisplay.from_network(DEEP, DEEP_X, DEEP_Y, features=("weight", 0), at=at)
    np.testing.assert_array_equal(display.points_[0].get_offsets(), DEEP_X[DEEP_Y == "no"][:, [2, 0]])
    rows = np.tile(row, (1001, 1))
    assert display.lines_
    for line in display.lines_:
        rows[:, [2, 0]] = np.column_stack(line.get_data())
        assert np.abs(DEEP.fields(rows)).max(axis=0).min() < 1e-9  # of one of the two
    assert display.ax_.get_xlabel() == f"weight\nheight = {row[1]:g} held"
    assert display.ax_.get_ylabel() == "age"


def test_the_best_features_have_the_largest_standardised_weights():
    # (1, 2, 0)/√5 and (0, 0.5, 2)/√4.25: the last input has the spread 2.
    display = HyperplaneDisplay.from_network(DEEP, DEEP_X, DEEP_Y, features="best")
    assert display.plane.names == ["weight", "height"]


def test_without_a_memory_the_plane_goes_through_the_mean_of_the_data():
    display = HyperplaneDisplay.from_network(replace(DEEP, background=None), DEEP_X, DEEP_Y, features=(0, 1))
    np.testing.assert_allclose(display.plane.at, DEEP_X.mean(axis=0))


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (None, r"with 2 inputs, got 3; choose two of them by features=\(name or number, name or number\)"),
        ("worst", "two names or numbers of inputs or 'best', got 'worst'"),
        ((0,), r"two names or numbers of inputs or 'best', got \(0,\)"),
        ((1, "height"), "two different inputs"),
        (("age", "size"), "no input 'size'"),
    ],
)
def test_wrong_features_are_refused(features, message):
    with pytest.raises(ValueError, match=message):
        HyperplaneDisplay.from_network(DEEP, DEEP_X, DEEP_Y, features=features)


def test_changed_priors_change_the_regions():
    calibration = Calibration(0.0, [1.0], [0.0], [1.0], [0.5, 0.5], [0.5, 0.5])
    even = Network([[0.0, 1.0, 0.0]], PASS_ON, ["same", "other"], calibration=calibration)
    moved = even.with_priors([0.4, 0.6])
    display = HyperplaneDisplay.from_network(moved, CORNERS, LABELS)
    (contour, _) = display.boundaries_  # one around each class
    places = np.vstack([path.vertices for path in contour.get_paths()])
    np.testing.assert_allclose(places[:, 0], -np.log(1.5), atol=0.01)
    sides = np.linspace(-1.16, 1.16, 5)
    rows = np.stack(np.meshgrid(sides, sides), axis=-1).reshape(-1, 2)
    assert (moved.predict(rows) == moved.classes[display._answers(rows)]).all()


# Domains


def test_domains_count_rows_by_class_and_answer():
    X = np.repeat([[-1.0, -1.0], [0.9, -1.0], [1.0, 1.0], [-1.0, 1.0]], [4, 3, 2, 1], axis=0)
    y = np.array(["same"] * 4 + ["other"] * 3 + ["same", "other"] + ["same"])
    display = DomainDisplay.from_network(EXCLUSIVE_OR, X, y)
    assert [t.get_text() for t in display.headings_] == [
        "answered same: 6 rows, 1 wrong",
        "answered other: 4 rows, 1 wrong",
    ]
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["+ −", "− +", "+ +"]
    assert [t.get_text() for t in display.texts_] == ["4", "2, 1 wrong", "4, 1 wrong"]
    same, other = display.bars_
    assert [bar.get_width() for bar in same] == [4, 1, 1]
    assert [(bar.get_x(), bar.get_width()) for bar in other] == [(1, 1), (1, 3)]
    assert same.patches[0].get_hatch() != other.patches[0].get_hatch()


def test_many_domains_are_summed_up():
    counts = np.column_stack([np.arange(40, 0, -1), np.ones(40, dtype=int)])
    names = [f"code {i}" for i in range(40)]
    display = DomainDisplay(names=names, answers=[0] * 40, counts=counts, classes=["a", "b"]).plot()
    labels = [t.get_text() for t in display.ax_.get_yticklabels()]
    assert labels == [*names[: domains.MOST_DOMAINS - 1], "16 more"]
    assert display.texts_[-1].get_text() == f"{sum(range(1, 17)) + 16}, 16 wrong, bar shortened"
    assert display.headings_[0].get_text() == "answered a: 860 rows, 40 wrong (24 of 40 domains shown)"
    ends = [bar.get_x() + bar.get_width() for bar in display.bars_[1]]
    assert max(ends) == pytest.approx(1.1 * 41)


def test_codes_of_several_networks_are_apart_and_long_ones_shortened():
    display = DomainDisplay.from_network(of_scheme("tree"), CORNERS, OF_THREE)
    assert all(" | " in label.get_text() for label in display.ax_.get_yticklabels())
    assert display.ax_.get_ylabel() == "code"
    lines = np.random.default_rng(0).normal(size=(14, 3))
    parts = [part("a", "bc", *lines[:7]), part("b", "c", *lines[7:])]
    long = Networks("tree", ["a", "b", "c"], parts, [(0, 1)])
    display = DomainDisplay.from_network(long, CORNERS, OF_THREE)
    assert display.ax_.get_ylabel() == "answers of the networks"
    assert {len(label.get_text().split()) for label in display.ax_.get_yticklabels()} == {2}
    single = Network(lines[:13], np.ones((1, 14)), ["same", "other"])
    display = DomainDisplay.from_network(single, CORNERS, LABELS)
    assert (display.ax_.get_ylabel(), display.names) == ("domain", ["1", "2", "3", "4"])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_row_is_in_a_domain_of_its_answer(scheme):
    networks = of_scheme(scheme)
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = np.random.default_rng(1).choice(["a", "b", "c"], 200)
    display = DomainDisplay.from_network(networks, X, y)
    for number, label in enumerate(networks.classes):
        assert display.counts[display.answers == number].sum() == (networks.predict(X) == label).sum()
        assert display.counts[:, number].sum() == (y == label).sum()


# Weights


def test_weights_are_standardised():
    display = WeightsDisplay.from_network(DEEP, sort=False)
    np.testing.assert_allclose(display.weights[0], np.array([1.0, 2.0, 0.0]) / 5**0.5)
    np.testing.assert_allclose(display.weights[1], np.array([0.0, 0.5, 2.0]) / 4.25**0.5)
    np.testing.assert_allclose(display.offsets, [5.5 / 5**0.5, 3.0 / 4.25**0.5])
    np.testing.assert_allclose(display.mesh_.get_array()[:, 2:], display.weights)
    assert [t.get_text() for t in display.texts_] == [
        "+0.45",
        "+0.89",
        "0",
        "0",
        "+0.24",
        "+0.97",
        "+2.5",
        "+1.5",
    ]
    assert [t.get_text() for t in display.ax_.get_xticklabels()] == ["offset", "age", "height", "weight"]
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["unit 1", "unit 2"]
    assert WeightsDisplay.from_network(DEEP).shown_.tolist() == [2, 1, 0]


def test_the_weights_of_one_unit_are_bars():
    unit = Network([[1.0, 3.0, -4.0]], PASS_ON, ["a", "b"], feature_names=("u", "v"))
    display = WeightsDisplay.from_network(unit)
    assert [bar.get_width() for bar in display.bars_] == pytest.approx([-0.8, 0.6])
    assert display.bars_[0].get_hatch() != display.bars_[1].get_hatch()
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["v", "u"]
    assert display.ax_.get_xlabel() == "standardised weight; offset +0.20"


def test_of_many_inputs_the_heaviest_are_shown():
    network = grown_for(60, 3, ["a", "b"])
    display = WeightsDisplay.from_network(network)
    assert len(display.shown_) == 30
    left_out = np.setdiff1d(np.arange(60), display.shown_)
    largest = np.abs(display.weights).max(axis=0)
    assert largest[left_out].max() <= largest[display.shown_].min()
    assert "the 30 of 60 inputs with the largest weights" in display.ax_.get_xlabel()


def test_small_cells_hold_signs():
    _, ax = plt.subplots(figsize=(2.5, 2.0), layout="constrained")
    display = WeightsDisplay.from_network(grown_for(30, 5, ["a", "b"]), sort=False, ax=ax)
    signs = [text.get_text() for text in display.texts_[: display.weights.size]]
    expected = np.where(np.abs(display.weights) < 0.005, "", np.where(display.weights > 0, "+", "−"))
    assert signs == expected.ravel().tolist()


def test_a_constant_unit_has_an_endless_offset():
    constant = Network([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 1.0, 1.0]], ["a", "b"])
    display = WeightsDisplay.from_network(constant, sort=False)
    assert [t.get_text() for t in display.texts_] == ["0", "0", "+1.00", "0", "−∞", "0"]


def test_rows_of_several_networks_bear_their_numbers():
    display = WeightsDisplay.from_network(of_scheme("tree"))
    names = [t.get_text() for t in display.ax_.get_yticklabels()]
    assert names == ["network 1", "network 2.1", "network 2.2"]


# Reliability


def test_reliability_counts_rows_of_each_bin():
    p = np.array([0.02, 0.08, 0.2, 0.2, 0.2, 0.2, 0.95, 1.0])
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    display = ReliabilityDisplay.from_predictions(y, p, 1)
    np.testing.assert_allclose(display.means_, [0.05, 0.2, 0.975])
    assert display.shares_.tolist() == [0.0, 0.25, 1.0]
    assert [t.get_text() for t in display.texts_] == ["2", "4", "2"]
    assert [bar.get_height() for bar in display.bars_] == [2, 4, 2]
    # Of Wilson: all or none of n = 2 have the bounds n/(n + z²) and z²/(n + z²) of z = 1.96.
    np.testing.assert_allclose(display.high_[0], 3.8415 / 5.8415, atol=1e-4)
    np.testing.assert_allclose(display.low_[-1], 2 / 5.8415, atol=1e-4)
    np.testing.assert_allclose([display.low_[1], display.high_[1]], [0.04559, 0.69936], atol=1e-5)
    assert display.ax_.get_ylabel() == "share of 1"
    assert display.histogram_ax_.get_xlabel() == "probability of 1"


def test_reliability_of_two_classes_is_that_of_the_second():
    calibration = Calibration(0.0, [1.0], [0.0], [1.0], [0.5, 0.5], [0.5, 0.5])
    network = Network([[0.0, 1.0, 0.0]], PASS_ON, ["no", "yes"], calibration=calibration)
    display = ReliabilityDisplay.from_network(network, CORNERS, ["no", "yes", "yes", "yes"], bins=2)
    np.testing.assert_allclose(display.p, 1 / (1 + np.exp(-CORNERS[:, 0])))
    assert display.shares_.tolist() == [0.5, 1.0]
    assert display.ax_.get_ylabel() == "share of yes"


def test_reliability_of_more_classes_is_that_of_the_predicted_one():
    networks = of_scheme("tree")
    plain_unit = Calibration(0.0, [1.0], [0.0], [1.0], [0.5, 0.5], [0.5, 0.5])
    pair = Calibration(0.0, [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.5, 0.5])
    calibrated = [
        replace(one, network=replace(one.network, calibration=(plain_unit, pair)[one.network.n_hidden - 1]))
        for one in networks.parts
    ]
    networks = replace(networks, parts=calibrated)
    display = ReliabilityDisplay.from_network(networks, CORNERS, networks.predict(CORNERS))
    np.testing.assert_allclose(display.p, networks.probability(CORNERS).max(axis=1))
    assert (display.shares_ == 1).all()
    assert display.ax_.get_ylabel() == "share of right answers"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a", "b"], [0.1], "a"), r"one probability for each row, got probabilities of shape \(1,\)"),
        ((["a", "b"], [0.1, 1.5], "a"), "probabilities from 0 to 1, got 1.5"),
        ((["a", "b"], [0.1, 0.5], "c"), "label must be among 'a', 'b', got 'c'"),
    ],
)
def test_wrong_predictions_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ReliabilityDisplay.from_predictions(*arguments)


@pytest.mark.parametrize("bins", [0, [0.0, 0.5], [0.0, 0.5, 0.5, 1.0], "ten"])
def test_wrong_bins_are_refused(bins):
    with pytest.raises(ValueError, match="bins must be a positive number or edges"):
        ReliabilityDisplay.from_predictions([True, False], [0.3, 0.4], bins=bins)


def test_reliability_needs_probabilities():
    with pytest.raises(ValueError, match="no probabilities: fit it with probability=True"):
        ReliabilityDisplay.from_network(EXCLUSIVE_OR, CORNERS, LABELS)


def test_strips_take_their_place_from_the_given_axes():
    figure, axes = plt.subplots(1, 2, layout="constrained")
    display = ReliabilityDisplay.from_predictions([True, False], [0.9, 0.2], ax=axes[0])
    lone = ReliabilityDisplay.from_predictions(
        [True, False], [0.9, 0.2], ax=plt.figure().add_axes((0.2, 0.2, 0.6, 0.6))
    )
    assert display.ax_ is axes[0]
    for one in (display, lone):
        one.figure_.canvas.draw()
        upper, lower = one.ax_.get_window_extent(), one.histogram_ax_.get_window_extent()
        assert lower.y1 < upper.y0
        assert (lower.x0, lower.x1) == pytest.approx((upper.x0, upper.x1))
    assert meeting_texts(figure)[1] == []


# Missing values

ROWS = np.array([[np.nan, 1.0], [np.nan, 0.2], [np.nan, -1.0]])


def test_a_study_is_drawn_against_the_values():
    study = missing_study(EXCLUSIVE_OR, ROWS, ["other", "same", "same"], "left", values=[1.0, -2.0, 0.0])
    display = MissingAttributeDisplay.from_study(study)
    assert display.line_.get_xdata().tolist() == [-2.0, 0.0, 1.0]
    order = np.argsort(study.values)
    assert display.line_.get_ydata().tolist() == study.errors[order].tolist()
    tops = [area.get_data().values for area in display.areas_]
    np.testing.assert_array_equal(np.diff([np.zeros(3), *tops], axis=0).T, study.counts[order])
    assert display.areas_[0].get_data().edges.tolist() == [-3.0, -1.0, 0.5, 1.5]
    assert display.counts_ax_.get_xlabel() == "value in the place of left"
    assert display.ax_.get_ylabel() == "errors among 3 rows"


def test_the_study_of_an_estimator_is_made():
    unit = MinimerrorClassifier().fit(CORNERS, [0, 0, 1, 1])
    display = MissingAttributeDisplay.from_estimator(unit, ROWS, [0, 0, 1], 0, values=[-1.0, 1.0])
    assert display.errors.tolist() == [1, 2]
    assert meeting_texts(display.figure_) == ([], [])


def test_rows_show_which_values_lead_to_which_class():
    display = MissingRowsDisplay.from_network(
        EXCLUSIVE_OR, ROWS, ["a", "b", "c"], ranges={"left": (-2.0, 2.0)}
    )
    values = np.linspace(-1.99, 1.99, 200)
    for row, (_, right) in enumerate(ROWS):
        own = [bar for bar in display.bars_ if abs(bar.get_y() + bar.get_height() / 2 - row) < 0.1]
        assert own[0].get_x() == -2.0
        assert own[-1].get_x() + own[-1].get_width() == pytest.approx(2.0)
        answers = EXCLUSIVE_OR.predict(np.column_stack([values, np.full(200, right)]))
        for bar in own:
            inside = (values > bar.get_x()) & (values < bar.get_x() + bar.get_width())
            (label,) = set(answers[inside])
            wanted = style.area_style(EXCLUSIVE_OR.classes.tolist().index(label))
            assert bar.get_hatch() == wanted["hatch"]
            assert matplotlib.colors.to_hex(bar.get_facecolor()).upper() == wanted["facecolor"]
    assert [t.get_text() for t in display.texts_] == ["a", "b", "c"]
    assert display.ax_.get_xlabel() == "left, which is missing"


def test_single_values_meet_halfway():
    unit = Network([[-2.5, 1.0]], PASS_ON, ["a", "b"])
    display = MissingRowsDisplay.from_network(unit, [[np.nan]], ranges={0: range(1, 6)})
    assert [(bar.get_x(), bar.get_width()) for bar in display.bars_] == [(0.5, 2.0), (2.5, 3.0)]


def test_endless_values_are_drawn_around_the_ends():
    unit = Network([[-2.5, 1.0]], PASS_ON, ["a", "b"])
    display = MissingRowsDisplay.from_network(unit, [[np.nan]])
    assert [(bar.get_x(), bar.get_width()) for bar in display.bars_] == [(1.5, 1.0), (2.5, 1.0)]


def test_rows_must_miss_the_same_input():
    both = np.array([[np.nan, 1.0], [1.0, np.nan]])
    with pytest.raises(ValueError, match="the same single input, got rows that miss 'left', 'right'"):
        MissingRowsDisplay.from_network(EXCLUSIVE_OR, both)
    assert len(MissingRowsDisplay.from_network(EXCLUSIVE_OR, both, feature="right").names) == 1
    with pytest.raises(ValueError, match="no row that misses an input"):
        MissingRowsDisplay.from_network(EXCLUSIVE_OR, CORNERS)


# Networks as graphs


def test_a_network_is_drawn_with_its_weights():
    display = NetworkDisplay.from_network(DEEP)
    names = [name.get_text() for name in display.names_]
    assert names == ["age", "height", "weight", "1", "2", "+1: yes\n−1: no"]
    inputs, units, outputs = display.nodes_
    assert [len(nodes.get_offsets()) for nodes in (inputs, units, outputs)] == [3, 2, 1]
    positive, negative = display.edges_
    assert len(positive.get_segments()) == 4 + 2
    assert len(negative.get_segments()) == 0
    assert {t.get_text() for t in display.values_} <= {"+0.45", "+0.89", "+0.24", "+0.97", "+1.00"}


def test_lines_tell_signs_and_sizes():
    network = Network([[0.0, 3.0, -1.0], [0.0, 1.0, 0.0]], [[0.0, 1.0, -1.0]], ["a", "b"])
    display = NetworkDisplay.from_network(network)
    positive, negative = display.edges_
    assert (len(positive.get_segments()), len(negative.get_segments())) == (3, 2)
    assert positive.get_linestyles() != negative.get_linestyles()
    widths = dict(zip(map(str, np.round(negative.get_linewidths(), 2)), negative.get_segments(), strict=True))
    thin = drawing.THINNEST + (drawing.WIDEST - drawing.THINNEST) / 10**0.5
    assert list(widths) == [f"{thin:.2f}", f"{drawing.WIDEST}"]


def test_a_single_unit_has_no_output_over_it():
    display = NetworkDisplay.from_network(Network([[1.0, 3.0, -4.0]], PASS_ON, ["a", "b"]))
    assert len(display.nodes_) == 2
    assert display.names_[-1].get_text() == "+1: b\n−1: a"


def test_of_large_networks_the_strongest_are_drawn():
    display = NetworkDisplay.from_network(FEW_AND_MANY[-1])
    inputs, units, _ = display.nodes_
    assert (len(inputs.get_offsets()), len(units.get_offsets())) == (20, 10)
    assert sum(len(lines.get_segments()) for lines in display.edges_) == drawing.MOST_LINES
    texts = [text.get_text() for text in display.ax_.texts]
    assert {"… 40 more", "… 8 more"} <= set(texts)
    assert f"10 of 18 units shown, by weight; weaker lines not drawn: {10 * 21 - drawing.MOST_LINES}" in texts


def test_each_of_several_networks_has_a_panel():
    display = NetworkDisplay.from_network(of_scheme("pairs"))
    titles = [t.get_text() for t in display.ax_.texts if t.get_text().startswith("network")]
    assert titles == ["network 1: a against b", "network 2: a against c", "network 3: b against c"]
    assert len(display.edges_) == 6
    assert meeting_texts(display.figure_) == ([], [])


def test_the_svg_of_a_network_is_small(tmp_path):
    display = NetworkDisplay.from_network(grown_for(9, 4, ["no", "yes"]))
    for name, limit in (("path", 80_000), ("none", 40_000)):
        with plt.rc_context({"svg.fonttype": name}):
            display.figure_.savefig(tmp_path / "network.svg")
        assert (tmp_path / "network.svg").stat().st_size < limit


# What all of them refuse and use

WITH_DATA = [DomainDisplay, HyperplaneDisplay, ReliabilityDisplay]
WITHOUT = [GrowthDisplay, NetworkDisplay, WeightsDisplay]


@pytest.mark.parametrize("display", [*WITH_DATA, NetworkDisplay, WeightsDisplay])
def test_networks_of_other_kinds_are_refused(display):
    data = (CORNERS, LABELS) if display in WITH_DATA else ()
    with pytest.raises(NotFittedError, match="LogisticRegression instance is not fitted"):
        display.from_network(LogisticRegression(), *data)
    with pytest.raises(TypeError, match="LogisticRegression has no `network_` to read"):
        display.from_estimator(LogisticRegression().fit(CORNERS, [0, 0, 1, 1]), *data)


@pytest.mark.parametrize("display", WITH_DATA)
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((4, 3)), LABELS, r"X must be rows of 2 values, got shape \(4, 3\)"),
        (CORNERS, LABELS[:3], "one label for each of the 4 rows of X, got 3"),
        (CORNERS, ["same", "other", "same", "else"], "y has the label 'else'; allowed are 'same', 'other'"),
    ],
    ids=("width", "length", "label"),
)
def test_wrong_data_are_refused(display, X, y, message):
    with pytest.raises(ValueError, match=message):
        display.from_network(EXCLUSIVE_OR, X, y)


def test_columns_are_found_by_their_names():
    table = pytest.importorskip("pandas").DataFrame(CORNERS * [1.0, 3.0], columns=["right", "left"])
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, table, LABELS)
    np.testing.assert_array_equal(display.X, CORNERS[:, ::-1] * [3.0, 1.0])
    with pytest.raises(ValueError, match="X has values for 'up'; the inputs are 'left', 'right'"):
        DomainDisplay.from_network(EXCLUSIVE_OR, table.rename(columns={"left": "up"}), LABELS)


@pytest.mark.parametrize("show", [DomainDisplay, WeightsDisplay, NetworkDisplay])
def test_neutral_colours_are_those_of_the_style(show, tmp_path):
    display = show.from_network(EXCLUSIVE_OR, *((CORNERS, LABELS) if show is DomainDisplay else ()))
    display.figure_.savefig(tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    colors = set(re.findall(r"#[0-9a-f]{6}", text))
    neutral = {color for color in colors if len({color[1:3], color[3:5], color[5:7]}) == 1}
    # Axes themselves, their ticks and labels, are black by default.
    cells = {color.lower() for color in (*style.ON_CELLS, *weights.CELLS)}
    assert neutral - cells <= {style.DARK, style.GREY, style.LIGHT.lower(), "#ffffff", "#000000"}


# What can be read of much


def test_rows_at_one_place_are_one_larger_dot_a_class():
    X = np.repeat(CORNERS, [9, 1, 1, 1], axis=0)
    y = np.repeat(LABELS, [9, 1, 1, 1])
    y[0] = EXCLUSIVE_OR.classes[EXCLUSIVE_OR.classes != y[0]][0]
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, X, y, crowded=True)
    assert sorted(display.dots_.rows.tolist()) == [1, 1, 1, 1, 8]
    drawn = [(len(points.get_offsets()), points.get_sizes()[0]) for points in display.points_]
    assert sum(n for n, _ in drawn) == 5
    assert max(size for _, size in drawn) > 3 * min(size for _, size in drawn)
    own = display.dots_.places[display.dots_.rows == 8][0]
    assert 0 < np.abs(own - CORNERS[0]).max() < 0.1  # beside the dot of the other class


def test_few_rows_far_away_do_not_squash_the_picture():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.uniform(size=(300, 2)), [[1000.0, 0.5]]])
    y = EXCLUSIVE_OR.predict(X)
    display = HyperplaneDisplay.from_network(EXCLUSIVE_OR, X, y, robust=True)
    assert display.ax_.get_xlim()[1] < 1.2
    assert display.outside_ >= 1
    assert "farther away" in display.ax_.get_xlabel()
    assert HyperplaneDisplay.from_network(EXCLUSIVE_OR, X, y).ax_.get_xlim()[1] > 1000


def test_of_many_hyperplanes_those_that_divide_most_are_drawn():
    rng = np.random.default_rng(0)
    output = np.zeros((1, 41))
    output[0, 1:4] = 1.0, 1.0, 1.0  # the other units do not matter
    network = Network(rng.normal(size=(40, 3)) * [0.2, 1, 1], output, ["_a", "_b"])
    X = rng.uniform(-1, 1, size=(50, 2))
    display = HyperplaneDisplay.from_network(network, X, network.predict(X))
    numbers = {text.get_text() for text in display.ax_.texts}
    assert len(numbers) == 10
    assert {"1", "2", "3"} <= numbers
    assert "10 of 40 hyperplanes are drawn" in display.ax_.get_xlabel()
    # matplotlib's own legends leave out what begins with _
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["_a", "_b"]


def test_legends_name_up_to_twelve_classes():
    network = Network(np.ones((2, 3)), np.ones((30, 3)), [f"class {k}" for k in range(30)])
    display = HyperplaneDisplay.from_network(network, CORNERS, ["class 0"] * 4)
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert (len(names), names[10], names[11]) == (12, "class 10", "19 more classes")


def test_of_many_units_the_ten_that_count_most_have_a_row():
    strengths = np.r_[np.zeros(20), np.arange(1, 11)]
    names = {"units": [f"unit {k + 1}" for k in range(30)], "inputs": ["a", "b"]}
    display = WeightsDisplay(
        weights=np.ones((30, 2)), offsets=np.zeros(30), strengths=strengths, **names
    ).plot()
    assert display.units_.tolist() == list(range(20, 30))
    assert "10 units, by weight, of 30" in display.ax_.get_xlabel()


def test_ticks_of_growth_do_not_overlap():
    sizes = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128])
    display = GrowthDisplay(
        n_hidden=sizes, errors=sizes[::-1], unit_errors=np.full(14, np.nan), n_weights=22 * sizes
    )
    ticks = display.plot().ax_.get_xticks()
    assert np.diff(ticks).min() >= 127 / 12
