"""Ask the installed package for a little of everything: one line if all is well, else exit code 1.

Run in an environment that has the package and its extras "plots" and "cli", and nothing for tests.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from time import monotonic

import numpy as np
import pandas as pd

import netlines
from netlines import (
    MinimerrorClassifier,
    NetLinesClassifier,
    NetLinesClassifierCV,
    distill,
    explain,
    extract_rules,
    load_model,
    possible_classes,
    prune,
    save_model,
    write_report,
)
from netlines.datasets import load_iris, load_monks
from netlines.family import MonoPlaneClassifier

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "typer", "matplotlib")


def main() -> int:
    """Run the checks in a folder of their own."""
    start = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        check_python(Path(folder))
        check_commands(Path(folder))
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"smoke: all is well in {monotonic() - start:.0f} s: Python {python}, {versions}")
    return 0


def check_python(folder: Path) -> None:
    """Fit, read, save and report from Python."""
    X, y = load_monks(1, return_X_y=True)
    grown = NetLinesClassifier(random_state=0).fit(X, y)
    assert grown.n_training_errors_ == 0, grown.n_training_errors_
    for clf in (MinimerrorClassifier(probability=True), MonoPlaneClassifier()):
        assert clf.fit(X, y).score(X, y) > 0.6, clf
    small = prune(NetLinesClassifierCV(max_hidden=3, random_state=0).fit(X, y), X, y)
    assert distill(small, X, max_hidden=2).score(X, y) > 0.6
    assert grown.domains(X, y)
    assert explain(grown, X[0]).text()
    assert extract_rules(grown, X).predict(X).tolist() == grown.predict(X).tolist()
    lacking = X[:1].astype(float)
    lacking[0, 0] = np.nan
    assert possible_classes(grown, lacking)[0].labels
    X, y = load_iris(return_X_y=True, as_frame=True)
    flowers = NetLinesClassifierCV(random_state=0).fit(X, y)
    save_model(flowers, folder / "flowers.json")
    again = load_model(folder / "flowers.json")
    assert again.predict_proba(X).tobytes() == flowers.predict_proba(X).tobytes()
    check_any_table(folder)
    write_report(flowers, X, y, folder / "flowers.html", folds=0)
    assert "</html>" in (folder / "flowers.html").read_text(encoding="utf-8")


def check_any_table(folder: Path) -> None:
    """Fit texts, categories, dates and gaps as they are, and read what came of it."""
    random = np.random.default_rng(0)
    y = random.random(60) < 0.5
    table = pd.DataFrame(
        {
            "size": np.where(random.random(60) < 0.2, np.nan, random.normal(size=60) + 2 * y),
            "colour": random.choice(["red", "green", "blue"], 60),
            "grade": pd.Categorical(random.choice(["low", "high"], 60)),
            "seen": pd.Timestamp("2024-01-29") + pd.to_timedelta(random.integers(0, 60, 60), "D"),
            "sure": pd.array(random.choice([True, False, None], 60), dtype="boolean"),
        }
    )
    clf = NetLinesClassifierCV(max_hidden=2, random_state=0).fit(table, y)
    assert clf.score(table[table.columns[::-1]], y) > 0.6
    save_model(clf, folder / "table.json")
    again = load_model(folder / "table.json")
    assert again.predict_proba(table).tobytes() == clf.predict_proba(table).tobytes()
    assert explain(clf, table.iloc[0]).text()
    assert str(extract_rules(clf, table))


def check_commands(folder: Path) -> None:
    """Describe, fit, predict, evaluate, inspect, explain and report from the command line."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    table = X.assign(place=np.where(np.arange(len(X)) % 2, "here", "there"), kind=y)
    table.loc[::10, "place"] = None
    table.to_csv(folder / "iris.csv", index=False)
    table.to_parquet(folder / "iris.parquet")
    commands = {
        "--help": "reproduce",
        "--version": netlines.__version__,
        "describe iris.csv --target kind": "5 columns become",
        "fit --help": "--target",
        "fit iris.csv --target kind -o model.json --folds 2": "all anew in 2 folds",
        "fit iris.parquet --target kind -o exact.json --error-free --folds 0": "exact.json",
        "predict model.json iris.csv -o answers.csv": "150 rows",
        "predict exact.json iris.parquet -o answers.parquet": "150 rows",
        "predict model.json iris.csv --quiet": "probability of ",
        "evaluate model.json iris.csv": "95 % interval",
        "inspect model.json": "weights",
        "words held out": "to test it on them",
        "explain model.json --row 5,3,1.4,0.2,here": "",
        "report model.json --data iris.csv -o page.html --folds 0": "page.html",
    }
    for command, says in commands.items():
        done = subprocess.run(
            [str(Path(sys.executable).with_name("netlines")), *command.split()],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        ended = f"netlines {command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode == 0, ended
        assert says in done.stdout, ended
    answers = pd.read_csv(folder / "answers.csv")
    assert (answers["prediction"] == answers["kind"]).mean() > 0.9
    assert len(pd.read_parquet(folder / "answers.parquet")) == len(table)
    assert "</html>" in (folder / "page.html").read_text(encoding="utf-8")


if __name__ == "__main__":
    assert "site-packages" in netlines.__file__, f"not the installed package: {netlines.__file__}"
    sys.exit(main())
