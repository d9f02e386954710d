"""Run the smoke test with the lowest versions that pyproject.toml allows, and with the newest there are.

The package is built, as a source distribution and out of that as a wheel, and installed into environments
under build/floors: the lowest versions with the oldest Python, the newest with each Python that is there. An
environment is made anew when pyproject.toml has changed. `make floors` runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "floors"
PYTHONS = ("3.11", "3.12", "3.13")
# What someone who has only the source distribution needs to run the tests and to read.
IN_THE_SOURCES = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "docs/paper.md",
    "examples/demo.py",
    "benchmarks/fit.py",
    "tests/conftest.py",
    "tests/data/format_1.json",
    "tests/hostile/run.py",
)


def main() -> int:
    """Test each environment and return 1 if one fails."""
    pythons = {version: path for version in PYTHONS if (path := find_python(version))}
    for version in PYTHONS:
        if version not in pythons:
            print(f"floors: Python {version} is skipped: no python{version} that runs was found", flush=True)
    if not pythons:
        return 1
    wheel = build(next(iter(pythons.values())))
    newest = [f"{wheel}[plots,cli]"]
    wanted = {f"newest-{version}": (path, newest) for version, path in pythons.items()}
    if PYTHONS[0] in pythons:
        wanted = {"lowest": (pythons[PYTHONS[0]], [*newest, *floors()]), **wanted}
    if os.environ.get("FLOORS") == "ends":
        wanted = {name: wanted[name] for name in (*list(wanted)[:1], *list(wanted)[-1:])}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda name: passes(name, *wanted[name], wheel), wanted))
    print(f"floors: {sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return int(not all(passed))


def floors() -> list[str]:
    """Return what pyproject.toml requires, with the lowest version of each."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needs = [*project["dependencies"], *extras["plots"], *extras["cli"]]
    return [need.replace(">=", "==") for need in needs]


def find_python(version: str) -> str | None:
    """Return an interpreter of a version that runs: on the path, or where pyenv keeps them."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [*os.get_exec_path(), *sorted(map(str, root.glob(f"versions/{version}.*/bin")))]
    for folder in folders:
        path = shutil.which(f"python{version}", path=folder)
        # Shims of pyenv are there for versions that are not switched on, and Debian's may lack ensurepip.
        if path and subprocess.run([path, "-c", "import ensurepip"], capture_output=True).returncode == 0:
            return path
    return None


def build(python: str) -> Path:
    """Build the source distribution, look whether it is whole, and return the wheel that is built of it."""
    builder, dist = FOLDER / "builder", FOLDER / "dist"
    make(builder, python, ["build"], "build")
    shutil.rmtree(dist, ignore_errors=True)
    command = [builder / "bin" / "python", "-m", "build", "--outdir", dist, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"floors: the package cannot be built\n{done.stdout}{done.stderr}")
    (source,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    if absent := [name for name in IN_THE_SOURCES if name not in names]:
        sys.exit(f"floors: {source.name} lacks {', '.join(absent)}: see MANIFEST.in")
    return wheel


def make(folder: Path, python: str, needs: list[str], stamp: str) -> None:
    """Make an environment, unless it is there and was made of the same."""
    made = folder / "made-of.txt"
    if made.exists() and made.read_text(encoding="utf-8") == stamp:
        return
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    install(folder, *needs)
    made.write_text(stamp, encoding="utf-8")


def install(folder: Path, *what: str) -> None:
    """Install into an environment."""
    pip = [folder / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    done = subprocess.run([*pip, "--no-compile", *what], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"floors: {folder.name} cannot be installed\n{done.stdout}{done.stderr}")


def passes(name: str, python: str, needs: list[str], wheel: Path) -> bool:
    """Install the package of now into an environment, and run the smoke test in it."""
    folder = FOLDER / name
    make(folder, python, needs, (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    install(folder, "--no-deps", "--force-reinstall", str(wheel))
    # What is compiled is kept in the environment, not where make keeps it for others.
    environment = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "NUMBA_CACHE_DIR")
    }
    command = [folder / "bin" / "python", ROOT / "tests" / "smoke.py"]
    done = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True, text=True)
    print(f"{name}: {done.stdout}{done.stderr}".rstrip(), flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
