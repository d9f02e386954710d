"""How far a command is: a bar on a terminal, and where there is none a line a stage."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from netlines.cli.stages import FitProgress, State
from netlines.cli.terminal import complain
from netlines.training.compiled import while_compiling

BAR = 36  # columns of the bar of a fit, fewer on a narrow terminal
A_SECOND = 5  # times that it is drawn


@contextmanager
def fit_progress(quiet: bool, models: Sequence[str], folds: int, sizes: int = 0) -> Iterator[FitProgress]:
    """Show what a fit is doing, on stderr: a bar on a terminal, lines elsewhere, nothing if `quiet`.

    The other parameters are those of `FitProgress`. A warning that several folds give is shown once.
    """
    console = Console(stderr=True)
    on_terminal = sys.stderr.isatty() and console.is_interactive and not quiet
    progress = FitProgress(models, folds, sizes, line=_nothing if quiet or on_terminal else complain)
    live = Live(
        console=console,
        get_renderable=lambda: draw(progress.state()),
        refresh_per_second=A_SECOND,
        transient=True,
        vertical_overflow="crop",
    )
    with _warnings_once(quiet), while_compiling(progress.begin_compiling, progress.end_compiling):
        if not on_terminal:
            yield progress
            return
        with live:
            yield progress
            progress.finish()
            live.refresh()


def _nothing(words: str) -> None:
    """Say nothing."""


def draw(state: State) -> Group:
    """Return two lines of a terminal: what is being done; a bar, the share that is done, and the times."""
    known = state.left is not None
    line = Table.grid(padding=(0, 1))
    line.add_column(max_width=BAR)
    for _ in range(2):
        line.add_column(no_wrap=True)
    share, so_far = f"{math.floor(100 * state.share):3d} %", f"{_so_far(state.seconds)} so far"
    times = so_far if state.left is None or state.share == 1 else f"{so_far}, about {_left(state.left)} left"
    bar = ProgressBar(1.0, state.share, pulse=not known, width=BAR)
    line.add_row(bar, share if known else "", times)
    return Group(Text(state.words, no_wrap=True, overflow="ellipsis"), line)


def _so_far(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
    )


def _left(seconds: float) -> str:
    """Return rounded seconds: more digits than are known would jump about."""
    if seconds < 10:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 120:
        return f"{5 * math.ceil(seconds / 5)} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{math.ceil(minutes / 60)} h"


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a progress bar on a terminal's stderr, and nothing elsewhere or if `quiet`.

    A warning that several folds give is shown once, and not at all if `quiet`.
    """
    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = quiet or not sys.stderr.isatty()
    with (
        _warnings_once(quiet),
        Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress,
    ):
        yield progress


@contextmanager
def _warnings_once(quiet: bool) -> Iterator[None]:
    """Show each warning once, and none if `quiet`."""
    seen: set[str] = set()

    def show_once(message: Warning | str, *more: Any, **further: Any) -> None:
        if not quiet and str(message) not in seen:
            seen.add(str(message))
            show(message, *more, **further)

    with warnings.catch_warnings():
        show, warnings.showwarning = warnings.showwarning, show_once
        yield
