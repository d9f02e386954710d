"""What a file is by its name or its first bytes, and what is inside a compressed one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from pathlib import PurePath

from netlines._words import listed

TEXT = (".csv", ".tsv", ".txt", ".dat", ".data")
_FORMATS = {
    **dict.fromkeys(TEXT, "csv"),
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "arrow",
    ".arrow": "arrow",
    ".xlsx": "xlsx",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
}
_PACKINGS = {".gz": "gz", ".zst": "zst", ".zip": "zip", ".bz2": "bz2", ".xz": "xz"}
_MAGIC = {
    b"\x1f\x8b": "gz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"PK\x03\x04": "zip",
    b"BZh91AY&SY": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"PAR1": "parquet",
    b"ARROW1\x00\x00": "arrow",
    b"\xff\xff\xff\xff": "arrow",  # a stream
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "xls",
}
_DEEPEST = 4
# Of an encrypted archive `zipfile` raises RuntimeError, which NotImplementedError of unknown methods is.
_DAMAGED = (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)


def unpack(data: bytes, name: str) -> tuple[bytes, str]:
    """Return what is inside all wrappings of a file, and its format: csv, parquet, arrow, xlsx or json.

    The suffix of the name says what the file is; of an unknown one, and of a text, the first bytes do. A
    damaged file, and an archive of more than one file, are a `ValueError`.

    Examples
    --------
    >>> import gzip
    >>> from netlines.tables.containers import unpack
    >>> unpack(gzip.compress(b'{"age": 31}'), "-")
    (b'{"age": 31}', 'json')
    """
    for _ in range(_DEEPEST):
        kind = _kind(data, name)
        if kind not in _PACKINGS.values():
            return data, kind
        if kind == "zip" and _is_workbook(data):
            return data, "xlsx"
        try:
            data, name = _unzip(data) if kind == "zip" else (_inflate(data, kind), str(PurePath(name).stem))
        except _DAMAGED as error:
            raise ValueError(f"cannot be read as {kind}: {str(error) or 'it is damaged'}") from error
    raise ValueError(f"is wrapped more than {_DEEPEST - 1} times")


def _kind(data: bytes, name: str) -> str:
    """Return the format or the packing of a file."""
    suffix = PurePath(name).suffix.lower()
    known = _FORMATS.get(suffix) or _PACKINGS.get(suffix)
    if known and suffix not in TEXT:
        return known
    found = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if found == "parquet" and not data.endswith(b"PAR1"):
        found = None  # a text
    if found == "xls":
        raise ValueError("is an old workbook of Excel: save it as .xlsx or as .csv")
    if found or known:
        return found or "csv"
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    is_array = start.startswith(b"[") and start[1:].lstrip().startswith(b"{")
    return "json" if is_array or start.startswith(b"{") else "csv"


def _inflate(data: bytes, packing: str) -> bytes:
    if packing == "zst":
        import pyarrow as pa

        with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
            return stream.read()
    return {"gz": gzip, "bz2": bz2, "xz": lzma}[packing].decompress(data)


def _is_workbook(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


def _unzip(data: bytes) -> tuple[bytes, str]:
    """Return the only file of an archive, and its name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [
            name
            for name in archive.namelist()
            if not name.endswith(("/", ".DS_Store")) and not name.startswith("__MACOSX/")
        ]
        if len(names) != 1:
            found = f": {listed(names)}" if names else ""
            raise zipfile.BadZipFile(f"one file is expected in it, got {len(names)}{found}")
        return archive.read(names[0]), names[0]
