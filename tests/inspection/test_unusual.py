"""Rows unlike those of training: ranges, categories and combinations, of one row and of many."""

import warnings

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifier, explain, load_model, save_model, unusual_rows
from netlines.network.background import describe
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network

RNG = np.random.default_rng(0)
N = 200
SIZE = RNG.normal(170, 10, N).round()
TABLE = pd.DataFrame(
    {
        "size": SIZE,
        "weight": (SIZE - 100 + RNG.normal(0, 5, N)).round(1),
        "hue": RNG.choice(["red", "blue", "green"], N),
    }
)
LABELS = np.where(TABLE["weight"] + 10 * (TABLE["hue"] == "red") > 72, "heavy", "light")


@pytest.fixture(scope="module")
def clf():
    return NetLinesClassifier(max_hidden=1, random_state=0).fit(TABLE, LABELS)


def test_training_rows_are_usual(clf):
    found = unusual_rows(clf, TABLE)
    assert len(found) == 0
    assert str(found) == "none of 200 rows lies outside of what training has seen"
    assert explain(clf, TABLE.iloc[0]).warnings == ()


def test_each_kind_is_told_and_counted(clf):
    middle = {"size": 170, "weight": 70.0, "hue": "red"}
    rows = pd.DataFrame(
        [middle, {**middle, "size": 630}, {**middle, "hue": "mauve"}, {**middle, "size": 190, "weight": 50.5}]
    )
    low, high = int(SIZE.min()), int(SIZE.max())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = unusual_rows(clf, rows)
    assert found.rows.tolist() == [False, True, True, True]
    assert found.reasons[1] == (f"size 630 is outside of the range of the training rows, {low} to {high}",)
    assert found.reasons[2] == ("hue mauve was not seen in training and counts as missing",)
    assert found.reasons[3][0].startswith("each value is usual, but not all together")
    assert set(found.kinds.values()) == {1}
    assert str(found).startswith("3 of 4 rows lie outside of what training has seen: ")
    for row, told in zip(rows.to_dict("records"), found.reasons, strict=True):
        assert explain(clf, row).warnings == told
    assert "Caution: size 630 is outside of" in explain(clf, rows.iloc[1]).text()


def test_a_model_file_remembers_how_far_rows_were(clf, tmp_path):
    save_model(clf, tmp_path / "model.json")
    odd = TABLE.iloc[:1].assign(size=190, weight=50.5)
    assert unusual_rows(load_model(tmp_path / "model.json"), odd).rows.tolist() == [True]


@pytest.mark.parametrize("N", [2, 30])
def test_new_rows_of_the_same_kind_are_seldom_unusual(N):
    """Each training row draws the middle and the correlations to itself: of few rows it must not count."""
    rng = np.random.default_rng(1)
    mixture = rng.standard_normal((N, N))
    about = describe(rng.standard_normal((120, N)) @ mixture)
    new = about.distances(rng.standard_normal((2000, N)) @ mixture) > about.farthest
    assert new.mean() < 0.03


def test_missing_values_make_no_row_unusual(clf):
    lacking = pd.DataFrame([{"size": 190, "weight": None, "hue": "red"}])
    assert unusual_rows(clf, lacking).rows.tolist() == [False]
    assert unusual_rows(clf, lacking.assign(size=900)).rows.tolist() == [True]


@pytest.mark.parametrize("rare", [False, True])
def test_a_category_that_counts_as_other_is_told(rare):
    """It is new for certain only if nothing in training counted as other."""
    layout = Layout(("hue",), (Column("hue", "category", categories=("blue", "red"), other="other"),))
    about = describe(np.array([[1.0, 0, 0], [0, 1, 0], [0, 1 - rare, rare]]))
    network = Network(
        [[-1, 0, 2, 3]],
        PASS_ON,
        ["no", "yes"],
        feature_names=layout.feature_names,
        background=about,
        layout=layout,
    )
    told, found = (
        explain(network, {"hue": "mauve"}),
        unusual_rows(network, pd.DataFrame({"hue": ["mauve", "red"]})),
    )
    assert (told.warnings, len(told.notes)) == (found.reasons[0], int(rare))
    if rare:
        assert not found.rows.any()
        assert "Note: hue mauve counts as 'other', as all values do that were rare in training" in told.text()
        assert explain(network, {"hue": "other"}).notes == ()
    else:
        assert found.reasons == (("hue mauve was not seen in training and counts as 'other'",), ())
        assert list(found.kinds) == ["hue with a value that training had not"]
    assert explain(network, {"hue": "red"}).notes == explain(network, {"hue": None}).notes == ()
