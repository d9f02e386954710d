"""Where a model comes from: the table's file, its bytes in short, the day and the command."""

from __future__ import annotations

import hashlib
import shlex
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

from netlines.cli.outputs import STREAM

CHUNK = 1 << 20


def source_of(data: Path, command: str) -> dict[str, str]:
    """Return what a model file remembers of the table that it was fitted to."""
    about = {"file": "the standard input", "date": date.today().isoformat(), "command": command}
    return about if str(data) == STREAM else {**about, "file": data.name, "sha256": sha256_of(data)}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def command_of(context: Any) -> str:
    """Return the command line that a command was called with: what was given, and not the defaults."""
    words = ["netlines", context.info_name]
    for parameter in context.command.params:
        value = context.params.get(parameter.name)
        source = context.get_parameter_source(parameter.name)
        if source is None or source.name != "COMMANDLINE" or value is None:
            continue
        option = parameter.opts[0] if parameter.param_type_name == "option" else None
        for one in value if isinstance(value, list | tuple) else [value]:
            told = str(one.value if isinstance(one, Enum) else one)
            words += [option] if option and one is True else [option, told] if option else [told]
    return shlex.join(words)
