"""How a command ends that is told to: by Ctrl-C, or by SIGTERM, as a system does that shuts down."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress

INTERRUPTED = 128 + signal.SIGINT  # the exit codes that shells have for commands that a signal ended


class _Told(KeyboardInterrupt):
    """A signal came.

    Of a `KeyboardInterrupt` itself that comes in an `exec`, as data classes are made by, Python remembers
    that, though it is caught, and ends as if by Ctrl-C.
    """


def until_told_to_end(work: Callable[[], int]) -> int:
    """Return the exit code of some work, or of the signal that ended it.

    SIGTERM does what Ctrl-C does, so that temporary files are removed and other processes ended. Once the
    work is done either ends the process at once: nothing is left to be put in order.
    """
    told = []

    def end(number: int, _: object) -> None:
        told.append(number)
        if len(told) == 1:  # whoever is impatient does not disturb the tidying up
            raise _Told

    listens = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) != signal.SIG_IGN]
    code = INTERRUPTED
    with suppress(KeyboardInterrupt):
        try:
            for number in listens:
                signal.signal(number, end)
            code = work()
        finally:
            for number in listens:
                signal.signal(number, signal.SIG_DFL)
    return 128 + told[0] if told else code
