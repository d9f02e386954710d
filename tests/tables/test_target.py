"""The column of the classes: types of labels, rows without one, names for classes, the truth of new rows."""

import doctest

import numpy as np
import pandas as pd
import pytest

from netlines.network.layout import Column, Layout
from netlines.tables import target
from netlines.tables.cells import of_columns
from netlines.tables.frames import as_raw
from netlines.tables.target import canonical, read_target, read_truth


@pytest.mark.parametrize(
    ("cells", "labels", "kind"),
    [
        (["1", "0", "", "+3"], [1, 0, 3], "i"),
        (["yes", "?", "no "], ["yes", "no"], "U"),
        (["TRUE", "false", "NA"], [True, False], "b"),
        (["0.5", "1"], [0.5, 1.0], "f"),
        (["a", 1, None], ["a", "1"], "U"),
        ([1, 2, None], [1, 2], "i"),
        ([1.0, np.nan, 2.0], [1, 2], "i"),  # as pandas reads integers beside a gap
        ([0.5, None, 1.0], [0.5, 1.0], "f"),
        ([True, None, False], [True, False], "b"),
    ],
    ids=str,
)
def test_labels_have_the_narrowest_type_and_rows_without_one_are_told(cells, labels, kind):
    found = read_target(of_columns({"answer": cells}), "answer")
    assert (found.labels.tolist(), found.labels.dtype.kind) == (labels, kind)
    assert found.present.sum() == len(labels)
    assert (
        found.labels.tolist()
        == read_target(as_raw(pd.DataFrame({"answer": cells})), "answer").labels.tolist()
    )


def test_declared_categories_are_classes_by_their_texts():
    frame = pd.DataFrame({"answer": pd.Categorical(["b", None, "a"], categories=["z", "b", "a"])})
    assert read_target(as_raw(frame), "answer").labels.tolist() == ["b", "a"]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (["", None, "?"], "no row has a value in the target column 'answer'"),
        (
            pd.to_datetime(["2024-01-01"]).tolist(),
            "the target column 'answer' holds dates; a target holds classes",
        ),
        (
            [1.0, None, np.inf],
            r"expected a finite number as a class, got inf in column 'answer', row 3 \(rows are",
        ),
        (["1", "", "-inf"], "expected a finite number as a class, got '-inf' in column 'answer', row 3"),
        ([0.5, 1e300], r"expected a finite number as a class, got 1e\+300 in column 'answer', row 2"),
        (
            ["x", "y" * 10_001],
            "a class in the target column 'answer' has 10,001 characters; .* at most 10000",
        ),
        (list(range(101)), "target column 'answer' has 101 different values, at most 100 are allowed"),
        ([f"{i}" for i in range(101)], "target column 'answer' has 101 different values, at most 100"),
    ],
    ids=lambda one: str(one)[:20],
)
def test_what_is_no_class_is_named(cells, says):
    with pytest.raises(ValueError, match=says):
        read_target(of_columns({"answer": cells}, first=1), "answer")


def test_a_hundred_classes_are_allowed_and_an_absent_target_lists_the_columns():
    table = of_columns({"size": range(100), "answer": [f"{i}" for i in range(100)]})
    assert len(read_target(table, "answer").labels) == 100
    with pytest.raises(
        ValueError, match="there is no target column 'class'; the columns are 'size', 'answer'"
    ):
        read_target(table, "class")


@pytest.mark.parametrize("cells", [["1", "0", "", "2"], [1, 0, None, 2], [1.0, 0.0, np.nan, 2.0]], ids=str)
def test_classes_may_get_names(cells):
    table = of_columns({"answer": cells})
    found = read_target(table, "answer", {"0": "well", "1": "ill"})
    assert found.labels.tolist() == ["ill", "well", "2"]
    assert found.present.tolist() == [True, True, False, True]
    with pytest.raises(
        ValueError, match=r"--labels: no row has 'x' in the target column 'answer'; it has '.', '.', '2'"
    ):
        read_target(table, "answer", {"x": "ill"})


PLAIN = Layout(("size",), (Column("size", "number"),), target="answer")


@pytest.mark.parametrize(
    ("cells", "classes", "truth"),
    [
        (["1", "2.0", "", "3"], [1, 2], [1, 2, None, "3"]),
        ([1.0, 2.0, None, 3.0], [1, 2], [1, 2, None, "3"]),
        (["TRUE", "false"], [False, True], [True, False]),
        ([True, False], ["True", "False"], ["True", "False"]),
        (["0.5", "1"], [0.5, 1.0], [0.5, 1.0]),
        (["no", " yes"], ["no", "yes"], ["no", "yes"]),
    ],
    ids=str,
)
def test_the_truth_has_the_type_of_the_classes_however_the_table_writes_it(cells, classes, truth):
    found = read_truth(of_columns({"answer": cells}), PLAIN, classes)
    assert found == truth
    assert list(map(type, found)) == list(map(type, truth))


def test_the_truth_of_classes_with_names_may_have_either():
    named = Layout(("size",), PLAIN.columns, target="answer", labels=(("0", "well"), ("1", "ill")))
    for cells in (["0", "1"], [0, 1], ["well", "ill"], ["0", "ill"]):
        assert read_truth(of_columns({"answer": cells}), named, ["ill", "well"]) == ["well", "ill"]


def test_without_the_target_there_is_no_truth():
    assert read_truth(of_columns({"size": ["1"]}), PLAIN, [0, 1]) is None
    assert read_truth(of_columns({"answer": ["1"]}), Layout(("size",), PLAIN.columns), [0, 1]) is None
    assert read_truth(of_columns({"answer": ["", "?"]}), PLAIN, [0, 1]) == [None, None]


def test_a_label_has_one_text():
    assert {canonical(one) for one in (1, 1.0, "1", "1.0", np.int64(1), "1e0")} == {"1"}
    assert {canonical(one) for one in (True, "True", "TRUE", np.True_)} == {"true"}
    assert [canonical(one) for one in ("x", 0.5, "inf")] == ["x", "0.5", "inf"]


def test_the_examples_run():
    assert doctest.testmod(target).failed == 0
