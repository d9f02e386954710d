"""The rooms of the house, and the import rules that hold them apart."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "classifiers",
    "cli",
    "datasets",
    "export",
    "family",
    "inspection",
    "network",
    "plots",
    "report",
    "reproduce",
    "selection",
    "tables",
    "training",
}


def lint_imports(folder):
    """Return the exit code of `lint-imports` on the package in a folder, and what it says."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_nothing_but_rooms_stands_at_the_top():
    names = {path.name for path in (ROOT / "src" / "netlines").iterdir()} - {"__pycache__"}
    assert names == ROOMS | {"__init__.py", "__main__.py", "_files.py", "_words.py", "py.typed"}


def test_every_room_says_what_lives_in_it():
    for room in ROOMS:
        text = (ROOT / "src" / "netlines" / room / "__init__.py").read_text(encoding="utf-8")
        assert text.startswith('"""'), room


def test_tests_stand_in_the_rooms_of_what_they_test():
    rooms = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {
        "__pycache__",
        "data",
        "hostile",
    }
    assert rooms <= ROOMS


def test_a_module_outside_the_layers_breaks_the_import_rules(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    not_ours = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=not_ours)
    code, said = lint_imports(tmp_path)
    assert code == 0, said
    (tmp_path / "src" / "netlines" / "stray.py").write_text('"""It stands nowhere."""\n')
    code, said = lint_imports(tmp_path)
    assert code == 1
    assert "netlines.stray" in said
