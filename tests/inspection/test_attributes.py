"""Attributes: sums over them are the sums over the inputs, and texts speak of the columns of the table."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netlines import explain, extract_rules, possible_classes
from netlines.export.text import to_text
from netlines.inspection.answers import Answers
from netlines.inspection.attributes import attributes_in, feature_numbers, value_of
from netlines.inspection.inputs import InputRows, as_rows
from netlines.network.attributes import Attribute, as_terms, attributes_of
from netlines.network.background import describe
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network

START = 1_609_632_000_000_000  # 2021-01-03
COLUMNS = (
    Column("age", "number", gaps=True, fill=41.0),
    Column("sex", "category", categories=("male",), base="female"),
    Column("thal", "category", categories=("fixed", "normal", "rev"), gaps=True),
    Column("flag", "boolean", gaps=True, fill=0.0),
    Column("visit: days since 2021-01-03", "number", "visit", "days", start=START),
    Column("visit: weekday", "category", "visit", "weekday", categories=("Mon", "Tue", "Wed")),
    Column("only", "category", base="5", gaps=True),
)
LAYOUT = Layout(("age", "sex", "thal", "flag", "visit", "only"), COLUMNS)
NAMES = LAYOUT.feature_names


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    days = 7 * rng.integers(0, 50, n) + rng.integers(0, 3, n)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.2, np.nan, rng.integers(20, 80, n)),
            "sex": rng.choice(["male", "female"], n),
            "thal": rng.choice(["fixed", "normal", "rev", None], n),
            "flag": pd.array(rng.choice([True, False, None], n), dtype="boolean"),
            "visit": pd.Timestamp("2021-01-04") + pd.to_timedelta(days, "D"),
            "only": np.where(rng.random(n) < 0.5, np.nan, 5.0),
        }
    )


TABLE = table()
EMPTY = Network(np.ones((1, len(NAMES) + 1)), PASS_ON, [0, 1], feature_names=NAMES, layout=LAYOUT)
ROWS = np.asarray(as_rows(EMPTY, TABLE))
ABOUT = replace(describe(ROWS), groups=LAYOUT.groups)


def network(*units, bias=-0.5, output=PASS_ON, **more):
    """Return a network of units given by the weights of the named inputs, all others 0."""
    weights = [[unit.get("bias", bias), *(unit.get(name, 0.0) for name in NAMES)] for unit in units]
    more = {"background": ABOUT, "layout": LAYOUT, **more}
    return Network(weights, output, ["well", "ill"], feature_names=NAMES, **more)


weight = st.sampled_from([0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 0.3, -0.889, 0.889]) | st.floats(-3, 3, width=32)


@settings(max_examples=60, deadline=None)
@given(unit=st.lists(weight, min_size=len(NAMES) + 1, max_size=len(NAMES) + 1), far=st.booleans())
def test_terms_add_up_to_the_sum_of_the_inputs(unit, far):
    origin = np.where(np.array(NAMES) == "age", 20.0, 0.0) if far else None
    net = Network([unit], PASS_ON, [0, 1], feature_names=NAMES, layout=LAYOUT, origin=origin)
    bias, terms = as_terms(np.array(unit), attributes_of(net), origin)
    fields = net.fields(ROWS)[:, 0]
    told = [bias + sum(term.of_row(row, origin) for term in terms) for row in ROWS]
    np.testing.assert_allclose(told, fields, atol=1e-9)
    if all(value == int(value) for value in unit):
        assert all(term.weight == int(term.weight) for term in terms)
    assert all(term.weight for term in terms)
    n_terms = {one: sum(term.attribute is one for term in terms) for one in attributes_of(net)}
    assert all(n <= max(len(one.choices) - 1, 1) for one, n in n_terms.items())


@settings(max_examples=40, deadline=None)
@given(unit=st.lists(weight, min_size=len(NAMES) + 1, max_size=len(NAMES) + 1))
def test_rules_of_any_unit_answer_as_it_does(unit):
    net = network(dict(zip(("bias", *NAMES), unit, strict=True)))
    rules = extract_rules(net, TABLE)
    np.testing.assert_array_equal(rules.predict(TABLE), net.predict(ROWS))
    assert str(rules)


@settings(max_examples=40, deadline=None)
@given(
    unit=st.lists(st.integers(-2, 2), min_size=len(NAMES) + 1, max_size=len(NAMES) + 1),
    used=st.sets(st.sampled_from(["sex", "thal", "flag", "only", "visit: weekday"]), min_size=1, max_size=3),
)
def test_expanded_rules_hold_also_for_missing_values(unit, used):
    own = {i for one in attributes_of(EMPTY) if one.name in used for i in one.inputs}
    weights = {name: float(unit[1 + i]) for i, name in enumerate(NAMES) if i in own}
    net = network({"bias": unit[0] + 0.5, **weights})
    expanded = extract_rules(net, TABLE).expanded()
    np.testing.assert_array_equal(expanded.predict(TABLE), net.predict(ROWS))


@pytest.mark.parametrize(
    ("weights", "condition"),
    [
        ({"age is missing": 1}, "age is missing"),
        ({"age is missing": -1, "bias": 0.5}, "age is known"),
        ({"age": 1, "bias": -50}, "age ≥ 50"),
        ({"age": 1, "age is missing": 20, "bias": -50}, "age is missing OR age ≥ 50"),
        ({"age": -1, "bias": 50}, "age is missing OR age ≤ 50"),
        ({"sex=male": 1}, "sex=male"),
        ({"sex=male": -1, "bias": 0.5}, "sex=female"),
        ({"thal=fixed": 1, "thal=rev": 1}, "thal∈{fixed, rev}"),
        ({"thal=fixed": 1, "thal is missing": 1}, "thal∈{fixed, missing}"),
        ({"thal=fixed": 1, "thal=normal": 1, "thal=rev": 1}, "thal is known"),
        ({"flag": 1}, "flag=1"),
        ({"flag": 1, "flag is missing": 1}, "flag≠0"),
        ({"only is missing": 1}, "only is missing"),
        ({"only is missing": -1, "bias": 0.5}, "only is known"),
        ({"sex=male": 1, "age is missing": 1}, "age is missing OR sex=male"),
        ({"visit: days since 2021-01-03": 1, "bias": -100}, "'visit: days since 2021-01-03' ≥ 100"),
        (
            {"age": 0.5, "age is missing": -3, "sex=male": 7.25, "bias": -30},
            "2·age (+70 if missing) + 29·[sex=male] ≥ 120",
        ),
        (
            {"age": 0.01, "thal=fixed": -0.889, "thal=normal": 0.889, "thal=rev": -0.889, "bias": 0.1},
            "[thal=normal] + 0.5·[thal is missing] + 0.00562·age (+0.231 if missing) ≥ 0.4438",
        ),
    ],
)
def test_conditions_speak_of_columns(weights, condition):
    net = network(weights)
    assert str(extract_rules(net, TABLE)) == f"IF {condition} THEN ill\nELSE well"
    np.testing.assert_array_equal(extract_rules(net, TABLE).predict(ROWS.view(InputRows)), net.predict(ROWS))


def test_two_opposite_weights_are_one_term():
    names = ("gender=female", "gender=male", "size")
    rows = np.array([[1.0, 0, 3.5], [0, 1, 2.0], [1, 0, 7.25]])
    for low in (0.0, -1.0):
        coded = np.column_stack([np.where(rows[:, :2] > 0, 1.0, low), rows[:, 2]])
        plain = Network(
            [[0.5, -0.889, 0.889, 0.1]], PASS_ON, [0, 1], feature_names=names, background=describe(coded)
        )
        bias, terms = as_terms(plain.hidden_weights[0], attributes_of(plain))
        assert [term.attribute.name for term in terms] == ["gender", "size"]
        assert terms[0].weight == pytest.approx(1.778 if low == 0 else 3.556)
        told = [bias + sum(term.of_row(row) for term in terms) for row in coded]
        np.testing.assert_allclose(told, plain.fields(coded)[:, 0])
        text = "1.778·[gender=male] + 0.1·size ≥ 0.389" if low == 0 else "3.556·[gender=male]"
        assert text in to_text(plain)


@pytest.mark.parametrize(
    ("weights", "bias", "terms"),
    [
        ([1, 1, 1], 1, {}),
        ([0, 0, 2], 0, {(2,): 2}),
        ([2, 2, 0], 2, {(2,): -2}),
        ([0, 3, -1], 0, {(1,): 3, (2,): -1}),  # of weights that are equally frequent 0 stays
        ([5, 3, 4], 3, {(0,): 2, (2,): 1}),
        ([3, 3, 5, 5, 1], 3, {(2, 3): 2, (4,): -2}),
    ],
)
def test_the_most_frequent_weight_goes_to_the_bias(weights, bias, terms):
    values = tuple("abcdefgh"[: len(weights)])
    one = Attribute("hue", "category", tuple(range(len(weights))), values)
    found, own = as_terms(np.array([0, *weights]), [one])
    assert (found, {term.inputs: term.weight for term in own}) == (bias, terms)


def test_a_network_is_written_by_attributes():
    net = network(
        {
            "bias": 0.25,
            "age": 0.53,
            "age is missing": -19.83,
            "sex=male": -2,
            "thal=fixed": 0.3,
            "thal=rev": 0.3,
            "flag is missing": 1,
            "visit: days since 2021-01-03": 0.001,
        }
    )
    head, *terms = to_text(net, width=300).splitlines()[1:]
    assert head == "'ill' where this sum is at least -0.25, else 'well':"
    assert sorted(map(str.strip, terms)) == [
        "+0.001 × 'visit: days since 2021-01-03'",
        "+0.3 if thal∈{fixed, rev}",
        "+0.53 × age (+1.9 if missing)",
        "+1 if flag is missing",
        "-2 if sex=male",
    ]


def test_groups_of_plain_columns_are_attributes_too():
    names = ("hue=red", "hue=blue", "size")
    layout = Layout(names, tuple(Column(name, "number") for name in names))
    about = describe(np.array([[1.0, 0, 3.5], [0, 1, 2.0], [1, 0, 7.25]]))
    net = Network([[0, 1, 2, 3]], PASS_ON, [0, 1], feature_names=names, background=about, layout=layout)
    assert [one.name for one in attributes_of(net)] == ["hue", "size"]
    assert [one.name for one in attributes_of(replace(net, background=None))] == list(names)


def test_rows_are_told_in_the_words_of_the_table():
    net = network({"age": 1})
    cells = {"age": None, "sex": "female", "thal": "rev", "flag": True, "visit": "2021-03-02", "only": 5}
    row = np.asarray(as_rows(net, pd.DataFrame([cells])))[0]
    values = {one.name: value_of(one, row) for one in attributes_of(net)}
    days = "visit: days since 2021-01-03"
    assert values == {**{k: v for k, v in cells.items() if k != "visit"}, days: "2021-03-02",
                      "visit: weekday": "Tue", "only": "5"}  # fmt: skip
    row[list(NAMES).index("thal=rev")] = 0.5
    assert [one.name for one in attributes_in(net, row)][2:6] == list(NAMES[3:7])


def test_features_are_found_by_column_attribute_and_input():
    net = network({"age": 1})
    assert feature_numbers(net, "age") == [0, 1]
    assert feature_numbers(net, ["thal", "sex=male"]) == [2, 3, 4, 5, 6]
    assert feature_numbers(net, ["visit"]) == [9, 10, 11, 12]
    assert feature_numbers(net, ["visit: weekday", 0]) == [0, 10, 11, 12]
    with pytest.raises(ValueError, match="no column or input 'size'; the columns are 'age', 'sex', 'thal'"):
        feature_numbers(net, ["size"])
    with pytest.raises(ValueError, match=r"features must be names or numbers of inputs, got 1\.5"):
        feature_numbers(net, 1.5)
    with pytest.raises(
        ValueError, match="ranges has 'thal', which is no number; allowed are its inputs 'thal="
    ):
        explain(net, TABLE.iloc[0], ranges={"thal": (0, 1)})


TWO = (
    {"bias": -0.8, "age": 0.02, "age is missing": -0.4, "sex=male": 0.5, "thal=fixed": 0.3, "flag": 0.1},
    {"bias": 0.3, "age": -0.01, "sex=male": 0.5, "thal=rev": -0.3, "visit: days since 2021-01-03": 0.001},
)
BOTH = network(*TWO, output=[[-1.0, 1.0, 1.0]])


def test_rows_of_all_kinds_are_explained():
    pl = pytest.importorskip("polars")
    for k in range(8):
        series = TABLE.iloc[k]
        told = str(explain(BOTH, series))
        kinds = [series.to_dict(), tuple(series), list(series), TABLE[k : k + 1], ROWS[k]]
        kinds += [ROWS[k].view(InputRows), ROWS[k : k + 1].view(InputRows), pl.from_pandas(TABLE[k : k + 1])]
        assert {str(explain(BOTH, kind)) for kind in kinds} == {told}


def test_contributions_are_told_by_attribute():
    k = int(np.flatnonzero(TABLE["age"].isna() & (TABLE["thal"] == "rev"))[0])
    told = explain(BOTH, TABLE.iloc[k])
    np.testing.assert_allclose(told.attribute_contributions.sum(axis=1), told.contributions.sum(axis=1))
    parts = told.attribute_contributions
    text = told.text(width=1000, verbose=True)
    assert f"age missing ({parts[0, 0]:+.3g})" in text
    assert f"thal rev ({parts[1, 2]:+.3g})" in text
    assert "is missing" not in text
    values = json.loads(json.dumps(told.to_dict()))
    assert values["attributes"]["age"] is None
    assert values["attributes"]["visit"] == str(TABLE["visit"][k])[:10]
    assert values["hyperplanes"][0]["attributes"]["thal"] == pytest.approx(parts[0, 2])
    assert values["row"]["age is missing"] == 1.0


@settings(max_examples=25, deadline=None)
@given(
    k=st.integers(0, len(TABLE) - 1),
    unit=st.lists(weight, min_size=2 * len(NAMES) + 2, max_size=2 * len(NAMES) + 2),
    change=st.sampled_from(["likely", "any"]),
)
def test_missing_values_stay_missing(k, unit, change):
    width = len(NAMES) + 1
    units = [dict(zip(("bias", *NAMES), unit[i * width :], strict=False)) for i in (0, 1)]
    net = network(*units, output=[[-1.0, 1.0, 1.0]])
    flip = explain(net, TABLE.iloc[k], change=change).flip
    if flip is None:
        return
    assert net.predict(flip.row[None])[0] == flip.label
    for one in attributes_of(net):
        if one.is_missing(ROWS[k]):
            assert not flip.change[list(one.inputs)].any()
        elif one.gap is not None and change == "likely":
            assert flip.change[one.gap] == 0


def test_categories_change_by_name():
    net = network({"sex=male": 1, "thal=fixed": 0.4})
    cells = {"age": 30, "sex": "male", "thal": "normal", "flag": False, "visit": "2021-03-01", "only": 5}
    assert "It would be 'well' if sex were female instead of male (" in str(explain(net, cells))
    assert explain(net, cells).changes == {"sex": ("male", "female")}
    assert explain(net, cells).to_dict()["flip"]["attributes"] == {"sex": "female"}
    one = network({"thal=fixed": 1, "thal is missing": 3, "age is missing": 3})
    assert "It would be 'ill' if thal were fixed instead of normal (" in str(explain(one, cells))
    assert explain(one, cells, features=["sex", "flag"]).flip is None
    flag = network({"flag": 1, "age": 0.001})
    assert explain(flag, cells).changes == {"flag": (False, True)}


def test_dates_change_by_days_with_all_that_is_taken_of_them():
    """What is a Tuesday in a row is one in the calendar, and another weekday is a change, too."""
    cells = {"age": 30, "sex": "male", "thal": "normal", "flag": False, "visit": "2021-03-01", "only": 5}
    late = network({"visit: days since 2021-01-03": 1, "bias": -100.25})
    told = explain(late, cells)
    assert told.changes == {"visit": ("2021-03-01", "2021-04-19")}
    assert "if visit were 2021-04-19 instead of 2021-03-01 (" in str(told)
    changed = {**cells, "visit": "2021-04-19"}
    np.testing.assert_array_equal(told.flip.row, explain(late, changed).row)
    assert explain(late, changed).label == "ill"
    weekday = network({"visit: weekday=Tue": 1})
    told = explain(weekday, cells)
    assert told.changes == {"visit": ("2021-03-01", "2021-03-02")}
    assert told.flip_exact


def test_unknown_values_are_told_first():
    cells = {"age": 50, "thal": "rev", "flag": True, "visit": "2021-03-01", "only": 5}
    told = explain(BOTH, cells)
    assert told.missing == ("sex",)
    expected = told.to_dict()["attributes"]["sex"]
    assert told.completed_label == {"female": "well", "male": "ill"}[expected]
    lacking = np.where(np.array(NAMES) == "sex=male", np.nan, told.row)
    assert told.label == Answers(BOTH, lacking[None]).labels()[0]
    assert told.possible.labels == ("well", "ill")
    lines = told.text().splitlines()
    assert lines[:3] == [
        "missing: sex",
        "well for sex = female, ill otherwise",
        f"most probable, given the other values: {told.label} ({100 * told.probability:.0f} %)",
    ]
    answer = f"the answer is {told.completed_label!r} (confidence 0."
    assert lines[3].startswith(f"with what is expected, sex {expected}, {answer}")
    assert told.flip.change[2] == 0  # what is unknown cannot be changed
    assert explain(BOTH, cells, features="sex").flip is None
    values = json.loads(json.dumps(told.to_dict()))
    assert (values["missing"], values["possible"]["labels"]) == (["sex"], ["well", "ill"])
    for sex, label in (("female", "well"), ("male", "ill")):
        assert explain(BOTH, {**cells, "sex": sex}).label == label


def test_unknown_numbers_are_expected_within_their_range():
    names = ("left", "right")
    about = describe(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [9.0, 3.0]]))
    net = Network([[-5.0, 1.0, 0.0]], PASS_ON, ["no", "yes"], feature_names=names, background=about)
    told = explain(net, {"right": 4.0})
    assert told.row.tolist() == [4.0, 4.0]  # rounded: all values were integers
    assert (told.missing, told.label) == (("left",), "no")
    assert told.text().splitlines()[:2] == ["missing: left", "yes from left ≥ 5, no below"]
    narrow = explain(net, [np.nan, 4.0], ranges={"left": (6, 8)})
    assert narrow.row.tolist() == [6.0, 4.0]
    assert narrow.possible.certain
    assert narrow.text().splitlines()[1:3] == [
        "certain: yes whatever left is",
        f"with what is expected, left 6, the answer is 'yes' (confidence {narrow.confidence:.3g})",
    ]


def test_possible_classes_speak_of_columns():
    cells = {"age": 50.0, "sex": "male", "thal": "rev", "flag": True, "visit": "2021-03-01", "only": 5}
    frame = pd.DataFrame([cells], dtype=object)

    def said(net, *columns):
        (one,) = possible_classes(net, frame.assign(**dict.fromkeys(columns)))
        assert one.missing == tuple(column for column in LAYOUT.names if column in columns)
        return str(one)

    thal = network({"thal=fixed": 1})
    assert said(thal, "thal") == "ill for thal = fixed, well otherwise"
    assert said(thal, "sex") == "certain: well whatever sex is"
    assert said(thal, "visit", "thal") == "well or ill depending on thal and visit"
    assert said(network({"sex=male": 1}), "sex") == "well for sex = female, ill otherwise"
    assert said(network({"flag": 1}), "flag") == "well for flag = 0, ill otherwise"
    assert said(network({"age": 1, "bias": -50}), "age") == "ill from age ≥ 50, well below"
