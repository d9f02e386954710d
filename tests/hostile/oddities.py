"""What is odd about a place: where the output goes, encodings, streams, homes, caches and limits.

An oddity is a function of a case, the world and a source of chance: it changes the case and says so in `odd`.
"""

from __future__ import annotations

import os
import resource
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

SUFFIXES = {"predict": ".csv", "fit": ".json", "report": ".html"}
ENCODINGS = (
    "ascii",
    "cp1252",
    "latin-1",
    "cp437",
    "koi8-r",
    "gbk",
    "utf-16",
    "utf-8",
    "ascii:strict",
    ":replace",
)
LOCALES = ("C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1", "xx_YY.none", "")
NAMES = (
    "a b",
    "new\nline",
    "tab\there",
    "--help",
    "-",
    "größe",
    "日本",
    "👩‍🔬",
    "caf\udce9",
    "\udcff\udcfe",
    "n" * 200,
    "n" * 300,
)


@dataclass
class Case:
    """A command, and the place it runs in."""

    folder: Path
    command: str
    arguments: list[str]
    output: str | None
    environment: dict[str, str] = field(repr=False)  # what is odd about it stands in `odd`
    stdin: str = "null"
    stdout: str = "pipe"
    stderr: str = "pipe"
    limits: list[tuple[int, int]] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)

    @property
    def target(self) -> str | None:
        """Where the output is to be."""
        return None if self.output is None else os.path.join(self.folder, self.output)


@dataclass(frozen=True)
class World:
    """What all cases share: a table, a model of it, right answers, and two disks if they can be made."""

    folder: Path
    predictions: bytes
    full: Path | None
    protected: Path | None


# ---- where the output goes


def plain(case: Case, world: World, rng: np.random.Generator) -> None:
    """Leave the output where it is, sometimes with an old file there."""
    if rng.random() < 0.5:
        Path(case.target).write_text("old")
        case.odd.append("an old file")


def strange_name(case: Case, world: World, rng: np.random.Generator) -> None:
    """Give the output, or its folder, an odd name."""
    name = str(rng.choice(NAMES))
    case.output = f"{name}{SUFFIXES[case.command]}"
    if rng.random() < 0.3 and len(name) < 250:
        (case.folder / name).mkdir()
        case.output = os.path.join(name, f"out{SUFFIXES[case.command]}")
    case.odd.append(f"the output {case.output!r}")


def no_place(case: Case, world: World, rng: np.random.Generator) -> None:
    """Put the output where nothing can be written."""
    suffix = SUFFIXES[case.command]
    places = [
        f"nowhere/out{suffix}",
        f"/proc/out{suffix}",
        f"t.csv/out{suffix}",
        "",
        ".",
        "/dev/null",
        "/dev/full",
    ]
    places += [f"{disk}/out{suffix}" for disk in (world.full, world.protected) if disk] * 2
    case.output = str(rng.choice(places))
    case.odd.append(f"the output {case.output!r}")


def taken_name(case: Case, world: World, rng: np.random.Generator) -> None:
    """Let something else stand where the output is to be."""
    target, kinds = Path(case.target), ("folder", "pipe", "circle", "link", "protected", "model", "table")
    kind = str(rng.choice(kinds))
    if kind == "folder":
        target.mkdir()
    elif kind == "pipe":
        os.mkfifo(target)
    elif kind in ("circle", "link"):
        target.symlink_to("other.link")
        if kind == "circle":
            (case.folder / "other.link").symlink_to(target)
    elif kind == "protected":
        target.write_text("old")
        target.chmod(0o444)
    else:
        link = os.link if rng.random() < 0.5 else os.symlink
        link(case.folder / {"model": "m.json", "table": "t.csv"}[kind], target)
    case.odd.append(f"a {kind} in the output's place")


OUTPUTS = (plain, plain, strange_name, no_place, taken_name)


# ---- what else is odd


def encoding(case: Case, world: World, rng: np.random.Generator) -> None:
    """Print in another encoding."""
    case.environment["PYTHONIOENCODING"] = str(rng.choice(ENCODINGS))
    case.odd.append(case.environment["PYTHONIOENCODING"])


def locale(case: Case, world: World, rng: np.random.Generator) -> None:
    """Live in another locale, mostly without Python's own cure for it."""
    case.environment |= {"LC_ALL": str(rng.choice(LOCALES)), "LANG": "C"}
    if rng.random() < 0.7:
        case.environment |= {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    case.odd.append(f"LC_ALL={case.environment['LC_ALL']}")


def terminal(case: Case, world: World, rng: np.random.Generator) -> None:
    """Have an odd terminal, or say so."""
    choices = {"TERM": ("dumb", "", "none"), "COLUMNS": ("1", "20", "0", "-5", "many"), "FORCE_COLOR": ("1",)}
    for name, values in choices.items():
        case.environment[name] = str(rng.choice(values))
    if rng.random() < 0.5:
        case.stdout = "tty"
    case.odd.append(f"{case.stdout}, COLUMNS={case.environment['COLUMNS']}, TERM={case.environment['TERM']}")


def homeless(case: Case, world: World, rng: np.random.Generator) -> None:
    """Have no home, or none that can be used."""
    case.environment.pop("HOME", None)
    if rng.random() < 0.5:
        case.environment["HOME"] = str(rng.choice(["/dev/null/none", "/proc", ""]))
    case.environment.pop("XDG_CACHE_HOME", None)
    case.odd.append(f"HOME={case.environment.get('HOME')}")


def no_temporary_folder(case: Case, world: World, rng: np.random.Generator) -> None:
    """Name a folder for temporary files that is not there."""
    case.environment |= {
        "TMPDIR": "/dev/null/none",
        "MPLCONFIGDIR": "/dev/null/none",
        "JOBLIB_TEMP_FOLDER": "/dev/null/none",
    }
    case.odd.append("no TMPDIR")


def no_cache(case: Case, world: World, rng: np.random.Generator) -> None:
    """Name a folder for compiled code that cannot be used."""
    case.environment["NUMBA_CACHE_DIR"] = str(
        rng.choice(["/proc/none", str(case.folder / "t.csv"), "/dev/null"])
    )
    case.odd.append(f"NUMBA_CACHE_DIR={case.environment['NUMBA_CACHE_DIR']}")


def damaged_cache(case: Case, world: World, rng: np.random.Generator) -> None:
    """Damage what is kept of compiled code."""
    own = world.folder / "cache"
    if not own.exists() and "NUMBA_CACHE_DIR" in os.environ:
        shutil.copytree(os.environ["NUMBA_CACHE_DIR"], own, dirs_exist_ok=True)
    case.environment["NUMBA_CACHE_DIR"] = str(own)
    for path in own.rglob("*.nb*"):
        content = path.read_bytes()
        cut = int(rng.integers(len(content) + 1))
        damages = [content[:cut], content[:cut] + bytes(len(content) - cut), rng.bytes(cut), content]
        path.write_bytes(damages[int(rng.integers(len(damages)))])
    case.odd.append("a damaged cache")


def few_files(case: Case, world: World, rng: np.random.Generator) -> None:
    """Allow few open files."""
    case.limits.append((resource.RLIMIT_NOFILE, int(rng.integers(12, 64))))
    case.odd.append(f"at most {case.limits[-1][1]} open files")


def small_files(case: Case, world: World, rng: np.random.Generator) -> None:
    """Allow no large files."""
    case.limits.append((resource.RLIMIT_FSIZE, int(rng.choice([0, 100, 3000, 20000]))))
    case.odd.append(f"files of at most {case.limits[-1][1]} bytes")


def streams(case: Case, world: World, rng: np.random.Generator) -> None:
    """Close streams, or let them end where nothing can be written."""
    case.stdin = str(rng.choice(["null", "closed"]))
    case.stdout = str(rng.choice(["pipe", "closed", "full", "broken", "unwritable"]))
    case.stderr = str(rng.choice(["pipe", "closed", "full", "broken"]))
    case.odd.append(f"stdin {case.stdin}, stdout {case.stdout}, stderr {case.stderr}")


CACHES = (no_cache, damaged_cache)
ODDITIES = (
    *(encoding, locale, terminal, homeless, no_temporary_folder),
    *(few_files, small_files, streams, streams),
)
