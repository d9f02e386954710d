"""What is read first of a model: rows, inputs and the network, or an error that names what is wrong."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import NetLinesClassifier
from netlines.inspection import inputs
from netlines.inspection.confidence import domain_confidence
from netlines.inspection.domains import find_domains
from netlines.inspection.inputs import as_row, as_rows, input_numbers, network_of, number_of
from netlines.inspection.missing import possible_classes
from netlines.inspection.rules import extract_rules
from netlines.network.network import PASS_ON, Network
from netlines.plots import DomainDisplay
from netlines.report.evidence import gather

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
        (
            [1, 10**400, 2],
            r"x has the value 10+ in column 'b'; allowed are numbers between -1e\+100 and 1e\+100",
        ),
        (None, "x must be a row of 3 values, got None"),
        ("abc", "x must be a row of 3 values, got 'abc'"),
        ([1, 2], r"x must be a row of 3 values, got shape \(2,\)"),
        ([[1, 2, 3], [1, 2, 3]], "x must be one row, got 2"),
        ([1, [2, 3], 4], r"x has the value \[2, 3\] in column 'b'; allowed are numbers between"),
        ([1j, 1, 2], "x has the value 1j in column 'ab'"),
        (np.array([1, 1j, 2]), r"x has the value \(1\+0j\) in column 'ab'"),
        ([1, "2", 3], "x has the value '2' in column 'b'"),
        (
            [1, 2, 1e101],
            r"the value 1e\+101 in column 'c'; allowed .* between -1e\+100 and 1e\+100$",
        ),
        ([1, np.nan, 3], r"x has NaN in column 'b'; allowed .* \(missing values are for predictions without"),
        ({"ab": 1, "b": 2}, "x has no values for 'c'; the inputs are 'ab', 'b', 'c' .missing values"),
        ({"d": 1}, "x has values for 'd'; the inputs are 'ab', 'b', 'c'"),
    ],
)
def test_what_is_no_row_is_named(x, message):
    with pytest.raises(ValueError, match=message):
        as_row(NETWORK, x)


def test_missing_values_are_allowed_if_asked_for():
    np.testing.assert_array_equal(as_row(NETWORK, {"b": 2}, missing=True), [np.nan, 2.0, np.nan])
    np.testing.assert_array_equal(as_row(NETWORK, [None, np.nan, 3], missing=True), [np.nan, np.nan, 3.0])
    with pytest.raises(ValueError, match="x has the value inf in column 'c'; allowed are numbers between"):
        as_row(NETWORK, [None, 2, np.inf], missing=True)


def test_tables_are_rows_as_the_network_knows_them():
    frame = pd.DataFrame({"c": [3, 6], "ab": [1, 4], "b": [2, 5]})
    assert as_rows(NETWORK, frame).tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert as_rows(NETWORK, frame[["ab", "b", "c"]].to_numpy("float32")).dtype == np.float32
    assert as_rows(NETWORK, np.ones((1, 3), "float32"), missing=True).dtype == np.float64
    lacking = as_rows(NETWORK, frame.drop(columns="b"), missing=True)
    np.testing.assert_array_equal(lacking, [[1.0, np.nan, 3.0], [4.0, np.nan, 6.0]])
    assert as_rows(NETWORK, np.empty((0, 3))).shape == (0, 3)
    with pytest.raises(ValueError, match="X must have at least one row of 3 values, got none"):
        as_rows(NETWORK, np.empty((0, 3)), least=1)


READERS = [
    lambda X: as_rows(NETWORK, X),
    lambda X: possible_classes(NETWORK, X),
    lambda X: domain_confidence(NETWORK, X),
    lambda X: find_domains(NETWORK, X, ["a", "b"]),
    lambda X: extract_rules(NETWORK, X),
    lambda X: DomainDisplay.from_network(NETWORK, X, ["a", "b"]),
    lambda X: gather(NETWORK, None, X, ["a", "b"], folds=0),
]


@pytest.mark.parametrize("read", READERS)
def test_all_readers_have_one_door(read):
    """They take the same tables, columns in any order, and refuse others in the same words."""
    frame = pd.DataFrame({"c": [3, 6], "ab": [0, 4], "b": [2, 5]})
    read(frame)
    allowed = r"allowed are numbers between -1e\+100 and 1e\+100"
    with pytest.raises(ValueError, match=rf"X has the value inf in column 'b', row 1 .*; {allowed}"):
        read(np.array([[1.0, 2.0, 3.0], [1.0, np.inf, 3.0]]))
    with pytest.raises(ValueError, match=rf"X has the value 'two' in column 'b', row 0 .*; {allowed}"):
        read(frame.astype(object).assign(b=["two", 1]))
    with pytest.raises(ValueError, match=r"X must be rows of 3 values, got shape \(2, 2\)"):
        read(np.ones((2, 2)))
    with pytest.raises(ValueError, match="X has values for 'd'; the inputs are 'ab', 'b', 'c'"):
        read(frame.assign(d=1))


def test_the_largest_value_is_that_of_a_fit():
    assert as_row(NETWORK, [inputs.LARGEST, 0, -inputs.LARGEST])[0] == 1e100


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


def test_of_a_pipeline_it_is_the_network_of_the_rows_that_come_in():
    X, y = [[0.0, 1.0], [1.0, 1.0], [2.0, 3.0], [3.0, 4.0]], [0, 0, 1, 1]
    pipeline = make_pipeline(StandardScaler(), NetLinesClassifier(random_state=0)).fit(X, y)
    assert network_of(pipeline[-1]) is pipeline[-1].network_
    inside, outside = pipeline[-1].network_, network_of(pipeline)
    rows = np.random.default_rng(0).uniform(-1, 5, (50, 2))
    assert set(outside.predict(rows)) == {0, 1}
    assert (outside.predict(rows) == pipeline.predict(rows)).all()
    assert (outside.predict(rows) != inside.predict(rows)).any()  # which counts in standard deviations
    with pytest.raises(NotFittedError):
        network_of(make_pipeline(StandardScaler(), NetLinesClassifier()))


@pytest.mark.parametrize("strange", [["a", ["b"]], ["a", {}], ["a", 1], [np.zeros(2), np.zeros((2, 2))]])
def test_what_is_no_label_is_named(strange):
    with pytest.raises(ValueError, match=r"y has the label .*; allowed are 'a', 'b'|y must be an array, got"):
        inputs.label_numbers(NETWORK, strange)
