"""The way out for all that the commands print: any terminal can show it, and none is steered by it."""

from __future__ import annotations

import codecs
import errno
import os
import re
import sys
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from netlines.tables.encode import TableWarning

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDE = 120  # columns of what is no terminal: room for wide tables

_PLAIN = {
    **dict.fromkeys("─━═╌┄–—−‐‑", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("●•·∙", "*"),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼ", "0123456789+-ij", strict=True)),
    **{"≥": ">=", "≤": "<=", "≠": "!=", "→": "->", "←": "<-", "±": "+/-", "×": "x", "…": "...", "∞": "inf"},
    **{"√": "sqrt", "∈": "in", "½": "1/2", "✓": "v", "✗": "x", "\N{NO-BREAK SPACE}": " ", "ᵀ": "'"},
}
_POWERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ", "0123456789-n", strict=True))
_POWER = re.compile(f"[{''.join(_POWERS)}]+")
_GREEK = re.compile("GREEK (SMALL|CAPITAL) LETTER (FINAL )?([A-Z]+)$")
# Characters that move the cursor, colour, rename windows, end lines or turn the direction of writing.
_COMMANDS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_ERRORS = "netlines.plain"


def visible(text: str, keep: str = "") -> str:
    """Return text whose control characters are written out, as Python writes them, but for those to keep.

    Examples
    --------
    >>> from netlines.cli.terminal import visible
    >>> print(visible("a\\x1b[31mred\\x07"))
    a\\x1b[31mred\\x07
    """
    return _COMMANDS.sub(lambda found: found[0] if found[0] in keep else _escaped(found[0]), text)


def shown(text: str, stream: TextIO | None = None) -> str:
    """Return text as a stream, by default stdout, can show it: of control characters lines stay."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "utf-8"
    return visible(text, keep="\n").encode(encoding, _ERRORS).decode(encoding)


def say(text: str) -> None:
    """Print text to stdout."""
    _write(shown(text) + "\n")


def show(*tables: RenderableType) -> None:
    """Print tables and lines of rich, whose texts are `shown` ones, to stdout, one below the other."""
    from rich.console import Console

    console = Console(width=width())
    with console.capture() as capture:
        for table in tables:
            console.print(table)
    _write(capture.get())


def complain(text: str) -> None:
    """Print one line to stderr; if that cannot be, there is nobody to tell."""
    line = visible(text.strip())
    try:
        print(shown(f"netlines: {line}", sys.stderr), file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def width() -> int:
    """Return the columns of stdout."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else WIDE


def prepare() -> None:
    """Make streams that nothing can be printed to harmless, before anything is."""
    for number, (name, mode) in enumerate({"stdin": "r", "stdout": "w", "stderr": "w"}.items()):
        if getattr(sys, name) is None:
            # It was closed by whoever started the command: the next file to be opened would take its number.
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        # Other ways to treat what an encoding lacks were asked for by the user.
        if getattr(stream, "errors", "") in ("strict", "surrogateescape", "backslashreplace"):
            stream.reconfigure(errors=_ERRORS)  # type: ignore[union-attr]


def finish() -> int:
    """Print what still waits to be, and return the exit code that it ends in: 1 for a closed pipe, 2 else."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return fail_to_print(error)
    return 0


def fail_to_print(error: OSError) -> int:
    """Say why nothing more is printed, and return the exit code."""
    _give_up(sys.stdout)
    if error.errno == errno.EPIPE:
        return 1
    complain(f"error: cannot write to the standard output: {error.strerror}")
    return 2


def show_warning(message: Warning | str, category: type[Warning], *where: Any, **further: Any) -> None:
    """Print a warning as one line, without a place in the code; those for programmers not at all."""
    if issubclass(category, TableWarning):
        for line in str(message).splitlines():
            complain(line)
    elif not issubclass(category, (DeprecationWarning, FutureWarning, PendingDeprecationWarning)):
        complain(f"warning: {' '.join(str(message).split())}")


class CannotPrint(Exception):
    """Nothing can be printed any more. It is no `OSError`, which typer would treat in its own way."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise CannotPrint(error) from error


def _give_up(stream: TextIO) -> None:
    """Let a stream that cannot be written end nowhere, or Python would try again when it ends."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def _escaped(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file's name that is no text
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _plain(character: str) -> str:
    """Return the ASCII that is read for a character, or its number."""
    if character in _PLAIN:
        return _PLAIN[character]
    if greek := _GREEK.match(unicodedata.name(character, "")):
        name = greek[3].lower()
        return name if greek[1] == "SMALL" else name.capitalize()
    return "+" if "\u2500" <= character <= "\u257f" else _escaped(character)


def _encoded_plainly(error: UnicodeError) -> tuple[str, int]:
    """Tell an encoder what to write for characters that it lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    powers = _POWER.sub(lambda found: "^" + "".join(_POWERS[one] for one in found[0]), text)
    return "".join(one if one.isascii() else _plain(one) for one in powers), error.end


codecs.register_error(_ERRORS, _encoded_plainly)
