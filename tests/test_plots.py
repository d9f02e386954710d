"""Pictures of networks worked out by hand: what is drawn, where, and the errors that name what is wrong."""

import doctest
import sys

import matplotlib
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from netlines import MinimerrorClassifier, NetLinesClassifier, plots
from netlines.network import Network
from netlines.plots import GrowthDisplay, HyperplaneDisplay

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
    assert len(display.ax_.get_xticks()) <= plots.MOST_NUMBERS
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


def test_the_examples_run():
    assert doctest.testmod(plots).failed == 0
