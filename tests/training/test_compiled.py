"""Compiled functions: kept where there is a place, compiled again where there is none or it is damaged."""

import errno
import logging
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numba
import numpy as np
import pytest

from netlines.training import compiled as module
from netlines.training import kept
from netlines.training.compiled import compiled

on_unix = pytest.mark.skipif(os.name != "posix", reason="owners and modes as on Unix")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of compiled code that is empty, and nothing said of one that is not there."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "_said", set())
    return tmp_path


def twice(x):
    return 2 * x


def hits(function):
    """How often the compiled function was found, after it was called."""
    assert function(21) == 42
    return sum(function.stats.cache_hits.values())


def test_what_was_compiled_is_found_again(place):
    assert hits(compiled()(twice)) == 0
    assert [path.suffix for path in place.rglob("*.*")] == [".nbc"]
    assert hits(compiled()(twice)) == 1


def test_other_versions_are_no_hits(place, monkeypatch):
    hits(compiled()(twice))
    (path,) = place.rglob("*.nbc")
    path.write_bytes(bytes(32) + path.read_bytes()[32:])
    assert hits(compiled()(twice)) == 0
    assert hits(compiled()(twice)) == 1


DAMAGES = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "garbage": lambda content: os.urandom(200),
    "zeros": lambda content: content[:100] + bytes(len(content) - 100),
    "one bit": lambda content: content[:400] + bytes([content[400] ^ 1]) + content[401:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_thrown_away(place, damage):
    hits(compiled()(twice))
    (path,) = place.rglob("*.nbc")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits(compiled()(twice)) == 0
    assert hits(compiled()(twice)) == 1


def test_without_a_place_it_is_compiled_and_said_once(place, monkeypatch):
    (place / "file").write_text("")
    monkeypatch.setattr(kept, "places", lambda: iter([place / "file"]))
    function = compiled()(twice)
    with pytest.warns(RuntimeWarning, match="set NUMBA_CACHE_DIR to one that can"):
        assert hits(function) == 0
    assert hits(compiled()(twice)) == 0


def test_on_a_full_disk_it_is_compiled_and_said_once(place, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(kept, "atomic_write", full)
    with pytest.warns(RuntimeWarning, match="compiled code cannot be kept"):
        assert hits(compiled()(twice)) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hits(compiled()(twice)) == 0


def test_the_log_tells_of_compiling_once_and_not_of_what_is_found(place, caplog):
    function = compiled()(twice)
    assert (hits(function), function(21.0)) == (0, 42.0)  # for two types
    assert [record.name for record in caplog.records] == ["netlines"]
    assert "compiling for the first time on this machine, some seconds" in caplog.text
    assert caplog.records[0].levelno == logging.WARNING  # which is seen where nobody set up a log
    caplog.clear()
    module._said.clear()
    assert hits(compiled()(twice)) == 1
    assert caplog.text == ""


def test_what_another_user_compiled_is_found_where_nothing_can_be_written(place, monkeypatch):
    theirs, mine = place / "theirs", place / "mine"
    monkeypatch.setattr(kept, "places", lambda: iter([theirs]))
    hits(compiled()(twice))
    monkeypatch.setattr(kept, "places", lambda: iter([theirs, mine]))
    monkeypatch.setattr(kept, "check_writable", lambda path: os.stat(path.parent / "no"))
    assert hits(compiled()(twice)) == 1
    assert not mine.exists()


@on_unix
def test_folders_that_others_could_have_filled_are_refused(tmp_path, monkeypatch):
    fine = tmp_path / "fine"
    assert kept.is_safe(fine)
    assert fine.stat().st_mode & 0o777 == 0o700
    assert kept.is_safe(fine)
    (tmp_path / "link").symlink_to(fine)
    assert not kept.is_safe(tmp_path / "link")
    (tmp_path / "file").write_text("")
    assert not kept.is_safe(tmp_path / "file")
    assert not kept.is_safe(tmp_path / "file" / "below")
    for mode in (0o770, 0o702):
        fine.chmod(mode)
        assert not kept.is_safe(fine)
    fine.chmod(0o755)
    assert kept.is_safe(fine)
    monkeypatch.setattr(os, "geteuid", lambda: fine.stat().st_uid + 1)
    assert not kept.is_safe(fine)


@on_unix
def test_own_folders_need_no_home(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # nobody knows one
    assert list(kept.own_folders()) == [tmp_path / f"netlines-{os.geteuid()}"]


STAMP = "from netlines.training import kept; print(kept.__file__, kept.stamp().hex())"


def test_the_stamp_is_that_of_the_sources_and_not_of_their_times(tmp_path):
    folder = tmp_path / "netlines"
    shutil.copytree(Path(kept.__file__).parents[1], folder, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}

    def stamp():
        done = subprocess.run(
            [sys.executable, "-c", STAMP], env=environment, capture_output=True, text=True, check=True
        )
        file, found = done.stdout.split()
        assert file.startswith(str(tmp_path))
        return found

    for path in folder.rglob("*.py"):
        os.utime(path, (1e9, 1e9))
    assert stamp() == kept.stamp().hex()
    kernel = folder / "training" / "_kernel.py"
    kernel.write_text(
        kernel.read_text(encoding="utf-8").replace("QUIET = 1e-6", "QUIET = 1e-7"), encoding="utf-8"
    )
    assert stamp() != kept.stamp().hex()


def test_a_function_is_called_by_python_and_within_others(place):
    inner = compiled()(twice)
    outer = compiled()(lambda x: inner(x) + inner(x + 1))
    assert (outer(20), inner(21), outer(20)) == (82, 42, 82)
    assert inner(np.arange(3.0)).tolist() == [0.0, 2.0, 4.0]


def test_training_uses_no_other_compiler():
    for path in Path(module.__file__).parent.rglob("*.py"):
        assert path.name == "compiled.py" or "import njit" not in path.read_text(encoding="utf-8"), path
