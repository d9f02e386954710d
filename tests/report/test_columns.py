"""What is said of a table before training: kinds, numbers of each column alone, the text and the page."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from netlines.cli.describing import describe_table, description_text
from netlines.report import columns
from netlines.report.columns import columns_page
from netlines.report.description import describe
from netlines.tables.frames import as_raw
from netlines.tables.learn import learn_table


def messy(n=400):
    """Return a table with a bit of everything, and rows without a class."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(n) < 0.3, "well", "ill")
    sick = y == "ill"
    frame = pd.DataFrame(
        {
            "patient_id": np.arange(n) + 1000,
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 90, n) + 9 * sick),
            "dose": np.where(sick & (rng.random(n) < 0.4), np.nan, rng.lognormal(0, 3, n)),
            "sex": rng.choice(["female", "male"], n),
            "ward": np.where(rng.random(n) < 0.1, None, np.where(sick, rng.choice(list("ABC"), n), "A")),
            "town": rng.choice([f"town {k}" for k in range(40)], n),
            "admitted": pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 700, n), "D"),
            "seen": [f"{hour:02d}:30" for hour in rng.integers(0, 24, n)],
            "smokes": rng.choice([True, False], n),
            "name": [f"Person {k}" for k in range(n)],
            "country": "DE",
            "lab \x1b[31m\n<b>$x$": rng.normal(size=n),
            "outcome": y,
        }
    )
    frame.loc[[3, 7], "outcome"] = None
    return frame


@pytest.fixture(scope="module")
def described():
    return describe(as_raw(messy()), None, target="outcome")


def test_columns_are_called_what_they_are(described):
    by_name = {one.name: one for one in described.columns}
    words = {name: (one.seen.words(not one.left_out), one.becomes) for name, one in by_name.items()}
    assert words["age"] == ("whole number", "1 input")
    assert words["dose"] == ("number", "2 inputs")  # it is missing in one class only
    assert words["sex"] == ("2 categories", "1 input")
    assert words["admitted"] == ("date", "20 inputs")
    assert words["seen"] == ("time of day", "1 input")
    assert words["smokes"] == ("yes/no", "1 input")
    assert words["name"] == ("398 texts", "left out")
    assert {one.name for one in described.columns if one.left_out} == {"patient_id", "name", "country"}
    assert (described.n_rows, described.n_unlabelled, described.labels) == (398, 2, ("ill", "well"))
    assert "one more input says that it is; it then counts as" in by_name["dose"].why
    assert by_name["country"].why == "Left out: 'DE' in all rows."


def test_a_number_alone_has_the_auc_of_scikit_learn(described):
    frame = messy().dropna(subset="outcome")
    by_name = {one.name: one for one in described.columns}
    for name in ("age", "dose"):
        own = frame.dropna(subset=name)
        auc = roc_auc_score(own["outcome"] == "well", own[name])
        alone = by_name[name].alone
        assert (alone.auc, alone.higher) == pytest.approx((max(auc, 1 - auc), auc >= 0.5))
        assert f"in {100 * alone.auc:.0f} % of all pairs (AUC {alone.auc:.2f})" in alone.sentence()
    species = describe(as_raw(own.drop(columns="outcome")), np.arange(len(own)) % 3, target="y")
    alone = next(one.alone for one in species.columns if one.name == "age")
    there = own["age"].notna().to_numpy()
    every = [roc_auc_score((np.arange(len(own)) % 3 == k)[there], own["age"][there]) for k in range(3)]
    assert alone.auc == pytest.approx(0.5 + max(abs(one - 0.5) for one in every))


def test_a_category_alone_errs_as_its_majorities_do(described):
    frame = messy().dropna(subset="outcome")
    alone = next(one.alone for one in described.columns if one.name == "ward")
    groups = frame.groupby(frame["ward"].fillna("(none)"))["outcome"]
    assert alone.error == pytest.approx(1 - sum(Counter(own).most_common(1)[0][1] for _, own in groups) / 398)
    shares = {ward: (own == "well").mean() for ward, own in groups}
    low, high = min(shares.values()), max(shares.values())
    n = (frame["ward"] == "A").sum()
    assert f"runs from {100 * low:.0f} %" in alone.sentence()
    assert f"to {100 * high:.0f} % of {n} rows with 'A'" in alone.sentence()


def test_a_text_fits_80_columns_and_ends_in_the_next_command(described):
    text = description_text(described, "my table.csv", 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert text.startswith("my table.csv: 398 rows, 12 columns beside the target 'outcome'; 2 more rows have")
    assert re.search(r"well +\d+ +\d+\.\d %", text)
    frame = messy().dropna(subset="outcome")
    labels = (frame["outcome"] == "well").to_numpy().astype(int)
    n_inputs = learn_table(as_raw(frame.drop(columns="outcome")), labels=labels).inputs.shape[1]
    assert f"9 columns become {n_inputs} inputs, 3 are left out" in text
    assert "  name: 398 different texts in 398 rows" in text
    assert text.endswith("  netlines fit 'my table.csv' --target outcome -o model.json")


def test_a_wide_table_is_told_by_its_first_columns(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(50, 200)), columns=[f"gene {k}" for k in range(200)])
    frame["kind"], frame["same"] = rng.choice(list("abc"), 50), 1
    found = describe(as_raw(frame), rng.integers(0, 2, 50), target="y")
    text = " ".join(description_text(found, "wide.csv", 80).split())
    assert "gene 39 number" in text
    assert "gene 40 number" not in text
    assert "and 160 more columns of numbers, 1 column of categories and 1 column that is left out" in text
    monkeypatch.setattr(columns, "MOST_DRAWN", 3)
    page = columns.columns_page(found, title="wide")
    assert page.count("<svg") == 3
    assert "These are the first 3 of 201 columns." in page


@pytest.mark.parametrize(
    ("cells", "y", "said"),
    [
        ({"a": [1.0], "b": ["x"]}, ["k"], "All rows are of class 'k'"),
        ({"a": [1, 2, 3]}, ["k", "k", "k"], "All rows are of class 'k'"),
        (
            {"a": [None] * 3, "b": [np.nan] * 3},
            list("kll"),
            "X has no column that is left to learn from (a: no values; b: no values)",
        ),
        ({"a": [1, 2, 3]}, [None] * 3, "No row has a value of the target 'y'"),
        ({"a": [1, 2, np.inf]}, list("kll"), "expected a finite number, got inf in column 'a', row 2"),
        ({"a": [[1], 2, 3], "b": [1, 2, 4]}, list("kll"), "The column 'a' cannot be read"),
        ({"a": range(60)}, np.arange(60) / 7, "60 different values in 60 rows: it looks like a measurement"),
        ({"a": [1, 2, 3, 5]}, list("klll"), "classes with so few rows: 'k' (1 row) and 'l' (3 rows)"),
        ({}, list("klll"), "there is no column beside the target"),
    ],
)
def test_of_a_bad_table_is_said_what_is_wrong(cells, y, said):
    frame = pd.DataFrame({**cells, "y": pd.Series(list(y), dtype=object)})
    found = describe(as_raw(frame), None, target="y")
    assert said in " ".join(found.problems)
    assert said in " ".join(description_text(found, "bad.csv", 80).split())
    assert "<h1>bad</h1>" in columns_page(found, title="bad", commands=["netlines fit"])
    assert len(found.labels) > 1 or not found.is_usable


def test_a_page_has_a_picture_of_every_column_and_no_links_to_elsewhere(described):
    begun = []
    page = columns_page(
        described, title="<my> table", commands=["a < b"], begin=lambda *all: begun.append(all)
    )
    headings = ["The classes", "The columns", "Column by column", "What is left out", "What to do next"]
    assert re.findall(r"<h2[^>]*>([^<]+)</h2>", page) == headings
    assert page.count("<svg") == page.count("<h3") == len(begun) == 9
    assert begun[0] == (0, "age", 9)
    bare = re.sub(r'xmlns(:\w+)?="[^"]+"', "", page)
    assert not re.search(r"https?://|//[a-z]+\.|@import|<script[^>]* src|\x1b", bare)
    assert "&lt;my&gt; table" in page
    assert "<b>$x$" not in page
    assert "the hatched one of rows without a value" in page
    assert "equal steps to the right are equal factors" in page  # of the doses
    assert "counted on these very rows" in page


def test_far_values_are_drawn_at_the_ends_and_counted():
    values = np.r_[np.linspace(-1, 1, 998), 500.0, -500.0]
    found = describe(as_raw(pd.DataFrame({"a": values})), np.arange(1000) % 2, target="y")
    assert "2 values further out are drawn at the ends." in columns_page(found, title="far")


def test_the_command_prints_and_writes(tmp_path, capsys):
    frame = messy().dropna(subset="outcome")[["age", "sex", "outcome"]]
    rows, page = as_raw(frame[["age", "sex"]]), tmp_path / "page.html"
    describe_table(rows, None, frame["outcome"].to_numpy(), "outcome", tmp_path / "in.csv", page)
    said = capsys.readouterr().out
    assert "2 columns become 2 inputs, none is left out" in said
    assert f"the page is in {page}" in said
    assert page.read_text(encoding="utf-8").count("<svg") == 2
