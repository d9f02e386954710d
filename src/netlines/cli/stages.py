"""What a fit is doing now, told by scikit-learn's callbacks, and how far it is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, NamedTuple

from netlines._words import count
from netlines.classifiers.multiclass.scheme import Scheme
from netlines.cli.remaining import Check, Compiling, Share, Training
from netlines.cli.terminal import visible
from netlines.selection.stages import Stage

COMPILING = "compiling for the first time on this machine, some seconds"
COMPILING_AGAIN = "compiling, some seconds"  # where what was compiled cannot be kept
GROWING = "growing the network"
MOST_LINES = 6  # of those that the folds have, or the networks of a scheme


class State(NamedTuple):
    """What is being done, the share of the whole that is done, and seconds: so far, and left if known."""

    words: str
    share: float
    seconds: float
    left: float | None


class FitProgress:
    """What a fit is doing, how far it is, and when it may end. Any thread may tell, or ask.

    Parameters
    ----------
    models : sequence of str
        What is fitted in each fold of the closing check, first what is trained before.
    folds : int
        Number of these folds, 0 for no check.
    sizes : int
        Number of other sizes that are fitted after the check.
    line : callable
        Is given a line for each of the larger stages, when it begins.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self,
        models: Sequence[str],
        folds: int,
        sizes: int = 0,
        *,
        line: Callable[[str], Any] = lambda words: None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._lock, self._line = Lock(), line
        self._words, self._lines = "training", set[str]()
        self._compiling, self._share = Compiling(clock), Share(clock)
        self._training, self._check = Training(self._compiling.now()), Check(models, folds, sizes)

    def begin_compiling(self, kept: bool = True) -> None:
        """Tell that something is being compiled, which was not found on disk, and whether it will be."""
        with self._lock:
            self._compiling.begin(COMPILING if kept else COMPILING_AGAIN)
            self._tell_line(self._compiling.words)

    def end_compiling(self) -> None:
        """Tell that it is compiled."""
        with self._lock:
            self._compiling.end()

    def begin_networks(self, number: int) -> None:
        """Tell that so many networks are going to be trained."""
        with self._lock:
            self._training.n_networks = number

    def begin_stage(self, network: Hashable, stage: Stage) -> None:
        """Tell that a stage of a network, or of the choice of one, begins."""
        with self._lock:
            self._training.begin(network, stage, self._compiling.now())
            self._name(network, stage, stage.group)

    def begin_unit(self, network: Hashable) -> None:
        """Tell that a network is going to grow."""
        with self._lock:
            units = self._training.network(network, self._compiling.now()).units
            words = f"{GROWING} ({count(units, 'unit')} so far)" if units else GROWING
            self._name(network, words, GROWING)

    def end_unit(self, network: Hashable) -> None:
        """Tell that a network has one unit more."""
        with self._lock:
            self._training.network(network, self._compiling.now()).units += 1

    def end_network(self, network: Hashable) -> None:
        """Tell that a network is trained."""
        with self._lock:
            self._training.end(network, self._compiling.now())

    def end_training(self) -> None:
        """Tell that everything is trained that is not part of the closing check."""
        with self._lock:
            self._training.finish(self._compiling.now())
            self._move()

    def begin_fold(self, fold: int, name: str) -> None:
        """Tell that the fit of a model begins in a fold of the closing check, counted from 1."""
        with self._lock:
            self._check.begin(self._compiling.now())
            words = f"checking on held-out rows, fold {fold} of {self._check.folds}"
            self._words = f"{words}: {name}"
            self._tell_line(words, fold, self._check.folds)
            self._move()

    def begin_size(self, prefer: str) -> None:
        """Tell that another size begins, after the closing check."""
        with self._lock:
            self._check.begin(self._compiling.now())
            self._words = f"fitting the {prefer} size beside it"
            self._tell_line(self._words)
            self._move()

    def finish(self) -> None:
        """Tell that all is done."""
        with self._lock:
            self._words = "done"
            self._share.finish()

    def state(self) -> State:
        """Return what is being done now, and how far it is."""
        with self._lock:
            left = self._move()
            words = self._compiling.words if self._compiling.under_way else self._words
            return State(words, self._share.value, self._share.seconds, left)

    def _name(self, network: Hashable, words: str, group: str) -> None:
        """Say what is done to a network, one of several if there are."""
        number, of = self._training.number(network), self._training.n_networks
        if of > 1:
            group = f"network {number} of {of}"
            words = f"{group}: {words}"
        self._words = visible(f"training: {words}")
        self._tell_line(f"training: {group}", number, of)
        self._move()

    def _tell_line(self, words: str, number: int = 1, of: int = 1) -> None:
        """Say a line, if it is new; of numbered ones a few."""
        if words not in self._lines and (number - 1) % math.ceil(of / MOST_LINES) == 0:
            self._lines.add(words)
            self._line(visible(words))

    def _move(self) -> float | None:
        """Move on the share that is done; return the seconds that are left, None if that is not known."""
        now = self._compiling.now()
        training = self._training.left(now)
        left = None
        if training is not None:
            left = training + self._check.left(self._training.seconds(now) + training, now)
            left += self._compiling.left()
        self._share.move(left)
        return left


class StageCallback:
    """Tell a `FitProgress` what scikit-learn tells of the tasks of a fit."""

    max_propagation_depth = 2  # from the classifier to a scheme, and from that to its networks

    def __init__(self, progress: FitProgress) -> None:
        self.progress = progress

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing before the fit."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing after the fit."""

    def on_fit_task_begin(self, estimator: Any, context: Any, **details: Any) -> None:
        """Name a stage; of a scheme take over the number of networks."""
        if isinstance(context.task_name, Stage):
            self.progress.begin_stage(_place(context.parent), context.task_name)
        elif context.task_name == "hidden unit":
            self.progress.begin_unit(_place(context.parent))
        elif isinstance(estimator, Scheme) and context.max_subtasks:
            self.progress.begin_networks(context.max_subtasks)

    def on_fit_task_end(self, estimator: Any, context: Any, **details: Any) -> None:
        """Count a unit, or a network of a scheme."""
        if context.task_name == "hidden unit":
            self.progress.end_unit(_place(context.parent))
        elif context.source_task_name == "network":
            self.progress.end_network(_place(context))


def _place(context: Any) -> tuple[int, ...]:
    """Return where a task stands among those of the whole fit."""
    return () if context.parent is None else (*_place(context.parent), context.task_id)
