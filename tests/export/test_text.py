"""A network as text: the exact lines of small ones."""

import doctest
from dataclasses import replace

import numpy as np
import pytest

from netlines.export import text
from netlines.export.text import priors_text, to_text
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration


def test_a_single_unit_decides_alone():
    unit = Network([[-0.5, 1.23456, 0.0]], [[0.0, 2**0.5]], [0, 1])
    assert to_text(unit) == (
        "1 hidden unit over 2 inputs, 3 weights (2 not 0); classes 0 (-1) and 1 (+1)\n"
        "the class is 1 where  -0.5 + 1.235 x0 ≥ 0, 0 elsewhere"
    )


def test_digits_and_width_can_be_chosen():
    names = tuple(f"attribute number {i}" for i in range(30))
    wide = Network([[1 / 3] * 31], [[0.0, 2**0.5]], ["a", "b"], feature_names=names)
    lines = to_text(wide, digits=2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(line.strip() for line in lines).count("+ 0.33 attribute number") == 30


def test_changed_priors_are_said_to_change_the_answer():
    half = np.array([0.5, 0.5])
    calibration = Calibration(0.0, [1.0], [0.0], [0.0], half, half)
    unit = Network([[-0.5, 1.0]], [[0.0, 2**0.5]], ["well", "ill"], calibration=calibration)
    plain = to_text(replace(unit, calibration=None))
    assert to_text(unit) == plain
    moved = replace(unit, calibration=replace(calibration, priors=[0.98, 0.02]))
    assert to_text(moved, width=200) == (
        f"{plain}\nso at the classes' shares of the training rows; at others, 98 % 'well' and 2 % 'ill', "
        "the class is the one with the largest probability"
    )


THREE = Network(
    hidden_weights=[[0.0, 1.0, 0.0], [0.5, 0.0, -1.0]],
    output_weights=[[0.0, 1.0, 1.0], [0.5, -1.0, 0.0], [0.0, 0.0, -1.0]],
    classes=["a", "b", "c"],
    feature_names=("left", "right"),
)


def test_many_outputs_are_scores():
    assert to_text(THREE) == (
        "2 hidden units over 2 inputs, 15 weights (8 not 0); classes 'a', 'b' and 'c'\n"
        "unit 1 is +1 where  0 + 1 left ≥ 0\n"
        "unit 2 is +1 where  0.5 - 1 right ≥ 0\n"
        "score of 'a' =  0 + 1 unit 1 + 1 unit 2\n"
        "score of 'b' =  0.5 - 1 unit 1\n"
        "score of 'c' =  0 - 1 unit 2\n"
        "the class is the one with the largest score"
    )


def test_a_single_unit_of_many_outputs_is_shown_as_a_unit():
    unit = Network([[1.0, -2.0]], [[0.0, 1.0], [0.5, 0.0], [0.0, -1.0]], [1, 2, 3])
    assert "unit 1 is +1 where  1 - 2 x0 ≥ 0\nscore of 1 =  0 + 1 unit 1\n" in to_text(unit)


def test_changed_priors_of_many_classes_are_said():
    nothing = np.zeros((3, 2))
    shares = [0.2, 0.3, 0.5]
    calibration = Calibration(np.zeros(3), nothing, nothing, np.zeros(2), shares, [0.5, 0.3, 0.2])
    last = to_text(replace(THREE, calibration=calibration), width=200).splitlines()[-1]
    assert last == (
        "so at the classes' shares of the training rows; at others, 50 % 'a', 30 % 'b' and 20 % 'c', "
        "the class is the one with the largest probability"
    )


def part(separated, weights, calibration=None):
    positive, negative = separated.split("|")
    return Part(positive, negative, Network([weights], PASS_ON, [-1, 1], calibration=calibration))


TREE = Networks("tree", ["a", "b", "c"], [part("b|ac", [1.0, -1.0]), part("a|c", [0.5, 2.0])], [(0, 1)])


def test_a_tree_is_shown_with_its_sequence_and_networks():
    assert to_text(TREE, width=200) == (
        "2 networks with 2 hidden units over 1 input, 4 weights; classes 'a', 'b' and 'c'\n"
        "a tree in the learning sequence 'b', 'a', 'c': the first network that answers +1 gives the class, "
        "'c' if none does\n"
        "network 1: 'b' (+1) against 'a', 'c' (-1)\n"
        "  the answer is +1 where  1 - 1 x0 ≥ 0\n"
        "network 2: 'a' (+1) against 'c' (-1)\n"
        "  the answer is +1 where  0.5 + 2 x0 ≥ 0"
    )


def test_networks_of_many_units_show_them():
    exclusive_or = Network([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0]], [[1.0, -1.0, -1.0]], [0, 1])
    parts = Part([0], [1, 2], exclusive_or), Part([1], [2], exclusive_or)
    networks = Networks("tree", [0, 1, 2], parts, [(0, 1)])
    assert (
        "network 2: 1 (+1) against 2 (-1)\n"
        "  unit 1 is +1 where  1 + 1 x0 + 1 x1 ≥ 0\n"
        "  unit 2 is +1 where  1 - 1 x0 - 1 x1 ≥ 0\n"
        "  the answer is +1 where  1 - 1 unit 1 - 1 unit 2 ≥ 0"
    ) in to_text(networks)


@pytest.mark.parametrize(
    ("voting", "rule"),
    [
        ("hard", "the class of most trees wins, of tied ones the one with the larger mean confidence"),
        ("confidence", "the class with the largest mean confidence wins"),
    ],
)
def test_a_vote_is_shown_with_its_trees(voting, rule):
    parts = [part("b|ac", [1.0, -1.0]), part("a|c", [0.5, 2.0]), part("c|a", [0.5, 2.0])]
    vote = Networks("vote", ["a", "b", "c"], parts, [(0, 1), (0, 2), (0, 1)], voting)
    lines = to_text(vote, width=300).splitlines()
    assert lines[1] == (
        "a vote of 3 trees: in each the first network that answers +1 gives the class, the last class of the "
        f"sequence if none does; {rule}"
    )
    assert lines[2:5] == [
        "tree 1: 'b', 'a', 'c' by the networks 1, 2",
        "tree 2: 'b', 'c', 'a' by the networks 1, 3",
        "tree 3: 'b', 'a', 'c' by the networks 1, 2",
    ]


LINE = Calibration(0.0, [1.0], [0.0], [0.0], [0.5, 0.5], [0.5, 0.5])


@pytest.mark.parametrize(
    ("scheme", "separated", "calibration", "sentence"),
    [
        ("wta", ["a|bc", "b|ac", "c|ab"], None, "of the network with the largest weighted sum"),
        ("wta", ["a|bc", "b|ac", "c|ab"], LINE, "of the network with the largest log-odds"),
        ("pairs", ["a|b", "b|c", "c|a"], LINE, "with the largest sum of its confidences in its pairs"),
    ],
)
def test_the_other_schemes_are_said_in_a_sentence(scheme, separated, calibration, sentence):
    parts = [part(names, [0.0, 1.0], calibration) for names in separated]
    assert sentence in to_text(Networks(scheme, ["a", "b", "c"], parts), width=300).splitlines()[1]


def test_changed_priors_of_networks_are_said():
    parts = [part(names, [0.0, 1.0], LINE) for names in ("a|b", "b|c", "c|a")]
    pairs = Networks("pairs", ["a", "b", "c"], parts, training_priors=[0.25, 0.25, 0.5])
    moved = pairs.with_priors([0.5, 0.25, 0.25])
    assert to_text(moved, width=300).startswith(to_text(pairs, width=300))
    assert "at others, 50 % 'a', 25 % 'b' and 25 % 'c', the class" in to_text(moved, width=300)
    assert priors_text(replace(pairs, training_priors=None, priors=None)) == ""


def test_the_lines_of_networks_keep_their_indent_and_width():
    names = tuple(f"attribute number {i}" for i in range(30))
    unit = Network([[1 / 3] * 31], PASS_ON, [0, 1])
    tree = Networks("tree", [0, 1, 2], [Part([0], [1, 2], unit), Part([1], [2], unit)], [(0, 1)])
    lines = to_text(tree.with_feature_names(names), digits=2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    start = lines.index("network 2: 1 (+1) against 2 (-1)")
    assert lines[start + 1].startswith("  the answer")
    assert all(line.startswith("      ") for line in lines[start + 2 :])


def test_the_example_runs():
    assert doctest.testmod(text).failed == 0
