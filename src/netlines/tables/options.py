"""What the user may say about a text that is read: --sep, --decimal and --encoding."""

from __future__ import annotations

import codecs

from netlines.tables.dialect import BLANKS

_SEPS = {"tab": "\t", "\\t": "\t", "space": BLANKS, "comma": ",", "semicolon": ";", "pipe": "|"}
_DECIMALS = {"comma": ",", "point": ".", "dot": "."}


def check_sep(value: str | None) -> str | None:
    """Return the delimiter that --sep means; another value is a `ValueError`.

    Examples
    --------
    >>> from netlines.tables.options import check_sep
    >>> check_sep("semicolon"), check_sep("~"), check_sep(None)
    (';', '~', None)
    """
    if value is None:
        return None
    sep = _SEPS.get(value.lower(), value)
    if len(sep) != 1 or sep.isalnum() or sep in "\"'\\\r\n\0_":
        raise ValueError(
            f"--sep must be one character that is no letter, digit, quote or backslash, or one of "
            f"{', '.join(_SEPS)}, got {value!r}"
        )
    return sep


def check_decimal(value: str | None) -> str | None:
    """Return the decimal sign that --decimal means; another value is a `ValueError`."""
    if value is None:
        return None
    sign = _DECIMALS.get(value.lower(), value)
    if sign not in (",", "."):
        raise ValueError(f"--decimal must be , or . or one of {', '.join(_DECIMALS)}, got {value!r}")
    return sign


def check_encoding(value: str | None) -> str | None:
    """Return the name of an encoding of texts; another value of --encoding is a `ValueError`."""
    if value is None:
        return None
    try:
        "a".encode(value)  # some codecs are of bytes
        return codecs.lookup(value).name
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"--encoding must be the name of an encoding of texts, such as utf-8, utf-16, cp1252 or latin-1, "
            f"got {value!r}"
        ) from error
