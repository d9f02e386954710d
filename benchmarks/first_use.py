"""The first use in a new environment, as in a container: read-only packages, another user, no home.

Run with `python benchmarks/first_use.py [folder]`. A new virtual environment is made in the folder, or in a
temporary one, with this package in it; that takes a minute. Times are CPU seconds on one thread. It has to be
a Python that other users can read, such as the system's.
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
FIRST_GOAL, LATER_GOAL, IMPORT_GOAL = 5.0, 0.3, 0.1  # seconds
REPETITIONS = 5
NAMES = ("MinimerrorClassifier", "NetLinesClassifier", "NetLinesClassifierCV")

# The parts of scikit-learn that netlines uses: what an import of netlines cannot do without.
SKLEARN_PARTS = (
    "import sklearn.base, sklearn.callback, sklearn.utils.class_weight, sklearn.utils.multiclass, "
    "sklearn.utils.validation, sklearn.utils._param_validation"
)
IMPORT = f"""
from time import process_time
{SKLEARN_PARTS}
start = process_time()
from netlines import MinimerrorClassifier, NetLinesClassifier
print(process_time() - start)
"""
FIT = """
from time import process_time
from netlines import {name}
from netlines.datasets import load_breast_cancer_wisconsin
X, y = load_breast_cancer_wisconsin(return_X_y=True)
start = process_time()
{name}().fit(X, y)
first = process_time() - start
start = process_time()
{name}().fit(X, y)
print(first, process_time() - start)
"""


def make_environment(folder):
    """Return the Python of a new environment with this package, which nobody may write to."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(ROOT)], check=True)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222 | 0o444)
    return python


def _as_another_user(python, temporary):
    """Return the variables and the command by which a user without privileges and a home runs Python."""
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary)}
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    other = [] if os.geteuid() else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    return environment, [*other, str(python)]


def run(python, code, temporary):
    """Run code as a user without privileges and without a home; return its numbers and what it says."""
    environment, command = _as_another_user(python, temporary)
    done = subprocess.run(
        [*command, "-c", code], env=environment, cwd="/", check=True, capture_output=True, text=True
    )
    return [float(word) for word in done.stdout.split()], done.stderr.strip()


CHECK = """
import os, sys, netlines
here = os.path.dirname(netlines.__file__)
print(os.geteuid(), os.access(here, os.W_OK), "HOME" in os.environ)
print(here.startswith(sys.prefix), sys.base_prefix)
"""


def check(python, temporary):
    """End unless the code runs as meant: as another user, who reads the same Python and may write nothing."""
    environment, command = _as_another_user(python, temporary)
    done = subprocess.run([*command, "-c", CHECK], env=environment, cwd="/", capture_output=True, text=True)
    user, *facts = done.stdout.split() or [""]
    if user in ("", "0") or facts != ["False", "False", "True", sys.base_prefix]:
        said = f"{done.stdout}{done.stderr}"
        sys.exit(f"first_use: needs a Python that other users may read, not {sys.base_prefix}: {said}")


def verdict(value, goal):
    """Return a goal and whether it is met."""
    return f"goal ≤ {goal:g}: {'met' if value <= goal else 'MISSED'}"


def print_first_use(python, work):
    """Print the seconds of the first fit, and those that a later process takes before it trains."""
    for name in NAMES:
        temporary = work / name
        temporary.mkdir()
        temporary.chmod(0o1777)
        (cold, _), said = run(python, FIT.format(name=name), temporary)
        print(f"  {name:<21} first fit    {cold:5.2f} s   {verdict(cold, FIRST_GOAL)}   it says: {said!r}")
        later = [run(python, FIT.format(name=name), temporary)[0] for _ in range(REPETITIONS)]
        before = median(first - second for first, second in later)
        print(
            f"  {'':<21} later, before training {before:5.2f} s   {verdict(before, LATER_GOAL)}", flush=True
        )


def main(folder):
    """Print all figures."""
    print("First use: read-only packages, another user, no home; CPU seconds")
    work = Path(folder)
    work.chmod(0o755)
    python = make_environment(work / "environment")
    check(python, work)
    print_first_use(python, work)
    temporary = work / NAMES[0]
    added = median(run(python, IMPORT, temporary)[0][0] for _ in range(REPETITIONS))
    goal = verdict(added, IMPORT_GOAL)
    print(f"  importing the classifiers adds {added:.2f} s to scikit-learn's parts   {goal}")


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1])
    else:
        place = tempfile.mkdtemp()
        try:
            main(place)
        finally:
            for path in [Path(place), *Path(place).rglob("*")]:
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o755)
            shutil.rmtree(place)
