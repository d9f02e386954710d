"""Tables as people have them: what the commands tell of columns, options for them, gaps, streams."""

import io
import re
import warnings

import numpy as np
import pandas as pd
import pytest

from netlines.cli import _run
from netlines.cli.fitting import fresh_classifier
from netlines.cli.tables import few_rows_notice
from netlines.export.model_file import load_network, read_model_file
from netlines.inspection.answers import Answers
from netlines.tables.encode import encode
from netlines.tables.frames import as_raw

QUICK = ["--error-free", "--max-hidden", "1", "--folds", "0"]


def patients():
    """Keys, numbers, gaps that tell the class, dates, a constant, and classes 0 and 1; three are missing."""
    random = np.random.default_rng(0)
    ill = random.random(90) < 0.5
    dose = (random.uniform(1, 9, 90) + 3 * ill).round(2).astype(str)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 80, 90), "D")
    return pd.DataFrame(
        {
            "patient": [f"P{k:04d}" for k in random.permutation(90)],
            "age": random.integers(20, 80, 90),
            "sex": random.choice(["male", "female"], 90),
            "dose": np.where(ill & (random.random(90) < 0.6), "", dose),
            "seen": [f"{day.day}.{day.month}.{day.year}" for day in days],
            "unit": "cm",
            "grade": random.choice(["1", "2", "3"], 90),
            "answer": np.where(np.arange(90) % 30 == 0, "", ill.astype(int).astype(str)),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with patients.csv, of semicolons, and a model.json of them whose classes have names."""
    folder = tmp_path_factory.mktemp("tables")
    patients().to_csv(folder / "patients.csv", sep=";", index=False)
    fit = ["fit", "patients.csv", "--target", "answer", "--labels", "0=well,1=ill", "-o", "model.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert _run([*fit, "--max-hidden", "1", "--folds", "0", "--quiet"]) == 0
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """The command without a process of its own: returns the exit code, stdout and stderr."""

    def command(*arguments):
        code = _run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    monkeypatch.chdir(folder)
    return command


def words(text):
    return " ".join(text.split())


NOTICES = [
    "netlines: cells are divided by semicolons",
    "netlines: 3 rows have no value in the target 'answer', left out",
    "netlines: patient: 87 different texts in 87 rows, left out",
    "netlines: unit: 'cm' in all rows, left out",
]


def test_fit_tells_what_it_did_with_the_table_and_what_to_do_next(run):
    code, text, stderr = run("fit", "patients.csv", "--target", "answer", "-o", "new model.json", *QUICK)
    assert code == 0
    assert stderr.splitlines() == [*NOTICES, "netlines: training: growing the network"]
    assert text.splitlines()[-2:] == [
        "the model is in new model.json; next, a page about it:",
        "netlines report 'new model.json' --data patients.csv -o 'new model.html'",
    ]
    model = read_model_file("new model.json")
    assert model.facts.rows == 87
    assert model.network.classes.tolist() == [0, 1]
    assert dict(model.network.layout.left_out) == {
        **{"patient": "87 different texts in 87 rows", "unit": "'cm' in all rows"}
    }
    assert model.network.layout.sources == ("age", "sex", "dose", "seen", "grade")
    quiet = ["fit", "patients.csv", "--target", "answer", "-o", "new model.json", *QUICK, "--quiet"]
    assert run(*quiet) == (0, "", "")


def test_describe_says_what_fit_would_do(run):
    code, text, stderr = run("describe", "patients.csv", "--target", "answer")
    assert code == 0
    assert stderr.splitlines() == NOTICES[:2]
    for said in (
        "patients.csv: 87 rows, 7 columns beside the target 'answer'",
        "age whole number",
        "sex 2 categories",
        "dose number",
        "seen date 2024-01-01 to",
        "patient: 87 different texts in 87 rows",
        "unit: 'cm' in all rows",
        "to fit a classifier to it, type netlines fit patients.csv --target answer -o model.json",
    ):
        assert said in words(text)
    inputs = len(load_network("model.json").feature_names)
    assert f"5 columns become {inputs} inputs, 2 are left out" in text
    (line,) = re.findall(r"dose +number.*", text)
    assert re.search(r" 24 +2 inputs", line)


@pytest.mark.slow
def test_describe_writes_a_page(run, folder):
    code, text, _ = run("describe", "patients.csv", "--target", "answer", "-o", "columns.html")
    assert code == 0
    assert text.endswith("the page is in columns.html\n")
    page = (folder / "columns.html").read_text(encoding="utf-8")
    assert "The columns of patients.csv" in page
    assert "</html>" in page


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--drop", "age,seen", "--drop", "sex"],
            ["2 columns become 3 inputs, 5 are left out", "age: as asked"],
        ),
        (["--only", "age,grade"], ["2 columns become 2 inputs, 5 are left out", "sex: not among --only"]),
        (["--categorical", "grade"], ["grade 3 categories", "3 inputs"]),
        (["--categorical", "patient"], ["patient 87 categories"]),
        (["--date", "age"], ["error: expected a date such as 2024-12-31, got '"]),
        (["--numeric", "unit"], ["error: expected a number, got 'cm' in column 'unit', row "]),
        (["--missing", "integrate"], ["dose number 1.13 to 11.96 24 1 input"]),
        (["--missing", "error"], ["error: expected a value, got None in column 'dose', row "]),
        (["--labels", "0=well,1=ill"], ["class rows share ill 4", "well 4"]),
        (["--only", "age", "--drop", "age"], ["error: X has no column that is left to learn from"]),
    ],
    ids=str,
)
def test_columns_are_taken_as_the_user_says(run, options, says):
    code, text, stderr = run("describe", "patients.csv", "--target", "answer", *options)
    assert code == (2 if says[0].startswith("error") else 0)
    for said in says:
        assert said in words(text + stderr)


def test_what_the_user_says_of_columns_is_remembered(run):
    frame = patients().assign(**{"start, or so": [f"202401{k % 28 + 1:02d}" for k in range(90)]})
    frame.to_csv("started.csv", index=False)
    options = ["--drop", "seen, sex", "--categorical", "grade", "--numeric", "age", "--date", "start, or so"]
    code, _, stderr = run("fit", "started.csv", "--target", "answer", "-o", "started.json", *QUICK, *options)
    assert code == 0
    assert "seen" not in stderr  # what was asked for is no news
    layout = load_network("started.json").layout
    assert layout.feature_names[:6] == ("age", "dose", "dose is missing", "grade=1", "grade=2", "grade=3")
    assert {column.origin: column.kind for column in layout.columns[:3]} == {
        **{"age": "number", "dose": "number", "grade": "category"}
    }
    assert layout.columns[3].name == "start, or so: days since 2024-01-01"
    assert dict(layout.left_out)["seen"] == dict(layout.left_out)["sex"] == "as asked"
    assert run("predict", "started.json", "started.csv", "-o", "started.parquet", "--quiet")[0] == 0


def test_classes_have_the_names_that_they_were_given(run):
    network = load_network("model.json")
    assert network.classes.tolist() == ["ill", "well"]
    assert network.layout.labels == (("0", "well"), ("1", "ill"))
    assert run("predict", "model.json", "patients.csv", "-o", "named.csv", "--quiet") == (0, "", "")
    answers = pd.read_csv("named.csv", dtype=str)
    known = answers[answers["answer"].notna()]
    right = known["prediction"] == known["answer"].map({"0": "well", "1": "ill"})
    code, text, stderr = run("evaluate", "model.json", "patients.csv")
    assert (code, stderr) == (0, f"{NOTICES[0]}\n")
    wrong = int((~right).sum())
    assert f"error {100 * wrong / 87:.1f} % (95 % interval" in text
    assert f", {wrong} of 87 rows; always answering 'well' errs on" in words(text)
    assert "87 rows are judged; 3 more have no label and are left out" in text
    code, moved, _ = run("evaluate", "model.json", "patients.csv", "--priors", "ill=0.999,well=0.001")
    assert code == 0
    assert moved != text


@pytest.mark.parametrize("missing", ["auto", "integrate"])
def test_gaps_and_columns_that_are_not_there(run, missing):
    table = patients().drop(columns=["answer", "unit", "patient"]).astype(object)
    table.loc[:4, "age"] = "?"
    table.to_csv("gaps.csv", index=False)
    code, _, stderr = run("predict", "model.json", "gaps.csv", "-o", "g.csv", "--missing", missing)
    assert (code, stderr) == (0, "")
    network, answers = load_network("model.json"), pd.read_csv("g.csv")
    inputs = encode(as_raw(table), network.layout, known=missing == "auto").inputs
    assert answers["prediction"].tolist() == Answers(network, inputs).labels().tolist()
    lacking = (table["age"] == "?") | ((table["dose"] == "") & (missing == "integrate"))
    assert (answers["complete"] == ~lacking).all()
    table.drop(columns="dose").to_csv("fewer.csv", index=False)
    code, _, stderr = run("predict", "model.json", "fewer.csv", "-o", "f.csv", "--missing", missing)
    if missing == "auto":
        assert code == 2
        assert "the table lacks the column 'dose'; it has 'age', 'sex', 'seen', 'grade'" in stderr
    else:
        assert code == 0
        assert not pd.read_csv("f.csv")["complete"].any()


def test_predict_does_with_gaps_as_the_fit_was_told(run):
    table = patients().drop(columns="dose")
    table.to_csv("whole.csv", index=False)
    fit = ["fit", "whole.csv", "--target", "answer", "-o", "strict.json", *QUICK, "--quiet"]
    assert run(*fit, "--missing", "error")[0] == 0
    assert read_model_file("strict.json").metadata["missing"] == "error"
    table.astype(object).assign(age="").to_csv("aged.csv", index=False)
    code, _, stderr = run("predict", "strict.json", "aged.csv", "--quiet")
    assert code == 2
    assert "is not allowed here" in stderr
    assert "in column 'age', row 1 (rows are counted from 1 without the header)" in stderr
    assert run("predict", "strict.json", "aged.csv", "-o", "a.csv", "--quiet", "--missing", "auto")[0] == 0


def test_a_category_that_training_had_not_is_told_unless_it_is_an_error(run):
    patients().assign(sex="other").to_csv("other.csv", index=False)
    code, _, stderr = run("predict", "model.json", "other.csv", "-o", "o.csv")
    assert code == 0
    first, second = stderr.splitlines()
    assert first == "netlines: sex: 90 rows have a value that training had not ('other'), taken as missing"
    assert second == (
        "netlines: 90 of 90 rows lie outside of what training has seen: sex with a value that training had "
        "not in 90; the answers to them are extrapolations"
    )
    assert not pd.read_csv("o.csv")["complete"].any()
    code, _, stderr = run("evaluate", "model.json", "other.csv", "--strict")
    assert code == 2
    assert (
        "expected a value that training had ('female', 'male'), got 'other' in column 'sex', row 1" in stderr
    )


def test_without_an_output_the_table_goes_to_standard_output(run, folder, monkeypatch):
    assert run("predict", "model.json", "patients.csv", "-o", "file.csv", "--quiet") == (0, "", "")
    code, text, stderr = run("predict", "model.json", "patients.csv")
    assert code == 0
    assert text == (folder / "file.csv").read_text()
    _, summary, truth = stderr.splitlines()
    assert summary.startswith("netlines: 90 rows, ")
    assert truth.startswith("netlines: error ")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((folder / "patients.csv").read_bytes())))
    assert run("predict", "model.json", "-", "--quiet") == (0, text, "")


def test_texts_are_written_as_they_were_read_if_that_is_wanted(run):
    patients().assign(note="=1+1").to_csv("formula.csv", index=False)
    _, safe, _ = run("predict", "model.json", "formula.csv", "--quiet")
    _, raw, _ = run("predict", "model.json", "formula.csv", "--quiet", "--raw")
    assert set(pd.read_csv(io.StringIO(safe))["note"]) == {"'=1+1"}
    assert set(pd.read_csv(io.StringIO(raw))["note"]) == {"=1+1"}


def test_how_a_text_is_written_can_be_said(run):
    frame = patients()[["age", "sex", "answer"]].assign(size=[f"{k % 7},{k % 3}25" for k in range(90)])
    frame.to_csv("odd.txt", sep="~", index=False, encoding="utf-16")
    said = ["--sep", "~", "--decimal", "comma", "--encoding", "utf-16"]
    code, text, _ = run("describe", "odd.txt", "--target", "answer", *said)
    assert code == 0
    assert "size number 0.025 to 6.225" in words(text)


def test_weights_of_classes_are_remembered_for_the_report(run):
    fit = ["fit", "patients.csv", "--target", "answer", "-o", "weighted.json", *QUICK, "--quiet"]
    assert run(*fit, "--class-weight", "1=3,0=0.5") == (0, "", "")
    options = read_model_file("weighted.json").facts.options
    assert options["class_weights"] == [0.5, 3.0]
    assert fresh_classifier(options, 0, [0, 1]).class_weight == {0: 0.5, 1: 3.0}
    with pytest.raises(ValueError, match="the model file has 2 weights of its 3 classes"):
        fresh_classifier(options, 0, [0, 1, 2])
    assert run(*fit, "--class-weight", "balanced") == (0, "", "")
    options = read_model_file("weighted.json").facts.options
    assert fresh_classifier(options, 0, [0, 1]).class_weight == "balanced"


@pytest.mark.slow
def test_a_report_tells_of_the_columns(run, folder):
    command = ["report", "model.json", "--data", "patients.csv", "-o", "page.html", "--folds", "2"]
    code, text, stderr = run(*command)
    assert (code, text) == (0, "the report is page.html\n")
    assert stderr.splitlines() == NOTICES[:2]
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "clf.predict(frame)  # with the columns age, sex, dose, seen, grade" in page
    assert "netlines predict model.json new.csv -o answers.csv" in page


def test_a_class_of_one_row_is_told():
    notice = "class 'c' has one row of 12 rows, too few to check what is learnt"
    (line,) = few_rows_notice(["a"] * 6 + ["b"] * 5 + ["c"])
    assert line.startswith(notice)
    assert few_rows_notice(["a"] * 6 + ["b"] * 5 + ["c"] * 2) == []
    assert few_rows_notice(["a"] * 11 + ["b"]) == []  # two classes need both
    assert few_rows_notice(["a"] * 4 + ["b"] * 4 + ["c"]) == []  # fewer than ten rows


def test_a_row_as_the_table_has_it_is_explained(run):
    row = "age=40,sex=male,dose=3.5,seen=5.2.2024,grade=2"
    code, text, stderr = run("explain", "model.json", "--row", row)
    assert (code, stderr) == (0, "")
    assert text.startswith("The answer is '")
    whole = "P0001,40,male,3.5,5.2.2024,cm,2"  # all columns of the table, those that were left out too
    assert run("explain", "model.json", "--row", whole) == (0, text, "")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        lacking = row.replace("male", "other").replace("40", "")
        code, text, stderr = run("explain", "model.json", "--row", lacking)
    assert code == 0
    assert text.startswith("missing: age, sex\n")
    assert stderr == ""
    assert "Caution: sex other was not seen in training and counts as missing;" in " ".join(text.split())
    code, _, stderr = run("explain", "model.json", "--row", row.replace("5.2.2024", "soon"))
    assert code == 2
    assert "expected a date such as 2024-12-31, got 'soon' in column 'seen'" in stderr
