"""What one run is and what it leaves behind: a row of results.csv."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from netlines._files import atomic_write

try:
    import fcntl
except ImportError:  # Windows: two runs at the very same moment are not told apart there
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Run:
    """One training to do: a case of an experiment, learnt by a method from the data of a seed.

    `gives` are the parameters of the rows it leaves behind; none means one row, that of the case.
    """

    experiment: str
    method: str
    case: str
    seed: int
    gives: tuple[str, ...] = ()

    @property
    def keys(self) -> list[tuple[str, str, str, int]]:
        """The rows that this run leaves behind, by what tells them from all others."""
        return [(self.experiment, self.method, case, self.seed) for case in self.gives or (self.case,)]


@dataclass(frozen=True)
class Row:
    """What was measured. None stands for what a method does not have or count.

    P and G are the numbers of training and of test patterns, H that of hidden units.
    """

    experiment: str
    method: str
    parameters: str
    seed: int
    P: int
    G: int | None
    H: int | None
    weights: int | None
    training_errors: int | None
    test_error: float | None
    updates: float | None
    seconds: float

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells this row from all others."""
        return self.experiment, self.method, self.parameters, self.seed


LARGEST = 1e18  # of the numbers in a row
COLUMNS = [field.name for field in fields(Row)]
_TEXTS, _FLOATS = ("experiment", "method", "parameters"), ("test_error", "updates", "seconds")
_OPTIONAL = ("G", "H", "weights", "training_errors", "test_error", "updates")  # for None


def write_case(**values: Any) -> str:
    """Write the parameters of a case as one text.

    Examples
    --------
    >>> from netlines.reproduce.runs.records import read_case, write_case
    >>> write_case(bits=10, P=400)
    'bits=10, P=400'
    >>> read_case('bits=10, P=400')
    {'bits': '10', 'P': '400'}
    """
    return ", ".join(f"{name}={value}" for name, value in values.items())


def read_case(text: str) -> dict[str, str]:
    """Read what `write_case` has written."""
    return dict(part.split("=", 1) for part in text.split(", ") if part)


class Results:
    """The rows of results.csv, in memory and on disk.

    A file is replaced as a whole, never in part, and keeps the rows that other runs have put there meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[tuple[str, str, str, int], Row] = {row.key: row for row in _read(path)}

    def __contains__(self, run: Run) -> bool:
        return all(key in self.rows for key in run.keys)

    def add(self, rows: Iterable[Row]) -> None:
        """Keep rows, in memory only."""
        self.rows.update((row.key, row) for row in rows)

    def of(self, runs: Iterable[Run]) -> list[Row]:
        """Return the rows of finished runs, in their order."""
        return [self.rows[key] for run in runs if run in self for key in run.keys]

    def merge(self) -> None:
        """Take over the rows of the file that are not known yet: those of other runs."""
        self.rows = {**{row.key: row for row in _read(self.path)}, **self.rows}

    def save(self) -> None:
        """Write everything to the file, with the rows that it holds already."""
        with alone_in(self.path.parent):
            self.merge()
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(COLUMNS)
            for row in sorted(self.rows.values(), key=lambda row: row.key):
                writer.writerow(["" if value is None else value for value in astuple(row)])
            with atomic_write(self.path) as file:
                file.write(text.getvalue().encode())


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this block with the same folder.

    The folder itself is locked, so that no file is left behind; the system frees it when a process ends,
    however it ends.
    """
    if fcntl is None:
        yield
        return
    lock = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems of networks lock no folders
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read(path: Path) -> Iterator[Row]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            yield from _rows(csv.reader(file), path)
    except FileNotFoundError:
        return
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a table of netlines reproduce: {error}") from error


def _rows(lines: Iterator[list[str]], path: Path) -> Iterator[Row]:
    header = next(lines, None)
    if header != COLUMNS:
        raise ValueError(
            f"{path}, line 1: its columns are {', '.join(header or ['none'])}; "
            f"those of netlines reproduce are {', '.join(COLUMNS)}"
        )
    for number, cells in enumerate(lines, start=2):
        if not cells:  # an empty line
            continue
        try:
            yield Row(*(_value(*pair) for pair in zip(COLUMNS, cells, strict=True)))
        except ValueError as error:
            where = f"{path}, line {number}"
            raise ValueError(
                f"{where}: not a row of netlines reproduce ({error}); delete the line"
            ) from error


def _value(column: str, cell: str) -> Any:
    if column in _TEXTS:
        return cell
    if cell == "" and column in _OPTIONAL:
        return None
    number = float(cell) if column in _FLOATS else int(cell)
    if not abs(number) < LARGEST:
        raise ValueError(f"{column} must be a number of ordinary size, got {cell[:30]}")
    return number
