"""What the commands print in odd places: encodings, closed and full outputs, names that steer terminals."""

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from netlines.cli import _run, printing, reading
from netlines.cli.terminal import complain, shown, visible
from netlines.cli.training import fit

EVIL, PURPLE = "col\x1b]0;pwned\x07our", "ye\x1b[31ms"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a table whose names and labels steer terminals, and a model.json fitted on it."""
    folder = tmp_path_factory.mktemp("terminal")
    random = np.random.default_rng(0)
    size, flag = random.uniform(0, 10, 60).round(3), random.random(60) < 0.5
    answer = np.where((size > 5) ^ flag, PURPLE, "\u202eon")
    pd.DataFrame({EVIL: size, "größe": flag, "answer": answer}).to_csv(folder / "t.csv", index=False)
    fit(folder / "t.csv", "answer", folder / "model.json", max_hidden=2, folds=0, quiet=True)
    return folder


COMMANDS = {
    "fit": ["fit", "t.csv", "--target", "answer", "-o", "new.json", "--max-hidden", "2", "--folds", "0"],
    "predict": ["predict", "model.json", "t.csv", "-o", "new.csv"],
    "predict to stdout": ["predict", "model.json", "t.csv"],
    "describe": ["describe", "t.csv", "--target", "answer"],
    "evaluate": ["evaluate", "model.json", "t.csv"],
    "inspect": ["inspect", "model.json"],
    "explain": ["explain", "model.json", "--row", "3,True"],
    "explain less": ["explain", "model.json", "--row", ",True"],
    "error": ["explain", "model.json", "--row", f"{EVIL}=1,x\x1b[2J=3"],
}


class Stream:
    """A stream that only says which encoding it has."""

    def __init__(self, encoding):
        self.encoding = encoding


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("ascii", "a >= 2 -> b, 3 +/- 1, theta = 0, 10^-5, Sigma w1 x2, -1 x ..., gr\\xf6\\xdfe, \\u0434"),
        ("cp1252", "a >= 2 -> b, 3 ± 1, theta = 0, 10^-5, Sigma w1 x2, -1 × …, größe, \\u0434"),
        ("utf-8", "a ≥ 2 → b, 3 ± 1, θ = 0, 10⁻⁵, Σ w₁ x₂, −1 × …, größe, д"),
    ],
)
def test_what_an_encoding_lacks_is_written_readably(encoding, text):
    ours = "a ≥ 2 → b, 3 ± 1, θ = 0, 10⁻⁵, Σ w₁ x₂, −1 × …, größe, д"
    assert shown(ours, Stream(encoding)) == text


def test_control_characters_are_written_out():
    assert visible("a\x1b[31m\x07\x9b2J\u202e\r\n\t\udcff") == r"a\x1b[31m\x07\x9b2J\u202e\r\n\t\xff"
    assert visible("größe ≥ θ д 日本 👩‍🔬") == "größe ≥ θ д 日本 👩‍🔬"
    assert shown("one\ntwo\x00", Stream("utf-8")) == "one\ntwo\\x00"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_prints_what_steers_a_terminal(folder, monkeypatch, capsys, name):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdout.isatty", lambda: name == "predict to stdout")
    assert _run(COMMANDS[name]) == (2 if name == "error" else 0)
    printed = "".join(capsys.readouterr())
    assert r"\x1b" in printed
    assert not {character for character in printed if character in "\x1b\x07\u202e"}


def test_a_table_that_goes_to_a_pipe_stays_as_it_is(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert _run(COMMANDS["predict to stdout"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    pd.testing.assert_frame_equal(written.iloc[:, :3], pd.read_csv(folder / "t.csv"))


def run(folder, name, closed="", **environment):
    """The command in a process of its own, in another environment or by way of the shell."""
    python = [sys.executable, "-m", "netlines", *COMMANDS[name]]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *python] if closed else python
    return subprocess.run(shell, cwd=folder, env={**os.environ, **environment}, capture_output=True)


@pytest.mark.parametrize("name", ["inspect", pytest.param("fit", marks=pytest.mark.slow)])
def test_no_command_ends_for_a_character(folder, name):
    for environment in (
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ):
        done = run(folder, name, **environment)
        assert done.returncode == 0
        assert all(line.startswith(b"netlines: training: ") for line in done.stderr.splitlines())
        assert any(sign in done.stdout for sign in (b"+/-", b">=", "±".encode("cp1252")))
        assert done.stdout.decode("cp1252").isascii() or "cp1252" in environment.values()


def test_closed_and_full_outputs_are_no_traceback(folder):
    closed = run(folder, "inspect", closed=">&- 2>&- <&-")
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, b"", b"")
    if Path("/dev/full").exists():
        full = run(folder, "predict", closed=">/dev/full")
        line = b"netlines: error: cannot write to the standard output: No space left on device\n"
        assert (full.returncode, full.stderr) == (2, line)
        full = run(folder, "predict to stdout", closed=">/dev/full")
        assert (full.returncode, full.stderr) == (2, b"netlines: error: [Errno 28] No space left on device\n")
        assert run(folder, "error", closed="2>/dev/full").returncode == 2


@pytest.mark.parametrize("name", ["inspect", "predict to stdout"])
def test_a_reader_that_stops_is_exit_code_one(folder, name):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "netlines", *COMMANDS[name]]
    done = subprocess.run(command, cwd=folder, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_warning_is_one_line(monkeypatch, capsys):
    def warn(path):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("compiled code\ncannot be kept", RuntimeWarning, stacklevel=1)
            warnings.warn("for programmers", DeprecationWarning, stacklevel=1)
        raise ValueError("enough")

    monkeypatch.setattr(reading, "read_model_file", warn)
    assert _run(["inspect", "model.json"]) == 2
    lines = ["netlines: warning: compiled code cannot be kept", "netlines: error: enough", ""]
    assert capsys.readouterr().err.split("\n") == lines


def test_the_end_of_a_file_is_no_interrupt(monkeypatch, capsys):
    def end(path):
        raise EOFError("Ran out of input")

    monkeypatch.setattr(reading, "read_model_file", end)
    assert _run(["inspect", "model.json"]) == 2
    assert "a file that was read ends too early: Ran out of input" in capsys.readouterr().err


def test_cells_of_tables_are_one_line_each():
    assert printing._cell("a\nb\x1b") == r"a\nb\x1b"


def test_an_error_names_what_it_is_about_as_it_is(capsys):
    complain("there is no column 'a  b' in new\nline.csv\n")
    assert capsys.readouterr().err == "netlines: there is no column 'a  b' in new\\nline.csv\n"
