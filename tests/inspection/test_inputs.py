"""What is read first of a model: rows, inputs and the network, or an error that names what is wrong."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import NetLinesClassifier
from netlines.inspection import inputs as reading
from netlines.inspection.inputs import as_row, input_numbers, network_of, number_of
from netlines.network.network import PASS_ON, Network

NETWORK = Network([[-1.0, 1.0, 0.0, 0.0]], PASS_ON, ["a", "b"], feature_names=("ab", "b", "c"))


@pytest.mark.parametrize(
    "x",
    [
        [1, 2.0, np.float32(3)],
        np.array([[1, 2, 3]]),
        {"c": 3, "ab": 1, "b": 2},
        pd.Series([1, 2, 3], index=["ab", "b", "c"]),
        pd.DataFrame({"c": [3], "ab": [1], "b": [2]}),
    ],
)
def test_a_row_may_be_given_in_many_forms(x):
    assert as_row(NETWORK, x).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (3.0, r"x must be a row of 3 values, got 3\.0"),
        (None, "x must be a row of 3 values, got None"),
        ("abc", "x must be a row of 3 values, got 'abc'"),
        ([1, 2], r"x must be a row of 3 values, got shape \(2,\)"),
        ([[1, 2, 3], [1, 2, 3]], "x must be one row, got 2"),
        ([1, [2, 3], 4], r"the value of 'b' must be a number, got \[2, 3\]"),
        ([1j, 1, 2], "the value of 'ab' must be a number, got 1j"),
        (np.array([1, 1j, 2]), r"the value of 'ab' must be a number, got \(1\+0j\)"),
        ([1, "2", 3], "the value of 'b' must be a number, got '2'"),
        ([1, 2, 1e101], r"the value of 'c' must be a number between -1e\+100 and 1e\+100, got 1e\+101"),
        ([1, np.nan, 3], r"the value of 'b' must be a number between .* got nan"),
        ({"ab": 1, "b": 2}, "the row has no value for 'c'"),
        ({"d": 1}, "there is no input 'd'; the inputs are 'ab', 'b', 'c'"),
    ],
)
def test_what_is_no_row_is_named(x, message):
    with pytest.raises(ValueError, match=message):
        as_row(NETWORK, x)


def test_missing_values_are_allowed_if_asked_for():
    np.testing.assert_array_equal(as_row(NETWORK, {"b": 2}, missing=True), [np.nan, 2.0, np.nan])
    np.testing.assert_array_equal(as_row(NETWORK, [None, np.nan, 3], missing=True), [np.nan, np.nan, 3.0])
    with pytest.raises(ValueError, match=r"'c' must be a number between .* got inf"):
        as_row(NETWORK, [None, 2, np.inf], missing=True)


def test_the_largest_value_is_that_of_a_fit():
    assert as_row(NETWORK, [reading.LARGEST, 0, -reading.LARGEST])[0] == 1e100


def test_a_single_input_may_stand_alone():
    assert input_numbers(NETWORK, "ab") == [0]
    assert input_numbers(NETWORK, 2) == input_numbers(NETWORK, np.int64(2)) == [2]
    assert input_numbers(NETWORK, ["c", 0, 0]) == [0, 2]
    with pytest.raises(ValueError, match="no input 'x0'; the inputs are 'ab', 'b', 'c'"):
        input_numbers(NETWORK, "x0")
    with pytest.raises(ValueError, match=r"features must be names or numbers of inputs, got 2\.5"):
        input_numbers(NETWORK, 2.5)
    with pytest.raises(ValueError, match="no input True"):
        input_numbers(NETWORK, True)


def test_numbers_are_no_text():
    assert number_of(np.float32(0.5), "this") == 0.5
    for value in ("1", b"1", 1j, [1], None):
        with pytest.raises(ValueError, match="this must be a number, got"):
            number_of(value, "this")


def test_of_a_pipeline_the_last_step_is_to_be_given():
    X, y = [[0.0, 1.0], [1.0, 1.0], [2.0, 3.0], [3.0, 4.0]], [0, 0, 1, 1]
    pipeline = make_pipeline(StandardScaler(), NetLinesClassifier(random_state=0)).fit(X, y)
    with pytest.raises(TypeError, match=r"give pipeline\[-1\], and rows as .* pipeline\[:-1\]\.transform"):
        network_of(pipeline)
    assert network_of(pipeline[-1]) is pipeline[-1].network_
