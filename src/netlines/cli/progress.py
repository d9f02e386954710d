"""A progress bar over the stages of a fit and the folds of a cross-validation."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from netlines.cli.terminal import visible


class StageCallback:
    """Tell a progress bar of each stage that the fit of a scikit-learn estimator has finished."""

    max_propagation_depth = 1  # the networks of several are stages, what they do themselves is not

    def __init__(self, progress: Progress, task: Any) -> None:
        self.progress = progress
        self.task = task

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing before the fit."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing after the fit."""

    def on_fit_task_begin(self, estimator: Any, context: Any, **details: Any) -> None:
        """Take over the number of stages at most, where it is known; a stage itself has none."""
        if context.max_subtasks:
            self.progress.update(self.task, total=context.max_subtasks)

    def on_fit_task_end(self, estimator: Any, context: Any, **details: Any) -> None:
        """Count and name a stage; what consists of stages, such as the fit as a whole, is not one."""
        if context.max_subtasks == 0:
            done = visible(f"training: {context.task_name} done")
            self.progress.update(self.task, advance=1, description=done)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a progress bar on a terminal's stderr, and nothing elsewhere or if `quiet`.

    A warning that several folds give is shown once, and not at all if `quiet`.
    """
    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = quiet or not sys.stderr.isatty()
    seen: set[str] = set()

    def show_once(message: Warning | str, *more: Any, **further: Any) -> None:
        if not quiet and str(message) not in seen:
            seen.add(str(message))
            show(message, *more, **further)

    with (
        warnings.catch_warnings(),
        Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress,
    ):
        show, warnings.showwarning = warnings.showwarning, show_once
        yield progress
