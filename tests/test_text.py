"""A network as text: the exact lines of small ones."""

import doctest

from netlines.export import text
from netlines.export.text import to_text
from netlines.network import Network


def test_a_single_unit_decides_alone():
    unit = Network([[-0.5, 1.23456, 0.0]], [[0.0, 2**0.5]], [0, 1])
    assert to_text(unit) == (
        "1 hidden unit over 2 inputs, 3 weights; classes 0 (-1) and 1 (+1)\n"
        "the class is 1 where  -0.5 + 1.235 x0 ≥ 0, 0 elsewhere"
    )


def test_digits_and_width_can_be_chosen():
    names = tuple(f"attribute number {i}" for i in range(30))
    wide = Network([[1 / 3] * 31], [[0.0, 2**0.5]], ["a", "b"], feature_names=names)
    lines = to_text(wide, digits=2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(line.strip() for line in lines).count("+ 0.33 attribute number") == 30


def test_the_example_runs():
    assert doctest.testmod(text).failed == 0
