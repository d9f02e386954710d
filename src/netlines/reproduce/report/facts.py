"""What a report says about itself: command, date, versions and machine."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path

from netlines import __version__
from netlines._files import atomic_write

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class Facts:
    """How rows came about; `netlines` and `packages` have to stay the same while they are gathered."""

    netlines: str = __version__
    packages: dict[str, str] = field(default_factory=lambda: {name: version(name) for name in PACKAGES})
    python: str = field(default_factory=platform.python_version)
    machine: str = field(default_factory=lambda: machine())
    date: str = field(default_factory=lambda: date.today().isoformat())

    def versions(self) -> str:
        """Write all versions as one text."""
        packages = ", ".join(f"{name} {number}" for name, number in self.packages.items())
        return f"netlines {self.netlines}, Python {self.python}, {packages}"


def machine() -> str:
    """Return system, architecture, processor and number of usable cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{platform.system()} {platform.machine()}, {_processor()}{cores} cores"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"{platform.processor()}, " if platform.processor() else ""
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, " if names else ""


def keep_facts(path: Path) -> Facts:
    """Return the facts of this moment, kept in a file; refuse rows that other versions have left behind."""
    now = Facts()
    if path.exists():
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if not {"netlines", "packages"} <= kept.keys() or not isinstance(kept["packages"], dict):
                raise TypeError("it does not say by which versions its rows were made")
            before = Facts(**kept)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path} is not a file of netlines reproduce; delete it ({error})") from error
        if (before.netlines, before.packages) != (now.netlines, now.packages):
            raise ValueError(
                f"{path.parent} holds runs of {before.versions()}, here are {now.versions()}: "
                "give another --out, or delete it"
            )
    with atomic_write(path) as file:
        file.write((json.dumps(asdict(now), indent=1) + "\n").encode())
    return now
