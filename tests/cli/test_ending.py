"""A command that a signal ends: what it has begun is put in order, and the exit code tells which."""

import signal
import subprocess
import sys
import threading
import weakref
from contextlib import suppress

import pytest

from netlines.cli import ending
from netlines.cli.ending import until_told_to_end


@pytest.fixture(autouse=True)
def _handlers():
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_work_in_order(number):
    done = []

    def work():
        try:
            signal.raise_signal(number)
            done.append("more")
        finally:
            done.append("removed")
        return 0

    assert until_told_to_end(work) == 128 + number
    assert done == ["removed"]
    assert signal.getsignal(number) == signal.SIG_DFL  # nothing is left to be put in order


def test_a_second_signal_does_not_disturb_the_tidying_up():
    done = []

    def work():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGTERM)
            done.append("removed")

    assert until_told_to_end(work) == 128 + signal.SIGINT
    assert done == ["removed"]


def pass_over(work):
    with suppress(BaseException):
        work()


class Nothing:
    """What a callback can wait for the end of."""


def call_back(work):
    """Do work in a callback: Python reports what is raised in it and goes on."""
    nothing = Nothing()
    weakref.finalize(nothing, work)
    del nothing


@pytest.mark.parametrize("way", [pass_over, call_back])
def test_a_signal_that_was_passed_over_is_repeated(monkeypatch, capsys, way):
    monkeypatch.setattr(ending, "AGAIN", 0.05)
    done = []

    def work():
        way(lambda: signal.raise_signal(signal.SIGINT))
        done.append("passed over")
        threading.Event().wait(10)
        done.append("more")

    assert until_told_to_end(work) == 128 + signal.SIGINT
    assert done == ["passed over"]
    assert capsys.readouterr().err == ""


def test_work_that_is_not_disturbed_has_its_own_exit_code():
    assert until_told_to_end(lambda: 2) == 2


def test_the_exit_code_is_of_the_signal_that_came():
    def work():
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt:
            return 130

    assert until_told_to_end(work) == 143


def test_a_signal_that_is_ignored_stays_so():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a shell's background
    assert until_told_to_end(lambda: signal.raise_signal(signal.SIGINT) or 0) == 0
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_the_exit_code_stays_when_the_signal_comes_while_code_is_made(tmp_path):
    """Data classes are made by `exec`."""
    work = "lambda: exec('import signal; signal.raise_signal(signal.SIGTERM)')"
    script = (
        f"import sys; from netlines.cli.ending import until_told_to_end as until; sys.exit(until({work}))"
    )
    (tmp_path / "command.py").write_text(script)
    assert subprocess.run([sys.executable, "-m", "command"], cwd=tmp_path).returncode == 143
