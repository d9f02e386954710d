"""What the way from a table to inputs costs: beside a plain array, and beside the fit.

Run with `python benchmarks/door.py`: a minute. CPU seconds of one thread, the best of several runs.

1. Rows of 1000 × 30 complete numbers as an array and as a frame: milliseconds before training begins, and
   those of scikit-learn's own check of the same rows.
2. A CSV file of 50,000 × 20 with six columns of texts: reading it and making inputs of it, beside the fit.
"""

import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_array

from netlines import NetLinesClassifierCV
from netlines.cli.tables import Dialect, open_table
from netlines.tables.learn import learn_table


def seconds(work, repeat=20):
    """Return the least CPU time of some runs, and what the last one gave."""
    best, found = np.inf, None
    for _ in range(repeat):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def small():
    """Print what comes before the training of 1000 × 30 numbers."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((1000, 30)), rng.integers(0, 2, 1000)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(30)])
    clf = NetLinesClassifierCV()
    check, _ = seconds(lambda: check_array(X))
    print("1000 × 30 numbers, ms before training:")
    for name, rows in (("array", X), ("frame", frame)):
        own, _ = seconds(lambda rows=rows: clf._checked(rows, y, None))
        print(f"  {name}: {1e3 * own:.2f} (scikit-learn's check of the array: {1e3 * check:.2f})")


def large():
    """Print what reading and encoding of 50,000 × 20 take beside the fit."""
    rng = np.random.default_rng(0)
    n = 50_000
    columns = {f"x{i}": rng.standard_normal(n).round(4) for i in range(14)}
    for i, size in enumerate((2, 3, 5, 8, 12, 40)):
        columns[f"t{i}"] = rng.choice([f"value {k}" for k in range(size)], n)
    frame = pd.DataFrame(columns)
    score = frame["x0"] + frame["x1"] * frame["x2"] + (frame["t1"] == "value 1") + rng.standard_normal(n)
    y = np.where(score > 0.3, "yes", "no")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        frame.assign(target=y).to_csv(path, index=False)
        reading, (_, raw) = seconds(lambda: open_table(path, Dialect()), 3)
        labels = np.unique(y, return_inverse=True)[1]
        fresh = seconds(lambda: open_table(path, Dialect())[1].without("target"), 1)[1]
        encoding, _ = seconds(lambda: learn_table(fresh, labels=labels), 1)
        frames, _ = seconds(lambda: NetLinesClassifierCV()._checked(frame, y, None), 3)
        fitting, _ = seconds(lambda: NetLinesClassifierCV().fit(raw.without("target"), y), 1)
    print("50,000 × 20 with six columns of texts, CPU seconds:")
    print(f"  reading the CSV {reading:.2f}, making inputs {encoding:.2f}; of a frame {frames:.2f}")
    share = 100 * (reading + encoding) / fitting
    print(f"  the fit {fitting:.2f}: reading and making inputs are {share:.0f} % of it")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    small()
    large()
