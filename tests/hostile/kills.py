"""Kills every command that writes at random moments: by SIGKILL, by Ctrl-C and by SIGTERM.

1. A command runs undisturbed once; its duration and what it writes are remembered.
2. It is started again, in half of the cases over an older output, and killed: at any moment, or as soon as a
   temporary file is seen.
3. Its outputs are whole, or as they were before; no process is left; after Ctrl-C and SIGTERM there is no
   temporary file, no traceback, and the exit code of the signal.
4. In some cases it then runs to its end, and writes what it wrote undisturbed.
5. `netlines reproduce` fills one folder, killed and resumed again and again, also by two commands at once: no
   row that was there is lost.

Processes are looked for in /proc, which Linux has.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pandas as pd

from hostile.campaign import Tally
from netlines.export.model_file import load_network
from netlines.reproduce.runs.records import Results

COMMAND = [sys.executable, "-m", "netlines"]
LONGEST = 20.0  # seconds from the signal to the end of the main process
SOON = 2.0  # seconds from there to the end of all others
ENOUGH = 120.0  # seconds that a command may take that nobody disturbs
OLD = b"an older output\n"
ROWS = 60
KINDS = {
    signal.SIGKILL: "kills by SIGKILL",
    signal.SIGINT: "kills by Ctrl-C",
    signal.SIGTERM: "kills by SIGTERM",
}

FIT = ["fit", "table.csv", "--target", "answer", "--max-hidden", "2", "-o", "new.json"]
COMMANDS: dict[str, list[str]] = {
    "fit": [*FIT, "--folds", "0"],
    "fit in threads": [*FIT, "--folds", "0", "--jobs", "2"],
    "fit with folds": [*FIT, "--folds", "2"],
    "fit with folds in threads": [*FIT, "--folds", "2", "--jobs", "2"],
    "fit without errors": [*FIT, "--folds", "0", "--error-free"],
    "predict": ["predict", "model.json", "table.csv", "-o", "new.csv"],
    "predict to parquet": ["predict", "model.json", "table.csv", "-o", "new.parquet"],
    "report": ["report", "model.json", "--data", "table.csv", "-o", "new.html", "--folds", "0"],
    "report in threads": [
        *["report", "model.json", "--data", "table.csv", "-o", "new.html", "--folds", "0"],
        *["--jobs", "2"],
    ],
}
SHARES = {"predict": 4.0, "predict to parquet": 4.0, "fit with folds": 0.3, "fit with folds in threads": 0.3}
REPRODUCTIONS = 0.15  # share of the cases; they take longest


def attack(tally: Tally, rng: np.random.Generator, left: Callable[[], float]) -> None:
    """Kill commands while there is time."""
    with tempfile.TemporaryDirectory(prefix="netlines-kills-") as place:
        inputs = make_inputs(Path(place) / "inputs", rng)
        undisturbed: dict[str, Undisturbed] = {}
        reproduction = Reproduction(tally, rng, Path(place) / "reproduction")
        names = list(COMMANDS)
        shares = np.array([SHARES.get(name, 1.0) for name in names])
        while left() > 0:
            if rng.random() < REPRODUCTIONS:
                reproduction.kill_one()
                continue
            name = str(rng.choice(names, p=shares / shares.sum()))
            if name not in undisturbed:
                undisturbed[name] = Undisturbed.of(name, inputs, Path(place) / "undisturbed")
            kill_writer(tally, rng, name, undisturbed[name], inputs, Path(place) / "case")


def make_inputs(folder: Path, rng: np.random.Generator) -> Path:
    """Return a folder with a table and a model of it."""
    folder.mkdir()
    table = pd.DataFrame(rng.normal(size=(ROWS, 3)), columns=["a", "b", "c"])
    table["answer"] = np.where((table["a"] > 0) ^ (table["b"] > 0.5), "yes", "no")
    table.to_csv(folder / "table.csv", index=False)
    subprocess.run([*COMMAND, *COMMANDS["fit"], "--quiet"], cwd=folder, check=True, timeout=ENOUGH)
    (folder / "new.json").rename(folder / "model.json")
    return folder


@dataclass(frozen=True)
class Undisturbed:
    """What a command does if nobody kills it."""

    output: str
    content: bytes
    seconds: float

    @classmethod
    def of(cls, name: str, inputs: Path, folder: Path) -> Undisturbed:
        """Run a command in a copy of the inputs."""
        shutil.copytree(inputs, folder)
        begin = monotonic()
        subprocess.run([*COMMAND, *COMMANDS[name], "--quiet"], cwd=folder, check=True, timeout=ENOUGH)
        seconds = monotonic() - begin
        (output,) = set(os.listdir(folder)) - set(os.listdir(inputs))
        content = (folder / output).read_bytes()
        shutil.rmtree(folder)
        return cls(output, content, seconds)


@dataclass(frozen=True)
class Blow:
    """A signal and its moment: after some seconds; then, perhaps, when a temporary file is there."""

    number: signal.Signals
    to_group: bool
    seconds: float
    at_file: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, duration: float) -> Blow:
        """Draw one for a command of a duration. Ctrl-C in a terminal goes to all processes of a command."""
        number = signal.Signals(
            rng.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM], p=[0.4, 0.35, 0.25])
        )
        to_group = number == signal.SIGINT or bool(rng.random() < 0.3)
        if rng.random() < 0.4:  # the first file shows that the output can be written, the last is the output
            return cls(number, to_group, float(rng.choice([0.0, 0.5])) * duration, at_file=True)
        return cls(number, to_group, rng.uniform(0, 1.05 * duration))

    def __str__(self) -> str:
        whom = "the process group" if self.to_group else "the main process"
        then = ", when there is a temporary file" if self.at_file else ""
        return f"{self.number.name} to {whom} {self.seconds:.3f} s after its start{then}"


@dataclass
class Killed:
    """A command that was started, and what is known of its end."""

    arguments: list[str]
    folder: Path
    blow: Blow
    process: subprocess.Popen[bytes] = field(init=False)
    errors: str = ""
    hit: bool = False  # whether the signal came before the command had ended by itself
    complaints: dict[str, str] = field(default_factory=dict)  # by kind of failure

    def start(self) -> Killed:
        """Start the command in a process group of its own."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [*COMMAND, *self.arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            start_new_session=True,
            preexec_fn=_listen,
        )
        return self

    def strike(self, patience: float) -> Killed:
        """Wait for the moment, at most for a while, and send the signal."""
        begin = monotonic()
        while self.process.poll() is None and (waited := monotonic() - begin) < patience:
            if waited > self.blow.seconds and (not self.blow.at_file or leftovers(self.folder)):
                break
            sleep(0.001)
        self.hit = self.process.poll() is None
        if self.hit:
            (os.killpg if self.blow.to_group else os.kill)(self.process.pid, self.blow.number)
        return self

    def end(self) -> Killed:
        """Wait for the end of all its processes, and look at how it ended."""
        try:
            code = self.process.wait(LONGEST if self.hit else ENOUGH)
            begin = monotonic()
            while (others := group(self.process.pid)) and monotonic() - begin < SOON:
                sleep(0.01)
        except subprocess.TimeoutExpired:
            code, others = None, []
            self.complaints["hang"] = f"it did not end within {LONGEST if self.hit else ENOUGH:.0f} s"
        if others:
            self.complaints["hang"] = f"left after {SOON:.0f} s: {'; '.join(others)}"
        if group(self.process.pid):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._log.seek(0)
        self.errors = self._log.read().decode(errors="replace")
        self._log.close()
        if code is not None:
            self._check_code(code)
        return self

    def _check_code(self, code: int) -> None:
        self.hit &= code != 0  # else it had ended in the very moment
        number, before_main = self.blow.number, "in _main" not in self.errors
        if not self.hit:
            expected = {0}
        elif number == signal.SIGKILL:
            expected = {-number}
        else:
            expected = {128 + number, -number}  # before main begins and after its end it is the system's
        if code not in expected:
            self.complaints["wrong answer"] = f"its exit code is {code}, not one of {sorted(expected)}"
        # A Ctrl-C before there is anything of netlines is Python's own.
        own = self.hit and (
            number == signal.SIGKILL or (number == signal.SIGINT and before_main and code == -number)
        )
        if not own and re.search("Traceback|Exception ignored|Error in", self.errors):
            self.complaints["traceback"] = self.errors

    def report(self, tally: Tally, files: Mapping[str, bytes]) -> None:
        """Count the kill, and what was wrong with it."""
        if self.hit:
            tally.count(KINDS[self.blow.number])
        for failure, what in self.complaints.items():
            command = " ".join(["netlines", *self.arguments])
            tally.fail(failure, f"{command}\n{what}\n\n{self.errors}", f"{command}\n# {self.blow}", files)


def _listen() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # what is started in a shell's background ignores it


def group(number: int) -> list[str]:
    """Return the commands of a process group that are alive."""
    alive = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state, _, its_group = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[:3]
                command = (
                    Path(f"/proc/{entry}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                )
            except OSError:
                continue
            if int(its_group) == number and state not in "ZX":
                alive.append(command[-100:])
    return alive


def leftovers(folder: Path) -> list[str]:
    """Return the temporary files in a folder and below it."""
    return [name for _, _, names in os.walk(folder) for name in names if re.fullmatch(r"\..*\.tmp", name)]


def kill_writer(
    tally: Tally, rng: np.random.Generator, name: str, undisturbed: Undisturbed, inputs: Path, folder: Path
) -> None:
    """Kill a command that writes one file."""
    shutil.copytree(inputs, folder)
    output = folder / undisturbed.output
    old = bool(rng.random() < 0.5)
    if old:
        output.write_bytes(OLD)
    blow = Blow.draw(rng, undisturbed.seconds)
    arguments = [*COMMANDS[name], *(["--quiet"] if rng.random() < 0.5 else [])]
    killed = Killed(arguments, folder, blow).start().strike(ENOUGH).end()
    found = output.read_bytes() if output.exists() else None
    if found not in (undisturbed.content, OLD if old else None):
        killed.complaints["half-written file"] = (
            f"{output.name} is {whole(output)}, and not what is written undisturbed"
        )
    if blow.number != signal.SIGKILL and leftovers(folder):
        killed.complaints["half-written file"] = f"left behind: {leftovers(folder)}"
    if rng.random() < 0.25:
        run_again(killed, undisturbed, output)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    killed.report(tally, files)
    shutil.rmtree(folder)


def run_again(killed: Killed, undisturbed: Undisturbed, output: Path) -> None:
    """Run a killed command to its end, and look whether anything is left of the kill."""
    again = replace(killed, blow=Blow(signal.SIGKILL, False, ENOUGH), complaints={})
    again.start().strike(ENOUGH).end()
    for failure, what in again.complaints.items():
        killed.complaints[failure] = f"the next run: {what}"
    if not output.exists() or output.read_bytes() != undisturbed.content:
        killed.complaints["wrong answer"] = f"the next run: {output.name} is not what is written undisturbed"
    if leftovers(killed.folder):
        killed.complaints["half-written file"] = f"after the next run: {leftovers(killed.folder)}"


def whole(output: Path) -> str:
    """Tell whether a file can be read to its end."""
    if not output.exists():
        return "gone"
    try:
        if output.suffix == ".json":
            load_network(output)
        elif output.suffix == ".html":
            assert output.read_text(encoding="utf-8").rstrip().endswith("</html>"), "its end is missing"
        else:
            table = pd.read_csv(output) if output.suffix == ".csv" else pd.read_parquet(output)
            assert len(table) == ROWS, f"it has {len(table)} rows"
    except Exception as error:
        return f"broken ({error})"
    return "whole"


class Reproduction:
    """A folder that `netlines reproduce` fills, killed and resumed until all is done; then a new one."""

    def __init__(self, tally: Tally, rng: np.random.Generator, place: Path):
        self.tally, self.rng, self.place = tally, rng, place
        self.known: dict = {}  # the rows of all folders, without their seconds
        self._begin_anew()

    def _begin_anew(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        self.rows: dict = {}

    def kill_one(self) -> None:
        """Start one command or two, and kill all, each in its own way."""
        draw = self.rng.random()
        names = ["parity"] if draw < 0.4 else ["sonar"] if draw < 0.6 else ["parity", "sonar"]
        jobs = str(self.rng.integers(1, 3))
        commands = [
            Killed(["reproduce", name, "--out", "out", "--jobs", jobs], self.place, Blow.draw(self.rng, 6.0))
            for name in names
        ]
        for command in commands:
            command.start()
        for command in sorted(commands, key=lambda command: command.blow.seconds):
            command.strike(ENOUGH)
        for command in commands:
            command.end()
        self._check(commands)
        file = self.place / "out" / "results.csv"
        for command in commands:
            command.report(self.tally, {"results.csv": file.read_bytes()} if file.exists() else {})
        if any(not command.hit for command in commands) and self.rng.random() < 0.5:
            self._begin_anew()

    def _check(self, commands: list[Killed]) -> None:
        last, out = commands[-1], self.place / "out"
        try:
            rows = Results(out / "results.csv").rows
        except ValueError as error:
            last.complaints["half-written file"] = str(error)
            return
        if lost := {key for key, row in self.rows.items() if rows.get(key) != row}:
            last.complaints["wrong answer"] = f"rows are lost or changed: {sorted(lost)}"
        self.rows = rows
        for key, row in rows.items():
            if self.known.setdefault(key, replace(row, seconds=0.0)) != replace(row, seconds=0.0):
                last.complaints["wrong answer"] = f"a run that was done twice has two results: {key}"
        page = out / "index.html"
        if page.exists() and whole(page) != "whole":
            last.complaints["half-written file"] = f"{page.name} is {whole(page)}"
        if (
            all(one.hit and one.blow.number != signal.SIGKILL for one in commands)
            and self.clean
            and leftovers(out)
        ):
            last.complaints["half-written file"] = f"left behind: {leftovers(out)}"
        self.clean = not leftovers(out)

    clean = True  # whether no earlier kill has left a temporary file
