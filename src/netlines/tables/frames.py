"""Tables of any kind as names and cells: pandas and polars frames, Arrow tables, arrays and lists.

None of these libraries is needed: each is known by what its objects can do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from netlines.tables.cells import (
    MICROSECONDS_A_DAY,
    Cells,
    Raw,
    moments,
    numbers,
    of_array,
    of_objects,
    of_texts,
    text_of,
)


def is_frame(X: Any) -> bool:
    """Tell whether something is a table with names: of pandas, polars, Arrow or alike."""
    return _is_arrow(X) or (hasattr(X, "columns") and hasattr(X, "shape") and len(X.shape) == 2)


def as_raw(X: Any, *, always: bool = False) -> Raw | None:
    """Return a table as names and cells; None if it is a plain array of complete numbers, or no table.

    With `always` an array of complete numbers is a table as well.

    Examples
    --------
    >>> import numpy as np
    >>> from netlines.tables.frames import as_raw
    >>> as_raw(np.array([[1.0, 2.0]])) is None
    True
    >>> raw = as_raw([["red", 1.5], ["blue", None]])
    >>> raw.names, raw.cells("x0").levels, raw.cells("x1").missing.tolist()
    (('x0', 'x1'), ('red', 'blue'), [False, True])
    """
    if isinstance(X, Raw):
        return X
    if is_frame(X):
        return _of_frame(X)
    array = _as_array(X)
    if array is None or array.ndim != 2 or array.dtype.kind == "c" or not array.size:
        return None
    if not always and _is_plain(array):
        return None
    n_rows, n_columns = array.shape
    names = tuple(f"x{i}" for i in range(n_columns))
    single = array.dtype == np.float32
    return Raw(names, False, n_rows, lambda position: of_array(array[:, position]), single=single)


def _is_plain(array: NDArray) -> bool:
    """Tell whether an array holds complete numbers and nothing else."""
    if array.dtype.kind == "f":
        return not np.isnan(array.min())
    return array.dtype.kind in "biu" or (array.dtype.kind == "O" and _are_complete_numbers(array))


def _as_array(X: Any) -> NDArray | None:
    """Return rows as an array, of objects where numpy would make texts of numbers; None if they are none."""
    if isinstance(X, np.ndarray):
        return X
    if hasattr(X, "toarray") or isinstance(X, str | bytes) or not np.iterable(X):
        return None
    try:
        array = np.asarray(X)
        return np.array(X, dtype=object) if array.dtype.kind in "USO" else array
    except (ValueError, TypeError, OverflowError):
        return None


def _are_complete_numbers(array: NDArray) -> bool:
    """Tell whether all objects are plain numbers, none of them missing: then it is an array as any other."""
    kinds = {type(cell) for cell in array.ravel()}
    if not all(issubclass(kind, int | float | np.number | np.bool_) for kind in kinds):
        return False
    try:
        return not np.isnan(array.astype(float)).any()
    except (TypeError, ValueError, OverflowError):
        return True  # for scikit-learn to refuse


def _is_arrow(X: Any) -> bool:
    return hasattr(X, "column_names") and hasattr(X, "schema") and hasattr(X, "column")


def _of_frame(X: Any) -> Raw:
    labels = list(X.column_names) if _is_arrow(X) else list(X.columns)
    named = all(isinstance(label, str) for label in labels)
    names = tuple(str(label) for label in labels) if named else tuple(f"x{i}" for i in range(len(labels)))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has more than one column {twice!r}: rename one of them")
    if _is_arrow(X):
        single = all(str(kind) == "float" for kind in X.schema.types)
        return Raw(names, named, X.num_rows, lambda i: _of_arrow(X.column(i)), single=single)
    single = {str(dtype).lower() for dtype in getattr(X, "dtypes", [])} == {"float32"}
    if hasattr(X, "iloc"):
        if all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in X.dtypes):
            block = X.to_numpy()  # one access instead of one a column
            return Raw(names, named, len(X), lambda i: of_array(block[:, i]), single=single)
        return Raw(names, named, len(X), lambda i: _of_pandas(X.iloc[:, i]), single=single)
    if hasattr(X, "to_series"):
        return Raw(names, named, len(X), lambda i: _of_polars(X.to_series(i)), single=single)
    return Raw(names, named, len(X), lambda i: of_objects(list(X[labels[i]])))


def _of_levels(codes: NDArray, levels: Iterable[Any]) -> Cells:
    """Return what a column of declared categories holds: of each row the position of its level, or -1."""
    own = of_texts([None if level is None or level != level else text_of(level) for level in levels], True)
    target = np.append(np.where(own.missing, -1, own.values), -1).astype(np.int64)
    found = target[codes]
    if (found < 0).all():
        return Cells("nothing", np.zeros(len(codes)), found < 0, declared=True)
    return Cells("text", np.where(found < 0, 0, found), found < 0, own.levels, declared=True)


def _of_pandas(series: Any) -> Cells:
    dtype = series.dtype
    name, kind = str(dtype), getattr(dtype, "kind", "O")
    if name == "category":
        return _of_levels(np.asarray(series.cat.codes), series.cat.categories.tolist())
    if isinstance(dtype, np.dtype):
        return of_array(series.to_numpy())
    if hasattr(dtype, "pyarrow_dtype"):
        return _of_arrow(series.array.__arrow_array__())
    if (
        kind in "biuf"
        and hasattr(series.array, "isna")
        and not name.startswith(("Sparse", "interval", "period"))
    ):
        missing = np.asarray(series.isna())
        values = series.to_numpy(dtype=float, na_value=0.0)
        return Cells("boolean", values, missing) if kind == "b" else numbers(values, missing)
    if name.startswith("Sparse"):
        return of_array(np.asarray(series))
    if kind == "M":  # with a time zone
        return of_array(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    if name.startswith("period"):
        return of_array(series.dt.to_timestamp().to_numpy())
    if name.startswith("interval"):
        cells = zip(series, series.isna(), strict=True)
        return of_texts([None if absent else str(one) for one, absent in cells], declared=True)
    return of_objects(series.tolist())


def _of_polars(series: Any) -> Cells:
    import polars as pl

    dtype = series.dtype
    if dtype.is_numeric():
        return numbers(series.cast(pl.Float64).to_numpy())
    if dtype == pl.Boolean:
        missing = series.is_null().to_numpy()
        return Cells("boolean", series.fill_null(False).cast(pl.Float64).to_numpy(), missing)
    if dtype in (pl.Date, pl.Datetime):
        micro = series.cast(pl.Datetime("us"))
        return moments(micro.to_physical().fill_null(0).to_numpy(), series.is_null().to_numpy())
    if dtype == pl.Duration:
        days = series.dt.total_microseconds().cast(pl.Float64) / MICROSECONDS_A_DAY
        return numbers(days.to_numpy())
    return of_objects(series.to_list(), declared=dtype in (pl.Categorical, pl.Enum))


def _of_arrow(column: Any) -> Cells:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        chunks = column.unify_dictionaries().chunks if hasattr(column, "chunks") else [column]
        codes = np.concatenate([np.zeros(0, dtype=np.int64), *map(_codes, chunks)])
        return _of_levels(codes, chunks[0].dictionary.to_pylist() if chunks else [])
    missing = np.asarray(column.is_null(), dtype=bool)
    if pa.types.is_boolean(kind):
        values = column.cast(pa.int8()).fill_null(0)
        return Cells("boolean", np.asarray(values, dtype=float), missing)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        values = column.cast(pa.float64(), safe=False).fill_null(0.0)
        return numbers(np.asarray(values), missing)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        micro = column.cast(pa.timestamp("us", tz=getattr(kind, "tz", None)), safe=False).cast(pa.int64())
        return moments(np.asarray(micro.fill_null(0)), missing)
    if pa.types.is_duration(kind):
        micro = column.cast(pa.duration("us"), safe=False).cast(pa.int64()).fill_null(0)
        return numbers(np.asarray(micro) / MICROSECONDS_A_DAY, missing)
    return of_objects(column.to_pylist())


def _codes(chunk: Any) -> NDArray[np.int64]:
    return np.asarray(chunk.indices.cast("int64").fill_null(-1), dtype=np.int64)
