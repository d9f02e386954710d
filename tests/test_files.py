"""Files that are written whole or not at all, and what may not be overwritten."""

import contextlib
import os
import subprocess
import sys

import pytest

from netlines import _files
from netlines._files import atomic_write, check_writable


def write(path, content=b"new"):
    with atomic_write(path) as file:
        file.write(content)


KILLED = """
import os, signal, sys
from netlines._files import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("old")
    subprocess.run([sys.executable, "-c", KILLED, str(path)])
    (left,) = set(os.listdir(tmp_path)) - {"model.json"}
    assert left.startswith(".netlines-")
    assert path.read_text() == "old"
    write(tmp_path / "other.json")
    assert sorted(os.listdir(tmp_path)) == ["model.json", "other.json"]


def test_nobody_removes_a_file_that_is_being_written_nor_one_of_others(tmp_path):
    (tmp_path / ".0123456789abcdef0123456789abcdef.tmp").write_text("not ours")
    os.mkfifo(tmp_path / f".netlines-{'0' * 32}.tmp")
    (tmp_path / f".netlines-{'1' * 32}.tmp").symlink_to(tmp_path / ".0123456789abcdef0123456789abcdef.tmp")
    before = sorted(os.listdir(tmp_path))
    with atomic_write(tmp_path / "slow") as file:
        file.write(b"so")
        write(tmp_path / "quick")
        check_writable(tmp_path / "quick")
        file.write(b"on")
    assert (tmp_path / "slow").read_text() == "soon"
    assert sorted(os.listdir(tmp_path)) == [*before, "quick", "slow"]


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for do in (check_writable, write):
        with pytest.raises(OSError, match="cannot write the file: Too many levels of symbolic links"):
            do(tmp_path / "a")
    assert (tmp_path / "a").is_symlink()


def test_a_write_protected_file_is_refused(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("old")
    path.chmod(0o444)
    for do in (check_writable, write):
        with pytest.raises(OSError, match=r"write-protected: make it writable \(chmod u\+w\), or choose"):
            do(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.json"]


@pytest.mark.filterwarnings("ignore:Exception ignored in.*:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # closed when nobody knows it any more
@pytest.mark.parametrize("work", [write, check_writable])
def test_an_interrupt_at_any_line_leaves_no_temporary_file(tmp_path, work):
    target = tmp_path / "model.json"
    target.write_bytes(b"old")
    lines, stop_at = 0, 0

    def trace(frame, event, _):
        nonlocal lines
        if frame.f_code.co_filename != _files.__file__:
            return None
        lines += event == "line"
        if event == "line" and lines == stop_at:
            raise KeyboardInterrupt
        return trace

    while lines >= stop_at:
        lines, stop_at, before = 0, stop_at + 1, sys.gettrace()
        sys.settrace(trace)
        with contextlib.suppress(KeyboardInterrupt):
            work(target)
        sys.settrace(before)
        assert os.listdir(tmp_path) == ["model.json"]
        assert target.read_bytes() in (b"old", b"new")
    assert stop_at > 20
