"""All commands in a container: read-only packages, no home, no terminal, no UTF-8."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import netlines

COMMANDS = [
    ["fit", "t.csv", "--target", "answer", "-o", "model.json", "--error-free", "--folds", "0"],
    ["predict", "model.json", "t.csv", "-o", "answers.csv"],
    ["inspect", "model.json"],
    ["explain", "model.json", "--row", "3,0.5"],
    ["report", "model.json", "--data", "t.csv", "--folds", "0", "-o", os.fsdecode(b"caf\xe9.html")],
]


@pytest.fixture
def packages(tmp_path):
    """The package in a folder that nobody may write to."""
    folder = tmp_path / "packages"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(netlines.__file__).parent, folder / "netlines", ignore=ignored)
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode | stat.S_IWUSR)


def without_privileges():
    """What keeps root from writing anywhere."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write to read-only folders")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--"]


def in_a_container(packages, **more):
    """The variables of a container: no home, nothing but ASCII, packages that nobody may write to."""
    return {
        **{"PATH": os.environ["PATH"], "PYTHONPATH": str(packages), "HOME": "/dev/null/none"},
        **{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"},
        **more,
    }


on_unix = pytest.mark.skipif(os.name != "posix", reason="read-only folders, homes and names as on Unix")


@pytest.mark.slow
@on_unix
def test_what_is_compiled_is_kept_in_a_folder_of_the_users(tmp_path, packages):
    (tmp_path / "tmp").mkdir()
    environment = in_a_container(packages, TMPDIR=str(tmp_path / "tmp"))
    fit = "from netlines import NetLinesClassifier as C; C().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0])"
    said = []
    for _ in range(2):
        whole = [*without_privileges(), sys.executable, "-W", "error", "-c", fit]
        done = subprocess.run(whole, cwd=tmp_path, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stderr.splitlines())
    assert said == [[b"netlines: compiling for the first time on this machine, some seconds"], []]
    (folder,) = (tmp_path / "tmp").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
@on_unix
def test_all_commands_work_in_a_container(tmp_path, packages):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.uniform(0, 10, (40, 2)).round(2), columns=["größe", "b"])
    table = table.assign(answer=np.where(table["größe"] > table["b"], "≥", "no"))
    (tmp_path / "work").mkdir()
    table.to_csv(tmp_path / "work" / "t.csv", index=False)
    environment = in_a_container(packages, TMPDIR="/dev/null/none")
    for command in COMMANDS:
        whole = [*without_privileges(), sys.executable, "-m", "netlines", *command]
        place = {"cwd": tmp_path / "work", "env": environment, "stdin": subprocess.DEVNULL}
        done = subprocess.run(whole, **place, capture_output=True)
        assert done.returncode == 0, done.stderr
        again = b"netlines: warning: compiled code cannot be kept and is compiled again in every process"
        if command[0] == "fit":
            others = [line for line in done.stderr.splitlines() if not line.startswith(again)]
            assert done.stderr.count(again) == 1
            assert b"netlines: compiling, some seconds" in others
            assert all(line.startswith((b"netlines: training", b"netlines: c")) for line in others)
        else:
            assert done.stderr == b""
        assert done.stdout.decode("cp1252")
    assert b"netlines report model.json" in (tmp_path / "work" / COMMANDS[-1][-1]).read_bytes()
    answers = pd.read_csv(tmp_path / "work" / "answers.csv")
    assert (answers["prediction"] == answers["answer"]).all()
