"""The installed command by subprocess: fit → inspect → predict, and one clear line for each user's error."""

import doctest
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from netlines.cli import commands, comparison, tables
from netlines.export.model_file import load_model, load_network
from netlines.layout import Layout

COMMAND = [str(Path(sys.executable).with_name("netlines"))]


def netlines(*arguments, folder):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120
    )


def training_frame():
    """60 rows: a number, a text and a flag; the class depends on all three, with an exclusive or."""
    random = np.random.default_rng(0)
    size = random.uniform(0, 10, 60).round(3)
    colour = random.choice(["blue", "green", "red"], 60)
    flag = random.random(60) < 0.5
    answer = np.where((size > 5) ^ (colour == "red") ^ flag, "yes", "no")
    return pd.DataFrame({"size": size, "colour": colour, "flag": flag, "answer": answer})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with training.csv, training.parquet and the model.json that `netlines fit` made of a table."""
    folder = tmp_path_factory.mktemp("cli")
    training_frame().to_csv(folder / "training.csv", index=False)
    training_frame().to_parquet(folder / "training.parquet")
    done = netlines(
        "fit", "training.csv", "--target", "answer", "-o", "model.json", "--folds", 3, folder=folder
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (folder / "fit.txt").write_text(done.stdout)
    return folder


def test_fit_ends_with_a_table_beside_logistic_regression(folder):
    text = (folder / "fit.txt").read_text()
    model = load_model(folder / "model.json")
    assert "training errors" in text
    assert "0 of 60 rows" in text
    assert "stop reason" in text
    assert f"hidden units {model.network.n_hidden} weights {model.network.n_weights} " in " ".join(
        text.split()
    )
    assert "3-fold error, netlines" in text
    assert "3-fold error, logistic regression" in text
    assert text.count("±") == 2
    assert "the model is in model.json" in text


def test_the_model_file_says_how_the_columns_become_inputs(folder):
    model = load_model(folder / "model.json")
    names = ("size", "colour=blue", "colour=green", "colour=red", "flag")
    assert Layout.from_json(model.table).feature_names == names
    assert model.network.feature_names == names
    assert model.network.classes.tolist() == ["no", "yes"]
    assert len(model.network.growth_trace) >= model.network.n_hidden
    assert model.metadata["fit"]["rows"] == 60


def test_the_same_seed_gives_the_same_file(folder):
    done = netlines(
        *("fit", "training.csv", "--target", "answer", "-o", "again.json", "--folds", 3, "--quiet"),
        folder=folder,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "again.json").read_bytes() == (folder / "model.json").read_bytes()


def test_inspect_shows_the_hyperplanes_and_the_growth(folder):
    done = netlines("inspect", "model.json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    network = load_network(folder / "model.json")
    assert f"{network.n_hidden} hidden units over 5 inputs" in done.stdout
    assert "classes 'no' (-1) and 'yes' (+1)" in done.stdout
    for unit in range(1, network.n_hidden + 1):
        assert f"unit {unit} is +1 where" in done.stdout
    assert "colour=red" in done.stdout
    assert "the class is 'yes' where" in done.stdout
    assert "growth" in done.stdout


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_predict_writes_the_rows_with_their_classes(folder, suffix):
    out = f"out.{suffix}"
    done = netlines("predict", "model.json", f"training.{suffix}", "-o", out, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{out}: 60 rows, ")
    written = pd.read_csv(folder / out) if suffix == "csv" else pd.read_parquet(folder / out)
    frame = training_frame()
    assert list(written.columns) == [*frame.columns, "prediction", "decision"]
    pd.testing.assert_frame_equal(written[frame.columns], frame)
    assert (written["prediction"] == frame["answer"]).all()
    assert ((written["decision"] >= 0) == (frame["answer"] == "yes")).all()


def test_predict_leaves_extra_columns_aside_when_told(folder):
    training_frame().drop(columns="answer").assign(note=None).to_csv(folder / "extra.csv", index=False)
    done = netlines(
        "predict",
        "model.json",
        "extra.csv",
        "-o",
        "out_extra.csv",
        "--ignore-extra",
        "--quiet",
        folder=folder,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (pd.read_csv(folder / "out_extra.csv")["prediction"] == training_frame()["answer"]).all()


def with_cell(row, column, value):
    frame = training_frame().astype(object)
    frame.loc[row, column] = value
    return frame


BAD_TRAINING = {
    "measurements as target": (
        pd.DataFrame({"size": range(101), "answer": range(101)}),
        "target column 'answer' has 101 different values, at most 100 are allowed",
    ),
    "NaN": (with_cell(6, "size", "nan"), "missing value 'nan' in column 'size', row 7"),
    "infinity": (with_cell(6, "size", "inf"), "expected a finite number, got 'inf' in column 'size', row 7"),
    "1e300": (with_cell(3, "size", "1e300"), "got '1e300' in column 'size', row 4"),
    "no rows": (training_frame()[:0], "no rows.csv has no rows"),
    "one class": (training_frame().assign(answer="yes"), "one class"),
    "one row": (training_frame()[:1], "one class"),
    "three classes": (with_cell(0, "answer", "maybe"), "3 classes"),
}
BAD_NEW = {
    "a missing column": (training_frame().drop(columns="colour"), "lacks the column 'colour'"),
    "an extra column": (training_frame().assign(weight=1), "extra column 'weight'"),
    "an unknown value": (
        with_cell(4, "colour", "pink"),
        "unknown value 'pink' in column 'colour', row 5 (rows are counted from 1 without the header); "
        "the known values are 'blue', 'green', 'red'",
    ),
}
FIT = ["fit", "training.csv", "--target", "answer", "-o"]
BAD_COMMANDS = {
    "no target": (["fit", "training.csv", "-o", "x.json"], "--target"),
    "no table": (["fit", "nowhere.csv", "--target", "answer", "-o", "x.json"], "nowhere.csv: No such file"),
    "a file as folder": ([*FIT, "training.csv/x.json"], "training.csv/x.json: cannot write the file"),
    "no folder": (
        ["predict", "model.json", "training.csv", "-o", "nowhere/x.csv"],
        "nowhere/x.csv: cannot write",
    ),
    "no number": (
        [*FIT, "x.json", "--max-errors", "few"],
        "'few' is neither a count such as 3 nor a fraction",
    ),
    "no units": ([*FIT, "x.json", "--max-hidden", "0"], "'max_hidden' parameter"),
    "a truncated model": (
        ["predict", "truncated.json", "training.csv", "-o", "x.csv"],
        "truncated.json is not a readable model file: it is not JSON, or only the beginning of it",
    ),
    "a model of no table": (
        ["predict", "no_table.json", "training.csv", "-o", "x.csv"],
        "no_table.json does not say which columns its inputs are",
    ),
    **{
        f"fit on {name}": (["fit", f"{name}.csv", "--target", "answer", "-o", "x.json"], message)
        for name, (_, message) in BAD_TRAINING.items()
    },
    **{
        f"predict with {name}": (["predict", "model.json", f"{name}.csv", "-o", "old.csv"], message)
        for name, (_, message) in BAD_NEW.items()
    },
}


@pytest.fixture(scope="module")
def refusals(folder, tmp_path_factory):
    """What each of the bad commands ended in; they run side by side, in a folder of their own."""
    place = tmp_path_factory.mktemp("refusals")
    for name, (frame, _) in {**BAD_TRAINING, **BAD_NEW}.items():
        frame.to_csv(place / f"{name}.csv", index=False)
    content = (folder / "model.json").read_bytes()
    (place / "model.json").write_bytes(content)
    (place / "truncated.json").write_bytes(content[: len(content) // 2])
    (place / "no_table.json").write_text(json.dumps({**json.loads(content), "table": None}))
    shutil.copy(folder / "training.csv", place)
    (place / "old.csv").write_text("old")
    before = sorted(os.listdir(place))
    with ThreadPoolExecutor(4) as pool:
        runs = {
            name: pool.submit(netlines, *command, folder=place) for name, (command, _) in BAD_COMMANDS.items()
        }
    assert sorted(os.listdir(place)) == before
    assert (place / "old.csv").read_text() == "old"
    return {name: run.result() for name, run in runs.items()}


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_a_user_error_is_one_line(refusals, name):
    done, (_, message) = refusals[name], BAD_COMMANDS[name]
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("netlines: error: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output": "training.csv"}, "--output .*training.csv would overwrite the table"),
        ({"folds": 1}, "--folds must be 0 or at least 2, got 1"),
        ({"target": "class"}, "no target column 'class'; the columns are 'size', 'colour', 'flag', 'answer'"),
        ({"data": "model.json"}, "model.json must end in .csv or .parquet"),
    ],
)
def test_a_bad_option_is_refused_before_any_work(folder, options, message):
    options = {"data": "training.csv", "output": "x.json", "target": "answer", **options}
    options = {**options, "data": folder / options["data"], "output": folder / options["output"]}
    with pytest.raises(ValueError, match=message):
        commands.fit(**options)
    assert not (folder / "x.json").exists()


def test_an_interrupt_leaves_the_old_file_and_no_other(tmp_path):
    """The command reads its table from a pipe, so that it is known to be at work when Ctrl-C comes."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.standard_normal((3000, 20))).assign(answer=random.integers(0, 2, 3000))
    (tmp_path / "model.json").write_text("old")
    os.mkfifo(tmp_path / "data.csv")
    command = [*COMMAND, "fit", "data.csv", "--target", "answer", "-o", "model.json"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    frame.to_csv(tmp_path / "data.csv", index=False)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr == ""
    assert (tmp_path / "model.json").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["data.csv", "model.json"]


def test_without_the_extra_the_command_names_it(tmp_path):
    script = "import sys; sys.modules['typer'] = None; from netlines.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == 'netlines: error: the command line needs typer: pip install "netlines[cli]"\n'


def test_the_module_runs_as_the_command():
    assert shutil.which(COMMAND[0])
    done = subprocess.run([sys.executable, "-m", "netlines.cli"], capture_output=True, text=True)
    assert done.returncode == 0
    for name in ("fit", "predict", "inspect"):
        assert name in done.stdout


def test_folds_never_outnumber_the_smaller_class():
    assert comparison.usable_folds(np.array([0] * 9 + [1] * 4), 10) == 4
    assert comparison.usable_folds(np.array([0] * 9 + [1] * 4), 3) == 3
    assert comparison.usable_folds(np.array([0] * 9 + [1]), 10) == 0
    assert comparison.usable_folds(np.array([0] * 9 + [1] * 4), 0) == 0


@pytest.mark.parametrize("module", [comparison, tables])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0
