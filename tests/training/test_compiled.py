"""Compiled functions: kept where there is a place, compiled again where there is none or it is damaged."""

import errno
import os
import warnings
from pathlib import Path

import numba
import pytest

from netlines.training import compiled as module
from netlines.training.compiled import compiled


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of compiled code that is empty, and nothing said of one that is not there."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "_told", False)
    return tmp_path


def twice(x):
    return 2 * x


def hits(function):
    """How often the compiled function was found, after it was called."""
    assert function(21) == 42
    return sum(function.stats.cache_hits.values())


def test_what_was_compiled_is_found_again(place):
    assert hits(compiled()(twice)) == 0
    assert {path.suffix for path in place.rglob("*.nb*")} == {".nbi", ".nbc"}
    assert hits(compiled()(twice)) == 1


DAMAGES = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "garbage": lambda content: os.urandom(200),
    "zeros": lambda content: content[:100] + bytes(len(content) - 100),
    "one bit": lambda content: content[:400] + bytes([content[400] ^ 1]) + content[401:],
}


@pytest.mark.parametrize(
    ("suffix", "damage"), [("nbc", damage) for damage in DAMAGES] + [("nbi", "empty"), ("nbi", "garbage")]
)
def test_damaged_files_are_thrown_away(place, suffix, damage):
    hits(compiled()(twice))
    (path,) = place.rglob(f"*.{suffix}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits(compiled()(twice)) == 0
    assert hits(compiled()(twice)) == 1


def test_without_a_place_it_is_compiled_and_said_once(place, monkeypatch):
    (place / "file").write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(place / "file"))
    monkeypatch.setattr(module._Places, "_locator_classes", module._Places._locator_classes[:1])
    with pytest.warns(RuntimeWarning, match="set NUMBA_CACHE_DIR to one that can"):
        function = compiled()(twice)
    assert hits(function) == 0
    assert hits(compiled()(twice)) == 0


def test_on_a_full_disk_it_is_compiled_and_said_once(place, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module._CheckedFiles, "save", full)
    with pytest.warns(RuntimeWarning, match="compiled code cannot be kept"):
        assert hits(compiled()(twice)) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hits(compiled()(twice)) == 0


def test_training_uses_no_other_compiler():
    for path in Path(module.__file__).parent.rglob("*.py"):
        assert path.name == "compiled.py" or "import njit" not in path.read_text(encoding="utf-8"), path
