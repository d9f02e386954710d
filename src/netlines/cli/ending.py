"""How a command ends that is told to: by Ctrl-C, or by SIGTERM, as a system does that shuts down."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress

INTERRUPTED = 128 + signal.SIGINT  # the exit codes that shells have for commands that a signal ended
AGAIN = 1.0  # seconds after which a signal that nobody heard is repeated


class _Told(KeyboardInterrupt):
    """A signal came.

    Of a `KeyboardInterrupt` itself that comes in an `exec`, as data classes are made by, Python remembers
    that, though it is caught, and ends as if by Ctrl-C.
    """


def until_told_to_end(work: Callable[[], int]) -> int:
    """Return the exit code of some work, or of the signal that ended it.

    SIGTERM does what Ctrl-C does, so that temporary files are removed and other processes ended. Further ones
    do not disturb that. Once the work is done either ends the process at once: nothing is left to be put in
    order.
    """
    told: list[int] = []

    def end(number: int, _: object) -> None:
        told.append(number)
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.signal(signal.SIGALRM, _interrupt)
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        _interrupt()

    listens = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) != signal.SIG_IGN]
    code, report = INTERRUPTED, sys.unraisablehook
    with suppress(KeyboardInterrupt):
        try:
            # In a callback, as that of a lock of an import, Python reports what is raised and goes on.
            sys.unraisablehook = lambda what: None if isinstance(what.exc_value, _Told) else report(what)
            for number in listens:
                signal.signal(number, end)
            code = work()
        finally:
            sys.unraisablehook = report
            if told and hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)
            for number in listens:
                signal.signal(number, signal.SIG_DFL)
    return 128 + told[0] if told else code


def _interrupt(*_: object) -> None:
    """Raise that a signal came, unless what it ends is being put in order.

    Code that catches everything may have passed over the first time: it is then raised again.
    """
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, _Told):
        error = error.__context__ or error.__cause__
    if error is None:
        raise _Told
