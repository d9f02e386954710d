"""Jobs on threads, their results in order: the same whatever the number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor


def in_order(function: Callable, jobs: Iterable, n_threads: int = 1) -> Iterator:
    """Yield function(job) in the order of the jobs; a consumer that leaves early cancels the rest."""
    if n_threads == 1:
        yield from map(function, jobs)
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        for future in [pool.submit(function, job) for job in jobs]:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
