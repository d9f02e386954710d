"""The command line: `netlines describe`, `fit`, `predict`, `evaluate`, `inspect`, `explain`, `report` ..."""

from __future__ import annotations

import logging
import sys
import warnings
from importlib.util import find_spec

from netlines.cli.ending import INTERRUPTED, until_told_to_end
from netlines.cli.terminal import CannotPrint, complain, fail_to_print, finish, prepare, show_warning

USER_ERROR = 2


def main() -> None:
    """Run the command line: a user's error is one line and exit code 2, Ctrl-C is exit code 130, SIGTERM 143.

    What reads the output and stops, as `head` does, is exit code 1.
    """
    sys.exit(until_told_to_end(_main))


def _main() -> int:
    prepare()
    # Without a home matplotlib tells of the folder that it works in instead, and of fonts.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    absent = [name for name in ("typer", "rich", "pandas", "pyarrow") if find_spec(name) is None]
    if absent:
        code = _fail(f'the command line needs {", ".join(absent)}: pip install "netlines[cli]"')
    else:
        code = _run(sys.argv[1:])
    return code or finish()


def _run(arguments: list[str]) -> int:
    import typer

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            from netlines.cli.commands import app
            from netlines.cli.helping import with_plain_help
            from netlines.cli.source import remember_command

            remember_command(arguments)
            command = with_plain_help(typer.main.get_command(app))
            return command.main(arguments or ["--help"], prog_name="netlines", standalone_mode=False) or 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort as abort:
        # Typer also makes one of the end of a file that was being read.
        if isinstance(abort.__cause__, EOFError):
            return _fail(f"a file that was read ends too early: {str(abort.__cause__) or 'it is damaged'}")
        return INTERRUPTED
    except CannotPrint as error:
        return fail_to_print(error.reason)
    except MemoryError:
        return _fail("there is not enough memory for this")
    except (ValueError, OSError) as error:
        return _fail(_message(error))
    except Exception as error:
        # A wrong option or argument: the class of this error moved between the versions of typer.
        if not hasattr(error, "format_message"):
            raise
        return _fail(f"{error.format_message()} (netlines --help lists the commands and options)")


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _fail(message: str) -> int:
    complain(f"error: {message}")
    return USER_ERROR
