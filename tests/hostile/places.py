"""Commands in odd places: encodings, closed and full outputs, read-only folders, odd names, few resources.

A case is one command with up to four oddities, all drawn from one number:
`python tests/hostile/places.py NUMBER` does it again and shows what it printed.
"""

from __future__ import annotations

import json
import os
import pty
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostile.campaign import Tally
from hostile.oddities import CACHES, ODDITIES, OUTPUTS, SUFFIXES, Case, World
from netlines.export.model_file import load_network

NETLINES = [sys.executable, "-m", "netlines"]
LONGEST = 120  # seconds by the clock, which other cases share
SMALL = 4096  # bytes of the full disk
SHARES = {
    **{"predict": 0.35, "inspect": 0.2, "explain": 0.15, "fit": 0.075, "report": 0.075},
    **{"predict to stdout": 0.05, "evaluate": 0.05, "describe": 0.05},
}
SAID = {"predict to stdout": b"prediction", "evaluate": b"interval", "describe": b"colour"}  # others: units


def attack(tally: Tally, rng: np.random.Generator, left: Callable[[], float]) -> None:
    """Run commands in odd places, each in a folder of its own."""
    with make_world() as world:
        while left() > 0:
            number = int(rng.integers(2**53))
            case, failures, said = run_case(world, number)
            tally.count("odd places")
            again = f"python tests/hostile/places.py {number}"
            for failure, what in failures:
                where = f"netlines {case.command} with {', '.join(case.odd) or 'nothing odd'}"
                tally.fail(failure, f"{where}: {what}", again, {"said.txt": said})


@contextmanager
def make_world() -> Iterator[World]:
    """Make the table, the model and the disks; they are gone in the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        random = np.random.default_rng(0)
        size, colour = random.uniform(0, 10, 90).round(3), random.choice(["blue", "red"], 90)
        answer = np.where((size > 5) ^ (colour == "red"), "yes", "no ≥ ä")
        pd.DataFrame({"size": size, "colour": colour, "answer": answer}).to_csv(folder / "t.csv", index=False)
        for arguments in (
            ["fit", "t.csv", "--target", "answer", "-o", "m.json", "--max-hidden", "3", "--folds", "0"],
            ["predict", "m.json", "t.csv", "-o", "p.csv"],
        ):
            subprocess.run([*NETLINES, *arguments, "--quiet"], cwd=folder, check=True)
        full, protected = mounted(folder / "full", f"size={SMALL}"), mounted(folder / "protected", "ro")
        try:
            yield World(folder, (folder / "p.csv").read_bytes(), full, protected)
        finally:
            for disk in filter(None, (full, protected)):
                subprocess.run(["umount", disk], check=False)


def mounted(folder: Path, options: str) -> Path | None:
    """Return a small disk in memory, None where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]
    if shutil.which("mount") and subprocess.run(mount, capture_output=True).returncode == 0:
        return folder
    return None


def run_case(world: World, number: int) -> tuple[Case, list[tuple[str, str]], bytes]:
    """Return a case, what is wrong with how it ended, and what it printed."""
    rng = np.random.default_rng(number)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        case = make_case(world, Path(name), rng)
        before = contents(case, world)
        code, out, err = run(case)
        failures = judge(case, world, before, code, out, err)
        said = f"{case}\nexit code {code}\n--- stdout\n".encode("utf-8", "backslashreplace") + out
        if world.full:
            for path in world.full.iterdir():
                path.unlink()
        return case, failures, said + b"\n--- stderr\n" + err


def make_case(world: World, folder: Path, rng: np.random.Generator) -> Case:
    """Draw a command, where its output goes, and up to three more oddities."""
    command = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    for name in ("t.csv", "m.json"):
        shutil.copy(world.folder / name, folder)
    output = f"out{SUFFIXES[command]}" if command in SUFFIXES else None
    # Unbuffered streams would hide what is printed late.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    case = Case(folder, command, [], output, usual)
    if output:
        OUTPUTS[int(rng.integers(len(OUTPUTS)))](case, world, rng)
    for k in rng.choice(len(ODDITIES), int(rng.integers(4)), replace=False):
        ODDITIES[k](case, world, rng)
    if command == "fit":  # the only one that compiles
        CACHES[int(rng.integers(len(CACHES)))](case, world, rng)
    case.arguments = {
        "predict": ["predict", "m.json", "t.csv"],
        "predict to stdout": ["predict", "m.json", "t.csv"],
        "evaluate": ["evaluate", "m.json", "t.csv"],
        "describe": ["describe", "t.csv", "--target", "answer"],
        "inspect": ["inspect", "m.json"],
        "explain": ["explain", "m.json", "--row", "3.5,red"],
        "fit": ["fit", "t.csv", "--target", "answer", "--max-hidden", "2", "--folds", "0", "--error-free"],
        "report": ["report", "m.json", "--data", "t.csv", "--folds", "0", "--jobs", "1"],
    }[command]
    if output:
        case.arguments.append(f"--output={case.output}")
    return case


# ---- what happens


def run(case: Case) -> tuple[int | None, bytes, bytes]:
    """Run the command; return its exit code, None if it does not end, and what it printed."""
    ends, drains, printed = [], [], {"stdout": BytesIO(), "stderr": BytesIO()}
    numbers = {}
    for name, kind in {"stdin": case.stdin, "stdout": case.stdout, "stderr": case.stderr}.items():
        if kind == "pipe" or kind == "tty":
            reader, numbers[name] = pty.openpty() if kind == "tty" else os.pipe()
            drains.append(threading.Thread(target=drain, args=(reader, printed[name])))
        elif kind == "broken":
            reader, numbers[name] = os.pipe()
            os.close(reader)
        else:
            path = {"full": "/dev/full"}.get(kind, os.devnull)
            numbers[name] = os.open(path, os.O_RDONLY if kind == "unwritable" else os.O_RDWR)
        ends.append(numbers[name])

    closed = [k for k, kind in enumerate((case.stdin, case.stdout, case.stderr)) if kind == "closed"]

    def prepare() -> None:
        for what, limit in case.limits:
            resource.setrlimit(what, (limit, limit))
        for number in closed:
            os.close(number)

    command = [*NETLINES, *case.arguments]
    process = subprocess.Popen(command, cwd=case.folder, env=case.environment, preexec_fn=prepare, **numbers)
    for end in ends:
        os.close(end)
    for thread in drains:
        thread.start()
    try:
        code = process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    for thread in drains:
        thread.join()
    return code, printed["stdout"].getvalue(), printed["stderr"].getvalue()


def drain(reader: int, into: BytesIO) -> None:
    """Read until there is no more; a terminal that was closed is an error instead."""
    try:
        while chunk := os.read(reader, 65536):
            into.write(chunk)
    except OSError:
        pass
    finally:
        os.close(reader)


# ---- what is right


def contents(case: Case, world: World) -> dict[str, bytes | None]:
    """Return the files of the case's folder and of the full disk, by path."""
    found = {}
    for folder in filter(None, (case.folder, world.full)):
        for path in Path(folder).rglob("*"):
            found[os.fspath(path)] = path.read_bytes() if path.is_file() else None
    return found


def judge(
    case: Case, world: World, before: dict[str, bytes | None], code: int | None, out: bytes, err: bytes
) -> list[tuple[str, str]]:
    """Return what is wrong: a failure and its description each."""
    if code is None:
        return [("hang", f"no end after {LONGEST} s")]
    failures = []
    allowed = {0, 2} | ({1} if "broken" in (case.stdout, case.stderr) else set())
    if code not in allowed or b"Traceback" in err or b"Exception ignored" in err:
        failures.append(("traceback", f"exit code {code}: {err[-300:].decode(errors='replace')}"))
    elif code == 2 and case.stderr == "pipe" and b"netlines: error: " not in plain_text(err):
        failures.append(("traceback", f"exit code 2 without a word: {err!r}"))
    after, real = contents(case, world), os.path.realpath(case.target) if case.target else None
    for path in sorted({*before, *after}):
        if before.get(path, "absent") != after.get(path, "absent") and os.path.realpath(path) != real:
            failures.append(("half-written file", f"{path!r} was left or changed"))
    if real is not None:
        wrote = real in after and after[real] is not None and after[real] != before.get(real)
        if wrote and (wrong := what_is_wrong(case, world, after[real])):
            failures.append(("half-written file", f"exit code {code}, {case.output!r}: {wrong}"))
        if code == 0 and not wrote:
            failures.append(("wrong answer", f"exit code 0, but {case.output!r} was not written"))
    elif (
        code == 0
        and case.stdout in ("pipe", "tty")
        and SAID.get(case.command, b"unit") not in plain_text(out)
    ):
        failures.append(("wrong answer", f"it printed {out[:200]!r}"))
    return failures


def plain_text(printed: bytes) -> bytes:
    """Return what was printed without the zeros of UTF-16."""
    return printed.replace(b"\0", b"")


def what_is_wrong(case: Case, world: World, content: bytes) -> str | None:
    """Return what is wrong with an output, None if it is right."""
    if case.command == "predict":
        return None if content == world.predictions else f"other predictions, {len(content)} bytes"
    if case.command == "report":
        return None if content.rstrip().endswith(b"</html>") else f"half a page, {len(content)} bytes"
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(content)
        file.flush()
        try:
            load_network(file.name)
            json.loads(content)
        except ValueError as error:
            return str(error)
    return None


if __name__ == "__main__":
    with make_world() as the_world:
        the_case, the_failures, the_said = run_case(the_world, int(sys.argv[1]))
    sys.stdout.buffer.write(the_said + b"\n")
    print(*the_failures or ["all is well"], sep="\n")
