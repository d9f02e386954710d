"""What the parts of the campaign share: counting cases, saving failures, and a limit to the time of a case.

A part is a module with a function `attack(tally, rng, left)`: it makes cases of chance alone, out of `rng`,
and goes on while `left()` is positive. A case that shows a defect is `tally.fail(...)`: it is counted, and
what brings it back is written to a folder of its own.
"""

from __future__ import annotations

import json
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

LONGEST = 20.0  # seconds of CPU that a case may take
FAILURES = ("traceback", "wrong answer", "hang", "half-written file")


class Hang(BaseException):
    """A case took more CPU than allowed."""


@contextmanager
def limited(seconds: float = LONGEST) -> Iterator[None]:
    """Raise a `Hang` in the block when it has used so many seconds of CPU. In the main thread only."""

    def stop(*_: object) -> None:
        raise Hang(f"more than {seconds:.0f} s of CPU")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _hung(error: BaseException | None) -> bool:
    """Tell whether a `Hang` came while compiled code was returning, which numba reports as a SystemError."""
    while error is not None and not isinstance(error, Hang):
        error = error.__cause__ or error.__context__
    return error is not None


class Tally:
    """The figures of one part of the campaign, and where its failures are kept.

    Parameters
    ----------
    part : name of the part
    folder : each failure gets a folder of its own below it
    seed : what the cases are made of; it stands in every failure
    """

    def __init__(self, part: str, folder: Path, seed: int):
        self.part, self.folder, self.seed = part, folder, seed
        self.cases: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def count(self, kind: str, cases: int = 1) -> None:
        """Add to the number of cases of a kind, for example "mutated files"."""
        self.cases[kind] += cases

    def fail(
        self, failure: str, what: str, reproduction: str, files: Mapping[str, bytes] | None = None
    ) -> None:
        """Count a failure and write what brings it back.

        Parameters
        ----------
        failure : one of `FAILURES`
        what : what was promised, and what came instead
        reproduction : a Python program or a command that shows it, run in the failure's folder
        files : files that the reproduction needs, by name
        """
        assert failure in FAILURES, failure
        self.failures[failure] += 1
        place = self.folder / f"{self.part}-{sum(self.failures.values()):03d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "README.txt").write_text(f"{failure} (seed {self.seed})\n{what}\n", encoding="utf-8")
        (place / "reproduce.txt").write_text(reproduction + "\n", encoding="utf-8")
        for name, content in (files or {}).items():
            (place / name).write_bytes(content)
        print(f"{self.part}: {failure}: {what.splitlines()[0][:150]} -> {place}", flush=True)

    @contextmanager
    def guarded(self, reproduction: Callable[[], str], **files: bytes) -> Iterator[None]:
        """Count an exception of the block as a traceback, and too much CPU as a hang.

        What a user may meet, such as a `ValueError` with a clear message, is to be caught inside.
        """
        try:
            with limited():
                yield
        except Hang as hang:
            self.fail("hang", str(hang), reproduction(), files)
        except Exception as error:
            if isinstance(error, SystemError) and _hung(error):
                self.fail("hang", "too much CPU in compiled code", reproduction(), files)
                return
            self.fail("traceback", traceback.format_exc(limit=-3), reproduction(), files)

    def to_json(self) -> str:
        """Return the figures as text."""
        return json.dumps({"part": self.part, "cases": self.cases, "failures": self.failures})


def time_left(seconds: float) -> Callable[[], float]:
    """Return a function that tells how many of these seconds are left from now on."""
    end = monotonic() + seconds
    return lambda: end - monotonic()
