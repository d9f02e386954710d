"""How long the report of each bundled data set takes, and how large it is.

Run with `python benchmarks/report.py [FOLDER]`. Each data set is fitted by NetLinesClassifierCV and by
NetLinesClassifier; the pages go to FOLDER, build/reports if none is given. The fit itself is not counted, the
cross-validation within the report is.
"""

import sys
import time
from pathlib import Path

import matplotlib

matplotlib.use("agg")

from netlines import NetLinesClassifier, NetLinesClassifierCV, write_report
from netlines.datasets import (
    load_breast_cancer_wisconsin,
    load_iris,
    load_monks,
    load_pima_diabetes,
    load_sonar,
    make_waveform,
)

SETS = {
    "breast cancer": lambda: load_breast_cancer_wisconsin(incomplete="keep", return_X_y=True, as_frame=True),
    "diabetes": lambda: load_pima_diabetes(return_X_y=True, as_frame=True),
    "sonar": lambda: load_sonar(return_X_y=True, as_frame=True),
    **{f"monks-{k}": lambda k=k: load_monks(k, return_X_y=True, as_frame=True) for k in (1, 2, 3)},
    "iris": lambda: load_iris(return_X_y=True, as_frame=True),
    "waveform": lambda: make_waveform(300, random_state=0, return_X_y=True, as_frame=True),
}


def main():
    """Write the pages and print their times and sizes."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/reports")
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'':<16}{'':<22}{'units':>6}{'seconds':>9}{'kB':>7}")
    for name, load in SETS.items():
        X, y = load()
        complete = X.notna().all(axis=1)
        for kind in (NetLinesClassifierCV, NetLinesClassifier):
            clf = kind().fit(X[complete], y[complete])
            path = folder / f"{name.replace(' ', '-')}-{kind.__name__}.html"
            start = time.perf_counter()
            write_report(clf, X, y, path, title=f"Predicting {name}")
            seconds, size = time.perf_counter() - start, path.stat().st_size / 1000
            print(f"{name:<16}{kind.__name__:<22}{clf.n_hidden_:>6}{seconds:>9.1f}{size:>7.0f}", flush=True)


if __name__ == "__main__":
    main()
