"""Functions that are compiled when they are first called, and kept on disk where there is a place for it."""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import CacheImpl, CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.event import Listener, install_listener

_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size


def compiled(**options: Any) -> Callable[[Callable], Any]:
    """Compile a function at its first call, without the interpreter's lock; the parameters are numba's.

    What was compiled is kept in `NUMBA_CACHE_DIR`, beside the module or in the user's cache folder, and found
    there by the next process. Where nothing can be written it is compiled in every process, and a warning
    says so once. Damaged files are thrown away.
    """

    def decorate(function: Callable) -> Any:
        dispatcher = njit(nogil=True, **options)(function)
        try:
            dispatcher._cache = _Cache(function)
        except (RuntimeError, OSError):  # numba found no place
            _tell_of_no_place()
        return dispatcher

    return decorate


class _CheckedFiles(IndexDataCacheFile):
    """The files of a cached function, with a check sum: machine code with a wrong bit would crash."""

    def _dump(self, obj: Any) -> bytes:
        # Unpickling stops before the check sum.
        data = super()._dump(obj)
        return data + _DIGEST(data).digest()

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        data, digest = content[:-_SIZE], content[-_SIZE:]
        if _DIGEST(data).digest() != digest:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(data)


class _Places(CompileResultCacheImpl):
    """Where numba looks for a place; without a home it would make a folder called ~ in the current one."""

    _locator_classes = [  # noqa: RUF012
        place
        for place in CacheImpl._locator_classes
        if "UserWide" not in place.__name__ or os.path.isabs(os.path.expanduser("~"))
    ]


class _Cache(FunctionCache):
    """What is kept of one compiled function; whatever goes wrong with it, the function is compiled."""

    _impl_class = _Places

    def __init__(self, function: Callable):
        super().__init__(function)
        files = self._cache_file
        base = self._impl.filename_base
        self._cache_file = _CheckedFiles(self._cache_path, base, files._source_stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function, None if it is not there; damaged files are thrown away."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling what is damaged may raise anything
            with suppress(OSError):
                os.unlink(self._cache_file._index_path)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function; on a full disk, say, it is not kept."""
        try:
            super().save_overload(sig, data)
        except Exception:
            _tell_of_no_place()


class _Compilations(Listener):
    """Tells when something begins to be compiled, and when nothing is compiled any more."""

    def __init__(self, begin: Callable[[bool], Any], end: Callable[[], Any]) -> None:
        self._begin, self._end = begin, end
        self._under_way = (
            0  # a function is compiled within another one; numba does it in one thread at a time
        )

    def on_start(self, event: Any) -> None:
        """Tell of the outermost function."""
        self._under_way += 1
        if self._under_way == 1:
            self._begin(not _told)

    def on_end(self, event: Any) -> None:
        """Tell of the outermost function, also if it failed."""
        self._under_way -= 1
        if self._under_way == 0:
            self._end()


def while_compiling(begin: Callable[[bool], Any], end: Callable[[], Any]) -> AbstractContextManager:
    """Return a context in which each compilation is told of; what is found on disk is none.

    Parameters
    ----------
    begin : told whether what is compiled can be kept, in the thread that calls the function to be compiled
    end : called there without arguments
    """
    return install_listener("numba:compile", _Compilations(begin, end))


_told = False


def _tell_of_no_place() -> None:
    """Warn once that nothing is kept, in the process that the user started."""
    global _told
    if _told or parent_process() is not None:
        return
    _told = True
    warnings.warn(
        "compiled code cannot be kept and is compiled again in every process, which takes some seconds: no "
        "folder for it can be written; set NUMBA_CACHE_DIR to one that can",
        RuntimeWarning,
        stacklevel=3,
    )
