"""The command line: `netlines fit`, `predict`, `inspect`, `explain`, `report` and `reproduce`."""

from __future__ import annotations

import sys
from importlib.util import find_spec

USER_ERROR, INTERRUPTED = 2, 130


def main() -> None:
    """Run the command line: a user's error is one line and exit code 2, Ctrl-C is exit code 130."""
    absent = [name for name in ("typer", "rich", "pandas", "pyarrow") if find_spec(name) is None]
    if absent:
        sys.exit(_fail(f'the command line needs {", ".join(absent)}: pip install "netlines[cli]"'))
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    import typer

    try:
        from netlines.cli.commands import app

        command = typer.main.get_command(app)
        return command.main(arguments or ["--help"], prog_name="netlines", standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
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
    print("netlines: error:", " ".join(message.split()), file=sys.stderr)
    return USER_ERROR
