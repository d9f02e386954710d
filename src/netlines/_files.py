"""Writing a file so that it appears whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of `path` when the block ends without an error.

    The bytes go to a temporary name in the same folder. On any failure, Ctrl-C among them, that file
    is removed and whatever stood at `path` is untouched. An `OSError` names `path`.
    """
    # A link keeps pointing to the file that is replaced.
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{uuid4().hex}.tmp")
    try:
        _refuse_what_is_no_file(target)
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise _named(error, path) from error
    finally:
        # The temporary name is gone after the replacement, and was never there if it could not be opened.
        with suppress(OSError):
            temporary.unlink()


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise the `OSError` that writing `path` would end in, before any work is done for it."""
    target = Path(os.path.realpath(path))
    probe = target.with_name(f".{uuid4().hex}.tmp")
    try:
        _refuse_what_is_no_file(target)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise _named(error, path) from error


def _refuse_what_is_no_file(target: Path) -> None:
    """Raise an `OSError` for a folder, and for a device or pipe, which the new file would replace."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")


def _named(error: OSError, path: str | os.PathLike[str]) -> OSError:
    return OSError(error.errno, f"cannot write the file: {error.strerror or error}", os.fspath(path))
