"""Model files that atheris makes, guided by the code that they reach; `files.attack` runs it, with a corpus.

`python tests/hostile/guided.py CORPUS -max_total_time=60`: what ends in anything but a `ValueError` that
names the file is kept as crash-… in the present folder, which it writes to.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["netlines.export", "netlines.network", "netlines.tables"]):
    from hostile import files

import numpy as np

_PLACE = Path("guided.json")


def try_bytes(content: bytes) -> None:
    """Load a file and ask everything; an exception is a failure."""
    _PLACE.write_bytes(content)
    files.examine(_PLACE, np.random.default_rng(len(content)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    atheris.Setup(sys.argv, try_bytes)
    atheris.Fuzz()
