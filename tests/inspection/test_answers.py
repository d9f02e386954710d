"""Answers to complete and incomplete rows: everybody who gives them gives the same."""

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifier
from netlines.cli import _run
from netlines.export.model_file import save_network
from netlines.inspection.answers import Answers
from netlines.inspection.missing import integrate
from netlines.network.background import describe
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network
from netlines.report.evidence import gather
from netlines.report.rows import missing

# A coin of two sides that were equally frequent: without the side both classes are equally probable.
SEEN = describe(np.array([[0.0], [1.0]]))
COIN = Network([[-0.5, 1.0]], PASS_ON, ["no", "yes"], feature_names=("side",), background=SEEN)
UNKNOWN = np.array([[np.nan]])


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    layout = Layout(("side",), (Column("side", "number"),), target="answer")
    save_network(COIN.with_layout(layout), "coin.json")
    pd.DataFrame({"side": ["0", "", "1"]}).to_csv("new.csv", index=False)
    return "coin.json"


def test_two_classes_are_really_equal():
    assert integrate(COIN, UNKNOWN).tolist() == [[0.5, 0.5]]


def test_of_two_equal_classes_the_second_is_the_answer():
    found = Answers(COIN, UNKNOWN)
    assert found.labels().tolist() == ["yes"]
    assert found.decisions().tolist() == [1e-9]


def test_a_classifier_takes_the_second():
    for choice in ("auto", "integrate"):
        clf = NetLinesClassifier(missing=choice).fit([[0.0], [1.0]], ["no", "yes"])
        assert clf.predict(UNKNOWN).tolist() == ["yes"]
        assert clf.decision_function(UNKNOWN)[0] >= 0


@pytest.mark.parametrize("options", [(), ("--missing", "integrate")], ids=["auto", "integrate"])
def test_the_command_that_predicts_takes_the_second(model, options):
    assert _run(["predict", model, "new.csv", "-o", "out.csv", *options, "--quiet"]) == 0
    table = pd.read_csv("out.csv")
    assert table["prediction"].tolist() == ["no", "yes", "yes"]
    assert ((table["decision"] >= 0) == (table["prediction"] == "yes")).all()
    assert table["complete"].tolist() == [True, False, True]


def test_the_command_that_explains_takes_the_second(model, capsys):
    assert _run(["explain", model, "--row", "side="]) == 0
    assert "most probable, given the other values: yes (50 %)" in capsys.readouterr().out


def test_the_report_takes_the_second():
    X, y = np.array([[0.0], [1.0]] * 3 + [[np.nan]]), ["no", "yes"] * 3 + ["yes"]
    text = missing(gather(COIN, None, X, y, folds=0)).replace("\xa0", " ")
    assert "Of the most probable answers 0 of 1 are wrong." in text
    # Without the side all complete rows are answered yes, which is wrong for half of them.
    assert '<td class="">50.0 %</td><td class="">+3</td>' in text


@pytest.mark.sample(3)
@pytest.mark.parametrize("multiclass", ["tree", "pairs", "shared"])
@pytest.mark.parametrize("probability", [False, True])
def test_labels_decisions_and_probabilities_agree(multiclass, probability):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    clf = NetLinesClassifier(max_hidden=2, multiclass=multiclass, probability=probability).fit(X, y)
    rows = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    found = Answers(clf.network_, rows)
    assert (found.lacking == np.isnan(rows).any(axis=1)).all()
    assert (clf.classes_[found.decisions().argmax(axis=1)] == found.labels()).all()
    complete = ~found.lacking
    assert (found.labels()[complete] == clf.predict(X[complete])).all()
    if probability:
        assert (clf.classes_[found.probabilities().argmax(axis=1)] == found.labels()).all()
