"""A network as text: the exact lines of small ones."""

import doctest
from dataclasses import replace

import numpy as np
import pytest

from netlines.export import text
from netlines.export.text import to_text
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part
from netlines.network.probability import Calibration
from netlines.network.wording import priors_text


def test_a_single_unit_decides_alone():
    unit = Network([[-0.5, 1.23456, 0.0]], [[0.0, 2**0.5]], [0, 1])
    assert to_text(unit) == (
        "One weighted sum of 1 attribute, 3 weights (2 not 0); classes 0 and 1\n"
        "1 where  1.235·x0 ≥ 0.5, else 0"
    )


def test_digits_and_width_can_be_chosen():
    names = tuple(f"attribute number {i}" for i in range(30))
    wide = Network([[1 / 3] * 31], [[0.0, 2**0.5]], ["a", "b"], feature_names=names)
    lines = to_text(wide, digits=2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(line.strip() for line in lines).count("+0.33 × attribute number") == 30


def test_changed_priors_are_said_to_change_the_answer():
    half = np.array([0.5, 0.5])
    calibration = Calibration(0.0, [1.0], [0.0], [0.0], half, half)
    unit = Network([[-0.5, 1.0]], [[0.0, 2**0.5]], ["well", "ill"], calibration=calibration)
    plain = to_text(replace(unit, calibration=None))
    assert to_text(unit) == plain
    moved = replace(unit, calibration=replace(calibration, priors=[0.98, 0.02]))
    assert to_text(moved, width=200) == (
        f"{plain}\nThis holds at the shares that the classes had in training. At those expected now, "
        "98 % 'well' and 2 % 'ill', the class is the one with the largest probability."
    )


THREE = Network(
    hidden_weights=[[0.0, 1.0, 0.0], [0.5, 0.0, -1.0]],
    output_weights=[[0.0, 1.0, 1.0], [0.5, -1.0, 0.0], [0.0, 0.0, -1.0]],
    classes=["a", "b", "c"],
    feature_names=("left", "right"),
)


def test_many_outputs_are_scores():
    assert to_text(THREE, width=200) == (
        "2 hyperplanes over 2 attributes, shared by 3 classes, 15 weights (8 not 0); "
        "classes 'a', 'b' and 'c'\n"
        "h1:  left ≥ 0\n"
        "h2:  -right ≥ -0.5\n"
        "score of 'a':  2·[h1] + 2·[h2] - 2\n"
        "score of 'b':  -2·[h1] + 1.5\n"
        "score of 'c':  -2·[h2] + 1\n"
        "[h1] counts as 1 where the condition of h1 holds, else as 0; the class is the one with the "
        "largest score"
    )


def test_a_single_unit_of_many_outputs_is_shown_as_a_unit():
    unit = Network([[1.0, -2.0]], [[0.0, 1.0], [0.5, 0.0], [0.0, -1.0]], [1, 2, 3])
    assert "h1:  -2·x0 ≥ -1\nscore of 1:  2·[h1] - 1\n" in to_text(unit)


def test_changed_priors_of_many_classes_are_said():
    nothing = np.zeros((3, 2))
    shares = [0.2, 0.3, 0.5]
    calibration = Calibration(np.zeros(3), nothing, nothing, np.zeros(2), shares, [0.5, 0.3, 0.2])
    last = to_text(replace(THREE, calibration=calibration), width=200).splitlines()[-1]
    assert last == (
        "This holds at the shares that the classes had in training. At those expected now, "
        "50 % 'a', 30 % 'b' and 20 % 'c', the class is the one with the largest probability."
    )


def part(separated, weights, calibration=None):
    positive, negative = separated.split("|")
    return Part(positive, negative, Network([weights], PASS_ON, [-1, 1], calibration=calibration))


TREE = Networks("tree", ["a", "b", "c"], [part("b|ac", [1.0, -1.0]), part("a|c", [0.5, 2.0])], [(0, 1)])


def test_a_tree_is_shown_with_its_sequence_and_networks():
    assert to_text(TREE, width=200) == (
        "2 weighted sums of 1 attribute, one class after the other, 4 weights; classes 'a', 'b' and 'c'\n"
        "The first of these conditions that holds gives the class, 'c' if none does.\n"
        "1. 'b' rather than 'a' or 'c' where  -x0 ≥ -1\n"
        "2. 'a' rather than 'c' where  2·x0 ≥ -0.5"
    )


def test_networks_of_many_units_show_them():
    exclusive_or = Network([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0]], [[1.0, -1.0, -1.0]], [0, 1])
    parts = Part([0], [1, 2], exclusive_or), Part([1], [2], exclusive_or)
    networks = Networks("tree", [0, 1, 2], parts, [(0, 1)])
    assert (
        "2. 1 rather than 2, by 2 hyperplanes:\n"
        "  h1:  x0 + x1 ≥ -1\n"
        "  h2:  -x0 - x1 ≥ -1\n"
        "  1 where  -2·[h1] - 2·[h2] ≥ -3"
    ) in to_text(networks)


@pytest.mark.parametrize(
    ("voting", "rule"),
    [
        ("hard", "the class of most orders wins, of tied ones the one with the larger mean confidence"),
        ("confidence", "the class with the largest mean confidence wins"),
    ],
)
def test_a_vote_is_shown_with_its_trees(voting, rule):
    parts = [part("b|ac", [1.0, -1.0]), part("a|c", [0.5, 2.0]), part("c|a", [0.5, 2.0])]
    vote = Networks("vote", ["a", "b", "c"], parts, [(0, 1), (0, 2), (0, 1)], voting)
    lines = to_text(vote, width=300).splitlines()
    assert lines[1] == (
        "A vote of 3 orders of the classes: in each the first condition that holds gives the class, the last "
        f"class if none does; {rule}."
    )
    assert lines[2:5] == [
        "order 1: 'b', 'a', 'c' by the networks 1, 2",
        "order 2: 'b', 'c', 'a' by the networks 1, 3",
        "order 3: 'b', 'a', 'c' by the networks 1, 2",
    ]


LINE = Calibration(0.0, [1.0], [0.0], [0.0], [0.5, 0.5], [0.5, 0.5])


@pytest.mark.parametrize(
    ("scheme", "separated", "calibration", "sentence"),
    [
        ("wta", ["a|bc", "b|ac", "c|ab"], None, "that with the largest weighted sum"),
        ("wta", ["a|bc", "b|ac", "c|ab"], LINE, "that with the largest log-odds"),
        ("pairs", ["a|b", "b|c", "c|a"], LINE, "with the largest sum of its probabilities wins"),
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
    assert "expected now, 50 % 'a', 25 % 'b' and 25 % 'c', the class" in to_text(moved, width=300)
    assert priors_text(replace(pairs, training_priors=None, priors=None)) == ""


def test_the_lines_of_networks_keep_their_indent_and_width():
    names = tuple(f"attribute number {i}" for i in range(30))
    unit = Network([[1 / 3] * 31], PASS_ON, [0, 1])
    tree = Networks("tree", [0, 1, 2], [Part([0], [1, 2], unit), Part([1], [2], unit)], [(0, 1)])
    lines = to_text(tree.with_feature_names(names), digits=2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    (start,) = (k for k, line in enumerate(lines) if line.startswith("2. 1 rather than 2 where"))
    assert len(lines) > start + 2
    assert all(line.startswith("    ") for line in lines[start + 1 :])


def test_the_example_runs():
    assert doctest.testmod(text).failed == 0
