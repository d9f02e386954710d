"""A network as text: the exact lines of small ones."""

import doctest
from dataclasses import replace

import numpy as np

from netlines.export import text
from netlines.export.text import to_text
from netlines.network import Network
from netlines.probability import Calibration


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
        "the class is the one with the larger probability"
    )


def test_the_example_runs():
    assert doctest.testmod(text).failed == 0
