"""Runs the campaign: `HOSTILE=seconds python tests/hostile/run.py [part ...]`, by default 60 seconds.

The parts run side by side, each in processes of its own that share the cores; the table at the end has the
cases of each part and what failed. The exit code is 1 if anything did. `HOSTILE_SEED` makes other cases.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import monotonic

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from hostile.campaign import FAILURES, Tally, time_left  # noqa: E402

PARTS = {
    "files": 1.0,
    "tables": 0.8,
    "kills": 1.0,
    "places": 0.4,
    "datafiles": 0.1,
}  # shares of the time: the slower have more
FOLDER = HERE.parent.parent / "build" / "hostile"


def main(arguments: list[str]) -> int:
    """Run some parts, or all, side by side and print their figures."""
    seconds, seed = float(os.environ.get("HOSTILE", "60")), int(os.environ.get("HOSTILE_SEED", "0"))
    parts, begin = arguments or list(PARTS), monotonic()
    if unknown := set(parts) - PARTS.keys():
        print(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        files = {part: Path(folder) / f"{part}.json" for part in parts}
        commands = [
            [sys.executable, __file__, "--part", part, str(seconds), str(seed), str(file)]
            for part, file in files.items()
        ]
        running = [subprocess.Popen(command) for command in commands]
        codes = [one.wait() for one in running]
        ended = dict(zip(files, codes, strict=True))
        figures = {part: json.loads(file.read_text()) for part, file in files.items() if file.exists()}
    print(table(figures, monotonic() - begin, seed))
    broken = [part for part in parts if ended[part] or part not in figures]
    for part in broken:
        print(f"the part {part} itself ended with exit code {ended[part]}")
    failed = sum(sum(one["failures"].values()) for one in figures.values()) + len(broken)
    cases = sum(sum(one["cases"].values()) for one in figures.values())
    print(f"hostile: {cases - failed} passed, {failed} failed")
    return int(failed > 0)


def run_part(part: str, seconds: float, seed: int, file: Path) -> None:
    """Run one part and write its figures to a file."""
    attack = importlib.import_module(f"hostile.{part}").attack
    tally = Tally(part, FOLDER, seed)
    rng = np.random.default_rng([seed, list(PARTS).index(part)])
    attack(tally, rng, time_left(PARTS[part] * seconds))
    file.write_text(tally.to_json())


def table(figures: dict, seconds: float, seed: int) -> str:
    """Return the figures as a table of Markdown, a row for each kind of case and one for each failure."""
    cases: Counter[str] = Counter()
    failures = Counter({failure: 0 for failure in FAILURES})
    for one in figures.values():
        cases.update(one["cases"])
        failures.update(one["failures"])
    lines = [f"The campaign of {seconds:.0f} s with the seed {seed}:", "", "| what | number |", "|---|---|"]
    lines += [f"| {kind} | {number:,} |" for kind, number in cases.items()]
    lines += [f"| **{kind}** | **{number}** |" for kind, number in failures.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        part, seconds, seed, file = sys.argv[2:]
        run_part(part, float(seconds), int(seed), Path(file))
    else:
        sys.exit(main(sys.argv[1:]))
