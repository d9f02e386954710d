"""Choose a small classifier for the breast cancer data, say what it has learnt, and write a report to look
at.

Run with `make demo`, or `python examples/demo.py` with netlines[plots,cli] installed. It prints the verdict,
a points score, one explanation and what missing values could do, and writes demo/report.html and
demo/model.json.
"""

import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from netlines import (
    NetLinesClassifier,
    NetLinesClassifierCV,
    explain,
    extract_rules,
    possible_classes,
    prune,
    write_report,
)
from netlines.datasets import load_breast_cancer_wisconsin
from netlines.export.model_file import save_network

FOLDER = Path("demo")
WIDTH = 100


def say(title, text):
    """Print a section."""
    print(f"{title}\n{'-' * len(title)}\n{text}\n", flush=True)


def describe_missing(clf, X, y):
    """Return what the rows without bare_nuclei can be, each kind of answer once."""
    found = {}
    for possible, label in zip(possible_classes(clf, X), y, strict=True):
        found.setdefault(str(possible), []).append(label)
    lines = []
    for text, labels in found.items():
        truth = " and ".join(f"{labels.count(label)} {label}" for label in sorted(set(labels)))
        lines.append(f"{text} (truly {truth})")
    return "\n".join(lines)


def report(clf, X, y, path):
    """Write the report under a progress bar."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("writing the report")
        write_report(
            clf,
            X,
            y,
            path,
            title="Breast cancer: benign or malignant?",
            progress=lambda done, name, of: progress.update(task, completed=done, total=of, description=name),
        )


def main():
    """Choose, explain, make readable, prune, print and write."""
    cancer = load_breast_cancer_wisconsin(incomplete="keep", as_frame=True)
    complete = cancer.data.notna().all(axis=1)
    X, y = cancer.data[complete], cancer.target[complete]
    classes = " or ".join(sorted(set(y)))
    print(f"Breast cancer: {len(X)} rows, {X.shape[1]} attributes from 1 to 10, {classes}?\n")
    clf = NetLinesClassifierCV(n_jobs=-1).fit(X, y)
    say("The verdict", "\n".join(textwrap.fill(one, WIDTH) for one in clf.verdict_.sentences))
    readable = NetLinesClassifierCV(prefer="readable", n_jobs=-1).fit(X, y)
    say("The same as a points score, to be added up by hand", readable.as_points())
    say("Its verdict", textwrap.fill(readable.verdict_.headline, WIDTH))
    doubtful = int(np.argmin(clf.predict_proba(X).max(axis=1)))
    title = f"The most doubtful row, number {doubtful} (truly {y.iloc[doubtful]})"
    say(title, explain(clf, X.iloc[doubtful]).text(width=WIDTH))
    lacking = cancer.data[~complete], cancer.target[~complete]
    say("The 16 rows without bare_nuclei", describe_missing(clf, *lacking))

    exact = NetLinesClassifier(n_jobs=-1).fit(X, y)
    integers = prune(exact, X, y, weights="integer")
    say(
        "Without training errors, in integers",
        f"{exact.n_hidden_} hyperplanes with {exact.n_weights_} weights learn every row; pruned to "
        f"{integers.n_weights_} integers with {integers.n_training_errors_} errors:\n"
        f"{extract_rules(integers, X)}",
    )

    FOLDER.mkdir(exist_ok=True)
    save_network(clf.network_, FOLDER / "model.json", metadata={"rows": len(X), "chosen": clf.chosen_})
    report(clf, cancer.data, cancer.target, FOLDER / "report.html")
    print(f"the model is {FOLDER / 'model.json'}; a report to look at is {FOLDER / 'report.html'}")


if __name__ == "__main__":
    main()
