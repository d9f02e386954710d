"""Writing a file so that it appears whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed
    fcntl = None  # type: ignore[assignment]

_OURS = re.compile(r"\.netlines-[0-9a-f]{32}\.tmp")
_DAY = 24 * 3600.0


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of `path` when the block ends without an error.

    The bytes go to a temporary name in the same folder. On any failure, Ctrl-C among them, that file
    is removed and whatever stood at `path` is untouched. What a killed process left behind is removed by the
    next file that is written beside it. An `OSError` names `path`.
    """
    # A link keeps pointing to the file that is replaced.
    target = Path(os.path.realpath(path))
    temporary = _temporary_beside(target)
    try:
        _refuse_what_cannot_be_replaced(target)
        _remove_abandoned(target.parent)
        with _open_temporary(temporary) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            if fcntl is not None:
                os.replace(temporary, target)  # while the lock is held: nobody takes it for abandoned
        if fcntl is None:
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
    probe = _temporary_beside(target)
    try:
        _refuse_what_cannot_be_replaced(target)
        _remove_abandoned(target.parent)
        with _open_temporary(probe):
            if fcntl is not None:
                probe.unlink()
    except OSError as error:
        raise _named(error, path) from error
    finally:
        with suppress(OSError):  # it is gone but for Ctrl-C, and on Windows
            probe.unlink()


def _refuse_what_cannot_be_replaced(target: Path) -> None:
    """Raise an `OSError` for a folder, a device or pipe, links in a circle, and a write-protected file."""
    if target.is_symlink():  # the end of all links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not target.exists():
        return
    if not target.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    # A new file could take its place all the same, and root may write anything.
    if not stat.S_IMODE(target.stat().st_mode) & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(
            errno.EACCES, "it is write-protected: make it writable (chmod u+w), or choose another name"
        )


def _temporary_beside(target: Path) -> Path:
    """Return a new name; known before it is opened, it can be removed whenever Ctrl-C comes."""
    return target.parent / f".netlines-{uuid4().hex}.tmp"


def _open_temporary(path: Path) -> BinaryIO:
    """Return a new file of ours; while it is open, a lock says so."""
    while True:
        file = open(path, "xb")  # noqa: SIM115
        if fcntl is not None:
            with suppress(OSError):  # some network folders have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if path.exists():
            return file
        file.close()  # another process took it for abandoned before it was locked


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files that killed processes left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for name in [entry.name for entry in entries if _OURS.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_abandoned(folder / name)


def _remove_if_abandoned(path: Path) -> None:
    if fcntl is None:
        if time.time() - path.stat().st_mtime > _DAY:
            path.unlink()
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while its process is there
            path.unlink()
    finally:
        os.close(descriptor)


def _named(error: OSError, path: str | os.PathLike[str]) -> OSError:
    return OSError(error.errno, f"cannot write the file: {error.strerror or error}", os.fspath(path))
