"""No command overwrites what it reads, by whatever name it is called."""

import os
from pathlib import Path

import pytest

from netlines.cli.outputs import check_output


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("model.json", "table.csv"):
        (tmp_path / name).write_text("it is read")
    os.link("model.json", "hard.csv")
    os.symlink("table.csv", "soft.csv")
    return tmp_path


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("model.json", "model.json"),
        ("./table.csv", "table.csv"),
        ("hard.csv", "model.json"),
        ("soft.csv", "table.csv"),
    ],
)
def test_a_file_that_is_read_is_no_output(folder, output, read):
    for path in (output, folder / output):
        with pytest.raises(ValueError, match=f"would overwrite the file that is read, {read}: choose"):
            check_output(path, "table.csv", "model.json")


def test_a_name_that_leads_nowhere_is_not_overwritten_either(folder):
    with pytest.raises(ValueError, match=r"would overwrite the file that is read, not_there\.csv"):
        check_output(folder / "not_there.csv", "not_there.csv")
    check_output("new.csv", "table.csv", "model.json")


def test_standard_output_is_for_tables_alone():
    assert check_output(Path("-"), stream=True) is None
    with pytest.raises(ValueError, match="--output - is standard output, which takes tables only"):
        check_output(Path("-"))
