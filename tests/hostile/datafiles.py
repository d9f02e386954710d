"""CSV and Parquet files of bytes that chance changed: each is read whole, or refused in words that name it.

A failure is kept with its file; `python tests/hostile/datafiles.py FILE` reads it again.
"""

from __future__ import annotations

import io
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile.campaign import Tally
from hostile.mutation import other_bytes
from netlines.tables.files import read_table, write_table
from netlines.tables.layout import learn_layout, read_target, to_inputs

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
    """Return tables of every type of column, as CSV and as Parquet, one of these with an index."""
    frame = pd.DataFrame(
        {
            "age": [31.5, 64.0, None, 2.0],
            "colour": ["red", "größer, als", "=1+1", "red"],
            "smokes": [True, False, True, True],
            "seen": pd.to_datetime(["2020-01-01", "2020-02-03", "1969-07-20", "2038-01-19"]),
            "kind": pd.Categorical(["a", "b", "a", "b"]),
            "key": [2**63 + 1, 3, 4, 5],
            TARGET: ["ill", "well", "ill", "well"],
        }
    )
    files = [(".csv", frame.to_csv(index=False).encode())]
    for one in (frame, frame.set_index("colour"), frame[["smokes", TARGET]]):
        buffer = io.BytesIO()
        one.to_parquet(buffer)
        files.append((".parquet", buffer.getvalue()))
    return files


def examine(path: Path) -> bool:
    """Read a file as `netlines fit` and `predict` do; False if it was refused in clear words."""
    try:
        table = read_table(path)
    except ValueError as error:
        if str(path) not in str(error):
            raise AssertionError(f"the error does not name the file: {error}") from error
        return False
    write_table(table, path.with_name("again.csv"), safe_csv=True)
    for name in table.columns:
        try:
            table.values(name)
        except ValueError as error:
            if name not in str(error) and repr(name)[1:-1] not in str(error):
                raise AssertionError(f"the error does not name the column {name!r}: {error}") from error
    try:
        layout = learn_layout(table, TARGET)
        read_target(table, TARGET)
        to_inputs(table, layout)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    print("read" if examine(Path(sys.argv[1])) else "refused")
