"""Errors of tables with holes, in training and test rows, by what is done about them.

Run with `python benchmarks/holes.py [FOLDS]`: about half an hour with 2 of 5 folds. Of eight tables that no
constant was chosen on, 5, 20 or 40 % of all attributes are removed, at random ("random") or the more often
the larger the value ("larger"). On the same folds learn

- "netlines": NetLinesClassifierCV(), which takes the holes as they are
- "mean", "mean + flags", "iterative", "KNN": the same after scikit-learn's SimpleImputer, without and with
  its indicators, IterativeImputer and KNNImputer
- "dropped": the same on the complete training rows, if 5 of each class are left, else the larger class; test
  rows by SimpleImputer
- "HGB": HistGradientBoostingClassifier(), which takes the holes as they are

Printed are the mean errors of netlines and of HGB on complete tables, and by how many points each way is
worse than its own of these. Exits with 1 if netlines is more than a point above the best imputation in the
mean, or if its increase is larger than that of HGB. Finished runs are kept in build/benchmarks/holes.csv.
"""

import csv
import sys
import warnings
import zlib
from collections import defaultdict

import numpy as np
from scipy.stats import rankdata
from sets import BUILD, load
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from netlines import NetLinesClassifierCV
from netlines.network.background import describe

TABLES = ("wdbc", "ionosphere", "saheart", "german", "mammographic", "housevotes", "waveform", "vowel")
MOST_ROWS = 1000
SHARES = (0.05, 0.2, 0.4)
KINDS = ("random", "larger")
IMPUTATIONS = ("mean", "mean + flags", "iterative", "KNN")
WAYS = ("netlines", *IMPUTATIONS, "dropped", "HGB")
FILE = BUILD / "holes.csv"


def with_holes(name, X, share, kind):
    """Return a copy that lacks values; the inputs of one category go together."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {share} {kind}".encode()))
    grouped = {i: group for group in describe(X).groups for i in group}
    X = X.copy()
    for group in dict.fromkeys(grouped.get(i, (i,)) for i in range(X.shape[1])):
        columns = list(group)
        value = X[:, columns[0]] if len(columns) == 1 else X[:, columns].argmax(axis=1)
        rank = rankdata(value) if kind == "larger" else np.ones(len(X))
        lost = rng.random(len(X)) < share * rank / rank.mean()
        X[np.ix_(lost, columns)] = np.nan
    return X


def imputer(way):
    """Return what fills holes, over standardised inputs."""
    fillers = {
        "mean": SimpleImputer(keep_empty_features=True),
        "mean + flags": SimpleImputer(keep_empty_features=True, add_indicator=True),
        "iterative": IterativeImputer(max_iter=5, random_state=0, keep_empty_features=True),
        "KNN": KNNImputer(keep_empty_features=True),
    }
    return make_pipeline(StandardScaler(), fillers[way])


def error(way, X, y, X_test, y_test):
    """Return the test error of one way, in per cent."""
    if way == "HGB":
        answers = HistGradientBoostingClassifier(random_state=0).fit(X, y).predict(X_test)
    elif way == "netlines":
        answers = NetLinesClassifierCV().fit(X, y).predict(X_test)
    elif way == "dropped":
        whole = ~np.isnan(X).any(axis=1)
        answers = np.full(len(y_test), np.bincount(y).argmax())
        if np.bincount(y[whole], minlength=2).min() >= 5:
            filled = SimpleImputer(keep_empty_features=True).fit(X).transform(X_test)
            answers = NetLinesClassifierCV().fit(X[whole], y[whole]).predict(filled)
    else:
        filler = imputer(way).fit(X)
        answers = NetLinesClassifierCV().fit(filler.transform(X), y).predict(filler.transform(X_test))
    return 100 * float(np.mean(answers != y_test))


def settings():
    """Yield shares, kinds and ways: first the complete tables."""
    yield from ((0.0, "none", way) for way in ("netlines", "HGB"))
    yield from ((share, kind, way) for share in SHARES for kind in KINDS for way in WAYS)


def measure(folds):
    """Return the errors by table, share, kind and way, those in the file among them."""
    found = defaultdict(dict)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.touch()
    with FILE.open(newline="") as file:
        for name, fold, share, kind, way, value in csv.reader(file):
            found[name, float(share), kind, way][int(fold)] = float(value)
    with FILE.open("a", newline="") as file:
        writer = csv.writer(file)
        for fold in range(folds):
            for name in TABLES:
                X, y = (one[:MOST_ROWS] for one in load(name))
                splitter = StratifiedKFold(5, shuffle=True, random_state=0)
                train, test = list(splitter.split(X, y))[fold]
                for share, kind, way in settings():
                    if fold in found[name, share, kind, way]:
                        continue
                    holes = with_holes(name, X, share, kind) if share else X
                    value = error(way, holes[train], y[train], holes[test], y[test])
                    found[name, share, kind, way][fold] = value
                    writer.writerow([name, fold, share, kind, way, value])
                    file.flush()
                print(f"fold {fold + 1} of {name}", file=sys.stderr, flush=True)
    return {key: float(np.mean(list(by_fold.values()))) for key, by_fold in found.items()}


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    errors = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    base = {way: np.array([errors[name, 0.0, "none", way] for name in TABLES]) for way in ("netlines", "HGB")}
    print(f"complete: netlines {base['netlines'].mean():.2f} %, HGB {base['HGB'].mean():.2f} %")
    print(
        f"{'points above':<14}"
        + "".join(f"{100 * share:>5.0f} % {kind:<7}" for share in SHARES for kind in KINDS)
        + "  mean"
    )
    increases = {}
    for way in WAYS:
        own = base["HGB" if way == "HGB" else "netlines"]
        cells = [
            np.array([errors[name, share, kind, way] for name in TABLES]) - own
            for share in SHARES
            for kind in KINDS
        ]
        increases[way] = np.array(cells)
        print(
            f"{way:<14}" + "".join(f"{cell.mean():>11.2f}   " for cell in cells) + f"{np.mean(cells):>6.2f}"
        )
    print("\nby table, mean of all holes:")
    print(f"{'':<14}" + "".join(f"{name:>13}" for name in TABLES))
    for way in WAYS:
        print(f"{way:<14}" + "".join(f"{value:>13.2f}" for value in increases[way].mean(axis=0)))
    mean = {way: float(cells.mean()) for way, cells in increases.items()}
    best = min(mean[way] for way in IMPUTATIONS)
    print(f"\nnetlines {mean['netlines']:.2f}, best imputation {best:.2f}, HGB {mean['HGB']:.2f}")
    return int(mean["netlines"] > best + 1 or mean["netlines"] > mean["HGB"])


if __name__ == "__main__":
    sys.exit(main())
