"""What columns become: each rule, on both sides of where it begins, and what the user is told."""

import doctest
from datetime import datetime, time, timedelta

import numpy as np
import pandas as pd
import pytest

from netlines.network.layout import Column
from netlines.tables import columns as columns_module
from netlines.tables import learn
from netlines.tables.cells import of_columns
from netlines.tables.choices import Choices
from netlines.tables.columns import RULES
from netlines.tables.encode import encode
from netlines.tables.frames import as_raw
from netlines.tables.learn import learn_table

NAN = np.nan
SPREAD = [0.5 + (17 * k % 40) ** 2 / 7 for k in range(40)]  # numbers that are nothing else


def learnt(cells, choices=None, labels=None, **others):
    """What is learnt of a column `c`, beside one of plain numbers."""
    table = {"c": cells, "beside": (SPREAD * len(cells))[: len(cells)], **others}
    return learn_table(of_columns(table, first=1), choices, labels=labels)


def columns(cells, *more, **how):
    return [one for one in learnt(cells, *more, **how).layout.columns if one.origin == "c"]


def reason(cells, *more, **how):
    """Why the column was left out, None if it was not."""
    return dict(learnt(cells, *more, **how).layout.left_out).get("c")


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ([1.5, 2, 3], Column("c", "number")),
        (["1.5", "2", "3"], Column("c", "number")),
        (["1,5", "2,25"], Column("c", "number", decimal=",")),
        (["1", "2", "x"], Column("c", "category", categories=("1", "2", "x"))),
        ([True, False], Column("c", "boolean")),
        (["TRUE", "false"], Column("c", "boolean")),
        (["0", "1"], Column("c", "number")),
        (["red", "blue"], Column("c", "category", categories=("red",), base="blue")),
        (["red", "blue", "x"], Column("c", "category", categories=("blue", "red", "x"))),
        (["06:30", "7:15"], Column("c", "number", part="hour")),
        ([time(6, 30), time(7)], Column("c", "number", part="hour")),
        ([timedelta(1), timedelta(2)], Column("c", "number")),
        (["20240101", "20240102"], Column("c", "number")),
    ],
    ids=str,
)
def test_columns_are_what_their_cells_say(cells, column):
    found = learnt(cells)
    assert [one for one in found.layout.columns if one.origin == "c"] == [column]
    assert found.notices == ()
    raw = of_columns({"c": cells, "beside": SPREAD[: len(cells)]})
    np.testing.assert_array_equal(found.inputs, encode(raw, found.layout).inputs)


def test_odd_ways_of_writing_are_told():
    assert learnt(["$1,000", "$20"]).notices == ("c: texts such as '$1,000' are read as numbers",)
    doubt = "c: dates are read as month/day/year; if they are not, write them as 2024-12-31"
    for choices in (None, Choices(date=("c",))):
        found = learnt(["1/2/2024", "2/3/2024"], choices)
        assert found.notices == (doubt,)
        assert {column.order for column in found.layout.columns if column.origin == "c"} == {"month"}


def test_declared_categories_are_some_if_that_is_not_switched_off():
    table = as_raw(pd.DataFrame({"c": pd.Categorical([3, 1, 2, 3]), "beside": SPREAD[:4]}))
    assert learn_table(table).layout.columns[0] == Column("c", "category", categories=("1", "2", "3"))
    assert learn_table(table, Choices(by_type=False)).layout.columns[0] == Column("c", "number")


# Dates


def test_dates_become_days_and_whatever_varies():
    (days,) = columns(["2024-01-01", "2024-01-08", "2024-01-15"])
    assert (days.name, days.kind, days.part) == ("c: days since 2024-01-01", "number", "days")
    found = columns(["2024-01-01", "2024-01-08 18:00", "2024-02-02", "2024-03-01"])
    assert [one.name for one in found] == ["c: days since 2024-01-01", "c: month", "c: weekday", "c: hour"]
    assert found[1].categories == ("Jan", "Feb", "Mar")
    assert (found[2].categories, found[2].base) == (("Fri",), "Mon")
    inputs = learnt([datetime(2024, 1, 1), datetime(2024, 1, 2, 12)]).inputs
    assert inputs[:, :3].tolist() == [[0, 0, 0], [1.5, 1, 12]]


def test_weekdays_and_months_stand_in_the_order_of_the_calendar():
    days = [f"2024-01-0{k}" for k in (7, 6, 3, 1)]
    assert columns(days)[1].categories == ("Mon", "Wed", "Sat", "Sun")
    assert {type(text) for text in columns(days)[1].categories} == {str}


# Categories


def of_sizes(*sizes):
    """Rows of categories a, b, ... of some sizes."""
    return [f"{k:03d}x" for k, size in enumerate(sizes) for _ in range(size)]


def test_a_few_categories_are_all_kept():
    few = of_sizes(*[2] * 19, 1)
    assert len(columns(few)[0].categories) == 20
    assert columns(few)[0].other == ""
    many = of_sizes(20, *[2] * 20)
    (column,) = columns(many)
    assert (column.categories, column.other) == (("000x",), "other")
    assert learnt(many).notices == (
        "c: 21 different texts, the most frequent one is kept, the others count as 'other'",
    )


def test_of_many_categories_those_are_kept_that_have_enough_rows():
    rare = [1] * 20
    assert columns(of_sizes(30, 5, 4, *rare))[0].categories == ("000x", "001x")
    assert columns(of_sizes(600, 7, 6, *rare))[0].categories == ("000x", "001x")  # 1 % of 633 rows
    notice = "c: 23 different texts, the 2 most frequent are kept, the others count as 'other'"
    assert learnt(of_sizes(30, 5, 4, *rare)).notices == (notice,)


def test_of_many_categories_the_frequent_ones_must_cover_a_quarter_of_the_rows():
    assert columns(of_sizes(10, *[2] * 15))[0].categories  # 10 of 40: few are all kept
    assert reason(of_sizes(10, *[1, 2] * 10)) is None  # 10 of 40
    assert reason(of_sizes(10, *[1, 2] * 10, 1)) == "22 different texts in 41 rows, few of them frequent"


def test_a_category_may_be_called_other():
    cells = ["other"] * 20 + of_sizes(*[1] * 20)
    assert columns(cells)[0].other == "any other"


def test_texts_nearly_all_different_name_the_rows():
    assert reason(of_sizes(*[1] * 8, 2)) == "9 different texts in 10 rows"
    assert reason(of_sizes(*[1] * 7, 3)) is None  # 8 of 10
    assert reason(of_sizes(*[1] * 9)) is None  # fewer rows say little
    declared = as_raw(pd.DataFrame({"c": pd.Categorical(of_sizes(*[1] * 12)), "beside": SPREAD[:12]}))
    assert learn_table(declared).layout.left_out == ()


# What is left out


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([None, "", "?"], "no values"),
        (["x", "x", "x"], "'x' in all rows"),
        (["x", "", "x"], "'x' in all rows that have a value"),
        ([2.0, 2, 2], "2 in all rows"),
        (["2", "2.0", None], "2 in all rows that have a value"),
        ([True, True, True], "1 in all rows"),
        (["2024-01-01"] * 3, "2024-01-01 in all rows"),
        (SPREAD[:3], "the same as 'c'"),
    ],
    ids=str,
)
def test_columns_that_say_nothing_are_left_out_with_the_reason(cells, why):
    labels = np.zeros(3, dtype=int)
    name = "beside" if "same" in why else "c"
    found = learnt(cells, labels=labels)
    assert found.layout.left_out == ((name, why),)
    assert found.notices == (f"{name}: {why}, left out",)
    assert found.layout.names == ("c", "beside")


def test_columns_repeat_each_other_however_they_are_written():
    found = learn_table(
        of_columns({"a": ["red", "blue"], "b": ["red", "blue"], "c": ["x", "y"], "d": ["y", "x"]})
    )
    assert found.layout.left_out == (("b", "the same as 'a'"),)
    same = of_columns({"a": [1, 2.5], "b": ["1", "2.5"], "c": ["1,0", "2,5"], "d": [2.5, 1]})
    assert [name for name, _ in learn_table(same).layout.left_out] == ["b", "c"]
    kept = learn_table(same, Choices(numeric=("b",))).layout.left_out
    assert [name for name, _ in kept] == ["c"]  # what the user asked for stands


def counting(n, step=1):
    return [step * k + 7 for k in range(n)]


@pytest.mark.parametrize(
    ("name", "cells", "is_left_out"),
    [
        ("size", counting(20), True),  # all different and dense: they count the rows
        ("size", [str(k) for k in counting(20)], True),
        ("size", counting(19), False),
        ("size", [*counting(19), 7], False),  # one is there twice
        ("size", counting(20, 2), True),  # 39 numbers wide
        ("size", [*counting(19, 2), 48], False),  # 42 wide, more than twice the rows
        ("size", [*counting(19), 7.5], False),
        ("size", [*counting(19), None], False),
        *(
            (name, [1000 * k**2 for k in range(10)], True)
            for name in ("id", "patientId", "ID_2", "row no", "#")
        ),
        ("id", [1000 * k**2 for k in range(9)], False),  # fewer rows say little
        ("id", [k // 2 * 1000 for k in range(10)], True),  # half of them different
        ("id", [k % 5 * 1000 for k in range(11)], False),
        *(
            (name, [1000 * k**2 for k in range(10)], False)
            for name in ("size", "idea", "no of rooms", "acid")
        ),
    ],
    ids=str,
)
def test_integers_that_count_or_name_the_rows_are_left_out(name, cells, is_left_out):
    found = learn_table(of_columns({name: cells, "beside": SPREAD[: len(cells)]}))
    different = len(set(cells))
    why = f"{different} different whole numbers in {len(cells)} rows, a number or key of the row"
    assert found.layout.left_out == (((name, why),) if is_left_out else ())
    if is_left_out:
        alone = learn_table(of_columns({name: cells}))
        assert alone.layout.left_out == ()  # it is all there is
        forced = learn_table(
            of_columns({name: cells, "beside": SPREAD[: len(cells)]}), Choices(numeric=(name,))
        )
        assert forced.layout.left_out == ()


def test_if_nothing_is_left_it_is_said_why():
    table = of_columns({"a": ["x", "x"], "b": [None, None], "c": [1, 2]})
    says = r"X has no column that is left to learn from \(a: 'x' in all rows; b: no values; c: as asked\)"
    with pytest.raises(ValueError, match=says):
        learn_table(table, Choices(drop=("c",)))
    with pytest.raises(ValueError, match="there is no column beside the target"):
        learn_table(table.without("a", "b", "c"))


# What the user decided


def test_dropped_columns_are_not_told_and_others_than_the_only_ones_are():
    found = learnt([1, 2, 3], Choices(drop=("c",)))
    assert (found.layout.left_out, found.notices) == ((("c", "as asked"),), ())
    found = learnt([1, 2, 3], Choices(only=("beside",)))
    assert found.layout.left_out == (("c", "not among --only"),)
    options = {"only": "only_features"}
    assert reason([1, 2, 3], Choices(only=("beside",), options=options)) == "not among only_features"


def test_a_column_is_what_the_user_says():
    as_category = Choices(categorical=("c",))
    assert columns([3, 1, 3], as_category) == [Column("c", "category", categories=("3",), base="1")]
    assert columns(["x", "x"], as_category) == [Column("c", "category", categories=("x",))]
    ids = of_sizes(*[1] * 30)
    assert len(columns(ids, as_category)[0].categories) == 30
    hundred = columns(of_sizes(*[1] * 100), as_category)[0]
    assert (len(hundred.categories), hundred.other) == (100, "")
    more = columns(of_sizes(*[1] * 101), as_category)[0]
    assert (len(more.categories), more.other) == (RULES.few_categories, "other")
    assert columns([2, 2], Choices(numeric=("c",))) == [Column("c", "number")]
    dated = columns([20240101, 20240203], Choices(date=("c",)))
    assert [one.part for one in dated] == ["days", "month", "weekday"]


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        (
            Choices(numeric=("c",)),
            r"expected a number, got 'x' in column 'c', row 2 \(rows are counted from 1",
        ),
        (Choices(date=("c",)), "expected a date such as 2024-12-31, got '1' in column 'c', row 1"),
        (Choices(drop=("d",)), "--drop: there is no column 'd'; the columns are 'c', 'beside'"),
        (
            Choices(date=("d",), options={"date": "date_features"}),
            "date_features: there is no column 'd'; the columns are 'c', 'beside'",
        ),
        (
            Choices(numeric=("c",), date=("c",)),
            "column 'c' is in --numeric and --date: allowed is one of them",
        ),
    ],
)
def test_what_the_user_says_must_fit_the_table(choices, says):
    with pytest.raises(ValueError, match=says):
        learnt(["1", "x"], choices)


# Missing values

LABELS = np.repeat([0, 1], 20)
TELLING = np.arange(40) < 8  # in one class only
EVEN = np.arange(40) % 5 == 0


def gappy(missing, values=None):
    values = SPREAD if values is None else values
    return [None if gone else values[k % len(values)] for k, gone in enumerate(missing)]


def test_gaps_get_an_input_if_they_tell_the_class():
    (column,) = columns(gappy(TELLING), labels=LABELS)
    assert column.inputs == ("c", "c is missing")
    (column,) = columns(gappy(EVEN), labels=LABELS)
    assert not column.gaps
    unknown = learnt(gappy(EVEN), labels=LABELS).inputs[:, 0]
    np.testing.assert_array_equal(np.isnan(unknown), EVEN)
    (column,) = columns(gappy(EVEN))  # without labels all might
    assert column.gaps
    (column,) = columns(gappy(TELLING), Choices(gaps="integrate"), labels=LABELS)
    assert not column.gaps


@pytest.mark.parametrize(
    ("values", "inputs"),
    [
        (["a", "b"], ("c=a", "c=b", "c is missing")),  # a base would be one more thing to confuse them with
        (["a"], ("c is missing",)),
        ([3], ("c is missing",)),
        ([True, False], ("c", "c is missing")),
        (["06:30", "7:00"], ("c", "c is missing")),
        (["2024-01-01", "2024-01-08"], ("c: days since 2024-01-01", "c: days since 2024-01-01 is missing")),
        (["2024-01-01"], ("c is missing",)),
    ],
    ids=str,
)
def test_gaps_of_every_kind_of_column(values, inputs):
    found = learnt(gappy(TELLING, values), labels=LABELS)
    assert found.layout.feature_names[: len(inputs)] == inputs
    assert not np.isnan(found.inputs).any()
    assert found.inputs[:, len(inputs) - 1].tolist() == TELLING.astype(float).tolist()


@pytest.mark.parametrize(
    ("values", "weights", "fill"),
    [
        ([1.5, 1.5, 4.0], None, 2.3333),  # rounded by the spread: four digits of it
        ([1000.0, 2000.5, 4000.0], None, 2333.5),
        ([1, 2, 4], None, 2),
        ([1, 2, 4], [1, 1, 8, 1], 4),
        ([0.5, 0.75], [1, 3, 1], 0.6875),
        ([True, True, False], None, 1),
    ],
)
def test_a_missing_number_counts_as_the_mean_rounded_as_the_numbers_are(values, weights, fill):
    table = of_columns({"c": [*values, None]})
    found = learn_table(table, weights=None if weights is None else np.array(weights, dtype=float))
    assert found.layout.columns[0].fill == pytest.approx(fill)
    assert found.inputs[-1].tolist() == [found.layout.columns[0].fill, 1]


def test_gaps_may_be_an_error():
    with pytest.raises(ValueError, match=r"expected a value, got None in column 'c', row 2 \(rows"):
        learnt([1, None, 2], Choices(gaps="error"))
    assert learnt([1, None, 2], Choices(gaps="error", drop=("c",))).layout.feature_names == ("beside",)


# Names


def test_inputs_of_one_name_are_refused():
    table = of_columns({"a": ["b", "c", "d"], "a=b": SPREAD[:3]})
    with pytest.raises(ValueError, match="more than one input would be named 'a=b': rename a column"):
        learn_table(table)


@pytest.mark.parametrize("table", [{"a" * 10_001: [1, 2]}, {"a": ["1", "b" * 10_001, "c"]}])
def test_names_too_long_for_a_model_file_are_refused_before_training(table):
    with pytest.raises(
        ValueError, match=r"column 'a+' or one of its values has 10,00\d characters; .* 10000"
    ):
        learn_table(of_columns(table))


def test_tables_without_names_are_remembered_as_such():
    layout = learn_table(as_raw([["red", 1.5], ["blue", 2.5]])).layout
    assert (layout.named, layout.names, layout.feature_names) == (False, ("x0", "x1"), ("x0=red", "x1"))


@pytest.mark.parametrize("module", [learn, columns_module])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
