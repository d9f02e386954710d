"""Where compiled code is kept: looked for in each place, written to the first that takes it.

1. `NUMBA_CACHE_DIR`, if it is set.
2. `__pycache__` beside this module: what the owner of the packages compiled is there for every user.
3. The user's cache folder.
4. A folder of the user's in the temporary one of the system: for read-only packages and users without a home.

What is found is run: of 3 and 4 a folder is taken only if it is the user's and nobody else can write to it.

A file fits as long as the sources of all compiled functions, and the versions of netlines, numba and Python,
are those of now, whenever they were written; and the processor is the one it was compiled for.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.serialize import dumps

from netlines import __version__
from netlines._files import atomic_write, check_writable

_SIZE = hashlib.sha256().digest_size
_HERE = Path(__file__).parent


@cache
def stamp() -> bytes:
    """Return what tells this code and these versions from all others, 32 bytes."""
    versions = (__version__, numba.__version__, sys.implementation.cache_tag)
    found = hashlib.sha256(repr(versions).encode())
    # One compiled function has others within it: all of them count for each.
    for path in sorted(_HERE.rglob("*.py")):
        content = path.read_bytes()
        if b"@compiled(" in content or path.stem in ("compiled", "kept"):
            found.update(hashlib.sha256(content).digest())
    if not _HERE.is_dir():  # the package is in an archive
        archive = next(path for path in _HERE.parents if path.exists()).stat()
        found.update(repr((archive.st_mtime_ns, archive.st_size)).encode())
    return found.digest()


def places() -> Iterator[Path]:
    """Yield the folders in which compiled code may be found and kept, the first one first."""
    name = f"netlines-{stamp().hex()[:16]}"  # of many environments, each finds its own
    if chosen := getattr(numba.config, "CACHE_DIR", ""):
        yield Path(chosen) / name
    yield _HERE / "__pycache__"
    for folder in own_folders():
        if is_safe(folder):
            yield folder / name


def own_folders() -> Iterator[Path]:
    """Yield the folders for the user alone, in a home and in a temporary folder; they need not be there."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        yield Path(os.environ.get("LOCALAPPDATA") or home) / "netlines" / "compiled"
        yield Path(tempfile.gettempdir()) / "netlines"
        return
    caches = "Library/Caches" if sys.platform == "darwin" else os.environ.get("XDG_CACHE_HOME") or ".cache"
    if home.is_absolute() or os.path.isabs(caches):
        yield home / caches / "netlines"
    yield Path(os.environ.get("TMPDIR") or "/tmp") / f"netlines-{os.geteuid()}"


def is_safe(folder: Path) -> bool:
    """Tell whether a folder is the user's, with nobody else who may write to it; it is made if it is absent.

    In a temporary folder anybody could have made it before, with code of their own in it.
    """
    try:
        with suppress(FileExistsError):
            folder.parent.mkdir(exist_ok=True)
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):  # a link to a folder among them
        return False
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def can_be_kept() -> bool:
    """Tell whether there is a place to write to."""
    return next(_writable(), None) is not None


def _writable() -> Iterator[Path]:
    for folder in places():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            check_writable(folder / "any")
            yield folder


def load(name: str) -> Any:
    """Return what is kept under a name, None if nothing is; damaged files are thrown away."""
    for folder in places():
        path = folder / name
        with suppress(Exception):  # unpickling may raise anything
            content = path.read_bytes()
            if not content.startswith(stamp()):
                continue  # of another version, and written anew
            digest, data = content[_SIZE : 2 * _SIZE], content[2 * _SIZE :]
            if hashlib.sha256(data).digest() == digest:  # machine code with a wrong bit would crash
                return pickle.loads(data)
            path.unlink()
    return None


def save(name: str, what: Any) -> bool:
    """Keep something under a name in the first place that takes it; tell whether one did."""
    data = dumps(what)
    for folder in _writable():
        with suppress(OSError):
            with atomic_write(folder / name) as file:
                file.write(stamp() + hashlib.sha256(data).digest() + data)
            return True
    return False
