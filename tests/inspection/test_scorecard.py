"""Scorecards: the same answers as the network, whatever its form, and texts that a person can use."""

import json

import numpy as np
import pandas as pd
import pytest

from netlines import (
    NetLinesClassifier,
    NetLinesClassifierCV,
    Network,
    Scorecard,
    as_points,
    load_model,
    prune,
    save_model,
)
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_monks
from netlines.inspection.inputs import InputRows
from netlines.network.background import describe
from netlines.network.network import PASS_ON

RNG = np.random.default_rng(0)


def fitted(X, y, **options):
    return NetLinesClassifierCV(prefer="readable", cv=3, **options).fit(X, y)


def numbers(n=240, seed=0):
    """Return a frame of integers and real numbers, and labels by thresholds."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"age": rng.integers(20, 80, n), "dose": rng.normal(5, 2, n).round(2)})
    X["visits"] = rng.integers(0, 5, n)
    y = (1.0 * (X.age >= 50) + 1.0 * (X.dose >= 5.5) + (X.visits >= 3) + rng.normal(0, 0.4, n)) >= 1.5
    return X, y.map({False: "well", True: "ill"}).to_numpy()


def mixed():
    """Return a frame with categories, booleans and a number, and labels."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"hue": rng.choice(["red", "green", "blue"], 300), "old": rng.random(300) < 0.5})
    X["size"] = rng.integers(1, 6, 300)
    y = (2 * (X.hue == "red") + 2 * X.old + X["size"] + rng.normal(0, 0.7, 300)) >= 5
    return X, y.to_numpy()


@pytest.fixture(scope="module")
def models():
    """One model of each form: conditions, a sum, several cuts, a sequence, categories."""
    iris = load_iris(return_X_y=True, as_frame=True)
    cancer = load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)
    monks = load_monks(2, return_X_y=True, as_frame=True)
    tables = {"conditions": numbers(), "sum": cancer, "cuts": monks, "sequence": iris, "categories": mixed()}
    return {name: (fitted(X, y), X, y) for name, (X, y) in tables.items()}


FORMS = ("conditions", "sum", "cuts", "sequence", "categories")


def strange_rows(clf, X):
    """Return thousands of rows of inputs: between and beyond those of training, and on every threshold."""
    about = clf.network_.background
    low, high = about.low - 1, about.high + 1
    rows = RNG.uniform(low, high, (3000, len(low)))
    rows = np.where(about.integer, np.rint(rows), rows)
    rows = np.where(about.two, np.where(RNG.random(rows.shape) < 0.5, about.low, about.high), rows)
    for group in about.groups:
        rows[:, group] = about.low[list(group)]
        rows[np.arange(len(rows)), RNG.choice(group, len(rows))] = about.high[list(group)].max()
    weights = clf.network_.weights_about_zero
    units = weights[np.count_nonzero(weights[:, 1:], axis=1) == 1]
    for k, unit in enumerate(units):
        (i,) = np.flatnonzero(unit[1:])
        at = -unit[0] / unit[i + 1]
        rows[k :: len(units) + 1, i] = np.ceil(at) if about.integer[i] else float(f"{at:.10g}")
    return rows


@pytest.mark.parametrize("form", FORMS)
def test_totals_decide_as_the_network_does(models, form):
    clf, X, _ = models[form]
    card = clf.as_points()
    assert card.exact
    rows = strange_rows(clf, X)
    own = rows.view(InputRows)
    assert (card.predict(own) == clf.network_.predict(rows)).all()
    assert (card.predict(X) == clf.predict(X)).all()
    assert card.score(X).shape == ((len(X),) if form != "sequence" else (len(X), 2))


@pytest.mark.parametrize("form", ["conditions", "sum", "cuts", "categories"])
def test_probabilities_depend_on_the_total_alone(models, form):
    clf, X, _ = models[form]
    card = clf.as_points()
    rows = strange_rows(clf, X)
    totals, p = card.score(rows.view(InputRows)), clf.network_.probability(rows)[:, 1]
    for total in np.unique(totals):
        assert np.ptp(p[totals == total]) < 1e-9
    order = np.argsort(totals, kind="stable")
    assert form == "cuts" or (np.diff(p[order]) >= -1e-9).all()
    for total, own in card.probabilities.items():
        assert p[totals == total] == pytest.approx(own, abs=1e-8)


def test_conditions_are_what_they_say(models):
    clf, X, _ = models["conditions"]
    card = clf.as_points()
    signs = {"≥": np.greater_equal, "<": np.less, "≤": np.less_equal, ">": np.greater}
    total = np.zeros(len(X))
    for row in card.to_frame().itertuples():
        name, sign, number = row.condition.split(" ")
        assert name == row.attribute
        total += row.points * signs[sign](X[name], float(number))
    assert (total == card.score(X)).all()
    (cut,) = card.totals[0].cuts
    assert (np.where(total >= cut, "well", "ill") == clf.predict(X)).all()


def test_categories_have_their_names(models):
    clf, _, _ = models["categories"]
    text = str(clf.as_points())
    assert "hue=red" in text
    assert "old=yes" in text


@pytest.mark.parametrize("form", FORMS)
def test_a_card_prints_in_eighty_columns_and_as_other_values(models, form):
    card = models[form][0].as_points()
    text = str(card)
    assert max(map(len, text.split("\n"))) <= 80
    assert "points" in text
    assert "total" in text
    assert "chance of" in text
    frame = card.to_frame()
    assert list(frame.columns)[-3:] == ["attribute", "condition", "points"]
    assert len(frame) == sum(len(total.entries) for total in card.totals)
    assert json.loads(json.dumps(card.to_dict()))["formula"] == card.formula
    assert card._repr_html_().count("<tr>") >= len(frame)


def test_a_saved_model_keeps_its_card(models, tmp_path):
    for form in FORMS:
        clf, X, _ = models[form]
        save_model(clf, tmp_path / "model.json")
        loaded = load_model(tmp_path / "model.json")
        assert str(loaded.as_points()) == str(clf.as_points())
        assert (loaded.as_points().score(X) == clf.as_points().score(X)).all()
        np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))


def test_hostile_names_are_text():
    X, y = numbers()
    X.columns = ["<script>alert(1)</script>", "a&b", "c"]
    html = fitted(X, y)._repr_html_() + fitted(X, y).as_points()._repr_html_()
    assert "<script>alert" not in html


def test_a_logistic_regression_is_rounded():
    X, y = load_breast_cancer_wisconsin(return_X_y=True, as_frame=True)
    clf = NetLinesClassifierCV(teacher=None, cv=3).fit(X, y)
    card = clf.as_points()
    assert not card.exact
    assert "more digits" in str(card)
    assert (card.predict(X) == clf.predict(X)).mean() > 0.98
    assert card.to_frame().points.abs().max() <= 20


def test_pruned_integers_are_exact():
    X, y = load_monks(3, return_X_y=True)
    grown = NetLinesClassifier(max_hidden=1).fit(X, y)
    clf = prune(grown, X, y, weights="integer", keep="errors")
    card = as_points(clf)
    assert isinstance(card, Scorecard)
    assert card.exact
    assert (card.predict(X) == clf.predict(X)).all()


def test_networks_that_are_no_sum_are_refused():
    X = RNG.normal(size=(60, 2))
    clf = NetLinesClassifier(random_state=0).fit(X, X[:, 0] * X[:, 1] > 0)
    words = f"has {clf.n_hidden_} hyperplanes; a points score has one sum: fit with prefer='readable'"
    with pytest.raises(ValueError, match=words):
        clf.as_points()
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="3 hyperplanes"):
        NetLinesClassifierCV(teacher=None, cv=3, multiclass="pairs").fit(X, y).as_points()


def test_moved_priors_are_refused(models):
    clf, _, _ = models["sum"]
    moved = clf.network_.with_priors([0.9, 0.1])
    with pytest.raises(ValueError, match=r"set_priors\(None\)"):
        as_points(moved)


def test_a_condition_on_a_real_column_holds_at_its_threshold():
    """The unit answers just before the number that is printed, so that a value of exactly that counts."""
    X = np.array([[0.05], [0.1], [0.1], [0.4], [0.4], [0.5], [0.5], [0.7]] * 10)
    clf = fitted(X, (X[:, 0] > 0.3).astype(int))
    at = float(clf.as_points().to_frame().condition[0].split(" ")[-1])
    rows = np.array([[np.nextafter(at, -1) - 1e-9], [at]])
    assert clf.predict(rows).tolist() == [0, 1]
    assert clf.predict_proba(rows)[1, 1] == clf.predict_proba([[0.7]])[0, 1]


@pytest.mark.parametrize("shift", [0.0, 1.7e9])
def test_coefficients_give_the_decisions_of_one_unit(shift):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)) * [1.0, 30.0, 0.1] + [shift, 5.0, 0.0]
    y = X[:, 0] - shift + X[:, 1] / 30 + rng.normal(0, 0.5, 200) > 0
    clf = NetLinesClassifierCV(teacher=None, cv=3).fit(X, y)
    assert clf.coef_.shape == (1, 3)
    assert clf.intercept_.shape == (1,)
    sums = X @ clf.coef_.T + clf.intercept_
    np.testing.assert_allclose(
        sums[:, 0], clf.decision_function(X), rtol=1e-5, atol=1e-5 * max(1, shift / 1e4)
    )
    moved = clf.set_priors([0.2, 0.8])
    other = X @ moved.coef_.T + moved.intercept_
    assert (other > sums).all()
    assert ((other[:, 0] >= 0) == moved.predict(X)).mean() > 0.99


def test_coefficients_are_absent_elsewhere(models):
    assert not hasattr(NetLinesClassifierCV(), "coef_")
    assert not hasattr(models["conditions"][0], "coef_") or models["conditions"][0].n_hidden_ == 1
    assert not hasattr(models["sequence"][0], "coef_")
    unit = models["sum"][0]
    if unit.n_hidden_ == 1:
        X = models["sum"][1].to_numpy(float)
        assert (
            (X @ unit.coef_.T + unit.intercept_ >= 0)[:, 0] == (unit.predict(models["sum"][1]) == "malignant")
        ).all()


def test_a_network_without_background_or_probabilities_has_a_card():
    network = Network([[-3.0, 2.0, 1.0]], PASS_ON, ["no", "yes"])
    card = as_points(network)
    assert card.formula == "2·x0 + x1 ≥ 3"
    assert card.probabilities == {}
    rows = RNG.integers(-5, 6, (500, 2)).astype(float)
    assert (card.predict(rows) == network.predict(rows)).all()
    known = Network([[-3.0, 2.0, 1.0]], PASS_ON, ["no", "yes"], background=describe(rows))
    assert as_points(known).formula == "2·x0 + x1 ≥ 3"


@pytest.mark.parametrize("high", ["no", "yes"])
def test_a_category_without_an_input_of_its_own_can_have_the_points(high):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=200), "kind": rng.choice(["no", "yes"], 200)})
    y = np.where(X["size"] + (X["kind"] == high) + 0.3 * rng.normal(size=200) > 0.5, "b", "a")
    clf = NetLinesClassifierCV(teacher=None, cv=2).fit(X, y)
    card = clf.as_points()
    assert card.totals[0].entries[-1].condition == f"kind={high}"
    assert np.mean(card.predict(X) == clf.predict(X)) > 0.95
