"""Columns to inputs: kinds, one-hot names, targets, and the cell that an error names."""

import doctest

import numpy as np
import pandas as pd
import pytest

from netlines.tables import layout
from netlines.tables.files import Table
from netlines.tables.layout import Column, Layout, learn_layout, read_target, to_inputs

ROWS = r"\(rows are counted from 1 without the header\)"


def text_table(**columns):
    """A table as a CSV file gives it: all text."""
    return Table(pd.DataFrame(columns, dtype=str), typed=False)


def typed_table(**columns):
    return Table(pd.DataFrame(columns), typed=True)


TRAINING = text_table(
    size=["1.5", "-2e3", ".1"],
    flag=["True", "false", "TRUE"],
    colour=["red", "blue", "red"],
    code=["1", "2", "3+"],
    answer=["a", "b", "a"],
)
LAYOUT = learn_layout(TRAINING, "answer")


def test_each_column_gets_its_kind():
    assert (
        Layout(
            "answer",
            (
                Column("size", "number"),
                Column("flag", "boolean"),
                Column("colour", "text", ("blue", "red")),
                Column("code", "text", ("1", "2", "3+")),
            ),
        )
        == LAYOUT
    )
    names = ("size", "flag", "colour=blue", "colour=red", "code=1", "code=2", "code=3+")
    assert LAYOUT.feature_names == names


def test_columns_become_inputs_by_name():
    expected = [[1.5, 1, 0, 1, 1, 0, 0], [-2000, 0, 1, 0, 0, 1, 0], [0.1, 1, 0, 1, 0, 0, 1]]
    assert to_inputs(TRAINING, LAYOUT).tolist() == expected
    turned = Table(TRAINING.frame[TRAINING.columns[::-1]], typed=False)
    assert to_inputs(turned, LAYOUT).tolist() == expected
    assert to_inputs(text_table(size=["7"], flag=["1"], colour=["blue"], code=["1"]), LAYOUT).tolist() == [
        [7, 1, 1, 0, 1, 0, 0]
    ]


def test_typed_columns_keep_their_kind():
    table = typed_table(size=[1.5, 2.0], count=[1, 2], flag=[True, False], code=["1", "2"], answer=["x", "y"])
    learnt = learn_layout(table, "answer")
    assert [column.kind for column in learnt.columns] == ["number", "number", "boolean", "text"]
    assert to_inputs(table, learnt).tolist() == [[1.5, 1, 1, 1, 0], [2, 2, 0, 0, 1]]


def test_a_model_of_one_kind_of_file_reads_the_other():
    typed = typed_table(size=[1.5], flag=[True], colour=["red"], code=[2])
    assert to_inputs(typed, LAYOUT).tolist() == [[1.5, 1, 0, 1, 0, 1, 0]]


def test_a_layout_survives_json():
    assert Layout.from_json(LAYOUT.to_json()) == LAYOUT


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        [],
        {},
        {"target": "a"},
        {"target": 1, "columns": []},
        {"target": "a", "columns": [{"name": "b", "kind": "code", "categories": []}]},
        {"target": "a", "columns": [{"name": "b", "kind": "text", "categories": [1]}]},
        {"target": "a", "columns": ["b"]},
        {"target": "a", "columns": []},
        {"target": "a", "columns": [{"name": "a", "kind": "number", "categories": []}]},
        {"target": "a", "columns": [{"name": "b", "kind": "number", "categories": []}] * 2},
        {"target": "a", "columns": [{"name": "b", "kind": "number", "categories": ["c"]}]},
        {"target": "a", "columns": [{"name": "b", "kind": "text", "categories": []}]},
        {"target": "a", "columns": [{"name": "b", "kind": "text", "categories": ["c", "c"]}]},
        {"target": "a", "columns": [{"name": "b" * 10_001, "kind": "number", "categories": []}]},
        {"target": "a", "columns": [{"name": "b", "kind": "number", "categories": [], "more": 1}]},
    ],
)
def test_a_damaged_layout_is_refused(damaged):
    with pytest.raises(ValueError, match="the description of the table is damaged"):
        Layout.from_json(damaged)


@pytest.mark.parametrize(
    ("cells", "labels", "kind"),
    [
        (["1", "-1", "+3"], [1, -1, 3], "i"),
        (["yes", "no", "yes"], ["yes", "no", "yes"], "U"),
        (["1", "2", "b"], ["1", "2", "b"], "U"),
        (["true", "False", "TRUE"], [True, False, True], "b"),
        (["0.5", "1", "1"], [0.5, 1.0, 1.0], "f"),
    ],
)
def test_labels_of_a_csv_file_get_the_narrowest_type(cells, labels, kind):
    target = read_target(text_table(answer=cells), "answer")
    assert target.dtype.kind == kind
    assert target.tolist() == labels


@pytest.mark.parametrize("labels", [[1, 2], ["1", "2"], [True, False], [0.5, 1.0]])
def test_labels_of_a_parquet_file_keep_their_type(labels):
    target = read_target(typed_table(answer=labels), "answer")
    assert target.tolist() == labels
    assert target.dtype == np.array(labels).dtype


def test_an_absent_target_lists_the_columns():
    with pytest.raises(ValueError, match="no target column 'class'; the columns are 'size', 'answer'"):
        learn_layout(text_table(size=["1"], answer=["a"]), "class")
    with pytest.raises(ValueError, match="no column beside the target 'answer'"):
        learn_layout(text_table(answer=["a"]), "answer")


@pytest.mark.parametrize("table", [text_table, typed_table])
def test_a_target_of_measurements_is_refused(table):
    hundred = table(answer=[f"{i}" for i in range(100)])
    assert len(read_target(hundred, "answer")) == 100
    with pytest.raises(ValueError, match="target column 'answer' has 101 different values, at most 100"):
        read_target(table(answer=[f"{i}" for i in range(101)]), "answer")


@pytest.mark.parametrize("table", [text_table, typed_table])
def test_a_text_of_very_many_values_is_refused(table):
    cells = [f"{i}" for i in range(100)] + ["1O0", "101"]
    expected = r"column 'id' is text with 102 different values, at most 100 .*\(row .* has '"
    with pytest.raises(ValueError, match=expected):
        learn_layout(table(id=cells, answer=["a"] * 102), "answer")


def test_the_cell_that_makes_a_column_text_is_named():
    cells = [f"{i}" for i in range(100)] + ["1O0", "101"]
    with pytest.raises(ValueError, match=r"\(row 101 has '1O0'\)"):
        learn_layout(text_table(id=cells, answer=["a"] * 102), "answer")


def test_inputs_of_one_name_are_refused():
    table = text_table(**{"a": ["b", "c"], "a=b": ["1", "2"], "answer": ["x", "y"]})
    with pytest.raises(ValueError, match="more than one input would be named 'a=b'"):
        learn_layout(table, "answer")


NEW = {"size": ["1", "2"], "flag": ["true", "false"], "colour": ["red", "blue"], "code": ["1", "2"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": ["1", ""]}, f"missing value '' in column 'size', row 2 {ROWS}"),
        ({"size": ["1", "many"]}, f"expected a number, got 'many' in column 'size', row 2 {ROWS}"),
        ({"size": ["1", "1_000"]}, f"expected a number, got '1_000' in column 'size', row 2 {ROWS}"),
        ({"size": ["inf", "1"]}, f"expected a finite number, got 'inf' in column 'size', row 1 {ROWS}"),
        ({"size": ["1", "-1e999"]}, "expected a finite number, got '-1e999' in column 'size', row 2"),
        (
            {"size": ["1e100", "1e300"]},
            r"expected a number of absolute value up to 1e\+100, got '1e300' in column 'size', row 2",
        ),
        ({"flag": ["true", "maybe"]}, "expected a boolean, got 'maybe' in column 'flag', row 2"),
        ({"flag": ["true", "2"]}, "expected a boolean, got '2' in column 'flag', row 2"),
        (
            {"colour": ["red", "green"]},
            f"unknown value 'green' in column 'colour', row 2 {ROWS}; the known values are 'blue', 'red'",
        ),
        ({"colour": ["?", "red"]}, "missing value '.' in column 'colour', row 1"),
        ({"shape": ["1", "2"]}, "the extra column 'shape'; the model knows 'size', 'flag', 'colour', 'code'"),
    ],
)
def test_a_bad_cell_or_column_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        to_inputs(text_table(**{**NEW, **change}), LAYOUT)


def test_a_missing_column_is_named():
    lacking = {name: cells for name, cells in NEW.items() if name not in ("flag", "code")}
    with pytest.raises(ValueError, match="lacks the column 'flag', 'code'; it has 'size', 'colour'"):
        to_inputs(text_table(**lacking), LAYOUT)


def test_the_target_and_ignored_columns_are_left_aside():
    plain = to_inputs(text_table(**NEW), LAYOUT)
    with_target = text_table(**NEW, answer=["", "c"])
    np.testing.assert_array_equal(to_inputs(with_target, LAYOUT), plain)
    with_extra = text_table(**NEW, shape=["?", "x"])
    np.testing.assert_array_equal(to_inputs(with_extra, LAYOUT, ignore_extra=True), plain)


def test_infinity_and_wrong_types_in_parquet_are_named():
    learnt = learn_layout(typed_table(size=[1.0, 2.0], flag=[True, False], answer=["x", "y"]), "answer")
    with pytest.raises(ValueError, match="expected a finite number, got inf in column 'size', row 2"):
        to_inputs(typed_table(size=[1.0, np.inf], flag=[True, False]), learnt)
    with pytest.raises(ValueError, match="expected a boolean, got 3 in column 'flag', row 1"):
        to_inputs(typed_table(size=[1.0, 2.0], flag=[3, 1]), learnt)
    with pytest.raises(ValueError, match="expected a finite number, got inf in column 'answer', row 1"):
        read_target(typed_table(answer=[np.inf, 1.0]), "answer")


def test_the_example_runs():
    assert doctest.testmod(layout).failed == 0


@pytest.mark.parametrize("typed", [False, True])
def test_missing_values_become_nan_where_they_are_allowed(typed):
    frame = pd.DataFrame(
        {
            "size": ["1.5", "?", "3"],
            "colour": ["red", "blue", ""],
            "ok": ["true", "", "false"],
            "none": ["", "", "NA"],
        }
    )
    if typed:
        frame = pd.DataFrame(
            {
                "size": [1.5, None, 3.0],
                "colour": ["red", "blue", None],
                "ok": [True, None, False],
                "none": [None] * 3,
            }
        )
    layout = Layout(
        "class",
        (
            Column("size", "number"),
            Column("colour", "text", ("blue", "red")),
            Column("ok", "boolean"),
            Column("none", "number"),
        ),
    )
    nan = np.nan
    expected = [[1.5, 0, 1, 1, nan], [nan, 1, 0, nan, nan], [3, nan, nan, 0, nan]]
    table = Table(frame, typed=typed)
    np.testing.assert_array_equal(to_inputs(table, layout, incomplete=True), expected)
    with pytest.raises(ValueError, match=r"missing value .* in column 'size', row 2"):
        to_inputs(table, layout)
    frame.loc[2, "size"] = "x" if not typed else np.inf
    with pytest.raises(ValueError, match=r"expected a (finite )?number, got .* in column 'size', row 3"):
        to_inputs(Table(frame, typed=typed), layout, incomplete=True)


@pytest.mark.parametrize(
    ("table", "target"),
    [
        (text_table(**{"a" * 10_001: ["1", "2"], "answer": ["x", "y"]}), "answer"),
        (text_table(a=["1", "b" * 10_001], answer=["x", "y"]), "answer"),
    ],
)
def test_names_too_long_for_a_model_file_are_refused_before_training(table, target):
    with pytest.raises(ValueError, match=r"column 'a+' or one of its values has 1000\d characters; .* 10000"):
        learn_layout(table, target)


def test_labels_too_long_for_a_model_file_are_refused_before_training():
    with pytest.raises(ValueError, match="a class in the target column 'answer' has 10001 characters"):
        read_target(text_table(answer=["x", "y" * 10_001]), "answer")
