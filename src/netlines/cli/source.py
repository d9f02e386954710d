"""Where a model comes from: the table's file, its bytes in short, the day and the command."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import date
from pathlib import Path

from netlines.cli.outputs import STREAM

CHUNK = 1 << 20

_COMMAND = ContextVar("command", default="")


def remember_command(arguments: Sequence[str]) -> None:
    """Take over what the command line was called with."""
    _COMMAND.set(shlex.join(["netlines", *arguments]))


def source_of(data: Path) -> dict[str, str]:
    """Return what a model file remembers of the table that it was fitted to."""
    about = {"file": "the standard input", "date": date.today().isoformat(), "command": _COMMAND.get()}
    return about if str(data) == STREAM else {**about, "file": data.name, "sha256": sha256_of(data)}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()
