"""Tables of any kind as cells: the same ones of pandas, polars, Arrow, arrays and lists."""

import doctest
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from netlines.tables import cells, choices, frames
from netlines.tables.cells import of_columns, of_objects
from netlines.tables.choices import column_names
from netlines.tables.frames import as_raw, is_frame

DAY = 86_400_000_000
COLUMNS = {
    "number": [1.5, None, 3.0],
    "count": [1, 2, None],
    "flag": [True, None, False],
    "text": ["red", None, "blue"],
    "day": [date(1970, 1, 2), None, date(1969, 12, 31)],
    "moment": [datetime(1970, 1, 1, 12), None, datetime(1970, 1, 1)],
    "zone": [
        datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
        None,
        datetime(1970, 1, 2, tzinfo=UTC),
    ],
    "span": [timedelta(days=2), None, timedelta(hours=-12)],
    "clock": [time(6, 30), None, time(23, 15)],
    "nothing": [None, None, None],
}
EXPECTED = {  # kind, values, levels
    "number": ("number", [1.5, 0, 3.0], ()),
    "count": ("number", [1, 2, 0], ()),
    "flag": ("boolean", [1, 0, 0], ()),
    "text": ("text", [0, 0, 1], ("red", "blue")),
    "day": ("moment", [DAY, 0, -DAY], ()),
    "moment": ("moment", [DAY // 2, 0, 0], ()),
    "zone": ("moment", [0, 0, DAY], ()),
    "span": ("number", [2, 0, -0.5], ()),
    "clock": ("time", [6.5, 0, 23.25], ()),
    "nothing": ("nothing", [0, 0, 0], ()),
}


def of_pandas():
    frame = pd.DataFrame({name: pd.Series(own, dtype=object) for name, own in COLUMNS.items()})
    kinds = {"number": float, "count": "Int64", "flag": "boolean", "text": "str", "span": "timedelta64[ns]"}
    kinds |= {"moment": "datetime64[ns]", "zone": "datetime64[us, UTC]"}
    return frame.astype(kinds)


def of_arrow(columns=COLUMNS):
    return pa.table({name: pa.array(own) for name, own in columns.items()})


def of_polars():
    polars = pytest.importorskip("polars")
    return polars.DataFrame({name: polars.Series(own, strict=False) for name, own in COLUMNS.items()})


KINDS = {
    "pandas": of_pandas,
    "objects of pandas": lambda: pd.DataFrame(
        {name: pd.Series(own, dtype=object) for name, own in COLUMNS.items()}
    ),
    "Arrow in pandas": lambda: of_arrow().to_pandas(types_mapper=pd.ArrowDtype),
    "Arrow": of_arrow,
    "chunks of Arrow": lambda: pa.concat_tables([of_arrow().slice(0, 1), of_arrow().slice(1)]),
    "polars": of_polars,
    "lists": lambda: [list(row) for row in zip(*COLUMNS.values(), strict=True)],
    "objects": lambda: np.array(list(zip(*COLUMNS.values(), strict=True)), dtype=object),
    "columns": lambda: of_columns(COLUMNS),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_library_gives_the_same_cells(kind):
    raw = as_raw(KINDS[kind]())
    assert raw.shape == (3, len(COLUMNS))
    assert raw.named == (kind not in ("lists", "objects"))
    assert raw.names == (tuple(COLUMNS) if raw.named else tuple(f"x{i}" for i in range(len(COLUMNS))))
    for name, (column, own) in zip(raw.names, COLUMNS.items(), strict=True):
        found = raw.cells(name)
        assert (found.kind, found.values.tolist(), found.levels) == EXPECTED[column], column
        assert found.missing.tolist() == [one is None for one in own], column


@pytest.mark.parametrize(
    "make",
    [
        lambda cells: pd.DataFrame({"c": pd.Categorical(cells, categories=["z", "b", "a"])}),
        lambda cells: pa.table({"c": pa.array(cells).dictionary_encode()}),
        lambda cells: pa.table(
            {"c": pa.chunked_array([pa.array([one], pa.string()).dictionary_encode() for one in cells])}
        ),
        lambda cells: pytest.importorskip("polars").DataFrame(
            {"c": cells}, schema={"c": __import__("polars").Categorical}
        ),
        lambda cells: pd.DataFrame({"c": pd.arrays.SparseArray(cells, dtype=object)}).astype("category"),
    ],
    ids=["pandas", "Arrow", "chunks", "polars", "sparse"],
)
def test_declared_categories_are_known_as_such(make):
    found = as_raw(make(["b", "a", None, "b"])).cells("c")
    assert found.declared
    assert found.missing.tolist() == [False, False, True, False]
    assert [found.levels[k] for k in found.values[[0, 1, 3]]] == ["b", "a", "b"]


def test_categories_of_numbers_are_texts_without_a_point():
    found = as_raw(pd.DataFrame({"c": pd.Categorical([3.0, 1.5, 3.0])})).cells("c")
    assert {found.levels[k] for k in found.values} == {"3", "1.5"}


@pytest.mark.parametrize(
    ("series", "kind", "values"),
    [
        (pd.Series(pd.arrays.SparseArray([0.0, 2.0])), "number", [0, 2]),
        (pd.period_range("1970-01", periods=2, freq="M").to_series(), "moment", [0, 31 * DAY]),
        (pd.Series(pd.interval_range(0, 2)), "text", [0, 1]),
        (pd.Series([1, 2], dtype="uint8"), "number", [1, 2]),
    ],
)
def test_other_types_of_pandas(series, kind, values):
    found = as_raw(series.to_frame("c")).cells("c")
    assert (found.kind, found.values.tolist()) == (kind, values)


@pytest.mark.parametrize(
    ("objects", "kind", "values", "levels"),
    [
        ([1, 2.5, True, Decimal("0.5"), Fraction(1, 4), np.int8(3)], "number", [1, 2.5, 1, 0.5, 0.25, 3], ()),
        ([np.True_, False], "boolean", [1, 0], ()),
        (["a", 1, 2.0, True, None], "text", [0, 1, 2, 3, 0], ("a", "1", "2", "True")),
        ([" a ", "a", "NA", "?", "", "nan"], "text", [0, 0, 0, 0, 0, 0], ("a",)),
        ([float("nan"), None, pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("nan")], "nothing", [0] * 6, ()),
        ([np.datetime64("1970-01-02"), date(1970, 1, 1)], "moment", [DAY, 0], ()),
        ([np.timedelta64(12, "h"), timedelta(1)], "number", [0.5, 1], ()),
    ],
    ids=str,
)
def test_objects_are_what_all_of_them_are(objects, kind, values, levels):
    found = of_objects(objects)
    assert (found.kind, found.values.tolist(), found.levels) == (kind, values, levels)


@pytest.mark.parametrize(
    ("cell", "error", "says"),
    [
        ([1], TypeError, r"the argument must be a string, .* got \[1\]"),
        (1j, TypeError, "the argument must be a string, .* got 1j"),
        (b"x", TypeError, "the argument must be a string, .* got b'x'"),
        (10**400, ValueError, "expected a number that a float can hold, got 1000"),
    ],
)
def test_what_no_table_may_hold_is_named(cell, error, says):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": pd.Series([None, cell], dtype=object)})
    with pytest.raises(error, match=rf"{says}.* in column 'b', row 1 \(rows are counted from 0\)"):
        as_raw(table).cells("b")
    with pytest.raises(ValueError, match=r"not a complex one, got .* in column 'b', row 0"):
        as_raw(pd.DataFrame({"b": [1j, 2]})).cells("b")


@pytest.mark.parametrize(
    "X",
    [
        *(np.ones((2, 2), dtype=dtype) for dtype in (float, np.float32, int, bool, object)),
        *([[1, 2.5]], np.zeros((0, 2)), [[]], np.ones(3), np.ones((2, 2)) * 1j, 3.0, "text", None),
    ],
    ids=str,
)
def test_plain_numbers_and_what_is_no_table_pass(X):
    assert as_raw(X) is None


def test_an_array_with_gaps_or_texts_is_a_table_and_any_if_that_is_wanted():
    assert as_raw(np.array([[1.0, np.nan]])).cells("x1").kind == "nothing"
    assert as_raw([["1", 2]]).cells("x0").levels == ("1",)
    assert as_raw(np.array([["a", "b"]])).names == ("x0", "x1")
    assert as_raw(np.ones((1, 2)), always=True).names == ("x0", "x1")


def test_single_precision_is_remembered():
    frame = pd.DataFrame({"a": [1.0], "b": [2.0]})
    singles = [frame.astype(np.float32), pa.table({"a": pa.array([1.0], pa.float32())})]
    assert [as_raw(one).single for one in (*singles, np.array([[np.nan]], np.float32))] == [True] * 3
    assert not as_raw(frame.astype({"a": np.float32})).single


def test_numbers_as_names_are_none_and_names_that_are_there_twice_are_refused():
    raw = as_raw(pd.DataFrame([[1, 2]]))
    assert (raw.named, raw.names) == (False, ("x0", "x1"))
    for table in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])):
        assert is_frame(table)
        with pytest.raises(ValueError, match="X has more than one column 'a': rename one of them"):
            as_raw(table)


def test_some_rows_and_some_columns_of_a_table():
    raw = of_columns({"a": [1, 2, 3], "b": ["x", None, None], "c": [4, 5, 6]}, first=1)
    some = raw.without("a").taken(np.array([False, True, True]))
    assert (some.names, some.shape, some.first) == (("b", "c"), (2, 2), 1)
    assert some.cells("b").kind == "nothing"
    assert some.cells("c").values.tolist() == [5, 6]


def test_a_parameter_names_columns_in_several_ways():
    names = ("age", "sex", "dose")
    assert column_names(None, names, "p") == ()
    assert column_names(np.array([True, False, True]), names, "p") == ("age", "dose")
    assert column_names(["dose", 0, np.int64(-1)], names, "p") == ("dose", "age")
    for given, says in (
        (
            ["weight"],
            r"p names 'weight'; allowed are .*'age', 'sex', 'dose'.*, their numbers from 0 to 2",
        ),
        ([3], "p names 3; allowed"),
        ([-4], "p names -4; allowed"),
        ([1.0], r"p names 1\.0; allowed"),
        ([True], "p is a mask of 1 entries, X has 3 columns"),
    ):
        with pytest.raises(ValueError, match=says):
            column_names(given, names, "p")


@pytest.mark.parametrize("module", [frames, cells, choices])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
