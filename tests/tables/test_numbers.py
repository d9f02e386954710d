"""What texts mean: numbers and dates however they are written, and where they can be read in two ways."""

import doctest

import numpy as np
import pytest

from netlines.tables import numbers
from netlines.tables.numbers import read_booleans, read_labels, read_moments, read_numbers, read_times


@pytest.mark.parametrize(
    ("texts", "values", "decimal", "odd"),
    [
        (["1", "-2.5e3", ".1", "1."], [1.0, -2500.0, 0.1, 1.0], ".", None),
        (["3,5", "2"], [3.5, 2.0], ",", None),
        (["1,5e3"], [1500.0], ",", None),
        # Three digits after the only comma are thousands, unless another text says otherwise.
        (["1,500", "20,000"], [1500.0, 20000.0], ".", "1,500"),
        (["1,500", "20,00"], [1.5, 20.0], ",", None),
        (["1,500", "3.5"], [1500.0, 3.5], ".", "1,500"),
        (["1.500", "3,5"], [1500.0, 3.5], ",", None),
        (["1,234,567.5"], [1234567.5], ".", "1,234,567.5"),
        (["1.234.567,5"], [1234567.5], ",", "1.234.567,5"),
        (["1 000", "20"], [1000.0, 20.0], ".", "1 000"),
        (["1\u00a0000,5"], [1000.5], ",", "1\u00a0000,5"),
        (["1'000.5"], [1000.5], ".", "1'000.5"),
        (["$5", "-$1,000", "7"], [5.0, -1000.0, 7.0], ".", "$5"),
        (["5 €", "3,50 €"], [5.0, 3.5], ",", "5 €"),
        (["USD 5"], [5.0], ".", "USD 5"),
        (["26%", "3 %"], [26.0, 3.0], ".", "26%"),
        (["−3"], [-3.0], ".", "−3"),
    ],
)
def test_numbers_are_read_however_they_are_written(texts, values, decimal, odd):
    found = read_numbers(texts)
    assert (found.values.tolist(), found.decimal, found.odd) == (values, decimal, odd)


@pytest.mark.parametrize(
    "texts",
    [
        *(["x"], [""], ["1", "2 apples"], ["1_000"], ["0x10"], ["+-5"], ["$5 €"], ["1,5,"], ["1.2.3"]),
        *(["12,34,567"], [".5", ",5"], ["1,234.5", "3,5"]),
        ["$5", "5 €"],  # two currencies
        ["26 %", "3"],  # a share, and what may be none
    ],
    ids=str,
)
def test_what_is_no_number_makes_none_of_all(texts):
    assert read_numbers(texts) is None


def test_a_decimal_sign_that_is_known_is_kept_to():
    assert read_numbers(["1,500"], ",").values.tolist() == [1.5]
    assert read_numbers(["1,500"], ".").values.tolist() == [1500.0]
    assert read_numbers(["1.500"], ",").values.tolist() == [1500.0]
    assert read_numbers(["1,5"], ".") is None
    assert read_numbers(["1.5"], ",") is None


def moments(*texts, **how):
    found = read_moments(texts, **how)
    return None if found is None else [str(np.datetime64(int(one), "us"))[:16] for one in found.values]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-03-01", "2024-03-01T00:00"),
        ("2024/3/1", "2024-03-01T00:00"),
        ("2024.03.01 7:05", "2024-03-01T07:05"),
        ("2024-03-01T12:30:15.25Z", "2024-03-01T12:30"),
        ("2024-03-01 00:30+02:00", "2024-02-29T22:30"),
        ("2024-03-01T12:30-0130", "2024-03-01T14:00"),
        ("13/2/2024 14:30", "2024-02-13T14:30"),
        ("2/13/24", "2024-02-13T00:00"),
        ("13.2.70", "1970-02-13T00:00"),
        ("13.2.69", "2069-02-13T00:00"),
        ("3 Mar 2024", "2024-03-03T00:00"),
        ("3-mar-24", "2024-03-03T00:00"),
        ("March 3, 2024", "2024-03-03T00:00"),
        ("0001-01-01", "0001-01-01T00:00"),
    ],
)
def test_dates_are_read_however_they_are_written(text, moment):
    assert moments(text) == [moment]


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "2024", "2024-03", "20240131", "2024-13-01", "2023-02-29", "2024-03/01", "3 Foo 2024"),
        *("2024-03-01 24:00", "2024-03-01 12:60", "99999-01-01", "0000-01-01", "13/13/2024"),
    ],
)
def test_what_is_no_date_makes_none_of_all(text):
    assert moments("2024-03-01", text) is None


def test_compact_dates_are_read_if_they_are_expected():
    assert moments("20240131", "20240201.0", compact=True) == ["2024-01-31T00:00", "2024-02-01T00:00"]
    assert moments("20241331", compact=True) is None


@pytest.mark.parametrize(
    ("texts", "first", "order", "doubt"),
    [
        (["1/2/2024"], "2024-01-02", "month", "month/day/year"),
        (["1.2.2024"], "2024-02-01", "day", "day.month.year"),
        (["1-2-2024"], "2024-02-01", "day", "day-month-year"),
        (["1/2/2024", "12/12/2024"], "2024-01-02", "month", "month/day/year"),
        (["1/2/2024", "13/12/2024"], "2024-02-01", "day", None),
        (["1.2.2024", "12.13.2024"], "2024-01-02", "month", None),
        (["3/3/2024"], "2024-03-03", "month", None),  # the same either way
        (["2024-01-02"], "2024-01-02", "", None),
    ],
)
def test_days_and_months_are_told_apart_or_doubted(texts, first, order, doubt):
    found = read_moments(texts)
    assert moments(*texts)[0][:10] == first
    assert (found.order, found.doubt) == (order, doubt)
    again = read_moments(texts[:1], order=found.order)  # alone, once the order is known
    assert (again.values[0], again.doubt) == (found.values[0], None)


def test_an_order_that_is_known_is_kept_to():
    assert moments("13/2/2024", "2/13/2024") is None
    assert moments("1/2/2024", order="day") == ["2024-02-01T00:00"]
    assert moments("2/13/2024", order="day") is None
    assert moments("2024-01-02", order="day") == ["2024-01-02T00:00"]


@pytest.mark.parametrize(
    ("texts", "hours"),
    [
        (["06:30", "6:15"], [6.5, 6.25]),
        (["23:59:30"], [23.991666666666667]),
        (["00:00:00.5"], [0.5 / 3600]),
        *(([text], None) for text in ("24:00", "06:60", "6:5", "06:30 Uhr", "6.5")),
        (["06:30", "x"], None),
        ([], None),
    ],
)
def test_times_of_day_are_hours(texts, hours):
    found = read_times(texts)
    assert (found if hours is None else found.tolist()) == hours


def test_booleans_are_true_and_false_only():
    assert read_booleans(["True", "false", "TRUE"]).tolist() == [1, 0, 1]
    for texts in (["true", "yes"], ["1", "0"], []):
        assert read_booleans(texts) is None


@pytest.mark.parametrize(
    ("texts", "labels", "kind"),
    [
        (["1", "-1", "+3"], [1, -1, 3], "i"),
        (["yes", "no", "yes"], ["yes", "no", "yes"], "U"),
        (["1", "2", "b"], ["1", "2", "b"], "U"),
        (["true", "False", "TRUE"], [True, False, True], "b"),
        (["0.5", "1", "1"], [0.5, 1.0, 1.0], "f"),
        (["1", str(10**18)], [1.0, 1e18], "f"),  # more digits than an integer surely holds
    ],
)
def test_labels_get_the_narrowest_type(texts, labels, kind):
    found = read_labels(texts)
    assert (found.tolist(), found.dtype.kind) == (labels, kind)


def test_the_examples_run():
    assert doctest.testmod(numbers).failed == 0
