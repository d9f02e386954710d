"""Which file a command may write: none that it reads, and only where it can."""

from __future__ import annotations

import os
from pathlib import Path

from netlines._files import check_writable

STREAM = "-"  # standard input or output


def check_output(output: Path, *read: Path, stream: bool = False) -> None:
    """Refuse an output that cannot be written, or is a file that is read, before any work is done for it.

    `stream` tells whether it may be standard output.
    """
    if str(output) == STREAM:
        if not stream:
            raise ValueError(f"--output {STREAM} is standard output, which takes tables only: name a file")
        return
    for path in read:
        if _are_one(output, path):
            raise ValueError(
                f"--output {output} would overwrite the file that is read, {path}: choose another name"
            )
    check_writable(output)


def _are_one(a: Path, b: Path) -> bool:
    """Tell whether two paths lead to one file, by links of any kind or by another spelling."""
    try:
        return os.path.samefile(a, b)
    except OSError:  # one of them is not there
        return os.path.realpath(a) == os.path.realpath(b)
