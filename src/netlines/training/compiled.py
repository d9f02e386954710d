"""Functions that are compiled when they are first called, and kept on disk where there is a place for it."""

from __future__ import annotations

import gc
import hashlib
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from typing import Any

from numba import njit
from numba.core.compiler import CompileResult
from numba.core.event import Listener, install_listener
from numba.core.runtime import rtsys

from netlines.training import kept


def compiled(**options: Any) -> Callable[[Callable], Any]:
    """Compile a function at its first call, without the interpreter's lock; the parameters are numba's.

    What was compiled for a call from Python is kept, see `kept`, with all that it calls, and found there by
    the next process. Where nothing can be written it is compiled in every process, and a warning says so
    once. That something is compiled is told to the log `netlines`, once a process.
    """

    def decorate(function: Callable) -> Any:
        how: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, **options}
        dispatcher: Any = njit(**how)(function)
        if not hasattr(dispatcher, "get_overload"):  # NUMBA_DISABLE_JIT is set
            return dispatcher
        # What other compiled functions call has no door for Python, which takes long to compile.
        within: Any = njit(**how | {"no_cpython_wrapper": True})(function)
        dispatcher.get_call_template, dispatcher.get_overload = within.get_call_template, within.get_overload
        compile_one = dispatcher.compile

        def compile_at_once(signature: Any) -> Any:
            with _without_collections():
                return compile_one(signature)

        dispatcher.compile = compile_at_once
        dispatcher._cache = _Cache(function)
        return dispatcher

    return decorate


@contextmanager
def _without_collections() -> Iterator[None]:
    """Leave garbage where it is: a compiler makes many objects, which take long to look through."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Cache:
    """What is kept of one compiled function, as numba asks for it; whatever goes wrong, it is compiled."""

    cache_path = None

    def __init__(self, function: Any) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        code = function.__code__
        self._code = code.co_code, [one for one in code.co_consts if not hasattr(one, "co_code")]

    def _file(self, signature: Any, codegen: Any) -> str:
        """Return the name of the file for the types of arguments and the processor."""
        key = repr((self._code, signature, codegen.magic_tuple()))
        return f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled function, None if it is not there."""
        # numba would load all it needs to compile, which takes longer than the rest.
        with suppress(Exception):
            rtsys.initialize(target_context)
            data = kept.load(self._file(signature, target_context.codegen()))
            if data is not None:
                return CompileResult._rebuild(target_context, *data)
        _tell_of_compiling()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled function; on a full disk, say, it is not kept."""
        with suppress(Exception):
            if kept.save(self._file(signature, result.codegen), result._reduce()):
                return
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
            self._begin(kept.can_be_kept())

    def on_end(self, event: Any) -> None:
        """Tell of the outermost function, also if it failed."""
        self._under_way -= 1
        if self._under_way == 0:
            self._end()


@contextmanager
def while_compiling(begin: Callable[[bool], Any], end: Callable[[], Any]) -> Iterator[None]:
    """Make a context in which each compilation is told of, and the log is not; what is found on disk is none.

    Parameters
    ----------
    begin : told whether what is compiled can be kept, in the thread that calls the function to be compiled
    end : called there without arguments
    """
    _said.add("compiling")
    with install_listener("numba:compile", _Compilations(begin, end)):
        yield


_said: set[str] = set()


def _first(what: str) -> bool:
    """Tell whether something is to be said: once, in the process that the user started."""
    if what in _said or parent_process() is not None:
        return False
    _said.add(what)
    return True


def _tell_of_compiling() -> None:
    """Say what takes some seconds now, on stderr unless the user has another place for the log."""
    if _first("compiling"):
        when = " for the first time on this machine" if kept.can_be_kept() else ""
        logging.getLogger("netlines").warning("netlines: compiling%s, some seconds", when)


def _tell_of_no_place() -> None:
    """Warn that nothing is kept."""
    if _first("no place"):
        warnings.warn(
            "compiled code cannot be kept and is compiled again in every process, which takes some seconds: "
            "no folder for it can be written; set NUMBA_CACHE_DIR to one that can",
            RuntimeWarning,
            stacklevel=3,
        )
