"""Tables of all formats whose bytes chance changed: each is read whole, or refused in words that name it.

A failure is kept with its file; `python tests/hostile/datafiles.py FILE` reads it again.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile.campaign import Tally
from hostile.mutation import other_bytes
from netlines.cli.tables import raw_of
from netlines.network.layout import Layout
from netlines.tables.encode import encode
from netlines.tables.files import read_table, write_table
from netlines.tables.learn import learn_table
from netlines.tables.target import read_target, read_truth

TARGET = "class"


def attack(tally: Tally, rng: np.random.Generator, left: Callable[[], float]) -> None:
    """Change files while there is time, and count them."""
    warnings.simplefilter("ignore")
    files = data_files()
    with tempfile.TemporaryDirectory() as folder:
        while left() > 0:
            suffix, content = files[int(rng.integers(len(files)))]
            content = other_bytes(content, files[int(rng.integers(len(files)))][1], rng)
            path = Path(folder, f"table{suffix}")
            path.write_bytes(content)
            tally.count("mutated tables")
            reproduction = f"python tests/hostile/datafiles.py table{suffix}"
            with tally.guarded(lambda text=reproduction: text, **{path.name: content}):
                examine(path)


def data_files() -> list[tuple[str, bytes]]:
    """Return tables of every type of column in every format, one with an index and one of a single row."""
    frame = pd.DataFrame(
        {
            "age": [31.5, 64.0, None, 2.0],
            "colour": ["red", "größer, als", "=1+1", "red"],
            "smokes": [True, False, True, True],
            "seen": pd.to_datetime(["2020-01-01", "2020-02-03", "1969-07-20", "2038-01-19"]),
            "kind": pd.Categorical(["a", "b", "a", "b"]),
            "key": [2**63 + 1, 3, 4, 5],
            "told": ["1/2/2024", "13/2/2024 06:30", "", "3/4/2024"],
            "price": ["$1,000.50", "$2", "$3.5", "?"],
            TARGET: ["ill", "well", "ill", "well"],
        }
    )
    texts = frame.to_csv(index=False).encode()
    files = [(".csv", texts), (".csv.gz", gzip.compress(texts, mtime=0)), (".data", texts[:90])]
    files.append((".txt", frame.to_csv(index=False, sep=";", decimal=",").encode("utf-16")))
    files.append((".jsonl", frame.to_json(orient="records", lines=True, date_format="iso").encode()))
    for one in (frame, frame.set_index("colour"), frame[["smokes", TARGET]]):
        files.append((".parquet", _written(one, "to_parquet")))
    files.append((".feather", _written(frame, "to_feather")))
    files.append((".xlsx", _written(frame.astype({"key": float}), "to_excel")))
    return files


def _written(frame: pd.DataFrame, how: str) -> bytes:
    buffer = io.BytesIO()
    getattr(frame, how)(buffer)
    return buffer.getvalue()


def examine(path: Path) -> bool:
    """Read a file as `netlines fit` and `predict` do; False if it was refused in clear words."""
    try:
        table = read_table(path)
    except ValueError as error:
        if str(path) not in str(error):
            raise AssertionError(f"the error does not name the file: {error}") from error
        return False
    write_table(table, path.with_name("again.csv"))
    raw = raw_of(table)
    for name in table.columns:
        try:
            raw.cells(name)
        except (ValueError, TypeError) as error:
            if name not in str(error) and repr(name)[1:-1] not in str(error):
                raise AssertionError(f"the error does not name the column {name!r}: {error}") from error
    try:
        found = read_target(raw, TARGET)
        rows = raw.taken(found.present).without(TARGET)
        labels, numbers = np.unique(found.labels, return_inverse=True)
        learnt = learn_table(rows, labels=numbers)
        again = encode(raw, learnt.layout).inputs[found.present]
        read_truth(raw, replace(learnt.layout, target=TARGET), labels.tolist())
    except (ValueError, TypeError):
        return False
    if not np.array_equal(again, learnt.inputs, equal_nan=True):
        raise AssertionError("the rows of the table become other inputs than they did in training")
    if Layout.from_json(json.loads(json.dumps(learnt.layout.to_json()))) != learnt.layout:
        raise AssertionError("what was learnt of the table is another thing in a model file")
    return True


if __name__ == "__main__":
    print("read" if examine(Path(sys.argv[1])) else "refused")
