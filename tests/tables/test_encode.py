"""Tables into inputs as a layout says: by name, missing and unseen values, and the cell an error names."""

import doctest
from datetime import datetime

import numpy as np
import pandas as pd
import pytest

from netlines.network import layout as layout_module
from netlines.network.layout import Column, Layout
from netlines.tables import encode as encode_module
from netlines.tables.cells import of_columns
from netlines.tables.encode import encode
from netlines.tables.frames import as_raw

NAN = np.nan
ROWS = r"\(rows are counted from 1 without the header\)"
COLUMNS = (
    Column("size", "number"),
    Column("flag", "boolean"),
    Column("colour", "category", categories=("red",), base="blue"),
    Column("code", "category", categories=("1", "2", "3+")),
)
LAYOUT = Layout(("size", "flag", "colour", "code", "note"), COLUMNS, (("note", "no values"),), "answer")
NEW = {"size": ["1", "-2e3"], "flag": ["True", "false"], "colour": ["red", "blue"], "code": ["1", "3+"]}
INPUTS = [[1, 1, 1, 1, 0, 0], [-2000, 0, 0, 0, 0, 1]]


def inputs(table, layout=LAYOUT, **how):
    return encode(of_columns(table, first=1), layout, **how).inputs


def test_columns_become_inputs_by_name_in_any_order_and_others_are_ignored():
    assert LAYOUT.feature_names == ("size", "flag", "colour=red", "code=1", "code=2", "code=3+")
    assert inputs(NEW).tolist() == INPUTS
    turned = dict(reversed(NEW.items()))
    assert inputs(turned).tolist() == INPUTS
    assert inputs({"answer": ["", "c"], **turned, "shape": ["?", [1]]}).tolist() == INPUTS


def test_tables_without_names_are_taken_by_position():
    cells = [[*row, None] for row in zip(*NEW.values(), strict=True)]
    assert encode(as_raw(cells), LAYOUT).inputs.tolist() == INPUTS
    nameless = Layout(tuple(f"x{i}" for i in range(4)), (Column("x1", "boolean"),), named=False)
    assert encode(as_raw(pd.DataFrame(NEW)), nameless).inputs.tolist() == [[1], [0]]
    with pytest.raises(ValueError, match=r"X has 4 columns, expected are 5: 'size', 'flag', .* 'note'"):
        encode(as_raw([row[:4] for row in cells]), LAYOUT)


def test_a_model_of_texts_reads_typed_values_and_the_other_way_round():
    typed = {"size": [1, -2000.0], "flag": [True, 0], "colour": ["red", " blue "], "code": [1.0, "3+"]}
    assert inputs(typed).tolist() == INPUTS
    coded = Layout(("a", "b"), (Column("a", "category", categories=("1", "2")), Column("b", "boolean")))
    for a in (["1", "2"], [1, 2], [1.0, 2.0], ["1.0", "2"], pd.Categorical([1, 2])):
        for b in (["0", "1"], [0, 1], [False, True], ["FALSE", "true"]):
            assert encode(as_raw(pd.DataFrame({"a": a, "b": b})), coded).inputs.tolist() == [
                [1, 0, 0],
                [0, 1, 1],
            ]


def test_a_lacking_column_is_named_or_counts_as_missing():
    table = {name: NEW[name] for name in ("colour", "size")}
    with pytest.raises(
        ValueError, match="the table lacks the column 'flag', 'code'; it has 'colour', 'size'"
    ):
        inputs(table)
    expected = [[1, NAN, 1, NAN, NAN, NAN], [-2000, NAN, 0, NAN, NAN, NAN]]
    np.testing.assert_array_equal(inputs(table, absent=True), expected)


GAPS = Layout(
    ("age", "sex", "dose", "kind"),
    (
        Column("age", "number", gaps=True, fill=41.0),
        Column("sex", "category", categories=("female", "male"), gaps=True),
        Column("dose", "number"),
        Column("kind", "category", base="a", gaps=True),
    ),
)
GAPPY = {"age": ["30", ""], "sex": ["male", "?"], "dose": ["1", "NA"], "kind": ["a", ""]}


def test_a_missing_value_is_known_where_training_had_some_else_unknown():
    assert inputs({name: cells[:1] for name, cells in GAPPY.items()}, GAPS).tolist() == [
        [30, 0, 0, 1, 0, 1, 0]
    ]
    lacking = of_columns({name: cells[1:] for name, cells in GAPPY.items()})
    np.testing.assert_array_equal(encode(lacking, GAPS).inputs, [[41, 1, 0, 0, 1, NAN, 1]])
    unknown = [[NAN, 0, NAN, NAN, 0, NAN, 0]]
    np.testing.assert_array_equal(encode(lacking, GAPS, known=False).inputs, unknown)
    for known in (True, False):  # of a column that is not there nothing is known
        absent = encode(of_columns({"further": ["x"]}), GAPS, known=known, absent=True).inputs
        np.testing.assert_array_equal(absent, unknown)


def test_unknown_values_are_an_error_where_rows_have_to_be_complete():
    where = r"in column 'dose', row 2 \(rows"
    with pytest.raises(ValueError, match=rf"a missing value \(NaN\) is not allowed here .* got None {where}"):
        inputs(GAPPY, GAPS, complete=True)
    assert inputs({**GAPPY, "dose": ["1", "2"]}, GAPS, complete=True).shape == (2, 7)  # what is known to be
    with pytest.raises(ValueError, match=r"is not allowed here .* got None in column 'age', row 2"):
        inputs({**GAPPY, "dose": ["1", "2"]}, GAPS, complete=True, known=False)
    with pytest.raises(ValueError, match=r"is not allowed here .* got None in column 'flag', row 1"):
        inputs({name: cells for name, cells in NEW.items() if name != "flag"}, absent=True, complete=True)


def test_a_category_that_training_had_not_is_missing_and_told_or_an_error():
    table = {**NEW, "colour": ["green", "pink"], "code": ["4", "4"]}
    found = encode(of_columns(table, first=1), LAYOUT)
    np.testing.assert_array_equal(found.inputs[:, 2:], [[NAN] * 4] * 2)
    assert found.notices == (
        "colour: 2 rows have a value that training had not ('green', 'pink'), taken as missing",
        "code: 2 rows have a value that training had not ('4'), taken as missing",
    )
    says = r"expected a value that training had \('blue', 'red'\), got 'green' in column 'colour', row 1"
    with pytest.raises(ValueError, match=f"{says} {ROWS}"):
        inputs(table, strict=True)
    with pytest.raises(ValueError, match=r"is not allowed here .* got 'green' in column 'colour', row 1"):
        inputs(table, complete=True)
    gone = {**NEW, "colour": ["", "?"]}
    assert encode(of_columns(gone), LAYOUT, strict=True).notices == ()  # a gap is no new category


def test_a_new_category_counts_as_other_or_as_a_gap_where_there_is_an_input_for_that():
    other = Column("c", "category", categories=("a", "b"), other="other")
    gaps = Column("d", "category", categories=("a", "b"), gaps=True)
    alone = Column("e", "category", base="a", gaps=True)  # whether there is a value is all that matters
    found = encode(
        of_columns({"c": ["x", "b"], "d": ["x", "b"], "e": ["x", "a"]}),
        Layout(("c", "d", "e"), (other, gaps, alone)),
    )
    assert found.inputs.tolist() == [[0, 0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 1, 0, 0]]
    assert [one.partition(":")[0] for one in found.notices] == ["d"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": ["1", "many"]}, f"expected a number, got 'many' in column 'size', row 2 {ROWS}"),
        ({"size": ["1", "1_000"]}, "expected a number, got '1_000' in column 'size', row 2"),
        ({"size": ["inf", "1"]}, f"expected a finite number, got inf in column 'size', row 1 {ROWS}"),
        ({"size": ["1", "-1e999"]}, "expected a finite number, got -inf in column 'size', row 2"),
        ({"size": [1.0, np.inf]}, "expected a finite number, got inf in column 'size', row 2"),
        (
            {"size": ["1e100", "1e101"]},
            r"expected a number of absolute value up to 1e\+100, got 1e\+101 in column 'size', row 2",
        ),
        (
            {"size": [None, datetime(2024, 1, 1)]},
            "expected a number, got '2024-01-01T.*' in column 'size', row 2",
        ),
        ({"flag": ["true", "maybe"]}, "expected a boolean, got 'maybe' in column 'flag', row 2"),
        ({"flag": ["true", "2"]}, "expected a boolean, got '2' in column 'flag', row 2"),
        ({"flag": [1, 3]}, "expected a boolean, got 3 in column 'flag', row 2"),
        ({"code": ["1", [2]]}, r"the argument must be a string, .* got \[2\] in column 'code', row 2"),
    ],
)
def test_a_bad_cell_is_named(change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        inputs({**NEW, **change})


def test_numbers_are_read_by_the_decimal_sign_of_training_unless_the_file_has_its_own():
    layout = Layout(("size",), (Column("size", "number", decimal=","),))
    table = {"size": ["1,500"]}
    assert encode(of_columns(table), layout).inputs.tolist() == [[1.5]]
    assert encode(of_columns(table, decimal="."), layout).inputs.tolist() == [[1500]]
    with pytest.raises(ValueError, match=r"expected a number, got '1\.5' in column 'size', row 0"):
        encode(of_columns({"size": ["3", "1.5"]} | {"size": ["1.5"]}), layout)


def dated(order=""):
    parts = {"days": "number", "month": "category", "weekday": "category", "hour": "number"}
    columns = []
    for part, kind in parts.items():
        more = {"categories": ("Jan", "Feb")} if part == "month" else {}
        more |= {"categories": ("Sat",), "base": "Fri"} if part == "weekday" else {}
        columns.append(Column(f"seen: {part}", kind, "seen", part, start=86_400_000_000, order=order, **more))
    return Layout(("seen",), tuple(columns))


@pytest.mark.parametrize(
    "cells",
    [
        ["1970-01-02", "1970-02-07 06:00"],
        ["2 Jan 1970", "Feb 7, 1970 6:00"],
        [datetime(1970, 1, 2), datetime(1970, 2, 7, 6)],
    ],
)
def test_dates_become_their_parts(cells):
    assert inputs({"seen": cells}, dated()).tolist() == [[0, 1, 0, 0, 0], [36.25, 0, 1, 1, 6]]


def test_a_date_has_one_meaning_whatever_other_rows_there_are():
    assert inputs({"seen": ["1/2/1970"]}, dated("month")).tolist() == [[0, 1, 0, 0, 0]]
    assert inputs({"seen": ["2/1/1970"]}, dated("day")).tolist() == [[0, 1, 0, 0, 0]]
    assert inputs({"seen": ["2/1/1970", "6/2/1970"]}, dated("day"))[0].tolist() == [0, 1, 0, 0, 0]
    with pytest.raises(
        ValueError, match="expected a date such as 2024-12-31, got '1/13/1970' in column 'seen', row 2"
    ):
        inputs({"seen": ["2/1/1970", "1/13/1970"]}, dated("day"))


def test_missing_and_strange_dates():
    np.testing.assert_array_equal(inputs({"seen": ["", "1970-01-02"]}, dated()), [[NAN] * 5, [0, 1, 0, 0, 0]])
    found = encode(of_columns({"seen": ["1970-03-07"]}), dated())
    np.testing.assert_array_equal(found.inputs, [[64, NAN, NAN, 1, 0]])
    assert found.notices == (
        "seen: month: 1 row has a value that training had not ('Mar'), taken as missing",
    )
    with pytest.raises(
        ValueError, match="expected a date such as 2024-12-31, got 'soon' in column 'seen', row 2"
    ):
        inputs({"seen": ["1970-01-02", "soon"]}, dated())
    hours = Layout(("at",), (Column("at", "number", part="hour"),))
    assert inputs({"at": ["06:30", "23:15"]}, hours).tolist() == [[6.5], [23.25]]
    with pytest.raises(ValueError, match="expected a time such as 14:30, got 'noon' in column 'at', row 2"):
        inputs({"at": ["06:30", "noon"]}, hours)


def test_a_layout_survives_json():
    for one in (LAYOUT, GAPS, dated("day"), Layout(("a",), (Column("a", "number"),), labels=(("0", "no"),))):
        assert Layout.from_json(one.to_json()) == one


def test_a_layout_knows_where_its_columns_are():
    assert [places for _, places in GAPS.placed()] == [(0, 1), (2, 3, 4), (5,), (6,)]
    assert GAPS.groups == ((2, 3, 4),)
    assert LAYOUT.groups == ((3, 4, 5),)
    assert dated().sources == ("seen",)
    assert [one.is_plain for one in (LAYOUT, GAPS, Layout(("a",), (Column("a", "number"),)))] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("module", [encode_module, layout_module])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
