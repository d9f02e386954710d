"""Formats whose cells have types: Parquet, Arrow, Excel and JSON."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from netlines._words import count, listed
from netlines.tables.charset import to_utf8


def read_parquet(data: bytes) -> tuple[Any, list[str]]:
    """Read a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(pa.BufferReader(data)) as file:
        return _from_arrow(file.read(use_pandas_metadata=True))


def read_arrow(data: bytes) -> tuple[Any, list[str]]:
    """Read an Arrow file (Feather) or stream."""
    import pyarrow as pa

    is_file = data.startswith(b"ARROW1")
    with (pa.ipc.open_file if is_file else pa.ipc.open_stream)(pa.BufferReader(data)) as reader:
        return _from_arrow(reader.read_all())


def read_json(data: bytes, encoding: str | None = None) -> tuple[Any, list[str]]:
    """Read lines of JSON objects, or one array of them; a key that an object lacks is None."""
    data, notices = to_utf8(data, encoding)
    text = data.decode()
    if text.lstrip().startswith("["):
        values = _loaded(text, "")
        objects = [(f"element {k}", value) for k, value in enumerate(values, 1)]
    else:
        lines = ((f"line {k}", line) for k, line in enumerate(text.split("\n"), 1) if line.strip())
        objects = [(place, _loaded(line, f"{place}: ")) for place, line in lines]
    for place, value in objects:
        if not isinstance(value, dict):
            raise ValueError(f"{place}: an object of names and values is expected, got {_shortened(value)}")
    names = list(dict.fromkeys(name for _, value in objects for name in value))
    return _objects(names, ([value.get(name) for _, value in objects] for name in names)), notices


def read_excel(data: bytes) -> tuple[Any, list[str]]:
    """Read the first sheet of a workbook; the first row that is not empty holds the names."""
    openpyxl = import_openpyxl()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and validations
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        with closing(book):
            sheets = book.worksheets
            if not sheets:
                raise ValueError("it has no sheet of cells")
            sheets[0].reset_dimensions()  # some programs write wrong ones
            rows = [list(row) for row in sheets[0].iter_rows(values_only=True)]
    notices = []
    if len(sheets) > 1:
        notices.append(
            f"the workbook has {len(sheets)} sheets: the first, {sheets[0].title!r}, is read, "
            f"{listed(sheet.title for sheet in sheets[1:])} left out"
        )
    above = next((k for k, row in enumerate(rows) if any(cell is not None for cell in row)), len(rows))
    if above:
        verb = "is" if above == 1 else "are"
        notices.append(f"{count(above, 'row')} above the names of the columns {verb} left out")
    names, *rows = rows[above:] or [[]]
    width = max(map(len, [names, *rows]))  # empty cells at the end are not there
    columns = zip(*(row + [None] * (width - len(row)) for row in [names, *rows]), strict=True)
    names_and_cells = [(("" if name is None else str(name)), cells) for name, *cells in columns]
    return _objects([name for name, _ in names_and_cells], (cells for _, cells in names_and_cells)), notices


def import_openpyxl() -> Any:
    """Import openpyxl; the error names the extra."""
    try:
        import openpyxl
    except ImportError as error:
        raise ImportError('Excel files need openpyxl: pip install "netlines[excel]"') from error
    return openpyxl


def _from_arrow(table: Any) -> tuple[Any, list[str]]:
    """Return a data frame; a named index is a column like others, another one is left out."""
    import pandas as pd

    table.validate(full=True)  # of a damaged file too: texts are not decoded before
    frame = table.to_pandas()
    notices = []
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    elif not isinstance(frame.index, pd.RangeIndex):
        notices.append("the index of the data frame has no name: left out")
    return frame.reset_index(drop=True), notices


def _objects(names: list[str], columns: Iterable[list[Any]]) -> Any:
    """Return a data frame of any cells; names may occur twice."""
    import pandas as pd

    frame = pd.DataFrame({k: pd.Series(cells, dtype=object) for k, cells in enumerate(columns)})
    frame.columns = names
    return frame


def _loaded(text: str, place: str) -> Any:
    """Return a JSON value."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        where = place or f"line {error.lineno}: "
        raise ValueError(
            f"{where}{error.msg} (character {error.colno}); expected is an object a line, or an array of them"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}{error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"more than one value is named {listed(n for n in found if names.count(n) > 1)}")
    return found


def _shortened(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}..."
