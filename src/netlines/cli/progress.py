"""A progress bar over the stages of a fit and the folds of a cross-validation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from netlines.cli.terminal import visible


class StageCallback:
    """Tell a progress bar of each stage that the fit of a scikit-learn estimator has finished."""

    def __init__(self, progress: Progress, task: Any) -> None:
        self.progress = progress
        self.task = task

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing before the fit."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing after the fit."""

    def on_fit_task_begin(self, estimator: Any, context: Any, **details: Any) -> None:
        """Do nothing when a stage begins."""

    def on_fit_task_end(self, estimator: Any, context: Any, **details: Any) -> None:
        """Count and name a stage; the fit as a whole, which has no parent, is not one."""
        if context.parent is not None:
            done = visible(f"training: {context.task_name} done")
            self.progress.update(self.task, advance=1, description=done)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a progress bar on a terminal's stderr, and nothing elsewhere or if `quiet`."""
    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        yield progress
