"""The commands that explain: `explain`, the rules of `inspect`, and `predict` of rows that lack values."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from netlines import NetLinesClassifier
from netlines.cli import _run
from netlines.cli.explaining import read_ranges, read_row
from netlines.datasets import load_breast_cancer_wisconsin, load_iris, load_monks, load_pima_diabetes
from netlines.export.model_file import load_network, save_network
from netlines.inspection.explanation import explain
from netlines.inspection.missing import integrate
from netlines.inspection.telling import change_text
from netlines.network.layout import Column, Layout
from netlines.network.network import PASS_ON, Network
from netlines.report.evidence import gather
from netlines.report.rows import other_answer

LAYOUT = Layout(
    ("size", "colour", "a=b", "note", "ok"),
    (
        Column("size", "number"),
        Column("colour", "category", categories=("blue", "red")),
        Column("a=b", "number"),
        Column("ok", "boolean"),
    ),
    (("note", "no values"),),
    "answer",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a small network in model.json and the incomplete rows in lacking.csv."""
    folder = tmp_path_factory.mktemp("explain")
    frame = load_breast_cancer_wisconsin(as_frame=True).frame
    frame.to_csv(folder / "training.csv", index=False)
    target = frame.columns[-1]
    fit = [
        "fit",
        "training.csv",
        "--target",
        target,
        "--error-free",
        "--max-hidden",
        "3",
        "--folds",
        "0",
        "--quiet",
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert _run([*fit, "-o", "model.json"]) == 0
    load_breast_cancer_wisconsin(incomplete="keep", as_frame=True).data[:60].to_csv(
        folder / "lacking.csv", index=False
    )
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    def command(*arguments):
        code = _run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    monkeypatch.chdir(folder)
    return command


def row_text(values):
    names = load_breast_cancer_wisconsin().feature_names
    return ",".join(f"{name}={value:g}" for name, value in zip(names, values, strict=True))


def test_a_row_is_explained_by_name_and_by_position(run):
    X, _ = load_breast_cancer_wisconsin(return_X_y=True)
    code, by_name, _ = run("explain", "model.json", "--row", row_text(X[0]))
    assert code == 0
    assert by_name.startswith("The answer is 'benign'.")
    assert "unit 3" not in by_name
    assert "It would be 'malignant' if " in by_name
    assert "unit 3" in run("explain", "model.json", "--row", row_text(X[0]), "--verbose")[1]
    assert run("explain", "model.json", "--row", ",".join(map(str, X[0])))[1] == by_name


def test_the_flip_keeps_to_the_inputs_and_ranges_that_are_given(run):
    X, _ = load_breast_cancer_wisconsin(return_X_y=True)
    code, text, _ = run(
        "explain", "model.json", "--row", row_text(X[0]), "--features", "bare_nuclei, mitoses"
    )
    assert code == 0
    told = text[text.index("It would be ") :]
    assert "bare_nuclei" in told
    assert "clump_thickness" not in told
    code, text, _ = run(
        "explain", "model.json", "--row", row_text(X[0]), "--features", "mitoses", "--range", "mitoses=1:1"
    )
    assert "No change in whole steps within these limits gives another answer." in " ".join(text.split())


def test_the_fewest_columns_change_if_asked(run):
    X, _ = load_breast_cancer_wisconsin(return_X_y=True)
    code, text, _ = run("explain", "model.json", "--row", row_text(X[0]), "--change", "fewest")
    assert code == 0
    few = explain(load_network("model.json"), X[0], change="fewest")
    assert " ".join(few.text().split()) == " ".join(text.split())
    assert len(few.changes) < len(explain(load_network("model.json"), X[0]).changes)
    assert all(isinstance(value, int) for pair in few.changes.values() for value in pair)


def test_what_training_has_not_seen_is_told(run):
    """A clump thickness of 630 was answered as any other."""
    code, text, _ = run("explain", "model.json", "--row", "630,1,1,1,1,1,1,1,1")
    assert code == 0
    assert (
        "Caution: clump_thickness 630 is outside of the range of the training rows, 1 to 10; the answer is "
        "an extrapolation." in " ".join(text.split())
    )
    rows = pd.read_csv("training.csv").iloc[:20, :9]
    rows.to_csv("usual.csv", index=False)
    code, _, error = run("predict", "model.json", "usual.csv", "-o", "answers.csv")
    assert (code, error) == (0, "")
    rows.loc[:2, "mitoses"] = [99, 0, 70]
    rows.to_csv("odd.csv", index=False)
    code, _, error = run("predict", "model.json", "odd.csv", "-o", "answers.csv")
    assert code == 0
    assert (
        "3 of 20 rows lie outside of what training has seen: mitoses above 10 in 2 and mitoses below 1 in 1; "
        "the answers to them are extrapolations" in " ".join(error.split())
    )
    assert run("predict", "model.json", "odd.csv", "-o", "answers.csv", "--quiet")[2] == ""


def test_a_row_that_lacks_a_value_says_what_it_can_be(run):
    X, _ = load_breast_cancer_wisconsin(incomplete="only", return_X_y=True)
    network = load_network("model.json")
    shares = integrate(network, X)
    code, text, _ = run(
        "explain", "model.json", "--row", ",".join("" if np.isnan(v) else str(v) for v in X[5])
    )
    assert code == 0
    assert text.startswith("missing: bare_nuclei\n")
    assert "bare_nuclei" in text.splitlines()[1]
    label = network.classes[shares[5].argmax()]
    assert "certain" in text or f"most probable, given the other values: {label}" in text


def test_of_a_row_that_lacks_values_what_is_known_may_change(run):
    code, text, _ = run("explain", "model.json", "--row", "1,1,1,1,1,,1,1,1", "--features", "mitoses")
    assert code == 0
    told = " ".join(text.split())
    assert "missing: bare_nuclei" in told
    assert "with what is expected, bare_nuclei 1, the answer is 'benign'" in told
    assert "No change in whole steps within these limits gives another answer." in told
    code, text, _ = run("explain", "model.json", "--row", "1,1,1,1,1,,1,1,1")
    told = text[text.index("It would be ") :]
    assert "It would be 'malignant' if" in told
    assert "bare_nuclei" not in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--row", "1,2"], "expected NAME=VALUE,NAME=VALUE,... or 9 values in the order 'clump_thickness'"),
        (
            ["--row", "mitoses=1,colour=red"],
            "there is no column for 'colour=red'; the columns are 'clump_thickness'",
        ),
        (["--row", "mitoses=1,mitoses=2"], "--row gives the column 'mitoses' twice"),
        (["--row", "mitoses=many"], "expected a number, got 'many' in column 'mitoses'"),
        (
            ["--row", "1,1,1,1,1,1,1,1,1", "--features", "colour"],
            "there is no column or input 'colour'; the columns are",
        ),
        (["--row", "clump=5"], "there is no column for 'clump=5'"),
        (["--row", "1,1,1,1,1,1,1,1,1", "--range", "mitoses=1"], "--range mitoses=1: expected NAME=LOW:HIGH"),
        (
            ["--row", "1,1,1,1,1,1,1,1,1", "--range", "mitoses=a:2"],
            "--range mitoses=a:2: expected NAME=LOW:HIGH",
        ),
        (["--row", "1,1,1,1,1,1,1,1,1", "--range", "x=1:2"], "--range x=1:2: expected NAME=LOW:HIGH"),
    ],
)
def test_what_is_wrong_with_a_row_is_named(run, arguments, message):
    code, out, error = run("explain", "model.json", *arguments)
    assert code == 2
    assert out == ""
    assert message in error


def test_names_may_have_signs_of_equality_and_values_be_quoted():
    names = LAYOUT.sources

    def row(text):
        cells = read_row(text, LAYOUT)
        assert set(names) <= cells.keys()
        return [cells[name] for name in names]

    assert row('size=1.5,a=b=2,"colour=red",ok=true') == ["1.5", "red", "2", "true"]
    assert row("a=b = 3") == ["", "", "3", ""]
    assert row("size = 1.5, ok = false") == ["1.5", "", "", "false"]
    assert row("?,blue,,true") == ["?", "blue", "", "true"]
    # What was left out may be there, as it is in a row of the table.
    assert row("1,blue,2,some note,true") == ["1", "blue", "2", "true"]
    assert row("note=x,ok=true") == ["", "", "", "true"]


def test_ranges_may_be_open():
    network = Network([[0.0] + [1.0] * 5], PASS_ON, [0, 1]).with_layout(LAYOUT)
    ranges = read_ranges(["size=:3", "a=b=-1e3:"], network)
    assert ranges == {"size": (None, 3.0), "a=b": (-1000.0, None)}


def test_inspect_shows_the_rules_of_small_networks(run, tmp_path):
    names = ("left", "right")
    corner = Network(
        [[-1.0, 1.0, 0.0], [-2.0, 0.0, 1.0]], [[-1.0, 1.0, 1.0]], ["out", "in"], feature_names=names
    )
    save_network(corner, tmp_path / "corner.json")
    code, text, _ = run("inspect", tmp_path / "corner.json")
    assert code == 0
    assert "IF left ≥ 1 AND right ≥ 2 THEN in\nELSE out" in text
    many = Network(np.ones((9, 3)), np.ones((1, 10)), ["out", "in"], feature_names=names)
    save_network(many, tmp_path / "many.json")
    code, text, _ = run("inspect", tmp_path / "many.json")
    assert code == 0
    assert "THEN" not in text


def test_predict_integrates_over_what_rows_lack(run):
    code, _, error = run("predict", "model.json", "lacking.csv", "-o", "answers.csv", "--missing", "error")
    assert code == 2
    assert re.search(r"a missing value .* is not allowed .* in column 'bare_nuclei', row 24 \(rows", error)
    code, _, _ = run("predict", "model.json", "lacking.csv", "-o", "answers.csv", "--missing", "integrate")
    assert code == 0
    assert run("predict", "model.json", "lacking.csv", "-o", "usual.csv")[0] == 0
    usual = pd.read_csv("usual.csv")  # training had no gaps: nothing is known of one
    pd.testing.assert_frame_equal(usual, pd.read_csv("answers.csv"))
    answers = pd.read_csv("answers.csv")
    X = pd.read_csv("lacking.csv").to_numpy()
    network, lacking = load_network("model.json"), np.isnan(X).any(axis=1)
    assert lacking.any()
    assert (answers["complete"] == ~lacking).all()
    assert (answers["prediction"][~lacking] == network.predict(X[~lacking])).all()
    shares = integrate(network, X[lacking])
    assert (answers["prediction"][lacking] == network.classes[shares.argmax(axis=1)]).all()
    assert ((answers["decision"][lacking] > 0) == (shares[:, 1] > 0.5)).all()
    code, _, _ = run(
        "predict", "model.json", "training.csv", "-o", "all.csv", "--missing", "integrate", "--quiet"
    )
    assert code == 0
    assert "complete" not in pd.read_csv("all.csv")


@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("many", [True, False])
def test_predict_of_every_kind_of_model_fills_its_columns(tmp_path, monkeypatch, many, calibrated):
    from sklearn.datasets import load_iris

    monkeypatch.chdir(tmp_path)
    X, y = load_iris(return_X_y=True)
    rows = slice(None) if many else slice(0, 100)
    clf = NetLinesClassifier(max_hidden=1, probability=calibrated, multiclass="tree").fit(X[rows], y[rows])
    layout = Layout(tuple("abcd"), tuple(Column(name, "number") for name in "abcd"), target="kind")
    save_network(clf.network_.with_layout(layout), "model.json")
    frame = pd.DataFrame(X[::10], columns=list("abcd"))
    frame.loc[::3, "c"] = np.nan
    frame.to_csv("new.csv", index=False)
    assert (
        _run(["predict", "model.json", "new.csv", "-o", "answers.csv", "--missing", "integrate", "--quiet"])
        == 0
    )
    frame.dropna().to_csv("complete.csv", index=False)
    assert _run(["predict", "model.json", "complete.csv", "-o", "known.csv", "--quiet"]) == 0
    answers, known = pd.read_csv("answers.csv"), pd.read_csv("known.csv")
    assert [*known.columns, "complete"] == answers.columns.tolist()
    same = answers[answers["complete"]].drop(columns="complete").reset_index(drop=True)
    pd.testing.assert_frame_equal(same, known)
    assert answers.drop(columns="c").notna().all(axis=None)
    json.loads((tmp_path / "model.json").read_text())


def test_a_category_changes_as_a_whole(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    colours = np.array(["blue", "green", "red"] * 20)
    size = np.linspace(0, 1, 60).round(3)
    answer = np.where(colours == "red", "yes", "no")
    pd.DataFrame({"colour": colours, "size": size, "answer": answer}).to_csv("t.csv", index=False)
    assert _run(["fit", "t.csv", "--target", "answer", "-o", "m.json", "--folds", "0", "--quiet"]) == 0
    assert _run(["explain", "m.json", "--row", "colour=red,size=0.5", "--features", "colour"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert re.search("It would be 'no' if colour were (blue|green) instead of red", text)
    assert _run(["explain", "m.json", "--row", "colour=red,size=0.5", "--change", "any"]) == 0
    assert re.search("colour=red (were )?0.[0-9]+ instead of 1", " ".join(capsys.readouterr().out.split()))


TABLES = {
    "breast cancer": load_breast_cancer_wisconsin,
    "diabetes": load_pima_diabetes,
    "iris": load_iris,
    "monks": lambda **options: load_monks(1, **options),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", TABLES)
def test_all_tell_the_same_nearest_other_answer(name, tmp_path, capsys):
    """`explain`, `netlines explain` and the report mean the same by it, whatever rows are reported on."""
    X, y = TABLES[name](return_X_y=True, as_frame=True)
    X, y = X.astype(float), np.asarray(y)
    clf = NetLinesClassifier(random_state=0, max_hidden=3).fit(X[:150], y[:150])
    network = clf.network_
    save_network(network, tmp_path / "model.json")
    evidence = gather(network, clf, X[20:60], y[20:60], folds=0)
    for number in range(20, 25):
        told = explain(clf, X.iloc[number])
        values = ",".join(map(repr, X.iloc[number].tolist()))
        assert _run(["explain", str(tmp_path / "model.json"), "--row", values]) == 0
        assert capsys.readouterr().out.strip() == told.text(width=120)
        said = other_answer(evidence, X.iloc[number].to_numpy())
        assert said == change_text(told, 3)


@pytest.mark.parametrize("row", ["1,red,2,yes\n2,red,2,yes", "1,red\r,2,yes"])
def test_a_row_of_several_lines_is_refused(row):
    with pytest.raises(ValueError, match=r"--row .*: expected one row"):
        read_row(row, LAYOUT)
