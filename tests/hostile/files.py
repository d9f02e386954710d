"""Mutated model files: each is refused with an error that names it, or answers with numbers that agree.

What loads is asked everything that a reader may ask, saved and loaded again; some go through the commands.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from hostile.campaign import Tally
from hostile.models import model_files
from hostile.mutation import Rng, mutated
from netlines.cli import _run
from netlines.cli.inspecting import MOST_UNITS_OF_RULES
from netlines.cli.printing import closing_tables, growth_table, layout_table
from netlines.export.model_file import ModelFile, read_model_file, save_network
from netlines.export.text import to_text
from netlines.inspection.answers import Answers
from netlines.inspection.explanation import explain
from netlines.inspection.inputs import InputRows
from netlines.inspection.missing import possible_classes
from netlines.inspection.rules import extract_rules
from netlines.network.layout import LARGEST, Column, Layout
from netlines.network.probability import most_probable
from netlines.network.protocol import AnyNetwork

DEEPLY, BY_COMMANDS, BY_REPORT = 0.4, 0.1, 0.01  # shares of the files that load
GUIDED = 0.2  # share of the time, where atheris is installed
REPRODUCTION = """\
# the file is here as model.json
import sys
sys.path.insert(0, "tests")
from hostile.files import reproduce
reproduce("model.json", {seed})
"""


class Wrong(Exception):
    """A promise that was not kept."""


def attack(tally: Tally, rng: Rng, left: Callable[[], float]) -> None:
    """Mutate model files while there is time, and count them."""
    warnings.simplefilter("ignore")
    files, seconds = model_files(), left()
    if find_spec("atheris") is not None:
        _attack_guided(tally, files, GUIDED * seconds)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        while left() > 0:
            try_file(tally, mutated(files, rng), int(rng.integers(2**32)), place)


def _attack_guided(tally: Tally, files: list[bytes], seconds: float) -> None:
    """Let atheris look for files that reach new code, in a process of its own, which it wants to own."""
    with tempfile.TemporaryDirectory() as folder:
        place, corpus = Path(folder), Path(folder, "corpus")
        corpus.mkdir()
        for k, content in enumerate(files):
            (corpus / f"{k}.json").write_bytes(content)
        program = str(Path(__file__).with_name("guided.py"))
        limits = [f"-max_total_time={max(1, int(seconds))}", "-print_final_stats=1", "-max_len=20000"]
        command = [sys.executable, program, *limits, str(corpus)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        tried = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
        tally.count("guided files", int(tried[1]) if tried else 0)
        found = [path.read_bytes() for path in sorted(place.glob("*-*")) if path.is_file()]
        for content in found:
            try_file(tally, content, 0, place)
        if done.returncode and not found:
            what = f"guided.py ended with {done.returncode}\n{done.stderr[-2000:]}"
            tally.fail("traceback", what, " ".join(command))


def try_file(tally: Tally, content: bytes, seed: int, folder: Path) -> None:
    """Count a file, and what is wrong with it."""
    path, wrong = folder / "model.json", ""
    path.write_bytes(content)
    tally.count("mutated files")
    reproduction = REPRODUCTION.format(seed=seed)
    with tally.guarded(lambda: reproduction, **{"model.json": content}):
        try:
            examine(path, np.random.default_rng(seed))
        except Wrong as failure:
            wrong = str(failure)
    if wrong:
        tally.fail("wrong answer", wrong, reproduction, {"model.json": content})


def reproduce(path: str, seed: int) -> None:
    """Do again with a saved file what the campaign did."""
    print("loaded" if examine(Path(path), np.random.default_rng(seed)) else "refused")


def examine(path: Path, rng: Rng) -> bool:
    """Load a file and ask everything; False if it was refused as it should be."""
    try:
        model = read_model_file(path)
    except ValueError as error:
        _demand(str(path) in str(error), f"the error does not name the file: {error}")
        return False
    network, rows = model.network, _rows(model.network, rng)
    _check_answers(network, rows)
    _read(model, rows, rng)
    again = path.with_name("again.json")
    save_network(network, again, metadata=model.metadata)
    second = read_model_file(again).network
    _demand(_same(second, network, rows), "the file that is saved again answers otherwise")
    _demand(second.layout == network.layout, "the file that is saved again tells of another table")
    if rng.random() < BY_COMMANDS:
        _command(["inspect", str(path)])
        if network.layout is not None:
            _by_table(path, network, network.layout, rows, rng)
    return True


def _rows(network: AnyNetwork, rng: Rng) -> NDArray[np.float64]:
    """Return rows that the network may have seen, and some that it has not: huge, tiny and all 0."""
    about, n = network.surroundings, network.n_features
    low, high = np.maximum(about.low, -1e3), np.minimum(about.high, 1e3)
    seen = low + rng.random((4, n)) * (high - low)
    others = [rng.normal(size=(2, n)), np.zeros((1, n)), rng.choice([-1, 1], (2, n)) * LARGEST]
    return np.vstack([seen, *others, rng.normal(size=(1, n)) * 1e-300, [about.mean]])


def _check_answers(network: AnyNetwork, rows: NDArray) -> None:
    """Demand classes as answers, finite decisions and probabilities, and that all agree."""
    labels, said = network.predict(rows), network.forward(rows)
    known = set(network.classes.tolist())
    _demand(set(labels.tolist()) <= known, f"answers {set(labels.tolist())} of the classes {known}")
    _demand(np.isfinite(said.scores).all(), f"decisions are not finite: {said.scores.tolist()}")
    _demand(np.isfinite(network.decision(rows)).all(), "weighted sums are not finite")
    agree = [network.classes[most_probable(said.scores)]]
    if said.probability is not None:
        p = said.probability
        _demand(bool(np.isfinite(p).all() and (p >= 0).all()), f"probabilities are not: {p.tolist()}")
        _demand(
            bool((np.abs(p.sum(axis=1) - 1.0) < 1e-9).all()), f"probabilities have no sum 1: {p.tolist()}"
        )
        agree.append(network.classes[most_probable(p)])
    for by in agree:
        _demand(by.tolist() == labels.tolist(), f"answers {labels.tolist()} beside {by.tolist()}")
    gaps = rows.copy()
    gaps[np.arange(len(gaps)), np.arange(len(gaps)) % gaps.shape[1]] = np.nan
    gaps[0] = np.nan
    found = Answers(network, gaps)
    _demand(set(found.labels().tolist()) <= known, "answers to incomplete rows are no classes")
    good = np.isfinite(found.shares).all() and (np.abs(found.shares.sum(axis=1) - 1.0) < 1e-6).all()
    _demand(bool(good), f"shares of incomplete rows are no shares: {found.shares.tolist()}")


def _read(model: ModelFile, rows: NDArray, rng: Rng) -> None:
    """Ask what `inspect` and `explain` ask."""
    network, console = model.network, Console(file=io.StringIO(), width=100)
    for whole in (False, True):
        console.print(to_text(network, full=whole), *closing_tables(model, whole), markup=False)
    if network.layout is not None:
        console.print(layout_table(network.layout))
    if network.growth_trace:
        console.print(growth_table(network.growth_trace))
    if not (network.scheme or network.moved or network.n_hidden > MOST_UNITS_OF_RULES):
        extract_rules(network).text()
    if rng.random() > DEEPLY:
        return
    row = rows[rng.integers(len(rows))].copy().view(InputRows)
    _demand("nan" not in explain(network, row).text(), "an explanation has NaN in it")
    row[rng.integers(len(row))] = np.nan
    if rng.random() < BY_COMMANDS:
        explain(network, row).text()
    for possible in possible_classes(network, row[None]):
        _demand(set(possible.labels) <= set(network.classes.tolist()), "possible are no classes")


def _same(second: AnyNetwork, first: AnyNetwork, rows: NDArray) -> bool:
    old, new = first.forward(rows), second.forward(rows)
    same = old.scores.tobytes() == new.scores.tobytes()
    return same and second.predict(rows).tolist() == first.predict(rows).tolist()


def _by_table(path: Path, network: AnyNetwork, layout: Layout, rows: NDArray, rng: Rng) -> None:
    """Go through the commands that read a table: one of rows that the columns may have."""
    import pandas as pd

    cells: dict[str, list] = {}
    for column, places in layout.placed():
        numbers = rows[:6, places[0]].tolist()
        cells[column.origin] = [_cell(column, number, rng) for number in numbers]
    if layout.target is not None:
        cells[layout.target] = [network.classes.tolist()[k % network.n_classes] for k in range(6)]
    data, output = path.with_name("data.csv"), path.with_name("output.csv")
    pd.DataFrame(cells).to_csv(data, index=False)
    for missing in ("auto", "integrate"):
        _command(["predict", str(path), str(data), "-o", str(output), "--missing", missing])
    _command(["evaluate", str(path), str(data)])
    values = ",".join(str(cells[name][0]) for name in layout.sources)
    _command(["explain", str(path), "--row", values])
    if rng.random() < BY_REPORT / BY_COMMANDS:
        page = path.with_name("page.html")
        _command(["report", str(path), "--data", str(data), "-o", str(page), "--folds", "0", "--quiet"])


def _cell(column: Column, number: float, rng: Rng) -> str:
    """Return what a cell of a column may hold: a value, none, or what training had not."""
    if rng.random() < 0.2:
        return str(rng.choice(["", "strange"]))
    if column.part in ("days", "month", "weekday") or (column.part == "hour" and column.source):
        return str(rng.choice(["2024-02-01", "1/2/2024", "13.2.2024 06:30"]))
    if column.part == "hour":
        return "06:30"
    if column.kind == "number":
        return repr(float(number)).replace(".", column.decimal)
    known = [*column.members, *([] if column.base is None else [column.base])]
    return str(rng.choice(known if column.kind == "category" else ["true", "false"]))


def _command(arguments: list[str]) -> None:
    """Demand of a command that it ends well, or with one line of error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _run(arguments)
    lines = err.getvalue().splitlines()
    told = [line for line in lines if line.startswith("netlines: error:")]
    well = all(line.startswith("netlines: ") for line in lines) and (
        (code == 0 and not told) or (code == 2 and told == lines[-1:])
    )
    _demand(well, f"netlines {arguments[0]} ended with {code}: {err.getvalue()[:500]}")


def _demand(holds: bool | np.bool_, what: str) -> None:
    if not holds:
        raise Wrong(what)
