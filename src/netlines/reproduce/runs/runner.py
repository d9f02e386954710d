"""Does the runs that are not done yet, in processes, and keeps what they found on disk."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process

from netlines.reproduce.runs.records import Results, Row, Run

SAVING = 2.0  # seconds between two writings of results.csv
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class RunError(ValueError):
    """A run failed; the message says which."""


def execute(runs: Sequence[Run], results: Results, jobs: int, done: Callable[[Run], object]) -> int:
    """Do all runs that `results` does not hold, and return how many that were.

    What is finished is written every two seconds or so, at the end and when interrupted.

    Parameters
    ----------
    runs : what to do
    results : what is done, to which the new rows are added
    jobs : number of processes; the rows do not depend on it but for their seconds
    done : called after each run
    """
    todo = [run for run in runs if run not in results]
    if not todo:
        return 0
    before, saved = set(active_children()), time.monotonic()
    pool = ProcessPoolExecutor(min(jobs, len(todo)), get_context("spawn"), initializer=_begin_worker)
    try:
        with _one_thread(), _interrupts_later():
            futures = [pool.submit(_do, run) for run in todo]
        for future in as_completed(futures):
            run, rows = future.result()
            results.add(rows)
            done(run)
            if time.monotonic() - saved > SAVING:
                results.save()
                saved = time.monotonic()
    except BaseException as error:
        for worker in set(active_children()) - before:
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise RunError("a process was ended from outside, perhaps for lack of memory") from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        results.save()
    return len(todo)


def _do(run: Run) -> tuple[Run, list[Row]]:
    from netlines.reproduce.experiments import EXPERIMENTS

    try:
        return run, EXPERIMENTS[run.experiment].measure(run)
    except Exception as error:
        what = f"{run.experiment}: {run.method}, {run.case}, seed {run.seed}"
        raise RunError(f"{what} failed: {type(error).__name__}: {error}") from error


def _begin_worker() -> None:
    """Make a process that leaves Ctrl-C to the main one, which ends it, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the main process; one that was killed could not end its workers."""
    main = parent_process()
    assert main is not None
    main.join()
    os._exit(1)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Start processes of one thread each, for what they find must not depend on the number of cores."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Put off what Ctrl-C does until the end of the block.

    Processes that are started meanwhile inherit that it is blocked, from their first instruction on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[object] = []
    handler = signal.signal(signal.SIGINT, lambda *_: caught.append(None))
    blocks = hasattr(signal, "pthread_sigmask")  # not on Windows
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if caught and handler is not signal.SIG_IGN:
            signal.raise_signal(signal.SIGINT)
