"""Messy tables through the command line: a model or one line, nothing left out in silence, the same answers
in Python.
"""

import warnings

import pandas as pd
import pytest
from messy import TABLES, TARGET, write

from netlines import load_model
from netlines.cli import _run
from netlines.cli.tables import Dialect, open_table
from netlines.tables.encode import TableWarning

QUICK = ["--error-free", "--max-hidden", "1", "--folds", "0"]


@pytest.mark.parametrize("name", TABLES)
def test_a_messy_table_becomes_a_model_or_one_line(name, tmp_path, monkeypatch, capsys):
    messy, path = TABLES[name], write(name, tmp_path)
    monkeypatch.chdir(tmp_path)
    code = _run(["fit", str(path), "--target", TARGET, "-o", "m.json", *QUICK, *messy.options])
    lines = [line for line in capsys.readouterr().err.splitlines() if "training:" not in line]
    if messy.refused:
        assert code == 2
        (line,) = [line for line in lines if "error:" in line]
        assert messy.refused in line
        return
    assert code == 0, lines
    for words in messy.says:
        assert sum(words in line for line in lines) == 1, (words, lines)
    network = load_model("m.json").network
    found = [name for name in network.feature_names if "month" not in name and "weekday" not in name]
    found = [name for name in found if name != "visit: hour"]
    assert len(found) == len(messy.inputs)
    for have, want in zip(found, messy.inputs, strict=True):
        assert have.startswith(want) if want.endswith("since") else have == want
    kept = {*network.layout.sources, *(name for name, _ in network.layout.left_out)}
    assert kept == set(network.layout.names)
    for name, _ in network.layout.left_out:
        asked = "--drop" in messy.options
        assert asked or any(line.startswith(f"netlines: {name}: ") for line in lines)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", [name for name, messy in TABLES.items() if not messy.refused])
def test_the_command_line_and_python_answer_alike(name, tmp_path, monkeypatch):
    path, options = write(name, tmp_path), TABLES[name].options
    monkeypatch.chdir(tmp_path)
    assert _run(["fit", str(path), "--target", TARGET, "-o", "m.json", *QUICK, "--quiet", *options]) == 0
    assert _run(["predict", "m.json", str(path), "-o", "answers.parquet", "--quiet"]) == 0
    table, _ = open_table(path, Dialect(), quiet=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        answers = load_model("m.json").predict(table.frame[table.columns[::-1]])
    assert answers.tolist() == pd.read_parquet("answers.parquet")["prediction"].tolist()
