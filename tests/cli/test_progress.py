"""What `netlines fit` says while it works: on a terminal, without one, quietly; and how it estimates."""

import os
import pty
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import netlines
from netlines import NetLinesClassifier, NetLinesClassifierCV
from netlines.cli.fitting import fit_and_compare
from netlines.cli.progress import draw, fit_progress
from netlines.cli.remaining import Share
from netlines.cli.stages import COMPILING, FitProgress, StageCallback, State
from netlines.selection.stages import Stage

MODELS = ["netlines", "forest"]


def quadrants(p=80):
    X = np.random.default_rng(0).standard_normal((p, 2))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "yes", "no")


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


class Diary:
    """A callback that writes down the stages of a choice as they begin and end, and how many there may be."""

    def __init__(self):
        self.begun, self.ended, self.most, self.threads = [], [], None, set()

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        self.threads.add(threading.get_ident())
        if isinstance(context.task_name, Stage):
            assert self.begun == self.ended  # one after the other
            self.begun.append(context.task_name)
        elif context.parent is None:
            self.most = context.max_subtasks

    def on_fit_task_end(self, estimator, context):
        if isinstance(context.task_name, Stage):
            self.ended.append(context.task_name)


CHOICES = [
    NetLinesClassifierCV(3, cv=3, prefer="accurate"),
    NetLinesClassifierCV(3, cv=3, teacher=SVC()),
    NetLinesClassifierCV(2, cv=3, teacher=None),
    pytest.param(NetLinesClassifierCV(2, criterion="mdl"), marks=pytest.mark.slow),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("clf", CHOICES, ids=str)
@pytest.mark.parametrize("table", [quadrants, lambda: load_iris(return_X_y=True)], ids=["two", "more"])
def test_stages_are_told_when_they_begin_and_counted_before(clf, table):
    X, y = table()
    if clf.criterion == "mdl" and len(np.unique(y)) > 2:
        y = y > 0
    diary = Diary()
    told = clone(clf).set_callbacks(diary).fit(X, y)
    assert diary.begun == diary.ended
    assert 1 <= len(diary.begun) <= diary.most
    assert diary.begun[-1].after < diary.begun[0].after
    assert not any("done" in stage for stage in diary.begun)
    threads = Diary()
    again = clone(clf).set_params(n_jobs=2).set_callbacks(threads).fit(X, y)
    assert threads.begun == diary.begun
    assert threads.threads == {threading.get_ident()}
    for one, other in zip(told.networks_, again.networks_, strict=True):
        assert one.network.hidden_weights.tobytes() == other.network.hidden_weights.tobytes()
    assert told.chosen_ == clone(clf).fit(X, y).chosen_


def test_the_words_are_plain():
    diary = Diary()
    X, y = quadrants()
    NetLinesClassifierCV(2, cv=3).set_callbacks(diary).fit(X, y)
    assert diary.begun[:3] == [
        "fitting a logistic regression",
        "fitting soft neural networks to learn from (1 of 3)",
        "fitting soft neural networks to learn from (2 of 3)",
    ]
    assert "comparing single hyperplanes (fold 2 of 3)" in diary.begun
    assert diary.begun[-4:] == [
        "making points between the rows to learn from",
        "fitting a network of 2 hyperplanes",
        "fitting a network of 1 hyperplane",
        "fitting probabilities",
    ]
    assert len(set(diary.begun)) == len(diary.begun)


def test_the_bar_of_scikit_learn_has_a_total(capsys):
    X, y = quadrants()
    NetLinesClassifierCV(2, cv=3).set_callbacks(ProgressBar()).fit(X, y)
    assert "NetLinesClassifierCV - fit" in (drawn := capsys.readouterr().out)
    assert "100%" in drawn


# How far it is


def test_the_share_is_even_if_all_goes_as_expected():
    clock = Clock()
    progress = FitProgress(MODELS, 0, clock=clock)
    shares = []
    for stage in (Stage("a", "a", 2.0, 8.0), Stage("b", "b", 8.0, 0.0)):
        progress.begin_stage((), stage)
        for _ in range(int(stage.seconds)):
            shares.append(progress.state().share)
            clock.seconds += 1
    np.testing.assert_allclose(shares, np.arange(10) / 10, atol=0.1)
    assert progress.state().words == "training: b"


@pytest.mark.parametrize("pace", [0.1, 1.0, 10.0])
def test_the_share_never_falls_and_is_full_at_the_end_only(pace):
    """Stages take longer or shorter than expected, most of them never come."""
    clock, shares = Clock(), []
    progress = FitProgress(MODELS, 3, clock=clock)

    def work(seconds):
        for _ in range(20):
            clock.seconds += pace * seconds / 20
            shares.append(progress.state().share)

    for stage in (Stage("a", "a", 1.0, 20.0), Stage("b", "b", 5.0, 30.0), Stage("c", "c", 2.0, 0.5)):
        progress.begin_stage((), stage)
        work(3.0)
    progress.end_training()
    for fold in (1, 2, 3):
        for name in MODELS:
            progress.begin_fold(fold, name)
            assert progress.state().words == f"checking on held-out rows, fold {fold} of 3: {name}"
            work(6.0 if name == "netlines" else 0.1)
    assert shares == sorted(shares)
    assert 0.7 < shares[-1] < 1
    progress.finish()
    assert progress.state().share == 1


def test_what_is_left_is_told_by_what_was_measured():
    clock = Clock()
    progress = FitProgress(MODELS, 5, clock=clock)
    progress.begin_stage((), Stage("a", "a", 1.0, 0.0))
    clock.seconds += 10
    progress.end_training()
    assert progress.state().left == pytest.approx(40, abs=1)  # five folds of 8 s, and the forest
    progress.begin_fold(1, "netlines")
    clock.seconds += 8
    progress.begin_fold(1, "forest")
    clock.seconds += 2
    progress.begin_fold(2, "netlines")
    assert progress.state().left == pytest.approx(40)


def test_without_a_known_end_units_are_counted_and_the_share_is_made_up_for():
    clock = Clock()
    progress = FitProgress(MODELS, 3, clock=clock)
    for units in ("", " (1 unit so far)", " (2 units so far)"):
        progress.begin_unit(())
        clock.seconds += 2
        assert progress.state()[:1] + progress.state()[3:] == (f"training: growing the network{units}", None)
        progress.end_unit(())
    progress.end_training()
    assert progress.state().share == pytest.approx(1 / 3, abs=0.05)  # each fold has two thirds of the rows


def test_compiling_is_no_work():
    clock = Clock()
    progress = FitProgress(MODELS, 0, clock=clock)
    progress.begin_stage((), Stage("a", "a", 4.0, 4.0))
    progress.begin_compiling()
    assert progress.state().words == COMPILING
    before = progress.state().left
    clock.seconds += 5
    assert progress.state().left < before
    progress.end_compiling()
    assert progress.state().words == "training: a"
    assert progress.state().left == pytest.approx(8)
    assert progress.state().seconds == 5


def test_the_share_stands_still_where_nothing_is_known():
    clock = Clock()
    share = Share(clock)
    for left in (None, 0.0, None):
        clock.seconds += 1
        share.move(left)
    assert share.value == 0.99


@pytest.mark.sample(2)
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("clf", [NetLinesClassifier(1), NetLinesClassifierCV(1, cv=2, multiclass="pairs")])
def test_networks_of_a_scheme_are_numbered(clf, n_jobs):
    X, y = load_iris(return_X_y=True)
    lines = []
    progress = FitProgress(MODELS, 0, line=lines.append)
    fitted = clone(clf).set_params(n_jobs=n_jobs).set_callbacks(StageCallback(progress)).fit(X, y)
    n = len(fitted.networks_)
    assert lines[0] == f"training: network 1 of {n}"
    assert set(lines) <= {f"training: network {k} of {n}" for k in range(1, n + 1)}
    assert re.match(rf"training: network \d of {n}: (growing|fitting|comparing)", progress.state().words)


# What is shown


@pytest.mark.slow
def test_without_a_terminal_there_is_a_line_a_stage(capsys):
    X, y = quadrants()
    options = {"max_hidden": 3, "cv": 3, "random_state": 0, "n_jobs": None}
    fit_and_compare(X, y, error_free=False, options=options, folds=10, quiet=False)
    stdout, stderr = capsys.readouterr()
    lines = stderr.splitlines()
    assert stdout == ""
    assert "\r" not in stderr
    assert "\x1b" not in stderr
    assert lines[0] == "netlines: training: fitting a logistic regression"
    assert "netlines: training: fitting networks of growing size" in lines
    assert "netlines: checking on held-out rows, fold 1 of 10" in lines
    assert len(lines) == len(set(lines)) <= 16


@pytest.mark.sample(1)
@pytest.mark.parametrize("error_free", [True, False])
def test_quiet_is_silent(capsys, error_free):
    X, y = quadrants()
    options = {"max_hidden": 2, "random_state": 0, "n_jobs": None}
    fit_and_compare(X, y, error_free=error_free, options=options, folds=2, quiet=True)
    assert capsys.readouterr() == ("", "")


def test_two_lines_of_80_columns_are_drawn():
    console = Console(width=80, force_terminal=False)
    for words in ("training: a", "training: network 12 of 15: " + 12 * "many words "):
        for state in (State(words, 0.4217, 3725.0, 5000.0), State(words, 0.0, 59.0, None)):
            with console.capture() as capture:
                console.print(draw(state))
            first, second = capture.get().rstrip("\n").split("\n")
            assert first.startswith(words[:60])
            assert len(second) <= 80
    assert "59 s so far" in second
    assert "%" not in second


FIT = """
import numpy as np
from netlines.cli.fitting import fit_and_compare
X = np.random.default_rng(0).standard_normal((60, 2))
options = {"max_hidden": 2, "random_state": 0, "n_jobs": None}
fit_and_compare(X, X[:, 0] * X[:, 1] > 0, error_free=%s, options=options, folds=2, quiet=False)
"""


def on_a_terminal(program):
    """What a program writes to a terminal of 80 columns."""
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen([sys.executable, "-c", program], stderr=side, stdout=side, env=environment)
    os.close(side)
    written = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # how Linux tells that the other side is closed
            break
        if not part:
            break
        written += part
    os.close(main)
    assert process.wait() == 0
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written.decode())


@pytest.mark.slow
def test_on_a_terminal_there_is_a_bar_that_ends_full():
    shown = on_a_terminal(FIT % False)
    shares = [int(share) for share in re.findall(r"(\d+) %", shown)]
    assert shares == sorted(shares)
    assert shares[-1] == 100
    assert re.search(r"\d s so far, about \d+ s left", shown)
    assert "checking on held-out rows, fold " in shown


@pytest.mark.slow
def test_the_first_compilation_is_said_once_and_no_later_one(tmp_path):
    package = Path(
        netlines.__file__
    ).parent  # elsewhere, as what stands beside it is found whoever compiled it
    shutil.copytree(package, tmp_path / "netlines", ignore=shutil.ignore_patterns("__pycache__"))
    own = dict.fromkeys(["PYTHONPATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "NUMBA_CACHE_DIR"], str(tmp_path))
    said = []
    for _ in range(2):
        program = [sys.executable, "-c", FIT % True]
        done = subprocess.run(program, env={**os.environ, **own}, capture_output=True, text=True, check=True)
        said.append(done.stderr.count(COMPILING))
    assert said == [1, 0]


def test_a_warm_start_does_not_speak_of_compiling(capsys):
    with fit_progress(False, MODELS, 0):
        NetLinesClassifier(1).fit(*quadrants())
        capsys.readouterr()
        NetLinesClassifier(1).fit(*quadrants())
    assert capsys.readouterr().err == ""
