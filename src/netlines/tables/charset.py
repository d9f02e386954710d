"""Which encoding a text file has, and the same text in UTF-8."""

from __future__ import annotations

import codecs

# UTF-32 stands before UTF-16, whose mark its own begins with.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 1 << 18  # bytes


def to_utf8(data: bytes, encoding: str | None = None) -> tuple[bytes, list[str]]:
    """Return a text in UTF-8 without a byte order mark, and notices about what was guessed.

    Bytes that are not of the `encoding`, and texts with NUL characters, are a `ValueError`.

    Examples
    --------
    >>> from netlines.tables.charset import to_utf8
    >>> to_utf8("größe".encode("utf-16"))
    (b'gr\\xc3\\xb6\\xc3\\x9fe', [])
    >>> to_utf8("größe".encode("latin-1"))[1]
    ['the text is not UTF-8: read as Windows-1252 (--encoding names another encoding)']
    """
    notices = []
    found = _decoding(data, encoding)
    try:
        text = data.decode(found)
    except UnicodeDecodeError as error:
        if encoding is not None or found != "utf-8":
            raise ValueError(_wrong_bytes(found, error)) from error
        text, known_as = _western(data)
        notices.append(f"the text is not UTF-8: read as {known_as} (--encoding names another encoding)")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(f"line {line} holds a NUL character: it is no text, or of another --encoding")
    return (data if found == "utf-8" and not notices else text.encode()), notices


def _decoding(data: bytes, encoding: str | None) -> str:
    """Return the encoding that is given, or said by a byte order mark or by zero bytes; else UTF-8."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is not None:
        # Beside its byte order, a mark is no part of the text.
        family = encoding.removesuffix("-le").removesuffix("-be")
        return marked if marked is not None and marked.removesuffix("-sig") == family else encoding
    return marked or _without_mark(data[:_LOOKED_AT]) or "utf-8"


def _without_mark(sample: bytes) -> str | None:
    """Return UTF-16 if of every two bytes one is often zero and the other one hardly ever."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    most = max(even, odd)
    if min(even, odd) > most / 8 or most < 2 or most < len(sample) / 16:
        return None
    return "utf-16-le" if odd == most else "utf-16-be"


def _western(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:  # five bytes have no meaning in it
        return data.decode("latin-1"), "Latin-1"


def _wrong_bytes(encoding: str, error: UnicodeDecodeError) -> str:
    line = error.object[: error.start].count(b"\n") + 1
    shown = bytes(error.object[error.start : error.end][:4]).hex(" ")
    return f"the bytes {shown} in line {line} are not {encoding} (--encoding names another encoding)"
