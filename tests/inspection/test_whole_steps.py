"""Nearest other answers in whole steps: as by trying all of them, to values that the columns can have."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_monks, load_pima_diabetes
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import as_rows
from netlines.inspection.nearest import search_whole
from netlines.inspection.nearest.values import values_of
from netlines.network.attributes import attributes_of
from netlines.network.background import describe
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network
from netlines.network.networks import Networks, Part


def small_table(rng, n=60):
    """Return rows with integers, an input of two values and three categories."""
    hues = np.eye(3)[rng.integers(0, 3, n)]
    columns = (
        rng.integers(0, 5, n),
        rng.integers(1, 4, n),
        rng.integers(0, 2, n),
        hues,
        rng.integers(10, 14, n),
    )
    return np.column_stack(columns).astype(float)


def some_network(seed):
    """Return a table and a network on it; of every third one the weights are integers, so that rows tie."""
    rng = np.random.default_rng(seed)
    X = small_table(rng)
    about, H, n_classes = describe(X), 1 + seed % 5, 2 + (seed % 7 == 0)
    slopes = rng.standard_normal((H, X.shape[1])) / about.scale
    bias = rng.standard_normal(H) - slopes @ about.mean
    if seed % 3 == 0:
        slopes = rng.integers(-3, 4, slopes.shape).astype(float)
        bias = rng.integers(-2, 3, H) - np.rint(slopes @ about.mean)
    output = rng.standard_normal((1 if n_classes == 2 else n_classes, H + 1))
    output = PASS_ON if H == 1 and n_classes == 2 else output
    return X, Network(np.column_stack([bias, slopes]), output, list("abc")[:n_classes], background=about)


def by_trying_all(network, x, *, fewest=False):
    """Return the norm of the smallest change in whole steps that changes the answer; None: there is none."""
    about = network.surroundings
    choices = values_of(network, x, range(len(x)), about.low, about.high).choices
    options = [np.vstack([x[list(one.inputs)], one.values]) for one in choices]
    picks = np.array(list(product(*(range(len(own)) for own in options))))
    rows = np.tile(x, (len(picks), 1))
    for one, own, pick in zip(choices, options, picks.T, strict=True):
        rows[:, list(one.inputs)] = own[pick]
    flips = network.predict(rows) != network.predict(x[None])[0]
    if not flips.any():
        return None
    counts = (picks > 0).sum(axis=1)
    flips &= (counts == counts[flips].min()) | (not fewest)
    return np.sqrt((((rows - x) / about.scale) ** 2).sum(axis=1))[flips].min()


@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_none_smaller_exists(seed, fewest):
    X, network = some_network(seed)
    about = network.surroundings
    for x in X[:3]:
        flip, exact = search_whole(
            network, x, free=range(len(x)), low=about.low, high=about.high, fewest=fewest
        )
        expected = by_trying_all(network, x, fewest=fewest)
        assert exact
        assert (flip is None) == (expected is None)
        if flip is not None:
            assert flip.norm == pytest.approx(expected, rel=1e-9)
            assert network.predict(flip.row[None])[0] == flip.label != network.predict(x[None])[0]


@pytest.mark.parametrize("seed", range(8))
def test_none_smaller_exists_where_categories_may_be_missing(seed):
    """Each change of such a category counted as many times as it has inputs."""
    rng = np.random.default_rng(seed)
    columns = (
        Column("hue", "category", categories=("blue", "green", "red"), gaps=True),
        Column("size", "number"),
        Column("age", "number"),
    )
    layout = Layout(("hue", "size", "age"), columns)
    X = np.column_stack([np.eye(4)[rng.integers(0, 4, 60)], rng.integers(0, 9, (60, 2))])
    about, H = describe(X), 1 + seed % 3
    slopes = rng.standard_normal((H, 6)) / about.scale
    network = Network(
        np.column_stack([rng.standard_normal(H) / 2 - slopes @ about.mean, slopes]),
        PASS_ON if H == 1 else rng.standard_normal((1, H + 1)),
        ["no", "yes"],
        feature_names=layout.feature_names,
        background=about,
        layout=layout,
    )
    for x in X[:6]:
        for fewest in (False, True):
            flip, exact = search_whole(
                network, x, free=range(6), low=about.low, high=about.high, fewest=fewest
            )
            expected = by_trying_all(network, x, fewest=fewest)
            assert exact
            assert (None if flip is None else flip.norm) == (expected and pytest.approx(expected, rel=1e-9))


@pytest.mark.parametrize("scheme", ["wta", "moved"])
def test_where_margins_decide_a_small_one_is_found_and_none_is_claimed(scheme):
    found = []
    for seed in range(12):
        X, network = some_network(5 * seed)  # of one unit
        rng = np.random.default_rng(seed)
        others = [Network(rng.permutation(network.hidden_weights.T).T, PASS_ON, ["no", "yes"]) for _ in "ab"]
        units = [Network(network.hidden_weights, PASS_ON, ["no", "yes"]), *others]
        parts = [Part(a, b, one) for a, b, one in zip("abc", ("bc", "ac", "ab"), units, strict=True)]
        several = Networks("wta", list("abc"), parts, background=network.background)
        told = explain(several, X[0])
        expected = by_trying_all(several, X[0])
        assert not told.flip_exact
        if expected is not None and told.flip is not None:
            assert several.predict(told.flip.row[None])[0] == told.flip.label != told.label
            found.append(told.flip.norm / expected)
    assert min(found) >= 1 - 1e-9
    assert np.median(found) < 1.05


def assert_whole(clf, X, told):
    """Assert that a row could be one of a table: changes flip, to values that the columns can have."""
    if told.flip is None:
        assert told.changes == {}
        return
    network = clf.network_
    assert told.flip.label != told.completed_label == told.label
    row = {**told.to_dict()["attributes"], **{name: after for name, (_, after) in told.changes.items()}}
    assert clf.predict(pd.DataFrame([row], columns=X.columns))[0] == told.flip.label
    for name, (before, after) in told.changes.items():
        column = X[name]
        assert after != before
        if column.dtype.kind in "iu" or (column == column.round()).all():
            assert isinstance(after, int)
        if column.dtype.kind in "iuf":
            assert column.min() <= after <= column.max()
        if column.nunique() == 2 or column.dtype.kind not in "iuf":
            assert after in set(column)
    assert set(told.changes) == {
        name
        for one in attributes_of(network)
        for name in [one.name]
        if told.flip.change[list(one.inputs)].any()
    }


def mixed_table(n=300, seed=0):
    """Return a table with texts, integers, numbers and yes and no, and a class that depends on all."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "pain": rng.choice(["none", "typical", "non-anginal", "severe"], n),
            "dose": rng.normal(5, 2, n).round(2),
            "smokes": rng.choice(["no", "yes"], n),
            "visits": rng.poisson(2, n),
        }
    )
    score = X["age"] / 20 + 2 * (X["pain"] == "severe") - X["dose"] / 3 + (X["smokes"] == "yes")
    return X, np.where(score + rng.normal(0, 0.5, n) > score.median(), "ill", "well")


TABLES = {
    "cancer": load_breast_cancer_wisconsin,
    "diabetes": load_pima_diabetes,
    "iris": load_iris,
    "mixed": lambda **_: mixed_table(),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("cancer", NetLinesClassifier),
        ("diabetes", NetLinesClassifierCV),
        ("iris", NetLinesClassifier),
        ("mixed", NetLinesClassifier),
        ("mixed", NetLinesClassifierCV),
    ],
)
def test_every_flip_flips_to_values_that_columns_have(name, kind):
    """A thousand rows of each of six tables: benchmarks/explain.py --whole."""
    X, y = TABLES[name](return_X_y=True, as_frame=True)
    few = {"max_hidden": 3} if kind is NetLinesClassifier else {"max_hidden": 2, "cv": 2}
    clf = kind(random_state=0, **few).fit(X, y)
    for k in range(0, len(X), len(X) // 4):
        for change in ("likely", "fewest"):
            told = explain(clf, X.iloc[k], change=change)
            assert_whole(clf, X, told)
        assert len(told.changes) <= len(explain(clf, X.iloc[k]).changes)


def test_one_hot_names_of_scikit_learn_are_one_attribute():
    """They changed to -0.098."""
    from sklearn.preprocessing import OneHotEncoder

    X, y = mixed_table()
    hot = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit_transform(X[["pain"]])
    table = pd.concat([X[["age", "dose"]], hot], axis=1)
    clf = NetLinesClassifier(max_hidden=2, random_state=0).fit(table, y)
    for k in range(6):
        told = explain(clf, table.iloc[k], features=list(hot))
        assert set(told.changes) <= {"pain"}
        if told.flip is not None:
            assert sorted(told.flip.row[2:].tolist()) == [0, 0, 0, 1]
            assert told.changes["pain"][1] in {"none", "typical", "non-anginal", "severe"}


def test_monks_change_by_whole_attributes():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = NetLinesClassifier(random_state=0).fit(X, y)
    told = explain(clf, X.iloc[60])
    assert {name[0] for name in told.changes} == {"a"}
    assert set(np.unique(told.flip.row)) == {-1, 1}


def test_nothing_leaves_the_range_but_what_is_asked():
    about = describe(np.array([[1.0, 0.5], [3.0, 2.5], [9.0, 0.1]]))
    network = Network([[-20.0, 1.0, 0.0]], PASS_ON, ["no", "yes"], background=about)
    assert explain(network, [5, 1]).flip is None
    assert explain(network, [5, 1], ranges={0: (None, 30)}).changes == {"x0": (5, 20)}
    outside = explain(network, [40, 1])  # what lies outside may come inside
    assert outside.changes == {"x0": (40, 9)}
    assert outside.flip_exact
    number = Network([[-4.0, 0.0, 1.0]], PASS_ON, ["no", "yes"], background=about)
    assert explain(number, [5, 6.5]).flip.row.tolist() == [5, 2.5]


def test_missing_values_and_categories_that_training_had_not_are_no_choice():
    hue = Column("hue", "category", categories=("red", "blue", "green"), gaps=True)
    layout = Layout(("hue", "size"), (hue, Column("size", "number")))
    rows = np.array([[1.0, 0, 0, 0, 5], [0, 1, 0, 0, 7], [0, 0, 0, 1, 6], [1, 0, 0, 0, 9]])
    about = describe(rows)
    weights = [[-1.0, 0.0, 0.0, 5.0, 5.0, 0.0]]
    network = Network(
        weights, PASS_ON, ["no", "yes"], feature_names=layout.feature_names, background=about, layout=layout
    )
    assert explain(network, {"hue": "red", "size": 5}).flip is None  # green or missing would do
    blue = Network([[-1.0, 0, 2, 0, 0, 0]], PASS_ON, ["no", "yes"], **{
        "feature_names": layout.feature_names, "background": about, "layout": layout})  # fmt: skip
    assert explain(blue, {"hue": "red", "size": 5}).changes == {"hue": ("red", "blue")}
    assert explain(blue, {"hue": None, "size": 5}).flip is None


def test_reasons_of_one_sum_are_its_terms():
    X, y = mixed_table()
    clf = NetLinesClassifier(max_hidden=1, probability=False, random_state=0).fit(X, y)
    rows = np.asarray(as_rows(clf, X))
    for k in range(5):
        told = explain(clf, X.iloc[k])
        sign = 1.0 if told.label == "well" else -1.0
        parts = dict(zip([one.name for one in told.attributes], told.attribute_contributions[0], strict=True))
        effects = {one.name: one.effect for one in told.reasons}
        for name, effect in effects.items():
            assert effect == pytest.approx(sign * parts[name], abs=1e-9)
        assert [abs(one.effect) for one in told.reasons] == sorted(map(abs, effects.values()), reverse=True)
    assert rows.shape[0] == len(X)


def test_large_numbers_are_written_out():
    about = describe(np.array([[900.25, 1.0], [1100.5, 2.0], [1002.0, 3.0]]))
    network = Network(
        [[-1000.0, 1.0, 0.0]], PASS_ON, ["no", "yes"], feature_names=("area", "n"), background=about
    )
    text = explain(network, [1023.75, 2]).text()
    assert "area 1024 (average 1001)" in text
    assert "e+03" not in text
