"""The examples in the README and in docstrings run and print what they say."""

import contextlib
import doctest
import importlib
import io
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import netlines

# What a reader of the page sees on stderr.
told = pytest.mark.filterwarnings("ignore::netlines.tables.encode.TableWarning")

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    m.name for m in pkgutil.walk_packages(netlines.__path__, "netlines.") if "__main__" not in m.name
)


LONG = {"netlines.report.write", "netlines.classifiers.netlines_cv", "netlines.inspection.scorecard.card"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in MODULES]
)
def test_examples_in_docstrings_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@told
@pytest.mark.slow
def test_the_example_in_the_readme_runs():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 6


@told
@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({path.name for path in (ROOT / "docs").glob("*.md")} - {"api.md"}))
def test_the_examples_in_the_documents_run(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted == len(re.findall(r"^ *>>> ", text, flags=re.MULTILINE))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::netlines.tables.encode.TableWarning")
def test_the_tutorial_prints_what_it_shows():
    notebook = json.loads((ROOT / "examples" / "tutorial.ipynb").read_text(encoding="utf-8"))
    names, said = {}, []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec("".join(cell["source"]), names)
            shown = ["".join(one["text"]) for one in cell["outputs"] if one["output_type"] == "stream"]
            assert printed.getvalue() == "".join(shown)
            said += shown
    assert len(said) >= 7


def test_every_relative_link_in_the_documents_exists():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_deviation_in_the_code_is_listed():
    marked = [
        path.stem for path in (ROOT / "src").rglob("*.py") if "Deviation:" in path.read_text(encoding="utf-8")
    ]
    listed = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8").split("## Deviations")[1]
    assert marked
    for module in marked:
        assert re.search(rf"[`.]{module}\.", listed), module


def test_the_reproduction_in_the_docs_is_that_of_today():
    """It has every claim, figure and experiment of the present code; `make reproduction` writes it."""
    from netlines.reproduce.experiments import EXPERIMENTS
    from netlines.reproduce.report.published import read_published

    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    assert "`netlines reproduce --full`" in text
    for statement in read_published():
        if statement.kind == "claim":
            assert f"| {statement.says} | {statement.value} ({statement.where}) |" in text
    for experiment in EXPERIMENTS.values():
        assert f"## {experiment.title}\n\n{experiment.about}\n" in text
    pictures = re.findall(r"\]\((reproduction/[\w-]+\.png)\)", text)
    assert len(pictures) >= len(EXPERIMENTS)
    assert all((ROOT / "docs" / picture).exists() for picture in pictures)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_place_that_a_page_sends_to_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    places = re.findall(r"`((?:[a-z_]+/)+[a-z_]+)\.([A-Za-z_.]+)`", text)
    assert len(places) > 20
    for path, name in places:
        if name in ("py", "md"):
            assert any((ROOT / top / f"{path}.{name}").exists() for top in ("src/netlines", "."))
            continue
        found = importlib.import_module(f"netlines.{path.replace('/', '.')}")
        for part in name.split("."):
            found = getattr(found, part)


@pytest.mark.parametrize("program", ["house.py", "reference.py"])
def test_what_is_made_of_the_code_shows_it(program):
    done = subprocess.run([sys.executable, ROOT / "docs" / program, "--check"], capture_output=True)
    assert done.returncode == 0, done.stdout
